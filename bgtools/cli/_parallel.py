"""Working on many files with several processes.

A module of its own: importing what starts processes takes longer than checking a match. Each process has a pipe of its
own, and nobody else holds an end of it. So it is known at once which process has ended and what it had to do; one that
is killed in the middle of an answer leaves nobody waiting for the rest; and all of them end with the one that started
them, however that ends. `concurrent.futures` has one pipe for all, which a killed process may leave half written.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

from bgtools.cli import _common
from bgtools.cli._signals import held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from bgtools.cli._files import Work
    from bgtools.formats import Candidate

_BATCH: Final = 8
_AT_ONCE: Final = 2
"""Batches that a process has: the one that it works on, and one that it goes on with without waiting for us."""
_AHEAD: Final = 4
"""Batches a process that are under way or wait for those before them."""

T = TypeVar("T")
Batch = tuple["Candidate", ...]


def in_parallel(files: Iterator[Candidate], work: Work[T], jobs: int) -> Iterator[T]:
    """Work on files with ``jobs`` processes; what comes of them comes in the order of the files."""
    crew: _Crew[T] = _Crew(work, jobs)
    batches: deque[Batch] = deque()  # in the order of the files, those that have not been given
    numbers: deque[int] = deque()  # of the batches that have been handed out, likewise
    handed = 0
    finished = False
    try:
        while True:
            while len(numbers) < jobs * _AHEAD and (batch := tuple(islice(files, _BATCH))):
                batches.append(batch)
                numbers.append(handed)
                # Standard input belongs to this process.
                crew.hand_out(handed, () if any(each.path == "-" for each in batch) else batch)
                handed += 1
            if not numbers:
                break
            batch, done = batches.popleft(), crew.answer(numbers.popleft())
            yield from done if done else (work(each) for each in batch)
        finished = True
    finally:
        crew.end(at_once=not finished)


@dataclass(eq=False)
class _Worker(Generic[T]):
    """A process, our end of its pipe, and the batches that it has, by their numbers."""

    process: BaseProcess
    pipe: Connection
    batches: dict[int, Batch] = field(default_factory=dict)


class _Crew(Generic[T]):
    """Processes that work on batches of files."""

    def __init__(self, work: Work[T], jobs: int) -> None:
        self.work = work
        self.jobs = jobs
        self.workers: list[_Worker[T]] = []
        self.waiting: deque[tuple[int, Batch]] = deque()
        self.answers: dict[int, list[T]] = {}

    def hand_out(self, number: int, batch: Batch) -> None:
        """Have a batch worked on; an empty one is done already."""
        if not batch:
            self.answers[number] = []
            return
        self.waiting.append((number, batch))
        self._keep_busy()

    def answer(self, number: int) -> list[T]:
        """What came of a batch."""
        while number not in self.answers:
            self._take()
            self._keep_busy()
        return self.answers.pop(number)

    def end(self, *, at_once: bool) -> None:
        """End all processes: at once, or when each has done what it has."""
        with held():
            for worker in self.workers:
                if at_once:
                    worker.process.kill()
                worker.pipe.close()
            for worker in self.workers:
                worker.process.join()
            self.workers.clear()

    def _keep_busy(self) -> None:
        """Give batches that wait to whoever has fewest."""
        while self.waiting:
            worker = min(self.workers, key=lambda each: len(each.batches), default=None)
            if worker is None or (worker.batches and len(self.workers) < self.jobs):
                worker = self._start()
            if len(worker.batches) >= _AT_ONCE:
                return
            number, batch = self.waiting.popleft()
            worker.batches[number] = batch
            with suppress(OSError):  # it has ended, and `_take` finds that out
                worker.pipe.send((number, batch))

    def _start(self) -> _Worker[T]:
        """Start a process.

        A signal that came between here and `_serve` would end the new process as if it were this one: it would go on
        where we were interrupted, end its brothers and write our message. So it is put off there until it is ignored.
        """
        ours, theirs = multiprocessing.Pipe()
        # A process that is forked has our ends of all pipes, and the others would not hear that we have ended.
        strange = [ours, *(each.pipe for each in self.workers)] if multiprocessing.get_start_method() == "fork" else []
        told = frozenset(_common.told_of_plugins)
        with held():
            process = multiprocessing.Process(target=_serve, args=(theirs, self.work, told, strange), daemon=True)
            process.start()
            worker: _Worker[T] = _Worker(process, ours)
            self.workers.append(worker)
            theirs.close()
        return worker

    def _take(self) -> None:
        """Wait for an answer, or for a process that has ended."""
        pipes = {each.pipe: each for each in self.workers if each.batches}
        for pipe in wait([*pipes]):
            worker = pipes[cast("Connection", pipe)]
            try:
                number, done, fault = worker.pipe.recv()
            except (EOFError, OSError):
                self._lose(worker)
                continue
            del worker.batches[number]
            if fault is not None:
                raise fault
            self.answers[number] = done

    def _lose(self, worker: _Worker[T]) -> None:
        """Go on without a process that was killed, for want of memory most likely.

        The file that did it is found by giving each file of the batch that it worked on a process of its own.
        """
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        number, *others = worker.batches
        self.waiting.extendleft((each, worker.batches[each]) for each in reversed(others))
        self.answers[number] = [self._alone(each) for each in worker.batches[number]]

    def _alone(self, candidate: Candidate) -> T:
        """What comes of one file in a process of its own."""
        single: _Crew[T] = _Crew(self.work, 1)
        try:
            worker = single._start()
            worker.pipe.send((0, (candidate,)))
            _, done, fault = worker.pipe.recv()
        except (EOFError, OSError):
            return self.work.lost(candidate, "left out: the process that read it was ended, by want of memory?")
        finally:
            single.end(at_once=True)
        if fault is not None:
            raise fault
        return cast("T", done[0])


# --- in the new process -----------------------------------------------------------------------


def _serve(pipe: Connection, work: Work[Any], told: frozenset[str], strange: list[Connection]) -> None:
    """Work on batches until the pipe is closed."""
    # Ctrl-C reaches every process of a terminal, and the first one deals with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for each in strange:
        each.close()
    _common.relax_collector()
    _common.told_of_plugins.update(told)
    _common.tell_of_plugins()
    with suppress(EOFError, OSError):
        while True:
            number, batch = pipe.recv()
            try:
                answer = number, [work(each) for each in batch], None
                pipe.send(answer)
            except OSError:
                raise
            except Exception as error:  # a fault of ours, or an answer that cannot be sent
                pipe.send((number, [], RuntimeError(f"{type(error).__name__}: {error}")))
