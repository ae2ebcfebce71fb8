"""Fit what a side wastes that has checkers to bring home, and write `wastage.npz`: `python docs/make_wastage.py`.

Of sides up to the 10-point the network learns exact values: the wasted pips, and the second to fourth cumulants of the
number of rolls. Of sides further off it learns what they waste when they play until they are as near, and how the
number of rolls is spread by what one roll leads to: round by round it comes to those still further off. The wasted pips
are not learnt by what one roll leads to, since the play that seems best is too often one that is thought too good.
The same numbers come out every time on one machine. It takes ten minutes, and eight gigabytes of memory.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bgtools.bearoff.bear_in import VARIANCE_A_PIP, WEIGHTS, Network, effective, inputs, play
from bgtools.bearoff.one_sided import (
    CHANCES,
    MOST_ROLLS,
    PIPS_A_ROLL,
    POINTS,
    ROLLS,
    BearoffCourse,
    course,
    course_of,
    numbers_of,
)
from bgtools.board.board import BAR

HIDDEN = 96
EXACT = 10
"""Up to this point sides are known exactly."""
NEARBY = 500_000
"""Sides up to there, some of them alike."""
ROUNDS = ((12, 20_000, 20), (15, 30_000, 20), (18, 30_000, 20), (18, 60_000, 600))
"""The furthest point of sides further off, how many of them, and the passes over all positions."""
RATE = 6e-3
WEIGHING = np.array([1, 5, 5, 2], np.float32)
"""The weights of an error in the wasted pips and in the second to fourth cumulants."""
GAMES = 4
"""Games of each side further off."""
PARTS = 40
"""In so many parts sides further off are played, which bounds the memory that it takes."""
HOME = np.array([[1, 1.5, 2, 4, 5, 6], [1, 1, 1, 1, 1, 1], [0.5, 0.5, 1.5, 3, 4, 8], [4, 3, 2, 2, 2, 2]])
"""How checkers at home are spread over the points, the 1-point first: one row per kind of position."""


def starts(rng: np.random.Generator, many: int, furthest: list[int]) -> Any:
    """Positions with checkers outside, up to one of some points, ``[many, 25]``."""
    counts = np.zeros((many, BAR), dtype=np.int64)
    left = rng.choice([15, 15, 15, 15, 14, 13, 12, 11, 10, 8], many)
    outside = np.minimum(rng.integers(1, 11, many), left)
    last = rng.choice(furthest, many)
    spread = (HOME / HOME.sum(1, keepdims=True)).cumsum(1)[rng.integers(0, len(HOME), many)]
    every = np.arange(many)
    for checker in range(15):
        far = 7 + (rng.random(many) * (last - 6)).astype(np.intp)
        near = 1 + (rng.random(many)[:, None] > spread).sum(1).clip(max=5)
        here = every[checker < left]
        counts[here, np.where(checker < outside, far, near)[here]] += 1
    return counts


def cumulants(chances: Any) -> tuple[Any, Any, Any, Any]:
    """The first four cumulants of numbers of rolls, by the chances of each number."""
    mean = chances @ np.arange(MOST_ROLLS)
    off = np.arange(MOST_ROLLS) - mean[:, None]
    variance, third, fourth = ((chances * off**power).sum(1) for power in (2, 3, 4))
    return mean, variance, third, fourth - 3 * variance**2


def figures(counts: Any, mean: Any, variance: Any, *higher: Any) -> Any:
    """What the network is to say of sides, by the cumulants of their numbers of rolls."""
    pips = counts @ np.arange(BAR)
    return np.column_stack([mean * PIPS_A_ROLL - pips, variance - VARIANCE_A_PIP * pips, *higher])


def wasted(rng: np.random.Generator, counts: Any, network: Network, known: BearoffCourse) -> Any:
    """The mean of what each side wastes in some games until it is as near as is known."""
    found = np.zeros(GAMES * len(counts))
    going, counts = np.arange(len(found)), np.tile(counts, (GAMES, 1))
    while len(going):
        near = ~counts[:, EXACT + 1 :].any(1)
        mean, *_ = cumulants(known.chances[numbers_of(counts[near, 1 : EXACT + 1])])
        found[going[near]] = mean * PIPS_A_ROLL - counts[near] @ np.arange(BAR)
        going, counts = going[~near], counts[~near]
        rolls = rng.choice(len(ROLLS), len(going), p=CHANCES)
        counts = play(counts, np.array(ROLLS)[rolls], network)
    return found.reshape(GAMES, -1).mean(0)


def nearby(rng: np.random.Generator, known: BearoffCourse) -> tuple[Any, Any]:
    """Positions with checkers outside, up to the last that is known, each once; their figures."""
    counts = np.unique(starts(rng, NEARBY, [7, 8, 9, EXACT, EXACT]), axis=0)
    return counts, figures(counts, *cumulants(known.chances[numbers_of(counts[:, 1 : EXACT + 1])]))


def by_a_roll(counts: Any, network: Network) -> Any:
    """The figures of sides by what every roll leads to."""
    rolled = play(np.repeat(counts, len(ROLLS), axis=0), np.tile(ROLLS, (len(counts), 1)), network)
    away = rolled[:, POINTS + 1 :].any(1)
    spread = np.empty((3, len(rolled)))
    spread[:, away] = network(rolled[away]).T[1:]
    spread[0, away] += VARIANCE_A_PIP * (rolled[away] @ np.arange(BAR))
    spread[:, ~away] = cumulants(course().chances[numbers_of(rolled[~away, 1 : POINTS + 1])])[1:]
    mean, variance, third, fourth = (
        each.reshape(-1, len(ROLLS)) for each in (effective(rolled, network) / PIPS_A_ROLL, *spread)
    )
    means = mean @ CHANCES
    off = mean - means[:, None]
    squares = (variance + off**2) @ CHANCES
    cubes = (third + 3 * variance * off + off**3) @ CHANCES
    fourths = (fourth + 3 * variance**2 + 4 * third * off + 6 * variance * off**2 + off**4) @ CHANCES
    return figures(counts, 1 + means, squares, cubes, fourths - 3 * squares**2)


def aimed(rng: np.random.Generator, counts: Any, network: Network, known: BearoffCourse) -> Any:
    """What the network is to learn of sides further off than is known."""
    aims = by_a_roll(counts, network)
    aims[:, 0] = wasted(rng, counts, network, known)
    return aims


def fitted(rng: np.random.Generator, network: Network, counts: Any, aims: Any, passes: int) -> Network:
    """The network after so many passes with Adam, in parts of 1,024 positions."""
    seen, aim = inputs(counts), aims.astype(np.float32)
    steps, last = 0, passes * -(-len(seen) // 1024)
    mean, square = ([np.zeros_like(each) for each in network] for _ in range(2))
    for _ in range(passes):
        order = rng.permutation(len(seen))
        for part in np.split(order, range(1024, len(order), 1024)):
            steps += 1
            speed = RATE * (1 + np.cos(np.pi * steps / last)) / 2 + 1e-6
            x = seen[part]
            units = np.tanh(x @ network.hidden + network.offsets)
            error = (
                (units @ network.weights + x @ network.lines + network.constant - aim[part]) * WEIGHING**2 / len(part)
            )
            back = error @ network.weights.T * (1 - units * units)
            slopes = (x.T @ back, back.sum(0), units.T @ error, x.T @ error, error.sum(0))
            for value, m, s, slope in zip(network, mean, square, slopes, strict=True):
                m += 0.1 * (slope - m)
                s += 0.001 * (slope * slope - s)
                value -= speed * (m / (1 - 0.9**steps)) / (np.sqrt(s / (1 - 0.999**steps)) + 1e-8)
    return network


if __name__ == "__main__":
    rng = np.random.default_rng(11)
    normal = partial(rng.standard_normal, dtype=np.float32)
    known = course_of(EXACT)
    near, exact = nearby(rng, known)
    size = inputs(near[:1]).shape[1]
    lines, constant = np.zeros((size, 4), np.float32), np.array([8, 0, 0, 0], np.float32)
    network = Network(
        0.3 * normal((size, HIDDEN)), np.zeros(HIDDEN, np.float32), 0.1 * normal((HIDDEN, 4)), lines, constant
    )
    network = fitted(rng, network, near, exact, ROUNDS[0][-1])
    for furthest, many, passes in ROUNDS:
        far = starts(rng, many, list(range(EXACT + 1, furthest + 1)))
        far = far[far[:, EXACT + 1 :].any(1)]
        aims = np.concatenate([aimed(rng, part, network, known) for part in np.array_split(far, PARTS)])
        network = fitted(rng, network, np.concatenate([near, far]), np.concatenate([exact, aims]), passes)
        for name, counts, aim in (("near", near, exact), ("far", far, aims)):
            apart = " ".join(f"{each:.3f}" for each in np.abs(network(counts) - aim).mean(0))
            print(f"{len(counts)} positions {name}: {apart} from what was to be learnt")
    np.savez(WEIGHTS, **network._asdict())
