"""What a report tells besides ratings: counts, break-downs and dice, on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from rich.text import Text

from bgtools.analysis.breakdowns import in_order
from bgtools.findings.finding import printable
from bgtools.reports.grid import StackingTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from bgtools.analysis.breakdowns import BreakdownRow
    from bgtools.analysis.counts import Counts
    from bgtools.analysis.totals import Analysis

_COUNTS: Final[tuple[tuple[str, Callable[[Counts], str]], ...]] = (
    ("games won, gammons, backgammons", lambda it: f"{it.won}, {it.gammons}, {it.backgammons}"),
    ("rolls, doubles", lambda it: f"{it.rolls}, {it.doubles_rolled}"),
    ("dances, blocked", lambda it: f"{it.dances}, {it.blocked}"),
    ("hits, times hit", lambda it: f"{it.hits}, {it.times_hit}"),
    ("checkers entered", lambda it: f"{it.entries}"),
    ("pips rolled", lambda it: f"{it.pips_rolled}"),
    ("pips of a roll", lambda it: f"{it.pips_rolled / it.rolls:.2f}" if it.rolls else "-"),
    ("pips unused, beyond when bearing off", lambda it: f"{it.pips_unused}, {it.pips_beyond}"),
    ("pips lost to hits", lambda it: f"{it.pips_lost}"),
    ("doubles, redoubles", lambda it: f"{it.doubles}, {it.redoubles}"),
    ("takes, beavers, passes", lambda it: f"{it.takes}, {it.beavers}, {it.passes}"),
)

SHOWN: Final = ("phase", "cube", "crawford", "score", "opening play")
"""The dimensions that the terminal shows; ``breakdown.csv`` has all of them."""


def counts_table(analysis: Analysis) -> Table:
    """What was counted, a column per player."""
    table = _table("columns", "", *(printable(name) for name in analysis.match.players))
    for title, cell in _COUNTS:
        table.add_row(title, *(cell(total.counts) for total in analysis.players))
    return table


def breakdown_table(analysis: Analysis) -> Table:
    """Counts of decisions by phase, cube, score and opening; with an engine also their errors and the luck."""
    engine = bool(analysis.conventions.engine)
    names = [printable(name) for name in analysis.match.players]
    titles = ("decisions", "mEMG lost", "PR", "luck") if engine else ("decisions",)
    table = _table("rows", "", "", *(title for _ in names for title in titles))
    table.alone = ["", "", *(f"{name}, {title}" for name in names for title in titles)]
    if engine:
        table.caption_alone = "mEMG lost a decision, luck in EMG"
        table.caption = f"left {names[0]}, right {names[1]}; mEMG lost a decision, luck in EMG"
        table.caption_justify, table.caption_style = "left", "dim"
    by_key = {(row.player, row.dimension, row.value): row for row in analysis.breakdowns}
    for dimension in SHOWN:
        values = {row.value for row in analysis.breakdowns if row.dimension == dimension}
        for number, value in enumerate(in_order(values)):
            cells = [cell for player in (0, 1) for cell in _cells(by_key.get((player, dimension, value)), engine)]
            table.add_row(dimension if not number else "", Text(value), *cells)
    return table


def _cells(row: BreakdownRow | None, engine: bool) -> tuple[str, ...]:
    if not engine:
        return (str(row.decisions) if row else "-",)
    if row is None:
        return ("-",) * 4
    return (
        str(row.decisions),
        "-" if row.error_rate is None else f"{row.error_rate:.1f}",
        "-" if row.xg_pr is None else f"{row.xg_pr:.1f}",
        "-" if row.luck is None else f"{row.luck:+.2f}",
    )


def dice_sentence(analysis: Analysis) -> str:
    """What the tests of the dice say."""
    return f"Dice: {printable(analysis.dice.sentence)}" if analysis.dice else ""


def _table(stack: Literal["rows", "columns"], *titles: str) -> StackingTable:
    table = StackingTable(stack=stack, heads=2, gap=3)
    for number, title in enumerate(titles):
        table.add_column(Text(title), justify="right" if number and title else "left", no_wrap=not title)
    return table
