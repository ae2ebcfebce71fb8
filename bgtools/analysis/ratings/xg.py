"""eXtreme Gammon's performance rating (PR): 500 times the mean loss of the counted decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.errors import REPLIES
from bgtools.analysis.ratings.rule import Count, Counting, Rating, mean_loss
from bgtools.record.annotation import is_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.analysis.ratings.rule import CountedDecisions, JudgedCubeAction, JudgedPlay, RatingResult

TRIVIAL: Final = 0.001
FAR: Final = 0.200
LOST: Final = -0.900
ONE_POINTER: Final = 1.5
"""What XG multiplies the rating of a 1-point match with: no cube decisions dilute it."""

LABELS: Final = (
    (2.5, "World Champion"),
    (5.0, "World Class"),
    (7.5, "Expert"),
    (12.5, "Advanced"),
    (17.5, "Intermediate"),
    (22.5, "Casual"),
    (30.0, "Beginner"),
)

_COUNTER_DOUBLES: Final = frozenset(kind for kind, (_, number) in REPLIES.items() if number)
"""What the doubler does after a beaver, and what follows."""


def checker_play(play: JudgedPlay) -> Count:
    """Count a choice between plays of different worth; what XG's file states goes before this rule."""
    by_rule = _by_rule(play.equities)
    if play.stated is None or play.stated == by_rule.counted:
        return by_rule
    verb = "counts" if play.stated else "does not count"
    return Count(play.stated, f"XG {verb} it, though by its rule: {by_rule.why}")


def _by_rule(equities: Sequence[float]) -> Count:
    if len(equities) < 2:
        return Count(False, "forced")
    if not is_choice(equities):
        return Count(False, "the best plays are all worth the same")
    return Count(True, "a choice of plays")


def cube_action(cube: JudgedCubeAction) -> Count:
    """Count every double, answers between which there is a difference, and turns near a double."""
    if cube.dead:
        return Count(False, "dead cube")
    nd, dt, dp = cube.answer.no_double, cube.answer.double_take, cube.answer.double_pass
    if cube.kind in _COUNTER_DOUBLES:
        return Count(False, "what follows a beaver is not counted")
    if cube.kind in REPLIES:
        if abs(dt - dp) < TRIVIAL:
            return Count(False, "take and pass are worth the same")
        return Count(True, "a double was answered")
    if cube.kind == "double":
        return Count(True, "a double was made")
    if cube.loss >= TRIVIAL:
        return Count(True, "a double was missed")
    if abs(nd - min(dt, dp)) < TRIVIAL:
        return Count(False, "doubling and not doubling are worth the same")
    if nd - dt > FAR:
        return Count(False, "far from a double")
    if nd - dp > FAR:
        return Count(False, "far too good to double")
    if nd < LOST and dt < LOST:
        return Count(False, "as good as lost")
    return Count(True, "near a double")


def label(value: float) -> str:
    """XG's name for a PR."""
    return next((name for limit, name in LABELS if value <= limit), "Distracted")


def pr_factor(length: int) -> float:
    """The factor by which PR multiplies the mean loss, in a match to ``length`` points (0 for money)."""
    return 500 * (ONE_POINTER if length == 1 else 1.0)


def pr(counted: CountedDecisions, named: Callable[[float], str] = label) -> RatingResult:
    """The rating by XG's formula."""
    return mean_loss(counted.own, pr_factor(counted.length), label=named, in_mwc=False)


XG: Final = Counting(name="xg", checker_play=checker_play, cube_action=cube_action)
XG_PR: Final = Rating(name="xg_pr", title="XG PR", counting=XG, figure=pr, digits=2, tally="XG")
