"""A match with luck and losses that are made up, and the match equity table that gives its chances."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from bgtools import read
from bgtools.analysis.match_analysis import analyse
from bgtools.met.finding import default
from fixed_engine import FixedEngine

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis

ROOT = Path(__file__).parents[1]


@cache
def analysed(name: str = "seven-point.mat") -> Analysis:
    """A match with luck and losses that are made up."""
    found = analyse(read(ROOT / "samples" / name), FixedEngine(), parts=())
    chance = Random(7)
    money = not found.match.length

    def lucky(luck: float) -> dict[str, Any]:
        return {"luck": luck, "luck_mwc": None if money else luck / 10, "luck_points": luck if money else None}

    turns = tuple(replace(row, **lucky(chance.gauss(0, 0.2))) if row.action == "roll" else row for row in found.turns)
    decisions = tuple(replace(row, loss_mwc=None if money else chance.random() / 100) for row in found.decisions)
    conventions = replace(found.conventions, met=default().name)
    return replace(found, turns=turns, decisions=decisions, conventions=conventions)
