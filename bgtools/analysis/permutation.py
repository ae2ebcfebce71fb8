"""Whether some matches stand out among all: the permutation test, by its first three moments.

The matches of a player are some of all that were played. If nothing set them apart, any others could have been drawn in
their place. The sum of the figures of such a draw has a mean, a variance and a skewness that follow from the figures of
all matches, and a gamma distribution of the same three moments (Pearson's type III) gives the chances. The figures may
be as skewed as losses are.

Source: Paul W. Mielke and Kenneth J. Berry, "Permutation Methods: A Distance Function Approach", 2nd edition, 2007,
chapter 2; the moments are those of a sum drawn without putting back from a finite population.
"""

from __future__ import annotations

import math
from typing import Final

from bgtools.analysis.distributions import normal_tails

_FLAT: Final = 1e-4
"""A skewness below this makes no difference that could be printed."""
_STEPS: Final = 10_000
_SAME: Final = 1e-13


def permutation_tails(total: float, drawn: int, everyone: int, squares: float, cubes: float) -> float | None:
    """The chance of a sum as far out as the one found, on either side.

    Args:
        total: the sum found.
        drawn: how many figures were added up.
        everyone: how many figures there are, those drawn among them. All of them add up to 0.
        squares, cubes: the sums of their squares and of their third powers.

    Returns:
        The chance, 0 to 1; None where there is nothing to compare: fewer than three figures, none or all of them
        drawn, or all the same.
    """
    if everyone < 3 or not 0 < drawn < everyone or squares <= 0:
        return None
    left = everyone - drawn
    variance = drawn * left * squares / (everyone * (everyone - 1))
    third = drawn * left * (everyone - 2 * drawn) * cubes / (everyone * (everyone - 1) * (everyone - 2))
    z = total / math.sqrt(variance)
    skewness = third / variance**1.5
    if skewness < 0:
        z, skewness = -z, -skewness
    if skewness < _FLAT:
        return normal_tails(z)
    shape = 4 / skewness**2
    at = shape + z * math.sqrt(shape)
    upper = gamma_tail(at, shape)
    return min(2 * min(upper, 1 - upper), 1.0)


def gamma_tail(value: float, shape: float) -> float:
    """The chance that a gamma variable of scale 1 is ``value`` or more.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.5.29 and 6.5.31.

    Args:
        value: any number; below 0 the chance is 1.
        shape: above 0.
    """
    if value <= 0:
        return 1.0
    front = math.exp(shape * math.log(value) - value - math.lgamma(shape))
    if value < shape + 1:
        term = total = 1 / shape
        for step in range(1, _STEPS):
            term *= value / (shape + step)
            total += term
            if term < total * _SAME:
                break
        return min(max(1 - front * total, 0.0), 1.0)
    # The continued fraction, by Lentz's method.
    below = value + 1 - shape
    upper, lower = math.inf, 1 / below
    whole = lower
    for step in range(1, _STEPS):
        factor = -step * (step - shape)
        below += 2
        lower = 1 / (factor * lower + below)
        upper = below + factor / upper
        whole *= lower * upper
        if abs(lower * upper - 1) < _SAME:
            break
    return min(front * whole, 1.0)
