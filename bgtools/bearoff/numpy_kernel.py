"""The kernel of endings by NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from bgtools.bearoff import approximation, one_sided, two_sided
from bgtools.bearoff.approximation import Lookahead, Race
from bgtools.bearoff.bear_in import Chances
from bgtools.bearoff.kernel import RaceValues, packed
from bgtools.bearoff.one_sided import course, number_of, or_more

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.bearoff.approximation import Values
    from bgtools.bearoff.kernel import Hops, RaceQuestion, TwoSidedTable
    from bgtools.bearoff.stakes import Stakes
    from bgtools.bearoff.two_sided import EndingTable, SidePositions
    from bgtools.board.board import Checkers


class NumpyKernel:
    """See `Kernel`."""

    def __init__(self) -> None:
        self._rolls = Chances()
        self._races: dict[tuple[Any, ...], Race] = {}

    def mean_rolls(self, number: int) -> float:
        """See `Kernel`."""
        return float(one_sided.means()[number])

    def chances_of_rolls(self, number: int) -> Sequence[float]:
        """See `Kernel`."""
        found: list[float] = course().chances[number].tolist()
        return found

    def first_off(self, own: Checkers, other: Checkers) -> float | None:
        """See `Kernel`."""
        chances = self._rolls.of([own, other], at_sight=True)
        return None if chances is None else float(chances[0] @ or_more(chances[1]))

    def worth_following(self, roller: int, waiter: int) -> int:
        """See `Kernel`."""
        return approximation.worth_following(roller, waiter)

    def race(
        self, sides: Sequence[Checkers], rolls: int, stakes: Stakes, questions: Sequence[RaceQuestion]
    ) -> RaceValues | None:
        """See `Kernel`."""
        chances = self._rolls.of(sides, at_sight=not rolls)
        if chances is None:
            return None
        own, others = chances[0], chances[1:]
        ahead = self._ahead(sides, chances, rolls)
        values: dict[tuple[int, int], Values] = {}
        found: list[list[float]] = []
        for start, cube, owner in questions:
            if start not in values:
                values[start] = self._race(stakes, *start).by(ahead)
            found.append(values[start].of(cube, owner).tolist())
        return RaceValues((own * or_more(others)).sum(1).tolist(), found)

    def _ahead(self, sides: Sequence[Checkers], chances: Any, rolls: int) -> Lookahead:
        """What may follow, by the chances of the sides."""
        if rolls > 1:
            return Lookahead.by_rolls([number_of(side) or 0 for side in sides], rolls)
        after = self._rolls.after(sides) if rolls else None
        return (
            Lookahead.at_sight(chances[0], chances[1:]) if after is None else Lookahead.by_a_roll(after[0], after[1:])
        )

    def _race(self, stakes: Stakes, cube: int, owner: int) -> Race:
        key = stakes.key, cube, owner
        if key not in self._races:
            if len(self._races) >= _MOST_RACES:
                self._races.clear()
            self._races[key] = Race(stakes, cube, owner)
        return self._races[key]

    def side(self, side: Checkers) -> SidePositions | None:
        """See `Kernel`."""
        return two_sided.reachable(packed(side))

    def ending_table(
        self,
        sides: tuple[SidePositions, SidePositions],
        stakes: Stakes,
        cube: int,
        owner: int,
        cubeless: TwoSidedTable | None,
    ) -> EndingTable:
        """See `Kernel`."""
        return two_sided.EndingTable(sides, stakes, cube, owner, cast("EndingTable | None", cubeless))

    def trailer(self, size: int, hops: Hops, costs: Sequence[Sequence[float]]) -> NumpyTrailer:
        """See `Kernel`."""
        return NumpyTrailer(size, hops, costs)


_MOST_RACES: Final = 256
"""Sets of stakes for which races are kept: a match of 25 points may have so many."""
_NEVER: Final = 1e-7
"""Chances that are not followed."""


class NumpyTrailer:
    """See `Trailer`; the arguments are those of `Kernel.trailer`."""

    def __init__(self, size: int, hops: Hops, costs: Sequence[Sequence[float]]) -> None:
        ways = [np.array(each, dtype=np.intp).reshape(-1, 2).T for each in hops]
        self._side = two_sided.rolling({at: at for at in range(size)}, ways)
        self._costs = np.array(costs, dtype=np.float64)

    def lost(self, leader: int, *, leader_rolls: bool) -> list[list[float]]:
        """See `Trailer`."""
        ends = course().chances[leader]
        last = int(np.flatnonzero(ends > _NEVER)[-1])
        at_once = ends[1] if leader_rolls else 0.0
        found = np.zeros_like(self._costs)
        for end in ends[last : 1 if leader_rolls else 0 : -1]:  # the trailer has one roll more before each
            found = self._side.at_once.mean_of_best(self._costs * end + found, np.minimum).reshape(found.shape)
        lost: list[list[float]] = (found + self._costs * at_once).tolist()
        return lost
