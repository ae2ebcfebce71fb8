"""Carrying out tasks: in this process, or with several of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from bgtools._workers import run_in_processes

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


@dataclass(frozen=True, slots=True)
class ProcessRunner:
    """Carries out tasks with some processes. A task that ends its process is carried out in ever smaller parts."""

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
