"""``bgtools library versus``: two players against each other."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _terminal
from bgtools.cli.library._common import LibraryOption, opened
from bgtools.cli.library._people import LayoutOption, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.analysis import Versus


def versus_command(
    first: Annotated[str, typer.Argument(help="A name of one player, in any case.", metavar="NAME")],
    second: Annotated[str, typer.Argument(help="A name of the other.", metavar="NAME")],
    library: LibraryOption = None,
    most: Annotated[int, typer.Option(min=0, help="List so many matches at most, the last ones; 0 for all.")] = 20,
    layout: LayoutOption = "text",
) -> None:
    """Tell how two players did against each other.

    Matches won, PR with 95 % intervals, luck, the luck-adjusted results, and the matches. Who played better is said
    only where the matches tell. Exit status: 0 done, 2 one of them is not there, or they have not met.
    """
    with opened(library) as kept:
        versus = kept.versus(first, second, most=most or None)
    if layout == "json":
        _terminal.say(_terminal.as_json(asdict(versus)))
        return
    from bgtools.reports import printable, versus_lines

    for line in versus_lines(versus):
        _terminal.say(printable(line))
    _terminal.say()
    one, other = map(printable, versus.names)
    print_table(("match", "length", "score", "won by", f"PR of {one}", f"PR of {other}"), _rows(versus))
    if versus.left_out:
        _terminal.say(f"and {versus.left_out:,} earlier; --most 0 lists all", err=True)


def _rows(versus: Versus) -> Iterator[tuple[str, ...]]:
    from bgtools.reports import printable

    for each in versus.meetings:
        where = " ".join(part for part in (each.date, each.event) if part) or each.path
        yield (
            where,
            f"{each.length}" if each.length else "money",
            f"{each.points[0]}-{each.points[1]}",
            "" if each.won is None else printable(versus.names[each.won]),
            *("-" if pr is None else f"{pr:.2f}" for pr in each.pr),
        )
