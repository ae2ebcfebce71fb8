"""Counts, break-downs and dice: on the terminal, in files, and what documents them."""

from __future__ import annotations

import csv
import re
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from bgtools.analysis.breakdowns import BreakdownRow
from bgtools.analysis.dice import DiceRow
from bgtools.analysis.races import RaceRow
from bgtools.analysis.report import analyse
from bgtools.reports import details
from bgtools.reports.match_report import report_data
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from bgtools.analysis.report import Analysis

    Writer = Callable[[Analysis, Path], None]

DOCS = Path(__file__).parents[2] / "docs" / "tables.md"


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(random_match(5, 5, set_positions=True, resigning=0.0))


def _printed(table: Table, width: int = 110) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(table)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("row", "title"), [(BreakdownRow, "breakdown.csv"), (RaceRow, "races.csv"), (DiceRow, "dice.csv")]
)
def test_every_column_is_documented(row: type[BreakdownRow | RaceRow | DiceRow], title: str) -> None:
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## )", DOCS.read_text(encoding="utf-8"), re.S | re.M)
    assert section is not None
    cells = [line.split("|")[1] for line in section[1].splitlines() if line.startswith("| `")]
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == {each.name for each in fields(row)}


def test_the_files_hold_every_row_and_are_the_same_twice(analysis: Analysis, tmp_path: Path) -> None:
    assert analysis.dice is not None
    written: dict[str, tuple[Writer, Sequence[BreakdownRow | RaceRow | DiceRow]]] = {
        "breakdown": (details.write_breakdowns, analysis.breakdowns),
        "races": (details.write_races, analysis.races),
        "dice": (details.write_dice, analysis.dice.tests),
    }
    for name, (write, rows) in written.items():
        for copy in ("a", "b"):
            write(analysis, tmp_path / f"{name}.{copy}.csv")
        text = (tmp_path / f"{name}.a.csv").read_bytes()
        assert text == (tmp_path / f"{name}.b.csv").read_bytes()
        assert b"\r" not in text
        read = list(csv.DictReader(StringIO(text.decode())))
        assert len(read) == len(rows) > 0
        assert read[0]["player"] == str(rows[0].player)


def test_the_counts_stand_under_their_players(analysis: Analysis) -> None:
    printed = _printed(details.counts_table(analysis))
    ann, bob = (total.counts for total in analysis.players)
    assert re.search(rf"pips rolled +{ann.pips_rolled} +{bob.pips_rolled}\n", printed)
    assert re.search(rf"hits, times hit +{ann.hits}, {bob.hits} +{bob.hits}, {ann.hits}\n", printed)


def test_the_break_down_lists_phases_in_their_order(analysis: Analysis) -> None:
    printed = _printed(details.breakdown_table(analysis))
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
    assert details.dice_sentence(analysis).startswith("Dice: 12 tests on ")
