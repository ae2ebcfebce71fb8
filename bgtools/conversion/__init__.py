"""Converting records: losses are reported, and what was written is read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.conversion.conversion import (
        Converted,
        Target,
        changed_finding,
        convert,
        dialect_of,
        made,
        parse_target,
        refused_finding,
        target_of_name,
        write,
    )
    from bgtools.conversion.files import safe_name

__all__ = [
    "Converted",
    "Target",
    "changed_finding",
    "convert",
    "dialect_of",
    "made",
    "parse_target",
    "refused_finding",
    "safe_name",
    "target_of_name",
    "write",
]

lazily(
    __name__,
    {
        "conversion": (
            "Converted",
            "Target",
            "changed_finding",
            "convert",
            "dialect_of",
            "made",
            "parse_target",
            "refused_finding",
            "target_of_name",
            "write",
        ),
        "files": ("safe_name",),
    },
)
