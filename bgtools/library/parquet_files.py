"""Batches: the rows of some records as files, each named by its content."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.errors import LibraryError
from bgtools.library.manifest import StoredFile
from bgtools.library.storage import digest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from bgtools.library.storage import Storage

_NAME: Final = 32
_ROW_GROUP: Final = 122_880
"""Rows that DuckDB takes at once."""
_UNLIKE: Final = frozenset({"key", "content", "keys", "fingerprint", "seats", "digest", "path"})
"""Columns in which hardly a value recurs."""


def write_tables(storage: Storage, tables: Iterable[tuple[str, Any]]) -> tuple[StoredFile, ...]:
    """Write Arrow tables, a file each. The same rows give the same file.

    Raises:
        OSError: the place refuses.
    """
    return tuple(_write(storage, name, table) for name, table in tables)


def _write(storage: Storage, name: str, table: Any) -> StoredFile:
    from pyarrow import parquet

    stream = io.BytesIO()
    # A dictionary of values that hardly recur takes more room than the values.
    repeated = [each for each in table.column_names if each not in _UNLIKE]
    parquet.write_table(
        table, stream, compression="zstd", use_dictionary=repeated, row_group_size=_ROW_GROUP, store_schema=False
    )
    data = stream.getvalue()
    content = digest(data)
    file = StoredFile(name, f"{content[:_NAME]}.parquet", table.num_rows, len(data), content, *_bounds(table))
    # A process that did the same work and was killed has left the same file.
    if storage.size(file.path) != len(data):
        storage.write(file.path, data)
    return file


def _bounds(table: Any) -> tuple[int | None, int | None]:
    """The lowest and the highest number of a record."""
    import pyarrow.compute as pc

    if "record" not in table.column_names:
        return None, None
    found = pc.min_max(table["record"]).as_py()
    return found["min"], found["max"]


def read_table(storage: Storage, file: StoredFile, columns: Sequence[str] | None = None) -> Any:
    """The rows of a file, or some columns of them, as an Arrow table.

    Raises:
        LibraryError: the file is missing or damaged.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return parquet.read_table(io.BytesIO(storage.read(file.path)), columns=None if columns is None else [*columns])
    except (OSError, pa.ArrowException) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error).partition("\0")[0]
        raise LibraryError(
            f"{storage.address(file.path)} cannot be read: {said}; library check says what can be made anew"
        ) from None


def column_of(storage: Storage, files: Iterable[StoredFile], *names: str) -> list[tuple[Any, ...]]:
    """Some columns of some files, a tuple a row.

    Raises:
        LibraryError: a file is missing or damaged.
    """
    found: list[tuple[Any, ...]] = []
    for file in files:
        table = read_table(storage, file, names)
        found += zip(*(table.column(name).to_pylist() for name in names), strict=True)
    return found


def without(
    storage: Storage, files: Iterable[StoredFile], column: str, values: Collection[int]
) -> tuple[StoredFile, ...]:
    """The files without the rows that have one of some values in a column; a file without the column stays as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept: list[StoredFile] = []
    for file in files:
        table = read_table(storage, file)
        if column in table.column_names:
            table = table.filter(pc.invert(pc.is_in(table[column], value_set=pa.array(sorted(values), pa.int64()))))
        if table.num_rows == file.rows:
            kept.append(file)
        elif table.num_rows:
            kept.append(_write(storage, file.table, table))
    return tuple(kept)
