"""Phases, stages and scores by their definitions, on examples from the books' names for them."""

from __future__ import annotations

import pytest

from bgtools.analysis.phases import OPENING_ROLLS, PHASES, gammon_value_of, phase_of, phase_of_turn, stage_of
from bgtools.board.board import START, Board, checkers
from bgtools.record.record import Double
from bgtools.replayer.match import replay
from selfplay import random_match

BACK_GAME = Board(
    checkers({24: 2, 22: 3, 13: 2, 8: 2, 7: 2, 6: 4}), checkers({13: 1, 8: 4, 7: 2, 6: 3, 5: 2, 4: 2, 2: 1})
)
"""A 1-3 back game, 194 pips against 97."""
HOLDING = Board(checkers({20: 2, 13: 5, 8: 3, 6: 5}), checkers({13: 5, 8: 3, 6: 4, 4: 3}))
RACE = Board(checkers({9: 2, 6: 5, 5: 4, 4: 4}), checkers({6: 5, 5: 5, 4: 5}))


def test_the_opening_is_six_rolls_of_a_game_from_the_usual_position() -> None:
    assert phase_of(START, roll=0) == "opening"
    assert phase_of(HOLDING, roll=OPENING_ROLLS - 1) == "opening"
    assert phase_of(HOLDING, roll=OPENING_ROLLS) == "contact"
    assert phase_of(START) == "contact"


def test_a_back_game_has_two_anchors_and_is_far_behind_whoever_plays_it() -> None:
    assert BACK_GAME.pips == (194, 97)
    assert phase_of(BACK_GAME, roll=30) == "back game"
    assert phase_of(BACK_GAME.flipped(), roll=30) == "back game"
    one_anchor = Board(checkers({24: 5, 13: 2, 8: 2, 7: 2, 6: 4}), BACK_GAME.theirs)
    assert phase_of(one_anchor, roll=30) == "contact"
    even = Board(BACK_GAME.mine, checkers({18: 2, 13: 5, 8: 4, 6: 4}))
    assert phase_of(even, roll=30) == "contact"


def test_a_race_becomes_a_bear_off_when_the_players_own_checkers_are_home() -> None:
    assert phase_of(RACE, roll=40) == "race"
    assert phase_of(RACE.flipped(), roll=40) == "bear-off"
    # Bearing off against a checker on the bar is contact.
    against = Board(checkers({6: 5, 5: 5}), checkers({25: 1, 1: 5}))
    assert phase_of(against, roll=40) == "contact"


def test_nothing_is_left_to_decide_when_a_side_is_off() -> None:
    assert phase_of(Board(checkers({}), checkers({1: 1}))) == "over"


def test_every_entry_of_a_game_has_a_phase_and_they_come_in_order() -> None:
    for seed in range(8):
        for game in replay(random_match(seed, 3)):
            phases = [phase_of_turn(game, turn, turn.player) for turn in game.turns]
            assert set(phases) <= set(PHASES)
            assert phases[0] == "opening"
            for turn, phase in zip(game.turns, phases, strict=True):
                assert (phase in ("race", "bear-off")) == (not turn.before.is_contact)
                if isinstance(turn.entry, Double):
                    assert (phase == "opening") <= (turn.roll < OPENING_ROLLS)


def test_a_set_position_has_no_opening() -> None:
    games = replay(random_match(1, 0, games=6, set_positions=True))
    for game in games:
        phases = {phase_of_turn(game, turn, turn.player) for turn in game.turns}
        assert ("opening" in phases) == (game.game.start is None)


@pytest.mark.parametrize(
    ("score", "length", "crawford", "stage"),
    [
        ((0, 0), 0, False, "money"),
        ((0, 0), 1, False, "1-point match"),
        ((2, 3), 7, False, "pre-Crawford"),
        ((6, 3), 7, True, "Crawford"),
        ((6, 5), 7, False, "post-Crawford"),
    ],
)
def test_stages_of_a_match(score: tuple[int, int], length: int, crawford: bool, stage: str) -> None:
    assert stage_of(score, length, crawford=crawford, crawford_rule=True) == stage


def test_without_the_crawford_rule_there_are_no_such_stages() -> None:
    assert stage_of((6, 5), 7, crawford=False, crawford_rule=False) == "no Crawford rule"


@pytest.mark.parametrize(
    ("score", "length", "cube", "owner", "crawford", "need"),
    [
        ((0, 0), 0, 1, "centre", False, "money"),
        ((6, 6), 7, 1, "centre", False, "double match point"),
        ((5, 5), 7, 2, "mine", False, "double match point"),
        # The examples of the glossary of Backgammon Galore.
        ((3, 5), 7, 2, "theirs", False, "gammon-go"),
        ((5, 6), 7, 1, "centre", True, "gammon-go"),
        ((4, 6), 7, 2, "theirs", False, "gammon-go"),
        ((5, 3), 7, 2, "mine", False, "gammon-save"),
        ((6, 5), 7, 1, "centre", True, "gammon-save"),
        ((6, 4), 7, 2, "mine", False, "gammon-save"),
        # They double at once, and then it is double match point.
        ((5, 6), 7, 1, "centre", False, "other"),
        ((0, 0), 7, 1, "centre", False, "other"),
        # A gammon is not enough.
        ((2, 6), 7, 1, "centre", True, "other"),
    ],
)
def test_what_a_score_makes_of_gammons(
    score: tuple[int, int], length: int, cube: int, owner: str, crawford: bool, need: str
) -> None:
    assert gammon_value_of(score, length, cube, owner, crawford=crawford) == need
