"""Listings of binary records: texts whose lines findings can point at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bgtools.findings.finding import Finding, clipped
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from bgtools.findings.finding import Code

_MOST_SHOWN: Final = 60
_DUMP_HEAD: Final = 12
"""How many fields stand before the board in Snowie's form: match, score and cube. Readers pass over them."""


class Listing:
    """A text that lists the content of a binary record, and the findings about it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.findings: list[Finding] = []
        self._lines: list[str] = []
        self._end = 0

    def line(self, text: str) -> Span:
        """Add a line. Returns its place."""
        self._lines.append(text)
        start, self._end = self._end, self._end + len(text) + 1
        return Span(start, self._end - 1)

    def report(self, code: Code, span: Span, message: str) -> None:
        """Add a finding."""
        self.findings.append(Finding(code, span, message))

    @property
    def source(self) -> Source:
        """The lines so far, as a source."""
        return Source(self.name, "\n".join(self._lines))


def shown(text: str) -> str:
    """A text fit for a line of the listing."""
    return clipped(" ".join(text.split()), _MOST_SHOWN)


def dump(after: Any) -> str:
    """The board after an illegal play in Snowie's form, seen by the player who made it."""
    points = ";".join(str(int(count)) for count in after)
    return f"{'0;' * _DUMP_HEAD}{points};0;0;"
