"""How many rolls a side needs that has still to bring checkers home, nearly.

No pip is wasted before the last checker is home. So the effective pip count of such a side is its pip count and what
it wastes from then on, on average. A small network tells that by where the checkers stand, and how the number of rolls
that is needed is spread. It was fitted to exact values of sides up to the 10-point, and to games and rolls of those
further off (``python docs/make_wastage.py``).

The number of rolls is distributed nearly as its first four cumulants tell. Following one roll brings the
distribution nearer still: it is then the mean of those after every roll.
"""

from __future__ import annotations

from functools import cache
from math import erf, pi, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.bearoff.one_sided import CHANCES, MOST_ROLLS, PIPS_A_ROLL, POINTS, ROLLS, course, numbers_of
from bgtools.board.board import BAR, OFF

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.board.board import Checkers

    Array = Any
    """A numpy array."""

_DIGITS: Final = 9
_FURTHEST: Final = 18
"""Checkers further off waste as those on this point do."""
_MOST_PIPS: Final = 160
"""Effective pips that are told."""
_MOST_KNOWN: Final = 10_000
"""Sides that are remembered at sight."""
_MOST_FOLLOWED: Final = 1_000
"""Sides of which what every roll leads to is remembered."""


class Network(NamedTuple):
    """What tells four figures: hidden units, and straight lines beside them.

    The figures are the wasted pips, and of the number of rolls the variance, less `VARIANCE_A_PIP` for each pip, and
    the third and the fourth cumulant.

    Attributes:
        hidden, offsets: from the inputs to the hidden units.
        weights: of the hidden units, ``[units, 4]``.
        lines: of the inputs, ``[inputs, 4]``.
        constant: what is added.
    """

    hidden: Array
    offsets: Array
    weights: Array
    lines: Array
    constant: Array

    def __call__(self, counts: Array) -> Array:
        """The figures of sides with checkers outside ``[n, 4]``, by their counts ``[n, 25]``.

        The last digits of a product differ with how many sides are asked about at once, so they are rounded away.
        """
        seen = inputs(counts).astype(np.float64)
        found = np.tanh(seen @ self.hidden + self.offsets) @ self.weights + seen @ self.lines + self.constant
        return found.round(_DIGITS)


def inputs(counts: Array) -> Array:
    """What the network sees of sides.

    Checkers by point; which points hold none, one, two or many; how many checkers are outside, and by how many pips;
    whether the number of all is odd.
    """
    home, nearby = counts[:, 1 : POINTS + 1], counts[:, POINTS + 1 : 2 * POINTS + 1]
    outside = counts[:, POINTS + 1 : _FURTHEST + 1].astype(np.float32)
    outside[:, -1] += counts[:, _FURTHEST + 1 :].sum(1)
    many = outside.sum(1, keepdims=True)
    pips = outside @ np.arange(1, outside.shape[1] + 1, dtype=np.float32)[:, None]
    odd = counts[:, 1:].sum(1, keepdims=True) % 2  # most rolls take off two: a last checker by itself wastes one
    at_home = (home / np.float32(3), home == 0, home == 1, home == 2, home > 3)
    parts = (*at_home, outside / 2, nearby == 1, nearby > 1, many == _FEW, many / 5, pips / 25, odd)
    return np.concatenate(parts, axis=1, dtype=np.float32)


_FEW: Final = np.arange(1, 6)


WEIGHTS: Final = Path(__file__).with_name("wastage.npz")


@cache
def known() -> Network:
    """The network that is part of bgtools."""
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return Network(*(file[name].astype(np.float64) for name in Network._fields))


# --- effective pips ---------------------------------------------------------------------------


class Chances:
    """The chances of how many rolls sides need. They are remembered, since each is asked for again and again."""

    def __init__(self) -> None:
        self._at_sight: dict[Checkers, Array] = {}
        self._after: dict[Checkers, Array] = {}

    def of(self, sides: Sequence[Checkers], *, at_sight: bool = False) -> Array | None:
        """The chances that each side takes 0, 1, … rolls, ``[n, MOST_ROLLS]``; None where one is too far off.

        Args:
            sides: checkers of sides that race home.
            at_sight: whether to follow no roll, which is less accurate.
        """
        if at_sight:
            return _remembered(self._at_sight, sides, _at_sight, _MOST_KNOWN)
        followed = self.after(sides)
        if followed is None:
            return None
        found = np.zeros((len(sides), MOST_ROLLS))
        found[:, 1:] = CHANCES @ followed[..., :-1]
        return found

    def after(self, sides: Sequence[Checkers]) -> Array | None:
        """The chances after each roll, ``[n, rolls, MOST_ROLLS]``; None where a side is too far off."""
        return _remembered(self._after, sides, _after, _MOST_FOLLOWED)


def _remembered(
    kept: dict[Checkers, Array], sides: Sequence[Checkers], find: Callable[[Array], Array | None], most: int
) -> Array | None:
    """What is found for sides by their counts, or was before; None where nothing is found."""
    new = [side for side in dict.fromkeys(sides) if side not in kept]
    if new:
        found = find(np.array([side[:BAR] for side in new]))
        if found is None:
            return None
        if len(kept) > most:
            asked = {side: kept[side] for side in sides if side in kept}
            kept.clear()
            kept.update(asked)
        kept.update(zip(new, found, strict=True))
    return np.array([kept[side] for side in sides])


def _at_sight(counts: Array) -> Array | None:
    """The chances by the counts of sides ``[n, 25]``, without following a roll; None where one is too far off."""
    away = counts[:, POINTS + 1 :].any(1)
    found = np.empty((len(counts), MOST_ROLLS))
    found[~away] = course().chances[numbers_of(counts[~away, 1 : POINTS + 1])]
    if away.any():
        pips = counts[away] @ np.arange(BAR)
        wasted, more, *higher = known()(counts[away]).T
        if (pips + wasted).max() > _MOST_PIPS:
            return None
        found[away] = _spread((pips + wasted) / PIPS_A_ROLL, VARIANCE_A_PIP * pips + more, *higher)
    return found


def _after(counts: Array) -> Array | None:
    """The chances after each roll ``[n, rolls, MOST_ROLLS]``; None where a side is too far off."""
    away = counts[:, POINTS + 1 :].any(1)
    found = np.empty((len(counts), len(ROLLS), MOST_ROLLS))
    found[~away] = course().chances[course().plays[numbers_of(counts[~away, 1 : POINTS + 1])]]
    if away.any():
        rolls = np.tile(ROLLS, (int(away.sum()), 1))
        rolled = _at_sight(play(np.repeat(counts[away], len(ROLLS), axis=0), rolls, known()))
        if rolled is None:
            return None
        found[away] = rolled.reshape(-1, len(ROLLS), MOST_ROLLS)
    return found


def effective(counts: Array, network: Network) -> Array:
    """Effective pips of sides, at home by the table."""
    away = counts[:, POINTS + 1 :].any(1)
    found = np.empty(len(counts))
    found[away] = counts[away] @ np.arange(BAR) + network(counts[away])[:, 0]
    found[~away] = _effective_at_home()[numbers_of(counts[~away, 1 : POINTS + 1])]
    return found


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


def _spread(means: Array, variances: Array, thirds: Array, fourths: Array) -> Array:
    """The chances of every number of rolls: those of a nearly normal distribution, each over the stretch of one roll.

    Source: the terms of Edgeworth's series in the third and in the fourth cumulant; Sheppard's corrections, by which
    stretching each number of rolls over a whole roll adds a twelfth to the variance and takes 1/120 from the fourth.

    Args:
        means, variances, thirds, fourths: the cumulants of the number of rolls.
    """
    spread = np.sqrt((variances - 1 / 12).clip(_LEAST_VARIANCE))
    skewness = (thirds / spread**3).clip(-_MOST_BENT, _MOST_BENT)
    kurtosis = ((fourths + 1 / 120) / spread**4).clip(-_MOST_BENT, _MOST_BENT)
    ends = (np.arange(MOST_ROLLS) + 0.5 - means[:, None]) / spread[:, None]
    places, below, skewed, pointed = _standard_normal()
    found = np.interp(ends, places, below)
    found -= skewness[:, None] * np.interp(ends, places, skewed)
    found -= kurtosis[:, None] * np.interp(ends, places, pointed)
    return np.diff(np.maximum.accumulate(found.clip(0, 1), axis=1), axis=1, prepend=0.0)


@cache
def _standard_normal() -> tuple[Array, Array, Array, Array]:
    """Of a standard normal distribution places, the chances to stay below them, and what a third and a fourth cumulant
    of 1 take away from these."""
    places = np.linspace(-6, 6, 6001)
    below = np.array([(1 + erf(place / sqrt(2))) / 2 for place in places.tolist()])
    density = np.exp(-(places**2) / 2) / sqrt(2 * pi)
    return places, below, (places**2 - 1) / 6 * density, (places**3 - 3 * places) / 24 * density


VARIANCE_A_PIP: Final = 665 / 36 / PIPS_A_ROLL**3
"""The variance of the number of rolls that a far pip adds: that of the pips of a roll, 665/36, in rolls, by pip."""
_LEAST_VARIANCE: Final = 0.1
_MOST_BENT: Final = 1.0
"""The most skewness or kurtosis that the series is given: with more it would leave the range of chances."""
