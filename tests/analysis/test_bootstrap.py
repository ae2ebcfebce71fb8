"""Intervals by resampling."""

from __future__ import annotations

import random

import pytest

from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.ratings.rule import mean_loss
from bgtools.analysis.statistics import (
    FEW_DECISIONS,
    FEW_GROUPS,
    GAME_EFFECT,
    MANY_VALUES,
    Sums,
    interval_of_distances,
    interval_of_losses,
    interval_of_mean,
    interval_of_sum,
)
from fixed_engine import FixedEngine
from selfplay import random_match


def test_few_values_have_no_interval() -> None:
    assert interval_of_sum([0.1] * (FEW_DECISIONS - 1)) is None
    assert interval_of_sum([0.1] * FEW_DECISIONS) == pytest.approx((3.0, 3.0))


def test_the_same_values_have_the_same_interval() -> None:
    rng = random.Random(4)
    values = [rng.random() for _ in range(100)]
    assert interval_of_sum(values) == interval_of_sum(list(values))


@pytest.mark.parametrize("count", [100, 1999, 2000])
def test_the_interval_is_about_that_of_the_normal_law(count: int) -> None:
    rng = random.Random(count)
    values = [rng.gauss(1.0, 2.0) for _ in range(count)]
    found = interval_of_sum(values)
    assert found is not None
    middle, half = sum(found) / 2, (found[1] - found[0]) / 2
    assert middle == pytest.approx(sum(values), abs=0.2 * 2 * count**0.5)
    assert half == pytest.approx(1.96 * 2 * count**0.5, rel=0.2)


@pytest.mark.thorough
def test_it_holds_the_truth_about_as_often_as_it_says() -> None:
    # Losses of a player: three decisions in four lose nothing, the others by an exponential law.
    rng = random.Random(7)
    held = 0
    for _ in range(200):
        values = [rng.expovariate(1 / 0.04) if rng.random() < 0.25 else 0.0 for _ in range(120)]
        found = interval_of_sum(values)
        assert found is not None
        held += found[0] <= 120 * 0.01 <= found[1]
    assert 176 <= held <= 198  # .95 of 200, less a little for losses being lopsided


@pytest.mark.thorough
def test_losses_that_hang_together_by_games_are_held_as_often_as_it_says() -> None:
    """Games of a player who at times misjudges a plan, whose decisions lose again and again; games differ in length."""
    rng = random.Random(11)

    def game() -> list[float]:
        misjudged = rng.gammavariate(6.0, 1 / 6.0)
        count = rng.randint(4, 36)
        return [rng.expovariate(1 / 0.04) if rng.random() < 0.25 * misjudged else 0.0 for _ in range(count)]

    many = [game() for _ in range(20_000)]
    mean = sum(map(sum, many)) / sum(map(len, many))
    for count, least in ((3, 0.84), (8, 0.88), (30, 0.9)):
        held = alone = drawn = 0
        for _ in range(300):
            games = [rng.choice(many) for _ in range(count)]
            values = [loss for each in games for loss in each]
            found, independent = interval_of_losses(Sums.of(values)), interval_of_sum(values)
            if found is None or independent is None:
                continue
            drawn += 1
            held += found[0] <= mean * len(values) <= found[1]
            alone += independent[0] <= mean * len(values) <= independent[1]
        assert drawn > 200
        assert least <= held / drawn <= 0.99
        assert alone < held


def test_the_interval_of_losses_is_wider_by_what_games_have_in_common_and_never_below_nothing() -> None:
    rng = random.Random(5)
    values = [rng.expovariate(1.0) for _ in range(120)]
    independent, found = interval_of_sum(values), interval_of_losses(Sums.of(values))
    assert independent is not None
    assert found is not None
    assert found[1] - found[0] == pytest.approx((independent[1] - independent[0]) * GAME_EFFECT**0.5)
    assert interval_of_losses(Sums.of([0.1] * (FEW_DECISIONS - 1))) is None
    rare = interval_of_losses(Sums.of([1.0] + [0.0] * 40))
    assert rare is not None
    assert rare[0] == 0


def _loss(rng: random.Random) -> float:
    """What a decision of a strong player costs: mostly nothing, at times a little, and now and then a blunder."""
    kind = rng.random()
    return 0.0 if kind < 0.75 else rng.expovariate(1 / 0.04) if kind < 0.98 else rng.expovariate(1 / 0.2)


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(("count", "least"), [(30, 0.89), (60, 0.91), (150, 0.92)])
def test_it_holds_the_truth_though_few_blunders_make_up_the_sum(count: int, least: float) -> None:
    # The percentiles of the drawn sums would hold it 81, 86 and 88 times in a hundred.
    truth = count * (0.23 * 0.04 + 0.02 * 0.2)
    rng = random.Random(12)
    held = 0
    for _ in range(400):
        values = [_loss(rng) for _ in range(count)]
        found = interval_of_sum(values)
        assert found is not None
        assert 0 <= found[0] <= sum(values) <= found[1] + 1e-9
        held += found[0] <= truth <= found[1]
    assert least <= held / 400 <= 0.99


def test_a_rating_lies_within_its_interval_and_few_decisions_have_none() -> None:
    analysis = analyse(random_match(4, 7), FixedEngine(0.3, 0.45, play=0.1))
    rows = [replaced for replaced in analysis.decisions if replaced.loss]
    assert len(rows) > 30
    rating = mean_loss(rows)
    assert rating.value is not None
    assert rating.low is not None
    assert rating.high is not None
    assert rating.low <= rating.value <= rating.high
    few = mean_loss(rows[:10])
    assert (few.value is None, few.low, few.high) == (False, None, None)
    for player in analysis.players:
        assert player.luck is not None
        assert player.luck.low is not None


def test_groups_are_drawn_whole() -> None:
    # Decisions of one game are alike, so that ten games are ten values, however many decisions they have.
    alike = [(float(number % 2) * 50, 50) for number in range(10)]
    apart = [(1.0, 2)] * 250
    wide, narrow = interval_of_mean(alike), interval_of_mean(apart)
    assert wide is not None
    assert narrow is not None
    assert wide[0] <= 0.3
    assert wide[1] >= 0.7
    assert narrow == pytest.approx((0.5, 0.5))
    assert interval_of_mean(alike[: FEW_GROUPS - 1]) is None


@pytest.mark.parametrize("count", [10, 40, 1999, 2000, 5000])
def test_sums_tell_the_same_as_the_values_in_any_order(count: int) -> None:
    values = [((7 * at) % 11) / 11 for at in range(count)]
    sums = Sums.of(values)
    assert sums.interval == pytest.approx(interval_of_sum(values[::-1]))
    if count >= MANY_VALUES:
        assert sums._replace(values=None).interval == sums.interval
    else:
        assert (sums.interval is None) == (count < FEW_DECISIONS)


def test_the_distance_between_means_is_as_sure_as_their_games_are_alike() -> None:
    def match(*apart: float) -> list[list[tuple[float, int, float, int]]]:
        """Games of ten decisions in which the second of two ratings is so much higher, for one player."""
        return [[(50.0, 10, 50.0 + 10 * each, 10)] for each in apart]

    assert interval_of_distances([match(*[0.3] * 5), match(*[-0.5] * 3)]) == pytest.approx((0.4, 0.4))
    interval = interval_of_distances([match(0.0, 0.6, 0.0, 0.6, 0.3), match(-0.1, -0.9, -0.5)])
    assert interval is not None
    low, high = interval
    assert 0.05 < low < 0.35
    assert 0.45 < high < 0.75  # 0.9 is the most that games of the second match alone are apart
    assert interval_of_distances([match(*[0.3] * (FEW_GROUPS - 1))]) is None


def test_a_draw_in_which_nothing_counts_is_no_distance() -> None:
    games = [[(0.0, 0, 0.0, 0), (5.0, 10, 8.0, 10)] for _ in range(7)] + [[(5.0, 10, 10.0, 10), (5.0, 10, 8.0, 10)]]
    assert interval_of_distances([games]) == pytest.approx((0.3, 0.4))
