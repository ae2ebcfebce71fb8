"""The rules beyond the board: options and variants, the cube, what a game is worth."""

from __future__ import annotations

from bgtools.rules.cube import (
    OWNERS,
    Cube,
    CubeReason,
    CubeViolation,
    MatchState,
    Owner,
    explain_beaver,
    explain_double,
)
from bgtools.rules.options import VARIANTS, Ruleset, parse_rules, variant_of
from bgtools.rules.worth import Level, points_won, winning_level

__all__ = [
    "OWNERS",
    "VARIANTS",
    "Cube",
    "CubeReason",
    "CubeViolation",
    "Level",
    "MatchState",
    "Owner",
    "Ruleset",
    "explain_beaver",
    "explain_double",
    "parse_rules",
    "points_won",
    "variant_of",
    "winning_level",
]
