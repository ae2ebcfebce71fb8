"""Sides with checkers outside: their plays are legal, and how many rolls they need is what they take when they play."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from statistics import mean

import numpy as np
import pytest

from bgtools.bearoff.bear_in import Chances, effective, known, play
from bgtools.bearoff.endings import BearoffSolver
from bgtools.bearoff.one_sided import (
    CHANCES,
    MOST_ROLLS,
    PIPS_A_ROLL,
    course,
    course_of,
    number_of,
    numbers_of,
    or_more,
)
from bgtools.board.board import Board, Checkers, checkers
from bgtools.board.generation import legal_plays
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState
from support import ROLLS

AWAY = checkers({1: 1})


def sides(seed: int, many: int) -> list[Checkers]:
    """Sides with one to eight checkers outside."""
    rng = Random(seed)
    found = []
    for _ in range(many):
        outside = rng.randint(1, 8)
        points = [rng.randint(7, 13) for _ in range(outside)]
        points += rng.choices([6, 5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1], k=rng.randint(12, 15) - outside)
        found.append(checkers(Counter(points)))
    return found


def counts(found: list[Checkers]) -> np.ndarray:
    return np.array([side[:25] for side in found])


def effective_ahead(found: list[Checkers]) -> np.ndarray:
    """Effective pips of sides by what every roll leads to."""
    chances = Chances().of(found)
    assert chances is not None
    pips: np.ndarray = chances @ np.arange(MOST_ROLLS) * PIPS_A_ROLL
    return pips


def test_every_play_is_legal() -> None:
    found = sides(1, 12)
    for dice in ROLLS:
        after = play(counts(found), np.array([dice] * len(found)), known())
        for side, played in zip(found, after.tolist(), strict=True):
            legal = {each.result.mine[:25] for each in legal_plays(Board(side, AWAY), dice)}
            assert tuple(played) in legal


def test_the_effective_pips_are_those_of_all_rolls() -> None:
    """One roll more changes little, so the network agrees with itself."""
    several = sides(2, 60)
    found = counts(several)
    pips = found @ np.arange(25)
    now, later = effective(found, known()), effective_ahead(several)
    assert np.abs(now - later).mean() < 0.12
    assert np.abs(now - later).max() < 0.8
    assert (later - pips > 4).all()
    assert (later - pips < 25).all()


def test_the_chances_have_the_mean_of_the_effective_pips() -> None:
    found = sides(3, 40)
    chances = Chances().of(found)
    assert chances is not None
    assert chances.sum(1) == pytest.approx(1, abs=1e-6)
    rolled = play(np.repeat(counts(found), len(ROLLS), axis=0), np.tile(ROLLS, (len(found), 1)), known())
    pips = effective(rolled, known()).reshape(len(found), -1) @ CHANCES
    assert chances @ np.arange(MOST_ROLLS) * PIPS_A_ROLL == pytest.approx(PIPS_A_ROLL + pips, abs=0.02)
    home = checkers({6: 5, 5: 5, 4: 5})
    number = number_of(home)
    assert number is not None
    one = Chances().of([home])
    assert one is not None
    assert one[0] == pytest.approx(course().chances[number])
    assert Chances().of([checkers({24: 15})]) is None, "too far off"


def test_sides_take_as_many_rolls_as_it_says() -> None:
    """Six hundred games of each of six sides."""
    rng, games = np.random.default_rng(4), 600
    for side in sides(5, 6):
        now = np.repeat(counts([side]), games, axis=0)
        pips = np.zeros(games)  # rolled on the way, and effective ones that are left
        going = np.arange(games)
        while len(going):
            rolls = np.sort(rng.integers(1, 7, (len(going), 2)))[:, ::-1]
            now = play(now, rolls, known())
            pips[going] += np.where(rolls[:, 0] == rolls[:, 1], 4 * rolls[:, 0], rolls.sum(1))
            away = now[:, 7:].any(1)
            pips[going[~away]] += effective(now[~away], known())
            going, now = going[away], now[away]
        assert pips.mean() == pytest.approx(float(effective_ahead([side])[0]), abs=0.25)


def test_the_spread_is_that_of_exact_tables() -> None:
    """Sides that have at most the 7-point to bring home: 170,544 positions are known exactly."""
    exact, rng = course_of(7), Random(7)
    found = []
    for _ in range(60):
        outside = rng.randint(1, 6)
        home = rng.choices([6, 5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1], k=rng.randint(10, 15) - outside)
        found.append(checkers(Counter([7] * outside + home)))
    counted = counts(found)
    truth = exact.chances[numbers_of(counted[:, 1:8])]
    chances, at_sight = Chances().of(found), Chances().of(found, at_sight=True)
    assert chances is not None
    assert at_sight is not None
    rolls = np.arange(MOST_ROLLS)
    for power, near in ((1, 0.006), (2, 0.15)):
        apart = np.abs((chances - truth) @ rolls**power)
        assert apart.mean() < near
    # What a side is likely to win against each of the others, the one on roll first.
    wins, wins_at_sight, known_wins = (each @ or_more(each).T for each in (chances, at_sight, truth))
    assert np.abs(wins - known_wins).mean() < 0.00095
    assert np.abs(wins_at_sight - known_wins).mean() < 0.0013
    assert (chances >= 0).all()


def test_a_race_is_worth_what_rollouts_say() -> None:
    """Money games; the truth is a rollout of the exact tables of both sides with the cube, to .001 (.0015 doubled).

    Its plays are those of the fewest rolls; each cube action is judged by what every next roll leads to. Variance was
    reduced by the same values, three thousand games a position.
    """
    endings = BearoffSolver(default())
    apart = []
    for mine, theirs, *truth in ROLLED_OUT:
        board = Board(checkers(mine), checkers(theirs))
        centre, owned = (endings.value(board, MatchState(cube=cube)) for cube in (Cube(1), Cube(2, "mine")))
        assert centre is not None
        assert owned is not None
        assert centre.double_take is not None
        found = centre.no_double, owned.no_double, centre.double_take
        apart.append([one - other for one, other in zip(found, truth, strict=True)])
    no_double, owned, double_take = np.abs(apart).mean(0)
    assert no_double < 0.004
    assert owned < 0.003
    assert double_take < 0.005


ROLLED_OUT = [
    # The side on roll and the other; rolling on with the cube in the middle, and with an own cube; double and take.
    ({10: 1, 9: 2, 8: 1, 7: 3, 5: 2, 4: 1, 3: 1}, {10: 1, 6: 6, 5: 4, 4: 3, 3: 1}, 0.730, 0.766, 0.768),
    ({9: 2, 8: 1, 7: 2, 6: 1, 5: 3, 4: 1, 3: 1, 2: 3}, {8: 1, 6: 7, 5: 3, 4: 2, 3: 1, 2: 1}, 0.464, 0.547, 0.374),
    (
        {9: 1, 8: 2, 7: 3, 6: 2, 5: 1, 4: 1},
        {10: 1, 9: 1, 8: 3, 7: 2, 6: 1, 5: 1, 4: 1, 3: 1, 2: 1},
        0.919,
        0.930,
        1.181,
    ),
    (
        {10: 1, 8: 1, 7: 5, 4: 1, 3: 1, 2: 3},
        {9: 1, 8: 1, 7: 3, 6: 3, 5: 1, 4: 2, 3: 1, 2: 1, 1: 2},
        0.917,
        0.928,
        1.161,
    ),
    ({8: 2, 6: 5, 5: 4, 4: 1, 2: 2, 1: 1}, {10: 2, 7: 2, 6: 5, 5: 2, 4: 2, 2: 2}, 0.906, 0.918, 1.113),
    ({9: 1, 8: 1, 6: 4, 5: 2, 3: 1}, {7: 2, 6: 2, 5: 2, 4: 1, 3: 1, 2: 1}, -0.416, -0.145, -0.987),
    ({9: 3, 8: 1, 7: 4}, {9: 1, 8: 2, 7: 2, 6: 4, 3: 2, 2: 1}, 0.902, 0.914, 1.129),
    ({9: 1, 8: 1, 7: 1, 6: 3, 5: 3, 4: 4, 3: 2}, {8: 2, 7: 4, 6: 4, 5: 2, 4: 2, 3: 1}, 0.890, 0.904, 1.061),
    ({7: 2, 6: 4, 5: 3, 3: 2, 2: 2, 1: 2}, {10: 1, 7: 2, 6: 6, 5: 2, 4: 2}, 0.898, 0.911, 1.087),
    ({9: 2, 8: 1, 7: 2, 6: 1, 5: 1, 4: 1, 3: 1}, {9: 1, 8: 1, 7: 5, 6: 1, 3: 1, 2: 1}, 0.850, 0.868, 1.023),
]


def test_a_race_to_come_home_is_valued_with_the_cube() -> None:
    endings = BearoffSolver(default())
    one, other = sides(6, 2)
    board = Board(one, other)
    values = {
        name: endings.value(board, MatchState(cube=cube))
        for name, cube in (("centre", Cube(1)), ("mine", Cube(2, "mine")), ("theirs", Cube(2, "theirs")))
    }
    assert all(value is not None and not value.is_exact for value in values.values())
    centre, mine, theirs = (value for value in values.values() if value is not None)
    assert mine.no_double >= centre.no_double - 1e-9 >= theirs.no_double - 0.2
    assert centre.double_take == pytest.approx(2 * theirs.no_double)
    assert mine.win == centre.win == theirs.win
    # At one point each, and with the last cube, EMG is that of the chance to win.
    for state in (MatchState(5, (4, 4)), MatchState(5, (1, 1), Cube(4, "mine"))):
        last = endings.value(board, state)
        assert last is not None
        assert last.no_double == pytest.approx(2 * last.win - 1, abs=1e-6)


def test_a_pip_more_is_a_smaller_chance() -> None:
    endings = BearoffSolver(default())
    race = {9: 2, 8: 2, 6: 4, 5: 3, 4: 2, 3: 1}
    wins = []
    for point in range(7, 13):
        value = endings.value(
            Board(checkers(race | {point: race.get(point, 0) + 1}), checkers(race | {7: 1})), MatchState()
        )
        assert value is not None
        wins.append(value.win)
    assert wins == sorted(wins, reverse=True)
    steps = [more - less for more, less in pairwise(wins)]
    assert mean(steps) == pytest.approx(0.022, abs=0.006)
