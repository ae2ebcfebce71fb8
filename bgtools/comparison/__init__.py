"""Comparison: the differences of two records, which records are of one match, and merging several into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.comparison.comparing import TOLERANCE, compare
    from bgtools.comparison.deciding import Why
    from bgtools.comparison.difference import Comparison, Difference, Kind, Side, Supported
    from bgtools.comparison.fingerprint import Fingerprint, seats_of
    from bgtools.comparison.grouping import Recorded, group
    from bgtools.comparison.merged import Fact, Merged, NotOneMatch, Said
    from bgtools.comparison.merging import merge
    from bgtools.comparison.saying import said
    from bgtools.comparison.turning import turned

__all__ = [
    "TOLERANCE",
    "Comparison",
    "Difference",
    "Fact",
    "Fingerprint",
    "Kind",
    "Merged",
    "NotOneMatch",
    "Recorded",
    "Said",
    "Side",
    "Supported",
    "Why",
    "compare",
    "group",
    "merge",
    "said",
    "seats_of",
    "turned",
]

lazily(
    __name__,
    {
        "comparing": ("TOLERANCE", "compare"),
        "deciding": ("Why",),
        "difference": ("Comparison", "Difference", "Kind", "Side", "Supported"),
        "fingerprint": ("Fingerprint", "seats_of"),
        "grouping": ("Recorded", "group"),
        "merged": ("Fact", "Merged", "NotOneMatch", "Said"),
        "merging": ("merge",),
        "saying": ("said",),
        "turning": ("turned",),
    },
)
