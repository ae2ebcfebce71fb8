"""What a score is worth, against the rules of arithmetic and against the programs that use the same table."""

from __future__ import annotations

from itertools import product

import pytest

from bgtools.met.finding import default
from bgtools.met.table import MatchEquityTable
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

AWAY = range(1, 26)


def test_the_chances_of_both_players_add_up_to_one() -> None:
    met = default()
    for own, other, post in product(AWAY, AWAY, (False, True)):
        both = met.equity((own, other), post_crawford=post) + met.equity((other, own), post_crawford=post)
        assert both == pytest.approx(1, abs=1e-12)


def test_who_needs_fewer_points_stands_better() -> None:
    met = default()
    for own, other in product(range(2, 26), AWAY):
        assert met.equity((own, other)) < met.equity((own - 1, other))


def test_the_table_is_the_one_that_bgsage_plays_by() -> None:
    native = pytest.importorskip("bgbot_cpp")
    met = default()
    for own, other in product(AWAY, AWAY):
        # bgsage keeps its table in single precision.
        assert native.get_met(own, other, False) == pytest.approx(met.equity((own, other)), abs=1e-7)
        if 1 in (own, other):
            after = met.equity((own, other), post_crawford=True)
            assert native.get_met(own, other, True) == pytest.approx(after, abs=1e-7)


def test_the_crawford_game_is_told_from_the_games_after_it() -> None:
    # The leader 1 away against 2 away has 67.7% before the Crawford game and, as a free drop is
    # worth little, 51.2% after it.
    met = default()
    assert met.equity((1, 2)) == 0.67736
    assert met.equity((1, 2), post_crawford=True) == pytest.approx(1 - 0.48803)
    assert met.equity((2, 1), post_crawford=True) == 0.48803
    assert met.equity((2, 3), post_crawford=True) == met.equity((2, 3))


def test_who_needs_nothing_more_has_won() -> None:
    met = default()
    assert met.equity((0, 3)) == 1.0
    assert met.equity((2, -1)) == 0.0
    assert met.equity((-4, 40)) == 1.0
    with pytest.raises(ValueError, match="both"):
        met.equity((0, 0))


def test_a_score_beyond_the_table_is_an_error_and_never_the_last_row() -> None:
    met = default()
    for away in ((26, 1), (3, 26)):
        with pytest.raises(ValueError, match="26 points away is beyond the match equity table, which ends at 25"):
            met.equity(away)
    short = MatchEquityTable("short", ((0.5, 0.7), (0.3, 0.5)), (0.5,))
    assert short.equity((2, 1)) == 0.3
    with pytest.raises(ValueError, match="ends at 1"):
        short.equity((2, 1), post_crawford=True)
    with pytest.raises(ValueError, match="ends at 25"):
        met.mwc(MatchState(27), 0.0)


def test_emg_runs_from_losing_the_cube_to_winning_it() -> None:
    met = default()
    state = MatchState(7, (2, 3), Cube(2, "mine"))
    assert met.anchors(state) == (met.equity((5, 2)), met.equity((3, 4)))
    assert met.mwc(state, 1.0) == pytest.approx(met.equity((3, 4)))
    assert met.mwc(state, -1.0) == pytest.approx(met.equity((5, 2)))
    assert met.mwc(state, 0.4) + met.mwc(state.flipped(), -0.4) == pytest.approx(1)
    assert met.emg(state, met.mwc(state, 0.4)) == pytest.approx(0.4)


def test_nothing_won_yet_is_emg_0_at_an_even_score_only() -> None:
    met = default()
    assert met.emg(MatchState(7), met.before(MatchState(7))) == pytest.approx(0)
    uneven = MatchState(7, (0, 5))
    assert abs(met.emg(uneven, met.before(uneven))) > 0.02


@pytest.mark.parametrize("crawford", [False, True])
def test_the_game_after_the_crawford_game_is_what_is_played_for(crawford: bool) -> None:
    met = default()
    state = MatchState(7, (4, 6), crawford=crawford)
    assert met.anchors(state) == (0.0, met.equity((2, 1), post_crawford=True))
    assert met.before(state) == met.equity((3, 1), post_crawford=not crawford)


def test_the_game_before_the_crawford_game_is_played_for_the_crawford_game() -> None:
    met = default()
    assert met.anchors(MatchState(7, (5, 4))) == (met.equity((2, 2)), met.equity((1, 3)))


def test_without_the_crawford_rule_the_next_game_at_match_point_is_played_with_the_cube() -> None:
    # No table is made for earlier scores, and the engines do likewise; the report says so where it matters.
    met, rules = default(), Ruleset(crawford=False)
    assert met.anchors(MatchState(7, (5, 4), rules=rules)) == (
        met.equity((2, 2)),
        met.equity((1, 3), post_crawford=True),
    )
    assert met.anchors(MatchState(7, (3, 4), rules=rules)) == met.anchors(MatchState(7, (3, 4)))


def test_gammons_and_backgammons_count_by_the_cube_and_no_further_than_the_match_goes() -> None:
    met = default()
    ends = met.outcomes(MatchState(7, (2, 3), Cube(2, "mine")))
    assert ends == (0.0, 0.0, met.equity((5, 2)), met.equity((3, 4)), met.equity((1, 4)), 1.0)
    assert ends.mean((1, 0, 0, 0, 0)) == ends.win
    assert ends.mean((1, 1, 1, 0, 0)) == ends.win_backgammon
    assert ends.mean((0, 0, 0, 1, 0)) == ends.lose_gammon
    assert ends.mean((0.5, 0.1, 0, 0.2, 0)) == pytest.approx(
        0.4 * ends.win + 0.1 * ends.win_gammon + 0.3 * ends.lose + 0.2 * ends.lose_gammon
    )


def test_money_and_a_match_that_is_over_have_no_match_winning_chance() -> None:
    for ask in (default().anchors, default().outcomes, default().before):
        with pytest.raises(ValueError, match="money"):
            ask(MatchState())
        with pytest.raises(ValueError, match="over"):
            ask(MatchState(7, (7, 3)))


def test_the_notice_travels_with_the_table() -> None:
    met = default()
    assert met.notice.startswith("Copyright (C) 2011 Neil Kazaross")
    assert "Copying and distribution of this file, with or without modification," in met.notice
    assert "without any warranty" in met.notice
    assert (met.name, met.size) == ("Kazaross-XG2", 25)


def test_tables_are_told_apart_by_their_numbers() -> None:
    met = default()
    renamed = MatchEquityTable("other", met.pre_crawford, met.post_crawford)
    assert hash(renamed) != hash(met)
    assert renamed.digest == met.digest
    assert renamed.agrees_with(met)
    nudged = MatchEquityTable("other", met.pre_crawford, (*met.post_crawford[:5], 0.2, *met.post_crawford[6:]))
    assert nudged.digest != met.digest
    assert not nudged.agrees_with(met)
    assert not MatchEquityTable("short", ((0.5,),), (0.5,)).agrees_with(met)
