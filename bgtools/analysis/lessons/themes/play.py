"""Themes of checker play: what a contender does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.analysis.lessons.boards import ADVANCED, ANCHORS, BLOCK, HOME, behind
from bgtools.analysis.lessons.scene import is_contact_play, some_play
from bgtools.analysis.lessons.themes.theme import theme
from bgtools.board.board import BAR, rearmost

if TYPE_CHECKING:
    from bgtools.analysis.lessons.boards import PlayChange
    from bgtools.analysis.lessons.scene import DecisionBoards


@theme("from the bar", "checker play")
def _from_the_bar(scene: DecisionBoards) -> bool:
    """The player has a checker on the bar, and a contender enters one."""
    return some_play(scene, lambda change: change.before.mine[BAR] > change.after.mine[BAR])


@theme("hit", "checker play")
def _hit(scene: DecisionBoards) -> bool:
    """A contender hits."""
    return some_play(scene, lambda change: change.hits)


@theme("hit or not", "checker play")
def _hit_or_not(scene: DecisionBoards) -> bool:
    """Of the contenders some hit and some do not."""
    return len({bool(change.hits) for change in scene.changes}) == 2


@theme("double hit", "checker play")
def _double_hit(scene: DecisionBoards) -> bool:
    """A contender hits two checkers or more."""
    return some_play(scene, lambda change: len(change.hits) >= 2)


@theme("point on the head", "checker play")
def _point_on_the_head(scene: DecisionBoards) -> bool:
    """A contender makes a point of the own home board where it hits a blot."""
    return some_play(scene, lambda change: not (change.hits & change.made).isdisjoint(HOME))


@theme("loose hit", "checker play")
def _loose_hit(scene: DecisionBoards) -> bool:
    """A contender hits in the own home board and leaves a blot on that point."""
    return some_play(scene, lambda change: any(change.after.mine[point] == 1 for point in change.hits if point in HOME))


@theme("slot", "checker play")
def _slot(scene: DecisionBoards) -> bool:
    """A contender brings one checker to an empty point, the own 3-point to bar-point, hits nothing there, and the other
    side has a checker behind it."""

    def holds(change: PlayChange) -> bool:
        before, after = change.before, change.after
        come = [point for point in range(3, 8) if after.mine[point] == 1 and not before.mine[point]]
        return any(any(after.theirs[BAR - point + 1 :]) for point in come if point not in change.hits)

    return some_play(scene, holds)


@theme("making a point", "checker play")
def _making_a_point(scene: DecisionBoards) -> bool:
    """There is contact, and a contender makes a point of the own home board or the bar-point."""
    return is_contact_play(scene) and some_play(scene, lambda change: not change.made.isdisjoint(BLOCK))


@theme("making an anchor", "checker play")
def _making_an_anchor(scene: DecisionBoards) -> bool:
    """A contender makes a point of the other's home board."""
    return is_contact_play(scene) and some_play(scene, lambda change: not change.made.isdisjoint(ANCHORS))


@theme("breaking anchor", "checker play")
def _breaking_anchor(scene: DecisionBoards) -> bool:
    """There is contact, and a contender gives up a point of the other's home board. The ace-point counts only where the
    player has no other checker behind and the other side has none above its midpoint."""

    def holds(change: PlayChange) -> bool:
        if not change.given_up.isdisjoint(ADVANCED):
            return True
        before = change.before
        return 24 in change.given_up and before.mine[24] == behind(before.mine) and rearmost(before.theirs) <= 13

    return is_contact_play(scene) and some_play(scene, holds)


@theme("split", "checker play")
def _split(scene: DecisionBoards) -> bool:
    """A contender brings one of the two checkers on the other's ace-point, with no other behind, alone to a
    point up to their bar-point, and hits nothing there."""

    def holds(change: PlayChange) -> bool:
        before, after = change.before, change.after
        if not before.mine[24] == behind(before.mine) == 2 or after.mine[24] != 1:
            return False
        come = [point for point in range(18, 24) if after.mine[point] > before.mine[point]]
        return len(come) == 1 and after.mine[come[0]] == 1 and come[0] not in change.hits

    return is_contact_play(scene) and some_play(scene, holds)


@theme("breaking the board", "checker play")
def _breaking_the_board(scene: DecisionBoards) -> bool:
    """There is contact, and a contender gives up a point of the own home board."""
    return is_contact_play(scene) and some_play(scene, lambda change: not change.given_up.isdisjoint(HOME))


@theme("breaking the midpoint", "checker play")
def _breaking_the_midpoint(scene: DecisionBoards) -> bool:
    """There is contact, and a contender gives up the 13-point."""
    return is_contact_play(scene) and some_play(scene, lambda change: 13 in change.given_up)


@theme("running", "checker play")
def _running(scene: DecisionBoards) -> bool:
    """There is contact, and a contender brings a checker from the bar or the other's home board past its bar-point."""

    def holds(change: PlayChange) -> bool:
        before, after = change.before.mine, change.after.mine
        return behind(after) < behind(before) and sum(after[18:]) < sum(before[18:])

    return is_contact_play(scene) and some_play(scene, holds)


@theme("breaking contact", "checker play")
def _breaking_contact(scene: DecisionBoards) -> bool:
    """There is contact, and a contender leaves none."""
    return scene.is_contact and some_play(scene, lambda change: not change.after.is_contact)


@theme("clearing a point", "checker play")
def _clearing_a_point(scene: DecisionBoards) -> bool:
    """There is contact, the player has no checker behind, and a contender clears the rearmost point that they held."""

    def holds(change: PlayChange) -> bool:
        mine = change.before.mine
        last = rearmost(mine)
        return last <= 18 and mine[last] >= 2 and not change.after.mine[last]

    return is_contact_play(scene) and some_play(scene, holds)
