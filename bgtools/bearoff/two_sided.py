"""Two-sided tables: every pair of positions that two sides can come to is valued, with the cube and the score.

Without contact each side moves by itself, and all positions that it can still come to are few. Values are found from
the end of the game backwards. The idea is that of GNU Backgammon's two-sided bear-off database, which holds for money;
these tables hold at any score, cube and cube limit, as long as no gammon is possible.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.bearoff.kernel import TwoSidedTable, count_below
from bgtools.bearoff.one_sided import CHANCES, ROLLS
from bgtools.bearoff.stakes import CENTRE, FIRST, SECOND
from bgtools.board.board import BAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.bearoff.stakes import Cubes, Stakes

    Array = Any
    """A numpy array."""

_CHANCES: Final = np.array(CHANCES)

_MOST_POSITIONS: Final = 3003
"""Positions of one side in a table: as many as eight checkers have in a home board."""

_BITS: Final = 4
"""A side is one number, four bits a point, the 1-point lowest."""


# --- what a side can come to ------------------------------------------------------------------


class SidePositions:
    """The positions that a side can come to, and where each roll leads from there.

    Attributes:
        numbers: the number of each position, the fewest pips first; 0 is the side that has borne off.
    """

    def __init__(self, numbers: dict[int, int], ways: Array, counts: Array) -> None:
        """Args:
        numbers: see above.
        ways: the numbers of the positions that the rolls lead to, position by position, roll by roll.
        counts: how many such positions each roll of each position has.
        """
        self.numbers = numbers
        self._ways = ways
        self._counts = counts
        self._begins = np.cumsum(counts) - counts

    @cached_property
    def in_groups(self) -> list[tuple[slice, _Slots]]:
        """Positions from 1 on and their ways, in groups in which no roll leads from one position to another."""
        furthest = np.maximum.reduceat(self._ways, self._begins[:: len(ROLLS)]).tolist()
        ends = [start := 1]
        for at, last in enumerate(furthest):
            if at and last >= start:
                ends.append(start := at)
        return [(slice(*each), self._slots(*each)) for each in pairwise([*ends, len(furthest)]) if each[1] > each[0]]

    @cached_property
    def at_once(self) -> _Slots:
        """The ways of all positions."""
        return self._slots(0, len(self.numbers))

    def _slots(self, start: int, end: int) -> _Slots:
        """The ways of the positions from a number up to another."""
        rolls = slice(start * len(ROLLS), end * len(ROLLS))
        counts = self._counts[rolls]
        ordered = np.argsort(-counts, kind="stable")
        order = np.empty(len(counts), dtype=np.intp)
        order[ordered] = np.arange(len(counts))
        begins, many = self._begins[rolls][ordered], np.cumsum(np.bincount(counts)[::-1])[::-1]
        order = order.reshape(-1, len(ROLLS)).T.ravel()
        slots = [self._ways[begins[:more] + slot] for slot, more in enumerate(many[1:])]
        return _Slots(slots, order) if len(slots) > 1 else _Slots([slots[0][order]], None)


class _Slots(NamedTuple):
    """Where the rolls of some positions lead.

    The rolls with the most ways stand first, so that those that have a second way are the first in every slot.

    Attributes:
        slots: the first way of every roll of every position, the second ways, and so on.
        order: the place of each roll in the slots, for each roll position by position; None where there is one slot,
            which is in this order.
    """

    slots: list[Array]
    order: Array | None

    def mean_of_best(self, values: Array, better: Any) -> Array:
        """The mean over the rolls of the best value that each can reach: one row, position by position.

        Args:
            values: by position along the first axis.
            better: `numpy.maximum` or `numpy.minimum`.
        """
        found = values.take(self.slots[0], axis=0)
        for slot in self.slots[1:]:
            head = found[: len(slot)]
            better(head, values.take(slot, axis=0), out=head)
        if self.order is not None:
            found = found.take(self.order, axis=0)
        return _CHANCES @ found.reshape(len(ROLLS), -1)


def reachable(start: int) -> SidePositions | None:
    """All positions that a side can come to, and those after half a roll; None where a table would be too large.

    They are the positions in which no checker stands higher than at the start, where the checkers of each position are
    taken in the order of their points.
    """
    if count_below(start) > _MOST_POSITIONS:
        return None
    counts = _positions_below(start)
    most = counts.max(0)
    # A position is one number whose digits are its counts, each in a base of its own.
    weights = [1, 1]
    for each in most[1:].tolist():
        weights.append(weights[-1] * (each + 1))
    if weights[-1] > _LARGEST_CODE:
        return None
    weigh = np.array(weights[:-1])
    weigh[0] = 0
    codes = counts @ weigh
    order = np.lexsort((codes, counts @ np.arange(len(most))))
    counts, codes = counts[order], codes[order]
    by_code = np.argsort(codes)
    hops = [_hops(counts, codes, codes[by_code], by_code, weigh, die) for die in range(1, 7)]
    return rolling(dict(zip(_packed(counts), range(len(codes)), strict=True)), hops)


def rolling(numbers: dict[int, int], hops: Sequence[Array]) -> SidePositions:
    """A side by where single dice lead: every number of a roll is played, in either order.

    Args:
        numbers: the number of each position.
        hops: for each die from which positions it leads to which, ``[2, n]``; from every position there is a way.
    """
    size = len(numbers)
    # Many ways of two hops lead to the same position, from which the other two of a double go on.
    twice = _both(hops, _DOUBLES, size)
    twice = np.stack(_parted(distinct(twice[0] * size + twice[1]), size))
    found = []
    for orders, ways in ((_DOUBLES, _followed(twice, twice, size)), (_MIXED, _both(hops, _MIXED, size))):
        order, start = _parted(ways[0], size)
        roll = np.array([ROLLS.index((max(dice), min(dice))) for dice in orders], dtype=np.int32)[order]
        found.append((start * len(ROLLS) + roll) * size + ways[1])
    rolls, ends = _parted(distinct(np.concatenate(found)), size)
    return SidePositions(numbers, ends.astype(np.intp), np.bincount(rolls, minlength=len(ROLLS) * size))


_DOUBLES: Final = [(die, die) for die in range(1, 7)]
_MIXED: Final = [*permutations(range(1, 7), 2)]
_LARGEST_CODE: Final = 1 << 62


def _positions_below(start: int) -> Array:
    """Positions in which no checker stands higher than at the start: of each the checkers off and on each point."""
    places = [point for point in range(1, BAR) for _ in range(start >> _BITS * (point - 1) & 15)]
    # Checkers in the order of their points, each no lower than the one before.
    rows = np.zeros((1, 0), dtype=np.intp)
    for highest in places:
        lowest = rows[:, -1] if rows.shape[1] else np.zeros(1, dtype=np.intp)
        choices = highest - lowest + 1
        of = np.repeat(np.arange(len(rows)), choices)
        chosen = np.arange(choices.sum()) - np.repeat(np.cumsum(choices) - choices - lowest, choices)
        rows = np.column_stack([rows[of], chosen])
    counts = np.zeros((len(rows), max(places, default=0) + 1), dtype=np.intp)
    for checker in rows.T:
        counts[np.arange(len(rows)), checker] += 1
    return counts


def _packed(counts: Array) -> list[int]:
    """The positions as numbers, each as `packed` gives it."""
    weights = [1 << _BITS * (point - 1) for point in range(1, counts.shape[1])]
    of_weights = object if len(weights) * _BITS > _MOST_BITS else np.int64
    numbers: list[int] = (counts[:, 1:].astype(of_weights) @ np.array(weights, dtype=of_weights)).tolist()
    return numbers


_MOST_BITS: Final = 60


def _hops(counts: Array, codes: Array, ordered: Array, by_code: Array, weigh: Array, die: int) -> Array:
    """Where one die leads (R10, R12): from which positions, to which; a side that has borne off stays where it is."""
    points = np.arange(counts.shape[1])
    highest = np.where(counts > 0, points, 0).max(1)
    sources, targets = [np.zeros(1, dtype=np.intp)], [np.zeros(1, dtype=np.int64)]
    for point in points[1:].tolist():
        can = counts[:, point] > 0
        if point <= die:
            can &= (highest <= _HOME) & ((point == die) | (point == highest))
        here = np.flatnonzero(can)
        sources.append(here)
        targets.append(codes[here] - weigh[point] + weigh[max(point - die, 0)])
    return np.stack([np.concatenate(sources), by_code[np.searchsorted(ordered, np.concatenate(targets))]])


_HOME: Final = 6


def _both(hops: Sequence[Array], orders: Sequence[tuple[int, int]], size: int) -> Array:
    """The ways of two dice in some orders at once, as `_followed` gives them."""
    first, second = (
        np.concatenate([hops[dice[turn] - 1] + [[order * size], [0]] for order, dice in enumerate(orders)], axis=1)
        for turn in (0, 1)
    )
    return _followed(first.astype(np.int32), second.astype(np.int32), size)


def _followed(first: Array, second: Array, size: int) -> Array:
    """Two steps one after the other, some ways more than once.

    All are ``[2, n]``: from which positions they lead to which. Of order k the positions that it leads from are counted
    from k times the size on. Four bytes hold 30 times the square of `_MOST_POSITIONS`, and take half the time of eight.
    """
    second = second[:, np.argsort(second[0], kind="stable")]
    counts = np.bincount(second[0])
    between = first[0] // size * size + first[1]
    begins, many = (np.cumsum(counts) - counts)[between], counts[between]
    ends = np.cumsum(many)
    at = np.arange(ends[-1]) + np.repeat(begins - ends + many, many)
    return np.stack([np.repeat(first[0], many), second[1][at]])


def _parted(numbers: Array, by: int) -> tuple[Array, Array]:
    """Quotients and remainders, in half the time that `numpy.divmod` takes."""
    whole = numbers // by
    return whole, numbers - whole * by


def distinct(numbers: Array) -> Array:
    """Every number once, in order: in a fifth of the time that `numpy.unique` takes."""
    ordered = np.sort(numbers)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]


# --- tables -----------------------------------------------------------------------------------


def best_action(cubes: Cubes, side: int, rolling: Array, raised: tuple[Cubes, Array] | None) -> Array:
    """Values of a side's best cube action.

    Args:
        side: who may double.
        rolling: ``rolling[..., owner, j]``, what rolling on is worth to the first side.
        raised: the same with the cube twice as high; None where that makes everything worth twice as much.
    """
    if side not in cubes.gaining:
        return rolling
    above, values = raised or (cubes, 2 * rolling)
    taken = values[..., above.at(SECOND if side == FIRST else FIRST), :]
    first = side == FIRST
    # The other side may pass.
    double = np.minimum(taken, cubes.won) if first else np.maximum(taken, cubes.lost)
    better = np.maximum if first else np.minimum
    best = rolling.copy()
    for at, owner in enumerate(cubes.owners):
        if owner in (side, CENTRE):
            better(best[..., at, :], double, out=best[..., at, :])
    return best


class CubeHeight(NamedTuple):
    """Values at one height of the cube.

    Attributes:
        cubes: the cube and its owners.
        first: ``first[i, at, j]``: the first side rolls at its position i, the second is at j, and the owner ``at``
            has the cube.
        second: the same where the second side rolls.
    """

    cubes: Cubes
    first: Array
    second: Array


class EndingTable(TwoSidedTable):
    """Every position of two sides that only race home, with the cube at every height that it can reach.

    Args:
        sides: the positions of the first and the second side.
        stakes: what is played for.
        cube, owner: from which the game goes on.
        cubeless: the table of the same sides by `CUBELESS`, which tells what the heights are worth at which nobody
            gains; without it they are computed as all others.
    """

    def __init__(
        self,
        sides: tuple[SidePositions, SidePositions],
        stakes: Stakes,
        cube: int,
        owner: int,
        cubeless: EndingTable | None = None,
    ) -> None:
        super().__init__(sides, stakes, cube, owner)
        self._cubeless = None if cubeless is None else cubeless.levels[1]
        self.levels: dict[int, CubeHeight] = {}
        for height, cubes in self.cubes.items():
            self.levels[height] = self._solved(cubes)

    @property
    def bytes(self) -> int:
        """How much memory its values take."""
        return sum(level.first.nbytes + level.second.nbytes for level in self.levels.values())

    def _look(self, height: int, at: int, positions: tuple[int, int], on_roll: int) -> float:
        first, second = positions
        level = self.levels[height]
        return float((level.second if on_roll else level.first)[first, at, second])

    def _solved(self, cubes: Cubes) -> CubeHeight:
        owners, chances = cubes.owners, self._cubeless
        if chances is not None and not cubes.gaining:
            middle, half = (cubes.won + cubes.lost) / 2, (cubes.won - cubes.lost) / 2
            return CubeHeight(cubes, middle + half * chances.first, middle + half * chances.second)
        rows, columns = (len(side.numbers) for side in self.sides)
        # Position of the first side, owner, position of the second: so each step works on one stretch of memory.
        first = np.full((rows, len(owners), columns), cubes.won, dtype=np.float64)
        second = first.copy()
        first[1:, :, 0] = second[1:, :, 0] = cubes.lost
        best_second = second.copy()  # with the best cube action of the side on roll
        above = self.levels.get(2 * cubes.height)
        for at, ways in self.sides[FIRST].in_groups:
            rolled = ways.mean_of_best(best_second, np.maximum)
            first[at, :, 1:] = rolled.reshape(-1, len(owners), columns)[:, :, 1:]
            best = best_action(cubes, FIRST, first[at], above and (above.cubes, above.first[at]))
            second[at, :, 1:] = self._second_rolled(best)[:, :, 1:]
            best = best_action(cubes, SECOND, second[at], above and (above.cubes, above.second[at]))
            best_second[at, :, 1:] = best[:, :, 1:]
        return CubeHeight(cubes, first, second)

    def _second_rolled(self, after: Array) -> Array:
        """What the second side's rolls are worth on average at each of its positions, by values after its plays."""
        columns = np.ascontiguousarray(after.reshape(-1, after.shape[-1]).T)
        rolled = self.sides[SECOND].at_once.mean_of_best(columns, np.minimum)
        return rolled.reshape(after.shape[-1], -1).T.reshape(after.shape)
