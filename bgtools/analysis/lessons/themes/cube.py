"""Themes of the cube: what doubling and passing are worth."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from bgtools.analysis.lessons.themes.theme import theme

if TYPE_CHECKING:
    from bgtools.analysis.lessons.scene import DecisionBoards


def _equities(scene: DecisionBoards) -> tuple[float, float, float] | None:
    """No double, double and take, double and pass; None where they are not known."""
    named = scene.choices
    take = named.get("Double, take", named.get("Double, beaver"))
    if "No double" not in named or take is None or "Double, pass" not in named:
        return None
    return named["No double"].equity, take.equity, named["Double, pass"].equity


@theme("redouble", "the cube")
def _redouble(scene: DecisionBoards) -> bool:
    """The cube was turned before: the player may redouble, or answers a redouble."""
    return scene.row.cube_owner != "centre" and scene.row.kind in ("no double", "double", "take", "pass")


@theme("beaver", "the cube")
def _beaver(scene: DecisionBoards) -> bool:
    """A beaver or a raccoon is made, answered or best."""
    names = (scene.row.kind, scene.row.best.lower())
    return scene.is_cube and any(word in name for word, name in product(("beaver", "raccoon"), names))


@theme("too good", "the cube")
def _too_good(scene: DecisionBoards) -> bool:
    """The player could double and be passed, and rolling on is worth more than the pass."""
    worth = _equities(scene)
    return worth is not None and worth[1] >= worth[2] and worth[0] > worth[2]


@theme("cash", "the cube")
def _cash(scene: DecisionBoards) -> bool:
    """Doubling is best, and the other player should pass."""
    worth = _equities(scene)
    return worth is not None and worth[1] >= worth[2] > worth[0]


@theme("cash or play on", "the cube")
def _cash_or_play_on(scene: DecisionBoards) -> bool:
    """The other player should pass a double, and rolling on is worth within .2 EMG of that."""
    worth = _equities(scene)
    return worth is not None and worth[1] >= worth[2] and abs(worth[0] - worth[2]) <= _WIDE


_WIDE: Final = 0.2
_CLOSE: Final = 0.04


@theme("close double", "the cube")
def _close_double(scene: DecisionBoards) -> bool:
    """Doubling and not doubling are worth the same within .04 EMG."""
    worth = _equities(scene)
    return worth is not None and abs(worth[0] - min(worth[1:])) <= _CLOSE


@theme("close take", "the cube")
def _close_take(scene: DecisionBoards) -> bool:
    """Taking and passing a double are worth the same within .04 EMG."""
    worth = _equities(scene)
    if worth is not None:
        return abs(worth[1] - worth[2]) <= _CLOSE
    named = scene.choices
    return "Take" in named and "Pass" in named and abs(named["Take"].equity - named["Pass"].equity) <= _CLOSE


@theme("resignation", "the cube")
def _resignation(scene: DecisionBoards) -> bool:
    """A player resigns, or accepts a resignation."""
    return not scene.is_play and not scene.is_cube
