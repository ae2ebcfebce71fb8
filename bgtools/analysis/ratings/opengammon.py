"""OpenGammon's error rate: 1000 times the losses of all decisions, divided by the player's own moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.ratings import snowie
from bgtools.analysis.ratings.rule import Counting, Rating, mean_loss

if TYPE_CHECKING:
    from bgtools.analysis.ratings.rule import CountedDecisions, RatingResult


def _figure(counted: CountedDecisions) -> RatingResult:
    return mean_loss(counted.own, divided_by=snowie.moves(counted.own))


OPENGAMMON: Final = Counting(name="opengammon", checker_play=snowie.checker_play, cube_action=snowie.cube_action)
OPENGAMMON_ER: Final = Rating(name="opengammon_er", title="OpenGammon rate, mEMG", counting=OPENGAMMON, figure=_figure)
