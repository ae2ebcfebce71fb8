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
from bgtools.reports.curves import chance_before
from fixed_engine import FixedEngine

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis

ROOT = Path(__file__).parents[1]


@cache
def analysed(name: str = "seven-point.mat") -> Analysis:
    """A match with luck, losses and chances that are made up; at the end of a game they are what the score is worth."""
    found = analyse(read(ROOT / "samples" / name), FixedEngine(), parts=())
    chance = Random(7)
    money = not found.match.length

    def lucky(luck: float) -> dict[str, Any]:
        return {"luck": luck, "luck_mwc": None if money else luck / 10, "luck_points": luck if money else None}

    turns = [replace(row, **lucky(chance.gauss(0, 0.2))) if row.action == "roll" else row for row in found.turns]
    if not money:
        ends = {row.game: number for number, row in enumerate(turns)}
        heads = [chance_before(game, found.match.length, default()) for game in found.games]
        for number, row in enumerate(turns):
            end = [*heads, 1.0 - (found.match.winner or 0)][row.game] if ends[row.game] == number else chance.random()
            turns[number] = replace(row, chance_after=abs(row.player - (end or 0.0)))
    decisions = tuple(replace(row, loss_mwc=None if money else chance.random() / 100) for row in found.decisions)
    conventions = replace(found.conventions, met=default().name)
    return replace(found, turns=tuple(turns), decisions=decisions, conventions=conventions)
