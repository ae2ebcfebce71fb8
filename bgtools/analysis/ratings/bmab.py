"""The rating of the Backgammon Masters Awarding Body (BMAB): XG's, with resignations."""

from __future__ import annotations

from functools import partial
from typing import Final

from bgtools.analysis.errors import SETTLED
from bgtools.analysis.ratings import xg
from bgtools.analysis.ratings.rule import Count, Counting, Rating

TITLES: Final = (
    (2.5, "Super Grandmaster"),
    (4.0, "Grandmaster"),
    (6.5, "Master"),
    (10.0, "Advanced"),
    (16.0, "Intermediate"),
)


def resignation(loss: float) -> Count:
    """Count a resignation, or its acceptance, that gave something away."""
    if loss >= SETTLED:
        return Count(True, "a resignation that gave something away")
    return Count(False, "the resignation was worth the position")


def title(value: float) -> str:
    """The title whose bound a PR keeps; empty above all of them."""
    return next((name for limit, name in TITLES if value <= limit), "")


BMAB: Final = Counting(name="bmab", checker_play=xg.checker_play, cube_action=xg.cube_action, resignation=resignation)
BMAB_PR: Final = Rating(
    name="bmab_pr", title="BMAB PR", counting=BMAB, figure=partial(xg.pr, named=title), digits=2, tally="BMAB"
)
