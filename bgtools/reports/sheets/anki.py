"""Blunders as a deck for Anki.

Anki decides by two figures what an import does. The *guid* of a note says which note of the collection it is: here it
follows from the position and the question, so that a second deck meets the cards of the first. The time of its last
change says which of the two stays: the newer one does, whole, with its fields and tags. A deck is therefore dated
thirty years before it was made. A later one is newer than an earlier one and brings its analysis; whatever a person
changes in a note is newer than any deck, and stays. How cards are scheduled, where they lie and how they are flagged
belongs to the cards, which an import leaves alone.
"""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from hashlib import blake2b
from html import escape
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.blunders import question_key, question_kind, right_answers
from bgtools.analysis.errors import LEAST_SHOWN
from bgtools.analysis.repetition import RETENTION
from bgtools.drawing.shapes import THEMES
from bgtools.drawing.svg import svg
from bgtools.findings.finding import printable
from bgtools.findings.quantities import EQUITY, LOSS
from bgtools.reports.decision_text import shown_loss
from bgtools.reports.score_grids import grid_picture
from bgtools.reports.sheets.writing import card_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.repetition import Progress
    from bgtools.drawing.shapes import Picture

_BEFORE: Final = 30 * 365 * 86400
"""How long before its making a deck is dated, in seconds."""

# None of these may change: Anki takes a note of another kind, or of one with other fields, for another note.
_KIND: Final = 1_763_840_511
_FIELDS: Final = ("Position", "Question", "Board", "Solution", "Answer", "Reason", "Source", "My notes")

_ABOVE: Final = "Backgammon"

_FRONT: Final = '<div class="asked">{{Question}}</div><div class="sides"><div>{{Board}}</div><div></div></div>'
_BACK: Final = (
    '<div class="asked">{{Question}}</div><div class="sides"><div>{{Solution}}</div><div id="answer">{{Answer}}'
    '<p>{{Reason}}</p>{{#My notes}}<div class="mine">{{My notes}}</div>{{/My notes}}<p class="quiet">{{Source}}</p>'
    "</div></div>"
)
_STYLE: Final = """\
.card { font: 18px/1.4 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; color: #1d1d1b;
  background: #fbfaf7; text-align: left; max-width: 72rem; margin: 0 auto; padding: .5rem }
.asked { font-weight: bold; margin: 0 0 .5rem }
.sides { display: flex; flex-wrap: wrap; gap: 1rem }
.sides > div { flex: 1 1 18rem; min-width: 0 }
.sides > div:first-child { flex-grow: 2; flex-basis: 24rem }
.sides img { display: block; width: 100%; height: auto; max-height: none }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0 }
td { padding: .1rem .8rem .1rem 0 } td + td { text-align: right }
.right { color: #0b6b3a } .wrong { color: #b3261e } .quiet { color: #5b5b56; font-size: .8em; overflow-wrap: anywhere }
.mine { border-left: .25rem solid #1f5fa8; padding-left: .6rem; margin: .5rem 0 }
img.dark { display: none !important }
.card.nightMode, .card.night_mode { color: #ececea; background: #14171b }
.nightMode .right, .night_mode .right { color: #7ee2a8 } .nightMode .wrong, .night_mode .wrong { color: #ff8a80 }
.nightMode .quiet, .night_mode .quiet { color: #a9adb3 } .nightMode .mine, .night_mode .mine { border-color: #7fb4f5 }
.nightMode img.light, .night_mode img.light { display: none !important }
.nightMode img.dark, .night_mode img.dark { display: block !important }
"""


def deck_bytes(blunders: Sequence[Blunder], progress: Progress) -> bytes:
    """Blunders as the content of an ``.apkg`` file, a deck for each kind of question.

    Cards of questions that have been answered come again when the progress says; all others are new.
    """
    now = time()
    media: dict[str, str] = {}
    package = _package(blunders, media)
    with TemporaryDirectory() as folder:
        file = Path(folder, "collection.anki2")
        with closing(sqlite3.connect(file)) as connection:
            cursor = connection.cursor()
            package.write_to_db(cursor, now, count(int(now * 1000)))
            _date(cursor, int(now) - _BEFORE)
            _schedule(cursor, progress)
            connection.commit()
        collection = file.read_bytes()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", collection)
        archive.writestr("media", json.dumps(dict(enumerate(media))))
        for number, text in enumerate(media.values()):
            archive.writestr(str(number), text)
    return content.getvalue()


def _date(cursor: sqlite3.Cursor, when: int) -> None:
    """Set the time of the last change of what an import may update: notes, and how their cards look."""
    cursor.execute("UPDATE notes SET mod = ?", (when,))
    (models,) = cursor.execute("SELECT models FROM col").fetchone()
    dated = {key: {**model, "mod": when} for key, model in json.loads(models).items()}
    cursor.execute("UPDATE col SET models = ?", (json.dumps(dated),))


def _schedule(cursor: sqlite3.Cursor, progress: Progress) -> None:
    """Set when answered cards come again, and put the answers into the log of reviews, from which Anki computes on."""
    (created,) = cursor.execute("SELECT crt FROM col").fetchone()
    cards = cursor.execute("SELECT cards.id, notes.guid FROM cards JOIN notes ON notes.id = cards.nid").fetchall()
    stamps: set[int] = set()
    for card, guid in cards:
        reviews, state = progress.reviews.get(guid, []), progress.card(guid)
        if state is None:
            continue
        day = int((state.due.timestamp() - created) // 86400)
        interval = max(round((state.due.timestamp() - reviews[-1].when) / 86400), 1)
        memory = json.dumps(
            {"s": round(state.stability or 0, 4), "d": round(state.difficulty or 0, 3), "dr": RETENTION}
        )
        lapses = sum(review.grade == 1 for review in reviews[1:])
        cursor.execute(
            "UPDATE cards SET type = 2, queue = 2, due = ?, ivl = ?, factor = 2500, reps = ?, lapses = ?, data = ? "
            "WHERE id = ?",
            (day, interval, len(reviews), lapses, memory, card),
        )
        for number, review in enumerate(reviews):
            stamp = review.when * 1000
            while stamp in stamps:  # it is the key of the log
                stamp += 1
            stamps.add(stamp)
            cursor.execute(
                "INSERT INTO revlog VALUES (?, ?, -1, ?, ?, 0, 2500, 0, ?)",
                (stamp, card, review.grade, interval if number == len(reviews) - 1 else 1, 1 if number else 0),
            )


def _package(blunders: Sequence[Blunder], media: dict[str, str]) -> Any:
    """The decks, with their pictures put into ``media`` by name."""
    import genanki

    kind = genanki.Model(
        _KIND,
        "Backgammon (bgtools)",
        fields=[{"name": name} for name in _FIELDS],
        templates=[{"name": "Decision", "qfmt": _FRONT, "afmt": _BACK}],
        css=_STYLE,
    )
    decks: dict[str, Any] = {}
    first: dict[str, Blunder] = {}
    for blunder in blunders:
        # One who doubled and one who did not are asked the same.
        first.setdefault(question_key(blunder.row), blunder)
    for guid, blunder in first.items():
        name = f"{_ABOVE}::{question_kind(blunder.row)}"
        deck = decks.setdefault(name, genanki.Deck(_number(name), name))
        note = genanki.Note(kind, list(_fields(blunder, media)), guid=guid, tags=_tags(blunder))
        deck.add_note(note)
    return genanki.Package(list(decks.values()))


def _fields(blunder: Blunder, media: dict[str, str]) -> Iterator[str]:
    """The fields of a note, in the order of `_FIELDS`. The last one is the person's, and is always empty here."""
    card = card_of(blunder)
    yield _text(card.xgid)
    yield _text(card.question)
    yield _pictures(card.board, media)
    yield _pictures(card.solved, media)
    yield _answer(blunder, media)
    yield _text(card.reason)
    yield "<br>".join(_text(line) for line in (", ".join(card.themes), card.where, card.xgid) if line)
    yield ""


def _answer(blunder: Blunder, media: dict[str, str]) -> str:
    """What counts as right, what was done, the table of the choices, and the grid of scores if it is known."""
    row = blunder.row
    grid = "" if blunder.scores is None else _pictures(grid_picture(blunder.scores), media)
    right = right_answers(blunder)
    said = [f"{each.choice} ({LOSS.text(each.loss)})" if each.loss >= LEAST_SHOWN else each.choice for each in right]
    accepted = {each.choice for each in right}
    doubles = [choice for choice in row.choices if choice.choice.startswith("Double, ")]
    if "Double" in accepted and doubles:
        # The row marked for a double is that of the opponent's best answer, which is their own decision.
        accepted.add(min(doubles, key=lambda choice: choice.equity).choice)
    lines = []
    for choice in row.choices:
        mark = "✓" if choice.choice in accepted else ""
        loss = shown_loss(choice.loss)
        cells = (f"{mark} {choice.choice}".strip(), EQUITY.text(choice.equity), loss)
        shown = "".join(f"<td>{_text(cell)}</td>" for cell in cells)
        lines.append(f'<tr class="right">{shown}</tr>' if mark else f"<tr>{shown}</tr>")
    return (
        f'<p class="right"><b>Right: {_text(" or ".join(said) or row.best)}</b></p>'
        f'<p class="wrong">{_text(row.name)} chose {_text(row.played)} ({LOSS.text(blunder.loss)})</p>'
        f"<table>{''.join(lines)}</table>{grid}"
    )


def _pictures(picture: Picture, media: dict[str, str]) -> str:
    """A board for light and for dark screens, of which the style shows one."""
    told = _text(f"{picture.title}. {picture.description}")
    return "".join(
        f'<img class="{name}" src="{_kept(svg(picture, THEMES[name]), media)}" alt="{told}">'
        for name in ("light", "dark")
    )


def _kept(text: str, media: dict[str, str]) -> str:
    """The name of a picture, which follows from its content: another picture never takes its place."""
    name = f"bgtools-{blake2b(text.encode(), digest_size=10).hexdigest()}.svg"
    media[name] = text
    return name


def _tags(blunder: Blunder) -> list[str]:
    """Themes and phase as tags; a tag holds no blank."""
    row = blunder.row
    told = [f"theme::{theme}" for theme in row.themes] + ([f"phase::{row.phase}"] if row.phase else [])
    return [f"backgammon::{each.replace(' ', '-')}" for each in told]


def _number(name: str) -> int:
    """The number of a deck, always the same for its name and as large as those of Anki, which are milliseconds."""
    return (1 << 40) + int.from_bytes(blake2b(name.encode(), digest_size=4).digest())


def _text(text: str) -> str:
    """Text as HTML that is in a field: nothing in it is a tag, or parts fields."""
    return escape(printable(text))
