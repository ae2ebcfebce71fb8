"""GNU Backgammon's error rates: 1000 times the mean loss, of all counted decisions, of plays, and of the cube."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.ratings.rule import Count, Counting, Rating, mean_loss

if TYPE_CHECKING:
    from bgtools.analysis.ratings.rule import CountedDecisions, JudgedCubeAction, JudgedPlay, RatingResult

CLOSE: Final = 0.16
"""How far from a double, in EMG, a turn without one still counts."""

LABELS: Final = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)


def checker_play(play: JudgedPlay) -> Count:
    """Count a play wherever there was a choice."""
    return Count(True, "a choice of plays") if len(play.equities) > 1 else Count(False, "forced")


def cube_action(cube: JudgedCubeAction) -> Count:
    """Count every cube action but beavers and raccoons, and a turn without a double where the decision was close."""
    if cube.kind in ("beaver", "raccoon"):
        return Count(False, "beavers and raccoons are not counted")
    if cube.kind != "no double":
        return Count(True, "a cube action was taken")
    if cube.dead:
        return Count(False, "dead cube")
    if cube.answer.best - min(cube.answer.double_take, 1.0) < CLOSE:
        return Count(True, "a close cube decision")
    return Count(False, "not a close cube decision")


def label(value: float) -> str:
    """GNU Backgammon's name for an error rate in mEMG."""
    return next((name for limit, name in LABELS if value / 1000 < limit), "Awful!")


def _all(counted: CountedDecisions) -> RatingResult:
    return mean_loss(counted.own, label=label)


def _of_plays(counted: CountedDecisions) -> RatingResult:
    return mean_loss([row for row in counted.own if row.kind == "checker play"], label=label)


def _of_cube(counted: CountedDecisions) -> RatingResult:
    return mean_loss([row for row in counted.own if row.kind != "checker play"], label=label)


GNUBG: Final = Counting(name="gnubg", checker_play=checker_play, cube_action=cube_action)
GNUBG_RATES: Final = (
    Rating(name="gnubg_er", title="gnubg error rate, mEMG", counting=GNUBG, figure=_all, mwc_digits=2, tally="gnubg"),
    Rating(
        name="gnubg_checker_er",
        title="gnubg error rate of checker play, mEMG",
        counting=GNUBG,
        figure=_of_plays,
        printed=False,
    ),
    Rating(
        name="gnubg_cube_er",
        title="gnubg error rate of the cube, mEMG",
        counting=GNUBG,
        figure=_of_cube,
        printed=False,
    ),
)
