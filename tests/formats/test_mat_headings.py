"""Headings in other words than those of match text: what is read, what is not, and what a finding says of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import bgtools
from bgtools.findings import codes
from bgtools.formats.mat.headings import likely_names, read_heading

ROWS = """  1) 31: 8/5 6/5                 52: 13/8 13/11
  2) Doubles => 2                 Drops
      Wins 1 point
"""
NAMES = ("Ann", "Bob")


def read(head: str, rows: str = ROWS) -> bgtools.Match:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.txt"
        file.write_bytes((head + rows).encode())
        (match,) = bgtools.read_all(file)
    return match


def found(match: bgtools.Match) -> list[bgtools.Finding]:
    return [each for each in bgtools.check(match) if each.code is codes.UNUSUAL_HEADING]


@pytest.mark.parametrize(
    ("head", "length"),
    [
        ("Ann vs Bob, 5 points\n", 5),
        ("Ann vs. Bob (5 point match)\n", 5),
        ("Ann against Bob, match to 5\n", 5),
        ("Ann v Bob 5pt match\n\n Game 1\n", 5),
        ("Ann versus Bob; money\n", 0),
        ("5 point match\n\nAnn - Bob\n", 5),
        ("5 point match\nAnn \u2013 Bob\n", 5),
        ("5 point match\n Game 1\nAnn vs. Bob 0-0\n", 5),
        ("5 point match\n Game 1\nAnn (0) - Bob (0)\n", 5),
        ("5 point match\n Game 1\n Ann 0      Bob 0\n", 5),
        ("5 point match\n Game 1\nAnn\tBob\n", 5),
        ("match to 5\nAnn vs Bob\n", 5),
        ("Ann vs Bob\nFirst to 5 points\n\nGame 1\n", 5),
        ("; Berlin\nAnn vs Bob\nMatch length: 5\n", 5),
        ("5-pt match\r\nAnn - Bob\r\n", 5),
        ("Ann - Bob\n", None),
    ],
)
def test_a_plain_heading_is_read_and_told(head: str, length: int | None) -> None:
    match = read(head)
    assert (match.players, match.length, len(match.games)) == (NAMES, length, 1)
    findings = found(match)
    assert findings
    assert all(
        str(each.severity) == "warning" and each.message.startswith("this line is read as ") for each in findings
    )
    assert not any(each.code in (codes.UNREADABLE_LINE, codes.NO_SCORE_LINE) for each in bgtools.check(match))
    assert '" Ann : 0        Bob : 0"' in " ".join(each.hint for each in findings)


@pytest.mark.parametrize(
    "head",
    [
        "Ann vs Bob, 5 points\n",
        "Ann vs Bob (5 points)\n\nGame 1\n",
        "5 point match\nAnn - Bob\n",
        "match to 5\nAnn v Bob\n",
    ],
)
def test_its_fix_writes_the_heading_of_match_text_and_changes_nothing_else(head: str, tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    file.write_text(head + ROWS)
    mended = (bgtools.fix(file, unsafe=True).after or b"").decode()
    match = read(mended, "")
    assert not found(match)
    assert (match.players, match.length, len(match.games)) == (NAMES, 5, 1)
    assert mended.endswith(ROWS)


@pytest.mark.parametrize(
    "line",
    [
        "Nordic Open 2019 - Final",
        "Round 3 - Table 5",
        "A - B - C",
        "Ann",
        "Ann Bob Cid",
        "the game of backgammon",
        "- Bob",
        "vs Bob",
        "12 - 14",
        "x" * 70 + " vs Bob",
    ],
)
def test_what_is_not_plain_is_not_read_as_names(line: str) -> None:
    assert read_heading(line, above_rows=True) is None


def test_a_dash_away_from_the_rows_is_a_title() -> None:
    assert read_heading("Ann - Bob", above_rows=False) is None
    assert read_heading("Ann vs Bob", above_rows=False) is not None


def test_an_unread_line_of_names_says_how_they_are_written() -> None:
    match = read("5 point match\n\nAnn Lee Bob Ray\n")
    (finding,) = found(match)
    assert finding.hint == 'names and points are written as in " Ann Lee : 0        Bob Ray : 0"'
    # The fix of other lines makes a remark of them, which would lose the names.
    assert finding.fix is None
    assert likely_names("Ann Bob Cid") == NAMES


def test_a_second_length_is_no_length() -> None:
    match = read("7 point match\nAnn vs Bob, 5 points\n")
    assert match.length == 7
    (finding,) = found(match)
    assert finding.message == "this line is read as Ann against Bob"


def test_names_and_scores_above_each_game() -> None:
    second = ROWS.replace("Wins 1 point", "Wins 1 point and the match")
    match = read("3 point match\n\nAnn vs Bob 0-0\n", f"{ROWS}\nAnn vs Bob 1-0\n{second}")
    assert (match.players, len(match.games)) == (NAMES, 2)
    assert [game.score for game in match.games] == [(0, 0), (1, 0)]


def test_two_names_above_rows_are_still_a_game_of_jellyfish() -> None:
    for head in ("Ann Bob\n", "Ann  Bob\n", "Ann Lee\tBob Ray\n", "Ann Lee    Bob Ray\n"):
        match = read(head)
        assert match.players[0].startswith("Ann")
        assert not found(match)


def test_lines_among_rows_are_no_headings() -> None:
    cut = ROWS.index("  2)")
    match = read("5 point match\n\n Game 1\n Ann : 0      Bob : 0\n", ROWS[:cut] + "Cid vs Dan\n" + ROWS[cut:])
    assert not found(match)
    assert [comment.text for comment in match.games[0].comments] == ["Cid vs Dan"]
