"""Repair: the edits that findings offer are made, and every round of them is judged again before it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.repair.repairing import repair, repaired
    from bgtools.repair.states import Change, Refused, Repair, has_work, judged

__all__ = ["Change", "Refused", "Repair", "has_work", "judged", "repair", "repaired"]

lazily(
    __name__,
    {
        "repairing": ("repair", "repaired"),
        "states": ("Change", "Refused", "Repair", "has_work", "judged"),
    },
)
