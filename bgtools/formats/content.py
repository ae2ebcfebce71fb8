"""The raw content of a file, before its format is known."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from bgtools.formats.shared.respelling import respelled
from bgtools.source import Source, decode

if TYPE_CHECKING:
    from collections.abc import Sequence

SNIFFED = 1 << 16
"""How many bytes at the beginning of a file are looked at to recognise its format."""


class FormatError(ValueError):
    """Content that is in no format bgtools reads, or a format that it cannot write. The message says why.

    Characters that would act on a terminal stand in the message as escapes.

    >>> try:
    ...     bgtools.read("docs/page.png")
    ... except bgtools.FormatError as error:
    ...     print(error)
    this is a picture
    """

    def __init__(self, message: str) -> None:
        told = (char if char.isprintable() else char.encode("unicode_escape").decode() for char in message)
        super().__init__("".join(told))


class NoRecord(FormatError):
    """A text has some signs of a record, and holds none."""


class TooMuch(FormatError):
    """A file holds more than bgtools reads of one."""


class Sign(NamedTuple):
    """A pattern that shows that a text may be of some format.

    Attributes:
        pattern: the pattern to search for.
        holds: small letters that every match of the pattern holds. A text without them is not searched.
    """

    pattern: re.Pattern[str]
    holds: str = ""

    def stands_in(self, text: str, folded: str) -> bool:
        """Whether it is in a text, which is also given in small letters."""
        return self.holds in folded and self.pattern.search(text) is not None


@dataclass(frozen=True)
class Content:
    """A file's bytes with its name.

    Attributes:
        data: the bytes.
        name: what to call it in messages: a path as the user gave it, or ``<stdin>``.
    """

    data: bytes
    name: str

    @cached_property
    def source(self) -> Source:
        """The content as text; every byte string decodes. Its ``respelled`` writes hops as the file does."""
        return replace(decode(self.data, self.name), respelled=respelled)

    @cached_property
    def head(self) -> str:
        """The beginning as text, with the line ends of the file."""
        if len(self.data) <= SNIFFED:
            return self.source.text
        return decode(self.data[:SNIFFED], self.name).text

    @cached_property
    def head_lines(self) -> str:
        """The beginning as text, with line feeds for carriage returns."""
        return self.head.replace("\r", "\n")

    @property
    def is_longer_than_head(self) -> bool:
        """Whether the file goes on after `head`."""
        return len(self.data) > SNIFFED

    @cached_property
    def _folded_head(self) -> str:
        return self.head_lines.casefold()

    def shows(self, sign: Sign) -> bool:
        """Whether a sign is at the beginning."""
        return sign.stands_in(self.head_lines, self._folded_head)

    def share(self, signs: Sequence[Sign], *, whole: bool = False) -> float:
        """The share of a format's signs that stand in the beginning, or in the whole text: from 0, none, to 1, all."""
        if not whole:
            return sum(map(self.shows, signs)) / len(signs)
        text = self.source.text.replace("\r", "\n")
        folded = text.casefold()
        return sum(sign.stands_in(text, folded) for sign in signs) / len(signs)

    @cached_property
    def ending(self) -> str:
        """The ending of the name in small letters, with its dot."""
        found = re.search(r"\.[^./\\]*$", self.name)
        return found[0].lower() if found else ""
