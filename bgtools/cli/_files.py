"""Working on many files on all cores, and giving what comes of them in order.

Every result is passed on as soon as it is its turn, so a hundred thousand files take no more memory than a hundred.
"""

from __future__ import annotations

import os
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from bgtools._crew import Work
    from bgtools.formats import Candidate

FEW: Final = 16
"""This process works on the first files itself: for so many, starting others takes longer than it saves."""

T = TypeVar("T")


def cores() -> int:
    """How many processes can work at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def in_order(files: Iterable[Candidate], work: Work[Candidate, T], jobs: int) -> Generator[T, None, None]:
    """Work on files with ``jobs`` processes; what comes of them comes in the order of the files.

    Close the iterator to stop early: it ends the processes it started.
    """
    files = iter(files)
    alone = files if jobs == 1 else islice(files, FEW)
    for each in alone:
        yield work(each)
    following = next(files, None)
    if following is not None:
        from bgtools._crew import in_parallel
        from bgtools.cli import _common

        yield from in_parallel(
            chain([following], files), work, jobs, prepare=_common.for_a_new_process(), is_ours=_is_standard_input
        )


def _is_standard_input(candidate: Candidate) -> bool:
    return candidate.path == "-"
