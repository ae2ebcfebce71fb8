"""The bear-off table: values known from elsewhere, and values computed by the rules alone."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from bgtools.bearoff.one_sided import (
    MOST_ROLLS,
    PIPS_A_ROLL,
    POINTS,
    course,
    course_of,
    effective_pips,
    is_home,
    mean_rolls,
    numbers_of,
)
from bgtools.board.board import Board, Checkers, checkers
from bgtools.board.generation import legal_plays
from support import ROLLS


@pytest.mark.parametrize(
    ("points", "rolls"),
    [
        ({}, 0),
        ({1: 1}, 1),
        ({1: 2}, 1),
        ({1: 3}, 11 / 6),  # in one roll with a double
        ({6: 1}, 1 + 9 / 36),  # 11, 21, 31, 41 and 32 leave a checker that the next roll takes off
        ({1: 7}, 3.5509259259),  # Walter Trice, Effective Pip Count, 2000
    ],
)
def test_rolls_that_are_known(points: dict[int, int], rolls: float) -> None:
    assert mean_rolls(checkers(points)) == pytest.approx(rolls, abs=1e-9)


def test_effective_pips_that_walter_trice_published() -> None:
    assert effective_pips(checkers({1: 1})) == pytest.approx(8.1667, abs=1e-4)
    assert effective_pips(checkers({1: 7})) == pytest.approx(28.999, abs=1e-3)
    assert effective_pips(checkers({1: 13})) == pytest.approx(50.000004, abs=1e-6)


def test_a_mean_roll_has_as_many_pips_as_the_36_rolls_together() -> None:
    total = sum((2 if high == low else 1) * (high + low) * (1 if high == low else 2) for high, low in ROLLS)
    assert total / 36 == pytest.approx(PIPS_A_ROLL)


def test_it_serves_home_boards_only() -> None:
    assert mean_rolls(checkers({7: 1})) is None
    assert effective_pips(checkers({25: 1, 1: 2})) is None
    assert mean_rolls(checkers({1: 16}, total=16)) is None
    assert not is_home(checkers({6: 1, 7: 1}))
    assert not is_home(checkers({}))
    assert is_home(checkers({6: 1}))


_AWAY = checkers({1: 1})


@cache
def _by_the_rules(side: Checkers) -> float:
    """Mean rolls by trying every legal play of every roll."""
    if not any(side[1:]):
        return 0.0
    total = 0.0
    for dice in ROLLS:
        ways = 1 if dice[0] == dice[1] else 2
        plays = legal_plays(Board(side, _AWAY), dice)
        total += ways * min(_by_the_rules(play.result.mine) for play in plays)
    return 1 + total / 36


def test_the_table_agrees_with_every_legal_play_tried() -> None:
    rng = random.Random(5)
    for _ in range(25):
        points: dict[int, int] = {}
        for _ in range(rng.randint(1, 5)):
            point = rng.randint(1, 6)
            points[point] = points.get(point, 0) + 1
        side = checkers(points)
        assert mean_rolls(side) == pytest.approx(_by_the_rules(side), abs=1e-9), points


def test_a_table_that_reaches_further_agrees_with_every_legal_play_tried() -> None:
    rng, points = random.Random(7), POINTS + 1
    far = course_of(points)
    home = course()
    for _ in range(8):
        side = checkers(Counter([points, *(rng.randint(1, points) for _ in range(rng.randint(0, 3)))]))
        chances = far.chances[numbers_of(np.array([side[1 : points + 1]]))[0]]
        assert chances @ np.arange(MOST_ROLLS) == pytest.approx(_by_the_rules(side), abs=1e-5), side
    # At home both are one table.
    boards = np.array([[rng.randint(0, 2) for _ in range(POINTS)] + [0] for _ in range(50)])
    assert (far.chances[numbers_of(boards)] == home.chances[numbers_of(boards[:, :POINTS])]).all()


@pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
def test_the_table_agrees_with_that_of_bgsage() -> None:
    import bgbot_cpp
    import bgsage

    found = sorted(Path(str(bgsage.__file__)).parent.rglob("bearoff_1sided.db"))
    if not found:
        pytest.skip("this bgsage has no bear-off table")
    table = bgbot_cpp.BearoffDB()
    assert table.load(str(found[0]))
    rng = random.Random(6)
    for _ in range(2000):
        counts = [0] * 26
        for _ in range(rng.randint(1, 15)):
            counts[rng.randint(1, 6)] += 1
        ours = mean_rolls(tuple(counts))
        # It keeps the chances of each number of rolls in 16 bits.
        assert ours == pytest.approx(table.get_mean_rolls(counts, 0), abs=5e-4), counts
