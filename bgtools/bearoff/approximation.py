"""What a race is worth, to some thousandths, where it is too large for a two-sided table.

Both sides are followed with the plays that need the fewest rolls on average: for one to five rolls each where all
checkers are at home, else for one. Then each position is replaced by one of a simpler game, which has tables at any
score: a side is a number of pips, and no pip is wasted. Each side gets the number of pips that takes as many rolls on
average as its real checkers. Then the pips of both sides are shifted against each other until the chance to win is
that of the real position, which the one-sided distributions tell. They are shifted a little further against the side
whose number of rolls varies more: at the same chance to win, playing with a cube is worth less to it. Where nobody can
gain by the cube any more, the chance to win alone counts.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.bearoff.one_sided import CHANCES, MOST_ROLLS, ROLLS, course, or_more
from bgtools.bearoff.stakes import CENTRE, CUBELESS, FIRST, SECOND
from bgtools.bearoff.two_sided import EndingTable, SidePositions, best_action, distinct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.bearoff.stakes import Cubes, Stakes
    from bgtools.bearoff.two_sided import CubeHeight

    Array = Any
    """A numpy array."""

_MOST_PIPS: Final = 130
"""Positions of the simpler game: more pips than any home board is worth."""
_STEPS: Final = 2
"""Steps of Newton's method that bring the chance to win into line."""
_MOST_AHEAD: Final = 5
"""Rolls of each side that are followed at most: the fewer positions are left, the less one more takes."""
_MOST_PAIRS: Final = 30_000
"""Most pairs of positions that the rolls which are followed may lead to from one pair. One roll is followed anyway."""


class Race:
    """Races by one set of stakes, with the cube at one height and with one owner at first.

    Args:
        stakes: what is played for; the side on roll is the first.
        cube: the height of the cube.
        owner: who has it.
    """

    def __init__(self, stakes: Stakes, cube: int, owner: int) -> None:
        self._simple = EndingTable((simple(), simple()), stakes, cube, owner, _simple_chances())

    def by(self, ahead: Lookahead) -> Values:
        """What rolling on is worth to the side on roll, by what may follow."""
        ours, theirs = ahead.ours, ahead.theirs
        found: dict[int, _Steps] = {}
        for height, level in self._simple.levels.items():  # the highest comes first
            steps = found[height] = _Steps(level.cubes, found.get(2 * height))
            steps.begin(ahead.last.of(level), ours.numbers[ahead.rolls], theirs.numbers[ahead.rolls])
            for step in range(ahead.rolls - 1, -1, -1):
                steps.back(SECOND, theirs.chances[step].T, ours.numbers[step + 1], theirs.numbers[step])
                steps.back(FIRST, ours.chances[step], ours.numbers[step], theirs.numbers[step])
        return Values({height: (steps.cubes, steps.values[-1][0].copy()) for height, steps in found.items()})


class Values:
    """What rolling on is worth to the side on roll, at the heights of the cube, in points or match winning chance."""

    def __init__(self, found: Mapping[int, tuple[Cubes, Array]]) -> None:
        self._found = found

    def of(self, cube: int, owner: int) -> Array:
        """The values with the cube at a height and with an owner, one for each position of the other side."""
        height = cube if cube in self._found else 1  # for money a cube twice as high is worth twice as much
        cubes, values = self._found[height]
        return values[cubes.at(owner)] * (cube / height)


class _Steps:
    """Values ``[ours, owner, theirs]`` at one height of the cube, found backwards, half a turn at a time."""

    def __init__(self, cubes: Cubes, above: _Steps | None) -> None:
        self.cubes = cubes
        self.values: list[Array] = []
        self._above = above

    def begin(self, values: Array, ours: Array, theirs: Array) -> None:
        """Start with the values after the last roll that is followed, where the first side is on roll."""
        values[:, :, theirs == 0] = self.cubes.lost
        values[ours == 0] = self.cubes.won
        self.values.append(values)

    def back(self, side: int, chances: Array, ours: Array, theirs: Array) -> None:
        """Go back over a roll of a side, after which the other chooses their best cube action."""
        above = None
        if self._above is not None:
            above = self._above.cubes, self._above.values[len(self.values) - 1]
        best = best_action(self.cubes, SECOND if side == FIRST else FIRST, self.values[-1], above)
        if side == FIRST:
            rolled = (chances @ best.reshape(len(best), -1)).reshape(len(chances), *best.shape[1:])
        else:
            rolled = best @ chances
        self.begin(rolled, ours, theirs)


class _Walk:
    """Where a side can be after some rolls.

    Attributes:
        numbers: for each number of rolls the positions; 0 is a side that is off.
        chances: ``chances[n][i, j]``, the chance to come from position i after n rolls to j after one more.
    """

    def __init__(self, starts: Sequence[int]) -> None:
        self.numbers = [np.array(starts)]
        self.chances: list[Array] = []

    @classmethod
    def of_a_roll(cls, after: Array) -> _Walk:
        """One roll of each of some positions, by the chances after it ``[n, rolls, MOST_ROLLS]``."""
        walk = cls([1] * len(after))
        walk.numbers.append((after[..., 0] < 1).ravel())
        walk.chances.append(np.kron(np.eye(len(after)), CHANCES))
        return walk

    def go_on(self) -> None:
        """Follow one more roll."""
        reached = course().plays[self.numbers[-1]]
        numbers = distinct(reached.ravel())
        places = numbers.searchsorted(reached)
        # A count by weight of place in the table takes half the time of `numpy.add.at`.
        cells = (places + len(numbers) * np.arange(len(reached))[:, None]).ravel()
        chances = np.bincount(cells, np.tile(CHANCES, len(reached)), len(reached) * len(numbers))
        self.numbers.append(numbers)
        self.chances.append(chances.reshape(len(reached), len(numbers)))


class Lookahead(NamedTuple):
    """The rolls of a race that are followed.

    Attributes:
        ours, theirs: where the side on roll and the other can be.
        rolls: how many rolls of each are followed.
        last: the positions after the last of these rolls.
    """

    ours: _Walk
    theirs: _Walk
    rolls: int
    last: _Last

    @classmethod
    def by_rolls(cls, numbers: Sequence[int], rolls: int) -> Lookahead:
        """Some rolls of each side are followed.

        Args:
            numbers: the position of the side on roll and those of the other, all at home, as `number_of` numbers them.
            rolls: how many.
        """
        ours, theirs = _Walk(numbers[:1]), _Walk(numbers[1:])
        for _ in range(rolls):
            ours.go_on()
            theirs.go_on()
        chances = (course().chances[walk.numbers[rolls]] for walk in (ours, theirs))
        return cls(ours, theirs, rolls, _Last(*chances))

    @classmethod
    def at_sight(cls, own: Array, others: Array) -> Lookahead:
        """No roll is followed.

        Args:
            own: the chances that the side on roll takes 0, 1, … rolls.
            others: those of each position of the other side.
        """
        return cls(_Walk([1]), _Walk([1] * len(others)), 0, _Last(own[None], others))

    @classmethod
    def by_a_roll(cls, own: Array, others: Array) -> Lookahead:
        """One roll of each side is followed.

        Args:
            own: after each roll, the chances that the side on roll takes 0, 1, … rolls more.
            others: those of each position of the other side.
        """
        return cls(_Walk.of_a_roll(own[None]), _Walk.of_a_roll(others), 1, _Last(own, np.concatenate(others)))


def worth_following(roller: int, waiter: int) -> int:
    """How many rolls of each side are worth following, one to five, by how many pairs of positions they lead to.

    Args:
        roller, waiter: positions as `number_of` numbers them.
    """
    rolls = 1
    while rolls < _MOST_AHEAD and len(_reached(roller, rolls + 1)) * len(_reached(waiter, rolls + 1)) <= _MOST_PAIRS:
        rolls += 1
    return rolls


@lru_cache(maxsize=1 << 12)
def _reached(number: int, rolls: int) -> Array:
    """Where a side can be after some rolls, at least one."""
    before = np.array([number]) if rolls == 1 else _reached(number, rolls - 1)
    return distinct(course().plays[before].ravel())


class _Last:
    """The positions ``[ours, theirs]`` after the last roll that is followed.

    Args:
        own, other: of each position the chances of every number of rolls.
    """

    def __init__(self, own: Array, other: Array) -> None:
        # In single precision the last digits would differ with how many positions there are.
        own, other = own.astype(np.float64), other.astype(np.float64)
        (x, more), (y, more_theirs) = equivalent_pips(own), equivalent_pips(other)
        self._wins = own @ or_more(other).T
        self._positions = grid_positions(x[:, None], y, more[:, None] - more_theirs, self._wins)

    def of(self, level: CubeHeight) -> Array:
        """Their values ``[ours, owner, theirs]`` where the first side is on roll: by the chance to win alone for an
        owner who cannot gain by a double any more, else by the simpler game."""
        cubes = level.cubes
        by_owner = (
            self._positions.of(level.first[:, at])
            if cubes.is_alive(owner)
            else cubes.lost + (cubes.won - cubes.lost) * self._wins
            for at, owner in enumerate(cubes.owners)
        )
        return np.stack([*by_owner], axis=1)


def grid_positions(x: Array, y: Array, more: Array, wins: Array) -> GridPositions:
    """The positions of the simpler game that stand for pairs of positions.

    Args:
        x, y: as many pips as take as many rolls on average, of the side on roll and of the other.
        more: how much more the rolls of the side on roll vary than those of the other, each by its pips.
        wins: the chance that the side on roll wins.
    """
    chances = simple_game().wins
    shift = np.zeros_like(wins)
    for _ in range(_STEPS):
        tried = shift + _NEARBY
        here, gained, lost = GridPositions(x - tried, y + tried).of(chances)
        shift += ((wins - here) / (gained - lost).clip(min=1e-3)).clip(-2, 2)
    shift -= (BY_VARIANCE * more + ON_ROLL) * (x + y)
    return GridPositions(x - shift, y + shift)


def equivalent_pips(chances: Array) -> tuple[Array, Array]:
    """The pips of the simpler game that take as many rolls on average, and how much more their number varies.

    Args:
        chances: of each position those of every number of rolls.

    Returns:
        Of each position the pips, and by how much the variance of its number of rolls is larger than that of the pips.
    """
    game = simple_game()
    means, variances = _mean_and_variance(chances)
    pips = np.interp(means, game.means, np.arange(_MOST_PIPS))
    return pips, variances - np.interp(pips, np.arange(_MOST_PIPS), game.variances)


def _mean_and_variance(chances: Array) -> tuple[Array, Array]:
    """Of the number of rolls, by the chances of every number of rolls ``[n, MOST_ROLLS]``."""
    count = np.arange(MOST_ROLLS)
    means = chances @ count
    return means, chances @ count**2 - means**2


_NEARBY: Final = np.array([0.0, 0.5, -0.5])[:, None, None]
"""By how many pips a shift is tried, to see how the chance to win changes: by nothing, half a pip more and less."""
BY_VARIANCE: Final = 0.0008
"""By how many pips for each pip of both sides a position is shifted against the side on roll, where the number of its
rolls varies by a square roll more than that of the other, each by its pips.

Found by trial against a rollout of exact sides (``python docs/measure_races.py``): where checkers are outside, half as
much leaves rolling on further off, and twice as much a double with its take."""
ON_ROLL: Final = 0.0001
"""By how many pips for each pip of both sides it is shifted against the side on roll in any case; found likewise.
Without it that side comes out .001 EMG too well, and .002 after a double and a take."""


class GridPositions:
    """Places ``[…, ours, theirs]`` between the positions of the simpler game: x pips of ours and y of theirs."""

    def __init__(self, x: Array, y: Array) -> None:
        x, y = (np.clip(each, 0, _MOST_PIPS - 1.001) for each in (x, y))
        i, j = x.astype(np.intp), y.astype(np.intp)
        self._i, self._j = i, j
        u, v = x - i, y - j
        self._parts = (1 - v) * (1 - u), (1 - v) * u, v * (1 - u), v * u

    def of(self, values: Array) -> Array:
        """Values at these places of a table ``[i, j]``: ``[…, ours, theirs]``."""
        flat, width = np.ascontiguousarray(values).ravel(), values.shape[1]
        at = self._i * width + self._j
        corners = (flat.take(at), flat.take(at + width), flat.take(at + 1), flat.take(at + width + 1))
        return sum(part * corner for part, corner in zip(self._parts, corners, strict=True))


def _left(pips: int, high: int, low: int) -> int:
    """Pips that are left after a roll."""
    return max(pips - (4 * high if high == low else high + low), 0)


@cache
def simple() -> SidePositions:
    """A side of the simpler game."""
    ways = np.array([_left(pips, *roll) for pips in range(_MOST_PIPS) for roll in ROLLS])
    return SidePositions({pips: pips for pips in range(_MOST_PIPS)}, ways, np.ones_like(ways))


class SimpleGame(NamedTuple):
    """How the simpler game ends without a cube.

    Attributes:
        means, variances: of the number of rolls, by pips.
        wins: the chance that the side on roll wins, by its pips and those of the other.
    """

    means: Array
    variances: Array
    wins: Array


@cache
def _simple_chances() -> EndingTable:
    """The simpler game without a cube, as a table."""
    return EndingTable((simple(), simple()), CUBELESS, 1, CENTRE)


@cache
def simple_game() -> SimpleGame:
    """The simpler game without a cube."""
    chances = np.zeros((_MOST_PIPS, MOST_ROLLS))
    chances[0, 0] = 1.0
    for pips in range(1, _MOST_PIPS):
        after = [_left(pips, *roll) for roll in ROLLS]
        chances[pips, 1:] = np.array(CHANCES) @ chances[after, :-1]
    return SimpleGame(*_mean_and_variance(chances), chances @ or_more(chances).T)
