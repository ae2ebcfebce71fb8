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
) -> None:
    """Ask a library by SQL.

    "bgtools library sql 'SELECT person, count(*) FROM players GROUP BY ALL ORDER BY 2 DESC LIMIT 10'" lists who played
    most. "bgtools library info" lists the tables and the words of backgammon that queries know; DESCRIBE turns lists
    columns. The query only reads, and nothing but the library. Exit status: 0 answered, 2 not.
    """
    import sys

    from bgtools.cli.library._output import print_answer

    with opened(library) as kept:
        print_answer(kept.asked(sys.stdin.read() if query == "-" else query), layout)
