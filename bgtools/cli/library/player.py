"""``bgtools library player``: one player over all their matches."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _terminal
from bgtools.cli.library._common import ForceOption, LibraryOption, opened, refuse, written
from bgtools.cli.library._output import PAGE, LayoutOption, NameArgument, print_table, worst_data
from bgtools.reports.pictures import PICTURE_ENDINGS

if TYPE_CHECKING:
    from bgtools.analysis.careers import Career


def player_command(
    name: NameArgument,
    library: LibraryOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write a page (.html), or a picture of PR by sort (.svg, .png, .pdf).",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=0, help="Months, events, opponents, lengths and themes at most; 0 for all.")
    ] = 12,
    top: Annotated[int, typer.Option(min=0, help="How many of the worst decisions.")] = 10,
    force: ForceOption = False,
    layout: LayoutOption = "text",
) -> None:
    """Tell everything about a player: PR by month, event, opponent and sort of decision, luck, strengths.

    "bgtools library player Ann -o ann.html" makes a page. Strengths and weaknesses are told against the field,
    everybody else in the library, by a permutation test over matches whose chances are corrected for the number of
    comparisons (Holm); where the figures do not tell, nothing is said. Exit status: 0 done, 2 there is no such player.
    """
    refuse(output, (PAGE, *PICTURE_ENDINGS), force=force)
    with opened(library) as kept:
        career = kept.player(name, most=most or None, top=top)
        if output is not None:
            written(_content(career, kept, output.suffix.lower()), output, force=force)
            return
    if layout == "json":
        told = asdict(replace(career, worst=()))
        _terminal.say(_terminal.as_json({**told, "worst": worst_data(career.worst)}))
    else:
        _print(career)


def _content(career: Career, kept: object, ending: str) -> bytes:
    from bgtools.library.library import Library
    from bgtools.reports.careers.text import career_picture
    from bgtools.reports.pictures import picture_bytes
    from bgtools.site.alone import career_page

    assert isinstance(kept, Library)
    if ending == PAGE:
        return career_page(career, kept.trend(career.summary.name))
    return picture_bytes(career_picture(career), ending)


def _print(career: Career) -> None:
    from bgtools.findings.finding import printable
    from bgtools.reports.careers.text import career_lines, method_lines, standing_lines, tables_of
    from bgtools.reports.sheets.writing import command_of, said_of_blunder

    for line in career_lines(career):
        _terminal.say(printable(line))
    for table in tables_of(career):
        _terminal.say()
        print_table(table.heads, table.rows)
        if table.note:
            _terminal.say(table.note)
    if career.summary.pr.counted:
        _terminal.say()
        for line in standing_lines(career.standings):
            _terminal.say(printable(line))
    for number, blunder in enumerate(career.worst, 1):
        _terminal.say()
        for line in said_of_blunder(blunder, number):
            _terminal.say(line)
        _terminal.say(f"   {printable(command_of(blunder))}")
    _terminal.say()
    for line in method_lines(career):
        _terminal.say(printable(line))
