"""Working on many things with several processes.

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
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast

from bgtools._signals import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_BATCH: Final = 8
_AT_ONCE: Final = 2
"""Batches that a process has: the one that it works on, and one that it goes on with without waiting for us."""
_AHEAD: Final = 4
"""Batches a process that are under way or wait for those before them."""

_LOST: Final = "left out: the process that read it was ended, by want of memory?"

E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Work(Protocol[E_contra, R_co]):
    """What is done with each thing. It must be picklable, since other processes do it."""

    def __call__(self, each: E_contra, /) -> R_co:
        """Do it. Never raises on what is in the thing."""
        ...

    def lost(self, each: E_contra, problem: str, /) -> R_co:
        """The result for a thing whose process was killed while it worked on it."""
        ...


def nothing() -> None:
    """Prepare nothing."""


def never(_: object) -> bool:
    """No thing is to be worked on by this process itself."""
    return False


def in_parallel(
    things: Iterator[E],
    work: Work[E, R],
    jobs: int,
    *,
    batch_size: int = _BATCH,
    prepare: Callable[[], None] = nothing,
    is_ours: Callable[[E], bool] = never,
) -> Iterator[R]:
    """Work on things with ``jobs`` processes; what comes of them comes in their order.

    Args:
        things: what to work on.
        work: what is done with each.
        jobs: how many processes.
        batch_size: how many things a process is given at a time.
        prepare: called in each new process, which is given a copy of it.
        is_ours: which things this process has to work on itself.
    """
    crew: _Crew[E, R] = _Crew(work, jobs, prepare)
    batches: deque[tuple[E, ...]] = deque()  # in the order of the things, those that have not been given
    numbers: deque[int] = deque()  # of the batches that have been handed out, likewise
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


@dataclass(eq=False)
class _Worker(Generic[E]):
    """A process, our end of its pipe, and the batches that it has, by their numbers."""

    process: BaseProcess
    pipe: Connection
    batches: dict[int, tuple[E, ...]] = field(default_factory=dict)


class _Crew(Generic[E, R]):
    """Processes that work on batches."""

    def __init__(self, work: Work[E, R], jobs: int, prepare: Callable[[], None]) -> None:
        self.work = work
        self.jobs = jobs
        self.prepare = prepare
        self.workers: list[_Worker[E]] = []
        self.waiting: deque[tuple[int, tuple[E, ...]]] = deque()
        self.answers: dict[int, list[R]] = {}

    def hand_out(self, number: int, batch: tuple[E, ...]) -> None:
        """Have a batch worked on; an empty one is done already."""
        if not batch:
            self.answers[number] = []
            return
        self.waiting.append((number, batch))
        self._keep_busy()

    def answer(self, number: int) -> list[R]:
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

    def _start(self) -> _Worker[E]:
        """Start a process.

        A signal that came between here and `_serve` would end the new process as if it were this one: it would go on
        where we were interrupted, end its brothers and write our message. So it is put off there until it is ignored.
        """
        ours, theirs = multiprocessing.Pipe()
        # A process that is forked has our ends of all pipes, and the others would not hear that we have ended.
        strange = [ours, *(each.pipe for each in self.workers)] if multiprocessing.get_start_method() == "fork" else []
        with held():
            given = (theirs, self.work, self.prepare, strange)
            process = multiprocessing.Process(target=_serve, args=given, daemon=True)
            process.start()
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
        """Go on without a process that was killed, for want of memory most likely.

        What did it is found by giving each thing of the batch that it worked on a process of its own.
        """
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        number, *others = worker.batches
        self.waiting.extendleft((each, worker.batches[each]) for each in reversed(others))
        self.answers[number] = [self._alone(each) for each in worker.batches[number]]

    def _alone(self, thing: E) -> R:
        """What comes of one thing in a process of its own."""
        single: _Crew[E, R] = _Crew(self.work, 1, self.prepare)
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


def _serve(pipe: Connection, work: Work[Any, Any], prepare: Callable[[], None], strange: list[Connection]) -> None:
    """Work on batches until the pipe is closed."""
    # Ctrl-C reaches every process of a terminal, and the first one deals with it.
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
            except OSError as error:  # a full disk is nothing that the thing has done
                answer = number, [], error
            except Exception as error:  # a fault of ours
                answer = number, [], RuntimeError(f"{type(error).__name__}: {error}")
            try:
                pipe.send(answer)
            except OSError:
                raise
            except Exception as error:  # an answer that cannot be sent
                pipe.send((number, [], RuntimeError(f"{type(error).__name__}: {error}")))
