"""Decks for Anki: what is in them, and what Anki's own library makes of them, also of a second one."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from bgtools.analysis.blunders import Blunder, question_key
from bgtools.analysis.repetition import Progress, Review
from bgtools.analysis.rows import ChoiceRow
from bgtools.reports.sheets import anki
from bgtools.reports.sheets.writing import sheet_bytes
from lesson_rows import decision

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("genanki", reason="genanki is not installed, which writes decks")

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
NAMES = ("Ann", "Bob")


def choices(*valued: tuple[str, float], made: str) -> tuple[ChoiceRow, ...]:
    best = valued[0][1]
    rows = enumerate(valued, 1)
    return tuple(ChoiceRow(rank, name == made, name, worth, best - worth, "3-ply") for rank, (name, worth) in rows)


def play(second: float = -0.013, **more: Any) -> Blunder:
    """A wrong opening play, with another play almost as good as the best."""
    told = choices(("8/5 6/5", 0.15), ("24/21 6/5", 0.15 + second), ("13/10 6/5", -0.05), made="13/10 6/5")
    row = decision(OPENING, "13/10 6/5", "8/5 6/5", loss=0.2, sentence="gives up the point", themes=("hit or not",))
    return Blunder("a.mat", 1, NAMES, replace(row, choices=told, phase="opening", **more))


def missed_double() -> Blunder:
    told = choices(("Double, take", 0.7), ("No double", 0.5), ("Double, pass", 1.0), made="No double")
    row = decision(OPENING.replace(":31:", ":00:"), "No double", "Double", kind="no double", loss=0.2)
    return Blunder("a.mat", 1, NAMES, replace(row, choices=told, themes=("too good",)))


def wrong_pass() -> Blunder:
    told = choices(("Take", -0.9), ("Pass", -1.0), made="Pass")
    row = decision(OPENING.replace(":31:", ":D:"), "Pass", "Take", kind="pass", loss=0.1)
    return Blunder("a.mat", 1, NAMES, replace(row, choices=told))


class Deck:
    """What is in an ``.apkg`` file."""

    def __init__(self, content: bytes, folder: Path) -> None:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            file = folder / "inside.anki2"
            file.write_bytes(archive.read("collection.anki2"))
            self.media = {name: archive.read(number) for number, name in json.loads(archive.read("media")).items()}
        connection = sqlite3.connect(file)
        rows = connection.execute("SELECT guid, mod, tags, flds FROM notes ORDER BY id").fetchall()
        self.notes = [dict(zip(anki._FIELDS, fields.split("\x1f"), strict=True)) for *_, fields in rows]
        self.guids = [guid for guid, *_ in rows]
        self.tags = [tags.split() for _, _, tags, _ in rows]
        (decks,) = connection.execute("SELECT decks FROM col").fetchone()
        self.names = {each["name"] for each in json.loads(decks).values()} - {"Default"}
        connection.close()


def made(tmp_path: Path, *blunders: Blunder) -> Deck:
    return Deck(sheet_bytes(blunders, ".apkg"), tmp_path)


def test_questions_of_doubler_and_taker_lie_apart_and_no_name_tells_the_answer(tmp_path: Path) -> None:
    found = made(tmp_path, play(), missed_double(), wrong_pass())
    assert found.names == {f"Backgammon::{name}" for name in ("Checker play", "Double or not", "Take or pass")}
    # Whoever is asked the same finds it in the same deck, whatever was done.
    done = replace(missed_double().row, kind="double", played="Double", best="No double")
    assert made(tmp_path, replace(missed_double(), row=done), missed_double()).guids == found.guids[1:2]
    for note in found.notes:
        shown = note["Question"] + note["Board"]
        assert not re.search("8/5|13/10|Take<|No double|too good|missed", shown)
    assert found.tags[0] == ["backgammon::theme::hit-or-not", "backgammon::phase::opening"]


def test_plays_that_lose_next_to_nothing_are_right_too(tmp_path: Path) -> None:
    asked = (play(-0.013), play(-0.03), missed_double(), wrong_pass())
    answers = [made(tmp_path, each).notes[0]["Answer"] for each in asked]
    assert "Right: 8/5 6/5 or 24/21 6/5 (-0.013)<" in answers[0]
    assert "Ada chose 13/10 6/5 (-0.200)" in answers[0]
    assert answers[0].count("✓") == 2
    assert "Right: 8/5 6/5<" in answers[1]
    assert "Right: Double<" in answers[2]
    assert ("✓ Double, take" in answers[2], answers[2].count("✓")) == (True, 1)
    assert "Right: Take<" in answers[3]


def test_what_a_rollout_overturned_counts_as_right(tmp_path: Path) -> None:
    (note,) = made(tmp_path, play(rollout_loss=-0.01, verdict="overturned")).notes
    assert "Right: 13/10 6/5 or 8/5 6/5 or " in note["Answer"]


def test_every_picture_is_there_under_a_name_that_follows_from_its_content(tmp_path: Path) -> None:
    one = made(tmp_path, play(), missed_double())
    named = [name for note in one.notes for name in re.findall(r'src="([^"]+)"', note["Board"] + note["Solution"])]
    assert set(named) == set(one.media)
    assert len(named) == 8
    for picture in one.media.values():
        assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    again = made(tmp_path, missed_double(), play(-0.03))
    assert again.media == one.media
    other = made(tmp_path, play(best="24/21 6/5"))
    assert [name in one.media for name in other.media] == [True, True, False, False]


def test_names_of_any_kind_are_text_in_a_card(tmp_path: Path) -> None:
    name = "<script>\x1f\udc80\x00&"
    blunder = replace(play(name=name), names=(name, "Bob"))
    (note,) = made(
        tmp_path,
        blunder,
    ).notes
    assert note["Question"].startswith("&lt;script&gt;���&amp; to play")
    assert note["My notes"] == ""
    for picture in made(tmp_path, blunder).media.values():
        ElementTree.fromstring(picture)


# --- in Anki itself -------------------------------------------------------------------------


class Person:
    """Somebody with a collection in Anki."""

    def __init__(self, folder: Path) -> None:
        from anki.collection import Collection

        self.file = folder / "deck.apkg"
        self.collection: Any = Collection(str(folder / "collection.anki2"))

    def imports(self, *blunders: Blunder) -> dict[str, int]:
        """Import a deck as Anki does unless told otherwise; how many notes came to what."""
        from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

        self.file.write_bytes(sheet_bytes(blunders, ".apkg"))
        request = ImportAnkiPackageRequest(package_path=str(self.file), options=ImportAnkiPackageOptions())
        log = self.collection.import_anki_package(request).log
        self.collection.models._clear_cache()
        return {kind: len(getattr(log, kind)) for kind in ("new", "updated", "duplicate", "conflicting")}

    def note(self, text: str) -> Any:
        (found,) = self.collection.find_notes(f'"Question:*{text}*"')
        return self.collection.get_note(found)


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    pytest.importorskip("anki.collection", reason="Anki's library is not installed")
    seconds = iter(range(1_800_000_000, 1_900_000_000, 60))
    monkeypatch.setattr("bgtools.reports.sheets.anki.time", lambda: float(next(seconds)))
    found = Person(tmp_path)
    yield found
    found.collection.close()


def count(**said: int) -> dict[str, int]:
    return {"new": 0, "updated": 0, "duplicate": 0, "conflicting": 0} | said


def test_a_second_deck_brings_new_analysis_and_new_cards(person: Person) -> None:
    assert person.imports(play(), missed_double()) == count(new=2)
    from anki.buildinfo import version

    # Until Anki 25.02 a note that an import has updated bears the date of the import, and takes no second one.
    dated = tuple(int(part) for part in version.split(".")[:2]) >= (25, 2)
    for second in (-0.016, -0.017)[: 2 if dated else 1]:
        new = [wrong_pass()] if second == -0.016 else []
        assert person.imports(play(second), missed_double(), *new) == count(new=len(new), updated=2)
        assert f"24/21 6/5 ({second:+.3f})" in person.note("to play")["Answer"]
        assert person.collection.card_count() == 3
    names = {each.name for each in person.collection.decks.all_names_and_ids()}
    assert names >= {"Backgammon", "Backgammon::Checker play", "Backgammon::Double or not", "Backgammon::Take or pass"}
    check = person.collection.media.check()
    assert (list(check.missing), list(check.unused)) == ([], [])


def test_a_second_deck_touches_nothing_that_a_person_has_done(person: Person) -> None:
    collection = person.collection
    person.imports(play(), missed_double(), wrong_pass())
    mine = person.note("to play")
    mine["My notes"] = "the 5-point is always right here"
    collection.update_note(mine)
    tagged = person.note("double?")
    tagged.tags.append("hard")
    collection.update_note(tagged)
    # The third note is left alone, but not its card: answered, flagged, suspended, moved, and its look changed.
    card = person.note("take or pass").cards()[0]
    collection.decks.select(card.did)
    card.start_timer()
    collection.sched.answerCard(card, 3)
    collection.set_user_flag_for_cards(2, [card.id])
    other = collection.decks.id("My own deck")
    collection.set_deck([card.id], other)
    kind = mine.note_type()
    kind["css"] += ".card { font-size: 30px }"
    collection.models.update_dict(kind)
    before = collection.get_card(card.id)
    done = collection.db.scalar("SELECT count() FROM revlog")

    answered = wrong_pass()
    changed = replace(answered.row, choices=choices(("Take", -0.8), ("Pass", -1.0), made="Pass"), sentence="a new one")
    assert person.imports(play(-0.019), missed_double(), replace(answered, row=changed)) == count(
        updated=1, duplicate=2
    )
    assert person.note("to play")["My notes"] == "the 5-point is always right here"
    assert person.note("to play").fields == mine.fields
    assert "hard" in person.note("double?").tags
    assert person.note("take or pass")["Reason"] == "A new one."
    after = collection.get_card(card.id)
    for name in ("did", "due", "ivl", "queue", "type", "reps", "lapses", "flags", "factor", "left", "odue", "odid"):
        assert getattr(after, name) == getattr(before, name), name
    assert after.reps == 1
    assert after.flags & 7 == 2
    assert collection.db.scalar("SELECT count() FROM revlog") == done == 1
    assert "font-size: 30px" in person.note("to play").note_type()["css"]


def test_a_person_s_other_notes_are_never_met(person: Person) -> None:
    collection = person.collection
    note = collection.new_note(collection.models.by_name("Basic"))
    note["Front"] = OPENING
    note["Back"] = "mine"
    collection.add_note(note, collection.decks.id("Default"))
    note.load()
    person.imports(play())
    person.imports(play(-0.017))
    kept = collection.get_note(note.id)
    assert (kept.fields, kept.mod, collection.note_count()) == (note.fields, note.mod, 2)


def test_the_answer_stands_beside_the_board_as_anki_draws_the_card(person: Person) -> None:
    person.imports(play())
    note = person.note("to play")
    note["My notes"] = "mine"
    person.collection.update_note(note)
    card = note.cards()[0]
    question, answer = card.question(), card.answer()
    assert "Right:" not in question
    assert "8/5" not in question
    for part in ("Right: 8/5 6/5 or", "Gives up the point.", "a.mat, game 1, row 3", '<div class="mine">mine</div>'):
        assert part in answer
    assert ".card.nightMode" in answer


def test_what_has_been_answered_comes_again_when_the_progress_says(person: Person) -> None:
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    progress = Progress()
    reviews = [Review(1_790_000_000, 1, 0.5), Review(1_790_200_000, 3, 0.0), Review(1_791_000_000, 2, 0.01)]
    progress.add(question_key(play().row), reviews)
    person.file.write_bytes(sheet_bytes([play(), missed_double()], ".apkg", progress=progress))
    options = ImportAnkiPackageOptions(with_scheduling=True)
    person.collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(person.file), options=options))
    (answered,) = person.collection.find_cards("-is:new")
    assert len(person.collection.find_cards("is:new")) == 1
    card, state = person.collection.get_card(answered), progress.card(question_key(play().row))
    assert state is not None
    assert card.memory_state.stability == pytest.approx(state.stability, abs=1e-3)
    assert card.memory_state.difficulty == pytest.approx(state.difficulty, abs=1e-2)
    assert (card.reps, card.lapses) == (3, 0)
    kept = person.collection.db.all("SELECT id / 1000, ease FROM revlog ORDER BY id")
    assert kept == [[review.when, review.grade] for review in reviews]
