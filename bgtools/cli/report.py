"""``bgtools report``: luck, errors and ratings, with tables and pictures."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgtools.cli import _common
from bgtools.reports.findings import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bgtools.engines.protocol import Engine
    from bgtools.met import MatchEquityTable
    from bgtools.record import Match

    Told = Callable[[str, int, int], None]


class Level(StrEnum):
    """How deep the engine looks."""

    quick = "quick"
    standard = "standard"
    deep = "deep"


class EngineName(StrEnum):
    """Which engine values the positions."""

    sage = "sage"
    none = "none"


class Bounds(StrEnum):
    """By whose thresholds errors are classed."""

    xg = "xg"
    gnubg = "gnubg"
    gammonview = "gammonview"


class Convention(StrEnum):
    """What the first roll of a game is compared with."""

    gnubg30 = "gnubg30"
    roller15 = "roller15"
    naive36 = "naive36"
    match_equity = "match-equity"


_WIDTH = 110  # of the table in a pipe or a file
_INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C


def report_command(
    file: Annotated[str, typer.Argument(help="The record; - is standard input.", metavar="FILE")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder to write; by default named after the match, here.", metavar="DIR"),
    ] = None,
    level: Annotated[Level, typer.Option(help="How deep the engine looks.")] = Level.standard,
    engine: Annotated[
        EngineName, typer.Option(help="What values the positions; none leaves that out.")
    ] = EngineName.sage,
    met: Annotated[
        str | None,
        typer.Option(
            "--met", help="Match equity table: a name (see bgtools met --list) or a file.", metavar="NAME|FILE"
        ),
    ] = None,
    thresholds: Annotated[
        Bounds, typer.Option(help="Classes of errors: xg .02, .08; gnubg .03, .06, .12; gammonview .02, .04, .08.")
    ] = Bounds.xg,
    luck: Annotated[
        Convention,
        typer.Option(
            help="What a first roll is compared with: the 30 of both players, the roller's 15, all 36, or the "
            "match equity before the game."
        ),
    ] = Convention.gnubg30,
    match_number: Annotated[int, typer.Option("--match", min=1, help="Which match, where a file holds several.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files too.")] = False,
) -> None:
    """Report a match: ratings, errors, luck, pip counts.

    Prints a table and writes report.json, decisions.csv, turns.csv, choices.csv, pips.png, luck.png
    and errors.png into a folder. Exit status: 0 done, 1 done but the record has errors, 2 could not run.
    """
    table = _met(met, engine)
    matches = _common.read_or_complain(file)
    if matches is None:
        raise typer.Exit(2)
    if match_number > len(matches):
        held = "is only 1 match" if len(matches) == 1 else f"are only {len(matches)} matches"
        _common.complain(f"{file}: there {held} in it")
        raise typer.Exit(2)
    if len(matches) > 1:
        _common.complain(f"{file} holds {len(matches)} matches; this is number {match_number} (--match)")
    match = matches[match_number - 1]
    if not match.games:
        _common.complain(f"{file}: no game was found in it")
        raise typer.Exit(2)
    from bgtools.reports.folder import folder_name

    target = output if output is not None else Path(folder_name(file))
    try:
        options = {"thresholds": thresholds.value, "luck": luck.value}
        worst = _report(file, match, target, level, engine, table, options, force=force)
    except KeyboardInterrupt:
        _common.complain(f"interrupted; {target} is as it was")
        raise typer.Exit(_INTERRUPTED) from None
    if worst:
        raise typer.Exit(1)


def _met(wanted: str | None, engine: EngineName) -> MatchEquityTable | None:
    """The match equity table that is asked for; None for the engine's own."""
    if wanted is None:
        return None
    if engine is EngineName.none:
        _common.complain("--met has no use with --engine none: nothing is valued")
        raise typer.Exit(2)
    from bgtools.met import MetError, find

    try:
        return find(wanted)
    except MetError as error:
        _common.complain(str(error))
        raise typer.Exit(2) from None


def _report(
    file: str,
    match: Match,
    target: Path,
    level: Level,
    engine_name: EngineName,
    met: MatchEquityTable | None,
    options: Mapping[str, Any],
    *,
    force: bool,
) -> bool:
    """Do it with the options of `analyse` and print it; True when the record has errors."""
    from rich.console import Console

    from bgtools.analysis.report import analyse
    from bgtools.checks import check, worst
    from bgtools.diagnostics import Severity
    from bgtools.replay import replay
    from bgtools.reports import summary
    from bgtools.reports.folder import FolderRefused, ensure_ours
    from bgtools.reports.match_report import write_report

    engine = _engine(engine_name, level, met)
    games = replay(match)
    findings = check(match, games)
    try:
        # Refuse a folder that is not ours before the engine works for nothing.
        ensure_ours(target, force=force)
        with _progress() as told:
            analysis = analyse(match, engine, progress=told, games=games, **options)
            files = write_report(analysis, findings, match.source, target, force=force)
    except FolderRefused as error:
        _common.complain(str(error))
        raise typer.Exit(2) from None
    except OSError as error:
        _common.complain(f"{target}: cannot be written: {error.strerror or error}")
        raise typer.Exit(2) from None
    console = Console(
        highlight=False, no_color=not _common.wants_colour(), width=None if sys.stdout.isatty() else _WIDTH
    )
    console.print(summary.heading(analysis), style="bold", markup=False)
    if engine is not None:
        console.print(summary.totals_table(analysis))
    if text := summary.sentence(analysis):
        console.print(text, markup=False)
    console.print()
    console.print(summary.games_table(analysis))
    console.print(summary.conventions_line(analysis), style="dim", markup=False)
    for note in analysis.notes if engine is not None else ():
        console.print(note, style="dim", markup=False)
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    if errors:
        found = "1 error" if errors == 1 else f"{errors} errors"
        console.print(f"The record has {found}; see bgtools check {printable(file)}", markup=False)
    console.print(f"written to {printable(str(target))}: {', '.join(files)}", markup=False)
    return worst(findings) is Severity.ERROR


def _engine(name: EngineName, level: Level, met: MatchEquityTable | None) -> Engine | None:
    if name is EngineName.none:
        return None
    from bgtools.engines import EngineUnavailable, TableRefused, create

    try:
        return create(name.value, level.value, met=met)
    except TableRefused as error:
        _common.complain(str(error))
        raise typer.Exit(2) from None
    except EngineUnavailable as error:
        _common.complain(f"{error}; luck, errors and ratings are left out")
        return None


@contextmanager
def _progress() -> Iterator[Told | None]:
    """A progress bar on standard error; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:>6}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, int] = {}

        def told(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)  # type: ignore[arg-type]

        yield told
