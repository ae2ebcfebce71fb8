"""Equities by chances where the cube may go no higher than a limit, which bgsage does not know.

The formula is bgsage's own, with an end to the doubles: with a limit that is never reached it gives bgsage's equities.
An equity lies between that of a dead cube, which nobody turns again, and that of a live one, which is turned just when
the other player is indifferent between taking and passing. Both are known by the chance to win, in straight lines.

Sources: Rick Janowski, "Take-Points in Money Games"; the recursion over heights of the cube in a match is that of
GNU Backgammon's ``GetPoints``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.rules.cube import Cube, MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.engines.sage.frame import Context
    from bgtools.met.table import MatchEquityTable


VERSION: Final = 1
"""Goes up when values under a limit change, so that no older answer that was kept is used."""


class _Ends(NamedTuple):
    """What a game is worth with the cube at one height, the worst first: points for money, else match winning chance.

    Attributes:
        lost, won: on average, by how often a gammon comes with a loss or a win.
        one_lost, one_won: a single game, played out or passed.
    """

    lost: float
    one_lost: float
    one_won: float
    won: float


class _TurningPoints(NamedTuple):
    """The player's chances (0 to 1) to win at which a live cube is turned.

    Attributes:
        by_other, by_player: where the one and the other doubles, if it is they who may.
    """

    by_other: float
    by_player: float


class LimitedCube:
    """Equities by chances under a limit of the cube.

    Args:
        met: the match equity table to go by.
    """

    def __init__(self, met: MatchEquityTable) -> None:
        self._met = met
        self._worth: dict[tuple[tuple[int, int], bool, int], tuple[float, ...]] = {}

    def equity(self, chances: Sequence[float], at: Context, life: float) -> float:
        """EMG of a player by their chances, the next to roll being the other one or the same one, who does not double.

        Args:
            chances: their five outputs.
            at: seen by them, with a limit of the cube.
            life: how live the cube is, 0 to 1.
        """
        ends, turns = self._reached(chances, at, at.cube)
        _, one_lost, one_won, _ = ends
        if at.is_money and at.jacoby and at.owner == "centre":
            ends = _Ends(one_lost, one_lost, one_won, one_won)
        win = chances[0]
        value = ends.lost + (ends.won - ends.lost) * win
        if turns is not None:
            line = [(0.0, ends.lost), (1.0, ends.won)]
            if at.owner != "theirs":
                line.insert(1, (turns.by_player, one_won))
            if at.owner != "mine":
                line.insert(1, (turns.by_other, one_lost))
            value = (1 - life) * value + life * _on(line, win)
        return 2 * (value - one_lost) / (one_won - one_lost) - 1

    def _reached(self, chances: Sequence[float], at: Context, cube: int) -> tuple[_Ends, _TurningPoints | None]:
        """What is won and lost with the cube at a height, and where it is turned; None where it will not be."""
        ends = self._ends(chances, at, cube)
        if at.crawford or 2 * cube > at.limit or (not at.is_money and cube >= max(at.away)):
            return ends, None
        taken, again = self._reached(chances, at, 2 * cube)
        # Whoever takes owns the cube. From where they turn it again the value runs to that of the game's end.
        least = (0.0, taken.lost) if again is None else (again.by_other, taken.one_lost)
        most = (1.0, taken.won) if again is None else (again.by_player, taken.one_won)
        return ends, _TurningPoints(
            by_other=_where((0.0, taken.lost), most, ends.one_lost),
            by_player=_where(least, (1.0, taken.won), ends.one_won),
        )

    def _ends(self, chances: Sequence[float], at: Context, cube: int) -> _Ends:
        lost_backgammon, lost_gammon, one_lost, one_won, won_gammon, won_backgammon = self.outcomes(at, cube)
        win, gammon, backgammon, other_gammon, other_backgammon = chances
        lost, won = one_lost, one_won
        if win > 0:
            won += (gammon * (won_gammon - one_won) + backgammon * (won_backgammon - won_gammon)) / win
        if win < 1:
            more = other_gammon * (lost_gammon - one_lost) + other_backgammon * (lost_backgammon - lost_gammon)
            lost += more / (1 - win)
        return _Ends(lost, one_lost, one_won, won)

    def outcomes(self, at: Context, cube: int) -> tuple[float, ...]:
        """What the six ways are worth in which a game can end with a cube, the worst first, in points or MWC."""
        key = at.away, at.crawford, cube
        if key not in self._worth:
            self._worth[key] = self._outcomes(at, cube)
        return self._worth[key]

    def _outcomes(self, at: Context, cube: int) -> tuple[float, ...]:
        if at.is_money:
            return tuple(float(points * cube) for points in (-3, -2, -1, 1, 2, 3))
        length = max(at.away)
        state = MatchState(length, (length - at.away[0], length - at.away[1]), Cube(cube, "mine"), at.crawford)
        return self._met.outcomes(state)


def _on(line: Sequence[tuple[float, float]], chance: float) -> float:
    """The value at a chance of a line from point to point."""
    start, end = next(((start, end) for start, end in pairwise(line) if chance <= end[0]), (line[-2], line[-1]))
    if end[0] <= start[0]:
        return start[1]
    return start[1] + (end[1] - start[1]) * (chance - start[0]) / (end[0] - start[0])


def _where(start: tuple[float, float], end: tuple[float, float], value: float) -> float:
    """The chance at which a straight line comes to a value."""
    return start[0] + (end[0] - start[0]) * (value - start[1]) / (end[1] - start[1])
