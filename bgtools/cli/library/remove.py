"""``bgtools library remove``: records out of a library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common, _terminal
from bgtools.cli.library._common import LibraryOption, has, opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.library.removing import Removal


def remove_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Files as they were added, or folders for all files below.", metavar="PATH"),
    ] = None,
    library: LibraryOption = None,
    match: Annotated[
        int | None,
        typer.Option(help="Remove the records of this match: its number in the table of matches.", metavar="ID"),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove it; else it is only said what would leave.")] = False,
) -> None:
    """Take files out of a library, with their records, analyses and findings.

    The files themselves stay where they are. A record stays where another path has the same file, and a match where
    other records of it are left. Without --yes nothing is changed.
    Exit status: 0 done, 2 nothing could be removed.
    """
    if bool(paths) == (match is not None):
        _common.fail("give the paths of files, or --match ID")
    with opened(library) as kept:
        removal = kept.remove(paths or (), match=match, really=yes)
        for line in _lines(removal):
            _terminal.say(line)
        if yes:
            _terminal.say(f"{_summary(removal)} removed; {has(kept)}", err=True)
        else:
            _terminal.say(f"{_summary(removal)} would be removed; --yes removes it", err=True)


def _lines(removal: Removal) -> Iterator[str]:
    from bgtools.findings.finding import printable
    from bgtools.reports.findings import few

    for each in removal.paths:
        kept = "its records stay, another path has the same file" if each.elsewhere else few(each.records, "record")
        yield f"{printable(each.path)}: {kept}"


def _summary(removal: Removal) -> str:
    from bgtools.reports.findings import count_files, few

    text = f"{count_files(len(removal.paths))} with {few(len(removal.records), 'record')}"
    if removal.matches:
        text += f", {few(removal.matches, 'match', 'matches')} that no other record tells of"
    if removal.analysed:
        text += f", {removal.analysed:,} of them analysed,"
    return text
