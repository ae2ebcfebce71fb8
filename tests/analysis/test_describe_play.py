"""What plays do, in words."""

from __future__ import annotations

import pytest

from bgtools.analysis.phases import describe_play
from bgtools.board.movement import resolve
from bgtools.board.notation import read_play
from bgtools.board.play import Play
from bgtools.positions.position import Position

START = Position().id("xgid")


@pytest.mark.parametrize(
    ("xgid", "played", "words"),
    [
        (START, "31: 8/5 6/5", "make the 5-point"),
        (START, "42: 8/4 6/4", "make the 4-point"),
        (START, "21: 13/11 6/5", "slot the 5-point"),
        (START, "43: 24/20 13/10", "split"),
        (START, "54: 13/8 13/9", "bring a checker down"),
        (START, "65: 24/13", "run"),
        (START, "11: 8/7(2) 6/5(2)", "make the 5- and 7-point"),
        (START, "44: 24/20(2) 13/9(2)", "make the 9-point, make an anchor on the 20-point"),
        ("XGID=-b----E-C---dE---c-e----B-:0:0:1:63:0:0:0:0:10", "63: 24/15", "run"),
        ("XGID=-b--a-E-C---eE---c-d----B-:0:0:1:42:0:0:0:0:10", "42: 8/4* 6/4", "point on a blot"),
        ("XGID=-b---aE-C---eE---c-d----B-:0:0:1:31:0:0:0:0:10", "31: 6/5* 24/21", "hit loose, split"),
        ("XGID=-b--BB--------------------:0:0:1:54:0:0:0:0:10", "54: 5/off 4/off", "bear off 2"),
        ("XGID=-------------------bbbbbbA:0:0:1:11:0:0:0:0:10", "11: Cannot Move", "dance"),
    ],
)
def test_a_play_is_named_by_what_it_does(xgid: str, played: str, words: str) -> None:
    dice, _, text = played.partition(": ")
    board = Position.from_id(xgid).board
    play = resolve(board, (int(dice[0]), int(dice[1])), read_play(text).hops)
    assert isinstance(play, Play), play
    assert describe_play(board, play.result) == words
