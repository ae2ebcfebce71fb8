"""Analyses compared: figures that are further apart than a tolerance, and which record values what."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from annotated import candidate, cube, noted, plays
from bgtools.comparison.comparing import compare
from bgtools.conversion.conversion import Target, convert
from bgtools.formats.reading import find_format, read, read_source
from bgtools.met.finding import default
from bgtools.record.annotation import CubeAnalysis, Evaluation, PlayAnalysis
from bgtools.replayer.match import replay
from bgtools.reports.comparison_text import summary_of
from support import CORPUS, needs_corpus

if TYPE_CHECKING:
    from bgtools.comparison.difference import Comparison
    from bgtools.record.record import Match

PLAYS = plays(candidate("8/5 6/5", 0.25), candidate("24/21 24/23", 0.05), candidate("13/9", -0.02))
CUBE = cube(0.5, 0.75, 1.0)


def both(one: Match, two: Match, tolerance: float = 0.005) -> Comparison:
    return compare(one, two, analysis=True, tolerance=tolerance)


def valued(no_double: float = 0.5, best: float = 0.25) -> Match:
    changed = plays(candidate("8/5 6/5", best), candidate("24/21 24/23", 0.05), candidate("13/9", -0.02))
    return noted({0: changed, 4: cube(no_double, 0.75, 1.0)})


def test_equal_analyses_are_no_difference() -> None:
    done = both(valued(), valued(), 0)
    assert (done.differences, done.valued) == ((), (2, 0, 0))


def test_analyses_are_compared_only_where_that_is_asked_for() -> None:
    done = compare(valued(), valued(best=0.4))
    assert (done.differences, done.valued) == ((), None)


@pytest.mark.parametrize(("by", "count"), [(0.004, 0), (0.006, 1), (-0.006, 1), (0.3, 1)])
def test_a_figure_is_apart_by_more_than_the_tolerance(by: float, count: int) -> None:
    found = both(valued(), valued(best=0.25 + by)).differences
    assert [each.kind for each in found] == ["analysis"] * count
    if found:
        assert (found[0].a.says, found[0].b.says) == ("8/5 6/5 +0.2500", f"8/5 6/5 {0.25 + by:+.4f}")
        assert (found[0].a.turn, found[0].a.entry) == (1, 1)
    assert both(valued(), valued(best=0.25 + by), 0.5).differences == ()


def test_of_each_decision_the_figure_that_is_furthest_apart_is_told() -> None:
    other = plays(candidate("8/5 6/5", 0.26), candidate("24/21 24/23", 0.15), candidate("13/9", -0.02))
    (found,) = both(valued(), noted({0: other, 4: CUBE})).differences
    assert (found.a.says, found.b.says) == ("24/23 24/21 +0.0500", "24/23 24/21 +0.1500")


def test_a_cube_decision_is_compared_as_well() -> None:
    (found,) = both(valued(), valued(no_double=0.6)).differences
    assert (found.a.says, found.b.says) == ("no double +0.5000", "no double +0.6000")


def test_figures_that_look_alike_are_shown_with_more_digits() -> None:
    (found,) = both(valued(), valued(best=0.25001), 0).differences
    assert (found.a.says, found.b.says) == ("8/5 6/5 +0.25000", "8/5 6/5 +0.25001")


def test_plays_are_the_same_whichever_way_they_are_written() -> None:
    other = plays(candidate("6/5 8/5", 0.25), candidate("24/23/20", 0.05), candidate("24/23 24/21", 0.05))
    assert both(valued(), noted({0: other, 4: CUBE})).differences == ()


def test_chances_to_win_the_match_are_compared_as_points() -> None:
    match = valued()
    turns = replay(match)[0].turns
    note = match.games[0].entries[0].annotation
    assert note is not None
    assert note.plays is not None
    state = turns[0].state

    def chances(evaluation: Evaluation) -> Evaluation:
        assert evaluation.equity is not None
        return replace(evaluation, equity=default().mwc(state, evaluation.equity), unit="mwc")

    other = tuple(replace(each, evaluation=chances(each.evaluation)) for each in note.plays.candidates)
    in_chances = noted({0: replace(note, plays=PlayAnalysis(candidates=other)), 4: CUBE})
    assert both(match, in_chances).differences == ()


def test_what_only_one_record_values_is_no_difference_but_is_counted() -> None:
    done = both(valued(), noted({4: CUBE}))
    assert (done.differences, done.valued) == ((), (1, 1, 0))
    assert summary_of([done]).endswith("; both value 1 decision, only the first 1")
    done = both(noted({}), valued())
    assert (done.differences, done.valued) == ((), (0, 0, 2))
    assert summary_of([done]).endswith("; both value 0 decisions, only the second 2")


def test_a_decision_with_no_figure_in_common_is_valued_by_both() -> None:
    other = plays(candidate("6/3 6/5", 0.4))
    assert both(noted({0: PLAYS}), noted({0: other})).valued == (1, 0, 0)


def test_an_empty_cube_analysis_values_nothing() -> None:
    empty = CubeAnalysis(no_double=Evaluation(), double_take=Evaluation())
    note = replace(CUBE, cube=empty)
    assert both(noted({4: note}), noted({4: CUBE})).valued == (0, 0, 1)


# --- real ones --------------------------------------------------------------------------------


@cache
def recorded() -> Match:
    return read(min((CORPUS / "xg").glob("kevung*.xg"), key=lambda path: path.stat().st_size))


@needs_corpus
@pytest.mark.parametrize("name", ["sgf", "xg"])
def test_a_record_of_extreme_gammon_is_the_same_as_its_conversion(name: str) -> None:
    chosen = find_format(name)
    again = read_source(convert((recorded(),), Target(chosen), verify=False).data, f"x{chosen.extensions[0]}")[0]
    done = both(recorded(), again, 1e-4)
    assert done.differences == ()
    assert done.valued is not None
    assert done.valued[0] > 100
    assert done.valued[1:] == (0, 0)


@needs_corpus
def test_match_text_holds_no_analysis_to_compare() -> None:
    again = read_source(convert((recorded(),), Target(find_format("mat")), verify=False).data, "x.mat")[0]
    done = both(recorded(), again)
    assert done.differences == ()
    assert done.valued is not None
    assert done.valued[0] == 0 < done.valued[1]
