"""A decision as people look at it: the board before it, the boards that its choices lead to, score and cube."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bgtools.analysis.errors import REPLIES, RESIGNATIONS
from bgtools.analysis.lessons.boards import PlayChange
from bgtools.analysis.phases import gammon_value_of, stage_of
from bgtools.board.movement import resolve
from bgtools.board.notation import read_play
from bgtools.board.violation import Violation
from bgtools.positions.position import IdError
from bgtools.positions.xgid import decode_xgid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bgtools.analysis.phases import Need, Stage
    from bgtools.analysis.rows import ChoiceRow, DecisionRow
    from bgtools.board.board import Board, Dice
    from bgtools.positions.position import Position
    from bgtools.rules.cube import MatchState


@dataclass(frozen=True)
class DecisionBoards:
    """A decision with its boards.

    Attributes:
        row: the decision, judged or not.
        position: as the row's XGID has it: seen by the player on roll.
        board: before the decision, seen by the player who decides; None for a resignation, whose XGID does not tell
            who that is.
        state: score and cube, seen by the player who decides.
        crawford_rule: whether the Crawford rule is in force.
    """

    row: DecisionRow
    position: Position
    board: Board | None
    state: MatchState
    crawford_rule: bool = True
    _boards: dict[str, Board | None] = field(default_factory=dict, compare=False, repr=False)

    @property
    def is_play(self) -> bool:
        """Whether checkers are played."""
        return self.row.kind == "checker play"

    @property
    def is_cube(self) -> bool:
        """Whether the decision is about the cube."""
        return not self.is_play and self.row.kind not in RESIGNATIONS

    @property
    def is_answer(self) -> bool:
        """Whether an offer of the other player is answered."""
        return self.row.kind in REPLIES

    def after(self, play: str) -> Board | None:
        """The board that a play of the roll leaves, seen by the player who makes it; None where it is not legal."""
        if play not in self._boards:
            self._boards[play] = self._played(play)
        return self._boards[play]

    def _played(self, text: str) -> Board | None:
        dice: Dice | None = self.position.dice
        written = read_play(text)
        if dice is None or self.board is None or written.kind not in ("moves", "dance"):
            return None
        play = resolve(self.board, dice, written.hops)
        return None if isinstance(play, Violation) else play.result

    @cached_property
    def is_contact(self) -> bool:
        """Whether there is contact before the decision."""
        return self.board is not None and self.board.is_contact

    @cached_property
    def made(self) -> Board | None:
        """The board after the play that was made."""
        return self.after(self.row.played) if self.is_play and self.row.legal else None

    @cached_property
    def best(self) -> Board | None:
        """The board after the best play."""
        return self.after(self.row.best) if self.is_play and self.row.best else None

    @cached_property
    def contenders(self) -> tuple[Board, ...]:
        """The boards after the play made and after the two best plays, as far as they are known, each once."""
        if not self.is_play:
            return ()
        texts = [choice.choice for choice in self.row.choices if choice.rank <= 2]
        boards = (self.made, self.best, *map(self.after, texts))
        return tuple(dict.fromkeys(board for board in boards if board is not None))

    @cached_property
    def changes(self) -> tuple[PlayChange, ...]:
        """What each of the contenders changes."""
        return () if self.board is None else tuple(PlayChange(self.board, after) for after in self.contenders)

    @cached_property
    def need(self) -> Need:
        """What the score and the cube make of gammons, for the player who decides."""
        row = self.row
        return gammon_value_of(row.score, row.length, row.cube, row.cube_owner, crawford=row.crawford)

    @cached_property
    def stage(self) -> Stage:
        """Where the match stands by the Crawford rule."""
        row = self.row
        return stage_of(row.score, row.length, crawford=row.crawford, crawford_rule=self.crawford_rule)

    @cached_property
    def choices(self) -> Mapping[str, ChoiceRow]:
        """The choices that were valued, by name."""
        return {choice.choice: choice for choice in self.row.choices}


def scene_of(
    row: DecisionRow, *, crawford_rule: bool = True, position: Position | None = None, made: Board | None = None
) -> DecisionBoards | None:
    """The scene of a decision; None where the XGID of the row cannot be read.

    Args:
        row: the decision.
        crawford_rule: whether the Crawford rule is in force, which a row does not tell.
        position: the position of the XGID, where the caller has it. In a variation with fewer checkers it tells more
            than the XGID, which counts missing checkers as borne off.
        made: the board after the play that was made, where it is known.
    """
    if position is None:
        try:
            position = decode_xgid(row.xgid)
        except IdError:
            return None
    state = position.state
    board: Board | None = position.board
    if row.kind in RESIGNATIONS:
        board = None
    elif row.kind in REPLIES and REPLIES[row.kind][1] % 2 == 0:
        board, state = position.board.flipped(), state.flipped()
    return DecisionBoards(row, position, board, state, crawford_rule, {} if made is None else {row.played: made})


def boards_of(scene: DecisionBoards) -> Sequence[Board]:
    """The board before the decision, and those after the contenders, all seen by the player who decides."""
    return () if scene.board is None else (scene.board, *scene.contenders)


def some_play(scene: DecisionBoards, holds: Callable[[PlayChange], object]) -> bool:
    """Whether a predicate holds for what some contender changes."""
    return any(map(holds, scene.changes))


def is_contact_play(scene: DecisionBoards) -> bool:
    """Whether a play is decided on while the sides can still hit each other."""
    return scene.is_play and scene.is_contact
