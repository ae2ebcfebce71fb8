"""``bgtools blunders``: the worst decisions of many records, to look at and to learn from."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bgtools._disk import save
from bgtools.cli import _common, _terminal
from bgtools.cli._answers import read_progress
from bgtools.cli._decision_options import (
    ConfirmedOption,
    CubeOption,
    LeastOption,
    OrderOption,
    PhasesOption,
    PlayersOption,
    ReasonOption,
    ThemesOption,
    TopOption,
    select_decisions,
    themes_for,
    wanted_of,
)
from bgtools.cli._engine_options import (
    ConfirmOption,
    ConfirmTimeOption,
    EngineOption,
    KeepOption,
    LevelOption,
    MetOption,
    RolloutOptions,
    find_met,
)
from bgtools.cli._files import DaskOption, FilesArgument, JobsOption, ensure_one
from bgtools.cli.table import Options, one_engine
from bgtools.findings.finding import printable
from bgtools.met.finding import default
from bgtools.reports.sheets.writing import SHEET_ENDINGS, ensure_sheet
from bgtools.reports.table_files import TableError

if TYPE_CHECKING:
    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.breakdowns import AnalysisPart

_WITH_SCORES: Final = (".html", ".apkg")
"""Sheets that have room for a grid of scores."""


def blunders_command(
    files: FilesArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write them, by its ending: .html to train with, .pdf to print, .csv, .json, .txt (XGIDs), "
            ".zip (pictures), .apkg (cards for Anki). Without it they are printed.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    players: PlayersOption = None,
    top: TopOption = 20,
    min_loss: LeastOption = 0.02,
    themes: ThemesOption = None,
    reason: ReasonOption = None,
    phases: PhasesOption = None,
    cube: CubeOption = None,
    confirmed: ConfirmedOption = False,
    order: OrderOption = "loss",
    engine: EngineOption = "sage",
    level: LevelOption = "standard",
    met: MetOption = None,
    keep: KeepOption = True,
    confirm: ConfirmOption = False,
    confirm_time: ConfirmTimeOption = None,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    progress: Annotated[
        Path | None,
        typer.Option(
            help="File of answers, as the page to train with saves it and quiz keeps it: the page and the cards go on "
            "from there.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    scores: Annotated[
        bool,
        typer.Option(
            "--scores",
            help="The page to train with and the cards for Anki say what is right at every score; a second a card.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
) -> None:
    """Collect the worst decisions of many records.

    "bgtools blunders matches/ --player Ann -o train.html" makes a page to train with, of Ann's worst decisions over all
    matches in a folder: the board asks, an answer is dragged or typed, and what was wrong comes again. The same board
    with the same roll is there once. The avoidable part of a loss is what exceeds the loss of a player of some strength
    there on average. Exit status: 0 done, 1 done but some file could not be read, 2 there is nothing to show.
    """
    ensure_one(jobs, dask)
    spec = one_engine(engine)
    _refuse(output, force=force)
    if scores and (output is None or output.suffix.lower() not in _WITH_SCORES or not spec.searches):
        known = " or ".join(_WITH_SCORES)
        _common.fail(f"--scores has a use for -o FILE with the ending {known}, and with an engine that searches")
    wanted = wanted_of(players, min_loss, themes_for(reason, themes), phases, cube, confirmed)
    confirming = RolloutOptions.asked(confirm or confirmed, confirm_time, (spec,))
    options = Options(spec, level, find_met(met, (spec,)), "xg", None, keep, confirming)
    answered = None if progress is None else read_progress(progress)
    # A page to train with answers whatever is tried.
    from bgtools.analysis.breakdowns import PARTS

    trains = output is not None and output.suffix.lower() == ".html"
    parts: set[AnalysisPart] | None = {*PARTS, "plays"} if trains else None
    found = select_decisions(files, wanted, options, jobs, top, order, "nothing was written", dask, parts)
    if scores:
        found = replace(found, worst=_at_every_score(found.worst, options))
    if output is None:
        from bgtools.reports.sheets.writing import said_of_blunder

        said = [
            [piece for line in said_of_blunder(blunder, number) for piece in _terminal.wrapped(line, "   ")]
            for number, blunder in enumerate(found.worst, 1)
        ]
        height = _terminal.height()
        if height is not None and sum(map(len, said)) > height:
            # A terminal shows what is printed last.
            said.reverse()
            _terminal.say("the worst is at the end")
        for line in chain.from_iterable(said):
            _terminal.say(line)
    else:
        from bgtools.reports.sheets.writing import sheet_bytes

        with _common.exit_if_unwritable(output):
            sheet = sheet_bytes(
                found.worst,
                output.suffix.lower(),
                progress=answered,
                met=options.met or default(),
                beside=output.parent,
            )
            save(sheet, output, force=force)
        decisions = "1 decision" if len(found.worst) == 1 else f"{len(found.worst)} decisions"
        _terminal.say(f"written to {printable(str(output))}: {decisions} of {found.count}")
    raise typer.Exit(1 if found.problems else 0)


def _at_every_score(blunders: list[Blunder], options: Options) -> list[Blunder]:
    """The decisions, each with what is right at every score."""
    from bgtools.analysis.score_grid import error_grids
    from bgtools.engines.registry import create

    store = _common.store() if options.keep else None
    engine = create(options.spec, options.level, met=options.met, store=store)
    assert engine is not None
    grids = [error_grids([each.row], engine) for each in blunders]
    return [replace(each, scores=some[0][1]) if some else each for each, some in zip(blunders, grids, strict=True)]


def _refuse(output: Path | None, *, force: bool) -> None:
    """End where the file cannot be written, before any work is done."""
    if output is None:
        return
    if output.suffix.lower() not in SHEET_ENDINGS:
        _common.fail(f"{output}: the name of a sheet ends with one of {', '.join(SHEET_ENDINGS)}")
    try:
        ensure_sheet(output.suffix.lower())
    except TableError as error:
        _common.fail(str(error))
    _common.exit_if_exists(output, force=force)
