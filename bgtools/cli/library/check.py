"""``bgtools library check``: whether a library is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common, _terminal
from bgtools.cli.library._common import LibraryOption, opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.library.checking import Health


def check_command(
    library: LibraryOption = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Rebuild what is damaged, as far as can be.")] = False,
    tidy: Annotated[bool, typer.Option("--tidy", help="Merge small files first.")] = False,
    clean: Annotated[
        bool, typer.Option("--clean", help="Remove files that do not belong to it. Nobody may use it meanwhile.")
    ] = False,
) -> None:
    """Read every file of a library and compare it with what was written.

    Each file is compared with the digest in the manifest. What is damaged is named, and with --rebuild rebuilt:
    tables of records, and the manifest itself, from the files that the library keeps; an analysis has to be made again.
    Files that do not belong to it do no harm: a writer that was killed has left them, or others have taken their place.

    Exit status: 0 it is whole, or is again; 1 something is damaged or was lost; 2 it cannot be checked.
    """
    with opened(library) as kept:
        if tidy:
            many, few = kept.tidy()
            _terminal.say(
                f"{many:,} files became {few:,}" if few < many else "no small files to put together", err=True
            )
        health = kept.check(rebuild=rebuild, clean=clean)
        for line in _lines(health, rebuild=rebuild):
            _common.print_error(f"{kept.location}: {line}")
        _terminal.say(_summary(health, rebuild=rebuild), err=True)
        raise typer.Exit(1 if health.lost or (health.damaged and not rebuild) else 0)


def _lines(health: Health, *, rebuild: bool) -> Iterator[str]:
    for file, fault in health.damaged:
        yield f"{file.path} {fault}"
    yield from health.lost


def _summary(health: Health, *, rebuild: bool) -> str:
    from bgtools.reports.findings import count_files, few

    text = f"{count_files(health.checked)} checked, {len(health.damaged):,} damaged"
    if health.rebuilt or (health.damaged and rebuild):
        text += f"; {few(health.rebuilt, 'record')} rebuilt"
    elif health.damaged:
        text += "; --rebuild rebuilds what it can"
    if health.removed:
        text += f"; {health.removed:,} left over from earlier writes removed"
    elif health.strangers:
        text += f"; {len(health.strangers):,} left over from earlier writes, which --clean removes"
    return text
