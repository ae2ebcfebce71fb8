"""``bgtools table``: the rows of many records as one table, for spreadsheets, notebooks and databases."""

from __future__ import annotations

import sys
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final, TypeVar, cast

import typer

from bgtools._disk import atomic_writer, buffered_on_disk, why
from bgtools.cli import _common, _completion, _terminal
from bgtools.cli._engine_options import (
    ConfirmOption,
    ConfirmTimeOption,
    KeepOption,
    LevelOption,
    LuckOption,
    MetOption,
    RolloutOptions,
    ThresholdsOption,
    find_met,
)
from bgtools.cli._files import RECORDS, FileWork
from bgtools.engines.registry import ENGINES
from bgtools.reports.table_files import FileFormat
from bgtools.reports.table_kinds import EVENT_TABLES, AnyTableName, TableName, about_table

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from bgtools.analysis.breakdowns import AnalysisPart
    from bgtools.analysis.errors import ThresholdsName
    from bgtools.analysis.totals import Analysis
    from bgtools.engines.cache import Store
    from bgtools.engines.protocol import Engine, LevelName, LuckConvention
    from bgtools.engines.registry import Spec
    from bgtools.engines.rollouts import Roller
    from bgtools.met.table import MatchEquityTable
    from bgtools.record.record import Match
    from bgtools.reports.columns import Cell, Column
    from bgtools.reports.table_files import Chunk, Writer

T = TypeVar("T")

_WITH_VERDICTS: Final[tuple[TableName, ...]] = ("decisions", "turns", "choices")
"""The tables that show the verdicts on errors that were judged again."""


def table_command(
    kind: Annotated[
        AnyTableName,
        typer.Argument(
            help="Which table, by what a row is of: decisions; turns; games; players (and a match); choices (of a "
            "decision); breakdown (player and sort of decision); races (roll in a race); dice (test of the dice); "
            "matches (with score, verdict and what is wrong); scores (error and score: what is right there); standings "
            "and pairings (of the events of a folder)."
        ),
    ],
    files: Annotated[list[str] | None, RECORDS] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="File to write: .csv, .json, .jsonl, .parquet or .xlsx; - is standard output.",
            metavar="FILE",
        ),
    ] = "-",
    columns: Annotated[
        str | None,
        typer.Option(
            help="Write these columns, in this order; by default all. *luck* takes all with luck in their name; --list "
            "lists them.",
            metavar="NAMES",
            show_default=False,
            autocompletion=_completion.columns,
        ),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List the columns of the table with what they mean, and write nothing.")
    ] = False,
    file_format: Annotated[
        FileFormat | None,
        typer.Option("--format", help="How to write it, where the name does not tell; csv to standard output."),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help=f"What values the positions: {', '.join(kind.usage or kind.name for kind in ENGINES)}, which is fast "
            "and leaves luck, errors and ratings empty.",
            metavar="ENGINE",
            autocompletion=_completion.engines,
        ),
    ] = "none",
    level: LevelOption = "standard",
    met: MetOption = None,
    thresholds: ThresholdsOption = "xg",
    luck: LuckOption = None,
    keep: KeepOption = True,
    confirm: ConfirmOption = False,
    confirm_time: ConfirmTimeOption = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Processes to read records with; by default one per core. A program that searches works on all cores "
            "from one.",
            metavar="N",
        ),
    ] = None,
) -> None:
    """Write the rows of many records as one table.

    "bgtools table decisions matches/ -o decisions.parquet --engine sage" gives a row for every decision of
    every match in a folder; "bgtools table games match.mat" prints a row for every game. The columns file, match
    (its number in the file), engine, event, date and place (of the record's header) stand before all others; "bgtools
    table games --list" lists the columns of a table, and --columns "file,game,*luck*" picks some.

    Without --engine nothing is valued: luck, errors and ratings stay empty. ("bgtools report" takes sage by default.)

    What cannot be read is told, and the rest is written: the file appears when it is whole, and never
    takes the place of another without --force. Matches in which the engine file finds no analysis have rows
    without its figures; where it finds none at all, nothing is written. Exit status: 0 done, 1 done but some file
    could not be read or some match holds no analysis, 2 nothing was written, 130 interrupted.
    """
    from bgtools.reports.table_files import TableError

    if listing:
        _list_columns(kind, columns)
        raise typer.Exit
    if not files:
        raise typer.BadParameter("give records or folders, or --list", param_hint="PATH")
    spec = one_engine(engine)
    if (kind == "choices" and spec.name == "none") or (kind == "scores" and not spec.searches):
        _common.fail(f"{kind} are what an engine {'valued' if kind == 'choices' else 'finds'}; say with --engine which")
    try:
        chosen = _columns(kind, columns)
        wanted = _format_to_write(file_format, output, force=force)
    except TableError as error:
        _common.fail(str(error))
    confirming = RolloutOptions.asked(confirm, confirm_time, (spec,))
    if confirming.is_asked and kind not in _WITH_VERDICTS:
        _common.fail(f"--confirm has no use with the table {kind}: verdicts stand in {', '.join(_WITH_VERDICTS)}")
    if kind in EVENT_TABLES:
        _write_events(kind, files, chosen, wanted, output, jobs, force=force)
        raise typer.Exit
    options = Options(spec, level, find_met(met, (spec,)), thresholds, luck, keep, confirming)
    check_engine(options)
    work = TableRows(cast("TableName", kind), chosen, wanted, options, is_slow=spec.searches)
    # An engine works on all cores by itself.
    processes = 1 if spec.searches or confirming.is_asked else jobs
    tally = _TableTally()
    try:
        _write(files, work, output, tally, processes, force=force)
    except KeyboardInterrupt:
        _common.fail(f"interrupted after {tally.summary()}; nothing was written", _common.INTERRUPTED)
    except TableError as error:
        _common.fail(str(error))
    except FileExistsError:
        _common.fail(f"{output} has come to be since; --force writes over it")
    except OSError as error:
        if output == "-":
            _terminal.exit_on_output_error(error)
        _common.fail(f"{output}: cannot be written: {why(error)}")
    if kind != "matches":
        _terminal.say(_valued(spec, level), err=True)
    _terminal.say(tally.summary(), err=True)
    raise typer.Exit(1 if tally.problems or tally.without else 0)


def _valued(spec: Spec, level: LevelName) -> str:
    """What has valued the positions, in words."""
    if spec.name == "none":
        return "engine none: luck, errors and ratings stay empty; --engine sage fills them"
    return f"engine {spec}, level {level}" if spec.searches else f"engine {spec}"


def _format_to_write(file_format: FileFormat | None, output: str, *, force: bool) -> FileFormat:
    """The format of the file; ends with a message where it cannot be written to this output.

    Raises:
        TableError: nothing tells the format, or what it needs is not installed.
    """
    from bgtools.reports.table_files import BINARY, ENDINGS, format_of, require

    if output == "-":
        wanted: FileFormat = file_format or "csv"
        require(wanted)
        if wanted in BINARY and sys.stdout.isatty():
            _common.fail(f".{wanted} is not for a terminal; say with -o where to write it")
        return wanted
    wanted = file_format or format_of(output)
    require(wanted)
    _common.exit_if_exists(output, force=force)
    if file_format and ENDINGS.get(Path(output).suffix.lower(), wanted) != wanted:
        _common.fail(f"{output}: its ending and --format {wanted} do not agree")
    return wanted


def one_engine(engine: str) -> Spec:
    """The engine that is asked for. Only one: a row has room for the figures of one."""
    from bgtools.engines.registry import parse_specs

    try:
        specs = parse_specs(engine)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from None
    if len(specs) > 1:
        _common.fail("a table holds the figures of one engine; bgtools report compares several")
    return specs[0]


def _columns(kind: AnyTableName, names: str | None) -> tuple[Column, ...]:
    """The columns that are asked for; all of the table by default.

    Raises:
        TableError: there is no column of such a name.
    """
    from bgtools.reports.table_files import TableError

    known = {column.name: column for column in about_table(kind)[1]}
    if names is None:
        return tuple(known.values())
    wanted: list[str] = []
    for name in (each.strip() for each in names.split(",")):
        matching = [each for each in known if fnmatchcase(each, name)] if set(name) & set("*?[") else []
        wanted += [each for each in matching if each not in wanted] or ([name] if name else [])
    if not wanted:
        raise TableError("--columns names no column")
    for number, name in enumerate(wanted):
        if name not in known:
            holding = [each for each in known if name.strip("*?[]") in each] if name.strip("*?[]") else []
            near = [*get_close_matches(name, known, cutoff=0.5), *holding][:_MOST_NEAR]
            likely = " or ".join(dict.fromkeys(near))
            meant = f"; did you mean {likely}?" if near else ""
            meant += f" bgtools table {kind} --list lists all" if near else f"; bgtools table {kind} --list lists them"
            raise TableError(f"{kind} has no column {name}{meant}")
        if name in wanted[:number]:
            raise TableError(f"--columns names {name} twice")
    return tuple(known[name] for name in wanted)


_MOST_NEAR: Final = 3


def _list_columns(kind: AnyTableName, names: str | None) -> None:
    """Print the columns of a table, each with what it means; those of one meaning in one line."""
    from bgtools.reports.table_files import TableError

    try:
        found = _columns(kind, names)
    except TableError as error:
        _common.fail(str(error))
    _terminal.say_wrapped(about_table(kind)[0])
    for (meaning, what), some in groupby(found, key=lambda column: (column.meaning, column.type)):
        together = ", ".join(column.name for column in some)
        _terminal.say_wrapped(f"  {together} ({what}){f': {meaning}' if meaning else ''}", "      ")


# --- rows of a file -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileRows:
    """The rows of one file.

    Attributes:
        path: the file.
        chunks: its rows, encoded, some at a time.
        matches, rows: how many.
        without: in how many of the matches the engine ``file`` found no analysis.
        problem: why it could not be read; empty when it could.
        skipped: whether it is not a record, found in a folder and not named by the user.
    """

    path: str
    chunks: tuple[Chunk, ...] = ()
    matches: int = 0
    rows: int = 0
    without: int = 0
    problem: str = ""
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """How matches are analysed.

    Attributes:
        spec, level, met: what values the positions.
        thresholds, luck: the conventions of errors and of luck.
        keep: whether answers are kept between runs.
        confirming: whether errors are judged again.
        threads: how many an engine may use; None for one per core, 1 for the workers of a cluster.
    """

    spec: Spec
    level: LevelName
    met: MatchEquityTable | None
    thresholds: ThresholdsName
    luck: LuckConvention | None
    keep: bool
    confirming: RolloutOptions
    threads: int | None = None


@dataclass(frozen=True, slots=True)
class TableRows(FileWork[FileRows]):
    """Making the rows of a file, in a form that other processes can do.

    Attributes:
        table, columns, file_format: what to write, and how.
        options: how to analyse.
    """

    table: TableName
    columns: tuple[Column, ...]
    file_format: FileFormat
    options: Options
    outcome = FileRows

    def of_file(self, path: str) -> FileRows:
        """The rows of one file."""
        from bgtools.cli._files import split_matches
        from bgtools.formats.reading import read_all

        matches = read_all(path)
        name = "<stdin>" if path == "-" else path
        done = split_matches(matches, partial(self._rows_of, name, matches), self.jobs)
        chunks = tuple(chunk for chunk, rows, _ in done if rows)
        return FileRows(path, chunks, len(matches), sum(rows for _, rows, _ in done), sum(each[2] for each in done))

    def _rows_of(self, name: str, matches: Sequence[Match], share: range) -> tuple[Chunk, int, int]:
        """The rows of some matches, encoded, how many they are, and how many of the matches hold no analysis."""
        from bgtools.reports.table_files import encode
        from bgtools.reports.table_kinds import origin, parts_of, rows_of

        rows: list[tuple[Cell, ...]] = []
        parts = parts_of(self.table, self.columns)
        without = 0
        for at in share:
            match = matches[at]
            analysis = analysed(match, self.options, parts)
            without += self.options.spec.kind.needs_record and not analysis.conventions.engine
            rows += rows_of(self.table, analysis, self.columns, origin(name, at + 1, analysis, match), match)
        return encode(self.file_format, self.columns, rows), len(rows), without


def analysed(match: Match, options: Options, parts: Collection[AnalysisPart] | None = None) -> Analysis:
    """The analysis of a match; without figures where the engine ``file`` finds none in it."""
    from bgtools.analysis.match_analysis import analyse
    from bgtools.engines.protocol import EngineUnavailable
    from bgtools.engines.registry import create
    from bgtools.replayer.match import replay

    games = replay(match)
    engine: Engine | None
    if options.spec.kind.needs_record:
        try:
            engine = create(options.spec, match=match, games=games, met=options.met)
        except EngineUnavailable:
            engine = None
    else:
        engine = _engine(options)
    found = analyse(match, engine, games=games, thresholds=options.thresholds, luck=options.luck, parts=parts)
    return options.confirming.confirmed(found, _roller(options)) if options.confirming.is_asked else found


_STARTED: dict[str, tuple[Options, Any]] = {}


def _once(what: str, options: Options, start: Callable[[Store | None], T]) -> T:
    """What this process starts once for all records."""
    if what not in _STARTED or _STARTED[what][0] != options:
        kept = options.keep and (options.spec.searches or options.confirming.is_asked)
        _STARTED[what] = options, start(_common.store() if kept else None)
    found: T = _STARTED[what][1]
    return found


def _engine(options: Options) -> Engine | None:
    """The engine of this process."""
    from bgtools.engines.registry import create

    return _once(
        "engine",
        options,
        lambda store: create(options.spec, options.level, met=options.met, store=store, threads=options.threads),
    )


def _roller(options: Options) -> Roller | None:
    """What rolls out in this process."""
    return _once("roller", options, lambda store: options.confirming.roller(store, options.threads))


def check_engine(options: Options) -> None:
    """Start the engine, or end with a message: without it the table would lack what was asked for."""
    from bgtools.engines.protocol import EngineUnavailable, TableRefused

    if not options.spec.searches:
        return
    try:
        _engine(options)
    except (EngineUnavailable, TableRefused, ValueError) as error:
        _common.fail(str(error))


# --- all files ------------------------------------------------------------------------------


class _TableTally:
    """The totals over all files."""

    def __init__(self) -> None:
        self.files = self.matches = self.rows = self.without = self.problems = 0
        self.skipped: list[str] = []

    def add(self, found: FileRows) -> None:
        self.problems += bool(found.problem)
        if found.skipped:
            self.skipped.append(found.path)
        self.files += not found.problem and not found.skipped
        self.matches += found.matches
        self.rows += found.rows
        self.without += found.without

    @property
    def lacks_figures(self) -> bool:
        """Whether the engine ``file`` has found no analysis in any of the matches so far."""
        return 0 < self.without == self.matches

    def summary(self) -> str:
        from bgtools.reports.findings import count_files, few, skipped_files

        text = f"{few(self.rows, 'row')} of {few(self.matches, 'match', 'matches')} in {count_files(self.files)}"
        if self.without:
            text += f"; {few(self.without, 'match', 'matches')} without an analysis"
        if self.problems:
            text += f"; {count_files(self.problems)} could not be read"
        return text + skipped_files(self.skipped)


def _write(
    paths: Sequence[str], work: TableRows, output: str, tally: _TableTally, jobs: int | None, *, force: bool
) -> None:
    """Write the rows of every file as they come, in the order of the files."""
    from bgtools.cli._files import cores, results_in_order
    from bgtools.cli._progress import file_bar
    from bgtools.formats.searching import candidates
    from bgtools.reports.table_files import BINARY, TableError, writer

    jobs = jobs or cores()
    with (
        _target(output, binary=work.file_format in BINARY, force=force) as stream,
        file_bar(list(paths), is_slow=work.is_slow) as bar,
        closing(results_in_order(candidates(paths), work, jobs, here=replace(work, jobs=jobs))) as done,
    ):
        file: Writer | None = None
        held: list[Chunk] = []
        for found in done:
            tally.add(found)
            if found.problem:
                with bar.paused():
                    _common.print_error(f"{found.path}: {found.problem}")
            held += found.chunks
            # Rows wait until a match has an analysis: if none has one, no table is written.
            if held and not tally.lacks_figures:
                file = file or writer(work.file_format, work.table, work.columns, stream)
                for chunk in held:
                    file.add(chunk)
                held = []
            bar.advance()
        if (tally.problems and not tally.files) or tally.lacks_figures:
            raise TableError(f"{tally.summary()}; nothing was written")
        file = file or writer(work.file_format, work.table, work.columns, stream)
        file.close()


def _write_events(
    kind: AnyTableName, files: Sequence[str], columns: tuple[Column, ...], file_format: FileFormat, output: str,
    jobs: int | None, *, force: bool,
) -> None:  # fmt: skip
    """Write the rows of a table of events: those of the site of a folder."""
    from bgtools._disk import is_folder
    from bgtools.cli._site import events_of
    from bgtools.reports.columns import cells_of
    from bgtools.reports.table_files import BINARY, encode, writer
    from bgtools.reports.table_kinds import EventOrigin

    if len(files) != 1 or not is_folder(files[0]):
        _common.fail(f"{kind} are of the events of one folder; give it")
    rows = [
        (None, EventOrigin(each.title, each.event.form, each.event.is_stated), row)
        for each in events_of(files[0], jobs)
        for row in (each.event.standings if kind == "standings" else each.event.pairings)
    ]
    with _common.exit_if_unwritable(Path(output)), _target(output, binary=file_format in BINARY, force=force) as stream:
        file = writer(file_format, kind, columns, stream)
        file.add(encode(file_format, columns, [*cells_of(columns, rows)]))
        file.close()


@contextmanager
def _target(output: str, *, binary: bool, force: bool) -> Iterator[BinaryIO]:
    """The stream that the table is written to: a file that takes its name when it is whole, or standard output."""
    if output != "-":
        with atomic_writer(Path(output), force=force) as stream:
            yield stream
        return
    out = _terminal.data_stream()
    if not binary:
        yield out
        out.flush()
        return
    # Binary formats are not written in one go from the beginning to the end, so a pipe will not do.
    with buffered_on_disk(lambda: nullcontext(out)) as stream:
        yield stream
    out.flush()
