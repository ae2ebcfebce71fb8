"""Themes of the score: what it makes of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.analysis.lessons.themes.theme import theme

if TYPE_CHECKING:
    from bgtools.analysis.lessons.scene import DecisionBoards


@theme("score", "the score")
def _score(scene: DecisionBoards) -> bool:
    """An error in a match that is none for money: the score was the reason."""
    return "money" in scene.row.right_at


@theme("double match point", "the score")
def _double_match_point(scene: DecisionBoards) -> bool:
    """A single game wins the match for either player."""
    return scene.need == "double match point"


@theme("gammon-go", "the score")
def _gammon_go(scene: DecisionBoards) -> bool:
    """The player who decides needs a gammon to win the match and cannot turn the cube; a single game wins it for the
    other."""
    return scene.need == "gammon-go"


@theme("gammon-save", "the score")
def _gammon_save(scene: DecisionBoards) -> bool:
    """A single game wins the match for the player who decides; the other needs a gammon to win it and cannot turn the
    cube."""
    return scene.need == "gammon-save"


@theme("Crawford", "the score")
def _crawford(scene: DecisionBoards) -> bool:
    """The Crawford game."""
    return scene.stage == "Crawford"


@theme("post-Crawford", "the score")
def _post_crawford(scene: DecisionBoards) -> bool:
    """A game after the Crawford game."""
    return scene.stage == "post-Crawford"


@theme("free drop", "the score")
def _free_drop(scene: DecisionBoards) -> bool:
    """After the Crawford game the leader, who needs one point, answers the first double of the game, and the other
    needs an even number of points."""
    row = scene.row
    own, other = (row.length - points for points in row.score)
    first = row.kind in ("take", "pass") and row.cube == 1
    return _post_crawford(scene) and first and own == 1 and other % 2 == 0
