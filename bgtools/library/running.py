"""Carrying out tasks with several processes of this machine."""

from __future__ import annotations

import signal
import sys
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, get_context
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

_AHEAD: Final = 2  # tasks a process that wait or are under way
LOST: Final = "left out: the process that read it was ended, by want of memory?"


class Divisible(Protocol):
    """A task that can be carried out in parts."""

    @property
    def parts(self) -> tuple[Self, ...]:
        """The same in smaller tasks; none where it cannot be made smaller."""
        ...


T = TypeVar("T", bound=Divisible)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Processes:
    """Carries out tasks with some processes. A task that ends its process is carried out in ever smaller parts."""

    jobs: int

    def __call__(self, work: Callable[[T], R], tasks: Iterable[T], lost: Callable[[T, str], R]) -> Iterator[R]:
        """The results, as they come."""
        waiting = iter(tasks)
        pool = self._pool()
        under_way = {pool.submit(work, each): each for each in islice(waiting, self.jobs * _AHEAD)}
        finished = False
        try:
            while under_way:
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                broken: list[T] = []
                for future in done:
                    task = under_way.pop(future)
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        broken.append(task)
                if broken:
                    # Every task that was under way is lost with the process; only one of them has ended it.
                    broken += under_way.values()
                    under_way.clear()
                    pool.shutdown(wait=False, cancel_futures=True)
                    for task in broken:
                        yield from _by_itself(work, task, lost)
                    pool = self._pool()
                for task in islice(waiting, self.jobs * _AHEAD - len(under_way)):
                    under_way[pool.submit(work, task)] = task
            finished = True
        finally:
            if not finished:
                for child in active_children():
                    child.kill()
            pool.shutdown(wait=finished, cancel_futures=True)

    def _pool(self) -> ProcessPoolExecutor:
        return _started(self.jobs)


def _started(jobs: int) -> ProcessPoolExecutor:
    # Other ways to start take half a second a process, and run a script again that has no guard against that.
    context = get_context("fork" if sys.platform == "linux" else None)
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare)


def _prepare() -> None:
    """In a new process: Ctrl-C reaches every process of a terminal, and the first one deals with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _by_itself(work: Callable[[T], R], task: T, lost: Callable[[T, str], R]) -> Iterator[R]:
    """Carry out a task in a process of its own, and in parts where that is ended too."""
    with _started(1) as pool:
        try:
            yield pool.submit(work, task).result()
            return
        except BrokenProcessPool:
            pass
    if not task.parts:
        yield lost(task, LOST)
    for part in task.parts:
        yield from _by_itself(work, part, lost)
