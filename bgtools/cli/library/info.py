"""``bgtools library info``: what is in a library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bgtools._shell import shell_path
from bgtools.cli import _terminal
from bgtools.cli.library._common import LibraryOption, opened
from bgtools.findings.quantities import AMOUNT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.library.library import Library


def info_command(
    library: LibraryOption = None,
    errors: Annotated[
        bool, typer.Option("--errors", help="List the records with errors instead, and the files that were not read.")
    ] = False,
) -> None:
    """Say what a library holds, and what queries can ask of it.

    Exit status: 0 done, 2 there is no library.
    """
    with opened(library) as kept:
        for line in _errors(kept) if errors else _lines(kept):
            _terminal.say(line)


def _errors(kept: Library) -> Iterator[str]:
    """The files whose records have errors, the most first, and what would show them."""
    from bgtools.findings.finding import printable
    from bgtools.reports.findings import few

    for path, number, count in kept.sql(
        "SELECT s.path, r.number, r.errors FROM records r JOIN sources s ON s.source = r.source AND s.matches > 0 "
        "WHERE r.errors > 0 ORDER BY r.errors DESC, s.path, r.number"
    ).fetchall():
        which = f", match {number}" if number > 1 else ""
        yield f"{printable(path)}{which}: {few(count, 'error')}; bgtools check {printable(shell_path(path))}"
    for path, problem in kept.sql("SELECT path, problem FROM sources WHERE problem <> '' ORDER BY 1").fetchall():
        yield f"{printable(path)}: {printable(problem)}"


def _lines(kept: Library) -> list[str]:
    from bgtools.library.connecting import macros, views
    from bgtools.reports.findings import few

    size = sum(each.bytes for each in kept.state.files)
    lines = [f"{kept.location}: {few(kept.count, 'match', 'matches')}, {AMOUNT.text(size / 1e6)} MB", ""]
    width = max(len(each.name) for each in (*views(), *macros()))
    lines.append("Tables:")
    for name, meaning in views():
        rows = kept.sql(f"SELECT count(*) FROM {name}").fetchall()[0][0]
        lines.append(f"  {name:<{width}}  {rows:>12,}  {meaning}")
    lines += ["", "Words for queries:"]
    lines += [f"  {call:<{width}}  {meaning}" for call, meaning in macros()]
    return lines
