"""Tables as pandas frames: typed columns, from an analysis or from the file of a table."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from bgtools.reports.table_files import format_of
from bgtools.reports.table_kinds import ORIGIN, TABLES, TABLES_VERSION, rows_of
from bgtools.reports.values import unguarded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match
    from bgtools.reports.columns import Cell
    from bgtools.reports.table_kinds import Origin, TableName

_DTYPES: Final = MappingProxyType({"int": "Int64", "float": "Float64", "bool": "boolean", "text": "string"})

DTYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        column.name: _DTYPES[column.type]
        for columns in (ORIGIN, *(table.columns for table in TABLES.values()))
        for column in columns
    }
)
"""The pandas type of every column; one name has one type in all tables."""


def frame(name: TableName, analysis: Analysis) -> pd.DataFrame:
    """A table of an analysis. Where nothing is known, a cell is `pandas.NA`."""
    names = [column.name for column in TABLES[name].columns]
    made = _frame(names, rows_of(name, analysis))
    made.attrs = {"table": name, "version": TABLES_VERSION}
    return made


def frame_of(name: TableName, analyses: Iterable[tuple[Analysis, Origin, Match]]) -> pd.DataFrame:
    """A table of many analyses, with the columns that tell where each row comes from."""
    columns = (*ORIGIN, *TABLES[name].columns)
    rows = (row for analysis, place, match in analyses for row in rows_of(name, analysis, columns, place, match))
    made = _frame([column.name for column in columns], rows)
    made.attrs = {"table": name, "version": TABLES_VERSION}
    return made


def read(path: str | Path) -> pd.DataFrame:
    """Read a table that `bgtools table` or a report has written, with the types that it had.

    Raises:
        TableError: the ending of the name tells no format.
        OSError: it cannot be read.
        ImportError: pandas lacks what it reads Parquet or Excel with.
    """
    path = Path(path)
    made: pd.DataFrame
    match format_of(path.name):
        case "parquet":
            made = pd.read_parquet(path)
            return _with_gaps(made.astype(_known(made.columns)))
        case "csv":
            made = pd.read_csv(path, **_typed(pd.read_csv(path, nrows=0).columns))
            texts: list[str] = [name for name in made.columns if made[name].dtype == "string"]
            for text in texts:
                made[text] = made[text].map(unguarded).astype("string")
            return _with_gaps(made)
        case "xlsx":
            typed = _typed(pd.read_excel(path, nrows=0).columns)
            # pandas cannot read booleans with gaps: it converts empty cells too. They are converted afterwards.
            truths = {name: dtype for name, dtype in typed["dtype"].items() if dtype == "boolean"}
            made = pd.read_excel(path, **{**typed, "dtype": {**typed["dtype"], **dict.fromkeys(truths, object)}})
            return _with_gaps(made.astype(truths))
        case "json":
            document = json.loads(path.read_text(encoding="utf-8"))
            names, rows = document["columns"], document["rows"]
        case "jsonl":
            with path.open(encoding="utf-8", newline="\n") as lines:
                rows = [json.loads(line) for line in lines]
            names = list(rows[0]) if rows else []
    return _frame(names, [tuple(row.values()) for row in rows])


def _with_gaps(made: pd.DataFrame) -> pd.DataFrame:
    """The same with `pandas.NA` for each empty text."""
    texts = [name for name in made.columns if made[name].dtype == "string"]
    return made.assign(**{name: made[name].replace("", pd.NA) for name in texts})


def _typed(names: Iterable[str]) -> dict[str, Any]:
    """Arguments that tell pandas the types of columns: a player may be called NA, and a roll is text."""
    known = _known(names)
    gaps = {name: [""] for name, dtype in known.items() if dtype != "string"}
    return {"dtype": known, "keep_default_na": False, "na_values": gaps}


def _known(names: Iterable[str]) -> dict[str, str]:
    return {name: DTYPES[name] for name in names if name in DTYPES}


def _frame(names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> pd.DataFrame:
    cells: Sequence[Sequence[Cell]] = list(zip(*rows, strict=True)) or [()] * len(names)
    return pd.DataFrame({name: _array(name, column) for name, column in zip(names, cells, strict=True)})


def _array(name: str, cells: Iterable[Cell]) -> Any:
    """The cells of a column as pandas keeps them; an unknown one is `pandas.NA`, where a file has an empty text."""
    return pd.array([None if cell == "" else cell for cell in cells], dtype=DTYPES[name])  # type: ignore[call-overload]
