"""Resignations: what was given up, against what the position was worth.

A player who resigns loses what he offers. To resign is an error if playing on is worth more to him than that loss. To
accept is an error if playing on is worth more to the other player than what is offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bgtools.analysis.rows import DecisionKind, ErrorKind
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

SETTLED: Final = 0.001
"""A resignation that gives away less than this (EMG) is no error, as in XG."""


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
        settled: EMG of the resignation, for him.
        played_on: EMG of the position, for him.
        kind: what the error was; empty when nothing was lost.
    """

    settled: float
    played_on: float
    kind: ErrorKind

    @property
    def best_equity(self) -> float:
        """EMG of the better of the two."""
        return max(self.settled, self.played_on)

    @property
    def loss(self) -> float:
        """EMG that was given away, at least 0; less than `SETTLED` is nothing."""
        return self.best_equity - self.settled if self.kind else 0.0


def judge_resignation(kind: DecisionKind, settled: float, played_on: float) -> ResignationJudgement:
    """Judge a resignation (``resign``) or its acceptance (``accept``), both equities for the player who decided."""
    error: ErrorKind = ""
    if played_on - settled >= SETTLED:
        error = "resigned too high" if kind == "resign" else "accepted too early"
    return ResignationJudgement(settled, played_on, error)


def value_of_loss(points: int, state: MatchState, met: MatchEquityTable) -> float:
    """EMG of losing a number of points, for the player who loses them and sees ``state``.

    Raises:
        ValueError: a score beyond the match equity table.
    """
    return -points / state.cube.value if state.is_money else met.emg(state, met.after(state, -points))
