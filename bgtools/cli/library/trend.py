"""``bgtools library trend``: how a player's rating went."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bgtools.cli import _terminal
from bgtools.cli.library._common import ForceOption, LibraryOption, opened, refuse, written
from bgtools.cli.library._output import LayoutOption, NameArgument, print_table
from bgtools.reports.pictures import PICTURE_ENDINGS

if TYPE_CHECKING:
    from bgtools.analysis.careers import Trend


def trend_command(
    name: NameArgument,
    library: LibraryOption = None,
    rolling: Annotated[
        int | None,
        typer.Option(min=1, help="Matches to a point, at most 60 points; without it a point is a month.", metavar="N"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write a picture instead: .svg, .png or .pdf.", metavar="FILE", show_default=False
        ),
    ] = None,
    force: ForceOption = False,
    layout: LayoutOption = "text",
) -> None:
    """Tell how a player's PR went, with 95% intervals.

    A change over time is told only where the matches tell it (a permutation test of what matches lost against their
    order). Matches whose day no record tells are left out, and counted. Exit status: 0 done, 2 there is no such player.
    """
    refuse(output, PICTURE_ENDINGS, force=force)
    with opened(library) as kept:
        trend = kept.trend(name, window=rolling)
    if output is not None:
        from bgtools.reports.careers.text import trend_picture
        from bgtools.reports.pictures import picture_bytes

        written(picture_bytes(trend_picture(trend), output.suffix.lower()), output, force=force)
    elif layout == "json":
        _terminal.say(_terminal.as_json({**asdict(trend), "sentence": trend.sentence}))
    else:
        _print(trend)


def _print(trend: Trend) -> None:
    from bgtools.findings.finding import printable
    from bgtools.reports.careers.text import engine_lines

    if trend.points:
        print_table(
            ("month" if trend.window is None else "until", "matches", "XG PR", "counted"),
            ((each.label, f"{each.matches:,}", each.pr.text(2), f"{each.pr.counted:,}") for each in trend.points),
        )
        _terminal.say(f"all: {trend.whole.text(2)}")
    _terminal.say(trend.sentence)
    if said := [f"{count:,} by {_SAYS[who]}" for who, count in trend.dates if who != "header" or len(trend.dates) > 1]:
        _terminal.say(f"days of matches: {', '.join(said)}")
    for line in engine_lines(trend.engines) if len(trend.engines) > 1 else ():
        _terminal.say(printable(line))
    if trend.undated == 1:
        _terminal.say("1 analysed match tells no day and is left out")
    elif trend.undated:
        _terminal.say(f"{trend.undated:,} analysed matches tell no day and are left out")


_SAYS: Final = {"header": "the record", "file name": "the name of the file", "given": "--date, when they were added"}
