"""Replays of bgammon.org. No real file was at hand: these follow its published specification."""

from __future__ import annotations

import pytest

from bgtools.checks.checking import check
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_source, recognise
from bgtools.record.record import CheckerPlay, Double, Drop, Resign, Take
from bgtools.replayer.match import replay
from ruin import read_ruins
from support import ids

TEXT = """bgammon-replay 00000048
bgammon-replay 00000129
i 1702738670 Ann Bob 3 0 0 1 1 0
1 r 4-1 13/9 9/8
2 r 6-1 1/7 1/2
1 r 6-5 13/7 7/2
2 r 3-3 bar/3 bar/3 12/15 12/15
1 d 2 0
i 1702738999 Ann Bob 3 1 0 2 4 0
2 r 6-3 1/7 1/4
1 r 6-6 24/18
2 d 2 1
2 r 3-1 19/22 21/22
1 t
"""


def test_both_players_plays_are_in_the_numbering_of_the_first() -> None:
    (match,) = read_source(TEXT.encode(), "x.match")
    assert (match.players, match.length) == (("Ann", "Bob"), 3)
    first, second = match.games
    assert [(type(each), each.player) for each in first.entries] == [
        *((CheckerPlay, player) for player in (0, 1, 0, 1)), (Double, 0), (Drop, 1),
    ]  # fmt: skip
    assert [(type(each), each.player) for each in second.entries[2:]] == [
        (Double, 1), (Take, 0), (CheckerPlay, 1), (Resign, 0),
    ]  # fmt: skip
    told = [str(each.text) for each in first.entries if isinstance(each, CheckerPlay)]
    assert told == ["13/9 9/8", "24/18 24/23", "13/7 7/2", "bar/22 bar/22 13/10 13/10"]
    assert [game.score for game in match.games] == [(0, 0), (1, 0)]
    assert [(game.winner, game.points) for game in replay(match)] == [(0, 1), (1, 4)]


def test_what_it_says_is_judged() -> None:
    (match,) = read_source(TEXT.replace("13/7 7/2", "13/7 6/1").encode(), "x.match")
    assert codes.BLOCKED.id not in ids(check(match))
    (match,) = read_source(TEXT.replace("13/7 7/2", "13/7 24/19").encode(), "x.match")
    assert codes.BLOCKED.id in ids(check(match))


def test_a_line_that_is_none_is_told_and_an_unreadable_play_keeps_its_roll() -> None:
    (match,) = read_source(TEXT.replace("13/7 7/2", "13/7 x").replace("2 d 2 1", "hello").encode(), "x.match")
    assert ids(list(match.findings)) == [codes.UNREADABLE_CELL.id, codes.UNREADABLE_LINE.id]
    assert match.games[0].entries[2].dice == (6, 5)  # type: ignore[union-attr]


def test_other_players_or_a_score_of_nothing_begin_another_match() -> None:
    more = TEXT + TEXT.partition("00000129\n")[2] + "i Cem Dee 1 0 0 0 0 0\n1 r 4-1\n"
    matches = read_source(more.encode(), "x.match")
    assert [match.players for match in matches] == [("Ann", "Bob"), ("Ann", "Bob"), ("Cem", "Dee")]
    assert ids(list(matches[1].findings)) == [codes.SEVERAL_MATCHES.id]


def test_other_games_are_named() -> None:
    with pytest.raises(FormatError, match="a game of acey-deucey, which bgtools does not know"):
        read_source(TEXT.replace("1 1 0\n", "1 1 1\n").encode(), "x.match")
    with pytest.raises(FormatError, match="not a replay"):
        read_source(b"bgammon-replay 00000024\n", "x.match")
    assert recognise(Content(TEXT.encode(), "x.txt")).name == "bgammon"


@pytest.mark.thorough
def test_ruined_files_never_raise() -> None:
    assert read_ruins(TEXT.encode(), "bgammon") > 60
