"""What every legal play of a roll loses, so that whoever tries one is answered with its value."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import CheckerAnswer, CheckerQuestion, EngineUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.analysis.turns import PendingDecision
    from bgtools.board.board import Board
    from bgtools.engines.protocol import Refused


@dataclass(frozen=True, slots=True)
class PlayLosses:
    """What every legal play of a roll loses, by a look one ply deep at least.

    Attributes:
        equity: EMG of the best play.
        losses: EMG behind it, at least 0, in the order of the boards that the plays lead to, the player's side first.
    """

    equity: float
    losses: tuple[float, ...]


def losses_of_plays(
    decisions: Iterable[PendingDecision], answers: Mapping[object, object]
) -> dict[tuple[int, int], PlayLosses]:
    """What the legal plays of each roll lose, by game and entry.

    An analysis that a record holds lists some plays, or none. The others are valued one ply deep by ``sage``, against
    its own value of the play that the record has for the best. Without ``sage`` such a roll is left out.

    Args:
        decisions: the decisions, with their questions.
        answers: what the engine answered, by question.
    """
    places = {
        (item.row.game, item.row.entry): item.question
        for item in decisions
        if isinstance(item.question, CheckerQuestion) and item.resignation is None
    }
    found: dict[CheckerQuestion, PlayLosses] = {}
    open_ = []
    for question in dict.fromkeys(places.values()):
        answer = answers.get(question)
        legal = legal_plays(question.position, question.dice)
        if isinstance(answer, CheckerAnswer) and len(answer.candidates) == len(legal):
            found[question] = _complete(answer, answer)
        else:
            open_.append(question)
    for question, look in zip(open_, _screen(open_), strict=False):
        if isinstance(look, CheckerAnswer):
            answer = answers.get(question)
            found[question] = _complete(answer if isinstance(answer, CheckerAnswer) else look, look)
    return {place: found[question] for place, question in places.items() if question in found}


def _screen(questions: Sequence[CheckerQuestion]) -> Sequence[CheckerAnswer | Refused]:
    """Every legal play one ply deep; nothing without ``sage``."""
    from bgtools.engines.sage.engine import SageEngine

    if not questions:
        return ()
    try:
        return SageEngine("quick").screen(questions)
    except EngineUnavailable:
        return ()


def _complete(known: CheckerAnswer, look: CheckerAnswer) -> PlayLosses:
    """What all plays of a look lose behind the play that an answer has for the best; those of the answer by itself.

    It is at least 0: a play that was left behind early may have a higher equity, from a lesser depth.
    """
    losses: dict[Board, float] = {}
    for answer in (look, known):
        values = {each.play.result: each.equity for each in answer.candidates}
        best = values[known.best.play.result]
        losses |= {board: max(best - equity, 0.0) for board, equity in values.items()}
    return PlayLosses(known.best.equity, tuple(losses[one] for one in sorted(losses, key=attrgetter("mine", "theirs"))))
