"""FIBS ratings estimated from a match, against what GNU Backgammon prints for the same figures."""

from __future__ import annotations

import pytest

from bgtools.analysis.ratings.rule import RatingResult
from bgtools.analysis.result import AdjustedResult, checker_loss, cube_loss, estimate, luck_difference


def _rate(value: float | None) -> RatingResult:
    return RatingResult(value, None, 0.0, 1, 1, "")


def _result(adjusted: float, low: float = 0.0, high: float = 1.0) -> AdjustedResult:
    return AdjustedResult("mwc", 0.0, 0.0, adjusted, low, high, None, None, "", "")


def test_a_seven_point_match_that_gnu_backgammon_has_judged() -> None:
    # 0.853 lost by 113 unforced plays, 0.031 by 11 close cube decisions, 95.81% with even dice:
    # it prints 93.9, 2.2, 1953.9 and +1027.70.
    found = estimate(_rate(1000 * 0.853 / 113), _rate(1000 * 0.031 / 11), _result(0.9581), 7)
    assert found.checker_loss == pytest.approx(93.9, abs=0.1)
    assert found.cube_loss == pytest.approx(2.2, abs=0.1)
    assert found.rating == pytest.approx(1953.9, abs=0.1)
    assert found.luck_difference == pytest.approx(1027.7, abs=1)


def test_the_difference_by_luck_is_as_uncertain_as_the_result() -> None:
    found = estimate(_rate(None), _rate(None), _result(0.5, 1 / 11, 10 / 11), 4)
    assert (found.luck_difference_low, found.luck_difference_high) == pytest.approx((-1000, 1000))
    found = estimate(_rate(None), _rate(None), _result(0.9, 10 / 11, 1.0), 4)
    assert found.luck_difference_low == pytest.approx(1000)
    assert found.luck_difference_high is None, "a certain winner may be better by any number of points"


def test_the_formulas_by_hand() -> None:
    assert luck_difference(0.5, 7) == pytest.approx(0)
    assert luck_difference(10 / 11, 4) == pytest.approx(1000)  # -2000 / 2 * log10(0.1)
    assert checker_loss(0.01, 1) == pytest.approx(343.24)
    assert cube_loss(0.01, 1) == pytest.approx(3.44)


@pytest.mark.parametrize("result", [0.0, 1.0, -0.02, 1.3])
def test_a_result_that_is_no_chance_tells_no_difference(result: float) -> None:
    assert luck_difference(result, 7) is None


def test_what_is_not_known_is_left_out() -> None:
    nothing = estimate(_rate(None), _rate(None), None, 5)
    assert (nothing.rating, nothing.checker_loss, nothing.cube_loss, nothing.luck_difference) == (None,) * 4
    without_cube = estimate(_rate(10.0), _rate(None), None, 1)
    assert without_cube.rating == pytest.approx(2050 - 343.24)
