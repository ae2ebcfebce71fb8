"""What an ending is worth: exactly where both sides have few positions left, nearly in other races of home boards."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.bearoff.one_sided import chance_to_win, number_of
from bgtools.bearoff.stakes import CUBELESS, FIRST, SECOND, Stakes, heights, owner_of
from bgtools.bearoff.two_sided import Side, Table, count_below, packed, reachable
from bgtools.board import OFF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.bearoff.near import Race
    from bgtools.board import Board
    from bgtools.met import MatchEquityTable
    from bgtools.rules import MatchState, Owner

MOST_WORK: Final = 3e7
"""Elementary steps that a table may take, about: a tenth of a second.

Four checkers against four are within it, and many on low points."""

_WAYS: Final = 60
"""Positions that the rolls lead to from one position, about: from 30 on low points to 75."""
_NO_GAMMON: Final = 11
"""Where both sides have at least so many checkers left, a gammon does not happen."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Values of a position before a roll, for the player on roll.

    Attributes:
        no_double: EMG of rolling on.
        double_take: EMG of a double that is taken, by the present cube; None where he may not double.
        win: his chance (0 to 1) to win the game if nobody doubles.
        is_exact: whether the values come from a two-sided table.
    """

    no_double: float
    double_take: float | None
    win: float
    is_exact: bool = True

    @property
    def best(self) -> float:
        """EMG of his best cube action."""
        return self.no_double if self.double_take is None else max(self.no_double, min(self.double_take, 1.0))


def is_ending(board: Board) -> bool:
    """Whether both sides only race home, neither can lose a gammon, and nobody has borne off his last checker."""
    off = board.mine[OFF], board.theirs[OFF]
    left = [sum(side) - side[OFF] for side in (board.mine, board.theirs)]
    return (min(off) > 0 or min(left) >= _NO_GAMMON) and not board.is_over and not board.is_contact


class Endings:
    """Values of endings. Tables are made when they are needed and kept; threads may share them.

    Args:
        met: the match equity table to go by.
        most_work: elementary steps that a two-sided table may take.
        most_held: about how many bytes of two-sided tables to keep. Values change with it by less than 1e-5.
    """

    def __init__(self, met: MatchEquityTable, most_work: float = MOST_WORK, most_held: int = 1 << 28) -> None:
        self._met = met
        self._most_work = most_work
        self._most_held = most_held
        self._held = 0
        self._sides: dict[int, Side | None] = {}
        self._tables: dict[tuple[Any, ...], list[Table]] = {}
        self._races: dict[tuple[Any, ...], Race] = {}
        self._lock = Lock()

    def value(self, board: Board, state: MatchState) -> Ending | None:
        """Values of a position before a roll; None where it is no ending, or a race that no table serves.

        Args:
            board: seen by the player on roll.
            state: seen by him.
        """
        found = self.values([board], state)
        return None if found is None else found[0]

    def values(
        self, boards: Sequence[Board], state: MatchState, *, exactly: bool = True, at_sight: bool = False
    ) -> list[Ending] | None:
        """Values of positions before a roll: all exact, or all by the approximation.

        The player on roll has the same checkers in all positions.

        Args:
            boards: seen by the player on roll, such as those that the other player's plays of a roll lead to.
            state: seen by him.
            exactly: whether to look for exact values first.
            at_sight: whether less accurate values will do where no exact table serves.

        Returns:
            A value for each board; None where one of them is no ending, or a race that no table serves.
        """
        if not all(map(is_ending, boards)):
            return None
        with self._lock:
            exact: list[Ending] = []
            for board in boards:
                value = self._exactly(board, state) if exactly else None
                if value is None:
                    return self._nearly(boards, state, at_sight=at_sight)
                exact.append(value)
            return exact

    def _exactly(self, board: Board, state: MatchState) -> Ending | None:
        sides = packed(board.mine), packed(board.theirs)
        stakes = Stakes.of(self._met, state)
        cube = stakes.height(state.cube.value)
        rolling = self._place(sides, stakes, cube, state.cube.owner)
        chances = rolling and self._place(sides, CUBELESS, 1, "centre")
        if rolling is None or chances is None:
            return None
        taken = None
        if state.may_double and stakes.allows(2 * cube):
            raised = self._place(sides, stakes, 2 * cube, "theirs")
            taken = raised and raised.emg(2 * cube, "theirs", cube)
        return Ending(rolling.emg(cube, state.cube.owner, cube), taken, (chances.emg(1, "centre", 1) + 1) / 2)

    def _nearly(self, boards: Sequence[Board], state: MatchState, *, at_sight: bool) -> list[Ending] | None:
        roller = number_of(boards[0].mine)
        known = [number for board in boards if (number := number_of(board.theirs)) is not None]
        if roller is None or len(known) < len(boards):
            return None
        stakes = Stakes.of(self._met, state)
        cube = stakes.height(state.cube.value)
        owner = owner_of(state.cube.owner, FIRST)
        rolling = self._race(stakes, cube, owner).rolled(roller, known, at_sight=at_sight)
        no_double: list[float] = _plain(stakes.emg(rolling.of(cube, owner), cube))
        double_take: list[float | None] = [None] * len(known)
        if state.may_double and stakes.allows(2 * cube):
            raised = (
                rolling
                if rolling.holds(2 * cube)
                else self._race(stakes, 2 * cube, SECOND).rolled(roller, known, at_sight=at_sight)
            )
            double_take = _plain(stakes.emg(raised.of(2 * cube, SECOND), cube))
        return [
            Ending(rolls, taken, chance_to_win(roller, waiter), is_exact=False)
            for rolls, taken, waiter in zip(no_double, double_take, known, strict=True)
        ]

    def _race(self, stakes: Stakes, cube: int, owner: int) -> Race:
        from bgtools.bearoff.near import Race

        key = stakes.key, cube, owner
        if key not in self._races:
            if len(self._races) >= _MOST_RACES:
                self._races.clear()
            self._races[key] = Race(stakes, cube, owner)
        return self._races[key]

    def _place(self, sides: tuple[int, int], stakes: Stakes, cube: int, owner: Owner) -> _Place | None:
        """A position in a table. The table is made if there is none; None where that would be too much work."""
        for on_roll in (FIRST, SECOND):
            first, second = sides[on_roll], sides[1 - on_roll]
            for table in self._tables.get(stakes.seen_by(on_roll).key, ()):
                ours, others = table.sides
                if first in ours.numbers and second in others.numbers and table.holds(cube, owner_of(owner, on_roll)):
                    return _Place(table, ours.numbers[first], others.numbers[second], on_roll)
        levels = heights(stakes, cube, owner_of(owner, FIRST))
        # A guess comes first, as listing what a side can come to takes time.
        if sum(map(len, levels.values())) * 2 * _WAYS * count_below(sides[0]) * count_below(sides[1]) > self._most_work:
            return None
        mine, theirs = map(self._side, sides)
        if mine is None or theirs is None:
            return None
        table = Table((mine, theirs), stakes, levels)
        if self._held + table.bytes > self._most_held:
            self._tables.clear()
            self._sides.clear()
            self._held = 0
        self._held += table.bytes
        self._tables.setdefault(stakes.key, []).append(table)
        return _Place(table, mine.numbers[sides[0]], theirs.numbers[sides[1]], FIRST)

    def _side(self, side: int) -> Side | None:
        if side not in self._sides:
            self._sides[side] = reachable(side)
        return self._sides[side]


_MOST_RACES: Final = 256
"""Sets of stakes for which races are kept: a match of 25 points may have so many."""


def _plain(values: Any) -> list[Any]:
    """Values without the last digits, in which equal values may differ."""
    found: list[float] = values.round(_DIGITS).tolist()
    return found


_DIGITS: Final = 12


class _Place(NamedTuple):
    """A position in a table: where the first and the second side stand, and which of them is on roll."""

    table: Table
    first: int
    second: int
    on_roll: int

    def emg(self, cube: int, owner: Owner, by: int) -> float:
        """EMG by the cube ``by`` for the player on roll, who rolls with a cube of this height and owner."""
        value = self.table.value(self.first, self.second, cube, owner_of(owner, self.on_roll), self.on_roll)
        emg: float = self.table.stakes.emg(value, by)
        return -emg if self.on_roll else emg
