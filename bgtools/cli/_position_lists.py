"""``bgtools convert --positions``: a list of positions, one a line, in one notation."""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from bgtools._disk import atomic_writer, opened, why
from bgtools.cli import _common

if TYPE_CHECKING:
    from collections.abc import Iterator


def convert_list(paths: list[str], notation: str | None, *, force: bool) -> int:
    """Convert a list of positions; the exit status."""
    from bgtools.positions.notations import convert_positions
    from bgtools.positions.position import IdError

    if notation is None or len(paths) > 2:
        _common.print_error(
            "say with --to which notation to write" if notation is None else "give one list of positions, and where to"
        )
        return 2
    source, where = (*paths, "-", "-")[:2]
    if where != "-":
        _common.exit_if_exists(where, force=force)
    status = 0
    name = "<stdin>" if source == "-" else source
    try:
        done = convert_positions(_lines(source, name), notation)
        with _common.exit_if_unwritable(Path(where)), _writing(where, force=force) as out:
            for line in done:
                out.write(f"{line.text}\n")
                if line.error:
                    status = 1
                    _common.print_error(f"{name}:{line.number}: {line.error}")
    except IdError as error:
        _common.print_error(str(error))
        return 2
    return status


def _lines(path: str, name: str) -> Iterator[str]:
    """The lines of a text file, or of standard input for ``-``; ends with a message where they cannot be read."""
    try:
        if path == "-":
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
            yield from sys.stdin
        else:
            with io.TextIOWrapper(opened(path), encoding="utf-8", errors="replace") as file:
                yield from file
    except OSError as error:
        _common.print_error(f"{name}: cannot be read: {why(error)}")
        raise typer.Exit(2) from None


@contextmanager
def _writing(path: str, *, force: bool) -> Iterator[TextIO]:
    """A text file to write, or standard output for ``-``. It gets its name when it is whole: it may be the input."""
    if path == "-":
        yield sys.stdout
        return
    with atomic_writer(Path(path), force=force) as stream:
        file = io.TextIOWrapper(stream, encoding="utf-8", errors="replace")
        try:
            yield file
        finally:
            file.detach()
