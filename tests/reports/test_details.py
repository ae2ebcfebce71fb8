"""Counts, break-downs and dice: on the terminal and in files."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from rich.console import Console

from bgtools.analysis.match_analysis import analyse
from bgtools.reports import breakdown_tables
from bgtools.reports.match_report import report_data
from bgtools.reports.table_files import write_table
from bgtools.reports.tables import read
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.totals import Analysis
    from bgtools.reports.document import DataTable
    from bgtools.reports.table_kinds import TableName


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(random_match(5, 5, set_positions=True, resigning=0.0))


def _printed(table: DataTable, width: int = 110) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(table)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("name", ["breakdown", "races", "dice"])
def test_the_files_hold_every_row(name: TableName, analysis: Analysis, tmp_path: Path) -> None:
    assert analysis.dice is not None
    rows: Sequence[Any] = {"breakdown": analysis.breakdowns, "races": analysis.races, "dice": analysis.dice.tests}[name]
    write_table(name, analysis, tmp_path / f"{name}.csv")
    table = read(tmp_path / f"{name}.csv")
    assert len(table) == len(rows) > 0
    assert table["name"].fillna("").tolist() == [row.name for row in rows]
    assert [None if pd.isna(player) else player for player in table["player"]] == [row.player for row in rows]


def test_the_counts_stand_under_their_players(analysis: Analysis) -> None:
    printed = _printed(breakdown_tables.counts_table(analysis))
    ann, bob = (total.counts for total in analysis.players)
    assert re.search(rf"pips rolled +{ann.pips_rolled} +{bob.pips_rolled}\n", printed)
    assert re.search(rf"hits, times hit +{ann.hits}, {bob.hits} +{bob.hits}, {ann.hits}\n", printed)


def test_the_break_down_lists_phases_in_their_order(analysis: Analysis) -> None:
    printed = _printed(breakdown_tables.breakdown_table(analysis))
    assert printed.index("opening") < printed.index("contact") < printed.index("race")
    own = sum(row.decisions for row in analysis.breakdowns if row.player == 0 and row.dimension == "phase")
    assert own == sum(row.player == 0 for row in analysis.decisions)


def test_the_report_holds_counts_of_the_match_and_of_each_game(analysis: Analysis) -> None:
    data = report_data(analysis, (), None)
    rolls = [player["counts"]["rolls"] for player in data["players"]]
    assert rolls == [sum(game["players"][player]["counts"]["rolls"] for game in data["games"]) for player in (0, 1)]
    assert len(data["breakdowns"]) == len(analysis.breakdowns)
    assert data["dice"]["sentence"] == analysis.dice.sentence if analysis.dice else False
    races = [game["race"] for game in data["games"] if game["race"]]
    assert [race["turn"] for race in races] == [
        next(row.turn for row in analysis.races if row.game == race["game"]) for race in races
    ]
    assert races


def test_dice_are_told_in_a_sentence(analysis: Analysis) -> None:
    assert breakdown_tables.dice_sentence(analysis).startswith("Dice: 12 tests on ")
