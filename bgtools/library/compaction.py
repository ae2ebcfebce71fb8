"""Joining small files: an analysis writes a file for every few matches, and each file takes a moment to open."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.connecting import asking, bare
from bgtools.library.errors import LibraryError
from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.parquet_files import column_of, read_table, write_tables
from bgtools.library.recording import OWN_ANALYSIS
from bgtools.library.tables import ANALYSIS, arrow_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.library.manifest import State, StoredFile
    from bgtools.library.storage import Storage
    from bgtools.library.tables import StoredName

_FULL: Final = 200_000
"""Files of fewer rows are joined into files of so many rows, or a little more because records stay whole."""
_MANY: Final = 32
"""So many files of about one size are joined while others still come: so a row is written anew a few times only."""
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
    after = _settled(storage, state, [_small(state, name) for name in ANALYSIS])
    if after is None:
        raise LibraryError(f"{storage.location}: somebody else writes to it; try again when that is done")
    return len(state.files), len(after.files)


def compact_sorted(storage: Storage, state: State) -> State:
    """Join small files as `compact` does when an analysis ends, but only of analyses that the library has made.

    They are sorted, so that the same analyses give the same files in whichever order they were made. Where somebody
    else has written meanwhile, or sorting fails, such as on a full disk, all files stay until the next time; nothing is
    lost by that.

    Raises:
        OSError: the place refuses.
    """
    try:
        after = _settled(storage, state, [_made(storage, state, name) for name in ANALYSIS])
    except LibraryError:
        after = None
    return after or read_state(storage, state)


def compact_alike(storage: Storage, state: State) -> State:
    """Join files of analyses where there are many of about one size, while an analysis goes on; see `compact_sorted`.

    No file becomes full by this: only `compact_sorted` makes full files, which are sorted.
    """
    alike: dict[tuple[str, int], list[StoredFile]] = defaultdict(list)
    for name in ANALYSIS:
        for file in _made(storage, state, name):
            alike[name, file.rows.bit_length() // _ABOUT].append(file)
    piles = [pile for files in alike.values() if len(files) >= _MANY for pile in _piles(files) if len(pile) > 1]
    return _exchanged(storage, state, piles, _joined(storage, piles)) or read_state(storage, state)


def _small(state: State, name: StoredName) -> list[StoredFile]:
    return [file for file in state.of(name) if file.rows < _FULL]


def _made(storage: Storage, state: State, name: StoredName) -> list[StoredFile]:
    """The small files of analyses that the library has made; those that records bring along stay with their records."""
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


def _settled(storage: Storage, state: State, piles: Iterable[Sequence[StoredFile]]) -> State | None:
    """What a library holds with each pile sorted into full files; None where somebody else has written."""
    piles = [pile for pile in piles if pile]
    return _exchanged(storage, state, piles, _sorted(storage, piles))


def _exchanged(
    storage: Storage, state: State, piles: Sequence[Sequence[StoredFile]], tables: Iterable[tuple[str, Any]]
) -> State | None:
    """What a library holds with tables in the place of piles of files; None where somebody else has written."""
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
