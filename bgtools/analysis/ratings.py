"""Ratings: whose formula, which decisions it counts, and what it calls the result.

XG's performance rating (PR) is 500 times the mean loss of the counted decisions, GNU Backgammon's
error rate 1000 times it; the Backgammon Masters Awarding Body (BMAB) adds resignations to XG's.
Snowie's error rate divides all losses by the moves of both players, OpenGammon's by the player's own.
They differ mostly in what they count, so every decision carries all verdicts with the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.errors import REPLIES
from bgtools.analysis.resignations import SETTLED
from bgtools.analysis.rows import Count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bgtools.analysis.rows import DecisionKind, DecisionRow
    from bgtools.engines import CubeAnswer

Convention = Literal["xg", "bmab", "gnubg", "snowie", "opengammon"]
"""Who counts; the name of the `Count` in a decision's row."""

RatingName = Literal["xg_pr", "bmab_pr", "gnubg_er", "gnubg_checker_er", "gnubg_cube_er", "snowie_er", "opengammon_er"]

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
        value: the rating, lower is better; None when there is nothing to divide by.
        value_mwc: the same in thousandths of match winning chance; None for PR, which has no such form,
            and for money.
        loss: sum of the counted losses in EMG.
        counted: how many decisions count.
        divided_by: what the losses are divided by: those decisions, or moves.
        label: what the rating's owner calls such a player; empty where he has no name for it.
    """

    value: float | None
    value_mwc: float | None
    loss: float
    counted: int
    divided_by: int
    label: str


def rate(player: int, decisions: Iterable[DecisionRow], *, length: int) -> dict[RatingName, Rating]:
    """All ratings of one player.

    Args:
        player: 0 or 1.
        decisions: those of both players: Snowie divides by the moves of both.
        length: points to win the match, 0 for money; PR of a 1-point match is multiplied by 1.5.
    """
    judged = [row for row in decisions if row.loss is not None or row.snowie.counted]
    own = [row for row in judged if row.player == player]
    plays = [row for row in own if row.kind == "checker play"]
    cube = [row for row in own if row.kind != "checker play"]
    pr = 500 * (ONE_POINTER if length == 1 else 1.0)
    moves = sum(row.kind == "checker play" for row in judged)
    return {
        "xg_pr": _rating("xg", own, pr, xg_label),
        "bmab_pr": _rating("bmab", own, pr, bmab_title),
        "gnubg_er": _rating("gnubg", own, 1000, gnubg_label),
        "gnubg_checker_er": _rating("gnubg", plays, 1000, gnubg_label),
        "gnubg_cube_er": _rating("gnubg", cube, 1000, gnubg_label),
        "snowie_er": _rating("snowie", own, 1000, divided_by=moves),
        "opengammon_er": _rating("opengammon", own, 1000, divided_by=len(plays)),
    }


def _rating(
    convention: Convention,
    decisions: Iterable[DecisionRow],
    factor: float,
    label: Callable[[float], str] = lambda value: "",
    *,
    divided_by: int | None = None,
) -> Rating:
    counted = [row for row in decisions if getattr(row, convention).counted]
    loss = sum(row.loss or 0.0 for row in counted)
    by = len(counted) if divided_by is None else divided_by
    if not by or all(row.loss is None for row in counted):
        return Rating(None, None, loss, len(counted), 0, "")
    value = factor * loss / by
    # In thousandths like the rate itself; PR has a scale of its own.
    mwc = None
    if factor == 1000 and all(row.loss_mwc is not None or row.loss is None for row in counted):
        mwc = factor * sum(row.loss_mwc or 0.0 for row in counted) / by
    return Rating(value, mwc, loss, len(counted), by, label(value))


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


_COUNTER_DOUBLES: Final = frozenset(kind for kind, (_, number) in REPLIES.items() if number)
"""What the doubler does after a beaver, and what follows."""


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
    if kind in _COUNTER_DOUBLES:
        return Count(False, "what follows a beaver is not counted")
    if kind in REPLIES:
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


# --- BMAB -----------------------------------------------------------------------------------


def bmab_resignation(loss: float) -> Count:
    """Whether BMAB counts a resignation, or its acceptance: what it cost is added to XG's rating."""
    if loss >= SETTLED:
        return Count(True, "a resignation that gave something away")
    return Count(False, "the resignation was worth the position")


BMAB_TITLES: Final = (
    (2.5, "Super Grandmaster"),
    (4.0, "Grandmaster"),
    (6.5, "Master"),
    (10.0, "Advanced"),
    (16.0, "Intermediate"),
)


def bmab_title(value: float) -> str:
    """The BMAB title whose bound a PR keeps; empty above all of them."""
    return next((title for limit, title in BMAB_TITLES if value <= limit), "")


# --- GNU Backgammon -------------------------------------------------------------------------


def gnubg_checker(equities: Sequence[float]) -> Count:
    """Whether GNU Backgammon counts a checker play: whenever there was a choice."""
    return Count(True, "a choice of plays") if len(equities) > 1 else Count(False, "forced")


def gnubg_cube(kind: DecisionKind, answer: CubeAnswer, *, dead: bool = False) -> Count:
    """Whether GNU Backgammon counts a cube decision: what was done, and a double not made that was close."""
    if kind in ("beaver", "raccoon"):
        return Count(False, "beavers and raccoons are not counted")
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


# --- Snowie and OpenGammon ------------------------------------------------------------------


def every_decision(kind: DecisionKind) -> Count:
    """Whether Snowie and OpenGammon count a decision: always; but only moves divide the losses."""
    return Count(True, "every move counts" if kind == "checker play" else "every cube decision counts")


# --- all of them ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Whether each convention counts a decision, and why or why not."""

    xg: Count
    bmab: Count
    gnubg: Count
    snowie: Count
    opengammon: Count


def count_checker(equities: Sequence[float], stated: bool | None = None) -> Verdicts:
    """Every convention's verdict on a checker play.

    Args:
        equities: of every distinct legal result, best first.
        stated: XG's own verdict, where its file has it: it goes by more than the file tells.
    """
    xg, every = xg_checker(equities), every_decision("checker play")
    if stated is not None and stated != xg.counted:
        xg = Count(stated, f"XG {'counts' if stated else 'does not count'} it, though by its rule: {xg.why}")
    return Verdicts(xg, xg, gnubg_checker(equities), every, every)


def count_cube(kind: DecisionKind, answer: CubeAnswer, loss: float, *, dead: bool) -> Verdicts:
    """Every convention's verdict on a cube decision; the arguments are those of `xg_cube`."""
    xg = xg_cube(kind, answer, loss, dead=dead)
    every = every_decision(kind)
    return Verdicts(xg, xg, gnubg_cube(kind, answer, dead=dead), every, every)


def count_resignation(loss: float) -> Verdicts:
    """Every convention's verdict on a resignation or its acceptance."""
    none = Count(False, "resignations are not counted")
    return Verdicts(none, bmab_resignation(loss), none, none, none)


def count_none(why: str, *, forced: bool = False) -> Verdicts:
    """Every convention's verdict on a decision that was not judged; that a play was forced is known all the same."""
    if forced:
        return count_checker([0.0])
    none = Count(False, why)
    return Verdicts(none, none, none, none, none)
