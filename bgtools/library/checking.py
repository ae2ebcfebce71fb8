"""Whether a library is whole, and making again what can be made again."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import why
from bgtools.library.blending import blend
from bgtools.library.connecting import asking, bare, script
from bgtools.library.grouping import group
from bgtools.library.manifest import (
    FOLDER,
    PATH,
    Commit,
    LibraryState,
    StoredFile,
    column_of,
    commit,
    described,
    known_aliases,
    read_schema,
    read_state,
    read_table,
    without,
    write_tables,
)
from bgtools.library.recording import JOINED, RecordRows, costliest, number_of
from bgtools.library.storage import LibraryError, digest
from bgtools.library.tables import ANALYSIS, arrow_schema, stored_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.library.manifest import Files
    from bgtools.library.storage import Storage


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
    for file in (*state.files, *state.held_groups):
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
    own = {each.path for each in (*state.files, *state.held_groups)}
    for folder in (*stored_columns(), "groups"):
        names = (f"{folder}/{name}" for name in storage.names(folder))
        yield from (name for name in names if name not in own and PATH.fullmatch(name))
    yield from (
        f"{folder}/{name}" for folder in (*stored_columns(), "groups", FOLDER) for name in storage.drafts(folder)
    )


def _rebuilt(storage: Storage, state: LibraryState, health: Health) -> LibraryState:
    """What a library holds when its damaged files are made again from what is left."""
    bad = {file for file, _ in health.damaged}
    for file in bad:
        storage.remove(file.path)
    left = tuple(file for file in state.files if file not in bad)
    files = _made_again(storage, left, health)
    health.lost += _lost(bad)
    gone = tuple(sorted({file.path for file in state.files} - {file.path for file in files}))
    news = tuple(file for file in files if file not in left)
    after = commit(storage, state, Commit(add=news, remove=gone))
    if after is None:
        raise LibraryError(f"{storage.location}: somebody else writes to it; try again when that is done")
    return blend(storage, group(storage, after.without_groups()))


def _lost(files: Iterable[StoredFile]) -> Iterator[str]:
    """What is gone with files that cannot be rebuilt, in sentences; records come back with their sources."""
    for file in sorted(files):
        if file.table in ANALYSIS:
            yield (
                f"{file.path} held {file.rows:,} rows of analysis; what records bring along is back, and library "
                "analyse makes the rest again"
            )
        elif file.table == "rollouts":
            yield f"{file.path} held {file.rows:,} rollouts; library confirm makes them again"
        elif file.table == "sources":
            yield f"{file.path} held {file.rows:,} files; their records are left, so add the files again"


def remake(storage: Storage) -> Health:
    """Make the manifest of a library again, from its files alone; what was rebuilt. The damaged one is kept beside it.

    Files of an older version get the columns of this one: what was added is recorded again, and analyses are taken
    over.

    Raises:
        LibraryError: there are no files to make it from.
        OSError: the place refuses.
    """
    health = Health()
    files = _made_again(storage, tuple(_found(storage)), health, everything=True)
    if not files:
        raise LibraryError(f"{storage.location} holds no files to make a library of")
    aliases = known_aliases(storage)
    for name in storage.names(FOLDER):
        storage.write(f"{FOLDER}-damaged/{name}", storage.read(f"{FOLDER}/{name}"))
        storage.remove(f"{FOLDER}/{name}")
    state = commit(storage, read_state(storage), Commit(add=files, aliases=aliases))
    assert state is not None
    blend(storage, group(storage, state))
    return health


def _found(storage: Storage) -> Iterator[StoredFile]:
    """The files in the folders of the tables that are what was written: the name of each says its content."""
    for table in stored_columns():
        for name in storage.names(table):
            with suppress(OSError, LibraryError):
                if (file := described(storage, table, name)) is not None:
                    yield file


# --- making again ---------------------------------------------------------------------------


def _made_again(storage: Storage, files: Files, health: Health, *, everything: bool = False) -> Files:
    """The files of a library that has some files: records that lack a part are recorded again from their sources.

    Args:
        storage: where it lies.
        files: those that can be read.
        health: counts the records that are rebuilt.
        everything: whether to record again whatever has its source, also what seems whole.
    """
    own = [file for file in files if file.table in _RECORDED and _is_of_now(read_schema(storage, file), file)]
    sources = [*_sources(storage, [file for file in files if file.table == "sources"])]
    whole, seen = _whole(storage, own)
    rows = RecordRows()
    made: Files = ()
    done: set[str] = set()
    for file in sources:
        for path, content, matches, known, day in column_of(
            storage, [file], "path", "content", "matches", "format", "day"
        ):
            if content is None or not matches or known == JOINED or (told := digest(content)) in done:
                continue
            done.add(told)
            records = {number_of(told, number) for number in range(1, matches + 1)}
            if everything or not records <= whole:
                seen |= records
                whole -= records
                health.rebuilt += rows.add_file(path, content, day or "")[0]
                if rows.is_full:
                    made += write_tables(storage, rows.taken())
    made += write_tables(storage, rows.taken())
    made = tuple(file for file in made if file.table != "sources")
    kept = without(storage, own, "record", seen - whole)
    again = set(column_of(storage, (file for file in made if file.table == "totals"), "record", "engine"))
    rolled = [file for file in files if file.table == "rollouts" and _is_of_now(read_schema(storage, file), file)]
    analyses = _analyses(storage, [file for file in files if file.table in ANALYSIS], again)
    return (*sources, *kept, *made, *analyses, *rolled)


def _is_of_now(schema: Any, file: StoredFile) -> bool:
    """Whether a file with some columns has those of this version."""
    return bool(schema.equals(arrow_schema(file.table), check_metadata=False))


def _read_any(storage: Storage, file: StoredFile) -> Any:
    """The rows of a file, of any version; none where it cannot be read."""
    try:
        return read_table(storage, file)
    except LibraryError:
        return arrow_schema(file.table).empty_table()


def _sources(storage: Storage, files: Iterable[StoredFile]) -> Iterator[StoredFile]:
    """The table of sources with the columns of this version, each path of a file once."""
    seen: set[tuple[str, str]] = set()
    for file in files:
        found = _read_any(storage, file)
        table = _as_now(found, "sources")
        paths = [*zip(table["digest"].to_pylist(), table["path"].to_pylist(), strict=True)]
        news = [at for at, path in enumerate(paths) if path not in seen]
        seen.update(paths)
        if len(news) == table.num_rows and _is_of_now(found.schema, file):
            yield file
        elif news:
            yield from write_tables(storage, [("sources", table.take(news))])


def _whole(storage: Storage, files: Iterable[StoredFile]) -> tuple[set[int], set[int]]:
    """The records all of whose rows are there, once, and all records of which there are any."""
    with closing(bare(storage)) as connection, asking():
        connection.execute(script(storage, LibraryState(files=tuple(files)), _RECORDED))
        whole = {record for (record,) in connection.execute(_WHOLE).fetchall()}
        seen = {record for (record,) in connection.execute(_SEEN).fetchall()}
    return whole, seen


_RECORDED: Final = ("matches", "games", "turns", "positions", "findings")
_SEEN: Final = " UNION ".join(f"SELECT record FROM stored.{name}" for name in _RECORDED)
_WHOLE: Final = """
WITH told AS (
    SELECT
        record, count(*) AS turns,
        count(*) FILTER (in_game AND action IN ('roll', 'double')) AS positions
    FROM stored.turns GROUP BY record
)
SELECT record
FROM stored.matches m
LEFT JOIN told USING (record)
LEFT JOIN (SELECT record, count(*) AS rows FROM stored.positions GROUP BY record) p USING (record)
LEFT JOIN (SELECT record, count(*) AS rows FROM stored.games GROUP BY record) g USING (record)
LEFT JOIN (SELECT record, count(*) AS rows FROM stored.findings GROUP BY record) f USING (record)
WHERE coalesce(told.turns, 0) = m.turns AND coalesce(told.positions, 0) = coalesce(p.rows, 0)
    AND coalesce(g.rows, 0) = m.games AND coalesce(f.rows, 0) = m.errors + m.warnings + m.hints
GROUP BY record HAVING count(*) = 1
"""


def _analyses(storage: Storage, files: Iterable[StoredFile], again: set[tuple[Any, ...]]) -> Files:
    """Files with the analyses that are whole, each once, with the columns of this version, but for those made again."""
    read = {file: _read_any(storage, file) for file in files}
    tables = {file: _as_now(table, file.table) for file, table in read.items()}
    pairs = {
        file: [*zip(table["record"].to_pylist(), table["engine"].to_pylist(), strict=True)]
        for file, table in tables.items()
    }
    held: dict[str, set[tuple[Any, ...]]] = {name: set() for name in ANALYSIS}
    valued: set[tuple[Any, ...]] = set()
    for file, table in tables.items():
        held[file.table].update(pairs[file])
        if file.table == "decisions":
            # A killed writer, or a damaged file, leaves decisions without their choices.
            best = table["best"].to_pylist()
            valued.update(pair for pair, name in zip(pairs[file], best, strict=True) if name)
    left = (held["decisions"] & held["totals"]) - (valued - held["choices"]) - again
    found: Files = ()
    for name in ANALYSIS:
        waiting = set(left)
        for file, table in tables.items():
            if file.table != name:
                continue
            own = [at for at, pair in enumerate(pairs[file]) if pair in waiting]
            waiting.difference_update(pairs[file])
            if len(own) == table.num_rows and _is_of_now(read[file].schema, file):
                found += (file,)
            elif own:
                found += write_tables(storage, [(name, table.take(own))])
    return found


_STANDINGS: Final = {10: 22, 20: 32, 30: 42}
"""Standings of levels before version 4, and now."""


def _as_now(found: Any, name: str) -> Any:
    """The rows of a table with the columns of this version; what an older one does not say is empty."""
    import pyarrow as pa

    if name == "decisions" and "costliest" not in found.column_names:
        *entry, kinds, losses = (
            found[each].to_pylist() for each in ("record", "engine", "game", "entry", "kind", "loss")
        )
        most = costliest(zip(zip(*entry, strict=True), kinds, losses, strict=True))
        found = found.append_column("costliest", pa.array(most))
    if name in ANALYSIS and "parts" not in found.column_names:
        old = [_STANDINGS.get(each, each) for each in found["standing"].to_pylist()]
        found = found.set_column(found.column_names.index("standing"), "standing", pa.array(old, pa.int16()))
    for column, value in (("parts", 0), ("brought", False), ("valued_by", "engine"), ("analysed", "record")):
        if name in ANALYSIS and column not in found.column_names:
            cells = found[value] if isinstance(value, str) else pa.array([value] * found.num_rows)
            found = found.append_column(column, cells)
    schema = arrow_schema(name)
    cells = [
        found[each.name].cast(each.type) if each.name in found.column_names else pa.nulls(found.num_rows, each.type)
        for each in schema
    ]
    return pa.table(cells, schema=schema)
