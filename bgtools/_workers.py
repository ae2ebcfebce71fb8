"""Working on many things with several processes.

This is a module of its own because importing what starts processes takes longer than checking a match. Each process has
a pipe of its own, of which no other process but its parent holds an end. So the parent knows at once which process has
ended and what it had to do; a process that is killed in the middle of an answer leaves nobody waiting for the rest; and
all processes end with the parent, however it ends. `concurrent.futures` has one pipe for all, which a killed process
may leave half written.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast

from bgtools._signals import signals_deferred

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_BATCH: Final = 8
_AT_ONCE: Final = 2
"""Batches that a process has: one that it works on, and one that it goes on with at once."""
_AHEAD: Final = 4
"""For each process, how many batches are under way or wait until the results of earlier ones are given out."""

_LOST: Final = "left out: the process that read it was ended, by want of memory?"

E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Task(Protocol[E_contra, R_co]):
    """What is done with each thing. It must be picklable, since other processes do it."""

    def __call__(self, each: E_contra, /) -> R_co:
        """Work on a thing. Never raises on what is in it."""
        ...

    def lost(self, each: E_contra, problem: str, /) -> R_co:
        """The result for a thing whose process was killed while it worked on it."""
        ...


def nothing() -> None:
    """Prepare nothing."""


def never(_: object) -> bool:
    """Leave every thing to the other processes."""
    return False


def run_in_processes(
    things: Iterator[E],
    work: Task[E, R],
    jobs: int,
    *,
    batch_size: int = _BATCH,
    prepare: Callable[[], None] = nothing,
    is_ours: Callable[[E], bool] = never,
) -> Generator[R, None, None]:
    """Work on things with ``jobs`` processes; the results come in the order of the things.

    Args:
        things: what to work on.
        work: what is done with each.
        jobs: how many processes.
        batch_size: how many things a process is given at a time.
        prepare: called in each new process, which gets a copy of the function.
        is_ours: whether this process has to work on a thing itself; it then does the whole batch.
    """
    crew: _WorkerPool[E, R] = _WorkerPool(work, jobs, prepare)
    batches: deque[tuple[E, ...]] = deque()  # in order, those whose results have not been given out
    numbers: deque[int] = deque()  # the numbers of these batches
    handed = 0
    finished = False
    try:
        while True:
            while len(numbers) < jobs * _AHEAD and (batch := tuple(islice(things, batch_size))):
                batches.append(batch)
                numbers.append(handed)
                crew.hand_out(handed, () if any(map(is_ours, batch)) else batch)
                handed += 1
            if not numbers:
                break
            batch, done = batches.popleft(), crew.answer(numbers.popleft())
            yield from done if done else (work(each) for each in batch)
        finished = True
    finally:
        crew.end(at_once=not finished)


_SAFE_PATH: Final = "PYTHONSAFEPATH"


def safe_path() -> str | None:
    """What is to be given to `leave_start` in a new process."""
    return os.environ.get(_SAFE_PATH)


def start_safely(process: BaseProcess) -> None:
    """Start a process. A Python that starts anew for it would import its first modules from the present folder.

    That may be a folder of records, and a stranger may have put a ``multiprocessing.py`` among them.
    """
    before = safe_path()
    os.environ[_SAFE_PATH] = "1"
    try:
        process.start()
    finally:
        leave_start(before)


@dataclass(eq=False)
class _Worker(Generic[E]):
    """A process, the parent's end of its pipe, and the batches that it has, by their numbers."""

    process: BaseProcess
    pipe: Connection
    batches: dict[int, tuple[E, ...]] = field(default_factory=dict)


class _WorkerPool(Generic[E, R]):
    """Processes that work on batches."""

    def __init__(self, work: Task[E, R], jobs: int, prepare: Callable[[], None]) -> None:
        self.work = work
        self.jobs = jobs
        self.prepare = prepare
        self.workers: list[_Worker[E]] = []
        self.waiting: deque[tuple[int, tuple[E, ...]]] = deque()
        self.answers: dict[int, list[R]] = {}

    def hand_out(self, number: int, batch: tuple[E, ...]) -> None:
        """Give a batch to the processes; an empty one has no results."""
        if not batch:
            self.answers[number] = []
            return
        self.waiting.append((number, batch))
        self._keep_busy()

    def answer(self, number: int) -> list[R]:
        """The results of a batch; waits for them."""
        while number not in self.answers:
            self._take()
            self._keep_busy()
        return self.answers.pop(number)

    def end(self, *, at_once: bool) -> None:
        """End all processes: at once, or when each has done its batches."""
        with signals_deferred():
            for worker in self.workers:
                if at_once:
                    worker.process.kill()
                worker.pipe.close()
            for worker in self.workers:
                worker.process.join()
            self.workers.clear()

    def _keep_busy(self) -> None:
        """Give waiting batches to the processes that have the fewest, and start processes up to ``jobs``."""
        while self.waiting:
            worker = min(self.workers, key=lambda each: len(each.batches), default=None)
            if worker is None or (worker.batches and len(self.workers) < self.jobs):
                worker = self._start()
            if len(worker.batches) >= _AT_ONCE:
                return
            number, batch = self.waiting.popleft()
            worker.batches[number] = batch
            with suppress(OSError):  # the process has ended, which `_take` will notice
                worker.pipe.send((number, batch))

    def _start(self) -> _Worker[E]:
        """Start a process.

        A signal that reached the new process before `_serve` would be dealt with as in its parent: the new process
        would end the other ones and print the parent's message. So signals are put off there until `_serve` sets its
        own ways with them.
        """
        ours, theirs = multiprocessing.Pipe()
        # A forked process inherits the parent's ends of all pipes. If it kept them, the other processes would not
        # notice that the parent has ended.
        strange = [ours, *(each.pipe for each in self.workers)] if multiprocessing.get_start_method() == "fork" else []
        with signals_deferred():
            given = (theirs, self.work, self.prepare, strange, safe_path())
            process = multiprocessing.Process(target=_serve, args=given, daemon=True)
            start_safely(process)
            worker: _Worker[E] = _Worker(process, ours)
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

    def _lose(self, worker: _Worker[E]) -> None:
        """Go on without a process that was killed, most likely for want of memory.

        Each thing of the batch that it worked on gets a process of its own, which shows the thing that was at fault.
        """
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        number, *others = worker.batches
        self.waiting.extendleft((each, worker.batches[each]) for each in reversed(others))
        self.answers[number] = [self._alone(each) for each in worker.batches[number]]

    def _alone(self, thing: E) -> R:
        """The result for one thing, from a process of its own."""
        single: _WorkerPool[E, R] = _WorkerPool(self.work, 1, self.prepare)
        try:
            worker = single._start()
            worker.pipe.send((0, (thing,)))
            _, done, fault = worker.pipe.recv()
        except (EOFError, OSError):
            return self.work.lost(thing, _LOST)
        finally:
            single.end(at_once=True)
        if fault is not None:
            raise fault
        return cast("R", done[0])


# --- in the new process -----------------------------------------------------------------------


def leave_start(before: str | None) -> None:
    """Give the variable that `start_safely` has set its own value again, for programs that this process starts."""
    os.environ.pop(_SAFE_PATH, None)
    if before is not None:
        os.environ[_SAFE_PATH] = before


def _serve(
    pipe: Connection, work: Task[Any, Any], prepare: Callable[[], None], strange: list[Connection], safe: str | None
) -> None:
    """Work on batches until the pipe is closed."""
    leave_start(safe)
    # Ctrl-C reaches every process of a terminal. The parent deals with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for each in strange:
        each.close()
    prepare()
    with suppress(EOFError, OSError):
        while True:
            number, batch = pipe.recv()
            try:
                answer: tuple[int, list[Any], Exception | None] = number, [work(each) for each in batch], None
            except OSError as error:  # such as a full disk, which is not a fault of the thing
                answer = number, [], error
            except Exception as error:  # a fault of ours
                answer = number, [], RuntimeError(f"{type(error).__name__}: {error}")
            try:
                pipe.send(answer)
            except OSError:
                raise
            except Exception as error:  # an answer that cannot be sent
                pipe.send((number, [], RuntimeError(f"{type(error).__name__}: {error}")))
