"""Whether a library is whole; making again what can be made again, and joining small files.

An analysis writes a file for every few matches, and each file takes a moment to open.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import why
from bgtools.library.connecting import asking, bare
from bgtools.library.grouping import group
from bgtools.library.manifest import (
    FOLDER,
    PATH,
    Commit,
    StoredFile,
    column_of,
    commit,
    commits,
    known_aliases,
    read_state,
    read_table,
    without,
    write_tables,
)
from bgtools.library.recording import OWN_ANALYSIS, RecordRows, costliest
from bgtools.library.storage import LibraryError, digest
from bgtools.library.tables import ANALYSIS, arrow_schema, stored_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.library.manifest import Files, LibraryState
    from bgtools.library.storage import Storage
    from bgtools.library.tables import StoredName


_FULL: Final = 200_000
"""Files of fewer rows are joined into files of so many rows, or a little more because records stay whole."""
_MANY: Final = 32
"""So many files of about one size are joined while others still come: so a row is rewritten a few times only."""
_ABOUT: Final = 4
"""Files are of about one size where their numbers of rows, in bits, give the same quotient by this number."""
_MEMORY: Final = "500MB"
"""How much memory sorting takes at most; beyond that it uses the disk."""
_STEPS: Final = 10
"""A file is filled in so many steps, so that memory holds little more than its rows."""


def compact(storage: Storage) -> tuple[int, int]:
    """Join small files of analyses into files of a handy size; how many files the library had, and has now.

    Raises:
        LibraryError: a file is missing or damaged, or somebody else writes at the same time.
        OSError: the place refuses.
    """
    state = read_state(storage)
    after = _sorted_piles(storage, state, [_small(state, name) for name in ANALYSIS])
    if after is None:
        raise LibraryError(f"{storage.location}: somebody else writes to it; try again when that is done")
    return len(state.files), len(after.files)


def compact_sorted(storage: Storage, state: LibraryState) -> LibraryState:
    """Join small files as `compact` does when an analysis ends, but only of analyses that the library has made.

    They are sorted, so that the same analyses give the same files in whichever order they were made. Where somebody
    else has written meanwhile, or sorting fails, such as on a full disk, all files stay until the next time; nothing is
    lost by that.

    Raises:
        OSError: the place refuses.
    """
    try:
        after = _sorted_piles(storage, state, [_made(storage, state, name) for name in ANALYSIS])
    except LibraryError:
        after = None
    return after or read_state(storage, state)


def compact_alike(storage: Storage, state: LibraryState) -> LibraryState:
    """Join files of analyses where there are many of about one size, while an analysis goes on; see `compact_sorted`.

    No file becomes full by this: only `compact_sorted` makes full files, which are sorted.
    """
    alike: dict[tuple[str, int], list[StoredFile]] = defaultdict(list)
    for name in ANALYSIS:
        for file in _made(storage, state, name):
            alike[name, file.rows.bit_length() // _ABOUT].append(file)
    piles = [pile for files in alike.values() if len(files) >= _MANY for pile in _piles(files) if len(pile) > 1]
    return _exchanged(storage, state, piles, _joined(storage, piles)) or read_state(storage, state)


def _small(state: LibraryState, name: StoredName) -> list[StoredFile]:
    return [file for file in state.of(name) if file.rows < _FULL]


def _made(storage: Storage, state: LibraryState, name: StoredName) -> list[StoredFile]:
    """The small files of analyses that the library has made; those that records contain stay with their records."""
    return [file for file in _small(state, name) if not _is_brought(storage, file)]


def _is_brought(storage: Storage, file: StoredFile) -> bool:
    if file.path not in _BROUGHT:
        _BROUGHT[file.path] = (OWN_ANALYSIS,) in column_of(storage, [file], "standing")
    return _BROUGHT[file.path]


_BROUGHT: Final[dict[str, bool]] = {}
"""For each file whether records brought its analyses. A file never changes, and is asked about after every task."""


def _piles(files: Iterable[StoredFile]) -> Iterator[list[StoredFile]]:
    """The files in groups, in their order; the files of a group have fewer rows together than a full file."""
    pile: list[StoredFile] = []
    for file in files:
        if sum(each.rows for each in pile) + file.rows >= _FULL:
            yield pile
            pile = []
        pile.append(file)
    yield pile


def _joined(storage: Storage, piles: Iterable[Sequence[StoredFile]]) -> Iterator[tuple[str, Any]]:
    import pyarrow as pa

    for pile in piles:
        yield pile[0].table, pa.concat_tables([read_table(storage, each) for each in pile])


def _sorted_piles(storage: Storage, state: LibraryState, piles: Iterable[Sequence[StoredFile]]) -> LibraryState | None:
    """What a library holds with each pile sorted into full files; None where somebody else has written."""
    piles = [pile for pile in piles if pile]
    return _exchanged(storage, state, piles, _sorted(storage, piles))


def _exchanged(
    storage: Storage, state: LibraryState, piles: Sequence[Sequence[StoredFile]], tables: Iterable[tuple[str, Any]]
) -> LibraryState | None:
    """What a library holds with tables instead of piles of files; None where somebody else has written."""
    old = {each for pile in piles for each in pile}
    new = set(write_tables(storage, tables))
    if old == new:
        return state
    gone = tuple(sorted(each.path for each in old - new))
    return commit(storage, state, Commit(add=tuple(sorted(new - old)), remove=gone))


def _sorted(storage: Storage, piles: Iterable[Sequence[StoredFile]]) -> Iterator[tuple[str, Any]]:
    """The rows of each pile, ordered by record, engine and place in the file, as tables of whole records."""
    import numpy as np
    import pyarrow as pa

    with tempfile.TemporaryDirectory() as folder, closing(bare(storage)) as connection, asking():
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute("SET temp_directory = $folder", {"folder": folder})
        for pile in piles:
            schema = arrow_schema(pile[0].table)
            rows = connection.sql(
                "SELECT * EXCLUDE file_row_number FROM read_parquet($files, file_row_number = true) "
                "ORDER BY record, engine, file_row_number",
                params={"files": [storage.address(file.path) for file in pile]},
            )
            # Before DuckDB 1.4 it had another name.
            batches = rows.to_arrow_reader if hasattr(rows, "to_arrow_reader") else rows.fetch_arrow_reader
            waiting = schema.empty_table()
            for batch in batches(_FULL // _STEPS):
                waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch]).cast(schema)])
                records = waiting["record"].to_numpy()
                ends = np.flatnonzero(records[_FULL:] != records[_FULL - 1 : -1])
                if len(ends):
                    yield pile[0].table, waiting.slice(0, _FULL + ends[0]).combine_chunks()
                    waiting = waiting.slice(_FULL + ends[0])
            yield pile[0].table, waiting.combine_chunks()


@dataclass(slots=True)
class Health:
    """What was found wrong with a library, and what was done.

    Attributes:
        checked: files that belong to it and were read.
        damaged: files that are missing or not what was written, with the reason.
        rebuilt: records that were rebuilt from the files they came from.
        lost: what is gone and cannot be rebuilt, in sentences.
        strangers: files in its folders that do not belong to it.
        removed: how many of those were removed.
    """

    checked: int = 0
    damaged: list[tuple[StoredFile, str]] = field(default_factory=list)
    rebuilt: int = 0
    lost: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    removed: int = 0


def check(storage: Storage, *, rebuild: bool = False, clean: bool = False) -> Health:
    """Read every file of a library and compare it with the digest that the manifest has.

    Args:
        storage: where it lies.
        rebuild: whether to rebuild what is damaged: tables of records from the files in the table of sources.
        clean: whether to remove files that no commit names: a killed writer has left them, or others have taken their
            place. Nobody may use the library meanwhile.

    Raises:
        LibraryError: the manifest is damaged, or of a newer version.
        OSError: the place refuses.
    """
    state = read_state(storage)
    health = Health()
    for file in (*state.files, *_groups(state)):
        health.checked += 1
        if fault := _fault(storage, file):
            health.damaged.append((file, fault))
    if rebuild and health.damaged:
        state = _rebuilt(storage, state, health)
    health.strangers = [*_strangers(storage, state)]
    if clean:
        for name in health.strangers:
            storage.remove(name)
        health.removed = len(health.strangers)
    return health


def _groups(state: LibraryState) -> Files:
    return () if state.groups is None else (state.groups,)


def _fault(storage: Storage, file: StoredFile) -> str:
    """What is wrong with a file; empty where nothing is."""
    try:
        data = storage.read(file.path)
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {why(error)}"
    if len(data) != file.bytes:
        return f"has {len(data):,} bytes instead of {file.bytes:,}"
    return "" if digest(data) == file.digest else "is not what was written"


def _strangers(storage: Storage, state: LibraryState) -> Iterator[str]:
    """Files in the folders of the tables that bgtools has named and no commit names, and drafts.

    All else is left alone: such a folder may be a link to another one.
    """
    own = {each.path for each in (*state.files, *_groups(state))}
    for folder in (*stored_columns(), "groups"):
        names = (f"{folder}/{name}" for name in storage.names(folder))
        yield from (name for name in names if name not in own and PATH.fullmatch(name))
    yield from (
        f"{folder}/{name}" for folder in (*stored_columns(), "groups", FOLDER) for name in storage.drafts(folder)
    )


def _rebuilt(storage: Storage, state: LibraryState, health: Health) -> LibraryState:
    """Make the damaged files again from what is left."""
    bad = {file for file, _ in health.damaged}
    for file in bad:
        storage.remove(file.path)
    files, replaced = _made_again(storage, state, bad, health)
    gone, left = (bad | replaced) - {*_groups(state)}, bad - replaced
    health.lost += _lost(left)
    if any(file.table in ANALYSIS for file in left):
        files, gone = _less_torn(storage, state, files, gone)
    removed = tuple(sorted({file.path for file in gone} - {file.path for file in files}))
    after = commit(storage, state, Commit(add=files, remove=removed))
    if after is None:
        raise LibraryError(f"{storage.location}: somebody else writes to it; try again when that is done")
    return group(storage, after.ungrouped())


def _made_again(
    storage: Storage, state: LibraryState, bad: set[StoredFile], health: Health
) -> tuple[Files, set[StoredFile]]:
    """Tables of records rebuilt where a part of them is damaged, and the files that they replace.

    The rows of a record lie in files of one commit, which are rebuilt together, from the table of sources in the
    same commit. Where that is damaged, nothing can be rebuilt.
    """
    files: Files = ()
    replaced: set[StoredFile] = set()
    rows = RecordRows()
    current = {*state.files}
    for each in commits(storage):
        batch = current.intersection(each.add)
        sources = {file for file in batch if file.table == "sources"}
        if not sources or sources & bad or not batch & bad:
            continue
        for path, content in _contents(storage, sources):
            health.rebuilt += rows.add_file(path, content)[0] if content else 0
        files += tuple(file for file in write_tables(storage, rows.taken()) if file.table != "sources")
        replaced |= batch - sources
    return _less_known(storage, files, current - bad - replaced), replaced


def _less_known(storage: Storage, files: Files, kept: Iterable[StoredFile]) -> Files:
    """The files without analyses that other files hold: an analysis that came with a record may have moved there."""
    known, made = (
        set(column_of(storage, (file for file in some if file.table == "totals"), "record", "engine"))
        for some in (kept, files)
    )
    own = [file for file in files if file.table in ANALYSIS]
    others = (file for file in files if file.table not in ANALYSIS)
    return (*others, *without(storage, own, "record", {record for record, _ in known & made}))


def _lost(files: Iterable[StoredFile]) -> Iterator[str]:
    """What is gone with files that cannot be rebuilt, in sentences; records come back with their sources."""
    for file in sorted(files):
        if file.table in ANALYSIS:
            yield f"{file.path} held {file.rows:,} rows of analysis; library analyse makes one again"
        elif file.table == "sources":
            yield f"{file.path} held {file.rows:,} files; their records are left, so add the files again"


def _contents(storage: Storage, files: Iterable[StoredFile]) -> Iterator[tuple[str, bytes | None]]:
    """Path and content of every file that was added; no content where another path has the same."""
    for file in sorted(files):
        for path, content, matches in column_of(storage, [file], "path", "content", "matches"):
            yield path, content if matches else None


def _less_torn(
    storage: Storage, state: LibraryState, files: Files, gone: set[StoredFile]
) -> tuple[Files, set[StoredFile]]:
    """Drop what is left of analyses that have lost a part, which would look whole; the files to add and to remove."""
    left = {name: [file for file in state.of(name) if file not in gone] for name in ANALYSIS}
    whole = set.intersection(
        *(set(column_of(storage, left[name], "record", "engine")) for name in ("decisions", "totals"))
    )
    torn = {
        record
        for name in ANALYSIS
        for record, engine in column_of(storage, left[name], "record", "engine")
        if (record, engine) not in whole
    }
    for name in ANALYSIS:
        for file in left[name]:
            kept = without(storage, [file], "record", torn)
            if kept != (file,):
                gone.add(file)
                files += kept
    return files, gone


# --- without a manifest ---------------------------------------------------------------------


def remake(storage: Storage) -> LibraryState:
    """Make the manifest of a library again, from its files alone. The damaged manifest is kept beside it.

    Every file in the table of sources is recorded again, in the tables of this version; each analysis is taken over
    once.

    Raises:
        LibraryError: there are no sources to make it from.
        OSError: the place refuses.
    """
    files = _recorded_again(storage)
    if not files:
        raise LibraryError(f"{storage.location} holds no files to make a library of")
    own = {each.path for each in files}
    # A writer that was killed may have left a part of an analysis.
    whole = _analyses(storage, "decisions") & _analyses(storage, "totals")
    for table in ANALYSIS:
        made = [each for each in files if each.table == table]
        left = whole - {*column_of(storage, made, "record", "engine")}
        for name in storage.names(table):
            if f"{table}/{name}" not in own:
                files += _taken_over(storage, table, name, left)
    aliases = known_aliases(storage)
    for name in storage.names(FOLDER):
        storage.write(f"{FOLDER}-damaged/{name}", storage.read(f"{FOLDER}/{name}"))
        storage.remove(f"{FOLDER}/{name}")
    state = commit(storage, read_state(storage), Commit(add=files, aliases=aliases))
    assert state is not None
    return group(storage, state)


def _recorded_again(storage: Storage) -> Files:
    """The tables of all files in the table of sources, each file once."""
    files: Files = ()
    rows = RecordRows()
    done: set[str] = set()
    for name in storage.names("sources"):
        for path, content, matches in _readable(storage, "sources", name, "path", "content", "matches"):
            if content and matches and (told := digest(content)) not in done:
                done.add(told)
                rows.add_file(path, content)
            if rows.is_full:
                files += write_tables(storage, rows.taken())
    return (*files, *write_tables(storage, rows.taken()))


def _analyses(storage: Storage, table: StoredName) -> set[tuple[Any, ...]]:
    """Record and engine of all analyses in the files of a table, whether they belong to the library or not."""
    return {each for name in storage.names(table) for each in _readable(storage, table, name, "record", "engine")}


def _readable(storage: Storage, table: str, name: str, *columns: str) -> list[tuple[Any, ...]]:
    """Columns of a file of which no manifest is at hand; no rows where it cannot be read."""
    try:
        return column_of(storage, [StoredFile(table, name, 0, 0, "")], *columns)
    except (LibraryError, KeyError):
        return []


def _taken_over(storage: Storage, table: StoredName, name: str, left: set[tuple[Any, ...]]) -> Files:
    """A new file with those analyses of a file that are in ``left``, from which they are removed."""
    import pyarrow as pa

    file = StoredFile(table, name, 0, 0, "")
    pairs = _readable(storage, table, name, "record", "engine")
    news = [at for at, pair in enumerate(pairs) if pair in left]
    if not news:
        return ()
    left.difference_update(pairs)
    found, schema = read_table(storage, file).take(pa.array(news)), arrow_schema(table)
    if table == "decisions" and "costliest" not in found.column_names:
        *place, kinds, losses = (
            found[each].to_pylist() for each in ("record", "engine", "game", "entry", "kind", "loss")
        )
        most = costliest(zip(zip(*place, strict=True), kinds, losses, strict=True))
        found = found.append_column("costliest", pa.array(most))
    # The file of another version may have other columns.
    cells = [
        found[each.name].cast(each.type) if each.name in found.column_names else pa.nulls(len(news), each.type)
        for each in schema
    ]
    return write_tables(storage, [(table, pa.table(cells, schema=schema))])
