"""FIBS ratings that a match suggests, as GNU Backgammon estimates them.

The rating of the First Internet Backgammon Server gives a player who is R points stronger the chance
1 / (1 + 10^(-R sqrt(n) / 2000)) to win a match to n points.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bgtools.analysis.ratings.rule import RatingResult
    from bgtools.analysis.result import AdjustedResult

FLAWLESS: Final = 2050.0
"""The rating of a player without errors."""


@dataclass(frozen=True, slots=True)
class Fibs:
    """What a match says of a player's FIBS rating. One match says little.

    Attributes:
        luck_difference: rating points by which the player exceeds the opponent, by the luck-adjusted result; None where
            that result is not known or not between 0 and 1.
        checker_loss: how much the errors of checker play take from the rating of a flawless player.
        cube_loss: the same for the cube; None without a counted cube decision.
        rating: the rating of a flawless player less both losses; None without a counted checker play.
    """

    luck_difference: float | None
    checker_loss: float | None
    cube_loss: float | None
    rating: float | None


def luck_difference(result: float, length: int) -> float | None:
    """By how much a rating exceeds the opponent's where this result is expected: -2000 / sqrt(n) log10(1/r - 1).

    Args:
        result: a luck-adjusted result as match winning chance.
        length: points to win the match, at least 1.

    Returns:
        Rating points; None where the result is no chance between 0 and 1, both excluded.
    """
    return -2000 / sqrt(length) * log10(1 / result - 1) if 0 < result < 1 else None


def checker_loss(rate: float, length: int) -> float:
    """Rating points that an error rate costs: rate x (8798 + 25526 / n), in EMG a counted checker play."""
    return rate * (8798 + 25526 / length)


def cube_loss(rate: float, length: int) -> float:
    """Rating points that an error rate costs: rate x (863 - 519 / n), in EMG a counted cube decision."""
    return rate * (863 - 519 / length)


def estimate(checker: RatingResult, cube: RatingResult, result: AdjustedResult | None, length: int) -> Fibs:
    """All estimates of one player.

    Args:
        checker, cube: GNU Backgammon's error rates of checker play and of the cube.
        result: his luck-adjusted result in match winning chance.
        length: points to win the match, at least 1.
    """
    by_checker = None if checker.value is None else checker_loss(checker.value / 1000, length)
    by_cube = None if cube.value is None else cube_loss(cube.value / 1000, length)
    return Fibs(
        None if result is None else luck_difference(result.adjusted, length),
        by_checker,
        by_cube,
        None if by_checker is None else FLAWLESS - by_checker - (by_cube or 0.0),
    )
