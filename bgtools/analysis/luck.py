"""Luck: what the dice gave each player."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final

from bgtools.analysis.bootstrap import FEW_DECISIONS, interval_of_sum

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bgtools.analysis.rows import TurnRow

LUCKY: Final = 0.3
VERY_LUCKY: Final = 0.6
JOKER: Final = 0.3
"""EMG from which on XG calls a roll a joker, about."""

LUCK_CLASSES: Final = ("very lucky", "lucky", "unlucky", "very unlucky")
"""The classes of single rolls."""


@dataclass(frozen=True, slots=True)
class Luck:
    """One player's luck.

    Attributes:
        rolls: rolls that were valued.
        emg: sum in EMG, each roll by the cube of its turn. This and the other sums are None where no roll was valued.
        mwc: sum as match winning chance; None for money.
        points: sum in points, each roll times its cube; None in a match.
        per_roll: ``emg / rolls``.
        classes: number of rolls of each class.
        jokers, anti_jokers: number of rolls of at least +0.3 EMG, and of at most -0.3.
        label: ``very lucky`` to ``very unlucky`` by the mean of a roll (GNU Backgammon's limits
            of .06 and .03); empty under 30 rolls.
        gnubg_label: what GNU Backgammon prints for such luck.
        missing: rolls that could not be valued.
        low, high: the 95 % interval of ``emg`` by resampling the rolls; None where they are fewer than 30. Luck that is
            nothing but chance leaves 0 inside, 19 times in 20.
    """

    rolls: int
    emg: float | None
    mwc: float | None
    points: float | None
    per_roll: float | None
    classes: Annotated[dict[str, int], LUCK_CLASSES]
    jokers: int
    anti_jokers: int
    label: str
    gnubg_label: str
    missing: int
    low: float | None = None
    high: float | None = None


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


GNUBG_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "very lucky": "Go to Las Vegas",
        "lucky": "Good dice, man!",
        "average": "None",
        "unlucky": "Bad dice, man!",
        "very unlucky": "Go to bed",
    }
)
"""What GNU Backgammon prints for each name that `luck_label` gives."""


def total_luck(turns: Iterable[TurnRow], *, money: bool) -> Luck:
    """Add up the luck of one player's turns.

    Args:
        turns: his turns; cube actions among them are passed over.
        money: whether luck counts in points, or as match winning chance.
    """
    rolls = [turn for turn in turns if turn.action == "roll" and turn.in_game]
    valued = [turn for turn in rolls if turn.luck is not None]
    if not valued:
        classes = dict.fromkeys(LUCK_CLASSES, 0)
        return Luck(0, None, None, None, None, classes, 0, 0, "", "", len(rolls))
    each = [turn.luck or 0.0 for turn in valued]
    emg = sum(each)
    per_roll = emg / len(each)
    counts = Counter(map(luck_class, each))
    label = luck_label(per_roll) if len(each) >= FEW_DECISIONS else ""
    return Luck(
        len(each),
        emg,
        None if money else sum(turn.luck_mwc or 0.0 for turn in valued),
        sum(turn.luck_points or 0.0 for turn in valued) if money else None,
        per_roll,
        {name: counts[name] for name in LUCK_CLASSES},
        sum(luck >= JOKER for luck in each),
        sum(luck <= -JOKER for luck in each),
        label,
        GNUBG_LABELS[luck_label(per_roll)],
        len(rolls) - len(each),
        *(interval_of_sum(each) or (None, None)),
    )
