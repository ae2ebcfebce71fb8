"""Drafts of eXtreme Gammon's games, and small functions for the fields of its records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.xg.decode import FLAGGED
from bgtools.formats.xg.fields import PROGRAM
from bgtools.formats.xg.layout import RECORD_SIZE
from bgtools.record.annotation import Annotation

if TYPE_CHECKING:
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.record.annotation import CubeAnalysis
    from bgtools.record.record import Entry, ResultClaim
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
class XgGameDraft:
    """A game whose records are being read.

    Attributes:
        cube: the cube that the next record should have, as a power of two, below 0 when player 2 of the file
            owns it; None while it is not known.
        start_cube: the cube at the beginning of the game, in the same form.
        automatic: how many automatic doubles there were.
        comments: for each comment its index in the file's comments, how many entries come before it, and its place.
    """

    header: Any
    span: Span
    automatic: int
    entries: list[Entry] = field(default_factory=list)
    results: list[ResultClaim] = field(default_factory=list)
    comments: list[tuple[int, int, Span]] = field(default_factory=list)
    cube: int | None = 0
    start_cube: int = 0
    pending: Pending | None = None


def record_label(index: int) -> str:
    """The place of a record, for messages: its number, and its first byte in the unpacked stream."""
    return f"record {index}, byte {index * RECORD_SIZE}"


def roll_text(dice: Dice | None) -> str:
    """A roll as the listing shows it."""
    return "??: " if dice is None else f"{dice[0]}{dice[1]}: "


def cube_of(cube: int) -> tuple[int, Player | None]:
    """The value and the owner of a cube from the field of a record."""
    return 1 << min(abs(cube), _MOST_EXPONENT), None if cube == 0 else 0 if cube > 0 else 1


def cube_note(analysis: CubeAnalysis | None, flagged: int) -> Annotation | None:
    """The annotation of a cube decision, or None."""
    if analysis is None and not flagged:
        return None
    extras = ((FLAGGED, "1"),) if flagged else ()
    return Annotation(program=PROGRAM if analysis is not None else "", cube=analysis, extras=extras)


def joined(note: Annotation | None, cube: Annotation) -> Annotation:
    """The annotation of a play, joined with that of the cube decision before it."""
    if note is None:
        return cube
    extras = note.extras + tuple(extra for extra in cube.extras if extra not in note.extras)
    return Annotation(
        program=note.program or cube.program, plays=note.plays, cube=cube.cube, luck=note.luck, extras=extras
    )
