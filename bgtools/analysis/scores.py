"""Errors asked again at other scores: the same board, dice and cube for money, and where gammons count all or nothing.

An error that is no error for money is one about the score. `ask_elsewhere` asks the engine at its level ``quick``, all
errors in one batch; an answer counts only where that level calls the decision an error at its own score too.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from bgtools.analysis.errors import REPLIES, judge_cube
from bgtools.analysis.phases import gammon_value_of
from bgtools.engines.protocol import CheckerAnswer, CheckerQuestion, CubeQuestion, Refused, quicker_of
from bgtools.rules.cube import Cube, MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.turns import PendingDecision
    from bgtools.engines.protocol import CubeAnswer, Engine, Progress


ScoreClass = Literal["money", "double match point", "gammon-go", "gammon-save"]
"""The scores at which an error is asked again, as players name them."""
SCORE_CLASSES: Final[tuple[ScoreClass, ...]] = get_args(ScoreClass)

RIGHT: Final = 0.02
"""A choice that loses less than this (EMG) is right, and one play is better than another from here on."""


class ScoreAnswer(NamedTuple):
    """What an error would have been at another score.

    Attributes:
        score: which one.
        loss: what the choice that was made loses there, EMG.
        best: the best play there, where the best one here loses `RIGHT` or more there; otherwise empty.
    """

    score: ScoreClass
    loss: float
    best: str = ""


def state_at(score: ScoreClass, state: MatchState) -> MatchState:
    """A score as both players see it, with the cube of ``state``; for money without the Jacoby rule and beavers.

    Where gammons decide, the cube is out of play: at double match point, and in the Crawford game at 2-away 1-away.
    """
    if score == "money":
        return MatchState(cube=state.cube, rules=replace(state.rules, jacoby=False, beavers=0))
    length, points = {"double match point": (1, (0, 0)), "gammon-go": (2, (0, 1)), "gammon-save": (2, (1, 0))}[score]
    return MatchState(length, points, Cube(), crawford=length == 2, rules=state.rules)


def ask_elsewhere(
    decisions: Sequence[PendingDecision], rows: Sequence[DecisionRow], engine: Engine, progress: Progress | None = None
) -> tuple[tuple[ScoreAnswer, ...], ...]:
    """What each error would have been at the other scores; nothing for what is no error of a class.

    A checker play is asked at all of `SCORE_CLASSES` but its own, what is done with the cube for money alone: at the
    others the cube is not in play. Nothing is asked where the engine is a record's analysis.

    Args:
        decisions: the decisions, with their questions.
        rows: the same once they are judged.
        engine: what judged them.
        progress: told how far it is.
    """
    if engine.stamp.is_recorded:
        return ((),) * len(rows)
    quick = quicker_of(engine)
    asked = [
        (at, score, question)
        for at, (item, row) in enumerate(zip(decisions, rows, strict=True))
        if row.error
        for score, question in _questions(item, own=quick is not engine).items()
    ]
    plays = list(dict.fromkeys(each for _, _, each in asked if isinstance(each, CheckerQuestion)))
    cubes = list(dict.fromkeys(each for _, _, each in asked if isinstance(each, CubeQuestion)))
    answers: dict[object, CheckerAnswer | CubeAnswer | Refused] = {}
    answers |= zip(plays, quick.checker(plays, progress), strict=True)
    answers |= zip(cubes, quick.cube(cubes), strict=True)
    others: list[tuple[ScoreAnswer, ...]] = [()] * len(rows)
    for at, some in groupby(asked, lambda each: each[0]):
        told = {score: _answer(rows[at], score, answers[question]) for _, score, question in some}
        here = told.pop(_HERE, None)
        if quick is engine or (here is not None and here.loss >= RIGHT):
            others[at] = tuple(answer for answer in told.values() if answer is not None)
    return tuple(others)


_HERE: Final[ScoreClass] = "here"  # type: ignore[assignment]
"""The decision's own score among those at which it is asked."""


def _questions(item: PendingDecision, *, own: bool) -> dict[ScoreClass, CheckerQuestion | CubeQuestion]:
    """The decision at the other scores, and perhaps at its own; nothing where it cannot be asked."""
    question, row = item.question, item.row
    if item.resignation is not None or not isinstance(question, CheckerQuestion | CubeQuestion):
        return {}
    need = gammon_value_of(row.score, row.length, row.cube, row.cube_owner, crawford=row.crawford)
    if isinstance(question, CheckerQuestion):
        scores: list[ScoreClass] = [score for score in SCORE_CLASSES if score != need]
    elif need == "money" or REPLIES.get(row.kind, ("", 0))[1] or row.kind == "beaver":
        return {}
    else:
        scores = ["money"]
    here: dict[ScoreClass, CheckerQuestion | CubeQuestion] = {_HERE: question} if own else {}
    return here | {score: replace(question, state=state_at(score, question.state)) for score in scores}


def _answer(row: DecisionRow, score: ScoreClass, answer: CheckerAnswer | CubeAnswer | Refused) -> ScoreAnswer | None:
    if isinstance(answer, Refused):
        return None
    if not isinstance(answer, CheckerAnswer):
        return ScoreAnswer(score, judge_cube(row.kind, answer).loss)
    if answer.loss is None:
        return None
    best = answer.best
    same = next((each for each in answer.candidates if str(each.play) == row.best), best)
    return ScoreAnswer(score, answer.loss, str(best.play) if best.equity - same.equity >= RIGHT else "")
