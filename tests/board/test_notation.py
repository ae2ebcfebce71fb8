"""Plays in every spelling: read tolerantly, written in every style, and back."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from bgtools.board.board import BAR, OFF, Board
from bgtools.board.generation import legal_plays
from bgtools.board.movement import resolve
from bgtools.board.notation import read_play
from bgtools.board.play import STYLES, Hop, Play, PlayText, Style, format_play
from bgtools.positions.gnubg import decode_position_id
from support import CORPUS, ROLLS, spread

if TYPE_CHECKING:
    from bgtools.board.violation import Violation

# --- read -----------------------------------------------------------------------------------


def groups(text: str, **more: bool) -> list[tuple[int, ...]]:
    read = read_play(text, **more)
    assert read.kind == "moves", text
    return [hop.points for hop in read.hops for _ in range(hop.count)]


@pytest.mark.parametrize(
    "text",
    [
        "8/5 6/5", "8-5 6-5", "8/5, 6/5", "8/5,6/5", "8/5; 6/5", "8-5,6-5", "m 8 5 6 5", "m 8-5 6-5", "8 5 6 5",
        "move 8-5 6-5", "moves 8-5 6-5 .", "31: 8/5 6/5", "31:8/5 6/5", "08/05 06/05", " 8/5  6/5 ", "8/5 and 6/5",
        "8 / 5 6 / 5", "8–5 6–5", "8→5 6→5",
    ],
)  # fmt: skip
def test_a_play_has_many_spellings(text: str) -> None:
    assert groups(text) == [(8, 5), (6, 5)]


@pytest.mark.parametrize("text", ["bar/20", "Bar/20", "BAR-20", "b/20", "B-20", "25/20", "bar 20", "m b 20", "bar/20*"])
def test_the_bar_has_many_names(text: str) -> None:
    assert groups(text) == [(BAR, 20)]


@pytest.mark.parametrize("text", ["6/off", "6/Off", "6-off", "6-o", "6/o", "6/0", "6-0", "m 6 off", "6-home", "6/of"])
def test_off_has_many_names(text: str) -> None:
    assert groups(text) == [(6, OFF)]


@pytest.mark.parametrize("text", ["13/7(2)", "13/7 (2)", "13/7[2]", "13/7x2", "13/7 13/7", "13/7*(2)", "13/7(2)*"])
def test_repeats_have_many_spellings(text: str) -> None:
    assert groups(text) == [(13, 7), (13, 7)]
    assert any(any(hop.stars) for hop in read_play(text).hops) is ("*" in text)


def test_a_way_over_several_points_keeps_its_hits() -> None:
    (hop,) = read_play("24/18*/13").hops
    assert (hop.points, hop.stars) == ((24, 18, 13), (True, False))
    (hop,) = read_play("bar/21*/17*(2)").hops
    assert (hop.points, hop.stars, hop.count) == ((BAR, 21, 17), (True, True), 2)


def test_columns_point_at_the_groups() -> None:
    text = "31: 8/5, 6/5*"
    assert [text[hop.start : hop.end] for hop in read_play(text).hops] == ["8/5", "6/5*"]
    text = "m 8 5 6 5"
    assert [text[hop.start : hop.end] for hop in read_play(text).hops] == ["8 5", "6 5"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/5 12/17", [(24, 20), (13, 8)]),
        ("bar/3 17-18", [(BAR, 22), (8, 7)]),
        ("bar-3 bar-1", [(BAR, 22), (BAR, 24)]),
        ("20-off 19/off", [(5, OFF), (6, OFF)]),
        ("24/20 13/8", [(24, 20), (13, 8)]),
        ("bar/21 6/off", [(BAR, 21), (6, OFF)]),
    ],
)
def test_the_other_players_numbering_is_told_by_the_way_the_checkers_go(
    text: str, expected: list[tuple[int, int]]
) -> None:
    assert [hop.points for hop in read_play(text, fixed=None).hops] == expected


def test_in_the_other_players_numbering_the_bar_is_at_either_end() -> None:
    assert groups("0/4 bar/3", fixed=True) == [(BAR, 21), (BAR, 22)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "nothing"), ("31:", "nothing"), ("Cannot Move", "dance"), ("can't move", "dance"), ("no move", "dance"),
        ("Pass", "dance"), ("fans", "dance"), ("--", "dance"), ("????", "unknown"), ("8/5 x", "unreadable"),
        ("8", "unreadable"), ("m 8 5 6", "unreadable"), ("99/3", "unreadable"), ("hello", "unreadable"),
        ("8/5/", "unreadable"), ("0/0", "moves"),
    ],
)  # fmt: skip
def test_what_is_no_play_is_told_apart(text: str, kind: str) -> None:
    read = read_play(text)
    assert read.kind == kind
    assert read == PlayText("moves") if text == "0/0" else not read.hops


@given(
    st.text(max_size=40) | st.text(alphabet="0123456789/-*() baroffm,x", max_size=40),
    st.sampled_from([True, False, None]),
)
def test_no_text_raises(text: str, fixed: bool | None) -> None:
    for hop in read_play(text, fixed=fixed).hops:
        assert len(hop.points) == len(hop.stars) + 1 >= 2
        assert all(OFF <= point <= BAR for point in hop.points)


# --- written --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("xg", "bar/18*/13 6/off"),
        ("words", "bar/18*/13 6/off"),
        ("gnubg", "bar/18*/13 6/off"),
        ("numeric", "25/18*/13 6/0"),
        ("jellyfish", "25/18* 18/13 6/0"),
        ("long", "bar/18* 18/13 6/off"),
        ("fibs", "bar-18 18-13 6-off"),
        ("fixed", "bar/7*/12 19/off"),
    ],
)
def test_a_play_in_every_style(style: Style, text: str) -> None:
    assert format_play([Hop(BAR, 18, hit=True), Hop(18, 13), Hop(6, OFF)], style=style) == text


def test_gnu_backgammon_puts_the_longer_way_first_and_joins_ways_that_differ_in_a_hit() -> None:
    hops = [Hop(13, 9), Hop(13, 9), Hop(13, 9), Hop(9, 5)]
    assert format_play(hops, style="gnubg") == "13/5 13/9(2)"
    assert format_play(hops, style="xg") == "13/9(2) 13/5"
    hops = [Hop(13, 7, hit=True), Hop(7, 1, hit=True), Hop(13, 7), Hop(7, 1)]
    assert format_play(hops, style="gnubg") == "13/7*/1*(2)"


def test_the_first_checker_on_a_point_bears_the_star() -> None:
    assert format_play([Hop(7, 4, hit=True), Hop(13, 4)]) == "13/4* 7/4"


def meant(position: Board, dice: tuple[int, int], text: str, *, fixed: bool) -> Board | Violation:
    outcome = resolve(position, dice, read_play(text, fixed=fixed).hops)
    return outcome.result if isinstance(outcome, Play) else outcome


def comes_back(style: Style, seed: int, count: int) -> int:
    rng, seen = random.Random(seed), 0
    for position in spread(seed, count):
        for dice in rng.sample(ROLLS, 5):
            for play in legal_plays(position, dice):
                text = format_play(play, style=style)
                assert meant(position, dice, text, fixed=style == "fixed") == play.result, (text, position, dice)
                seen += 1
    return seen


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("style", STYLES)
def test_every_legal_play_means_the_same_board_in_every_style(style: Style) -> None:
    assert comes_back(style, 43, 40) > 1_500


@pytest.mark.thorough
@pytest.mark.parametrize("style", STYLES)
def test_a_hundred_thousand_legal_plays_mean_the_same_board(style: Style) -> None:
    assert comes_back(style, 44, 2_500) > 100_000


# --- GNU Backgammon as a judge --------------------------------------------------------------

_ANALYSES = CORPUS / "gnubg-analysis-txt"
_CANDIDATE = re.compile(r"\*? +\d+\. Cube\S+ \S+ +(\S.*?) +Eq\.")


@pytest.mark.needs(_ANALYSES.is_dir(), "the corpus")
def test_gnu_backgammons_own_plays_are_written_as_it_writes_them() -> None:
    seen = 0
    for path in sorted(_ANALYSES.iterdir())[::4]:
        position, dice = None, None
        for line in path.read_text("utf-8", errors="replace").splitlines():
            if found := re.search(r"Position ID: (\S+)", line):
                position = decode_position_id(found[1])
            elif found := re.match(r"Rolled (\d)(\d)", line):
                dice = (int(found[1]), int(found[2]))
            elif (found := _CANDIDATE.match(line)) and position is not None and dice is not None:
                play = resolve(position, dice, read_play(found[1]).hops)
                assert isinstance(play, Play), found[1]
                assert format_play(play, style="gnubg") == found[1]
                seen += 1
    assert seen > 3_000
