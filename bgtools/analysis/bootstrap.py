"""Intervals by resampling: how far a sum could have come out otherwise with other decisions of the same player.

Source: Bradley Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7, 1979; the interval is
that of the percentiles. The draws are always the same, so that equal figures have equal intervals.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

FEW_DECISIONS: Final = 30
"""Fewer decisions than this tell too little for an interval."""

FEW_GROUPS: Final = 8
"""Fewer groups than this tell too little."""

_DRAWS: Final = 1000
_MANY: Final = 2000
"""From so many on a sum is as good as normal."""
_NORMAL: Final = 1.96
_SEED: Final = 1979


def interval_of_sum(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of the sum of values drawn like these; None for fewer than `FEW_DECISIONS`."""
    import numpy as np

    if len(values) < FEW_DECISIONS:
        return None
    found = np.asarray(values, dtype=float)
    if len(values) >= _MANY:
        spread = _NORMAL * float(found.std()) * sqrt(len(values))
        return float(found.sum()) - spread, float(found.sum()) + spread
    low, high = np.percentile(found[_draws(len(values))].sum(axis=1), (2.5, 97.5))
    return float(low), float(high)


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
    low, high = np.percentile(sums[draws].sum(axis=1) / counts[draws].sum(axis=1), (2.5, 97.5))
    return float(low), float(high)


@lru_cache(maxsize=16)
def _draws(count: int) -> Any:
    """Which values are drawn, a row a draw."""
    import numpy as np

    return np.random.default_rng(_SEED).integers(count, size=(_DRAWS, count), dtype=np.int32)
