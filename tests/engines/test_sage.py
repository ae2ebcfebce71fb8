"""The engine sage against values that can be counted, against itself, and against its pinned version."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.evaluation import evaluate
from bgtools.board.board import START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import (
    EXACT,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckAnswer,
    LuckQuestion,
    Probabilities,
    Refused,
    TableRefused,
)
from bgtools.engines.sage.engine import Round, SageEngine, _PlayValues
from bgtools.engines.sage.frame import Value, board_of, context, mean_of_rolls
from bgtools.engines.sage.native import SAMPLES, Native
from bgtools.met.finding import default
from bgtools.met.table import MatchEquityTable
from bgtools.positions.position import Position
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from bgtools.engines.protocol import LevelName

PINNED = "2.0.20260907"
try:
    INSTALLED = version("bgsage")
except PackageNotFoundError:
    INSTALLED = ""

pytestmark = pytest.mark.skipif(not INSTALLED, reason="bgsage is not installed here")

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
CONTACT = Board(
    checkers({24: 1, 20: 2, 13: 3, 8: 3, 6: 4, 5: 2}),
    checkers({24: 2, 13: 4, 8: 4, 6: 5}),
)
LAST_ROLL = Board(checkers({5: 1, 2: 1}), checkers({1: 1}))
SEVEN = MatchState(7)


@pytest.fixture(scope="module")
def quick() -> SageEngine:
    return SageEngine("quick")


@pytest.fixture(scope="module")
def standard() -> SageEngine:
    return SageEngine("standard", threads=1)


def _play(engine: SageEngine, question: CheckerQuestion) -> CheckerAnswer:
    (answer,) = engine.checker([question])
    assert isinstance(answer, CheckerAnswer)
    return answer


def _cube(engine: SageEngine, position: Board, state: MatchState) -> CubeAnswer:
    (answer,) = engine.cube([CubeQuestion(position, state)])
    assert isinstance(answer, CubeAnswer)
    return answer


def _luck(engine: SageEngine, questions: list[LuckQuestion]) -> list[LuckAnswer]:
    answers = engine.luck(questions)
    assert not any(isinstance(answer, Refused) for answer in answers)
    return [answer for answer in answers if isinstance(answer, LuckAnswer)]


# --- values that can be counted ---------------------------------------------------------------


def _chance_of_bearing_off(position: Board) -> float:
    off = 0
    for high in range(1, 7):
        for low in range(1, 7):
            off += any(not any(play.result.mine[1:]) for play in legal_plays(position, (high, low)))
    return off / 36


@pytest.mark.parametrize("level", ["quick", "standard"])
def test_the_last_roll_is_exact(level: str, request: pytest.FixtureRequest) -> None:
    engine: SageEngine = request.getfixturevalue(level)
    chance = _chance_of_bearing_off(LAST_ROLL)
    answer = _cube(engine, LAST_ROLL, MatchState())
    assert 0.4 < chance < 0.6
    assert answer.probabilities is not None
    assert answer.probabilities.win == pytest.approx(chance, abs=1e-3)
    assert answer.no_double == pytest.approx(2 * chance - 1, abs=2e-3)
    assert answer.double_take == pytest.approx(2 * (2 * chance - 1), abs=4e-3)
    assert answer.double_pass == 1.0


def test_a_roll_that_ends_the_game_is_worth_the_win(quick: SageEngine) -> None:
    position = Board(checkers({1: 2}), checkers({6: 15}))
    gammon = _play(quick, CheckerQuestion(position, (6, 5), MatchState(cube=Cube(2, "theirs"))))
    assert [candidate.equity for candidate in gammon.candidates] == [2.0]
    jacoby = MatchState(rules=Ruleset(jacoby=True))
    assert _play(quick, CheckerQuestion(position, (6, 5), jacoby)).best.equity == pytest.approx(1.0)


@pytest.mark.parametrize("state", [MatchState(), SEVEN, MatchState(7, (5, 2)), MatchState(5, (4, 2), crawford=True)])
def test_luck_is_the_best_play_less_rolling_on(quick: SageEngine, state: MatchState) -> None:
    """As the cards of the turn say it; over all rolls it adds up to what one ply more makes of the position."""
    answers = _luck(quick, [LuckQuestion(CONTACT, roll, state) for roll in ROLLS])
    for answer, roll in zip(answers, ROLLS, strict=True):
        assert answer.equity == _play(quick, CheckerQuestion(CONTACT, roll, state)).best.equity
        assert answer.luck == pytest.approx(answer.equity - answer.mean)
    if state.may_double:
        assert answers[0].mean == _cube(quick, CONTACT, state).no_double
    assert mean_of_rolls([answer.luck for answer in answers]) == pytest.approx(0, abs=0.02)
    assert max(answer.luck for answer in answers) > 0.1
    assert len({answer.depth for answer in answers}) == 1
    assert all((answer.mwc is None) == state.is_money for answer in answers)


@pytest.mark.parametrize("score", [(0, 0), (3, 0)])
def test_the_luck_of_all_opening_outcomes_adds_up_to_nothing(quick: SageEngine, score: tuple[int, int]) -> None:
    state = MatchState(7, score)
    mixed = [roll for roll in ROLLS if roll[0] != roll[1]]
    questions = [LuckQuestion(START, roll, seen, True) for seen in (state, state.flipped()) for roll in mixed]
    mwc = [answer.mwc or 0.0 for answer in _luck(quick, questions)]
    own, others = mwc[: len(mixed)], mwc[len(mixed) :]
    assert sum(own) - sum(others) == pytest.approx(0, abs=1e-6)
    assert sum(own) > 0.02  # to start is worth something


@pytest.mark.parametrize(
    ("convention", "luck"),
    [("gnubg30", 0.21), ("match-equity", 0.21), ("roller15", 0.165), ("naive36", 0.114)],
)
def test_31_as_an_opening_roll_by_four_conventions(quick: SageEngine, convention: str, luck: float) -> None:
    (answer,) = _luck(quick, [LuckQuestion(START, (1, 3), SEVEN, True, convention)])  # type: ignore[arg-type]
    assert answer.luck == pytest.approx(luck, abs=0.035)


def test_an_opening_double_is_refused(quick: SageEngine) -> None:
    (answer,) = quick.luck([LuckQuestion(START, (3, 3), SEVEN, True)])
    assert answer == Refused("an opening roll is never a double, here 33")


# --- promises of the answers -------------------------------------------------------------------


def _questions() -> list[CheckerQuestion]:
    """Every roll of a contact position, with the play that looks worst as the one made."""
    found = []
    for roll in ROLLS:
        plays = legal_plays(CONTACT, roll)
        found.append(CheckerQuestion(CONTACT, roll, MatchState(7, (2, 4)), plays[len(plays) // 2].result))
    return found


@pytest.fixture(scope="module")
def answers(standard: SageEngine) -> tuple[CheckerAnswer, ...]:
    """What the engine says of every roll, asked once for all who look at it."""
    found = standard.checker(_questions())
    checked = tuple(answer for answer in found if isinstance(answer, CheckerAnswer))
    assert len(checked) == len(found) == len(ROLLS)
    return checked


@pytest.mark.thorough
def test_best_and_played_are_compared_at_one_depth_and_none_is_deeper(answers: tuple[CheckerAnswer, ...]) -> None:
    depths = set()
    for answer in answers:
        assert answer.played is not None
        assert answer.best.rank == answer.played.rank == max(candidate.rank for candidate in answer.candidates)
        level = [candidate for candidate in answer.candidates if candidate.rank == answer.best.rank]
        assert all(one.equity >= two.equity for one, two in pairwise(level))
        assert answer.loss is not None
        assert answer.loss >= 0
        depths.add(answer.best.depth)
    assert depths >= {"2-ply", "3-ply sampled", "4-ply sampled"}


@pytest.mark.thorough
def test_no_play_tops_the_list_on_a_shallower_value(answers: tuple[CheckerAnswer, ...]) -> None:
    for answer in answers:
        for candidate in answer.candidates:
            if candidate.rank == answer.best.rank - 1:
                assert candidate.equity <= answer.best.equity


@pytest.mark.thorough
def test_probabilities_nest(answers: tuple[CheckerAnswer, ...]) -> None:
    for answer in answers:
        for candidate in answer.candidates:
            odds = candidate.probabilities
            assert odds is not None
            assert 0 <= odds.win_backgammon <= odds.win_gammon <= odds.win <= 1
            assert 0 <= odds.lose_backgammon <= odds.lose_gammon <= 1 - odds.win


@pytest.mark.thorough
def test_answers_do_not_depend_on_threads_or_company(standard: SageEngine, answers: tuple[CheckerAnswer, ...]) -> None:
    questions = _questions()
    cubes = [CubeQuestion(CONTACT, MatchState(7, (2, 4))), CubeQuestion(CONTACT, SEVEN)]
    luck = [LuckQuestion(CONTACT, roll, SEVEN) for roll in ROLLS]
    other = SageEngine("standard", threads=3)
    backwards = questions[::-1]
    assert answers == other.checker([*backwards, *questions])[len(backwards) :]
    assert standard.cube(cubes) == other.cube(cubes[::-1])[::-1]
    assert standard.luck(luck) == other.luck(luck[::-1])[::-1]


def test_money_and_match_questions_do_not_disturb_each_other(quick: SageEngine) -> None:
    jacoby = MatchState(rules=Ruleset(jacoby=True))
    plain = MatchState()
    questions = [CheckerQuestion(CONTACT, (6, 4), state) for state in (SEVEN, jacoby, plain)]
    together = quick.checker(questions)
    assert together == tuple(quick.checker([question])[0] for question in questions)
    equities = {answer.best.equity for answer in together if isinstance(answer, CheckerAnswer)}
    assert len(equities) == 3


def test_what_cannot_be_served_is_refused_and_the_rest_answered(quick: SageEngine) -> None:
    bad = CheckerQuestion(START, (0, 1), SEVEN)
    good = CheckerQuestion(START, (3, 1), SEVEN)
    answers = quick.checker([bad, good, bad])
    assert answers[0] == answers[2] == Refused("dice 0 and 1: a die shows 1 to 6")
    assert isinstance(answers[1], CheckerAnswer)
    (answer,) = quick.cube([CubeQuestion(START, MatchState(7, cube=Cube(2, "theirs")))])
    assert answer == Refused("the player on roll may not double")


def test_a_deeper_look_does_not_turn_the_board_round(quick: SageEngine) -> None:
    native = quick._native
    at = context(MatchState(7, (2, 4)))
    for roll in ((6, 4), (3, 3), (2, 1)):
        board = board_of(legal_plays(CONTACT, roll)[0].result)
        (shallow,) = native.shallow([(board, at)])
        for plies in (2, 3):
            deep = native.after_play(board, at, plies)
            assert deep.equity == pytest.approx(shallow.equity, abs=0.15)
            assert deep.probabilities.win == pytest.approx(shallow.probabilities.win, abs=0.05)
            assert deep.probabilities.lose_gammon == pytest.approx(shallow.probabilities.lose_gammon, abs=0.05)


@pytest.mark.thorough
def test_a_sample_tells_plays_apart_nearly_as_a_search_does(quick: SageEngine) -> None:
    native, at = quick._native, context(SEVEN)
    far: dict[int, list[float]] = {6: [], 9: []}
    for roll in ((6, 4), (3, 1), (5, 2), (4, 4)):
        boards = [board_of(play.result) for play in legal_plays(CONTACT, roll)]
        less = {board: native.after_play(board, at, 2).equity for board in boards}
        boards = sorted(boards, key=lambda board: -less[board])[:4]
        deep = [native.after_play(board, at, 3).equity for board in boards]
        for rolls, apart in far.items():
            gains = native.gains([(board, at) for board in boards], 3, SAMPLES[rolls])
            found = [less[board] + gain for board, gain in zip(boards, gains, strict=True)]
            apart += [abs(found[0] - found[k] - deep[0] + deep[k]) for k in range(1, 4)]
    assert sum(far[6]) / 12 < 0.012
    assert sum(far[9]) / 12 < 0.010
    assert max(far[9]) < 0.03


@pytest.mark.parametrize("plies", [2, 3, 4])
def test_a_game_that_is_over_holds_nothing_to_look_deeper_at(quick: SageEngine, plies: int) -> None:
    native, at = quick._native, context(SEVEN)
    won = board_of(Board(checkers({}), checkers({6: 15})))
    on = board_of(Board(checkers({5: 1, 4: 4}), checkers({6: 15})))
    over, open_ = native.gains([(won, at), (on, at)], plies, SAMPLES[6])
    assert over == 0.0
    assert abs(open_) < 0.1


def test_the_rolls_of_a_sample_favour_no_number() -> None:
    for size, rolls in SAMPLES.items():
        assert len(set(rolls)) == size
        numbers = [number for roll in rolls for number in roll]
        assert {numbers.count(number) for number in range(1, 7)} == {size // 3}
        assert all(high > low for high, low in rolls)


@pytest.mark.parametrize("state", [SEVEN, MatchState(), MatchState(7, (2, 4)), MatchState(7, (2, 4), Cube(2, "mine"))])
def test_rolling_on_is_the_mean_of_all_rolls_whether_or_not_a_double_is_near(
    quick: SageEngine, state: MatchState
) -> None:
    """Where one search tells what rolling on is worth, and where each roll is looked at, the rolls say the same."""
    ahead = Board(checkers({13: 2, 8: 3, 6: 4, 5: 3, 4: 3}), checkers({24: 2, 13: 4, 8: 4, 6: 5}))
    native = quick._native
    for position in (CONTACT, ahead, CONTACT.flipped()):
        place = (board_of(position), context(state))
        values = native.equities_after_plays(plays := native.best_plays([(*place, roll) for roll in ROLLS]))
        (cube,) = native.searched_cubes([place])
        assert cube.no_double == pytest.approx(mean_of_rolls([values[play] for play in plays]), abs=2e-4)


def _case(played: int, *values: tuple[float, int]) -> _PlayValues:
    """A decision with plays of given (equity, depth)."""
    plays = legal_plays(START, (2, 1))[: len(values)]
    case = _PlayValues(
        board_of(START), context(SEVEN), (2, 1), plays, [board_of(play.result) for play in plays], played
    )
    case.values = [Value(equity, Probabilities(0.5, 0, 0, 0, 0)) for equity, _ in values]
    case.ranks = [depth for _, depth in values]
    case.depths = [(depth, "search") for _, depth in values]
    return case


def test_a_deeper_value_comes_before_a_higher_one() -> None:
    assert _case(0, (0.1, 2), (0.5, 1), (0.2, 2)).order() == [2, 0, 1]


def test_a_play_left_behind_is_looked_at_when_all_others_fell_below_it() -> None:
    assert _case(0, (0.1, 2), (0.5, 1), (0.2, 2)).overlooked(Round(2, 0.1)) == [1]
    assert _case(0, (0.1, 2), (0.15, 1), (0.2, 2)).overlooked(Round(2, 0.1)) == []
    assert _case(0, (0.1, 1), (0.15, 1)).overlooked(Round(2, 0.1)) == []


def test_what_a_round_compares() -> None:
    step = Round(2, width=0.1, most=2, clear=0.2)
    assert _case(3, (0.5, 1), (0.45, 1), (0.44, 1), (0.1, 1)).to_search(step) == [0, 1, 3]
    assert _case(0, (0.5, 1), (0.45, 1), (0.44, 1)).to_search(step) == [0, 1]
    assert _case(0, (0.5, 1), (0.2, 1)).to_search(step) == []  # nothing can catch up
    assert _case(0, (0.5, 1)).to_search(step) == []
    careful = Round(3, width=0.1, most=2, least=0.3)
    assert _case(1, (0.5, 2), (0.45, 2)).to_search(careful) == []
    assert _case(1, (0.5, 2), (0.1, 2)).to_search(careful) == [0, 1]


@pytest.mark.quick(one_in=7)
@pytest.mark.parametrize(
    "state",
    [
        MatchState(),
        MatchState(rules=Ruleset(jacoby=True, beavers=1)),
        MatchState(cube=Cube(2, "mine")),
        MatchState(7, (5, 3)),
        MatchState(5, (3, 1)),
        MatchState(5, (4, 2)),
        MatchState(7, (4, 2), Cube(2, "mine")),
    ],
)
@pytest.mark.parametrize("plies", [2, 3])
def test_a_cube_decision_is_worth_what_bgsages_own_call_says(quick: SageEngine, state: MatchState, plies: int) -> None:
    native, at = quick._native, context(state)
    for position in (CONTACT, START):
        board = board_of(position)
        told = native._cpp.cube_decision_nply_unified(
            list(board), at.cube, native._owners[at.owner], plies, *native._model, n_threads=1, away1=at.away[0],
            away2=at.away[1], is_crawford=at.crawford, jacoby=at.jacoby, beaver=at.beaver, bearoff_db=native._bearoff,
        )  # fmt: skip
        (found,) = native.cubes([(board, at)], plies)
        # It looks at plays of its own choice.
        assert found.no_double == pytest.approx(told["equity_nd"], abs=0.03)
        assert found.double_take == pytest.approx(told["equity_dt"], abs=0.03)
        assert found.is_beaver == told["is_beaver"]


def test_a_sampled_cube_decision_is_near_a_searched_one(quick: SageEngine) -> None:
    native = quick._native
    for state in (SEVEN, MatchState(), MatchState(5, (3, 1))):
        for position in (CONTACT, START, CONTACT.flipped()):
            place = board_of(position), context(state)
            (deep,) = native.cubes([place], 3)
            (found,) = native.cubes([place], 3, SAMPLES[6])
            assert found.no_double == pytest.approx(deep.no_double, abs=0.03)
            assert found.double_take == pytest.approx(deep.double_take, abs=0.05)


def test_a_beaver_doubles_what_a_take_is_worth(quick: SageEngine) -> None:
    behind = CONTACT.flipped()
    board = board_of(behind)
    deep = [quick._native.cubes([(board, context(MatchState(rules=Ruleset(beavers=many))))], 2)[0] for many in (0, 1)]
    assert deep[1].double_take == pytest.approx(2 * deep[0].double_take, abs=0.1)
    allowed = _cube(quick, behind, MatchState(rules=Ruleset(beavers=1)))
    barred = _cube(quick, behind, MatchState())
    assert allowed.is_beaver
    assert not barred.is_beaver
    assert allowed.double_take < barred.double_take < 0


def test_progress_only_grows_and_reaches_the_end(quick: SageEngine) -> None:
    seen: list[tuple[int, int]] = []
    quick.luck([LuckQuestion(CONTACT, roll, SEVEN) for roll in ROLLS], lambda done, total: seen.append((done, total)))
    quick.checker(_questions(), lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]


# --- golden values -----------------------------------------------------------------------------

MOVED = f"bgsage {INSTALLED} gives other values than {PINNED}, which these are of: measure anew (docs/engines.md)"


def test_golden_plays(standard: SageEngine) -> None:
    answer = _play(standard, CheckerQuestion(START, (3, 1), SEVEN))
    assert str(answer.best.play) == "8/5 6/5", MOVED
    assert answer.best.equity == pytest.approx(GOLDEN_31, abs=0.002), MOVED


def test_golden_cube(standard: SageEngine) -> None:
    answer = _cube(standard, CONTACT, SEVEN)
    assert (answer.no_double, answer.double_take) == pytest.approx(GOLDEN_CUBE, abs=0.002), MOVED


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("level", ["quick", "standard", "deep"])
def test_golden_losses(level: LevelName) -> None:
    """What the same decisions cost at each level, in EMG."""
    losses = [answer.loss for answer in SageEngine(level).checker(GOLDEN) if isinstance(answer, CheckerAnswer)]
    assert losses == pytest.approx(GOLDEN_LOSSES[level], abs=0.004), MOVED


GOLDEN_31 = 0.2344
GOLDEN_CUBE = (0.6474, 0.6266)
GOLDEN = [
    CheckerQuestion(position, dice, SEVEN, legal_plays(position, dice)[at].result)
    for position in (START, CONTACT, CONTACT.flipped())
    for dice, at in (((4, 1), 3), ((6, 5), 1), ((2, 2), 20))
]
GOLDEN_LOSSES: dict[LevelName, list[float]] = {
    "quick": [0.0, 0.0492, 0.4001, 0.2915, 0.0, 0.4932, 0.0206, 0.1363, 0.4943],
    "standard": [0.0, 0.0569, 0.3831, 0.3189, 0.0, 0.4900, 0.0370, 0.1561, 0.4991],
    "deep": [0.0, 0.0499, 0.3766, 0.2960, 0.0, 0.4905, 0.0370, 0.1542, 0.5070],
}


# --- the match equity table ---------------------------------------------------------------------


def test_a_table_that_bgsage_does_not_play_by_is_refused_by_name(quick: SageEngine) -> None:
    met = default()
    other = MatchEquityTable("mine.xml", met.pre_crawford, (*met.post_crawford[:7], 0.1, *met.post_crawford[8:]))
    with pytest.raises(TableRefused, match=r"sage plays by Kazaross-XG2 .*, mine\.xml among them; the engine gnubg"):
        SageEngine("quick", met=other)
    # The same numbers under another name are the same table.
    same = SageEngine("quick", met=MatchEquityTable("Kazaross XG2.met", met.pre_crawford, met.post_crawford))
    assert same.stamp == quick.stamp
    assert same.met is quick.met is met


@pytest.mark.parametrize(("fields", "least"), [("0:53:0:0", -3.0), ("0:3:0:7", -3.43459)])
def test_a_sample_of_rolls_never_makes_a_play_worse_than_a_lost_backgammon(
    quick: SageEngine, fields: str, least: float
) -> None:
    # Nearly every roll of the other player loses a backgammon, and a sample has more doubles or fewer than all rolls.
    position = Position.from_id(f"XGID=------C-C----C----AAC-A-d-:0:0:1:66:{fields}:10")
    (played,) = (play.result for play in position.legal_plays() if str(play) == "13/1(2)")
    assert position.dice is not None
    (answer,) = quick.checker([CheckerQuestion(position.board, position.dice, position.state, played)])
    assert isinstance(answer, CheckerAnswer)
    assert answer.played is not None
    assert answer.played.depth == "3-ply sampled"
    assert answer.played.equity == pytest.approx(least, abs=1e-5)


def test_the_cube_is_valued_alike_whoever_asks(standard: SageEngine) -> None:
    """Nobody would double here, and what doubling loses is the same whether somebody did or not."""
    position = Position.from_id("XGID=--aACBCCB----------bbbdcaA:1:1:1:00:5:0:0:11:10")
    answer = _cube(standard, position.board, position.state)
    assert answer.no_double - answer.double == pytest.approx(0.766, abs=0.03), "as a search of 3 plies says"
    found = evaluate(position, standard)
    assert found.cube == answer
    assert {choice.depth for choice in found.choices} == {answer.depth}


# --- a cube that may go no higher -------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 9])
@pytest.mark.parametrize("level", ["quick", "standard"])
def test_a_cube_at_its_limit_is_worth_nothing_to_its_owner(level: LevelName, length: int) -> None:
    engine = SageEngine(level, threads=1)
    rules = Ruleset(jacoby=False, beavers=0, cube_limit=2)
    mine, theirs = (MatchState(length, cube=Cube(2, owner), rules=rules) for owner in ("mine", "theirs"))
    plays = [_play(engine, CheckerQuestion(CONTACT, (6, 1), state)) for state in (mine, theirs)]
    for one, two in zip(plays[0].candidates, plays[1].candidates, strict=True):
        assert one.equity == pytest.approx(two.equity, abs=1e-6)
    free = _play(engine, CheckerQuestion(CONTACT, (6, 1), MatchState(length, cube=Cube(2, "mine"))))
    assert free.best.equity > plays[0].best.equity + 0.02
    best = plays[0].best
    if not length:
        assert best.probabilities is not None
        assert best.equity == pytest.approx(best.probabilities.equity, abs=1e-6)
    for luck in _luck(engine, [LuckQuestion(CONTACT, (6, 1), state) for state in (mine, theirs)]):
        assert luck.equity == pytest.approx(best.equity, abs=0.06)


def test_the_last_double_is_valued_as_the_last(standard: SageEngine) -> None:
    rules = Ruleset(jacoby=False, beavers=0, cube_limit=4)
    free = _cube(standard, CONTACT, MatchState(cube=Cube(2, "mine")))
    last = _cube(standard, CONTACT, MatchState(cube=Cube(2, "mine"), rules=rules))
    # Whoever takes the last cube can never turn it.
    assert last.double_take > free.double_take + 0.05
    many = _cube(standard, CONTACT, MatchState(cube=Cube(2, "mine"), rules=Ruleset(cube_limit=4096)))
    assert many == free


@pytest.mark.parametrize("state", [MatchState(cube=Cube(2, "mine")), MatchState(7, cube=Cube(2, "mine"))])
def test_how_deep_rolls_are_looked_at_follows_from_the_position(standard: SageEngine, state: MatchState) -> None:
    """Whichever roll came, the depth and the mean are the same, so that nobody is favoured by a deeper look."""
    answers = _luck(standard, [LuckQuestion(CONTACT, roll, state) for roll in ROLLS])
    assert len({answer.depth for answer in answers}) == 1
    assert answers[0].depth != "1-ply"
    assert len({answer.mean for answer in answers}) == 1
    total = sum(answer.luck * (1 if high == low else 2) for answer, (high, low) in zip(answers, ROLLS, strict=True))
    assert total / 36 == pytest.approx(0, abs=0.03), "a sample of the rolls stands for all in the deeper look"
    (alone,) = _luck(standard, [LuckQuestion(CONTACT, (5, 2), state)])
    assert alone == answers[ROLLS.index((5, 2))]


@pytest.mark.parametrize("state", [MatchState(), SEVEN])
def test_what_each_roll_is_worth_is_told_where_it_is_asked_for(quick: SageEngine, state: MatchState) -> None:
    asked = [LuckQuestion(CONTACT, roll, state) for roll in ROLLS]
    usual, told = _luck(quick, asked), _luck(quick, [replace(question, rolls=True) for question in asked])
    assert [replace(answer, rolls=()) for answer in told] == usual
    assert not any(answer.rolls for answer in usual)
    (each,) = {answer.rolls for answer in told}
    assert each == pytest.approx([answer.equity for answer in usual], abs=0.15), "a ply less deep"
    (alone,) = _luck(quick, [replace(asked[4], rolls=True)])
    assert alone == told[4]


def test_what_rolls_are_worth_is_told_of_openings_endings_and_deeper_looks_too(
    quick: SageEngine, standard: SageEngine
) -> None:
    last = Board(checkers({1: 2, 2: 1}), checkers({1: 3}))
    longer = Board(checkers({5: 5, 6: 10}), checkers({5: 5, 6: 10}))
    for engine, question in (
        (quick, LuckQuestion(START, (3, 1), SEVEN, opening=True)),
        (standard, LuckQuestion(CONTACT, (3, 1), SEVEN)),
        (quick, LuckQuestion(last, (2, 1), SEVEN)),
        (quick, LuckQuestion(longer, (2, 1), SEVEN)),
    ):
        (usual,), (told,) = _luck(engine, [question]), _luck(engine, [replace(question, rolls=True)])
        assert replace(told, rolls=()) == usual
        assert len(told.rolls) == 21
        came = told.rolls[ROLLS.index((question.dice[0], question.dice[1]))]
        assert came == pytest.approx(told.equity, abs=0.1 if engine is standard else 0.03)
    (told,) = _luck(quick, [LuckQuestion(last, (2, 1), SEVEN, rolls=True)])
    assert told.depth == EXACT
    # A double takes off all three.
    assert [value == 1 for value in told.rolls] == [high == low for high, low in ROLLS]


class Counted:
    """Values that tell how deep they were asked for: the place of the depth is their decimal."""

    def near_doubles(self, _: object) -> set[object]:
        return set()

    def best_plays(self, situations: list[object]) -> list[int]:
        return [*range(len(situations))]

    def after_plays(self, answers: list[int], plies: int) -> dict[int, Value]:
        return {answer: Value(plies / 10, EVEN) for answer in answers}

    def after_play(self, _: object, __: object, plies: int) -> Value:
        return Value(float(plies), EVEN)

    def bounded(self, equity: float, _: object) -> float:
        return equity


EVEN = Probabilities(0.5, 0.0, 0.0, 0.0, 0.0)


def test_a_sample_adds_what_the_last_ply_changes_to_a_search_that_is_one_ply_shorter() -> None:
    at = context(MatchState())
    found = Native.after_play_by_sample(Counted(), board_of(START), at, 3, [(2, 1), (6, 5)])  # type: ignore[arg-type]
    assert found.equity == pytest.approx(2 + 0.1 - 0.2)
