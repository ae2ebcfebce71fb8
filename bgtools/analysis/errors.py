"""What a decision cost, and what sort of error it was; resignations as well.

Resignations: what was given up, against what the position was worth.

A player who resigns loses what they offer. To resign is an error if playing on is worth more to them than that loss. To
accept is an error if playing on is worth more to the other player than what is offered.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.analysis.rows import DecisionKind, DecisionRow, ErrorClass, ErrorKind
    from bgtools.engines.protocol import CubeAnswer
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


NOTHING: Final = 1e-6
"""Losses (EMG) below this are rounding, and no error."""
AS_GOOD: Final = 0.004
"""Choices that are nearer to each other than this are as good as each other: so far the engine's own equities are off
(docs/engines.md)."""
LEAST_SHOWN: Final = 0.0005
"""A loss below this is 0.000 in print, and is shown as none."""


# --- classes --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LossClass:
    """A class of errors: its name, and the loss (EMG) from which it begins."""

    name: str
    loss: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The classes of errors, each with the loss from which it begins.

    Attributes:
        name: whose thresholds they are.
        steps: the classes, from the mildest to the worst.
    """

    name: str
    steps: tuple[LossClass, ...]

    def classify(self, loss: float) -> ErrorClass:
        """The class of a loss (EMG); empty below all of them. A loss that equals a threshold belongs to it."""
        return next((step.name for step in reversed(self.steps) if loss >= step.loss), "")

    def worst(self, first: ErrorClass, second: ErrorClass) -> ErrorClass:
        """The worse of two classes."""
        order = ["", *(step.name for step in self.steps)]
        return max(first, second, key=order.index)


ThresholdsName = Literal["xg", "gnubg", "gammonview"]

THRESHOLDS: Final[Mapping[ThresholdsName, Thresholds]] = MappingProxyType(
    {
        "xg": Thresholds("XG", (LossClass("error", 0.020), LossClass("blunder", 0.080))),
        "gnubg": Thresholds(
            "GNU Backgammon", (LossClass("doubtful", 0.03), LossClass("bad", 0.06), LossClass("very bad", 0.12))
        ),
        "gammonview": Thresholds(
            "gammonview", (LossClass("inaccuracy", 0.02), LossClass("error", 0.04), LossClass("blunder", 0.08))
        ),
    }
)
"""Thresholds by their names on the command line. The programs set the numbers; gammonview's classes are named here."""

CLASS_NAMES: Final = tuple(dict.fromkeys(step.name for each in THRESHOLDS.values() for step in each.steps))
"""What an error may be called, by whichever thresholds."""


# --- the cube -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CubeJudgement:
    """What a cube decision cost the player who made it.

    Attributes:
        equity: EMG of what was done, for them.
        best_equity: EMG of the best that they could do.
        best: the best action: ``no double``, ``double``, ``take``, ``pass``, ``beaver`` or ``raccoon``.
        kind: what the error was; empty when nothing was lost.
        detail: for a doubling error, on which side of the cube's window the position lies.
    """

    equity: float
    best_equity: float
    best: str
    kind: ErrorKind
    detail: str

    @property
    def loss(self) -> float:
        """EMG that was given away, at least 0."""
        return max(self.best_equity - self.equity, 0.0)


REPLIES: Final[Mapping[DecisionKind, tuple[str, int]]] = MappingProxyType(
    {
        "take": ("take", 0),
        "pass": ("pass", 0),
        "beaver": ("beaver", 0),
        "take beaver": ("take", 1),
        "pass beaver": ("pass", 1),
        "raccoon": ("raccoon", 1),
        "take raccoon": ("take", 2),
        "pass raccoon": ("pass", 2),
    }
)
"""The answers to an offer: what was done, and how often the cube had been turned back before."""

_COUNTERS: Final = ("beaver", "raccoon")
"""What turning the cube back is called, the first time and the second."""


def judge_cube(kind: DecisionKind, answer: CubeAnswer, *, counters: int = 0) -> CubeJudgement:
    """Judge what was done against the equities of the decision.

    Args:
        kind: what was done; a decision about the cube.
        answer: the equities, for the player who could double.
        counters: how many times running a double may be doubled back: 0 never, 1 beavers, 2 raccoons as well.

    Raises:
        ValueError: a checker play or a resignation.
    """
    if kind in ("no double", "double"):
        equity = answer.no_double if kind == "no double" else answer.double
        wrong = answer.best - equity > NOTHING
        # Where both are worth the same, what was done counts as best.
        best: str = kind if not wrong else "double" if kind == "no double" else "no double"
        error: ErrorKind = "" if not wrong else "missed double" if kind == "no double" else "wrong double"
        return CubeJudgement(equity, answer.best, best, error, _window(kind, answer) if wrong else "")
    if kind not in REPLIES:
        raise ValueError(f"{kind} is not a cube decision")
    done, number = REPLIES[kind]
    values = replies(kind, answer, counters=counters)
    best = max(values, key=lambda name: (values[name], name == done))
    lost = values[best] - values[done] > NOTHING
    return CubeJudgement(values[done], values[best], best, _reply_error(done, best, number) if lost else "", "")


def replies(kind: DecisionKind, answer: CubeAnswer, *, counters: int) -> dict[str, float]:
    """What each answer to an offer is worth to the player who gives it, by the cube before the double.

    Doubling back doubles the stake with the cube on the same side, so for money it doubles the equity
    of a take (R32, R33); dropping an offer loses the stake before it.

    Args:
        kind: an answer, one of `REPLIES`.
        answer: the equities, for the player who could double.
        counters: as for `judge_cube`.
    """
    done, number = REPLIES[kind]
    stake = 2**number
    # The equity of a take with the cube turned once, then seen by the player who answers.
    taken = answer.double_take / 2 if answer.is_beaver else answer.double_take
    own = taken if number % 2 else -taken
    values = {"take": stake * own, "pass": -stake * answer.double_pass}
    if number < len(_COUNTERS) and (number < counters or done == _COUNTERS[number]):
        values[_COUNTERS[number]] = 2 * stake * own
    return values


def _window(kind: DecisionKind, answer: CubeAnswer) -> str:
    cash = answer.double_take >= answer.double_pass
    if kind == "no double":
        return "above the cash point" if cash else "below the cash point"
    return "too good to double" if cash else "below the doubling point"


_WRONG: Final[Mapping[str, ErrorKind]] = MappingProxyType(
    {"take": "wrong take", "pass": "wrong pass", "beaver": "wrong beaver", "raccoon": "wrong raccoon"}
)
_MISSED: Final[tuple[ErrorKind, ...]] = ("missed beaver", "missed raccoon")


def _reply_error(done: str, best: str, number: int) -> ErrorKind:
    return _MISSED[number] if done == "take" and best in _COUNTERS else _WRONG[done]


# --- adding up ------------------------------------------------------------------------------

RESIGNATIONS: Final[tuple[DecisionKind, ...]] = ("resign", "accept")


@dataclass(frozen=True, slots=True)
class KindTotals:
    """Errors of one kind.

    Attributes:
        count: how many gave anything away.
        classed: how many of them reach a class of the thresholds.
        emg: EMG lost by all of them.
        mwc: the same as match winning chance; None for money and beyond the match equity table.
        points: the same in points; None in a match.
    """

    count: int
    classed: int
    emg: float
    mwc: float | None
    points: float | None


@dataclass(frozen=True, slots=True)
class ErrorTotals:
    """Errors of one player.

    Attributes:
        checker, cube, resignation: EMG lost by checker plays, by cube decisions and by resignations.
        mwc: match winning chance lost by all decisions; None for money and beyond the match equity table.
        points: the same in points; None in a match.
        checker_decisions, cube_decisions, resignations: how many were analysed.
        classes: number of decisions of each class.
        kinds: the errors by kind, doubling errors also by the side of the cube's window on which the position lies.
        not_analysed: decisions that could not be judged, illegal plays among them.
    """

    checker: float
    cube: float
    resignation: float
    mwc: float | None
    points: float | None
    checker_decisions: int
    cube_decisions: int
    resignations: int
    classes: Annotated[dict[str, int], CLASS_NAMES]
    kinds: dict[str, KindTotals]
    not_analysed: int

    @property
    def loss(self) -> float:
        """EMG lost by all decisions."""
        return self.checker + self.cube + self.resignation


def total_errors(decisions: Sequence[DecisionRow], thresholds: Thresholds, *, money: bool) -> ErrorTotals:
    """Add up the errors of one player.

    Args:
        decisions: their decisions; those that were not judged are only counted.
        thresholds: the classes of errors.
        money: whether losses count in points, or as match winning chance.
    """
    judged = [row for row in decisions if row.loss is not None]
    decided = sum(row.kind != "unplayed roll" for row in decisions)
    checker = [row for row in judged if row.kind == "checker play"]
    resignations = [row for row in judged if row.kind in RESIGNATIONS]
    cube = [row for row in judged if row.kind not in ("checker play", *RESIGNATIONS)]
    classes = Counter(row.error for row in judged)
    kinds: dict[str, list[DecisionRow]] = {}
    for row in judged:
        if row.error_kind:
            kinds.setdefault(", ".join(filter(None, (row.error_kind, row.detail))), []).append(row)
    every = _kind(judged, money=money)
    return ErrorTotals(
        _kind(checker, money=money).emg,
        _kind(cube, money=money).emg,
        _kind(resignations, money=money).emg,
        every.mwc,
        every.points,
        len(checker),
        len(cube),
        len(resignations),
        {step.name: classes[step.name] for step in thresholds.steps},
        {kind: _kind(kinds[kind], money=money) for kind in sorted(kinds)},
        decided - len(judged),
    )


def _kind(rows: Sequence[DecisionRow], *, money: bool) -> KindTotals:
    return KindTotals(
        len(rows),
        sum(bool(row.error) for row in rows),
        sum(row.loss or 0.0 for row in rows),
        None if money or any(row.loss_mwc is None for row in rows) else sum(row.loss_mwc or 0.0 for row in rows),
        sum(row.loss_points or 0.0 for row in rows) if money else None,
    )


SETTLED: Final = 0.001
"""A resignation that gives away less than this (EMG) is not an error, as in XG."""


@dataclass(frozen=True, slots=True)
class Resignation:
    """What was given up.

    Attributes:
        points: how many, the cube included.
        on_roll: whether the player whose decision it is was on roll.
    """

    points: int
    on_roll: bool


@dataclass(frozen=True, slots=True)
class ResignationJudgement:
    """What a resignation cost the player who offered or accepted it.

    Attributes:
        resigned: EMG of the resignation, for them.
        played_on: EMG of the position, for them.
        kind: what the error was; empty when nothing was lost.
    """

    resigned: float
    played_on: float
    kind: ErrorKind

    @property
    def best_equity(self) -> float:
        """EMG of the better of the two."""
        return max(self.resigned, self.played_on)

    @property
    def loss(self) -> float:
        """EMG that was given away, at least 0; less than `SETTLED` is nothing."""
        return self.best_equity - self.resigned if self.kind else 0.0


def judge_resignation(kind: DecisionKind, resigned: float, played_on: float) -> ResignationJudgement:
    """Judge a resignation (``resign``) or its acceptance (``accept``), both equities for the player who decided."""
    error: ErrorKind = ""
    if played_on - resigned >= SETTLED:
        error = "resigned too high" if kind == "resign" else "accepted too early"
    return ResignationJudgement(resigned, played_on, error)


def value_of_loss(points: int, state: MatchState, met: MatchEquityTable) -> float:
    """EMG of losing a number of points, for the player who loses them and sees ``state``.

    Raises:
        ValueError: a score beyond the match equity table.
    """
    return -points / state.cube.value if state.is_money else met.emg(state, met.after(state, -points))
