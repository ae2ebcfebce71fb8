"""``bgtools library info``: what is in a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.cli import _terminal
from bgtools.cli.library._common import LibraryOption, opened

if TYPE_CHECKING:
    from bgtools.library.library import Library


def info_command(library: LibraryOption = None) -> None:
    """Say what a library holds, and what queries can ask of it.

    Exit status: 0 done, 2 there is no library.
    """
    with opened(library) as kept:
        _terminal.say("\n".join(_lines(kept)))


def _lines(kept: Library) -> list[str]:
    from bgtools.library.connecting import macros, views
    from bgtools.reports.findings import few

    size = sum(each.bytes for each in kept.state.files)
    lines = [f"{kept.location}: {few(kept.count, 'match', 'matches')}, {size / 1e6:,.1f} MB", ""]
    width = max(len(each.name) for each in (*views(), *macros()))
    lines.append("Tables:")
    for name, meaning in views():
        rows = kept.sql(f"SELECT count(*) FROM {name}").fetchall()[0][0]
        lines.append(f"  {name:<{width}}  {rows:>12,}  {meaning}")
    lines += ["", "Words for queries:"]
    lines += [f"  {call:<{width}}  {meaning}" for call, meaning in macros()]
    return lines
