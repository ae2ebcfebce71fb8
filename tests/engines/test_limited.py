"""Equities under a limit of the cube, against bgsage's own where the limit is far, and against tables."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from bgtools.bearoff.endings import BearoffSolver
from bgtools.board.board import Board, checkers
from bgtools.engines.protocol import ROLLS, LuckAnswer, LuckQuestion
from bgtools.engines.sage.cube_limit import LimitedCube
from bgtools.engines.sage.engine import SageEngine
from bgtools.engines.sage.frame import ENDLESS, Situation, board_of, context, mean_of_rolls
from bgtools.engines.sage.native import Native
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from bgtools.rules.cube import Owner

pytestmark = pytest.mark.skipif(not find_spec("bgsage"), reason="bgsage is not installed here")

CONTACT = Board(checkers({24: 1, 20: 2, 13: 3, 8: 3, 6: 4, 5: 2}), checkers({24: 2, 13: 4, 8: 4, 6: 5}))
RACE = Board(checkers({14: 3, 8: 4, 6: 4, 5: 4}), checkers({13: 2, 9: 3, 6: 6, 4: 4}))
BEAR_OFFS = tuple(
    Board(checkers(mine), checkers(theirs))
    for mine, theirs in (
        ({6: 3, 5: 2, 4: 3, 2: 2}, {6: 3, 5: 3, 3: 2, 1: 2}),
        ({6: 1, 5: 4, 3: 3, 2: 2}, {6: 2, 4: 5, 3: 2, 2: 2}),
        ({6: 4, 4: 2, 3: 2, 1: 3}, {6: 2, 5: 3, 3: 3, 1: 3}),
        ({5: 3, 4: 3, 2: 3, 1: 3}, {6: 3, 4: 3, 3: 3, 1: 2}),
    )
)


@pytest.fixture(scope="module")
def native() -> Native:
    return Native(1)


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("owner", ["centre", "mine"])
@pytest.mark.parametrize("length", [0, 9])
def test_waiting_with_the_last_double_is_worth_what_tables_say(native: Native, length: int, owner: Owner) -> None:
    """Of bear-offs the truth is known: the search is as near to it under a limit as without one."""
    endings, height = BearoffSolver(default()), 1 if owner == "centre" else 2

    def off(limit: int | None) -> float:
        rules = Ruleset(jacoby=False, beavers=0, cube_limit=limit)
        state = MatchState(length, cube=Cube(height, owner), rules=rules)
        values = native.cubes([(board_of(board), context(state)) for board in BEAR_OFFS], 3)
        known = [known for board in BEAR_OFFS if (known := endings.value(board, state))]
        return sum(abs(one.no_double - two.no_double) for one, two in zip(values, known, strict=True)) / len(known)

    assert off(2 * height) < min(0.03, off(None) + 0.01)


@pytest.mark.parametrize("length", [0, 7, 2])
@pytest.mark.parametrize("owner", ["centre", "mine", "theirs"])
@pytest.mark.parametrize("jacoby", [False, True])
def test_a_limit_that_is_never_reached_leaves_equities_as_bgsage_has_them(
    native: Native, length: int, owner: Owner, jacoby: bool
) -> None:
    scores = ((0, 0),) if not length else ((0, 0), (length - 1, 0), (0, length - 1))
    for score in scores:
        cube = Cube(1 if owner == "centre" else 2, owner)
        at = context(MatchState(length, score, cube, rules=Ruleset(jacoby=jacoby, beavers=0)))
        far = at._replace(limit=ENDLESS)
        boards = [board_of(board) for board in (CONTACT, RACE, *BEAR_OFFS)]
        own, others = (native.shallow([(board, each) for board in boards]) for each in (at, far))
        assert [one.equity for one in own] == pytest.approx([one.equity for one in others], abs=5e-6)
        if at.may_double:
            doubling, other = (native.shallow_cube([(board, each) for board in boards]) for each in (at, far))
            assert [one.double_take for one in doubling] == pytest.approx([one.double_take for one in other], abs=5e-6)


def test_a_deeper_search_under_a_limit_that_is_never_reached_is_the_same(native: Native) -> None:
    at = context(MatchState(9))
    place: Situation = (board_of(CONTACT), at)
    far = at._replace(limit=ENDLESS)
    assert native.before_roll(*place, 2).equity == pytest.approx(native.before_roll(place[0], far, 2).equity, abs=5e-6)


def test_an_equity_comes_nearer_to_that_of_an_endless_cube_with_each_double_more() -> None:
    at = context(MatchState(cube=Cube(2, "mine"), rules=Ruleset(jacoby=False)))
    chances, equities = (0.55, 0.15, 0.01, 0.12, 0.01), LimitedCube(default())
    dead, *more, endless = (
        equities.equity(chances, at._replace(limit=limit), 0.68) for limit in (2, 4, 8, 16, ENDLESS)
    )
    assert dead == pytest.approx(2 * 0.55 - 1 + 0.16 - 0.13), "as nobody doubles"
    assert dead < min(more)
    gaps = [abs(value - endless) for value in (dead, *more)]
    assert gaps == sorted(gaps, reverse=True)


@pytest.mark.parametrize("limit", [2, 4])
def test_the_luck_of_all_rolls_adds_up_to_nothing_under_a_limit(limit: int) -> None:
    engine = SageEngine("quick", threads=1)
    rules = Ruleset(jacoby=False, beavers=0, cube_limit=limit)
    for cube in (Cube(1, "centre"), Cube(2, "mine"), Cube(2, "theirs")):
        asked = [LuckQuestion(CONTACT, roll, MatchState(cube=cube, rules=rules)) for roll in ROLLS]
        told = engine.luck(asked)
        luck = [answer.luck for answer in told if isinstance(answer, LuckAnswer)]
        # A cube that nobody will turn is looked at as any other, of which the mean is a ply less deep than the plays.
        is_stuck = 2 * cube.value > limit
        assert mean_of_rolls(luck) == pytest.approx(0, abs=0.01 if is_stuck else 1e-6)
