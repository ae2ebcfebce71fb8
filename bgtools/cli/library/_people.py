"""What the commands about players share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.analysis import Blunder

PAGE: Final = ".html"
"""How the name of a page ends."""

NameArgument = Annotated[str, typer.Argument(help="A name of the player, in any case.", metavar="NAME")]
ForceOption = Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")]
Layout = Literal["text", "json"]
"""How figures are printed."""
LayoutOption = Annotated[Layout, typer.Option("--format", help="text or json.")]


def refuse(output: Path | None, endings: Sequence[str], *, force: bool) -> None:
    """End where a file cannot be written, before any work is done."""
    if output is None:
        return
    if output.suffix.lower() not in endings:
        _common.complain(f"{output}: the name of the file ends with one of {', '.join(endings)}")
        raise typer.Exit(2)
    if output.exists() and not force:
        _common.complain(f"{output} exists; --force writes over it")
        raise typer.Exit(2)


def written(data: bytes, output: Path, *, force: bool) -> None:
    """Write a file, and say so."""
    from bgtools.conversion import save
    from bgtools.reports import printable

    with _common.written_or_end(output):
        save(data, output, force=force)
    _terminal.say(f"written to {printable(str(output))}")


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: the first column is text, the others are figures."""
    from rich.text import Text

    from bgtools.reports import Grid, printable

    table = Grid(stack="rows")
    table.add_column(heads[0])
    for title in heads[1:]:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(Text(printable(row[0])), *row[1:])
    _terminal.console().print(table)


def worst_data(worst: Sequence[Blunder]) -> list[dict[str, Any]]:
    """Decisions as plain values, each with the command that shows it."""
    from bgtools.reports import command_of, lesson_data

    rows = lesson_data(each.row for each in worst)
    return [
        {"file": each.file, "match": each.match, **row, "command": command_of(each)}
        for each, row in zip(worst, rows, strict=True)
    ]
