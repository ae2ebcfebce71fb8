"""Slips that show only later: the record of a game with one of them put right.

After a legal play that was not made, a row in another's place or a missing turn, the entries are legal for
a while, and then one cannot be. So slips are looked for before that entry. A slip is kept if more of the
game replays with it put right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board.board import BAR, OFF
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.perspective import other, view
from bgtools.record.record import CheckerPlay
from bgtools.replayer.demands import Demands, allows, is_near, may_do
from bgtools.replayer.entries import says
from bgtools.replayer.plausibility import unlikeness
from bgtools.replayer.recovery import (
    A_TURN,
    ENOUGH_TO_TELL,
    LOOK_AHEAD,
    ROLLS,
    ReadingOption,
    StartBoard,
    Supposed,
    any_turn,
    how_many_fit,
    in_other_column,
    moved_up,
    tells,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.board import Board, Checkers, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.record.record import Entry
    from bgtools.replayer.budget import Budget
    from bgtools.replayer.recovery import Continuation

    _Before = tuple[Board, Player | None]
    """A board, seen by player 0, and who rolled last."""


@dataclass(frozen=True, slots=True)
class ReadingEdit:
    """Another reading of a whole game's entries, from one of them on.

    Attributes:
        at: the entry with which it differs first.
        option: how it is read from there on; ``left out`` where a row is written twice.
        weight: how far-fetched it is, in bits: more for a sort of slip of which there are more. `weighed` adds how
            unlike the texts are.
        passed_over: numbers of the entries that are left out.
        misplaced: numbers of the entries that stand where others belong.
        reply: the second of two turns that are supposed.
    """

    at: int
    option: ReadingOption
    weight: int
    passed_over: frozenset[int] = frozenset()
    misplaced: tuple[int, ...] = ()
    reply: tuple[Play | None, Dice | None] = (None, None)

    @property
    def is_exchange(self) -> bool:
        """Whether cells or rows are read in each other's place."""
        return self.option.reading in ("swapped", "moved")


@dataclass(frozen=True, slots=True)
class FoundEdit:
    """An edit, and how well the game goes on with it."""

    edit: ReadingEdit
    continuation: Continuation


_FEW: Final = 8
"""How many edits of a sort are kept: those with which most of the game fits."""

_TURNS_BACK: Final = 10
"""How many turns before a fault a missing turn is looked for. Seldom do more fit in the wrong column by chance."""

_PLIES_BACK: Final = 30
"""How many turns before a fault another play is looked for."""

_LONG_AGO: Final = 100
"""How many entries before a fault copies and swapped cells are looked for."""

_ROWS_BACK: Final = 6
_ROWS_APART: Final = 3

_MOVED: Final = 3
"""What it costs to suppose that turns stand in each other's place, besides how many they are."""

_TRIED: Final = 4
"""The cost of making an edit, in plays tried."""

_COPIED, _LOST = 3, 9
"""What it costs to suppose that a cell was copied over a turn, or that nothing of a turn is written."""

_SIGNS: Final = 3
"""How many signs of a roll and its play may be misread at once."""

_ALIKE: Final = 2
"""Two texts are alike where no more than this many signs differ."""

_PLAYS_THAT_TELL: Final = 2

_MOST: Final = 4
"""How many numbers a roll has at most."""

_WAYS: Final = 16
"""How many plays of the first of two missing turns are followed up."""


class Slips:
    """What could be wrong with a game before the entry that shows it.

    Attributes:
        entries: all of the game.
        starts: for each entry the board before it, seen by player 0, and who rolled last.
        fault: the number of the first entry that cannot be right.
    """

    def __init__(
        self, entries: Sequence[Entry], starts: Sequence[_Before], fault: int, budget: Budget, *, opens: bool
    ) -> None:
        """Take a game as it was replayed; ``opens`` where it begins with an opening roll."""
        self.budget = budget
        self.entries, self.starts, self.fault, self.opens = tuple(entries), starts, fault, opens
        self.rows = _rows(self.entries)

    @cached_property
    def _to_the_end(self) -> Demands:
        """What each entry asks of its board for all later ones to fit, up to entry `LOOK_AHEAD` of the game."""
        return Demands(self.entries, min(len(self.entries), LOOK_AHEAD))

    @cached_property
    def _past_the_fault(self) -> Demands:
        """What each entry asks of its board for all later ones to fit, up to the one after the fault."""
        return Demands(self.entries, min(self.fault + 2, len(self.entries)), self.fault - _LONG_AGO)

    def plain(self) -> list[FoundEdit]:
        """Slips that leave little to choose: what is in the record belongs elsewhere, or is one sign away."""
        stands = self._fitting(
            chain(self._repeats(), self._swaps(), self._columns(), self._moves(), self._dice()), alike=False
        )
        rows = self._rows_gone([row for row in self._rows_back() if self._is_number_gone(row)], 2)
        return [*stands, *self._fitting(self._plays()), *rows]

    def far(self) -> list[FoundEdit]:
        """Slips that leave much to choose: a turn or a row is gone, or a roll is wrong together with its play."""
        if not tells(self.entries[self.fault :]):
            return []
        found = [*self._fitting(self._first_turn("inserted")), *self._fitting(self._first_turn("moved up"))]
        if len(self.entries) - self.fault < ENOUGH_TO_TELL:
            return found
        found += self._fitting(self._rolls(self._past_the_fault))
        found += self._fitting(self._moves_up())
        if not any(one.continuation.complete for one in found):
            found += [one for one in self._fitting(self._turns()) if one.continuation.complete]
        if any(one.continuation.complete for one in found):
            return found
        return [*found, *self._rows_gone(self._rows_back(), 10)]

    def has_other_roll(self) -> bool:
        """Whether a turn before the fault with one die and a sign or two of its play misread explains all that follows.

        True as well where there is no budget left to find out.
        """
        for edit in self._rolls(self._to_the_end):
            entry, play = self.entries[edit.at], edit.option.play
            assert isinstance(entry, CheckerPlay)
            assert play is not None
            if unlikeness(entry.text.hops, play, entry.dice, edit.option.dice) > _SIGNS:
                continue
            fit = how_many_fit(edit.option.start)
            self.budget.plays -= fit.count + _TRIED
            if fit.complete:
                return True
            if self.budget.plays < 0:
                break
        return self.budget.plays < 0

    def _fitting(self, edits: Iterable[ReadingEdit], *, alike: bool = True) -> list[FoundEdit]:
        """The edits that let more entries fit, the best first.

        Args:
            edits: what is tried.
            alike: whether all edits are equally likely, so that the first few with which all fits will do.
        """
        total, fitting, whole = len(self.entries), [], 0
        for edit in edits:
            if self.budget.plays < 0:
                break
            fit = how_many_fit(edit.option.start)
            self.budget.plays -= fit.count + _TRIED
            if fit.complete or total - fit.left > self.fault + 1:
                fitting.append(FoundEdit(edit, fit))
                whole += fit.complete
            if alike and whole == _FEW:
                break
        fitting.sort(key=lambda one: (not one.continuation.complete, one.continuation.left, one.edit.weight))
        return fitting[:_FEW]

    # --- what stands elsewhere --------------------------------------------------------------

    def _repeats(self) -> Iterator[ReadingEdit]:
        """A row written twice."""
        entries = self.entries
        for at in range(min(self.fault, len(entries) - 2), max(1, self.fault - _LONG_AGO), -1):
            pair, before = entries[at : at + 2], entries[at - 2 : at]
            if list(map(says, pair)) == list(map(says, before)) and pair[0].player != pair[1].player:
                start = StartBoard(*self.starts[at], tuple(entries[at + 2 :]))
                yield ReadingEdit(at, ReadingOption("left out", start), 2, frozenset((at, at + 1)))

    def _swaps(self) -> Iterator[ReadingEdit]:
        """Two cells of a row in each other's column."""
        entries = self.entries
        for at in range(min(self.fault, len(entries) - 2), max(-1, self.fault - _LONG_AGO), -1):
            first, second = entries[at], entries[at + 1]
            if not isinstance(first, CheckerPlay) or not isinstance(second, CheckerPlay):
                continue
            if first.row == second.row and first.player != second.player:
                read = (in_other_column(second), in_other_column(first), *entries[at + 2 :])
                yield ReadingEdit(
                    at, ReadingOption("swapped", StartBoard(*self.starts[at], read)), 3, misplaced=(at, at + 1)
                )

    def _dice(self) -> Iterator[ReadingEdit]:
        """The rolls of the two cells of a row in each other's place, the plays where they belong."""
        entries = self.entries
        for at in range(min(self.fault, len(entries) - 2), max(self.fault - 2, -1), -1):
            first, second = entries[at], entries[at + 1]
            if not isinstance(first, CheckerPlay) or not isinstance(second, CheckerPlay) or first.row != second.row:
                continue
            if first.player != second.player and first.text.hops and second.text.hops and first.dice != second.dice:
                read = (replace(first, dice=second.dice), replace(second, dice=first.dice), *entries[at + 2 :])
                yield ReadingEdit(
                    at, ReadingOption("rolls exchanged", StartBoard(*self.starts[at], read)), 3, misplaced=(at, at + 1)
                )

    def _columns(self) -> Iterator[ReadingEdit]:
        """A cell, or all from a row on, in the other column."""
        entries = self.entries
        for at in range(self.fault, max(self.fault - 3, -1), -1):
            if isinstance(entries[at], CheckerPlay) and self._is_alone(at):
                read = (in_other_column(entries[at]), *entries[at + 1 :])
                yield ReadingEdit(
                    at, ReadingOption("other column", StartBoard(*self.starts[at], read)), 3, misplaced=(at,)
                )
        if len(entries) - self.fault < ENOUGH_TO_TELL:
            return
        other_way = [in_other_column(entry) for entry in entries]
        other_order = [other_way[each] for row in self.rows for each in reversed(row)]
        last = self._row_of(self.fault)
        for row in range(last, max(last - _PLIES_BACK, -1), -1):
            at = self.rows[row][0]
            for cells in (other_way, other_order):
                yield ReadingEdit(at, ReadingOption("swapped on", StartBoard(*self.starts[at], tuple(cells[at:]))), 4)

    def _is_alone(self, at: int) -> bool:
        """Whether an entry is the only one of its row, so that it could stand in either column."""
        return len(self.rows[self._row_of(at)]) == 1

    def _row_of(self, at: int) -> int:
        return next(number for number, row in enumerate(self.rows) if at <= row[-1])

    def _moves(self) -> Iterator[ReadingEdit]:
        """Rows, or the cells of a column, in each other's place."""
        last = self._row_of(self.fault)
        for first in range(last, max(last - _ROWS_BACK, -1), -1):
            for second in range(first + 1, min(first + _ROWS_APART + 1, len(self.rows))):
                rows = self.rows[first : second + 1]
                yield from self._in_order([rows[-1], *rows[1:-1], rows[0]], first)
                if len(rows) > 2:  # with two rows these orders are the same as the first
                    yield from self._in_order([rows[-1], *rows[:-1]], first)
                    yield from self._in_order([*rows[1:], rows[0]], first)
        for at in range(self.fault, max(self.fault - 2 * _ROWS_BACK, -1), -1):
            for to in self._next_rolls(at):
                order = list(range(at, len(self.entries)))
                order[0], order[to - at] = to, at
                yield from self._reordered(order, at, (at, to), _MOVED + 1)

    def _next_rolls(self, at: int) -> list[int]:
        """The next two rolls of the same player after a roll."""
        entry = self.entries[at]
        if not isinstance(entry, CheckerPlay):
            return []
        later = range(at + 1, min(at + 1 + 4 * _ROWS_APART, len(self.entries)))
        rolls = (each for each in later if isinstance(self.entries[each], CheckerPlay))
        return [each for each in rolls if self.entries[each].player == entry.player][:2]

    def _in_order(self, rows: list[Sequence[int]], first: int) -> Iterator[ReadingEdit]:
        """Rows in another order. An order that the row numbers confirm is likelier."""
        order = [*chain.from_iterable(rows), *range(1 + max(map(max, rows)), len(self.entries))]
        numbers = [self.entries[row[0]].row for row in rows]
        proved = all(one is not None and two is not None and one < two for one, two in pairwise(numbers))
        at = self.rows[first][0]
        moved = tuple(sorted(each for place, each in enumerate(order, at) if place != each))
        yield from self._reordered(order, at, moved, 0 if proved else _MOVED + len(moved) // 2)

    def _reordered(self, order: Sequence[int], at: int, numbers: tuple[int, ...], weight: int) -> Iterator[ReadingEdit]:
        # Where few entries follow, nearly every order fits.
        if not weight or len(self.entries) - 1 - max(numbers) >= ENOUGH_TO_TELL:
            read = tuple(self.entries[each] for each in order)
            yield ReadingEdit(at, ReadingOption("moved", StartBoard(*self.starts[at], read)), weight, misplaced=numbers)

    # --- what was something else ------------------------------------------------------------

    def _before(self) -> Iterator[tuple[int, CheckerPlay]]:
        """The turns before the fault, the last first: number and entry."""
        turns = 0
        for at in range(self.fault - 1, -1, -1):
            entry = self.entries[at]
            if isinstance(entry, CheckerPlay) and entry.dice is not None and are_dice(entry.dice):
                yield at, entry
                turns += 1
                if turns == _PLIES_BACK:
                    return

    def _plays(self) -> Iterator[ReadingEdit]:
        """Another play of the same roll; only one that is written alike where too little follows to tell them apart."""
        alike = len(self.entries) - self.fault < ENOUGH_TO_TELL
        # One play that does not fit is as likely to be wrong itself as a play before it.
        if alike and sum(isinstance(entry, CheckerPlay) for entry in self.entries[self.fault :]) < _PLAYS_THAT_TELL:
            return
        demands = self._to_the_end if alike else self._past_the_fault
        for at, entry in self._before():
            assert entry.dice is not None
            for edit in self._others(at, entry, entry.dice, demands) if entry.text.hops else ():
                assert edit.option.play is not None
                if not alike or unlikeness(entry.text.hops, edit.option.play) <= _ALIKE:
                    yield edit

    def _rolls(self, demands: Demands) -> Iterator[ReadingEdit]:
        """Another roll that keeps one die of the written one, with another play after which the rest may fit."""
        for at, entry in self._before():
            assert entry.dice is not None
            rolls = {tuple(sorted((entry.dice[kept], die), reverse=True)) for kept in (0, 1) for die in range(1, 7)}
            for roll in sorted(rolls - {tuple(sorted(entry.dice, reverse=True))}):
                for edit in self._others(at, entry, (roll[0], roll[1]), demands):
                    assert edit.option.play is not None
                    if _shares(entry, edit.option.play):
                        yield edit

    def _turns(self) -> Iterator[ReadingEdit]:
        """Any roll and any play in place of a turn that is written like one beside it, or of the one that cannot be."""
        for at, entry in chain([(self.fault, self.entries[self.fault])], self._before()):
            is_copy = any(says(each) == says(entry) for each in self._beside(at))
            if not isinstance(entry, CheckerPlay) or not (is_copy or at == self.fault):
                continue
            lost = Supposed("corrected", self.starts[at][0], entry.player, self.entries[at + 1 :])
            self.budget.plays -= A_TURN
            for option in lost.options(self._to_the_end.at(at + 1)):
                told = option if option.play is not None else _a_dance(option, lost)
                if told is not None:
                    yield ReadingEdit(at, told, _COPIED if is_copy else _LOST, misplaced=(self.fault,))

    def _beside(self, at: int) -> list[CheckerPlay]:
        """The rolls in the cells around an entry: to its left and right, above and below."""
        around = (at - 2, at - 1, at + 1, at + 2)
        cells = (self.entries[each] for each in around if 0 <= each < len(self.entries))
        return [replace(each, player=self.entries[at].player) for each in cells if isinstance(each, CheckerPlay)]

    def _others(self, at: int, entry: CheckerPlay, dice: Dice, demands: Demands) -> Iterator[ReadingEdit]:
        """The other plays of a roll in place of an entry, if the rest may fit after them."""
        board, player = self.starts[at][0], entry.player
        asked = demands.at(at + 1)
        if not may_do(asked, board, player, dice):
            return
        self.budget.plays -= A_TURN // len(ROLLS)
        for play in legal_plays(view(board, player), dice):
            after = view(play.result, player)
            if allows(asked, after) and after != self.starts[at + 1][0]:
                start = StartBoard(after, player, self.entries[at + 1 :])
                yield ReadingEdit(at, ReadingOption("corrected", start, play, dice), 1, misplaced=(self.fault,))

    # --- what is gone -----------------------------------------------------------------------

    def _first_turn(self, reading: Literal["inserted", "moved up"]) -> Iterator[ReadingEdit]:
        """The first turn of a game is missing; all that follows is in its place, or has moved up."""
        if not self.opens or not isinstance(self.entries[0], CheckerPlay):
            return
        present = self.entries[0].player
        is_turned = reading == "moved up"
        player, read = (
            (present, tuple(map(in_other_column, self.entries))) if is_turned else (other(present), self.entries)
        )
        first = Supposed(reading, self.starts[0][0], player, read)
        for option in first.options(self._to_the_end.at(0, swapped=is_turned)):
            if option.dice is not None and option.dice[0] != option.dice[1]:
                yield ReadingEdit(0, option, 9 + is_turned)

    def _moves_up(self) -> Iterator[ReadingEdit]:
        """A turn is missing, and all that follows has moved up."""
        for at in range(self.fault - 1, max(self.fault - 1 - _TURNS_BACK, 0), -1):
            entry, board = self.entries[at], self.starts[at][0]
            if isinstance(entry, CheckerPlay) and _might_play(view(board, other(entry.player)), entry):
                asked = self._to_the_end.at(at, swapped=True)
                if is_near(asked, board, entry.player, _MOST) and (
                    missing := moved_up(board, entry, self.entries[at + 1 :])
                ):
                    self.budget.plays -= A_TURN
                    yield from (ReadingEdit(at, option, 11) for option in missing.options(asked))

    def _rows_back(self) -> range:
        """The rows before a fault, the last first."""
        last = self._row_of(self.fault)
        return range(last, max(last - _TURNS_BACK, -1), -1)

    def _rows_gone(self, rows: Iterable[int], weight: int) -> list[FoundEdit]:
        """The edits that suppose a missing row before one of these rows, the first one with which all fits."""
        for row in rows:
            found = self._fitting(self._row_before(self.rows[row][0], weight))
            if found and found[0].continuation.complete:
                return found
        return []

    def _is_number_gone(self, row: int) -> bool:
        """Whether the number of a row shows that the one before it is missing."""
        here, before = self.entries[self.rows[row][0]].row, self.entries[self.rows[row - 1][0]].row if row else 0
        return here is not None and before is not None and here == before + 2

    def _row_before(self, at: int, weight: int) -> Iterator[ReadingEdit]:
        """A missing row before an entry: a turn of its player, then one of the other."""
        player, rest = self.entries[at].player, self.entries[at:]
        board, asked = self.starts[at][0], self._to_the_end.at(at)
        if not is_near(asked, board, player, _MOST, _MOST):
            return
        need = self.fault - at
        ways: list[tuple[int, Play | None, Dice | None, Board]] = []
        self.budget.plays -= A_TURN
        for play, dice, after in any_turn(board, player, asked, _MOST):
            mine = view(after, player).mine
            # The reply may have hit a blot.
            blots = [point for point in range(1, BAR) if mine[point] == 1]
            reach = max(_reach(sent, player, rest) for sent in (mine, *(_on_the_bar(mine, blot) for blot in blots)))
            if reach > need:
                ways.append((reach, play, dice, after))
        ways.sort(key=lambda way: -way[0])
        for _, play, dice, after in ways[:_WAYS]:
            self.budget.plays -= A_TURN
            if self.budget.plays < 0:
                return
            for reply, reply_dice, end in any_turn(after, other(player), asked):
                if _reach(view(end, other(player)).mine, other(player), rest) > need:
                    option = ReadingOption(
                        "row inserted", StartBoard(end, other(player), rest), play, dice, is_far=True
                    )
                    yield ReadingEdit(at, option, weight, reply=(reply, reply_dice))


def _a_dance(option: ReadingOption, turn: Supposed) -> ReadingOption | None:
    """A dance with the lowest roll that allows no play, or None."""
    board = view(turn.board, turn.player)
    dances = ((legal_plays(board, roll)[0], roll) for roll in ROLLS)
    return next((replace(option, play=play, dice=roll) for play, roll in dances if not play.hops), None)


def _shares(entry: CheckerPlay, play: Play) -> bool:
    """Whether a play shares two points with the written one, as it does where one sign is wrong."""
    written = {point for hop in entry.text.hops for point in (hop.points[0], hop.points[-1])}
    return len(written & {point for hop in play.hops for point in (hop.start, hop.end)}) >= min(_PAIR, len(written))


_PAIR: Final = 2


def _on_the_bar(mine: Checkers, point: int) -> Checkers:
    """The checkers of a player after a blot of theirs was hit."""
    return (*mine[:point], 0, *mine[point + 1 : BAR], mine[BAR] + 1)


def _reach(checkers: Checkers, player: Player, entries: Sequence[Entry]) -> int:
    """How many entries could be played, by the checkers of one player alone.

    This is quick, and rules out most of the many boards that two unknown turns can leave.
    """
    mine = list(checkers)
    for index, entry in enumerate(entries):
        if not isinstance(entry, CheckerPlay):
            continue
        legs = [leg for hop in entry.text.hops for leg in hop.legs]
        if entry.player == player:
            for start, end in legs:
                if not OFF <= end < start <= BAR:
                    return index
                mine[start] -= 1
                mine[end] += 1
            if min(mine) < 0 or (mine[BAR] and legs):
                return index
            continue
        for _, end in legs:
            if OFF < end < BAR and mine[BAR - end]:
                if mine[BAR - end] > 1:
                    return index
                mine[BAR - end] = 0
                mine[BAR] += 1
    return len(entries)


def _rows(entries: Sequence[Entry]) -> list[tuple[int, ...]]:
    """The numbers of the entries of each row; where a record has no rows, as match text would have them."""
    rows: list[list[int]] = []
    for at, entry in enumerate(entries):
        before = entries[at - 1] if rows else None
        if before is not None and entry.row == before.row and (entry.row is not None or before.player < entry.player):
            rows[-1].append(at)
        else:
            rows.append([at])
    return [tuple(row) for row in rows]


def _might_play(seen: Board, entry: CheckerPlay) -> bool:
    """Whether a player could make the hops of an entry after an unknown turn of the other player."""
    reached = {hop.points[-1] for hop in entry.text.hops}
    return all(hop.points[0] == BAR or hop.points[0] in reached or seen.mine[hop.points[0]] for hop in entry.text.hops)


def weighed(found: FoundEdit, entries: Sequence[Entry]) -> int:
    """How far-fetched an edit is, in bits: its own weight, and how unlike its play is to what is written."""
    edit = found.edit
    if edit.option.reading != "corrected" or edit.option.play is None:
        return edit.weight
    entry = entries[edit.at]
    assert isinstance(entry, CheckerPlay)
    unlike = unlikeness(entry.text.hops, edit.option.play, entry.dice, edit.option.dice)
    return edit.weight + min(unlike, 6) + 4 * (edit.option.dice != entry.dice)
