"""Ratings: whose formula, which decisions it counts, and what it calls the result.

XG's performance rating (PR) is 500 times the mean loss of the counted decisions, GNU Backgammon's
error rate 1000 times it. They differ mostly in what they count, so every decision carries both
verdicts with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.analysis.rows import Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.analysis.rows import DecisionKind, DecisionRow
    from bgtools.engines.protocol import CubeAnswer

XG_SPREAD: Final = 1e-4
XG_TOP: Final = 10
XG_TRIVIAL: Final = 0.001
XG_FAR: Final = 0.200
XG_LOST: Final = -0.900
GNUBG_CLOSE: Final = 0.16
ONE_POINTER: Final = 1.5
"""What XG multiplies the rating of a 1-point match with: no cube decisions dilute it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One rating of one player.

    Attributes:
        value: the rating, lower is better; None when no decision counts.
        loss: sum of the counted losses in EMG.
        counted: how many decisions count.
        label: what the rating's owner calls such a player.
    """

    value: float | None
    loss: float
    counted: int
    label: str


# --- XG -------------------------------------------------------------------------------------


def xg_checker(equities: Sequence[float]) -> Count:
    """Whether XG counts a checker play.

    Args:
        equities: of every distinct legal result, best first.
    """
    if len(equities) < 2:
        return Count(False, "forced")
    top = equities[:XG_TOP]
    if max(top) - min(top) < XG_SPREAD:
        return Count(False, "the best plays are all worth the same")
    return Count(True, "a choice of plays")


def xg_cube(kind: DecisionKind, answer: CubeAnswer, loss: float, *, dead: bool = False) -> Count:
    """Whether XG counts a cube decision.

    Args:
        kind: what was done.
        answer: the equities of the decision.
        loss: what it cost the player who decided, EMG.
        dead: whether the cube can gain the player on roll nothing.
    """
    if dead:
        return Count(False, "dead cube")
    nd, dt, dp = answer.no_double, answer.double_take, answer.double_pass
    if kind in ("take", "pass", "beaver"):
        if abs(dt - dp) < XG_TRIVIAL:
            return Count(False, "take and pass are worth the same")
        return Count(True, "a double was answered")
    if kind == "double":
        return Count(True, "a double was made")
    if loss >= XG_TRIVIAL:
        return Count(True, "a double was missed")
    if abs(nd - min(dt, dp)) < XG_TRIVIAL:
        return Count(False, "doubling and not doubling are worth the same")
    if nd - dt > XG_FAR:
        return Count(False, "far from a double")
    if nd - dp > XG_FAR:
        return Count(False, "far too good to double")
    if nd < XG_LOST and dt < XG_LOST:
        return Count(False, "as good as lost")
    return Count(True, "near a double")


XG_LABELS: Final = (
    (2.5, "World Champion"),
    (5.0, "World Class"),
    (7.5, "Expert"),
    (12.5, "Advanced"),
    (17.5, "Intermediate"),
    (22.5, "Casual"),
    (30.0, "Beginner"),
)


def xg_label(value: float) -> str:
    """XG's name for a PR."""
    return next((label for limit, label in XG_LABELS if value <= limit), "Distracted")


def xg_rating(decisions: Iterable[DecisionRow], *, length: int) -> Rating:
    """XG's performance rating of one player's decisions.

    Args:
        decisions: his decisions.
        length: points to win the match; a 1-point match is rated times 1.5.
    """
    losses = [row.loss for row in decisions if row.xg.counted and row.loss is not None]
    if not losses:
        return Rating(None, 0.0, 0, "")
    value = 500 * sum(losses) / len(losses) * (ONE_POINTER if length == 1 else 1.0)
    return Rating(value, sum(losses), len(losses), xg_label(value))


# --- GNU Backgammon -------------------------------------------------------------------------


def gnubg_checker(equities: Sequence[float]) -> Count:
    """Whether GNU Backgammon counts a checker play: whenever there was a choice."""
    return Count(True, "a choice of plays") if len(equities) > 1 else Count(False, "forced")


def gnubg_cube(kind: DecisionKind, answer: CubeAnswer, *, dead: bool = False) -> Count:
    """Whether GNU Backgammon counts a cube decision: what was done, and a double not made that was close."""
    if kind == "beaver":
        return Count(False, "beavers are not counted")
    if kind != "no double":
        return Count(True, "a cube action was taken")
    if dead:
        return Count(False, "dead cube")
    if answer.best - min(answer.double_take, 1.0) < GNUBG_CLOSE:
        return Count(True, "a close cube decision")
    return Count(False, "not a close cube decision")


GNUBG_LABELS: Final = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)


def gnubg_label(value: float) -> str:
    """GNU Backgammon's name for an error rate in mEMG."""
    return next((label for limit, label in GNUBG_LABELS if value / 1000 < limit), "Awful!")


def gnubg_rating(decisions: Iterable[DecisionRow]) -> Rating:
    """GNU Backgammon's error rate, in thousandths of EMG a counted decision."""
    losses = [row.loss for row in decisions if row.gnubg.counted and row.loss is not None]
    if not losses:
        return Rating(None, 0.0, 0, "")
    value = 1000 * sum(losses) / len(losses)
    return Rating(value, sum(losses), len(losses), gnubg_label(value))
