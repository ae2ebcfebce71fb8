"""A library as tables of DuckDB: its files, and over them the views and words of ``views.sql``."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from threading import Event, Timer
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from bgtools._extras import install_hint
from bgtools._signals import end_again
from bgtools.library.aliases import NOBODY
from bgtools.library.storage import LibraryError
from bgtools.library.tables import GROUPS, stored_columns
from bgtools.reports.columns import TYPES_ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bgtools.library.manifest import LibraryState
    from bgtools.library.storage import Storage
    from bgtools.library.tables import StoredName
    from bgtools.reports.columns import Column


class SqlObject(NamedTuple):
    """Something that queries can name: a view, or a macro with its arguments; and what it is, as a sentence."""

    name: str
    meaning: str


@cache
def _script() -> str:
    return files(__package__).joinpath("views.sql").read_text(encoding="utf-8")


_MEANT: Final = re.compile(r"^-- (.*)\nCREATE (VIEW|MACRO) (\w+(?:\(.*?\))?) AS", re.MULTILINE)


def _named(what: str) -> tuple[SqlObject, ...]:
    return tuple(SqlObject(name, meaning) for meaning, kind, name in _MEANT.findall(_script()) if kind == what)


@cache
def views() -> tuple[SqlObject, ...]:
    """The tables that queries see, and what a row of each is."""
    return _named("VIEW")


@cache
def macros() -> tuple[SqlObject, ...]:
    """The words of backgammon that queries know, and what each means."""
    return _named("MACRO")


def connect(
    storage: Storage,
    state: LibraryState,
    *,
    locked: bool = False,
    lasting: bool = False,
    only: Collection[StoredName] | None = None,
) -> Any:
    """A connection of DuckDB that sees a library, and keeps nothing.

    Args:
        storage: where the library lies.
        state: what it holds.
        locked: whether queries may read nothing but the library.
        lasting: whether many queries will come: then DuckDB keeps the metadata of the files, which never change.
        only: the stored tables that will be asked, which is quicker; None for all, and the views over them.

    Raises:
        LibraryError: DuckDB is not installed, or a file is missing or damaged.
    """
    connection = bare(storage, locked=locked)
    duckdb = sys.modules["duckdb"]
    try:
        try:
            connection.execute(script(storage, state, only))
        except (duckdb.IOException, duckdb.InvalidInputException):
            connection.close()
            connection = bare(storage, locked=locked)
            _create_one_by_one(connection, storage, state, only)
        if lasting:
            connection.execute("SET parquet_metadata_cache = true")
        if locked:
            _lock(connection, storage)
    except duckdb.Error as error:
        connection.close()
        raise LibraryError(f"{storage.location}: {in_a_line(error)}; library check says what can be rebuilt") from None
    return connection


def _create_one_by_one(
    connection: Any, storage: Storage, state: LibraryState, only: Collection[StoredName] | None
) -> None:
    """Create what `script` creates where a file is damaged: only what asks its table fails, and says why."""
    duckdb = sys.modules["duckdb"]
    for name, statement in _statements(storage, state, only):
        try:
            connection.execute(statement)
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            if name not in stored_columns():
                raise
            told = _quoted(f"{in_a_line(error)}; library check says what can be rebuilt")
            # Whatever is asked of the table fails, and no other question: not even a column may be known to be empty.
            fields = stored_columns()[name]  # type: ignore[index]
            columns = ", ".join(f"error({told})::{TYPES_ELSEWHERE[each.type][1]} AS {each.name}" for each in fields)
            connection.execute(
                f"CREATE VIEW stored.{name} AS SELECT {columns} FROM range(1) WHERE error({told})::BOOLEAN"
            )


def bare(storage: Storage, *, locked: bool = False) -> Any:
    """A connection of DuckDB without tables, which reaches the place of a library; ``locked``, only the library there.

    Raises:
        LibraryError: DuckDB is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise LibraryError(f"duckdb is not installed, which queries a library; {install_hint('library')}") from None
    connection = duckdb.connect(":memory:")
    if "://" in storage.location:
        import fsspec

        elsewhere, root = fsspec.core.url_to_fs(storage.location)
        if locked:
            from bgtools.library.readonly_files import ReadOnlyFileSystem

            elsewhere = ReadOnlyFileSystem(elsewhere, root)
        connection.register_filesystem(elsewhere)
    connection.execute("SET enable_progress_bar = false")
    # A name in a query is that of a table, never that of a Python variable.
    connection.execute("SET python_enable_replacements = false")
    return connection


def script(storage: Storage, state: LibraryState, only: Collection[StoredName] | None = None) -> str:
    """What DuckDB has to do to see a library: its files as the schema ``stored``, and the views and words over them.

    Args:
        storage: where the library lies.
        state: what it holds.
        only: the tables that are wanted, without the views; None for all.
    """
    return ";\n".join(statement for _, statement in _statements(storage, state, only))


def _statements(
    storage: Storage, state: LibraryState, only: Collection[StoredName] | None
) -> Iterator[tuple[str, str]]:
    """The statements of `script`, each with the table that it creates; "" for others."""
    yield "", "CREATE SCHEMA stored"
    for name, fields in stored_columns().items():
        if only is not None and name not in only:
            continue
        stored = [storage.address(each.path) for each in state.of(name)]
        yield name, f"CREATE VIEW stored.{name} AS {rows_in(stored) if stored else _no_rows(fields)}"
    grouped = _no_rows(GROUPS) if state.groups is None else rows_in([storage.address(state.groups.path)])
    yield "groups", f"CREATE TABLE stored.groups AS {grouped}"
    # The range of numbers in each file, so that only files with the wanted ones are opened.
    yield "", 'CREATE TABLE stored.files ("table" VARCHAR, address VARCHAR, first BIGINT, last BIGINT)'
    held = [
        f"('{each.table}', {_quoted(storage.address(each.path))}, {each.first}, {each.last})"
        for each in state.files
        if each.first is not None
    ]
    if held:
        yield "", f"INSERT INTO stored.files VALUES {', '.join(held)}"
    # The records for which another one stands.
    yield "", "CREATE TABLE stored.others AS SELECT record FROM stored.groups WHERE record <> match"
    yield "", "CREATE TABLE stored.aliases (name VARCHAR, person VARCHAR)"
    for alias, person in state.aliases.items():
        yield "", f"INSERT INTO stored.aliases VALUES ({_quoted(alias)}, {_quoted(person)})"
    if only is None:
        me = os.environ.get("BGTOOLS_ME", "") or state.me
        yield "", _script().replace("'{me}'", _quoted(me)).replace("'{nobody}'", _quoted(NOBODY))


def some_of(connection: Any, table: Literal["decisions", "choices"], matches: str) -> str:
    """What a query puts after FROM for the rows of a table of analyses that belong to some matches.

    A query opens only files that may hold such rows.

    Args:
        connection: one that sees the library.
        table: which rows.
        matches: the name of a table whose column ``record`` has the records that stand for the matches.
    """
    held = connection.execute(
        f"SELECT address FROM stored.files SEMI JOIN {matches} m ON m.record BETWEEN first AND last "
        'WHERE "table" = ? ORDER BY address',
        [table],
    ).fetchall()
    rows = rows_in(address for (address,) in held) if held else _no_rows(stored_columns()[table])
    connection.execute(f"CREATE OR REPLACE TEMP VIEW some_{table} AS FROM ({rows}) SEMI JOIN {matches} USING (record)")
    return f"stored.shown_{table}('some_{table}')"


def some_positions(connection: Any, keys: Iterable[int]) -> str:
    """What a query puts after FROM for the positions whose boards have some keys; see `some_of`."""
    wanted = sorted({*keys})
    held = connection.execute(
        "SELECT DISTINCT address FROM stored.files "
        "JOIN (SELECT unnest(?::BIGINT[]) AS key) ON key BETWEEN first AND last "
        "WHERE \"table\" = 'positions' ORDER BY address",
        [wanted],
    ).fetchall()
    rows = rows_in(address for (address,) in held) if held else _no_rows(stored_columns()["positions"])
    found = f"key IN ({', '.join(map(str, wanted))})" if wanted else "false"
    return f"(FROM ({rows}) WHERE {found}) ANTI JOIN stored.others USING (record)"


def rows_in(files: Iterable[str]) -> str:
    """A query for the rows of some files, given their addresses."""
    return f"SELECT * FROM read_parquet([{', '.join(map(_quoted, files))}])"


def _no_rows(fields: Iterable[Column]) -> str:
    columns = ", ".join(f"NULL::{TYPES_ELSEWHERE[each.type][1]} AS {each.name}" for each in fields)
    return f"SELECT {columns} WHERE false"


def _lock(connection: Any, storage: Storage) -> None:
    """Let queries read nothing but the library."""
    connection.execute("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false")
    connection.execute("SET allow_persistent_secrets = false")
    if "://" in storage.location:
        # DuckDB cannot allow single folders elsewhere. `ReadOnlyFileSystem` does; here this machine's files are closed.
        connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
    else:
        connection.execute(f"SET allowed_directories = [{_quoted(storage.address(''))}]")
        connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def in_a_line(error: Exception) -> str:
    """The message of an error of DuckDB in one line, without the part of the query that it shows."""
    text = str(error).partition("\nLINE ")[0]
    before, _, trace = text.partition(_TRACEBACK)
    if trace:
        # Python raised this inside DuckDB: the place refuses, or a package is missing.
        last = re.sub(r"^[\w.]+: (\[Errno \d+\] )?", "", trace.strip().splitlines()[-1])
        text = f"{before} {last}"
    lines = [line.strip() for line in text.splitlines()]
    told = " ".join(line for line in lines if line.strip("^"))
    return "".join(each if each.isprintable() and each != "\ufffd" else " " for each in told).strip()


_ABOUT: Final = re.compile(r"[A-Z]\w*( \w+)* ?Error: ")
"""How DuckDB's own errors begin."""
_TRACEBACK: Final = "Traceback (most recent call last):"
_READING: Final = frozenset({"SELECT", "RELATION"})
_EXPLAINING: Final = re.compile(r"\s*EXPLAIN(?:\s+ANALYZE|\s*\([^()]*\))?\s(.*)", re.IGNORECASE | re.DOTALL)


def _ensure_reading(connection: Any, sql: str) -> Any:
    """The one statement of a query that reads.

    Raises:
        LibraryError: it is not a query, more than one, or one that writes.
    """
    with asking():
        statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise LibraryError("give one query" if not statements else "give one query at a time")
    kind = statements[0].type.name
    if kind == "EXPLAIN" and (explained := _EXPLAINING.fullmatch(sql)):
        # EXPLAIN ANALYZE carries out what it explains, so that must only read as well.
        _ensure_reading(connection, explained[1])
    elif kind not in _READING:
        raise LibraryError(f"a library is only read: SELECT is answered, {kind} is not")
    return statements[0]


def answered(connection: Any, sql: str, timeout: float | None = None) -> Any:
    """The answer to a query that a user gave, which may only read.

    Args:
        connection: to the library.
        sql: the query.
        timeout: seconds after which it is given up; None for never.

    Raises:
        LibraryError: it is not a query, more than one, one that writes, or it cannot be answered, or not in time.
    """
    statement = _ensure_reading(connection, sql)
    with asking(), _given_up_after(connection, timeout):
        # This refuses a part of a query that writes, such as DELETE behind WITH.
        connection.execute("BEGIN TRANSACTION READ ONLY")
        return connection.execute(statement)


def matches_where(connection: Any, condition: str) -> set[int] | None:
    """The records that stand for the matches of which a condition of a user is true; None without a condition.

    Raises:
        LibraryError: the condition is wrong.
    """
    if not condition:
        return None
    found = answered(connection, f"SELECT record FROM matches WHERE ({condition})")
    return {record for (record,) in found.fetchall()}


@contextmanager
def _given_up_after(connection: Any, seconds: float | None) -> Iterator[None]:
    """Interrupt what a connection does when it takes too long.

    Raises:
        LibraryError: it did.
    """
    if seconds is None:
        yield
        return
    ended = Event()

    def end() -> None:
        ended.set()
        connection.interrupt()

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception:
        if ended.is_set():
            raise LibraryError(f"the query was given up after {seconds:g} s, as --timeout asks") from None
        raise
    finally:
        timer.cancel()


ME: Final = "me"
"""The name by which the owner of a library is asked for."""


def me_of(connection: Any) -> str:
    """The name of whose library it is.

    Raises:
        LibraryError: nobody has said so.
    """
    ((name,),) = connection.execute("SELECT me()").fetchall()
    if name is None:
        raise LibraryError("nobody has said who is me: bgtools library alias --me NAME, or BGTOOLS_ME=NAME")
    return str(name)


@contextmanager
def asking() -> Iterator[None]:
    """Raise an error of DuckDB as a `LibraryError`.

    Raises:
        LibraryError: a file is missing or damaged, or a query is wrong.
    """
    try:
        yield
    except Exception as error:
        # A module that nobody has imported yet has raised nothing.
        duckdb = sys.modules.get("duckdb")
        if duckdb is None or not isinstance(error, (duckdb.Error, RuntimeError)):
            raise
        end_again()
        if not isinstance(error, duckdb.Error):
            raise
        said = in_a_line(error)
        is_about_a_query = _ABOUT.match(said)
        if not is_about_a_query:
            # DuckDB's reader of Parquet does not say which file is damaged, nor that a file is.
            said = f"a file of the library is damaged ({said})"
        if ".parquet" in said or not is_about_a_query:
            said += "; library check says what can be rebuilt"
        raise LibraryError(said) from None


def keep_numbers(connection: Any, table: str, column: str, numbers: Iterable[int]) -> None:
    """Keep numbers as a table that lasts as long as a connection, so that queries can join them."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT unnest(?::BIGINT[]) AS {column}", [[*numbers]])


def named_rows(connection: Any, query: str) -> Iterator[dict[str, Any]]:
    """The rows of an answer, each with its cells by the names of the columns."""
    answer = connection.execute(query)
    names = [each[0] for each in answer.description]
    for row in answer.fetchall():
        yield dict(zip(names, row, strict=True))
