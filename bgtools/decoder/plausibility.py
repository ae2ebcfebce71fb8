"""How plausible a play is as one that somebody made, and how alike two plays are as texts.

This takes no engine, only a few counts that every player makes. In real matches they rank the play that was made above
three quarters of the legal ones, which tells two readings apart where nothing else does.

A slip of the pen changes few characters.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.perspective import mirrored
from bgtools.board.play import format_play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board
    from bgtools.board.play import HopText, Play


_HOME: Final = 6
_HIT: Final = 3.0
_BORNE_OFF: Final = 2.0
_POINT: Final = 0.5
_POINT_NEAR_HOME: Final = 1.2
_BLOT: Final = 0.6
"""What a blot costs where it can be hit, besides a share for the pips that are lost with it."""


def worth(after: Board) -> float:
    """What the counts give for the board that a play leaves, seen by its player."""
    mine, theirs = after.mine, after.theirs
    told = _HIT * theirs[BAR] + _BORNE_OFF * mine[OFF]
    for point in range(1, BAR):
        if mine[point] > 1:
            told += _POINT_NEAR_HOME if point <= _HOME + 2 else _POINT
        elif mine[point] and any(theirs[at] for at in range(BAR - point + 1, BAR + 1)):
            told -= _BLOT + (BAR - point) / 40
    return told


_WORD: Final = 3
"""What a word too many or too few costs at most: somebody who leaves a hop out makes one slip, not four."""

_MOST_WORDS: Final = 4


def unlikeness(hops: Sequence[HopText], play: Play) -> int:
    """How many edits lead from a written play to another one, the order of its hops and the hits aside.

    The same play in the other player's numbering counts as one edit.

    Args:
        hops: the play as it is written.
        play: the play that it may have been.
    """
    written = tuple(word for hop in hops[:_MOST_WORDS] for word in _words(hop))[:_MOST_WORDS]
    apart = tuple(f"{hop.start}/{hop.end}" for hop in play.hops)
    joined = tuple(format_play(play, style="numeric", merge=True, stars=False).split())
    least = min(_least(written, apart), _least(written, _singly(joined)))
    if len(hops) == len(apart) and sorted(_mirrored(hop) for hop in hops) == sorted(apart):
        least = min(least, 1)
    return least


def _words(hop: HopText) -> tuple[str, ...]:
    return ("/".join(map(str, hop.points)),) * hop.count


def _mirrored(hop: HopText) -> str:
    return "/".join(str(mirrored(point)) for point in hop.points)


def _singly(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words without their counts: ``8/5(2)`` is two of them."""
    found: list[str] = []
    for word in words:
        way, _, count = word.partition("(")
        found += [way] * int(count[:-1] or 1) if count else [way]
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def _least(written: tuple[str, ...], words: tuple[str, ...]) -> int:
    """The fewest edits over all ways to pair the words."""
    size = min(max(len(written), len(words)), _MOST_WORDS)
    one = (*written, *[""] * size)[:size]
    two = (*words, *[""] * size)[:size]
    return min(sum(map(edit_distance, one, order)) for order in permutations(two))


@lru_cache(maxsize=1 << 14)
def edit_distance(one: str, two: str) -> int:
    """The edit distance of two words, an exchange of neighbours counted as one edit."""
    if one == two:
        return 0
    if not one or not two:
        return min(len(one) + len(two), _WORD)
    before: list[int] = []
    row = list(range(len(two) + 1))
    for at, char in enumerate(one, 1):
        earlier, before, row = before, row, [at]
        for to, other in enumerate(two, 1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (char != other))
            if at > 1 and to > 1 and char == two[to - 2] and one[at - 2] == other:
                cost = min(cost, earlier[to - 2] + 1)
            row.append(cost)
    return row[-1]
