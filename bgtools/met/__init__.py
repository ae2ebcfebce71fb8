"""Match equity tables: what a score is worth, where tables come from, and the one that bgtools brings along.

`default` is Kazaross-XG2, which eXtreme Gammon, GNU Backgammon and bgsage all play by.
"""

from __future__ import annotations

from bgtools.met.places import DEFAULT, default, find, installed
from bgtools.met.reading import MetError, read_table
from bgtools.met.table import MatchEquityTable, Outcomes
from bgtools.met.writing import as_met, as_xml

__all__ = [
    "DEFAULT",
    "MatchEquityTable",
    "MetError",
    "Outcomes",
    "as_met",
    "as_xml",
    "default",
    "find",
    "installed",
    "read_table",
]
