"""A library as tables of DuckDB: its files, and over them the views and words of ``views.sql``."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.library.fault import LibraryError
from bgtools.library.tables import GROUPS, stored_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.library.manifest import State
    from bgtools.library.storage import Storage
    from bgtools.library.tables import Field, StoredName

_TYPES: Final = {
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint32": "UINTEGER",
    "float64": "DOUBLE",
    "bool": "BOOLEAN",
    "text": "VARCHAR",
    "bytes": "BLOB",
    "int64s": "BIGINT[]",
}


class Named(NamedTuple):
    """Something that queries can name: a view, or a macro with its arguments; and what it is, as a sentence."""

    name: str
    meaning: str


@cache
def _script() -> str:
    return files(__package__).joinpath("views.sql").read_text(encoding="utf-8")


_MEANT: Final = re.compile(r"^-- (.*)\nCREATE (VIEW|MACRO) (\w+(?:\(.*?\))?) AS", re.MULTILINE)


def _named(what: str) -> tuple[Named, ...]:
    return tuple(Named(name, meaning) for meaning, kind, name in _MEANT.findall(_script()) if kind == what)


@cache
def views() -> tuple[Named, ...]:
    """The tables that queries see, and what a row of each is."""
    return _named("VIEW")


@cache
def macros() -> tuple[Named, ...]:
    """The words of backgammon that queries know, and what each means."""
    return _named("MACRO")


def connect(storage: Storage, state: State, *, locked: bool = False, lasting: bool = False) -> Any:
    """A connection of DuckDB that sees a library, and keeps nothing.

    Args:
        storage: where the library lies.
        state: what it holds.
        locked: whether queries may read nothing but the library.
        lasting: whether many queries will come, so that what files say of themselves, which never changes, is kept.

    Raises:
        LibraryError: DuckDB is not installed, or a file is missing or damaged.
    """
    connection = bare(storage, locked=locked)
    duckdb = sys.modules["duckdb"]
    try:
        connection.execute(script(storage, state))
        if lasting:
            connection.execute("SET parquet_metadata_cache = true")
        if locked:
            _lock(connection, storage)
    except duckdb.Error as error:
        connection.close()
        raise LibraryError(
            f"{storage.location}: {in_a_line(error)}; library check says what can be made anew"
        ) from None
    return connection


def bare(storage: Storage, *, locked: bool = False) -> Any:
    """A connection of DuckDB that reaches the files of a library, or ``locked`` no others there, and knows no tables.

    Raises:
        LibraryError: DuckDB is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise LibraryError(
            "duckdb is not installed, which queries a library; python -m pip install 'bgtools-backgammon[library]' "
            "installs it"
        ) from None
    connection = duckdb.connect(":memory:")
    if "://" in storage.location:
        import fsspec

        elsewhere, root = fsspec.core.url_to_fs(storage.location)
        if locked:
            from bgtools.library.fenced import Fenced

            elsewhere = Fenced(elsewhere, root)
        connection.register_filesystem(elsewhere)
    connection.execute("SET enable_progress_bar = false")
    # A query means tables by its names, never variables of this program.
    connection.execute("SET python_enable_replacements = false")
    return connection


def script(storage: Storage, state: State) -> str:
    """What DuckDB has to do to see a library: its files as the schema ``stored``, and the views and words over them."""
    statements = ["CREATE SCHEMA stored"]
    for name, fields in stored_columns().items():
        stored = [storage.address(each.path) for each in state.of(name)]
        statements.append(f"CREATE VIEW stored.{name} AS {_rows_in(stored) if stored else _no_rows(fields)}")
    grouped = _no_rows(GROUPS) if state.groups is None else _rows_in([storage.address(state.groups.path)])
    statements.append(f"CREATE TABLE stored.groups AS {grouped}")
    # What each file holds, so that those are left shut that have nothing of a record.
    statements.append('CREATE TABLE stored.files ("table" VARCHAR, address VARCHAR, first BIGINT, last BIGINT)')
    held = [
        f"('{each.table}', {_quoted(storage.address(each.path))}, {each.first}, {each.last})"
        for each in state.files
        if each.first is not None
    ]
    statements += [f"INSERT INTO stored.files VALUES {', '.join(held)}"] if held else []
    # The records for which another one stands.
    statements.append("CREATE TABLE stored.others AS SELECT record FROM stored.groups WHERE record <> match")
    statements.append("CREATE TABLE stored.aliases (name VARCHAR, person VARCHAR)")
    joined = (f"{_quoted(name)}, {_quoted(person)}" for name, person in state.aliases.items())
    statements += [f"INSERT INTO stored.aliases VALUES ({each})" for each in joined]
    return ";\n".join([*statements, _script()])


def shown(connection: Any, table: StoredName, matches: str) -> str:
    """What stands after FROM for the rows of a table of analyses that some matches show, with the name ``given``.

    Of the files it opens only those that may hold such rows.

    Args:
        connection: one that sees the library.
        table: which rows.
        matches: the name of a table that has the records that stand for the matches as ``record``.
    """
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE analysed AS SELECT c.record FROM stored.chosen c SEMI JOIN {matches} m "
        "ON m.record = c.match"
    )
    held = connection.execute(
        "SELECT address FROM stored.files SEMI JOIN analysed a ON a.record BETWEEN first AND last "
        'WHERE "table" = ? ORDER BY address',
        [table],
    ).fetchall()
    rows = _rows_in(address for (address,) in held) if held else _no_rows(stored_columns()[table])
    connection.execute(f"CREATE OR REPLACE TEMP VIEW some_{table} AS FROM ({rows}) SEMI JOIN analysed USING (record)")
    return f"stored.shown('some_{table}')"


def _rows_in(files: Iterable[str]) -> str:
    return f"SELECT * FROM read_parquet([{', '.join(map(_quoted, files))}])"


def _no_rows(fields: Iterable[Field]) -> str:
    columns = ", ".join(f"NULL::{_TYPES[each.kind]} AS {each.name}" for each in fields)
    return f"SELECT {columns} WHERE false"


def _lock(connection: Any, storage: Storage) -> None:
    """Let queries read nothing but the library."""
    connection.execute("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false")
    if "://" in storage.location:
        # DuckDB knows no folders of other places: there the files of this machine are closed.
        connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
    else:
        connection.execute(f"SET allowed_directories = [{_quoted(storage.address(''))}]")
        connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def in_a_line(error: Exception) -> str:
    """What DuckDB says is wrong, without its drawing of the query."""
    text = str(error).partition("\nLINE ")[0]
    before, _, trace = text.partition(_TRACEBACK)
    if trace:
        # What Python has raised inside: where the library lies, or for want of a package.
        last = re.sub(r"^[\w.]+: (\[Errno \d+\] )?", "", trace.strip().splitlines()[-1])
        text = f"{before} {last}"
    lines = [line.strip() for line in text.splitlines()]
    told = " ".join(line for line in lines if line.strip("^"))
    return "".join(each if each.isprintable() and each != "\ufffd" else " " for each in told).strip()


_ABOUT: Final = re.compile(r"[A-Z]\w*( \w+)? ?Error: ")
"""How errors begin that DuckDB itself tells."""
_TRACEBACK: Final = "Traceback (most recent call last):"
_READING: Final = frozenset({"SELECT", "RELATION"})
_EXPLAINING: Final = re.compile(r"\s*EXPLAIN(?:\s+ANALYZE|\s*\([^()]*\))?\s(.*)", re.IGNORECASE | re.DOTALL)


def _ensure_reading(connection: Any, sql: str) -> Any:
    """The one statement of a query that reads.

    Raises:
        LibraryError: it is no query, more than one, or one that writes.
    """
    with asking():
        statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise LibraryError("give one query" if not statements else "give one query at a time")
    kind = statements[0].type.name
    if kind == "EXPLAIN" and (explained := _EXPLAINING.fullmatch(sql)):
        # To explain what writes by carrying it out is to write.
        _ensure_reading(connection, explained[1])
    elif kind not in _READING:
        raise LibraryError(f"a library is only read: SELECT is answered, {kind} is not")
    return statements[0]


def answered(connection: Any, sql: str) -> Any:
    """The answer to a query from a stranger, which reads and changes nothing.

    Raises:
        LibraryError: it is no query, more than one, one that writes, or it cannot be answered.
    """
    statement = _ensure_reading(connection, sql)
    with asking():
        # What a query writes besides, such as DELETE behind WITH, is refused by this.
        connection.execute("BEGIN TRANSACTION READ ONLY")
        return connection.execute(statement)


@contextmanager
def asking() -> Iterator[None]:
    """Tell what DuckDB cannot answer as an error of the library.

    Raises:
        LibraryError: a file is missing or damaged, or a query is wrong.
    """
    try:
        yield
    except Exception as error:
        # Where nobody has imported it yet it has raised nothing.
        duckdb = sys.modules.get("duckdb")
        if duckdb is None or not isinstance(error, duckdb.Error):
            raise
        said = in_a_line(error)
        is_about_a_query = _ABOUT.match(said)
        if not is_about_a_query:
            # What reads Parquet says neither which file it is nor that it is one.
            said = f"a file of the library is damaged ({said})"
        if ".parquet" in said or not is_about_a_query:
            said += "; library check says what can be made anew"
        raise LibraryError(said) from None


def named_rows(connection: Any, query: str) -> Iterator[dict[str, Any]]:
    """The rows of an answer, each with its cells by the names of the columns."""
    answer = connection.execute(query)
    names = [each[0] for each in answer.description]
    for row in answer.fetchall():
        yield dict(zip(names, row, strict=True))
