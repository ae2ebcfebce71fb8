"""Merging small files of a library into ordered ones, so that a question opens few of them.

Every commit brings a file for each table, and each file takes a moment to open. Files are of levels, by how much they
hold: where there are `RUNS` ordered runs of one level, they become one of the next level (a log-structured merge tree;
O'Neil and others, Acta Informatica 33, 1996). So a row is written anew a few times only, and the number of files grows
with the logarithm of what the library holds, not with the number of commits. A run that is larger than a file becomes
several files, one after the other in its order: what is looked for by number is in one of them.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.connecting import asking, bare
from bgtools.library.manifest import Commit, commit, read_state, read_table, write_tables
from bgtools.library.storage import LibraryError
from bgtools.library.tables import ORDERED, arrow_schema, stored_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.library.manifest import LibraryState, StoredFile
    from bgtools.library.storage import Storage

RUNS: Final = 8
"""So many runs of a level are merged."""
FULL: Final[dict[str, int]] = {
    "sources": 50_000, "matches": 100_000, "games": 1_000_000, "turns": 1_500_000, "positions": 1_500_000,
    "findings": 1_000_000, "decisions": 500_000, "choices": 1_500_000, "totals": 200_000,
    "rollouts": 1_000_000,
}  # fmt: skip
"""A file of a table has so many rows, or a little more because the rows of a record stay together."""
_MANY: Final = 32
"""So many while a long addition or analysis goes on, which merges all small files at its end."""
_SMALL: Final = 3
"""Runs of lower levels are merged when a long addition or analysis is at its end: they have less than a full file."""
_CONTENTS: Final = 1 << 28
"""A file of sources ends before its rows when the files in it have so many bytes."""
_MEMORY: Final = "500MB"
"""How much memory sorting takes at most; beyond that it uses the disk."""
_SAMPLED: Final = 256
"""Where a file ends is found out by one of so many rows."""
_ROUNDING: Final = 1e-9
_FURTHER: Final = {
    "sources": "path", "positions": "record, game, entry", "rollouts": "game, entry, kind, valued_by",
    "decisions": "engine, file_row_number", "choices": "engine, file_row_number", "totals": "engine, file_row_number",
}  # fmt: skip
"""By what rows are ordered that have the same number; in other tables they keep their order."""


def compact(storage: Storage) -> tuple[int, int]:
    """Merge small files, whatever their number; how many files the library had, and has now.

    Raises:
        LibraryError: a file is missing or damaged, or somebody else writes at the same time.
        OSError: the place refuses.
    """
    state = read_state(storage)
    after = _merged(storage, state, _small(state))
    if after is None:
        raise LibraryError(f"{storage.location}: somebody else writes to it; try again when that is done")
    return len(state.files), len(after.files)


def compact_some(storage: Storage, state: LibraryState) -> LibraryState:
    """Merge files where there are many of a level; what the library holds then.

    Where somebody else has written meanwhile, or sorting fails, such as on a full disk, all files stay until the next
    time; nothing is lost by that.

    Raises:
        OSError: the place refuses.
    """
    while piles := _crowded(state, _MANY if state.is_part else RUNS):
        after = _tried(storage, state, piles)
        if after is None:
            return read_state(storage, state)
        if after == state:
            break
        state = after
    return state


def compact_end(storage: Storage, state: LibraryState) -> LibraryState:
    """Merge files as `compact_some` does, and after a long addition or analysis all small ones.

    So the same records and analyses give the same files, whoever made them, in whichever order, and killed however
    often, as long as no table has more than a full file.

    Raises:
        OSError: the place refuses.
    """
    if state.is_part:
        state = _tried(storage, state, _small(state), is_part=False) or read_state(storage, state)
    return compact_some(storage, state)


def _tried(
    storage: Storage, state: LibraryState, piles: Sequence[Sequence[StoredFile]], *, is_part: bool | None = None
) -> LibraryState | None:
    try:
        return _merged(storage, state, piles, is_part=is_part)
    except LibraryError:
        return None


def _small(state: LibraryState) -> list[Sequence[StoredFile]]:
    """The files of each table that are of low levels."""
    return [[each for each in state.of(name) if each.level < _SMALL] for name in stored_columns()]


def _crowded(state: LibraryState, most: int) -> list[Sequence[StoredFile]]:
    """The files of each table and level of which there are too many runs."""
    found: dict[tuple[str, int], list[StoredFile]] = {}
    for each in state.files:
        found.setdefault((each.table, each.level), []).append(each)
    return [some for some in found.values() if len(some) >= most and _runs(some) >= most]


def _runs(files: Iterable[StoredFile]) -> int:
    """How many runs some files are: small ones are one each, of full ones as many as may hold the same number."""
    ends: list[tuple[int, bool]] = []
    small = 0
    for file in files:
        if file.rows < FULL[file.table] // 2:
            small += 1
        else:
            ends += [(file.first or 0, False), (file.last or 0, True)]
    most = here = 0
    for _, is_end in sorted(ends):
        here += -1 if is_end else 1
        most = max(most, here)
    return small + most


def _level(table: str, rows: int) -> int:
    """The level of a run of so many rows: `_SMALL` for a full file, one more for `RUNS` as many, 0 for very few."""
    level, least = 0, max(1, FULL[table] // RUNS ** (_SMALL - 1))
    while rows >= least:
        level, least = level + 1, least * RUNS
    return level


def _merged(
    storage: Storage, state: LibraryState, piles: Iterable[Sequence[StoredFile]], *, is_part: bool | None = None
) -> LibraryState | None:
    """What a library holds with each pile as one run; None where somebody else has written."""
    import pyarrow as pa

    old: set[StoredFile] = set()
    new: set[StoredFile] = set()
    for pile in piles:
        if len(pile) > 1:
            old.update(pile)
            level = _level(pile[0].table, sum(each.rows for each in pile))
            new.update(write_tables(storage, _ordered(storage, pile), level))
            # Arrow keeps what it has freed, and the next table would come on top of it.
            pa.default_memory_pool().release_unused()
    if old == new and is_part in (None, state.is_part):
        return state
    # A file that is alone in its order is written as it was.
    gone = tuple(sorted({each.path for each in old} - {each.path for each in new}))
    after = commit(storage, state, Commit(add=tuple(sorted(new - old)), remove=gone, is_part=is_part))
    if after is not None:
        # What left the library before is asked for by nobody any more; nor are the parts of a long addition.
        ended = {*state.old, *gone} if is_part is False else {*state.old} - {*gone}
        for path in sorted(ended - {each.path for each in (*after.files, *after.held_groups)}):
            storage.remove(path)
    return after


def _ordered(storage: Storage, pile: Sequence[StoredFile]) -> Iterator[tuple[str, Any]]:
    """The rows of some files of a table in its order, as tables of about a full file each.

    Each table is sorted by itself, out of the parts of the files that it is made of, so memory holds little more.
    """
    name = pile[0].table
    schema, order = arrow_schema(name), ORDERED[name]
    cuts = _cuts(storage, pile)
    with tempfile.TemporaryDirectory() as folder, closing(bare(storage)) as connection, asking():
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute("SET temp_directory = $folder", {"folder": folder})
        for low, high in pairwise((None, *cuts, None)):
            bounds = [*([] if low is None else [f"{order} >= {low}"]), *([] if high is None else [f"{order} < {high}"])]
            found = connection.sql(
                "SELECT * EXCLUDE file_row_number FROM read_parquet($files, file_row_number = true) "
                f"WHERE {' AND '.join(bounds) or 'true'} ORDER BY {order}, {_FURTHER.get(name, 'file_row_number')}",
                params={"files": [storage.address(file.path) for file in pile]},
            )
            # Before DuckDB 1.4 it had another name.
            rows = found.to_arrow_table() if hasattr(found, "to_arrow_table") else found.fetch_arrow_table()
            if rows.num_rows:
                yield name, rows.cast(schema)


def _cuts(storage: Storage, pile: Sequence[StoredFile]) -> list[int]:
    """The numbers between which some files have about as many rows as a full file, and sources as many bytes."""
    import numpy as np

    name = pile[0].table
    order, has_contents = ORDERED[name], name == "sources"
    if sum(file.rows for file in pile) <= FULL[name] and not has_contents:
        return []
    numbers, shares = [], []
    for file in pile:
        rows = read_table(storage, file, [order, *(["bytes"] if has_contents else [])])
        share = np.full(rows.num_rows, 1 / FULL[name])
        if has_contents:
            share = np.maximum(share, rows["bytes"].to_numpy() / _CONTENTS)
        starts = np.arange(0, rows.num_rows, 1 if has_contents else _SAMPLED)
        numbers.append(rows[order].to_numpy()[starts])
        shares.append(np.add.reduceat(share, starts))
    every = np.concatenate(numbers)
    by = np.argsort(every, kind="stable")
    filled = np.floor(np.cumsum(np.concatenate(shares)[by]) + _ROUNDING)
    return sorted({*every[by][1:][np.diff(filled) > 0].tolist()})
