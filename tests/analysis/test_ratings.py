"""Which decisions a rating counts, and what it makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bgtools.analysis.ratings.bmab import title as bmab_title
from bgtools.analysis.ratings.gnubg import GNUBG, label as gnubg_label
from bgtools.analysis.ratings.registry import count_checker, count_cube, count_none, count_resignation, rate
from bgtools.analysis.ratings.rule import Count, JudgedCubeAction, JudgedPlay, named
from bgtools.analysis.ratings.xg import XG, label as xg_label
from bgtools.analysis.rows import DecisionKind, DecisionRow
from bgtools.engines.protocol import CubeAnswer, Probabilities, Stamp


def xg_cube(*judged: Any, **how: Any) -> Count:
    return XG.cube_action(JudgedCubeAction(*judged, **how))


def gnubg_cube(*judged: Any) -> Count:
    return GNUBG.cube_action(JudgedCubeAction(*judged))


STAMP = Stamp("test", "1", "quick", "none")
COUNTED, LEFT_OUT = Count(True, "test"), Count(False, "test")


def _answer(no_double: float, double_take: float) -> CubeAnswer:
    return CubeAnswer(no_double, double_take, 1.0, Probabilities(0.5, 0, 0, 0, 0), "1-ply", STAMP)


def _row(
    loss: float,
    xg: Count = COUNTED,
    gnubg: Count = COUNTED,
    *,
    bmab: Count | None = None,
    kind: DecisionKind = "checker play",
    player: int = 0,
    mwc: float | None = None,
) -> DecisionRow:
    row = DecisionRow(
        game=1,
        turn=1,
        row=1,
        entry=1,
        player=player,
        name="AB"[player],
        kind=kind,
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
    counts = {"xg": xg, "bmab": bmab or xg, "gnubg": gnubg, "snowie": COUNTED, "opengammon": COUNTED}
    return replace(row, loss=loss, loss_mwc=mwc, counted_by=counts)


def test_pr_is_500_times_the_mean_counted_loss() -> None:
    rows = [_row(0.0), _row(0.03), _row(0.06), _row(0.0009, xg=LEFT_OUT), replace(_row(0.0, LEFT_OUT), loss=None)]
    rating = rate(0, rows, length=7)["xg_pr"]
    assert rating.value == pytest.approx(500 * 0.09 / 3)
    assert rating.loss == pytest.approx(0.09)
    assert (rating.counted, rating.divided_by, rating.label) == (3, 3, "")
    assert rating.value_mwc is None


def test_a_1_point_match_is_rated_half_as_much_again() -> None:
    assert rate(0, [_row(0.01)], length=1)["xg_pr"].value == pytest.approx(7.5)
    assert rate(0, [_row(0.01)], length=1)["bmab_pr"].value == pytest.approx(7.5)
    assert rate(0, [_row(0.01)], length=1)["gnubg_er"].value == pytest.approx(10.0)
    assert rate(0, [_row(0.01)], length=3)["xg_pr"].value == pytest.approx(5.0)


def test_one_match_all_ratings() -> None:
    """Ann: plays .01, .02 and 0 (forced), a double missed for .06, a resignation worth .30. Bob: two plays of .05."""
    ann = [
        _row(0.01, mwc=0.002),
        _row(0.02, mwc=0.004),
        _row(0.0, LEFT_OUT, LEFT_OUT, mwc=0.0),
        _row(0.06, kind="no double", mwc=0.006),
        replace(
            _row(0.30, kind="resign"),
            counted_by={**dict.fromkeys(("xg", "gnubg", "snowie", "opengammon"), LEFT_OUT), "bmab": COUNTED},
        ),
    ]
    ratings = rate(0, [*ann, _row(0.05, player=1), _row(0.05, player=1)], length=7)
    values = {name: rating.value for name, rating in ratings.items()}
    assert values == pytest.approx(
        {
            "xg_pr": 500 * 0.09 / 3,
            "bmab_pr": 500 * 0.39 / 4,
            "gnubg_er": 1000 * 0.09 / 3,
            "gnubg_checker_er": 1000 * 0.03 / 2,
            "gnubg_cube_er": 1000 * 0.06 / 1,
            "snowie_er": 1000 * 0.09 / 5,  # three moves of hers, two of his
            "opengammon_er": 1000 * 0.09 / 3,
        }
    )
    assert ratings["gnubg_er"].value_mwc == pytest.approx(1000 * 0.012 / 3)
    assert ratings["gnubg_cube_er"].value_mwc == pytest.approx(6.0)
    assert ratings["snowie_er"].value_mwc == pytest.approx(1000 * 0.012 / 5)
    assert (ratings["snowie_er"].counted, ratings["snowie_er"].divided_by) == (4, 5)


def test_gnubg_error_rate_is_1000_times_the_mean_counted_loss() -> None:
    rating = rate(0, [_row(0.01), _row(0.02), _row(0.5, gnubg=LEFT_OUT)], length=7)["gnubg_er"]
    assert rating.value == pytest.approx(15.0)
    assert rating.label == ""


def test_a_name_takes_thirty_decisions_and_tells_how_far_its_interval_reaches() -> None:
    assert [rate(0, [_row(0.012)] * count, length=7)["xg_pr"].label for count in (3, 29, 30)] == ["", "", "Expert"]
    assert named(xg_label, 30, 6.0, 5.5, 8.0) == "Expert"  # two names are near enough to each other
    assert named(xg_label, 30, 6.0, 2.0, 13.0) == "World Champion to Intermediate"
    assert named(xg_label, 29, 6.0, 2.0, 13.0) == ""


def test_an_interval_that_passes_the_last_name_says_so() -> None:
    # BMAB has no title above 16, and a plug-in's rating may have none below some figure.
    assert named(bmab_title, 30, 8.07, 3.9, 17.0) == "Grandmaster to no title"
    assert named(bmab_title, 30, 14.0, 9.0, 24.0) == "Advanced to no title"
    assert named(bmab_title, 30, 20.0, 17.0, 24.0) == ""
    assert (
        named(lambda value: "" if value < 5 else "Good" if value < 7 else "Beginner", 30, 6.0, 4.0, 9.0)
        == "no title to Beginner"
    )
    wide = rate(0, [*[_row(0.0)] * 60, *[_row(0.3)] * 3], length=7)["xg_pr"]
    assert wide.low is not None
    assert wide.high is not None
    assert wide.label == f"{xg_label(wide.low)} to {xg_label(wide.high)}"


def test_without_a_counted_decision_there_is_no_rating() -> None:
    assert rate(0, [_row(0.0, xg=LEFT_OUT)], length=7)["xg_pr"].value is None
    assert all(rating.value is None and rating.label == "" for rating in rate(0, [], length=7).values())


def test_every_convention_has_its_verdict_and_says_why() -> None:
    forced = count_checker([0.1])
    assert (forced["xg"], forced["bmab"], forced["gnubg"]) == (Count(False, "forced"),) * 3
    assert forced["snowie"] == forced["opengammon"] == Count(True, "every move counts")
    close = count_cube("no double", _answer(0.50, 0.29), 0.0, dead=False)
    assert (close["xg"].counted, close["gnubg"].counted, close["snowie"].counted) == (False, False, True)
    raccoon = count_cube("raccoon", _answer(0.5, -0.5), 0.4, dead=False)
    assert [raccoon["xg"].counted, raccoon["gnubg"].counted, raccoon["snowie"].counted] == [False, False, True]
    wrong, right = count_resignation(0.3), count_resignation(0.0)
    assert [verdict.counted for verdict in _all(wrong)] == [False, True, False, False, False]
    assert not any(verdict.counted for verdict in _all(right))
    assert [verdict.why for verdict in _all(count_none("no reason"))] == ["no reason"] * 5
    for verdicts in (forced, close, raccoon, wrong, right):
        assert all(verdict.why for verdict in _all(verdicts))


def _all(verdicts: dict[str, Count]) -> list[Count]:
    return [verdicts[name] for name in ("xg", "bmab", "gnubg", "snowie", "opengammon")]


@pytest.mark.parametrize(
    ("value", "title"),
    [
        (2.5, "Super Grandmaster"),
        (4.0, "Grandmaster"),
        (4.01, "Master"),
        (10, "Advanced"),
        (16, "Intermediate"),
        (17, ""),
    ],
)
def test_bmab_titles(value: float, title: str) -> None:
    assert bmab_title(value) == title


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
    assert XG.checker_play(JudgedPlay(equities)).counted == xg
    assert GNUBG.checker_play(JudgedPlay(equities)).counted == gnubg


@pytest.mark.parametrize(
    ("no_double", "double_take", "loss", "counted"),
    [
        (0.50, 0.35, 0.0, True),
        (0.50, 0.29, 0.0, False),  # ND - DT > .200
        (1.25, 1.30, 0.0, False),  # ND - DP > .200
        (1.15, 1.30, 0.0, True),
        (-0.95, -0.95 - 0.15, 0.0, False),  # lost
        (0.6000, 0.5995, 0.0, False),  # nothing between them
        (0.6000, 0.6015, 0.0015, True),  # but they erred
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


def test_forced_plays_divide_whether_an_engine_has_looked_at_them_or_not() -> None:
    refused = count_none("nobody looked", forced=True)
    assert (refused["xg"], refused["gnubg"]) == (Count(False, "forced"), Count(False, "forced"))
    forced = replace(_row(0.0, LEFT_OUT, LEFT_OUT), loss=None)
    ratings = rate(0, [_row(0.06, mwc=0.02), forced, forced], length=7)
    assert ratings["snowie_er"].value == ratings["opengammon_er"].value == pytest.approx(20)
    assert ratings["snowie_er"].value_mwc == pytest.approx(20 / 3)
    assert ratings["gnubg_er"].value == pytest.approx(60)
    assert rate(0, [forced], length=7)["snowie_er"].value is None
