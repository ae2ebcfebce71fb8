"""Rows as tables: typed columns, written as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args, get_origin, get_type_hints

import pandas as pd

from bgtools.analysis.rows import Count, DecisionRow, TurnRow, flat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_DECIMALS: Final = 5
"""Digits behind the point of an equity: finer than any engine knows it."""


def decisions_table(rows: Sequence[DecisionRow]) -> pd.DataFrame:
    """One row a decision; `columns_of` lists the columns and their types."""
    return _table(DecisionRow, rows)


def turns_table(rows: Sequence[TurnRow]) -> pd.DataFrame:
    """One row a turn; `columns_of` lists the columns and their types."""
    return _table(TurnRow, rows)


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table as UTF-8 CSV; equal tables give equal bytes on every system."""
    rounded = table.copy()
    for name in rounded.columns[rounded.dtypes == "Float64"]:
        rounded[name] = rounded[name].round(_DECIMALS) + 0.0  # no minus zero
    rounded.to_csv(path, index=False, encoding="utf-8", lineterminator="\n")


def columns_of(row_type: type[DecisionRow] | type[TurnRow]) -> dict[str, str]:
    """The columns of a table in their order, with the pandas type of each."""
    columns: dict[str, str] = {}
    for name, hint in get_type_hints(row_type).items():
        if hint is Count:
            columns[f"{name}_counted"], columns[f"{name}_why"] = "boolean", "string"
        elif name == "score":
            columns[name] = "string"
        elif get_origin(hint) is not tuple:
            columns[name] = _dtype(hint)
    return columns


def _dtype(hint: object) -> str:
    kinds = {hint, *get_args(hint)}
    if bool in kinds:
        return "boolean"
    if float in kinds:
        return "Float64"
    return "Int64" if int in kinds else "string"


def _table(
    row_type: type[DecisionRow] | type[TurnRow], rows: Sequence[DecisionRow] | Sequence[TurnRow]
) -> pd.DataFrame:
    columns = columns_of(row_type)
    values = [flat(row) for row in rows]
    return pd.DataFrame(
        {name: pd.array([row[name] for row in values], dtype=dtype) for name, dtype in columns.items()}  # type: ignore[call-overload]
    )
