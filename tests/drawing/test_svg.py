"""Boards as SVG: every checker in its place, readable on any page, and never broken by a name."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from math import hypot
from typing import Literal
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st

from bgtools.board.board import BAR, OFF, START, Board, checkers
from bgtools.board.play import Hop
from bgtools.drawing import board as drawing
from bgtools.drawing.board import HEIGHT, WIDTH, Viewpoint, board_picture
from bgtools.drawing.shapes import LIGHT, THEMES, ColourTheme, TextLine, ThemeError, theme_from
from bgtools.drawing.svg import Svg, draw_board, svg
from bgtools.positions.notations import decode_id
from bgtools.replayer.match import replay
from bgtools.rules.cube import Cube, MatchState
from program import SOUND, bgtools
from support import read_text, spread

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in parsed(picture).iter(f"{SVG}text")]


def discs(picture: str) -> Counter[str]:
    """Checkers on the board by colour; a stack shows five."""
    radius = str(drawing._RADIUS)
    return Counter(each.get("fill", "") for each in parsed(picture).iter(f"{SVG}circle") if each.get("r") == radius)


def test_a_position_draws_itself_in_a_notebook() -> None:
    picture = START._repr_svg_()
    assert picture == draw_board(START)
    assert discs(picture) == {LIGHT.mine: 15, LIGHT.theirs: 15}
    assert texts(picture)[-2:] == ["opponent: 167 pips", "on roll: 167 pips"]
    assert Counter(text for text in texts(picture) if text.isdecimal()) == {str(point): 1 for point in range(1, 25)}


def test_checkers_stand_on_their_points() -> None:
    # One's own 6-point is below and the fourth from the right, the other's above it.
    root = parsed(draw_board(Board(checkers({6: 1, BAR: 1}), checkers({6: 1}))))
    radius = str(drawing._RADIUS)
    found = {
        (each.get("fill"), float(each.get("cx", "")), float(each.get("cy", "")))
        for each in root.iter(f"{SVG}circle")
        if each.get("r") == radius
    }
    x = drawing._RIGHT_HALF + drawing._POINT / 2
    assert (LIGHT.mine, x, drawing._BOTTOM - drawing._RADIUS - 1.5) in found
    assert (LIGHT.theirs, x, drawing._TOP + drawing._RADIUS + 1.5) in found
    assert {at for _, at, _ in found} == {x, drawing._BAR_LEFT + drawing._BAR_WIDTH / 2}


@pytest.mark.parametrize("count", [5, 6, 15])
def test_a_stack_of_more_than_five_says_how_many(count: int) -> None:
    for point in (6, 13, 24, BAR):
        picture = draw_board(Board(checkers({point: count}), checkers({}, total=0)))
        shown = 4 if point == BAR else 5
        assert discs(picture) == {LIGHT.mine: shown}
        numbers = [text for text in texts(picture) if text == str(count)]
        # Beside its point's number and that of the checkers that are off.
        assert len(numbers) == 1 + (count > shown) + (15 - count == count)


def test_checkers_that_are_off_lie_in_their_tray() -> None:
    position = Board(checkers({1: 2}), checkers({2: 12}))
    rects = Counter(
        each.get("fill") for each in parsed(draw_board(position)).iter(f"{SVG}rect") if each.get("rx") == "2.5"
    )
    assert rects == {LIGHT.mine: 13, LIGHT.theirs: 3}
    assert texts(draw_board(position)).count("13") == 2


def test_score_cube_and_dice_are_drawn_where_they_are_known() -> None:
    state = MatchState(7, (2, 5), Cube(4, "theirs"))
    picture = draw_board(START, state, dice=(6, 3), names=("Ann", "Bob"))
    assert {"2 of 7, 5 away", "5 of 7, 2 away", "Ann: 167 pips", "Bob: 167 pips"} <= set(texts(picture))
    assert texts(picture).count("4") == 2
    pips = [each for each in parsed(picture).iter(f"{SVG}circle") if each.get("r") == "3.7"]
    assert len(pips) == 9
    title = parsed(picture).findtext(f"{SVG}title")
    assert title == "Backgammon position, Ann to play 63, 2-5 in a 7-point match, cube 4 the opponent's"
    offered = draw_board(START, MatchState(), offered=True)
    assert "2" in texts(offered)[-1:]
    assert "has doubled, money, cube 1 centred" in (parsed(offered).findtext(f"{SVG}title") or "")


def test_the_crawford_game_has_no_cube() -> None:
    picture = draw_board(START, MatchState(5, (4, 3), crawford=True))
    assert "4 of 5, 1 away, Crawford" in texts(picture)
    assert "64" not in texts(picture)


def test_the_board_is_told_in_words() -> None:
    position = Board(checkers({BAR: 1, 6: 14}), checkers({1: 2}))
    assert parsed(position._repr_svg_()).findtext(f"{SVG}desc") == (
        "on roll: 1 on the bar, 14 on 6; 109 pips. opponent: 2 on 1, 13 off; 2 pips."
    )


names = st.text(max_size=40) | st.sampled_from(["<b>&\"'", "\x00\x1b", "\ufffe", "\ud800", "]]>", "-->", " "])


@given(
    position=st.sampled_from([*spread(7, 200)]),
    score=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    cube=st.builds(Cube, st.integers(0, 40).map(lambda power: 2**power), st.sampled_from(["centre", "mine", "theirs"])),
    dice=st.none() | st.tuples(st.integers(-1, 9), st.integers(-1, 9)),
    who=st.tuples(names, names),
    offered=st.booleans(),
)
@settings(max_examples=150)
def test_every_picture_is_sound_and_stands_by_itself(
    position: Board,
    score: tuple[int, int],
    cube: Cube,
    dice: tuple[int, int] | None,
    who: tuple[str, str],
    offered: bool,
) -> None:
    picture = draw_board(position, MatchState(25, score, cube), dice=dice, names=who, offered=offered)
    root = parsed(picture)
    assert (
        picture.encode().decode()
        == picture
        == draw_board(position, MatchState(25, score, cube), dice=dice, names=who, offered=offered)
    )
    assert not [each for each in root.iter() if {"id", "class", "style", "href"} & set(each.attrib)]
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        "svg", "title", "desc", "rect", "polygon", "circle", "text",
    }  # fmt: skip
    shown = {
        colour: sum(min(count, 4 if point == BAR else 5) for point, count in enumerate(side) if point != OFF)
        for colour, side in ((LIGHT.mine, position.mine), (LIGHT.theirs, position.theirs))
    }
    assert discs(picture) == Counter(shown)
    for each in root.iter():
        for name, most in (("x", WIDTH), ("cx", WIDTH), ("y", HEIGHT), ("cy", HEIGHT)):
            assert 0 <= float(each.get(name, "0")) <= most


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 has it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


@every_theme
def test_what_is_written_can_be_read(theme: ColourTheme) -> None:
    for ink, ground in (
        (theme.on_frame, theme.frame), (theme.mine_ink, theme.mine), (theme.theirs_ink, theme.theirs),
        (theme.die_ink, theme.die), (theme.cube_ink, theme.cube),
    ):  # fmt: skip
        assert contrast(ink, ground) >= 7


@every_theme
def test_checkers_part_from_what_they_stand_on(theme: ColourTheme) -> None:
    for ground in (theme.field, theme.dark_point, theme.light_point, theme.frame):
        for fill, rim in ((theme.mine, theme.mine_rim), (theme.theirs, theme.theirs_rim)):
            assert max(contrast(fill, ground), contrast(rim, ground)) >= 3
    assert contrast(theme.mine, theme.theirs) >= 7


@every_theme
def test_arrows_part_from_what_they_cross(theme: ColourTheme) -> None:
    for ground in (theme.field, theme.dark_point, theme.light_point, theme.frame, theme.mine, theme.theirs):
        for ink in (theme.played, theme.best, theme.both):
            assert max(contrast(ink, ground), contrast(theme.halo, ground)) >= 3
            assert contrast(ink, theme.halo) >= 4.5


def hops(*pairs: tuple[int, int]) -> list[Hop]:
    return [Hop(start, end) for start, end in pairs]


def lines(picture: str, ink: str) -> list[ElementTree.Element]:
    return [each for each in parsed(picture).iter(f"{SVG}polyline") if each.get("stroke") == ink]


def heads(picture: str, ink: str) -> list[str]:
    return [each.get("points") or "" for each in parsed(picture).iter(f"{SVG}polygon") if each.get("fill") == ink]


def test_two_plays_differ_by_dash_and_what_they_share_is_drawn_once() -> None:
    position = decode_id("XGID=---BBBCB-A--b---B--cbcabbA:1:1:1:32:2:5:0:7:10").board
    picture = draw_board(position, played=hops((25, 22), (16, 14)), best=hops((25, 22), (9, 7)))
    dashes = {ink: {each.get("stroke-dasharray") for each in lines(picture, ink)} for ink in (LIGHT.played, LIGHT.best)}
    assert dashes == {LIGHT.played: {None}, LIGHT.best: {"10 5"}}
    # The hit that both make is a cross of two lines.
    assert sorted(str(each.get("stroke-dasharray")) for each in lines(picture, LIGHT.both)) == ["1.5 7", "None", "None"]
    assert [len(heads(picture, ink)) for ink in (LIGHT.played, LIGHT.best, LIGHT.both)] == [1, 1, 1]
    alone = draw_board(position, best=hops((25, 22), (9, 7)))
    assert {each.get("stroke-dasharray") for each in lines(alone, LIGHT.best)} == {None}
    same = draw_board(position, played=hops((25, 22), (9, 7)), best=hops((9, 7), (25, 22)))
    assert len(heads(same, LIGHT.best)) == 2
    assert not heads(same, LIGHT.played) + heads(same, LIGHT.both)


def test_a_checker_has_one_arrow_with_a_corner_where_it_hits() -> None:
    picture = draw_board(START, played=hops((24, 18), (18, 13), (13, 11), (13, 11)))
    assert len(heads(picture, LIGHT.played)) == 2
    blot = decode_id("XGID=-b----E-C---dE--ac-e----B-:0:0:1:62:0:0:0:7:10").board
    # 24/18 without a hit is one arrow, bar/22*/18 has a corner.
    assert blot.theirs[25 - 16] == 1
    assert len(heads(draw_board(blot, played=hops((24, 18), (18, 14))), LIGHT.played)) == 1
    assert len(heads(draw_board(blot, played=hops((24, 16), (16, 14))), LIGHT.played)) == 2


def test_arrows_of_two_checkers_between_the_same_points_are_parallel() -> None:
    tips = [
        [tuple(map(float, point.split(","))) for point in each.split()]
        for each in heads(draw_board(START, played=hops((24, 13), (24, 13))), LIGHT.played)
    ]
    (tip, left, right), (other, *_) = tips
    # The tips lie 18 apart, square to the way.
    assert hypot(tip[0] - other[0], tip[1] - other[1]) == pytest.approx(18, abs=0.02)
    assert hypot(left[0] - right[0], left[1] - right[1]) == pytest.approx(16, abs=0.02)
    first, second = lines(draw_board(START, played=hops((13, 8), (13, 8))), LIGHT.played)
    ways = [
        [tuple(map(float, point.split(","))) for point in (each.get("points") or "").split()]
        for each in (first, second)
    ]
    (a, b), (c, d) = ways
    assert (b[0] - a[0]) * (d[1] - c[1]) == pytest.approx((b[1] - a[1]) * (d[0] - c[0]), rel=1e-2)


def test_an_arrow_starts_at_a_checker_and_ends_where_it_lands() -> None:
    picture = draw_board(START, best=hops((13, 11)))
    (line,), (head,) = lines(picture, LIGHT.best), heads(picture, LIGHT.best)
    x, y = map(float, (line.get("points") or "").split()[0].split(","))
    at = Viewpoint().spot(13, 4, mine=True)
    assert hypot(x - at[0], y - at[1]) < drawing._RADIUS
    tip = tuple(map(float, head.split()[0].split(",")))
    assert tip == Viewpoint().spot(11, 0, mine=True)
    rings = [each for each in parsed(picture).iter(f"{SVG}circle") if each.get("stroke") == LIGHT.best]
    assert [(float(each.get("cx", "")), float(each.get("cy", ""))) for each in rings] == [tip]
    # A full stack is not covered: the head ends before its first checker.
    full = heads(draw_board(START, best=hops((8, 6))), LIGHT.best)[0]
    assert float(full.split()[0].split(",")[1]) < Viewpoint().spot(6, 4, mine=True)[1] - drawing._RADIUS


@pytest.mark.parametrize("flipped", [False, True])
def test_an_offered_cube_lies_before_who_has_to_take_it(flipped: bool) -> None:
    for answering in (False, True):
        picture = board_picture(
            START, MatchState(), offered=not answering, answering=answering, seat=Viewpoint(flipped=flipped)
        )
        (cube,) = (
            each for each in picture.shapes if isinstance(each, TextLine) and each.text == "2" and each.size > 20
        )
        assert (cube.x < WIDTH / 2) == (flipped == answering)
        assert picture.title.startswith(f"Backgammon position, on roll {'is' if answering else 'has'} doubled")


def test_hops_that_no_checker_can_make_draw_nothing() -> None:
    assert draw_board(START, played=hops((7, 3), (0, 4), (26, 20), (6, -2))) == draw_board(START)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("home", ["left", "right"])
def test_numbers_stay_those_of_the_player_on_roll(flipped: bool, home: Literal["left", "right"]) -> None:
    seat = Viewpoint(flipped, home)
    picture = parsed(svg(board_picture(START, MatchState(7, (2, 1)), names=("Ann", "Bob"), seat=seat)))
    labels = {each.text: (float(each.get("x", "")), float(each.get("y", ""))) for each in picture.iter(f"{SVG}text")}
    for point in range(1, 25):
        x, y = labels[str(point)]
        assert seat.spot(point, 0, mine=True)[0] == x
        assert (y > HEIGHT / 2) == seat.point(point)[1]
    assert (labels["6"][1] > HEIGHT / 2) == (not flipped)
    # Home is where the 1-point is nearer to the edge than the 12-point.
    assert (labels["1"][0] > labels["12"][0]) == (home == "right")
    assert (labels["Ann: 167 pips"][1] > HEIGHT / 2) == (not flipped)


def test_marks_and_a_caption_are_written() -> None:
    picture = svg(board_picture(START, marks={8: "A"}, caption="What now?"))
    assert {"A", "What now?"} <= set(texts(picture))
    assert parsed(picture).get("viewBox") == f"0 0 {WIDTH} {HEIGHT + 24}"


def test_a_theme_of_ones_own() -> None:
    own = theme_from({"base": "dark", "field": "#123456"})
    assert own == replace(THEMES["dark"], field="#123456")
    assert "#123456" in svg(board_picture(START), own)
    for wrong, why in (
        ({"base": "night"}, "no theme is called 'night'; the themes are light, dark, print, contrast"),
        ({"felt": "#123456"}, "a theme has no colour 'felt'; its colours are frame, "),
        ({"field": "green"}, "field is 'green'; a colour is written as \"#1f5fa8\""),
        ({"field": 7}, "field is 7; a colour"),
    ):
        with pytest.raises(ThemeError, match=re.escape(why)):
            theme_from(wrong)


def test_turns_and_ids_draw_themselves_with_what_they_know() -> None:
    turn = replay(read_text(SOUND))[0].turns[1]
    assert "Backgammon position, 52 to play, 0-0 in a 3-point match, cube 1 centred" in turn._repr_svg_()
    situation = decode_id("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:0:0:7:10")
    assert isinstance(situation.draw(), Svg)
    assert "31 to play, 2-0 in a 7-point match, cube 2 their own" in situation._repr_svg_()


def test_show_prints_a_picture() -> None:
    done = bgtools("show", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "--format", "svg")
    assert done.returncode == 0
    assert parsed(done.stdout).tag == f"{SVG}svg"
