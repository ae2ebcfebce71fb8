"""What the commands about players share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from bgtools.cli import _terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.analysis.blunders import Blunder

PAGE: Final = ".html"
"""How the name of a page ends."""

NameArgument = Annotated[str, typer.Argument(help="A name of the player, in any case.", metavar="NAME")]
Layout = Literal["text", "json"]
"""How figures are printed."""
LayoutOption = Annotated[Layout, typer.Option("--format", help="text or json.")]


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: the first column is text, the others are figures."""
    from rich.text import Text

    from bgtools.findings.finding import printable
    from bgtools.reports.grid import StackingTable

    table = StackingTable(stack="rows")
    table.add_column(heads[0])
    for title in heads[1:]:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(Text(printable(row[0])), *row[1:])
    _terminal.console().print(table)


def worst_data(worst: Sequence[Blunder]) -> list[dict[str, Any]]:
    """Decisions as plain values, each with the command that shows it."""
    from bgtools.reports.careers.text import command_of
    from bgtools.reports.errors import lesson_data

    rows = lesson_data(each.row for each in worst)
    return [
        {"file": each.file, "match": each.match, **row, "command": command_of(each)}
        for each, row in zip(worst, rows, strict=True)
    ]
