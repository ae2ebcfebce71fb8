"""Formats: which there are, how a file's format is recognised, and reading."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgtools.source import Source, decode

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.record import Match


class FormatError(ValueError):
    """Content that is in no format bgtools reads. The message says what it looks like."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format that records come in.

    Attributes:
        name: what the command line calls it.
        title: what people call it.
        extensions: usual endings of file names, with the dot.
        sniff: how much a text looks like this format, from 0 (not at all) to 1 (certain).
        read: the matches in a source; never raises on content.
        write: the text of a match, or None where the format is only read.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[str], float]
    read: Callable[[Source], tuple[Match, ...]]
    write: Callable[[Match], str] | None = None


_MAT_SIGNS = (
    re.compile(r"^[^\S\n]*\d+ point match[^\S\n]*$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^[^\S\n]*Game \d+[^\S\n]*$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^[^\S\n]*\d+\) .*?\b\d\d:", re.MULTILINE),
)
_SNIFFED = 1 << 16


def _sniff_mat(text: str) -> float:
    head = text[:_SNIFFED].replace("\r", "\n")
    return sum(1 for sign in _MAT_SIGNS if sign.search(head)) / len(_MAT_SIGNS)


def _read_mat(source: Source) -> tuple[Match, ...]:
    # Lark takes longer to import than a small match to check, so only who reads pays for it.
    from bgtools.formats import mat_read

    return mat_read.read(source)


def _write_mat(match: Match) -> str:
    from bgtools.formats import mat_write

    return mat_write.write(match)


FORMATS: Final = (Format("mat", "match text", (".mat", ".txt"), _sniff_mat, _read_mat, _write_mat),)
"""Every format, in the order in which they are listed."""

# Files of other programs that people take for match text, by what they begin with.
_KNOWN_STRANGERS = (
    (b"RGMH", "an eXtreme Gammon binary file (.xg)"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"(;", "an SGF file"),
    (b'{"version"', "a BGBlitz file (.bgf)"),
    (b"%PDF", "a PDF document"),
    (b"<", "an HTML or XML page"),
)


def read_source(data: bytes, name: str) -> tuple[Match, ...]:
    """Read every match in ``data``.

    Args:
        data: the bytes of a file.
        name: what to call it in messages.

    Raises:
        FormatError: the content is in no known format.
    """
    for beginning, title in _KNOWN_STRANGERS:
        if data.lstrip()[: len(beginning)] == beginning:
            raise FormatError(f"this is {title}; bgtools reads match text (.mat, .txt) so far")
    if not data.strip():
        raise FormatError("the file is empty")
    source = decode(data, name)
    if "\0" in source.text:
        raise FormatError("this is a binary file; bgtools reads match text (.mat, .txt) so far")
    best = max(FORMATS, key=lambda each: each.sniff(source.text))
    if not best.sniff(source.text):
        raise FormatError(
            'this is no match text: it has no match length ("7 point match"), no "Game 1" '
            'and no row such as "1) 31: 8/5 6/5"'
        )
    return best.read(source)


def read_all(path: str | Path) -> tuple[Match, ...]:
    """Read every match in a file; ``-`` is standard input.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
    """
    if str(path) == "-":
        return read_source(sys.stdin.buffer.read(), "<stdin>")
    return read_source(Path(path).read_bytes(), str(path))


def read(path: str | Path) -> Match:
    """Read a file that holds one match; of several, the first.

    What is wrong with its text is in `Match.diagnostics`; nothing in the content raises.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
    """
    return read_all(path)[0]
