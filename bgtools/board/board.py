"""Positions: who has how many checkers where.

One frame serves the whole library: the checkers of the player on roll and those of the other
player, each counted from its owner's own side (R01). Turning the board round is a swap.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

OFF: Final = 0
"""Index of the borne-off checkers."""
BAR: Final = 25
"""Index of the checkers on the bar."""

Checkers = tuple[int, ...]
"""26 counts: index 0 holds the checkers borne off, 1..24 the owner's points, 25 their bar."""

Dice = tuple[int, int]
"""The two numbers of a roll, in the order in which the record gives them."""


def checkers(points: dict[int, int], *, total: int = 15) -> Checkers:
    """Build a side from ``{point: count}``; whatever is missing to ``total`` is borne off.

    Raises:
        ValueError: a point outside 1..25, a negative count, or more than ``total`` checkers.
    """
    counts = [0] * 26
    for point, count in points.items():
        if not 1 <= point <= BAR or count < 0:
            raise ValueError(f"{count} checkers on point {point}: points run from 1 to 24, 25 is the bar")
        counts[point] = count
    counts[OFF] = total - sum(counts)
    if counts[OFF] < 0:
        raise ValueError(f"{sum(counts[1:])} checkers on the board, a side has {total}")
    return tuple(counts)


@dataclass(frozen=True, slots=True)
class Board:
    """The checkers of both players as the player on roll sees them; a `bgtools.Position` has score, cube and dice too.

    >>> board = bgtools.Position().board
    >>> board
    <Board 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5>
    >>> board.mine[24], board.pips
    (2, (167, 167))

    ``mine`` are the checkers of the player on roll, ``theirs`` those of the other player, each
    26 counts from its owner's side: my 24-point is your 1-point.
    """

    mine: Checkers
    theirs: Checkers

    def __str__(self) -> str:
        """The board drawn with letters: X is the player on roll."""
        from bgtools.drawing.svg import draw

        return draw(self)

    def __repr__(self) -> str:
        return f"<Board {_short(self.mine)} | {_short(self.theirs)}>"

    def flipped(self) -> Board:
        """The same board with the other player on roll."""
        return Board(self.theirs, self.mine)

    @property
    def pips(self) -> tuple[int, int]:
        """Pip counts ``(on roll, other)``: pips left to bear everything off, 25 for a checker on the bar."""
        return pip_count(self.mine), pip_count(self.theirs)

    def _repr_svg_(self) -> str:
        """The board as a picture, for notebooks."""
        from bgtools.drawing.svg import draw_board

        return draw_board(self)

    @property
    def is_over(self) -> bool:
        """True when either side has no checker left in play."""
        return not any(self.mine[1:]) or not any(self.theirs[1:])

    @property
    def is_contact(self) -> bool:
        """True while some checker of one side still has to pass one of the other's."""
        return rearmost(self.mine) + rearmost(self.theirs) > BAR


def _short(side: Checkers) -> str:
    """A side on a line: ``bar:1 24:2 13:5 off:7``."""
    names = {BAR: "bar", OFF: "off"}
    return " ".join(f"{names.get(at, at)}:{side[at]}" for at in range(BAR, OFF - 1, -1) if side[at])


_POINTS: Final = range(BAR + 1)


@lru_cache(1 << 10)
def pip_count(side: Checkers) -> int:
    """Pips that ``side`` still has to move to bear off every checker."""
    return sum(map(mul, _POINTS, side))


def are_shut_out(mine: Sequence[int], theirs: Sequence[int]) -> bool:
    """Whether no roll could bring a player in from the bar, by their checkers and the other player's.

    Such turns are often not recorded.
    """
    return mine[BAR] > 0 and all(theirs[point] > 1 for point in range(1, 7))


def rearmost(side: Checkers) -> int:
    """The highest point (25 = bar) with a checker of ``side``; 0 when all are off."""
    for point in range(BAR, 0, -1):
        if side[point]:
            return point
    return 0


_STANDARD = checkers({24: 2, 13: 5, 8: 3, 6: 5})
START: Final = Board(_STANDARD, _STANDARD)
"""The standard start (R01); the same for both players."""
