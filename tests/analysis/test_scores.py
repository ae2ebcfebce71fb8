"""Errors asked again at other scores, and positions at every score: the same answers as of one position at a time."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bgtools
from bgtools.analysis.errors import judge_cube
from bgtools.analysis.evaluation import evaluate
from bgtools.analysis.lessons import with_lessons
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.phases import gammon_value_of
from bgtools.analysis.score_grid import CLOSE, MOST_PLAYS, VERDICTS, at_cubes, at_scores, error_grids
from bgtools.analysis.scores import RIGHT, SCORE_CLASSES, ScoreAnswer, ask_elsewhere, state_at
from bgtools.drawing.shapes import TextLine
from bgtools.engines.gnubg.engine import GnubgEngine
from bgtools.engines.protocol import CheckerQuestion, CubeAnswer, CubeQuestion, Refused
from bgtools.engines.sage.engine import SageEngine
from bgtools.formats.reading import read
from bgtools.met.finding import default
from bgtools.positions.notations import decode_id
from bgtools.positions.position import Position
from bgtools.record.record import CheckerPlay
from bgtools.replayer.match import replay
from bgtools.reports.score_grids import grid_lines, grid_picture
from bgtools.rules.cube import Cube, MatchState
from gnubg_judge import needs_gnubg
from lesson_rows import without_plan
from support import some_or_all

if TYPE_CHECKING:
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.score_grid import ScoreGrid
    from bgtools.analysis.totals import Analysis

ROOT = Path(__file__).parents[2]
RACE = "XGID=-----CCCCC---c---cccc-----:0:0:1:00:0:0:0:7:10"
PLAY = "XGID=-b----E-C---eE---c-e----B-:0:0:1:41:0:0:0:7:10"


@pytest.fixture(scope="module")
def engine() -> SageEngine:
    return SageEngine("quick", threads=1)


@pytest.fixture(scope="module", params=["one-point", pytest.param("seven-point", marks=pytest.mark.thorough)])
def analysis(engine: SageEngine, request: pytest.FixtureRequest) -> Analysis:
    return analyse(read(ROOT / "samples" / f"{request.param}.mat"), engine)


def test_the_four_scores_are_those_that_players_call_so() -> None:
    state = MatchState(7, (3, 1), Cube(2, "mine"))
    for score in SCORE_CLASSES:
        for side in (state, state.flipped()):
            there = state_at(score, side)
            need = gammon_value_of(
                there.score, there.length, there.cube.value, there.cube.owner, crawford=there.crawford
            )
            assert need == score
    assert state_at("money", state).cube == state.cube


def test_an_error_is_right_where_the_engine_says_so(engine: SageEngine, analysis: Analysis) -> None:
    compared = 0
    for row in analysis.decisions:
        if not row.error or row.kind not in ("checker play", "no double", "double", "take", "pass"):
            assert row.right_at == ()
            continue
        position = decode_id(row.xgid)
        losses = {}
        for score in SCORE_CLASSES:
            state = state_at(score, position.state)
            if row.kind == "checker play":
                assert position.dice is not None
                played = position.play(row.played).board.flipped()
                (answer,) = engine.checker([CheckerQuestion(position.board, position.dice, state, played)])
                losses[score] = answer.loss  # type: ignore[union-attr]
            elif score == "money":
                (cube,) = engine.cube([CubeQuestion(position.board, state)])
                losses[score] = judge_cube(row.kind, cube).loss  # type: ignore[arg-type]
        own = gammon_value_of(row.score, row.length, row.cube, row.cube_owner, crawford=row.crawford)
        right = tuple(score for score, loss in losses.items() if score != own and loss is not None and loss < RIGHT)
        assert row.right_at == right, row
        assert row.loss_at_money == losses["money"]
        assert ("score" in row.themes) == ("money" in right)
        assert without_plan(row.sentence).startswith("right ") == bool(right)
        compared += 1
    assert compared > 5


def test_errors_about_the_score_are_counted_in_the_break_down(analysis: Analysis) -> None:
    about = [row for row in analysis.decisions if "score" in row.themes]
    counted = {row.player: row for row in analysis.breakdowns if row.dimension == "reason"}
    assert about
    for player in (0, 1):
        own = [row for row in about if row.player == player]
        assert (counted[player].errors if player in counted else 0) == len(own)


@pytest.mark.thorough
def test_other_levels_ask_at_quick_and_believe_it_where_it_sees_the_error_too(engine: SageEngine) -> None:
    standard = SageEngine("standard", threads=1)
    assert standard.quicker.stamp.level == "quick"
    assert engine.quicker is engine
    match = read(ROOT / "samples" / "one-point.mat")
    for row in analyse(match, standard).decisions:
        if row.error and row.kind == "checker play":
            position = decode_id(row.xgid)
            assert position.dice is not None
            played = position.play(row.played).board.flipped()
            asked = CheckerQuestion(position.board, position.dice, position.state, played)
            (here,) = engine.checker([asked])
            assert (row.loss_at_money is None) == (here.loss < RIGHT)  # type: ignore[union-attr,operator]


def test_nothing_is_asked_of_what_a_record_says(engine: SageEngine, analysis: Analysis) -> None:
    """A record searches nothing, so it has no answer at another score."""

    class Recorded(SageEngine):
        def __init__(self) -> None:
            self.stamp = replace(engine.stamp, is_recorded=True)

    assert ask_elsewhere([], analysis.decisions, Recorded()) == ((),) * len(analysis.decisions)
    assert error_grids(analysis.decisions, Recorded()) == ()


def _row(analysis: Analysis, kind: str = "checker play") -> DecisionRow:
    return next(row for row in analysis.decisions if row.error and row.kind == kind and row.length)


@pytest.mark.parametrize(
    ("others", "begins"),
    [
        ([ScoreAnswer("money", 0.0)], "right for money, where it costs nothing"),
        ([ScoreAnswer("money", 0.0123)], "right for money, where it costs 0.012"),
        ([ScoreAnswer("money", 0.1), ScoreAnswer("gammon-go", 0.0)], "right at gammon-go; "),
        (
            [ScoreAnswer("money", 0.001), ScoreAnswer("double match point", 0.0)],
            "right for money, where it costs 0.001, and at double match point",
        ),
        ([ScoreAnswer("money", 0.2, "13/8"), ScoreAnswer("gammon-go", 0.3, "13/8")], "for money and at gammon-go 13/8"),
    ],
)
def test_the_sentence_says_first_where_the_answer_is_another(
    analysis: Analysis, others: list[ScoreAnswer], begins: str
) -> None:
    (row,) = with_lessons([_row(analysis)], met=default(), elsewhere=[others])
    assert without_plan(row.sentence).startswith(begins)
    (bare,) = with_lessons([_row(analysis)], met=default())
    assert row.sentence.endswith(without_plan(bare.sentence))
    assert not without_plan(bare.sentence).startswith(("right", "for money"))


def _same(grid: ScoreGrid, engine: SageEngine) -> int:
    """How many cells are what `evaluate` says of their position, to the bit."""
    compared = 0
    for cell in grid.every:
        if cell.evaluation is not None:
            made = None
            if grid.made and grid.is_of_plays:
                made = grid.position.play(grid.made).board.flipped()
            assert evaluate(cell.position, SageEngine("quick", threads=1), made=made) == cell.evaluation
            compared += 1
    assert engine.stamp == grid.stamp
    return compared


@pytest.mark.parametrize(("xgid", "made"), [(RACE, ""), (PLAY, "24/23 13/9"), (RACE.replace(":00:", ":D:"), "")])
def test_a_grid_says_what_is_said_of_one_position(engine: SageEngine, xgid: str, made: str) -> None:
    assert _same(at_scores(xgid, 3, engine=engine, made=made), engine) >= 9
    assert _same(at_cubes(xgid, engine=engine, made=made), engine) >= 4


def test_a_grid_has_every_score_once(engine: SageEngine) -> None:
    grid = at_scores(PLAY, 4, engine=engine)
    seen = [(cell.position.state.away, cell.position.state.crawford) for cell in grid.cells]
    assert len(seen) == len(set(seen)) == 16 + 2 * 3
    assert {away for away, _ in seen} == {(own, other) for own in range(1, 5) for other in range(1, 5)}
    assert all(1 in away and away != (1, 1) for away, crawford in seen if crawford)
    assert grid.money is not None
    assert grid.money.position.state.is_money


def test_at_even_scores_both_players_see_the_same(engine: SageEngine) -> None:
    """The start is the same for both sides, so its verdict at a score is that of the same score however it is told."""
    start = Position(state=MatchState(7, (0, 0)), dice=(3, 1))
    ours = at_scores(start, 4, engine=engine)
    theirs = at_scores(replace(start, upper=True, names=("Bob", "Ann")), 4, engine=engine)
    assert [cell.evaluation and cell.evaluation.choices for cell in ours.every] == [
        cell.evaluation and cell.evaluation.choices for cell in theirs.every
    ]
    longer = at_scores(replace(start, state=MatchState(25, (20, 19))), 4, engine=engine)
    assert [cell.best for cell in longer.every] == [cell.best for cell in ours.every]


def test_marks_tell_verdicts_apart_without_colours(engine: SageEngine) -> None:
    cube = at_scores(RACE, 5, engine=engine)
    assert set(cube.verdicts) <= set(VERDICTS)
    assert {cube.marks[each] for each in cube.verdicts} >= {"ND", "DT"}
    plays = at_scores(PLAY, 5, engine=engine)
    assert [plays.marks[play] for play in plays.verdicts][:MOST_PLAYS] == list("ABCDE")[: len(plays.verdicts)]
    for cell in (*cube.every, *plays.every):
        if cell.evaluation is not None and cell.is_close and cell.evaluation.plays:
            assert cell.evaluation.choices[1].loss < CLOSE


@pytest.mark.parametrize(
    ("xgid", "to", "why"),
    [
        (RACE, 26, "scores go from 2 to 25 points away, as far as Kazaross-XG2 does; not 26"),
        (RACE, 1, "not 1"),
        (RACE.replace(":1:00", ":1:00").replace(":0:0:1:", ":1:-1:1:"), 7, "the other player owns the cube"),
        ("XGID=-O------------------------:0:0:1:00:0:0:0:7:10", 7, "the game is over"),
        ("XGID=nonsense", 7, "an XGID has"),
    ],
)
def test_what_has_no_grid_is_refused_with_the_reason(engine: SageEngine, xgid: str, to: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        at_scores(xgid, to, engine=engine)


def test_money_keeps_the_rules_of_a_session_and_says_which(engine: SageEngine) -> None:
    jacoby = RACE.replace(":0:0:0:7:10", ":0:0:3:0:10")
    assert at_scores(jacoby, 2, engine=engine).notes == ("For money with the Jacoby rule and with beavers.",)
    assert at_scores(jacoby, 2, engine=engine).at("2", "1C") is not None
    beaver = at_scores(jacoby.replace(":00:", ":B:"), 2, engine=engine)
    assert beaver.money is not None
    assert beaver.money.best == "Take"
    assert {cell.note for cell in beaver.cells} == {"no beavers in a match"}
    assert at_scores(RACE, 2, engine=engine).notes == ("For money without the Jacoby rule and with beavers.",)


def test_the_table_asked_for_is_the_one_that_is_played_by() -> None:
    table = default()
    rows = tuple(tuple(value * 0.99 for value in row) for row in table.pre_crawford)
    with pytest.raises(bgtools.EngineUnavailable, match="match equity table"):
        at_scores(RACE, 3, met=replace(table, name="other", pre_crawford=rows))


def test_errors_have_grids_and_their_choice_loses_there_what_it_loses(engine: SageEngine, analysis: Analysis) -> None:
    errors = [row for row in analysis.decisions if row.error == "blunder"][:2]
    found = error_grids(errors, engine, 7)
    assert [row for row, _ in found] == errors
    for row, grid in found:
        own, other = (row.length - points for points in row.score)
        cell = grid.at(str(own), str(other))
        assert cell is not None
        assert cell.loss == pytest.approx(row.loss, abs=1e-9)


@some_or_all(10)
def test_random_positions_have_grids(engine: SageEngine, step: int) -> None:
    chosen = random.Random(74)
    games = replay(read(ROOT / "samples" / "seven-point.mat"))
    turns = [turn for game in games for turn in game.turns if not turn.before.is_over]
    for turn in chosen.sample(turns, 20)[::step]:
        dice = (chosen.randint(1, 6), chosen.randint(1, 6))
        assert _same(at_scores(replace(turn.position, dice=dice, offer=""), 2, engine=engine), engine) == 7


@needs_gnubg
def test_gnu_backgammon_gives_the_same_verdict_where_it_is_not_close() -> None:
    """Three hundred positions of the samples, each at a score drawn by chance, before and after the Crawford game."""
    chosen = random.Random(300)
    turns = [
        turn
        for name in ("seven-point", "money", "five-slips")
        for game in replay(read(ROOT / "samples" / f"{name}.mat"))
        for turn in game.turns
        if not turn.before.is_over and isinstance(turn.entry, CheckerPlay) and sum(turn.before.mine) == 15
    ]
    away = [(own, other) for own in range(2, 8) for other in range(1, 8)]
    places = [(turn, chosen.choice(away)) for turn in chosen.choices(turns, k=1500)]
    asked = [
        CubeQuestion(turn.before, MatchState(7, (7 - own, 7 - other))) for turn, (own, other) in dict.fromkeys(places)
    ]
    ours = SageEngine("standard").cube(asked)
    open_ = [
        (question, answer)
        for question, answer in zip(asked, ours, strict=True)
        if isinstance(answer, CubeAnswer)
        and min(abs(answer.no_double - answer.double), abs(answer.double_take - answer.double_pass)) >= CLOSE
    ][:300]
    theirs = GnubgEngine("standard").cube([question for question, _ in open_])
    compared = [
        (one.action, two.action) for (_, one), two in zip(open_, theirs, strict=True) if isinstance(two, CubeAnswer)
    ]
    assert len(compared) == 300
    same = sum(one == two for one, two in compared)
    print(f"{same} of {len(compared)} verdicts are the same")
    assert same >= 0.95 * len(compared)


def test_an_engine_that_only_names_its_choice_has_a_grid_without_figures(engine: SageEngine) -> None:
    class Naming:
        stamp, met = engine.stamp, engine.met

        def checker(self, questions: list[object], progress: object = None) -> tuple[Refused, ...]:
            return tuple(Refused("it gives no equities", "Some play") for _ in questions)

        cube = luck = checker

    for xgid in (RACE, PLAY):
        grid = at_scores(xgid, 3, engine=Naming())  # type: ignore[arg-type]
        assert grid.verdicts == ("Some play",)
        lines = [*grid_lines(grid)]
        assert any(line.startswith(f"{grid.marks['Some play']}  Some play: everywhere") for line in lines)
        words = [each.text for each in grid_picture(grid).shapes if isinstance(each, TextLine)]
        assert "Some play" in words
