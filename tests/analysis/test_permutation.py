"""The permutation test by moments, against drawing and against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bgtools.analysis.statistics import chi_square_tail, gamma_tail, permutation_tails


@pytest.mark.parametrize("freedom", [1, 2, 3, 8, 41, 400])
@pytest.mark.parametrize("share", [0.05, 0.5, 1.0, 1.5, 3.0])
def test_the_gamma_distribution_is_that_of_chi_square(freedom: int, share: float) -> None:
    statistic = share * freedom
    assert gamma_tail(statistic / 2, freedom / 2) == pytest.approx(chi_square_tail(statistic, freedom), abs=1e-10)


def test_the_gamma_distribution_begins_at_nothing_and_ends() -> None:
    assert gamma_tail(0, 2.5) == gamma_tail(-1, 2.5) == 1
    assert gamma_tail(1, 1) == pytest.approx(math.exp(-1))
    assert 0 <= gamma_tail(1e4, 3) < 1e-12


def of(figures: np.ndarray, drawn: int) -> tuple[float, int, int, float, float]:
    """The figures less their mean: the sum of the first ones, and the moments of all."""
    off = figures - figures.mean()
    return float(off[:drawn].sum()), drawn, len(off), float((off**2).sum()), float((off**3).sum())


@pytest.mark.parametrize(("drawn", "everyone"), [(10, 60), (30, 600), (300, 600), (570, 600)])
def test_chances_are_about_those_of_drawing(drawn: int, everyone: int) -> None:
    rng = np.random.default_rng(16)
    figures = rng.exponential(size=everyone) ** 1.5
    _, _, _, squares, cubes = of(figures, drawn)
    off = figures - figures.mean()
    sums = np.array([rng.permutation(off)[:drawn].sum() for _ in range(20_000)])
    for out in (-2.5, -1.5, 0.3, 2.0, 3.0):
        total = out * float(sums.std())
        shares = (float((sums >= total).mean()), float((sums <= total).mean()))
        assert permutation_tails(total, drawn, everyone, squares, cubes) == pytest.approx(
            min(2 * min(shares), 1), rel=0.25, abs=0.008
        )


def test_equal_matches_are_told_apart_as_rarely_as_is_said() -> None:
    rng = np.random.default_rng(7)
    rare = 0
    for _ in range(2000):
        figures = np.where(rng.random(200) < 0.7, 0.0, rng.exponential(size=200))
        chance = permutation_tails(*of(figures, 15))
        assert chance is not None
        rare += chance < 0.05
    assert 60 <= rare <= 140


def test_what_cannot_be_compared_has_no_chance() -> None:
    assert permutation_tails(0, 0, 9, 1, 0) is None
    assert permutation_tails(0, 9, 9, 1, 0) is None
    assert permutation_tails(0, 1, 2, 1, 0) is None
    assert permutation_tails(0, 3, 9, 0, 0) is None
