"""Sources: the text of a record, and places in it."""

from __future__ import annotations

import codecs
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, overload

_LINE_END = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A stretch of a source's text, in character offsets; ``end`` is not part of it."""

    start: int
    end: int


class Location(NamedTuple):
    """A line and a column, both counted from 1, columns in characters."""

    line: int
    column: int


class _Lines(Sequence[Span]):
    """The spans of lines. Each is made when a caller asks for it, because a file may have millions of empty lines."""

    def __init__(self, starts: array[int], ends: array[int]) -> None:
        self._starts = starts
        self._ends = ends

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, at: int) -> Span: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Span]: ...
    def __getitem__(self, at: int | slice) -> Span | Sequence[Span]:
        if isinstance(at, slice):
            return _Lines(self._starts[at], self._ends[at])
        return Span(self._starts[at], self._ends[at])


@dataclass(frozen=True)
class Source:
    """A text with its name.

    Attributes:
        name: what to call it in messages: a path as the user gave it, or ``<stdin>``.
        text: the decoded text, with the line ends of the file.
        encoding: the encoding of the bytes.
        data: the bytes of the file; b"" where the text comes from no file.
        format: the name of the format that it was read in; "" where the text comes from no file.
        has_rows: whether it is match text: for this the rules offer edits in its own words and rows.
        respelled: for other texts, a function that gives the edit which corrects something in the text. Its arguments
            are the source; an entry, a result, or a game with its score; and its correction, which for an entry may
            also be a tuple of several entries or of none. It returns a stretch and the new text of that, or None
            where the format has no word for the correction, or one stretch is not enough. ``respelled`` itself is
            None for texts that are never corrected.
    """

    name: str
    text: str
    encoding: str = field(default="utf-8", compare=False)
    data: bytes = field(default=b"", compare=False)
    format: str = field(default="", compare=False)
    has_rows: bool = field(default=False, compare=False)
    respelled: Callable[[Source, Any, Any], tuple[Span, str] | None] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Source {self.name!r}, {len(self._starts)} lines>"

    @cached_property
    def _starts(self) -> array[int]:
        starts = array("q", (0,))
        starts.extend(match.end() for match in _LINE_END.finditer(self.text))
        return starts

    @cached_property
    def line_end(self) -> str:
        """What a new line ends with: with the two signs of Windows where a line of the text does."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @cached_property
    def lines(self) -> Sequence[Span]:
        """The lines without their line ends."""
        ends = array("q", (match.start() for match in _LINE_END.finditer(self.text)))
        ends.append(len(self.text))
        return _Lines(self._starts, ends)

    def location(self, offset: int) -> Location:
        """Line and column of a character offset."""
        index = bisect_right(self._starts, offset) - 1
        return Location(index + 1, offset - self._starts[index] + 1)

    def line_text(self, line: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        return self.text[slice(*self.lines[line - 1])]


def decode(data: bytes, name: str) -> Source:
    """Decode a record: by its byte-order mark, or else as UTF-8, or else each line as UTF-8 or as Windows-1252.

    A file that was put together from others may have both encodings. Every byte string decodes. The five bytes that
    Windows-1252 leaves open become the control characters with the same numbers, so nothing is lost.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        try:
            # The byte-order mark is not part of the text.
            return Source(name, data[3:].decode("utf-8"), "utf-8-sig")
        except UnicodeDecodeError:
            data = data[3:]
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return Source(name, data.decode("utf-16"), "utf-16")
        except UnicodeDecodeError:
            pass
    try:
        return Source(name, data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        lines = [_line(line) for line in data.splitlines(keepends=True)]
        is_mixed = any(encoding == "utf-8" for _, encoding in lines)
        return Source(name, "".join([text for text, _ in lines]), "mixed" if is_mixed else "cp1252")


def _line(line: bytes) -> tuple[str, str]:
    """A decoded line of a text that is not all UTF-8, and its encoding; "" where the line is ASCII."""
    if line.isascii():
        return line.decode(), ""
    try:
        return line.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return codecs.charmap_decode(line, "strict", _WINDOWS_1252)[0], "cp1252"


def encode(text: str, like: bytes) -> bytes:
    """The bytes of a text in the encoding of the file ``like``, with its byte-order mark if that has one.

    Raises:
        UnicodeEncodeError: the encoding has no code for a character.
    """
    match decode(like, "").encoding:
        case "utf-8-sig":
            return codecs.BOM_UTF8 + text.encode()
        case "utf-16":
            return like[:2] + text.encode("utf-16-le" if like[:2] == codecs.BOM_UTF16_LE else "utf-16-be")
        case "mixed":
            known = {_line(line)[0]: line for line in like.splitlines(keepends=True)}
            return b"".join([known.get(line) or line.encode() for line in _LINES.findall(text)])
        case "cp1252":
            return codecs.charmap_encode(text, "strict", codecs.charmap_build(_WINDOWS_1252))[0]
        case _:
            return text.encode()


_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WINDOWS_1252 = "".join(
    bytes([byte]).decode("cp1252" if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else "latin-1") for byte in range(256)
)
