"""What a decision is about, and why it was an error: themes by predicates, a sentence from what can be counted.

Pure functions of a row: nothing is read, nothing searched, so that rows from a table serve as well as an analysis.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.analysis.lessons.boards import Shots, shots
from bgtools.analysis.lessons.scene import Scene, scene_of
from bgtools.analysis.lessons.sentence import sentence_of
from bgtools.analysis.lessons.themes import THEMES, Theme, themes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.analysis.rows import DecisionRow
    from bgtools.met import MatchEquityTable

__all__ = ["THEMES", "Scene", "Shots", "Theme", "scene_of", "sentence_of", "shots", "themes_of", "with_lessons"]


def with_lessons(
    rows: Iterable[DecisionRow], *, crawford_rule: bool = True, met: MatchEquityTable | None = None
) -> tuple[DecisionRow, ...]:
    """Decisions with their themes and, where they are errors of some class, a sentence.

    Args:
        rows: the decisions, with their phases.
        crawford_rule: whether the Crawford rule is in force.
        met: the match equity table that they were judged by.
    """
    return tuple(_with_lesson(row, scene_of(row, crawford_rule=crawford_rule), met) for row in rows)


def _with_lesson(row: DecisionRow, scene: Scene | None, met: MatchEquityTable | None) -> DecisionRow:
    if scene is None:
        return row
    return replace(row, themes=themes_of(scene), sentence=sentence_of(scene, met) if row.error else "")
