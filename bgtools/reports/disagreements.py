"""Where engines disagree, as a report prints and writes it."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from rich.text import Text

from bgtools.analysis.errors import NOTHING
from bgtools.findings.finding import printable
from bgtools.reports.columns import Column, cells_of
from bgtools.reports.grid import StackingTable
from bgtools.reports.table_files import encode, writer
from bgtools.reports.table_kinds import TABLES

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from bgtools.analysis.comparison import Disagreement, EngineComparison
    from bgtools.reports.columns import ColumnType

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
