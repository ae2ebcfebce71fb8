"""Match text: finding the rows of a game and the cells in them.

Dice, a cube word or a result word begins a cell. The column in which a cell begins shows whose it is: it is compared
with the columns of the other rows of the game, or else with those of the other games. Only a row of two rolls or cube
actions shows columns, because programs put results anywhere. The score line shows none: it is often wider than the
rows. Neither does the number of blanks between two cells, which may be one. Where a cell is in no column, or no
row shows any, the layout does not say whose it is (`Place.sure`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from bgtools.formats.mat.alike import ROLL, misspelt_words, word_at
from bgtools.formats.mat.cells import (
    CELL,
    DICE,
    PLAY,
    TERMINALS,
    Cell,
    CubeCell,
    RollCell,
    Unreadable,
    beginning,
    parse_cell,
    plain_cell,
)
from bgtools.formats.shared.behind import begin_of_remark, is_said, is_whole, is_within
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LABEL = re.compile(r"[ \t\u00a0\u3000]*(\d{1,9}|\d{0,9}\*)\)")
_ODD_LABEL = re.compile(r"[ \t\u00a0\u3000]*(\d{1,3})[\]}>.](?=\s)")
_INNER_LABEL = re.compile(r"(?<=\s)\d{1,3}\)(?=\s)")
_WRITTEN = re.compile(r"\S")
_BLANKS_WITHIN_CELL = 3
# A left cell begins at most `_LEFT_GAP` blanks behind the row's number; without a number, at most in `_LEFT_COLUMN`.
_LEFT_GAP = 6
_LEFT_COLUMN = 16
# How many columns a left cell, and a right one, may stand from its column: "Doubles" begins one further in.
_LEFT_SLACK = 1
_RIGHT_SLACK = 3
# Where blanks keep the columns apart, only a left cell of at least this length is followed by a single blank.
_FULL_CELL = 24
_TAB = 8
# Most characters of a plain row. Cells of longer rows are not remembered: they would fill the memory.
_LONGEST_ROW = 200
_ACTS = (RollCell, CubeCell)
Act = RollCell | CubeCell


_CELL_START = re.compile(rf"(?<!\S){CELL}")
_PLAYED = re.compile(PLAY)
# A pattern remembers every repetition of a group. In a line as long as a file, these would fill the memory.
# A cell ends where no word follows it. So there is one way to read a line, and it is read once, whatever follows. (A
# possessive group would say so too, but Python's before 3.11.5 take too much.)
_WORD = rf" (?!{TERMINALS['DICE']})\S"
_PLAIN = rf"\S++(?:{_WORD}++){{0,{_LONGEST_ROW}}}(?!{_WORD})"
_PLAIN_ROW = re.compile(rf"[\r\n]*( *)(?:([0-9]{{1,9}})\)( +))?({_PLAIN})(?: +({_PLAIN}))? *(?![^\r\n])")
"""The usual row: one or two cells of words with single blanks between them. No word but the first of a cell is dice."""


# Makes a named tuple in half the time that its class takes: a match has hundreds of rows.
made = tuple.__new__


class RawCell(NamedTuple):
    """A cell: its text, its place in the source, what it says, and the column on the screen in which it begins."""

    text: str
    start: int
    """Where it begins in the source."""
    says: Cell | Unreadable
    column: int

    @property
    def span(self) -> Span:
        """Its place in the source."""
        return Span(self.start, self.start + len(self.text))


class Row(NamedTuple):
    """A row that is not a `Pair`.

    Attributes:
        start: where it begins in the source.
        number: the row's number; None where the line has none (a result below the last row), or a star.
        label: the number's place, with its bracket; None where nothing stands there.
        cells: the cells, from left to right.
        first_gap: blanks between the row's number, or the beginning of the line, and the first cell.
        stray: what is before the first cell, or in a row without cells.
    """

    start: int
    number: int | None
    label: Span | None
    cells: list[RawCell]
    first_gap: int = 0
    stray: Span | None = None

    def is_indented(self) -> bool:
        """Whether the row still has the blanks that texts lose first: before its number, or before a right cell."""
        if self.label is None or not self.cells:
            return False
        far = self.stray is None and self.cells[0].column > _LEFT_COLUMN
        return far or _has_blanks(self.start, self.label, self.cells)


class Pair(NamedTuple):
    """The usual row: a number and two cells in two columns, each a roll or a cube action.

    `cells` are made only when a caller asks: a match has hundreds, and few callers need them.

    Attributes:
        start, number, label, first_gap: as `Row` has them.
        left, right: the texts of the cells.
        left_at, right_at: where they begin in the source.
        left_says, right_says: what they say.
        left_column, right_column: the columns on the screen in which they begin.
    """

    start: int
    number: int | None
    label: Span
    first_gap: int
    left: str
    left_at: int
    left_says: Act
    left_column: int
    right: str
    right_at: int
    right_says: Act
    right_column: int

    @property
    def stray(self) -> None:
        """Nothing is before its first cell."""

    @property
    def cells(self) -> list[RawCell]:
        """Both cells."""
        return [
            RawCell(self.left, self.left_at, self.left_says, self.left_column),
            RawCell(self.right, self.right_at, self.right_says, self.right_column),
        ]

    def is_indented(self) -> bool:
        """See `Row.is_indented`."""
        return self.left_column > _LEFT_COLUMN or _has_blanks(self.start, self.label, self.cells)


def _has_blanks(start: int, label: Span, cells: Sequence[RawCell]) -> bool:
    """Whether blanks stand before the number of a row, or more than `_LEFT_GAP` of them before its right cell."""
    if label.start > start + 1:
        return True
    return len(cells) > 1 and cells[1].start - cells[0].span.end > _LEFT_GAP


def label_of(line: str) -> re.Match[str] | None:
    """The ``12)`` that begins a row; before a cell also with another sign in place of the bracket: ``12.``, ``12]``."""
    label = _LABEL.match(line)
    if label is None and (odd := _ODD_LABEL.match(line)) and begins_with_cell(line, odd.end()):
        return odd
    return label


def begins_with_cell(line: str, at: int = 0) -> bool:
    """Whether a cell is the first thing on a line, or the first at or behind the offset ``at``, as in a result line."""
    first = _WRITTEN.search(line, at)
    if first is None:
        return False
    return _CELL_START.match(line, first.start()) is not None or word_at(line, first.start()) is not None


def rows_of_line(line: str, offset: int, asides: list[Span] | None = None) -> list[Row | Pair]:
    """Cut a line into rows: one, or more where a row number stands inside the line.

    Args:
        line: the text without its line end.
        offset: where the line begins in the source.
        asides: takes the places of the marks, clocks, figures and words that stand behind plays and actions.
    """
    asides = [] if asides is None else asides
    if line.count(")") < 2 + line.count("("):
        return [_row(line, offset, asides)]
    starts = [0]
    first = label_of(line)
    inner = _INNER_LABEL.finditer(line, first.end() if first else 0)
    starts += [label.start() for label in inner if begins_with_cell(line, label.end())]
    ends = [*starts[1:], len(line)]
    return [_row(line[start:end], offset + start, asides) for start, end in zip(starts, ends, strict=True)]


def plain_rows(text: str, at: int, most: int, last: int | None = None) -> tuple[list[Row | Pair], int]:
    """The rows of plain cells that follow one another from a place on; `rows_of_line` gives the same for each line.

    Every row but the first may lack its number, as the row of a result does.

    Args:
        text: the text of the source.
        at: where a line begins or ends.
        most: how many rows to read.
        last: where the text ends that may hold such rows; None for its own end.

    Returns:
        The rows, and where the last one ends.
    """
    rows: list[Row | Pair] = []
    match_at = _PLAIN_ROW.match
    last = len(text) if last is None else last
    while len(rows) < most and (found := match_at(text, at, last)) is not None:
        lead, number, gap, left, right = found.groups()
        begin, first, end = found.start(1), found.start(4), found.end()
        if end - begin > _LONGEST_ROW or not (number or rows) or (says := plain_cell(left)) is None:
            break
        other = plain_cell(right) if right else None
        if right and other is None:
            break
        label = made(Span, (begin + len(lead), first - len(gap))) if number else None
        second = found.start(5)
        if label and len(gap) <= _LEFT_GAP and isinstance(says, _ACTS) and isinstance(other, _ACTS):
            one, two = first - begin, second - begin
            rows.append(
                made(Pair, (begin, int(number), label, len(gap), left, first, says, one, right, second, other, two))
            )
        else:
            cells = [RawCell(left, first, says, first - begin)]
            if other is not None:
                cells.append(RawCell(right, second, other, second - begin))
            rows.append(Row(begin, int(number) if number else None, label, cells, len(gap if label else lead)))
        at = end
    return rows, at


def _row(text: str, offset: int, asides: list[Span]) -> Row | Pair:
    label = label_of(text)
    body = label.end() if label else 0
    number = int(label[1]) if label and label[1].isdecimal() else None
    label_span = Span(offset + label.start(1), offset + body) if label else None
    begins: list[int] = []
    starts = {match.start() for match in _CELL_START.finditer(text, body)}
    starts |= {match.start() for match in ROLL.finditer(text, body)}
    for start in sorted(starts | set(misspelt_words(text, body))):
        if not (begins and (_is_played(text, begins[-1], start) or is_within(text, begins[-1], start))):
            begins.append(start)
    cells = []
    for start, end in zip(begins, [*begins, len(text)][1:], strict=True):
        cell = text[start:end].rstrip()
        says = parse_cell(cell)
        if isinstance(says, Unreadable) and (shorter := _without_remark(cell)):
            says, cell, rest = *shorter, cell
            at = offset + start + len(rest) - len(rest[len(cell) :].lstrip())
            asides.append(Span(at, offset + start + len(rest)))
        cells.append(RawCell(cell, offset + start, says, width(text[:start])))
    lead = text[body : begins[0] if begins else len(text)]
    stray = None
    if lead.strip():
        at = offset + body + len(lead) - len(lead.lstrip())
        stray = Span(at, at + len(lead.strip()))
    gap = cells[0].column - width(text[:body]) if cells else 0
    if len(cells) == 2 and label_span is not None and gap <= _LEFT_GAP and stray is None:
        (left, left_at, left_says, left_column), (right, right_at, right_says, right_column) = cells
        if isinstance(left_says, _ACTS) and isinstance(right_says, _ACTS):
            return Pair(
                offset, number, label_span, gap,
                left, left_at, left_says, left_column,
                right, right_at, right_says, right_column,
            )  # fmt: skip
    return Row(offset, number, label_span, cells, gap, stray)


def _without_remark(cell: str) -> tuple[Cell | Unreadable, str] | None:
    """What the beginning of a cell says, and that beginning, where the rest is said of it; None for another cell."""
    found = beginning(cell)
    says, rest = found or (None, cell)
    is_play = isinstance(says, RollCell)
    is_complete = isinstance(says, RollCell) and (says.text.kind == "dance" or is_whole(says.dice, says.text.hops))
    if says is None or not is_said(rest, complete=is_complete):
        damaged = cell[: begin_of_remark(cell)] if DICE.match(cell) else cell
        return None if damaged == cell else (parse_cell(damaged), damaged)
    if not is_play and re.search(r"\w{2}", re.sub(r"\([^()]*\)|\[[^]]*\]|\{[^{}]*\}|[\d:.,]+", "", rest)):
        return None  # words behind a cube action or a result may be another one, misspelt
    return says, cell[: len(cell) - len(rest)].rstrip()


def width(text: str) -> int:
    """How many columns a text takes on a screen: two for a wide character, none for an accent, tabs to every eighth."""
    if text.isascii():
        return len(text.expandtabs(_TAB)) if "\t" in text else len(text)
    import unicodedata  # few rows need it

    taken = 0
    for char in text:
        if char == "\t":
            taken += _TAB - taken % _TAB
        elif not unicodedata.combining(char):
            taken += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return taken


def _is_played(text: str, cell: int, at: int) -> bool:
    """Whether a word that could begin a cell is the play of the roll before it, as "Pass" is close behind dice."""
    before = text[cell:at]
    dice = before.rstrip()
    return (
        len(before) - len(dice) <= _BLANKS_WITHIN_CELL
        and re.fullmatch(TERMINALS["DICE"], dice) is not None
        and _PLAYED.match(text, at) is not None
    )


class ColumnGuess(NamedTuple):
    """In which column a cell stands, and whether the layout says so."""

    right: bool
    sure: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the two columns of a game begin on the screen, counted from the beginning of the row.

    Attributes:
        left, right: the columns; None where no row shows them.
        gap: blanks between the row's number and a left cell.
        kept: whether blanks keep the columns apart. If not, a cell behind a row's number may be either player's.
    """

    left: float | None = None
    right: float | None = None
    gap: float = 1
    kept: bool = False

    def is_nearer_left(self, column: int) -> bool:
        """Whether a cell that begins in a column is nearer to the left column than to the right; both are known."""
        assert self.left is not None
        assert self.right is not None
        return abs(column - self.left) <= abs(column - self.right)

    def guess(self, row: Row | Pair) -> ColumnGuess:
        """Where the first cell of a row stands."""
        column = row.cells[0].column
        if self.left is None or self.right is None:
            right = row.first_gap > _LEFT_GAP if row.label else column > _LEFT_COLUMN
            near = column > _LEFT_COLUMN if right else row.first_gap <= self.gap + _LEFT_SLACK
            return ColumnGuess(right, self.kept and row.stray is None and near)
        if not self.is_nearer_left(column):
            return ColumnGuess(True, column >= self.right - _RIGHT_SLACK)
        off = min(abs(column - self.left), abs(row.first_gap - self.gap))
        return ColumnGuess(False, self.kept and row.stray is None and off <= _LEFT_SLACK)


def columns_of(rows: Iterable[Row | Pair]) -> Columns:
    """Infer the columns from the pairs among rows."""
    lefts: list[int] = []
    rights: list[int] = []
    firm: list[int] = []
    gaps: list[int] = []
    kept, all_full = False, True
    for row in rows:
        kept = kept or row.is_indented()
        if not isinstance(row, Pair):
            continue
        _, _, _, gap, text, start, _, left, _, begin, _, right = row
        lefts.append(left)
        rights.append(right)
        gaps.append(gap)
        # A left cell that fills its column pushes the right cell out of its column.
        if begin - start - len(text) > 1:
            firm.append(right)
        all_full = all_full and len(text) >= _FULL_CELL
    if not lefts:
        return Columns(kept=kept)
    return Columns(median(lefts), median(firm or rights), median(gaps), kept or bool(firm) or all_full)
