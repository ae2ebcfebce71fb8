"""What a decision is about, and why it was an error: themes by predicates, a sentence from what can be counted.

Pure functions of a row: nothing is read, nothing searched, so that rows from a table serve as well as an analysis.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING

from bgtools.analysis.lessons.plans import PLAN, plan_of
from bgtools.analysis.lessons.scene import scene_of
from bgtools.analysis.lessons.score_clause import score_clause
from bgtools.analysis.lessons.sentence import sentence_of, take_needed
from bgtools.analysis.lessons.themes import themes_of
from bgtools.analysis.scores import RIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.scores import ScoreAnswer
    from bgtools.board.board import Board
    from bgtools.met.table import MatchEquityTable
    from bgtools.positions.position import Position


def with_lessons(
    rows: Sequence[DecisionRow],
    *,
    crawford_rule: bool = True,
    met: MatchEquityTable | None = None,
    known: Iterable[tuple[Position | None, Board | None]] | None = None,
    elsewhere: Iterable[Sequence[ScoreAnswer]] | None = None,
) -> tuple[DecisionRow, ...]:
    """Decisions with their themes, the chance that a take needs and, where they are errors of some class, a sentence,
    which begins with what the best choice is for.

    Args:
        rows: the decisions, with their phases.
        crawford_rule: whether the Crawford rule is in force.
        met: the match equity table that they were judged by.
        known: for each decision the position of its XGID and the board after the play that was made, each None where
            the caller does not know it.
        elsewhere: for each decision what it would have been at other scores, as `ask_elsewhere` gives it.
    """
    taught = []
    nothing: Sequence[ScoreAnswer] = ()
    every = zip(rows, known or repeat((None, None), len(rows)), elsewhere or repeat(nothing, len(rows)), strict=True)
    for row, (position, made), others in every:
        right = tuple(each.score for each in others if each.loss < RIGHT)
        row = replace(row, right_at=right, loss_at_money=next((e.loss for e in others if e.score == "money"), None))
        scene = scene_of(row, crawford_rule=crawford_rule, position=position, made=made)
        if scene is not None:
            needed = take_needed(scene, met)
            plan = plan_of(scene) if row.error else ""
            told = sentence_of(scene, needed) if row.error else ""
            told = "; ".join(filter(None, (plan and f"{PLAN}{plan}", score_clause(scene, others, met), told)))
            row = replace(row, themes=themes_of(scene), sentence=told, take_needed=needed)
        taught.append(row)
    return tuple(taught)
