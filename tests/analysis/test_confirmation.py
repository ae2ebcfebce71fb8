"""Errors judged again: the statistics, what goes first, what the time allows, and what the tables say."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.analysis.confirmation import (
    CLEAR,
    MOST,
    PRECISE,
    STEP,
    RolloutJudgement,
    confirm,
    count_verdicts,
    judge_differences,
    summary,
)
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.statistics import student_bound, student_tails
from bgtools.engines.cache import Store
from bgtools.engines.protocol import LOOKED_UP
from bgtools.engines.rollouts import CachedRoller, RolloutQuestion
from fake_roller import FakeRoller
from fixed_engine import FixedEngine
from lesson_rows import decision
from selfplay import random_match

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Board
    from bgtools.rules.cube import MatchState


START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:7:10"
PLAY = START.format("31")


def analysis_of(*rows: DecisionRow) -> Analysis:
    whole = analyse(random_match(1, 3), FixedEngine())
    return replace(whole, decisions=tuple(replace(row, error="error") for row in rows), turns=whole.turns[:1])


def play(loss: float, **more: Any) -> DecisionRow:
    return decision(PLAY, "24/20", "8/5 6/5", loss=loss, error_kind="checker play", **more)


# --- statistics -----------------------------------------------------------------------------


def test_students_t_is_that_of_the_tables() -> None:
    # Two-sided 5% and 1% points, as every table prints them.
    for freedom, five, one in (
        (1, 12.706, 63.657),
        (3, 3.182, 5.841),
        (4, 2.776, 4.604),
        (10, 2.228, 3.169),
        (35, 2.030, 2.724),
    ):
        assert student_bound(0.05, freedom) == pytest.approx(five, abs=6e-4)
        assert student_bound(0.01, freedom) == pytest.approx(one, abs=6e-4)
        assert student_tails(five, freedom) == pytest.approx(0.05, abs=3e-5)
    assert student_tails(0.0, 5) == 1.0
    assert student_tails(-2.0, 7) == student_tails(2.0, 7)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(4)
    inside = 0
    for _ in range(2000):
        found = judge_differences([rng.gauss(0.05, 0.02) for _ in range(STEP)])
        inside += abs(found.loss - 0.05) <= found.half
    assert inside / 2000 == pytest.approx(0.95, abs=0.015)


def test_a_standard_error_is_that_of_the_mean() -> None:
    values = [0.03, 0.05, 0.02, 0.06]
    found = judge_differences(values)
    assert found.loss == pytest.approx(mean(values))
    assert found.error == pytest.approx(stdev(values) / 2)
    assert found.half == pytest.approx(3.1824 * found.error, rel=1e-3)


@pytest.mark.parametrize(
    ("loss", "half", "stated", "verdict"),
    [
        (0.10, 0.01, 0.10, "confirmed"),
        (0.15, 0.01, 0.10, "confirmed"),
        (0.08, 0.01, 0.10, "confirmed"),  # surely less, yet not by a quarter
        (0.07, 0.04, 0.10, "confirmed"),  # less by a quarter, yet not surely
        (0.07, 0.01, 0.10, "smaller"),
        (0.01, 0.012, 0.10, "too close to call"),
        (-0.01, 0.012, 0.10, "too close to call"),
        (0.0, 0.0, 0.10, "too close to call"),
        (-0.02, 0.012, 0.10, "overturned"),
    ],
)
def test_a_verdict_follows_from_the_interval(loss: float, half: float, stated: float, verdict: str) -> None:
    assert RolloutJudgement(loss, half / 3, half).verdict(stated) == verdict


# --- what is rolled -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loss", "verdict"), [(0.1, "confirmed"), (0.04, "smaller"), (0.0, "too close to call"), (-0.05, "overturned")]
)
def test_an_error_gets_the_verdict_of_its_batches(loss: float, verdict: str) -> None:
    roller = FakeRoller(loss, spread=0.004)
    (row,) = confirm(analysis_of(play(0.1)), roller).decisions
    assert row.verdict == verdict
    assert row.rollout_loss == pytest.approx(loss, abs=0.01)
    assert row.rollout_games == 36 * len(roller.asked)
    made, best = (next(each for each in row.choices if each.choice == name) for name in ("24/20", "8/5 6/5"))
    assert made.rollout is not None
    assert best.rollout is not None
    assert best.rollout - made.rollout == pytest.approx(row.rollout_loss)
    # Common dice: the difference is far surer than either equity.
    assert made.rollout_error is not None
    assert row.rollout_error is not None
    assert row.rollout_error < made.rollout_error / 5


def test_a_batch_is_asked_once_with_both_boards() -> None:
    roller = FakeRoller(0.001, spread=0.05)
    confirm(analysis_of(play(0.1)), roller)
    assert [question.batch for question in roller.asked] == list(range(MOST))
    (boards,) = {question.boards for question in roller.asked}
    assert [board.mine[5] for board in boards] == [0, 2]


def test_batches_end_where_the_interval_is_short_or_the_loss_is_clear() -> None:
    for loss, spread in ((0.03, 0.002), (0.3, 0.03), (0.02, 0.03)):
        roller = FakeRoller(loss, spread)
        (row,) = confirm(analysis_of(play(0.03)), roller).decisions
        assert row.rollout_error is not None
        assert row.rollout_loss is not None
        half = student_bound(0.05, len(roller.asked) - 1) * row.rollout_error
        assert half <= PRECISE or abs(row.rollout_loss) > CLEAR * half or len(roller.asked) == MOST


def test_the_largest_doubts_go_first() -> None:
    rows = [play(loss, game=game) for game, loss in enumerate((0.3, 0.021, 0.09), 1)]
    clock = iter(range(1000))
    # Four batches a decision, one at a time, a second each: what is begun is brought to an end.
    analysis = confirm(analysis_of(*rows), FakeRoller(0.2), seconds=2 * STEP + 0.5, clock=lambda: float(next(clock)))
    assert [bool(row.verdict) for row in analysis.decisions] == [False, True, True]
    assert analysis.notes[-1].endswith("1 not rolled out.")


def test_time_is_kept_and_told() -> None:
    seen: list[tuple[float, float]] = []
    clock = iter(range(0, 10000, 2))
    rows = [play(0.05) for _ in range(20)]
    analysis = confirm(
        analysis_of(*rows),
        FakeRoller(),
        seconds=21,
        clock=lambda: float(next(clock)),
        progress=lambda *at: seen.append(at),
    )
    assert seen
    assert all(0 <= done <= total == 21 for done, total in seen)
    assert 0 < sum(bool(row.verdict) for row in analysis.decisions) < 20
    with pytest.raises(ValueError, match="positive"):
        confirm(analysis_of(*rows), FakeRoller(), seconds=0)


def test_without_a_limit_all_are_settled_and_progress_ends_full() -> None:
    seen: list[tuple[float, float]] = []
    analysis = confirm(analysis_of(*(play(0.05) for _ in range(3))), FakeRoller(), progress=lambda *at: seen.append(at))
    assert all(row.verdict for row in analysis.decisions)
    assert seen[-1][0] == seen[-1][1]
    assert analysis.conventions.rollouts.startswith("fake 1, even, batches of 36 games")


# --- the cube -------------------------------------------------------------------------------


def cube(kind: Any, fields: str = "00", **more: Any) -> DecisionRow:
    played, best = {"no double": ("No double", "Double"), "double": ("Double", "No double"),
                    "take": ("Take", "Pass"), "pass": ("Pass", "Take")}[kind]  # fmt: skip
    return decision(START.format(fields), played, best, kind=kind, loss=0.05, **more)


class CubeRoller(FakeRoller):
    """Rolls the cube out to equities that are known beforehand."""

    def __init__(self, no_double: float, take: float) -> None:
        super().__init__()
        self.no_double, self.take = no_double, take

    def _one(self, question: RolloutQuestion) -> tuple[float, ...]:
        assert question.boards == ()
        noise = random.Random(question.batch).gauss(0, 0.002)
        return self.no_double + noise, self.take - noise


@pytest.mark.parametrize(
    ("kind", "no_double", "take", "loss"),
    [
        ("no double", 0.5, 0.6, 0.1),
        ("no double", 0.9, 1.3, 0.1),  # the answer to a double would be a pass
        ("double", 0.5, 0.6, -0.1),
        ("double", 1.2, 1.4, 0.2),
        ("take", 0.5, 1.2, 0.2),
        ("take", 0.5, 0.8, -0.2),
        ("pass", 0.5, 0.8, 0.2),
        ("pass", 0.5, 1.2, -0.2),
    ],
)
def test_a_cube_action_is_judged_against_the_other_one(kind: Any, no_double: float, take: float, loss: float) -> None:
    row = cube(kind, "D" if kind in ("take", "pass") else "00")
    (found,) = confirm(analysis_of(row), CubeRoller(no_double, take)).decisions
    assert found.rollout_loss == pytest.approx(loss, abs=0.005)
    assert found.verdict == ("confirmed" if loss > 0 else "overturned")


# --- what is left as it is ------------------------------------------------------------------


def test_what_cannot_be_rolled_out_has_no_verdict() -> None:
    rows = [
        cube("no double", equities={"Double, beaver": 0.1}),
        decision(START.format("00"), "Resigns", kind="resign", loss=0.3),
        replace(play(0.1), xgid="XGID=no"),
    ]
    roller = FakeRoller()
    analysis = confirm(analysis_of(*rows), roller)
    assert not roller.asked
    assert {row.verdict for row in analysis.decisions} == {""}
    assert analysis.notes[-1] == "Errors judged again by rollout: 3 not rolled out."
    roller.refused = True
    confirm(analysis_of(play(0.1)), roller)
    assert not roller.asked


@pytest.mark.parametrize("depth", sorted(LOOKED_UP))
def test_what_is_looked_up_is_confirmed_without_a_rollout(depth: str) -> None:
    roller = FakeRoller()
    (row,) = confirm(analysis_of(play(0.1, depth=depth)), roller).decisions
    assert (row.verdict, row.rollout_loss, roller.asked) == ("confirmed", None, [])


def test_only_errors_are_judged_again_and_no_other_figure_changes() -> None:
    before = analyse(random_match(3, 5), FixedEngine(0.3, 0.1, play=0.2))
    after = confirm(before, FakeRoller(0.2))
    assert after.players == before.players
    for old, new in zip(before.decisions, after.decisions, strict=True):
        assert old.loss == new.loss
        assert not new.verdict or old.error
    counts = count_verdicts(after.decisions)
    assert sum(counts.values()) == sum(bool(row.error) for row in after.decisions)
    by_turn = {(turn.game, turn.entry): turn.verdict for turn in after.turns}
    assert any(by_turn.values()) == any(row.verdict for row in after.decisions)
    assert summary([]) == "Errors judged again by rollout: there is none."


# --- kept between runs ----------------------------------------------------------------------


def test_batches_are_kept_and_a_run_goes_on_where_the_last_ended(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    rows = analysis_of(*(replace(play(0.05), game=game) for game in (1, 2)))
    clock = iter(range(1000))
    first = FakeRoller(0.03, spread=0.03)
    confirm(rows, CachedRoller(first, Store(path)), seconds=2.5, clock=lambda: float(next(clock)))
    second = FakeRoller(0.03, spread=0.03)
    whole = confirm(rows, CachedRoller(second, Store(path)))
    alone = FakeRoller(0.03, spread=0.03)
    assert confirm(rows, alone).decisions == whole.decisions
    assert first.asked
    assert not {question.batch for question in first.asked} & {question.batch for question in second.asked}
    third = FakeRoller(0.03, spread=0.03)
    assert confirm(rows, CachedRoller(third, Store(path))).decisions == whole.decisions
    assert not third.asked


def test_a_damaged_batch_is_rolled_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "answers.sqlite")
    question = RolloutQuestion(*_place(), (), 0)
    kept = CachedRoller(FakeRoller(), store)
    (right,) = kept.roll([question])
    key = kept._key(question)
    for damaged in (b"", b"no", store.get([key])[key][:-3]):
        store.put([(key, damaged)])
        assert kept.roll([question]) == (right,)


def _place() -> tuple[Board, MatchState]:
    from bgtools.positions.position import Position

    position = Position.from_id(PLAY)
    return position.board, position.state
