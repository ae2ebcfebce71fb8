"""What readers and writers of the servers' logs have in common: the words of GamesGrid and TrueMoneyGames."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NOT_KNOWN: Final = "-"
"""Stands for a rating that is not known."""


class Kind(IntEnum):
    """What a line of TrueMoneyGames tells, by its number."""

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
