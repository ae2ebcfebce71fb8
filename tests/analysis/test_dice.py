"""The dice of a record: what is tested, when a bias is found, and when none is."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.dice import ROLLS, DiceReport, dice_report, rolls_of
from bgtools.replayer.match import replay
from selfplay import random_match, roll
from support import mat, read_text, rows

if TYPE_CHECKING:
    from bgtools.board.board import Dice

NAMES = ("Ann", "Bob")


def _report(dice: list[Dice], *, players: int = 2) -> DiceReport:
    """The report on these rolls, made by turns, Ann first."""
    return dice_report([(number % players, each) for number, each in enumerate(dice)], NAMES)


def _row(report: DiceReport, test: str, player: int | None) -> tuple[float | None, float | None, float | None]:
    (found,) = [row for row in report.tests if row.test == test and row.player == player]
    return found.statistic, found.chance, found.corrected


def test_opening_rolls_are_left_out_and_the_higher_number_comes_first() -> None:
    text = mat(*rows(("31: 8/5 6/5", "25: 13/11 13/8"), ("66: 24/18(2) 13/7(2)", "")))
    games = replay(read_text(text))
    assert rolls_of(games) == [(1, (5, 2)), (0, (6, 6))]
    report = dice_report(rolls_of(games), NAMES)
    assert report.rolls == 2
    assert report.faces == ((0, 0, 0, 0, 0, 2), (0, 1, 0, 0, 1, 0))
    assert report.pairs[0]["66"] == 1
    assert list(report.pairs[0]) == [f"{high}{low}" for high, low in ROLLS]


def test_rolls_that_might_have_danced_are_left_out_whether_they_did_or_not() -> None:
    cells = [("62: 24/18 13/11", "55: 8/3(2) 6/1*(2)"), ("66:", "31: 13/10 6/5"), ("42: bar/21 8/6", "21: 13/11 6/5")]
    games = replay(read_text(mat(*rows(*cells))))
    assert all(turn.is_legal for turn in games[0].turns)
    assert rolls_of(games) == [(1, (5, 5)), (1, (3, 1)), (1, (2, 1))]


def test_the_statistics_by_hand() -> None:
    report = _report([(6, 6), (6, 6), (6, 5), (2, 1)])
    # Ann rolled 66 and 65, Bob 66 and 21.
    assert report.faces == ((0, 0, 0, 0, 1, 3), (1, 1, 0, 0, 0, 2))
    # Four numbers, 2/3 of each due: (1/3)² + (7/3)² + 4 (2/3)², over 2/3.
    assert _row(report, "faces", 0)[0] == pytest.approx((1 / 9 + 49 / 9 + 16 / 9) * 3 / 2)
    assert _row(report, "doubles", None)[0] == 2
    # 12 and 12, 12 and 11, 11 and 3, less 7 each, over three times the variance.
    assert _row(report, "serial", None)[0] == pytest.approx((25 + 20 - 16) / (3 * 35 / 6))


def test_without_rolls_there_is_nothing_to_test() -> None:
    report = dice_report((), NAMES)
    assert report.sentence == "No rolls to test the dice by."
    assert all(row.chance is None and row.corrected is None for row in report.tests)


def test_few_rolls_can_show_nothing_and_it_is_said() -> None:
    report = _report([(6, 6), (6, 6)])
    assert all(row.visible is None for row in report.tests if row.test == "faces")
    assert "So few rolls can show no bias." in report.sentence


def test_a_loaded_die_is_found_and_whose_it_is() -> None:
    rng = random.Random(3)

    def loaded(number: int) -> Dice:
        if number % 2:
            return roll(rng)
        one, two = rng.choice((6, 6, 6, 1, 2, 3, 4, 5)), rng.choice((6, 6, 6, 1, 2, 3, 4, 5))
        return max(one, two), min(one, two)

    report = _report([loaded(number) for number in range(300)])
    assert (_row(report, "faces", 0)[2] or 0) < 0.001
    assert (_row(report, "faces", 1)[2] or 0) > 0.05
    assert report.sentence.startswith("12 tests on 300 rolls found something unusual: ")
    assert "faces of Ann" in report.sentence


def test_rolls_that_alternate_are_found_by_the_serial_test() -> None:
    report = _report([(6, 5) if number % 2 else (2, 1) for number in range(100)], players=1)
    assert (_row(report, "serial", 0)[2] or 0) < 1e-6


@pytest.mark.thorough
def test_fair_dice_are_found_guilty_no_more_often_than_said() -> None:
    guilty = 0
    for seed in range(120):
        rng = random.Random(seed)
        report = _report([roll(rng) for _ in range(40)])
        guilty += any((row.corrected or 0.0) < 0.05 for row in report.tests)
    assert guilty <= 11  # 5% of 120 are 6, with a deviation of 2.4


@pytest.mark.thorough
@pytest.mark.parametrize("test", ["faces", "doubles"])
def test_the_bias_said_to_be_visible_is_seen_four_times_in_five(test: str) -> None:
    rolls, seen, runs = 200, 0, 100
    (row,) = [each for each in _report([(2, 1)] * rolls).tests if each.test == test and each.player is None]
    assert row.visible is not None
    for seed in range(runs):
        rng = random.Random(seed)

        def number(rng: random.Random = rng) -> int:
            return 6 if rng.random() < (row.visible or 0) else rng.randint(1, 5)

        def double(rng: random.Random = rng) -> Dice:
            if rng.random() < (row.visible or 0):
                return (each := rng.randint(1, 6)), each
            one, two = rng.sample(range(1, 7), 2)
            return max(one, two), min(one, two)

        drawn = [double() if test == "doubles" else (number(), number()) for _ in range(rolls)]
        found = _row(_report(drawn), test, None)[2]  # after Holm's correction
        assert found is not None
        seen += found < 0.05
    assert 70 <= seen <= 90  # 80 and two and a half deviations


def test_the_same_match_gives_the_same_report() -> None:
    rolled = rolls_of(replay(random_match(4, 5)))
    report = dice_report(rolled, NAMES)
    assert report == dice_report(rolled, NAMES)
    assert sum(sum(faces) for faces in report.faces) == 2 * report.rolls
    assert sum(sum(pairs.values()) for pairs in report.pairs) == report.rolls
