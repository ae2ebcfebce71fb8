"""Adding files to a library: finding what is new, recording it on all cores, and committing it batch by batch."""

from __future__ import annotations

import gc
from collections import defaultdict
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools._version import __version__
from bgtools.formats.archives import is_stream_name, members
from bgtools.formats.searching import FileCandidate, candidates, is_no_record, require_record, trouble
from bgtools.library.blending import blend
from bgtools.library.compaction import compact_end, compact_some
from bgtools.library.connecting import asking, connect, keep_numbers
from bgtools.library.grouping import group
from bgtools.library.manifest import column_of, commit_files, read_state, without, write_tables
from bgtools.library.recording import RecordRows, number_of
from bgtools.library.runners import run_here
from bgtools.library.storage import digest, open_storage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from bgtools.library.manifest import Files, LibraryState, StoredFile
    from bgtools.library.runners import Runner
    from bgtools.library.storage import Storage

FILES: Final = 100
"""A task has this many files, or fewer that hold `BYTES` together: a few seconds of work, so that many can share it."""
BYTES: Final = 1 << 22
LARGE: Final = 1 << 20
"""Archives and streams of this size or more are taken apart: each file in them is added by itself, as from a folder."""


@dataclass(frozen=True, slots=True)
class AddTask:
    """Files to record.

    Attributes:
        location: of the library.
        files: what to read; ``named`` by the user, or found in a folder.
        day: when matches were played that give no date, such as ``2026-08-31``; "" where that is not known.
        is_only: whether there are no further tasks.
    """

    location: str
    files: tuple[FileCandidate, ...]
    day: str = ""
    is_only: bool = False

    @property
    def parts(self) -> tuple[AddTask, ...]:
        """The same in two halves; none for a single file."""
        middle = len(self.files) // 2
        return (replace(self, files=self.files[:middle]), replace(self, files=self.files[middle:])) if middle else ()


@dataclass(frozen=True, slots=True)
class AddedFiles:
    """The result of a task.

    Attributes:
        files: the files of the library that hold it.
        read: how many files were read.
        matches: how many records they hold.
        errors: how many of those have errors.
        problems: files that cannot be read, and why.
        skipped: files that are not records, found in a folder, and why.
        is_only: whether there were no further tasks.
    """

    files: tuple[StoredFile, ...] = ()
    read: int = 0
    matches: int = 0
    errors: int = 0
    problems: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    is_only: bool = False


@dataclass(slots=True)
class AddSummary:
    """What an addition has brought so far.

    Attributes:
        read: files that were read.
        known: files that the library had already.
        matches: records that came.
        errors: how many of those have errors.
        problems: files that cannot be read, and why.
        skipped: files that are not records, found in a folder, and why.
        state: what the library holds.
    """

    state: LibraryState
    read: int = 0
    known: int = 0
    matches: int = 0
    errors: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)

    def count(self, done: AddedFiles) -> None:
        """Count the result of a task."""
        self.read += done.read
        self.matches += done.matches
        self.errors += done.errors
        self.problems += done.problems
        self.skipped += done.skipped


def add(
    storage: Storage,
    paths: Iterable[str],
    run: Runner = run_here,
    progress: Callable[[AddSummary], None] = lambda _: None,
    shard: tuple[int, int] = (1, 1),
    day: str = "",
) -> AddSummary:
    """Add what is new of some files and folders.

    A file is new where no file of the library has its content. Each batch is committed when it is whole: whoever stops
    this at any moment loses the batches under way, and no part of them is in the library.

    Args:
        storage: where the library lies.
        paths: files, and folders that are searched.
        run: what carries out the tasks.
        progress: called after each batch.
        shard: which part of the files to take, from 1, and of how many parts; a file's content decides its part.
        day: when matches were played that give no date, neither in the record nor in the name of its file.

    Raises:
        LibraryError: the library is damaged, or of a newer version.
        OSError: the place refuses.
    """
    added = AddSummary(read_state(storage))
    news = _NewFiles(storage, added, shard, day)
    for done in run(record_files, news.tasks(paths), lost_files):
        added.count(done)
        is_part = None if done.is_only else True
        added.state = commit_files(storage, added.state, done.files, _unknown, is_part=is_part)
        added.state = compact_some(storage, added.state)
        progress(added)
    added.state = commit_files(storage, added.state, news.paths(), _unknown)
    added.state = compact_end(storage, blend(storage, group(storage, added.state)))
    return added


class _NewFiles:
    """Telling what is new."""

    def __init__(self, storage: Storage, added: AddSummary, shard: tuple[int, int], day: str) -> None:
        self._storage, self._added, self._shard, self._day = storage, added, shard, day
        self._news: dict[str, set[str]] = defaultdict(set)
        """The files that come, by their content, with their paths."""
        self._known: list[tuple[int, str, str, int]] = []
        """The files that the library has: number, path, digest and length."""
        self._lost: set[int] = set()
        self._stored = self._read()
        self._rows = RecordRows()

    def _read(self) -> NDArray[Any]:
        """The numbers of the files that the library has, in ascending order."""
        import numpy as np

        state = self._added.state
        if not state.files:
            return np.empty(0, np.int64)
        with self._connected() as connection:
            # Records whose file is lost: when it comes again, it is kept, and its records are not added twice.
            lost = "SELECT DISTINCT source FROM stored.matches ANTI JOIN stored.sources USING (source)"
            self._lost = {source for (source,) in connection.execute(lost).fetchall()}
            # Another version of bgtools may read what this one could not.
            found = connection.execute(
                "SELECT DISTINCT source FROM stored.sources WHERE problem = '' OR version = ? ORDER BY source",
                [__version__],
            )
            stored: NDArray[Any] = np.ma.getdata(found.fetchnumpy()["source"])
        return stored

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        state = self._added.state
        with closing(connect(self._storage, state, only=("sources", "matches"))) as connection, asking():
            yield connection

    def tasks(self, paths: Iterable[str]) -> Iterator[AddTask]:
        """What is new, as tasks. The same files give the same tasks, however many batches of them were done before."""
        batch: list[FileCandidate] = []
        size = count = 0
        for candidate in self._files(paths):
            try:
                data, _ = candidate.content()
            except Exception as error:  # such a file must not keep the others out
                self._added.problems.append((candidate.path, trouble(error)))
                continue
            if not self._is_new(candidate, data):
                continue
            # A plain file is read again by the process that carries out its task: a task that waits, or goes to a
            # cluster, holds paths and no contents.
            batch.append(replace(candidate, data=data) if candidate.path == "-" else candidate)
            size += len(data)
            if len(batch) == FILES or size >= BYTES:
                yield AddTask(self._storage.location, tuple(batch), self._day)
                batch, size, count = [], 0, count + 1
        if batch:
            yield AddTask(self._storage.location, tuple(batch), self._day, is_only=not count)

    def _files(self, paths: Iterable[str]) -> Iterator[FileCandidate]:
        """Every file; of large archives the files in them, with their content."""
        for each in candidates(paths, archives=True):
            try:
                inner = members(each.path) if _is_large(each.path) else None
                if inner is None:
                    yield each
                    continue
                for name, data in inner:
                    # Nothing but records is in a stream: what cannot be read there is a damaged one.
                    yield FileCandidate(f"{each.path}/{name}", named=is_stream_name(each.path), data=data)
            except Exception as error:  # an archive may be damaged at any place
                self._added.problems.append((each.path, trouble(error)))

    def _is_new(self, candidate: FileCandidate, data: bytes) -> bool:
        content = digest(data)
        part, parts = self._shard
        if int(content[:8], 16) % parts != part - 1:
            return False
        number = number_of(content)
        at = self._stored.searchsorted(number)
        if number in self._lost:
            self._lost.discard(number)
            self._news[content].add(candidate.path)
            self._rows.add_path(candidate.path, content, len(data), data)
        elif at < len(self._stored) and self._stored[at] == number:
            self._known.append((number, candidate.path, content, len(data)))
        elif content not in self._news:
            self._news[content].add(candidate.path)
            return True
        elif candidate.path not in self._news[content]:
            self._news[content].add(candidate.path)
            self._rows.add_path(candidate.path, content, len(data))
        self._added.known += 1
        return False

    def paths(self) -> tuple[StoredFile, ...]:
        """Write the further paths of files that the library has already; the files that hold them now."""
        if self._known:
            with self._connected() as connection:
                keep_numbers(connection, "known", "source", (number for number, *_ in self._known))
                held = set(
                    connection.execute(
                        "SELECT source, path FROM stored.sources SEMI JOIN known USING (source)"
                    ).fetchall()
                )
            for number, path, content, size in self._known:
                if (number, path) not in held:
                    held.add((number, path))
                    self._rows.add_path(path, content, size)
        return write_tables(self._storage, self._rows.taken())


def _is_large(path: str) -> bool:
    return path != "-" and Path(path).stat().st_size >= LARGE


def record_files(task: AddTask) -> AddedFiles:
    """Record files, and write what they hold. Never raises on what is in them.

    Raises:
        OSError: the library cannot be written.
    """
    with _no_collection():
        return _recorded(task)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Switch the garbage collector off: records and rows have no cycles, and the search for cycles takes long."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _recorded(task: AddTask) -> AddedFiles:
    storage = open_storage(task.location)
    rows = RecordRows()
    files: list[StoredFile] = []
    problems: list[tuple[str, str]] = []
    skipped: list[tuple[str, str]] = []
    read = matches = wrong = 0
    for candidate in task.files:
        data = b""
        try:
            require_record(candidate)
            data, _ = candidate.content()
            held, faulty = rows.add_file(candidate.path, data, task.day)
            read, matches, wrong = read + 1, matches + held, wrong + faulty
        except Exception as error:  # a fault of ours must not cost all other files
            if is_no_record(candidate, error):
                skipped.append((candidate.path, trouble(error)))
                continue
            problems.append((candidate.path, trouble(error)))
            if data:
                rows.add_problem(candidate.path, data, trouble(error))
        if rows.is_full:
            files += write_tables(storage, rows.taken())
    files += write_tables(storage, rows.taken())
    return AddedFiles(tuple(files), read, matches, wrong, tuple(problems), tuple(skipped), task.is_only)


def lost_files(task: AddTask, problem: str) -> AddedFiles:
    """The result of files whose process was ended."""
    return AddedFiles(problems=tuple((each.path, problem) for each in task.files))


def _unknown(storage: Storage, files: Files, others: Iterable[StoredFile]) -> Files:
    """The files without what other files of the library hold already."""
    own = [each for each in files if each.table == "sources"]
    known = {
        content for (content,) in column_of(storage, (each for each in others if each.table == "sources"), "digest")
    }
    twice = [(content, count) for content, count in column_of(storage, own, "digest", "matches") if content in known]
    if not twice:
        return files
    records = {number_of(content, place) for content, count in twice for place in range(1, count + 1)}
    files = without(storage, files, "record", records)
    return without(storage, files, "source", {number_of(content) for content, _ in twice})
