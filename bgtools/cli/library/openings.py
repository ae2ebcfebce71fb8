"""``bgtools library openings``: how games are opened, and how openings are answered."""

from __future__ import annotations

from dataclasses import astuple, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgtools.cli import _common
from bgtools.cli.library._common import LibraryOption, dice_of, opened
from bgtools.cli.library.sql import Layout
from bgtools.findings.quantities import CHANCE

if TYPE_CHECKING:
    from bgtools.library.openings import Opening


def openings_command(
    library: LibraryOption = None,
    replies: Annotated[
        bool, typer.Option("--replies", help="The second rolls, by the opening that they answer.")
    ] = False,
    dice: Annotated[
        str | None, typer.Option(help="Only of this first roll, such as 31.", metavar="DICE", show_default=False)
    ] = None,
    played: Annotated[
        str,
        typer.Option(
            help='Only of, or with --replies after, this play of the first roll: "8/5 6/5".',
            metavar="PLAY",
            show_default=False,
        ),
    ] = "",
    player: Annotated[
        str, typer.Option("--player", "-p", help="Only their plays, beside those of everybody else.", metavar="NAME")
    ] = "",
    least: Annotated[int, typer.Option(min=1, help="Leave out plays made less often.")] = 1,
    layout: Annotated[
        Layout, typer.Option("--format", help="How to print them; all but the table give every figure in full.")
    ] = "table",
) -> None:
    """Tell how games are opened, or how openings are answered.

    For each play of each roll: how often it was made, its share of all plays of that roll, what it lost on average
    where it was analysed, and what became of those games for the player: games won, gammons won and lost, points on
    average (the cube counted) with their standard error. What became of games depends on who played them: it is not
    a verdict on the play. With --player also how often everybody else makes it. Only legal plays of games from the
    usual position count. Exit status: 0 done, 1 there are none, 2 it could not be asked.
    """
    from bgtools.cli.library._output import print_rows

    with opened(library) as kept:
        found = [
            each
            for each in kept.openings(replies=replies, player=player, dice=dice_of(dice), played=played)
            if each.times >= least
        ]
        if not found:
            _common.fail("no such opening was played", 1)
        if layout == "table":
            print_rows(*_table(found, replies=replies, player=bool(player)), layout)
        else:
            print_rows([each.name for each in fields(found[0])], [astuple(each) for each in found], layout)


def _table(found: list[Opening], *, replies: bool, player: bool) -> tuple[list[str], list[list[Any]]]:
    judged = any(each.judged for each in found)
    names = [
        *(["opening"] if replies else []), "roll", "play", "name", "times", "share", *(["others"] if player else []),
        *(["mean loss", "analysed"] if judged else []), "won", "gammons", "gammons lost", "points", "±",
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            *([each.to] if replies else []),
            each.dice,
            each.played,
            each.name,
            each.times,
            _part(each.share),
            *([_part(each.field)] if player else []),
            *([None if each.loss is None else round(each.loss, 3), each.judged] if judged else []),
            _part(each.won),
            _part(each.gammons),
            _part(each.gammons_lost),
            None if each.points is None else round(each.points, 2),
            None if each.error is None else round(each.error, 2),
        ]
        for each in found
    ]
    return names, rows


def _part(value: float | None) -> str:
    return "" if value is None else CHANCE.text(value).rjust(6)
