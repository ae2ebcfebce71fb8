"""The words of GamesGrid and TrueMoneyGames, for the readers and writers of their logs."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NOT_KNOWN: Final = "-"
"""The sign for a rating that is not known."""


class LineKind(IntEnum):
    """The kinds of lines in a game of TrueMoneyGames, with their numbers."""

    ROLL = 1
    AUTOMATIC = 2
    MOVE = 4
    DOUBLE = 5
    TAKE = 7
    BEAVER = 8
    PASS = 10
    SINGLE = 14
    GAMMON = 15
    BACKGAMMON = 16
    OUT_OF_TIME = 17
    SETTLEMENT = 19
    TIMED_OUT = 22


TMG_VARIANTS: Final = ("backgammon", "nackgammon")
"""The variants of TrueMoneyGames, numbered from 1."""
