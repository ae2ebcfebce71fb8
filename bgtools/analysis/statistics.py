"""Statistics: distributions for tests of dice, a permutation test, and intervals by resampling.

Distributions for tests of dice: χ², the binomial, and exact ones for few rolls.

Closed forms only, so that nothing more than the standard library is needed and equal input gives equal output.

Whether some matches stand out among all: the permutation test, by its first three moments.

The matches of a player are some of all that were played. If nothing set them apart, any others could have been drawn in
their place. The sum of the figures of such a draw has a mean, a variance and a skewness that follow from the figures of
all matches, and a gamma distribution of the same three moments (Pearson's type III) gives the chances. The figures may
be as skewed as losses are.

Source: Paul W. Mielke and Kenneth J. Berry, "Permutation Methods: A Distance Function Approach", 2nd edition, 2007,
chapter 2; the moments are those of a sum drawn without putting back from a finite population.

Intervals by resampling: how different a sum could have been with other decisions of the same player.

Source: Bradley Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7, 1979, and "The
Jackknife, the Bootstrap and Other Resampling Plans", 1982, chapter 10. The draws are always the same, so that equal
figures have equal intervals.
"""

from __future__ import annotations

import math
import sys
from array import array
from contextlib import suppress
from functools import lru_cache
from math import fsum, sqrt
from operator import mul
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_NORMAL: Final = NormalDist()
_SAME_LOG: Final = 1e-9
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
        shares: the expected share of each.
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
    return min(math.fsum(math.exp(log) for log in logs if log <= logs[hits] + _SAME_LOG), 1.0)


MANY_TRIALS: Final = 50_000
"""Up to so many trials the chance of a number of hits is exact."""


def multinomial_tail(counts: Sequence[int], shares: Sequence[int]) -> float | None:
    """The exact chance of Pearson's χ² as great as that of ``counts``, or greater.

    With chances in whole shares, χ² is a linear function of S = Σ (all shares / share) count², a whole number where
    every share divides their sum. The chance of each S follows category by category: the counts have the distribution
    of Poisson counts with a given sum.

    Args:
        counts: how often each category came.
        shares: the expected share of each, in whole numbers that divide their sum.

    Returns:
        The chance; None where the table would be too large.
    """
    whole, trials = sum(shares), sum(counts)
    weights = [whole // share for share in shares]
    common = math.gcd(*weights)
    weights = [weight // common for weight in weights]
    reached = sum(weight * count * count for weight, count in zip(weights, counts, strict=True))
    if (trials + 1) * reached * math.isqrt(reached) * len(shares) > _LARGEST:
        return None
    if not reached:
        return 1.0
    # A row for each number of trials: the chances of every S below the one reached, side by side in one whole number.
    # So a whole row is moved, weighed and added at once.
    rows = [1 << _POINT, *[0] * trials]
    ones = sum(1 << _CELL * at for at in range(reached)) * _FRACTION
    for share, weight in zip(shares, weights, strict=True):
        mean = trials * share / whole
        following = [0] * (trials + 1)
        for count in range(min(math.isqrt((reached - 1) // weight), trials) + 1):
            chance = round(math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) * _ONE)
            moved = weight * count * count
            kept = (1 << _CELL * (reached - moved)) - 1
            for at in range(trials + 1 - count):
                if rows[at]:
                    following[at + count] += (rows[at] & kept) * chance << _CELL * moved
        rows = [row >> _POINT & ones for row in following]
    below = 0
    while rows[trials]:
        below += rows[trials] & _FRACTION
        rows[trials] >>= _CELL
    given = math.exp(trials * math.log(trials) - trials - math.lgamma(trials + 1))
    return min(max(1.0 - below / _ONE / given, 0.0), 1.0)


_POINT: Final = 64
_ONE: Final = 1 << _POINT
_CELL: Final = 2 * _POINT + 8
_FRACTION: Final = (1 << _POINT + 8) - 1
"""A chance as a whole number, in parts of 2^64; a cell has room for a product of two."""
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
    deviation = VARIANCE_OF_A_ROLL * math.sqrt(pairs)
    if pairs > MANY_PAIRS:
        return normal_tails(total / deviation)
    if not total:
        return 1.0
    # The sum is periodic: with this span what wraps around is too small to matter.
    span = min(_LARGEST_PRODUCT * pairs, math.ceil(14 * deviation) + abs(total))
    most = abs(total) - 1
    inside = 2.0 * most + 1
    for at in range(1, span + 1):
        angle = 2 * math.pi * at / (2 * span + 1)
        if angle > _FAR and pairs >= _FADING:
            break
        there = _characteristic(angle, pairs)
        inside += there * 2 * math.sin((most + 0.5) * angle) / math.sin(angle / 2)
    return min(max(1.0 - inside / (2 * span + 1), 0.0), 1.0)


_SIZES: Final = (6 / 36, 10 / 36, 8 / 36, 6 / 36, 4 / 36, 2 / 36)
"""How likely a roll deviates from 7 by 0, 1, … 5."""
_FADING: Final = 100
_FAR: Final = 0.25
"""From this angle on each pair takes the characteristic function to .71 of itself at most: with so many pairs nothing
is left of it there that could be told."""


def _characteristic(angle: float, pairs: int) -> float:
    """The characteristic function of a serial product sum at an angle."""
    step = [[share * math.cos(angle * one * two) for two in range(6)] for one, share in enumerate(_SIZES)]
    found = [*_SIZES]
    left = pairs
    while left and any(map(any, step)):
        if left & 1:
            found = [sum(map(mul, row, found)) for row in step]
        left >>= 1
        if left:
            columns = [*zip(*step, strict=True)]
            step = [[sum(map(mul, row, column)) for column in columns] for row in step]
            if max(max(map(abs, row)) for row in step) < _NOTHING:
                return 0.0
    return sum(found)


_NOTHING: Final = 1e-30


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


_FLAT: Final = 1e-4
"""A skewness below this makes no difference that could be printed."""
_STEPS: Final = 10_000
_NEGLIGIBLE: Final = 1e-13


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
            if term < total * _NEGLIGIBLE:
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
        if abs(lower * upper - 1) < _NEGLIGIBLE:
            break
    return min(front * whole, 1.0)


FEW_DECISIONS: Final = 30
"""Fewer decisions than this tell too little for an interval."""

FEW_GROUPS: Final = 8
"""Fewer groups than this tell too little."""

_DRAWS: Final = 1000
MANY_VALUES: Final = 2000
"""From so many on a sum is as good as normal."""
_HALF_OF_95: Final = 1.96
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
        """The 95% interval of the sum; None for fewer than `FEW_DECISIONS` values."""
        if self.number >= MANY_VALUES:
            return _interval_of_many(self.number, self.total, self.squares)
        return interval_of_sum(self.values or ())


def interval_of_sum(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95% interval of the sum of values drawn like these; None for fewer than `FEW_DECISIONS`.

    Losses are lopsided: a sample without a blunder has too small a sum and too small a spread at once. So it does not
    count how far the sums of the draws are off, but how many of their own spreads: the bootstrap-t. The interval ends
    where the values do: a sum of losses is never below 0. The order of the values makes no difference.
    """
    count = len(values)
    if count < FEW_DECISIONS:
        return None
    found = sorted(map(float, values))
    total, squares = sum(found), sum(map(mul, found, found))
    if count >= MANY_VALUES:
        return _interval_of_many(count, total, squares)
    spread = _spread(count, total, squares)
    if not spread:
        return total, total
    least = (_LEAST_SPREAD * spread) ** 2
    low, high = _middle(
        [(one - total) / sqrt(max(two - one * one / count, least)) for one, two in _sums_of_draws(found)]
    )
    return max(total - high * spread, count * found[0]), min(total - low * spread, count * found[-1])


def _sums_of_draws(values: Sequence[float]) -> list[tuple[float, float]]:
    """The sum and the sum of squares of each draw of some values."""
    count = len(values)
    if count >= _MANY_DRAWN or "numpy" in sys.modules:
        with suppress(ImportError):
            import numpy as np

            which = np.random.default_rng(_SEED).integers(count, size=(_DRAWS, count), dtype=np.int32)
            drawn = np.array(values)[which]
            return [*zip(drawn.sum(1).tolist(), np.einsum("ij,ij->i", drawn, drawn).tolist(), strict=True)]
    one, two = values.__getitem__, [each * each for each in values].__getitem__
    return [(sum(map(one, drawn)), sum(map(two, drawn))) for drawn in _draws(count)]


_MANY_DRAWN: Final = 400
"""From so many values on NumPy draws and adds up, where it is installed: the same in a fifth of the time. One match
has fewer, and need not wait for it to be loaded."""


GAME_EFFECT: Final = 1.8
"""By how much losses of one game hang together: the variance of a sum over games is about so many times what it would
be if decisions were independent. It was 1.5 in 294 recorded games; with 1.8 intervals cover as they say for few games
too, whose sums are lopsided (docs/figures.md)."""


def interval_of_losses(losses: Sums) -> tuple[float, float] | None:
    """The 95% interval of a sum of losses, 0 or more, when the games had been others; None for few decisions.

    Decisions of a game hang together: one plan that is misjudged costs several times. So the interval of independent
    decisions is widened by the root of the design effect of games.

    Source: Leslie Kish, "Survey Sampling", 1965, section 5.4.
    """
    interval = losses.interval
    if interval is None:
        return None
    factor, total = sqrt(GAME_EFFECT), losses.total
    return max(total - factor * (total - interval[0]), 0.0), total + factor * (interval[1] - total)


def _interval_of_many(count: int, total: float, squares: float) -> tuple[float, float]:
    """The 95% interval of the sum of `MANY_VALUES` values or more, which their sum and sum of squares tell."""
    half = _HALF_OF_95 * _spread(count, total, squares)
    return total - half, total + half


def _spread(count: int, total: float, squares: float) -> float:
    """The standard error of a sum; 0 where all values are equal but for rounding."""
    variance = squares - total * total / count
    return sqrt(variance) if variance > _ROUNDING * squares else 0.0


def interval_of_mean(groups: Sequence[tuple[float, int]]) -> tuple[float, float] | None:
    """The 95% interval of a mean over groups whose members hang together, such as the decisions of a game.

    Args:
        groups: sum and number of each; whole groups are drawn. Fewer than `FEW_GROUPS` give None.
    """
    if len(groups) < FEW_GROUPS:
        return None
    sums, counts = ([each[at] for each in groups] for at in (0, 1))
    return _middle(
        [sum(map(sums.__getitem__, drawn)) / sum(map(counts.__getitem__, drawn)) for drawn in _draws(len(groups))]
    )


def interval_of_distances(
    blocks: Sequence[Sequence[Sequence[tuple[float, int, float, int]]]],
) -> tuple[float, float] | None:
    """The 95% interval of the mean distance between pairs of means, such as the ratings of players by two programs.

    Chance alone sets two means apart, so that most draws lie further apart than what was measured: the interval tells
    whether two measured distances can be told from each other, and not how far the means are apart in truth.

    Args:
        blocks: one for each match: of each game, for each pair of means, sum and number of the one and of the other.
            Games are drawn within their match. Fewer than `FEW_GROUPS` in all give None.
    """
    if sum(map(len, blocks)) < FEW_GROUPS:
        return None
    distances: list[list[float]] = [[] for _ in range(_DRAWS)]
    begin = 0
    for games in blocks:
        draws, begin = _drawn(len(games), begin)
        for drawn, found in zip(_rows(draws, len(games)), distances, strict=True):
            for pair in zip(*map(games.__getitem__, drawn), strict=True):
                one, many, other, others = map(sum, zip(*pair, strict=True))
                if many and others:  # a draw may hold nothing to divide by
                    found.append(abs(other / others - one / many))
    return _middle([sum(each) / len(each) for each in distances if each])


def _middle(drawn: list[float]) -> tuple[float, float]:
    """Where the middle 95% of some values begin and end, as by `numpy.percentile`."""
    drawn.sort()
    return _at(drawn, 0.025 * (len(drawn) - 1)), _at(drawn, 0.975 * (len(drawn) - 1))


def _at(ordered: Sequence[float], rank: float) -> float:
    """The value at a place between two values, measured from the nearer one."""
    below = int(rank)
    one, two, part = ordered[below], ordered[below + 1], rank - below
    return one + (two - one) * part if part < 0.5 else two - (two - one) * (1 - part)


@lru_cache(maxsize=16)
def _draws(count: int) -> list[array[int]]:
    """Which of some values are drawn, a row per draw."""
    return _rows(_drawn(count, 0)[0], count)


def _rows(drawn: array[int], count: int) -> list[array[int]]:
    return [drawn[at : at + count] for at in range(0, len(drawn), count)]


def _drawn(count: int, begin: int) -> tuple[array[int], int]:
    """As many draws as are made of some values, one behind the other, and the random number that comes next.

    Source: Daniel Lemire, "Fast Random Integer Generation in an Interval", ACM Transactions on Modeling and Computer
    Simulation 29, 2019: the upper half of a product, and another number where the lower half is one of few.

    Args:
        count: how many values there are.
        begin: the first random number to use.
    """
    least, needed = (1 << 32) % count, _DRAWS * count if count > 1 else 0
    found = array("i", bytes(4 * _DRAWS)) if count == 1 else array("i")
    while len(found) < needed:
        numbers = _random(begin, needed - len(found))
        begin += len(numbers)
        found.extend([number * count >> 32 for number in numbers if number * count & 0xFFFFFFFF >= least])
    return found, begin


_SEED: Final = 1979
_MULTIPLIER: Final = 0x2360ED051FC65DA44385DF649FCCF645
_SEEDED: Final = 0x48FC6CA49C8D2D8A1BFC8520D037581E
_INCREMENT: Final = 0x8037CEF3C2272E3A756021126D1CA9A5
"""Where `_SEED` begins."""
_BITS_64: Final = (1 << 64) - 1
_BITS_128: Final = (1 << 128) - 1
_random_numbers: Final = array("I")
_random_state: list[int] = [_SEEDED]


def _random(begin: int, many: int) -> array[int]:
    """Random whole numbers of 32 bits, always the same: those of `numpy.random.default_rng` with `_SEED`.

    Source: Melissa O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
    Number Generation", 2014: PCG-XSL-RR-128/64.
    """
    known, (state,) = _random_numbers, _random_state
    while len(known) < begin + many:
        state = state * _MULTIPLIER + _INCREMENT & _BITS_128
        word, turn = (state >> 64) ^ state & _BITS_64, state >> 122
        word = (word >> turn | word << 64 - turn) & _BITS_64
        known.append(word & 0xFFFFFFFF)
        known.append(word >> 32)
    _random_state[0] = state
    return known[begin : begin + many]
