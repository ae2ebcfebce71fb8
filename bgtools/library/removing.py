"""Taking records out of a library: what was asked for, and nothing more."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.blending import blend
from bgtools.library.connecting import asking, connect, keep_numbers
from bgtools.library.grouping import group
from bgtools.library.manifest import Commit, commit, read_table, without, write_tables
from bgtools.library.storage import LibraryError
from bgtools.library.tables import ANALYSIS, arrow_schema, stored_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from bgtools.library.manifest import Files, LibraryState
    from bgtools.library.storage import Storage


@dataclass(frozen=True, slots=True)
class RemovedPath:
    """A path that leaves a library.

    Attributes:
        path: where the file was found.
        source: its number.
        records: how many records leave the library with it.
        elsewhere: whether another path has the same content, so that the records stay.
    """

    path: str
    source: int
    records: int
    elsewhere: bool


@dataclass(frozen=True, slots=True)
class Removal:
    """What leaves a library.

    Attributes:
        paths: the paths, in their order.
        records: the numbers of the records.
        matches: how many matches leave it whole; others keep the records that stay.
        analysed: how many of those were analysed.
    """

    paths: tuple[RemovedPath, ...]
    records: frozenset[int]
    matches: int
    analysed: int


def plan_removal(storage: Storage, state: LibraryState, paths: Iterable[str], match: int | None) -> Removal:
    """What would leave a library with some files, or with a match.

    Args:
        storage: where it lies.
        state: what it holds.
        paths: files as they were added, and folders for all files below them; relative ones count from here.
        match: the number of a match, all of whose records leave; None for none.

    Raises:
        LibraryError: a path is not in the library, there is no such match, or a file holds other matches as well.
    """
    with closing(connect(storage, state)) as connection, asking():
        held: list[tuple[str, int]] = connection.execute("SELECT path, source FROM sources").fetchall()
        if match is None:
            chosen = _chosen(storage, {path for path, _ in held}, paths)
        else:
            sources = _sources_of(connection, match)
            chosen = {path for path, source in held if source in sources}
        left = {source for path, source in held if path not in chosen}
        gone = {source for path, source in held if path in chosen} - left
        keep_numbers(connection, "leaving", "source", gone)
        records = dict(
            connection.execute("SELECT record, source FROM stored.matches SEMI JOIN leaving USING (source)").fetchall()
        )
        ((matches, analysed),) = connection.execute(_WHOLE, {"records": [*records]}).fetchall()
    counts = Counter(records.values())
    found = tuple(
        RemovedPath(path, source, counts[source], source in left) for path, source in sorted(held) if path in chosen
    )
    return Removal(found, frozenset(records), matches, analysed)


def _chosen(storage: Storage, every: Collection[str], paths: Iterable[str]) -> set[str]:
    """The paths of the library that are meant."""
    whole = {Path(path).absolute(): path for path in sorted(every)}
    chosen: set[str] = set()
    for given in paths:
        wanted = Path(given).absolute()
        below = {path for name, path in whole.items() if name == wanted or wanted in name.parents}
        found = below | ({given} & {*every})
        if not found:
            raise LibraryError(f"{storage.location} has no file {given}; nothing is removed")
        chosen |= found
    return chosen


def _sources_of(connection: Any, match: int) -> set[int]:
    """The files with the records of a match."""
    rows = connection.execute("SELECT source, record FROM records WHERE match = ?", [match]).fetchall()
    if not rows:
        raise LibraryError(f"there is no match {match}; the column record of the table of matches has their numbers")
    sources = {source for source, _ in rows}
    ((count, path),) = connection.execute(
        "SELECT count(*), min(path) FROM records r JOIN sources s USING (source) "
        "WHERE match <> ? AND list_contains(?, r.source)",
        [match, [*sources]],
    ).fetchall()
    if count:
        raise LibraryError(f"{path} holds the match {match} and other matches too; give its path to remove all of them")
    return sources


_WHOLE: Final = """
SELECT count(*), count(*) FILTER (analysed) FROM (
    SELECT match, bool_or(match IN (SELECT match FROM analyses)) AS analysed FROM records GROUP BY match
    HAVING bool_and(list_contains($records::BIGINT[], record))
)
"""


def remove(storage: Storage, state: LibraryState, removal: Removal) -> LibraryState:
    """Take out what `plan_removal` has found; what the library holds then.

    Raises:
        LibraryError: a file is damaged, or somebody else writes at the same time.
        OSError: the place refuses. The library is then what it was.
    """
    with closing(connect(storage, state)) as connection, asking():
        joined, blended = _made_of(connection, removal.records)
    gone = {*removal.records, *joined}
    files: Files = tuple(
        file
        for name in stored_columns()
        for file in _left(storage, state.of(name), gone, blended, {each.path for each in removal.paths}, joined)
    )
    added = tuple({*files} - {*state.files})
    removed = tuple(sorted({each.path for each in state.files} - {each.path for each in files}))
    after = commit(storage, state, Commit(add=added, remove=removed))
    if after is None:
        raise LibraryError(f"{storage.location}: somebody else writes to it; try again when that is done")
    for path in removed:
        storage.remove(path)
    return blend(storage, group(storage, after.without_groups()))


def _made_of(connection: Any, records: Collection[int]) -> tuple[dict[int, int], set[int]]:
    """What the library has made of records: joined ones, each with its source; and all records of their matches."""
    keep_numbers(connection, "gone", "record", records)
    matches = "SELECT DISTINCT coalesce(g.match, r.record) FROM gone r LEFT JOIN stored.groups g USING (record)"
    members = {
        record
        for (record,) in connection.execute(
            f"SELECT record FROM stored.groups WHERE match IN ({matches}) UNION FROM gone"
        ).fetchall()
    }
    joined = dict(
        connection.execute(
            "SELECT record, source FROM stored.matches WHERE joined AND list_contains(?, record)", [[*members]]
        ).fetchall()
    )
    return joined, members


def _left(
    storage: Storage,
    files: Files,
    gone: Collection[int],
    blended: Collection[int],
    paths: Collection[str],
    joined: Mapping[int, int],
) -> Files:
    """The files of a table without what leaves."""
    if not files:
        return ()
    table = files[0].table
    if table == "sources":
        return _left_sources(storage, files, paths, set(joined.values()))
    left = without(storage, files, "record", gone)
    if table not in ANALYSIS:
        return left
    # Analyses that were put together from several are made again of those that stay.
    return without(storage, left, "record", blended, only="parts")


def _left_sources(storage: Storage, files: Files, paths: Collection[str], joined: Collection[int]) -> Files:
    """The table of sources without some paths; another path of the same content keeps that."""
    import pyarrow as pa

    contents: dict[int, tuple[Any, ...]] = {}
    found: list[tuple[Any, list[dict[str, Any]]]] = []
    for file in files:
        stays: list[dict[str, Any]] = []
        for row in read_table(storage, file).to_pylist():
            if row["path"] not in paths and row["source"] not in joined:
                stays.append(row)
            elif row["content"] is not None:
                contents[row["source"]] = (row["content"], row["matches"], row["format"], row["day"])
        found.append((file, stays))
    left: list[Any] = []
    for file, rows in found:
        changed = len(rows) != file.rows
        for row in rows:
            if row["content"] is None and row["source"] in contents:
                row["content"], row["matches"], row["format"], row["day"] = contents.pop(row["source"])
                changed = True
        if not changed:
            left.append(file)
        elif rows:
            left += write_tables(
                storage, [("sources", pa.Table.from_pylist(rows, arrow_schema("sources")))], file.level
            )
    return tuple(left)
