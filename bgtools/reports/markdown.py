"""A report as Markdown, for a forum: tables, the worst decisions with their IDs, and the pictures beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.findings.finding import printable
from bgtools.reports import summary
from bgtools.reports.decision_text import decision_text, worst

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
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
"""Characters that mean something in Markdown or in the dialects of forums."""


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
        f"# {_text(summary.heading(analysis))}",
        *_head(analysis, match, comparison),
        *_totals(analysis, comparison),
    ]
    parts += ["## Games", *_games(analysis, comparison), *_worst(analysis, set(files), player)]
    shown = [f"![{title}]({name})" for name, title in _CHARTS.items() if name in set(files)]
    if shown:
        parts += ["## The course of the match", *shown]
    for name, each in summary.by_engine(analysis, comparison):
        parts += [_text(name + (": " if name else "") + summary.conventions_line(each)), *map(_text, each.notes)]
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
        yield re.sub(r"^(\d*)([-+=.)])", r"\1\\\2", _text(" · ".join(facts)))
    for name, each in summary.by_engine(analysis, comparison):
        if told := summary.sentence(each):
            yield f"**{_text(f'{name}: {told}' if name else told)}**"


def _totals(analysis: Analysis, comparison: EngineComparison | None) -> Iterator[str]:
    if not analysis.conventions.engine:
        return
    for name, each in summary.by_engine(analysis, comparison):
        yield f"## Strength and luck{f' by {_text(name)}' if name else ''}"
        rows = [
            [title.replace("  ", "↳ ", 1), *(" ".join(cell.split()) for cell in cells)]
            for title, cells in summary.totals_rows(each)
        ]
        yield _table(["", *each.match.players], rows)


def _games(analysis: Analysis, comparison: EngineComparison | None) -> Iterator[str]:
    heads, rows = summary.games_rows(analysis, comparison)
    yield _table([" ".join(head.split()) for head in heads], [[" ".join(cell.split()) for cell in row] for row in rows])
    if any(game.crawford for game in analysis.games):
        yield _text(summary.CRAWFORD)


def _worst(analysis: Analysis, files: set[str], player: int | None) -> Iterator[str]:
    """The decisions worth most, each with its board, the reason, the choices and the position."""
    rows = worst(analysis.decisions, player)
    if not rows:
        return
    yield f"## The {WORST} decisions worth most of {len(rows)} errors" if len(rows) > WORST else "## Errors"
    for number, row in enumerate(rows[:WORST], 1):
        game = analysis.games[row.game - 1].number or row.game
        roll = f" {row.dice}" if row.dice else ""
        yield f"### {number}. Game {game}, turn {row.turn}: {_text(row.name)}{roll}"
        if board_name(number) in files:
            yield f"![The board of decision {number}]({board_name(number)})"
        # A play holds signs that Markdown takes for its own.
        reason = f" {_text(row.sentence[:1].upper() + row.sentence[1:])}." if row.sentence else ""
        yield f"{_code(decision_text(row))}.{reason}"
        yield from _choices(row)
        yield _code(row.xgid)


def _choices(row: DecisionRow) -> Iterator[str]:
    shown = [choice for number, choice in enumerate(row.choices) if number < _CHOICES or choice.made]
    if shown:
        cells = [
            [
                _code(each.choice, in_table=True) + (" played" if each.made and row.kind == "checker play" else ""),
                f"{each.equity:+.3f}",
                f"{-each.loss:+.3f}" if each.loss else "",
            ]
            for each in shown
        ]
        yield _table(["choice", "equity", "loss"], cells, written=True)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, written: bool = False) -> str:
    """A table; ``written`` says that its cells are Markdown already."""
    body = [list(row) if written else list(map(_text, row)) for row in rows]
    lines = [list(map(_text, heads)), ["---", *(["---:"] * (len(heads) - 1))], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    """A text of a record as Markdown that shows it as it is."""
    return _SPECIAL.sub(r"\\\1", printable(text))


def _code(text: str, *, in_table: bool = False) -> str:
    """A text as code, whatever it holds."""
    shown = printable(text)
    marks = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    space = " " if "`" in shown else ""
    code = f"{marks}{space}{shown or ' '}{space}{marks}"
    # A bar would end the cell, even in code.
    return code.replace("|", r"\|") if in_table else code
