"""What can be done about the findings of a record that is being typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from bgtools.findings import Fix
from bgtools.formats import FormatError
from bgtools.repair import Refused, repair
from bgtools.reports import fix_in_words
from bgtools.source import Span, decode

if TYPE_CHECKING:
    from bgtools.editor.document import Judged
    from bgtools.findings import Finding

_MOST: Final = 8
"""So many readings of one slip are offered."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An edit that would put a finding right.

    Attributes:
        finding: what it puts right.
        title: what it does, in words; an unsafe one says that it is, and how many plays fit then.
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
    """The edits that make every safe fix, and what is safe after those.

    Each is judged again with all the others, as ``bgtools check --fix`` does it, and none that is unsafe is made.
    """
    if not judged.is_text:
        return ()
    try:
        done = repair(judged.source.text.encode(), judged.source.name, policy=judged.policy)
    except (Refused, FormatError):
        return ()
    return edits_to(judged.source.text, decode(done.after, "").text)


def edits_to(before: str, after: str) -> tuple[Fix, ...]:
    """The edits that make one text of another: of each line that differs, or one in a piece where lines come or go."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    if len(old) != len(new):
        return _edit(0, before, after)
    starts = accumulate(map(len, old), initial=0)
    return tuple(fix for start, one, two in zip(starts, old, new, strict=False) for fix in _edit(start, one, two))


_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def _edit(start: int, before: str, after: str) -> tuple[Fix, ...]:
    """The shortest edit in one piece that makes one stretch of text of another."""
    if before == after:
        return ()
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    return (Fix(Span(start + head, start + len(before) - tail), after[head : len(after) - tail], "safe"),)
