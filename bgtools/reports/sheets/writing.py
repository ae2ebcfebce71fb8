"""Blunders as questions with answers, and the files that hold them: pages, PDF, tables, IDs and cards."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from bgtools._disk import is_file
from bgtools._shell import shell_path, shell_word
from bgtools._version import __version__
from bgtools.analysis.blunders import NEAR, SHARES, can_be_asked
from bgtools.analysis.repetition import Progress, weights
from bgtools.drawing.board import geometry
from bgtools.findings.finding import printable
from bgtools.findings.quantities import EQUITY
from bgtools.reports.decision_text import board_lines, board_of, decision_text, lesson_data, shown_loss
from bgtools.reports.document import Drawing, Paragraph, Section, html_of
from bgtools.reports.folder import folder_name
from bgtools.reports.page.data import question_data
from bgtools.reports.page.writing import BY_STYLE, PAGE, filled_page, framed_page
from bgtools.reports.pictures import BOARDS_ON_PAGE, board_page, pages_bytes, picture_bytes
from bgtools.reports.values import csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from matplotlib.figure import Figure

    from bgtools.analysis.blunders import Blunder
    from bgtools.drawing.shapes import Picture
    from bgtools.met.table import MatchEquityTable
    from bgtools.reports.document import Block


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
    number = f", match {blunder.match}" if blunder.match > 1 else ""
    return Card(
        question=question_of(blunder),
        where=f"{Path(blunder.file).name}{number}, game {blunder.called or row.game}, row {row.row}",
        answer=decision_text(row),
        choices=tuple(
            f"{choice.choice}  {EQUITY.text(choice.equity)}  {shown_loss(choice.loss)}".rstrip()
            for number, choice in enumerate(row.choices)
            if number < _SHOWN or choice.made
        ),
        reason=reason_of(blunder),
        themes=row.themes,
        board=board_of(row, blunder.names, solved=False),
        solved=board_of(row, blunder.names),
        xgid=row.xgid,
    )


def question_of(blunder: Blunder, *, to_you: bool = False) -> str:
    """What is to be decided, by a player, or by whoever is asked in that player's place."""
    row = blunder.row
    who = "you" if to_you else row.name
    before = f"you are {row.name}; " if to_you else ""
    match row.kind:
        case "checker play":
            return f"{before}play {row.dice}" if to_you else f"{who} to play {row.dice}"
        case "no double" | "double":
            return f"{before}{who} {'are ' if to_you else ''}on roll: double?"
        case "take" | "pass":
            return f"{before}{who} {'are' if to_you else 'is'} doubled to {2 * row.cube}: take or pass?"
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
        {"file": blunder.file, "match": blunder.match, **row, "avoidable": blunder.avoidable}
        for blunder, row in zip(blunders, rows, strict=True)
    ]


def said_of_blunder(blunder: Blunder, number: int) -> list[str]:
    """A blunder for the terminal, with its number in a list."""
    card = card_of(blunder)
    asked = card.question if card.question.endswith("?") else f"{card.question}:"
    lines = [f"{number}. {asked} {card.answer}", f"   {card.where}", f"   {card.reason}"]
    return [printable(line) for line in lines if line.strip()]


_LINE: Final = 78
"""Characters to a line below a board in print."""


def sheet_bytes(
    blunders: Sequence[Blunder],
    ending: str,
    *,
    progress: Progress | None = None,
    met: MatchEquityTable | None = None,
    beside: Path | None = None,
) -> bytes:
    """Blunders as the content of a file.

    Args:
        blunders: in the order in which they shall stand.
        ending: one of `SHEET_ENDINGS`.
        progress: what has been answered before, for the page to train with and for cards.
        met: the table that gives match winning chances on the page to train with; without it there are none.
        beside: the folder of the file, from which the page leads to reports that are there.
    """
    if ending == ".html":
        return _page(blunders, progress or Progress(), met, beside)
    if ending == ".apkg":
        from bgtools.reports.sheets.anki import deck_bytes

        return deck_bytes(blunders, progress or Progress())
    return _WRITERS[ending](blunders)


def ensure_sheet(ending: str) -> None:
    """Make sure that what a sheet needs is installed.

    Raises:
        TableError: it is not; the message says how to install it.
    """
    from bgtools.reports.table_files import ensure_installed

    if ending == ".apkg":
        ensure_installed("genanki", ending, "anki")


def _page(blunders: Sequence[Blunder], progress: Progress, met: MatchEquityTable | None, beside: Path | None) -> bytes:
    """The page to train with: a question after the other, what comes again when, and how it goes."""
    asked = [blunder for blunder in blunders if can_be_asked(blunder.row)]
    title = "Train: 1 decision" if len(asked) == 1 else f"Train: {len(asked)} decisions"
    questions = [{**question_data(blunder, met), **_origin(blunder, beside)} for blunder in asked]
    data = training_data(questions, {each["key"]: progress.reviews.get(each["key"], []) for each in questions})
    scripts = ("rules.js", "board.js", "decision.js", "asking.js", "train.js")
    others = [blunder for blunder in blunders if not can_be_asked(blunder.row)]
    cards = [cards_section("Without a known answer", others)] if others else []
    if not asked:
        title = "1 decision" if len(others) == 1 else f"{len(others)} decisions"
        return framed_page(title, [Paragraph(title, level=1), *cards]).encode("utf-8", "replace")
    parts = {"title": title, "others": html_of(cards, BY_STYLE)}
    return filled_page("train.html", data, scripts, parts)


def training_data(questions: Sequence[dict[str, Any]], reviews: Mapping[str, Any]) -> dict[str, Any]:
    """The data of the page to train with.

    Args:
        questions: as `question_data` gives them, each with where it comes from.
        reviews: what has been answered before, by the keys of questions.
    """
    return {
        "made_by": "bgtools",
        "version": __version__,
        "questions": questions,
        "reviews": reviews,
        "weights": weights(),
        "nearly": NEAR,
        "shares": SHARES,
        "players": ["", ""],
        "length": 0,
        "classes": ["error", "blunder"],
        "findings": [],
        "drawing": geometry(),
    }


def cards_section(title: str, blunders: Sequence[Blunder]) -> Section:
    """Decisions as boards with what was done, what would have been right, and why."""
    return Section(title, [Section("", list(_card(blunder))) for blunder in blunders], "cards", "worst")


def _card(blunder: Blunder) -> Iterator[Block]:
    card = card_of(blunder)
    yield Paragraph(card.question, level=3)
    yield Drawing(card.solved)
    yield Paragraph(card.answer)
    if card.reason:
        yield Paragraph(card.reason)
    yield Paragraph(card.where, "quiet")
    yield Paragraph(command_of(blunder), "code")


def _origin(blunder: Blunder, beside: Path | None) -> dict[str, str]:
    """The report of the match that a question comes from, as a link, if there is one; and the command that shows it."""
    row = blunder.row
    report = ""
    if beside is not None and blunder.match == 1:
        name = folder_name(blunder.file)
        for folder in (Path(name), Path(blunder.file).parent / name):
            if is_file(folder / PAGE):
                path = Path(os.path.relpath(folder / PAGE, beside))
                report = f"{quote(path.as_posix())}#g{row.game}e{row.entry}"
                break
    return {"report": report, "command": printable(command_of(blunder))}


def command_of(blunder: Blunder) -> str:
    """The command that shows a decision in its record, or its position alone where its game has no number."""
    if blunder.called is None:
        return f"bgtools show {shell_word(blunder.row.xgid)}"
    match = f" --match {blunder.match}" if blunder.match > 1 else ""
    return f"bgtools show {shell_path(blunder.file)}{match} --game {blunder.called} --entry {blunder.row.entry}"


def _pdf(blunders: Sequence[Blunder]) -> bytes:
    """Pages of six questions, each followed by a page of their answers."""
    return pages_bytes(_pages([card_of(blunder) for blunder in blunders]))


def _pages(cards: Sequence[Card]) -> Iterator[Figure]:
    for first in range(0, len(cards), BOARDS_ON_PAGE):
        some = cards[first : first + BOARDS_ON_PAGE]
        for solved in (False, True):
            yield _printed(some, first + 1, solved=solved)


def _printed(cards: Sequence[Card], first: int, *, solved: bool) -> Figure:
    """A page of boards with what is below them."""
    from textwrap import wrap

    from bgtools.drawing.shapes import THEMES
    from bgtools.reports.figures import legible

    figure, edges = board_page([card.solved if solved else card.board for card in cards], THEMES["print"])
    for number, (card, (left, top, bottom)) in enumerate(zip(cards, edges, strict=True), first):
        figure.text(left, top + 0.006, legible(f"{number}. {card.question}"), fontsize=9, fontweight="bold")
        if solved:
            lines = map(legible, (*wrap(card.answer, _LINE), *wrap(card.reason, _LINE), _cut(card.where)))
            figure.text(left, bottom - 0.006, "\n".join(lines), fontsize=6, va="top")
    return figure


def _cut(text: str) -> str:
    """A text that fits below a board: what is too much is left out of its middle."""
    return text if len(text) <= _LINE else f"{text[: _LINE // 2 - 1]}…{text[-_LINE // 2 :]}"


def _csv(blunders: Sequence[Blunder]) -> bytes:
    data = card_data(blunders)
    flat = [[", ".join(cell) if isinstance(cell, list) else cell for cell in row.values()] for row in data]
    return csv_text([list(data[0]) if data else ["file"], *flat]).encode("utf-8", "replace")


def _json(blunders: Sequence[Blunder]) -> bytes:
    text = json.dumps(card_data(blunders), ensure_ascii=False, indent=2, allow_nan=False)
    return (text + "\n").encode("utf-8", "replace")


def _txt(blunders: Sequence[Blunder]) -> bytes:
    return "".join(f"{blunder.row.xgid}\n" for blunder in blunders).encode()


def _zip(blunders: Sequence[Blunder]) -> bytes:
    """A picture of each question and of each answer, and the table."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _pictures(blunders):
            archive.writestr(zipfile.ZipInfo(name), data)
        archive.writestr(zipfile.ZipInfo("blunders.csv"), _csv(blunders), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _pictures(blunders: Sequence[Blunder]) -> Iterator[tuple[str, bytes]]:
    digits = len(str(len(blunders)))
    for number, blunder in enumerate(blunders, 1):
        card = card_of(blunder)
        yield f"{number:0{digits}}-question.png", picture_bytes(card.board, ".png")
        yield f"{number:0{digits}}-answer.png", picture_bytes(card.solved, ".png")


_WRITERS: Final[Mapping[str, Callable[[Sequence[Blunder]], bytes]]] = {
    ".pdf": _pdf, ".csv": _csv, ".json": _json, ".txt": _txt, ".zip": _zip,
}  # fmt: skip
SHEET_ENDINGS: Final = (".html", *_WRITERS, ".apkg")
"""How the name of a sheet may end: a page to train with, a sheet to print, tables, XGIDs, pictures, cards for Anki."""
