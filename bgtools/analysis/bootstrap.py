"""Intervals by resampling: how different a sum could have been with other decisions of the same player.

Source: Bradley Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7, 1979, and "The
Jackknife, the Bootstrap and Other Resampling Plans", 1982, chapter 10. The draws are always the same, so that equal
figures have equal intervals.
"""

from __future__ import annotations

from functools import lru_cache
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

FEW_DECISIONS: Final = 30
"""Fewer decisions than this tell too little for an interval."""

FEW_GROUPS: Final = 8
"""Fewer groups than this tell too little."""

_DRAWS: Final = 1000
MANY_VALUES: Final = 2000
"""From so many on a sum is as good as normal."""
_NORMAL: Final = 1.96
_SEED: Final = 1979
_ROUNDING: Final = 1e-12
_LEAST_SPREAD: Final = 1 / 3
"""What the spread of a draw counts as at least, of that of all values: a draw that leaves out the few large losses has
none to speak of, and would set a bound without end."""


class Sums(NamedTuple):
    """What an interval needs to know of some values.

    Attributes:
        number: how many there are.
        total: their sum.
        squares: the sum of their squares.
        values: the values themselves, in any order; needed where they are fewer than `MANY_VALUES`.
    """

    number: int
    total: float
    squares: float
    values: Sequence[float] | None = None

    @classmethod
    def of(cls, values: Sequence[float]) -> Sums:
        """The sums of some values."""
        return cls(len(values), fsum(values), fsum(each * each for each in values), values)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the sum; None for fewer than `FEW_DECISIONS` values."""
        if self.number >= MANY_VALUES:
            return _interval_of_many(self.number, self.total, self.squares)
        return interval_of_sum(self.values or ())


def interval_of_sum(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of the sum of values drawn like these; None for fewer than `FEW_DECISIONS`.

    Losses are lopsided: a sample without a blunder has too small a sum and too small a spread at once. So it does not
    count how far the sums of the draws are off, but how many of their own spreads: the bootstrap-t. The interval ends
    where the values do: a sum of losses is never below 0. The order of the values makes no difference.
    """
    import numpy as np

    count = len(values)
    if count < FEW_DECISIONS:
        return None
    found = np.sort(np.asarray(values, dtype=float))
    total, squares = float(found.sum()), float((found**2).sum())
    if count >= MANY_VALUES:
        return _interval_of_many(count, total, squares)
    spread = _spread(count, total, squares)
    if not spread:
        return total, total
    drawn = found[_draws(count)]
    sums = drawn.sum(axis=1)
    spreads = np.sqrt(np.maximum(np.einsum("ij,ij->i", drawn, drawn) - sums**2 / count, (_LEAST_SPREAD * spread) ** 2))
    low, high = _middle((sums - total) / spreads)
    return max(total - high * spread, count * float(found[0])), min(total - low * spread, count * float(found[-1]))


def _interval_of_many(count: int, total: float, squares: float) -> tuple[float, float]:
    """The 95 % interval of the sum of `MANY_VALUES` values or more, which their sum and sum of squares tell."""
    half = _NORMAL * _spread(count, total, squares)
    return total - half, total + half


def _spread(count: int, total: float, squares: float) -> float:
    """The standard error of a sum; 0 where all values are equal but for rounding."""
    variance = squares - total * total / count
    return sqrt(variance) if variance > _ROUNDING * squares else 0.0


def interval_of_mean(groups: Sequence[tuple[float, int]]) -> tuple[float, float] | None:
    """The 95 % interval of a mean over groups whose members hang together, such as the decisions of a game.

    Args:
        groups: sum and number of each; whole groups are drawn. Fewer than `FEW_GROUPS` give None.
    """
    import numpy as np

    if len(groups) < FEW_GROUPS:
        return None
    sums, counts = np.asarray(groups, dtype=float).T
    draws = _draws(len(groups))
    return _middle(sums[draws].sum(axis=1) / counts[draws].sum(axis=1))


def interval_of_distances(
    blocks: Sequence[Sequence[Sequence[tuple[float, int, float, int]]]],
) -> tuple[float, float] | None:
    """The 95 % interval of the mean distance between pairs of means, such as the ratings of players by two programs.

    Chance alone sets two means apart, so that most draws lie further apart than what was measured: the interval tells
    whether two measured distances can be told from each other, and not how far the means are apart in truth.

    Args:
        blocks: one for each match: of each game, for each pair of means, sum and number of the one and of the other.
            Games are drawn within their match. Fewer than `FEW_GROUPS` in all give None.
    """
    import numpy as np

    if sum(map(len, blocks)) < FEW_GROUPS:
        return None
    random = np.random.default_rng(_SEED)
    apart = []
    for games in blocks:
        draws = random.integers(len(games), size=(_DRAWS, len(games)))
        sums = np.asarray(games, dtype=float)[draws].sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):  # a draw may hold nothing to divide by
            apart.append(np.abs(sums[:, :, 2] / sums[:, :, 3] - sums[:, :, 0] / sums[:, :, 1]))
    distances = np.ma.masked_invalid(np.concatenate(apart, axis=1)).mean(axis=1)
    return _middle(distances.compressed())


def _middle(drawn: Any) -> tuple[float, float]:
    """Where the middle 95 % of some values begin and end, as by `numpy.percentile`, which would take longer to load."""
    drawn.sort()
    return _at(drawn, 0.025 * (len(drawn) - 1)), _at(drawn, 0.975 * (len(drawn) - 1))


def _at(ordered: Any, place: float) -> float:
    """The value at a place between two values, measured from the nearer one."""
    below = int(place)
    one, two, part = float(ordered[below]), float(ordered[below + 1]), place - below
    return one + (two - one) * part if part < 0.5 else two - (two - one) * (1 - part)


@lru_cache(maxsize=16)
def _draws(count: int) -> Any:
    """Which values are drawn, a row a draw."""
    import numpy as np

    return np.random.default_rng(_SEED).integers(count, size=(_DRAWS, count), dtype=np.int32)
