"""Boards: who has how many checkers where."""

from __future__ import annotations

import pytest

from bgtools.board.board import BAR, OFF, START, Board, checkers, pip_count, rearmost
from bgtools.board.perspective import mirrored
from support import board, spread


def test_each_side_starts_with_two_five_three_and_five_R01() -> None:
    for side in (START.mine, START.theirs):
        assert {point: count for point, count in enumerate(side) if count} == {24: 2, 13: 5, 8: 3, 6: 5}
        assert sum(side) == 15


def test_my_24_is_your_1_R01() -> None:
    assert mirrored(24) == 1
    assert [mirrored(mirrored(point)) for point in range(1, 25)] == list(range(1, 25))


def test_what_is_missing_to_fifteen_is_off() -> None:
    assert checkers({6: 2, BAR: 1})[OFF] == 12
    assert checkers({24: 1}, total=3)[OFF] == 2


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ({26: 1}, "run from 1 to 24"),
        ({0: 1}, "run from 1"),
        ({6: -1}, "-1 checkers"),
        ({6: 16}, "16 checkers on the board"),
    ],
)
def test_a_side_that_cannot_be_says_why(points: dict[int, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        checkers(points)


def test_turning_the_board_round_twice_changes_nothing() -> None:
    for position in spread(31, 500):
        assert position.flipped() == Board(position.theirs, position.mine)
        assert position.flipped().flipped() == position


def test_pips_count_every_point_and_25_for_the_bar() -> None:
    assert START.pips == (167, 167)
    assert board({BAR: 2, 3: 1}).pips == (53, 3)
    assert pip_count(checkers({})) == 0
    for position in spread(32, 200):
        assert position.pips == position.flipped().pips[::-1]


def test_the_rearmost_checker_may_be_on_the_bar_or_off() -> None:
    assert rearmost(START.mine) == 24
    assert rearmost(checkers({BAR: 1, 3: 1})) == BAR
    assert rearmost(checkers({})) == 0


def test_contact_ends_when_the_last_checkers_have_passed_each_other() -> None:
    assert START.is_contact
    assert board({13: 1}, {13: 1}).is_contact
    assert not board({12: 1}, {13: 1}).is_contact
    assert not board({12: 1}, {12: 1}).is_contact
    assert board({BAR: 1}, {1: 1}).is_contact


def test_a_game_is_over_when_a_side_has_no_checker_left_R14() -> None:
    assert not START.is_over
    assert board({}, {1: 1}).is_over
    assert board({1: 1}, {}).is_over
    assert not board({BAR: 1}, {BAR: 1}).is_over
