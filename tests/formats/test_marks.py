"""A mark behind a play says something of it; it does not change it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from test_every_character import TEXTS

import bgtools
from bgtools.findings import codes
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.record import Match, Resign, places_of_comments
from bgtools.repair.repairing import repair
from dressed import FORMS, LAYOUTS, in_form, same_entries
from marked import MARKS, lost, marked
from selfplay import random_match
from support import CORPUS, mat, read_text, row

if TYPE_CHECKING:
    from bgtools.findings.finding import Finding

LINES = ("bgammon", "gam", "oldmoves", "party", "bgroom", "sgg", "tmg", "mat")
"""The formats in which people can write something behind a play."""


def _told(match: Match) -> list[Finding]:
    """The findings but those that a sign behind a play is kept as a remark."""
    return [each for each in bgtools.check(match) if each.code is not codes.STRAY_TEXT]


def _problems(match: Match, again: Match, marks: tuple[str, ...]) -> list[object]:
    new = [each for each in _told(again) if each.message not in {one.message for one in bgtools.check(match)}]
    return [*new, *lost(again, marks), *([] if same_entries(match, again) else ["other entries"])]


@pytest.mark.parametrize(
    ("name", "kind"),
    # Only match text knows by the rules that other signs are no part of a play.
    [(name, kind) for name in LINES for kind in MARKS if name == "mat" or kind != "other signs"],
)
def test_marks_change_no_play_in_any_format_with_rows(name: str, kind: str) -> None:
    before = read_source(TEXTS[name].encode(), "x", name)
    rng = random.Random(name + kind)
    assert before[0].source is not None
    for match in before:
        text, marks = marked(match, rng, MARKS[kind], share=0.3)
        again = read_source(text.encode(), "x", name)[before.index(match)]
        assert not _problems(match, again, marks), text


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", FORMS)
def test_marks_change_no_play_in_rows_of_books_and_forums(form: str, layout: str) -> None:
    rng = random.Random(form + layout)
    (made,) = read_source(write(random_match(1, 5, games=3)).encode(), "made.mat")
    text, _ = in_form(made, rng, form, layout, heading=True)
    (match,) = read_source(text.encode(), "x.txt")
    signs = [each for kind in ("signs", "clocks", "figures", "brackets") for each in MARKS[kind]]
    dressed = marked(match, rng, [each for each in signs if ":" not in each or "(" in each], share=0.2)
    (again,) = read_source(dressed.text.encode(), "x.txt")
    assert dressed.marks
    assert not _problems(match, again, dressed.marks), dressed.text


@pytest.mark.needs(CORPUS.is_dir(), "the corpus")
@pytest.mark.parametrize("kind", MARKS)
def test_sound_matches_of_the_corpus_with_marks_are_read_as_without(kind: str) -> None:
    rng, compared = random.Random(kind), 0
    for path in sorted((CORPUS / "mat").iterdir())[len(kind) :: 30]:
        matches = bgtools.read_all(path)
        if len(matches) > 1 or bgtools.check(matches[0]):
            continue
        text, marks = marked(matches[0], rng, MARKS[kind])
        (again,) = read_source(text.encode(), path.name)
        assert not _problems(matches[0], again, marks), path.name
        compared += len(marks)
    assert compared


def _game(left: str, right: str, *rows: str) -> str:
    return mat(row(1, "31: 8/5 6/5", "42: 8/4 6/4"), row(2, left, right), *rows)


def test_a_mark_is_a_remark_behind_its_entry() -> None:
    match = read_text(_game("61: 13/7 8/7?", "65: 24/13 {bold}"))
    (game,) = match.games
    assert [(each.text, places_of_comments(game)[at]) for at, each in enumerate(game.comments)] == [
        ("?", 3), ("{bold}", 4),
    ]  # fmt: skip


@pytest.mark.parametrize("cell", ["??", "????"])
def test_question_marks_alone_stay_what_they_are(cell: str) -> None:
    match = read_text(_game("61: 13/7 8/7", cell))
    assert isinstance(match.games[0].entries[-1], Resign)
    assert not match.games[0].comments


def test_cube_actions_have_marks_too() -> None:
    match = read_text(_game("Doubles => 2?", "Takes {brave}", row(3, "61: 13/7 8/7", "65: 24/13")))
    assert not [each for each in bgtools.check(match) if each.code is codes.UNREADABLE_CELL]
    assert [each.text for each in match.games[0].comments] == ["?", "{brave}"]


@pytest.mark.parametrize("cell", ["61: 13/7 8\\7", "61: 13/7 8/", "61: 13/7 /7", "61: 13/7 8-7", "61: 13/7 8/7/"])
def test_what_may_be_a_part_of_a_play_is_no_remark(cell: str) -> None:
    match = read_text(_game(cell, "65: 24/13"))
    assert codes.UNREADABLE_CELL in {each.code for each in match.findings}


def test_letters_that_nobody_knows_get_a_warning() -> None:
    match = read_text(_game("61: 13/7 8/7 \u00a7\u00a7", "65: 24/13"))
    assert [(each.code, each.message) for each in match.findings] == [
        (codes.STRAY_TEXT, '"\u00a7\u00a7" behind a play is kept as a remark')
    ]


@pytest.mark.parametrize("kind", ["signs", "clocks", "figures", "words", "brackets"])
def test_fixes_keep_marks(kind: str) -> None:
    rng, mended = random.Random(kind), 0
    for seed in range(3):
        (match,) = read_source(write(random_match(seed, 3, games=2)).encode(), "made.mat")
        text, marks = marked(match, rng, MARKS[kind])
        at = text.index("\n  4) ") + 6
        broken = text[:at] + text[at:].replace("/", "\\", 1)
        (again,) = read_source(repair(broken.encode(), "x.mat", unsafe=True).after, "x.mat")
        assert not lost(again, marks), broken
        mended += same_entries(match, again)
    assert mended
