"""``bgtools library watch``: what appears in folders goes into a library."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from bgtools._disk import may_exist, status
from bgtools.cli import _common, _terminal
from bgtools.cli._engine_options import seconds_of
from bgtools.cli.library._common import LibraryOption, has, opened
from bgtools.cli.library.add import summary


def watch_command(
    files: Annotated[list[str], typer.Argument(help="Folders to look into.", metavar="PATH")],
    library: LibraryOption = None,
    every: Annotated[str, typer.Option(help="How long to wait between looks: 30s, 5m.", metavar="TIME")] = "30s",
) -> None:
    """Add to a library what appears in folders, until Ctrl-C.

    A file is added once it has not changed between two looks, so one that is still being written is left alone. A
    folder that is not there yet is waited for.
    Exit status: 130 when interrupted, 2 where the library cannot be written.
    """
    pause = seconds_of(every, "--every") or 1.0
    before: dict[str, tuple[int, int]] = {}
    done: dict[str, tuple[int, int]] = {}
    for each in files:
        if not may_exist(each):
            _common.print_error(f"{each}: is not there; it is waited for")
    with opened(library) as kept:
        try:
            while True:
                now = _looks(files)
                ready = {path: look for path, look in now.items() if before.get(path) == look != done.get(path)}
                before = now
                if ready:
                    added = kept.add(ready)
                    done |= ready
                    for path, problem in added.problems:
                        _common.print_error(f"{path}: {problem}")
                    if added.matches:
                        _terminal.say(f"{summary(added)}; {has(kept)}", err=True)
                time.sleep(pause)
        except KeyboardInterrupt:
            raise typer.Exit(_common.INTERRUPTED) from None


def _looks(files: list[str]) -> dict[str, tuple[int, int]]:
    """The files that there are, with length and time of change."""
    from bgtools.formats.searching import candidates

    found: dict[str, tuple[int, int]] = {}
    for each in candidates(files):
        if not each.is_empty and (about := status(each.path)) is not None:
            found[each.path] = (about.st_size, about.st_mtime_ns)
    return found
