"""How much is read: what it costs, and what is said of more."""

from __future__ import annotations

import cProfile
import gzip
import io
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from test_snowie import position_match

from bgtools.board.board import START
from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.formats.content import FormatError
from bgtools.formats.limits import (
    LONGEST_LINE,
    LONGEST_NAME,
    MOST_ENTRIES,
    MOST_GAMES,
    VARIABLE,
    largest_file,
    most_together,
)
from bgtools.formats.reading import find_format, read_all, read_source
from fuzz.hostile import HEAD, KINDS, ROW, ruined_matches
from support import found, ids, read_text, some_or_all

every_kind = pytest.mark.parametrize("kind", KINDS)


def _judged(data: bytes) -> None:
    with suppress(FormatError):
        for match in read_source(data, "x.mat"):
            check(match)


def _seconds(data: bytes) -> float:
    """Processor time of reading and checking."""
    began = time.process_time()
    _judged(data)
    return time.process_time() - began


def _calls(data: bytes) -> int:
    """How many functions are called to read and check: the same number every time, however busy the machine is."""
    profile = cProfile.Profile()
    with profile:
        _judged(data)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("kind", sorted({*KINDS} - {"sound matches", "session", "rows of full width"}))
def test_twice_as_much_takes_no_more_than_twice_as_many_calls(kind: str) -> None:
    """Of all but those whose pieces are larger than that, or end in the middle of a game."""
    _judged(HEAD + ROW)  # the parser is built once
    half, whole = _calls(KINDS[kind](5_000)), _calls(KINDS[kind](10_000))
    assert whole < 2.2 * half


@some_or_all(10)
@every_kind
def test_no_search_within_a_text_goes_over_it_again_and_again(kind: str, step: int) -> None:
    """What one call does is not counted above. Going over the text for each of its characters takes longer."""
    assert _seconds(KINDS[kind](40_000 // step)) < 10 / step


@pytest.mark.thorough
@every_kind
def test_twice_as_much_of_a_large_file_takes_about_twice_as_long(kind: str) -> None:
    """Less than three times as long, or no time to speak of."""
    _judged(HEAD + ROW)
    taken = []
    for _ in range(3):  # what a busy machine lets look slow once is not slow every time
        taken.append((_seconds(KINDS[kind](1_000_000)), _seconds(KINDS[kind](2_000_000))))
        half, whole = taken[-1]
        if whole < max(0.2, 3 * half):
            return
    raise AssertionError(f"{kind}: {taken}")


@pytest.mark.thorough
def test_ruined_matches_take_time_in_proportion() -> None:
    few, twice_as_many = _seconds(ruined_matches(60_000)), _seconds(ruined_matches(120_000))
    assert twice_as_many < 3 * few


# --- a file as a whole ----------------------------------------------------------------------


def test_a_file_that_is_too_large_is_refused_with_the_limit_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "large.mat"
    file.write_bytes(HEAD + ROW * (2 * (1 << 20) // len(ROW)))
    monkeypatch.setenv(VARIABLE, "1")
    with pytest.raises(FormatError, match=r"larger than 1 MB; cut it .* or set BGTOOLS_LARGEST_FILE to as many"):
        read_all(file)
    monkeypatch.setenv(VARIABLE, "3")
    assert len(read_all(file)) == 1


def test_no_more_of_a_file_is_taken_into_memory_than_may_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    endless = Path("/dev/zero")
    if not endless.exists():
        pytest.skip("no endless file here")
    with pytest.raises(FormatError, match="larger than 1 MB"):
        read_all(endless)


@pytest.mark.parametrize("said", ["0", "-1", "many", "1.5", "\N{SUPERSCRIPT TWO}", "9" * 5000])
def test_a_limit_that_is_no_number_of_megabytes_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)
    with pytest.raises(FormatError, match="number of megabytes"):
        largest_file()


def test_an_archive_holds_no_more_than_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    data = HEAD + ROW * 50_000
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.mat", data)
    for archived in (gzip.compress(data), packed.getvalue()):
        with pytest.raises(FormatError, match="more than 1 MB come out"):
            read_source(archived, "a")


# --- within a file --------------------------------------------------------------------------


def test_what_is_beyond_the_lines_and_cells_of_the_largest_file_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    text = HEAD + b"      Wins 1 point\n" * 50_000
    (match,) = read_source(text, "x.mat")
    (finding,) = [each for each in match.findings if "what follows is not read" in each.message]
    assert "12,500 cells and other lines" in finding.message
    assert text.decode()[finding.span.start :].startswith("      Wins 1 point")
    assert finding.span.end == len(text.rstrip())


def test_a_line_longer_than_any_row_is_one_finding_that_tells_its_length() -> None:
    line = "  1) " + "31: 8/5 6/5 " * 10_000
    (finding,) = [each for each in found(f"{HEAD.decode()}{line}\n") if each.code.id == "BG103"]
    assert f"a line of {len(line):,} characters is left out" in finding.message
    assert f"{LONGEST_LINE:,}" in finding.message


def test_a_remark_may_be_of_any_length() -> None:
    (remark,) = read_text(b"; " + b"x" * 2 * LONGEST_LINE + b"\n" + HEAD + ROW).comments
    assert len(remark.text) == 2 * LONGEST_LINE


def test_a_game_without_end_is_judged_up_to_the_limit() -> None:
    match = read_text(HEAD + ROW * MOST_ENTRIES)
    assert len(match.games[0].entries) == MOST_ENTRIES
    (finding,) = [each for each in match.findings if each.code.id == "BG103"]
    assert "a game of more than 4,000 plays and cube actions" in finding.message


def test_faults_without_end_are_told_up_to_a_limit() -> None:
    match = read_text(HEAD + b"  1) 31: zork                 42: blah\n" * 11_000)
    (last,) = [each for each in match.findings if "more than 20,000 faults" in each.message]
    (others,) = [each for each in match.findings if "a game of more than 4,000 plays" in each.message]
    told = [each for each in match.findings if each not in (last, others)]
    assert len(told) == 20_000
    assert told[-1].span < last.span


def test_a_session_without_end_is_judged_up_to_the_limit() -> None:
    match = read_text(KINDS["games"](28 * (MOST_GAMES + 500)))
    assert len(match.games) == MOST_GAMES
    (finding,) = [each for each in match.findings if each.code.id == "BG103"]
    assert "a match of more than 10,000 games" in finding.message


def test_what_is_beyond_the_most_matches_of_a_file_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgtools.formats.limits._MATCHES_A_MEGABYTE", 3)
    monkeypatch.setenv(VARIABLE, "1")
    text = (HEAD + ROW + b"      Wins 1 point\n") * 5
    matches = read_source(text, "x.mat")
    assert len(matches) == 3
    (finding,) = [each for match in matches for each in match.findings if "a file of more than" in each.message]
    assert finding.message == "a file of more than 3 matches: those that follow are left out"
    assert text[slice(*finding.span)].strip() == text[3 * len(text) // 5 :].strip()
    assert finding.hint == f"cut the file into several, or set {VARIABLE} to more than 1"
    assert read_source(text[: 3 * len(text) // 5], "x.mat")[2].findings == ()


def test_a_list_of_positions_may_be_longer_than_a_file_of_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgtools.formats.limits._MATCHES_A_MEGABYTE", 0)
    line = find_format("snowie").write((position_match(START),))
    assert len(read_source(line * 5, "x.txt")) == 5


@pytest.mark.thorough
def test_a_session_of_more_entries_than_any_is_judged_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    games = 2 * most_together() // 200
    text = b"0 point match\n" + b"".join(
        b" Game %d\n : 0  : 0\n%s Wins 1\n" % (number, ROW * 100) for number in range(1, games + 1)
    )
    (match,) = read_source(text, "x.mat")
    assert sum(len(game.entries) for game in match.games) == most_together() == 22_400
    (finding,) = [each for each in match.findings if "a match of more than 22,400 plays" in each.message]
    assert f"all but its first {len(match.games)} games are left out" in finding.message
    assert finding.hint == f"cut the file into several, or set {VARIABLE} to more than 16"
    assert text.decode()[finding.span.start :].startswith(f" Game {len(match.games) + 1}\n".lstrip())
    monkeypatch.setenv(VARIABLE, "40")
    (match,) = read_source(text, "x.mat")
    assert len(match.games) == games
    assert not [each for each in match.findings if "a match of more than" in each.message]


def test_what_would_be_too_much_to_be_read_again_is_refused_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    (match,) = read_source(KINDS["session"](100_000), "x.mat")
    monkeypatch.setenv(VARIABLE, "1")
    monkeypatch.setattr("bgtools.formats.limits._PIECES_A_MEGABYTE", 500)
    with pytest.raises(FormatError, match="bgtools JSON of all this could not be read again: the file holds more than"):
        convert((match,), parse_target("json"))
    with pytest.raises(FormatError, match=r"eXtreme Gammon match of \d+ games could not be read again: .* records"):
        convert((match,), parse_target("xg"))


def test_headers_of_any_length_may_stand_above_a_match() -> None:
    assert "BG103" not in ids(found(b"; remark\n" * 20_000 + HEAD + ROW))


# --- what one header takes from another -----------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(f"5 point match\n{HEAD.decode()}{ROW.decode()}", "5 point match", id="length"),
        pytest.param(
            f"{HEAD.decode()};Set Pos=-b----E-C---eE---c-e----B-/1\n;Set Pos=-b----E-C---eE---c-e----B-/0\n",
            ";Set Pos=-b----E-C---eE---c-e----B-/1",
            id="set position",
        ),
    ],
)
def test_a_header_that_another_one_contradicts_is_told(text: str, line: str) -> None:
    (finding,) = [each for each in read_text(text).findings if each.code.id == "BG004"]
    assert text[slice(*finding.span)] == line
    assert finding.message.endswith("so this one is skipped")


def test_a_name_of_a_million_letters_is_cut_and_told() -> None:
    text = b"(;FF[4]GM[6]PB[%b]PW[b]MI[length:3];B[31hefe])" % (b"A" * 1_000_000)
    (match,) = read_source(text, "a.sgf")
    assert sorted(match.players) == ["A" * LONGEST_NAME, "b"]
    told = f"a name of 1,000,000 characters: all but the first {LONGEST_NAME:,} are left out"
    assert told in [finding.message for finding in match.findings]
