"""The luck-adjusted result and its sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from annotated import analysed
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.result import match_sentence, money_sentence
from bgtools.board.play import HopText, PlayText
from bgtools.engines.recorded import RecordedEngine
from bgtools.record.record import CheckerPlay, Double, Drop, Game, Match
from bgtools.replayer.match import replay
from bgtools.rules.options import Ruleset
from fixed_engine import EVEN, FixedEngine
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.board.perspective import Player

NAMES = ("Ann", "Bob")


def test_a_lucky_winner() -> None:
    assert match_sentence(NAMES, 1.0, 0.4, 0.3, 0.5, over=True) == (
        "The dice favoured Ann by 60.0 points of match winning chance; with even dice Ann would have won 40.0% of the "
        "time (95% interval 30.0 to 50.0). Ann won the match."
    )


def test_an_unlucky_winner() -> None:
    assert match_sentence(NAMES, 1.0, 0.8, 0.7, 0.9, over=True).startswith("The dice favoured Ann by 20.0 points")
    assert match_sentence(NAMES, 0.0, 0.0, 0.0, 0.1, over=True).startswith("The dice favoured neither player; with")


def test_an_unfinished_match_says_where_the_record_ends() -> None:
    text = match_sentence(NAMES, 0.55, 0.45, 0.4, 0.5, over=False)
    assert "Ann would stand at 45.0% when the record ends (95% interval 40.0 to 50.0)." in text
    assert text.endswith("The record ends with Ann at 55.0%.")


def test_two_of_one_name_are_told_apart() -> None:
    text = match_sentence(("Ann", "Ann"), 1.0, 0.4, 0.3, 0.5, over=True)
    assert text.startswith("The dice favoured Ann (player 1) by 60.0 points of match winning chance; with even dice")
    assert text.endswith("Ann (player 1) won the match.")
    assert money_sentence(("Ann", "Ann"), 2.0, 0.0).endswith("It ended 2 points up for Ann (player 1).")


def test_nobody_was_favoured() -> None:
    assert match_sentence(NAMES, 1.0, 0.9999, 0.9, 1.0, over=True).startswith("The dice favoured neither player; with")
    assert money_sentence(NAMES, 0.0, 0.0) == (
        "The dice favoured neither player; with even dice the session would have ended level. It ended level."
    )


def test_a_money_session_is_told_in_points_with_its_interval() -> None:
    assert money_sentence(NAMES, 5.0, 7.25, 3.1) == (
        "The dice favoured Ann by 7.25 points; with even dice the session would have ended 2.25 points up for Bob "
        "(95% interval ± 3.10, for how the games scatter). It ended 5 points up for Ann."
    )
    assert money_sentence(NAMES, -1.0, -0.5).endswith("It ended 1 point up for Bob.")


def test_the_numbers_of_a_sentence_add_up() -> None:
    # What the dice gave and how it would have gone are one estimate, seen from the player whom they favoured.
    text = match_sentence(NAMES, 0.4, 0.47, 0.45, 0.52, over=False)
    assert "favoured Bob by 7.0 points of match winning chance; with even dice Bob would stand at 53.0%" in text
    assert "(95% interval 48.0 to 55.0). The record ends with Ann at 40.0%." in text


def test_without_the_crawford_rule_the_games_still_add_up_to_the_result() -> None:
    games = []
    opening = PlayText("moves", (HopText((8, 5), (False,)), HopText((6, 5), (False,))))
    won: tuple[tuple[Player, tuple[int, int]], ...] = ((0, (0, 0)), (1, (1, 0)), (1, (1, 1)))
    for number, (winner, score) in enumerate(won, 1):
        loser: Player = 0 if winner else 1
        entries = (CheckerPlay(player=loser, dice=(3, 1), text=opening), Double(player=winner), Drop(player=loser))
        games.append(Game(number=number, score=score, entries=entries))
    for crawford in (True, False):
        match = Match(players=NAMES, length=3, games=tuple(games), rules=Ruleset(crawford=crawford))
        result = analyse(match, FixedEngine()).players[0].luck_adjusted_result
        assert result is not None
        # 1-2 of three points, and the Crawford game, if there is one, is the next.
        expected = EVEN.equity((2, 1), post_crawford=not crawford)
        assert result.actual == pytest.approx(expected)


@pytest.mark.parametrize("net", [-0.3, 0.3])
def test_the_sentence_names_whom_the_dice_favoured(net: float) -> None:
    name = "Ann" if net > 0 else "Bob"
    adjusted = 0.5 - net
    text = match_sentence(NAMES, 0.5, adjusted, adjusted - 0.1, adjusted + 0.1, over=False)
    assert text.startswith(f"The dice favoured {name} by 30.0 points")


@pytest.mark.parametrize(
    ("winners", "actual", "interval"),
    [
        ((0,), 1, None),
        ((0, 1), 0, 12.706 * 2),  # the scatter of +1 and -1 is the square root of 2, and there are two games
        ((0, 0, 1), 1, 4.303 * 2),  # a variance of 4/3, three games
        ((0, 0, 0, 1) * 10, 20, 1.96 * (40 / 39 * 0.75 * 40) ** 0.5),
    ],
)
def test_the_interval_of_a_money_session_is_student_s(
    winners: tuple[Player, ...], actual: int, interval: float | None
) -> None:
    games = []
    for winner in winners:
        opening = PlayText("moves", (HopText((8, 5), (False,)), HopText((6, 5), (False,))))
        loser: Player = 0 if winner else 1
        play = CheckerPlay(player=loser, dice=(3, 1), text=opening)
        games.append(Game(number=None, score=None, entries=(play, Double(player=winner), Drop(player=loser))))
    analysis = analyse(Match(players=NAMES, length=0, games=tuple(games)), FixedEngine())
    result = analysis.players[0].luck_adjusted_result
    assert result is not None
    assert (result.actual, result.adjusted) == (actual, actual)
    assert result.low == (None if interval is None else pytest.approx(actual - interval, abs=1e-3))
    assert result.high == (None if interval is None else pytest.approx(actual + interval, abs=1e-3))


def test_a_game_after_the_match_was_won_brings_nothing() -> None:
    opening = PlayText("moves", (HopText((8, 5), (False,)), HopText((6, 5), (False,))))
    play = CheckerPlay(player=1, dice=(3, 1), text=opening)
    games = [
        Game(number=number, score=(number - 1, 0), entries=(play, Double(player=0), Drop(player=1)))
        for number in (1, 2, 3)
    ]
    analysis = analyse(Match(players=NAMES, length=2, games=tuple(games)), FixedEngine())
    result = analysis.players[0].luck_adjusted_result
    assert result is None or result.actual == 1
    beyond = [row for row in analysis.decisions if row.game == 3]
    assert beyond
    assert all(row.loss_mwc is None for row in beyond)


def test_what_a_record_says_of_a_game_after_the_match_is_reported() -> None:
    first = analysed(random_match(1, 1), 1)
    again = replace(first.games[0], number=2, score=(1, 0) if replay(first)[0].winner == 0 else (0, 1))
    match = replace(first, games=(*first.games, again))
    rows = analyse(match, RecordedEngine(match)).decisions
    judged = [row for row in rows if row.loss is not None]
    assert {row.game for row in judged} == {1, 2}
    assert all((row.loss_mwc is None) == (row.game == 2) for row in judged)
