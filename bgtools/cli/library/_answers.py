"""Printing the answer to a query."""

from __future__ import annotations

import csv
import datetime
import io
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from bgtools.cli import _terminal
from bgtools.reports import guarded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_AT_ONCE: Final = 10_000
_DIGITS: Final = 5


def print_answer(answer: Any, layout: str) -> None:
    """Print what a query gives.

    Args:
        answer: a connection of DuckDB that has carried out a query.
        layout: ``table`` for people, ``csv``, ``json`` (an array of objects) or ``jsonl`` (an object a line).
    """
    names = [each[0] for each in answer.description or ()]
    if layout == "table":
        _terminal.say("\n".join(_table(names, [row for rows in _some(answer) for row in rows])))
    elif layout == "csv":
        _put_csv([names])
        for rows in _some(answer):
            _put_csv([[guarded(cell) if type(cell) is str else _plain(cell) for cell in row] for row in rows])
    else:
        _put_json(names, answer, layout)


def _some(answer: Any) -> Iterator[list[tuple[Any, ...]]]:
    while rows := answer.fetchmany(_AT_ONCE):
        yield rows


def _put_csv(rows: Sequence[Sequence[Any]]) -> None:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    _terminal.put_data(stream.getvalue())


def _put_json(names: Sequence[str], answer: Any, layout: str) -> None:
    lines = layout == "jsonl"
    first = True
    for rows in _some(answer):
        for row in rows:
            text = json.dumps({name: _plain(cell) for name, cell in zip(names, row, strict=True)}, ensure_ascii=False)
            _terminal.put_data(f"{text}\n" if lines else ("[" if first else ",") + f"\n{text}")
            first = False
    if not lines:
        _terminal.put_data("[]\n" if first else "\n]\n")


def _plain(cell: Any) -> Any:
    """A value as JSON and CSV have it."""
    match cell:
        case float():
            return round(cell, _DIGITS) if cell - cell == 0 else None
        case Decimal():
            return float(cell)
        case bytes():
            return cell.hex()
        case datetime.date() | datetime.time() | datetime.timedelta():
            return str(cell)
        case list() | tuple():
            return [_plain(each) for each in cell]
        case dict():
            return {str(name): _plain(each) for name, each in cell.items()}
        case None | bool() | int() | str():
            return cell
    return str(cell)


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Columns under their names: figures to the right, texts to the left."""
    told = [[_shown(cell) for cell in row] for row in rows]
    right = [
        bool(rows)
        and all(isinstance(row[at], int | float | Decimal | None) and not isinstance(row[at], bool) for row in rows)
        for at in range(len(names))
    ]
    widths = [max([len(name), *(len(row[at]) for row in told)]) for at, name in enumerate(names)]
    lines = [list(names), ["-" * width for width in widths], *told]
    return [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    ]


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4f}".rstrip("0").rstrip(".")
    if isinstance(cell, bytes):
        return f"{len(cell):,} bytes"
    return " ".join(str(_plain(cell)).split())
