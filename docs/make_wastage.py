"""Fit what a side wastes that has checkers to bring home, and write `wastage.npz`: `python docs/make_wastage.py`.

Sides play by themselves, with the plays that the network of the round before likes best. From each position on it
learns what was wasted: the effective pips of the home board that was reached, and the pips that were rolled on the way,
less the pips of the position. The rolls count with what they were instead of their mean, so that luck mostly cancels.
The same numbers come out every time on one machine. It takes some minutes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bgtools.bearoff.coming_home import WEIGHTS, Network, effective, inputs, play
from bgtools.board import BAR

HIDDEN = 48
ROUNDS = ((60_000, 12, 3e-3), (60_000, 12, 3e-3), (60_000, 12, 3e-3), (250_000, 16, 2e-3))
"""Games, passes over their positions, and the rate of learning at first."""
HOME = np.array([[1, 1.5, 2, 4, 5, 6], [1, 1, 1, 1, 1, 1], [0.5, 0.5, 1.5, 3, 4, 8], [4, 3, 2, 2, 2, 2]])
"""How checkers at home are spread over the points, the 1-point first: one row a kind of position."""


def starts(rng: np.random.Generator, many: int) -> Any:
    """Positions with checkers outside, ``[many, 25]``."""
    counts = np.zeros((many, BAR), dtype=np.int64)
    left = rng.choice([15, 15, 15, 15, 14, 13, 12, 11, 10, 8], many)
    outside = np.minimum(rng.integers(1, 11, many), left)
    furthest = rng.choice([8, 9, 10, 12, 14, 18], many)
    spread = (HOME / HOME.sum(1, keepdims=True)).cumsum(1)[rng.integers(0, len(HOME), many)]
    every = np.arange(many)
    for checker in range(15):
        far = 7 + (rng.random(many) * (furthest - 6)).astype(np.intp)
        near = 1 + (rng.random(many)[:, None] > spread).sum(1).clip(max=5)
        here = every[checker < left]
        counts[here, np.where(checker < outside, far, near)[here]] += 1
    return counts


def played(rng: np.random.Generator, counts: Any, network: Network) -> tuple[Any, Any]:
    """The positions with checkers outside that sides come through, and what each wasted from there on."""
    rolled, ends, going = np.zeros(len(counts)), np.zeros(len(counts)), np.arange(len(counts))
    seen: list[tuple[Any, Any, Any]] = []
    while len(going):
        seen.append((going, counts, rolled[going] + counts @ np.arange(BAR)))
        rolls = np.sort(rng.integers(1, 7, (len(going), 2)))[:, ::-1]
        counts = play(counts, rolls, network)
        rolled[going] += np.where(rolls[:, 0] == rolls[:, 1], 4 * rolls[:, 0], rolls.sum(1))
        home = ~counts[:, 7:].any(1)
        ends[going[home]] = rolled[going[home]] + effective(counts[home], network)
        going, counts = going[~home], counts[~home]
    wasted = [ends[which] - before for which, _, before in seen]
    return np.concatenate([counts for _, counts, _ in seen]), np.concatenate(wasted)


def fitted(rng: np.random.Generator, network: Network, counts: Any, wasted: Any, passes: int, rate: float) -> Network:
    """The network after so many passes with Adam, in parts of 1,024 positions."""
    seen, aim = inputs(counts), wasted.astype(np.float32)
    steps = 0
    mean, square = ([np.zeros_like(each) for each in network] for _ in range(2))
    for number in range(passes):
        speed = rate * (1 - number / passes) + 1e-5
        order = rng.permutation(len(seen))
        for part in np.split(order, range(1024, len(order), 1024)):
            steps += 1
            x = seen[part]
            units = np.tanh(x @ network.hidden + network.offsets)
            error = (units @ network.weights + x @ network.lines + network.constant - aim[part]) / len(part)
            back = error[:, None] * network.weights * (1 - units * units)
            slopes = (x.T @ back, back.sum(0), units.T @ error, x.T @ error, error.sum(keepdims=True))
            for value, m, s, slope in zip(network, mean, square, slopes, strict=True):
                m += 0.1 * (slope - m)
                s += 0.001 * (slope * slope - s)
                value -= speed * (m / (1 - 0.9**steps)) / (np.sqrt(s / (1 - 0.999**steps)) + 1e-8)
    return network


if __name__ == "__main__":
    rng = np.random.default_rng(11)
    normal = partial(rng.standard_normal, dtype=np.float32)
    size = inputs(np.zeros((1, BAR))).shape[1]
    lines, constant = np.zeros(size, np.float32), np.full(1, 8, np.float32)
    network = Network(0.3 * normal((size, HIDDEN)), np.zeros(HIDDEN, np.float32), 0.1 * normal(HIDDEN), lines, constant)
    for games, passes, rate in ROUNDS:
        counts, wasted = played(rng, starts(rng, games), network)
        network = fitted(rng, network, counts, wasted, passes, rate)
        apart = wasted - network(counts)
        print(f"{len(counts)} positions, {wasted.mean():.2f} pips wasted, {apart.std():.2f} from what it says of each")
    np.savez(WEIGHTS, **network._asdict())
