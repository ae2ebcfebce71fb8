"""Points: scores with points added, what a game can be worth, and points that are a mark and no score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bgtools.board.perspective import Player

_THOUSAND: Final = 1000
_HUNDRED: Final = 100


def plus(score: tuple[int, int], player: Player | None, points: int | None) -> tuple[int, int]:
    """A score with points for a player; the same where nobody got any, or nobody knows how many."""
    if player is None or points is None:
        return score
    return (score[0] + points, score[1]) if player == 0 else (score[0], score[1] + points)


def wins(cube: int) -> tuple[int, int, int]:
    """What a game can be worth with this cube."""
    return cube, 2 * cube, 3 * cube


def is_sentinel(points: int, cube: int) -> bool:
    """Whether stated points are a mark of a broken-off game: 100 (GridGammon), 1004, 2008, … (Studio).

    With the cube at 512 a gammon is 1024 points in earnest.
    """
    return (points == _HUNDRED or points >= _THOUSAND) and points not in wins(cube)
