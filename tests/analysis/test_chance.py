"""Distributions, each against a count of all cases or against printed tables."""

from __future__ import annotations

import math
import random
from itertools import pairwise, product

import numpy as np
import pytest

from bgtools.analysis.statistics import (
    binomial_tails,
    chi_square_bound,
    chi_square_tail,
    holm,
    multinomial_tail,
    normal_bound,
    products_tail,
    visible_share,
)


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    # Any printed table of χ².
    [(3.841, 1, 0.05), (6.635, 1, 0.01), (5.991, 2, 0.05), (11.070, 5, 0.05), (31.410, 20, 0.05), (37.566, 20, 0.01)],
)
def test_chi_square_is_that_of_the_tables(statistic: float, freedom: int, chance: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chance, abs=2e-5)
    assert chi_square_bound(chance, freedom) == pytest.approx(statistic, abs=1e-3)
    assert chi_square_tail(0.0, freedom) == 1.0


@pytest.mark.parametrize("trials", [30, 300])
@pytest.mark.parametrize("shares", [(1,) * 6, (1,) * 6 + (2,) * 15])
def test_a_bias_that_is_said_to_be_visible_is_seen_as_often_as_asked(shares: tuple[int, ...], trials: int) -> None:
    level, power = 0.05 / 12, 0.8
    share = visible_share(shares, trials, level, power)
    assert share is not None
    fair = np.array(shares) / sum(shares)
    one = int(fair.argmax())
    assert fair[one] < share < 1
    biased = fair * (1 - share) / (1 - fair[one])
    biased[one] = share
    counts = np.random.default_rng(1).multinomial(trials, biased, 20_000)
    statistic = ((counts - trials * fair) ** 2 / (trials * fair)).sum(axis=1)
    assert (statistic > chi_square_bound(level, len(shares) - 1)).mean() == pytest.approx(power, abs=0.04)


def test_a_single_count_shows_no_bias() -> None:
    assert visible_share((1,) * 6, 1, 0.05 / 12, 0.8) is None


@pytest.mark.parametrize(("hits", "trials"), [(0, 1), (1, 1), (3, 10), (0, 10), (10, 10), (5, 30)])
def test_the_binomial_test_adds_up_what_is_no_likelier(hits: int, trials: int) -> None:
    def chance(each: int) -> float:
        return float(math.comb(trials, each) * 5 ** (trials - each) / 6**trials)

    expected = sum(chance(each) for each in range(trials + 1) if chance(each) <= chance(hits) * (1 + 1e-9))
    assert binomial_tails(hits, trials, 1 / 6) == pytest.approx(expected)


@pytest.mark.parametrize("shares", [(1, 1, 1), (2, 1, 1), (2, 2, 1, 1)])
@pytest.mark.parametrize("trials", [1, 2, 5, 6])
def test_the_exact_test_of_fit_counts_all_sequences(shares: tuple[int, ...], trials: int) -> None:
    whole = sum(shares)

    def distance(counts: list[int]) -> float:
        return sum(count * count * whole / share for count, share in zip(counts, shares, strict=True))

    chances: dict[float, float] = {}
    for drawn in product(range(len(shares)), repeat=trials):
        counts = [drawn.count(each) for each in range(len(shares))]
        at = round(distance(counts), 6)
        chances[at] = chances.get(at, 0.0) + math.prod(shares[each] / whole for each in drawn)
    for drawn in ((0,) * trials, tuple(each % len(shares) for each in range(trials))):
        counts = [drawn.count(each) for each in range(len(shares))]
        expected = sum(chance for at, chance in chances.items() if at >= round(distance(counts), 6))
        assert multinomial_tail(counts, shares) == pytest.approx(expected, abs=1e-12)


@pytest.mark.thorough
def test_where_the_exact_test_ends_chi_square_is_as_good() -> None:
    shares = (1, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2, 1)
    rng = random.Random(1)
    compared = 0
    for _ in range(20):
        counts = [0] * 21
        for drawn in rng.choices(range(21), weights=shares, k=85):
            counts[drawn] += 1
        exact = multinomial_tail(counts, shares)
        if exact is None:
            continue
        due = [85 * share / 36 for share in shares]
        statistic = sum((count - each) ** 2 / each for count, each in zip(counts, due, strict=True))
        # Closest where it matters.
        assert chi_square_tail(statistic, 20) == pytest.approx(exact, abs=0.01 if exact > 0.2 else 0.002)
        compared += 1
    assert compared >= 15
    # With many rolls, and with what cannot be, it is left to χ².
    assert multinomial_tail([20] * 21, shares) is None


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_serial_products_are_counted_over_all_sequences(pairs: int) -> None:
    ways: dict[int, int] = {}
    for rolls in product(range(-5, 6), repeat=pairs + 1):
        total = sum(one * two for one, two in pairwise(rolls))
        ways[total] = ways.get(total, 0) + math.prod(6 - abs(each) for each in rolls)
    for total in ways:
        expected = sum(way for at, way in ways.items() if abs(at) >= abs(total)) / 36 ** (pairs + 1)
        assert products_tail(total, pairs) == pytest.approx(expected, abs=1e-12)


def test_many_serial_products_are_normal() -> None:
    deviation = 35 / 6 * math.sqrt(9_000)
    total = round(1.96 * deviation)
    assert products_tail(total, 9_000) == pytest.approx(0.05, abs=5e-4)
    assert products_tail(round(1.96 * 35 / 6 * 200), 40_000) == pytest.approx(0.05, abs=5e-5)


def test_holm_corrects_the_least_chance_most() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.5, 0.9]) == (1.0, 1.0)
    assert holm([]) == ()


def test_the_normal_bound() -> None:
    assert normal_bound(0.025) == pytest.approx(1.959964, abs=1e-6)
