"""eXtreme Gammon's games while they are read, and small functions for the fields of its records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.xg.decode import FLAGGED
from bgtools.formats.xg.fields import PROGRAM
from bgtools.formats.xg.layout import RECORD_SIZE
from bgtools.record.annotation import Annotation
from bgtools.record.builder import GameBuilder

if TYPE_CHECKING:
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.record.annotation import Clock, CubeAnalysis
    from bgtools.source import Span

_MOST_EXPONENT: Final = 30


@dataclass(frozen=True, slots=True)
class Pending:
    """A cube record that waits for its roll, which is the next one by the same player.

    Attributes:
        board, cube: the fields of the record.
        player: the player who decides.
        note: the analysis of the decision.
        is_set: whether the entry before it sets this board.
    """

    board: Any
    cube: int
    player: Player
    note: Annotation | None
    span: Span
    is_set: bool


@dataclass(slots=True)
class XgGame(GameBuilder):
    """A game whose records are being read.

    Attributes:
        header: the fields of its header.
        ties: how many automatic doubles there were.
        texts: for each comment its index in the file's comments, how many entries come before it, and its place.
        expected_cube: the cube that the next record should have, as a power of two, below 0 when player 2 of the file
            owns it; None while it is not known.
        first_cube: the cube at the beginning of the game, in the same form.
        pending: a cube record that waits for its roll.
    """

    header: Any = field(kw_only=True)
    ties: int = 0
    texts: list[tuple[int, int, Span]] = field(default_factory=list)
    expected_cube: int | None = 0
    first_cube: int = 0
    pending: Pending | None = None

    @property
    def is_at_start(self) -> bool:
        """Whether nothing but automatic doubles has been read."""
        return len(self.entries) <= self.ties


def record_label(index: int) -> str:
    """The place of a record, for messages: its number, and its first byte in the unpacked stream."""
    return f"record {index}, byte {index * RECORD_SIZE}"


def roll_text(dice: Dice | None) -> str:
    """A roll as the listing shows it."""
    return "??: " if dice is None else f"{dice[0]}{dice[1]}: "


def cube_of(cube: int) -> tuple[int, Player | None]:
    """The value and the owner of a cube from the field of a record."""
    return 1 << min(abs(cube), _MOST_EXPONENT), None if cube == 0 else 0 if cube > 0 else 1


def cube_note(
    analysis: CubeAnalysis | None, flagged: int, clock: Clock | None, kept: tuple[tuple[str, str], ...]
) -> Annotation | None:
    """The annotation of a cube decision, or None."""
    extras = ((FLAGGED, "1"), *kept) if flagged else kept
    if analysis is None and clock is None and not extras:
        return None
    program = PROGRAM if analysis is not None else ""
    return Annotation(program=program, cube=analysis, clock=clock, extras=extras)


def joined(note: Annotation | None, cube: Annotation) -> Annotation:
    """The annotation of a play, joined with that of the cube decision before it."""
    if note is None:
        return cube
    extras = note.extras + tuple(extra for extra in cube.extras if extra not in note.extras)
    return Annotation(
        program=note.program or cube.program, plays=note.plays, cube=cube.cube, luck=note.luck, clock=cube.clock,
        extras=extras,
    )  # fmt: skip
