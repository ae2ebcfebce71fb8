"""Fit what a side wastes that has checkers to bring home, and write `wastage.npz`: `python docs/make_wastage.py`.

Of sides up to the 10-point the network learns exact values, the wasted pips and the variance of the number of rolls. Of
sides further off it learns what one roll leads to on average, by what it says of sides that are nearer: round by round
it comes to those still further off. The same numbers come out every time on one machine. It takes some minutes, and six
gigabytes of memory.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bgtools.bearoff.coming_home import WEIGHTS, Network, effective, inputs, play
from bgtools.bearoff.one_sided import (
    CHANCES,
    MOST_ROLLS,
    PIPS_A_ROLL,
    POINTS,
    ROLLS,
    Course,
    course,
    course_of,
    numbers_of,
)
from bgtools.board import BAR

HIDDEN = 48
EXACT = 10
"""Up to this point sides are known exactly."""
NEARBY = 500_000
"""Sides up to there, some of them alike."""
ROUNDS = ((12, 30_000, 20), (15, 30_000, 20), (18, 30_000, 20), (18, 60_000, 160))
"""The furthest point of sides further off, how many of them, and passes over all positions."""
RATE = 6e-3
VARIANCE = 5
"""The weight of the variance beside the wasted pips, in what is learnt."""
HOME = np.array([[1, 1.5, 2, 4, 5, 6], [1, 1, 1, 1, 1, 1], [0.5, 0.5, 1.5, 3, 4, 8], [4, 3, 2, 2, 2, 2]])
"""How checkers at home are spread over the points, the 1-point first: one row a kind of position."""


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


def moments(chances: Any) -> tuple[Any, Any]:
    """Means and variances of numbers of rolls, by the chances of each number."""
    rolls = np.arange(MOST_ROLLS)
    mean = chances @ rolls
    return mean, chances @ rolls**2 - mean**2


def nearby(rng: np.random.Generator, known: Course) -> tuple[Any, Any]:
    """Positions with checkers outside, up to the last that is known, each once; their wasted pips and variances."""
    counts = np.unique(starts(rng, NEARBY, [7, 8, 9, EXACT, EXACT]), axis=0)
    mean, variance = moments(known.chances[numbers_of(counts[:, 1 : EXACT + 1])])
    return counts, np.column_stack([mean * PIPS_A_ROLL - counts @ np.arange(BAR), variance])


def by_a_roll(counts: Any, network: Network) -> Any:
    """Wasted pips and variances by what every roll leads to."""
    rolled = play(np.repeat(counts, len(ROLLS), axis=0), np.tile(ROLLS, (len(counts), 1)), network)
    mean = effective(rolled, network) / PIPS_A_ROLL
    away = rolled[:, POINTS + 1 :].any(1)
    variance = np.empty(len(rolled))
    variance[away] = network(rolled[away])[:, 1]
    variance[~away] = moments(course().chances[numbers_of(rolled[~away, 1 : POINTS + 1])])[1]
    mean, variance = (each.reshape(-1, len(ROLLS)) for each in (mean, variance))
    means = mean @ CHANCES
    wasted = (1 + means) * PIPS_A_ROLL - counts @ np.arange(BAR)
    return np.column_stack([wasted, (variance + (mean - means[:, None]) ** 2) @ CHANCES])


def fitted(rng: np.random.Generator, network: Network, counts: Any, aims: Any, passes: int) -> Network:
    """The network after so many passes with Adam, in parts of 1,024 positions."""
    seen, aim, weight = inputs(counts), aims.astype(np.float32), np.array([1, VARIANCE**2], np.float32)
    steps, last = 0, passes * -(-len(seen) // 1024)
    mean, square = ([np.zeros_like(each) for each in network] for _ in range(2))
    for _ in range(passes):
        order = rng.permutation(len(seen))
        for part in np.split(order, range(1024, len(order), 1024)):
            steps += 1
            speed = RATE * (1 + np.cos(np.pi * steps / last)) / 2 + 1e-6
            x = seen[part]
            units = np.tanh(x @ network.hidden + network.offsets)
            error = (units @ network.weights + x @ network.lines + network.constant - aim[part]) * weight / len(part)
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
    near, exact = nearby(rng, course_of(EXACT))
    size = inputs(near[:1]).shape[1]
    lines, constant = np.zeros((size, 2), np.float32), np.array([8, 2], np.float32)
    network = Network(
        0.3 * normal((size, HIDDEN)), np.zeros(HIDDEN, np.float32), 0.1 * normal((HIDDEN, 2)), lines, constant
    )
    network = fitted(rng, network, near, exact, ROUNDS[0][-1])
    for furthest, many, passes in ROUNDS:
        far = starts(rng, many, list(range(EXACT + 1, furthest + 1)))
        far = far[far[:, EXACT + 1 :].any(1)]
        aims = by_a_roll(far, network)
        network = fitted(rng, network, np.concatenate([near, far]), np.concatenate([exact, aims]), passes)
        for name, counts, aim in (("near", near, exact), ("far", far, aims)):
            pips, variance = np.abs(network(counts) - aim).mean(0)
            print(f"{len(counts)} positions {name}: {pips:.3f} pips and {variance:.3f} from what was to be learnt")
    np.savez(WEIGHTS, **network._asdict())
