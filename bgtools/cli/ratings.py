"""``bgtools ratings``: the ratings of players over many matches."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bgtools.cli import _common, _terminal
from bgtools.cli._decision_options import AnalysisOfFile
from bgtools.cli._engine_options import EngineOption, KeepOption, LevelOption, MetOption, RolloutOptions, find_met
from bgtools.cli._files import FilesArgument, JobsOption, collect
from bgtools.cli.table import Options, check_engine, one_engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.pooling import PlayerPart, PooledPlayer
    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match

Layout = Literal["text", "json"]
"""How the result is printed."""

_SHOWN: Final = {"xg_pr": "XG PR", "gnubg_er": "gnubg, mEMG"}
"""The ratings that are printed, with shorter titles than in a report; JSON holds all."""


def ratings_command(
    files: FilesArgument,
    engine: EngineOption = "sage",
    level: LevelOption = "standard",
    met: MetOption = None,
    keep: KeepOption = True,
    jobs: JobsOption = None,
    layout: Annotated[Layout, typer.Option("--format", help="text or json.")] = "text",
) -> None:
    """Rate players over many matches.

    "bgtools ratings matches/ --engine file" pools the decisions of every player over all matches in a folder: what they
    lost in all of them over how many decisions there were, with a 95% interval. Players of one name are taken for
    one player. Exit status: 0 done, 1 done but some file could not be read, 2 there is nothing to rate.
    """
    from bgtools.analysis.pooling import pooled

    spec = one_engine(engine)
    if spec.name == "none":
        _common.fail("ratings need an engine; say with --engine which")
    options = Options(spec, level, find_met(met, (spec,)), "xg", None, keep, RolloutOptions())
    check_engine(options)
    work = AnalysisOfFile(options, _parts)
    parts, problems, without = collect(files, work, 1 if spec.searches else jobs, "nothing was rated")
    if without:
        _common.print_error(f"{without} {'match has' if without == 1 else 'matches have'} no figures to pool")
    players = pooled(parts)
    if not players:
        _common.fail("no match was found that could be rated")
    if layout == "json":
        _terminal.say(_terminal.as_json({"players": [asdict(player) for player in players]}))
    else:
        _print(players)
    raise typer.Exit(1 if problems else 0)


def _parts(analysis: Analysis, match: Match, path: str, number: int) -> Sequence[PlayerPart]:
    """What a match adds to the figures of its players."""
    from bgtools.analysis.pooling import parts_of

    return parts_of(analysis)


def _print(players: list[PooledPlayer]) -> None:
    from bgtools.analysis.pooling import PooledLuck
    from bgtools.analysis.ratings.registry import all_ratings
    from bgtools.findings.finding import printable
    from bgtools.reports.document import DataTable

    rows = []
    digits = {rating.name: rating.digits for rating in all_ratings()}
    for player in players:
        counted = player.ratings.get("xg_pr")
        ratings = (player.ratings[name].text(digits[name]) if name in player.ratings else "-" for name in _SHOWN)
        luck = PooledLuck(player.rolls, player.luck, player.luck_low, player.luck_high).text()
        number = str(counted.counted if counted else 0)
        rows.append((printable(player.name), str(player.matches), number, *ratings, luck))
    console = _terminal.console()
    heads = ("player", "matches", "counted", *_SHOWN.values(), "luck of a roll")
    console.print(DataTable("Ratings", heads, rows))
    console.print(
        "decisions that XG counts; luck in EMG; 95% intervals by resampling decisions and rolls, of which fewer than "
        "30 are too few",
        style="dim",
    )
