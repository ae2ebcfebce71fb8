"""Gammons that may be saved: held against a plain search of all plays on whole boards that knows nothing of tables."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from bgtools.bearoff.endings import BearoffSolver
from bgtools.bearoff.gammons import GammonTables
from bgtools.bearoff.kernel import new_kernel
from bgtools.bearoff.one_sided import course, number_of
from bgtools.board.board import Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import CheckerAnswer, CheckerQuestion
from bgtools.engines.sage.engine import SageEngine
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from support import ROLLS

if TYPE_CHECKING:
    from bgtools.board.board import Checkers

MET = default()
AWAY = checkers({1: 1})
"""The other side, out of the way."""
TRAILER = {6: 5, 5: 3, 4: 3, 3: 2, 1: 1}
"""Fourteen checkers at home."""


@cache
def plays(side: Checkers, dice: tuple[int, int]) -> tuple[Checkers, ...]:
    return tuple({play.result.mine for play in legal_plays(Board(side, AWAY), dice)})


@cache
def lost(leader: Checkers, trailer: Checkers, *, leader_rolls: bool) -> float:
    """What the trailer loses besides the game: 1 for a gammon, 2 for a backgammon."""
    if trailer[0]:
        return 0.0
    if not any(leader[1:]):
        return 2.0 if any(trailer[19:]) else 1.0
    total = 0.0
    for dice in ROLLS:
        if leader_rolls:
            best = max(lost(after, trailer, leader_rolls=False) for after in plays(leader, dice))
        else:
            best = min(lost(leader, after, leader_rolls=True) for after in plays(trailer, dice))
        total += best * (1 if dice[0] == dice[1] else 2)
    return total / 36


@pytest.mark.parametrize("leader_rolls", [True, False])
@pytest.mark.parametrize("outside", [7, 9, 12, 20])
def test_they_are_those_of_a_search_of_all_plays(outside: int, leader_rolls: bool) -> None:
    leader = {1: 3} if leader_rolls else {1: 2}  # the trailer has one roll, or none
    sides = checkers(leader), checkers(TRAILER | {outside: 1})
    number = number_of(sides[0])
    assert number is not None
    found = GammonTables(new_kernel()).lost(number, sides[1], leader_rolls=leader_rolls)
    assert found is not None
    assert found.gammon + found.backgammon == pytest.approx(lost(*sides, leader_rolls=leader_rolls), abs=5e-3)
    assert (found.backgammon > 0) == (outside == 20 and leader_rolls)


def lost_exactly(ends: tuple[float, ...], trailer: Checkers, *, leader_rolls: bool) -> float:
    """How likely a gammon is lost to a leader who is off after so many rolls: a search of all plays."""

    @cache
    def going(side: Checkers, gone: int, *, leader_rolls: bool) -> float:
        if side[0] or sum(ends[gone + 1 :]) < 1e-9:
            return 0.0
        off, after = (ends[gone + 1], gone + 1) if leader_rolls else (0.0, gone)
        if sum(ends[after + 1 :]) < 1e-9:
            return off
        best = (min(going(one, after, leader_rolls=True) for one in plays(side, dice)) for dice in ROLLS)
        weighed = (value * (1 if high == low else 2) for value, (high, low) in zip(best, ROLLS, strict=True))
        return off + sum(weighed) / 36

    return going(trailer, 0, leader_rolls=leader_rolls)


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize(("outside", "near", "apart"), [(0, 1e-6, 0), (1, 1e-3, 3)])
def test_gammons_saved_from_any_home_board_are_those_of_a_search_of_all_plays(
    outside: int, near: float, apart: int
) -> None:
    """Boards with gaps, stacks and single checkers that move on; with one outside a few are off, by little."""
    rng, tables = Random(11), GammonTables(new_kernel())
    off: list[float] = []
    sure = 0
    for _ in range(24):
        points = rng.sample(range(1, 7), rng.randint(2, 6))
        side = dict.fromkeys(points, 0)
        for _ in range(15 - outside):
            side[rng.choice(points)] += 1
        side |= {rng.randint(7, 11): 1} if outside else {}
        trailer = checkers({point: count for point, count in side.items() if count})
        number = number_of(checkers({rng.randint(1, 2): rng.randint(1, 2)}))
        assert number is not None
        ends = tuple(course().chances[number].tolist())
        for leader_rolls in (True, False):
            found = tables.lost(number, trailer, leader_rolls=leader_rolls)
            assert found is not None
            known = lost_exactly(ends, trailer, leader_rolls=leader_rolls)
            sure += not known
            off.append(abs(found.gammon - known))
    assert sure or outside
    assert sum(each > near for each in off) <= apart
    assert max(off) < 0.02


def test_a_lone_checker_that_has_moved_down_leaves_its_point() -> None:
    leader = number_of(checkers({1: 2}))
    assert leader is not None
    for points in ((2, 4, 6, 0, 3, 0), (7, 3, 2, 0, 1, 2)):
        trailer = checkers(dict(enumerate(points, 1)))
        found = GammonTables(new_kernel()).lost(leader, trailer, leader_rolls=False)
        assert found is not None
        assert found.gammon == 0


def test_more_outside_lose_more_and_more_time_less() -> None:
    trailers, rng = GammonTables(new_kernel()), Random(3)
    for _ in range(20):
        leader = number_of(checkers({point: rng.randint(0, 1) for point in range(2, 7)} | {1: 1}))
        nearer = {rng.randint(7, 9): 1, 10: rng.randint(1, 2)}
        further = {point + 1: count for point, count in nearer.items()}
        assert leader is not None
        found = []
        for outside in (nearer, further):
            home = 15 - sum(outside.values())
            side = checkers(outside | {6: 3, 5: 2, 4: 2, 3: 2, 2: 1, 1: home - 10})
            now, later = (trailers.lost(leader, side, leader_rolls=rolls) for rolls in (True, False))
            assert now is not None
            assert later is not None
            assert now.gammon >= later.gammon
            found.append(now.gammon)
        assert found[0] <= found[1] + 1e-6


def test_a_gammon_that_cannot_be_saved_takes_no_table() -> None:
    trailers = GammonTables(new_kernel())
    far = checkers({18: 5, 17: 5, 13: 5})
    number = number_of(checkers({1: 2}))
    assert number is not None
    found = trailers.lost(number, far, leader_rolls=True)
    assert found is not None
    assert found.gammon == pytest.approx(1.0, abs=1e-3)
    assert not trailers._tables
    slow = number_of(checkers({6: 8}))
    assert slow is not None
    assert trailers.lost(slow, checkers({13: 4, 12: 4, 6: 7}), leader_rolls=True) is None, "too large"


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize("leader_rolls", [True, False])
@pytest.mark.parametrize(
    ("behind", "leader"),
    [({24: 1}, {1: 3}), ({19: 2}, {1: 3}), ({22: 1, 20: 1}, {1: 2}), ({24: 2, 23: 1}, {1: 2}), ({20: 3}, {1: 2})],
)
def test_backgammons_are_those_of_a_search_of_all_plays_however_many_are_outside(
    behind: dict[int, int], leader: dict[int, int], *, leader_rolls: bool
) -> None:
    sides = checkers(leader), checkers(behind | {18: 15 - sum(behind.values())})
    number = number_of(sides[0])
    assert number is not None
    found = GammonTables(new_kernel()).lost(number, sides[1], leader_rolls=leader_rolls)
    assert found is not None
    assert found.gammon == pytest.approx(1.0, abs=1e-3)
    assert found.backgammon == pytest.approx(lost(*sides, leader_rolls=leader_rolls) - 1, abs=1e-6)


def test_a_backgammon_takes_a_table_of_the_checkers_behind_alone() -> None:
    trailers = GammonTables(new_kernel())
    number = number_of(checkers({6: 1, 5: 2}))
    assert number is not None
    found = {}
    for others in ({13: 5, 8: 5, 6: 3}, {18: 7, 17: 6}):
        lost = trailers.lost(number, checkers({24: 1, 21: 1} | others), leader_rolls=True)
        assert lost is not None
        found[lost.backgammon] = lost
    assert len(found) == 1
    assert sum(map(len, trailers._tables.values())) == 1
    crowd = checkers({19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 18: 3})
    assert trailers.lost(number, crowd, leader_rolls=True) is None, "too large"


def test_the_chances_of_the_leader_are_those_of_the_course() -> None:
    """A trailer who cannot move away in time loses a gammon whenever the leader is off."""
    number = number_of(checkers({6: 1, 1: 1}))
    assert number is not None
    at_once = float(course().chances[number, 1])
    side = checkers({7: 1, 6: 14})
    found = GammonTables(new_kernel()).lost(number, side, leader_rolls=True)
    assert found is not None
    assert at_once < found.gammon < 1
    assert GammonTables(new_kernel()).lost(number, side, leader_rolls=False).gammon < found.gammon  # type: ignore[union-attr]


def test_a_gammon_counts_as_the_score_and_the_cube_have_it() -> None:
    board = Board(checkers({1: 2}), checkers(TRAILER | {12: 1}))  # off at once
    values = {
        "money": (MatchState(), 2.0),
        "Jacoby": (MatchState(rules=Ruleset(jacoby=True)), 1.0),
        "Jacoby, turned": (MatchState(cube=Cube(2, "mine"), rules=Ruleset(jacoby=True)), 2.0),
        "nothing more to win": (MatchState(5, (4, 0), crawford=True), 1.0),
    }
    for name, (state, wanted) in values.items():
        value = BearoffSolver(MET).value(board, state)
        assert value is not None
        assert value.no_double == pytest.approx(wanted, abs=1e-6), name
        assert value.chances == pytest.approx((1, 1, 0, 0, 0), abs=1e-6)
    state = MatchState(7, (3, 2))
    value = BearoffSolver(MET).value(board, state)
    assert value is not None
    assert MET.mwc(state, value.no_double) == pytest.approx(MET.after(state, 2))
    turned = BearoffSolver(MET).value(board.flipped(), MatchState())
    assert turned is not None
    assert turned.chances[3] == pytest.approx(lost(board.mine, board.theirs, leader_rolls=False), abs=2e-3)
    assert turned.no_double == pytest.approx(-1 - turned.chances[3], abs=1e-3)


def test_the_engine_tells_which_play_saves_it() -> None:
    pytest.importorskip("bgsage")
    engine = SageEngine("quick", threads=1)
    # Only 7/6 with the 1 and 6/off with the 6 save it.
    board = Board(checkers(TRAILER | {7: 1}), checkers({1: 2}))
    (answer,) = engine.checker([CheckerQuestion(board, (6, 1), MatchState())])
    assert isinstance(answer, CheckerAnswer)
    assert [one.equity for one in answer.candidates][:1] == [-1.0]
    assert answer.best.play.result.mine[0] == 1
    assert answer.best.depth == "bear-off"
    assert answer.candidates[-1].equity == pytest.approx(-2.0)
    # The leader bears off their last two checkers.
    (won,) = engine.checker([CheckerQuestion(board.flipped(), (2, 1), MatchState())])
    assert isinstance(won, CheckerAnswer)
    assert won.best.equity == 2.0
    assert won.best.probabilities is not None
    assert won.best.probabilities.win_gammon == 1.0
