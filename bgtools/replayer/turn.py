"""What a replay gives: a turn for every entry, a result for every game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools._notebooks import shown_html
from bgtools.board.violation import Violation
from bgtools.positions.position import Position
from bgtools.record.points import plus
from bgtools.record.record import Beaver, CheckerPlay, Double, SetBoard, Take
from bgtools.record.rows import rows_of
from bgtools.record.state import How
from bgtools.rules.cube import Cube, CubeReason, CubeViolation

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.positions.position import Offer
    from bgtools.record.record import Entry, Game, ResultClaim
    from bgtools.rules.cube import MatchState, Owner
    from bgtools.rules.options import Ruleset
    from bgtools.rules.worth import Level
    from bgtools.source import Source


class TurnFault(Enum):
    """What can be wrong with an entry besides its play and the cube."""

    OPENING_DOUBLE = "opening roll is a double"
    WRONG_STARTER = "the loser of the game before starts"
    TURN_MISSING = "two turns running"
    WRONG_COLUMN = "in the other player's column"
    SWAPPED = "two entries in each other's column"
    SWAPPED_ON = "all entries from here on in each other's column"
    MOVED_UP = "a turn missing, and all that follows moved up"
    MOVED = "entries in each other's place"
    ROLLS = "two rolls in each other's place"
    PLAYS = "two plays in each other's place"
    FIRST_MISSING = "the first turn of a game missing"
    ROW_MISSING = "a turn of either player missing"
    MISREAD = "legal, but not what was played"
    REPEATED = "the turn before, written twice"
    SURPLUS = "legal, but one turn too many"
    AFTER_END = "after the end of the game"
    PLAY_EXISTED = "a play existed"
    UNKNOWN_PLAY = "play not recorded"
    FORCED_PLAY = "forced play not written"
    DECLARED_ILLEGAL = "marked as illegal"


@dataclass(frozen=True, slots=True)
class OrderViolation:
    """A fault in the order of turns, or a play that the record does not give.

    Attributes:
        fault: what is wrong.
        possible: a play that could be made, or that is supposed to have been, where that is the proof.
        dice: its roll, where that is supposed too.
        misplaced: numbers of the entries, from 0, that stand where others belong.
        reply: a second play that is supposed, with its roll, by the other player.
        like: plays of other rolls that are supposed as likely, each with its roll.
    """

    fault: TurnFault
    possible: Play | None = None
    dice: Dice | None = None
    misplaced: tuple[int, ...] = ()
    reply: tuple[Play | None, Dice | None] = (None, None)
    like: tuple[tuple[Play, Dice], ...] = ()


AnyViolation = Violation | CubeViolation | OrderViolation


Reading = Literal["", "as written", "left out", "corrected", "inserted", "other column", "moved"]
"""How an entry is read that cannot be right; empty where nothing had to be decided.

``as written``: it is carried out as it stands. ``left out``: it is skipped, or the cube has another value than it says.
``corrected``: something else is taken to be meant, as ``guess`` of a roll says. ``inserted``: a turn or a double before
it is missing. ``other column``: it stands in the other player's column, alone or with those after it. ``moved``: it, or
its roll, stands in the place of another one.
"""

_TOO_MANY: Final = frozenset({TurnFault.REPEATED, TurnFault.TURN_MISSING, TurnFault.SURPLUS})
"""An entry left out with these faults alone is one too many; so is one left out with none, in a row written twice."""


_LONGEST: Final = 60
"""Characters of an entry that the short text of a turn holds."""


class Turn(NamedTuple):
    """One entry of a record on its board.

    >>> turn = bgtools.replay("samples/seven-point.mat")[0].turns[1]
    >>> turn
    <Turn 2, entry 2, player 0: 52: 13/8 24/22>
    >>> turn.position.pips, str(turn.play), turn.is_legal
    ((167, 158), '24/22 13/8', True)

    A named tuple, because every roll of a record makes one and a frozen dataclass takes five times as long.

    Attributes:
        player: who acts.
        before: the board before the entry, seen by them.
        state: score and cube before the entry, seen by them.
        entry: the entry.
        after: the board after the entry, seen by them still.
        play: the legal play that was made; None for cube actions and for what is not legal.
        violations: what is wrong with the entry.
        reading: how the record is read, where the entry cannot be.
        guess: with a corrected reading, the play that was meant.
        legal_after: how many plays after this one are legal in that reading; 0 where no reading makes the rest fit, -1
            where nothing was tried.
        sure: whether no other reading comes near this one.
        rivals: other plays of the same roll that are as likely; None for the play as it is written.
        index: the entry's number in the game, from 0.
        roll: the number of the roll in the game, from 0, cube actions sharing the number of the next roll.
        offer: what a take, drop or beaver answers; "" for other entries.
    """

    player: Player
    before: Board
    state: MatchState
    entry: Entry
    after: Board
    play: Play | None = None
    violations: tuple[AnyViolation, ...] = ()
    reading: Reading = ""
    guess: Play | None = None
    legal_after: int = -1
    index: int = 0  # type: ignore[assignment]  # shadows tuple.index
    roll: int = 0
    sure: bool = False
    offer: Offer = ""
    rivals: tuple[Play | None, ...] = ()

    def __repr__(self) -> str:
        entry = self.entry
        said = type(entry).__name__
        if isinstance(entry, CheckerPlay):
            said = f"{entry.dice[0]}{entry.dice[1]}: {entry.text}" if entry.dice else str(entry.text)
            said = said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
        wrong = f", {len(self.violations)} wrong" if self.violations else ""
        return f"<Turn {self.number}, entry {self.index + 1}, player {self.player}: {said}{wrong}>"

    @property
    def position(self) -> Position:
        """The position that the entry decides about: board, score, cube and the roll, seen by the player on roll.

        Where a double is answered, that is the player who offered it first, with the cube before it.
        """
        entry, board, state = self.entry, self.before, self.state
        if isinstance(entry, SetBoard):
            owner: Owner = "centre" if entry.owner is None else "mine" if entry.owner == self.player else "theirs"
            return Position(self.after, replace(state, cube=Cube(entry.cube, owner)))
        if isinstance(entry, CheckerPlay):
            return Position(board, state, entry.dice)
        # A beaver is answered by the doubler themselves.
        if self.offer in ("", "beaver"):
            return Position(board, state, offer=self.offer)
        return Position(board.flipped(), state.flipped(), offer=self.offer)

    def _repr_svg_(self) -> str:
        return self.position.draw()

    def _repr_html_(self) -> str:
        return shown_html(self)

    @property
    def dice(self) -> Dice | None:
        """The roll that was played; None for a cube action, and where the record does not tell it."""
        return self.entry.dice if isinstance(self.entry, CheckerPlay) else None

    @property
    def number(self) -> int:
        """The number of the turn in its game, from 1: a roll and its play, with the cube actions before it."""
        return self.roll + 1

    @property
    def is_surplus(self) -> bool:
        """Whether the entry is not part of the game: it stands after the end, or is left out as one turn too many."""
        faults = [getattr(violation, "fault", None) for violation in self.violations]
        if TurnFault.AFTER_END in faults:
            return True
        return self.reading == "left out" and all(fault in _TOO_MANY for fault in faults)

    @property
    def is_legal(self) -> bool:
        """Whether nothing about the entry is against the rules; a dead cube may be turned."""
        return all(getattr(violation, "reason", None) is CubeReason.DEAD for violation in self.violations)


class Turns:
    """The turns of a game, which may be made only when somebody asks for them.

    A sound game is checked without them, and most games of a check are sound.
    """

    __slots__ = ("_made", "_make", "_rows")

    def __init__(
        self, made: tuple[Turn, ...] | None = None, make: Callable[[], tuple[Turn, ...]] | None = None
    ) -> None:
        """Hold the turns, or what makes them."""
        self._made = made
        self._make = make
        self._rows: tuple[int, ...] | None = None

    @property
    def made(self) -> tuple[Turn, ...]:
        """The turns themselves."""
        if self._made is None:
            assert self._make is not None
            self._made, self._make = self._make(), None
        return self._made

    def rows(self, game: Game, text: str) -> tuple[int, ...]:
        """The rows of the game's list of moves in which its entries stand."""
        if self._rows is None:
            self._rows = rows_of(game, text)
        return self._rows

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turns) and self.made == other.made

    def __hash__(self) -> int:
        return hash(self.made)

    def __repr__(self) -> str:
        return repr(self.made)


Exchanged = Literal["", "names", "names on", "points", "points on", "cells", "games", "numbers"]
"""Which part of a game is in the wrong player's place, or in another game's.

``names``: the names on its score line. ``points``: the points there. ``names on``, ``points on``: the same on its score
line and on those that follow. ``cells``: all entries. ``games``: the game and the next one stand in each other's place,
as their scores tell; ``numbers``: only their numbers tell so.
"""

Misplaced = Literal["", "next", "previous", "perhaps previous"]
"""With which game a game may have exchanged its result.

``next``, ``previous``: each of the two results is that of the other game, and of the two it is the first or the second
game. ``perhaps previous``: that would explain the score line of the second one, and so would a misprint there.
"""

Ending = How | Literal["unfinished"]


@dataclass(frozen=True, slots=True)
class GameReplay:
    """One game, replayed.

    >>> bgtools.replay("samples/seven-point.mat")[7]
    <GameReplay 8 at 6-6: 39 entries, borne off, 1 to player 1>

    Attributes:
        game: the record.
        index: its place in the match, from 0.
        score: points before the game by player: those the record states, or those that add up.
        added_up: the sum of the results before it; None where that cannot be known.
        crawford: whether it is the Crawford game.
        turns_held: the turns, perhaps still to be made; `turns` gives them.
        ending: how it ended.
        winner: who won; None when it is unfinished.
        level: what they won before the cube; None where a resignation does not tell.
        cube: the cube's value at the end.
        earned: points by board, cube and rules; None where only the record can tell.
        points: points the winner is taken to have got: ``earned``, else what the record states.
        claim: the stated result that counts, if there is one.
        rules: the options it was judged by.
        final: the last board, seen by player 0.
        carried: whether the score line repeats the wrong result of the game before.
        misprint: whether the score line is wrong and the next one right; then ``score`` is what adds up.
        scored: points that the next score line counts, where the result leaves out automatic doubles or the
            Jacoby rule as GNU Backgammon's exports do; ``points`` are these then. None otherwise.
        games_too_many: 0, or which game after the end of the match this is, from 1.
        keeps_score: whether any score line of the match has points.
        is_sound: whether it is known, without looking at the turns, that none has a violation and that
            every star of a play stands where it hits. False where the turns have to be asked.
        unmarked: how many plays hit more often than they have stars; counted only where ``is_sound``.
        is_odd: whether neither the cube nor what the match needed explains the points stated for a resignation.
        by_score: whether winner and points of a resigned game are taken from the next score line, against the stated
            result.
        exchanged: what of the game is in the wrong player's place.
        misplaced: with which game its result is in each other's place.
        after: points after the game by player, where an exchange or a copy changes them; None elsewhere.
        is_copy: whether it is the game before it, written a second time.
        is_moved: whether it, or the game before it, is in another game's place.
        missing: where the numbers leave a gap before it, the points by player that its score line counts and no game
            gives; None where there is no gap, or no score.
        source: the text that the record was read from, if it was read from one.
    """

    game: Game
    index: int
    score: tuple[int, int]
    added_up: tuple[int, int] | None
    crawford: bool
    turns_held: Turns
    ending: Ending
    winner: Player | None
    level: Level | None
    cube: int
    earned: int | None
    points: int | None
    claim: ResultClaim | None
    rules: Ruleset
    final: Board
    carried: bool = False
    misprint: bool = False
    scored: int | None = None
    games_too_many: int = 0
    keeps_score: bool = True
    is_sound: bool = False
    unmarked: int = 0
    is_odd: bool = False
    by_score: bool = False
    exchanged: Exchanged = ""
    misplaced: Misplaced = ""
    after: tuple[int, int] | None = None
    is_copy: bool = False
    is_moved: bool = False
    missing: tuple[int, int] | None = None
    source: Source | None = field(default=None, compare=False)

    @property
    def rows(self) -> tuple[int, ...]:
        """The row of the list of moves in which each entry stands: as the record numbers them, else counted from 1."""
        return self.turns_held.rows(self.game, "" if self.source is None else self.source.text)

    def row_of(self, turn: Turn) -> int:
        """The row of a turn; of one that is supposed behind the last entry, the last row."""
        rows = self.rows
        return rows[min(turn.index, len(rows) - 1)]

    def turns_in(self, row: int, column: int | None = None) -> tuple[Turn, ...]:
        """The turns that stand in a row, or in one of its cells: 1 is the left player's, 2 the right player's."""
        left = self.game.left
        return tuple(
            turn
            for turn in self.turns
            if self.row_of(turn) == row and column in (None, 1 if turn.player == left else 2)
        )

    @property
    def turns(self) -> tuple[Turn, ...]:
        """One turn an entry, in the order of the game."""
        return self.turns_held.made

    _repr_html_ = shown_html

    def __repr__(self) -> str:
        number = self.index + 1 if self.game.number is None else self.game.number
        points = f", {self.points} to player {self.winner}" if self.winner is not None and self.points else ""
        score = f"{self.score[0]}-{self.score[1]}"
        return f"<GameReplay {number} at {score}: {len(self.turns)} entries, {self.ending}{points}>"

    @property
    def is_cube_untouched(self) -> bool:
        """Whether nobody has taken a double, so that gammons do not count by the Jacoby rule (R35)."""
        return not any(isinstance(turn.entry, Take | Beaver) for turn in self.turns)

    def is_set_before(self, turn: Turn) -> bool:
        """Whether the record itself has set the board, at the start of the game or somewhere before an entry of it."""
        if self.game.start is not None:
            return True
        return any(isinstance(each.entry, SetBoard) for each in self.turns if each.index < turn.index)

    def is_first_roll(self, turn: Turn) -> bool:
        """Whether an entry is the roll that a game begins with. Its place in the record decides, not the board."""
        return turn.roll == 0 and isinstance(turn.entry, CheckerPlay) and not self.is_set_before(turn)

    def is_opening_roll(self, turn: Turn) -> bool:
        """Whether an entry is the roll that a game begins with, and one die of each player (R03, R04)."""
        return self.is_first_roll(turn) and not self.rules.winner_starts

    @property
    def score_after(self) -> tuple[int, int]:
        """Points after the game by player."""
        return plus(self.score, self.winner, self.points)

    @property
    def stated_after(self) -> tuple[int, int]:
        """Points after the game by player, as the record's own result gives them."""
        return self.score_after if self.claim is None else plus(self.score, self.claim.player, self.claim.points)


def is_claimed(turn: Turn) -> bool:
    """Whether a turn is a double to another value than the cube allows."""
    entry = turn.entry
    return isinstance(entry, Double) and entry.value not in (None, 2 * turn.state.cube.value)


class GameReplays(tuple[GameReplay, ...]):
    """The games of a record, replayed; a tuple that a notebook shows game by game."""

    __slots__ = ()

    _repr_html_ = shown_html
