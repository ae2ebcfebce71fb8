"""Tables: every column documented, typed, and the same bytes every time."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from bgtools.analysis.report import analyse
from bgtools.analysis.rows import DecisionRow, TurnRow
from bgtools.formats import read_source
from bgtools.reports.tables import columns_of, decisions_table, turns_table, write_csv
from program import SOUND

DOCS = Path(__file__).parents[2] / "docs" / "tables.md"


@pytest.mark.parametrize(("row", "title"), [(DecisionRow, "decisions.csv"), (TurnRow, "turns.csv")])
def test_every_column_is_documented(row: type[DecisionRow] | type[TurnRow], title: str) -> None:
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## )", DOCS.read_text(encoding="utf-8"), re.S | re.M)
    assert section is not None
    cells = [line.split("|")[1] for line in section[1].splitlines() if line.startswith("| `")]
    documented = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert set(documented) == set(columns_of(row))


def test_columns_are_typed_even_where_all_is_empty() -> None:
    analysis = analyse(read_source(SOUND.encode(), "x")[0])
    decisions, turns = decisions_table(analysis.decisions), turns_table(analysis.turns)
    assert decisions["loss"].dtype == pd.Float64Dtype()
    assert decisions["loss"].isna().all()
    assert turns["pips"].dtype == pd.Int64Dtype()
    assert turns["opening"].tolist() == [True, False, False, False]
    assert turns["pips_after"].tolist()[:2] == [163, 160]
    assert decisions_table(()).columns.tolist() == decisions.columns.tolist()


def test_a_csv_is_the_same_twice_and_reads_back(tmp_path: Path) -> None:
    table = turns_table(analyse(read_source(SOUND.encode(), "x")[0]).turns)
    write_csv(table, tmp_path / "a.csv")
    write_csv(table, tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    back = pd.read_csv(tmp_path / "a.csv", dtype={"dice": str})
    assert back["played"].tolist()[:2] == table["played"].tolist()[:2]
    assert b"\r" not in (tmp_path / "a.csv").read_bytes()
