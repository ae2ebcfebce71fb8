"""What newcomers type first: no command, another word for a command, a folder, a word that they do not know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bgtools as library
from bgtools.cli._commands import _GROUPS, _NAMES, _OTHER_WORDS
from bgtools.editor.answers import suggestions
from bgtools.editor.document import Document
from bgtools.formats.mat.beginning import BeginError, record_to_begin
from bgtools.reports.terms import all_terms, find_term
from program import SOUND, bgtools

ROOT = Path(__file__).parents[2]


def test_without_a_command_they_are_listed_by_what_they_are_for() -> None:
    shown = bgtools().stdout
    heads = [re.search(rf"─ {re.escape(head)} ─", shown) for head in _GROUPS]
    assert all(heads)
    assert [each.start() for each in heads if each] == sorted(each.start() for each in heads if each)
    assert "bgtools report match.mat" in shown
    for name in _NAMES:
        assert re.search(rf"^│ {name} ", shown, re.MULTILINE), name
    # The commands of a library have names like these, and no such heads.
    assert not any(head in bgtools("library", "--help").stdout for head in _GROUPS)


@pytest.mark.parametrize("word", ["fix", "analyse", "Analyze", "view", "stats"])
def test_another_word_for_a_command_names_the_command(word: str) -> None:
    done = bgtools(word, "match.mat")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"there is no command {word}; it is: bgtools " in done.stderr


def test_every_other_word_leads_to_a_command_that_is_there() -> None:
    assert not set(_OTHER_WORDS) & set(_NAMES)
    for word, right in _OTHER_WORDS.items():
        for command in (right, *re.findall(r"bgtools (\w+)", right)):
            first = re.split(r"[ ,]", command)[0]
            assert first in _NAMES or first.startswith("--"), word


# --- words ----------------------------------------------------------------------------------


def test_every_word_is_explained_once() -> None:
    names = [name.casefold() for term in all_terms() for name in term.names]
    assert len(names) > 60
    assert len(set(names)) == len(names)
    for term in all_terms():
        assert term.meaning.endswith("."), term
        assert find_term(term.names[0].upper()) is term


@pytest.mark.parametrize(
    "word",
    ["CP", "DP", "EMG", "MWC", "mMWC", "mEMG", "joker", "anti-joker", "blunder", "gnubg30", "Snowie rate", "FIBS"],
)
def test_what_a_report_prints_is_explained(word: str) -> None:
    done = bgtools("explain", *word.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.casefold().startswith(word.casefold())


@pytest.mark.thorough
def test_every_short_word_of_a_report_is_explained(tmp_path: Path) -> None:
    sample = str(ROOT / "samples" / "seven-point.mat")
    done = bgtools("report", sample, "--level", "quick", "--details", "--no-page", "-o", str(tmp_path / "r"))
    words = set(re.findall(r"\b(?:m?[A-Z]{2,5}|gnubg\w*|Snowie|OpenGammon|jokers|luck-adjusted)\b", done.stdout))
    assert len(words) > 8
    assert {word for word in words if find_term(word) is None} <= {"XG"}


def test_a_word_that_nobody_knows_is_refused_with_one_that_is_near() -> None:
    done = bgtools("explain", "jokr")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no word 'jokr'; did you mean joker" in done.stderr
    assert bgtools("explain", "BG204").stdout == bgtools("rule", "BG204").stdout
    assert len(bgtools("explain").stdout.splitlines()) >= len(all_terms())


# --- a record to begin with -----------------------------------------------------------------


@pytest.mark.parametrize(("length", "line"), [(7, " 7 point match"), (1, " 1 point match"), (0, " Money session")])
def test_a_new_record_is_sound_and_can_be_gone_on_with(tmp_path: Path, length: int, line: str) -> None:
    file = tmp_path / "new.mat"
    done = bgtools("new", "Ann Lee", "Bob", "-n", str(length), "--event", "Club night", "-o", str(file))
    assert done.returncode == 0, done.stderr
    text = file.read_text()
    assert line in text.splitlines() or length == 0
    match = library.read(file)
    assert (match.players, match.length, len(match.games)) == (("Ann Lee", "Bob"), length, 1)
    assert [each.code.id for each in library.check(match)] == ["BG405"]  # the game has not begun
    file.write_text(text + "31: 8/5 6/5          52: 13/8 24/22\n")
    (game,) = library.read(file).games
    assert len(game.entries) == 2
    again = bgtools("new", "Ann", "Bob", "-o", str(file))
    assert (again.returncode, "--force" in again.stderr) == (2, True)
    assert bgtools("new", "Ann Lee", "Bob", "-n", str(length), "--event", "Club night").stdout.rstrip() == text.rstrip()


@pytest.mark.parametrize("name", ["", "  ", "A : 3", "A\nB", "\x1b[31m"])
def test_a_name_that_no_record_can_hold_is_refused(name: str) -> None:
    with pytest.raises(BeginError):
        record_to_begin((name, "Bob"), 5)
    with pytest.raises(BeginError):
        record_to_begin(("Ann", "Bob"), 5, {"Event": f'x"] {name}\n'})


def test_an_editor_offers_a_record_in_an_empty_file() -> None:
    for text in ("", "\n", "  \n\n"):
        found = suggestions(Document("new.mat", text, is_file=False).checked(), 0)
        assert [each.title for each in found] == ["a match to 7 points", "a money session"]
        assert "Player 1 : 0" in found[0].text
        assert tuple(found[0].span) == (0, len(text))
    assert not suggestions(Document("m.mat", SOUND, is_file=False).checked(), 0)


def test_the_page_of_match_text_shows_a_sound_record(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "formats" / "mat.md").read_text(encoding="utf-8")
    file = tmp_path / "page.mat"
    file.write_text(page.split("```")[1])
    match = library.read(file)
    assert [len(game.entries) for game in match.games] == [7, 1]
    assert {each.code.id for each in library.check(match)} == {"BG405"}
