"""An engine whose answers are given beforehand, so that figures can be computed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import (
    ROLLS,
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckAnswer,
    LuckQuestion,
    Probabilities,
    Refused,
    Stamp,
    Traits,
)
from bgtools.met.table import MatchEquityTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.engines.protocol import Progress

ODDS = Probabilities(0.5, 0.1, 0.0, 0.1, 0.0)

EVEN = MatchEquityTable(
    "even",
    tuple(tuple(other / (own + other) for other in range(1, 26)) for own in range(1, 26)),
    tuple(1 / (own + 1) for own in range(1, 26)),
)
"""Chances by the points that are still needed: 3-away against 1-away is one in four."""


class FixedEngine:
    """Gives the same three cube equities to every cube decision, and the same best play and mean to every roll."""

    met = EVEN
    stamp = Stamp("fixed", "1.0", "quick", "even")
    fingerprint = "fixed"
    traits = Traits(tells_rolls="all")

    def __init__(
        self, no_double: float = 0.0, double_take: float = 0.0, *, play: float = 0.0, mean: float = 0.0
    ) -> None:
        self.no_double, self.double_take, self.play, self.mean = no_double, double_take, play, mean
        self.asked: list[CheckerQuestion | CubeQuestion | LuckQuestion] = []

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        self.asked.extend(questions)
        return tuple(self._plays(question) for question in questions)

    def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
        plays = legal_plays(question.position, question.dice)
        candidates = tuple(Candidate(play, self.play, ODDS, "1-ply", 1) for play in plays)
        results = [play.result for play in plays]
        return CheckerAnswer(
            candidates, results.index(question.played) if question.played in results else None, self.stamp
        )

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        self.asked.extend(questions)
        beaver = self.double_take < 0
        return tuple(
            CubeAnswer(
                self.no_double,
                2 * self.double_take if beaver and question.state.rules.beavers else self.double_take,
                1.0,
                ODDS,
                "1-ply",
                self.stamp,
                beaver and bool(question.state.rules.beavers),
            )
            for question in questions
        )

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        self.asked.extend(questions)
        return tuple(
            LuckAnswer(
                self.mean,
                self.mean,
                None if question.state.is_money else 0.0,
                "1-ply",
                self.stamp,
                tuple(self.mean + (sum(roll) - 7) / 10 for roll in ROLLS) if question.rolls else (),
            )
            for question in questions
        )
