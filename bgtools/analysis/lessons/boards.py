"""What can be counted on a board: shots, points, primes, anchors, checkers behind, pips to spare.

Everything here is exact and needs no engine. A side is counted from its own side of the board, as everywhere.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.board import BAR, OFF, Board, pip_count, rearmost
from bgtools.board.generation import hits_of, legal_plays

if TYPE_CHECKING:
    from bgtools.board.board import Checkers, Dice

ROLLS: Final[tuple[tuple[Dice, int], ...]] = tuple(
    ((high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)
)
"""The 21 rolls, each with how many of the 36 it stands for."""
HOME: Final = range(1, 7)
BLOCK: Final = range(1, 8)
"""The home board and the bar-point."""
ANCHORS: Final = range(19, 25)
"""The other player's home board."""
ADVANCED: Final = range(19, 24)
"""The other player's home board without its ace-point, where the last checkers of a side begin."""
BEHIND: Final = range(19, BAR + 1)
"""The other player's home board and the bar."""


class Shots(NamedTuple):
    """What the other player can hit with their next roll.

    Attributes:
        rolls: how many of the 36 rolls have a legal play that hits.
        blots: the points, in the numbering of whoever may be hit, that some legal play of some roll hits.
    """

    rolls: int
    blots: frozenset[int]


MOST_PIPS: Final = 24
"""Pips of the largest roll."""
NO_SHOTS: Final = Shots(0, frozenset())


@lru_cache(maxsize=4096)
def shots(board: Board) -> Shots:
    """The shots of the player on roll, by playing all 36 rolls.

    Args:
        board: seen by the player who hits; the board after a play has to be flipped for that.
    """
    blots = [point for point in range(1, BAR) if board.theirs[point] == 1]
    back = rearmost(board.mine)
    if not any(back > BAR - point for point in blots):
        return NO_SHOTS
    rolls = 0
    hit: set[int] = set()
    for dice, weight in ROLLS:
        if not any(_in_reach(board.mine, point, dice) for point in blots):
            continue
        found = hits_of(board, dice)
        rolls += weight * bool(found)
        hit |= {BAR - point for point in found}
    return Shots(rolls, frozenset(hit))


def _in_reach(side: Checkers, point: int, dice: Dice) -> bool:
    """Whether a checker stands as far from a point of the other side as some numbers of a roll take it."""
    high, low = dice
    distances = [high * times for times in range(1, 5)] if high == low else [high, low, high + low]
    return any(far <= point and side[BAR - point + far] for far in distances)


def dances(board: Board) -> int:
    """With how many of the 36 rolls the player on roll enters none of the checkers that they have on the bar."""
    if not board.mine[BAR]:
        return 0
    return sum(board.theirs[die] >= 2 for die in HOME) ** 2


@lru_cache(maxsize=4096)
def finishes(side: Checkers) -> int:
    """With how many of the 36 rolls a side bears off all it has left; the other side must be out of the way."""
    if not 0 < sum(side[1:]) <= 4 or sum(point * count for point, count in enumerate(side)) > MOST_PIPS:
        return 0
    board = Board(side, _NOBODY)
    return sum(
        weight for dice, weight in ROLLS if any(not any(play.result.mine[1:]) for play in legal_plays(board, dice))
    )


_NOBODY: Final = (15, *[0] * 25)


def hits(before: Board, after: Board) -> frozenset[int]:
    """Where a play hits, in the numbering of the player who made it.

    Args:
        before, after: the boards before and after the play, both seen by them.
    """
    if before.theirs[BAR] == after.theirs[BAR]:
        return frozenset()
    return frozenset(BAR - point for point in range(1, BAR) if before.theirs[point] == 1 and not after.theirs[point])


def held(side: Checkers, points: range = range(1, BAR)) -> frozenset[int]:
    """The points that a side has made: two checkers or more stand there."""
    return frozenset([point for point in points if side[point] >= 2])


class BoardSide:
    """What is often asked of one side of a board.

    Attributes:
        checkers: the side.
        made: the points that it has made.
        home, anchors: how many of them are in its own home board, and in the other's.
        rearmost: where its last checker is.
        behind: checkers in the other's home board and on the bar.
        pips: its pip count.
    """

    __slots__ = ("anchors", "behind", "checkers", "home", "made", "pips", "rearmost")

    def __init__(self, side: Checkers) -> None:
        """Count a side once."""
        self.checkers = side
        self.made = held(side)
        self.home = len(held(side, HOME))
        self.anchors = len(held(side, ANCHORS))
        self.rearmost = rearmost(side)
        self.behind = behind(side)
        self.pips = pip_count(side)


side_of = lru_cache(maxsize=4096)(BoardSide)
"""`BoardSide` with a memory: a turn leaves the other side as it is, so that the next turn asks for it again."""


class PlayChange:
    """What a play changes.

    Attributes:
        before, after: the boards, seen by the player who plays.
        hits: where it hits, in their numbering.
        made, given_up: points that they make and break.
    """

    __slots__ = ("after", "before", "given_up", "hits", "made")

    def __init__(self, before: Board, after: Board) -> None:
        """Compare two boards once."""
        self.before, self.after = before, after
        self.hits = hits(before, after)
        old, new = side_of(before.mine).made, side_of(after.mine).made
        self.made, self.given_up = new - old, old - new


def behind(side: Checkers) -> int:
    """Checkers in the other player's home board and on the bar."""
    return sum(side[BEHIND.start :])


class Prime(NamedTuple):
    """Points made in a row.

    Attributes:
        length: how many, 0 to 7.
        lowest: the lowest of them; 0 without one.
        trapped: checkers of the other player that have not passed them yet, those on the bar included.
    """

    length: int
    lowest: int
    trapped: int


_NO_PRIME: Final = Prime(0, 0, 0)


@lru_cache(maxsize=4096)
def prime(mine: Checkers, theirs: Checkers) -> Prime:
    """The longest row of points that has a checker of the other side behind it; of equal ones the highest.

    Args:
        mine: the side that blocks.
        theirs: the side that may be blocked.
    """
    best, length = _NO_PRIME, 0
    back = rearmost(theirs)
    for point in range(1, BAR):
        if mine[point] < 2:
            length = 0
            continue
        length += 1
        lowest = point - length + 1
        if length >= best.length and back > BAR - lowest:
            best = Prime(length, lowest, sum(theirs[BAR - lowest + 1 :]))
    return best


TIMING: Final = 16
"""A side with so many pips to spare, two rolls, or fewer is short of time."""


def spare_pips(side: Checkers) -> int:
    """Pips that a side can play before it breaks a point of its home board or leaves the other's: its timing.

    Checkers outside both home boards count the pips to the 6-point, those above two on a home point the pips to the
    1-point; checkers in the other player's home board and on the bar count nothing.
    """
    outside: int = sum(map(mul, range(1, 13), side[7:19]))
    return outside + sum([(point - 1) * (side[point] - 2) for point in HOME if side[point] > 2])


def outside(side: Checkers) -> int:
    """Checkers that are not home yet."""
    return sum(side[7:])


def borne_off(before: Checkers, after: Checkers) -> int:
    """Checkers that a play bears off."""
    return after[OFF] - before[OFF]
