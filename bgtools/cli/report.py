"""``bgtools report``: luck, errors and ratings, with tables and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

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
from bgtools.cli._files import DaskOption, JobsOption
from bgtools.cli._pictures import say_missing_letters
from bgtools.cli._reporting import ReportOptions, ReportRefused, write_match_report
from bgtools.engines.registry import ENGINES
from bgtools.findings.finding import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import Console

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match

    Told = Callable[[str, int, int], None]


def report_command(
    file: Annotated[
        str, typer.Argument(help="The record, or a folder of records; - is standard input.", metavar="FILE")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder to write; by default named after the record, here.", metavar="DIR"),
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
    show_scores: Annotated[
        bool,
        typer.Option("--scores", help="The page says of each blunder what is right at every score; a second each."),
    ] = False,
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
    title: Annotated[
        str,
        typer.Option("--title", help="Of a folder: the heading of the site; by default its name.", show_default=False),
    ] = "",
    events: Annotated[
        Literal["folder", "tag"] | None,
        typer.Option(
            "--events",
            help="Of a folder: what an event is. By default a folder where two or more hold records, else what the "
            "records call so.",
        ),
    ] = None,
    names: Annotated[
        Literal["full", "initials", "given"],
        typer.Option("--names", help="Of a folder: how names are shown; the others are left nowhere in the site."),
    ] = "full",
    unlisted: Annotated[
        bool, typer.Option("--unlisted", help="Of a folder: ask search engines not to list it; no names in addresses.")
    ] = False,
    tables: Annotated[
        bool, typer.Option("--tables", help="Of a folder: write the tables and pictures of each match too.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Of a folder: follow it until Ctrl-C.")] = False,
    jobs: JobsOption = None,
    dask: DaskOption = None,
) -> None:
    """Report a match: ratings, errors, luck, pip counts.

    Prints a table and writes into a folder: report.html, a page to look at without a network, report.json,
    decisions.csv, turns.csv, choices.csv, breakdown.csv, races.csv, dice.csv, pips.png, luck.png, chance.png and
    errors.png, and disagreements.csv where several engines are compared. "--format md" writes Markdown for a forum
    instead of the page. Of a folder, each match gets a report in a folder of its own, and a line is printed with the
    PR of both. Exit status: 0 done, 1 done but a record has errors or could not be reported, 2 could not run, also
    where none of the engines that were asked for can.
    """
    from bgtools.engines.registry import parse_specs

    try:
        specs = parse_specs(engine)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from None
    if open_page and not page:
        raise typer.BadParameter("there is no page to open with --no-page", param_hint="--open")
    limit = RolloutOptions.asked(confirm, confirm_time, specs)
    options = ReportOptions(
        specs,
        level,
        find_met(met, specs),
        disagree,
        thresholds,
        luck,
        limit,
        keep,
        force,
        page_format if page else None,
        show_scores,
    )
    if file != "-" and is_folder(Path(file)):
        if show_details or show_boards or match_number > 1 or not page or page_format != "html":
            _common.fail("--details, --boards, --match, --no-page and --format go with one record, not with a folder")
        from bgtools.cli._site import SiteOptions, publish

        if tables and names != "full":
            _common.fail("--tables writes names of players and files; it goes with --names full")
        site = SiteOptions(
            report=options,
            title=title,
            events=events,
            names=names,
            is_listed=not unlisted,
            tables=tables,
            player=player or "",
        )
        target = output or Path(f"{Path(file).resolve().name}-report")
        status = publish(file, target, site, jobs, dask, force=force, watches=watch)
        if open_page:
            typer.launch(str(target / "index.html"))
        raise typer.Exit(status)
    if jobs is not None or dask is not None or title or events or names != "full" or unlisted or tables or watch:
        _common.fail(
            "--jobs, --dask, --title, --events, --names, --unlisted, --tables and --watch go with a folder of records"
        )
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
        written = write_match_report(file, match, target, options, whose)
    except KeyboardInterrupt:
        _common.fail(f"interrupted; {target} {change_text(target, before)}", _common.INTERRUPTED)
    except ReportRefused as error:
        _common.fail(str(error))
    except OSError as error:
        _common.fail(f"{target}: cannot be written: {why(error)}")
    say_missing_letters()
    analysed = written.analysed
    _print(analysed.first, analysed.comparison, show_details=show_details, show_boards=show_boards, player=whose)
    _print_hints(file, match, analysed.analyses, written.errors)
    _terminal.console().print(f"written to {printable(str(target))}: {', '.join(written.files)}", markup=False)
    if (_terminal.height() or _NO_SCROLL) < _NO_SCROLL:
        _print_answer(analysed.first)
    if open_page:
        from bgtools.reports.markdown import MARKDOWN
        from bgtools.reports.page.writing import PAGE

        typer.launch(str(target / (MARKDOWN if page_format == "md" else PAGE)))
    if written.errors:
        raise typer.Exit(1)


_NO_SCROLL: Final = 100
"""A terminal of so many lines shows a whole report."""


def _print_answer(analysis: Analysis) -> None:
    """What matters most once more, where a terminal has scrolled it away: the ratings, and whom the dice favoured."""
    from bgtools.reports import summary

    _terminal.say()
    _terminal.say_wrapped(summary.answer(analysis))


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
