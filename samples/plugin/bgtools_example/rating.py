"""A rating: what a player's checker plays gave away, a hundred of them."""

from __future__ import annotations

from bgtools.extend import (
    Count,
    CountedDecisions,
    Counting,
    JudgedCubeAction,
    JudgedPlay,
    Rating,
    RatingResult,
    mean_loss,
)


def checker_play(play: JudgedPlay) -> Count:
    """Count every play that was a choice."""
    return Count(True, "a choice of plays") if len(play.equities) > 1 else Count(False, "a forced play")


def cube_action(cube: JudgedCubeAction) -> Count:
    """Count no cube action."""
    return Count(False, "only checker plays are counted")


def figure(counted: CountedDecisions) -> RatingResult:
    """The equity that a hundred of the player's plays give away."""
    return mean_loss(counted.own, 100)


EXAMPLE = Rating(
    name="example",
    title="example, EMG per 100 plays",
    counting=Counting(name="example", checker_play=checker_play, cube_action=cube_action),
    figure=figure,
)
