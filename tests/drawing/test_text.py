"""Boards drawn with letters."""

from __future__ import annotations

from bgtools.board.board import START, Board, checkers
from bgtools.drawing.svg import draw
from bgtools.rules.cube import Cube, MatchState


def test_the_start_position_looks_as_on_every_board() -> None:
    assert draw(START, MatchState(7), names=("Ann", "Bob"), dice=(3, 1)).splitlines() == [
        " +13-14-15-16-17-18------19-20-21-22-23-24-+",
        " | X           O    |   | O              X |   O  Bob, 167 pips",
        " | X           O    |   | O              X |",
        " | X           O    |   | O                |",
        " | X                |   | O                |   cube 1, centred",
        " | X                |   | O                |",
        " |                  |BAR|                  |   0-0 in a 7-point match",
        " | O                |   | X                |",
        " | O                |   | X                |",
        " | O           X    |   | X                |   rolled 31",
        " | O           X    |   | X              O |",
        " | O           X    |   | X              O |   X  Ann, 167 pips",
        " +12-11-10--9--8--7-------6--5--4--3--2--1-+",
    ]


def test_bar_stacks_and_borne_off_checkers_are_shown() -> None:
    position = Board(checkers({25: 2, 6: 8}), checkers({6: 7, 25: 1}))
    text = draw(position, MatchState(0, cube=Cube(4, "theirs")), names=("Ann", "Bob"))
    lines = text.splitlines()
    assert "cube 4, Bob's" in text
    assert "7 off" in lines[2]
    assert "5 off" in lines[10]
    assert lines[1][21:24] == " O "
    assert lines[11][21:24] == " X "
    assert lines[10][21:24] == " X "
    assert lines[7][25:28] == " 8 "
    assert lines[5][25:28] == " 7 "
