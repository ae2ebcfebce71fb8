"""``bgtools library analyse``: the analysis of every match that lacks one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common, _terminal
from bgtools.cli._engine_options import LevelOption, MetOption, find_met, seconds_of
from bgtools.cli._files import DaskOption, JobsOption
from bgtools.cli._progress import counting
from bgtools.cli.library._common import LibraryOption, TimeOption, WhereOption, opened, runner

if TYPE_CHECKING:
    from bgtools.library.analysing import AnalyseSummary


def analyse_command(
    library: LibraryOption = None,
    engine: Annotated[
        str, typer.Option(help="What values the positions: sage, gnubg, or another that searches.", metavar="ENGINE")
    ] = "sage",
    level: LevelOption = "standard",
    met: MetOption = None,
    where: WhereOption = "",
    time: TimeOption = None,
    jobs: JobsOption = None,
    dask: DaskOption = None,
) -> None:
    """Analyse the matches of a library that lack an analysis as deep as this one.

    An analysis that a record contains counts as the deepest. Matches without any come first, then sound records,
    then those of the players with most matches, then the newest. Every few matches are kept as soon as they are done:
    stopping this loses those in work, and the same command goes on from there.

    Exit status: 0 done, 1 some match could not be analysed, 2 nothing could be, 130 interrupted.
    """
    from bgtools.engines.protocol import EngineUnavailable, TableRefused
    from bgtools.engines.registry import parse_specs
    from bgtools.library.analysing import Valuing

    try:
        specs = parse_specs(engine)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from None
    if len(specs) > 1 or not specs[0].searches:
        raise typer.BadParameter(
            "give one engine that searches; records keep their own analysis", param_hint="--engine"
        )
    valuing = Valuing(engine, level, find_met(met, specs))
    seconds = seconds_of(time, "--time")
    analysed: AnalyseSummary | None = None

    with opened(library) as kept, runner(dask, jobs) as run, counting("match") as show:

        def tell(now: AnalyseSummary) -> None:
            nonlocal analysed
            analysed = now
            show(now.matches, now.missing)

        try:
            analysed = kept.analyse(valuing, run=run, where=where, seconds=seconds, progress=tell)
        except KeyboardInterrupt:
            _terminal.say(f"interrupted after {_summary(analysed)}; what was done is kept", err=True)
            raise typer.Exit(_common.INTERRUPTED) from None
        except (EngineUnavailable, TableRefused, ValueError) as error:
            _common.fail(str(error))
    for path, problem in analysed.problems:
        _common.print_error(f"{path}: {problem}")
    left = analysed.missing - analysed.matches
    _terminal.say(_summary(analysed) + (f"; {left:,} still lack one" if left else ""), err=True)
    raise typer.Exit(0 if not analysed.problems else 1 if analysed.matches else 2)


def _summary(analysed: AnalyseSummary | None) -> str:
    if analysed is None:
        return "nothing"
    from bgtools.reports.findings import few

    rate = f", {analysed.matches / analysed.seconds * 3600:,.0f} an hour" if analysed.seconds > _LEAST else ""
    return f"{few(analysed.matches, 'match', 'matches')} analysed{rate}"


_LEAST = 1.0
