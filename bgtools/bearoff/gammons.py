"""Races in which a gammon may still be saved: how likely it is lost, by how many rolls both sides need.

The *leader* has all their checkers at home. How many rolls they take is known. The *trailer* has borne off none; they
bring their checkers home and bear one off, with the plays that save most against this leader. Their positions are
valued backwards from the last roll that the leader can need.

While two or more checkers are outside the trailer's home board, only those are told apart and moved; the 4-, 5- and
6-point are taken to be filled by the time that counts. With one outside, the home board counts too. With none, every
board is followed, and no table is needed.

Where the gammon is as good as lost, they play to save the backgammon. Then only their checkers in the leader's home
board count, and those are few.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.bearoff.one_sided import CHANCES, MOST_ROLLS, POINTS, ROLLS
from bgtools.board.board import BAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.bearoff.kernel import Kernel
    from bgtools.board.board import Checkers

_MOST_POSITIONS: Final = 495
"""Positions of a trailer in a table: as many as four checkers outside have that stand on the 14-point."""
_MOST_KNOWN: Final = 64
"""Tables, and answers of one table, that are kept."""
_THEIR_HOME: Final = BAR - POINTS
"""Here and above a checker is in the other home board, and a backgammon is lost."""
_OUT_OF_IT: Final = None
"""In the place of the points of a trailer's home board: they have saved what they can once no checker is outside."""
_SAVED: Final = 0
"""The number of the position of a trailer who has borne off a checker."""
_FIRST_OUTSIDE: Final = _SAVED + POINTS + 2
"""The number of the first position with a checker outside."""
_MANY: Final = 3
"""So many checkers on a point of the home board, or more, are one case in a table."""
_MOST_STEPS: Final = 4
"""In a table, checkers at home have moved so often at most; who moves on is saved."""
_UNLIKELY: Final = 1e-6
"""Boards that are come to less often are not followed."""


class GammonChances(NamedTuple):
    """The chances (0 to 1) that the trailer loses a gammon, backgammons among them, and a backgammon."""

    gammon: float
    backgammon: float


class GammonTables:
    """Trailers, and what they lose. Tables are made when they are needed and kept."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._tables: dict[tuple[int, ...] | None, list[_TrailerTable]] = {}

    def lost(self, leader: int, trailer: Checkers, *, leader_rolls: bool) -> GammonChances | None:
        """What a trailer loses; None where a table would be too large.

        Args:
            leader: the position of the leader as `number_of` numbers it.
            trailer: the checkers of the trailer, none of them borne off.
            leader_rolls: whether it is the leader who rolls next.
        """
        outside = tuple(point for point in range(POINTS + 1, BAR) for _ in range(trailer[point]))
        ends = self._kernel.chances_of_rolls(leader)
        saved = _saved_by_pips(ends, outside, leader_rolls=leader_rolls) if outside else 1.0
        if saved < _SURELY or (saved < _NEARLY and _count(outside) > _MOST_POSITIONS):
            behind = tuple(point - _THEIR_HOME + POINTS + 1 for point in outside if point >= _THEIR_HOME)
            lost = (
                self._lost(leader, behind, _OUT_OF_IT, leader_rolls=leader_rolls) if behind else GammonChances(0.0, 0.0)
            )
            return None if lost is None else GammonChances(1 - saved, min(lost.gammon, 1 - saved))
        if not outside:
            at_once = ends[1] if leader_rolls else 0.0
            return GammonChances(at_once + _lost_at_home(trailer[1 : POINTS + 1], ends, int(leader_rolls)), 0.0)
        home = tuple(min(trailer[point], _MANY) for point in range(1, POINTS + 1))
        if len(outside) > 1:
            home = tuple(_MANY if count or point in _FILLED else 0 for point, count in enumerate(home, 1))
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
            table = _TrailerTable(self._kernel, outside, home)
            self._tables.setdefault(home, []).append(table)
        return table.lost(leader, table.numbers[outside], leader_rolls=leader_rolls)


_FILLED: Final = (4, 5, 6)


def _saved_by_pips(ends: Sequence[float], outside: tuple[int, ...], *, leader_rolls: bool) -> float:
    """How likely a gammon is saved, by the chance to roll the pips in time and those that are wasted on average."""
    pips = min(sum(outside) - POINTS * len(outside) + _WASTED, len(_pips_rolled()) - 1)
    enough = _pips_rolled()[pips]
    return sum(end * rolled for end, rolled in zip(ends[1:], enough if leader_rolls else enough[1:], strict=False))


_WASTED: Final = 7
"""Pips, about, by which a trailer comes home further than to the 6-point and bears off a checker."""
_SURELY: Final = 1e-4
_NEARLY: Final = 1e-2
"""A gammon that is saved less often is as good as lost: by the first in any case, by the second where a table would be
too large. Against large tables the chances by pips were off by .0001 at most and, between the two, by .0015 on
average."""


@cache
def _pips_rolled() -> list[list[float]]:
    """The chances to have rolled so many pips in so many rolls, ``[pips, rolls]``."""
    chances = [[1.0] * MOST_ROLLS]
    for pips in range(1, _MOST_PIPS):
        left = [max(pips - (4 * high if high == low else high + low), 0) for high, low in ROLLS]
        rolled = zip(*(chances[each][:-1] for each in left), strict=True)
        chances.append([0.0, *(sum(map(mul, CHANCES, each)) for each in rolled)])
    return chances


_MOST_PIPS: Final = 150


def _lost_at_home(home: tuple[int, ...], ends: Sequence[float], gone: int, weight: float = 1.0) -> float:
    """How likely a trailer on roll, with all checkers at home, bears off none in time.

    Args:
        home: how many checkers are on each point.
        ends: how likely the leader is off after so many rolls.
        gone: how many rolls the leader has had.
        weight: how likely it came to this board.
    """
    if weight < _UNLIKELY or gone + 1 >= len(ends):
        return 0.0
    return sum(
        chance * (ends[gone + 1] + min(_lost_at_home(after, ends, gone + 1, weight * chance) for after in boards))
        for chance, boards in _failures(home)
    )


@lru_cache(maxsize=4096)
def _failures(home: tuple[int, ...]) -> tuple[tuple[float, frozenset[tuple[int, ...]]], ...]:
    """The rolls that bear off no checker, with all at home: their chances, and the boards that they lead to."""
    found = []
    for chance, (high, low) in zip(CHANCES, ROLLS, strict=True):
        orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
        ways: set[tuple[int, ...] | None] = set()
        for dice in orders:
            boards: set[tuple[int, ...] | None] = {(0, *home)}
            for die in dice:
                boards = {after for board in boards if board for after in _hops(board, die, home, most=15)}
                if None in boards:
                    break
            ways |= boards
        if None not in ways:
            found.append((chance, frozenset(board[1:] for board in ways if board)))
    return tuple(found)


class _TrailerTable:
    """What trailers lose who start from a position or have come on from it.

    Args:
        outside: the points of the checkers outside, in ascending order.
        home: how many checkers there are on each point at home, at most `_MANY`; or `_OUT_OF_IT`.
    """

    def __init__(self, kernel: Kernel, outside: tuple[int, ...], home: tuple[int, ...] | None) -> None:
        self.numbers, size, hops = _trailer(outside, home or (0,) * POINTS)
        # What is lost besides the game if the leader is off now: a gammon, a backgammon too.
        first = _SAVED + 1 if home is not _OUT_OF_IT else _FIRST_OUTSIDE
        costs = [[float(number >= first)] for number in range(size)]
        if outside and outside[-1] >= _THEIR_HOME:
            far = {number for points, number in self.numbers.items() if points and points[-1] >= _THEIR_HOME}
            costs = [[cost, cost + (number in far)] for number, (cost,) in enumerate(costs)]
        self._side = kernel.trailer(size, hops, costs)
        self._known: dict[tuple[int, bool], list[list[float]]] = {}

    def lost(self, leader: int, trailer: int, *, leader_rolls: bool) -> GammonChances:
        """See `Trailers.lost`."""
        key = leader, leader_rolls
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._side.lost(leader, leader_rolls=leader_rolls)
        gammon, *both = self._known[key][trailer]
        return GammonChances(gammon, max(both[0] - gammon, 0.0) if both else 0.0)


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


def _trailer(
    outside: tuple[int, ...], home: tuple[int, ...]
) -> tuple[dict[tuple[int, ...], int], int, list[list[tuple[int, int]]]]:
    """The numbers of the positions by their checkers outside, how many there are in all, and where the dice lead.

    After the position that is saved come those in which the last checker has just come in, by its point, 0 for none;
    then those with checkers outside; then the other boards that are all at home.
    """
    numbers, coming_in = _coming_in(outside)
    boards = [(_SAVED + 1 + last, (0, *_moved(home, 0, last))) for last in range(POINTS + 1)]
    if len(outside) == 1:
        boards += [(number, (*points, *home)) for points, number in numbers.items() if points]
        coming_in = [[]] * POINTS
    count, ends = _moving(boards, len(numbers) + POINTS + 1, home)
    return numbers, count, [[*some, *ways] for some, ways in zip(ends, coming_in, strict=True)]


def _moving(
    boards: list[tuple[int, tuple[int, ...]]], free: int, home: tuple[int, ...]
) -> tuple[int, list[list[tuple[int, int]]]]:
    """Where each die leads from boards with one checker outside or none, and how many numbers are used then.

    Args:
        boards: their numbers, the point of the checker outside, 0 for none, and how many checkers are on each point at
            home.
        free: the first number that no position has.
        home: the board at home before anything was moved.
    """
    numbers: dict[tuple[int, ...], int] = {}
    for number, board in boards:
        numbers.setdefault(board, number)
    hops: list[list[tuple[int, int]]] = [[(_SAVED, _SAVED)] for _ in range(POINTS)]
    steps = {number: 0 for number, _ in boards}
    for number, board in boards:  # which grows
        for die, ways in enumerate(hops, 1):
            for after in _hops(board, die, home):
                if after is not None and after not in numbers and steps[number] < _MOST_STEPS:
                    numbers[after] = free
                    steps[free] = steps[number] + 1
                    boards.append((free, after))
                    free += 1
                ways.append((number, _SAVED if after is None else numbers.get(after, _SAVED)))
    return free, hops


@lru_cache(maxsize=64)  # asked for once with every home board
def _coming_in(outside: tuple[int, ...]) -> tuple[dict[tuple[int, ...], int], list[list[tuple[int, int]]]]:
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
    return numbers, hops


def _positions(outside: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The positions with checkers outside that can be come to from one, each in ascending order."""
    rows: list[tuple[int, ...]] = [()]
    for highest in outside:
        rows = [(*row, point) for row in rows for point in range(row[-1] if row else POINTS, highest + 1)]
    return sorted({tuple(point for point in row if point > POINTS) for row in rows} - {()})


def _hops(board: tuple[int, ...], die: int, home: tuple[int, ...], most: int = _MANY) -> list[tuple[int, ...] | None]:
    """Where a die leads from a board of `_moving`: to boards, or to None where a checker is borne off.

    ``most`` checkers on a point, or more, are one case.

    While a checker is outside, one of those at home moves at most, and only to a point that is empty: others do not
    help to bear off sooner.
    """
    outside, at_home = board[0], board[1:]
    if outside > POINTS + die:
        moved: list[tuple[int, ...] | None] = [(outside - die, *at_home)]
    elif outside:
        moved = [(0, *_moved(at_home, 0, outside - die, most))]
    else:
        highest = max((point for point, count in enumerate(at_home, 1) if count), default=0)
        if die >= highest or at_home[die - 1]:
            return [None]
        moved = []
    if outside and at_home != home:
        return moved
    return moved + [
        (outside, *_moved(at_home, point, point - die, most))
        for point in range(die + 1, POINTS + 1)
        if at_home[point - 1] and not (outside and at_home[point - die - 1])
    ]


def _moved(home: tuple[int, ...], start: int, end: int, most: int = _MANY) -> tuple[int, ...]:
    """A board at home after a checker has moved between two points; 0 is none."""
    return tuple(
        count if count == most else min(count - (point == start) + (point == end), most)
        for point, count in enumerate(home, 1)
    )
