"""``bgtools diff``: where two records of one match are apart."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.comparison.difference import Comparison
    from bgtools.record.record import Match

Layout = Literal["full", "concise", "json", "html"]
"""How differences are printed."""


def diff_command(
    a: Annotated[str, typer.Argument(help="A record; - is standard input.", metavar="A")],
    b: Annotated[str, typer.Argument(help="Another record of the match, in any format.", metavar="B")],
    layout: Annotated[Layout, typer.Option("--format", help="How to print differences.")] = "full",
    analysis: Annotated[
        bool, typer.Option("--analysis", help="Compare the analyses that both records hold as well.")
    ] = False,
    tolerance: Annotated[
        float, typer.Option(help="With --analysis: how far two equities may be apart.", min=0, metavar="POINTS")
    ] = 0.005,
    stat: Annotated[bool, typer.Option("--stat", help="Print only how many differences there are, by kind.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board before each difference.")] = False,
) -> None:
    """Compare two records of one match, in any two formats.

    Games are aligned by what was rolled and played in them, turns by dice, play and player, so that one slip is one
    difference and what follows it is none. How something is spelled, in which column a player stands, and what only one
    of the formats has a place for, is not a difference. Each difference has its place in either file, what each says,
    and which of the two the rules and the rest of the record support.

    Exit status: 0 no differences, 1 differences, also where the records are not of one match, 2 a file could not be
    read, 130 interrupted.
    """
    if a == b == "-":
        _common.fail("only one of the two records can be standard input")
    if stat and layout in ("json", "html"):
        _common.fail(f"--stat cannot be printed as {layout}; use full or concise")
    read = [_common.matches_or_report(path) for path in (a, b)]
    if read[0] is None or read[1] is None:
        raise typer.Exit(2)
    comparisons, alone = _compared(read[0], read[1], tolerance if analysis else None)
    _print(comparisons, layout, stat=stat, boards=boards)
    for name, match in alone:
        _common.print_error(f"{name} has no match such as {' - '.join(match.players)}")
    raise typer.Exit(int(bool(alone) or any(each.differences for each in comparisons)))


def _compared(
    one: Sequence[Match], two: Sequence[Match], tolerance: float | None
) -> tuple[list[Comparison], list[tuple[str, Match]]]:
    """The matches of two files compared, and those that only one file has, with the name of the other file."""
    from bgtools.comparison.comparing import TOLERANCE, compare

    def against(a: Match, b: Match) -> Comparison:
        return compare(a, b, analysis=tolerance is not None, tolerance=TOLERANCE if tolerance is None else tolerance)

    if len(one) == len(two) == 1:
        return [against(one[0], two[0])], []
    left, found = list(two), []
    alone: list[tuple[str, Match]] = []
    for match in one:
        best = next((done for other in left if (done := against(match, other)).is_one_match), None)
        if best is None:
            alone.append(("the second file", match))
            continue
        found.append(best)
        left = [other for other in left if other.source is not best.b.source or other.games != best.b.games]
    return found, [*alone, *(("the first file", match) for match in left)]


def _print(comparisons: Sequence[Comparison], layout: Layout, *, stat: bool, boards: bool) -> None:
    """Print what was found."""
    from bgtools.reports.comparison_text import (
        concise_difference,
        difference_data,
        difference_lines,
        differences_page,
        summary_of,
    )

    if stat:
        _terminal.say(summary_of(comparisons))
        return
    if layout == "html":
        _terminal.put_data(differences_page(comparisons))
        return
    if layout == "json":
        data = [difference_data(each, difference) for each in comparisons for difference in each.differences]
        _terminal.say(_terminal.as_json(data))
        return
    colour = _terminal.shows_colour(sys.stdout)
    paint = _common.paint if colour else lambda text, _role: text
    width = min(shutil.get_terminal_size((_terminal.WIDTH, 24)).columns, _terminal.WIDTH)
    for comparison in comparisons:
        for difference in comparison.differences:
            if layout == "concise":
                _terminal.say(concise_difference(comparison, difference))
                continue
            for line in difference_lines(comparison, difference, width, paint, boards=boards):
                _terminal.say(line)
            _terminal.say()
    _terminal.say(summary_of(comparisons), err=True)
