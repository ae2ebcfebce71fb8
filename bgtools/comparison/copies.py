"""Whether the records of one match say the same, and where they do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.comparison.comparing import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.record.record import Match


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A record beside another one of the same match.

    Attributes:
        at: which of the records it is, from 1; it is compared with the first, 0.
        differences: what they say differently, in words; none where ``bgtools diff`` finds none.
        same, of: how many entries are the same, and how many the shorter record has.
    """

    at: int
    differences: tuple[str, ...]
    same: int
    of: int

    @property
    def sentence(self) -> str:
        """Whether the two agree, in words."""
        if not self.differences:
            return "identical"
        count = "1 difference" if len(self.differences) == 1 else f"{len(self.differences):,} differences"
        return f"{count}; {self.same:,} of {self.of:,} entries are the same"


def compare_copies(matches: Sequence[Match]) -> tuple[CopyReport, ...]:
    """Each record of a match but the first beside the first."""
    found = []
    for at, match in enumerate(matches[1:], 1):
        compared = compare(matches[0], match)
        said = tuple(
            f"{each.message}: {each.a.says or 'nothing'} – {each.b.says or 'nothing'}" for each in compared.differences
        )
        found.append(CopyReport(at, said, compared.same, compared.of))
    return tuple(found)
