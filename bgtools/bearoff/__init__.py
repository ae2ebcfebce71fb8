"""Races: how many rolls a side takes, what an ending is worth to both sides, and how likely a gammon is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.bearoff.endings import Ending, Endings, is_ending
    from bgtools.bearoff.kept import kept_tables
    from bgtools.bearoff.one_sided import PIPS_A_ROLL, effective_pips, is_home, mean_rolls

__all__ = ["PIPS_A_ROLL", "Ending", "Endings", "effective_pips", "is_ending", "is_home", "kept_tables", "mean_rolls"]

# fmt: off
lazily(__name__, {
    "endings": ("Ending", "Endings", "is_ending"),
    "kept": ("kept_tables",),
    "one_sided": ("PIPS_A_ROLL", "effective_pips", "is_home", "mean_rolls"),
})
