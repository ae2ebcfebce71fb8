"""One position valued: its plays, its cube, the answer to an offer, and what cannot be valued."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import bgtools
from bgtools.board.board import START
from bgtools.engines.gnubg.session import find_program
from bgtools.engines.protocol import CubeQuestion, LuckQuestion
from bgtools.met.reading import MetError
from bgtools.positions.position import Offer, Position
from bgtools.reports.decision_text import evaluation_data, evaluation_lines
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from fixed_engine import FixedEngine

UBGI = f"ubgi:{sys.executable} {Path(__file__).parents[1] / 'engines' / 'ubgi_program.py'} 0.1"
RACE = Position.from_checkers({6: 3, 5: 3, 7: 3, 8: 3, 9: 3}, {6: 3, 5: 3, 7: 3, 8: 3, 12: 3})
MONEY = MatchState(rules=Ruleset(beavers=3))
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


# --- plays ------------------------------------------------------------------------------------


def test_with_dice_every_legal_play_is_valued_the_best_first() -> None:
    found = bgtools.evaluate(OPENING, FixedEngine(play=0.25))
    assert {choice.play for choice in found.plays} == set(Position.from_id(OPENING).legal_plays())
    best = found.plays[0]
    assert (best.equity, best.loss, best.depth) == (0.25, 0.0, "1-ply")
    assert (best.win, best.win_gammon, best.win_backgammon, best.lose_gammon, best.lose_backgammon) == (
        0.5, 0.1, 0.0, 0.1, 0.0,
    )  # fmt: skip
    assert found.best_action == str(best.play) == best.action
    assert found.choices == found.plays
    assert found.stamp == FixedEngine.stamp
    for name in ("no_double", "double_take", "double_pass"):
        with pytest.raises(ValueError, match="a roll is to be played"):
            getattr(found, name)


def test_a_dance_is_the_one_choice() -> None:
    shut = Position.from_checkers({25: 1}, dict.fromkeys(range(1, 7), 2), (3, 1))
    found = bgtools.evaluate(shut, FixedEngine())
    assert [choice.action for choice in found.plays] == ["Cannot Move"]


@pytest.mark.parametrize("name", ["sage", "gnubg:0"])
def test_the_engines_know_how_to_open(name: str) -> None:
    _needs(name)
    found = bgtools.evaluate(OPENING, name, level="quick")
    assert [found.best_action, str(found.plays[0].play)] == ["8/5 6/5"] * 2
    assert len(found.plays) == 16
    equities = [choice.equity for choice in found.plays]
    assert all(choice.loss == pytest.approx(equities[0] - choice.equity) for choice in found.plays)
    assert 0.5 < (found.plays[0].win or 0) < 0.6
    assert found.plays[1].loss > 0.1


# --- the cube ---------------------------------------------------------------------------------


def test_without_dice_the_cube_is_valued() -> None:
    engine = FixedEngine(0.4, 0.7)
    found = bgtools.evaluate(RACE, engine)
    assert (found.no_double, found.double_take, found.double_pass) == (0.4, 0.7, 1.0)
    assert found.best_action == "Double, take"
    assert [(each.action, each.equity, round(each.loss, 9)) for each in found.choices] == [
        ("Double", 0.7, 0.0),
        ("No double", 0.4, 0.3),
    ]
    assert found.plays == ()
    assert engine.asked == [CubeQuestion(RACE.board, RACE.state)]


@pytest.mark.parametrize(
    ("no_double", "double_take", "best"),
    [
        (0.4, 0.3, "No double, take"),
        (0.9, 1.2, "Double, pass"),
        (1.1, 1.2, "Too good to double, pass"),
    ],
)
def test_the_best_action_is_in_the_words_of_the_field(no_double: float, double_take: float, best: str) -> None:
    assert bgtools.evaluate(RACE, FixedEngine(no_double, double_take)).best_action == best


def test_a_double_that_would_be_beavered_says_so() -> None:
    found = bgtools.evaluate(Position(RACE.board, MONEY), FixedEngine(-0.1, -0.2))
    assert found.best_action == "No double, beaver"
    assert found.double_take == -0.4


def test_who_may_not_double_only_rolls() -> None:
    engine = FixedEngine(mean=0.123)
    for state, why in (
        (MatchState(7, (6, 2), crawford=True), "Crawford game"),
        (MatchState(cube=Cube(2, "theirs")), "the other player owns the cube"),
    ):
        found = bgtools.evaluate(Position(RACE.board, state), engine)
        assert (found.best_action, found.no_double) == ("No double", 0.123)
        assert found.note == f"the player on roll may not double: {why}"
        with pytest.raises(ValueError, match=why):
            _ = found.double_take
    assert all(isinstance(question, LuckQuestion) for question in engine.asked)


def test_a_dead_cube_is_said_to_be_dead_however_the_equities_end() -> None:
    state = MatchState(7, (5, 2), Cube(2, "mine"))
    found = bgtools.evaluate(Position(RACE.board, state), FixedEngine(0.4, 0.4000001))
    assert found.best_action == "No double"
    assert found.note.startswith("a double gains nothing")
    lines = list(evaluation_lines(found))
    assert not any("-0.000" in line for line in lines)
    assert any(found.note in line for line in lines)
    assert (
        bgtools.evaluate(Position(RACE.board, MatchState(7, (4, 2), Cube(2, "mine"))), FixedEngine(0.4, 0.7)).note == ""
    )


@pytest.mark.parametrize("name", ["sage", "gnubg:0"])
def test_the_engines_double_a_race(name: str) -> None:
    _needs(name)
    found = bgtools.evaluate(RACE, name, level="quick")
    assert found.best_action == "Double, take"
    assert found.no_double < found.double_take < found.double_pass == 1.0
    assert found.choices[0].action == "Double"


# --- answers ----------------------------------------------------------------------------------


def test_a_double_on_the_table_is_answered_by_the_other_player() -> None:
    doubled = Position(RACE.board, offer="double")
    found = bgtools.evaluate(doubled, FixedEngine(0.4, 0.7))
    assert [(each.action, each.equity) for each in found.choices] == [("Take", -0.7), ("Pass", -1.0)]
    assert found.best_action == "Take"
    assert found.choices[1].loss == pytest.approx(0.3)
    assert bgtools.evaluate(doubled, FixedEngine(0.9, 1.3)).best_action == "Pass"


def test_beavers_and_raccoons_are_answered_at_their_stakes() -> None:
    answers: dict[Offer, str] = {"double": "Beaver", "beaver": "Pass", "raccoon": "Take"}
    for offer, wanted in answers.items():
        found = bgtools.evaluate(Position(RACE.board, MONEY, offer=offer), FixedEngine(-0.8, -1.2))
        assert found.best_action == wanted, offer
    no_beavers = Position(RACE.board, MatchState(rules=Ruleset(beavers=0)), offer="double")
    assert {each.action for each in bgtools.evaluate(no_beavers, FixedEngine(-0.8, -0.9)).choices} == {"Take", "Pass"}


def test_the_chances_are_those_of_the_player_who_answers() -> None:
    _needs("sage")
    take = bgtools.evaluate(Position(RACE.board, offer="double"), level="quick").choices[0]
    double = bgtools.evaluate(RACE, level="quick").choices[0]
    assert take.action == "Take"
    assert take.win == pytest.approx(1 - (double.win or 0))


# --- what cannot be valued --------------------------------------------------------------------


def test_a_program_that_gives_no_equities_names_what_is_best() -> None:
    found = bgtools.evaluate(OPENING, UBGI)
    assert found.best_action in {str(play) for play in Position().legal_plays("31")}
    assert (found.choices, found.plays) == ((), ())
    assert found.note == "UBGI tells what the program would do, and no equities"
    with pytest.raises(ValueError, match="no equities"):
        _ = found.no_double
    assert bgtools.evaluate(RACE, UBGI).best_action in ("Double", "No double")
    with pytest.raises(ValueError, match="does not value this position: UBGI tells"):
        bgtools.evaluate(Position(RACE.board, offer="double"), UBGI)


def test_what_is_asked_wrongly_is_refused() -> None:
    with pytest.raises(bgtools.IdError):
        bgtools.evaluate("nonsense", FixedEngine())
    with pytest.raises(ValueError, match="the game is over"):
        bgtools.evaluate(Position.from_checkers({}, {1: 1}), FixedEngine())
    with pytest.raises(ValueError, match="only an engine can value"):
        bgtools.evaluate(RACE, "none")
    with pytest.raises(ValueError, match="no engine is called 'klingon'"):
        bgtools.evaluate(RACE, "klingon")
    with pytest.raises(ValueError, match="file takes a record"):
        bgtools.evaluate(RACE, "file")
    with pytest.raises(ValueError, match="no level is called"):
        bgtools.evaluate(RACE, "sage", level="thorough")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has a table already"):
        bgtools.evaluate(RACE, FixedEngine(), met="Kazaross-XG2")
    with pytest.raises(MetError, match="no match equity table 'no such'"):
        bgtools.evaluate(RACE, "sage", met="no such")
    with pytest.raises(bgtools.EngineUnavailable):
        bgtools.evaluate(RACE, "ubgi:no-such-program")


def test_another_match_equity_table_gives_other_equities() -> None:
    _needs("gnubg:0")
    at_score = Position(RACE.board, MatchState(5, (3, 0)))
    usual, other = (bgtools.evaluate(at_score, "gnubg:0", met=met) for met in (None, "woolsey"))
    assert usual.stamp.met != other.stamp.met
    assert usual.no_double != other.no_double


# --- as lines and as values -------------------------------------------------------------------


def test_lines_tell_who_says_it_the_equities_and_what_is_best() -> None:
    chances = "wins 50.0% (gammon 10.0, backgammon 0.0), loses (gammon 10.0, backgammon 0.0)"
    assert list(evaluation_lines(bgtools.evaluate(RACE, FixedEngine(0.4, 0.7)))) == [
        "fixed 1.0, quick, even",
        f"  No double     +0.400 (-0.300)   1-ply   {chances}",
        "  Double, take  +0.700",
        "  Double, pass  +1.000",
        "best: Double, take",
    ]
    lines = list(evaluation_lines(bgtools.evaluate(OPENING, FixedEngine())))
    assert len(lines) == 1 + 10 + 2
    assert lines[-2] == "  and 6 more"
    assert lines[-1].startswith("as good as each other, as far as the engine can tell: ")
    assert lines[-1].endswith(", 12 more")


def test_depth_and_chances_stand_beside_the_take_whose_value_they_made() -> None:
    doubled = Position(START, offer="double")
    for take, actions in ((0.7, ["Take", "Pass"]), (1.4, ["Pass", "Take"])):
        lines = list(evaluation_lines(bgtools.evaluate(doubled, FixedEngine(0.4, take))))
        assert [line.split()[0] for line in lines[1:3]] == actions
        assert ["1-ply   wins" in line for line in lines[1:3]] == [action == "Take" for action in actions]


def test_values_are_plain_and_complete() -> None:
    data = evaluation_data(bgtools.evaluate(Position(START, offer="double"), FixedEngine(0.4, 0.7)))
    assert (data["best_action"], data["no_double"], data["double_take"], data["double_pass"]) == ("Take", 0.4, 0.7, 1)
    assert [(each["action"], each["equity"], each["loss"]) for each in data["choices"]] == [
        ("Take", -0.7, 0.0),
        ("Pass", -1.0, 0.3),
    ]
    assert evaluation_data(bgtools.evaluate(OPENING, UBGI))["choices"] == []


def _needs(name: str) -> None:
    if name == "sage":
        pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")
    elif find_program() is None:
        pytest.skip("GNU Backgammon is not installed here")
