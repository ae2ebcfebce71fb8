"""``bgtools library dice``: whether the dice were fair."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common, _terminal
from bgtools.cli.library._common import LibraryOption, opened
from bgtools.cli.library.sql import Layout
from bgtools.findings.finding import printable
from bgtools.findings.quantities import CHANCE, PROBABILITY
from bgtools.library.openings import Grouping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.analysis.dice import DiceRow
    from bgtools.library.openings import Fairness

_SIGNIFICANT = 0.05
_SHOWN = 20


def dice_command(
    library: LibraryOption = None,
    by: Annotated[
        Grouping,
        typer.Option(
            help="What rolls are tested together: all, or those of each player, place (such as a server), event, "
            "source (the format of the file) or folder."
        ),
    ] = "all",
    least: Annotated[int, typer.Option(min=1, help="From how many rolls on a group is tested.")] = 1000,
    layout: Annotated[
        Layout, typer.Option("--format", help="How to print it; all but the table give every test in full.")
    ] = "table",
) -> None:
    """Test whether the dice were fair.

    Four tests of each group: how often each number came (faces), each of the 21 rolls (pairs), doubles, and whether
    high rolls follow high ones (serial). Opening rolls and rolls from the bar that could dance are left out: people who
    write down a match at the table often write any roll for a dance. The chances are corrected for the number of tests,
    all groups together (Holm); a corrected one below .05 is significant. Each test also tells what it could see:
    the smallest bias that it shows four times in five. Exit status: 0 done, 1 there are too few rolls, 2 it
    could not be asked.
    """
    from bgtools.cli.library._output import print_rows

    with opened(library) as kept:
        found = kept.fairness(by, least=least)
        if not found.tests:
            _common.fail(f"no group of rolls has {least:,} or more; --least sets that", 1)
        if layout == "table":
            for line in _lines(found, by, least):
                _terminal.say(printable(line))
        else:
            names = [each.name for each in fields(found.tests[0]) if each.name != "player"]
            rows = [[getattr(row, name) for name in names] for row in found.tests]
            print_rows(["group" if name == "name" else name for name in names], rows, layout)


def _lines(found: Fairness, by: Grouping, least: int) -> Iterator[str]:
    from bgtools.reports.findings import few

    groups = [found.tests[at : at + _EACH] for at in range(0, len(found.tests), _EACH)]
    significant = [row for row in found.tests if row.corrected is not None and row.corrected < _SIGNIFICANT]
    unlikely = sum(row.chance is not None and row.chance < _SIGNIFICANT for row in found.tests)
    tests = len(found.tests)
    verdict = f"found {len(significant):,} unusual" if significant else "found nothing unusual"
    yield f"{tests:,} tests on {found.rolls:,} rolls {verdict} (after correction for {few(tests, 'test')})"
    yield (
        f"before the correction {_SIGNIFICANT * tests:,.1f} of them would be below {_SIGNIFICANT:g} by chance alone, "
        f"and {unlikely:,} {'is' if unlikely == 1 else 'are'}"
    )
    if found.left_out:
        yield f"{found.left_out:,} with fewer than {least:,} rolls left out"
    for row in significant[:_SHOWN]:
        chances = f"chance {_chance(row.chance)}, corrected {_chance(row.corrected)}"
        yield f"  {_whose(row, by)}: {row.test}, {chances}{_how(row)}"
    yield ""
    width = max(len(by), *(min(len(_whose(group[0], by)), _WIDEST) for group in groups))
    yield f"{by:<{width}}  {'rolls':>11}  {'faces':>7}  {'pairs':>7}  {'doubles':>7}  {'serial':>7}  seen from"
    for group in groups[:_SHOWN]:
        chances = "  ".join(f"{_chance(row.chance):>7}" for row in group)
        yield f"{_whose(group[0], by)[:_WIDEST]:<{width}}  {group[0].rolls:>11,}  {chances}  {_seen(group)}"
    if len(groups) > _SHOWN:
        yield f"and {len(groups) - _SHOWN:,} more; --format csv lists all"
    yield ""
    yield (
        "Chances are of a result as far off with fair dice, before the correction. Seen from: how often one number, "
        "and doubles, would have to come (16.7% with fair dice) for these tests to show it four times in five."
    )


_EACH = 4
_WIDEST = 40


def _whose(row: DiceRow, by: Grouping) -> str:
    return row.name or ("all rolls" if by == "all" else "(none named)")


def _how(row: DiceRow) -> str:
    if row.statistic is None or row.expected is None:
        return ""
    return f" ({row.statistic:.4g}, {row.expected:.4g} is expected)"


def _chance(value: float | None) -> str:
    if value is None:
        return ""
    return PROBABILITY.text(value) if value >= _LEAST_SHOWN else f"{value:.0e}" if value else "<1e-300"


_LEAST_SHOWN = 0.0005


def _seen(group: tuple[DiceRow, ...]) -> str:
    faces, doubles = (next(row.visible for row in group if row.test == name) for name in ("faces", "doubles"))
    return ", ".join("no bias" if each is None else CHANCE.text(each) for each in (faces, doubles))
