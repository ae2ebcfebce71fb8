"""Ratings, a module each: the formula, which decisions it counts and why, and what it calls the result.

They differ mostly in what they count, so every decision carries what each of them says of it, with the reason.
"""

from __future__ import annotations

from bgtools.analysis.ratings.registry import (
    COUNTING_NAMES,
    RATING_NAMES,
    RATINGS,
    all_ratings,
    count_checker,
    count_cube,
    count_none,
    count_resignation,
    rate,
)
from bgtools.analysis.ratings.rule import (
    Count,
    CountedDecisions,
    Counting,
    JudgedCubeAction,
    JudgedPlay,
    Rating,
    RatingResult,
    mean_loss,
)
from bgtools.analysis.ratings.xg import XG_PR, pr_factor

__all__ = [
    "COUNTING_NAMES",
    "RATINGS",
    "RATING_NAMES",
    "XG_PR",
    "Count",
    "CountedDecisions",
    "Counting",
    "JudgedCubeAction",
    "JudgedPlay",
    "Rating",
    "RatingResult",
    "all_ratings",
    "count_checker",
    "count_cube",
    "count_none",
    "count_resignation",
    "mean_loss",
    "pr_factor",
    "rate",
]
