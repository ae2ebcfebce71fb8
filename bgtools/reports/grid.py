"""Tables that lose nothing in a narrow terminal: where one does not fit, its parts stand below each other."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final, Literal

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions
    from rich.table import Column

_ANY_WIDTH: Final = 10_000
_INDENT: Final = "  "
_LEAST_WRAPPED: Final = 20
"""Characters of a line that a wrapped text needs, or it is a pillar of words."""


class StackingTable(Table):
    """A table without lines. If the terminal is too narrow for it, it is printed in parts, each cell after its title.

    Args:
        stack: what the parts are: ``columns``, where the cells of the first column are the titles, as in a table with
            a column per player; or ``rows``, where the heads of the columns are the titles.
        heads: how many of the first columns make the title of a part, where rows are the parts.
        gap: blanks between columns.

    Attributes:
        alone: the titles of the columns in the parts, where they are others than in the table.
        caption_alone: what is below the parts, where it is not the caption of the table.
    """

    def __init__(self, *, stack: Literal["rows", "columns"], heads: int = 1, gap: int = 2) -> None:
        """Make an empty table."""
        super().__init__(show_header=True, header_style="bold", box=None, pad_edge=False, padding=(0, gap, 0, 0))
        self._stack = stack
        self._heads = heads
        self.alone: list[str] = []
        self.caption_alone: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Any:
        """The table, or its parts below each other."""
        while (natural := self._natural(console, options)) > options.max_width and self.padding[1] > 1:
            self.padding = (0, self.padding[1] - 1, 0, 0)
        if natural <= options.max_width or self._wraps(natural - options.max_width):
            yield from super().__rich_console__(console, options)
            return
        for number, (title, cells) in enumerate(self._parts()):
            if number:
                yield Text()
            yield Text(title, style="bold", overflow="fold")
            yield from _lines(cells, options.max_width)
        if caption := self.caption if self.caption_alone is None else self.caption_alone:
            yield Text(str(caption), style="dim", overflow="fold")

    def _natural(self, console: Console, options: ConsoleOptions) -> int:
        """How wide the table is where nothing is wrapped."""
        return self.__rich_measure__(console, options.update_width(_ANY_WIDTH)).maximum

    def _wraps(self, excess: int) -> bool:
        """Whether the table fits with the text of its last columns wrapped, so that there is still a row for each."""
        if self._stack == "columns":
            others = self.columns[1:]
            room = sum(max(_width(column) - _LEAST_WRAPPED, 0) for column in others)
            if excess > room or len(others) > len(("one player", "the other")):
                return False
            for column in others:
                column.no_wrap, column.overflow = False, "fold"
            self.columns[0].no_wrap = True
            return True
        last = self.columns[-1]
        if last.justify != "left" or _width(last) - excess < _LEAST_WRAPPED:
            return False
        for column in self.columns[:-1]:
            column.no_wrap = True
        last.overflow = "fold"
        return True

    def _parts(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The title of each part, and its cells, each with its own title."""
        titles = self.alone or [_plain(column.header) for column in self.columns]
        columns = [[_plain(cell) for cell in column.cells] for column in self.columns]
        if self._stack == "columns":
            for title, cells in zip(titles[1:], columns[1:], strict=True):
                # Titles are indented where they belong to the one above.
                yield title, list(zip(map(_text, self.columns[0].cells), cells, strict=True))
            return
        above = ""
        for row in zip(*columns, strict=True):
            # Where rows belong together, only the first one names the group; the others leave that cell empty.
            above = row[0] or above
            named = zip(titles[: self._heads], (above, *row[1 : self._heads]), strict=True)
            head = ", ".join(f"{title} {cell}".strip() for title, cell in named if cell)
            rest = zip(titles[self._heads :], row[self._heads :], strict=True)
            yield head, [(title, cell) for title, cell in rest if cell]


def _width(column: Column) -> int:
    """How wide the widest line of a column is."""
    return max((len(line) for cell in (column.header, *column.cells) for line in _text(cell).split("\n")), default=0)


def _lines(cells: list[tuple[str, str]], width: int) -> Iterator[Text]:
    """Each cell after its title, or below it where the line has no room for both."""
    wide = max((len(title) for title, cell in cells if len(title) + len(cell) + 4 <= width), default=0)
    for title, cell in cells:
        line = f"{_INDENT}{title:<{wide}}  {cell}" if title else f"{_INDENT}{cell}"
        if len(line) <= width:
            yield Text(line)
            continue
        for text, indent in ((title, _INDENT), (cell, 2 * _INDENT)):
            for piece in textwrap.wrap(text.strip(), max(width - len(indent), 10)):
                yield Text(indent + piece, overflow="fold")


def _plain(cell: Any) -> str:
    """A cell on one line, without the blanks that align it."""
    return " ".join(_text(cell).split())


def _text(cell: Any) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)
