"""Analysing the matches of a library: what is missing, the most useful first, committed as it comes."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.match_analysis import analyse as analyse_match
from bgtools.engines.protocol import EngineUnavailable
from bgtools.engines.registry import create
from bgtools.formats.reading import read_source
from bgtools.formats.searching import trouble
from bgtools.library.blending import blend
from bgtools.library.compaction import compact_end, compact_some
from bgtools.library.connecting import asking, connect, matches_where
from bgtools.library.contents import read_contents
from bgtools.library.manifest import column_of, commit_files, read_state, without, write_tables
from bgtools.library.recording import PARTS, STANDINGS, RecordRows
from bgtools.library.runners import is_late, run_here
from bgtools.library.storage import open_storage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.engines.protocol import Engine, LevelName
    from bgtools.library.manifest import Files, LibraryState, StoredFile
    from bgtools.library.runners import Runner
    from bgtools.library.storage import Storage
    from bgtools.met.table import MatchEquityTable

MATCHES: Final = 4
"""A task has this many matches. Whoever stops the work loses the tasks under way."""


@dataclass(frozen=True, slots=True)
class Valuing:
    """What values the positions.

    Attributes:
        engine: as `bgtools.engines.registry.Spec` reads it.
        level: how deep it looks.
        met: the match equity table; None for the engine's own.
    """

    engine: str = "sage"
    level: LevelName = "standard"
    met: MatchEquityTable | None = None

    def started(self) -> Engine:
        """The engine, which uses one core: several processes work at once.

        Raises:
            ValueError: there is no such engine, or it values nothing.
            EngineUnavailable: it cannot run here.
        """
        engine = create(self.engine, self.level, met=self.met, threads=1)
        if engine is None:
            raise ValueError("the engine none values nothing")
        return engine


@dataclass(frozen=True, slots=True)
class Stored:
    """A record in its file.

    Attributes:
        record: its number in the library.
        number: which record of the file it is, from 1.
        path: where the file was found.
        content: the file.
    """

    record: int
    number: int
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class AnalyseTask:
    """Records to analyse.

    Attributes:
        location: of the library.
        valuing: what values the positions.
        records: which they are.
        until: when no further one is to be begun, in seconds since 1970; None for any time.
    """

    location: str
    valuing: Valuing
    records: tuple[Stored, ...]
    until: float | None = None

    @property
    def parts(self) -> tuple[AnalyseTask, ...]:
        """A task for each record; none where there is but one."""
        return tuple(replace(self, records=(each,)) for each in self.records) if len(self.records) > 1 else ()


@dataclass(frozen=True, slots=True)
class AnalysedFiles:
    """The result of a task: files of the library, how many matches they value, and what could not be valued."""

    files: Files = ()
    matches: int = 0
    problems: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class AnalyseSummary:
    """What an analysis of a library has brought so far.

    Attributes:
        state: what the library holds.
        missing: matches that lacked an analysis when it began.
        matches: how many of them have one now.
        problems: records that could not be analysed, and why.
        seconds: how long it has taken.
    """

    state: LibraryState
    missing: int = 0
    matches: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0


def analyse(
    storage: Storage,
    valuing: Valuing,
    run: Runner = run_here,
    *,
    where: str = "",
    seconds: float | None = None,
    progress: Callable[[AnalyseSummary], None] = lambda _: None,
) -> AnalyseSummary:
    """Analyse the matches that lack an analysis as deep as this one.

    Matches without any analysis come first, then sound records, then those of the players who have most matches, then
    the newest. Every few matches are committed when they are done. At the end small files are put together: the same
    analyses give the same files, whoever made them and in whichever order.

    Args:
        storage: where the library lies.
        valuing: what values the positions.
        run: what carries out the tasks.
        where: a condition of SQL on the table of matches, such as ``length >= 7``.
        seconds: how long new matches may be begun; None without end.
        progress: called after each task.

    Raises:
        LibraryError: the library is damaged, or the condition is wrong.
        ValueError: there is no such engine.
        EngineUnavailable: it cannot run here.
        OSError: the place refuses.
    """
    valuing.started()
    begun = time.monotonic()
    analysed = AnalyseSummary(read_state(storage))
    missing = _missing(storage, analysed.state, STANDINGS[valuing.level], where)
    analysed.missing = len(missing)
    until = None if seconds is None else time.time() + seconds
    tasks = _tasks(storage, analysed.state, AnalyseTask(storage.location, valuing, (), until), missing)
    for done in run(analyse_records, tasks, lost_records):
        analysed.state = commit_files(storage, analysed.state, done.files, _unknown, is_part=True)
        analysed.state = compact_some(storage, analysed.state)
        analysed.matches += done.matches
        analysed.problems += done.problems
        analysed.seconds = time.monotonic() - begun
        progress(analysed)
    if analysed.matches or analysed.state.is_part:
        analysed.state = compact_end(storage, blend(storage, analysed.state))
    return analysed


def _missing(storage: Storage, state: LibraryState, standing: int, where: str) -> list[int]:
    """The matches to analyse, the most useful first."""
    with closing(connect(storage, state, locked=True)) as connection:
        chosen = matches_where(connection, where)
        rows = connection.execute(_USEFUL, {"standing": standing}).fetchall()
    return [record for (record,) in rows if chosen is None or record in chosen]


_USEFUL: Final = """
    WITH played AS (SELECT person, count(*) AS times FROM players GROUP BY person)
    SELECT m.record
    FROM matches m
    LEFT JOIN stored.chosen b ON b.record = m.record
    JOIN played one ON one.person = m.person0
    JOIN played two ON two.person = m.person1
    WHERE coalesce(b.standing, 0) < $standing AND m.turns > 0
    ORDER BY b.standing IS NOT NULL, m.errors > 0, greatest(one.times, two.times) DESC, m.date DESC, m.record
"""


def _tasks(
    storage: Storage, state: LibraryState, pattern: AnalyseTask, missing: Sequence[int]
) -> Iterator[AnalyseTask]:
    """The work, some records at a time, each with its file."""
    for at in range(0, len(missing), _AHEAD):
        some = missing[at : at + _AHEAD]
        # Others may have merged files since, and removed the old ones.
        state = read_state(storage, state)
        with closing(connect(storage, state, only=("sources", "matches"))) as connection, asking():
            found = {each[0]: Stored(*each) for each in read_contents(connection, some)}
        stored = [found[record] for record in some if record in found]
        for start in range(0, len(stored), MATCHES):
            if is_late(pattern.until):
                return
            yield replace(pattern, records=tuple(stored[start : start + MATCHES]))


_AHEAD: Final = 256
"""The files of so many matches are read at once."""


# --- in another process ---------------------------------------------------------------------

_STARTED: dict[str, Any] = {}


def analyse_records(task: AnalyseTask) -> AnalysedFiles:
    """Analyse records, and write what comes of it. Never raises on what is in them.

    Raises:
        OSError: the library cannot be written.
    """
    storage = open_storage(task.location)
    rows = RecordRows()
    matches = 0
    problems: list[tuple[str, str]] = []
    for each in task.records:
        if is_late(task.until):
            break
        try:
            match = read_source(each.content, each.path)[each.number - 1]
            analysis = analyse_match(match, _engine(task.valuing), parts=PARTS)
            rows.add_analysis(each.record, analysis, STANDINGS[task.valuing.level])
            matches += 1
        except EngineUnavailable as error:  # a program can end, or hang, at any time
            _STARTED.clear()
            problems.append((each.path, str(error)))
        except Exception as error:  # a fault of ours must not cost all other records
            problems.append((each.path, trouble(error)))
    return AnalysedFiles(write_tables(storage, rows.taken()), matches, tuple(problems))


def _engine(valuing: Valuing) -> Engine:
    """The engine of this process."""
    if _STARTED.get("for") != valuing:
        _STARTED.update({"for": valuing, "engine": valuing.started()})
    engine: Engine = _STARTED["engine"]
    return engine


def lost_records(task: AnalyseTask, problem: str) -> AnalysedFiles:
    """The result of records whose process was ended."""
    return AnalysedFiles(problems=tuple((each.path, problem) for each in task.records))


def _unknown(storage: Storage, files: Files, others: Iterable[StoredFile]) -> Files:
    """The files without records that other files have analysed by the same engine."""
    totals = [each for each in files if each.table == "totals"]
    known = set(column_of(storage, (each for each in others if each.table == "totals"), "record", "engine"))
    twice = {each[0] for each in column_of(storage, totals, "record", "engine") if each in known}
    return without(storage, files, "record", twice) if twice else files
