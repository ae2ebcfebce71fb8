"""What a decision cost, and what sort of error it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bgtools.analysis.rows import DecisionKind, ErrorClass, ErrorKind
    from bgtools.engines.protocol import CubeAnswer

NOTHING: Final = 1e-6
"""Losses (EMG) below this are rounding, and no error."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which loss (EMG) on a decision is an error, and a blunder. The defaults are XG's."""

    name: str = "XG"
    error: float = 0.020
    blunder: float = 0.080

    def classify(self, loss: float) -> ErrorClass:
        """The class of a loss; a loss that equals a threshold belongs to it."""
        if loss >= self.blunder:
            return "blunder"
        return "error" if loss >= self.error else ""


XG_THRESHOLDS: Final = Thresholds()


@dataclass(frozen=True, slots=True)
class CubeJudgement:
    """What a cube decision cost the player who made it.

    Attributes:
        equity: EMG of what was done, for him.
        best_equity: EMG of the best that he could do.
        best: the best action: ``no double``, ``double``, ``take``, ``pass`` or ``beaver``.
        kind: what sort of error it was; empty when nothing was lost.
        detail: where in the cube's window the position lies, for a doubling error.
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


def judge_cube(kind: DecisionKind, answer: CubeAnswer, *, beavers: bool = False) -> CubeJudgement:
    """Judge what was done against the equities of the decision.

    Args:
        kind: what was done; not a checker play.
        answer: the equities, for the player who could double.
        beavers: whether the player doubled could have beavered (money). A beaver doubles the stake
            with the cube on the same side, so for money it doubles the equity of a take.

    Raises:
        ValueError: a checker play.
    """
    if kind == "checker play":
        raise ValueError("a checker play is no cube decision")
    if kind in ("no double", "double"):
        equity = answer.no_double if kind == "no double" else answer.double
        best = "double" if answer.should_double else "no double"
        wrong = answer.best - equity > NOTHING
        error: ErrorKind = "" if not wrong else "missed double" if kind == "no double" else "wrong double"
        return CubeJudgement(equity, answer.best, best, error, _window(kind, answer) if wrong else "")
    take = answer.double_take / 2 if answer.is_beaver else answer.double_take
    values = {"take": -take, "pass": -answer.double_pass}
    if beavers or kind == "beaver":
        values["beaver"] = -2 * take
    best = max(values, key=lambda name: values[name])
    lost = values[best] - values[kind] > NOTHING
    return CubeJudgement(values[kind], values[best], best, _reply_error(kind, best) if lost else "", "")


def _window(kind: DecisionKind, answer: CubeAnswer) -> str:
    cash = answer.double_take >= answer.double_pass
    if kind == "no double":
        return "above the cash point" if cash else "below the cash point"
    return "too good to double" if cash else "below the doubling point"


def _reply_error(kind: DecisionKind, best: str) -> ErrorKind:
    if kind == "beaver":
        return "wrong beaver"
    if kind == "take" and best == "beaver":
        return "missed beaver"
    return "wrong take" if kind == "take" else "wrong pass"
