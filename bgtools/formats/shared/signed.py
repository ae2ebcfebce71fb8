"""Boards as binary records hold them: 26 numbers, positive for one player, negative for the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF, Board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.rules.options import Ruleset

    Numbers = Sequence[int]
    """26 counts seen by one player: their own checkers above 0, with their bar at 25; the other's below 0, with their
    bar at 0."""


def position(board: Numbers, rules: Ruleset) -> Board | None:
    """A board from 26 counts, seen by the same player; None where a side has more checkers than the game."""
    mine = [0, *(max(count, 0) for count in board[1:BAR]), abs(board[BAR])]
    theirs = [0, *(max(-count, 0) for count in reversed(board[1:BAR])), abs(board[0])]
    total = sum(rules.start.mine)
    mine[OFF], theirs[OFF] = total - sum(mine), total - sum(theirs)
    if min(mine[OFF], theirs[OFF]) < 0:
        return None
    return Board(tuple(mine), tuple(theirs))


def board_of(seen: Board) -> tuple[int, ...]:
    """26 counts from a board, seen by the same player."""
    mine, theirs = (0, *seen.mine[OFF + 1 :]), (*seen.theirs[:OFF:-1], 0)
    return tuple(own - other for own, other in zip(mine, theirs, strict=True))


def swap_sides(board: Numbers) -> tuple[int, ...]:
    """A board seen by the other player."""
    return tuple(-count for count in reversed(board))
