"""No engine is asked what it would only guess at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.board.board import START, Board, checkers
from bgtools.engines.protocol import CubeQuestion, LuckQuestion
from bgtools.engines.sage.frame import cube_refusal, luck_refusal, refusal
from bgtools.rules.cube import Cube, MatchState

MONEY = MatchState()


def test_the_start_position_is_served_at_every_score_the_table_holds() -> None:
    for away in range(1, 26):
        assert refusal(START, MatchState(25, (25 - away, 0)), (3, 1)) is None
    assert refusal(START, MONEY, (6, 6)) is None


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (1, -1)])
def test_dice_outside_1_to_6_are_refused(dice: tuple[int, int]) -> None:
    assert "a die shows 1 to 6" in (refusal(START, MONEY, dice) or "")


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (Board(checkers({24: 1, 23: 1, 22: 1}, total=3), checkers({24: 1, 23: 1, 22: 1}, total=3)), "15 checkers"),
        (Board(checkers({6: 15}), checkers({19: 15})), "on one point"),
        (Board(checkers({}), checkers({6: 15})), "the game is over"),
        (replace(START, mine=START.mine[:-1]), "not a board"),
        (replace(START, mine=(-1, *START.mine[1:6], 6, *START.mine[7:])), "not a board"),
    ],
)
def test_boards_that_cannot_be_are_refused(position: Board, words: str) -> None:
    assert words in (refusal(position, MONEY) or "")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (MatchState(27, (1, 0)), "27 points away"),
        (MatchState(5, (5, 0)), "already won"),
        (MatchState(cube=Cube(3)), "not a power of two"),
    ],
)
def test_scores_and_cubes_beyond_the_tables_are_refused(state: MatchState, words: str) -> None:
    assert words in (refusal(START, state) or "")


def test_who_may_not_double_is_asked_no_cube_decision() -> None:
    words = "the player on roll may not double"
    assert cube_refusal(CubeQuestion(START, MONEY)) is None
    assert cube_refusal(CubeQuestion(START, MatchState(cube=Cube(2, "theirs")))) == words
    assert cube_refusal(CubeQuestion(START, MatchState(5, (4, 2), crawford=True))) == words
    assert "27 points away" in (cube_refusal(CubeQuestion(START, MatchState(27))) or "")


def test_an_opening_roll_is_no_double_and_is_compared_by_a_rule_that_is_known() -> None:
    assert luck_refusal(LuckQuestion(START, (3, 1), MONEY, opening=True)) is None
    assert "never a double" in (luck_refusal(LuckQuestion(START, (3, 3), MONEY, opening=True)) or "")
    unknown = LuckQuestion(START, (3, 1), MONEY, opening=True, convention="recorded")
    assert luck_refusal(unknown) == "the record does not tell what its opening rolls are compared with"
    assert luck_refusal(replace(unknown, opening=False)) is None
    assert "a die shows" in (luck_refusal(LuckQuestion(START, (7, 1), MONEY, opening=True)) or "")
