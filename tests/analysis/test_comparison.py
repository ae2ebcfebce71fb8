"""Several engines on one match: what counts as a disagreement, and how it is shown."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from annotated import candidate, cube, noted, plays
from bgtools.analysis.comparison import EngineComparison, compare
from bgtools.analysis.match_analysis import analyse
from bgtools.engines.recorded import RecordedEngine
from bgtools.reports import breakdown_tables as disagreements, summary
from bgtools.reports.tables import read

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bgtools.record.annotation import Annotation

MADE, OTHER = "8/5 6/5", "24/21 6/5"


def compared(*said: Mapping[int, Annotation], threshold: float = 0.02) -> EngineComparison:
    """What engines with these notes on the same record disagree on."""
    analyses = [analyse(match, RecordedEngine(match)) for match in map(noted, said)]
    return compare([f"engine {number}" for number in range(1, len(said) + 1)], analyses, threshold)


def opening(made: float, other: float) -> dict[int, Annotation]:
    """An engine that values two plays of the first roll."""
    listed = [candidate(MADE, made), candidate(OTHER, other)]
    return {0: plays(*sorted(listed, key=lambda each: -(each.evaluation.equity or 0)))}


def test_engines_agree_within_the_threshold() -> None:
    comparison = compared(opening(0.2, 0.19), opening(0.185, 0.2))
    assert (comparison.compared, comparison.disagreements) == (1, ())
    assert disagreements.headline(comparison).startswith("The engines agree within 0.02 EMG")


def test_another_loss_is_a_disagreement() -> None:
    (found,) = compared(opening(0.1, 0.2), opening(0.1, 0.15)).disagreements
    assert found.difference == pytest.approx(0.05)
    assert found.about == "loss"
    assert [verdict.best for verdict in found.verdicts] == [OTHER, OTHER]
    assert [verdict.loss for verdict in found.verdicts] == [pytest.approx(0.1), pytest.approx(0.05)]


def test_another_best_choice_is_one_where_it_matters() -> None:
    (found,) = compared(opening(0.2, 0.1), opening(0.17, 0.2)).disagreements
    assert found.about == "loss, best choice"
    assert found.difference == pytest.approx(0.1)


def test_a_threshold_can_be_chosen() -> None:
    assert len(compared(opening(0.1, 0.2), opening(0.1, 0.15), threshold=0.04).disagreements) == 1
    assert not compared(opening(0.1, 0.2), opening(0.1, 0.15), threshold=0.06).disagreements


def test_cube_decisions_are_compared_too() -> None:
    (found,) = compared({4: cube(0.5, 0.6)}, {4: cube(0.6, 0.5)}).disagreements[:1]
    assert (found.row.kind, found.about) == ("double", "loss, best choice")
    assert [verdict.best for verdict in found.verdicts] == ["Double", "No double"]


def test_what_only_one_has_judged_is_not_compared() -> None:
    assert compared(opening(0.1, 0.2), {4: cube(0.5, 0.6)}).compared == 0
    three = compared(opening(0.1, 0.2), {4: cube(0.5, 0.6)}, opening(0.1, 0.3))
    assert (three.compared, len(three.disagreements)) == (1, 1)
    assert three.disagreements[0].verdicts[1].loss is None


def test_an_engine_that_only_names_its_choice_is_compared_by_what_others_say_of_it() -> None:
    match = noted(opening(0.2, 0.1))
    judged, silent = analyse(match, RecordedEngine(match)), analyse(match, RecordedEngine(match))
    unsaid = replace(silent.decisions[0], best=OTHER, loss=None, equity=None, best_equity=None, choices=())
    silent = replace(silent, decisions=(unsaid, *silent.decisions[1:]))
    for analyses in ((judged, silent), (silent, judged)):
        comparison = compare(["one", "two"], analyses)
        assert comparison.compared == 1
        (found,) = comparison.disagreements
        assert found.about == "best choice"
        assert found.difference == pytest.approx(0.1)
        assert {verdict.loss for verdict in found.verdicts} == {0.0, None}
    # What was played is marked, whether or not it was valued.
    same = replace(silent, decisions=(replace(unsaid, best=MADE), *silent.decisions[1:]))
    assert not compare(["one", "two"], (judged, same)).disagreements
    # Nothing tells what a choice costs where nobody has valued any.
    assert compare(["one", "two"], (silent, same)).compared == 0


def printed(comparison: EngineComparison, width: int) -> str:
    console = Console(width=width, file=StringIO(), color_system=None)
    console.print(summary.compared_totals(comparison))
    console.print(summary.games_table(comparison.analyses[0], comparison))
    console.print(disagreements.disagreements_table(comparison))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_the_tables_hold_a_column_an_engine_and_player() -> None:
    text = printed(compared(opening(0.1, 0.2), opening(0.2, 0.15)), 110)
    assert text.count("engine 1") == 4  # two players, the games, the disagreements
    lines = text.splitlines()
    row = next(line for line in lines if line.startswith("XG PR, BMAB PR"))
    assert row.split()[4:] == ["50.00", "0.00", "-", "-"]
    assert lines[-1].split() == ["1", "1", "Ann", "31", "8/5", "6/5", "0.100", "24/21", "6/5", "0.100", "=", "0.000"]


def test_disagreements_are_a_table_with_columns_by_engine(tmp_path: Path) -> None:
    disagreements.write_csv(compared(opening(0.1, 0.2), opening(0.1, 0.15)), tmp_path / "t.csv")
    table = read(tmp_path / "t.csv")
    assert list(table.columns[-6:]) == [
        f"engine {number}_{what}" for number in (1, 2) for what in ("best", "loss", "depth")
    ]
    row = table.iloc[0]
    assert (row["game"], row["turn"], row["played"], row["about"]) == (1, 1, MADE, "loss")
    assert row["engine 1_loss"] == pytest.approx(0.1)
