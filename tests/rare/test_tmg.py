"""TrueMoneyGames logs: the header, numbered records, and that what is written is read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.conversion.facts import differences
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_all, read_source
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Game, Match, Tag, Take
from bgtools.rules.options import Ruleset
from gnubg_judge import course, imported, needs_gnubg
from ruin import read_ruins
from selfplay import random_match

SAMPLES = Path(__file__).parents[2] / "samples"
TEXT = """MatchID: 1234
Player1: 10001 Ann Marsh 4.00
Player2: 10002 Bob 4.00
Stake: 2.00
Startdate: 2004-07-05 14:03:36
Jacoby: 0
Crawford: 1
MaxCube: 512
Length: 5
Variant: 1
Game 1: 0-0
  0 19 57.68 0.00 43.57 0.00 Settlement
  1 1 43:
  1 4 13/9 13/10
 -1 1 62:
 -1 4 24/18 13/11
  2 5 Double to 2
 -2 7 Take
Beavers: 0
  2 1 66:
  2 4 0/0
 -2 1 ??
 -2 17 Out of time
  2 14 2 Ann Marsh wins 2 points
"""


def read(text: str) -> Match:
    return read_source(text.encode(), "x.tmg")[0]


def kinds(match: Match) -> list[str]:
    return [f"{type(entry).__name__} {entry.player}" for entry in match.games[0].entries]


def test_the_header_is_read() -> None:
    match = read(TEXT)
    assert (match.players, match.length) == (("Ann Marsh", "Bob"), 5)
    assert {tag.key: tag.value for tag in match.tags} == {
        "Match ID": "1234", "EventDate": "2004.07.05", "EventTime": "14:03:36",
    }  # fmt: skip
    assert match.rules == Ruleset(cube_limit=512)
    assert match.findings == ()


def test_records_are_read() -> None:
    match = read(TEXT)
    assert kinds(match) == ["CheckerPlay 0", "CheckerPlay 1", "Double 0", "Take 1", "CheckerPlay 0"]
    texts = [str(entry.text) for entry in match.games[0].entries if isinstance(entry, CheckerPlay)]
    assert texts == ["13/9 13/10", "24/18 13/11", "Cannot Move"]
    assert [(claim.player, claim.points) for claim in match.games[0].results] == [(0, 2)]


def test_a_roll_whose_play_is_missing_keeps_its_place() -> None:
    match = read(TEXT.replace(" -1 4 24/18 13/11\n", ""))
    assert kinds(match) == kinds(read(TEXT))
    entry = match.games[0].entries[1]
    assert isinstance(entry, CheckerPlay)
    assert (entry.dice, entry.text.kind) == ((6, 2), "nothing")


def test_money_play_with_beavers_and_automatic_doubles() -> None:
    text = "Player1: 1 Ann 1\nPlayer2: 2 Bob 1\nJacoby: 1\nBeavers: 1\nRaccoons: 1\nLength: 0\nGame 1: 0-0\n"
    text += "0 2 Automatic to 2\n1 1 43:\n1 4 13/9 13/10\n-1 5 Double to 4\n2 8 Beaver to 8\n-2 8 Raccoon to 16\n"
    match = read(text + "2 7 Take\n")
    assert [type(entry) for entry in match.games[0].entries] == [
        AutomaticDouble, CheckerPlay, Double, Beaver, Beaver, Take,
    ]  # fmt: skip
    assert [entry.raccoon for entry in match.games[0].entries if isinstance(entry, Beaver)] == [False, True]
    assert match.rules == Ruleset(crawford=False, jacoby=True, beavers=2, automatic_doubles=1)
    assert [finding for finding in check(match) if finding.code.id.startswith("BG3")] == []


def test_a_winner_whose_name_begins_with_a_digit() -> None:
    match = read(TEXT.replace("Ann\N{NO-BREAK SPACE}Marsh", "3blind\N{NO-BREAK SPACE}7"))
    assert (match.players[0], match.findings) == ("3blind 7", ())
    assert [(claim.player, claim.points) for claim in match.games[0].results] == [(0, 2)]
    assert convert((match,), parse_target("tmg")).changed == ""


def test_a_beaver_by_the_doubler_stays_one() -> None:
    match = read(TEXT.replace(" -2 7 Take", "  2 8 Beaver to 4"))
    assert [(type(entry), entry.player) for entry in match.games[0].entries[2:4]] == [(Double, 0), (Beaver, 0)]
    assert convert((match,), parse_target("tmg")).changed == ""
    with pytest.raises(FormatError, match="beaver by the player who has just doubled"):
        convert((match,), parse_target("oldmoves"))


def test_a_pass_ends_the_game() -> None:
    assert isinstance(read(TEXT.replace("7 Take", "10 Pass")).games[0].entries[3], Drop)


def test_what_cannot_be_read_is_told_at_its_place() -> None:
    text = TEXT.replace("24/18 13/11", "24/18; 13/11").replace("-2 7 Take", "-2 7 Shrug").replace(" 17 ", " 99 ")
    match = read(text)
    assert [each.code for each in match.findings] == [
        codes.UNREADABLE_CELL, codes.UNREADABLE_LINE, codes.UNREADABLE_LINE,
    ]  # fmt: skip
    assert [text[slice(*each.span)] for each in match.findings] == ["; 13/11", "Shrug", "-2 99 Out of time"]
    # Its number says what it was.
    assert kinds(match)[3] == "Take 1"


def test_other_text_is_refused() -> None:
    with pytest.raises(FormatError, match="Player1"):
        read_source(b"hello", "x.tmg", "tmg")


def test_a_log_is_recognised() -> None:
    assert read_source(TEXT.encode(), "noname")[0].players == ("Ann Marsh", "Bob")


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("length", [0, 1, 5])
def test_what_is_written_is_the_same_match(seed: int, length: int) -> None:
    done = convert((random_match(seed, length, resigning=0.04),), parse_target("tmg"))
    assert done.changed == ""
    assert not read_source(done.data, "x.tmg")[0].findings


@pytest.mark.parametrize(
    "rules",
    [
        Ruleset(crawford=False, jacoby=True, beavers=1, automatic_doubles=3),
        Ruleset(crawford=False, jacoby=None, beavers=None),
        Ruleset(crawford=False, jacoby=False, beavers=3, variant="nackgammon"),
        Ruleset(crawford=False, jacoby=False, beavers=0, cube_limit=1),
        Ruleset(crawford=False, jacoby=False, beavers=0, cube_limit=64),
    ],
)
def test_options_survive(rules: Ruleset) -> None:
    match = Match(players=("A", "B"), length=0, games=(Game(number=1, score=(0, 0), entries=()),), rules=rules)
    assert convert((match,), parse_target("tmg")).changed == ""


@pytest.mark.parametrize("date", ["2026.11.21", "2026.??.??", "2026-11-21", "autumn"])
@pytest.mark.parametrize("time", ["", "12.30", "half past twelve"])
def test_dates_survive_however_they_look(date: str, time: str) -> None:
    tags = [Tag(key="EventDate", value=date)] + ([Tag(key="EventTime", value=time)] if time else [])
    done = convert((replace(random_match(1, 1, resigning=0), tags=tuple(tags)),), parse_target("tmg"))
    assert (done.changed, done.losses) == ("", ())


def test_illegal_plays_survive() -> None:
    match = read_all(SAMPLES / "five-slips.mat")[0]
    found = read_source(convert((match,), parse_target("tmg"), verify=False).data, "x.tmg")
    assert {change.where for change in differences(match, found[0])} == {"tags", "comments"}


def test_ruined_files_are_read_as_far_as_they_go() -> None:
    assert read_ruins(TEXT.encode(), "tmg") > 60


@needs_gnubg
@pytest.mark.parametrize("length", [1, 5, 0])
def test_gnu_backgammon_reads_the_same_match(length: int, tmp_path: Path) -> None:
    for seed in range(4):
        match = random_match(seed, length)
        data = convert((match,), parse_target("tmg")).data
        assert course(imported(tmp_path, "tmg", data)) == course(match)


def test_an_option_that_cannot_be_parsed_is_a_finding() -> None:
    (match,) = read_source(TEXT.replace("MaxCube: ", "MaxCube: \x1c\x1d").encode(), "x.tmg", "tmg")
    assert match.players == read_source(TEXT.encode(), "x.tmg", "tmg")[0].players
