"""The edits that put findings of a record right while it is typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from bgtools.findings.finding import Fix
from bgtools.formats.content import FormatError
from bgtools.repair.repairing import repair
from bgtools.repair.states import Refused
from bgtools.reports.findings import fix_in_words
from bgtools.source import Span, decode

if TYPE_CHECKING:
    from bgtools.editor.document import Judged
    from bgtools.findings.finding import Finding

_MOST: Final = 8
"""At most so many readings of one slip are offered."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An edit that would put a finding right.

    Attributes:
        finding: the finding that it puts right.
        title: what it does, in words; the title of an unsafe edit says so, and how many plays would fit.
        fix: the edit.
    """

    finding: Finding
    title: str
    fix: Fix

    @property
    def is_safe(self) -> bool:
        """Whether the record itself proves the edit."""
        return self.fix.applicability == "safe"


def offers(judged: Judged, start: int, end: int) -> tuple[Offer, ...]:
    """The edits for all findings that touch a stretch of the text, the likeliest of each first."""
    if not judged.is_text:
        return ()
    return tuple(
        Offer(finding, fix_in_words(fix, judged.source), fix)
        for some in judged.findings
        for finding in some
        if finding.fix is not None and finding.span.start <= end and start <= finding.span.end
        for fix in (finding.fix, *finding.fix.alternatives[: _MOST - 1])
    )


def fix_all(judged: Judged) -> tuple[Fix, ...]:
    """The edits that make every safe fix, and the fixes that become safe by them.

    Each fix is judged again with all the others, as ``bgtools check --fix`` does it. No unsafe fix is made.
    """
    if not judged.is_text:
        return ()
    try:
        done = repair(judged.source.text.encode(), judged.source.name, policy=judged.policy)
    except (Refused, FormatError):
        return ()
    return edits_to(judged.source.text, decode(done.after, "").text)


def edits_to(before: str, after: str) -> tuple[Fix, ...]:
    """The edits that turn one text into another: one for each line that differs; a single one if lines come or go."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    if len(old) != len(new):
        return _edit(0, before, after)
    starts = accumulate(map(len, old), initial=0)
    return tuple(fix for start, one, two in zip(starts, old, new, strict=False) for fix in _edit(start, one, two))


_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def _edit(start: int, before: str, after: str) -> tuple[Fix, ...]:
    """The shortest single edit that turns one stretch of text into another; none where they are equal."""
    if before == after:
        return ()
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    return (Fix(Span(start + head, start + len(before) - tail), after[head : len(after) - tail], "safe"),)
