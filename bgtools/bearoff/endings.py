"""What an ending is worth: exactly where both sides have few positions left, nearly in other races.

Those are races of two home boards, and races in which one side is at home and the other may still lose a gammon.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.bearoff.gammons import GammonTables
from bgtools.bearoff.kernel import RaceQuestion, count_below, new_kernel, packed
from bgtools.bearoff.one_sided import POINTS, is_home, number_of
from bgtools.bearoff.stakes import CUBELESS, FIRST, SECOND, Stakes, heights, owner_of
from bgtools.board.board import OFF
from bgtools.rules.cube import Cube
from bgtools.rules.worth import points_won, winning_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.bearoff.kernel import Kernel, TwoSidedTable
    from bgtools.board.board import Board, Checkers
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState, Owner

MOST_WORK: Final = 3e7
"""Elementary steps that a table may take, about: a tenth of a second.

Four checkers against four are within it, and many on low points."""

_WAYS: Final = 60
"""Positions that the rolls lead to from one position, about: from 30 on low points to 75."""
_NO_GAMMON: Final = 11
"""Where the leader has at least so many checkers left, a gammon does not happen, unless the trailer is late."""
_BEHIND_A_CHECKER: Final = 4
_MARGIN: Final = 34
"""A trailer comes home in time who is behind, on the way home, by no more pips than the first for each checker that the
leader has left, less the second."""

Chances = tuple[float, float, float, float, float]
"""To win, to win a gammon and a backgammon, to lose a gammon and a backgammon: each 0 to 1, gammons counted among the
wins as well, and backgammons among the gammons."""
_NONE: Final = (0.0,) * 5


@dataclass(frozen=True, slots=True)
class Ending:
    """Values of a position before a roll, for the player on roll.

    Attributes:
        no_double: EMG of rolling on.
        double_take: EMG of a double that is taken, by the present cube; None where they may not double.
        chances: their chances if nobody doubles.
        is_exact: whether the values come from a two-sided table.
    """

    no_double: float
    double_take: float | None
    chances: Chances
    is_exact: bool = True

    @property
    def win(self) -> float:
        """Their chance (0 to 1) to win the game if nobody doubles."""
        return self.chances[0]

    @property
    def best(self) -> float:
        """EMG of their best cube action."""
        return self.no_double if self.double_take is None else max(self.no_double, min(self.double_take, 1.0))


def is_ending(board: Board) -> bool:
    """Whether both sides only race home, and nobody has borne off their last checker.

    If one of them can lose a gammon, the other has to have all their checkers at home.
    """
    if board.is_over or board.is_contact:
        return False
    return not _is_gammon_possible(board) or is_home(_by_gammon(board)[0])


def _is_gammon_possible(board: Board) -> bool:
    """Whether one of two sides that race home can lose a gammon."""
    leader, trailer = _by_gammon(board)
    if trailer[OFF]:
        return False
    left = sum(leader) - leader[OFF]
    return left < _NO_GAMMON or _pips_outside(trailer) - _pips_outside(leader) > _BEHIND_A_CHECKER * left - _MARGIN


def _by_gammon(board: Board) -> tuple[Checkers, Checkers]:
    """The side that may win a gammon, and the one that may lose it: who has borne off none, the later of two."""
    mine, theirs = board.mine, board.theirs
    if not mine[OFF] and not theirs[OFF]:
        return (theirs, mine) if _pips_outside(mine) > _pips_outside(theirs) else (mine, theirs)
    return (theirs, mine) if not mine[OFF] else (mine, theirs)


def _pips_outside(side: Checkers) -> int:
    """How many pips bring all checkers of a side home."""
    return sum((point - POINTS) * count for point, count in enumerate(side[POINTS + 1 :], POINTS + 1))


class BearoffSolver:
    """Values of endings. Tables are made when they are needed and kept; threads may share them.

    Args:
        met: the match equity table to go by.
        most_work: elementary steps that a two-sided table may take.
        most_held: about how many bytes of two-sided tables to keep.
    """

    def __init__(self, met: MatchEquityTable, most_work: float = MOST_WORK, most_held: int = 1 << 28) -> None:
        self._met = met
        self._most_work = most_work
        self._most_held = most_held
        self._held = 0
        self._kernel = new_kernel()
        self._sides: dict[Checkers, Any] = {}
        self._tables: dict[tuple[Any, ...], list[TwoSidedTable]] = {}
        self._near: dict[tuple[Board, MatchState, int], Ending] = {}
        self._trailers = GammonTables(self._kernel)
        self._lock = Lock()

    def value(self, board: Board, state: MatchState, *, at_sight: bool = False) -> Ending | None:
        """Values of a position before a roll; None where it is not an ending, or a race that no table serves.

        Args:
            board: seen by the player on roll.
            state: seen by them.
            at_sight: whether less accurate values will do where no exact table serves.
        """
        found = self.values([board], state, at_sight=at_sight)
        return None if found is None else found[0]

    def values(
        self, boards: Sequence[Board], state: MatchState, *, exactly: bool = True, at_sight: bool = False
    ) -> list[Ending] | None:
        """Values of positions before a roll: all exact, or all by the approximation.

        The player on roll has the same checkers in all positions.

        Args:
            boards: seen by the player on roll, such as those that the other player's plays of a roll lead to.
            state: seen by them.
            exactly: whether to look for exact values first.
            at_sight: whether less accurate values will do where no exact table serves.

        Returns:
            A value for each board; None where one of them is not an ending, or a race that no table serves.
        """
        if not all(map(is_ending, boards)):
            return None
        with self._lock:
            found: dict[int, Ending] = {}
            for at, board in enumerate(boards):
                if _is_gammon_possible(board) and (lost := self._lost(board)) != _NONE:
                    if lost is None:
                        return None
                    found[at] = self._valued(lost if board.mine[OFF] == 0 else _swapped(lost), state)
            rest = [board for at, board in enumerate(boards) if at not in found]
            raced = self._raced(rest, state, exactly=exactly, at_sight=at_sight) if rest else []
            if raced is None:
                return None
            coming = iter(raced)
            return [found[at] if at in found else next(coming) for at in range(len(boards))]

    def over(self, board: Board, state: MatchState) -> Ending:
        """The value of a game that the player who has just moved has won.

        Args:
            board: seen by them.
            state: seen by them.
        """
        level = winning_level(board) or 1
        return self._valued((1.0, float(level > 1), float(level > 2), 0.0, 0.0), state)

    def _raced(
        self, boards: Sequence[Board], state: MatchState, *, exactly: bool, at_sight: bool
    ) -> list[Ending] | None:
        """The values of races in which no gammon is lost."""
        exact: list[Ending] = []
        for board in boards:
            value = self._exactly(board, state) if exactly else None
            if value is None:
                return self._nearly(boards, state, at_sight=at_sight)
            exact.append(value)
        return exact

    def _lost(self, board: Board) -> Chances | None:
        """The chances of the side that may lose a gammon.

        None where no table serves; `_NONE` where they are likelier to win the game, so that no gammon is reckoned with.
        """
        leader, trailer = _by_gammon(board)
        leads = board.mine is leader
        number = number_of(leader)
        first = self._kernel.first_off(*((leader, trailer) if leads else (trailer, leader)))
        if number is None or first is None:
            return None
        lost = self._trailers.lost(number, trailer, leader_rolls=leads)
        if lost is None:
            return None
        win, *_ = _to_win(1 - first if leads else first)
        return _NONE if lost.gammon < win else (win, 0.0, 0.0, lost.gammon, lost.backgammon)

    def _valued(self, chances: Chances, state: MatchState) -> Ending:
        """What chances are worth where nobody gains by a double: who may still win a gammon does not lose the game."""
        taken = None
        if state.may_double and Stakes.of(self._met, state).allows(2 * state.cube.value):
            taken = self._without_cube(chances, replace(state, cube=Cube(2 * state.cube.value, "theirs")), state)
        return _ending(self._without_cube(chances, state, state), taken, chances, is_exact=False)

    def _without_cube(self, chances: Chances, played: MatchState, by: MatchState) -> float:
        """EMG of chances with the cube of one state, by the cube of another."""
        if not by.is_money:
            return self._met.emg(by, self._met.outcomes(played).mean(chances))
        win, *more = chances
        gammons = 0.0 if points_won(2, played) == played.cube.value else more[0] + more[1] - more[2] - more[3]
        return (2 * win - 1 + gammons) * played.cube.value / by.cube.value

    def _exactly(self, board: Board, state: MatchState) -> Ending | None:
        sides = board.mine, board.theirs
        stakes = Stakes.of(self._met, state)
        cube = stakes.height(state.cube.value)
        rolling = self._table_position(sides, stakes, cube, state.cube.owner)
        chances = rolling and self._table_position(sides, CUBELESS, 1, "centre")
        if rolling is None or chances is None:
            return None
        taken = None
        if state.may_double and stakes.allows(2 * cube):
            raised = self._table_position(sides, stakes, 2 * cube, "theirs")
            taken = raised and raised.emg(2 * cube, "theirs", cube)
        return _ending(rolling.emg(cube, state.cube.owner, cube), taken, _to_win((chances.emg(1, "centre", 1) + 1) / 2))

    def _nearly(self, boards: Sequence[Board], state: MatchState, *, at_sight: bool) -> list[Ending] | None:
        """The values of races by the approximation. They are remembered: luck and cube ask for those of plays again."""
        rolls = 0 if at_sight else _rolls_ahead(self._kernel, boards)
        keys = [(board, state, rolls) for board in boards]
        new = [key for key in dict.fromkeys(keys) if key not in self._near]
        if new:
            if len(self._near) > _MOST_NEAR:
                self._near = {key: self._near[key] for key in keys if key in self._near}
            found = self._approached([board for board, _, _ in new], state, rolls)
            if found is None:
                return None
            self._near.update(zip(new, found, strict=True))
        return [self._near[key] for key in keys]

    def _approached(self, boards: Sequence[Board], state: MatchState, rolls: int) -> list[Ending] | None:
        """The values of races by the approximation, with so many rolls of each side followed."""
        sides = [boards[0].mine, *(board.theirs for board in boards)]
        stakes = Stakes.of(self._met, state)
        cube = stakes.height(state.cube.value)
        start = cube, owner_of(state.cube.owner, FIRST)
        questions = [RaceQuestion(start, *start)]
        if state.may_double and stakes.allows(2 * cube):
            is_ahead = stakes.is_scaled or 2 * cube in heights(stakes, *start)
            questions.append(RaceQuestion(start if is_ahead else (2 * cube, SECOND), 2 * cube, SECOND))
        found = self._kernel.race(sides, rolls, stakes, questions)
        if found is None:
            return None
        no_double, *raised = ([stakes.emg(value, cube) for value in each] for each in found.rolling)
        double_take = raised[0] if raised else [None] * len(boards)
        return [
            _ending(rolled, taken, _to_win(win), is_exact=False)
            for rolled, taken, win in zip(no_double, double_take, found.wins, strict=True)
        ]

    def _table_position(
        self, sides: tuple[Checkers, Checkers], stakes: Stakes, cube: int, owner: Owner
    ) -> _TablePosition | None:
        """A position in a table. The table is made if there is none; None where that would be too much work."""
        codes = packed(sides[0]), packed(sides[1])
        for on_roll in (FIRST, SECOND):
            first, second = codes[on_roll], codes[1 - on_roll]
            for table in self._tables.get(stakes.seen_by(on_roll).key, ()):
                ours, others = table.sides
                if first in ours.numbers and second in others.numbers and table.holds(cube, owner_of(owner, on_roll)):
                    return _TablePosition(table, ours.numbers[first], others.numbers[second], on_roll)
        start = stakes.height(cube), owner_of(owner, FIRST)
        levels = heights(stakes, *start)
        # A guess comes first, as listing what a side can come to takes time.
        if sum(map(len, levels.values())) * 2 * _WAYS * count_below(codes[0]) * count_below(codes[1]) > self._most_work:
            return None
        mine, theirs = map(self._side, sides)
        if mine is None or theirs is None:
            return None
        both = mine, theirs
        chances = None if stakes == CUBELESS else self._table_position(sides, CUBELESS, 1, "centre")
        cubeless = chances.table if chances and chances.table.sides == both else None
        table = self._kernel.ending_table(both, stakes, *start, cubeless)
        if self._held + table.bytes > self._most_held:
            self._tables.clear()
            self._sides.clear()
            self._held = 0
        self._held += table.bytes
        self._tables.setdefault(stakes.key, []).append(table)
        return _TablePosition(table, mine.numbers[codes[0]], theirs.numbers[codes[1]], FIRST)

    def _side(self, side: Checkers) -> Any:
        if side not in self._sides:
            self._sides[side] = self._kernel.side(side)
        return self._sides[side]


def _to_win(chance: float) -> Chances:
    """The chances where no gammon is possible."""
    return min(max(chance, 0.0), 1.0), 0.0, 0.0, 0.0, 0.0  # sums of shares end a bit off


def _swapped(chances: Chances) -> Chances:
    """The same for the other player."""
    win, *more = chances
    return 1 - win, more[2], more[3], more[0], more[1]


_MOST_NEAR: Final = 50_000
"""Values of races that are remembered: a long match has some thousand."""


def _rolls_ahead(kernel: Kernel, boards: Sequence[Board]) -> int:
    """How many rolls of each side are followed: as many as each of the positions is worth, so that plays compare."""
    numbers = [(number_of(board.mine), number_of(board.theirs)) for board in boards]
    return min(
        1 if ours is None or theirs is None else kernel.worth_following(ours, theirs) for ours, theirs in numbers
    )


def _ending(no_double: float, taken: float | None, chances: Chances, *, is_exact: bool = True) -> Ending:
    """Values without the last digits, which differ with what else a table holds and was asked about."""
    rounded: Any = tuple(round(each, _DIGITS) for each in chances)
    taken = None if taken is None else round(taken, _DIGITS)
    return Ending(round(no_double, _DIGITS), taken, rounded, is_exact)


_DIGITS: Final = 10


class _TablePosition(NamedTuple):
    """A position in a table: where the first and the second side stand, and which of them is on roll."""

    table: TwoSidedTable
    first: int
    second: int
    on_roll: int

    def emg(self, cube: int, owner: Owner, by: int) -> float:
        """EMG by the cube ``by`` for the player on roll, who rolls with a cube of this height and owner."""
        value = self.table.value(self.first, self.second, cube, owner_of(owner, self.on_roll), self.on_roll)
        emg: float = self.table.stakes.emg(value, by)
        return -emg if self.on_roll else emg
