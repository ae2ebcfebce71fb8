"""The course of a match as pictures show it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from bgtools import read
from bgtools.analysis.match_analysis import analyse
from bgtools.met.finding import default
from bgtools.reports.curves import chance_curve, errors_course, luck_course
from chance_rows import ROOT, analysed
from varied_engine import Varied

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis


def test_the_course_of_luck_ends_at_its_sum_and_names_its_great_jumps() -> None:
    found = analysed()
    course, unit = luck_course(found)
    assert unit == "points of match winning chance"
    for player in (0, 1):
        sums = sum(100 * (row.luck_mwc or 0) for row in found.turns if row.player == player)
        assert course.values[player][-1] == pytest.approx(sums)
    greatest = max(found.turns, key=lambda row: abs(row.luck or 0))
    assert 0 < len(course.labels) <= 6
    for label in course.labels:
        row = found.turns[label.turn]
        assert (label.text, label.player) == (f"{row.dice}, row {row.row}", row.player)
        assert label.rises == ((row.luck or 0) > 0)
        assert abs(row.luck or 0) >= abs(greatest.luck or 0) / 3
    assert found.turns.index(greatest) in [label.turn for label in course.labels]
    apart = [two.turn - one.turn for one, two in combinations(course.labels, 2)]
    assert min(apart) >= 0.06 * len(found.turns)
    assert luck_course(analysed("money.mat"))[1] == "points"


def test_the_chance_goes_from_what_the_score_is_worth_to_the_end() -> None:
    found = analysed()
    course = chance_curve(found)
    assert course is not None
    assert len(course.values) == len(found.turns) + 1
    assert (course.values[0], course.values[-1]) == (0.5, 0.0)
    for game, (first, number) in zip(found.games, course.games, strict=True):
        assert number == str(game.number or game.game)
        away = (7 - game.score[0], 7 - game.score[1])
        worth = default().equity(away, post_crawford=1 in away and not game.crawford)
        assert course.values[first] == pytest.approx(worth)
    # After every turn it is what the row of the turn says.
    for row, value in zip(found.turns, course.values[1:], strict=True):
        assert row.chance_after is not None
        assert value == pytest.approx(1 - row.chance_after if row.player else row.chance_after)


def test_a_roll_changes_the_chance_by_its_luck_and_by_what_its_play_lost() -> None:
    found = analyse(read(ROOT / "samples" / "seven-point.mat"), Varied(0.1, 0.2))
    plays = {(row.game, row.entry): row for row in found.decisions if row.kind == "checker play"}
    seen = 0
    for turn in found.turns:
        row = plays.get((turn.game, turn.entry))
        if row is None or turn.chance_before is None or turn.luck_mwc is None or turn.chance_after != row.chance:
            continue
        seen += 1
        assert turn.chance_after is not None
        assert turn.chance_after - turn.chance_before == pytest.approx(turn.luck_mwc - (row.loss_mwc or 0))
    assert seen > 150


def test_there_is_no_chance_without_a_match_or_rows_that_tell_one() -> None:
    found = analysed()
    assert chance_curve(analysed("money.mat")) is None
    assert chance_curve(replace(found, turns=tuple(replace(row, chance_after=None) for row in found.turns))) is None
    assert chance_curve(replace(found, turns=())) is None


def test_an_error_is_called_by_the_decision_that_cost_most() -> None:
    found = analysed()
    place = next(number for number, row in enumerate(found.turns) if row.action == "roll" and row.turn > 5)
    row = found.turns[place]

    def lost(kind: str) -> Analysis:
        each = tuple(
            replace(one, loss=0.5 if (one.game, one.entry, one.kind) == (row.game, row.entry, kind) else 0.0)
            for one in found.decisions
        )
        turns = tuple(replace(one, loss=0.5 if number == place else 0.0) for number, one in enumerate(found.turns))
        return replace(found, decisions=each, turns=turns)

    for kind, text in (("checker play", f"{row.dice} {row.played}"), ("no double", "No double")):
        (label,) = errors_course(lost(kind)).labels
        assert (label.text, label.turn, label.player) == (f"game 1: {text}, row {row.row}", place, row.player)
