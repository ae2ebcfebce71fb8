"""An engine that finds some plays better than others."""

from __future__ import annotations

from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import Candidate, CheckerAnswer, CheckerQuestion
from fixed_engine import ODDS, FixedEngine


class Varied(FixedEngine):
    """Values plays by the blots that they leave, so that some are better than others."""

    def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
        plays = legal_plays(question.position, question.dice)
        worth = {play.result: -0.05 * sum(count == 1 for count in play.result.mine[1:25]) for play in plays}
        plays = tuple(sorted(plays, key=lambda play: -worth[play.result]))
        results = [play.result for play in plays]
        return CheckerAnswer(
            tuple(Candidate(play, worth[play.result], ODDS, "1-ply", 1) for play in plays),
            results.index(question.played) if question.played in results else None,
            self.stamp,
        )
