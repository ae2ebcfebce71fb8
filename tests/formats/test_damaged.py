"""Damaged records through every format: a right file, or a reason why there is none; never one that says otherwise."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from test_party_bgroom import PARTY
from test_sgg import TEXT as SGG
from test_tmg import TEXT as TMG

from bgtools.board.board import START
from bgtools.board.perspective import other
from bgtools.board.play import PlayText
from bgtools.conversion.conversion import Target, convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.formats.registry import our_formats
from bgtools.record.record import CheckerPlay, Comment, Double, Resign, ResultClaim, SetBoard, Take
from damage import damaged
from printed_texts import BGBLITZ_PLAYS
from selfplay import random_match
from support import in_shares, mat, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.format import Format
    from bgtools.record.record import Match

WRITTEN = [each for each in our_formats() if each.writer]


def wrong(count: int, seed: int, targets: list[Target]) -> tuple[Counter[str], list[str]]:
    """How many damaged records went into each format, and those that came out wrong."""
    kept: Counter[str] = Counter()
    found = []
    for number, match in enumerate(damaged(count, seed)):
        anew = match if match.source is None else replace(match, source=replace(match.source, data=b"", format=""))
        for target in targets:
            try:
                done = convert((anew,), target)
            except FormatError:
                continue
            kept[target.format.name] += 1
            if done.changed:
                found.append(f"{number} into {target}: {done.changed}")
    return kept, found


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(24))
def test_no_damaged_record_comes_out_of_json_otherwise(seed: int) -> None:
    kept, found = wrong(125, seed, [parse_target("json")])
    assert found == []
    assert kept["json"] == 125


@pytest.mark.thorough
@in_shares
def test_few_damaged_records_come_out_of_a_format_otherwise(share: slice) -> None:
    kept, found = wrong(50, 700 + share.start, [Target(each) for each in WRITTEN])
    assert len(found) <= sum(kept.values()) / 50, found


ILLEGAL = mat("  1) 66: 24/18 24/18 13/7 13/7   31: 8/5 6/5", "  2) 42: 8/4 6/4                 52: 13/8 13/11")
SWAPPED = mat(
    "  1) 31: 8/5 6/5                 64: 24/14", "  2) 52: 13/8 24/22              63: 24/15",
    "  3) 41: 24/23 13/9              21: 13/11 6/5", "  4) 21: 6/5 24/22               31: 8/5 6/5",
)  # fmt: skip


@pytest.mark.parametrize("target", [each for each in WRITTEN if each.holds_matches], ids=lambda each: each.name)
@pytest.mark.parametrize("text", [ILLEGAL, SWAPPED], ids=["illegal first roll", "swapped cells"])
def test_what_a_slip_was_read_as_is_not_written(text: str, target: object) -> None:
    match: Match = read_text(text)
    assert convert((replace(match, source=None),), Target(target)).changed == ""  # type: ignore[arg-type]


# What the fuzzer has found: each is said, with a loss where something stays behind, or refused by name.


@pytest.mark.parametrize(("old", "new"), [("Red", "R;d"), ("Green", "=;G")])
def test_a_semicolon_in_a_name_is_told_as_lost_by_a_position_of_snowie(old: str, new: str) -> None:
    done = convert((read_source(BGBLITZ_PLAYS.replace(old, new).encode(), "x.txt", "bgblitz")), parse_target("snowie"))
    assert done.changed == ""
    assert codes.NAME_CHANGED in [loss.code for loss in done.losses]


def test_a_checker_from_off_the_board_has_no_place_in_an_analysis_of_extreme_gammon() -> None:
    text = BGBLITZ_PLAYS.replace("13/7, 8/7", "24/18, 0/5")
    with pytest.raises(FormatError, match="off the board"):
        convert(read_source(text.encode(), "x.txt", "bgblitz"), parse_target("xg"))


@pytest.mark.parametrize("points", [None, 2, "no result"])
@pytest.mark.parametrize("target", [each for each in WRITTEN if each.holds_matches], ids=lambda each: each.name)
def test_a_gammon_that_only_its_resignation_tells_is_won_in_every_format(target: Format, points: object) -> None:
    match = replace(read_text(SWAPPED), source=None)
    entries = (*match.games[0].entries[:2], Resign(player=1, level=2))
    claim = ResultClaim(player=0, points=points if isinstance(points, int) else None)
    game = replace(match.games[0], entries=entries, results=() if points == "no result" else (claim,))
    assert convert((replace(match, games=(game,)),), Target(target)).changed == ""


OF_STARTS = [each for each in WRITTEN if each.holds_matches and "start" not in each.leaves_out]


@pytest.mark.parametrize("target", OF_STARTS, ids=lambda each: each.name)
def test_a_cube_that_was_never_turned_is_nobodys(target: Format) -> None:
    match = replace(read_text(SWAPPED), source=None)
    owned = replace(match, games=(replace(match.games[0], start=START, start_cube=1, start_owner=1),))
    assert owned.games[0].start_owner is None
    assert convert((owned,), Target(target)).changed == ""


def of_any_number(number: int) -> Iterator[Match]:
    """Matches, and a position, in which one number is another one."""
    money, match = (replace(random_match(3, length, games=1), source=None) for length in (0, 5))
    yield replace(match, length=number)
    for option in ("beavers", "automatic_doubles", "cube_limit"):
        yield replace(money, rules=replace(money.rules, **{option: number}))  # type: ignore[arg-type]
    first = match.games[0].entries[0]
    claim = ResultClaim(player=0, points=number)
    board = SetBoard(player=0, position=START, cube=number, owner=0)
    for game in (
        {"score": (number, 0)}, {"number": number}, {"results": (claim,)},
        {"comments": (Comment(text="x", at=number),)},
        {"entries": (first, Double(player=other(first.player), value=number), Take(player=first.player))},
        {"start": START, "start_cube": number, "start_owner": 1}, {"entries": (board, first)}, {"entries": (board,)},
    ):  # fmt: skip
        yield replace(match, games=(replace(match.games[0], **game),))


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize("number", [-(10**9), -1, 100_000, 10**9, 2**32])
def test_a_number_of_any_size_comes_back_or_is_refused(number: int) -> None:
    for match in of_any_number(number):
        for target in WRITTEN:
            with suppress(FormatError):
                assert convert((match,), Target(target)).changed == "", target.name


def test_a_number_of_ten_digits_is_refused_by_what_it_is() -> None:
    with pytest.raises(FormatError, match="cannot hold a match length of more than nine digits"):
        convert((next(of_any_number(10**9)),), parse_target("mat"))
    with pytest.raises(FormatError, match="cannot hold a match length below 0"):
        convert((next(of_any_number(-1)),), parse_target("mat"))


@pytest.mark.parametrize(("said", "limit"), [("32768", 32768), ("123456789", 123456789), ("1234567890", None)])
def test_a_cube_limit_is_read_whole_or_not_at_all(said: str, limit: int | None) -> None:
    text = mat("  1) 31: 8/5 6/5").replace("7 point match", f'; [CubeLimit "{said}"]\n0 point match')
    assert read_text(text).rules.cube_limit == limit


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        pytest.param(TMG, "Length: 5", id="tmg"),
        pytest.param(SGG, "Match Length: 5", id="sgg"),
        pytest.param(PARTY, "MATCHLENGTH=3", id="party"),
        pytest.param(mat("  1) 31: 8/5 6/5"), "7 point match", id="mat"),
    ],
)
def test_a_match_length_of_ten_digits_is_not_cut_to_nine(text: str, stated: str) -> None:
    assert stated in text
    (right,) = read_source(text.encode(), "x")[:1]
    assert right.length in (3, 5, 7)
    (match,) = read_source(text.replace(stated, re.sub(r"\d", "1234567890", stated)).encode(), "x")[:1]
    assert match.length in (None, right.length), "other lines may tell it too"
    (finding,) = [finding for finding in match.findings if "more than nine digits" in finding.message]
    assert match.source is not None
    assert "1234567890" in match.source.text[finding.span.start : finding.span.end]


def test_a_line_that_is_strange_for_another_reason_is_not_said_to_be_so_by_its_digits() -> None:
    for line in ("call 0123456789 now", "7 point mach"):
        match = read_text(f"{line}\n" + mat("  1) 31: 8/5 6/5"))
        assert match.findings
        assert not any("nine digits" in finding.message for finding in match.findings)


def test_a_score_of_ten_digits_is_not_cut_to_nine() -> None:
    (match,) = read_source(PARTY.replace("GAME_1_SCORE1=2", "GAME_1_SCORE1=1234567890").encode(), "x")
    assert ["more than nine digits" in finding.message for finding in match.findings] == [True]
    assert match.games[1].score is None or max(match.games[1].score) < 10


def test_a_position_file_without_a_position_is_refused() -> None:
    match = replace(read_text(ILLEGAL), source=None)
    empty = replace(match, games=(replace(match.games[0], entries=(), results=()),))
    with pytest.raises(FormatError, match="here is none"):
        convert((empty,), parse_target("xgp"))


def test_a_cell_that_cannot_be_read_and_reads_as_more_than_one_is_refused() -> None:
    match = replace(read_text(SWAPPED), source=None)
    first = match.games[0].entries[0]
    assert isinstance(first, CheckerPlay)
    torn = replace(first, text=PlayText("unreadable", dump="8/4 Rolled 42: * 1. 8/4 6/4"))
    torn_match = replace(match, games=(replace(match.games[0], entries=(torn,)),))
    with pytest.raises(FormatError, match="no way to say what this damaged record says: game 1"):
        convert((torn_match,), parse_target("snowie"))
