"""Plays as text: the usual notation, and what a record wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.board.board import BAR, OFF, START
from bgtools.board.generation import legal_plays
from bgtools.board.movement import resolve
from bgtools.board.play import Hop, HopText, Play, PlayText, format_play, point_name
from support import ROLLS, some_or_all, spread, written

if TYPE_CHECKING:
    from bgtools.board.play import Style


@pytest.mark.parametrize(
    ("hops", "text"),
    [
        ([Hop(8, 5), Hop(6, 5)], "8/5 6/5"),
        ([Hop(6, 5), Hop(8, 5)], "8/5 6/5"),
        ([Hop(24, 18), Hop(18, 13)], "24/13"),
        ([Hop(24, 18, hit=True), Hop(18, 13)], "24/18*/13"),
        ([Hop(24, 18), Hop(18, 13, hit=True)], "24/13*"),
        ([Hop(13, 10), Hop(13, 10), Hop(6, 3), Hop(6, 3)], "13/10(2) 6/3(2)"),
        ([Hop(13, 10), Hop(10, 7), Hop(13, 10), Hop(10, 7)], "13/7(2)"),
        ([Hop(6, 1, hit=True), Hop(6, 1), Hop(8, 3), Hop(8, 3)], "8/3(2) 6/1*(2)"),
        ([Hop(BAR, 20), Hop(20, 17, hit=True)], "bar/17*"),
        ([Hop(6, OFF), Hop(5, OFF)], "6/off 5/off"),
        ([Hop(1, OFF)] * 4, "1/off(4)"),
        ([], ""),
    ],
)
def test_a_play_in_the_usual_notation(hops: list[Hop], text: str) -> None:
    assert format_play(hops) == text


@pytest.mark.parametrize(("style", "text"), [("words", "bar/20* 6/off"), ("numeric", "25/20* 6/0")])
def test_the_bar_and_off_are_words_or_numbers(style: Style, text: str) -> None:
    assert format_play([Hop(BAR, 20, hit=True), Hop(6, OFF)], style=style) == text
    assert point_name(13, style) == "13"


def test_every_hop_by_itself_and_without_stars() -> None:
    hops = [Hop(24, 18, hit=True), Hop(18, 13)]
    assert format_play(hops, merge=False) == "24/18* 18/13"
    assert format_play(hops, merge=False, stars=False) == "24/18 18/13"
    assert format_play(hops, stars=False) == "24/18/13"


@pytest.mark.parametrize(
    ("hops", "text"),
    [
        ([Hop(22, 16), Hop(24, 22)], "24/16"),
        ([Hop(5, 3), Hop(6, 5)], "6/3"),
        ([Hop(6, 3, hit=True), Hop(9, 6)], "9/3*"),
        ([Hop(6, 5), Hop(6, 5), Hop(8, 7), Hop(7, 6)], "8/5 6/5"),
    ],
)
def test_the_way_of_a_checker_is_one_whichever_of_its_hops_came_first(hops: list[Hop], text: str) -> None:
    assert format_play(hops) == format_play(sorted(hops, key=lambda hop: -hop.start)) == text


@some_or_all(5)
def test_a_notation_means_the_board_that_it_was_written_for(step: int) -> None:
    for position in spread(41, 150 // step):
        for dice in ROLLS[::2]:
            for play in legal_plays(position, dice):
                outcome = resolve(position, dice, written(str(play)))
                assert isinstance(outcome, Play)
                assert outcome.result == play.result


def test_plays_of_one_board_are_one_play() -> None:
    first, second = Play((Hop(8, 5), Hop(6, 5)), START), Play((Hop(8, 5), Hop(6, 5)), START)
    assert first == second
    assert str(first) == "8/5 6/5"


@pytest.mark.parametrize("text", ["8/5", "24/18*/13", "6/4(2)", "bar/20*", "6/off", "6/4*(2)"])
def test_a_written_group_writes_itself_again(text: str) -> None:
    (group,) = written(text.replace("*(2)", "*(2)"))
    assert str(group) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (PlayText("moves", (HopText((8, 5), (False,)), HopText((6, 5), (True,)))), "8/5 6/5*"),
        (PlayText("nothing"), ""),
        (PlayText("dance"), "Cannot Move"),
        (PlayText("unknown"), "????"),
        (PlayText("illegal", dump="7;0"), "Illegal play (7;0)"),
        (PlayText("unreadable", dump="8-5"), "8-5"),
    ],
)
def test_what_stands_behind_the_dice_can_be_shown(text: PlayText, shown: str) -> None:
    assert str(text) == shown
