"""Boards as binary records hold them: 26 numbers, positive for one player, negative for the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bgtools.board.board import BAR, OFF, Board

if TYPE_CHECKING:
    from bgtools.rules.options import Ruleset

Numbers = Any
"""26 counts seen by one player: their own checkers above 0, their bar at 25; the other's below 0, their bar at 0."""


def position(board: Numbers, rules: Ruleset) -> Board | None:
    """A board from 26 counts, seen by the same player; None where a side has more checkers than the game."""
    counts = [int(count) for count in board]
    mine = [0, *(max(count, 0) for count in counts[1:BAR]), abs(counts[BAR])]
    theirs = [0, *(max(-count, 0) for count in reversed(counts[1:BAR])), abs(counts[0])]
    total = sum(rules.start.mine)
    mine[OFF], theirs[OFF] = total - sum(mine), total - sum(theirs)
    if min(mine[OFF], theirs[OFF]) < 0:
        return None
    return Board(tuple(mine), tuple(theirs))


def board_of(seen: Board) -> np.ndarray[Any, np.dtype[np.int8]]:
    """26 counts from a board, seen by the same player."""
    board = np.array(seen.mine, np.int8)
    board[OFF] = 0
    other = np.array(seen.theirs, np.int8)
    other[OFF] = 0
    found: np.ndarray[Any, np.dtype[np.int8]] = board - other[::-1]
    return found


def swap_sides(boards: Any) -> Any:
    """Boards seen by the other player."""
    return -boards[..., ::-1]
