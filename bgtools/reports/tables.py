"""Rows as tables: typed columns, written as CSV."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin, get_type_hints

import pandas as pd

from bgtools.analysis.rows import ChoiceRow, Count, DecisionRow, TurnRow, flat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bgtools.analysis.comparison import Comparison

_DECIMALS: Final = 5
"""Digits behind the point of an equity: finer than any engine knows it."""


def decisions_table(rows: Sequence[DecisionRow]) -> pd.DataFrame:
    """One row a decision; `columns_of` lists the columns and their types."""
    return _table(DecisionRow, rows)


def turns_table(rows: Sequence[TurnRow]) -> pd.DataFrame:
    """One row a turn; `columns_of` lists the columns and their types."""
    return _table(TurnRow, rows)


def choices_table(rows: Sequence[DecisionRow]) -> pd.DataFrame:
    """One row a choice that the engine valued: the best of each decision and the one that was made."""
    columns = {
        "game": "Int64",
        "turn": "Int64",
        "player": "Int64",
        "kind": "string",
        "rank": "Int64",
        "made": "boolean",
    }
    columns |= {name: _dtype(hint) for name, hint in get_type_hints(ChoiceRow).items()}
    values = [
        {"game": row.game, "turn": row.turn, "player": row.player, "kind": row.kind, "rank": rank}
        | {"made": choice.choice == row.played}
        | asdict(choice)
        for row in rows
        for rank, choice in enumerate(row.choices, start=1)
    ]
    return _frame(columns, values)


def disagreements_table(comparison: Comparison) -> pd.DataFrame:
    """One row a decision on which engines disagree, with three columns an engine."""
    whose = ("game", "turn", "player", "name", "kind", "score", "cube", "cube_owner", "dice", "xgid", "played")
    columns = {name: dtype for name, dtype in columns_of(DecisionRow).items() if name in whose}
    columns |= {"difference": "Float64", "about": "string"}
    for engine in comparison.engines:
        columns |= {f"{engine}_best": "string", f"{engine}_loss": "Float64", f"{engine}_depth": "string"}
    values = []
    for each in comparison.disagreements:
        row = {**flat(each.row), "difference": each.difference, "about": each.about}
        for engine, verdict in zip(comparison.engines, each.verdicts, strict=True):
            row |= {f"{engine}_{name}": value for name, value in asdict(verdict).items()}
        values.append(row)
    return _frame(columns, values)


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
    return _frame(columns_of(row_type), [flat(row) for row in rows])


def _frame(columns: dict[str, str], values: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame(
        {name: pd.array([row[name] for row in values], dtype=dtype) for name, dtype in columns.items()}  # type: ignore[call-overload]
    )
