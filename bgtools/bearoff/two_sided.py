"""Two-sided tables: every pair of positions that two sides can come to is valued, with the cube and the score.

Without contact each side moves by itself, and all positions that it can still come to are few. Values are found from
the end of the game backwards. The idea is that of GNU Backgammon's two-sided bear-off database, which holds for money;
these tables hold at any score, cube and cube limit, as long as no gammon is possible.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.bearoff.one_sided import CHANCES, ROLLS
from bgtools.bearoff.stakes import CENTRE, FIRST, SECOND
from bgtools.board import BAR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bgtools.bearoff.stakes import Stakes
    from bgtools.board import Checkers

    Array = Any
    """A numpy array."""

_CHANCES: Final = np.array(CHANCES, dtype=np.float32)

_MOST_POSITIONS: Final = 3003
"""Positions of one side in a table: as many as eight checkers have in a home board."""

_BITS: Final = 4
"""A side is one number, four bits a point, the 1-point lowest."""


# --- what a side can come to ------------------------------------------------------------------


class Side:
    """All positions that a side can come to, and where each roll leads from there.

    Attributes:
        numbers: the number of each position, the fewest pips first; 0 is the side that has borne off.
    """

    def __init__(self, numbers: dict[int, int], ways: list[list[list[int]]]) -> None:
        """Args:
        numbers: see above.
        ways: for each position, for each roll, the numbers of the positions that it leads to.
        """
        self.numbers = numbers
        self._ways = ways

    @cached_property
    def by_position(self) -> list[tuple[Array, Array]]:
        """For each position the ways of its rolls, one after the other, and where each roll begins."""
        return [
            (np.array([*chain.from_iterable(rolls)], dtype=np.intp), np.cumsum([0, *map(len, rolls[:-1])]))
            for rolls in self._ways
        ]

    @cached_property
    def by_slot(self) -> tuple[list[Array], Array]:
        """The first way of every roll of every position, the second ways, and so on; where each roll stands in them.

        The rolls with the most ways stand first, so that those that have a second way are the first in every slot.
        """
        rolls = [*chain.from_iterable(self._ways)]
        counts = np.array([*map(len, rolls)])
        flat, begins = np.array([*chain.from_iterable(rolls)], dtype=np.intp), np.cumsum(counts) - counts
        ordered = np.argsort(-counts, kind="stable")
        order = np.empty(len(rolls), dtype=np.intp)
        order[ordered] = np.arange(len(rolls))
        slots = [flat[begins[ordered[: (counts > slot).sum()]] + slot] for slot in range(counts.max())]
        return slots, order


class Hops:
    """Where dice and rolls take a side; kept, as the positions of a game lead to the same ones."""

    def __init__(self) -> None:
        self._dice: dict[int, tuple[frozenset[int], ...]] = {}
        self._pairs: dict[tuple[int, int], frozenset[int]] = {}
        self._rolls: dict[int, tuple[frozenset[int], ...]] = {}

    def reachable(self, start: int) -> Side | None:
        """All that a side can come to; None where that is too much for a table."""
        found, todo = {start, 0}, [start]
        while todo:
            new = {to for reached in self.rolls(todo.pop()) for to in reached} - found
            found |= new
            todo.extend(new)
            if len(found) > _MOST_POSITIONS:
                return None
        ordered = sorted(found, key=lambda side: (_pips(side), side))
        index = {side: at for at, side in enumerate(ordered)}
        return Side(index, [[sorted(index[to] for to in reached) for reached in self.rolls(side)] for side in ordered])

    def rolls(self, side: int) -> tuple[frozenset[int], ...]:
        """The positions after each roll. Without contact every number can be played, in either order."""
        found = self._rolls.get(side)
        if found is None:
            found = self._rolls[side] = tuple(
                _NOTHING.union(*[self._twice(each, high) for each in self._twice(side, high)])
                if high == low
                else _NOTHING.union(
                    *[self._hops(each)[low] for each in self._hops(side)[high]],
                    *[self._hops(each)[high] for each in self._hops(side)[low]],
                )
                for high, low in ROLLS
            )
        return found

    def _twice(self, side: int, die: int) -> frozenset[int]:
        """The positions after the same number twice."""
        found = self._pairs.get((side, die))
        if found is None:
            hops = self._hops
            found = self._pairs[side, die] = _NOTHING.union(*[hops(each)[die] for each in hops(side)[die]])
        return found

    def _hops(self, side: int) -> tuple[frozenset[int], ...]:
        """The positions after one die, by its number."""
        found = self._dice.get(side)
        if found is None:
            found = self._dice[side] = (_NOTHING, *(frozenset(_hop(side, die)) for die in range(1, 7)))
        return found


_NOTHING: Final[frozenset[int]] = frozenset()


def _hop(side: int, die: int) -> Iterator[int]:
    """The sides after one die (R10, R12); the side itself once it has borne off."""
    if not side:
        yield side
        return
    highest = -(-side.bit_length() // _BITS)
    for point in range(1, highest + 1):
        one = 1 << _BITS * (point - 1)
        if not side // one % (1 << _BITS):
            continue
        if point > die:
            yield side - one + (one >> _BITS * die)
        elif highest <= 6 and point in (die, highest):
            yield side - one


def count_below(side: int) -> int:
    """How many positions there are in which no checker stands higher: as many as a side can come to, or hardly more."""
    # Checkers in order of their points: counted by where the last one stands, each no lower than the one before.
    ends = [1]
    for point in range(1, BAR):
        for _ in range(side >> _BITS * (point - 1) & 15):
            ends = list(accumulate(ends + [0] * (point + 1 - len(ends))))
    return sum(ends)


def packed(side: Checkers) -> int:
    """The checkers of a side that has none on the bar as one number."""
    return sum(side[point] << _BITS * (point - 1) for point in range(1, BAR))


def _pips(side: int) -> int:
    """The pip count of a side."""
    return sum(point * (side >> _BITS * (point - 1) & 15) for point in range(1, BAR))


# --- tables -----------------------------------------------------------------------------------


class Cubes(NamedTuple):
    """The cube at one height.

    Attributes:
        stakes: what is played for.
        height: what the cube shows.
        owners: its owners that are told apart; a single one where nobody can gain by a double.
    """

    stakes: Stakes
    height: int
    owners: tuple[int, ...]

    def at(self, owner: int) -> int:
        """Where an owner stands among those that are told apart."""
        return self.owners.index(owner) if len(self.owners) > 1 else 0

    def best(self, side: int, rolling: Array, raised: tuple[Cubes, Array] | None) -> Array:
        """Values of a side's best cube action.

        Args:
            side: who may double.
            rolling: ``rolling[owner, ...]``, what rolling on is worth to the first side.
            raised: the same with the cube twice as high; None where that makes everything worth twice as much.
        """
        if not self.stakes.gains(side, self.height):
            return rolling
        cubes, values = raised or (self, 2 * rolling)
        taken = values[cubes.at(SECOND if side == FIRST else FIRST)]
        best = rolling.copy()
        for at, owner in enumerate(self.owners):
            if owner in (side, CENTRE):
                if side == FIRST:
                    best[at] = best[at].clip(min=taken.clip(max=self.stakes.won(self.height)))
                else:
                    best[at] = best[at].clip(max=taken.clip(min=self.stakes.lost(self.height)))
        return best


class Level(NamedTuple):
    """Values at one height of the cube.

    Attributes:
        cubes: the cube and its owners.
        first: ``first[i, at, j]``: the first side rolls at its position i, the second stands at j, and the owner ``at``
            has the cube.
        second: the same where the second side rolls.
    """

    cubes: Cubes
    first: Array
    second: Array


class Table:
    """Every position of two sides that only race home, with the cube at every height that it can reach.

    Args:
        sides: the positions of the first and the second side.
        stakes: what is played for.
        heights: see `heights`.
    """

    def __init__(self, sides: tuple[Side, Side], stakes: Stakes, heights: Mapping[int, tuple[int, ...]]) -> None:
        self.sides = sides
        self.stakes = stakes
        self.levels: dict[int, Level] = {}
        for height, owners in reversed([*heights.items()]):
            self.levels[height] = self._solved(height, owners)

    def holds(self, cube: int, owner: int) -> bool:
        """Whether the table has the cube at a height and with an owner."""
        if self.stakes.is_scaled:
            return True
        level = self.levels.get(cube)
        return level is not None and (
            owner in level.cubes.owners or not any(self.stakes.gains(side, cube) for side in (FIRST, SECOND))
        )

    def value(self, first: int, second: int, cube: int, owner: int, on_roll: int) -> float:
        """What a position is worth to the first side when the side ``on_roll`` rolls without doubling."""
        height = self.stakes.height(cube)
        level = self.levels[height]
        return float((level.second if on_roll else level.first)[first, level.cubes.at(owner), second]) * cube / height

    def _solved(self, cube: int, owners: tuple[int, ...]) -> Level:
        stakes = self.stakes
        rows, columns = (len(side.numbers) for side in self.sides)
        # Position of the first side, owner, position of the second: so each step works on one stretch of memory.
        first = np.full((rows, len(owners), columns), stakes.won(cube), dtype=np.float32)
        second = first.copy()
        first[1:, :, 0] = second[1:, :, 0] = stakes.lost(cube)
        best_second = second.copy()  # with the best cube action of the side on roll
        cubes, above = Cubes(stakes, cube, owners), self.levels.get(2 * cube)
        for at, (ways, starts) in enumerate(self.sides[FIRST].by_position[1:], 1):
            after = best_second[ways].reshape(-1, len(owners) * columns)
            rolled = _CHANCES @ np.maximum.reduceat(after, starts, axis=0)
            first[at, :, 1:] = rolled.reshape(len(owners), columns)[:, 1:]
            best = cubes.best(FIRST, first[at], above and (above.cubes, above.first[at]))
            second[at, :, 1:] = self._second_rolled(best)[:, 1:]
            best = cubes.best(SECOND, second[at], above and (above.cubes, above.second[at]))
            best_second[at, :, 1:] = best[:, 1:]
        return Level(cubes, first, second)

    def _second_rolled(self, after: Array) -> Array:
        """What the second side's rolls are worth on average at each of its positions, by values after its plays."""
        slots, order = self.sides[SECOND].by_slot
        least = after.take(slots[0], axis=1)
        for slot in slots[1:]:
            head = least[:, : len(slot)]
            np.minimum(head, after.take(slot, axis=1), out=head)
        return least.take(order, axis=1).reshape(len(after), -1, len(ROLLS)) @ _CHANCES
