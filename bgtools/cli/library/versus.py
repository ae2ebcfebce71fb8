"""``bgtools library versus``: two players against each other."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _terminal
from bgtools.cli.library._common import ForceOption, LibraryOption, opened, refuse, written
from bgtools.cli.library._output import PAGE, LayoutOption, print_table
from bgtools.reports.pictures import PICTURE_ENDINGS

if TYPE_CHECKING:
    from bgtools.analysis.careers import Versus


def versus_command(
    first: Annotated[str, typer.Argument(help="A name of one player, in any case.", metavar="NAME")],
    second: Annotated[str, typer.Argument(help="A name of the other.", metavar="NAME")],
    library: LibraryOption = None,
    most: Annotated[int, typer.Option(min=0, help="List so many matches at most, the last ones; 0 for all.")] = 20,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write a page (.html), or a picture of both ratings (.svg, .png, .pdf).",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    layout: LayoutOption = "text",
) -> None:
    """Tell how two players did against each other.

    Matches won, PR with 95% intervals, luck, the luck-adjusted results, and the matches. Who played better is said
    only where the matches tell. Exit status: 0 done, 2 one of them is not there, or they have not met.
    """
    refuse(output, (PAGE, *PICTURE_ENDINGS), force=force)
    with opened(library) as kept:
        versus = kept.versus(first, second, most=most or None)
    if output is not None:
        written(_content(versus, output.suffix.lower()), output, force=force)
        return
    if layout == "json":
        _terminal.say(_terminal.as_json(asdict(versus)))
        return
    from bgtools.findings.finding import printable
    from bgtools.reports.careers.text import meetings_table, versus_lines

    for line in versus_lines(versus):
        _terminal.say(printable(line))
    _terminal.say()
    heads, rows = meetings_table(versus)
    print_table([*map(printable, heads)], ([*map(printable, row)] for row in rows))
    if versus.left_out:
        _terminal.say(f"and {versus.left_out:,} earlier; --most 0 lists all", err=True)


def _content(versus: Versus, ending: str) -> bytes:
    from bgtools.reports.careers.text import versus_picture
    from bgtools.reports.pictures import picture_bytes
    from bgtools.site.alone import versus_page

    return versus_page(versus) if ending == PAGE else picture_bytes(versus_picture(versus), ending)
