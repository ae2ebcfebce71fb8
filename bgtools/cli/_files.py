"""Working on many files on all cores, or on the matches of one, and giving what comes of them in order.

Every result is passed on as soon as it is its turn, so a hundred thousand files take no more memory than a hundred.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Generic, TypeVar

import typer

from bgtools._disk import size

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from bgtools._workers import Task
    from bgtools.formats.searching import FileCandidate
    from bgtools.library.runners import DaskRunner, Runner
    from bgtools.record.record import Match

SERIAL_FILES: Final = 16
"""This process works on the first files itself: for so many, starting others takes longer than it saves."""
SHARED_FROM_ENTRIES: Final = 20_000
"""Entries of a file from which its matches are shared among processes: of fewer, the same is true."""
SHARE: Final = 1000
"""The matches of a file are worked on in shares of so many entries, or of one match that has more."""

T = TypeVar("T")

RECORDS: Final = typer.Argument(
    help="Records, or folders that are searched for them; - is standard input.", metavar="PATH", show_default=False
)
FilesArgument = Annotated[list[str], RECORDS]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Processes to work with; by default one per core.", metavar="N"),
]


DaskOption = Annotated[
    str | None,
    typer.Option(
        "--dask",
        help="Let the workers of a Dask scheduler, such as tcp://head:8786, do the work; they need bgtools, and the "
        "same paths.",
        metavar="ADDRESS",
        show_default=False,
    ),
]


def ensure_one(jobs: int | None, dask: str | None) -> None:
    """Refuse a number of processes of this machine where a cluster does the work.

    Raises:
        typer.BadParameter: both are given.
    """
    if jobs is not None and dask is not None:
        raise typer.BadParameter("with --dask the workers say how many", param_hint="--jobs")


@contextmanager
def joined(dask: str | None, undone: str) -> Iterator[DaskRunner | None]:
    """The cluster at an address; None without one.

    The command ends where it cannot be reached; where it goes away, with what is ``undone``.
    """
    if dask is None:
        yield None
        return
    from bgtools.cli import _common, _terminal
    from bgtools.findings.finding import printable
    from bgtools.library.runners import DaskRunner, SchedulerGone
    from bgtools.library.storage import LibraryError

    try:
        with DaskRunner(dask) as cluster:
            if not cluster.has_workers:
                _terminal.say(
                    f"no worker has joined {printable(dask)} yet; this waits for one, and Ctrl-C ends it", err=True
                )
            yield cluster
    except SchedulerGone as error:
        _common.fail(f"{error}; {undone}")
    except LibraryError as error:
        _common.fail(str(error))


def cores() -> int:
    """How many processes can work at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


LARGE_STREAM: Final = 1 << 20
"""A stream of OGXM of so many bytes is checked record by record, each under its number, and not as one file."""


def stream_records(candidate: FileCandidate) -> Iterator[FileCandidate] | None:
    """The records of a stream of OGXM, one in memory at a time; None where the file is none.

    Raises:
        OSError, FormatError: it cannot be read, or be unpacked; this may be found only on the way.
    """
    from bgtools.formats.archives import stream_members
    from bgtools.formats.searching import FileCandidate

    members = stream_members(candidate.path)
    if members is None:
        return None
    return (FileCandidate(f"{candidate.path}/{name}", named=True, data=data) for name, data in members)


def of_large_streams(files: Iterable[FileCandidate]) -> Iterator[FileCandidate]:
    """The files, and in place of each large stream its records."""
    from bgtools.formats.archives import is_stream_name
    from bgtools.formats.content import FormatError

    for each in files:
        is_large = is_stream_name(each.path) and (size(each.path) or 0) >= LARGE_STREAM
        try:
            records = stream_records(each) if is_large else None
            yield from [each] if records is None else records
        except (OSError, FormatError):
            yield each  # whoever reads it as a whole is told what is wrong with it


def results_in_order(
    files: Iterable[FileCandidate],
    work: Task[FileCandidate, T],
    jobs: int,
    *,
    here: Task[FileCandidate, T] | None = None,
    cluster: Runner | None = None,
    serial: int = SERIAL_FILES,
) -> Generator[T, None, None]:
    """Work on files with ``jobs`` processes; what comes of them comes in the order of the files.

    Close the iterator to stop early: it ends the processes it started.

    Args:
        files: what to work on.
        work: what is done with each.
        jobs: how many processes.
        here: what this process does with the first files instead of ``work``. While it does, no other process
            works on files, so that it may start some by itself.
        cluster: what carries out the work instead; it sees the files under the same paths.
        serial: how many files this process works on before it starts others.
    """
    files = iter(files)
    if cluster is not None:
        yield from _from_cluster(files, work, cluster)
        return
    for each in files if jobs == 1 else islice(files, serial):
        yield (here or work)(each)
    following = next(files, None)
    if following is not None:
        from bgtools._workers import run_in_processes
        from bgtools.cli import _common

        yield from run_in_processes(
            chain([following], files), work, jobs, prepare=_common.process_initializer(), is_ours=_is_standard_input
        )


@dataclass(frozen=True, slots=True)
class _FileTask(Generic[T]):
    """A file for a worker of a cluster; ``number`` says when it is its turn."""

    number: int
    candidate: FileCandidate
    work: Task[FileCandidate, T]

    @property
    def parts(self) -> tuple[_FileTask[T], ...]:
        """None: it is one file."""
        return ()


def _carry_out(task: _FileTask[T]) -> tuple[int, T]:
    return task.number, task.work(task.candidate)


def _lost(task: _FileTask[T], problem: str) -> tuple[int, T]:
    return task.number, task.work.lost(task.candidate, problem)


def _from_cluster(files: Iterator[FileCandidate], work: Task[FileCandidate, T], cluster: Runner) -> Iterator[T]:
    """What comes of files, in their order; standard input is worked on here."""
    done: dict[int, T] = {}

    def tasks() -> Iterator[_FileTask[T]]:
        for number, each in enumerate(files):
            if _is_standard_input(each):
                done[number] = work(each)
            else:
                yield _FileTask(number, each, work)

    given = 0
    for number, result in cluster(_carry_out, tasks(), _lost):
        done[number] = result
        while given in done:
            yield done.pop(given)
            given += 1
    yield from (done[number] for number in sorted(done))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWork(ABC, Generic[T]):
    """Working on a file, in a form that other processes can do.

    Attributes:
        jobs: how many processes share the matches of a file.
        is_slow: whether one file may take seconds, as where an engine looks at it.
        outcome: makes the result of a file that could not be worked on, of its path, and of ``problem``, which says
            why, or ``skipped``, where it was found in a folder and is not a record.
    """

    jobs: int = 1
    is_slow: bool = False
    outcome: ClassVar[Callable[..., Any]]

    @abstractmethod
    def of_file(self, path: str) -> T:
        """What comes of one file."""

    def __call__(self, candidate: FileCandidate) -> T:
        """The same. Never raises on what is in the file."""
        from bgtools.engines.protocol import EngineUnavailable
        from bgtools.formats.searching import is_no_record, require_record, trouble

        try:
            require_record(candidate)
            return self.of_file(candidate.path)
        except EngineUnavailable as error:  # a program can end, or hang, at any time
            return self.lost(candidate, f"left out: {error}")
        except Exception as error:  # a fault of ours must not cost all other files
            if is_no_record(candidate, error):
                skipped: T = self.outcome(candidate.path, skipped=True)
                return skipped
            return self.lost(candidate, trouble(error))

    def lost(self, candidate: FileCandidate, problem: str) -> T:
        """The result for a file whose process was killed while it worked on it."""
        lost: T = self.outcome(candidate.path, problem=problem)
        return lost


@dataclass(frozen=True, slots=True)
class FromFile(Generic[T]):
    """What the matches of a file give, or why it could not be read.

    Attributes:
        path: the file.
        found: what its matches give.
        problem, skipped: as `FileWork.outcome` takes them.
        without: how many of its matches give nothing.
    """

    path: str
    found: tuple[T, ...] = ()
    problem: str = ""
    skipped: bool = False
    without: int = 0


def collect(
    files: list[str],
    work: FileWork[FromFile[T]],
    jobs: int | None,
    undone: str,
    dask: str | None = None,
    show: Callable[[FromFile[T]], None] | None = None,
    chosen: Sequence[FileCandidate] | None = None,
) -> tuple[list[T], int, int]:
    """What all files give, how many could not be read, and how many matches give nothing.

    Files that cannot be read are named. After Ctrl-C the command ends and says what is ``undone``. With ``dask``, the
    address of a scheduler, its workers do the work. ``show`` prints what a file gives as soon as it is its turn.
    ``chosen`` are the files that are looked at, where not all that are found are.
    """
    from bgtools.cli import _common
    from bgtools.cli._progress import file_bar
    from bgtools.formats.searching import candidates

    found: list[T] = []
    problems = without = 0
    jobs = jobs or cores()
    here = replace(work, jobs=jobs)
    if dask is not None:
        files = [each if each == "-" else str(Path(each).absolute()) for each in files]
        chosen = chosen and [replace(each, path=str(Path(each.path).absolute())) for each in chosen]
    some = candidates(files) if chosen is None else iter(chosen)
    with (
        _common.exit_if_interrupted(undone),
        joined(dask, undone) as cluster,
        file_bar(files, is_slow=work.is_slow, chosen=chosen) as bar,
        closing(
            results_in_order(
                map(bar.at, some), work, jobs, here=here, cluster=cluster, serial=0 if work.is_slow else SERIAL_FILES
            )
        ) as done,
    ):
        for each in done:
            found += each.found
            without += each.without
            problems += bool(each.problem)
            if each.problem or show is not None:
                with bar.paused():
                    if each.problem:
                        _common.print_error(f"{each.path}: {each.problem}")
                    if show is not None:
                        show(each)
            bar.advance()
    return found, problems, without


def split_matches(matches: Sequence[Match], work: Callable[[range], T], jobs: int) -> list[T]:
    """Work on the matches of one file, a share at a time; what comes of the shares, in the order of the matches.

    The shares are the same whatever the number of processes.

    Args:
        matches: all matches of the file.
        work: what is done with a share. It is given the indices of the matches, and holds the matches: a forked process
            has them at once, any other is sent them when it starts.
        jobs: how many processes.

    Raises:
        FormatError: a process was ended while it worked on a share.
    """
    shares = list(_shares(matches))
    if jobs == 1 or len(shares) == 1 or sum(map(_entries, matches)) < SHARED_FROM_ENTRIES:
        return [work(each) for each in shares]
    from bgtools._workers import run_in_processes
    from bgtools.cli import _common

    prepare = _common.process_initializer()
    with closing(run_in_processes(iter(shares), _OnShare(work), jobs, batch_size=1, prepare=prepare)) as done:
        return list(done)


def _shares(matches: Sequence[Match]) -> Iterator[range]:
    start = entries = 0
    for stop, match in enumerate(matches, 1):
        entries += _entries(match)
        if entries >= SHARE or stop == len(matches):
            yield range(start, stop)
            start, entries = stop, 0


def _entries(match: Match) -> int:
    return sum(len(game.entries) for game in match.games)


@dataclass(frozen=True, slots=True)
class _OnShare(Generic[T]):
    """Working on a share of the matches of a file, in a form that other processes can do."""

    work: Callable[[range], T]

    def __call__(self, share: range) -> T:
        return self.work(share)

    def lost(self, share: range, problem: str) -> T:
        from bgtools.formats.content import FormatError

        raise FormatError(problem)


def _is_standard_input(candidate: FileCandidate) -> bool:
    return candidate.path == "-"
