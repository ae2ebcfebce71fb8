"""A library of matches: what people open, add to and ask."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bgtools.library import adding
from bgtools.library.asking import asking
from bgtools.library.connecting import connect, in_a_line, reading, views
from bgtools.library.fault import LibraryError
from bgtools.library.manifest import is_library, read_state
from bgtools.library.running import Processes
from bgtools.library.storage import open_storage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from bgtools.library.adding import Added, Runner
    from bgtools.library.fairness import Fairness, Grouping
    from bgtools.library.hits import Found
    from bgtools.library.manifest import State
    from bgtools.library.openings import Opening
    from bgtools.library.search import Search


def default_location() -> str:
    """Where a library lies that nobody names: `BGTOOLS_LIBRARY`, else a folder among the user's data."""
    named = os.environ.get("BGTOOLS_LIBRARY")
    if named:
        return named
    import platformdirs

    return str(platformdirs.user_data_path("bgtools", appauthor=False) / "library")


class Library:
    """Matches by the thousand in a folder of Parquet files.

    >>> library = bgtools.Library("folder")
    >>> library, library.exists
    (<Library 'folder'>, False)

    The tables are attributes, as relations of DuckDB that are carried out when somebody asks for rows:
    ``library.turns.filter("dice = '66'").df()``; also ``.pl()`` for Polars and ``.arrow()``. ``library.tables`` lists
    them. docs/library.md tells what is in them.
    """

    def __init__(self, location: str | PathLike[str] | None = None) -> None:
        """Open the library at a path or an address that fsspec knows, which need not exist; None for the default."""
        self._storage = open_storage(default_location() if location is None else os.fspath(location))
        self._state: State | None = None

    def __repr__(self) -> str:
        return f"<Library {self.location!r}>"

    @property
    def location(self) -> str:
        """Where it lies."""
        return self._storage.location

    @property
    def exists(self) -> bool:
        """Whether anything has been added yet."""
        return is_library(self._storage)

    @property
    def state(self) -> State:
        """What it holds now.

        Raises:
            LibraryError: the manifest is damaged, or of a newer version.
        """
        self._state = read_state(self._storage, self._state)
        return self._state

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables."""
        return tuple(each.name for each in views())

    @property
    def count(self) -> int:
        """How many matches it holds."""
        return int(self.sql("SELECT count(*) FROM matches").fetchall()[0][0])

    def add(
        self,
        paths: Iterable[str | PathLike[str]],
        *,
        jobs: int = 1,
        run: Runner | None = None,
        told: Callable[[Added], None] | None = None,
        shard: tuple[int, int] = (1, 1),
    ) -> Added:
        """Add what is new of some files and folders; what came.

        Args:
            paths: files in any format, archives, and folders that are searched.
            jobs: how many processes work at it.
            run: what carries out the work instead, such as a cluster.
            told: called after each batch with what has come so far.
            shard: take the first of so many parts of the files, counted from 1, by their content.

        Raises:
            LibraryError: the library is damaged, or of a newer version.
            OSError: it cannot be written.
        """
        run = run or (Processes(jobs) if jobs > 1 else adding.alone)
        named = [os.fspath(each) for each in paths]
        added = adding.add(self._storage, named, run, told or (lambda _: None), shard)
        self._forget(added.state)
        return added

    @cached_property
    def connection(self) -> Any:
        """A connection of DuckDB that sees the tables as they were when it was first asked for.

        Raises:
            LibraryError: there is no library, DuckDB is not installed, or a file is missing or damaged.
        """
        self._must_exist()
        return connect(self._storage, self.state)

    def sql(self, query: str) -> Any:
        """The answer to a query, as a relation of DuckDB."""
        return self.connection.sql(query)

    def asked(self, query: str) -> Any:
        """The answer to a query from a stranger: it reads the library, writes nothing, and opens no other file.

        Raises:
            LibraryError: it is no query, more than one, one that writes, or it cannot be answered.
        """
        import duckdb

        self._must_exist()
        connection = connect(self._storage, self.state, locked=True)
        try:
            return connection.execute(reading(connection, query))
        except duckdb.Error as error:
            raise LibraryError(in_a_line(error)) from None

    def find(self, search: Search | None = None, /, *, limit: int | None = 20, **asked: Any) -> Found:
        """Find positions: by an ID, by what is like it, or by structure; and how they were played.

        ``library.find(position="XGID=…")``, ``library.find(prime=(5, None), on_bar=("opponent",), dice="64")``.

        Args:
            search: what is asked for.
            limit: how many hits to list; None for all.
            asked: attributes of a search, over those of ``search``; docs/library-find.md lists them.

        Raises:
            LibraryError: there is no library, or the search asks for something that cannot be.
        """
        from bgtools.library.hits import find
        from bgtools.library.search import Search

        return find(self._closed, replace(search or Search(), **asked), limit)

    def openings(
        self, *, replies: bool = False, player: str = "", dice: str = "", played: str = ""
    ) -> tuple[Opening, ...]:
        """Every opening roll and how it was played, or every reply: how often, what it lost, and what became of it.

        Args:
            replies: the second rolls, by the opening that they answer, rather than the first.
            player: only his plays, beside how everybody else plays them.
            dice: only of this first roll, such as ``31``.
            played: only of, or after, this play of the first roll, in any spelling.

        Raises:
            LibraryError: there is no library, nobody has that name, or the play is none.
        """
        from bgtools.library.openings import openings

        with asking():
            return openings(self._closed, replies=replies, player=player, dice=dice, played=played)

    def fairness(self, by: Grouping = "all", *, least: int = 1000) -> Fairness:
        """Test whether the dice were fair.

        Args:
            by: what rolls are tested together: ``all``, or those of each ``player``, ``place``, ``event``, ``source``
                (the format of the file) or ``folder``. The chances are corrected for all tests that are made.
            least: from how many rolls on a group is tested.

        Raises:
            LibraryError: there is no library.
        """
        from bgtools.library.fairness import fairness

        with asking():
            return fairness(self._closed, by, least)

    @cached_property
    def _closed(self) -> Any:
        """A connection that reads nothing but the library."""
        self._must_exist()
        return connect(self._storage, self.state, locked=True, lasting=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.tables:
            raise AttributeError(f"a library has no table {name!r}; there are {', '.join(self.tables)}")
        return self.connection.view(name)

    def _must_exist(self) -> None:
        if not self.exists:
            raise LibraryError(f"{self.location} is no library yet; bgtools library add puts records into it")

    def _forget(self, state: State) -> None:
        """Let the next query see what has come."""
        self._state = state
        for connected in ("connection", "_closed"):
            self.__dict__.pop(connected, None)
