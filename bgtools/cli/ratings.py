"""``bgtools ratings``: the ratings of players over many matches."""

from __future__ import annotations

from dataclasses import asdict, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from bgtools._disk import atomic_writer
from bgtools.cli import _common, _terminal
from bgtools.cli._decision_options import AnalysisOfFile
from bgtools.cli._engine_options import EngineOption, KeepOption, LevelOption, MetOption, RolloutOptions, find_met
from bgtools.cli._files import FilesArgument, JobsOption, collect
from bgtools.cli.table import Options, check_engine, one_engine
from bgtools.findings.finding import printable
from bgtools.reports.document import DataTable
from bgtools.reports.findings import few
from bgtools.reports.lists import ENDINGS, csv_rows, list_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.pooling import PlayerPart, PooledPlayer
    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match

Layout = Literal["text", "json", "csv"]
"""How the result is printed."""
Order = Literal["pr", "name", "matches", "counted", "luck"]
"""By what players are ordered."""

_SHOWN: Final = {"xg_pr": "XG PR", "gnubg_er": "gnubg, mEMG"}
"""The ratings that are printed, with shorter titles than in a report; JSON holds all."""


def ratings_command(
    files: FilesArgument,
    engine: EngineOption = "sage",
    level: LevelOption = "standard",
    met: MetOption = None,
    keep: KeepOption = True,
    jobs: JobsOption = None,
    sort: Annotated[
        Order,
        typer.Option(
            help="By XG PR, the best first; by name; by matches or counted decisions, most first; or by luck, luckiest "
            "first."
        ),
    ] = "pr",
    layout: Annotated[Layout, typer.Option("--format", help="How to print them.")] = "text",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write; the ending html, csv, json or md (for Markdown) says how.",
            metavar="FILE",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
) -> None:
    """Rate players over many matches.

    "bgtools ratings matches/ --engine file" pools the decisions of every player over all matches in a folder: what they
    lost in all of them over how many decisions there were, with a 95% interval. Players of one name are taken for
    one player. Exit status: 0 done, 1 done but some file could not be read, 2 there is nothing to rate.
    """
    from bgtools.analysis.pooling import pooled

    if output is not None:
        if output.suffix.lower() not in ENDINGS:
            _common.fail(f"{output}: the name of a list ends with one of {', '.join(ENDINGS)}")
        _common.exit_if_exists(output, force=force)
    spec = one_engine(engine)
    if spec.name == "none":
        _common.fail("ratings need an engine; say with --engine which")
    options = Options(spec, level, find_met(met, (spec,)), "xg", None, keep, RolloutOptions())
    check_engine(options)
    work = AnalysisOfFile(options, _parts, is_slow=spec.searches)
    parts, problems, without = collect(files, work, 1 if spec.searches else jobs, "nothing was rated")
    if without:
        _common.print_error(f"{without} {'match has' if without == 1 else 'matches have'} no figures to pool")
    players = pooled(parts)
    if not players:
        _common.fail("no match was found that could be rated")
    players = sorted(players, key=lambda player: _order(player, sort))
    if output is not None:
        with _common.exit_if_unwritable(output), atomic_writer(output, force=force) as stream:
            stream.write(_content(players, output.suffix.lower()))
        _terminal.say(f"written to {output}: {few(len(players), 'player')}", err=True)
    elif layout == "json":
        _terminal.say(_terminal.as_json({"players": [asdict(player) for player in players]}))
    elif layout == "csv":
        _terminal.put_data(csv_rows(_rows(players)).removesuffix("\n"))
    else:
        console = _terminal.console()
        console.print(_table(players))
        console.print(_NOTE, style="dim", markup=False)
    raise typer.Exit(1 if problems else 0)


def _parts(analysis: Analysis, match: Match, path: str, number: int) -> Sequence[PlayerPart]:
    """What a match adds to the figures of its players."""
    from bgtools.analysis.pooling import parts_of

    return parts_of(analysis)


def _content(players: Sequence[PooledPlayer], ending: str) -> bytes:
    """The ratings as the content of a file."""
    if ending != ".html":
        return list_bytes(ending, _rows(players), _table(players), _NOTE)
    from bgtools.analysis.pooling import PooledLuck, PooledRating
    from bgtools.site.alone import ratings_page
    from bgtools.site.collection import has_rank
    from bgtools.site.pieces import PlayerRow

    none = PooledRating(None, None, None, 0)
    rows = [
        PlayerRow(
            printable(each.name), each.ratings.get("xg_pr", none), None, f"{each.matches}",
            (PooledLuck(each.rolls, each.luck, each.luck_low, each.luck_high).text(), each.luck),
        )
        for each in players
    ]  # fmt: skip
    ranked = [at for at, each in enumerate(rows) if has_rank(int(each.results), each.pr)]
    for rank, at in enumerate(sorted(ranked, key=lambda at: rows[at].pr.value or 0.0), 1):
        rows[at] = replace(rows[at], rank=rank)
    return ratings_page(rows, _NOTE)


_NOTE: Final = (
    "decisions that XG counts; luck in EMG; 95% intervals by resampling decisions and rolls, of which fewer than 30 "
    "are too few"
)


def _order(player: PooledPlayer, sort: Order) -> tuple[float, str]:
    """What a player is ordered by; who has no such figure comes last."""
    rating = player.ratings.get("xg_pr")
    value = {
        "pr": None if rating is None else rating.value,
        "name": 0.0,
        "matches": -float(player.matches),
        "counted": 0.0 if rating is None else -float(rating.counted),
        "luck": None if player.luck is None else -player.luck,
    }[sort]
    return inf if value is None else value, player.name.casefold()


def _rows(players: Sequence[PooledPlayer]) -> list[dict[str, Any]]:
    """The figures of players as CSV and JSON have them, a row a player."""
    names = list(dict.fromkeys(name for player in players for name in player.ratings))
    return [
        {
            "name": player.name,
            "matches": player.matches,
            **{
                f"{name}{part}": getattr(player.ratings.get(name), field, None)
                for name in names
                for part, field in (("", "value"), ("_low", "low"), ("_high", "high"), ("_counted", "counted"))
            },
            "rolls": player.rolls,
            "luck": player.luck,
            "luck_low": player.luck_low,
            "luck_high": player.luck_high,
        }
        for player in players
    ]


def _table(players: Sequence[PooledPlayer]) -> DataTable:
    from bgtools.analysis.pooling import PooledLuck
    from bgtools.analysis.ratings.registry import all_ratings

    rows = []
    digits = {rating.name: rating.digits for rating in all_ratings()}
    for player in players:
        counted = player.ratings.get("xg_pr")
        ratings = (player.ratings[name].text(digits[name]) if name in player.ratings else "-" for name in _SHOWN)
        luck = PooledLuck(player.rolls, player.luck, player.luck_low, player.luck_high).text()
        number = str(counted.counted if counted else 0)
        rows.append((printable(player.name), str(player.matches), number, *ratings, luck))
    return DataTable("Ratings", ("player", "matches", "counted", *_SHOWN.values(), "luck of a roll"), rows)
