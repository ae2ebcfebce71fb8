"""Checking many files: finding them, checking them on all cores, and giving what was found in order.

Nothing is gathered: one file's findings go out before those of the next but a few come in, so a
hundred thousand files take no more memory than a hundred.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import active_children
from typing import TYPE_CHECKING, Final

from bgtools.cli import _common
from bgtools.cli._layouts import Layout, render
from bgtools.diagnostics import Severity
from bgtools.formats import FORMATS, FormatError, read_all, unreadable
from bgtools.reports import findings
from bgtools.settings import Policy, Settings, SettingsError, resolve, settings_for

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

FEW: Final = 16
"""So many files are checked before other processes are started: for fewer that takes longer than it saves."""
_BATCH: Final = 8
_AHEAD: Final = 4  # batches a process that wait or are under way
_AMBIGUOUS: Final = frozenset({".json", ".log", ".txt"})  # endings that many files have that are no records


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to check; ``named`` by the user, or found in a folder."""

    path: str
    named: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with every file.

    Attributes:
        settings: those of the command line.
        layout: how findings are rendered; None for counting only.
        errors_only: whether warnings and hints are left out of what is rendered.
        colour: whether the terminal shows colours.
        tell_rules: whether to tell the rules that each match is judged by.
    """

    settings: Settings
    layout: Layout | None = Layout.full
    errors_only: bool = False
    colour: bool = False
    tell_rules: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of one file.

    Attributes:
        path: the file.
        rendered: its findings as they are to be printed.
        counts: how many there are of each code and severity.
        rules: the rules of each match, where they were asked for.
        problem: why it could not be checked; empty when it could.
        skipped: whether it is no record, and nobody said that it was one.
        failed: whether a finding is bad enough to fail the check.
    """

    path: str
    rendered: tuple[str, ...] = ()
    counts: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    rules: tuple[str, ...] = ()
    problem: str = ""
    skipped: bool = False
    failed: bool = False


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


_ENDINGS: Final = tuple(ending for each in FORMATS for ending in each.extensions)


def _is_record(name: str) -> bool:
    return name.lower().endswith(_ENDINGS)


# --- checking -------------------------------------------------------------------------------


def check_file(candidate: Candidate, task: Task) -> FileReport:
    """Read and check one file. Never raises on what is in it."""
    path = candidate.path
    try:
        return _check(path, task, resolve(task.settings, settings_for(path)))
    except IsADirectoryError:
        return _unread(path, "this folder cannot be read", task)
    except SettingsError as error:
        return _unread(path, f"not checked: {error}", task)
    except OSError as error:
        return _unread(path, f"cannot be read: {error.strerror or error}", task)
    except FormatError as error:
        if not candidate.named and path.lower().endswith(tuple(_AMBIGUOUS)):
            return FileReport(path, skipped=True)
        return _unread(path, str(error), task)
    except Exception as error:  # a fault of ours must not end the check of all other files
        return _unread(path, f"not checked, by a fault of bgtools; please report it: {_fault(error)}", task)


def _unread(path: str, problem: str, task: Task) -> FileReport:
    """The report of a file that could not be checked: a finding where programs read findings, for people a message."""
    rendered: tuple[str, ...] = ()
    if task.layout not in (None, Layout.full):
        match = unreadable("<stdin>" if path == "-" else path, problem)
        rendered = tuple(render(task.layout, finding, match, findings.plain) for finding in match.diagnostics)
    return FileReport(path, rendered, problem=problem)


def _check(path: str, task: Task, policy: Policy) -> FileReport:
    from bgtools.checks import check

    paint = _common.paint if task.colour else findings.plain
    counts: Counter[tuple[str, Severity]] = Counter()
    rendered: list[str] = []
    failed = False
    matches = [policy.complete(match) for match in read_all(path)]
    for match in matches:
        found = policy.apply(check(match))
        failed = failed or policy.fails(found)
        for finding in found:
            counts[finding.code.id, finding.severity] += 1
            if task.layout is not None and not (task.errors_only and finding.severity is not Severity.ERROR):
                rendered.append(render(task.layout, finding, match, paint))
    rules = tuple(str(match.rules) for match in matches) if task.tell_rules else ()
    return FileReport(path, tuple(rendered), counts, rules, failed=failed)


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


def check_files(files: Iterable[Candidate], task: Task, jobs: int) -> Generator[FileReport, None, None]:
    """Check files with ``jobs`` processes; the reports come in the order of the files.

    Close the iterator to stop early: it ends the processes it started.
    """
    files = iter(files)
    alone = files if jobs == 1 else islice(files, FEW)
    for each in alone:
        yield check_file(each, task)
    following = next(files, None)
    if following is not None:
        yield from _in_parallel(chain([following], files), task, jobs)


def _in_parallel(files: Iterator[Candidate], task: Task, jobs: int) -> Iterator[FileReport]:
    pending: deque[_Submitted] = deque()
    pool = _start(jobs)
    finished = False
    try:
        while True:
            while len(pending) < jobs * _AHEAD and (batch := tuple(islice(files, _BATCH))):
                pending.append(_submit(pool, batch, task))
            if not pending:
                break
            batch, future = pending.popleft()
            try:
                reports = future.result() if future is not None else [check_file(each, task) for each in batch]
            except BrokenProcessPool:
                # A process was killed, for want of memory most likely. Every batch that was under way is lost with
                # it; the file that did it is found by giving each file a process of its own.
                pool.shutdown(wait=False, cancel_futures=True)
                for lost, _ in ((batch, None), *pending):
                    yield from _one_by_one(lost, task)
                pending.clear()
                pool = _start(jobs)
                continue
            yield from reports
        finished = True
    finally:
        if not finished:
            for child in active_children():
                child.kill()
        pool.shutdown(wait=finished, cancel_futures=True)


if TYPE_CHECKING:
    from concurrent.futures import Future

    _Submitted = tuple[tuple[Candidate, ...], Future[list[FileReport]] | None]


def _start(jobs: int) -> ProcessPoolExecutor:
    # Imported here, it need not be imported once more by every process that is forked from this one.
    from bgtools.formats import mat_read  # noqa: F401

    return ProcessPoolExecutor(jobs, initializer=_prepare)


def _prepare() -> None:
    """In a new process: Ctrl-C reaches every process of a terminal, and the first one deals with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _common.relax_collector()


def _submit(pool: ProcessPoolExecutor, batch: tuple[Candidate, ...], task: Task) -> _Submitted:
    if any(each.path == "-" for each in batch):
        return batch, None  # standard input belongs to this process
    try:
        return batch, pool.submit(_check_batch, batch, task)
    except BrokenProcessPool:
        return batch, None


def _check_batch(batch: tuple[Candidate, ...], task: Task) -> list[FileReport]:
    return [check_file(each, task) for each in batch]


def _one_by_one(batch: tuple[Candidate, ...], task: Task) -> Iterator[FileReport]:
    for each in batch:
        if each.path == "-":
            yield check_file(each, task)
            continue
        with _start(1) as pool:
            try:
                yield pool.submit(check_file, each, task).result()
            except BrokenProcessPool:
                yield _unread(each.path, "not checked: the process that read it was ended, by want of memory?", task)
