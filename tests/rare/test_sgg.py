"""GamesGrid logs: the header, rolls and plays on lines of their own, and that what is written is read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.conversion.facts import differences
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Game,
    Match,
    Resign,
    Tag,
    Take,
)
from bgtools.rules.options import Ruleset
from gnubg_judge import course, imported, needs_gnubg
from ruin import read_ruins
from selfplay import random_match

SAMPLES = Path(__file__).parents[2] / "samples"
HEAD = """Ann Marsh vs. Bob
Monday, July 5, 2004
ELO: 1650.23 1234 1700.11 567
Jacoby: No
Automatic Doubles: No
Crawford: Yes
Beavers: No
Raccoons: No
Doubling Cube: Yes
Rated: Yes
Match Length: 5
Variant: Backgammon
GamesGrid

"""
GAME = """Game 1. 0-0/5
1\t43: \n1\t43: 13/9, 13/10
1\t\t62: \n1\t\t62: 24/18, 13/11
2\tDouble to 2
2\t\tAccept
well doubled
2\t66: O-O
2\t\t31: Resign
Ann_Marsh  wins 2 points.
"""
TEXT = HEAD + GAME


def read(text: str) -> Match:
    return read_source(text.encode(), "x.sgg")[0]


def kinds(match: Match) -> list[str]:
    return [f"{type(entry).__name__} {entry.player}" for entry in match.games[0].entries]


def test_the_header_is_read() -> None:
    match = read(TEXT)
    assert (match.players, match.length) == (("Ann Marsh", "Bob"), 5)
    assert {tag.key: tag.value for tag in match.tags} == {
        "EventDate": "2004.07.05", "Player 1 Elo": "1650.23/1234", "Player 2 Elo": "1700.11/567", "Site": "GamesGrid",
    }  # fmt: skip
    assert match.rules == Ruleset()
    assert match.findings == ()


def test_rolls_plays_and_cube_actions_are_read() -> None:
    match = read(TEXT)
    assert kinds(match) == [
        "CheckerPlay 0", "CheckerPlay 1", "Double 0", "Take 1", "CheckerPlay 0", "CheckerPlay 1", "Resign 1",
    ]  # fmt: skip
    texts = [str(entry.text) for entry in match.games[0].entries if isinstance(entry, CheckerPlay)]
    assert texts == ["13/9 13/10", "24/18 13/11", "Cannot Move", ""]
    assert [(claim.player, claim.points) for claim in match.games[0].results] == [(0, 2)]
    assert [(comment.text, comment.at) for comment in match.games[0].comments] == [("well doubled", 4)]


def test_lines_written_twice_are_read_once() -> None:
    twice = "".join(2 * f"{line}\n" for line in GAME.splitlines() if line[0] in "12")
    match = read(f"{HEAD}Game 1. 0-0/5\n{twice}Ann_Marsh  wins 2 points.\n")
    assert kinds(match)[:5] == kinds(read(TEXT))[:5]


def test_a_roll_whose_play_is_missing_keeps_its_place() -> None:
    match = read(TEXT.replace("1\t\t62: 24/18, 13/11\n", ""))
    assert kinds(match) == kinds(read(TEXT))
    entry = match.games[0].entries[1]
    assert isinstance(entry, CheckerPlay)
    assert (entry.dice, entry.text.kind) == ((6, 2), "nothing")


def test_money_play_with_beavers_and_automatic_doubles() -> None:
    text = "Ann vs. Bob\nJacoby: Yes\nAutomatic Doubles: Yes\nBeavers: Yes\nRaccoons: Yes\nGame 1. 0-0\n"
    text += "11: Automatic double\n1\t43: \n1\t43: 13/9, 13/10\n1\t\tDouble to 4\n2\tBeaver to 8\n2\t\tRaccoon to 16\n"
    match = read(text + "3\tAccept\n")
    assert [type(entry) for entry in match.games[0].entries] == [
        AutomaticDouble, CheckerPlay, Double, Beaver, Beaver, Take,
    ]  # fmt: skip
    assert match.length == 0
    assert match.rules == Ruleset(crawford=False, jacoby=True, beavers=2, automatic_doubles=1)
    assert [finding for finding in check(match) if finding.code.id.startswith("BG3")] == []


def test_a_pass_ends_the_game() -> None:
    text = TEXT.replace("\t\tAccept", "\t\tPass")
    assert isinstance(read(text).games[0].entries[3], Drop)


def test_who_is_closed_out_does_not_roll() -> None:
    match = read(TEXT.replace("2\t66: O-O", "2\t -: O-O"))
    assert kinds(match) == [kind for index, kind in enumerate(kinds(read(TEXT))) if index != 4]
    assert match.findings == ()


def test_what_cannot_be_read_is_told_at_its_place() -> None:
    text = TEXT.replace("62: 24/18, 13/11", "62: 24/18; 13/11").replace("\t\tAccept", "\t\tShrug")
    match = read(text)
    assert [each.code for each in match.findings] == [codes.UNREADABLE_CELL, codes.UNREADABLE_LINE]
    assert [text[slice(*each.span)] for each in match.findings] == ["; 13/11", "Shrug"]


def test_other_text_is_refused() -> None:
    with pytest.raises(FormatError, match="names the players"):
        read_source(b"hello", "x.sgg", "sgg")


def test_a_log_is_recognised() -> None:
    assert recognise(Content(TEXT.encode(), "noname")).name == "sgg"
    assert read_source(TEXT.encode(), "noname")[0].players == ("Ann Marsh", "Bob")


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("length", [0, 1, 5])
def test_what_is_written_is_the_same_match(seed: int, length: int) -> None:
    done = convert((random_match(seed, length, resigning=0.04),), parse_target("sgg"))
    assert done.changed == ""
    assert not read_source(done.data, "x.sgg")[0].findings


@pytest.mark.parametrize(
    "rules",
    [
        Ruleset(crawford=False, jacoby=True, beavers=1, automatic_doubles=3),
        Ruleset(crawford=False, jacoby=None, beavers=None),
        Ruleset(crawford=False, jacoby=False, beavers=3, variant="nackgammon"),
        Ruleset(crawford=False, jacoby=False, beavers=0, variant="hypergammon"),
    ],
)
def test_options_survive(rules: Ruleset) -> None:
    match = Match(players=("A", "B"), length=0, games=(Game(number=1, score=(0, 0), entries=()),), rules=rules)
    assert convert((match,), parse_target("sgg")).changed == ""


@pytest.mark.parametrize("date", ["2026.11.21", "2026.??.??", "2026.02.31", "autumn"])
@pytest.mark.parametrize("elo", ["1650.23/1234", "1500", "2,00/0", "1 600/3"])
def test_dates_and_ratings_survive_however_they_look(date: str, elo: str) -> None:
    match = replace(
        random_match(1, 1, resigning=0), tags=(Tag(key="EventDate", value=date), Tag(key="Player 2 Elo", value=elo))
    )
    done = convert((match,), parse_target("sgg"))
    assert (done.changed, done.losses) == ("", ())


def test_remarks_that_look_like_rows_stay_remarks() -> None:
    match = random_match(1, 1, resigning=0)
    texts = ["11: Automatic double", "2\tResign", "Game 7. 1-1/3", "Ann  wins 5 points.", "two\nlines"]
    comments = tuple(Comment(text=text, at=index) for index, text in enumerate(texts))
    match = replace(match, tags=(), games=(replace(match.games[0], comments=comments),))
    done = convert((match,), parse_target("sgg"))
    assert (done.changed, done.losses) == ("", ())


def test_illegal_plays_survive() -> None:
    match = read_all(SAMPLES / "five-slips.mat")[0]
    found = read_source(convert((match,), parse_target("sgg"), verify=False).data, "x.sgg")
    assert {change.where for change in differences(match, found[0])} == {"tags", "comments"}


def test_resignations_have_their_line() -> None:
    match = random_match(2, 3)
    assert any(not isinstance(game.entries[-1], Resign | Drop) for game in match.games)
    found = read_source(convert((match,), parse_target("sgg")).data, "x.sgg")[0]
    assert isinstance(found.games[1].entries[-1], Resign)


def test_a_remark_behind_a_resignation_stays_there() -> None:
    match = read(TEXT)
    entries = len(match.games[0].entries)
    game = replace(match.games[0], comments=(Comment(text="well played", at=entries),))
    done = convert((replace(match, games=(game,)),), parse_target("sgg"))
    assert done.changed == ""


def test_ruined_files_are_read_as_far_as_they_go() -> None:
    assert read_ruins(TEXT.encode(), "sgg") > 60


@needs_gnubg
@pytest.mark.parametrize("length", [1, 5, 0])
def test_gnu_backgammon_reads_the_same_match(length: int, tmp_path: Path) -> None:
    for seed in range(4):
        match = random_match(seed, length)
        data = convert((match,), parse_target("sgg")).data
        assert course(imported(tmp_path, "sgg", data)) == course(match)
