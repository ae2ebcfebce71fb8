"""How many rolls a side needs that has still to bring checkers home, nearly.

No pip is wasted before the last checker is home. So the effective pip count of such a side is its pip count and what
it wastes from then on, on average. A small network tells that by where the checkers stand, to .14 pips; one roll that
is followed brings it to .07. It was fitted to games that one side plays by itself (``python docs/make_wastage.py``).

The number of rolls that is needed is distributed normally, nearly: its mean follows from the effective pip count, and
its variance from that and the checkers.
"""

from __future__ import annotations

from functools import cache
from math import erf, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.bearoff.one_sided import CHANCES, MOST_ROLLS, PIPS_A_ROLL, POINTS, ROLLS, course, numbers_of
from bgtools.board import BAR, OFF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board import Checkers

    Array = Any
    """A numpy array."""

_FURTHEST: Final = 18
"""Checkers further off waste as those on this point do."""
_MOST_PIPS: Final = 160
"""Effective pips that are told."""
_MOST_KNOWN: Final = 10_000
"""Sides that are remembered."""


class Network(NamedTuple):
    """What tells the wasted pips: a layer of hidden units, and straight lines beside it.

    Attributes:
        hidden, offsets: from the inputs to the hidden units.
        weights: of the hidden units.
        lines: of the inputs.
        constant: what is added.
    """

    hidden: Array
    offsets: Array
    weights: Array
    lines: Array
    constant: Array

    def __call__(self, counts: Array) -> Array:
        """Wasted pips of sides with checkers outside, by their counts ``[n, 25]``."""
        seen = inputs(counts)
        return np.tanh(seen @ self.hidden + self.offsets) @ self.weights + seen @ self.lines + self.constant


def inputs(counts: Array) -> Array:
    """What the network sees of sides: checkers by point, empty points at home, and how many are how far outside."""
    home = counts[:, 1 : POINTS + 1].astype(np.float32)
    outside = counts[:, POINTS + 1 : _FURTHEST + 1].astype(np.float32)
    outside[:, -1] += counts[:, _FURTHEST + 1 :].sum(1)
    many = outside.sum(1, keepdims=True)
    pips = outside @ np.arange(1, outside.shape[1] + 1, dtype=np.float32)[:, None]
    return np.concatenate([home / 3, outside / 2, home == 0, many == 1, many == 2, many / 5, pips / 25], axis=1)


WEIGHTS: Final = Path(__file__).with_name("wastage.npz")


@cache
def known() -> Network:
    """The network that is part of bgtools."""
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return Network(*(file[name] for name in Network._fields))


# --- effective pips ---------------------------------------------------------------------------


class Chances:
    """The chances of how many rolls sides need. They are remembered, since each is asked for again and again."""

    def __init__(self) -> None:
        self._known: dict[tuple[Checkers, bool], Array] = {}

    def of(self, sides: Sequence[Checkers], *, at_sight: bool = False) -> Array | None:
        """The chances that each side takes 0, 1, … rolls, ``[n, MOST_ROLLS]``; None where one is too far off.

        Args:
            sides: checkers of sides that race home.
            at_sight: whether to follow no roll, which is less accurate.
        """
        new = [side for side in dict.fromkeys(sides) if (side, at_sight) not in self._known]
        if new:
            found = _found(np.array([side[:BAR] for side in new]), at_sight=at_sight)
            if found is None:
                return None
            if len(self._known) > _MOST_KNOWN:
                self._known = {key: self._known[key] for side in sides if (key := (side, at_sight)) in self._known}
            self._known.update(zip(((side, at_sight) for side in new), found, strict=True))
        return np.array([self._known[side, at_sight] for side in sides])


def _found(counts: Array, *, at_sight: bool) -> Array | None:
    """The chances by the counts of sides ``[n, 25]``; None where one is too far off."""
    away = counts[:, POINTS + 1 :].any(1)
    found = np.empty((len(counts), MOST_ROLLS))
    found[~away] = course().chances[numbers_of(counts[~away, 1 : POINTS + 1])]
    if away.any():
        pips = (effective if at_sight else effective_ahead)(counts[away], known())
        if pips.max() > _MOST_PIPS:
            return None
        found[away] = _chances(counts[away], pips)
    return found


def effective(counts: Array, network: Network) -> Array:
    """Effective pips of sides, at home by the table."""
    away = counts[:, POINTS + 1 :].any(1)
    found = np.empty(len(counts))
    found[away] = counts[away] @ np.arange(BAR) + network(counts[away])
    found[~away] = _effective_at_home()[numbers_of(counts[~away, 1 : POINTS + 1])]
    return found


def effective_ahead(counts: Array, network: Network) -> Array:
    """The same by what every roll leads to."""
    rolled = play(np.repeat(counts, len(ROLLS), axis=0), np.tile(ROLLS, (len(counts), 1)), network)
    return PIPS_A_ROLL + effective(rolled, network).reshape(-1, len(ROLLS)) @ CHANCES


def play(counts: Array, rolls: Array, network: Network) -> Array:
    """Sides after rolls ``[n, 2]``, each number played so that the fewest effective pips are left."""
    doubles = rolls[:, 0] == rolls[:, 1]
    # Both orders of a roll stand one behind the other; a double is the same in both and goes on twice.
    first, second = rolls.T
    reached = np.concatenate([counts, counts[~doubles]])
    reached = _hop(reached, np.concatenate([first, second[~doubles]]), network)
    reached = _hop(reached, np.concatenate([second, first[~doubles]]), network)
    found, other = reached[: len(counts)], reached[len(counts) :]
    for _ in range(2):
        found[doubles] = _hop(found[doubles], first[doubles], network)
    pips = effective(reached, network)
    better = pips[: len(counts)][~doubles] <= pips[len(counts) :]
    found[~doubles] = np.where(better[:, None], found[~doubles], other)
    return found


def _hop(counts: Array, dice: Array, network: Network) -> Array:
    """Sides after a hop of one checker each that leaves the fewest effective pips (R10, R12)."""
    points, die = np.arange(BAR), dice[:, None]
    highest = np.where(counts > 0, points, OFF).max(1, initial=OFF)[:, None]
    bears_off = (highest <= POINTS) & ((points == die) | (points == highest))
    which, point = np.nonzero((counts > 0) & (points > OFF) & ((points > die) | bears_off))
    after = counts[which]
    every = np.arange(len(which))
    after[every, point] -= 1
    after[every, np.maximum(point - dice[which], OFF)] += 1
    best_first = np.lexsort((effective(after, network), which))
    able, first = np.unique(which, return_index=True)  # a side that is off stays so
    found = counts.copy()
    found[able] = after[best_first[first]]
    return found


@cache
def _effective_at_home() -> Array:
    """Effective pips of every home board."""
    return course().chances @ np.arange(MOST_ROLLS, dtype=np.float32) * PIPS_A_ROLL


# --- chances of the number of rolls -----------------------------------------------------------


def _chances(counts: Array, effective_pips: Array) -> Array:
    """The chances of every number of rolls: those of a normal distribution, each over the stretch of one roll."""
    left, outside = counts[:, 1:].sum(1), counts[:, POINTS + 1 :].sum(1)
    pips = counts @ np.arange(BAR)
    variance = _VARIANCE @ [np.ones(len(counts)), pips, effective_pips - pips, left, outside]
    # Stretching each number of rolls over a whole roll adds a twelfth (Sheppard's correction).
    spread = np.sqrt((variance - 1 / 12).clip(_LEAST_VARIANCE))
    ends = (np.arange(MOST_ROLLS) + 0.5 - effective_pips[:, None] / PIPS_A_ROLL) / spread[:, None]
    below = [[(1 + erf(end / sqrt(2))) / 2 for end in row] for row in ends.tolist()]
    return np.diff(below, axis=1, prepend=0.0)


_VARIANCE: Final = np.array([0.0984, 0.0407, -0.0185, -0.0622, -0.0529])
"""The variance of the number of rolls: a constant, by pip, by wasted pip, by checker and by checker outside. Fitted to
games of sixty sides, on which it was .09 off where it was 2."""
_LEAST_VARIANCE: Final = 0.2
