"""Luck: what the dice gave each player, by the rolls and by what the errors leave.

Two accounts of one match, and how far they are apart.

What a player won is luck and errors, their own and the opponent's. So their luck-adjusted result can be told in two
ways: as the result less the luck of the rolls, and as an even result less the errors. With exact values both are the
same. With an engine's they are not: the luck of a roll is the value of its best play less the mean over all rolls, and
every such difference errs by itself, while in the account of errors the values of a position before and after cancel.
So net luck is told by the errors, game by game, and by the rolls only of a game in which not every decision was judged.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

from bgtools.analysis.statistics import FEW_DECISIONS, interval_of_sum

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.analysis.rows import DecisionRow, Mark, TurnRow
    from bgtools.engines.protocol import LuckSpread
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


LUCKY: Final = 0.3
VERY_LUCKY: Final = 0.6
JOKER: Final = 0.3
"""EMG from which XG calls a roll a joker, about."""

LuckAccount = Literal["", "errors", "rolls"]
"""By what the net luck of a game is told; empty where it is not known."""

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
        gnubg_label: what GNU Backgammon prints for such luck; empty under 30 rolls.
        missing: rolls that could not be valued.
        low, high: the 95% interval of ``emg`` by resampling the rolls; None where they are fewer than 30. Luck that is
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


def mark_of(luck: float) -> Mark:
    """What a roll with this luck (EMG) is called."""
    return "joker" if luck >= JOKER else "anti-joker" if luck <= -JOKER else ""


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
        turns: their turns; cube actions among them are skipped.
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
    counts, marks = Counter(map(luck_class, each)), Counter(map(mark_of, each))
    label = luck_label(per_roll) if len(each) >= FEW_DECISIONS else ""
    return Luck(
        len(each),
        emg,
        None if money else sum(turn.luck_mwc or 0.0 for turn in valued),
        sum(turn.luck_points or 0.0 for turn in valued) if money else None,
        per_roll,
        {name: counts[name] for name in LUCK_CLASSES},
        marks["joker"],
        marks["anti-joker"],
        label,
        GNUBG_LABELS[label] if label else "",
        len(rolls) - len(each),
        *(interval_of_sum(each) or (None, None)),
    )


@dataclass(frozen=True, slots=True)
class GameBalance:
    """One game, in match winning chance or points, for player 0.

    Attributes:
        won: what the game brought.
        luck: net luck of its rolls; None where the luck of a roll is not known.
        errors: what the opponent gave away less what they gave away themselves; None where that is not fully known.
        stakes: the root of the sum, over all rolls, of the square of what 1 EMG was worth.
    """

    won: float
    luck: float | None
    errors: float | None
    stakes: float

    @property
    def left_by_errors(self) -> float | None:
        """Net luck by the account of errors: what was won less what errors brought; None where they are not known."""
        return None if self.errors is None else self.won - self.errors

    @property
    def account(self) -> LuckAccount:
        """The account that tells its net luck: that of the errors, which is the surer one, where it is known."""
        return "errors" if self.errors is not None else "rolls" if self.luck is not None else ""

    @property
    def net(self) -> float | None:
        """Net luck by that account; None where there is none."""
        return self.luck if self.errors is None else self.left_by_errors


class LuckEstimate(NamedTuple):
    """Net luck of player 0, in match winning chance or points.

    Attributes:
        by_rolls: the luck of the rolls; None where it is not known of a game.
        by_errors: what was won less what errors brought; None where those are not known of a game.
        net: the sum of `GameBalance.net`.
        error: its standard error.
        accounts: what tells it: ``errors``, ``rolls``, or ``errors, rolls in games 2, 5``.
    """

    by_rolls: float | None
    by_errors: float | None
    net: float
    error: float
    accounts: str


def estimate_luck(accounts: Sequence[GameBalance], spread: LuckSpread) -> LuckEstimate | None:
    """Net luck over games, each by its own account; None where a game has none."""
    by_rolls, by_errors = _sum([each.luck for each in accounts]), _sum([each.left_by_errors for each in accounts])
    net = _sum([each.net for each in accounts])
    if net is None:
        return None
    off = {"errors": spread.errors, "rolls": spread.rolls}
    variance = sum((each.stakes * off[each.account]) ** 2 for each in accounts)
    rolled = [str(number) for number, each in enumerate(accounts, 1) if each.account == "rolls"]
    told = "rolls" if len(rolled) == len(accounts) else "errors"
    if rolled and told == "errors":
        told += f", rolls in {'game' if len(rolled) == 1 else 'games'} {', '.join(rolled)}"
    return LuckEstimate(by_rolls, by_errors, net, sqrt(variance), told)


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def errors_of(
    decisions: Sequence[DecisionRow], ending: str, given_up: float | None = None, *, money: bool
) -> float | None:
    """What player 1 gave away in a game less what player 0 did; None where a decision or the end was not judged.

    Args:
        decisions: those of the game.
        ending: how it ended.
        given_up: what player 0 gained when the game was given up without a word; None where that is not known.
        money: whether it counts in points, or as match winning chance.
    """
    gained = 0.0
    resigned = False
    for row in decisions:
        loss = row.loss_points if money else row.loss_mwc
        if row.kind == "unplayed roll":
            continue
        if loss is None:
            return None
        resigned = resigned or row.kind == "resign"
        gained += loss if row.player else -loss
    if resigned or ending in ("borne off", "drop"):
        return gained
    return gained + given_up if ending == "resigned" and given_up is not None else None


def worth_at_end(decisions: Sequence[DecisionRow]) -> tuple[int, float] | None:
    """Who rolled last in a game, and what the position was worth to them after that roll, in EMG; None if not known.

    After a play that was made it is what the engine says of that play; after a roll that was not played, what the
    position was worth before it and the luck of the roll.
    """
    if not decisions:
        return None
    last = decisions[-1]
    if last.kind == "checker play":
        return None if last.equity is None else (last.player, last.equity)
    if last.kind != "unplayed roll" or last.luck is None or len(decisions) < 2:
        return None
    before = decisions[-2]
    if before.equity is None or before.kind not in ("no double", "checker play"):
        return None
    return last.player, last.luck + (before.equity if before.player == last.player else -before.equity)


def stakes_of(states: Iterable[MatchState], met: MatchEquityTable) -> float:
    """The root of the sum, over all rolls, of the square of what 1 EMG was worth in match winning chance or points.

    Args:
        states: the state at each roll. Those beyond the match equity table count nothing.
        met: the table.
    """
    total = 0.0
    for state in states:
        if state.is_money:
            total += state.cube.value**2
            continue
        try:
            lose, win = met.anchors(state)
        except ValueError:
            continue
        total += ((win - lose) / 2) ** 2
    return sqrt(total)
