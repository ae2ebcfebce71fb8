"""An engine: it looks at nothing but the race, and so plays very badly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from bgtools.extend import (
    Board,
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    Dice,
    EngineKind,
    LevelName,
    LuckAnswer,
    LuckQuestion,
    MatchEquityTable,
    Stamp,
    default_met,
    legal_plays,
)

ROLLS: list[Dice] = list(product(range(1, 7), range(1, 7)))


def lead(board: Board) -> float:
    """The equity of a position for the player on roll: their share of the pips that are to go, from -1 to 1."""
    mine, theirs = board.pips
    return (theirs - mine) / (theirs + mine) if theirs + mine else 0.0


def best(board: Board, dice: Dice) -> float:
    """The equity of the best play of a roll; what a play leaves is seen by the player who made it."""
    return max(lead(play.result) for play in legal_plays(board, dice))


class PipCounter:
    """Answers every question by counting pips."""

    def __init__(self, level: LevelName, met: MatchEquityTable | None) -> None:
        self.met = met or default_met()
        self.stamp = Stamp("example", "1.0", level, self.met.name)

    def checker(self, questions: Sequence[CheckerQuestion], progress: Any = None) -> tuple[CheckerAnswer, ...]:
        """Value every legal play of every question, the best first."""
        return tuple(self._plays(question) for question in questions)

    def _plays(self, question: CheckerQuestion) -> CheckerAnswer:
        plays = sorted(legal_plays(question.position, question.dice), key=lambda play: -lead(play.result))
        results = [play.result for play in plays]
        made = results.index(question.played) if question.played in results else None
        return CheckerAnswer(
            tuple(Candidate(play, lead(play.result), None, "pips", rank=1) for play in plays), made, self.stamp
        )

    def cube(self, questions: Sequence[CubeQuestion], progress: Any = None) -> tuple[CubeAnswer, ...]:
        """Value the cube decisions: it doubles when it is a tenth ahead, and gives up at a third."""
        return tuple(
            CubeAnswer(lead(each.position), 3 * lead(each.position) - 0.2, 1.0, None, "pips", self.stamp)
            for each in questions
        )

    def luck(self, questions: Sequence[LuckQuestion], progress: Any = None) -> tuple[LuckAnswer, ...]:
        """Compare every roll with the mean of all of them."""
        return tuple(
            LuckAnswer(
                best(each.position, each.dice),
                sum(best(each.position, roll) for roll in ROLLS) / len(ROLLS),
                None if each.state.is_money else 0.0,
                "pips",
                self.stamp,
            )
            for each in questions
        )


def start(argument: str, level: LevelName, *, met: MatchEquityTable | None, **options: Any) -> PipCounter:
    """Start the engine; ``argument`` is what stands after the colon in ``--engine example:…``."""
    return PipCounter(level, met)


EXAMPLE = EngineKind(name="example", title="a counter of pips", start=start)
