"""``bgtools report``: luck, errors and ratings, with tables and pictures."""

from __future__ import annotations

import math
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NoReturn

import typer

from bgtools._disk import is_folder, why
from bgtools._shell import shell_path
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
from bgtools.engines.registry import ENGINES
from bgtools.findings.finding import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rich.console import Console

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.totals import Analysis
    from bgtools.engines.cache import Store
    from bgtools.engines.protocol import Engine, EngineUnavailable, LevelName
    from bgtools.engines.registry import Spec
    from bgtools.met.table import MatchEquityTable
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.reports.match_report import PageFormat

    Told = Callable[[str, int, int], None]


def report_command(
    file: Annotated[str, typer.Argument(help="The record; - is standard input.", metavar="FILE")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder to write; by default named after the match, here.", metavar="DIR"),
    ] = None,
    level: LevelOption = "standard",
    engine: Annotated[
        str,
        typer.Option(
            help=f"What values the positions: {', '.join(kind.usage or kind.name for kind in ENGINES)}. "
            "Several with commas are compared.",
            metavar="ENGINE[,ENGINE]",
            autocompletion=_completion.engines,
        ),
    ] = "sage",
    disagree: Annotated[
        float, typer.Option(min=0, help="By how much engines must differ for a decision to be listed, in EMG.")
    ] = 0.02,
    met: MetOption = None,
    thresholds: ThresholdsOption = "xg",
    luck: LuckOption = None,
    match_number: Annotated[int, typer.Option("--match", min=1, help="Which match, where a file holds several.")] = 1,
    keep: KeepOption = True,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            "-p",
            metavar="NAME",
            help='Whose errors are shown, alone. By default those of "me" in bgtools.toml, else the worst of each; '
            '"both" asks for these.',
        ),
    ] = None,
    show_details: Annotated[
        bool, typer.Option("--details", help="Print counts, break-downs by phase, cube, score and opening, and dice.")
    ] = False,
    show_boards: Annotated[bool, typer.Option("--boards", help="Print the board of each of the worst errors.")] = False,
    confirm: ConfirmOption = False,
    confirm_time: ConfirmTimeOption = None,
    page: Annotated[
        bool, typer.Option("--page/--no-page", help="Write report.html, to look at the match, or what --format says.")
    ] = True,
    page_format: Annotated[
        Literal["html", "md"],
        typer.Option(
            "--format",
            help="What to look at: html, report.html for a browser; md, Markdown for a forum, with pictures of "
            "the worst decisions beside it.",
        ),
    ] = "html",
    open_page: Annotated[bool, typer.Option("--open", help="Open it when it is written.")] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Write over the report of another match, or one with more analysis, and into a folder that holds "
            "other files.",
        ),
    ] = False,
) -> None:
    """Report a match: ratings, errors, luck, pip counts.

    Prints a table and writes into a folder: report.html, a page to look at without a network, report.json,
    decisions.csv, turns.csv, choices.csv, breakdown.csv, races.csv, dice.csv, pips.png, luck.png, chance.png and
    errors.png, and disagreements.csv where several engines are compared. "--format md" writes Markdown for a forum
    instead of the page. Exit status: 0 done, 1 done but the record has errors, 2 could not run, also where
    none of the engines that were asked for can.
    """
    from bgtools.engines.registry import parse_specs

    try:
        specs = parse_specs(engine)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from None
    if open_page and not page:
        raise typer.BadParameter("there is no page to open with --no-page", param_hint="--open")
    if file != "-" and is_folder(Path(file)):
        shown = printable(shell_path(file))
        _common.fail(
            f"{printable(file)} is a folder, and a report is of one match. Of all: bgtools blunders {shown} shows "
            f"the worst decisions, bgtools ratings {shown} rates players, bgtools library add {shown} keeps them"
        )
    limit = RolloutOptions.asked(confirm, confirm_time, specs)
    table = find_met(met, specs)
    matches = _common.matches_or_report(file)
    if matches is None:
        raise typer.Exit(2)
    if match_number > len(matches):
        held = "is only 1 match" if len(matches) == 1 else f"are only {len(matches)} matches"
        _common.fail(f"{file}: there {held} in it")
    if len(matches) > 1:
        _common.print_error(f"{file} holds {len(matches)} matches; this is number {match_number} (--match)")
    match = matches[match_number - 1]
    if not match.games:
        _common.fail(f"{file}: no game was found in it")
    whose = _player_of(file, match, player)
    from bgtools.reports.folder import change_text, folder_name, folder_state

    target = output if output is not None else Path(folder_name(file))
    before = folder_state(target)
    try:
        options = {"thresholds": thresholds, "luck": luck}
        worst = _report(
            file, match, target, level, specs, table, disagree, options, limit, keep=keep, force=force,
            show_details=show_details, show_boards=show_boards, page=page_format if page else None,
            player=whose,
        )  # fmt: skip
    except KeyboardInterrupt:
        _common.fail(f"interrupted; {target} {change_text(target, before)}", _common.INTERRUPTED)
    if open_page:
        from bgtools.reports.markdown import MARKDOWN
        from bgtools.reports.page.writing import PAGE

        typer.launch(str(target / (MARKDOWN if page_format == "md" else PAGE)))
    if worst:
        raise typer.Exit(1)


def _confirmed(analyses: dict[str, Analysis], confirming: RolloutOptions, store: Store | None) -> dict[str, Analysis]:
    """The analyses, the first of them with its errors judged again."""
    name, first = next(iter(analyses.items()))
    with _progress() as told:
        shown = None if told is None else lambda done, total: told("rollouts", math.ceil(done), math.ceil(total))
        return {**analyses, name: confirming.confirmed(first, confirming.roller(store), shown)}


def _report(
    file: str,
    match: Match,
    target: Path,
    level: LevelName,
    specs: Sequence[Spec],
    met: MatchEquityTable | None,
    disagree: float,
    options: Mapping[str, Any],
    confirming: RolloutOptions,
    *,
    keep: bool,
    show_details: bool,
    show_boards: bool,
    force: bool,
    page: PageFormat | None,
    player: int | None,
) -> bool:
    """Write the report with the options of `analyse` and print it; True when the record has errors."""
    from bgtools.analysis.comparison import compare
    from bgtools.analysis.match_analysis import player_names
    from bgtools.checks.checking import check
    from bgtools.cli._pictures import say_missing_letters
    from bgtools.findings.finding import Severity
    from bgtools.replayer.match import replay
    from bgtools.reports.folder import ForeignFolder, ensure_not_poorer, ensure_ours, ensure_same_match
    from bgtools.reports.match_report import begin_pips, write_report

    _refuse_positions(file, match)
    games = replay(match)
    store = _common.store() if keep else None
    engines = _engines(specs, level, met, match, games, store)
    findings = check(match, games)
    try:
        # Refuse a folder that is not ours now, or the engine would work for nothing.
        ensure_ours(target, force=force)
        if not force:
            ensure_same_match(target, "<stdin>" if file == "-" else file, player_names(match), _rolled(games))
            stamps = {name: engine.stamp for name, engine in engines.items()}
            ensure_not_poorer(target, stamps, rollouts=confirming.is_asked)
        pips = begin_pips(match, games) if engines else None
        analyses = _analyses(match, games, engines, options, alone=len(specs) == 1, rolls=page == "html")
        if confirming.is_asked:
            analyses = _confirmed(analyses, confirming, store)
        first = next(iter(analyses.values()))
        if not force:
            lacking = sum(each.errors.not_analysed for each in first.players if each.errors)
            ensure_not_poorer(
                target, {name: stamps[name] for name in analyses if name}, rollouts=confirming.is_asked,
                not_analysed=lacking,
            )  # fmt: skip
        comparison = compare(tuple(analyses), [*analyses.values()], disagree) if len(analyses) > 1 else None
        files = write_report(
            first, findings, match.source, target,
            force=force, comparison=comparison, pips=pips, match=match, page=page, player=player,
        )  # fmt: skip
    except ForeignFolder as error:
        _common.fail(str(error))
    except OSError as error:
        _common.fail(f"{target}: cannot be written: {why(error)}")
    say_missing_letters()
    _print(first, comparison, show_details=show_details, show_boards=show_boards, player=player)
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    _print_hints(file, match, analyses, errors)
    _terminal.console().print(f"written to {printable(str(target))}: {', '.join(files)}", markup=False)
    if (_terminal.height() or _NO_SCROLL) < _NO_SCROLL:
        _print_answer(first)
    return errors > 0


_NO_SCROLL: Final = 100
"""A terminal of so many lines shows a whole report."""


def _print_answer(analysis: Analysis) -> None:
    """What matters most once more, where a terminal has scrolled it away: the ratings, and whom the dice favoured."""
    from bgtools.reports import summary

    _terminal.say()
    _terminal.say_wrapped(summary.answer(analysis))


def _rolled(games: Sequence[GameReplay]) -> list[list[int]]:
    """The pips that both players rolled in every game."""
    from bgtools.analysis.counts import count_game

    return [[each.pips_rolled for each in count_game(game)] for game in games]


def _refuse_positions(file: str, match: Match) -> None:
    """End with a message if a record holds positions only."""
    from bgtools.record.record import SetBoard

    entries = [entry for game in match.games for entry in game.entries]
    if entries and all(isinstance(entry, SetBoard) for entry in entries):
        _common.fail(
            f"{printable(file)} holds a position and no play, so there is nothing to report; "
            f'"bgtools show {printable(shell_path(file))}" draws it, with the analysis that it holds'
        )


def _analyses(
    match: Match,
    games: Sequence[GameReplay],
    engines: Mapping[str, Engine],
    options: Mapping[str, Any],
    *,
    alone: bool,
    rolls: bool,
) -> dict[str, Analysis]:
    """The analyses by all engines that do not fail, by their names; one without an engine, named "", if there are none.

    ``alone`` tells that one engine was asked for, ``rolls`` that the first shall tell what every roll was worth.
    """
    from bgtools.analysis.match_analysis import analyse, common_luck
    from bgtools.engines.protocol import EngineUnavailable

    if options["luck"] is None:
        # A convention that the record does not name cannot be used by others: each engine then keeps its own.
        common = common_luck(engines.values())
        options = {**options, "luck": None if common == "recorded" else common}
    done: dict[str, Analysis] = {}
    with _progress() as told:
        for name, engine in engines.items():
            shown = _named(told, name if len(engines) > 1 else "")
            try:
                # A page shows what rolls were worth to one engine.
                done[name] = analyse(match, engine, progress=shown, games=games, rolls=rolls and not done, **options)
            except EngineUnavailable as error:
                # An engine that is a program can end, or hang, at any time.
                _leave_out(name, error, alone=alone)
    if engines and not done:
        _none_left()
    return done or {"": analyse(match, None, games=games, **options)}


def _print_hints(file: str, match: Match, analyses: Mapping[str, Analysis], errors: int) -> None:
    """What the user may ask for next: the analysis in the record, and the errors in it."""
    from bgtools.engines.recorded import holds_analysis

    console = _terminal.console()
    if "" not in analyses:
        console.print("what a word means: bgtools explain PR", style="dim", markup=False)
    if "" not in analyses and "file" not in analyses and holds_analysis(match):
        console.print("The record holds an analysis of its own: --engine file", style="dim", markup=False)
    if errors:
        found = "1 error" if errors == 1 else f"{errors} errors"
        # Users copy this command, so it stays on one line and is quoted for a shell.
        again = f"bgtools check {printable(shell_path(file))}"
        console.print(f"The record has {found}; see {again}", markup=False, soft_wrap=True)


def _engines(
    specs: Sequence[Spec],
    level: LevelName,
    met: MatchEquityTable | None,
    match: Match,
    games: Sequence[GameReplay],
    store: Store | None,
) -> dict[str, Engine]:
    """The engines that can run here, by their names; for each of the others a message is printed.

    Ends the command where none of those that were asked for can.
    """
    from bgtools.engines.protocol import EngineUnavailable, TableRefused
    from bgtools.engines.registry import create, labels

    engines: dict[str, Engine] = {}
    for name, spec in zip(labels(specs), specs, strict=True):
        try:
            engine = create(spec, level, match=match, games=games, met=met, store=store)
        except TableRefused as error:
            _common.fail(str(error))
        except EngineUnavailable as error:
            _leave_out(name, error, alone=len(specs) == 1)
            continue
        if engine is not None:
            engines[name] = engine
    if not engines and specs[0].name != "none":
        _none_left()
    return engines


def _leave_out(name: str, error: EngineUnavailable, *, alone: bool) -> None:
    """Say that an engine fails, and what there is without it."""
    _common.print_error(f"{error}" if alone else f"{error}; {name} is left out")


def _none_left() -> NoReturn:
    """End: no engine can give the figures that were asked for."""
    _common.fail("nothing is written, as luck, errors and ratings need an engine; --engine none leaves them out")


def _player_of(file: str, match: Match, name: str | None) -> int | None:
    """Which player is asked for: by a name, or as the user whom the settings name; None for both.

    Ends where a name means none of the players.
    """
    from bgtools.analysis.match_analysis import player_names
    from bgtools.analysis.names import UnknownName, find_name

    names = player_names(match)
    given = (name,) if name not in (None, _common.BOTH) else _common.me_among(names, [file], (name,) if name else ())
    try:
        return names.index(find_name(given[0], names)) if given else None
    except UnknownName as error:
        _common.fail(f"{file}: {printable(str(error))}")


def _print(
    analysis: Analysis,
    comparison: EngineComparison | None,
    *,
    show_details: bool,
    show_boards: bool,
    player: int | None,
) -> None:
    """The report on the terminal; ``analysis`` is the first engine's."""
    from bgtools.reports import breakdown_tables, summary

    console = _terminal.console()
    console.print(summary.heading(analysis), style="bold", markup=False)
    _print_totals(console, analysis, comparison)
    by = tuple((f"{name}: " if name else "", each) for name, each in summary.by_engine(analysis, comparison))
    for name, each in by:
        if text := summary.sentence(each):
            console.print(name + text, markup=False)
    console.print()
    console.print(summary.games_table(analysis, comparison))
    _print_errors(console, analysis, boards=show_boards, player=player)
    # Without an engine there are no other figures.
    if show_details or not analysis.conventions.engine:
        console.print()
        console.print(breakdown_tables.counts_table(analysis))
    if show_details:
        console.print()
        console.print(breakdown_tables.breakdown_table(analysis))
        console.print(breakdown_tables.dice_sentence(analysis), markup=False)
    if comparison is not None:
        from bgtools.reports import breakdown_tables as disagreements

        console.print()
        console.print(disagreements.headline(comparison), markup=False)
        if comparison.disagreements:
            console.print(disagreements.disagreements_table(comparison))
        console.print()
    _print_notes(console, by)


def _print_errors(console: Console, analysis: Analysis, *, boards: bool, player: int | None) -> None:
    """The worst errors, each with its reason, and with its board if that is asked for."""
    from rich.padding import Padding
    from rich.text import Text

    from bgtools.reports.decision_text import errors_lines

    lines = errors_lines(analysis, boards=boards, width=_terminal.width(), player=player)
    for number, line in enumerate(lines):
        if not number:
            console.print()
        indent = min(len(line) - len(line.lstrip()), 4)
        text = Text(line[indent:])
        # What was lost, and what would have been right.
        text.highlight_regex(r"\(-[\d.]+\)", "bold red")
        text.highlight_regex(r"(?<=, best )[^(]+", "green")
        console.print(Padding(text, (0, 0, 0, indent), expand=False))


def _print_totals(console: Console, analysis: Analysis, comparison: EngineComparison | None) -> None:
    """The totals of both players, by several engines in one table if it fits, else in one per player."""
    from bgtools.reports import summary

    if comparison is not None:
        both = summary.compared_totals(comparison)
        fits = console.measure(both, options=console.options.update(width=1000)).maximum <= console.width
        for table in (both,) if fits else (summary.compared_totals(comparison, (player,)) for player in (0, 1)):
            console.print(table)
    elif analysis.conventions.engine:
        console.print(summary.totals_table(analysis))


def _print_notes(console: Console, by: Sequence[tuple[str, Analysis]]) -> None:
    """The conventions and notes of every engine, and once at the end the notes that all have."""
    from bgtools.reports import summary

    first = by[0][1]
    common = [note for note in first.notes if all(note in each.notes for _, each in by)]
    for name, each in by:
        console.print(name + summary.conventions_line(each), style="dim", markup=False)
        if each.conventions.engine:
            for note in each.notes:
                if note not in common:
                    console.print(name + note, style="dim", markup=False)
    for note in common if first.conventions.engine else ():
        console.print(note, style="dim", markup=False)


def _named(progress: Told | None, name: str) -> Told | None:
    """Progress that says which engine is at work, where there are several."""
    if progress is None or not name:
        return progress
    return lambda stage, done, total: progress(f"{name} {stage}", done, total)


@contextmanager
def _progress() -> Iterator[Told | None]:
    """A progress bar on standard error; nothing where that is not a terminal."""
    console = _terminal.terminal()
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
