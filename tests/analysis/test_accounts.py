"""Two accounts of one match: luck by the rolls, and luck by what the errors leave for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.luck import GameBalance, LuckEstimate, errors_of, estimate_luck, stakes_of, worth_at_end
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.result import adjusted_match, match_sentence
from bgtools.board.play import HopText, PlayText
from bgtools.engines.protocol import LuckSpread
from bgtools.record.record import CheckerPlay, Double, Drop, Game, Match
from bgtools.rules.cube import Cube, MatchState
from fixed_engine import EVEN, FixedEngine
from support import read_text

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis

NAMES = ("Ann", "Bob")
ENTRIES = (
    CheckerPlay(player=0, dice=(3, 1), text=PlayText("moves", (HopText((8, 5), (False,)), HopText((6, 5), (False,))))),
    CheckerPlay(player=1, dice=(6, 1), text=PlayText("moves", (HopText((13, 7), (False,)), HopText((8, 7), (False,))))),
    CheckerPlay(
        player=0, dice=(5, 2), text=PlayText("moves", (HopText((13, 8), (False,)), HopText((13, 11), (False,))))
    ),
    CheckerPlay(
        player=1, dice=(6, 5), text=PlayText("moves", (HopText((24, 18), (False,)), HopText((18, 13), (False,))))
    ),
    Double(player=0),
    Drop(player=1),
)
MATCH = Match(players=NAMES, length=5, games=(Game(number=1, score=(0, 0), entries=ENTRIES),))


SPREAD = LuckSpread(rolls=0.03, errors=0.01)
"""The account by errors is the surer one."""


def estimate(*accounts: GameBalance) -> LuckEstimate:
    found = estimate_luck(accounts, SPREAD)
    assert found is not None
    return found


def test_the_errors_tell_the_luck_of_a_game_and_the_rolls_only_where_they_do_not() -> None:
    # The rolls say .25, while .2 was won and .05 of it by the opponent's errors.
    apart = GameBalance(won=0.2, luck=0.25, errors=0.05, stakes=10.0)
    found = estimate(apart)
    assert (found.by_rolls, found.by_errors) == pytest.approx((0.25, 0.15))
    assert found.net == pytest.approx(0.15)
    assert found.error == pytest.approx(10 * 0.01)
    assert found.accounts == "errors"
    # Games err by themselves: four times as many are twice as uncertain.
    assert estimate(*[apart] * 4).error == pytest.approx(2 * found.error)
    assert estimate(*[apart] * 4).net == pytest.approx(4 * found.net)
    rolls = replace(apart, errors=None)
    assert estimate(apart, rolls, apart, rolls).accounts == "errors, rolls in games 2, 4"
    assert estimate(apart, rolls).net == pytest.approx(0.15 + 0.25)
    assert (rolls.account, rolls.net, apart.account) == ("rolls", 0.25, "errors")
    assert estimate(rolls, rolls).accounts == "rolls"


def test_where_one_account_is_not_known_the_other_speaks_for_the_game() -> None:
    both = GameBalance(won=0.2, luck=0.2, errors=0.0, stakes=1.0)
    rolls, errors = replace(both, errors=None), replace(both, luck=None)
    assert estimate(rolls).error == pytest.approx(0.03)
    assert estimate(errors).error == pytest.approx(0.01)
    for one in (rolls, errors):
        found = estimate(both, one)
        assert found.net == pytest.approx(0.4)
        assert (found.by_errors is None) == (one.errors is None)
        assert (found.by_rolls is None) == (one.luck is None)
    assert estimate_luck([both, replace(both, luck=None, errors=None)], SPREAD) is None


def test_what_is_at_stake_is_what_a_cube_is_worth() -> None:
    money = MatchState()
    assert stakes_of([money] * 4, EVEN) == pytest.approx(2.0)
    assert stakes_of([replace(money, cube=Cube(4, "mine"))] * 4, EVEN) == pytest.approx(8.0)
    last = MatchState(length=3, score=(2, 2))
    assert stakes_of([last], EVEN) == pytest.approx(0.5)
    assert stakes_of([MatchState(length=99, score=(0, 0))], EVEN) == 0, "beyond the table"


def test_the_account_of_errors_takes_every_decision_and_an_end_that_was_judged() -> None:
    rows = analyse(MATCH, FixedEngine(0.1, 0.3, play=0.2)).decisions
    assert errors_of(rows, "drop", money=False) is not None
    assert errors_of(rows, "resigned", money=False) is None
    told = errors_of(rows, "drop", money=False)
    assert told is not None
    assert errors_of(rows, "resigned", 0.25, money=False) == pytest.approx(told + 0.25)
    assert errors_of(rows, "unfinished", 0.25, money=False) is None
    assert errors_of([*rows, replace(rows[0], loss=None, loss_mwc=None)], "drop", money=False) is None
    gave = [replace(row, loss_mwc=0.01 if row.player == 1 else 0.0) for row in rows]
    assert errors_of(gave, "drop", money=False) == pytest.approx(0.01 * sum(row.player for row in rows))


def test_both_accounts_are_told_of_every_engine() -> None:
    analysis = analyse(MATCH, FixedEngine(play=0.1, mean=0.05))
    ann, bob = (total.luck_adjusted_result for total in analysis.players)
    first, second = (total.luck for total in analysis.players)
    assert ann is not None
    assert bob is not None
    assert first is not None
    assert second is not None
    assert ann.by_rolls == pytest.approx(ann.actual - ((first.mwc or 0) - (second.mwc or 0)))
    gave = errors_of(analysis.decisions, "drop", money=False)
    assert gave is not None
    assert ann.by_errors == pytest.approx(0.5 + gave)
    for mine, theirs in ((ann.by_rolls, bob.by_rolls), (ann.by_errors, bob.by_errors), (ann.adjusted, bob.adjusted)):
        assert mine is not None
        assert theirs is not None
        assert mine + theirs == pytest.approx(1)
    assert ann.by_rolls is not None
    assert ann.by_errors is not None
    assert (ann.adjusted, ann.accounts) == (ann.by_errors, "errors")
    assert [game.net_luck for game in analysis.games] == pytest.approx([ann.net_luck])
    assert {game.luck_account for game in analysis.games} == {"errors"}


def test_an_interval_never_leaves_certainty() -> None:
    sure = GameBalance(won=0.5, luck=0.02, errors=0.48, stakes=3.0)
    pair = adjusted_match(0.5, [sure], NAMES, SPREAD, over=True)
    assert pair is not None
    first, second = pair
    assert first.high == 1.0
    assert second.low == 0.0
    for each in pair:
        assert each.low is not None
        assert each.high is not None
        assert 0 <= each.low <= each.adjusted <= each.high <= 1
        assert each.actual - each.net_luck == pytest.approx(each.adjusted)
    assert (first.low, first.high) == pytest.approx((1 - (second.high or 0), 1 - (second.low or 0)))


def test_the_sentence_says_how_sure_it_is() -> None:
    text = match_sentence(NAMES, 1.0, 0.4, 0.357, 0.443, over=True)
    assert "Ann would have won 40.0% of the time (95% interval 35.7 to 44.3). Ann won the match." in text
    for adjusted, unsure in ((0.556, False), (0.644, False), (0.558, True), (0.642, True)):
        text = match_sentence(NAMES, 0.6, adjusted, adjusted - 0.043, adjusted + 0.043, over=False)
        assert ("less than the engine can tell" in text) == unsure


def test_no_figure_is_printed_where_anything_is_possible() -> None:
    text = match_sentence(NAMES, 1.0, 0.5, 0.0, 1.0, over=True)
    assert text == "What the dice did is more than the engine can tell. Ann won the match."


GIVEN_UP = """ 3 point match

 Game 1
 Ann : 0                    Bob : 0
  1) 31: 8/5 6/5            52: 13/8 24/22
  2) 64: 24/14{roll}
      Wins 1 point
"""
ENGINE = FixedEngine(play=0.1, mean=0.05)


def given_up(roll: str = "") -> Analysis:
    return analyse(read_text(GIVEN_UP.format(roll=roll)), ENGINE)


@pytest.mark.parametrize("roll", ["", "              61: ????"])
def test_a_game_that_is_given_up_without_a_word_has_both_accounts(roll: str) -> None:
    """What the last position was worth, and what the game then brought, is what was given away."""
    analysis = given_up(roll)
    assert [game.ending for game in analysis.games] == ["resigned"]
    ann = analysis.players[0].luck_adjusted_result
    assert ann is not None
    assert ann.by_rolls is not None
    assert ann.by_errors is not None
    found = worth_at_end(analysis.decisions)
    assert found is not None
    player, emg = found
    assert player == (1 if roll else 0)
    # The cube is in the middle, so that the worth lies between losing and winning one point.
    met = ENGINE.met
    lose, win = met.anchors(MatchState(length=3, score=(0, 0)))
    worth = lose + (emg + 1) / 2 * (win - lose)
    chance = worth if player == 0 else 1 - worth
    decided = [row for row in analysis.decisions if row.kind != "unplayed roll"]
    lost = sum((row.loss_mwc or 0.0) * (1 if row.player else -1) for row in decided)
    after = 1 - lose if analysis.games[0].winner == 0 else lose
    assert ann.by_errors == pytest.approx(0.5 + lost + after - chance)


def test_what_a_position_was_worth_at_the_end_is_not_known_where_no_engine_valued_it() -> None:
    rows = list(given_up().decisions)
    assert worth_at_end([]) is None
    assert worth_at_end([*rows[:-1], replace(rows[-1], equity=None)]) is None
    assert worth_at_end([replace(rows[-1], kind="unplayed roll", equity=None, luck=None)]) is None
    assert worth_at_end([replace(rows[-1], kind="pass")]) is None


def test_a_game_after_the_match_was_won_leaves_no_chance() -> None:
    """Not even where both players then have the points to win: nobody can say who won."""
    text = "3 point match\n\n Game 1\n Ann : 0   Bob : 0\n 1) 31: 8/5 6/5\n      Wins 3 points\n"
    text += "\n Game 2\n Ann : 3   Bob : 0\n 1) 31: 8/5 6/5     42: 8/4 6/4\n                    Wins 3 points\n"
    match = read_text(text)
    analysis = analyse(match, FixedEngine())
    last = {row.game: row.chance_after for row in analysis.turns}
    played = {row.game: row.chance for row in analysis.decisions}
    assert last[1] == played[1] is not None
    assert last[2] is None or 0 <= last[2] <= 1
