"""``bgtools library open``: a library at hand, to ask it one thing after the other."""

from __future__ import annotations

import code
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from bgtools._shell import find_on_path
from bgtools.cli.library._common import LibraryOption, opened


def open_command(
    library: LibraryOption = None,
    python: Annotated[bool, typer.Option("--python", help="Open Python although DuckDB's shell is there.")] = False,
) -> None:
    """Open a library in DuckDB's shell where that is installed, else in Python.

    In Python "sql('SELECT …')" gives a relation, which shows its first rows, and has .df(), .pl() and .arrow();
    "library" is the library, and its tables are "library.turns" and the like. What is asked here is not limited to
    reading the library: see "bgtools library sql" for that.
    """
    with opened(library) as kept:
        shell = None if python else find_on_path("duckdb")
        if shell is None:
            names: dict[str, Any] = {"library": kept, "sql": kept.sql}
            code.interact(f"{kept!r}, {kept.count:,} matches: library, sql('SELECT …')", local=names, exitmsg="")
            return
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "library.sql"
            script.write_text(kept.script, encoding="utf-8")
            raise typer.Exit(subprocess.call([shell, "-init", str(script)]))
