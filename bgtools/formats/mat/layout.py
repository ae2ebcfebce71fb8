"""Match text: finding the rows of a game and the cells in them.

Cells are found by what begins a cell: dice, a cube word, a result word. Which player a cell belongs
to is told by where it begins, measured against the columns that the rows of the same game use. The
score line does not count, it is often wider than the rows, and neither does the number of blanks
between two cells, which can be one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from bgtools.source import Span

_CELL_START = re.compile(
    r"""(?<!\S)(?:
        \d\d:
      | \d\d(?=\ +(?:bar|\d{1,2})\*?/)
      | (?=[a-z])(?:
        (?:re)?doubles?\b | beavers?\b | rac?coons?\b | automatic(?:\ +doubles?)?\b
      | takes?\b | accept(?:s|ed)?\b | drop(?:s|ped)?\b | reject(?:s|ed)?\b | pass(?:es|ed)?\b | fold(?:s|ed)?\b
      | wins?\b | loss(?:es)?\b | loses?\b | resign(?:s|ed)?\b | concede[sd]?\b | forfeit(?:s|ed)?\b
        )
      | \?{2,}
    )""",
    re.VERBOSE | re.IGNORECASE,
)
# A row as nearly all programs write it: a number, then one or two cells with nothing but dice, groups
# and single blanks in them, so that a cell can begin nowhere else than where the dice stand.
_PLAIN_CELL = r"[0-9][0-9]:(?:(?: (?:[0-9]{1,2}|[Bb]ar)\*?/[0-9A-Za-z/*()]+)*| Cannot Move)"
_PLAIN_ROW = re.compile(rf" *([0-9]{{1,9}})\)( +)({_PLAIN_CELL})(?: +({_PLAIN_CELL}))? *")
_LABEL = re.compile(r"[ \t\u00a0]*(\d{1,9}|\d{0,9}\*)\)")
_INNER_LABEL = re.compile(r"(?<=\s)\d{1,3}\)(?=\s)")
_DICE = re.compile(r"\d\d:?$")
_WRITTEN = re.compile(r"\S")
# Behind bare dice these words say what became of the roll, so they belong to its cell.
_ENDS_A_ROLL = re.compile(r"\?{2,}|concede|resign|pass", re.IGNORECASE)
_BLANKS_WITHIN_CELL = 3
# Where no row of a game has two cells: a left cell begins this close behind the row's number.
_LEFT_GAP = 6
_LEFT_COLUMN = 16


class RawCell(NamedTuple):
    """The text of a cell with its place in the source; ``column`` counts from the row's first character."""

    text: str
    span: Span
    column: int


@dataclass(slots=True)
class Row:
    """One row: ``number`` is None where the line has none (a result below the last row) or a star."""

    number: int | None
    label: Span | None
    cells: list[RawCell]
    stray: list[Span]
    first_gap: int = 0
    """Blanks between the row's number, or the beginning of the line, and the first cell."""


def label_of(line: str) -> re.Match[str] | None:
    """The ``12)`` that begins a row."""
    return _LABEL.match(line)


def begins_with_cell(line: str, at: int = 0) -> bool:
    """Whether the first thing on a line, or behind a place in it, is a cell, as in a result line."""
    first = _WRITTEN.search(line, at)
    return first is not None and _CELL_START.match(line, first.start()) is not None


def rows_of_line(line: str, offset: int) -> list[Row]:
    """Cut a line into rows: one, or more where a row number stands inside the line.

    Args:
        line: the text without its line end.
        offset: where the line begins in the source.
    """
    if line.count(")") < 2 + line.count("("):
        return [_row(line, offset)]
    starts = [0]
    first = label_of(line)
    inner = _INNER_LABEL.finditer(line, first.end() if first else 0)
    starts += [label.start() for label in inner if begins_with_cell(line, label.end())]
    ends = [*starts[1:], len(line)]
    return [_row(line[start:end], offset + start) for start, end in zip(starts, ends, strict=True)]


def plain_row(line: str, offset: int) -> Row | None:
    """What `rows_of_line` gives for a row of a number and one or two rolls, as nearly all are; None for any other."""
    match = _PLAIN_ROW.fullmatch(line)
    if match is None:
        return None
    cells = []
    for group in (3, 4) if match[4] else (3,):
        start, end = match.span(group)
        cells.append(RawCell(match[group], Span(offset + start, offset + end), start))
    start, end = match.span(2)  # the gap behind the label
    return Row(int(match[1]), Span(offset + match.start(1), offset + start), cells, [], end - start)


def _row(text: str, offset: int) -> Row:
    label = label_of(text)
    body = label.end() if label else 0
    number = int(label[1]) if label and label[1].isdecimal() else None
    label_span = Span(offset + label.start(1), offset + body) if label else None
    begins: list[int] = []
    for match in _CELL_START.finditer(text, body):
        if begins and _ENDS_A_ROLL.match(match.group()):
            before = text[begins[-1] : match.start()]
            if _DICE.match(before.rstrip()) and len(before) - len(before.rstrip()) <= _BLANKS_WITHIN_CELL:
                continue
        begins.append(match.start())
    cells = []
    for start, end in zip(begins, [*begins, len(text)][1:], strict=True):
        cell = text[start:end].rstrip()
        cells.append(RawCell(cell, Span(offset + start, offset + start + len(cell)), start))
    stray = []
    lead = text[body : begins[0] if begins else len(text)]
    if lead.strip():
        at = offset + body + len(lead) - len(lead.lstrip())
        stray.append(Span(at, at + len(lead.strip())))
    return Row(number, label_span, cells, stray, (begins[0] - body) if begins else 0)


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the two columns of a game begin, in characters from the beginning of the row.

    None where no row shows it.
    """

    left: float | None
    right: float | None

    def is_right(self, row: Row) -> bool:
        """Whether the first cell of a row stands in the right column."""
        cell = row.cells[0]
        if self.left is None or self.right is None:
            return row.first_gap > _LEFT_GAP if row.label else cell.column > _LEFT_COLUMN
        return abs(cell.column - self.left) > abs(cell.column - self.right)


def columns_of(rows: list[Row]) -> Columns:
    """Infer the columns from those rows that have exactly two cells."""
    pairs = [row for row in rows if row.label and len(row.cells) == 2 and row.first_gap <= _LEFT_GAP]
    if not pairs:
        return Columns(None, None)
    left = median(row.cells[0].column for row in pairs)
    return Columns(left, median(row.cells[1].column for row in pairs))
