"""Which decisions a rating counts, and what it makes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.analysis.ratings import (
    gnubg_checker,
    gnubg_cube,
    gnubg_label,
    gnubg_rating,
    xg_checker,
    xg_cube,
    xg_label,
    xg_rating,
)
from bgtools.analysis.rows import Count, DecisionRow
from bgtools.engines.protocol import CubeAnswer, Probabilities, Stamp

STAMP = Stamp("test", "1", "quick", "none")
COUNTED, LEFT_OUT = Count(True, "test"), Count(False, "test")


def _answer(no_double: float, double_take: float) -> CubeAnswer:
    return CubeAnswer(no_double, double_take, 1.0, Probabilities(0.5, 0, 0, 0, 0), "1-ply", STAMP)


def _row(loss: float, xg: Count = COUNTED, gnubg: Count = COUNTED) -> DecisionRow:
    row = DecisionRow(
        game=1,
        turn=1,
        player=0,
        name="A",
        kind="checker play",
        score=(0, 0),
        length=7,
        crawford=False,
        cube=1,
        cube_owner="centre",
        dice="31",
        xgid="",
        pips=167,
        opponent_pips=167,
        pips_after=163,
        opponent_pips_after=167,
        played="8/5 6/5",
        legal=True,
    )
    return replace(row, loss=loss, xg=xg, gnubg=gnubg)


def test_pr_is_500_times_the_mean_counted_loss() -> None:
    rows = [_row(0.0), _row(0.03), _row(0.06), _row(0.0009, xg=LEFT_OUT), replace(_row(0.0), loss=None)]
    rating = xg_rating(rows, length=7)
    assert rating.value == pytest.approx(500 * 0.09 / 3)
    assert rating.loss == pytest.approx(0.09)
    assert (rating.counted, rating.label) == (3, "Intermediate")


def test_a_1_point_match_is_rated_half_as_much_again() -> None:
    assert xg_rating([_row(0.01)], length=1).value == pytest.approx(7.5)
    assert xg_rating([_row(0.01)], length=3).value == pytest.approx(5.0)


def test_gnubg_error_rate_is_1000_times_the_mean_counted_loss() -> None:
    rating = gnubg_rating([_row(0.01), _row(0.02), _row(0.5, gnubg=LEFT_OUT)])
    assert rating.value == pytest.approx(15.0)
    assert rating.label == "Intermediate"


def test_without_a_counted_decision_there_is_no_rating() -> None:
    assert xg_rating([_row(0.0, xg=LEFT_OUT)], length=7).value is None
    assert gnubg_rating([]).value is None


@pytest.mark.parametrize(
    ("equities", "xg", "gnubg"),
    [
        ((0.1,), False, False),
        ((0.1, 0.05), True, True),
        ((0.1, 0.1, 0.09995), False, True),
        ((0.1,) * 10 + (-0.5,), False, True),
        ((0.1,) * 9 + (0.0999,), True, True),
    ],
)
def test_checker_plays_that_count(equities: tuple[float, ...], xg: bool, gnubg: bool) -> None:
    assert xg_checker(equities).counted == xg
    assert gnubg_checker(equities).counted == gnubg


@pytest.mark.parametrize(
    ("no_double", "double_take", "loss", "counted"),
    [
        (0.50, 0.35, 0.0, True),
        (0.50, 0.29, 0.0, False),  # ND - DT > .200
        (1.25, 1.30, 0.0, False),  # ND - DP > .200
        (1.15, 1.30, 0.0, True),
        (-0.95, -0.95 - 0.15, 0.0, False),  # lost
        (0.6000, 0.5995, 0.0, False),  # nothing between them
        (0.6000, 0.6015, 0.0015, True),  # but he erred
        (0.50, 0.90, 0.4, True),
    ],
)
def test_doubles_not_made_that_xg_counts(no_double: float, double_take: float, loss: float, counted: bool) -> None:
    verdict = xg_cube("no double", _answer(no_double, double_take), loss)
    assert verdict.counted == counted
    assert verdict.why


def test_xg_counts_every_double_but_no_answer_without_a_difference() -> None:
    assert xg_cube("double", _answer(0.5, 0.1), 0.4).counted
    assert xg_cube("take", _answer(0.5, 0.9), 0.0).counted
    assert not xg_cube("take", _answer(0.9, 1.0005), 0.0005).counted
    assert xg_cube("pass", _answer(0.9, 1.002), 0.0).counted


def test_a_dead_cube_never_counts_for_xg() -> None:
    assert xg_cube("double", _answer(0.5, 0.1), 0.4, dead=True) == Count(False, "dead cube")


def test_gnubg_counts_close_decisions_and_everything_done_but_beavers() -> None:
    assert gnubg_cube("no double", _answer(0.50, 0.35)).counted
    assert not gnubg_cube("no double", _answer(0.50, 0.33)).counted
    assert gnubg_cube("no double", _answer(1.10, 1.30)).counted  # max - min(DT, 1) = .10
    assert not gnubg_cube("no double", _answer(1.20, 1.30)).counted
    assert all(gnubg_cube(kind, _answer(0.5, -0.5)).counted for kind in ("double", "take", "pass"))
    assert not gnubg_cube("beaver", _answer(0.5, -0.5)).counted


@pytest.mark.parametrize(
    ("value", "label"), [(0, "World Champion"), (2.5, "World Champion"), (2.51, "World Class"), (30.1, "Distracted")]
)
def test_xg_labels(value: float, label: str) -> None:
    assert xg_label(value) == label


@pytest.mark.parametrize(("value", "label"), [(1.9, "Supernatural"), (2.0, "World class"), (40, "Awful!")])
def test_gnubg_labels(value: float, label: str) -> None:
    assert gnubg_label(value) == label
