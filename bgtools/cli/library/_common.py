"""What the commands of a library share, and how the values of a search are read."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from bgtools._disk import save, why
from bgtools._extras import install_hint
from bgtools._signals import signals_deferred
from bgtools.cli import _common, _terminal
from bgtools.cli._files import cores, ensure_one, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bgtools.library.library import Library
    from bgtools.library.runners import Runner
    from bgtools.library.search import Range


LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        help="The folder of the library, or an address that fsspec knows; by default BGTOOLS_LIBRARY says it.",
        metavar="DIR",
        show_default=False,
    ),
]


WhereOption = Annotated[
    str,
    typer.Option(
        "--where",
        help="Only matches of which this is true, by SQL: \"length >= 7 AND person0 = 'Ann'\".",
        metavar="SQL",
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option("--time", help="Begin nothing new after so long: 90s, 5m, 2h.", metavar="TIME", show_default=False),
]
ForceOption = Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")]


def refuse(output: Path | None, endings: Sequence[str], *, force: bool, what: str = "the file") -> None:
    """End where a file cannot be written, before any work is done."""
    if output is None:
        return
    if output.suffix.lower() not in endings:
        _common.fail(f"{output}: the name of {what} ends with one of {', '.join(endings)}")
    _common.exit_if_exists(output, force=force)


def written(data: bytes, output: Path, *, force: bool, about: str = "") -> None:
    """Write a file, and say so."""
    from bgtools.findings.finding import printable

    with _common.exit_if_unwritable(output):
        save(data, output, force=force)
    _terminal.say(f"written to {printable(str(output))}{about}")


@contextmanager
def runner(dask: str | None, jobs: int | None) -> Iterator[Runner]:
    """What carries out the work: the workers of a cluster, or processes of this machine, by default one per core."""
    from bgtools.library.runners import ProcessRunner, run_here

    ensure_one(jobs, dask)
    count = jobs or cores()
    with joined(dask, "what was committed is kept, and the same command goes on from there") as cluster:
        yield cluster or (ProcessRunner(count) if count > 1 else run_here)


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
    from bgtools.library.library import Library
    from bgtools.library.storage import LibraryError

    try:
        import pyarrow

        # pyarrow takes Ctrl-C for itself while it reads, and may drop it.
        pyarrow.enable_signal_handlers(False)
        # This also catches the errors that come while the rows of an answer are fetched.
        with asking():
            yield Library(location)
    except LibraryError as error:
        _common.fail(str(error))
    except ImportError as error:
        _common.fail(f"{error.name} is not installed, which a library needs; {install_hint('library')}")
    except OSError as error:
        place = error.filename or location or "the library"
        _common.fail(f"{place}: {why(error)}; what was committed before is kept")


T = TypeVar("T", bound=str)

_NUMBER: Final = r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})"
_BOTH: Final = re.compile(rf"\s*({_NUMBER})?\.\.({_NUMBER})?\s*")
_AWAY: Final = re.compile(
    r"\s*([0-9]{1,3})\s*-?\s*a(?:way)?\s*[,/ -]?\s*([0-9]{1,3})\s*-?\s*a(?:way)?\s*", re.IGNORECASE
)


def range_of(text: str | None, option: str, *, least: bool = False) -> Range | None:
    """A range such as ``20..40``, ``20..`` or ``..40``, or a number: that one alone, or with ``least`` that and more.

    Raises:
        typer.BadParameter: the text is not a range.
    """
    if text is None:
        return None
    both = _BOTH.fullmatch(text)
    if both and (both[1] or both[2]):
        low, high = (None if each is None else float(each) for each in both.groups())
        if low is None or high is None or low <= high:
            return low, high
    elif re.fullmatch(rf"\s*{_NUMBER}\s*", text):
        return float(text), None if least else float(text)
    raise typer.BadParameter(f"{text!r} is not a range, such as 20..40, 20.. or ..40", param_hint=option)


def away_of(text: str | None) -> tuple[int, int] | None:
    """Points that both lack, the player's first, such as ``2-away,4-away`` or ``2a4a``; ``money`` and ``dmp`` too.

    Raises:
        typer.BadParameter: it is none of these.
    """
    if text is None:
        return None
    named = {"money": (0, 0), "dmp": (1, 1)}.get(text.strip().casefold())
    if named is not None:
        return named
    found = _AWAY.fullmatch(text)
    if not found or not int(found[1]) or not int(found[2]):
        raise typer.BadParameter(
            f"{text!r} is not a score, such as 2-away,4-away (the player on roll first), dmp or money",
            param_hint="--score",
        )
    return int(found[1]), int(found[2])


def dice_of(text: str | None) -> str:
    """A roll, the larger number first; empty for None.

    Raises:
        typer.BadParameter: the text is not a roll.
    """
    if text is None:
        return ""
    found = re.fullmatch(r"\s*([1-6])[-, ]?([1-6])\s*", text)
    if not found:
        raise typer.BadParameter(f"{text!r} is not a roll, such as 64", param_hint="--dice")
    return max(found[1], found[2]) + min(found[1], found[2])


def named(names: Sequence[str] | None, known: Sequence[T], option: str) -> tuple[T, ...]:
    """Names as they are known; see `find_named`.

    Raises:
        typer.BadParameter: one is not known.
    """
    from bgtools.library.search import find_named
    from bgtools.library.storage import LibraryError

    try:
        return find_named(option.strip("-"), names or (), known)
    except LibraryError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
