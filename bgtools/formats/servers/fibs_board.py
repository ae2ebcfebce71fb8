"""The ``board:`` lines of the server FIBS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.board.hopping import are_dice
from bgtools.positions.fibs import FIBS_NUMBERS, FIBS_UNLIMITED, fibs_places
from bgtools.positions.position import signed_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player


@dataclass(frozen=True, slots=True)
class BoardLine:
    """The content of a ``board:`` line. The line shows the board to one player, the viewer, who always comes first.

    Attributes:
        names: the viewer and their opponent.
        length: the length of the match; 0 for unlimited play.
        score: the points of both.
        position: the board seen by the viewer; None where the checkers cannot stand so.
        turn: 0 when the viewer is on roll, 1 when their opponent is; None when nobody is.
        dice: the roll of the player on roll; None before they roll.
        cube, owner: the cube's value, and its owner, 0 or 1; None while it is centred.
        doubled: whether a double waits for an answer.
        after_crawford: whether the Crawford game is over.
    """

    names: tuple[str, str]
    length: int
    score: tuple[int, int]
    position: Board | None
    turn: Player | None
    dice: Dice | None
    cube: int
    owner: Player | None
    doubled: bool
    after_crawford: bool


def board_line(names: tuple[str, str], numbers: Sequence[int]) -> BoardLine | None:
    """Read the numbers of a line; None where some are missing."""
    if len(numbers) < len(FIBS_NUMBERS):
        return None
    told = dict(zip(FIBS_NUMBERS, numbers, strict=False))
    turn: Player | None = None if not told["turn"] else 0 if told["turn"] == (1 if told["colour"] > 0 else -1) else 1
    whose = "his" if turn == 1 else "your"
    dice = (told[f"{whose}_die1"], told[f"{whose}_die2"])
    owner: Player | None = None
    if told["cube"] > 1 and told["you_may_double"] != told["he_may_double"]:
        owner = 0 if told["you_may_double"] else 1
    length = max(told["length"], 0)
    return BoardLine(
        names=names,
        length=0 if length >= FIBS_UNLIMITED else length,
        score=(max(told["your_score"], 0), max(told["his_score"], 0)),
        position=signed_board(fibs_places(told)),
        turn=turn,
        dice=dice if turn is not None and are_dice(dice) else None,
        cube=max(told["cube"], 1),
        owner=owner,
        doubled=bool(told["was_doubled"]),
        after_crawford=bool(told["did_crawford"]),
    )
