"""Texts that are read line by line: what a line says is the grammar's business, which line it is the reader's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lark import UnexpectedInput

from bgtools.source import Span

if TYPE_CHECKING:
    from lark import Lark

    from bgtools.source import Source


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its text without the blanks around it, its place, and its number from 0."""

    number: int
    text: str
    span: Span


def lines_of(source: Source) -> tuple[Line, ...]:
    """The lines of a text that are not blank."""
    found = []
    for number, (start, end) in enumerate(source.lines):
        text = source.text[start:end]
        plain = text.strip()
        if plain:
            at = start + len(text) - len(text.lstrip())
            found.append(Line(number, plain, Span(at, at + len(plain))))
    return tuple(found)


def parse(parser: Lark, text: str, start: str) -> Any | None:
    """What a line says, by a start rule of the grammar; None where it does not fit."""
    try:
        return parser.parse(text, start=start)
    except UnexpectedInput:
        return None
