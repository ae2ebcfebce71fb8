"""Games of Jellyfish and GammonEmpire: names without points, rows of match text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.record.record import CheckerPlay, Match
from bgtools.replayer.match import replay
from gnubg_judge import course, imported, needs_gnubg, run_gnubg
from ruin import read_ruins
from selfplay import random_match
from support import row

SAMPLES = Path(__file__).parents[2] / "samples"
TEXT = "\n".join(
    (
        " Ann Marsh                      Bob",
        row(1, "", "31: 8/5 6/5"),
        row(2, "52: 13/8 24/22", " Doubles => 2"),
        row(3, " Takes", "64: 24/14"),
        "      Wins 4 points",
        "",
        " Ann Marsh                      Bob",
        row(1, "31: 8/5 6/5", "52: 13/8 24/22"),
        row(2, " Doubles => 2", " Drops"),
        "      Wins 1 point",
        "",
    )
)


def read(text: str) -> Match:
    return read_source(text.encode(), "x.gam")[0]


def test_games_are_read_one_after_the_other() -> None:
    match = read(TEXT)
    assert (match.players, match.length, len(match.games)) == (("Ann Marsh", "Bob"), None, 2)
    assert [game.score for game in match.games] == [None, None]
    assert [game.score for game in replay(match)] == [(0, 0), (4, 0)]
    assert [entry.player for entry in match.games[0].entries] == [1, 0, 1, 0, 1]
    assert match.findings == ()


def test_two_words_may_be_parted_by_one_blank() -> None:
    assert read(TEXT.replace("Ann Marsh                      Bob", "Ann Bob")).players == ("Ann", "Bob")
    assert read(TEXT.replace("Marsh                      Bob", "Marsh\tBob")).players == ("Ann Marsh", "Bob")


def test_other_text_is_refused() -> None:
    for text in ("hello", " 7 point match\n\n Game 1\n"):
        with pytest.raises(FormatError, match="two names"):
            read_source(text.encode(), "x.gam", "gam")


def test_games_are_told_from_match_text() -> None:
    assert recognise(Content(TEXT.encode(), "x")).name == "gam"
    for path in SAMPLES.glob("*.mat"):
        assert recognise(Content(path.read_bytes(), "x.gam")).name == "mat"
    assert read_source(TEXT.encode(), "x.gam", "empire")[0].games == read(TEXT).games


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("length", [0, 1, 5])
def test_what_is_written_is_the_same_match(seed: int, length: int) -> None:
    done = convert((random_match(seed, length),), parse_target("gam"))
    assert done.changed == ""
    assert (length > 0) == any(loss.code is codes.RULE_LOST and "length" in loss.message for loss in done.losses)
    assert not read_source(done.data, "x.gam")[0].findings


def test_illegal_plays_survive() -> None:
    match = read_all(SAMPLES / "five-slips.mat")[0]
    found = read_source(convert((match,), parse_target("gam")).data, "x.gam")[0]
    for one, two in zip(match.games, found.games, strict=True):
        assert [entry.text.kind for entry in one.entries if isinstance(entry, CheckerPlay)] == [
            entry.text.kind for entry in two.entries if isinstance(entry, CheckerPlay)
        ]


def test_ruined_files_are_read_as_far_as_they_go() -> None:
    assert read_ruins(TEXT.encode(), "gam") > 60


@needs_gnubg
@pytest.mark.parametrize("length", [1, 5, 0])
def test_gnu_backgammon_reads_the_same_games(length: int, tmp_path: Path) -> None:
    for seed in range(4):
        # It fills in forced plays after which somebody resigned.
        match = random_match(seed, length, resigning=0)
        data = convert((match,), parse_target("gam")).data
        assert course(imported(tmp_path, "empire", data)) == course(match)


@needs_gnubg
def test_what_gnu_backgammon_writes_is_read(tmp_path: Path) -> None:
    match = random_match(4, 5, resigning=0)
    (tmp_path / "given.mat").write_bytes(convert((match,), parse_target("mat")).data)
    commands = [command for game in match.games for command in (f"export game gam {game.number}.gam", "next game")]
    said = run_gnubg(tmp_path, "import mat given.mat", "first game", *commands)
    for number, (*_, boards) in enumerate(course(match), 1):
        assert (tmp_path / f"{number}.gam").is_file(), said
        (found,) = read_all(tmp_path / f"{number}.gam")
        assert found.players == match.players
        assert course(found)[0][-1] == boards


@pytest.mark.parametrize("name", ["x " * 84 + "x", "A" * 170, "Wins", "-"])
def test_a_name_of_any_length_is_written(name: str) -> None:
    for players in ((name, "Bob"), ("Ann", name)):
        match = replace(random_match(1, 1), players=players, source=None)
        if name != "Wins" or players[1] == name:
            assert convert((match,), parse_target("gam")).changed == ""


@pytest.mark.parametrize("name", ["7 point match", "; x", "1) 31:", "a : 3", "Wins"])
def test_a_name_that_looks_like_something_else_is_refused(name: str) -> None:
    match = replace(random_match(1, 1), players=(name, "a : 3"), source=None)
    with pytest.raises(FormatError, match="cannot hold players called"):
        convert((match,), parse_target("gam"))


def test_a_match_without_a_row_is_refused_for_no_reader_would_know_it() -> None:
    match = random_match(1, 1)
    empty = replace(match, source=None, games=(replace(match.games[0], entries=(), results=()),))
    with pytest.raises(FormatError, match="has a row at least"):
        convert((empty,), parse_target("gam"))
