"""Asking somebody what to do, and judging the answer by what an engine said of the decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.positions.notations import decode_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.rows import ChoiceRow

NEAR: Final = 0.02
"""An answer that loses less, in EMG, is as good as right: no error by eXtreme Gammon's limits."""

_CUBE: Final = {
    "double": ("double", "d", "yes", "y"),
    "no double": ("no double", "no", "n", "nd", "roll"),
    "take": ("take", "t"),
    "pass": ("pass", "p", "drop"),
}
"""The cube actions that can be answered, with the words for each."""
_ASKED: Final = {
    "no double": ("double", "no double"),
    "double": ("double", "no double"),
    "take": ("take", "pass"),
    "pass": ("take", "pass"),
}
"""The decisions that can be asked for besides plays, with what can be answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question.

    Attributes:
        said: what was answered, in the usual spelling.
        loss: what it loses in EMG.
        at_least: whether it may lose more: the play is none of those that were valued.
    """

    said: str
    loss: float
    at_least: bool = False


def can_be_asked(blunder: Blunder) -> bool:
    """Whether a decision makes a question: a play, a double, or a take."""
    return bool(blunder.row.choices) and (blunder.row.kind == "checker play" or blunder.row.kind in _ASKED)


def judge_answer(blunder: Blunder, text: str) -> Answer:
    """What an answer is worth.

    Args:
        blunder: the decision.
        text: a play in any spelling, or ``double``, ``no double``, ``take``, ``pass`` or their first letters.

    Raises:
        ValueError: the text is no answer; the message says why and what would be.
    """
    row = blunder.row
    if row.kind == "checker play":
        return _judge_play(blunder, text)
    possible = _ASKED[row.kind]
    meant = " ".join(text.casefold().split())
    said = next((each for each in possible if meant in _CUBE[each]), None)
    if said is None:
        raise ValueError(f"the answer is {possible[0]} or {possible[1]}")
    return _cube_answer(row.choices, said, possible)


def right_answers(blunder: Blunder) -> tuple[Answer, ...]:
    """The answers that count as right, the best first: all that lose less than `NEAR`.

    What was done counts by its rollout where it was rolled out.
    """
    row = blunder.row
    if row.kind in _ASKED:
        possible = _ASKED[row.kind]
        each = [_cube_answer(row.choices, said, possible) for said in possible]
        answers = [Answer(one.said, blunder.loss if one.said == row.played else one.loss) for one in each]
    else:
        answers = [Answer(one.choice, blunder.loss if one.made else one.loss) for one in row.choices]
    return tuple(sorted((one for one in answers if one.loss < NEAR), key=lambda one: one.loss))


def _cube_answer(choices: Sequence[ChoiceRow], said: str, possible: Iterable[str]) -> Answer:
    best = max(_worth(choices, each) for each in possible)
    return Answer(said.capitalize(), best - _worth(choices, said))


def _worth(choices: Iterable[ChoiceRow], said: str) -> float:
    """The equity of a cube action; a double is worth what the other player's better answer leaves."""
    value = {choice.choice: choice.equity for choice in choices}
    if said == "double":
        return min(value["Double, take"], value["Double, pass"])
    return value[said.capitalize()]


def _judge_play(blunder: Blunder, text: str) -> Answer:
    row = blunder.row
    position = decode_id(row.xgid)
    board = position.play(text).board
    for choice in row.choices:
        if position.play(choice.choice or "Cannot Move").board == board:
            return Answer(choice.choice, choice.loss)
    # A play that is not listed loses at least as much as the worst listed one, apart from the play that was made.
    ranked = [choice.loss for choice in row.choices if not choice.made] or [0.0]
    return Answer(" ".join(text.split()), max(ranked), at_least=True)


def performance_rating(losses: Iterable[float]) -> float:
    """500 times the mean of some losses, as a performance rating counts them; 0 for none."""
    each = list(losses)
    return 500 * sum(each) / len(each) if each else 0.0
