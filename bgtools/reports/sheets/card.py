"""A blunder as a question with its answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.hops import hops_of
from bgtools.drawing.board import Seat, board_picture
from bgtools.findings.finding import printable
from bgtools.positions.notations import decode_id
from bgtools.reports.errors import board_lines, decision_text, lesson_data, on_roll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.drawing.shapes import Picture

_SHOWN: Final = 4
"""How many choices an answer lists."""


@dataclass(frozen=True, slots=True)
class Card:
    """A question, what was done, what would have been right, and why.

    Attributes:
        question: what is to be decided.
        where: in which match and turn it came up.
        answer: what was done, the best choice and the loss.
        choices: the best choices and the one made, a line each.
        reason: why it was an error; empty where nothing is known.
        themes: what the decision is about.
        board: the position, without the answer.
        solved: the same with the play that was made and the best one.
        xgid: the position.
    """

    question: str
    where: str
    answer: str
    choices: tuple[str, ...]
    reason: str
    themes: tuple[str, ...]
    board: Picture
    solved: Picture
    xgid: str


def card_of(blunder: Blunder) -> Card:
    """The card of a blunder."""
    row = blunder.row
    position = decode_id(row.xgid)
    roller = on_roll(row, position.board)
    looks: dict[str, Any] = {
        "dice": position.dice,
        "names": (blunder.names[roller], blunder.names[1 - roller]),
        "offered": position.offer == "double",
        # Who decides sits below.
        "seat": Seat(flipped=roller != row.player),
    }
    plays = row.kind == "checker play"
    solved = board_picture(
        position.board,
        position.state,
        **looks,
        played=hops_of(row.played, position.board, row.dice) if plays else (),
        best=hops_of(row.best, position.board, row.dice) if plays else (),
    )
    number = f", match {blunder.match}" if blunder.match > 1 else ""
    return Card(
        question=question_of(blunder),
        where=f"{Path(blunder.file).name}{number}, game {blunder.called or row.game}, turn {row.turn}",
        answer=decision_text(row),
        choices=tuple(
            f"{choice.choice}  {choice.equity:+.3f}" + (f"  ({-choice.loss:+.3f})" if choice.loss else "")
            for number, choice in enumerate(row.choices)
            if number < _SHOWN or choice.made
        ),
        reason=reason_of(blunder),
        themes=row.themes,
        board=board_picture(position.board, position.state, **looks),
        solved=solved,
        xgid=row.xgid,
    )


def question_of(blunder: Blunder) -> str:
    """What is to be decided."""
    row = blunder.row
    match row.kind:
        case "checker play":
            return f"{row.name} to play {row.dice}"
        case "no double" | "double":
            return f"{row.name} on roll: double?"
        case "take" | "pass":
            return f"{row.name} is doubled to {2 * row.cube}: take or pass?"
        case "resign" | "accept":
            return f"{row.name}: {row.kind}?"
        case _:
            return f"{row.name}: {row.kind.split()[-1]}?"


def reason_of(blunder: Blunder) -> str:
    """Why what was done was an error, as a sentence; empty where nothing is known."""
    sentence = blunder.row.sentence
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def board_of_blunder_picture(blunder: Blunder) -> Picture:
    """The board of the question with the play that was made and the best one, as a picture."""
    return card_of(blunder).solved


def board_of_blunder(blunder: Blunder, width: int | None = None) -> list[str]:
    """The board of the question for a terminal of so many columns, a line each."""
    return board_lines(blunder.row, blunder.names, width)


def card_data(blunders: Sequence[Blunder]) -> list[dict[str, Any]]:
    """Blunders as plain values, the fields of an error in report.json among them."""
    rows = lesson_data(blunder.row for blunder in blunders)
    return [
        {
            "file": blunder.file,
            "match": blunder.match,
            **row,
            "avoidable": blunder.avoidable,
        }
        for blunder, row in zip(blunders, rows, strict=True)
    ]


def said_of_blunder(blunder: Blunder, number: int) -> list[str]:
    """A blunder for the terminal, with its number in a list."""
    card = card_of(blunder)
    asked = card.question if card.question.endswith("?") else f"{card.question}:"
    lines = [f"{number}. {asked} {card.answer}", f"   {card.where}", f"   {card.reason}"]
    return [printable(line) for line in lines if line.strip()]
