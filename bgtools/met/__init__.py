"""Match equity tables: what a score is worth, where tables come from, and the one that bgtools brings along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.met.places import DEFAULT, default, find, installed
    from bgtools.met.points import MONEY_TAKE_POINT, gammon_values, take_points
    from bgtools.met.reading import MetError, read_table
    from bgtools.met.table import MatchEquityTable, Outcomes
    from bgtools.met.writing import as_met, as_xml

__all__ = [
    "DEFAULT",
    "MONEY_TAKE_POINT",
    "MatchEquityTable",
    "MetError",
    "Outcomes",
    "as_met",
    "as_xml",
    "default",
    "find",
    "gammon_values",
    "installed",
    "read_table",
    "take_points",
]

lazily(
    __name__,
    {
        "places": ("DEFAULT", "default", "find", "installed"),
        "points": ("MONEY_TAKE_POINT", "gammon_values", "take_points"),
        "reading": ("MetError", "read_table"),
        "table": ("MatchEquityTable", "Outcomes"),
        "writing": ("as_met", "as_xml"),
    },
)
