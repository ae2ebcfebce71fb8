"""Analysing a record, and writing its report."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from bgtools._shell import shell_path
from bgtools.cli import _common, _terminal
from bgtools.findings.finding import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.errors import ThresholdsName
    from bgtools.analysis.totals import Analysis
    from bgtools.cli._engine_options import Convention, RolloutOptions
    from bgtools.engines.cache import Store
    from bgtools.engines.protocol import Engine, EngineUnavailable, LevelName, LuckConvention
    from bgtools.engines.registry import Spec
    from bgtools.findings.finding import Finding
    from bgtools.met.table import MatchEquityTable
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.reports.match_report import PageFormat

    Told = Callable[[str, int, int], None]


class ReportRefused(Exception):
    """A report cannot be written. The message says why."""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a match is reported.

    Attributes:
        specs, level, met: what values the positions.
        disagree: by how much engines must differ for a decision to be listed, in EMG.
        thresholds, luck: the conventions of errors and of luck.
        confirming: whether errors are judged again.
        keep: whether answers are kept between runs.
        force: whether a folder with other files, or of a better report, is written over.
        page: what a person reads; None for nothing.
        scores: whether the page says of blunders what is right at every score.
        threads: how many an engine may use; None for one per core, 1 for the workers of a cluster.
        shows_progress: whether a bar says how far a match is.
    """

    specs: Sequence[Spec]
    level: LevelName
    met: MatchEquityTable | None
    disagree: float
    thresholds: ThresholdsName
    luck: Convention | None
    confirming: RolloutOptions
    keep: bool
    force: bool
    page: PageFormat | None
    scores: bool = False
    threads: int | None = None
    shows_progress: bool = True


class AnalysedRecord(NamedTuple):
    """The analyses of a record by the names of the engines, "" for none, and the comparison of several."""

    analyses: Mapping[str, Analysis]
    comparison: EngineComparison | None

    @property
    def first(self) -> Analysis:
        """The analysis that gives the figures."""
        return next(iter(self.analyses.values()))


class ReportWritten(NamedTuple):
    """A report that was written: what it is made of, how many errors the record has, and the names of the files."""

    analysed: AnalysedRecord
    errors: int
    files: tuple[str, ...]


def write_match_report(
    file: str,
    match: Match,
    target: Path,
    options: ReportOptions,
    player: int | None = None,
    say: Callable[[str], None] = _common.print_error,
) -> ReportWritten:
    """Write the report of a match into a folder.

    Args:
        file: the record, as it is called.
        match: the match in it.
        target: the folder.
        options: how it is reported.
        player: whose errors the page shows first; None for both.
        say: called with what is wrong with an engine that is left out.

    Raises:
        ReportRefused: none of the engines can run, the record holds no play, or the folder holds something else.
        OSError: the disk refuses.
    """
    from bgtools.analysis.match_analysis import player_names
    from bgtools.checks.checking import check
    from bgtools.findings.finding import Severity
    from bgtools.replayer.match import replay
    from bgtools.reports.folder import ForeignFolder, ensure_not_poorer, ensure_ours, ensure_same_match
    from bgtools.reports.match_report import begin_pips, write_report

    _refuse_positions(file, match)
    games = replay(match)
    store = _common.store() if options.keep else None
    engines = _engines(options, match, games, store, say)
    findings = check(match, games)
    confirming, force = options.confirming, options.force
    try:
        # Refuse a folder that is not ours now, or the engine would work for nothing.
        ensure_ours(target, force=force)
        if not force:
            ensure_same_match(target, "<stdin>" if file == "-" else file, player_names(match), _rolled(games))
            stamps = {name: engine.stamp for name, engine in engines.items()}
            ensure_not_poorer(target, stamps, rollouts=confirming.is_asked)
        pips = begin_pips(match, games) if engines else None
        analysed = _analysed(match, games, engines, options, store, say)
        if not force:
            lacking = sum(each.errors.not_analysed for each in analysed.first.players if each.errors)
            ensure_not_poorer(
                target, {name: stamps[name] for name in analysed.analyses if name}, rollouts=confirming.is_asked,
                not_analysed=lacking,
            )  # fmt: skip
        files = write_report(
            analysed.first, findings, match.source, target,
            force=force, comparison=analysed.comparison, pips=pips, match=match, page=options.page, player=player,
        )  # fmt: skip
    except ForeignFolder as error:
        raise ReportRefused(str(error)) from None
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return ReportWritten(analysed, errors, files)


def analyse_record(match: Match, options: ReportOptions, say: Callable[[str], None]) -> AnalysedRecord:
    """The analyses of a record as a report has them; without figures where it holds none and none else is asked for.

    Raises:
        ReportRefused: none of the engines can run.
    """
    from bgtools.engines.recorded import holds_analysis
    from bgtools.replayer.match import replay

    games = replay(match)
    store = _common.store() if options.keep and any(each.searches for each in options.specs) else None
    if all(each.kind.needs_record for each in options.specs) and not holds_analysis(match):
        return _analysed(match, games, {}, options, store, say)
    return _analysed(match, games, _engines(options, match, games, store, say), options, store, say)


def write_tables(match: Match, analysed: AnalysedRecord, found: Sequence[Finding], target: Path) -> None:
    """Write the tables and pictures of a report, without a page, where an earlier report may be.

    Raises:
        ReportRefused: the folder holds something else.
        OSError: the disk refuses.
    """
    from bgtools.reports.folder import ForeignFolder
    from bgtools.reports.match_report import write_report

    try:
        write_report(
            analysed.first, found, match.source, target, comparison=analysed.comparison, match=match, page=None
        )
    except ForeignFolder as error:
        raise ReportRefused(str(error)) from None


def _analysed(
    match: Match,
    games: Sequence[GameReplay],
    engines: Mapping[str, Engine],
    options: ReportOptions,
    store: Store | None,
    say: Callable[[str], None],
) -> AnalysedRecord:
    from bgtools.analysis.comparison import compare

    analyses = _analyses(match, games, engines, options, say)
    if options.confirming.is_asked:
        analyses = _confirmed(analyses, options, store)
    several = len(analyses) > 1
    return AnalysedRecord(
        analyses, compare(tuple(analyses), [*analyses.values()], options.disagree) if several else None
    )


def _confirmed(analyses: dict[str, Analysis], options: ReportOptions, store: Store | None) -> dict[str, Analysis]:
    """The analyses, the first of them with its errors judged again."""
    name, first = next(iter(analyses.items()))
    roller = options.confirming.roller(store, options.threads)
    with _progress(options) as told:
        shown = None if told is None else lambda done, total: told("rollouts", math.ceil(done), math.ceil(total))
        return {**analyses, name: options.confirming.confirmed(first, roller, shown)}


def _rolled(games: Sequence[GameReplay]) -> list[list[int]]:
    """The pips that both players rolled in every game."""
    from bgtools.analysis.counts import count_game

    return [[each.pips_rolled for each in count_game(game)] for game in games]


def holds_positions(match: Match) -> bool:
    """Whether a record holds positions and no play."""
    from bgtools.record.record import SetBoard

    entries = [entry for game in match.games for entry in game.entries]
    return bool(entries) and all(isinstance(entry, SetBoard) for entry in entries)


def _refuse_positions(file: str, match: Match) -> None:
    """Refuse a record that holds positions only.

    Raises:
        ReportRefused: it does.
    """
    if holds_positions(match):
        raise ReportRefused(
            f"{printable(file)} holds a position and no play, so there is nothing to report; "
            f'"bgtools show {printable(shell_path(file))}" draws it, with the analysis that it holds'
        )


def _analyses(
    match: Match,
    games: Sequence[GameReplay],
    engines: Mapping[str, Engine],
    options: ReportOptions,
    say: Callable[[str], None],
) -> dict[str, Analysis]:
    """The analyses by all engines that do not fail, by their names; one without an engine, named "", if there are none.

    Raises:
        ReportRefused: there are engines, and all of them fail.
    """
    from bgtools.analysis.breakdowns import PARTS
    from bgtools.analysis.match_analysis import analyse, common_luck
    from bgtools.engines.protocol import EngineUnavailable

    luck: LuckConvention | None = options.luck
    if luck is None:
        # A convention that the record does not name cannot be used by others: each engine then keeps its own.
        common = common_luck(engines.values())
        luck = None if common == "recorded" else common
    figures: dict[str, Any] = {"games": games, "thresholds": options.thresholds, "luck": luck}
    done: dict[str, Analysis] = {}
    with _progress(options) as told:
        for name, engine in engines.items():
            shown = _named(told, name if len(engines) > 1 else "")
            try:
                # A page shows what rolls were worth to one engine.
                rolls = options.page == "html" and not done
                shows = {"plays", "worst scores"} if options.scores else {"plays"}
                figures["parts"] = PARTS | shows if rolls else PARTS
                done[name] = analyse(match, engine, progress=shown, rolls=rolls, **figures)
            except EngineUnavailable as error:
                # An engine that is a program can end, or hang, at any time.
                say(_failure(name, error, options))
    if engines and not done:
        _none_left()
    return done or {"": analyse(match, None, **figures)}


def _engines(
    options: ReportOptions, match: Match, games: Sequence[GameReplay], store: Store | None, say: Callable[[str], None]
) -> dict[str, Engine]:
    """The engines that can run here, by their names; each of the others is named.

    Raises:
        ReportRefused: none of those that were asked for can.
    """
    from bgtools.engines.protocol import EngineUnavailable, TableRefused
    from bgtools.engines.registry import create, labels

    engines: dict[str, Engine] = {}
    for name, spec in zip(labels(options.specs), options.specs, strict=True):
        try:
            engine = create(
                spec, options.level, match=match, games=games, met=options.met, store=store, threads=options.threads
            )
        except TableRefused as error:
            raise ReportRefused(str(error)) from None
        except EngineUnavailable as error:
            say(_failure(name, error, options))
            continue
        if engine is not None:
            engines[name] = engine
    if not engines and options.specs[0].name != "none":
        _none_left()
    return engines


def _failure(name: str, error: EngineUnavailable, options: ReportOptions) -> str:
    """What is said of an engine that fails, and what there is without it."""
    return f"{error}" if len(options.specs) == 1 else f"{error}; {name} is left out"


def _none_left() -> NoReturn:
    """Refuse: no engine can give the figures that were asked for."""
    raise ReportRefused("nothing is written, as luck, errors and ratings need an engine; --engine none leaves them out")


def _named(progress: Told | None, name: str) -> Told | None:
    """Progress that says which engine is at work, where there are several."""
    if progress is None or not name:
        return progress
    return lambda stage, done, total: progress(f"{name} {stage}", done, total)


@contextmanager
def _progress(options: ReportOptions) -> Iterator[Told | None]:
    """A progress bar on standard error; nothing where that is not a terminal."""
    console = _terminal.terminal() if options.shows_progress else None
    if console is None:
        yield None
        return
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from bgtools.cli._progress import left_column

    columns = (TextColumn("{task.description:>6}"), BarColumn(), MofNCompleteColumn(), left_column())
    with Progress(*columns, console=console, transient=True) as bars:
        tasks: dict[str, int] = {}

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(escape(_terminal.cleaned(stage)), total=total)
            bars.update(tasks[stage], completed=done, total=total)  # type: ignore[arg-type]

        yield advance
