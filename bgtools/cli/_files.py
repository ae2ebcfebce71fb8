"""Working on many files: finding them, working on all cores, and giving what comes of them in order.

Every result is passed on as soon as it is its turn, so a hundred thousand files take no more memory than a hundred.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from bgtools.formats import AMBIGUOUS, FormatError, formats

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

FEW: Final = 16
"""This process works on so many files itself before it starts others, which takes longer than it saves for fewer."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to work on; ``named`` by the user, or found in a folder."""

    path: str
    named: bool = False


class Work(Protocol[T_co]):
    """What is done with a file. It must be picklable, since other processes may do it."""

    def __call__(self, candidate: Candidate) -> T_co:
        """Do it. Never raises on what is in the file."""
        ...

    def lost(self, candidate: Candidate, problem: str) -> T_co:
        """The result for a file whose process was killed while it worked on the file."""
        ...


# --- finding files --------------------------------------------------------------------------


def candidates(paths: Iterable[str]) -> Iterator[Candidate]:
    """The files that are named, and the records in the folders that are named, in the order of their paths.

    In a folder every file counts whose ending is that of a format we read. Hidden files and folders,
    and links to folders, which may go round in a circle, are passed over.
    """
    for path in paths:
        if path != "-" and os.path.isdir(path):  # noqa: PTH112 - a path may hold what pathlib rejects
            yield from _in_folder(path)
        else:
            yield Candidate(path, named=True)


def _in_folder(folder: str) -> Iterator[Candidate]:
    try:
        with os.scandir(folder) as entries:
            # The names only: the entries of a large folder take ten times their room.
            found = sorted(
                (entry.name, is_folder)
                for entry in entries
                if not entry.name.startswith(".")
                and ((is_folder := entry.is_dir(follow_symlinks=False)) or (_is_record(entry.name) and entry.is_file()))
            )
    except OSError:
        yield Candidate(folder, named=True)  # reading it says why it cannot be read
        return
    for name, is_folder in found:
        path = os.path.join(folder, name)  # noqa: PTH118 - keeps the path as the user wrote it, "./" and all
        if is_folder:
            yield from _in_folder(path)
        else:
            yield Candidate(path)


@cache
def _endings() -> tuple[str, ...]:
    return tuple(ending for each in formats() for ending in each.extensions)


def _is_record(name: str) -> bool:
    return name.lower().endswith(_endings())


# --- what can be wrong with a file ------------------------------------------------------------


def is_no_record(candidate: Candidate, error: Exception) -> bool:
    """Whether a file cannot be read because it is no record, and nobody said that it was one."""
    return isinstance(error, FormatError) and not candidate.named and candidate.path.lower().endswith(AMBIGUOUS)


def trouble(error: Exception) -> str:
    """Why a file could not be worked on, as a phrase after its name."""
    match error:
        case IsADirectoryError():
            return "this folder cannot be read"
        case OSError():
            return f"cannot be read: {error.strerror or error}"
        case FormatError():
            return str(error)
    return f"left out, by a fault of bgtools; please report it: {_fault(error)}"


def _fault(error: Exception) -> str:
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f" in {os.path.basename(at.tb_frame.f_code.co_filename)}, line {at.tb_lineno}" if at else ""  # noqa: PTH119
    return f"{type(error).__name__}: {error}{where}"


# --- on all cores ---------------------------------------------------------------------------


def cores() -> int:
    """How many processes can work at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def in_order(files: Iterable[Candidate], work: Work[T], jobs: int) -> Generator[T, None, None]:
    """Work on files with ``jobs`` processes; what comes of them comes in the order of the files.

    Close the iterator to stop early: it ends the processes it started.
    """
    files = iter(files)
    alone = files if jobs == 1 else islice(files, FEW)
    for each in alone:
        yield work(each)
    following = next(files, None)
    if following is not None:
        from bgtools.cli._parallel import in_parallel

        yield from in_parallel(chain([following], files), work, jobs)
