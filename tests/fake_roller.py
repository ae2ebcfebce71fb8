"""A roller whose rollouts are known beforehand."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from bgtools.engines.protocol import Stamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board
    from bgtools.engines.rollouts import RolloutQuestion
    from bgtools.rules.cube import MatchState


class FakeRoller:
    """Rolls a loss out that is known beforehand, with a spread that is.

    Args:
        loss: what the play made loses against the best one, and not doubling against a double that is taken.
        spread: standard deviation of a batch's difference.
    """

    games = 36
    stamp = Stamp("fake", "1", "rollout", "even")
    fingerprint = "fake"
    at_once = 2

    def __init__(self, loss: float = 0.1, spread: float = 0.004) -> None:
        self.loss, self.spread = loss, spread
        self.asked: list[RolloutQuestion] = []
        self.refused = False

    def refusal(self, position: Board, state: MatchState) -> str | None:
        return "not today" if self.refused else None

    def roll(self, questions: Sequence[RolloutQuestion]) -> tuple[tuple[float, ...], ...]:
        self.asked.extend(questions)
        return tuple(self._one(question) for question in questions)

    def _one(self, question: RolloutQuestion) -> tuple[float, ...]:
        rng = random.Random(repr((question.position, question.batch)))
        base, difference = rng.gauss(0.2, 0.1), self.loss + rng.gauss(0, self.spread)
        return base, base + difference
