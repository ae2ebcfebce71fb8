"""The ``board:`` lines of the server FIBS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.board import are_dice
from bgtools.positions import signed_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board import Board, Dice, Player

PLACES: Final = 26
FIELDS: Final = ("length", "score", "opponent's score") + PLACES * ("board",) + (
    "turn", "die 1", "die 2", "opponent's die 1", "opponent's die 2", "cube", "may double", "opponent may double",
    "was doubled", "colour", "direction", "home", "bar", "on home", "opponent's on home", "on bar",
    "opponent's on bar", "can move", "forced move", "did Crawford", "redoubles",
)  # fmt: skip
"""The numbers of a line behind the two names, in their order."""
UNLIMITED: Final = 9999
"""The length that stands for a match without end."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """What a ``board:`` line says. The player who looks on comes first everywhere.

    Attributes:
        names: who looks on, and his opponent.
        length: points of the match; 0 for unlimited play.
        score: points of both.
        position: the board seen by who looks on; None where the checkers cannot stand so.
        turn: 0 when he is on roll, 1 when the opponent is; None when nobody is.
        dice: the roll of whoever is on roll, if he has rolled.
        cube, owner: the cube's value, and 0 or 1 for whose it is; None while it is centred.
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
    if len(numbers) < len(FIELDS):
        return None
    told = {name: number for name, number in zip(FIELDS, numbers, strict=False) if name != "board"}
    colour = 1 if told["colour"] > 0 else -1
    turn: Player | None = None if not told["turn"] else 0 if told["turn"] == colour else 1
    whose = "opponent's " if turn == 1 else ""
    dice = (told[f"{whose}die 1"], told[f"{whose}die 2"])
    owner: Player | None = None
    if told["cube"] > 1 and told["may double"] != told["opponent may double"]:
        owner = 0 if told["may double"] else 1
    length = max(told["length"], 0)
    places = [count * colour for count in numbers[3 : 3 + PLACES]]
    return BoardLine(
        names=names,
        length=0 if length >= UNLIMITED else length,
        score=(max(told["score"], 0), max(told["opponent's score"], 0)),
        position=signed_board(places if told["direction"] < 0 else places[::-1]),
        turn=turn,
        dice=dice if turn is not None and are_dice(dice) else None,
        cube=max(told["cube"], 1),
        owner=owner,
        doubled=bool(told["was doubled"]),
        after_crawford=bool(told["did Crawford"]),
    )
