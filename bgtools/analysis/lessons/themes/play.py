"""Themes of checker play: what a contender does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.analysis.lessons.boards import (
    ADVANCED,
    ANCHORS,
    BLOCK,
    HOME,
    behind,
    broken_points,
    hits,
    made_points,
)
from bgtools.analysis.lessons.scene import is_contact_play, some_play
from bgtools.analysis.lessons.themes.theme import theme
from bgtools.board import BAR, Board, rearmost

if TYPE_CHECKING:
    from bgtools.analysis.lessons.scene import Scene


@theme("from the bar", "checker play")
def _from_the_bar(scene: Scene) -> bool:
    """The player has a checker on the bar, and a contender enters one."""
    return some_play(scene, lambda before, after: before.mine[BAR] > after.mine[BAR])


@theme("hit", "checker play")
def _hit(scene: Scene) -> bool:
    """A contender hits."""
    return some_play(scene, lambda before, after: bool(hits(before, after)))


@theme("hit or not", "checker play")
def _hit_or_not(scene: Scene) -> bool:
    """Of the contenders some hit and some do not."""
    board = scene.board
    return board is not None and len({bool(hits(board, after)) for after in scene.contenders}) == 2


@theme("double hit", "checker play")
def _double_hit(scene: Scene) -> bool:
    """A contender hits two checkers or more."""
    return some_play(scene, lambda before, after: len(hits(before, after)) >= 2)


@theme("point on the head", "checker play")
def _point_on_the_head(scene: Scene) -> bool:
    """A contender makes a point of the own home board where it hits a blot."""
    return some_play(scene, lambda before, after: bool(hits(before, after) & made_points(before, after, HOME)))


@theme("loose hit", "checker play")
def _loose_hit(scene: Scene) -> bool:
    """A contender hits in the own home board and leaves a blot on that point."""
    return some_play(
        scene, lambda before, after: any(after.mine[point] == 1 for point in hits(before, after) if point in HOME)
    )


@theme("slot", "checker play")
def _slot(scene: Scene) -> bool:
    """A contender brings one checker to an empty point, the own 3-point to bar-point, hits nothing there, and the other
    side has a checker behind it."""

    def holds(before: Board, after: Board) -> bool:
        come = {point for point in range(3, 8) if after.mine[point] == 1 and not before.mine[point]}
        return any(any(after.theirs[BAR - point + 1 :]) for point in come - hits(before, after))

    return some_play(scene, holds)


@theme("making a point", "checker play")
def _making_a_point(scene: Scene) -> bool:
    """There is contact, and a contender makes a point of the own home board or the bar-point."""
    return is_contact_play(scene) and some_play(scene, lambda before, after: bool(made_points(before, after, BLOCK)))


@theme("making an anchor", "checker play")
def _making_an_anchor(scene: Scene) -> bool:
    """A contender makes a point of the other's home board."""
    return is_contact_play(scene) and some_play(scene, lambda before, after: bool(made_points(before, after, ANCHORS)))


@theme("breaking anchor", "checker play")
def _breaking_anchor(scene: Scene) -> bool:
    """There is contact, and a contender gives up a point of the other's home board; the ace-point counts where no other
    checker is behind and the other side has none above its midpoint."""

    def holds(before: Board, after: Board) -> bool:
        if broken_points(before, after, ADVANCED):
            return True
        left = before.mine[24] >= 2 > after.mine[24]
        return left and before.mine[24] == behind(before.mine) and rearmost(before.theirs) <= 13

    return is_contact_play(scene) and some_play(scene, holds)


@theme("split", "checker play")
def _split(scene: Scene) -> bool:
    """A contender brings one of the two checkers on the other's ace-point, with no other behind, alone to a
    point up to his bar-point, and hits nothing there."""

    def holds(before: Board, after: Board) -> bool:
        come = [point for point in range(18, 24) if after.mine[point] > before.mine[point]]
        split = before.mine[24] == behind(before.mine) == 2 and after.mine[24] == 1
        return split and len(come) == 1 and after.mine[come[0]] == 1 and not hits(before, after) & set(come)

    return is_contact_play(scene) and some_play(scene, holds)


@theme("breaking the board", "checker play")
def _breaking_the_board(scene: Scene) -> bool:
    """There is contact, and a contender gives up a point of the own home board."""
    return is_contact_play(scene) and some_play(scene, lambda before, after: bool(broken_points(before, after, HOME)))


@theme("breaking the midpoint", "checker play")
def _breaking_the_midpoint(scene: Scene) -> bool:
    """There is contact, and a contender gives up the 13-point."""
    return is_contact_play(scene) and some_play(scene, lambda before, after: bool(broken_points(before, after, (13,))))


@theme("running", "checker play")
def _running(scene: Scene) -> bool:
    """There is contact, and a contender brings a checker from the bar or the other's home board past his bar-point."""

    def holds(before: Board, after: Board) -> bool:
        return sum(after.mine[18:]) < sum(before.mine[18:]) and behind(after.mine) < behind(before.mine)

    return is_contact_play(scene) and some_play(scene, holds)


@theme("breaking contact", "checker play")
def _breaking_contact(scene: Scene) -> bool:
    """There is contact, and a contender leaves none."""
    return some_play(scene, lambda before, after: before.is_contact and not after.is_contact)


@theme("clearing a point", "checker play")
def _clearing_a_point(scene: Scene) -> bool:
    """There is contact, the player has no checker behind, and a contender clears his rearmost point, which he held."""

    def holds(before: Board, after: Board) -> bool:
        last = rearmost(before.mine)
        return last <= 18 and before.mine[last] >= 2 and not after.mine[last]

    return is_contact_play(scene) and some_play(scene, holds)
