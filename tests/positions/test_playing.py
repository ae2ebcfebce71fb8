"""Playing on from a position: plays and rolls as people write them, and the reasons of refusals."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

import bgtools
from bgtools.board.board import START, Board, checkers
from bgtools.positions.draw import encode_picture
from bgtools.positions.notations import NOTATIONS
from bgtools.positions.position import Position
from bgtools.rules.cube import Cube, MatchState
from support import ROLLS, scatter, walk

XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:4:0:7:10"
ROLLED = Position.from_id(XGID)


# --- notations --------------------------------------------------------------------------------


def test_an_id_gives_board_score_cube_and_dice_and_comes_back() -> None:
    assert ROLLED.board == START
    assert ROLLED.dice == (3, 1)
    assert ROLLED.state == MatchState(7, (2, 4), Cube(2, "theirs"), rules=ROLLED.state.rules)
    assert ROLLED.xgid == ROLLED.id() == XGID
    for notation in NOTATIONS:
        assert Position.from_id(ROLLED.id(notation.name)).board == ROLLED.board
    for text in (ROLLED.xgid, ROLLED.gnubg_id, ROLLED.ogid):
        again = Position.from_id(text)
        assert (again.state.length, again.state.score, again.state.cube) == (7, (2, 4), Cube(2, "theirs"))
        assert sorted(again.dice or ()) == [1, 3]


def test_a_drawn_board_is_read_too() -> None:
    assert Position.from_id(encode_picture(ROLLED)) == replace(ROLLED, names=("You", "opponent"))


def test_what_is_no_id_is_refused() -> None:
    with pytest.raises(bgtools.IdError):
        Position.from_id("nonsense")
    with pytest.raises(ValueError, match="there is no notation 'klingon'"):
        Position().id("klingon")


@given(st.integers(0, 2**32))
def test_the_short_text_of_a_position_makes_it_again(seed: int) -> None:
    for board in walk(random.Random(seed), 5):
        position = Position(board, MatchState(5, (1, 3)), dice=(6, 2))
        assert eval(repr(position), {"Position": Position}) == position


def test_checkers_are_given_by_their_points() -> None:
    position = Position.from_checkers({25: 1, 6: 5}, {1: 2}, (4, 2))
    assert position.board == Board(checkers({25: 1, 6: 5}), checkers({1: 2}))
    assert (position.mine[0], position.theirs[0]) == (9, 13)
    for mine, theirs in (({6: 16}, {}), ({0: 1}, {}), ({6: 1}, {19: 1}), ({6: -1}, {})):
        with pytest.raises(ValueError, match=r"checkers"):
            Position.from_checkers(mine, theirs)


def test_the_other_side_sees_the_other_numbers() -> None:
    other = ROLLED.flipped()
    assert other.board == ROLLED.board.flipped()
    assert other.state == ROLLED.state.flipped()
    assert (other.dice, other.offer, other.upper) == (None, "", not ROLLED.upper)
    assert Position(names=("Ann", "Bob")).flipped().names == ("Bob", "Ann")
    assert other.state.cube == Cube(2, "mine")


# --- plays ------------------------------------------------------------------------------------


def test_legal_plays_take_the_dice_of_the_position_or_others() -> None:
    assert ROLLED.legal_plays() == ROLLED.legal_plays((3, 1)) == ROLLED.legal_plays("31") == ROLLED.legal_plays("3-1")
    assert ROLLED.legal_plays("66") != ROLLED.legal_plays()
    with pytest.raises(ValueError, match="the position has no dice: give them"):
        Position().legal_plays()
    for dice in ("71", "3", "", "three one"):
        with pytest.raises(ValueError, match="dice are two numbers from 1 to 6"):
            Position().legal_plays(dice)
    with pytest.raises(ValueError, match=r"not \(0, 3\)"):
        Position().legal_plays((0, 3))


@pytest.mark.parametrize(
    "text", ["8/5 6/5", "6/5, 8/5", "8-5 6-5", "31: 8/5 6/5", "13: 8/5 6/5", "m 8 5 6 5", "8/5* 6/5"]
)
def test_a_play_is_read_in_any_spelling(text: str) -> None:
    after = ROLLED.play(text)
    assert after.theirs[5] == 2
    assert (after.dice, after.offer) == (None, "")
    assert after.state == ROLLED.state.flipped()


@given(st.integers(0, 2**32))
def test_every_legal_play_can_be_played_as_it_is_and_as_it_is_written(seed: int) -> None:
    rng = random.Random(seed)
    for board in (*walk(rng, 3), scatter(rng)):
        position = Position(board, dice=rng.choice(ROLLS))
        if position.is_over:
            continue
        for play in position.legal_plays()[:5]:
            after = position.play(play)
            assert after.board == play.result.flipped()
            assert position.play(str(play) or "Cannot Move") == after


def test_a_roll_that_is_not_given_is_told_by_the_moves() -> None:
    assert Position().play("13/7 8/7") == Position(dice=(6, 1)).play("13/7 8/7")
    assert Position().play("24/18(2) 13/7(2)") == Position(dice=(6, 6)).play("24/18(2) 13/7(2)")
    # 24/18 may be 42 or 51, and the position after it is the same.
    assert Position().play("24/18") == Position(dice=(4, 2)).play("24/18")
    last = Position.from_checkers({2: 1}, {1: 1})
    assert last.play("2/off").is_over


def test_moves_that_lead_to_two_positions_take_a_roll() -> None:
    # With 42 it passes by; with 51 the other point in between is held, so that it hits.
    position = Position.from_checkers({13: 2, 6: 2}, {17: 2, 13: 1})
    with pytest.raises(ValueError, match="may be one of 42, 51, and they lead to different positions: give the dice"):
        position.play("13/7")
    assert position.play("13/7", "42").mine[25] == 0
    assert position.play("13/7", "51").mine[25] == 1


def test_where_a_position_has_dice_the_play_is_of_these() -> None:
    with pytest.raises(ValueError, match="the roll is 31, and the play says 61"):
        ROLLED.play("61: 13/7 8/7")
    assert ROLLED.play("13/7 8/7", "61").pips == (167, 160)


REFUSALS = [
    ("31", "7/6 8/5", "has no checker on the 7-point for 7/6"),
    ("61", "13/7 6/4", "cannot play 6/4 with 61: 6/4 is 2 pips"),
    ("66", "13/1", "the 1-point is blocked (the opponent holds it with 2 checkers"),
    ("61", "13/7", "leaves a 1 unplayed (1 was playable: "),
    ("61", "6/off", "cannot bear off yet"),
    ("61", "7/13", "checkers move to lower points"),
    ("21", "13/11 6/5 6/5", "one move too many"),
    ("61", "Cannot Move", "can play 61 (legal is "),
    (None, "12/6", "no roll plays it; with "),
    (None, "Cannot Move", "give the dice"),
    ("31", "foo", "'foo' is not a play, such as"),
    ("31", "", "'' is not a play, such as"),
    ("31", "????", "is not a play, such as"),
]


@pytest.mark.parametrize(("dice", "text", "why"), REFUSALS)
def test_a_play_that_is_not_legal_is_refused_with_the_reason(dice: str | None, text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        Position().play(text, dice)


def test_a_refusal_names_the_players_and_what_would_be_legal() -> None:
    with pytest.raises(ValueError, match="Ann cannot play 13/9 with 61") as caught:
        Position(names=("Ann", "Bob")).play("13/9 6/5", "61")
    legal = str(caught.value).partition("legal is ")[2].rstrip(")").split(" or ")
    assert legal
    assert set(legal) <= {str(play) for play in Position().legal_plays("61")}


def test_nothing_is_played_over_an_offer_or_after_the_end() -> None:
    with pytest.raises(ValueError, match="a double is on the table"):
        Position(offer="double").play("8/5 6/5")
    over = Position.from_checkers({}, {1: 1})
    with pytest.raises(ValueError, match="the game is over"):
        over.play("Cannot Move", "31")
    shut = Position.from_checkers({25: 1}, dict.fromkeys(range(1, 7), 2), (3, 1))
    assert shut.play("Cannot Move").board == shut.board.flipped()
    with pytest.raises(ValueError, match="nothing can be played with 31: write"):
        shut.play("bar/22 22/21")


def test_a_play_of_another_position_is_refused() -> None:
    same = Position(START.flipped(), MatchState(7)).legal_plays("31")[0]
    assert Position().play(same).board == same.result.flipped()
    moved = Position().play("24/20 13/11").legal_plays("31")[0]
    with pytest.raises(ValueError, match="was found in another position"):
        Position().play(moved)
