"""Endings are valued exactly: held against a plain search to the end of the game that knows nothing of tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from statistics import mean
from typing import TYPE_CHECKING

import pytest

from bgtools.bearoff import approximation
from bgtools.bearoff.endings import BearoffSolver
from bgtools.board.board import Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import CheckerAnswer, CheckerQuestion, CubeAnswer, CubeQuestion, LuckAnswer, LuckQuestion
from bgtools.engines.sage.engine import SageEngine
from bgtools.met.finding import default
from bgtools.positions.position import Position
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from bgtools.engines.protocol import LevelName

ROLLS = [((high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)]
MET = default()


@cache
def rolled(board: Board, state: MatchState) -> float:
    """Points or match winning chance of the player on roll when they roll on."""
    return sum(weight * best_play(board, state, dice) for dice, weight in ROLLS) / 36


def best_play(board: Board, state: MatchState, dice: tuple[int, int]) -> float:
    """The same once they have rolled."""
    return max(after(play.result, state) for play in legal_plays(board, dice))


def after(board: Board, state: MatchState) -> float:
    if board.is_over:
        return state.cube.value if state.is_money else MET.after(state, state.cube.value)
    return turned(best(board.flipped(), state.flipped()), state)


def best(board: Board, state: MatchState) -> float:
    """The same with their best cube action."""
    value = rolled(board, state)
    # A money game may be doubled without end: it stops where no roll can lose it any more.
    if not state.may_double or state.cube.value > 64 or state.is_cube_dead:
        return value
    if state.rules.cube_limit is not None and 2 * state.cube.value > state.rules.cube_limit:
        return value
    won = state.cube.value if state.is_money else MET.after(state, state.cube.value)
    return max(value, min(won, rolled(board, doubled(state))))


def doubled(state: MatchState) -> MatchState:
    return replace(state, cube=Cube(2 * state.cube.value, "theirs"))


def turned(value: float, state: MatchState) -> float:
    return -value if state.is_money else 1 - value


def emg(value: float, state: MatchState) -> float:
    return value / state.cube.value if state.is_money else MET.emg(state, value)


STATES = {
    "money": MatchState(),
    "money, my cube": MatchState(cube=Cube(4, "mine")),
    "money, their cube": MatchState(cube=Cube(2, "theirs")),
    "money up to 4": MatchState(rules=Ruleset(cube_limit=4)),
    "5-away 6-away": MatchState(7, (2, 1), Cube(2, "mine")),
    "2-away 4-away": MatchState(5, (3, 1)),
    "4-away 2-away": MatchState(9, (5, 7), Cube(1, "centre")),
    "Crawford": MatchState(5, (4, 2), crawford=True),
    "after Crawford": MatchState(5, (2, 4)),
    "dead for one": MatchState(9, (7, 2), Cube(2, "mine")),
}


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize("name", STATES)
def test_values_are_those_of_a_search_to_the_end(name: str) -> None:
    state = STATES[name]
    random = Random(name)
    endings = BearoffSolver(MET)
    for _ in range(4):
        sides = [checkers({random.randint(1, 3): 1, random.randint(4, 7): 1}) for _ in range(2)]
        board = Board(*sides)
        value = endings.value(board, state)
        assert value is not None
        assert value.no_double == pytest.approx(emg(rolled(board, state), state), abs=1e-9)
        if state.may_double and value.double_take is not None:
            assert value.double_take == pytest.approx(emg(rolled(board, doubled(state)), state), abs=1e-9)
        # The other player's values come from the same table.
        turned_state = state.flipped()
        back = endings.value(board.flipped(), turned_state)
        assert back is not None
        assert back.no_double == pytest.approx(emg(rolled(board.flipped(), turned_state), turned_state), abs=1e-9)


@pytest.mark.parametrize("name", ["money", "5-away 6-away", "4-away 2-away"])
def test_a_value_is_the_mean_over_the_rolls_of_the_best_plays(name: str) -> None:
    """Five checkers against four: too many for a search to the end, so each value is held against those after it."""
    state = STATES[name]
    endings = BearoffSolver(MET, 2e8)
    board = Board(checkers({6: 2, 5: 1, 3: 1, 1: 1}), checkers({5: 2, 4: 1, 2: 1}))
    value = endings.value(board, state)
    assert value is not None

    def after_play(result: Board) -> float:
        if result.is_over:
            return 1.0
        found = endings.value(result.flipped(), state.flipped())
        assert found is not None
        return -found.best

    mean = (
        sum(weight * max(after_play(play.result) for play in legal_plays(board, dice)) for dice, weight in ROLLS) / 36
    )
    assert value.no_double == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("level", ["quick", "deep"])
def test_the_engine_answers_by_them(level: LevelName) -> None:
    pytest.importorskip("bgsage")
    engine = SageEngine(level, threads=1)
    take = Position.from_id("XGID=-DD------------------aada-:1:1:1:00:2:1:0:7:10")
    (cube,) = engine.cube([CubeQuestion(take.board, take.state)])
    assert isinstance(cube, CubeAnswer)
    assert cube.depth == "exact"
    assert cube.double_take - cube.double_pass == pytest.approx(0.168, abs=5e-4)
    # The other player has doubled their way to a pass whatever is played.
    lost = Position.from_id("XGID=-AD-B-A----------------dd-:1:-1:1:63:1:2:0:7:10")
    (plays,) = engine.checker([CheckerQuestion(lost.board, (6, 3), lost.state)])
    assert isinstance(plays, CheckerAnswer)
    assert {play.equity for play in plays.candidates} == {-1.0}
    (luck,) = engine.luck([LuckQuestion(lost.board, (6, 3), lost.state)])
    assert isinstance(luck, LuckAnswer)
    assert luck.equity == -1.0 < luck.mean


def test_what_is_no_ending_or_too_large_is_left_to_the_engine() -> None:
    endings = BearoffSolver(MET)
    far = checkers({12: 15})
    assert endings.value(Board(far, far), MatchState()) is None, "too far off"
    late = checkers({7: 1, 1: 2})
    assert endings.value(Board(checkers({1: 15}), late), MatchState()) is None, "a gammon, and the leader not at home"
    assert endings.value(Board(checkers({20: 1}), checkers({10: 1})), MatchState()) is None, "contact"
    assert endings.value(Board(checkers({}), checkers({1: 2})), MatchState()) is None, "over"


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("name", ["money", "5-away 6-away", "2-away 4-away", "after Crawford"])
def test_a_larger_race_is_valued_nearly(name: str) -> None:
    """Without two-sided tables, held against them."""
    state, random = STATES[name], Random(5)
    exact, approximation = BearoffSolver(MET, 2e8), BearoffSolver(MET, 0)
    apart: list[tuple[float, float]] = []
    while len(apart) < 20:
        board = Board(checkers({6: 2, 5: 2, 3: 1}), checkers({6: 1, 5: 2, 4: 1, 2: 1}))
        assert exact.value(board, state)
        for _ in range(random.randint(0, 2)):  # what follows is in the same table
            board = random.choice(legal_plays(board, (random.randint(1, 6), random.randint(1, 6)))).result.flipped()
        known, found = exact.value(board, state), approximation.value(board, state)
        if known is None or found is None:
            continue
        assert (known.is_exact, found.is_exact) == (True, False)
        assert found.win == pytest.approx(known.win, abs=0.012)
        apart.append((found.no_double - known.no_double, found.best - known.best))
    for part in zip(*apart, strict=True):
        assert mean(map(abs, part)) <= 0.005
        assert max(map(abs, part)) <= 0.03


def test_values_are_the_same_however_many_tables_are_kept() -> None:
    """A process that values a hundred thousand matches must not keep the tables of all of them."""
    rng = Random(5)
    plenty, none = BearoffSolver(MET), BearoffSolver(MET, most_held=1)
    positions = [
        (Board(checkers({rng.randint(1, 5): 2}), checkers({rng.randint(1, 5): 2})), MatchState(length, (0, 0), Cube(1)))
        for length in (5, 7, 0, 5, 9, 7, 0)
        for _ in range(3)
    ]
    for board, state in positions:
        one, two = none.value(board, state), plenty.value(board, state)
        assert one is not None
        assert one == two
        assert sum(map(len, none._tables.values())) == 1
    assert sum(map(len, plenty._tables.values())) > 3


@pytest.mark.thorough
def test_values_are_the_same_whatever_was_asked_before() -> None:
    """Exact values, bear-offs, races with checkers outside and races about a gammon."""
    rng = Random(9)
    boards = []
    for many, furthest in ((2, 7), (4, 6), (9, 6), (12, 10), (15, 14)):
        for _ in range(4):
            mine, theirs = (Counter(rng.randint(1, furthest) for _ in range(many)) for _ in range(2))
            boards.append(Board(checkers({**mine}), checkers({**theirs})))
        boards.append(Board(checkers({1: 3, 2: 2}), checkers({rng.randint(6, furthest): 4, 4: 11})))
    state = STATES["5-away 6-away"]
    alone = [BearoffSolver(MET).value(board, state) for board in boards]
    together = BearoffSolver(MET)
    rng.shuffle(order := [*range(len(boards)), *range(len(boards))])
    for at in order:
        plays = legal_plays(boards[at], (rng.randint(1, 6), rng.randint(1, 6)))
        together.values([play.result.flipped() for play in plays if not play.result.is_over], state.flipped())
        assert together.value(boards[at], state) == alone[at], boards[at]
    assert sum(value is not None for value in alone) > 20
    assert {value.is_exact for value in alone if value} == {True, False}


def test_races_at_sight_come_nearer_to_those_followed_by_how_their_rolls_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the variance says is worth most where the two sides differ in it: few checkers far off, and many near."""
    rng = Random(3)
    boards = [
        Board(
            checkers(Counter(rng.choices([6, 5, 4], k=rng.randint(6, 8)))),
            checkers(Counter(rng.choices([3, 2, 1], k=rng.randint(10, 13)))),
        )
        for _ in range(12)
    ]
    boards += [board.flipped() for board in boards]
    state = MatchState()

    def apart() -> list[float]:
        endings, found = BearoffSolver(MET, 0), []
        for board in boards:
            sight, followed = (endings.value(board, state, at_sight=each) for each in (True, False))
            assert sight is not None
            assert followed is not None
            if 0.3 < followed.win < 0.85:
                found.append(abs(sight.no_double - followed.no_double))
        return found

    usual = apart()
    monkeypatch.setattr(approximation, "BY_VARIANCE", 0.0)
    plain = apart()
    assert len(usual) > 10
    assert mean(usual) < 0.9 * mean(plain)


def test_a_play_is_worth_what_its_position_is_worth_alone() -> None:
    """That others are asked about with it does not shorten how far ahead it is looked at."""
    state = STATES["5-away 6-away"]
    board = Board(checkers({6: 4, 5: 3, 3: 2}), checkers({6: 2, 4: 3, 1: 4}))
    positions = [play.result.flipped() for play in legal_plays(board, (2, 1))]
    together = BearoffSolver(MET).values(positions, state)
    assert len(positions) > 5
    assert together == [BearoffSolver(MET).value(position, state) for position in positions]


def test_who_is_late_in_a_race_can_lose_a_gammon_before_anybody_has_borne_off() -> None:
    """GNU Backgammon 1.07 at 2-ply: the player on roll wins a gammon in nine games of ten."""
    position = Position.from_id("XGID=-DDCDc-aa-------------bce-:0:0:1:00:3:0:0:9:10")
    solver = BearoffSolver(default())
    (found,) = SageEngine("quick", threads=1).cube([CubeQuestion(position.board, position.state)])
    assert isinstance(found, CubeAnswer)
    assert found.probabilities is not None
    assert found.probabilities.win_gammon == pytest.approx(0.91, abs=0.05)
    # Where both sides come home in time, none is lost, and the tables serve as before.
    even = Position.from_id("XGID=-CCCCC--------------ccccc-:0:0:1:00:0:0:0:7:10")
    known = solver.value(even.board, even.state)
    assert known is not None
    assert known.chances[1] == 0
