"""What an ending is played for: the score, and the heights and owners that the cube can come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState, Owner

FIRST, SECOND, CENTRE = 0, 1, 2
"""Who owns the cube: a side of a table, or nobody."""


class Stakes(NamedTuple):
    """What is played for, by the two sides of a table: who may double, and what a game is worth.

    Values are for the first side: points for money, match winning chance in a match.

    Attributes:
        met: the match equity table; None for money.
        away: points that (first, second) still need; (0, 0) for money.
        post_crawford: whether the next game comes after the Crawford game.
        doubles: whether the cube is in play: not in the Crawford game.
        limit: the highest value that the cube may take; None for no limit.
    """

    met: MatchEquityTable | None
    away: tuple[int, int]
    post_crawford: bool
    doubles: bool
    limit: int | None

    @classmethod
    def of(cls, met: MatchEquityTable, state: MatchState) -> Stakes:
        """What is played for in a state, the player on roll first."""
        limit = state.rules.cube_limit
        if state.is_money:
            return cls(None, (0, 0), post_crawford=False, doubles=True, limit=limit)
        return cls(met, state.away, state.next_is_post_crawford, not state.crawford, limit)

    @property
    def key(self) -> tuple[Any, ...]:
        """A key of these stakes among all that go by the same match equity table."""
        return (self.met is None, *self[1:])

    @property
    def is_scaled(self) -> bool:
        """Whether a cube twice as high makes everything worth twice as much."""
        return self.met is None and self.limit is None

    def height(self, cube: int) -> int:
        """The height of the cube to reckon with: 1 where all heights are alike, else the cube's own."""
        return 1 if self.is_scaled else cube

    def seen_by(self, side: int) -> Stakes:
        """The same stakes with the given side first."""
        return self._replace(away=self.away[::-1]) if side else self

    def won(self, cube: int) -> float:
        """The value of a game that the first side wins."""
        return cube if self.met is None else self._after(cube, 0)

    def lost(self, cube: int) -> float:
        """The value of a game that the second side wins."""
        return -cube if self.met is None else self._after(0, cube)

    def _after(self, won: int, lost: int) -> float:
        assert self.met is not None
        return self.met.equity((self.away[0] - won, self.away[1] - lost), post_crawford=self.post_crawford)

    def emg(self, value: Any, cube: int) -> Any:
        """A value, or a numpy array of values, as EMG of the first side by a cube."""
        lost, won = self.lost(cube), self.won(cube)
        return 2 * (value - lost) / (won - lost) - 1

    def allows(self, cube: int) -> bool:
        """Whether the cube may be turned to a height."""
        return self.doubles and (self.limit is None or cube <= self.limit)

    def gains(self, side: int, cube: int) -> bool:
        """Whether a side with access to the cube may turn it, and could gain by that."""
        return self.allows(2 * cube) and (self.met is None or self.away[side] > cube)


CUBELESS: Final = Stakes(None, (0, 0), post_crawford=False, doubles=False, limit=None)
"""One point without a cube: values by these stakes tell the chance to win."""


def owner_of(owner: Owner, on_roll: int) -> int:
    """Who owns the cube, by which side of a table is on roll."""
    return CENTRE if owner == "centre" else on_roll if owner == "mine" else 1 - on_roll


def heights(stakes: Stakes, cube: int, owner: int) -> dict[int, tuple[int, ...]]:
    """The heights that the cube can reach, the present one first, and the owners it can have there.

    Where nobody can gain by a double the owner makes no difference, and one stands for all. For money without a limit
    the present height is enough.
    """
    if stakes.is_scaled and stakes.doubles:
        return {cube: (FIRST, SECOND, CENTRE)}
    heights: dict[int, tuple[int, ...]] = {}
    owners: tuple[int, ...] = (owner,)
    while True:
        doubling = [
            side
            for side in (FIRST, SECOND)
            if stakes.gains(side, cube) and any(each in (side, CENTRE) for each in owners)
        ]
        heights[cube] = owners if doubling else owners[:1]
        if not doubling:
            return heights
        cube *= 2
        owners = tuple(1 - side for side in doubling)


class Cubes:
    """The cube at one height.

    Attributes:
        stakes: what is played for.
        height: what the cube shows.
        owners: its owners that are told apart; a single one where nobody can gain by a double.
        won, lost: the value of a game that the first side wins with it, or loses.
        gaining: the sides that could gain by a double.
    """

    def __init__(self, stakes: Stakes, height: int, owners: tuple[int, ...]) -> None:
        self.stakes = stakes
        self.height = height
        self.owners = owners
        self.won, self.lost = stakes.won(height), stakes.lost(height)
        self.gaining = [side for side in (FIRST, SECOND) if stakes.gains(side, height)]

    def at(self, owner: int) -> int:
        """The index of an owner in the arrays of values; 0 where all owners share one."""
        return self.owners.index(owner) if len(self.owners) > 1 else 0

    def is_alive(self, owner: int) -> bool:
        """Whether somebody can gain by a double while an owner has the cube."""
        return any(owner in (side, CENTRE) for side in self.gaining)


def cubes_of(stakes: Stakes, cube: int, owner: int) -> dict[int, Cubes]:
    """The cube at every height that it can reach from one with an owner, the highest first."""
    levels = reversed([*heights(stakes, cube, owner).items()])
    return {height: Cubes(stakes, height, owners) for height, owners in levels}
