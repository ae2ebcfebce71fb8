"""The page of a player: one file to look at in a browser, without a network and without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.findings.quantities import PR, PROBABILITY
from bgtools.reports.careers.text import (
    career_lines,
    career_picture,
    meetings_table,
    method_lines,
    standing_lines,
    tables_of,
    trend_picture,
    versus_lines,
    versus_picture,
)
from bgtools.reports.document import Bullets, DataTable, Drawing, Paragraph, Section
from bgtools.reports.findings import few
from bgtools.reports.page.writing import framed_page
from bgtools.reports.sheets.writing import cards_section

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.careers import Career, FieldComparison, Trend, Versus
    from bgtools.reports.document import Block


def career_page(career: Career, trend: Trend) -> str:
    """The page of a player.

    The page shows what records say as text only, and may run, load and send nothing.

    Args:
        career: their figures.
        trend: how their rating went.
    """
    name = career.summary.name
    title, *lines = career_lines(career)
    return framed_page(
        title,
        [
            Paragraph(name, level=1),
            Paragraph(title.removeprefix(f"{name}: "), "lead"),
            *map(Paragraph, lines),
            Section("Beside the field", list(_field(career.standings))),
            *_worst(career.worst),
            *_course(career, trend),
            Section("All sorts", list(_tables(career)), "tables"),
            Section("About these figures", [Paragraph(line, "quiet") for line in method_lines(career)]),
        ],
    )


def versus_page(versus: Versus) -> str:
    """The page of two players against each other; like `career_page` it may run, load and send nothing."""
    title, *lines = versus_lines(versus)
    heads, rows = meetings_table(versus)
    heading = " and ".join(versus.names)
    rated = any(each.counted for each in versus.pr)
    note = f"and {versus.left_out:,} earlier" if versus.left_out else ""
    return framed_page(
        title,
        [
            Paragraph(heading, level=1),
            Paragraph(title.removeprefix(f"{heading}: "), "lead"),
            *map(Paragraph, lines),
            *([Section("Ratings", [Drawing(versus_picture(versus))])] if rated else []),
            Section("Matches", [DataTable("Matches", heads, rows, note)]),
        ],
    )


def _field(standings: Sequence[FieldComparison]) -> Iterator[Block]:
    lines = list(standing_lines(standings))
    if any(each.verdict for each in standings):
        yield Bullets(lines)
    else:
        yield from map(Paragraph, lines)
    if standings:
        heads = ("sort", "their PR", "the field's", "decisions", "chance", "corrected")
        rows = tuple(
            (
                each.value, PR.text(each.pr), PR.text(each.field_pr), f"{each.decisions:,}",
                PROBABILITY.text(each.chance), PROBABILITY.text(each.corrected),
            )
            for each in standings
        )  # fmt: skip
        table = DataTable("All that was compared with the field", heads, rows)
        yield Section("All that was compared", [table], "folded")


def _worst(worst: Sequence[Blunder]) -> Iterator[Block]:
    if worst:
        heading = few(len(worst), "decision") if len(worst) > 1 else "decision"
        yield cards_section(f"Their worst {heading}", worst)


def _course(career: Career, trend: Trend) -> Iterator[Block]:
    if career.summary.pr.counted:
        way: list[Block] = [Drawing(trend_picture(trend)), Paragraph(trend.sentence)] if trend.points else []
        yield Section("Pictures", [*way, Drawing(career_picture(career))])


def _tables(career: Career) -> Iterator[Block]:
    for table in tables_of(career):
        title = f"By {table.title}"
        found = DataTable(title, table.heads, table.rows, table.note)
        yield Section("", [Paragraph(title, level=3), found])
