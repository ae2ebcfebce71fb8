"""A library of matches: what people open, add to and ask."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bgtools.library import adding
from bgtools.library.connecting import answered, asking, connect, script, views
from bgtools.library.manifest import is_library, read_state
from bgtools.library.runners import ProcessRunner, run_here
from bgtools.library.storage import LibraryError, ManifestDamaged, open_storage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from bgtools.analysis.careers import Career, PlayerSummary, Trend, Versus
    from bgtools.library.adding import AddSummary
    from bgtools.library.aliases import AliasSuggestion
    from bgtools.library.analysing import AnalyseSummary, Valuing
    from bgtools.library.careers import Careers, PlayerOrder
    from bgtools.library.checking import Health
    from bgtools.library.confirming import ConfirmSummary
    from bgtools.library.exporting import Exported
    from bgtools.library.manifest import LibraryState
    from bgtools.library.openings import Fairness, Grouping, Opening
    from bgtools.library.removing import Removal
    from bgtools.library.results import SearchResult
    from bgtools.library.runners import Runner
    from bgtools.library.search import Search


def default_location() -> str:
    """The location of the library where none is given: `BGTOOLS_LIBRARY`, else a folder among the user's data."""
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
        self._state: LibraryState | None = None

    def __repr__(self) -> str:
        return f"<Library {self.location!r}>"

    @property
    def location(self) -> str:
        """Where the library lies."""
        return self._storage.location

    @property
    def exists(self) -> bool:
        """Whether anything has been added yet."""
        return is_library(self._storage)

    @property
    def state(self) -> LibraryState:
        """What the library holds now.

        Raises:
            LibraryError: the manifest is damaged, or of a newer version.
        """
        self._state = read_state(self._storage, self._state)
        return self._state

    @property
    def script(self) -> str:
        """What DuckDB has to do to see this library as it is now, for ``duckdb -init`` and other programs.

        Raises:
            LibraryError: there is no library, or its manifest is damaged.
        """
        self._must_exist()
        return script(self._storage, self.state)

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables."""
        return tuple(each.name for each in views())

    @property
    def count(self) -> int:
        """How many matches it holds."""
        query = "SELECT count(*) FROM stored.matches ANTI JOIN stored.others USING (record)"
        return int(self.sql(query).fetchall()[0][0])

    def add(
        self,
        paths: Iterable[str | PathLike[str]],
        *,
        jobs: int = 1,
        run: Runner | None = None,
        progress: Callable[[AddSummary], None] | None = None,
        shard: tuple[int, int] = (1, 1),
        day: str = "",
    ) -> AddSummary:
        """Add what is new of some files and folders; what came.

        Args:
            paths: files in any format, archives, and folders that are searched.
            jobs: how many processes work at it.
            run: what carries out the work instead, such as a cluster.
            progress: called after each batch with what has come so far.
            shard: which part of the files to take, from 1, and of how many parts; a file's content decides its part.
            day: when matches were played, such as ``2026-08-31``, that give no date, neither in the record nor in the
                name of its file.

        Raises:
            LibraryError: the library is damaged, or of a newer version.
            OSError: it cannot be written.
        """
        named = [os.fspath(each) for each in paths]
        added = adding.add(self._storage, named, run or self._runner(jobs), progress or (lambda _: None), shard, day)
        self._forget(added.state)
        return added

    def analyse(
        self,
        valuing: Valuing | None = None,
        *,
        jobs: int = 1,
        run: Runner | None = None,
        where: str = "",
        seconds: float | None = None,
        progress: Callable[[AnalyseSummary], None] | None = None,
    ) -> AnalyseSummary:
        """Analyse the matches that lack an analysis as deep as this one; what came.

        Args:
            valuing: what values the positions; by default ``sage`` at its level ``standard``.
            jobs: how many processes work at it.
            run: what carries out the work instead, such as a cluster.
            where: a condition of SQL on the table of matches, such as ``length >= 7``.
            seconds: how long new matches may be begun; None without end.
            progress: called after every few matches with what has come so far.

        Raises:
            LibraryError: there is no library, it is damaged, or the condition is wrong.
            ValueError: there is no such engine.
            EngineUnavailable: it cannot run here.
            OSError: the library cannot be written.
        """
        from bgtools.library.analysing import Valuing, analyse

        self._must_exist()
        analysed = analyse(
            self._storage,
            valuing or Valuing(),
            run or self._runner(jobs),
            where=where,
            seconds=seconds,
            progress=progress or (lambda _: None),
        )
        self._forget(analysed.state)
        return analysed

    def confirm(
        self,
        *,
        jobs: int = 1,
        run: Runner | None = None,
        players: Iterable[str] = (),
        where: str = "",
        min_loss: float = 0.0,
        seconds: float | None = None,
        progress: Callable[[ConfirmSummary], None] | None = None,
    ) -> ConfirmSummary:
        """Judge the errors that have no rollout again by one, the costliest first; what came.

        Args:
            jobs: how many processes work at it.
            run: what carries out the work instead, such as a cluster.
            players: whose errors, by any of their names or ``me``; everybody's without any.
            where: a condition of SQL on the table of matches, such as ``length >= 7``.
            min_loss: the least loss, in EMG.
            seconds: how long further ones may be begun; None without end.
            progress: called after each with what has come so far.

        Raises:
            LibraryError: there is no library, it is damaged, nobody has a name, or the condition is wrong.
            EngineUnavailable: nothing here can roll out.
            OSError: the library cannot be written.
        """
        from bgtools.library.confirming import Rolling, confirm

        self._must_exist()
        confirmed = confirm(
            self._storage,
            Rolling(),
            run or self._runner(jobs),
            players=[self._careers.person(each) for each in players],
            where=where,
            min_loss=min_loss,
            seconds=seconds,
            progress=progress or (lambda _: None),
        )
        self._forget(confirmed.state)
        return confirmed

    def check(self, *, rebuild: bool = False, clean: bool = False) -> Health:
        """Read every file and compare it with the manifest; what was found, and what was done.

        Args:
            rebuild: whether to rebuild what is damaged, the manifest too, from the files that were added.
            clean: whether to remove files that do not belong to it. Nobody may use it meanwhile.

        Raises:
            LibraryError: there is no library, its manifest is damaged and not to be rebuilt, or of a newer version.
            OSError: it cannot be read, or written.
        """
        from bgtools.library.checking import check, remake

        self._must_exist()
        try:
            health = check(self._storage, rebuild=rebuild, clean=clean)
        except ManifestDamaged:
            if not rebuild:
                raise
            made = remake(self._storage)
            health = check(self._storage, rebuild=True, clean=clean)
            health.rebuilt += made.rebuilt
            health.lost += made.lost
        self._forget(None)
        return health

    def remove(
        self, paths: Iterable[str | PathLike[str]] = (), *, match: int | None = None, really: bool = True
    ) -> Removal:
        """Take files out, or all records of a match, with what was made of them; what has left.

        Args:
            paths: files as they were added, and folders for all files below them; relative ones count from here.
            match: the number of a match.
            really: whether to do it; else what would leave is found out.

        Raises:
            LibraryError: there is no library, a path or the match is not in it, or somebody else writes to it.
            OSError: it cannot be written.
        """
        from bgtools.library.removing import plan_removal, remove

        self._must_exist()
        state = self.state
        removal = plan_removal(self._storage, state, [os.fspath(each) for each in paths], match)
        if really:
            self._forget(remove(self._storage, state, removal))
        return removal

    def export(self, output: str | PathLike[str], to: str = "", *, where: str = "", force: bool = False) -> Exported:
        """Write the record of each match; how many, what was lost, and what could not be written.

        Args:
            output: a folder, or a file: ``.zip``, or ``.ogxms`` (packed as ``.ogxms.zst``) for a stream of OGXM.
            to: the format to write, and perhaps its dialect; empty for the files as they were added.
            where: a condition of SQL on the table of matches.
            force: whether files that are there are written over.

        Raises:
            LibraryError: there is no library, or the condition is wrong.
            FormatError: there is no such format, or it is not written.
            OSError: it cannot be written.
        """
        from bgtools.library.exporting import export_records

        self._must_exist()
        connection = connect(self._storage, self.state, locked=True)
        return export_records(connection, Path(output), to, where=where, force=force)

    def tidy(self) -> tuple[int, int]:
        """Put small files together; how many files there were, and are.

        The old files stay until `check` removes them, for queries that are under way.

        Raises:
            LibraryError: there is no library, a file is damaged, or somebody else writes to it.
            OSError: it cannot be written.
        """
        from bgtools.library.compaction import compact

        self._must_exist()
        counts = compact(self._storage)
        self._forget(None)
        return counts

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

    def asked(self, query: str, *, timeout: float | None = None) -> Any:
        """The answer to a query that need not be trusted: it can only read, and opens no file beside the library.

        Args:
            query: in the SQL of DuckDB.
            timeout: seconds after which it is given up; None for never.

        Raises:
            LibraryError: it is not a query, more than one, one that writes, or it cannot be answered, or not in time.
        """
        self._must_exist()
        return answered(connect(self._storage, self.state, locked=True), query, timeout)

    def find(self, search: Search | None = None, /, *, limit: int | None = 20, **asked: Any) -> SearchResult:
        """Find positions and how they were played: by an ID, by likeness to a position, or by structure.

        ``library.find(position="XGID=…")``, ``library.find(prime=(5, None), on_bar=("opponent",), dice="64")``.

        Args:
            search: what is asked for.
            limit: how many hits to list; None for all.
            asked: attributes of a search, in place of those of ``search``; docs/library-find.md lists them.

        Raises:
            LibraryError: there is no library, or the search asks for something that cannot be.
        """
        from bgtools.library.search import Search
        from bgtools.library.searching import find

        return find(self._searched, replace(search or Search(), **asked), limit)

    def openings(
        self, *, replies: bool = False, player: str = "", dice: str = "", played: str = ""
    ) -> tuple[Opening, ...]:
        """Every opening roll and how it was played, or every reply: how often, what it lost, and what became of it.

        Args:
            replies: whether to give the second rolls, by the opening that they answer, instead of the first ones.
            player: only this player's plays, each with how often everybody else makes it.
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
            least: how many rolls a group must have to be tested.

        Raises:
            LibraryError: there is no library.
        """
        from bgtools.library.openings import fairness

        with asking():
            return fairness(self._closed, by, least)

    @cached_property
    def _closed(self) -> Any:
        """A connection that reads nothing but the library."""
        self._must_exist()
        return connect(self._storage, self.state, locked=True, lasting=True)

    @cached_property
    def _searched(self) -> Any:
        """The same, with what every search needs."""
        from bgtools.library.searching import prepare

        prepare(self._closed)
        return self._closed

    # --- players ------------------------------------------------------------------------------

    def players_table(
        self, *, order: PlayerOrder = "matches", limit: int | None = None, min_matches: int = 1, everybody: bool = False
    ) -> list[PlayerSummary]:
        """Everybody who plays, with matches, PR and luck.

        Args:
            order: ``matches`` or ``won``, most first; ``pr``, lowest first; ``luck``, highest first; or ``name``.
            limit: how many at most; None for all.
            min_matches: leave out who has played fewer.
            everybody: also names that are nobody's, such as ``Player 1``, and programs.

        Raises:
            LibraryError: there is no library, or a file is missing or damaged.
        """
        return self._careers.players(order=order, limit=limit, min_matches=min_matches, everybody=everybody)

    def player_count(self, *, min_matches: int = 1, everybody: bool = False) -> int:
        """How many players `players_table` has without a limit.

        Raises:
            LibraryError: there is no library, or a file is missing or damaged.
        """
        return len(self._careers.listed(min_matches=min_matches, everybody=everybody))

    def player(self, name: str, *, most: int | None = 12, top: int = 10) -> Career:
        """A player over all their matches.

        Args:
            name: one of their names, in any case.
            most: how many months, events, opponents, … are given; None for all.
            top: how many of their worst decisions are given.

        Raises:
            LibraryError: no player has the name; the message says which names are near.
        """
        return self._careers.career(name, most=most, top=top)

    def versus(self, first: str, second: str, *, most: int | None = 20) -> Versus:
        """Two players against each other; ``most`` says how many matches are listed, None for all.

        Raises:
            LibraryError: no player has the name, both names are of one, or they have never met.
        """
        return self._careers.versus(first, second, most=most)

    def trend(self, name: str, *, window: int | None = None) -> Trend:
        """How a player's PR went, month by month, or over so many matches at a time.

        Raises:
            LibraryError: no player has the name.
            ValueError: ``window`` is below 1.
        """
        return self._careers.trend(name, window=window)

    @property
    def aliases(self) -> dict[str, str]:
        """Names of players, and the name that each goes by."""
        return dict(self.state.aliases)

    def alias(self, *names: str) -> dict[str, str]:
        """Let names be those of one person, who goes by the last one; the names that now go by it.

        Raises:
            LibraryError: a name is not in the library or nobody's, or the names are fewer than two; nothing is changed.
            OSError: the library cannot be written.
        """
        from bgtools.library import aliases

        self._must_exist()
        changed = aliases.alias(self._storage, self._careers.names, names)
        self._forget(self.state)
        return changed

    def unalias(self, *names: str) -> dict[str, str]:
        """Let names, and all that went by them, stand for themselves again; each with what it went by before.

        Raises:
            LibraryError: a name is not an alias, and no other name goes by it; nothing is changed.
            OSError: the library cannot be written.
        """
        from bgtools.library import aliases

        self._must_exist()
        changed = aliases.unalias(self._storage, names)
        self._forget(self.state)
        return changed

    def say_me(self, *names: str) -> str:
        """Say whose library it is, so that ``me`` means them everywhere; several names are all theirs. Their name.

        Raises:
            LibraryError: a name is not in the library, or nobody's; nothing is changed.
            OSError: the library cannot be written.
        """
        from bgtools.library import aliases

        self._must_exist()
        name = aliases.say_me(self._storage, self._careers.names, names)
        self._forget(self.state)
        return name

    def alias_suggestions(self) -> list[AliasSuggestion]:
        """Names that may be of one person, the likeliest first, each with the reason."""
        from bgtools.library.aliases import suggestions

        return suggestions(self._careers)

    @cached_property
    def _careers(self) -> Careers:
        from bgtools.library.careers import Careers

        return Careers(self.connection)

    def __getattr__(self, name: str) -> Any:
        if hasattr(type(self), name):
            # A property has raised an AttributeError: raise that one again, not one about a missing table.
            return object.__getattribute__(self, name)
        if name.startswith("_") or name not in self.tables:
            raise AttributeError(f"a library has no table {name!r}; there are {', '.join(self.tables)}")
        return self.connection.view(name)

    def _runner(self, jobs: int) -> Runner:
        return ProcessRunner(jobs) if jobs > 1 else run_here

    def _must_exist(self) -> None:
        if not self.exists:
            raise LibraryError(f"{self.location} is not a library yet; bgtools library add puts records into it")

    def _forget(self, state: LibraryState | None) -> None:
        """Close what has seen an older state, so that the next query sees what has come."""
        self._state = state
        for connected in ("connection", "_closed", "_searched", "_careers"):
            self.__dict__.pop(connected, None)
