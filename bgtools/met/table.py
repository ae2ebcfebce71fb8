"""What a match score is worth: the match equity table and what is computed from it.

The away score of a player is the points that they still need. Before anybody is one point from winning, and in the
Crawford game itself, a score is looked up in the square table; after the Crawford game, in the row of the games after
it. EMG is
the match winning chance on another scale: losing the cube as it lies is -1, winning it is +1.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.rules.cube import MatchState

_SAME: Final = 5e-7
"""Tables that differ by no more than this hold the same numbers, perhaps rounded to single precision."""


class Outcomes(NamedTuple):
    """Match winning chance (0 to 1) of the player on roll after each way that a game can end, the worst for them first.

    All are at the cube as it lies; ``win`` and ``lose`` are single games, borne off or passed.
    """

    lose_backgammon: float
    lose_gammon: float
    lose: float
    win: float
    win_gammon: float
    win_backgammon: float

    def mean(self, chances: Sequence[float]) -> float:
        """Cubeless match winning chance by the five outputs of an engine.

        Args:
            chances: win, win gammon, win backgammon, lose gammon, lose backgammon, each 0 to 1; a gammon is counted
                among the wins as well, and a backgammon among the gammons.
        """
        win, gammon, backgammon, lost_gammon, lost_backgammon = chances
        return (
            backgammon * self.win_backgammon
            + (gammon - backgammon) * self.win_gammon
            + (win - gammon) * self.win
            + (1 - win - lost_gammon) * self.lose
            + (lost_gammon - lost_backgammon) * self.lose_gammon
            + lost_backgammon * self.lose_backgammon
        )


@dataclass(frozen=True, slots=True)
class MatchEquityTable:
    """A match equity table that holds for either player.

    Attributes:
        name: what it is called on the command line and in reports, such as ``Kazaross-XG2``.
        pre_crawford: ``pre_crawford[own - 1][other - 1]`` is the match winning chance (0 to 1) of a player who is
            ``own`` points away when the other is ``other`` away; its first row and column hold for the Crawford game.
        post_crawford: ``post_crawford[own - 1]`` is that of a player ``own`` away when the other is one away and the
            Crawford game has been played.
        title, description: what the table's file calls it, and says of it.
        notice: copyright and permission, to go wherever the numbers go.
    """

    name: str
    pre_crawford: tuple[tuple[float, ...], ...]
    post_crawford: tuple[float, ...]
    title: str = ""
    description: str = ""
    notice: str = ""

    @property
    def size(self) -> int:
        """The most points away that the table holds."""
        return len(self.pre_crawford)

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits of the table's numbers. The name does not count."""
        numbers = (*(value for row in self.pre_crawford for value in row), *self.post_crawford)
        text = f"{self.size} " + " ".join(f"{value:.9f}" for value in numbers)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def agrees_with(self, other: MatchEquityTable) -> bool:
        """Whether another table holds the same numbers, to six digits, at every score that can come up."""
        if self.size != other.size:
            return False
        # A player as many points away as the match is long has no game after the Crawford game.
        last = self.size - 1
        rows = zip(
            (*self.pre_crawford, self.post_crawford[:last]),
            (*other.pre_crawford, other.post_crawford[:last]),
            strict=True,
        )
        return all(abs(one - two) <= _SAME for pair in rows for one, two in zip(*pair, strict=True))

    def equity(self, away: tuple[int, int], *, post_crawford: bool = False) -> float:
        """Match winning chance (0 to 1) of the first player between games; 1 or 0 when the match is over.

        Args:
            away: points that (they, the other) still need; 0 or less has won.
            post_crawford: True once the Crawford game has been played, or where there is none.

        Raises:
            ValueError: a score beyond the table, or one at which both have won.
        """
        own, other = away
        if own <= 0 or other <= 0:
            if own <= 0 and other <= 0:
                raise ValueError("both players cannot have won")
            return 1.0 if own <= 0 else 0.0
        held = self.size
        after = post_crawford and 1 in away
        if after:
            held = min(held, len(self.post_crawford))
        if max(away) > held:
            raise ValueError(f"{max(away)} points away is beyond the match equity table, which ends at {held}")
        if not after:
            return self.pre_crawford[own - 1][other - 1]
        return self.post_crawford[own - 1] if other == 1 else 1 - self.post_crawford[other - 1]

    def covers(self, away: tuple[int, int]) -> bool:
        """Whether a score, as points that (they, the other) still need, is one to play on at, and within the table."""
        return 0 < min(away) <= max(away) <= self.size

    def before(self, state: MatchState) -> float:
        """Match winning chance of the player on roll before the game.

        Raises:
            ValueError: as `anchors`.
        """
        self._check(state)
        return self.equity(state.away, post_crawford=not state.crawford)

    def after(self, state: MatchState, points: int) -> float:
        """Match winning chance of the player on roll once they have won so many points, or lost them if negative.

        Raises:
            ValueError: as `anchors`.
        """
        return self._after(state, points)[0]

    def _after(self, state: MatchState, *points: int) -> list[float]:
        """`after` for several numbers of points."""
        self._check(state)
        (own, other), post = state.away, state.next_is_post_crawford
        return [self.equity((own - max(each, 0), other - max(-each, 0)), post_crawford=post) for each in points]

    def anchors(self, state: MatchState) -> tuple[float, float]:
        """Match winning chance of the player on roll after losing and after winning the cube as it lies.

        They are EMG -1 and +1. Where the Crawford rule is off, a player who comes to one point away is worth what they
        is in the games after the Crawford game; scores before that are those of the table, which assumes the rule.

        Raises:
            ValueError: a money session, a match that is over, or a score beyond the table.
        """
        lose, win = self._after(state, -state.cube.value, state.cube.value)
        return lose, win

    def outcomes(self, state: MatchState) -> Outcomes:
        """Match winning chance of the player on roll after every way that the game can end with this cube.

        Raises:
            ValueError: as `anchors`.
        """
        return Outcomes(*self._after(state, *(points * state.cube.value for points in (-3, -2, -1, 1, 2, 3))))

    def mwc(self, state: MatchState, emg: float) -> float:
        """Match winning chance of the player on roll at an EMG, by the state's cube.

        Raises:
            ValueError: as `anchors`.
        """
        lose, win = self.anchors(state)
        return lose + (emg + 1) / 2 * (win - lose)

    def emg(self, state: MatchState, mwc: float) -> float:
        """EMG of the player on roll at a match winning chance, by the state's cube; the inverse of `mwc`.

        Raises:
            ValueError: as `anchors`.
        """
        lose, win = self.anchors(state)
        return 2 * (mwc - lose) / (win - lose) - 1

    def _check(self, state: MatchState) -> None:
        if state.is_money:
            raise ValueError("a money session has no match winning chance")
        if min(state.away) < 1:
            raise ValueError(f"no match winning chance at {state.away} points away: the match is over")
        if max(state.away) > self.size:
            raise ValueError(
                f"{max(state.away)} points away is beyond the match equity table, which ends at {self.size}"
            )
