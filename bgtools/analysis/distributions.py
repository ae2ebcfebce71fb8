"""Distributions for tests of dice: χ², the binomial, and exact ones for few rolls.

Closed forms only, so that nothing more than the standard library is needed and equal input gives equal output.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NORMAL: Final = NormalDist()
_SAME: Final = 1e-9
"""Relative difference up to which two probabilities, or two statistics, count as equal."""


@lru_cache(maxsize=1024)
def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance that χ² is ``statistic`` or more.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.

    Args:
        statistic: the value found, at least 0.
        freedom: degrees of freedom, at least 1.
    """
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    if freedom % 2:
        root = math.sqrt(statistic)
        tail = math.erfc(root / math.sqrt(2))
        # The density at the root, times 2 and the powers of the root over odd factorials.
        term = math.sqrt(2 / math.pi) * math.exp(-half) * root
        for step in range(1, (freedom - 1) // 2 + 1):
            tail += term
            term *= statistic / (2 * step + 1)
        return min(tail, 1.0)
    term = total = math.exp(-half)
    for step in range(1, freedom // 2):
        term *= half / step
        total += term
    return min(total, 1.0)


def chi_square_bound(chance: float, freedom: int) -> float:
    """The χ² that is exceeded with this chance, between 0 and 1."""
    return _solve(lambda value: chance - chi_square_tail(value, freedom), 0.0, 1.0)


def visible_share(shares: Sequence[int], trials: int, chance: float, power: float) -> float | None:
    """The smallest share of one category that Pearson's χ² shows with a power; None where no share is great enough.

    The category is one of the likeliest, and the others shrink in proportion. Under such a bias the statistic is taken
    for normal, with the mean and the variance that a quadratic form of multinomial counts has.

    Args:
        shares: what each category is due.
        trials: how many counts there are.
        chance: the level of the test.
        power: how often it is to show the bias, between 0 and 1.
    """
    fair = [share / sum(shares) for share in shares]
    bound, slack = chi_square_bound(chance, len(shares) - 1), -normal_bound(power)
    one = fair.index(max(fair))
    if fair.count(fair[one]) * fair[one] ** trials > chance:
        return None  # not even the same category every time would be significant

    def excess(share: float) -> float:
        found = [share if at == one else each * (1 - share) / (1 - fair[one]) for at, each in enumerate(fair)]
        pairs = list(zip(found, fair, strict=True))
        off = [(have - due) / due for have, due in pairs]
        mean = math.fsum((have * (1 - have) + trials * (have - due) ** 2) / due for have, due in pairs)
        lines = math.fsum(have * each * each for have, each in zip(found, off, strict=True))
        lines -= math.fsum(have * each for have, each in zip(found, off, strict=True)) ** 2
        squares = math.fsum(have * have / due for have, due in pairs) ** 2
        squares += math.fsum(have * have * (1 - 2 * have) / due**2 for have, due in pairs)
        return mean - bound - slack * math.sqrt(4 * trials * lines + 2 * squares)

    return _solve(excess, fair[one], 1.0) if excess(_ALWAYS) > 0 else None


_ALWAYS: Final = 1 - 1e-9


def normal_tails(z: float) -> float:
    """The chance that a standard normal lies as far from 0 as ``z``, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def normal_bound(chance: float) -> float:
    """The standard normal that is exceeded with this chance, between 0 and 1."""
    return _NORMAL.inv_cdf(1 - chance)


def student_tails(t: float, freedom: int) -> float:
    """The chance that Student's t lies as far from 0 as ``t``, on either side.

    Source: Abramowitz and Stegun, 26.7.3 and 26.7.4.

    Args:
        t: the value found.
        freedom: degrees of freedom, at least 1.
    """
    angle = math.atan2(abs(t), math.sqrt(freedom))
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term = math.sin(angle) * (math.cos(angle) if odd else 1.0)
    inside = 0.0
    for step in range(freedom // 2):
        inside += term
        term *= square * (2 * step + 1 + odd) / (2 * step + 2 + odd)
    if odd:
        inside = 2 / math.pi * (angle + inside)
    return min(max(1.0 - inside, 0.0), 1.0)


@lru_cache(maxsize=256)
def student_bound(chance: float, freedom: int) -> float:
    """The distance from 0 that Student's t exceeds with this chance, between 0 and 1, on either side."""
    return _solve(lambda value: chance - student_tails(value, freedom), 0.0, 1.0)


def binomial_tails(hits: int, trials: int, chance: float) -> float:
    """The chance of a number of hits that is no likelier than the one found: the two-sided test.

    It is exact up to `MANY_TRIALS`, then by the normal approximation.

    Args:
        hits: how many there were, 0 to ``trials``.
        trials: how many there could have been.
        chance: of each, between 0 and 1.
    """
    if trials > MANY_TRIALS:
        return normal_tails((hits - trials * chance) / math.sqrt(trials * chance * (1 - chance)))
    one, none = math.log(chance), math.log1p(-chance)
    all_ways = math.lgamma(trials + 1)
    logs = [
        all_ways - math.lgamma(each + 1) - math.lgamma(trials - each + 1) + each * one + (trials - each) * none
        for each in range(trials + 1)
    ]
    return min(math.fsum(math.exp(log) for log in logs if log <= logs[hits] + _SAME), 1.0)


MANY_TRIALS: Final = 50_000
"""Up to so many trials the chance of a number of hits is exact."""


def multinomial_tail(counts: Sequence[int], shares: Sequence[int]) -> float | None:
    """The exact chance of Pearson's χ² as great as that of ``counts``, or greater.

    With chances in whole shares, χ² is a linear function of S = Σ (all shares / share) count², a whole number where
    every share divides their sum. The chance of each S follows category by category: the counts have the distribution
    of Poisson counts with a given sum.

    Args:
        counts: how often each category came.
        shares: what each is due, in whole numbers that divide their sum.

    Returns:
        The chance; None where the table would be too large.
    """
    import numpy as np

    whole, trials = sum(shares), sum(counts)
    weights = [whole // share for share in shares]
    common = math.gcd(*weights)
    weights = [weight // common for weight in weights]
    reached = sum(weight * count * count for weight, count in zip(weights, counts, strict=True))
    if (trials + 1) * reached * math.isqrt(reached) * len(shares) > _LARGEST:
        return None
    if not reached:
        return 1.0
    table = np.zeros((trials + 1, reached))
    table[0, 0] = 1.0
    for share, weight in zip(shares, weights, strict=True):
        mean = trials * share / whole
        following = np.zeros_like(table)
        for count in range(math.isqrt((reached - 1) // weight) + 1):
            if count > trials:
                break
            chance = math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
            at = weight * count * count
            following[count:, at:] += chance * table[: trials + 1 - count, : reached - at]
        table = following
    given = math.exp(trials * math.log(trials) - trials - math.lgamma(trials + 1))
    return min(max(1.0 - float(table[trials].sum()) / given, 0.0), 1.0)


_LARGEST: Final = 30_000_000
"""Additions that an exact test may take, which are some hundredths of a second."""

VARIANCE_OF_A_ROLL: Final = 35 / 6
"""Variance of the two numbers of a roll added up."""

_LARGEST_PRODUCT: Final = 25
MANY_PAIRS: Final = 10_000
"""Up to so many pairs the chance of a serial product sum is exact."""


def products_tail(total: int, pairs: int) -> float:
    """The chance of a serial product sum as far from 0 as ``total``, exact up to `MANY_PAIRS`, then normal.

    The sum is Σ (t - 7)(t' - 7) over all ``pairs`` of consecutive rolls, t being the two numbers of a roll added up.
    Its products are uncorrelated, with mean 0 and variance (35/6)². A deviation and its negative are equally likely,
    so that from roll to roll only its size has to be carried on; the chances follow from the characteristic function.
    """
    import numpy as np

    deviation = VARIANCE_OF_A_ROLL * math.sqrt(pairs)
    if pairs > MANY_PAIRS:
        return normal_tails(total / deviation)
    if not total:
        return 1.0
    # The sum is periodic: with this span what wraps around is too small to matter.
    span = min(_LARGEST_PRODUCT * pairs, math.ceil(20 * deviation) + abs(total))
    angles = 2 * np.pi / (2 * span + 1) * np.arange(span + 1)
    sizes, shares = np.arange(6), np.array([6, 10, 8, 6, 4, 2]) / 36
    step = shares[:, None] * np.cos(angles[:, None, None] * np.outer(sizes, sizes))
    sums = (np.linalg.matrix_power(step, pairs) @ shares).sum(1)
    most = abs(total) - 1
    inside = np.full(span + 1, 2.0 * most + 1)
    inside[1:] = 2 * np.sin((most + 0.5) * angles[1:]) / np.sin(angles[1:] / 2)
    return float(min(max(1.0 - sums @ inside / (2 * span + 1), 0.0), 1.0))


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """The chances, corrected for the number of tests.

    Source: Sture Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
    1979. It holds however the tests depend on each other.
    """
    corrected = [0.0] * len(chances)
    most = 0.0
    for rank, at in enumerate(sorted(range(len(chances)), key=lambda at: chances[at])):
        most = max(most, min((len(chances) - rank) * chances[at], 1.0))
        corrected[at] = most
    return tuple(corrected)


def _solve(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is 0, from ``low`` on."""
    while rising(high) < 0:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


_HALVINGS: Final = 60
