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
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.storage import LibraryError, ManifestDamaged, digest
from bgtools.library.tables import LIBRARY_VERSION, ORDERED, arrow_schema

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
        first, last: the lowest and the highest number in it of the column by which its table is ordered
            (`bgtools.library.tables.ORDERED`), so that it is not opened for others; None where it has no rows.
        level: how often about its rows were merged with those of other files; see `bgtools.library.compaction`.
    """

    table: str
    name: str
    rows: int
    bytes: int
    digest: str
    first: int | None = None
    last: int | None = None
    level: int = 0

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
        is_part: whether more of the same is to come: whoever goes on from here merges the small files at the end. None
            where this did not change.
        me: the name of whose library it is, where that is said; "" takes it away.
    """

    add: tuple[StoredFile, ...] = ()
    remove: tuple[str, ...] = ()
    groups: StoredFile | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    is_part: bool | None = None
    me: str | None = None


@dataclass(frozen=True, slots=True)
class LibraryState:
    """What a library holds after some commits.

    Attributes:
        number: of the last commit; 0 for a library without any.
        files: its files, in the order of their names.
        groups: the file that says which records are of one match, or None.
        aliases: names of players, and the name that each goes by.
        ungrouped: the files of the table of matches with records that ``groups`` does not know.
        is_part: whether the last writer had more to come, and may have been killed before it.
        me: the name of whose library it is; "" where nobody has said so.
        old: paths of the files that left it last. They stay for questions that are under way, until others leave.
    """

    number: int = 0
    files: tuple[StoredFile, ...] = ()
    groups: StoredFile | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    ungrouped: tuple[str, ...] = ()
    is_part: bool = False
    me: str = ""
    old: tuple[str, ...] = ()

    def of(self, table: str) -> tuple[StoredFile, ...]:
        """The files of a table."""
        return tuple(each for each in self.files if each.table == table)

    @property
    def held_groups(self) -> tuple[StoredFile, ...]:
        """The file that says which records are of one match; none where there is none."""
        return () if self.groups is None else (self.groups,)

    def without_groups(self) -> LibraryState:
        """The same state, but as if nobody had said which records are of one match."""
        return replace(self, groups=None, ungrouped=tuple(each.path for each in self.of("matches")))

    def after(self, commit: Commit) -> LibraryState:
        """What the library holds after one more commit."""
        gone = set(commit.remove)
        files = {each.path: each for each in (*self.files, *commit.add) if each.path not in gone}
        regrouped = (self.groups.path,) if commit.groups is not None and self.groups is not None else ()
        aliases = {name: person for name, person in {**self.aliases, **commit.aliases}.items() if person}
        return LibraryState(
            self.number + 1,
            tuple(sorted(files.values())),
            commit.groups or self.groups,
            dict(sorted(aliases.items())),
            ungrouped=() if commit.groups is not None else self._ungrouped_after(commit, files),
            is_part=self.is_part if commit.is_part is None else commit.is_part,
            me=self.me if commit.me is None else commit.me,
            old=commit.remove or (*self.old, *regrouped),
        )

    def _ungrouped_after(self, commit: Commit, files: Mapping[str, StoredFile]) -> tuple[str, ...]:
        """The files of matches that nobody has grouped yet, after a commit that groups nothing."""
        news = [each.path for each in commit.add if each.table == "matches"]
        gone = {each for each in commit.remove if each.startswith("matches/")}
        if not gone:
            return (*self.ungrouped, *news)
        before, now = (
            sum(each.rows for each in some if each.table == "matches") for some in (self.files, files.values())
        )
        if before != now:
            # Records have left it, so others may stand for their matches.
            return tuple(each.path for each in files.values() if each.table == "matches")
        # Files were merged.
        return (
            (*(each for each in self.ungrouped if each not in gone), *news)
            if gone & {*self.ungrouped}
            else self.ungrouped
        )


def read_state(storage: Storage, known: LibraryState | None = None) -> LibraryState:
    """What a library holds.

    The newest checkpoint that is whole says what it held then; only the commits after it are read.

    Args:
        storage: where it lies.
        known: what it held when it was last read; then only later commits are read.

    Raises:
        LibraryError: a commit is missing, damaged, or of a newer version.
        OSError: the place cannot be read.
    """
    state = known or LibraryState()
    later: list[int] = []
    for name in reversed(storage.names(FOLDER)):
        number, is_checkpoint = _number(name)
        if number is None or number <= state.number:
            if number is not None and not is_checkpoint:
                break
        elif not is_checkpoint:
            later.append(number)
        elif (found := _checkpoint(storage, name)) is not None:
            state = found
            break
    for number in reversed(later):
        if number <= state.number:
            continue
        if number != state.number + 1:
            missing = _name(state.number + 1)
            raise ManifestDamaged(f"{storage.location}: its manifest has {_name(number)} but no {missing}; {_REMEDY}")
        state = state.after(_commit(storage, _name(number)))
    return state


def _checkpoint(storage: Storage, name: str) -> LibraryState | None:
    """What a checkpoint says; None where it is damaged: the commits before it say the same."""
    try:
        document = _document(storage, name)
        groups = document["groups"]
        return LibraryState(
            document["number"],
            tuple(map(_stored, document["files"])),
            None if groups is None else _stored(groups),
            dict(document["aliases"]),
            ungrouped=tuple(map(_path, document["ungrouped"])),
            is_part=document["is_part"],
            me=document["me"],
            old=tuple(map(_path, document["old"])),
        )
    except (LibraryError, OSError, *_UNREADABLE):
        return None


def commit(storage: Storage, state: LibraryState, change: Commit) -> LibraryState | None:
    """Add a commit; None where another writer has come first, and the change has to be looked at again.

    Raises:
        OSError: the place refuses. The library is then what it was.
    """
    number = state.number + 1
    told = {
        "add": [asdict(each) for each in sorted(change.add)],
        "remove": sorted(change.remove),
        "groups": None if change.groups is None else asdict(change.groups),
        "aliases": dict(sorted(change.aliases.items())),
        "is_part": change.is_part,
        "me": change.me,
    }
    if not storage.write_new(f"{FOLDER}/{_name(number)}", _encoded(number, told)):
        return None
    after = state.after(change)
    if number % _OFTEN == 0:
        # A checkpoint that is missing costs time and nothing else.
        with suppress(OSError):
            storage.write(f"{FOLDER}/{_name(number, _STATE)}", _encoded(number, asdict(after)))
    return after


def known_aliases(storage: Storage) -> dict[str, str]:
    """The aliases in the commits that can be read, of any version."""
    found: dict[str, str] = {}
    for name in storage.names(FOLDER):
        with suppress(OSError, ValueError, AttributeError, TypeError, KeyError):
            found.update(json.loads(storage.read(f"{FOLDER}/{name}"))["aliases"])
    return {name: person for name, person in found.items() if person}


Files = tuple[StoredFile, ...]


def commit_files(
    storage: Storage,
    state: LibraryState,
    files: Files,
    less: Callable[[Storage, Files, Iterable[StoredFile]], Files],
    *,
    is_part: bool | None = None,
) -> LibraryState:
    """Let files belong to a library; what it holds then.

    Args:
        storage: where it lies.
        state: what it held when it was last read.
        files: what to add; without any, nothing changes.
        less: gives the files without what other files hold that another writer has added since.
        is_part: as `Commit` has it.

    Raises:
        LibraryError: the manifest is damaged, or of a newer version.
        OSError: the place refuses. The library is then what it was.
    """
    while files:
        after = commit(storage, state, Commit(add=files, is_part=is_part))
        if after is not None:
            return after
        later = read_state(storage, state)
        files = less(storage, files, set(later.files) - set(state.files))
        state = later
    return state


def is_library(storage: Storage) -> bool:
    """Whether there is a library at all."""
    first = f"{FOLDER}/{_name(1)}"
    return storage.size(first) is not None or any(_number(name)[0] is not None for name in storage.names(FOLDER))


_OFTEN: Final = 64
"""Each commit whose number this divides is a checkpoint too."""
_STATE: Final = "state.json"
_UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError)


def _encoded(number: int, content: Mapping[str, Any]) -> bytes:
    """A file of the manifest, with the digest of all the rest of it."""
    document = {"format": _FORMAT, "version": LIBRARY_VERSION, **content, "number": number}
    return _dumped({**document, "digest": digest(_dumped(document))})


def _dumped(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _name(number: int, ending: str = "json") -> str:
    return f"{number:0{_DIGITS}}.{ending}"


def _number(name: str) -> tuple[int | None, bool]:
    """The number of a commit by the name of its file, and whether it is a checkpoint; None for other files."""
    stem, _, ending = name.partition(".")
    is_numbered = len(stem) == _DIGITS and stem.isascii() and stem.isdigit() and ending in ("json", _STATE)
    return (int(stem) if is_numbered else None), ending == _STATE


def _document(storage: Storage, name: str) -> dict[str, Any]:
    """A file of the manifest.

    Raises:
        LibraryError: it is of another version.
        OSError: it cannot be read.
        Exception: one of `_UNREADABLE`: it is damaged.
    """
    document: dict[str, Any] = json.loads(storage.read(f"{FOLDER}/{name}"))
    version = document["version"]
    if document["format"] != _FORMAT or type(version) is not int:
        raise ValueError("no part of a library")
    if version > LIBRARY_VERSION:
        raise LibraryError(
            f"{storage.location}: {FOLDER}/{name} is written by a newer bgtools (tables of version {version}, this one "
            f"knows {LIBRARY_VERSION}); install that to read it"
        )
    if version < LIBRARY_VERSION:
        raise ManifestDamaged(
            f"{storage.location}: {FOLDER}/{name} is written by an older bgtools (tables of version {version}, this "
            f"one writes {LIBRARY_VERSION}); library check --rebuild rebuilds the tables"
        )
    if document.pop("digest") != digest(_dumped(document)):
        raise ValueError("not what was written")
    return document


def _commit(storage: Storage, name: str) -> Commit:
    try:
        document = _document(storage, name)
        groups = document["groups"]
        return Commit(
            tuple(map(_stored, document["add"])),
            tuple(map(_path, document["remove"])),
            None if groups is None else _stored(groups),
            dict(document["aliases"]),
            document["is_part"],
            document["me"],
        )
    except _UNREADABLE as error:
        raise ManifestDamaged(
            f"{storage.location}: {FOLDER}/{name} is damaged ({type(error).__name__}); {_REMEDY}"
        ) from None


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
_CONTENTS: Final = 1024
"""So many files are together in a row group of the table of sources: nobody reads many of them at once."""
_UNLIKE: Final = frozenset({"content", "keys", "fingerprint", "seats", "digest", "path"})
"""Columns in which hardly a value recurs."""


def write_tables(storage: Storage, tables: Iterable[tuple[str, Any]], level: int = 0) -> tuple[StoredFile, ...]:
    """Write Arrow tables, a file each, as files of a level. The same rows give the same file.

    Raises:
        OSError: the place refuses.
    """
    return tuple(_write(storage, name, table, level) for name, table in tables)


def _write(storage: Storage, name: str, table: Any, level: int = 0) -> StoredFile:
    from pyarrow import parquet

    stream = io.BytesIO()
    # A dictionary of values that hardly recur takes more room than the values.
    repeated = [each for each in table.column_names if each not in _UNLIKE]
    at_once = _CONTENTS if name == "sources" else _ROW_GROUP
    with parquet.ParquetWriter(
        stream, table.schema, compression="zstd", use_dictionary=repeated, store_schema=False
    ) as writer:
        for start in range(0, table.num_rows, at_once):
            # The same rows give the same bytes, in however many pieces they come.
            writer.write_table(table.slice(start, at_once).combine_chunks(), at_once)
    data = stream.getvalue()
    content = digest(data)
    file = StoredFile(
        name, f"{content[:_NAME]}.parquet", table.num_rows, len(data), content, *_bounds(name, table), level
    )
    # A process that did the same work and was killed has left the same file.
    if storage.size(file.path) != len(data):
        storage.write(file.path, data)
    return file


def _bounds(name: str, table: Any) -> tuple[int | None, int | None]:
    """The lowest and the highest number in the column by which a table is ordered."""
    import pyarrow.compute as pc

    found = pc.min_max(table[ORDERED[name]]).as_py()
    return found["min"], found["max"]


def read_table(storage: Storage, file: StoredFile, columns: Sequence[str] | None = None) -> Any:
    """The rows of a file, or some columns of them, as an Arrow table.

    Raises:
        LibraryError: the file is missing or damaged.
    """
    with _opened(storage, file) as opened:
        return opened.read(None if columns is None else [*columns], use_threads=False)


def read_schema(storage: Storage, file: StoredFile) -> Any:
    """The columns of a file, as Arrow names them.

    Raises:
        LibraryError: the file is missing or damaged.
    """
    with _opened(storage, file) as opened:
        return opened.schema_arrow


@contextmanager
def _opened(storage: Storage, file: StoredFile) -> Iterator[Any]:
    """A file for its reader of Parquet.

    Raises:
        LibraryError: the file is missing or damaged.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # No other thread may hold the bytes: one that lets go of them while Python ends would abort the program.
        data = pa.BufferReader(storage.read(file.path))
        with parquet.ParquetFile(data, pre_buffer=False) as opened:
            yield opened
    except (OSError, pa.ArrowException) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error).partition("\0")[0]
        raise LibraryError(
            f"{storage.address(file.path)} cannot be read: {said}; library check says what can be rebuilt"
        ) from None


def described(storage: Storage, table: str, name: str) -> StoredFile | None:
    """A file of a table of which no manifest is at hand; None where it is not what was written, as its name says.

    Raises:
        LibraryError: it is not a file of that table.
        OSError: it cannot be read.
    """
    data = storage.read(f"{table}/{name}")
    content = digest(data)
    if name != f"{content[:_NAME]}.parquet":
        return None
    rows = read_table(storage, StoredFile(table, name, 0, len(data), content), [ORDERED[table]])
    return StoredFile(table, name, rows.num_rows, len(data), content, *_bounds(table, rows))


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
    storage: Storage, files: Iterable[StoredFile], column: str, values: Collection[int], only: str = ""
) -> tuple[StoredFile, ...]:
    """The files without the rows that have one of some values in a column; a file without the column stays as it is.

    With ``only``, the name of another column, rows that have 0 there stay as well.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kept: list[StoredFile] = []
    gone = pa.array(sorted(values), pa.int64())
    names = [column, *([only] if only else [])]
    for file in files:
        if column not in arrow_schema(file.table).names:
            kept.append(file)
            continue
        few = read_table(storage, file, names)
        stays = pc.invert(pc.is_in(few[column], value_set=gone))
        if only:
            stays = pc.or_(stays, pc.equal(few[only], 0))
        count = pc.sum(stays.cast(pa.int64())).as_py() or 0
        if count == file.rows:
            kept.append(file)
        elif count:
            kept.append(_write(storage, file.table, read_table(storage, file).filter(stays), file.level))
    return tuple(kept)
