"""The single hops of a written play, for drawing it. Whether the play is legal is not asked here."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF
from bgtools.board.notation import read_play
from bgtools.board.play import Hop, steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board


def hops_of(written: str, board: Board, dice: str = "") -> list[Hop]:
    """From where to where checkers move, in an order in which they can; empty for what moves none.

    Args:
        written: the play, in any notation with the points of the player on roll.
        board: the board before it, which tells where a checker touches down on its way.
        dice: the roll such as ``31``; where it is not known, each checker goes straight to where it ends.
    """
    text = read_play(written)
    if text.kind != "moves":
        return []
    hops: list[Hop] = []
    for start, end in steps(text.hops):
        if OFF <= end < start <= BAR:
            points = (start, *_between(start, end, board, dice), end)
            hops += [Hop(*pair) for pair in pairwise(points)]
    return hops


def _between(start: int, end: int, board: Board, dice: str) -> Sequence[int]:
    """The points on which a checker touches down on its way, where it takes more than one number to make it.

    A written play names each point where it hits a checker, so no checker is hit on these points.
    """
    high, low = (int(dice[0]), int(dice[1])) if len(dice) == 2 else (0, 0)
    if not high or start - end <= high:
        return ()
    if high == low:
        return range(start - high, end, -high)
    return next(([start - die] for die in (high, low) if not board.theirs[BAR - (start - die)]), [])
