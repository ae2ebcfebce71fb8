"""Carrying out tasks: in this process, with several of this machine, or on many by Dask's ``distributed``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from bgtools._extras import install_hint
from bgtools._workers import run_in_processes
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self


class Divisible(Protocol):
    """A task that can be carried out in parts."""

    @property
    def parts(self) -> tuple[Self, ...]:
        """The task as several smaller ones; none where it cannot be divided."""
        ...


T = TypeVar("T", bound=Divisible)
R = TypeVar("R")


class Runner(Protocol):
    """What carries out tasks: this process, several, or a cluster. Results may come in any order."""

    def __call__(self, work: Callable[[T], R], tasks: Iterable[T], lost: Callable[[T, str], R]) -> Iterator[R]:
        """Carry out tasks as they come; ``lost`` makes the result of a task whose process was ended."""
        ...


def run_here(work: Callable[[T], R], tasks: Iterable[T], lost: Callable[[T, str], R]) -> Iterator[R]:
    """Carry out tasks in this process."""
    return map(work, tasks)


def is_late(until: float | None) -> bool:
    """Whether nothing further is to be begun after a moment, in seconds since 1970; None for any time."""
    return until is not None and time.time() >= until


@dataclass(frozen=True, slots=True)
class ProcessRunner:
    """Runs tasks in several processes. A task that crashes its process is divided and run again."""

    jobs: int

    def __call__(self, work: Callable[[T], R], tasks: Iterable[T], lost: Callable[[T, str], R]) -> Iterator[R]:
        """The results, in the order of the tasks."""
        for results in run_in_processes(iter(tasks), _TaskInProcess(work, lost), self.jobs, batch_size=1):
            yield from results


@dataclass(frozen=True)
class _TaskInProcess(Generic[T, R]):
    """Carries out a task in another process."""

    work: Callable[[T], R]
    ended: Callable[[T, str], R]

    def __call__(self, task: T) -> list[R]:
        return [self.work(task)]

    def lost(self, task: T, problem: str) -> list[R]:
        """The results of the parts of a task that ended its process, as one of them may do again."""
        if not task.parts:
            return [self.ended(task, problem)]
        return [each for some in run_in_processes(iter(task.parts), self, 1, batch_size=1) for each in some]


_AHEAD: Final = 2  # tasks on the cluster for each thread of its workers, waiting or under way
_FEWEST: Final = 4
_TRIES: Final = 3
_PATIENCE: Final = 10  # seconds to find the scheduler


_LOST: Final = "left out: the workers that read it were ended, by want of memory?"


class SchedulerGone(LibraryError):
    """The scheduler of a cluster has ended while it worked. What a library has committed is kept."""


class DaskRunner:
    """Carries out tasks on the workers of a Dask scheduler.

    The workers need bgtools, and see the files to add and the library under the same paths or addresses. A task whose
    worker is lost is given to another one; one that ends several workers is carried out in ever smaller parts.
    """

    def __init__(self, address: str) -> None:
        """Find the scheduler at an address such as ``tcp://head:8786``.

        Raises:
            LibraryError: distributed is not installed, or no scheduler answers there.
        """
        try:
            self._dask: Any = import_module("distributed")
        except ImportError:
            raise LibraryError(
                f"distributed is not installed, which reaches a cluster; {install_hint('cluster')}"
            ) from None
        try:
            self._client = self._dask.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise LibraryError(f"no Dask scheduler answers at {address}: {error}") from None
        self._address = address
        self._looked_at: set[str] = set()

    @property
    def has_workers(self) -> bool:
        """Whether any worker has joined by now."""
        return bool(self._client.nthreads())

    def __enter__(self) -> DaskRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def __call__(self, work: Callable[[T], R], tasks: Iterable[T], lost: Callable[[T, str], R]) -> Iterator[R]:
        """Carry out the tasks, and yield their results as they come.

        Raises:
            SchedulerGone: the scheduler has ended.
            LibraryError: a worker runs another bgtools than this one.
        """
        waiting = iter(tasks)
        under_way: dict[Any, T] = {}

        def begin(some: Iterable[T]) -> list[Any]:
            futures = {self._client.submit(work, each, pure=False, retries=_TRIES): each for each in some}
            under_way.update(futures)
            return [*futures]

        results = self._dask.as_completed(begin(islice(waiting, self._window())), loop=self._client.loop)
        for future in results:
            task = under_way.pop(future)
            parts, result = self._result(future, task)
            if parts is None:
                yield result if result is not None else lost(task, _LOST)
            elif not parts:
                yield lost(task, _LOST)
            for each in begin((*(parts or ()), *islice(waiting, max(0, self._window() - len(under_way))))):
                results.add(each)

    def _result(self, future: Any, task: T) -> tuple[tuple[T, ...] | None, Any]:
        """None and the result of a task; for a task that ended its workers its parts, to be tried, and None."""
        try:
            result = future.result()
        except self._dask.KilledWorker:
            return task.parts, None
        except Exception as error:
            if type(error).__name__ in _GONE:
                raise SchedulerGone(f"the Dask scheduler at {self._address} is gone") from None
            raise
        future.release()
        return None, result

    def _window(self) -> int:
        """How many tasks the cluster gets at a time."""
        threads = self._client.nthreads()
        self._look_at({*threads} - self._looked_at)
        return max(_FEWEST, int(sum(threads.values())) * _AHEAD)

    def _look_at(self, workers: set[str]) -> None:
        """Refuse workers that run something else: they would end at a task that they do not know, or do another one.

        Raises:
            LibraryError: one of them does.
        """
        if not workers:
            return
        probe = _identity_probe()
        ours = probe()
        found = self._client.run(probe, workers=sorted(workers), on_error="return")
        for worker, theirs in sorted(found.items()):
            if isinstance(theirs, tuple) and theirs != ours:
                version = f"bgtools {theirs[0]}" if theirs[0] else "no bgtools"
                same = theirs[0] == ours[0]
                differs = "from other sources than this one" if same else f"and this one bgtools {ours[0]}"
                raise LibraryError(
                    f"the worker {worker} has {version} {differs}; install the same on all machines, and start the "
                    "workers again"
                )
        self._looked_at |= {worker for worker, theirs in found.items() if isinstance(theirs, tuple)}


def _identity_probe() -> Callable[[], tuple[str, str]]:
    """A function that gives the version of bgtools and the digest of its sources; "" where there is none.

    It is defined in here so that it travels as it is: a worker need not have this module.
    """

    def identity() -> tuple[str, str]:
        import hashlib
        from importlib.util import find_spec
        from pathlib import Path

        try:
            from bgtools._version import __version__
        except ImportError:
            return "", ""
        spec = find_spec("bgtools")
        if spec is None or spec.origin is None:
            return __version__, ""
        digest = hashlib.sha256()
        folder = Path(spec.origin).parent
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
        return __version__, digest.hexdigest()

    return identity


_GONE: Final = frozenset({"CancelledError", "FutureCancelledError", "CommClosedError", "StreamClosedError"})
"""The names of errors of tasks whose scheduler is gone: the modules that define these errors differ by version."""
