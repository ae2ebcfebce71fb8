"""The numbers of a roll, one checker moved by one of them, and the single hops of a written play.

The checkers stand on two plain lists, those of the mover and those of the other player, 26 counts each.
Hops are made and taken back in place, because move generation makes millions of them.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF, Dice
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


def numbers(dice: Dice) -> tuple[int, ...]:
    """The numbers to be played: two, or four for doubles (R05, R06)."""
    return dice if dice[0] != dice[1] else (dice[0],) * 4


NUMBERS: Final = {dice: numbers(dice) for dice in product(range(1, 7), range(1, 7))}
"""The numbers to be played of every roll."""


def are_dice(dice: Dice) -> bool:
    """Whether both numbers are 1 to 6."""
    return 1 <= dice[0] <= 6 and 1 <= dice[1] <= 6


hop_of = cache(Hop)
"""A hop; equal ones are made once."""


def try_hop(mine: list[int], theirs: list[int], start: int, die: int) -> int:
    """Where a checker on ``start`` lands with ``die``; -1 when it may not move so (R07, R08, R11, R12)."""
    if not mine[start] or (start != BAR and mine[BAR]):
        return -1
    end = start - die
    if end > 0:
        return end if theirs[BAR - end] < 2 else -1
    return OFF if may_bear_off(mine, start, is_more=end < 0) else -1


def may_bear_off(mine: list[int], start: int, *, is_more: bool) -> bool:
    """Whether a checker may be borne off; with more pips than it needs (``is_more``) only the rearmost one may."""
    return not any(mine[7:]) and not (is_more and any(mine[start + 1 : 7]))


def move(mine: list[int], theirs: list[int], start: int, end: int) -> bool:
    """Move a checker in place; True when it hits."""
    mine[start] -= 1
    mine[end] += 1
    if end and theirs[BAR - end] == 1:
        theirs[BAR - end] = 0
        theirs[BAR] += 1
        return True
    return False


def unmove(mine: list[int], theirs: list[int], start: int, end: int, hit: bool) -> None:
    """Take a move back in place, and the checker that it hit."""
    mine[start] += 1
    mine[end] -= 1
    if hit:
        theirs[BAR - end] = 1
        theirs[BAR] -= 1


Step = tuple[int, int, bool]
"""One checker moved: from where, to where, and whether it hit."""


def take_back(mine: list[int], theirs: list[int], path: Sequence[Step]) -> None:
    """Take moves back in place, the last one first."""
    for start, end, hit in reversed(path):
        unmove(mine, theirs, start, end, hit)
