"""What rolls are worth to bgsage: the best play of each, and the mean over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.engines._sage import ROLLS, grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.engines._sage import Native, Place
    from bgtools.engines.protocol import Progress
    from bgtools.position import Dice

_BATCH: Final = 64
"""Positions valued in one native call: some 20,000 boards, and a progress bar that moves."""


class Rolls:
    """The 1-ply equities of the best plays of rolls, for the player on roll.

    A look at the position one ply deeper would give the mean in a quarter of the time, but not this one: it lets
    the other player double after each roll, which the value of a play at 1-ply does only by a formula. Of 309
    positions with contact 55 had another mean, by up to .15.

    Args:
        native: the model.
        places: the positions.
        progress: told how many positions are done, and of how many.
    """

    def __init__(self, native: Native, places: Iterable[Place], progress: Progress | None) -> None:
        self._native = native
        self._rolls: dict[Place, tuple[float, ...]] = {}
        places = dict.fromkeys(places)
        for group in grouped(places, lambda place: place[1]):
            for start in range(0, len(group), _BATCH):
                part = group[start : start + _BATCH]
                best = iter(self._best_plays(part))
                for place in part:
                    self._rolls[place] = tuple(next(best) for _ in ROLLS)
                if progress is not None:
                    progress(len(self._rolls), len(places))

    def best(self, place: Place, dice: Dice) -> float:
        """Equity of the best play of a roll."""
        return self._rolls[place][ROLLS.index((max(dice), min(dice)))]

    def mean(self, place: Place) -> float:
        """Mean over all 36 rolls."""
        values = zip(self._rolls[place], ROLLS, strict=True)
        return sum(equity * (1 if high == low else 2) for equity, (high, low) in values) / 36

    def mean_of_mixed(self, place: Place) -> float:
        """Mean over the 15 rolls that are no doubles."""
        mixed = [equity for equity, (high, low) in zip(self._rolls[place], ROLLS, strict=True) if high != low]
        return sum(mixed) / len(mixed)

    def _best_plays(self, places: Sequence[Place]) -> list[float]:
        """Equity of the best play of each of the 21 rolls of one position after the other."""
        results = [(self._native.results(board, high, low), at) for board, at in places for high, low in ROLLS]
        return [max(values) for values in self._native.equities(results)]
