"""FIBS oldmoves: what its lines say, the directions of X and O, and that what is written is read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_all, read_source
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Match, Resign, Take
from bgtools.replayer.match import replay
from gnubg_judge import course, imported, needs_gnubg
from ruin import read_ruins
from selfplay import random_match

SAMPLES = Path(__file__).parents[2] / "samples"
TEXT = """Score is 0-0 in a 5 point match.
Ann is X - Bob is O
O: (3 1) 8-5 6-5
X: (6 4) 1-7 12-16
O: doubles
X: accepts
O: (5 5) can't move
X: wants to resign
O: accepts
O: wins 2 points

Score is 2-0 in a 5 point match.
Bob is X - Ann is O
X: (2 1) 12-14 19-20
O: doubles
X: rejects
O: wins 2 points
"""


def read(text: str) -> Match:
    return read_source(text.encode(), "x.txt")[0]


def plays(match: Match, game: int = 0) -> list[tuple[int, str]]:
    return [(entry.player, str(entry.text)) for entry in match.games[game].entries if isinstance(entry, CheckerPlay)]


def test_every_kind_of_line_is_read() -> None:
    match = read(TEXT)
    assert (match.players, match.length) == (("Ann", "Bob"), 5)
    assert [type(entry) for entry in match.games[0].entries] == [
        CheckerPlay, CheckerPlay, Double, Take, CheckerPlay, Resign,
    ]  # fmt: skip
    assert plays(match) == [(1, "8/5 6/5"), (0, "24/18 13/9"), (1, "Cannot Move")]
    assert [(claim.player, claim.points) for claim in match.games[0].results] == [(1, 2)]
    assert match.findings == ()


def test_names_change_sides_and_so_do_points_and_plays() -> None:
    match = read(TEXT)
    assert [game.score for game in match.games] == [(0, 0), (0, 2)]
    assert plays(match, 1) == [(1, "13/11 6/5")]
    assert [type(entry) for entry in match.games[1].entries[1:]] == [Double, Drop]
    assert [entry.player for entry in match.games[1].entries] == [1, 0, 1]


def test_points_that_stayed_where_they_were_are_turned() -> None:
    assert read(TEXT.replace("Score is 2-0", "Score is 0-2")).games[1].score == (0, 2)
    # Nothing says that these are turned round, so they are kept as a claim.
    assert read(TEXT.replace("Score is 2-0", "Score is 3-1")).games[1].score == (1, 3)


def test_points_the_wrong_way_round_stay_where_the_sides_have_not_changed() -> None:
    text = TEXT.replace("Bob is X - Ann is O", "Ann is X - Bob is O")
    match = read(text)
    assert match.games[1].score == (2, 0)  # the claim of the first game says 0-2
    assert convert((match,), parse_target("oldmoves")).changed == ""


def test_both_players_may_be_numbered_downwards() -> None:
    text = TEXT.replace("1-7 12-16", "24-18 13-9").replace("12-14 19-20", "13-11 6-5")
    assert plays(read(text)) == [(1, "8/5 6/5"), (0, "24/18 13/9"), (1, "Cannot Move")]
    assert [turn.is_legal for turn in replay(read(text))[1].turns[:1]] == [True]


def test_bar_and_off_mean_the_same_for_both() -> None:
    text = TEXT.replace("1-7 12-16", "bar-3 24-off 20-21").replace("8-5 6-5", "bar-21 6-off 6-5")
    assert plays(read(text))[:2] == [(1, "bar/21 6/off 6/5"), (0, "bar/22 1/off 5/4")]


def test_a_double_in_answer_to_a_double_is_a_beaver() -> None:
    text = "Score is 0-0 in a money game.\nAnn is X - Bob is O\nX: (3 1) 17-20 19-20\n"
    text += "O: doubles\nX: doubles\nO: doubles\nX: accepts\n"
    match = read(text)
    entries = match.games[0].entries[1:]
    assert [type(entry) for entry in entries] == [Double, Beaver, Beaver, Take]
    assert [entry.raccoon for entry in entries if isinstance(entry, Beaver)] == [False, True]
    assert (match.length, match.rules.jacoby, match.rules.beavers) == (0, None, None)


def test_a_rejected_resignation_is_none() -> None:
    text = TEXT.replace("O: accepts\nO: wins 2 points\n", "O: rejects\nX: (2 1) 12-14 19-20\n")
    assert [type(entry) for entry in read(text).games[0].entries[-2:]] == [CheckerPlay, CheckerPlay]


def test_other_players_or_another_length_begin_another_match() -> None:
    for old, new in (("Bob is X - Ann is O", "Cid is X - Ann is O"), ("2-0 in a 5 point", "0-0 in a 7 point")):
        found = read_source(TEXT.replace(old, new).encode(), "x.txt")
        assert [len(match.games) for match in found] == [1, 1]
        assert [each.code for each in found[1].findings] == [codes.SEVERAL_MATCHES]


def test_what_cannot_be_read_is_told_at_its_place() -> None:
    text = TEXT.replace("1-7 12-16", "1-7 12_16").replace("X: accepts", "X: shrugs")
    match = read(text)
    assert [each.code for each in match.findings] == [codes.UNREADABLE_CELL, codes.UNREADABLE_LINE]
    assert [text[slice(*each.span)] for each in match.findings] == ["12_16", "X: shrugs"]
    assert [entry.dice for entry in match.games[0].entries if isinstance(entry, CheckerPlay)][1] == (6, 4)


def test_the_hops_of_a_play_point_at_their_text() -> None:
    entry = read(TEXT).games[0].entries[1]
    assert isinstance(entry, CheckerPlay)
    assert [TEXT[entry.text_at + hop.start : entry.text_at + hop.end] for hop in entry.text.hops] == ["1-7", "12-16"]


def test_other_text_is_refused() -> None:
    with pytest.raises(FormatError, match="Score is"):
        read_source(b"hello", "x.txt", "oldmoves")


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("length", [0, 1, 5])
def test_what_is_written_is_the_same_match(seed: int, length: int) -> None:
    match = random_match(seed, length)
    done = convert((match,), parse_target("oldmoves"))
    assert done.changed == ""
    assert not read_source(done.data, "x.txt")[0].findings


def test_illegal_plays_survive() -> None:
    match = read_all(SAMPLES / "five-slips.mat")[0]
    done = convert((match,), parse_target("oldmoves"))
    found = read_source(done.data, "x.txt")[0]
    wanted = [finding.code for finding in check(match) if finding.code.id.startswith("BG2")]
    assert [finding.code for finding in check(found) if finding.code.id.startswith("BG2")] == wanted


def test_what_has_no_place_is_told() -> None:
    losses = convert((read_all(SAMPLES / "money.mat")[0],), parse_target("oldmoves")).losses
    assert {each.code for each in losses} == {codes.TAG_LOST, codes.RULE_LOST, codes.COMMENT_LOST}


@pytest.mark.thorough
def test_ruined_files_are_read_as_far_as_they_go() -> None:
    assert read_ruins(TEXT.encode(), "oldmoves") > 60


@needs_gnubg
@pytest.mark.parametrize("length", [1, 3, 5, 0])
def test_gnu_backgammon_reads_the_same_match(length: int, tmp_path: Path) -> None:
    for seed in range(3):
        # It takes every resignation for a single game, so there are none here.
        match = random_match(seed, length, resigning=0)
        data = convert((match,), parse_target("oldmoves")).data
        assert course(imported(tmp_path, "oldmoves", data)) == course(match)
