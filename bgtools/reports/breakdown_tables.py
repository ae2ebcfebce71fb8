"""Tables of a report beside ratings: counts, break-downs, dice, and where engines disagree."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Final

from bgtools.analysis.breakdowns import in_order
from bgtools.analysis.errors import NOTHING
from bgtools.findings.finding import printable
from bgtools.findings.quantities import LOST, LUCK_SUM, MEAN, PR
from bgtools.reports.columns import Column, cells_of
from bgtools.reports.document import DataTable
from bgtools.reports.table_files import encode, writer
from bgtools.reports.table_kinds import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
    ("pips of a roll", lambda it: MEAN.text(it.pips_rolled / it.rolls if it.rolls else None)),
    ("pips unused, beyond when bearing off", lambda it: f"{it.pips_unused}, {it.pips_beyond}"),
    ("pips lost to hits", lambda it: f"{it.pips_lost}"),
    ("doubles, redoubles", lambda it: f"{it.doubles}, {it.redoubles}"),
    ("takes, beavers, passes", lambda it: f"{it.takes}, {it.beavers}, {it.passes}"),
)

_DIMENSIONS: Final = ("decision", "phase", "cube", "crawford", "score", "reason", "opening play")
"""The dimensions that reports show; ``breakdown.csv`` has all of them."""


def counts_table(analysis: Analysis) -> DataTable:
    """What was counted, a column per player."""
    rows = [(title, *(cell(total.counts) for total in analysis.players)) for title, cell in _COUNTS]
    names = map(printable, analysis.match.players)
    return DataTable("Counts", ("", *names), rows, stack="columns", gap=3, group=2)


def breakdown_table(analysis: Analysis) -> DataTable:
    """Counts of decisions by phase, cube, score and opening; with an engine also their errors and the luck."""
    engine = bool(analysis.conventions.engine)
    names = [printable(name) for name in analysis.match.players]
    titles = ("decisions", "EMG lost", "PR", "luck") if engine else ("decisions",)
    rows = []
    for dimension, found in groupby(breakdown_rows(analysis), key=itemgetter(0)):
        for number, (_, value, both) in enumerate(found):
            cells = [cell for row in both for cell in _cells(row, engine)]
            rows.append((dimension if not number else "", value, *cells))
    about = "; ".join(filter(None, ("luck in EMG", _about_the_score(analysis)))) if engine else ""
    return DataTable(
        "Break-down", ("", "", *(title for _ in names for title in titles)), rows,
        f"left {names[0]}, right {names[1]}; {about}" if engine else "", gap=3, text_at=(0, 1), group=2,
        alone=("", "", *(f"{name}, {title}" for name in names for title in titles)), note_alone=about or None,
    )  # fmt: skip


def _about_the_score(analysis: Analysis) -> str:
    """How many of each player's errors are none for money; empty where none is, or nothing was asked."""
    errors = [[row for row in analysis.decisions if row.error and row.player == player] for player in (0, 1)]
    about = [sum("score" in row.themes for row in some) for some in errors]
    if not any(about):
        return ""
    told = zip(analysis.match.players, about, errors, strict=True)
    each = [f"{number} of {len(some)} errors of {printable(name)}" for name, number, some in told if some]
    return f"right for money: {', '.join(each)}"


def breakdown_rows(analysis: Analysis) -> Iterator[tuple[str, str, tuple[BreakdownRow | None, BreakdownRow | None]]]:
    """Every sort of decisions that reports show: dimension, value, and the row of each player who has such."""
    by_key = {(row.player, row.dimension, row.value): row for row in analysis.breakdowns}
    for dimension in _DIMENSIONS:
        for value in in_order({row.value for row in analysis.breakdowns if row.dimension == dimension}):
            yield dimension, value, (by_key.get((0, dimension, value)), by_key.get((1, dimension, value)))


def _cells(row: BreakdownRow | None, engine: bool) -> tuple[str, ...]:
    if not engine:
        return (str(row.decisions) if row else "-",)
    if row is None:
        return ("-",) * 4
    return (str(row.decisions), LOST.text(row.loss), PR.text(row.xg_pr, 1), LUCK_SUM.text(row.luck))


def dice_sentence(analysis: Analysis) -> str:
    """What the tests of the dice say."""
    return f"Dice: {printable(analysis.dice.sentence)}" if analysis.dice else ""


SHOWN: Final = 15
"""How many decisions the terminal shows: those on which the engines differ most."""


def disagreements_table(comparison: EngineComparison) -> DataTable:
    """The decisions on which engines differ most, in the order of the match, with every engine's choice."""
    engines = [printable(engine) for engine in comparison.engines]
    games = comparison.analyses[0].games
    rows = []
    for each in shown(comparison):
        row = each.row
        number = str(games[row.game - 1].number or row.game)
        cells = [number, str(row.row), printable(row.name), row.dice, row.played, LOST.text(each.difference)]
        for verdict in each.verdicts:
            same = verdict.best == row.played if verdict.loss is None else verdict.loss <= NOTHING
            cells += [_SAME if same else verdict.best, LOST.text(verdict.loss)]
        rows.append(cells)
    first = ("game", "row", "player", "", "played", "differ")
    return DataTable(
        "Disagreements", (*first, *(head for engine in engines for head in (f"{engine}\nbest", "\nlost"))), rows,
        text_at=(2, 3, 4, *range(6, 6 + 2 * len(engines), 2)), group=2,
        alone=(*first, *(f"{engine} {what}" for engine in engines for what in ("best", "lost"))),
    )  # fmt: skip


_SAME: Final = "="
"""Stands in place of an engine's best choice where that is what was played."""


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

_WHOSE: Final = (
    "game", "turn", "row", "player", "name", "kind", "score", "opponent_score", "cube", "cube_owner", "dice",
)  # fmt: skip
_WHERE: Final = ("xgid", "played")


def columns(comparison: EngineComparison) -> tuple[Column, ...]:
    """The columns of a disagreement: its decision, the difference, and three for each engine."""
    known = {column.name: column for column in TABLES["decisions"].columns}
    decision = [
        replace(known[name], part=0, steps=(attrgetter("row"), *known[name].steps)) for name in (*_WHOSE, *_WHERE)
    ]
    difference = Column("difference", "float", "", False, (), 0, (attrgetter("difference"),), "Disagreement.difference")
    about = Column("about", "text", "", False, (), 0, (attrgetter("about"),), "Disagreement.about")
    verdicts = [
        Column(f"{engine}_{name}", kind, "", kind == "float", (), number, (attrgetter(name),), f"Verdict.{name}")
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
