"""Snowie's error rate: 1000 times the losses of all decisions, divided by the moves of both players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.ratings.rule import Count, Counting, Rating, mean_loss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.ratings.rule import CountedDecisions, JudgedCubeAction, JudgedPlay, RatingResult
    from bgtools.analysis.rows import DecisionRow


def checker_play(play: JudgedPlay) -> Count:
    """Count every play, forced ones and dances too."""
    return Count(True, "every move counts")


def cube_action(cube: JudgedCubeAction) -> Count:
    """Count every cube decision. Its loss is added; only moves divide."""
    return Count(True, "every cube decision counts")


def moves(rows: Sequence[DecisionRow]) -> int:
    """How many of some decisions are moves."""
    return sum(row.kind == "checker play" for row in rows)


def _figure(counted: CountedDecisions) -> RatingResult:
    return mean_loss(counted.own, divided_by=moves(counted.both))


SNOWIE: Final = Counting(name="snowie", checker_play=checker_play, cube_action=cube_action)
SNOWIE_ER: Final = Rating(name="snowie_er", title="Snowie error rate, mEMG", counting=SNOWIE, figure=_figure)
