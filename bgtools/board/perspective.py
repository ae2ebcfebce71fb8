"""Who sees the board: the two players, and boards and points as either of them sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bgtools.board.board import BAR

if TYPE_CHECKING:
    from bgtools.board.board import Board

Player = Literal[0, 1]
"""One of the two players, by their place in the names of a record."""


def view(board: Board, player: Player) -> Board:
    """Turn a board seen by player 0 into the same board seen by ``player``, or back."""
    return board if player == 0 else board.flipped()


def other(player: Player) -> Player:
    """The opponent's index."""
    return 1 if player == 0 else 0


def mirrored(point: int) -> int:
    """The other player's number of a point: 24 for my 1. The bar and off have no such number."""
    return BAR - point
