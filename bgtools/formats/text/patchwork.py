"""A text made of pieces of another one, which knows where each of its characters comes from."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from bgtools.record.record import NOWHERE
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bgtools.record.record import Match
    from bgtools.source import Source

_Thing = TypeVar("_Thing")


class Patchwork:
    """A text that is written piece by piece: pieces copied from an older text, and words put between them."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._starts = array("q")
        self._origins = array("q")
        self._copied: list[bool] = []
        self._end = 0

    def _add(self, piece: str, origin: int, *, copied: bool) -> None:
        if piece:
            self._pieces.append(piece)
            self._starts.append(self._end)
            self._origins.append(origin)
            self._copied.append(copied)
            self._end += len(piece)

    def copy(self, piece: str, origin: int) -> None:
        """Add a piece that stands in the older text at ``origin``."""
        self._add(piece, origin, copied=True)

    def write(self, words: str, origin: int) -> None:
        """Add words of our own; a finding about them points at ``origin`` in the older text."""
        self._add(words, origin, copied=False)

    def stand_for(self, words: str, start: int, end: int) -> None:
        """Add words of our own that stand for the stretch from ``start`` to ``end`` of the older text."""
        self._add(words[:-1], start, copied=False)
        self._add(words[-1:], end - 1, copied=False)

    @property
    def length(self) -> int:
        """How long the text is now."""
        return self._end

    @property
    def text(self) -> str:
        """The text as it is now."""
        return "".join(self._pieces)

    def origin(self, offset: int) -> int:
        """Where a character comes from; that of the last one for an offset at the end or behind it."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return 0
        if not self._copied[index]:
            return self._origins[index]
        return self._origins[index] + min(offset - self._starts[index], len(self._pieces[index]) - 1)

    def origin_of(self, span: Span) -> Span:
        """Where a stretch comes from."""
        if span.end <= span.start:
            at = self.origin(span.start)
            return Span(at, at)
        start, last = self.origin(span.start), self.origin(span.end - 1)
        return Span(start, max(start, last) + 1)


def moved(thing: _Thing, where: Callable[[Span], Span]) -> _Thing:
    """A part of a record with every span in it moved, and all else as it is.

    Args:
        thing: a match, or anything that a match is made of.
        where: the new span of a span.
    """
    if isinstance(thing, Span):
        return where(thing)  # type: ignore[return-value]
    if type(thing) is tuple:
        return tuple([moved(each, where) for each in thing])  # type: ignore[return-value, attr-defined]
    if is_dataclass(thing) and not isinstance(thing, type):
        changes = {}
        for each in fields(thing):
            if not each.init:
                continue
            old = getattr(thing, each.name)
            if type(old) in (str, int, bool, float, type(None)):
                continue
            new = moved(old, where)
            if new is not old and new != old:
                changes[each.name] = new
        return replace(thing, **changes) if changes else thing
    return thing


class Layers:
    """A text of a file from which one layer after the other is taken off, and the way back to the file.

    Attributes:
        text: what is left.
    """

    def __init__(self, text: str, made: Iterable[Patchwork] = ()) -> None:
        self.text = text
        self._made: list[Patchwork] = []
        for each in made:
            self.add(each)

    def add(self, made: Patchwork) -> None:
        """Go on with a text that is made of what is left."""
        self._made.append(made)
        self.text = made.text

    def origin_of(self, span: Span) -> Span:
        """Where in the file a stretch of what is left comes from."""
        if span != NOWHERE:
            for each in reversed(self._made):
                span = each.origin_of(span)
        return span

    def put_back(self, match: Match, source: Source) -> Match:
        """A match that was read from what is left, with every span where it is in the file.

        Its findings lose their edits: an edit of what is left would not be one of the file.
        """
        findings = tuple(replace(each, remedy=None) for each in match.findings)
        return replace(moved(replace(match, source=None, findings=findings), self.origin_of), source=source)
