"""The manifest of a library: numbered commits, each a small JSON file, and the files that they name.

The manifest of a library: numbered commits, each a small JSON file that never changes.

What the library holds is what its commits say, one after the other. A file that no commit names does not belong to it:
a writer that was killed left it, and whoever does that work again writes the same file. Two writers cannot take the
same number, so neither loses anything: the later one looks at what the earlier one did, and takes the next number.

The rows of some records become files, each named by its content.
"""

from __future__ import annotations

import io
import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.storage import LibraryError, ManifestDamaged, digest
from bgtools.library.tables import LIBRARY_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from bgtools.library.storage import Storage


FOLDER: Final = "manifest"
_FORMAT: Final = "bgtools.library"
_DIGITS: Final = 8
_REMEDY: Final = "put it back from a copy, or let library check --rebuild make the manifest again from the files"


@dataclass(frozen=True, slots=True, order=True)
class StoredFile:
    """A file of a table.

    Attributes:
        table: the table that it belongs to.
        name: its name in the folder of the table.
        rows: how many it holds.
        bytes: its length.
        digest: SHA-256 of its content, in hexadecimal digits.
        first, last: the lowest and the highest number of a record in it, so that it is not opened for other records;
            None in the table of sources.
    """

    table: str
    name: str
    rows: int
    bytes: int
    digest: str
    first: int | None = None
    last: int | None = None

    @property
    def path(self) -> str:
        """Where it lies in the library."""
        return f"{self.table}/{self.name}"


@dataclass(frozen=True, slots=True)
class Commit:
    """The changes that a writer made at once.

    Attributes:
        add: files that belong to the library from here on.
        remove: paths of files that no longer belong to it.
        groups: the file that says which records are of one match, made when all files before it were there; None
            where this did not change.
        aliases: names of players, and the name that each shall go by; an empty one takes an alias away.
    """

    add: tuple[StoredFile, ...] = ()
    remove: tuple[str, ...] = ()
    groups: StoredFile | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LibraryState:
    """What a library holds after some commits.

    Attributes:
        number: of the last commit; 0 for a library without any.
        files: its files, in the order of their names.
        groups: the file that says which records are of one match, or None.
        aliases: names of players, and the name that each goes by.
        is_grouped: whether ``groups`` knows all records.
    """

    number: int = 0
    files: tuple[StoredFile, ...] = ()
    groups: StoredFile | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    is_grouped: bool = True

    def of(self, table: str) -> tuple[StoredFile, ...]:
        """The files of a table."""
        return tuple(each for each in self.files if each.table == table)

    def ungrouped(self) -> LibraryState:
        """The same state, but as if nobody had said which records are of one match."""
        return replace(self, groups=None, is_grouped=False)

    def after(self, commit: Commit) -> LibraryState:
        """What the library holds after one more commit."""
        gone = set(commit.remove)
        files = {each.path: each for each in (*self.files, *commit.add) if each.path not in gone}
        aliases = {name: person for name, person in {**self.aliases, **commit.aliases}.items() if person}
        moved = any(each.table == "matches" for each in commit.add) or any(each.startswith("matches/") for each in gone)
        return LibraryState(
            self.number + 1,
            tuple(sorted(files.values())),
            commit.groups or self.groups,
            dict(sorted(aliases.items())),
            is_grouped=commit.groups is not None or (self.is_grouped and not moved),
        )


def read_state(storage: Storage, known: LibraryState | None = None) -> LibraryState:
    """What a library holds.

    Args:
        storage: where it lies.
        known: what it held when it was last read; then only later commits are read.

    Raises:
        LibraryError: a commit is missing, damaged, or of a newer version.
        OSError: the place cannot be read.
    """
    state = known or LibraryState()
    for name in storage.names(FOLDER):
        number = _number(name)
        if number is None or number <= state.number:
            continue
        if number != state.number + 1:
            missing = _name(state.number + 1)
            raise ManifestDamaged(f"{storage.location}: its manifest has {name} but no {missing}; {_REMEDY}")
        state = state.after(_commit(storage, name))
    return state


def commit(storage: Storage, state: LibraryState, change: Commit) -> LibraryState | None:
    """Add a commit; None where another writer has come first, and the change has to be looked at again.

    Raises:
        OSError: the place refuses. The library is then what it was.
    """
    number = state.number + 1
    document: dict[str, Any] = {
        "format": _FORMAT,
        "version": LIBRARY_VERSION,
        "number": number,
        "add": [asdict(each) for each in sorted(change.add)],
        "remove": sorted(change.remove),
        "groups": None if change.groups is None else asdict(change.groups),
        "aliases": dict(sorted(change.aliases.items())),
    }
    data = _encoded({**document, "digest": digest(_encoded(document))})
    return state.after(change) if storage.write_new(f"{FOLDER}/{_name(number)}", data) else None


def commits(storage: Storage) -> Iterator[Commit]:
    """The commits of a library, the first one first.

    Raises:
        LibraryError: one is damaged, or of a newer version.
        OSError: the place cannot be read.
    """
    for name in storage.names(FOLDER):
        if _number(name) is not None:
            yield _commit(storage, name)


def known_aliases(storage: Storage) -> dict[str, str]:
    """The aliases in the commits that can be read, of any version."""
    found: dict[str, str] = {}
    for name in storage.names(FOLDER):
        with suppress(OSError, ValueError, AttributeError, TypeError, KeyError):
            found.update(json.loads(storage.read(f"{FOLDER}/{name}"))["aliases"])
    return {name: person for name, person in found.items() if person}


Files = tuple[StoredFile, ...]


def commit_files(
    storage: Storage, state: LibraryState, files: Files, less: Callable[[Storage, Files, Iterable[StoredFile]], Files]
) -> LibraryState:
    """Let files belong to a library; what it holds then.

    Args:
        storage: where it lies.
        state: what it held when it was last read.
        files: what to add; without any, nothing changes.
        less: gives the files without what other files hold that another writer has added since.

    Raises:
        LibraryError: the manifest is damaged, or of a newer version.
        OSError: the place refuses. The library is then what it was.
    """
    while files:
        after = commit(storage, state, Commit(add=files))
        if after is not None:
            return after
        later = read_state(storage, state)
        files = less(storage, files, set(later.files) - set(state.files))
        state = later
    return state


def is_library(storage: Storage) -> bool:
    """Whether there is a library at all."""
    return any(_number(name) is not None for name in storage.names(FOLDER))


def _encoded(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _name(number: int) -> str:
    return f"{number:0{_DIGITS}}.json"


def _number(name: str) -> int | None:
    stem, _, ending = name.partition(".")
    return int(stem) if ending == "json" and len(stem) == _DIGITS and stem.isascii() and stem.isdigit() else None


def _commit(storage: Storage, name: str) -> Commit:
    where = f"{storage.location}: {FOLDER}/{name}"
    try:
        document = json.loads(storage.read(f"{FOLDER}/{name}"))
        version = document["version"]
        if document["format"] != _FORMAT or type(version) is not int:
            raise ValueError("no part of a library")
        if version > LIBRARY_VERSION:
            raise LibraryError(
                f"{where} is written by a newer bgtools (tables of version {version}, this one knows "
                f"{LIBRARY_VERSION}); install that to read it"
            )
        if version < LIBRARY_VERSION:
            raise ManifestDamaged(
                f"{where} is written by an older bgtools (tables of version {version}, this one writes "
                f"{LIBRARY_VERSION}); library check --rebuild rebuilds the tables"
            )
        if document.pop("digest") != digest(_encoded(document)):
            raise ValueError("not what was written")
        groups = document["groups"]
        return Commit(
            tuple(map(_stored, document["add"])),
            tuple(map(_path, document["remove"])),
            None if groups is None else _stored(groups),
            dict(document["aliases"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ManifestDamaged(f"{where} is damaged ({type(error).__name__}); {_REMEDY}") from None


def _stored(entry: Mapping[str, Any]) -> StoredFile:
    file = StoredFile(**entry)
    _path(file.path)
    return file


def _path(path: str) -> str:
    """The path of a file as bgtools names them. A manifest may come from a stranger, and `check` removes what it names.

    Raises:
        ValueError: it is another one, which might lead out of the library.
    """
    if not PATH.fullmatch(path):
        raise ValueError("no file of a library has this name")
    return path


_NAME: Final = 32
PATH: Final = re.compile(rf"[a-z_]+/[0-9a-f]{{{_NAME}}}\.parquet")
"""The path of every file of a library, below its folder."""
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
        # No other thread may hold the bytes: one that lets go of them while Python ends would abort the program.
        data = pa.BufferReader(storage.read(file.path))
        names = None if columns is None else [*columns]
        with parquet.ParquetFile(data, pre_buffer=False) as opened:
            return opened.read(names, use_threads=False)
    except (OSError, pa.ArrowException) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error).partition("\0")[0]
        raise LibraryError(
            f"{storage.address(file.path)} cannot be read: {said}; library check says what can be rebuilt"
        ) from None


def column_of(storage: Storage, files: Iterable[StoredFile], *names: str) -> list[tuple[Any, ...]]:
    """Some columns of some files, a tuple per row.

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
