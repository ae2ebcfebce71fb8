"""Races in which a gammon may still be saved: how likely it is lost, by how many rolls both sides need.

The *leader* has all their checkers at home. How many rolls they take is known. The *trailer* has borne off none; they
bring their checkers home and bear one off, with the plays that save most against this leader. Their positions are
valued backwards from the last roll that the leader can need.

Of the trailer's positions only the checkers outside the home board are told apart. Of those at home it counts which
points they stand on at first: from these, and from the point that the last checker came in on, one can be borne off.
While two or more are outside, the 4-, 5- and 6-point are taken to be filled by the time that counts.

Where the gammon is as good as lost, they play to save the backgammon. Then only their checkers in the leader's home
board count, and those are few.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.bearoff.one_sided import CHANCES, MOST_ROLLS, POINTS, ROLLS, course
from bgtools.bearoff.two_sided import rolling
from bgtools.board.board import BAR

if TYPE_CHECKING:
    from bgtools.bearoff.two_sided import SidePositions
    from bgtools.board.board import Checkers

    Array = Any
    """A numpy array."""

_MOST_POSITIONS: Final = 495
"""Positions of a trailer in a table: as many as four checkers outside have that stand on the 14-point."""
_MOST_KNOWN: Final = 64
"""Tables, and answers of one table, that are kept."""
_NEVER: Final = 1e-7
"""Chances that are not followed."""
_THEIR_HOME: Final = BAR - POINTS
"""Here and above a checker is in the other home board, and a backgammon is lost."""
_OUT_OF_IT: Final = None
"""In the place of the points of a trailer's home board: they have saved what they can once no checker is outside."""
_SAVED: Final = 0
"""The number of the position of a trailer who has borne off a checker."""
_FIRST_OUTSIDE: Final = _SAVED + POINTS + 2
"""The number of the first position with a checker outside."""


class GammonChances(NamedTuple):
    """The chances (0 to 1) that the trailer loses a gammon, backgammons among them, and a backgammon."""

    gammon: float
    backgammon: float


class GammonTables:
    """Trailers, and what they lose. Tables are made when they are needed and kept."""

    def __init__(self) -> None:
        self._tables: dict[tuple[int, ...] | None, list[_TrailerTable]] = {}

    def lost(self, leader: int, trailer: Checkers, *, leader_rolls: bool) -> GammonChances | None:
        """What a trailer loses; None where a table would be too large.

        Args:
            leader: the position of the leader as `number_of` numbers it.
            trailer: the checkers of the trailer, none of them borne off.
            leader_rolls: whether it is the leader who rolls next.
        """
        outside = tuple(point for point in range(POINTS + 1, BAR) for _ in range(trailer[point]))
        saved = _saved_by_pips(leader, outside, leader_rolls=leader_rolls) if outside else 1.0
        if saved < _SURELY or (saved < _NEARLY and _count(outside) > _MOST_POSITIONS):
            behind = tuple(point - _THEIR_HOME + POINTS + 1 for point in outside if point >= _THEIR_HOME)
            lost = (
                self._lost(leader, behind, _OUT_OF_IT, leader_rolls=leader_rolls) if behind else GammonChances(0.0, 0.0)
            )
            return None if lost is None else GammonChances(1 - saved, min(lost.gammon, 1 - saved))
        filled = _FILLED if len(outside) > 1 else ()
        home = tuple(point for point in range(1, POINTS + 1) if trailer[point] or point in filled)
        return self._lost(leader, outside, home, leader_rolls=leader_rolls)

    def _lost(
        self, leader: int, outside: tuple[int, ...], home: tuple[int, ...] | None, *, leader_rolls: bool
    ) -> GammonChances | None:
        """What a table tells; None where it would be too large."""
        tables = self._tables.setdefault(home, [])
        table = next((table for table in tables if outside in table.numbers), None)
        if table is None:
            if _count(outside) > _MOST_POSITIONS:
                return None
            if len(self._tables) > _MOST_KNOWN or len(tables) > _MOST_KNOWN:
                self._tables.clear()
            table = _TrailerTable(outside, home)
            self._tables.setdefault(home, []).append(table)
        return table.lost(leader, table.numbers[outside], leader_rolls=leader_rolls)


_FILLED: Final = (4, 5, 6)


def _saved_by_pips(leader: int, outside: tuple[int, ...], *, leader_rolls: bool) -> float:
    """How likely a gammon is saved, by the chance to roll the pips in time and those that are wasted on average."""
    ends = course().chances[leader]
    pips = min(sum(outside) - POINTS * len(outside) + _WASTED, len(_pips_rolled()) - 1)
    enough = _pips_rolled()[pips, : len(ends)]
    return float(ends[1:] @ (enough[:-1] if leader_rolls else enough[1:]))


_WASTED: Final = 7
"""Pips, about, by which a trailer comes home further than to the 6-point and bears off a checker."""
_SURELY: Final = 1e-4
_NEARLY: Final = 1e-2
"""A gammon that is saved less often is as good as lost: by the first in any case, by the second where a table would be
too large. Against large tables the chances by pips were off by .0001 at most and, between the two, by .0015 on
average."""


@cache
def _pips_rolled() -> Array:
    """The chances to have rolled so many pips in so many rolls, ``[pips, rolls]``."""
    chances = np.zeros((_MOST_PIPS, MOST_ROLLS))
    chances[0] = 1.0
    for pips in range(1, _MOST_PIPS):
        left = [max(pips - (4 * high if high == low else high + low), 0) for high, low in ROLLS]
        chances[pips, 1:] = np.array(CHANCES) @ chances[left, :-1]
    return chances


_MOST_PIPS: Final = 150


class _TrailerTable:
    """What trailers lose who start from a position or have come on from it.

    Args:
        outside: the points of the checkers outside, in ascending order.
        home: the points on which there are checkers at home, or `_OUT_OF_IT`.
    """

    def __init__(self, outside: tuple[int, ...], home: tuple[int, ...] | None) -> None:
        self.numbers, self._side = _trailer(outside, home or ())
        size = len(self._side.numbers)
        # What is lost besides the game if the leader is off now: a gammon, a backgammon too.
        self._costs = np.ones((size, 1))
        self._costs[: _SAVED + 1 if home is not _OUT_OF_IT else _FIRST_OUTSIDE] = 0
        if outside and outside[-1] >= _THEIR_HOME:
            far = np.zeros((size, 1))
            far[[number for points, number in self.numbers.items() if points and points[-1] >= _THEIR_HOME]] = 1
            self._costs = np.concatenate([self._costs, self._costs + far], axis=1)
        self._known: dict[tuple[int, bool], Array] = {}

    def lost(self, leader: int, trailer: int, *, leader_rolls: bool) -> GammonChances:
        """See `Trailers.lost`."""
        key = leader, leader_rolls
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._lost(course().chances[leader], leader_rolls=leader_rolls)
        gammon, *both = self._known[key][trailer].tolist()
        return GammonChances(gammon, max(both[0] - gammon, 0.0) if both else 0.0)

    def _lost(self, ends: Array, *, leader_rolls: bool) -> Array:
        """What is lost from each position, by the chances that the leader is off after so many rolls."""
        last = int(np.flatnonzero(ends > _NEVER)[-1])
        at_once = ends[1] if leader_rolls else 0.0
        found = np.zeros_like(self._costs)
        for end in ends[last : 1 if leader_rolls else 0 : -1]:  # the trailer has one roll more before each
            found = self._side.at_once.mean_of_best(self._costs * end + found, np.minimum).reshape(found.shape)
        return found + self._costs * at_once


def _count(outside: tuple[int, ...]) -> int:
    """How many positions a trailer can come to outside their home board."""
    ends = {POINTS: 1}  # by where the last checker stands, each no lower than the one before
    for highest in outside:
        total, new = 0, {}
        for point in range(POINTS, highest + 1):
            total += ends.get(point, 0)
            new[point] = total
        ends = new
    return sum(ends.values())


def _trailer(outside: tuple[int, ...], home: tuple[int, ...]) -> tuple[dict[tuple[int, ...], int], SidePositions]:
    """The numbers of the positions by their checkers outside, and where the rolls lead.

    Behind the position that is saved stand those with no checker outside, by the point of the last that came in, 0 for
    none; then the others.
    """
    numbers, coming_in = _coming_in(outside)
    hops = []
    for die, ways in enumerate(coming_in, 1):
        ends = [(_SAVED + 1 + last, to) for last in range(POINTS + 1) for to in _borne_off({*home, last} - {0}, die)]
        hops.append(np.concatenate([np.array([(_SAVED, _SAVED), *ends]).T, ways], axis=1))
    return numbers, rolling({at: at for at in range(len(numbers) + POINTS + 1)}, hops)


@lru_cache(maxsize=64)  # asked for once with every home board
def _coming_in(outside: tuple[int, ...]) -> tuple[dict[tuple[int, ...], int], list[Array]]:
    """The numbers of the positions, and where each die leads from those with checkers outside."""
    positions = _positions(outside)
    numbers = {(): _SAVED + 1} | {points: at for at, points in enumerate(positions, _FIRST_OUTSIDE)}
    hops: list[list[tuple[int, int]]] = [[] for _ in range(POINTS)]
    for points in positions:
        here = numbers[points]
        for at, point in enumerate(points):
            if at and point == points[at - 1]:
                continue
            rest = points[:at] + points[at + 1 :]
            for die, ways in enumerate(hops, 1):
                if point - die > POINTS:
                    ways.append((here, numbers[tuple(sorted((*rest, point - die)))]))
                else:
                    ways.append((here, numbers[rest] if rest else _SAVED + 1 + point - die))
    return numbers, [np.array(ways, dtype=np.intp).reshape(-1, 2).T for ways in hops]


def _positions(outside: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The positions with checkers outside that can be come to from one, each in ascending order."""
    rows: list[tuple[int, ...]] = [()]
    for highest in outside:
        rows = [(*row, point) for row in rows for point in range(row[-1] if row else POINTS, highest + 1)]
    return sorted({tuple(point for point in row if point > POINTS) for row in rows} - {()})


def _borne_off(home: set[int], die: int) -> list[int]:
    """Where a die leads with all checkers at home, on these points and perhaps more than one on each."""
    if not home or die in home or die > max(home):
        return [_SAVED]
    return [_SAVED + 1 + point - die for point in home if point > die]
