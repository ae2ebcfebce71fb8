"""The rules of the game, one sentence per test; the numbers R01 … are those of docs/rules.md."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from bgtools.board import movement
from bgtools.board.board import BAR, OFF, START, Board, checkers, pip_count
from bgtools.board.generation import can_move, legal_plays, only_play, perft
from bgtools.board.hopping import numbers
from bgtools.board.movement import apply, explain, find_play, forced, resolve
from bgtools.board.play import Hop, HopText, Play
from bgtools.board.search import HopSearch
from bgtools.board.violation import Reason, Violation
from bgtools.rules.cube import Cube, CubeReason, CubeViolation, MatchState, explain_double
from bgtools.rules.options import Ruleset
from bgtools.rules.worth import points_won, winning_level
from support import ROLLS, after, board, plays, random_groups, results, some_or_all, spellings, spread, walk, written

CLOSED = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}
"""A closed home board; the rest of that side is off."""


def reason(position: Board, dice: tuple[int, int], text: str) -> Reason | None:
    violation = explain(position, dice, written(text))
    return violation.reason if violation else None


def violation_of(position: Board, dice: tuple[int, int], text: str) -> Violation:
    outcome = resolve(position, dice, written(text))
    assert isinstance(outcome, Violation)
    return outcome


def play_of(position: Board, dice: tuple[int, int], text: str) -> Play:
    outcome = resolve(position, dice, written(text))
    assert isinstance(outcome, Play), outcome
    return outcome


# --- R05, R06: dice and hops ----------------------------------------------------------------


def test_one_checker_may_take_both_numbers_if_a_point_between_is_open_R05() -> None:
    # 24/20 is blocked with the 4, 24/21 is open: the checker goes over 21.
    position = board({24: 1, 1: 2}, {5: 2})
    assert play_of(position, (4, 3), "24/17").hops == (Hop(24, 21), Hop(21, 17))


def test_both_numbers_are_never_one_long_hop_over_two_blocked_points_R05() -> None:
    position = board({24: 1, 10: 1, 1: 2}, {5: 2, 4: 2})
    violation = violation_of(position, (4, 3), "24/17")
    assert violation.reason is Reason.BLOCKED
    assert (violation.start, violation.end, violation.blockers) == (24, 20, 2)
    assert after(position, (4, 3), "24/17") not in results(position, (4, 3))


def test_a_double_is_four_single_hops_and_a_block_after_two_stops_the_checker_there_R05_R06() -> None:
    assert plays(board({24: 1}, {11: 2}), (5, 5)) == {"24/19"}
    assert plays(board({24: 1}, {16: 2}), (5, 5)) == {"24/14"}


def test_a_roll_is_two_numbers_and_a_double_four_R06() -> None:
    assert numbers((3, 1)) == (3, 1)
    assert numbers((2, 2)) == (2, 2, 2, 2)
    assert {len(play.hops) for play in legal_plays(START, (1, 1))} == {4}
    assert {len(play.hops) for play in legal_plays(START, (2, 1))} == {2}


def test_dice_may_be_played_in_either_order_R05() -> None:
    # 13/8 then 8/7 or 13/12 then 12/7: one result.
    assert results(board({13: 1, 1: 1}), (5, 1)) == results(board({13: 1, 1: 1}), (1, 5))
    for high, low in ROLLS:
        assert results(START, (high, low)) == results(START, (low, high))


@pytest.mark.parametrize("dice", [(0, 3), (7, 1), (3, -1)])
def test_a_die_shows_1_to_6_R05(dice: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a die shows 1 to 6"):
        legal_plays(START, dice)
    violation = violation_of(START, dice, "8/5")
    assert violation.reason is Reason.BAD_DICE
    assert violation.die in dice
    assert violation.die not in range(1, 7)


# --- R07: points ----------------------------------------------------------------------------


def test_two_checkers_hold_a_point_and_one_does_not_R07() -> None:
    mine = {13: 1, 2: 2}
    assert reason(board(mine, {17: 2}), (5, 1), "13/8 2/1") is Reason.BLOCKED
    assert reason(board(mine, {17: 1}), (5, 1), "13/8* 2/1") is None


def test_a_blot_that_is_hit_goes_to_the_bar_R07() -> None:
    position = board({13: 1, 12: 1}, {17: 1, 1: 14})
    result = play_of(position, (5, 4), "13/8* 12/8").result
    assert result.mine[8] == 2
    assert result.theirs[17] == 0
    assert result.theirs[BAR] == 1


def test_a_hit_on_the_way_leaves_another_board_than_the_way_round_it_R07() -> None:
    # 10/3 with 43 goes over 6, where a blot stands, or over 7.
    position = board({10: 1}, {19: 1, 1: 14})
    boards = results(position, (4, 3))
    assert len(boards) == 2
    assert {result.theirs[BAR] for result in boards} == {0, 1}
    assert len({result.mine for result in boards}) == 1
    assert play_of(position, (4, 3), "10/6*/3").result.theirs[BAR] == 1
    assert play_of(position, (4, 3), "10/7/3").result.theirs[BAR] == 0


def test_any_number_of_own_checkers_may_stand_on_a_point_or_on_the_bar_R07() -> None:
    position = board({6: 14, 7: 1})
    assert after(position, (1, 1), "7/6 6/5(3)") in results(position, (1, 1))
    assert position.mine[6] == 14
    crowd = board({BAR: 15}, {1: 15})
    assert play_of(crowd, (6, 6), "bar/19(4)").result.mine[19] == 4


# --- R08: the bar ---------------------------------------------------------------------------


def test_a_checker_on_the_bar_enters_before_any_other_hop_R08() -> None:
    position = board({BAR: 1, 13: 2})
    assert plays(position, (6, 2)) == {"bar/19 13/11", "bar/23 13/7", "bar/17"}
    violation = violation_of(position, (6, 2), "13/7 13/11")
    assert violation.reason is Reason.BAR_FIRST
    assert violation.point == BAR


def test_entering_may_be_written_after_the_other_hop_R08() -> None:
    position = board({BAR: 1, 13: 2})
    assert play_of(position, (6, 2), "13/11 bar/19").hops[0] == Hop(BAR, 19)


def test_if_only_some_checkers_can_enter_the_rest_of_the_roll_is_lost_R08() -> None:
    position = board({BAR: 2, 6: 5}, {6: 2})
    assert plays(position, (6, 1)) == {"bar/24"}
    assert reason(position, (6, 1), "bar/24 6/off") is Reason.BAR_FIRST
    assert reason(position, (6, 1), "bar/24") is None


def test_a_double_enters_as_many_as_there_are_and_the_others_follow_only_then_R08() -> None:
    assert plays(board({BAR: 3, 13: 1}), (2, 2)) == {"bar/23(3) 13/11", "bar/23(2) bar/21"}
    # With a fourth checker on the bar nothing else moves.
    assert plays(board({BAR: 4, 13: 1}), (2, 2)) == {"bar/23(4)"}
    assert plays(board({BAR: 5, 13: 1}), (2, 2)) == {"bar/23(4)"}


def test_a_closed_board_loses_the_turn_R08() -> None:
    position = board({BAR: 1, 13: 2}, CLOSED)
    for dice in ROLLS:
        assert legal_plays(position, dice) == (Play((), position),)
        assert reason(position, dice, "") is None
        assert reason(position, dice, f"13/{13 - dice[0]}") is Reason.BAR_FIRST


def test_a_dance_with_one_open_point_is_a_dance_only_without_that_number_R08() -> None:
    five_points = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2}
    position = board({BAR: 1, 13: 2}, five_points)
    assert plays(position, (5, 3)) == {""}
    assert plays(position, (5, 1)) == {"bar/24 13/8"}


def test_entering_hits_a_blot_on_the_entry_point_R08() -> None:
    position = board({BAR: 1, 1: 2}, {4: 1, 1: 14})
    assert play_of(position, (4, 3), "bar/21* 21/18").result.theirs[BAR] == 1


# --- R09, R10: as much of the roll as possible ----------------------------------------------


def test_both_numbers_must_be_played_if_one_order_allows_it_R09() -> None:
    # 12/6 is blocked, so the 5 comes first: 12/7/1.
    position = board({12: 1, 1: 1}, {19: 2})
    assert plays(position, (6, 5)) == {"12/1"}
    violation = violation_of(position, (6, 5), "12/7")
    assert violation.reason is Reason.DIE_UNPLAYED
    assert violation.die == 6
    assert violation.possible is not None
    assert violation.possible.hops == (Hop(12, 7), Hop(7, 1))


def test_a_number_that_makes_the_other_possible_comes_first_R10() -> None:
    # The 5 can be played by 24 or 13. Only 13/8 opens a 6: 8/2.
    position = board({24: 1, 13: 1}, {7: 2, 12: 2, 18: 2, 1: 9})
    assert plays(position, (6, 5)) == {"13/2"}
    assert reason(position, (6, 5), "24/19") is Reason.DIE_UNPLAYED


def test_with_doubles_as_many_of_the_four_as_possible_are_played_R09() -> None:
    # 13/7/1 and 8/2 are three sixes; then all are home and the highest checker is borne off.
    position = board({13: 1, 8: 1, 1: 3})
    assert results(position, (6, 6)) == {after(position, (6, 6), "13/7 7/1 8/2 2/off")}
    violation = violation_of(position, (6, 6), "13/1")
    assert violation.reason is Reason.DIE_UNPLAYED
    assert violation.die == 6


def test_one_number_of_a_double_may_be_all_there_is_R09() -> None:
    position = board({13: 1}, {20: 2})
    assert plays(position, (4, 4)) == {"13/9"}
    assert reason(position, (4, 4), "13/9") is None


def test_either_number_playable_but_not_both_must_be_the_larger_R10() -> None:
    # 16/10 with the 6 or 16/11 with the 5; from neither can the other number go on.
    position = board({16: 1, 1: 1}, {20: 2})
    assert plays(position, (6, 5)) == {"16/10"}
    violation = violation_of(position, (6, 5), "16/11")
    assert violation.reason is Reason.LARGER_DIE
    assert violation.die == 6
    assert violation.possible is not None
    assert violation.possible.hops == (Hop(16, 10),)


def test_could_enter_with_either_die_but_must_use_the_larger_R10() -> None:
    # After either entry no second number can be played.
    position = board({BAR: 1}, {9: 2})
    assert plays(position, (6, 3)) == {"bar/19"}
    assert reason(position, (6, 3), "bar/22") is Reason.LARGER_DIE


def test_only_the_smaller_die_enters_and_then_the_larger_must_be_played_R10() -> None:
    position = board({BAR: 1, 13: 1}, {6: 2})
    assert plays(position, (6, 2)) == {"bar/23 13/7", "bar/17"}
    assert reason(position, (6, 2), "bar/23") is Reason.DIE_UNPLAYED


def test_if_only_one_number_can_be_played_that_one_must_be_R10() -> None:
    # 13/7 is blocked, and so is 11/5 behind 13/11.
    position = board({13: 1, 1: 1}, {18: 2, 20: 2})
    assert plays(position, (6, 2)) == {"13/11"}
    assert reason(position, (6, 2), "") is Reason.DIE_UNPLAYED


def test_the_larger_number_is_not_asked_for_where_two_checkers_share_it_freely_R10() -> None:
    # Both numbers can be played, so no number is preferred.
    assert plays(board({24: 1, 13: 1}), (2, 1)) == {"24/22 13/12", "24/23 13/11", "24/21", "13/10"}


# --- R11, R12, R13: bearing off -------------------------------------------------------------


@pytest.mark.parametrize("straggler", [7, 13, 24])
def test_no_checker_is_borne_off_while_one_is_outside_R11(straggler: int) -> None:
    position = board({6: 2, 5: 2, straggler: 1})
    violation = violation_of(position, (6, 5), "6/off 5/off")
    assert violation.reason is Reason.NOT_HOME
    assert violation.point == straggler


def test_no_checker_is_borne_off_while_one_is_on_the_bar_R11() -> None:
    position = board({BAR: 1, 6: 2}, {6: 2})
    # The checker enters with the 3 and is on 22, so the 6 must go on from there.
    assert plays(position, (6, 3)) == {"bar/16"}
    assert reason(position, (6, 6), "6/off") is Reason.BAR_FIRST


def test_the_last_outside_checker_may_come_home_and_the_next_number_bear_off_R11() -> None:
    position = board({8: 1, 6: 1, 3: 1})
    assert after(position, (6, 2), "8/6 6/off") in results(position, (6, 2))
    assert reason(position, (6, 2), "6/off 8/6") is None


def test_a_number_bears_off_from_its_own_point_R12() -> None:
    assert after(board({5: 2, 3: 2}), (5, 3), "5/off 3/off") in results(board({5: 2, 3: 2}), (5, 3))


def test_with_none_on_its_point_a_checker_on_a_higher_point_must_move_R12() -> None:
    violation = violation_of(board({6: 2, 4: 1}), (5, 1), "4/off 6/5")
    assert violation.reason is Reason.HIGHER_CHECKER
    assert violation.die == 5
    assert violation.point == 6


def test_with_none_higher_the_highest_occupied_point_bears_off_R12() -> None:
    assert plays(board({3: 2, 2: 1}), (6, 5)) == {"3/off(2)"}
    assert reason(board({3: 2, 2: 1}), (6, 5), "3/off 2/off") is Reason.HIGHER_CHECKER


def test_another_legal_hop_of_the_number_is_allowed_instead_of_bearing_off_R12() -> None:
    position = board({6: 2, 2: 3})
    assert after(position, (4, 2), "6/2 2/off") in results(position, (4, 2))
    assert after(position, (4, 2), "6/2 6/4") in results(position, (4, 2))


def test_the_first_number_may_clear_the_higher_point_for_the_second_R12() -> None:
    # 6/5 with the 1 and then 5/off with the 5; or the 1 from elsewhere and 6/1.
    position = board({6: 1, 4: 1, 1: 1})
    assert after(position, (5, 1), "6/5 5/off") in results(position, (5, 1))
    assert reason(position, (5, 1), "4/off 1/off") is Reason.HIGHER_CHECKER
    # With 62: 6/off clears the 6-point, then the 4 is the highest, but a 2 leaves it.
    assert after(position, (6, 2), "6/off 4/2") in results(position, (6, 2))


def test_one_checker_on_6_with_61_may_play_6_5_off_R13() -> None:
    position = board({6: 1, 2: 1})
    assert "6/off" in plays(position, (6, 1))
    both = play_of(position, (6, 1), "6/5 5/off")
    assert both.hops == (Hop(6, 5), Hop(5, OFF))
    assert play_of(position, (6, 1), "6/5/off").result == both.result
    # The same checkers off, and the 1 used elsewhere.
    assert after(position, (6, 1), "6/off 2/1") in results(position, (6, 1))


def test_bearing_off_with_the_smaller_number_first_leaves_the_larger_for_the_next_checker_R13() -> None:
    position = board({4: 1, 1: 1})
    # 4/3 then 3/off with the 4 is legal, and so is 4/off 1/off, which ends the game.
    assert results(position, (4, 1)) == {
        after(position, (4, 1), "4/3 3/off"),
        after(position, (4, 1), "4/off 1/off"),
    }


def test_a_lone_bear_off_may_stand_for_both_numbers_R13() -> None:
    position = board({4: 1, 2: 1})
    play = play_of(position, (4, 1), "4/off")
    assert len(play.hops) == 2
    assert play.result == after(position, (4, 1), "4/3 3/off")


# --- R14: the end ---------------------------------------------------------------------------


def test_fifteen_off_ends_the_game_and_the_rest_of_the_roll_is_void_R14() -> None:
    position = board({1: 1})
    assert plays(position, (6, 5)) == {"1/off"}
    assert plays(position, (3, 3)) == {"1/off"}
    assert reason(position, (6, 5), "1/off") is None
    assert play_of(position, (6, 5), "1/off").result.is_over
    assert reason(board({2: 2}), (6, 6), "2/off(2)") is None


def test_the_last_checker_may_be_borne_off_past_a_blot_that_the_other_number_would_hit_R14() -> None:
    position = board({3: 1}, {24: 1, 1: 3})
    assert results(position, (5, 2)) == {after(position, (5, 2), "3/off"), after(position, (5, 2), "3/1 1/off")}
    assert play_of(position, (5, 2), "3/off").result.theirs[BAR] == 0
    assert play_of(position, (5, 2), "3/1*/off").result.theirs[BAR] == 1


def test_the_last_checker_needs_no_second_number_even_if_it_is_smaller_R14() -> None:
    # One checker on 1 and roll 61: both numbers bear it off, one is enough.
    assert plays(board({1: 1}), (6, 1)) == {"1/off"}
    assert reason(board({1: 1}), (6, 1), "1/off") is None
    assert reason(board({5: 1}), (6, 5), "5/off") is None


# --- distinct results -----------------------------------------------------------------------


@some_or_all(4)
def test_two_plays_are_the_same_when_they_leave_the_same_board_R05(step: int) -> None:
    for position in itertools.islice(spread(5, 200 // step), 200 // step):
        for dice in ROLLS:
            boards = [play.result for play in legal_plays(position, dice)]
            assert len(boards) == len(set(boards))


@some_or_all(4)
def test_a_play_leads_where_its_hops_lead_and_marks_its_hits_R07(step: int) -> None:
    for position in spread(6, 300 // step):
        for dice in ((6, 5), (2, 1), (3, 3)):
            for play in legal_plays(position, dice):
                mine, theirs = list(position.mine), list(position.theirs)
                for hop in play.hops:
                    mine[hop.start] -= 1
                    mine[hop.end] += 1
                    blot = hop.end != OFF and theirs[BAR - hop.end] == 1
                    assert hop.hit is blot
                    if blot:
                        theirs[BAR - hop.end] = 0
                        theirs[BAR] += 1
                assert play.result == Board(tuple(mine), tuple(theirs))
                assert min(mine) >= 0
                assert sum(mine) == sum(theirs) == 15


@some_or_all(4)
def test_a_play_without_bear_off_moves_the_pips_of_its_numbers_R05(step: int) -> None:
    for position in spread(7, 300 // step):
        for dice in ROLLS:
            for play in legal_plays(position, dice):
                if any(hop.end == OFF for hop in play.hops):
                    continue
                moved = pip_count(position.mine) - pip_count(play.result.mine)
                used = [hop.start - hop.end for hop in play.hops]
                assert moved == sum(used)
                assert all(used.count(number) <= numbers(dice).count(number) for number in used)
                assert set(used) <= set(dice)


# --- counts ---------------------------------------------------------------------------------


@pytest.mark.thorough
def test_perft_from_the_start_R05_R14() -> None:
    assert perft(START, 0) == 1
    assert perft(START, 1) == 447
    assert perft(START, 2) == 202_782


def test_the_weighted_count_of_opening_results_is_637() -> None:
    total = sum(len(legal_plays(START, dice)) * (1 if dice[0] == dice[1] else 2) for dice in ROLLS)
    assert total == 637


# --- R20, R22: what a game is worth ---------------------------------------------------------

LOST = {8: 15}


def test_a_loser_with_a_checker_off_loses_a_single_game_R20() -> None:
    assert winning_level(board({}, {24: 14})) == 1
    # Even with a checker on the bar.
    assert winning_level(board({}, {BAR: 1, 1: 13})) == 1


def test_a_loser_with_none_off_loses_a_gammon_R20() -> None:
    assert winning_level(board({}, {18: 15})) == 2
    assert winning_level(board({}, {1: 15})) == 2


@pytest.mark.parametrize("point", [19, 20, 21, 22, 23, 24, BAR])
def test_a_loser_with_none_off_and_one_on_the_bar_or_in_the_winners_home_loses_a_backgammon_R20(point: int) -> None:
    assert winning_level(board({}, {point: 1, 1: 14})) == 3


def test_the_loser_of_a_finished_game_may_be_the_player_on_roll_R20() -> None:
    assert winning_level(board({18: 15}, {})) == 2
    assert winning_level(board({19: 1, 1: 14}, {})) == 3
    assert winning_level(board({6: 14}, {})) == 1


def test_nobody_has_won_while_both_have_checkers_left_R20() -> None:
    assert winning_level(START) is None
    assert winning_level(board({1: 1}, {1: 1})) is None


@pytest.mark.parametrize(
    ("level", "cube", "points"), [(1, 1, 1), (2, 1, 2), (3, 1, 3), (1, 4, 4), (2, 8, 16), (3, 2, 6)]
)
def test_a_win_counts_its_level_times_the_cube_R20(level: int, cube: int, points: int) -> None:
    state = MatchState(7, (0, 0), Cube(cube, "mine" if cube > 1 else "centre"))
    assert points_won(level, state) == points  # type: ignore[arg-type]


# --- R30, R31: the cube ---------------------------------------------------------------------


def state(owner: str = "centre", value: int = 1, length: int = 7, *, crawford: bool = False) -> MatchState:
    return MatchState(length, (0, 0), Cube(value, owner), crawford)  # type: ignore[arg-type]


def test_the_cube_starts_at_1_in_the_middle_R30() -> None:
    assert MatchState().cube == Cube(1, "centre")


def test_a_centred_cube_may_be_turned_by_either_player_R30() -> None:
    assert explain_double(state(), claimed=2) is None
    assert explain_double(state().flipped(), claimed=2) is None
    assert state().may_double


def test_only_the_owner_redoubles_R31() -> None:
    assert explain_double(state("mine", 2), claimed=4) is None
    assert explain_double(state("theirs", 2), claimed=4) == CubeViolation(CubeReason.NOT_YOUR_CUBE)
    assert state("mine", 2).flipped().cube == Cube(2, "theirs")
    assert not state("theirs", 2).may_double


def test_a_double_offers_twice_the_present_value_R31() -> None:
    assert explain_double(state("mine", 2), claimed=8) == CubeViolation(CubeReason.WRONG_VALUE, 4, 8)
    assert explain_double(state("mine", 2), claimed=None) is None


def test_the_cube_has_no_upper_limit_R31() -> None:
    for power in range(1, 20):
        assert explain_double(state("mine", 2**power), claimed=2 ** (power + 1)) is None


def test_a_limit_that_the_record_states_is_enforced_R31() -> None:
    limited = replace(state("mine", 32), rules=Ruleset(cube_limit=64))
    assert explain_double(limited, claimed=64) is None
    limited = replace(limited, cube=Cube(64, "mine"))
    assert explain_double(limited, claimed=128) == CubeViolation(CubeReason.LIMIT, 64, 128)


def test_nobody_doubles_before_the_opening_roll_R03_R30() -> None:
    assert explain_double(state(), claimed=2, opening=True) == CubeViolation(CubeReason.OPENING)


def test_nobody_doubles_in_the_crawford_game_R41() -> None:
    assert explain_double(state(crawford=True), claimed=2) == CubeViolation(CubeReason.CRAWFORD)
    assert not state(crawford=True).may_double


def test_a_cube_that_already_wins_the_match_is_dead_R36() -> None:
    assert MatchState(5, (3, 0), Cube(2, "mine")).is_cube_dead
    assert not MatchState(5, (2, 0), Cube(2, "mine")).is_cube_dead
    assert not MatchState(0, (3, 0), Cube(64, "mine")).is_cube_dead


def test_points_that_are_missing_never_fall_below_none_R40() -> None:
    assert MatchState(5, (3, 0)).away == (2, 5)
    assert MatchState(5, (7, 0)).away == (0, 5)
    assert MatchState(0, (7, 0)).away == (0, 0)


# --- why not --------------------------------------------------------------------------------


def test_a_point_without_a_checker_is_named() -> None:
    violation = violation_of(START, (3, 1), "7/4 6/5")
    assert (violation.reason, violation.hop, violation.start, violation.end) == (Reason.NO_CHECKER, 0, 7, 4)


def test_one_checker_is_not_moved_twice_from_its_first_point() -> None:
    violation = violation_of(board({13: 1, 6: 2}), (3, 3), "13/10(2)")
    assert (violation.reason, violation.start) == (Reason.NO_CHECKER, 13)


def test_the_blocked_point_comes_with_the_number_of_checkers_that_hold_it_R07() -> None:
    violation = violation_of(START, (5, 1), "24/19 6/5")
    assert (violation.reason, violation.hop, violation.end, violation.blockers) == (Reason.BLOCKED, 0, 19, 5)


def test_the_reason_never_comes_from_splitting_a_hop_that_has_its_own_number() -> None:
    # Not "6/5 is 1 pip" because the 1 went into 24/23.
    assert reason(START, (5, 1), "6/5 24/19") is Reason.BLOCKED
    assert violation_of(START, (5, 1), "6/5 24/19").hop == 1
    violation = violation_of(board({6: 2, 4: 1}), (5, 1), "4/off 6/5")
    assert violation.reason is Reason.HIGHER_CHECKER


def test_a_hop_backwards_is_told_from_a_wrong_number_R01() -> None:
    violation = violation_of(START, (5, 1), "8/13 6/5")
    assert (violation.reason, violation.hop, violation.start, violation.end) == (Reason.BACKWARDS, 0, 8, 13)
    assert reason(START, (5, 1), "8/8 6/5") is Reason.BACKWARDS


def test_a_number_that_was_not_rolled_is_named_R05() -> None:
    violation = violation_of(START, (6, 3), "13/9 13/7")
    assert (violation.reason, violation.hop, violation.die) == (Reason.WRONG_DIE, 0, 4)


def test_a_number_played_twice_was_not_rolled_twice_R05() -> None:
    violation = violation_of(START, (6, 3), "13/7(2)")
    assert violation.reason is Reason.TOO_MANY_HOPS
    assert violation.hop == 0


def test_more_moves_than_numbers_R06() -> None:
    assert reason(START, (3, 1), "8/5 6/5 24/23") is Reason.TOO_MANY_HOPS
    assert reason(START, (2, 2), "24/22(2) 13/11(2) 6/4") is Reason.TOO_MANY_HOPS
    assert reason(START, (2, 2), "24/22(2) 13/11(2)") is None


def test_a_play_where_there_is_none_is_no_play_R08() -> None:
    assert reason(board({BAR: 1, 6: 3}, CLOSED), (6, 1), "bar/24") is Reason.BLOCKED


def test_nothing_played_where_a_play_exists_leaves_the_larger_number_unplayed_R09() -> None:
    violation = violation_of(START, (6, 1), "")
    assert violation.reason is Reason.DIE_UNPLAYED
    assert violation.die == 6
    assert violation.possible in legal_plays(START, (6, 1))


def test_what_an_illegal_play_would_leave_is_given_where_it_can_be_carried_out() -> None:
    violation = violation_of(START, (6, 3), "13/9 13/7")
    assert violation.result == after(START, (6, 3), "13/9 13/7")
    # A landing on a held point cannot be carried out.
    assert violation_of(START, (5, 1), "24/19 6/5").result is None
    assert violation_of(START, (6, 3), "12/9 13/7").result is None


def test_carrying_out_hops_without_the_rules_keeps_the_checkers() -> None:
    result = forced(START, written("8/13 6/3(2)"))
    assert result is not None
    assert sum(result.mine) == sum(result.theirs) == 15
    assert result == after(START, (5, 5), "8/13 6/3(2)")
    assert forced(START, written("8/13 7/4")) is None
    assert forced(START, written("24/19")) is None
    assert forced(START, written("8/bar")) is None


def test_a_play_turns_the_board_to_the_other_player() -> None:
    assert apply(START, (3, 1), written("8/5 6/5")) == after(START, (3, 1), "8/5 6/5").flipped()
    with pytest.raises(ValueError, match="point blocked: 24/19"):
        apply(START, (5, 5), written("24/19"))


# --- spelling -------------------------------------------------------------------------------


def test_stars_decide_between_two_readings_of_a_merged_hop() -> None:
    position = board({10: 1}, {19: 1, 1: 14})
    assert play_of(position, (4, 3), "10/6*/3").result.theirs[BAR] == 1
    # Without a star the way that hits least is taken, as GNU Backgammon reads it.
    assert play_of(position, (4, 3), "10/3").result.theirs[BAR] == 0


def test_a_bear_off_that_would_leave_a_number_unplayed_means_the_way_that_plays_both() -> None:
    # 6/off with the 6 alone would leave a 2; 6/4*/off uses both.
    position = board({6: 1, 3: 2}, {21: 1, 1: 3})
    assert play_of(position, (6, 2), "6/off").hops == (Hop(6, 4, hit=True), Hop(4, OFF))


def test_a_superfluous_star_changes_nothing() -> None:
    assert play_of(START, (3, 1), "8/5* 6/5*").result == play_of(START, (3, 1), "8/5 6/5").result


def test_a_hop_merged_over_a_needed_hit_is_found() -> None:
    # 13/5 with 62: 13/7 is blocked, so the way goes over the blot on 11.
    position = board({13: 1}, {18: 2, 14: 1, 1: 12})
    assert play_of(position, (6, 2), "13/5").result.theirs[BAR] == 1


def test_merged_entries_take_turns_with_a_double() -> None:
    # Both checkers enter before either goes on.
    position = board({BAR: 2, 6: 3})
    assert play_of(position, (6, 6), "bar/13(2)").result.mine[13] == 2


@pytest.mark.quick(one_in=16)
@pytest.mark.parametrize("seed", range(16))
def test_every_legal_play_resolves_to_its_own_board_however_it_is_written(seed: int) -> None:
    rng = random.Random(seed)
    for position in spread(1000 + seed, 28):
        for dice in rng.sample(ROLLS, 4):
            for play in legal_plays(position, dice):
                for text in spellings(play, rng):
                    outcome = resolve(position, dice, written(text))
                    assert isinstance(outcome, Play), (position, dice, text, outcome)
                    assert outcome.result == play.result, (position, dice, text)
                assert explain(position, dice, written(text)) is None


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("seed", range(4))
def test_hops_merged_without_their_middle_mean_a_legal_board_with_the_same_checkers(seed: int) -> None:
    rng = random.Random(seed)
    for position in spread(2000 + seed, 120):
        for dice in rng.sample(ROLLS, 4):
            legal = {play.result: play for play in legal_plays(position, dice)}
            for play in legal.values():
                merged = _merged(play)
                outcome = resolve(position, dice, written(merged))
                assert isinstance(outcome, Play), (position, dice, merged, outcome)
                assert outcome.result in legal
                same = [result for result in legal if result.mine == play.result.mine]
                if len(same) == 1:
                    assert outcome.result == play.result, (position, dice, merged)
                else:
                    # Ways that differ in a hit only: the reading with the fewest hits counts.
                    assert outcome.result in same


def _merged(play: Play) -> str:
    chains: list[list[int]] = []
    for hop in play.hops:
        chain = next((chain for chain in chains if chain[-1] == hop.start), None)
        if chain is None:
            chains.append([hop.start, hop.end])
        else:
            chain[-1] = hop.end
    texts = [f"{start}/{end}" for start, end in chains]
    return " ".join(f"{text}({texts.count(text)})" if texts.count(text) > 1 else text for text in dict.fromkeys(texts))


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("seed", range(4))
def test_what_resolves_is_legal_and_what_is_legal_resolves(seed: int) -> None:
    """Random hops, mostly nonsense: `resolve` gives a play exactly when its board is a legal result."""
    rng = random.Random(3000 + seed)
    legal_count = illegal_count = 0
    for position in spread(3000 + seed, 350):
        for _ in range(8):
            dice = rng.choice(ROLLS)
            groups = random_groups(rng, position, dice)
            outcome = resolve(position, dice, groups)
            boards = results(position, dice)
            if isinstance(outcome, Play):
                legal_count += 1
                assert outcome.result in boards, (position, dice, list(map(str, groups)))
            else:
                illegal_count += 1
                left = forced(position, groups)
                single = all(len(group.points) == 2 for group in groups)
                by_die = single and _uses_the_dice(groups, dice)
                # Hops of one number each, none of them merged, have one meaning only.
                if left is not None and by_die:
                    assert left not in boards or not _in_any_order(position, groups), (
                        position,
                        dice,
                        list(map(str, groups)),
                        outcome,
                    )
    assert legal_count > 100
    assert illegal_count > 100


def _uses_the_dice(groups: tuple[HopText, ...], dice: tuple[int, int]) -> bool:
    used = [group.points[0] - group.points[1] for group in groups]
    return all(group.points[1] != OFF for group in groups) and sorted(used) == sorted(numbers(dice))


def _in_any_order(position: Board, groups: tuple[HopText, ...]) -> bool:
    """Whether some order of the hops can be carried out one by one with a checker at each start and the bar first."""
    for order in itertools.permutations(groups):
        mine = list(position.mine)
        theirs = position.theirs
        for group in order:
            start, end = group.points
            if not mine[start] or (mine[BAR] and start != BAR) or theirs[BAR - end] > 1:
                break
            mine[start] -= 1
            mine[end] += 1
        else:
            return True
    return False


@some_or_all(4)
def test_the_written_order_means_what_a_search_through_all_orders_finds(
    monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    rng = random.Random(7)
    cases = [
        (position, dice, random_groups(rng, position, dice))
        for position in spread(7000, 300 // step)
        for dice in rng.choices([*ROLLS, *(roll[::-1] for roll in ROLLS)], k=8)
    ]
    for position in spread(7001, 60 // step):
        dice = rng.choice(ROLLS)
        for play in legal_plays(position, dice):
            cases += [(position, dice, written(text)) for text in spellings(play, rng) if text]
    found = [resolve(*case) for case in cases]
    monkeypatch.setattr(movement, "play_in_order", lambda *_: None)
    for case, outcome in zip(cases, found, strict=True):
        searched = resolve(*case)
        assert type(outcome) is type(searched), case
        assert outcome.result == searched.result, case
        if isinstance(outcome, Violation):
            assert outcome == searched, case
    assert sum(isinstance(outcome, Play) for outcome in found) > 1000 // step


def test_no_play_that_a_search_finds_is_ruled_out_by_its_points() -> None:
    rng = random.Random(11)
    ruled_out = 0
    for position in spread(7100, 200):
        for dice in rng.choices(ROLLS, k=8):
            hops = random_groups(rng, position, dice)
            search = HopSearch(position, dice, hops)
            search.run()
            boards = {board for board, _ in movement._readings(position, dice, hops)}
            assert boards <= set(search.found), (position, dice, hops)
            assert bool(boards) == bool(search.found), (position, dice, hops)
            ruled_out += not boards
    assert ruled_out > 100


@some_or_all(4)
def test_a_single_hop_is_a_play_where_it_is_among_the_legal_ones_R10(step: int) -> None:
    rng = random.Random(12)
    single = larger_only = 0
    for position in itertools.chain(spread(7200, 400 // step), walk(rng, turns=400 // step)):
        for dice in rng.choices([roll for roll in ROLLS if roll[0] != roll[1]], k=4):
            legal = legal_plays(position, dice)
            hops = {HopText((start, max(start - die, OFF)), (False,)) for start in range(1, BAR + 1) for die in dice}
            found = {play.result for hop in hops if (play := find_play(position, dice, (hop,))) is not None}
            assert found <= {play.result for play in legal}, (position, dice)
            if len(legal[0].hops) == 1:
                assert found == {play.result for play in legal}, (position, dice)
                single += 1
                reasons = [explain(position, dice, (hop,)) for hop in hops]
                assert reasons.count(None) == sum(find_play(position, dice, (hop,)) is not None for hop in hops)
                larger_only += any(each is not None and each.reason is Reason.LARGER_DIE for each in reasons)
    assert single > 20 // step
    assert step > 1 or larger_only > 5


@some_or_all(4)
def test_a_dance_and_a_forced_play_are_told_without_listing_the_plays(step: int) -> None:
    dances = forced_plays = 0
    for position in spread(8000, 350 // step):
        for dice in ROLLS:
            plays = legal_plays(position, dice)
            assert can_move(position, dice) == bool(plays[0].hops), (position, dice)
            assert only_play(position, dice) == (plays[0] if len(plays) == 1 else None), (position, dice)
            dances += not plays[0].hops
            forced_plays += len(plays) == 1 and bool(plays[0].hops)
    assert dances > 100 // step
    assert forced_plays > 100 // step


def test_random_games_come_to_an_end_by_legal_plays_alone_R14() -> None:
    rng = random.Random(9)
    finished = 0
    for _ in range(5):
        last = None
        for position in walk(rng, turns=2000):
            last = position
        assert last is not None
        finished += any(play.result.is_over for dice in ROLLS for play in legal_plays(last, dice))
    assert finished == 5


def test_a_side_of_fewer_checkers_plays_by_the_same_rules() -> None:
    # Three checkers a side: the rules count what is there.
    three = checkers({24: 1, 23: 1, 22: 1}, total=3)
    position = Board(three, three)
    for dice in ROLLS:
        for play in legal_plays(position, dice):
            assert sum(play.result.mine) == sum(play.result.theirs) == 3
