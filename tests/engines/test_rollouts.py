"""Rollouts by bgsage: the same batches however many threads, and an engine that ends in one."""

from __future__ import annotations

import pytest

from bgtools.analysis.evaluation import evaluate
from bgtools.engines.registry import create
from bgtools.engines.rollouts import RolloutQuestion
from bgtools.engines.sage import roller, rollout
from bgtools.positions.position import Position
from bgtools.rules.cube import Cube, MatchState

pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")


@pytest.fixture(scope="module")
def late() -> Position:
    """A bear-off against an anchor, with the cube on the other side."""
    board = Position.from_checkers({6: 2, 5: 2, 4: 2, 3: 1}, {24: 2, 6: 3, 5: 3, 4: 2}).board
    return Position(board, MatchState(cube=Cube(2, "theirs")), (2, 1))


@pytest.mark.thorough
def test_a_batch_is_the_same_with_any_number_of_threads(late: Position) -> None:
    boards = tuple(play.result for play in late.legal_plays()[:2])
    questions = [RolloutQuestion(late.board, late.state, boards, batch) for batch in (0, 1)]
    one = roller(threads=1).roll(questions)
    assert roller(threads=2).roll(questions[::-1]) == one[::-1]
    assert one[0] != one[1]
    assert all(-3 <= value <= 3 for batch in one for value in batch)


def test_the_level_rollout_tells_its_standard_errors(late: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout, "BATCHES", 2)
    monkeypatch.setattr(rollout, "MOST", 2)
    found = evaluate(late, "sage:rollout")
    rolled = [choice for choice in found.plays if choice.depth.startswith("rollout, 72 games ± 0.0")]
    assert len(rolled) > 1
    assert list(found.plays[: len(rolled)]) == rolled
    assert [choice.equity for choice in rolled] == sorted((choice.equity for choice in rolled), reverse=True)
    assert found.stamp.level == "rollout"
    deep = {choice.action: choice.loss for choice in evaluate(late, "sage:deep").plays}
    assert all(abs(choice.loss - deep[choice.action]) < 0.06 for choice in rolled)


def test_the_two_best_plays_are_rolled_out_however_clear_it_is(late: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout, "BATCHES", 2)
    monkeypatch.setattr(rollout, "WIDTH", 0.0)
    found = evaluate(late, "sage:rollout")
    assert [choice.depth.startswith("rollout") for choice in found.plays[:3]] == [True, True, False]
    # A play that ends the game is worth what it wins.
    over = evaluate("XGID=aA--------------------bcb-:0:0:1:31:0:0:0:7:10", "sage:rollout")
    assert over.plays[0].equity == pytest.approx(1.0)
    assert "rollout" not in over.plays[0].depth


def test_a_cube_is_rolled_out_and_an_ending_looked_up(late: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout, "BATCHES", 2)
    no_dice = Position(late.board)
    cube = evaluate(no_dice, "sage:rollout")
    assert cube.choices[0].depth.startswith("rollout, 72 games ± ")
    ending = Position.from_checkers({5: 1, 2: 1}, {1: 2})
    assert evaluate(ending, "sage:rollout").choices[0].depth == "exact"


def test_the_level_is_named_where_another_is_asked_for() -> None:
    with pytest.raises(ValueError, match="quick, standard, deep, rollout"):
        create("sage:best")
