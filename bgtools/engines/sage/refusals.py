"""Questions that no engine is asked: impossible positions, and scores beyond the match equity table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR
from bgtools.board.hopping import are_dice

if TYPE_CHECKING:
    from bgtools.board.board import Board, Dice
    from bgtools.engines.protocol import CubeQuestion, LuckQuestion
    from bgtools.rules.cube import MatchState

CHECKERS: Final = 15
TABLE: Final = 25
"""Most points away that a match equity table of the usual size holds."""


def refusal(board: Board, state: MatchState, dice: Dice | None = None, *, table: int = TABLE) -> str | None:
    """Why an engine for ordinary backgammon cannot value a position; None when it can.

    Most programs answer such a position all the same, so it is refused here.

    Args:
        board: seen by the player on roll.
        state: the match state.
        dice: the roll, where the question has one.
        table: most points away in the match equity table.
    """
    sides = (board.mine, board.theirs)
    if dice is not None and not are_dice(dice):
        return f"dice {dice[0]} and {dice[1]}: a die shows 1 to 6"
    if any(len(side) != BAR + 1 or min(side) < 0 for side in sides):
        return "the position is not a board"
    if any(sum(side) != CHECKERS for side in sides):
        return f"the engine plays with {CHECKERS} checkers a side, here are {sum(sides[0])} and {sum(sides[1])}"
    if any(board.mine[point] and board.theirs[BAR - point] for point in range(1, BAR)):
        return "both players have checkers on one point"
    if board.is_over:
        return "the game is over"
    value = state.cube.value
    if value < 1 or value & (value - 1):
        return f"the cube stands at {value}, which is no power of two"
    if state.is_money:
        return None
    away = state.away
    if min(away) < 1:
        return "the match is already won"
    if max(away) > table:
        return f"{max(away)} points away is beyond the match equity table, which ends at {table}"
    return None


def cube_refusal(question: CubeQuestion, *, table: int = TABLE) -> str | None:
    """Why an engine cannot value a cube decision; None when it can."""
    reason = refusal(question.position, question.state, table=table)
    if reason is None and not question.state.may_double:
        return "the player on roll may not double"
    return reason


def luck_refusal(question: LuckQuestion, *, table: int = TABLE) -> str | None:
    """Why an engine cannot tell the luck of a roll; None when it can."""
    reason = refusal(question.position, question.state, question.dice, table=table)
    if reason is not None or not question.opening:
        return reason
    if question.dice[0] == question.dice[1]:
        return f"an opening roll is never a double, here {question.dice[0]}{question.dice[1]}"
    if question.convention == "recorded":
        return "the record does not tell what its opening rolls are compared with"
    return None
