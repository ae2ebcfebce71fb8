"""Match equity tables: what a score is worth, where tables come from, and the one that bgtools brings along.

`default` is Kazaross-XG2, which eXtreme Gammon, GNU Backgammon and bgsage all play by.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from bgtools.met.reading import MetError, read_table
from bgtools.met.table import MatchEquityTable, Outcomes

__all__ = ["DEFAULT", "MatchEquityTable", "MetError", "Outcomes", "default", "read_table"]

DEFAULT: Final = "Kazaross-XG2"
"""The name of the table that is used where none is asked for."""


@cache
def default() -> MatchEquityTable:
    """Kazaross-XG2, with the notice that it is copied under."""
    return read_table(files(__name__).joinpath("tables", f"{DEFAULT}.xml").read_bytes(), DEFAULT)
