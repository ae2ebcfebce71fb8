"""Hold the values of races against a rollout with the cube: `python docs/measure_races.py outside|home SEED [MANY]`.

Races of 8 to 15 checkers a side for money in which no gammon is possible: with up to eight checkers outside, none
beyond the 10-point, or with all at home. A fourth each has a chance to win of .2 to .5, to .7, to .8, and to .9. How
many rolls each side needs is known exactly, and both play for the fewest. Every cube action of the rollout is judged by
what the next roll leads to, valued at sight. A game ends when both sides have at most seven checkers left, all at home,
whose values are exact. What luck gave is taken away turn by turn: the value that the roll led to, less the mean over
all rolls.

It prints the mean distance in EMG from the rollout, the bias, and the standard error of the rollout: by the chance to
win, and for other values of `near.BY_VARIANCE`. That and `near.ON_ROLL` were chosen by 200 races of each kind, seed 21.
It takes half a second a race, and for checkers outside two minutes and eight gigabytes of memory before.
"""

from __future__ import annotations

from argparse import ArgumentParser
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from bgtools.bearoff import approximation
from bgtools.bearoff.endings import BearoffSolver
from bgtools.bearoff.kernel import packed
from bgtools.bearoff.one_sided import CHANCES, MOST_ROLLS, ROLLS, BearoffCourse, course, course_of, numbers_of, or_more
from bgtools.bearoff.stakes import CENTRE, FIRST, SECOND, Stakes
from bgtools.bearoff.two_sided import EndingTable, reachable
from bgtools.board.board import BAR, Board, checkers
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState

FURTHEST = 10
GAMES = 3000
FEW = 7
"""With so many checkers on both sides games are valued exactly."""
BANDS = ((0.2, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9))
COLUMNS = "rolling on", "own cube", "double, take", "cubeless"
MINE, THEIRS = FIRST, SECOND
"""Owners of the cube as the side on roll sees them."""
TURNED = np.array([THEIRS, MINE, CENTRE])
"""The owners as the other side sees them."""


class Race(NamedTuple):
    """A race of two sides, by their counts and numbers; the first is on roll.

    Attributes:
        counts: checkers by point, ``[2, 25]``.
        numbers: of both sides, in the exact table.
        win: the chance of the first to win.
    """

    counts: Any
    numbers: Any
    win: float


def drawn(rng: Random, *, outside: bool) -> Any:
    """A side at random, by its counts."""
    if not outside:
        left = rng.randint(8, 15)
        weights = rng.choice(([6, 5, 4, 3, 2, 1], [1] * 6, [8, 4, 3, 1.5, 0.5, 0.5], [1, 2, 3, 4, 5, 6]))
        return np.bincount(rng.choices([6, 5, 4, 3, 2, 1], weights, k=left), minlength=BAR)
    left = rng.choice([15, 15, 15, 14, 13, 12, 11, 10, 9, 8])
    away = [rng.randint(7, rng.choice([7, 8, 9, FURTHEST])) for _ in range(rng.randint(1, min(8, left)))]
    weights = rng.choice(([6, 5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1], [1] * 6, [8, 4, 3, 1.5, 0.5, 0.5]))
    return np.bincount(away + rng.choices([6, 5, 4, 3, 2, 1], weights, k=left - len(away)), minlength=BAR)


def races(rng: Random, known: BearoffCourse, many: int, *, outside: bool) -> list[Race]:
    """Races at random, as many of each band of chances."""
    points = FURTHEST if outside else 6
    found: list[Race] = []
    have = dict.fromkeys(BANDS, 0)
    while len(found) < many:
        counts = np.array([drawn(rng, outside=outside) for _ in range(2)])
        left = counts.sum(1)
        if left.max() == 15 and left.min() < 11:
            continue  # a gammon is possible
        numbers = numbers_of(counts[:, 1 : points + 1])
        own, other = known.chances[numbers].astype(float)
        win = float(own @ or_more(other))
        band = next((each for each in BANDS if each[0] <= win < each[1]), None)
        if band is not None and have[band] < many / len(BANDS):
            have[band] += 1
            found.append(Race(counts, numbers, win))
    return found


class Rollout:
    """Money games of sides that are known exactly."""

    def __init__(self, known: BearoffCourse, few: int = FEW) -> None:
        self._known = known
        end = reachable(packed(checkers({6: few})))
        assert end is not None
        stakes = Stakes(None, (0, 0), post_crawford=False, doubles=True, limit=None)
        self._nearly, self._exactly = (
            EndingTable((side, side), stakes, 1, CENTRE).levels[1].first for side in (approximation.simple(), end)
        )
        counts = np.array([[side >> 4 * at & 15 for at in range(FURTHEST)] for side in end.numbers])
        points = 6 if len(known.plays) == len(course().plays) else FURTHEST
        self._few = np.full(len(known.plays), -1)
        self._few[numbers_of(counts[:, :points])] = list(end.numbers.values())

    def _ahead(self, rollers: Any, waiters: Any) -> tuple[Any, Any]:
        """The positions after every roll ``[n, rolls]``, and their values ``[n, owner, rolls]`` to who has rolled."""
        known = self._known
        after = known.plays[rollers].astype(np.intp)
        own = known.chances[waiters].astype(float)  # of who is on roll next
        others = known.chances[after].astype(float)
        x, more = approximation.equivalent_pips(own)
        y, more_theirs = (
            each.reshape(after.shape) for each in approximation.equivalent_pips(others.reshape(-1, MOST_ROLLS))
        )
        wins = np.einsum("nk,nrk->nr", own, or_more(others))
        places = approximation.grid_positions(
            np.broadcast_to(x[:, None], y.shape), y, more[:, None] - more_theirs, wins
        )
        rolled = np.stack([places.of(self._nearly[:, owner]) for owner in (MINE, THEIRS, CENTRE)], axis=1)
        at = self._few[waiters][:, None], self._few[after]
        rolled = np.where(self._is_end(*at)[:, None], np.moveaxis(self._exactly[at[0], :, at[1]], -1, 1), rolled)
        best = rolled.copy()
        double = np.minimum(2 * rolled[:, THEIRS], 1)
        for owner in (MINE, CENTRE):
            best[:, owner] = np.maximum(rolled[:, owner], double)
        return after, np.where((after == 0)[:, None], 1.0, -best[:, TURNED])

    def _is_end(self, first: Any, second: Any) -> Any:
        """Whether both sides have few checkers left, by where they stand in the exact table."""
        return (first >= 0) & (second >= 0)

    def of(self, numbers: Any, games: int, rng: np.random.Generator) -> tuple[Any, Any]:
        """What rolling on is worth to the first with the cube in the middle, their and the other's; standard errors."""
        owners = np.repeat([CENTRE, MINE, THEIRS], games)  # as the side on roll sees them
        rollers, waiters = (np.full(len(owners), number) for number in numbers)
        cubes = np.ones(len(owners))  # less than 0 where the second side is on roll
        found, expected = np.zeros((2, len(owners)))
        going = np.arange(len(owners))
        may_double = False  # the first roll is made without
        while len(going):
            pairs, which = np.unique(np.column_stack([rollers, waiters]), axis=0, return_inverse=True)
            reached, ahead = (each[which.ravel()] for each in self._ahead(*pairs.T))
            every = np.arange(len(going))
            means = ahead @ np.array(CHANCES)
            rolling, doubled = means[every, owners], 2 * means[:, THEIRS]
            doubles = may_double & (owners != THEIRS) & (np.minimum(doubled, 1) > rolling)
            found[going] += cubes * np.where(doubles, np.minimum(doubled, 1), rolling) - expected[going]
            passed = doubles & (doubled >= 1)
            cubes = np.where(doubles, 2 * cubes, cubes)
            owners = np.where(doubles, THEIRS, owners)
            rolls = rng.choice(len(ROLLS), len(going), p=CHANCES)
            expected[going] = cubes * ahead[every, owners, rolls]
            after = reached[every, rolls]
            on = ~passed & (after > 0) & ~self._is_end(self._few[waiters], self._few[after])
            going, rollers, waiters = going[on], waiters[on], after[on]
            cubes, owners = -cubes[on], TURNED[owners[on]]
            may_double = True
        found = found.reshape(3, games)
        return found.mean(1), found.std(1) / np.sqrt(games)


def ours(endings: BearoffSolver, race: Race) -> list[float]:
    """The same by bgtools, with the cubeless value."""
    sides = ({point: many for point, many in enumerate(each.tolist()) if many} for each in race.counts)
    board = Board(*map(checkers, sides))
    found = []
    for cube in (Cube(1), Cube(2, "mine")):
        values = endings.values([board], MatchState(cube=cube), exactly=False)
        assert values is not None
        found.append(values[0])
    middle, owned = found
    assert middle.double_take is not None
    return [middle.no_double, owned.no_double, middle.double_take, 2 * middle.win - 1]


def main(seed: int, many: int, *, outside: bool) -> None:
    """Measure races of a kind."""
    known = course_of(FURTHEST) if outside else course()
    chosen = races(Random(seed), known, many, outside=outside)
    rollout, rng = Rollout(known), np.random.default_rng(seed)
    truth, errors = (np.array(each) for each in zip(*(rollout.of(r.numbers, GAMES, rng) for r in chosen), strict=True))
    wins = np.array([race.win for race in chosen])
    truth = np.column_stack([truth * (1, 1, 2), 2 * wins - 1])
    print(
        "standard error of the rollout",
        dict(zip(COLUMNS, (errors.mean(0) * (1, 1, 2)).round(4).tolist(), strict=False)),
    )
    for by in (0.0, approximation.BY_VARIANCE / 2, 2 * approximation.BY_VARIANCE, approximation.BY_VARIANCE):
        endings = BearoffSolver(default(), 0)
        with patch.object(approximation, "BY_VARIANCE", by):
            apart = np.array([ours(endings, race) for race in chosen]) - truth
        show(f"shifted by {by:.4f}", apart)
    for low, high in BANDS:
        show(f"chance of {low} to {high}", apart[(wins >= low) & (wins < high)])


def show(name: str, apart: Any) -> None:
    """Print mean distances and biases."""
    columns = zip(COLUMNS, np.abs(apart).mean(0), apart.mean(0), strict=True)
    print(f"{name}:", ", ".join(f"{column} {distance:.4f} ({bias:+.4f})" for column, distance, bias in columns))


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("kind", choices=("outside", "home"))
    parser.add_argument("seed", type=int)
    parser.add_argument("many", type=int, nargs="?", default=60)
    given = parser.parse_args()
    main(given.seed, given.many, outside=given.kind == "outside")
