"""SGF files of others: all are read, survive writing, and tell the same as their twins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_all
from bgtools.record.record import CheckerPlay, Match, Resign
from support import CORPUS, course_apart, needs_corpus

pytestmark = needs_corpus

FILES = sorted((CORPUS / "sgf").glob("*.sgf"))
OTHER_GAMES = [path for path in FILES if "demo_file" in path.name]

TWINS = [
    ("kevung__gbf__test", "kevung__gbf__test"),
    ("kevung__gbf__charlot1-charlot2_7p_2025-11-08-2305", "kevung__gbf__charlot1-charlot2_7p_2025-11-08-2305"),
]


@pytest.mark.parametrize("path", [path for path in FILES if path not in OTHER_GAMES], ids=lambda path: path.stem)
def test_a_file_is_read_and_survives(path: Path) -> None:
    (match,) = read_all(path)
    assert match.findings == ()
    assert {note.code.name for note in check(match)} <= {"unfinished-game"}
    done = convert((match,), parse_target("sgf"))
    assert done.changed == ""
    assert done.losses == ()
    assert convert((match,), parse_target("json")).changed == ""
    assert convert((match,), parse_target("mat")).changed == ""


@pytest.mark.parametrize("path", OTHER_GAMES, ids=lambda path: path.stem)
def test_another_game_is_refused(path: Path) -> None:
    with pytest.raises(FormatError, match="SGF of Go"):
        read_all(path)


def without_last_roll(path: Path) -> Match:
    """The match without resignations, and last rolls that nobody played: match text may leave both out."""
    (match,) = read_all(path)
    games = []
    for game in match.games:
        entries = list(game.entries)
        while entries and (
            isinstance(entries[-1], Resign) or (isinstance(entries[-1], CheckerPlay) and not entries[-1].text.hops)
        ):
            entries.pop()
        games.append(replace(game, entries=tuple(entries)))
    return replace(match, games=tuple(games))


@pytest.mark.parametrize(("sgf", "mat"), TWINS)
def test_a_twin_in_match_text_tells_the_same(sgf: str, mat: str) -> None:
    paths = [path for ending in ("mat", "txt") if (path := CORPUS / "mat" / f"{mat}.{ending}").exists()]
    assert paths
    told = without_last_roll(CORPUS / "sgf" / f"{sgf}.sgf")
    for path in paths:
        assert course_apart((without_last_roll(path),), (told,)) == []
