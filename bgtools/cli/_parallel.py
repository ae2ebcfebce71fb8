"""Working on many files with several processes.

A module of its own: importing what starts processes takes longer than checking a match.
"""

from __future__ import annotations

import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children
from typing import TYPE_CHECKING, Final, TypeVar

from bgtools.cli import _common

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from bgtools.cli._files import Work
    from bgtools.formats import Candidate

    _Submitted = tuple[tuple[Candidate, ...], Future[list["T"]] | None]

_BATCH: Final = 8
_AHEAD: Final = 4  # batches a process that wait or are under way

T = TypeVar("T")


def in_parallel(files: Iterator[Candidate], work: Work[T], jobs: int) -> Iterator[T]:
    """Work on files with ``jobs`` processes; what comes of them comes in the order of the files."""
    pending: deque[_Submitted[T]] = deque()
    pool = _start(jobs)
    finished = False
    try:
        while True:
            while len(pending) < jobs * _AHEAD and (batch := tuple(islice(files, _BATCH))):
                pending.append(_submit(pool, batch, work))
            if not pending:
                break
            batch, future = pending.popleft()
            try:
                done = future.result() if future is not None else [work(each) for each in batch]
            except BrokenProcessPool:
                # A process was killed, for want of memory most likely. Every batch that was under way is lost with
                # it; the file that did it is found by giving each file a process of its own.
                pool.shutdown(wait=False, cancel_futures=True)
                for lost, _ in ((batch, None), *pending):
                    yield from _one_by_one(lost, work)
                pending.clear()
                pool = _start(jobs)
                continue
            yield from done
        finished = True
    finally:
        if not finished:
            for child in active_children():
                child.kill()
        pool.shutdown(wait=finished, cancel_futures=True)


def _start(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(frozenset(_common.told_of_plugins),))


def _prepare(told: frozenset[str]) -> None:
    """In a new process: Ctrl-C reaches every process of a terminal, and the first one deals with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _common.relax_collector()
    _common.told_of_plugins.update(told)
    _common.tell_of_plugins()


def _submit(pool: ProcessPoolExecutor, batch: tuple[Candidate, ...], work: Work[T]) -> _Submitted[T]:
    if any(each.path == "-" for each in batch):
        return batch, None  # standard input belongs to this process
    try:
        return batch, pool.submit(_do_all, batch, work)
    except BrokenProcessPool:
        return batch, None


def _do_all(batch: tuple[Candidate, ...], work: Work[T]) -> list[T]:
    return [work(each) for each in batch]


def _one_by_one(batch: tuple[Candidate, ...], work: Work[T]) -> Iterator[T]:
    for each in batch:
        if each.path == "-":
            yield work(each)
            continue
        with _start(1) as pool:
            try:
                yield pool.submit(work, each).result()
            except BrokenProcessPool:
                yield work.lost(each, "left out: the process that read it was ended, by want of memory?")
