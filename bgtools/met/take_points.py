"""Take points, and what gammons are worth, at a score.

Only the table decides them. Take points leave gammons out, as people learn and compare them; the gammons of a position
move its take point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bgtools.rules.cube import Cube

if TYPE_CHECKING:
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


MONEY_TAKE_POINT: Final = 0.25
"""The chance of winning that a player needs to take for money, without gammons and without a redouble."""


@dataclass(frozen=True, slots=True)
class TakePoints:
    """The chance of winning the game (0 to 1) that a player needs to take, without gammons.

    Attributes:
        dead: if nobody doubles again. A player who loses the match with the doubled cube anyway redoubles at once.
        live: if every redouble comes at the exact point where it can be passed. Owning the cube is worth at most that
            much, so the true take point lies between the two.
    """

    dead: float
    live: float


def take_points(met: MatchEquityTable, state: MatchState) -> TakePoints | None:
    """The take points of the player on roll, if the other doubled the cube as it lies.

    With L, W the match winning chances after losing and winning at the doubled cube and P that after passing, the
    point is (P - L) / (W - L) with a dead cube. With a live cube the player wins as soon as the other would pass a
    redouble, at 1 minus the other's live take point: the scale ends there instead of at 1.

    None where he cannot be doubled: in the Crawford game, and by a player who wins the match with the cube as it is.

    Raises:
        ValueError: a money session, a match that is over, or a score beyond the table.
    """
    passed = met.after(state, -state.cube.value)
    if state.crawford or state.away[1] <= state.cube.value:
        return None
    taken = replace(state, cube=Cube(2 * state.cube.value, "mine"))
    lose, win = met.anchors(taken)
    dead = (passed - lose) / (win - lose)
    redoubled = take_points(met, taken.flipped())
    if redoubled is None:
        return TakePoints(dead, dead)
    live = dead * (1 - redoubled.live)
    return TakePoints(live if taken.away[1] <= taken.cube.value else dead, live)


def gammon_values(met: MatchEquityTable, state: MatchState) -> tuple[float, float]:
    """What winning a gammon is worth to each player (on roll, other) in a match; 0.5 is its worth for money.

    It is (G - W) / (W - L): how much more a gammon wins than a single game, divided by the difference between winning
    and losing a single game.

    Raises:
        ValueError: a money session, a match that is over, or a score beyond the table.
    """
    ends = met.outcomes(state)
    between = ends.win - ends.lose
    return (ends.win_gammon - ends.win) / between, (ends.lose - ends.lose_gammon) / between
