"""Opening plays and replies by name: the usual plays of all 15 opening rolls, and what replies do."""

from __future__ import annotations

import pytest

from bgtools.analysis.phases import name_play, opening_name
from bgtools.board.board import START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.replayer.match import replay
from selfplay import random_match
from support import ROLLS, after, mat, read_text, rows

OPENINGS = """
21 slot 13/11 6/5 | 21 split 24/23 13/11 | 21 build 13/10 | 31 point 8/5 6/5
41 split 24/23 13/9 | 41 slot 13/9 6/5 | 51 split 24/23 13/8 | 51 slot 13/8 6/5
61 point 13/7 8/7 | 32 split 24/21 13/11 | 32 build 13/11 13/10 | 42 point 8/4 6/4
52 split 24/22 13/8 | 52 build 13/11 13/8 | 52 slot 13/8 6/4 | 62 split 24/18 13/11
62 run 24/16 | 62 slot 13/5 | 43 split 24/20 13/10 | 43 split 24/21 13/9
43 build 13/9 13/10 | 53 point 8/3 6/3 | 63 split 24/18 13/10 | 63 run 24/15
54 split 24/20 13/8 | 54 build 13/8 13/9 | 64 point 8/2 6/2 | 64 run 24/14
64 split 24/18 13/9 | 65 run 24/13
"""
"""Each roll with its usual plays, and what everybody calls them."""


@pytest.mark.parametrize("line", [line.strip() for line in OPENINGS.replace("|", "\n").strip().splitlines()])
def test_the_usual_openings_have_their_usual_names(line: str) -> None:
    dice, name, text = line.split(" ", 2)
    result = after(START, (0, 0), text)
    assert result in {play.result for play in legal_plays(START, (int(dice[0]), int(dice[1])))}
    assert name_play(START, result) == name


def test_all_15_opening_rolls_have_plays_here() -> None:
    named = {line.split()[0] for line in OPENINGS.replace("|", "\n").strip().splitlines()}
    assert named == {f"{high}{low}" for high, low in ROLLS if high != low}


@pytest.mark.parametrize(
    ("opening", "reply", "name"),
    [
        ("24/20 13/8", "8/3(2) 6/1*(2)", "blitz"),
        ("8/5 6/5", "8/3(2) 6/1(2)", "points"),
        ("24/23 13/8", "24/20(2) 13/9(2)", "anchor"),
        ("24/18 13/11", "24/18(2) 13/7*(2)", "hit and point and anchor"),
        ("24/18 13/11", "13/7* 13/8", "hit"),
        ("24/20 13/10", "13/5*", "hit"),
        ("24/20 13/10", "8/5* 6/5", "point on the blot"),
        ("24/22 13/8", "8/3*(2) 6/3", "point on the blot"),
        ("24/23 13/11", "6/2* 24/23", "hit and split"),
        ("13/11 6/5", "24/20*", "hit"),
        ("13/11 6/5", "24/20* 6/4", "hit and slot"),
        ("24/22 24/20", "6/5* 8/3*", "blitz"),
        ("13/8 6/5", "24/15", "run"),
        ("8/5 6/5", "13/11 24/23", "split"),
        ("8/5 6/5", "8/7(2) 6/5(2)", "points"),
        ("8/5 6/5", "13/11(2) 6/4(2)", "point"),
        ("8/5 6/5", "13/8 13/9", "build"),
        ("8/5 6/5", "6/4(2) 24/22", "point and split"),
    ],
)
def test_replies_are_named_by_what_they_do(opening: str, reply: str, name: str) -> None:
    before = after(START, (0, 0), opening).flipped()
    assert name_play(before, _moved(before, reply)) == name


def _moved(position: Board, text: str) -> Board:
    return after(position, (0, 0), text.replace("*", ""))


def test_checkers_on_the_bar_enter_or_dance() -> None:
    before = Board(checkers({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}), START.theirs)
    assert name_play(before, _moved(before, "25/22 13/8")) == "enter"
    assert name_play(before, _moved(before, "25/24 13/11")) == "anchor"
    assert name_play(before, _moved(before, "25/20 6/5")) == "slot"
    assert name_play(before, before) == "dance"


def test_a_play_that_is_nothing_of_these_is_other() -> None:
    before = Board(checkers({24: 2, 13: 4, 8: 3, 6: 4, 4: 2}), START.theirs)
    assert name_play(before, _moved(before, "8/6 8/4")) == "other"


def test_only_the_first_two_rolls_of_a_usual_game_are_named() -> None:
    text = mat(*rows(("31: 8/5 6/5", "64: 24/14"), ("66: 24/18(2) 13/7(2)", "")))
    (game,) = replay(read_text(text))
    assert [opening_name(game, turn) for turn in game.turns] == ["point", "run", ""]


def test_games_from_set_positions_have_no_opening() -> None:
    games = replay(random_match(2, 0, games=4, set_positions=True, resigning=0, doubling=0))
    named = [bool(opening_name(game, game.turns[0])) for game in games]
    assert named == [game.game.start is None for game in games]
    assert set(named) == {True, False}
