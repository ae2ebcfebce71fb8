"""Resignations offered and accepted, against what the position was worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.errors import judge_resignation, value_of_loss
from bgtools.analysis.match_analysis import analyse
from bgtools.board.play import HopText, PlayText
from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckQuestion
from bgtools.record.record import CheckerPlay, Double, Entry, Game, Match, Resign, ResultClaim, Take
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from fixed_engine import EVEN, FixedEngine

if TYPE_CHECKING:
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player


def _roll(player: Player, dice: Dice, *hops: tuple[int, ...]) -> CheckerPlay:
    text = PlayText("moves", tuple(HopText(hop, (False,) * (len(hop) - 1)) for hop in hops))
    return CheckerPlay(player=player, dice=dice, text=text)


OPENING = _roll(0, (3, 1), (8, 5), (6, 5))
REPLY = _roll(1, (6, 1), (13, 7), (8, 7))
TURNED = (Double(player=0), Take(player=1), _roll(0, (6, 5), (24, 18), (18, 13)))


def _analyse(
    engine: FixedEngine, *entries: Entry, length: int = 0, points: int | None = 1, winner: Player = 1
) -> Analysis:
    results = (ResultClaim(player=winner, points=points),)
    game = Game(number=1, score=(0, 0), entries=entries, results=results)
    return analyse(Match(players=("Ann", "Bob"), length=length, games=(game,)), engine)


def _resignation(analysis: Analysis) -> tuple[DecisionRow, DecisionRow]:
    resign, accept = (row for row in analysis.decisions if row.kind in ("resign", "accept"))
    assert (resign.kind, accept.kind) == ("resign", "accept")
    return resign, accept


def test_a_resignation_that_gives_more_than_the_position_is_worth() -> None:
    # Ann is on roll and may double; her position is worth -0.4, and she gives up a whole point.
    analysis = _analyse(FixedEngine(-0.4, -1.0), OPENING, REPLY, Resign(player=0, level=1))
    resign, accept = _resignation(analysis)
    assert (resign.name, resign.played, resign.best) == ("Ann", "Resigns a single game", "Play on")
    assert (resign.equity, resign.best_equity, resign.loss_points) == pytest.approx((-1.0, -0.4, 0.6))
    assert (resign.error_kind, resign.error) == ("resigned too high", "blunder")
    assert resign.sentence == "resigning is worth -1.000, playing on -0.400"
    assert (accept.name, accept.played, accept.best, accept.loss) == (
        "Bob",
        "Accepts a single game",
        accept.played,
        0.0,
    )
    assert accept.equity == 1.0
    ann, bob = analysis.players
    assert ann.errors is not None
    assert ann.errors.resignation == pytest.approx(0.6)
    assert ann.errors.resignations == 1
    assert ann.errors.kinds["resigned too high"].emg == pytest.approx(0.6)
    assert bob.errors is not None
    assert bob.errors.resignation == 0


def test_only_bmab_counts_it() -> None:
    analysis = _analyse(FixedEngine(-0.4, -1.0), OPENING, REPLY, Resign(player=0, level=1))
    resign, accept = _resignation(analysis)
    others = ("xg", "gnubg", "snowie", "opengammon")
    assert [resign.counted_by[name].counted for name in others] == [False] * 4
    assert resign.counted_by["bmab"].counted
    assert not accept.counted_by["bmab"].counted
    ratings = analysis.players[0].ratings
    assert ratings is not None
    assert ratings["bmab_pr"].loss - ratings["xg_pr"].loss == pytest.approx(0.6)
    assert ratings["bmab_pr"].counted - ratings["xg_pr"].counted == 1


def test_a_resignation_accepted_too_early() -> None:
    # Bob owns the cube at 2, so Ann has no access; her rolls are worth -1.5 on average.
    engine = FixedEngine(mean=-1.5)
    after = _roll(1, (5, 3), (8, 3), (6, 3))
    analysis = _analyse(engine, OPENING, REPLY, *TURNED, after, Resign(player=0, level=1), points=2)
    resign, accept = _resignation(analysis)
    assert (resign.loss, resign.error_kind, resign.best) == (0.0, "", "Resigns a single game")
    assert (accept.equity, accept.best_equity) == pytest.approx((1.0, 1.5))
    assert accept.loss_points == pytest.approx(1.0)
    assert (accept.error_kind, accept.best) == ("accepted too early", "Play on")
    assert accept.counted_by["bmab"].counted
    # What Bob gave away is not part of Ann's turn.
    assert analysis.turns[-1].loss == 0.0
    asked = [question for question in engine.asked if isinstance(question, LuckQuestion) and question.dice == (2, 1)]
    assert [question.opening for question in asked] == [False]


def test_the_value_is_that_of_the_player_on_roll() -> None:
    # Bob is on roll, may double, and is at +0.7: Ann's resignation gives away 0.3.
    engine = FixedEngine(0.7, 0.6)
    resign, accept = _resignation(_analyse(engine, OPENING, Resign(player=0, level=1)))
    assert resign.loss == pytest.approx(0.3)
    assert accept.loss == 0.0
    assert any(isinstance(question, CubeQuestion) and question.position == resign_board() for question in engine.asked)


def resign_board() -> object:
    """The board after 31: 8/5 6/5, seen by the player who has not moved."""
    from bgtools.board.board import START
    from support import after

    return after(START, (3, 1), "8/5 6/5").flipped()


def test_after_a_roll_the_best_play_of_it_is_the_value() -> None:
    unplayed = CheckerPlay(player=0, dice=(2, 1), text=PlayText("nothing"))
    engine = FixedEngine(play=-0.9)
    resign, _ = _resignation(_analyse(engine, OPENING, REPLY, unplayed, Resign(player=0, level=1)))
    assert resign.loss == pytest.approx(0.1)
    assert any(isinstance(question, CheckerQuestion) and question.played is None for question in engine.asked)
    assert "2" in resign.xgid


def test_the_match_is_given_up_with_a_game_that_loses_it() -> None:
    whole, game = (Resign(player=0, match=True), Resign(player=0, level=1))
    engine = FixedEngine(mean=-0.4)
    one, other = (_resignation(_analyse(engine, OPENING, REPLY, entry, length=1))[0] for entry in (whole, game))
    assert one.loss == other.loss == pytest.approx(0.6)
    # A point of three does not lose the match, a cube of four does.
    (little, _), (enough, _) = (
        _resignation(_analyse(engine, OPENING, REPLY, *cube, whole, length=3, points=4))
        for cube in ((), (Double(player=0), Take(player=1), TURNED[2], Double(player=1), Take(player=0)))
    )
    assert (little.loss, little.note) == (None, "the whole match was given up")
    assert enough.note == ""
    assert enough.loss is not None


def test_in_a_match_a_gammon_counts_what_the_score_makes_of_it() -> None:
    # 5-away each: losing one point is 4/9 for them, a gammon 3/8, winning one 5/9.
    state = MatchState(5, (0, 0), Cube(), rules=Ruleset())
    assert value_of_loss(1, state, EVEN) == pytest.approx(-1)
    assert value_of_loss(2, state, EVEN) == pytest.approx(2 * (3 / 8 - 4 / 9) / (5 / 9 - 4 / 9) - 1)
    assert value_of_loss(4, MatchState(cube=Cube(2, "theirs")), EVEN) == -2


def test_what_is_within_a_thousandth_gives_nothing_away() -> None:
    assert judge_resignation("resign", -1.0, -0.9991).loss == 0.0
    assert judge_resignation("resign", -1.0, -0.998).loss == pytest.approx(0.002)
    assert judge_resignation("accept", 1.0, 1.002).kind == "accepted too early"


@pytest.mark.parametrize(
    ("entries", "points", "why"),
    [
        ((OPENING, REPLY, Resign(player=0, match=True)), 1, "the whole match was given up"),
        ((OPENING, REPLY, Resign(player=0)), None, "the record does not say what was given up"),
        ((OPENING, REPLY, Double(player=0), Resign(player=1, level=1)), 1, "resigned instead of answering a double"),
        ((Resign(player=0, level=1),), 1, "resigned before the first roll"),
    ],
)
def test_what_equity_does_not_settle_is_not_judged(entries: tuple[Entry, ...], points: int | None, why: str) -> None:
    winner: Player = 0 if entries[-1].player == 1 else 1
    analysis = _analyse(FixedEngine(), *entries, points=points, winner=winner)
    for row in _resignation(analysis):
        bmab = row.counted_by["bmab"]
        assert (row.loss, row.note, bmab.counted, bmab.why) == (None, why, False, why)
    assert f"2 decisions not analysed: {why}." in analysis.notes
