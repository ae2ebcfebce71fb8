"""Luck: what the dice gave each player, by the rolls and by what the errors leave.

Two accounts of one match, and how far they are apart.

What a player won is luck and errors, their own and the opponent's. So their luck-adjusted result can be told in two
ways: as the result less the luck of the rolls, and as an even result less the errors. With exact values both are the
same. With an engine's they are not: the luck of a roll is the value of its best play less the mean over all rolls, and
every such difference errs by itself, while in the account of errors the values of a position before and after cancel.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from bgtools.analysis.statistics import FEW_DECISIONS, interval_of_sum

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.analysis.rows import DecisionRow, TurnRow
    from bgtools.analysis.turns import PendingTurn
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


LUCKY: Final = 0.3
VERY_LUCKY: Final = 0.6
JOKER: Final = 0.3
"""EMG from which XG calls a roll a joker, about."""

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


_NORMAL: Final = 1.96
"""Standard errors on either side of a 95% interval."""

_OF_A_ROLL: Final = 0.01
"""EMG by which the luck of a roll is uncertain even where both accounts agree. With it the interval of a game holds
eXtreme Gammon's own figure in 18 of 19 games, at every level."""

_ROLLING: Final = ("no double", "double", "take", "pass")
"""Cube decisions that change the value of the position only by what they give away."""


@dataclass(frozen=True, slots=True)
class GameBalance:
    """One game, in match winning chance or points, for player 0.

    Attributes:
        won: what the game brought.
        luck: net luck of its rolls.
        errors: what the opponent gave away less what they gave away themselves; None where that is not fully known.
        stakes: the root of the sum, over all rolls, of the square of what 1 EMG was worth.
    """

    won: float
    luck: float
    errors: float | None
    stakes: float

    @property
    def difference(self) -> float:
        """Net luck by the account of errors less net luck by that of the rolls; 0 where the errors are not known."""
        return 0.0 if self.errors is None else self.won - self.luck - self.errors


class Estimate(NamedTuple):
    """Net luck of player 0 by both accounts, and half the width of its 95% interval."""

    net: float
    interval: float


def net_luck_by_games(accounts: Sequence[GameBalance], *, both: bool) -> Estimate:
    """Net luck over games.

    Args:
        accounts: the games.
        both: whether net luck lies midway between the two accounts, game by game; otherwise it is that of the rolls.
    """
    share = 0.5 if both else 0.0
    net = sum(each.luck + share * each.difference for each in accounts)
    left = max(share, 1 - share)
    doubts = sum((left * each.difference) ** 2 + (_OF_A_ROLL * each.stakes) ** 2 for each in accounts)
    return Estimate(net, _NORMAL * sqrt(doubts))


def errors_of(decisions: Sequence[DecisionRow], ending: str, *, money: bool) -> float | None:
    """What player 1 gave away in a game less what player 0 did; None where a decision or the end was not judged."""
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
    return gained if resigned or ending in ("borne off", "drop") else None


def stakes_of(turns: Sequence[TurnRow]) -> float:
    """The root of the sum, over all rolls, of the square of what 1 EMG was worth in match winning chance or points."""
    return sqrt(sum((_in_units(turn) / turn.luck) ** 2 for turn in turns if turn.luck))


def _in_units(turn: TurnRow) -> float:
    return (turn.luck_mwc if turn.luck_points is None else turn.luck_points) or 0.0


def doubts(
    open_turns: Sequence[PendingTurn],
    turns: Sequence[TurnRow],
    decisions: Sequence[Sequence[DecisionRow]],
    met: MatchEquityTable,
) -> dict[int, float]:
    """By how much the luck of rolls differs from what the judged plays around them say, by index of the turn.

    The value of a position before a roll is that after the play before, less what was given away with the cube since.

    Args:
        open_turns: with the states.
        turns: with the luck of every roll.
        decisions: those of each turn.
        met: the engine's match equity table.

    Returns:
        The difference in match winning chance or points, at least 0, for the rolls of which both are known.
    """
    found: dict[int, float] = {}
    chain = _Chain(met)
    for number, (asked, turn, rows) in enumerate(zip(open_turns, turns, decisions, strict=True)):
        known = chain.follow(asked.state, turn, rows)
        luck = turn.luck_mwc if turn.luck_points is None else turn.luck_points
        if known is not None and luck is not None:
            found[number] = abs(known - luck)
    return found


class _Chain:
    """The values of positions as the plays of a game were judged, one turn after the other."""

    def __init__(self, met: MatchEquityTable) -> None:
        self._met = met
        self._game = 0
        self._before: float | None = None
        self._on_roll = 0

    def follow(self, state: MatchState, turn: TurnRow, rows: Sequence[DecisionRow]) -> float | None:
        """Go on past a turn. Gives what its roll brought the player: the value of its best play less the value before.

        None where one of the two is not known.
        """
        if turn.game != self._game:
            self._game, self._before = turn.game, None
        if not turn.in_game:
            return None
        for row in rows:
            self._turn_cube(row)
        if turn.action != "roll":
            return None
        before, self._before = self._before, None
        judged = [row for row in rows if row.kind == "checker play" and row.loss is not None]
        if not judged:
            return None
        equity, loss = judged[0].best_equity or 0.0, judged[0].loss or 0.0
        try:
            best, after = self._worth(state, equity), self._worth(state, equity - loss)
        except ValueError:  # beyond the match equity table
            return None
        gained = None if before is None or self._on_roll != turn.player else best - before
        self._on_roll = 1 - turn.player
        self._before = -after if state.is_money else 1 - after
        return gained

    def _worth(self, state: MatchState, equity: float) -> float:
        return equity * state.cube.value if state.is_money else self._met.mwc(state, equity)

    def _turn_cube(self, row: DecisionRow) -> None:
        if row.kind in ("checker play", "unplayed roll") or self._before is None:
            return
        loss = row.loss_points if row.loss_mwc is None else row.loss_mwc
        if row.kind not in _ROLLING or loss is None:
            self._before = None
        else:
            self._before += -loss if row.player == self._on_roll else loss
