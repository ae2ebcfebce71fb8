"""What a format is to the rest of the house."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.formats.carries import Carries
    from bgtools.formats.content import Content
    from bgtools.record import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format that records come in.

    Attributes:
        name: what the command line calls it.
        title: what people call it.
        extensions: usual endings of file names, with the dot; the first is the one that is written.
        sniff: how much content looks like this format, from 0 (not at all) to 1 (certain).
        reader: ``module:function`` that gives the matches in a `Content` and never raises on it,
            `FormatError` aside; imported when first used, for a parser takes longer to import than a
            small match to check. "" where the format is only written.
        writer: ``module:function`` that gives the bytes of some matches in a dialect; "" where the
            format is only read.
        dialects: names of the spellings it can be written in, the usual one first.
        carries: what it has a place for.
        is_text: whether people can read it.
        holds_matches: whether it can be a match; False where it is one position.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[Content], float]
    carries: Carries
    reader: str = ""
    writer: str = ""
    dialects: tuple[str, ...] = ()
    is_text: bool = True
    holds_matches: bool = True

    def read(self, content: Content) -> tuple[Match, ...]:
        """The matches in a file of this format."""
        found: tuple[Match, ...] = _load(self.reader)(content)
        return found

    def write(self, matches: tuple[Match, ...], dialect: str = "") -> bytes:
        """The bytes of a file that holds some matches.

        Raises:
            FormatError: they hold what this format cannot say in any way.
        """
        data: bytes = _load(self.writer)(matches, dialect or (self.dialects[0] if self.dialects else ""))
        return data


def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return loaded


def later(name: str) -> Callable[..., Any]:
    """A function that is loaded when it is first asked."""
    return lambda *given: _load(name)(*given)
