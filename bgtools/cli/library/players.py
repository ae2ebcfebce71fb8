"""``bgtools library players``: everybody in a library."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools.cli import _terminal
from bgtools.cli.library._common import LibraryOption, opened
from bgtools.cli.library._output import print_rows, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.careers import PlayerSummary

Layout = Literal["table", "csv", "json"]
"""How the list is printed."""

Order = Literal["matches", "won", "pr", "luck", "name"]
"""How it is sorted."""


def players_command(
    library: LibraryOption = None,
    sort: Annotated[
        Order,
        typer.Option(
            help="By matches or matches won, most first; by PR, lowest first; by luck, luckiest first; or by name."
        ),
    ] = "matches",
    limit: Annotated[int, typer.Option(min=0, help="List at most this many; 0 for all.")] = 25,
    min_matches: Annotated[int, typer.Option(min=1, help="Leave out who has played fewer matches.")] = 1,
    everybody: Annotated[
        bool, typer.Option("--everybody", help="Also names that are nobody's, such as Player 1, and programs.")
    ] = False,
    layout: Annotated[Layout, typer.Option("--format", help="How to print the list.")] = "table",
) -> None:
    """List the players of a library with their matches, PR and luck.

    PR is XG's performance rating over all analysed matches of a player, with a 95% interval as "bgtools ratings" gives
    it. Names of one person stand together where "bgtools library alias" has said so. Names that many share, such as
    Player 1, and those of programs are left out. Exit status: 0 done, 2 there is no library.
    """
    from bgtools.findings.finding import printable

    with opened(library) as kept:
        players = kept.players_table(order=sort, limit=limit or None, min_matches=min_matches, everybody=everybody)
        engines = kept.sql("SELECT DISTINCT engine FROM analyses WHERE chosen ORDER BY 1").fetchall()
        more = kept.player_count(min_matches=min_matches, everybody=everybody) - len(players)
    if layout == "json":
        _terminal.say(_terminal.as_json({"players": [asdict(each) for each in players], "left_out": more}))
    elif layout == "csv":
        _put_csv(players)
    else:
        print_table(
            (
                "player", "matches", "won", "lost", "unfinished", "money", "analysed", "XG PR", "counted",
                "luck of a roll",
            ),
            (
                (
                    each.name, f"{each.matches:,}", f"{each.won:,}", f"{each.lost:,}", f"{each.unfinished:,}",
                    f"{each.money:,}", f"{each.analysed:,}", each.pr.text(2), f"{each.pr.counted:,}", each.luck.text(),
                )
                for each in players
            ),
        )  # fmt: skip
        if len(engines) > 1:
            _terminal.say(
                f"judged by {len(engines)} engines or levels, which find different losses: "
                f"{printable('; '.join(name for (name,) in engines[:_SHOWN]))}{' …' * (len(engines) > _SHOWN)}",
                err=True,
            )
        if more:
            _terminal.say(f"and {more:,} more; --limit 0 lists all", err=True)


_SHOWN = 3


def _put_csv(players: Sequence[PlayerSummary]) -> None:
    heads = (
        "name", "names", "matches", "won", "lost", "unfinished", "money", "analysed", "pr", "pr_low", "pr_high",
        "counted", "luck", "luck_low", "luck_high", "rolls", "first", "last",
    )  # fmt: skip
    rows = [
        (each.name, "; ".join(each.names), each.matches, each.won, each.lost, each.unfinished, each.money,
         each.analysed, each.pr.value, each.pr.low, each.pr.high, each.pr.counted, each.luck.luck,
         each.luck.luck_low, each.luck.luck_high, each.luck.rolls,
         each.first, each.last)
        for each in players
    ]  # fmt: skip
    print_rows(heads, rows, "csv")
