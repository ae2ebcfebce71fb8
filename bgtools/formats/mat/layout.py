"""Match text: finding the rows of a game and the cells in them.

Cells are found by what begins a cell: dice, a cube word, a result word. Which player a cell belongs
to is told by where it begins, measured against the columns that the rows of the same game use. The
score line does not count, it is often wider than the rows, and neither does the number of blanks
between two cells, which can be one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from bgtools.formats.mat.cells import GRAMMAR, Cell, Unreadable, parse_cell, plain_cell
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

_LABEL = re.compile(r"[ \t\u00a0]*(\d{1,9}|\d{0,9}\*)\)")
_INNER_LABEL = re.compile(r"(?<=\s)\d{1,3}\)(?=\s)")
_WRITTEN = re.compile(r"\S")
_BLANKS_WITHIN_CELL = 3
# Where no row of a game has two cells: a left cell begins this close behind the row's number.
_LEFT_GAP = 6
_LEFT_COLUMN = 16
# Characters of a plain row: what is remembered of its cells is not to fill the memory.
_LONGEST_ROW = 200


@cache
def _cell_start() -> re.Pattern[str]:
    return re.compile(rf"(?<!\S){GRAMMAR.first_pattern('cell')}")


@cache
def _played() -> re.Pattern[str]:
    return re.compile(GRAMMAR.first_pattern("play"))


@cache
def _plain_row() -> re.Pattern[str]:
    """A row as nearly all are: one or two cells of words with single blanks between them, no word of which is dice.

    What a cell begins with may look like anything.
    """
    cell = rf"\S+(?: (?!{GRAMMAR.terminal('DICE')})\S+)*"
    return re.compile(rf"[\r\n]*( *)([0-9]{{1,9}})\)( +)({cell})(?: +({cell}))? *(?![^\r\n])")


class RawCell(NamedTuple):
    """A cell: its text, its place in the source, and what it says."""

    text: str
    span: Span
    says: Cell | Unreadable


@dataclass(slots=True)
class Row:
    """One row.

    Attributes:
        start: where it begins in the source.
        number: None where the line has none (a result below the last row) or a star.
        label: the number's place, with its bracket; None where nothing stands there.
        cells: the cells, from left to right.
        first_gap: blanks between the row's number, or the beginning of the line, and the first cell.
        stray: what stands before the first cell, or in a row without cells.
    """

    start: int
    number: int | None
    label: Span | None
    cells: list[RawCell]
    first_gap: int = 0
    stray: Span | None = None

    def column(self, cell: int) -> int:
        """Where a cell begins, in characters from the beginning of the row."""
        return self.cells[cell].span.start - self.start


def label_of(line: str) -> re.Match[str] | None:
    """The ``12)`` that begins a row."""
    return _LABEL.match(line)


def begins_with_cell(line: str, at: int = 0) -> bool:
    """Whether the first thing on a line, or behind a place in it, is a cell, as in a result line."""
    first = _WRITTEN.search(line, at)
    return first is not None and _cell_start().match(line, first.start()) is not None


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


def plain_rows(text: str, at: int, most: int) -> tuple[list[Row], int]:
    """The rows of plain cells that follow one another from a place on; `rows_of_line` gives the same for each.

    Args:
        text: the text of the source.
        at: where a line begins or ends.
        most: how many rows to read.

    Returns:
        The rows, and where the last one ends.
    """
    rows: list[Row] = []
    match_at = _plain_row().match
    while len(rows) < most and (found := match_at(text, at)) is not None:
        _, number, gap, left, right = found.groups()
        begin, first = found.start(1), found.start(4)
        if found.end() - begin > _LONGEST_ROW or (says := plain_cell(left)) is None:
            break
        cells = [RawCell(left, Span(first, first + len(left)), says)]
        if right:
            if (other := plain_cell(right)) is None:
                break
            second = found.start(5)
            cells.append(RawCell(right, Span(second, second + len(right)), other))
        rows.append(Row(begin, int(number), Span(found.start(2), first - len(gap)), cells, len(gap)))
        at = found.end()
    return rows, at


def _row(text: str, offset: int) -> Row:
    label = label_of(text)
    body = label.end() if label else 0
    number = int(label[1]) if label and label[1].isdecimal() else None
    label_span = Span(offset + label.start(1), offset + body) if label else None
    begins: list[int] = []
    for match in _cell_start().finditer(text, body):
        if not (begins and _is_played(text, begins[-1], match.start())):
            begins.append(match.start())
    cells = []
    for start, end in zip(begins, [*begins, len(text)][1:], strict=True):
        cell = text[start:end].rstrip()
        cells.append(RawCell(cell, Span(offset + start, offset + start + len(cell)), parse_cell(cell)))
    lead = text[body : begins[0] if begins else len(text)]
    stray = None
    if lead.strip():
        at = offset + body + len(lead) - len(lead.lstrip())
        stray = Span(at, at + len(lead.strip()))
    return Row(offset, number, label_span, cells, (begins[0] - body) if begins else 0, stray)


def _is_played(text: str, cell: int, at: int) -> bool:
    """Whether what could begin a cell says how the roll before it was played, as "Pass" does close behind dice."""
    before = text[cell:at]
    dice = before.rstrip()
    return (
        len(before) - len(dice) <= _BLANKS_WITHIN_CELL
        and GRAMMAR.pattern("DICE").fullmatch(dice) is not None
        and _played().match(text, at) is not None
    )


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the two columns of a game begin, in characters from the beginning of the row.

    None where no row shows it.
    """

    left: float | None
    right: float | None

    def is_right(self, row: Row) -> bool:
        """Whether the first cell of a row stands in the right column."""
        column = row.column(0)
        if self.left is None or self.right is None:
            return row.first_gap > _LEFT_GAP if row.label else column > _LEFT_COLUMN
        return abs(column - self.left) > abs(column - self.right)


def columns_of(rows: Iterable[Row]) -> Columns:
    """Infer the columns from those rows that have exactly two cells."""
    pairs = [row for row in rows if len(row.cells) == 2 and row.label and row.first_gap <= _LEFT_GAP]
    if not pairs:
        return Columns(None, None)
    return Columns(median(row.column(0) for row in pairs), median(row.column(1) for row in pairs))
