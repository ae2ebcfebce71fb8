"""Break-downs: every decision falls under one value of a dimension, and the sums are those of the rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.breakdowns import BreakdownRow, break_down, in_order
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.ratings.rule import Count
from bgtools.formats.reading import read_source
from program import SOUND
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis

NAMES = ("Ann", "Bob")
OF_EVERY_DECISION = ("decision", "phase", "cube", "crawford", "score")


def _counted(row: DecisionRow, by_xg: bool) -> DecisionRow:
    return replace(row, counted_by={**row.counted_by, "xg": Count(by_xg, "")})


def _judged(rows: tuple[DecisionRow, ...]) -> tuple[DecisionRow, ...]:
    """The rows as if plays had cost nothing, a little and more by turns, and each fourth were not counted."""
    return tuple(
        replace(_counted(row, at % 4 > 0), loss=0.01 * (at % 3), error="error" if at % 3 == 2 else "", luck=0.5)
        if row.kind == "checker play"
        else replace(row, loss=None)
        for at, row in enumerate(rows)
    )


def _broken(analysis: Analysis, rows: tuple[DecisionRow, ...]) -> tuple[BreakdownRow, ...]:
    return break_down(rows, analysis.turns, NAMES, crawford_rule=True, engine=True)


@pytest.mark.parametrize("length", [0, 1, 5])
def test_the_sums_are_those_of_the_rows(length: int) -> None:
    analysis = analyse(random_match(7, length))
    rows = _judged(analysis.decisions)
    found = _broken(analysis, rows)
    for player in (0, 1):
        own = [row for row in rows if row.player == player]
        for dimension in OF_EVERY_DECISION:
            parts = [part for part in found if part.player == player and part.dimension == dimension]
            assert sum(part.decisions for part in parts) == sum(row.kind != "unplayed roll" for row in own)
            assert sum(part.analysed for part in parts) == sum(row.loss is not None for row in own)
            assert sum(part.loss or 0 for part in parts) == pytest.approx(sum(row.loss or 0 for row in own))
            assert sum(part.errors or 0 for part in parts) == sum(bool(row.error) for row in own)
            assert sum(part.luck or 0 for part in parts) == pytest.approx(sum(row.luck or 0 for row in own))


def test_a_row_by_hand() -> None:
    analysis = analyse(read_source(SOUND.encode(), "x")[0])
    losses = iter([0.02, 0.10])
    rows = tuple(
        replace(_counted(row, True), loss=next(losses), error="error")
        if row.kind == "checker play" and row.turn < 3
        else row
        for row in analysis.decisions
    )
    parts = {(part.player, part.dimension, part.value): part for part in _broken(analysis, rows)}
    ann = parts[0, "opening roll", "31"]
    assert (ann.decisions, ann.analysed, ann.loss, ann.errors, ann.counted) == (1, 1, 0.02, 1, 1)
    assert ann.error_rate == pytest.approx(20.0)
    assert ann.xg_pr == pytest.approx(10.0)
    assert parts[0, "opening play", "31 point"].loss == 0.02
    replies = [part for key, part in parts.items() if key[:2] == (1, "reply play")]
    assert [part.loss for part in replies] == [0.10]
    assert replies[0].value.startswith("31 point, ")


def test_openings_and_replies_are_one_decision_a_game() -> None:
    analysis = analyse(random_match(9, 7, resigning=0))
    for dimension in ("opening roll", "opening play", "reply roll", "reply play"):
        parts = [part for part in analysis.breakdowns if part.dimension == dimension]
        assert sum(part.decisions for part in parts) == len(analysis.games)


def test_without_an_engine_there_are_counts_only() -> None:
    analysis = analyse(random_match(2, 3))
    assert analysis.breakdowns
    for part in analysis.breakdowns:
        assert part.decisions > 0
        assert (part.loss, part.error_rate, part.errors, part.xg_pr, part.counted, part.luck) == (None,) * 6


def test_values_are_listed_as_a_game_goes() -> None:
    assert in_order(["race", "opening", "contact"]) == ["opening", "contact", "race"]
    assert in_order(["52 split", "31 point"]) == ["31 point", "52 split"]
