"""Comparison: where two records of one match are apart, and which records are of one match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.comparison.comparing import TOLERANCE, compare
    from bgtools.comparison.difference import Comparison, Difference, Kind, Side, Supported
    from bgtools.comparison.grouping import Recorded, group
    from bgtools.comparison.saying import said
    from bgtools.comparison.turning import turned

__all__ = [
    "TOLERANCE",
    "Comparison",
    "Difference",
    "Kind",
    "Recorded",
    "Side",
    "Supported",
    "compare",
    "group",
    "said",
    "turned",
]

lazily(
    __name__,
    {
        "comparing": ("TOLERANCE", "compare"),
        "difference": ("Comparison", "Difference", "Kind", "Side", "Supported"),
        "grouping": ("Recorded", "group"),
        "saying": ("said",),
        "turning": ("turned",),
    },
)
