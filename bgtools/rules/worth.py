"""What a game is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bgtools.board.board import BAR, OFF

if TYPE_CHECKING:
    from bgtools.board.board import Board
    from bgtools.rules.cube import MatchState

Level = Literal[1, 2, 3, 4]
"""What a win counts before the cube: 1 single, 2 gammon, 3 backgammon (R20), 4 quadruple (R21)."""


def winning_level(board: Board, *, quadruple: bool = False) -> Level | None:
    """The level of the win of the side that has borne off all checkers (R20); None while both have checkers left.

    Args:
        board: the final board.
        quadruple: whether a backgammon with a checker on the bar counts four times (R21).
    """
    for winner, loser in ((board.mine, board.theirs), (board.theirs, board.mine)):
        if any(winner[1:]):
            continue
        if loser[OFF]:
            return 1
        if quadruple and loser[BAR]:
            return 4
        return 3 if any(loser[19:]) else 2
    return None


def points_won(level: Level, state: MatchState) -> int:
    """Points for a win of this level with this cube (R20, R35), not capped at the match's end.

    With the Jacoby rule a cube that nobody has taken, automatic doubles or not, counts its value only.
    """
    if state.is_money and state.rules.jacoby and state.cube.owner == "centre":
        return state.cube.value
    return level * state.cube.value
