"""What rolls are worth to bgsage: the best play of each, and the mean over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.engines.protocol import ROLLS
from bgtools.engines.sage.frame import grouped, mean_of_rolls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.engines.protocol import Progress
    from bgtools.engines.sage.frame import Place, Roll
    from bgtools.engines.sage.native import Native

_CLOSE: Final = 0.1
"""Where doubling is worse than rolling on by more than this at 1-ply, it is worse at 2-ply too: so it was in all of 643
such positions of recorded matches."""


class Rolls:
    """Equities after the best play of rolls, with the best cube action of the player who is next.

    Args:
        native: the model.
        rolls: positions with the roll that was made there.
        whole: positions whose every roll is wanted.
        progress: told how many positions are done, and of how many.
        plies: how deep to look after the play.
    """

    def __init__(
        self,
        native: Native,
        rolls: Sequence[tuple[Place, Roll]],
        whole: Sequence[Place],
        progress: Progress | None,
        plies: int = 1,
    ) -> None:
        self._native, self._plies = native, plies
        self._wanted: dict[Place, Sequence[Roll]] = {}
        for place, roll in dict.fromkeys(rolls):
            self._wanted[place] = (*self._wanted.get(place, ()), roll)
        self._wanted |= dict.fromkeys(whole, ROLLS)
        places = list(self._wanted)
        self._found = dict(zip(places, native.spread(self._valued, places, progress), strict=True))

    def best(self, place: Place, roll: Roll) -> float:
        """Equity of the best play of a roll of the position."""
        return self._found[place][0][roll]

    def each(self, place: Place) -> tuple[float, ...]:
        """Equities of the best plays of all rolls of one of the whole positions, in the order of `ROLLS`."""
        return tuple(self._found[place][0].values())

    def mean(self, place: Place) -> float:
        """Mean over all 36 rolls, for the player who has not doubled."""
        return self._found[place][1]

    def mean_of_mixed(self, place: Place) -> float:
        """Mean over the 15 rolls that are no doubles, of one of the whole positions."""
        mixed = [equity for (high, low), equity in self._found[place][0].items() if high != low]
        return sum(mixed) / len(mixed)

    def _valued(self, places: Sequence[Place]) -> list[tuple[Mapping[Roll, float], float]]:
        """Equities of the rolls that are wanted of a few positions, and the mean over all rolls.

        A look at the position one ply deeper gives the mean in a fraction of the time, but after the player's best cube
        action, and only nearly where a limit of the cube lies ahead. There, and where he may wish to double, every roll
        is looked at by itself.
        """
        found: dict[Place, tuple[Mapping[Roll, float], float]] = {}
        for group in grouped(places, lambda place: place[1]):
            may_double = [place for place in group if place[1].may_double]
            cubes = zip(may_double, self._native.shallow_cube(may_double), strict=True)
            close = {
                place for place, cube in cubes if cube.no_double < min(cube.double_take, cube.double_pass) + _CLOSE
            }
            close.update(place for place in group if place[1].limit and not place[1].is_stuck)
            asked = [(place, roll) for place in group for roll in (ROLLS if place in close else self._wanted[place])]
            plays = self._native.best_plays([(*place, roll) for place, roll in asked])
            values = self._native.equities_after_plays(plays, self._plies)
            rolled: dict[Place, dict[Roll, float]] = {}
            for (place, roll), play in zip(asked, plays, strict=True):
                rolled.setdefault(place, {})[roll] = values[play]
            for place, equities in rolled.items():
                if place in close:
                    mean = mean_of_rolls([*equities.values()])
                else:
                    mean = self._native.before_roll(*place, self._plies + 1).equity
                found[place] = equities, mean
        return [found[place] for place in places]
