"""What the commands of a library share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools._disk import save, why
from bgtools._extras import install_hint
from bgtools._signals import signals_deferred
from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bgtools.library.library import Library
    from bgtools.library.runners import Runner

LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        help="The folder of the library, or an address that fsspec knows; by default BGTOOLS_LIBRARY says it.",
        metavar="DIR",
        show_default=False,
    ),
]


DaskOption = Annotated[
    str | None,
    typer.Option(
        "--dask",
        help="Let the workers of a Dask scheduler, such as tcp://head:8786, do the work; they need bgtools, and the "
        "same paths.",
        metavar="ADDRESS",
        show_default=False,
    ),
]


ForceOption = Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")]


def refuse(output: Path | None, endings: Sequence[str], *, force: bool, what: str = "the file") -> None:
    """End where a file cannot be written, before any work is done."""
    if output is None:
        return
    if output.suffix.lower() not in endings:
        _common.print_error(f"{output}: the name of {what} ends with one of {', '.join(endings)}")
        raise typer.Exit(2)
    _common.exit_if_exists(output, force=force)


def written(data: bytes, output: Path, *, force: bool, about: str = "") -> None:
    """Write a file, and say so."""
    from bgtools.findings.finding import printable

    with _common.exit_if_unwritable(output):
        save(data, output, force=force)
    _terminal.say(f"written to {printable(str(output))}{about}")


@contextmanager
def runner(dask: str | None, jobs: int | None) -> Iterator[Runner]:
    """What carries out the work: the workers of a cluster, or processes of this machine, by default one a core."""
    from bgtools.cli._files import cores
    from bgtools.library.cluster import DaskRunner
    from bgtools.library.runners import ProcessRunner, run_here

    if dask is None:
        count = jobs or cores()
        yield ProcessRunner(count) if count > 1 else run_here
        return
    if jobs is not None:
        raise typer.BadParameter("with --dask the workers say how many", param_hint="--jobs")
    with DaskRunner(dask) as cluster:
        yield cluster


def has(kept: Library) -> str:
    """How many matches a library has, in words.

    DuckDB imports modules in the middle of a query, and drops a Ctrl-C that comes then; so Ctrl-C has to wait.
    """
    from bgtools.reports.findings import few

    with signals_deferred():
        count = kept.count
    return f"{kept.location} has {few(count, 'match', 'matches')}"


@contextmanager
def opened(location: str | None) -> Iterator[Library]:
    """The library to work on. What is wrong with it is told, and the command ends with 2."""
    from bgtools.library.connecting import asking
    from bgtools.library.errors import LibraryError
    from bgtools.library.library import Library

    try:
        import pyarrow

        # pyarrow takes Ctrl-C for itself while it reads, and may drop it.
        pyarrow.enable_signal_handlers(False)
        # This also catches the errors that come while the rows of an answer are fetched.
        with asking():
            yield Library(location)
    except LibraryError as error:
        _common.print_error(str(error))
        raise typer.Exit(2) from None
    except ImportError as error:
        _common.print_error(f"{error.name} is not installed, which a library needs; {install_hint('library')}")
        raise typer.Exit(2) from None
    except OSError as error:
        place = error.filename or location or "the library"
        _common.print_error(f"{place}: {why(error)}; what was committed before is kept")
        raise typer.Exit(2) from None
