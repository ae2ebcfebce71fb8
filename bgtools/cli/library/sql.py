"""``bgtools library sql``: any question to a library."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from bgtools.cli.library._common import LibraryOption, opened

Layout = Literal["table", "csv", "json", "jsonl"]
"""How an answer is printed."""


def sql_command(
    query: Annotated[str, typer.Argument(help="A query of DuckDB; - reads it from standard input.", metavar="SQL")],
    library: LibraryOption = None,
    layout: Annotated[Layout, typer.Option("--format", help="How to print the answer.")] = "table",
    timeout: Annotated[
        float | None,
        typer.Option(min=0.001, help="Give up after so long.", metavar="SECONDS", show_default=False),
    ] = None,
) -> None:
    """Ask a library by SQL.

    "bgtools library sql 'SELECT person, count(*) FROM players GROUP BY ALL ORDER BY 2 DESC LIMIT 10'" lists who played
    most. "bgtools library info" lists the tables and the words of backgammon that queries know; DESCRIBE turns lists
    columns. The query only reads, and nothing but the library. In JSON, columns of one name get numbers: name, name_2.
    Exit status: 0 answered, 2 not.
    """
    import sys

    from bgtools.cli.library._output import print_answer

    with opened(library) as kept:
        print_answer(kept.asked(sys.stdin.read() if query == "-" else query, timeout=timeout), layout)
