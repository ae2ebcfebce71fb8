"""The course of a match as pictures show it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from bgtools.met.finding import default
from bgtools.reports.curves import chances_course, errors_course, luck_course
from chance_rows import analysed

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis


def test_the_course_of_luck_ends_at_its_sum_and_names_its_great_jumps() -> None:
    found = analysed()
    course, unit = luck_course(found)
    assert unit == "match winning chance, %"
    for player in (0, 1):
        sums = sum(100 * (row.luck_mwc or 0) for row in found.turns if row.player == player)
        assert course.values[player][-1] == pytest.approx(sums)
    greatest = max(found.turns, key=lambda row: abs(row.luck or 0))
    assert 0 < len(course.labels) <= 6
    for label in course.labels:
        row = found.turns[label.turn]
        assert (label.text, label.player) == (f"{row.dice}, turn {row.turn}", row.player)
        assert label.rises == ((row.luck or 0) > 0)
        assert abs(row.luck or 0) >= abs(greatest.luck or 0) / 3
    assert found.turns.index(greatest) in [label.turn for label in course.labels]
    apart = [two.turn - one.turn for one, two in combinations(course.labels, 2)]
    assert min(apart) >= 0.06 * len(found.turns)
    assert luck_course(analysed("money.mat"))[1] == "points"


def test_the_chance_goes_from_what_the_score_is_worth_to_the_end() -> None:
    found = analysed()
    course = chances_course(found)
    assert course is not None
    assert len(course.values) == len(found.turns) + 1
    assert (course.values[0], course.values[-1]) == (0.5, 0.0)
    for game, (first, number) in zip(found.games, course.games, strict=True):
        assert number == str(game.number or game.game)
        away = (7 - game.score[0], 7 - game.score[1])
        worth = default().equity(away, post_crawford=1 in away and not game.crawford)
        assert course.values[first] == pytest.approx(worth)
    # Within a game every turn changes it by its luck and by what its decisions lost.
    row, lost = found.turns[1], [each.loss_mwc or 0 for each in found.decisions if (each.game, each.turn) == (1, 2)]
    way = -1 if row.player else 1
    assert course.values[2] - course.values[1] == pytest.approx(way * ((row.luck_mwc or 0) - sum(lost)))


def test_there_is_no_chance_without_a_match_a_table_or_luck() -> None:
    found = analysed()
    assert chances_course(analysed("money.mat")) is None
    assert chances_course(replace(found, conventions=replace(found.conventions, met="a table of mine"))) is None
    assert chances_course(replace(found, turns=tuple(replace(row, luck=None) for row in found.turns))) is None
    assert chances_course(replace(found, turns=())) is None


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
        assert (label.text, label.turn, label.player) == (f"game 1: {text}, turn {row.turn}", place, row.player)
