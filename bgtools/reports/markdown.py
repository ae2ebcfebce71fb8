"""A report as Markdown, for a forum: tables, the worst decisions with their IDs, and the pictures beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.findings.quantities import EQUITY
from bgtools.reports import summary
from bgtools.reports.decision_text import decision_text, shown_loss, worst
from bgtools.reports.document import DataTable, markdown_code, markdown_table, markdown_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match

MARKDOWN: Final = "report.md"
"""The name of the file in the folder of a report."""

WORST: Final = 5
"""How many decisions are told, each with its board."""

_CHOICES: Final = 4
_CHARTS: Final = {
    "luck.png": "Cumulative luck",
    "chance.png": "Match winning chance",
    "errors.png": "Equity given away by errors",
    "pips.png": "Pip counts",
}


def board_name(number: int) -> str:
    """The file of the board of one of the worst decisions, counted from 1."""
    return f"error-{number}.png"


def markdown_of(
    analysis: Analysis,
    match: Match | None = None,
    findings: Sequence[Finding] = (),
    comparison: EngineComparison | None = None,
    *,
    files: Iterable[str] = (),
    player: int | None = None,
) -> str:
    """The text of ``report.md``.

    Args:
        analysis: the figures.
        match: the record, for its header.
        findings: what `bgtools.check` found; they are counted.
        comparison: what several engines say, of which ``analysis`` is the first's.
        files: the pictures that stand beside.
        player: whose errors are told, 0 or 1; None for both.
    """
    parts = [
        f"# {markdown_text(summary.heading(analysis))}",
        *_head(analysis, match, comparison),
        *_totals(analysis, comparison),
    ]
    parts += [
        "## Games",
        markdown_table(summary.games_table(analysis, comparison)),
        *_worst(analysis, set(files), player),
    ]
    shown = [f"![{title}]({name})" for name, title in _CHARTS.items() if name in set(files)]
    if shown:
        parts += ["## The course of the match", *shown]
    for name, each in summary.by_engine(analysis, comparison):
        parts += [
            markdown_text(name + (": " if name else "") + summary.conventions_line(each)),
            *map(markdown_text, each.notes),
        ]
    if findings:
        count = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
        parts.append(f"`bgtools check` has {count} about the record.")
    return "\n\n".join(parts) + "\n"


def _head(analysis: Analysis, match: Match | None, comparison: EngineComparison | None) -> Iterator[str]:
    """What the record says of the match, and who had the luck."""
    known = {} if match is None else {tag.key.casefold(): tag.value for tag in match.tags}
    facts = [known[name] for name in ("event", "round", "place", "site", "eventdate", "date") if known.get(name)]
    if facts:
        # A number or sign at the start of the line would begin a list.
        yield re.sub(r"^(\d*)([-+=.)])", r"\1\\\2", markdown_text(" · ".join(facts)))
    for name, each in summary.by_engine(analysis, comparison):
        if told := summary.sentence(each):
            yield f"**{markdown_text(f'{name}: {told}' if name else told)}**"


def _totals(analysis: Analysis, comparison: EngineComparison | None) -> Iterator[str]:
    if not analysis.conventions.engine:
        return
    for name, each in summary.by_engine(analysis, comparison):
        yield f"## Strength and luck{f' by {markdown_text(name)}' if name else ''}"
        yield markdown_table(summary.totals_table(each))


def _worst(analysis: Analysis, files: set[str], player: int | None) -> Iterator[str]:
    """The decisions worth most, each with its board, the reason, the choices and the position."""
    rows = worst(analysis.decisions, player)
    if not rows:
        return
    yield f"## The {WORST} decisions worth most of {len(rows)} errors" if len(rows) > WORST else "## Errors"
    for number, row in enumerate(rows[:WORST], 1):
        game = analysis.games[row.game - 1].number or row.game
        roll = f" {row.dice}" if row.dice else ""
        yield f"### {number}. Game {game}, row {row.row}: {markdown_text(row.name)}{roll}"
        if board_name(number) in files:
            yield f"![The board of decision {number}]({board_name(number)})"
        # A play holds signs that Markdown takes for its own.
        reason = f" {markdown_text(row.sentence[:1].upper() + row.sentence[1:])}." if row.sentence else ""
        yield f"{markdown_code(decision_text(row))}.{reason}"
        yield from _choices(row)
        yield markdown_code(row.xgid)


def _choices(row: DecisionRow) -> Iterator[str]:
    shown = [choice for number, choice in enumerate(row.choices) if number < _CHOICES or choice.made]
    if shown:
        played = " played" if row.kind == "checker play" else ""
        cells = [
            [
                markdown_code(each.choice, in_table=True) + played * each.made,
                EQUITY.text(each.equity),
                shown_loss(each.loss),
            ]
            for each in shown
        ]
        yield markdown_table(DataTable("Choices", ("choice", "equity", "loss"), cells), written=True)
