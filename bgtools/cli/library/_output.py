"""Printing answers to queries, and what the commands about players share."""

from __future__ import annotations

import datetime
import warnings
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final, Literal

import typer

from bgtools._disk import atomic_writer
from bgtools.cli import _terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bgtools.analysis.blunders import Blunder


_AT_ONCE: Final = 10_000
_DIGITS: Final = 5


def print_answer(answer: Any, layout: str) -> None:
    """Print what a query gives.

    Args:
        answer: a connection of DuckDB that has carried out a query.
        layout: ``table`` for people, ``csv``, ``json`` (an array of objects) or ``jsonl`` (an object a line).
    """
    _print(_names(answer), _some(answer), layout)


def print_rows(names: Sequence[str], rows: Iterable[Sequence[Any]], layout: str) -> None:
    """Print rows, a cell per column, as `print_answer` does."""
    _print(names, [list(rows)], layout)


def _print(names: Sequence[str], pieces: Iterable[Sequence[Sequence[Any]]], layout: str) -> None:
    if layout == "table":
        _terminal.say("\n".join(_table(names, [row for rows in pieces for row in rows])))
    else:
        stream = _terminal.data_stream()
        _write(names, pieces, layout, stream)
        stream.flush()


def write_answer(answer: Any, output: Path, *, force: bool) -> int:
    """Write what a query gives to a file, in the format that its name tells; how many rows.

    Raises:
        TableError: the ending of the name tells no format, or what the format needs is not installed.
        FileExistsError: there is such a file, and ``force`` is not given.
        OSError: it cannot be written.
    """
    from bgtools.reports.table_files import format_of, require

    layout = format_of(output.name)
    require(layout)
    with atomic_writer(output, force=force) as stream:
        if layout != "parquet":
            return _write(_names(answer), _some(answer), layout, stream)
        from pyarrow import parquet

        with warnings.catch_warnings():
            # DuckDB would rather make the rows in this way from the beginning.
            warnings.simplefilter("ignore")
            table = answer.to_arrow_table() if hasattr(answer, "to_arrow_table") else answer.fetch_arrow_table()
        parquet.write_table(table, stream, compression="zstd")
        return int(table.num_rows)


def _write(names: Sequence[str], pieces: Iterable[Sequence[Sequence[Any]]], layout: Any, stream: BinaryIO) -> int:
    """Write rows as a file; how many."""
    from bgtools.reports.columns import Column
    from bgtools.reports.table_files import encode, writer

    columns = [Column(name, "text") for name in (_told_apart(names) if layout.startswith("json") else names)]
    file = writer(layout, None, columns, stream)
    count = 0
    for rows in pieces:
        file.add(encode(layout, columns, [[*map(_plain, row)] for row in rows]))
        count += len(rows)
    file.close()
    return count


def _names(answer: Any) -> list[str]:
    return [each[0] for each in answer.description or ()]


def _some(answer: Any) -> Iterator[list[tuple[Any, ...]]]:
    while rows := answer.fetchmany(_AT_ONCE):
        yield rows


def _told_apart(names: Sequence[str]) -> list[str]:
    """Names of columns, all different: of several equal ones the second gets ``_2``, and so on."""
    found: list[str] = []
    for name in names:
        known, number = name, 1
        while known in found or (number > 1 and known in names):
            number += 1
            known = f"{name}_{number}"
        found.append(known)
    return found


def _plain(cell: Any) -> Any:
    """A value as JSON and CSV have it."""
    match cell:
        case None | bool() | int() | str():  # nearly all, so they come first
            return cell
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


PAGE: Final = ".html"
"""How the name of a page ends."""

NameArgument = Annotated[str, typer.Argument(help="A name of the player, in any case.", metavar="NAME")]
Layout = Literal["text", "json"]
"""How figures are printed."""
LayoutOption = Annotated[Layout, typer.Option("--format", help="text or json.")]


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: the first column is text, the others are figures."""
    from bgtools.findings.finding import printable
    from bgtools.reports.document import DataTable

    _terminal.console().print(DataTable("", heads, [(printable(row[0]), *row[1:]) for row in rows]))


def worst_data(worst: Sequence[Blunder]) -> list[dict[str, Any]]:
    """Decisions as plain values, each with the command that shows it."""
    from bgtools.reports.decision_text import lesson_data
    from bgtools.reports.sheets.writing import command_of

    rows = lesson_data(each.row for each in worst)
    return [
        {"file": each.file, "match": each.match, **row, "command": command_of(each)}
        for each, row in zip(worst, rows, strict=True)
    ]
