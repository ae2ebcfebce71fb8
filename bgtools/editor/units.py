"""Places in a text as an editor counts them: lines from 0, columns in code units of an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from bgtools.source import Source, Span

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""What columns are counted in: bytes, pairs of bytes, or characters."""

_WIDTHS: Final = {"utf-16": 2, "utf-32": 4, "utf-8": 1}

Position = tuple[int, int]
"""A line and a column, both from 0."""


class Units:
    """Turns offsets in a text into positions in an editor, and back.

    Args:
        source: the text.
        encoding: what columns are counted in.
        lead: how many characters stand before the text in the editor: 1 for a byte-order mark, else 0.
    """

    def __init__(self, source: Source, encoding: Encoding = "utf-16", *, lead: int = 0) -> None:
        """Take the text."""
        self.source = source
        self.encoding: Encoding = encoding
        self._lead = lead if encoding != "utf-8" else len("\ufeff".encode()) * lead

    def position(self, offset: int) -> Position:
        """The position of an offset; one outside the text is moved to its end."""
        text = self.source.text
        offset = max(0, min(offset, len(text)))
        line, column = self.source.place(offset)
        return line - 1, self._length(text[offset - column + 1 : offset]) + (self._lead if line == 1 else 0)

    def range(self, span: Span) -> tuple[Position, Position]:
        """The positions where a span begins and ends."""
        return self.position(span.start), self.position(span.end)

    def offset(self, position: Position) -> int:
        """The offset of a position; behind the end of a line that end, behind the last line the end of the text."""
        line, column = position
        column -= self._lead if line == 0 else 0
        if line < 0:
            return 0
        if line >= len(self.source.lines):
            return len(self.source.text)
        start, end = self.source.lines[line]
        text = self.source.text[start:end]
        if text.isascii():
            return start + max(0, min(column, len(text)))
        counted = 0
        for at, char in enumerate(text):
            # A position within a character is the place before the character.
            counted += self._length(char)
            if counted > column:
                return start + at
        return end

    def _length(self, text: str) -> int:
        if text.isascii():
            return len(text)
        return (
            len(text.encode(f"{self.encoding}-le" if self.encoding != "utf-8" else "utf-8")) // _WIDTHS[self.encoding]
        )
