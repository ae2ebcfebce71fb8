"""Tables of a report beside ratings: counts, break-downs, dice, and where engines disagree."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal

from rich.text import Text

from bgtools.analysis.breakdowns import in_order
from bgtools.analysis.errors import NOTHING
from bgtools.findings.finding import printable
from bgtools.reports.columns import Column, cells_of
from bgtools.reports.grid import StackingTable
from bgtools.reports.table_files import encode, writer
from bgtools.reports.table_kinds import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.table import Table

    from bgtools.analysis.breakdowns import BreakdownRow
    from bgtools.analysis.comparison import Disagreement, EngineComparison
    from bgtools.analysis.counts import Counts
    from bgtools.analysis.totals import Analysis
    from bgtools.reports.columns import ColumnType


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

_DIMENSIONS: Final = ("phase", "cube", "crawford", "score", "opening play")
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
    for dimension in _DIMENSIONS:
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


SHOWN: Final = 15
"""How many decisions the terminal shows: those on which the engines differ most."""


def disagreements_table(comparison: EngineComparison) -> Table:
    """The decisions on which engines differ most, in the order of the match, with every engine's choice."""
    table = StackingTable(stack="rows", heads=2)
    table.add_column("game", justify="right", no_wrap=True)
    table.add_column("turn", justify="right", no_wrap=True)
    for title in ("player", "", "played"):
        table.add_column(title)
    table.add_column("differ", justify="right", no_wrap=True)
    for engine in comparison.engines:
        table.add_column(Text(f"{printable(engine)}\nbest"))
        table.add_column("\nlost", justify="right", no_wrap=True)
    names = (f"{printable(engine)} {what}" for engine in comparison.engines for what in ("best", "lost"))
    table.alone = ["game", "turn", "player", "", "played", "differ", *names]
    for each in shown(comparison):
        row = each.row
        games = comparison.analyses[0].games
        cells = [
            str(games[row.game - 1].number or row.game),
            str(row.turn),
            printable(row.name),
            row.dice,
            row.played,
            _loss(each.difference),
        ]
        for verdict in each.verdicts:
            same = verdict.best == row.played if verdict.loss is None else verdict.loss <= NOTHING
            cells += [_SAME if same else verdict.best, _loss(verdict.loss)]
        table.add_row(*map(Text, cells))
    return table


_SAME: Final = "="
"""Stands in place of an engine's best choice where that is what was played."""


def _loss(loss: float | None) -> str:
    return "-" if loss is None else f"{loss:.3f}"


def shown(comparison: EngineComparison) -> list[Disagreement]:
    """The disagreements with the largest differences, in the order of the match."""
    largest = sorted(comparison.disagreements, key=lambda each: -each.difference)[:SHOWN]
    kept = {(each.row.game, each.row.entry, each.row.kind) for each in largest}
    return [each for each in comparison.disagreements if (each.row.game, each.row.entry, each.row.kind) in kept]


def headline(comparison: EngineComparison) -> str:
    """On how many decisions the engines disagree."""
    many, compared = len(comparison.disagreements), comparison.compared
    judged = "decision that they have judged" if compared == 1 else "decisions that they have judged"
    if not compared:
        return "The engines have judged no decision in common."
    if not many:
        return f"The engines agree within {comparison.threshold:g} EMG on the {compared} {judged}."
    text = f"The engines differ by more than {comparison.threshold:g} EMG on {many} of the {compared} {judged}"
    text += ", in what was lost or in what the other's best choice would lose"
    most = f"; here are the {SHOWN} on which they differ most" if many > SHOWN else ""
    return f"{text}{most} ({_SAME} as played):"


# --- as CSV ---------------------------------------------------------------------------------

_WHOSE: Final = ("game", "turn", "player", "name", "kind", "score", "opponent_score", "cube", "cube_owner", "dice")
_WHERE: Final = ("xgid", "played")


def columns(comparison: EngineComparison) -> tuple[Column, ...]:
    """The columns of a disagreement: its decision, the difference, and three for each engine."""
    known = {column.name: column for column in TABLES["decisions"].columns}
    decision = [
        replace(known[name], part=0, steps=(attrgetter("row"), *known[name].steps)) for name in (*_WHOSE, *_WHERE)
    ]
    difference = Column("difference", "float", False, "", (), 0, (attrgetter("difference"),), "Disagreement.difference")
    about = Column("about", "text", False, "", (), 0, (attrgetter("about"),), "Disagreement.about")
    verdicts = [
        Column(f"{engine}_{name}", kind, kind == "float", "", (), number, (attrgetter(name),), f"Verdict.{name}")
        for number, engine in enumerate(comparison.engines, 1)
        for name, kind in _VERDICT
    ]
    return (*decision, difference, about, *verdicts)


_VERDICT: Final[tuple[tuple[str, ColumnType], ...]] = (("best", "text"), ("loss", "float"), ("depth", "text"))


def write_csv(comparison: EngineComparison, path: Path) -> None:
    """Write a row for every decision on which engines disagree.

    Raises:
        OSError: the disk refuses.
    """
    held = columns(comparison)
    rows = cells_of(held, ((each, *each.verdicts) for each in comparison.disagreements))
    with path.open("wb") as stream:
        file = writer("csv", "decisions", held, stream)
        file.add(encode("csv", held, rows))
        file.close()
