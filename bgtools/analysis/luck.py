"""Luck: what the dice gave each player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.analysis.rows import TurnRow

LUCKY: Final = 0.3
VERY_LUCKY: Final = 0.6
JOKER: Final = 0.3
"""EMG of a roll from which XG calls it a joker, about."""


@dataclass(frozen=True, slots=True)
class Luck:
    """One player's luck.

    Attributes:
        rolls: rolls that were valued.
        emg: sum in EMG, each roll by the cube of its turn.
        mwc: sum as match winning chance; None for money.
        points: sum in points, each roll times its cube; None in a match.
        per_roll: ``emg / rolls``; None without rolls.
        jokers: rolls of at least +0.3 EMG; ``anti_jokers`` of at most -0.3.
        label: ``very lucky`` to ``very unlucky`` by the mean of a roll (GNU Backgammon's limits
            of .06 and .03).
        missing: rolls that could not be valued.
    """

    rolls: int
    emg: float
    mwc: float | None
    points: float | None
    per_roll: float | None
    jokers: int
    anti_jokers: int
    label: str
    missing: int


def luck_class(luck: float) -> str:
    """GNU Backgammon's name for the luck of one roll (EMG)."""
    if abs(luck) < LUCKY:
        return ""
    name = "lucky" if luck > 0 else "unlucky"
    return f"very {name}" if abs(luck) >= VERY_LUCKY else name


def luck_label(per_roll: float) -> str:
    """A name for the mean luck of a roll (EMG), with GNU Backgammon's limits."""
    if abs(per_roll) <= 0.03:
        return "average"
    name = "lucky" if per_roll > 0 else "unlucky"
    return f"very {name}" if abs(per_roll) > 0.06 else name


def total_luck(turns: Iterable[TurnRow], *, money: bool) -> Luck:
    """Add up the luck of one player's turns.

    Args:
        turns: his turns; cube actions among them are passed over.
        money: whether luck counts in points, or as match winning chance.
    """
    rolls = [turn for turn in turns if turn.action == "roll"]
    valued = [turn for turn in rolls if turn.luck is not None]
    each = [turn.luck or 0.0 for turn in valued]
    emg = sum(each)
    per_roll = emg / len(each) if each else None
    return Luck(
        len(each),
        emg,
        None if money else sum(turn.luck_mwc or 0.0 for turn in valued),
        sum(turn.luck_points or 0.0 for turn in valued) if money else None,
        per_roll,
        sum(luck >= JOKER for luck in each),
        sum(luck <= -JOKER for luck in each),
        "" if per_roll is None else luck_label(per_roll),
        len(rolls) - len(each),
    )
