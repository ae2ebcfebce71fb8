"""Themes of the game: what kind of position it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.lessons.boards import (
    ADVANCED,
    ANCHORS,
    HOME,
    behind,
    finishes,
    held,
    lead,
    prime,
    spare_pips,
)
from bgtools.analysis.lessons.scene import boards_of, sides_of, some_side
from bgtools.analysis.lessons.themes.theme import theme
from bgtools.analysis.phases import is_back_game
from bgtools.bearoff import is_home
from bgtools.board import BAR, OFF, START, rearmost

if TYPE_CHECKING:
    from bgtools.analysis.lessons.scene import Scene
    from bgtools.board import Checkers


@theme("opening roll", "the game")
def _opening_roll(scene: Scene) -> bool:
    """The first roll of a game that begins from the usual position."""
    row = scene.row
    return scene.is_play and row.turn == 1 and scene.board == START and len(set(row.dice)) == 2


@theme("reply", "the game")
def _reply(scene: Scene) -> bool:
    """The second roll of such a game: the first play of the player who did not begin."""
    row = scene.row
    return scene.is_play and row.turn == 2 and row.phase == "opening"


@theme("blitz", "the game")
def _blitz(scene: Scene) -> bool:
    """Before the decision or after a contender: a side has a checker on the bar, another behind and no anchor, and
    the other side has ten checkers or more on its twelve lowest points, not all of them home, and two to five home
    points."""
    return any(_is_blitz(own, other) for board in boards_of(scene) for own, other in sides_of(board))


def _is_blitz(own: Checkers, other: Checkers) -> bool:
    attacked = other[BAR] and behind(other) >= 2 and not held(other, ANCHORS)
    return bool(attacked) and sum(own[1:13]) >= 10 and any(own[7:]) and 2 <= len(held(own, HOME)) <= 5


@theme("prime", "the game")
def _prime(scene: Scene) -> bool:
    """A side has made five points or more in a row, with a checker of the other side behind them."""
    return some_side(scene, lambda own, other: prime(own, other).length >= 5)


@theme("full prime", "the game")
def _full_prime(scene: Scene) -> bool:
    """A side has made six points or more in a row, with a checker of the other side behind them."""
    return some_side(scene, lambda own, other: prime(own, other).length >= 6)


@theme("prime against prime", "the game")
def _prime_against_prime(scene: Scene) -> bool:
    """Both sides have made four points or more in a row, each with a checker of the other side behind them."""
    return scene.is_contact and all(prime(own, other).length >= 4 for own, other in sides_of(scene.board))


@theme("closed board", "the game")
def _closed_board(scene: Scene) -> bool:
    """There is contact, and a side has made all six points of its home board."""
    return some_side(scene, lambda own, other: len(held(own, HOME)) == 6)


@theme("anchor", "the game")
def _anchor(scene: Scene) -> bool:
    """The player who decides holds a point of the other's home board above its ace-point, or a contender makes one."""
    return scene.is_contact and any(held(board.mine, ADVANCED) for board in boards_of(scene))


@theme("advanced anchor", "the game")
def _advanced_anchor(scene: Scene) -> bool:
    """A side holds the 5- or the 4-point of the other's home board, the 20- or 21-point in its own numbering."""
    return some_side(scene, lambda own, other: bool(held(own, range(20, 22))))


@theme("back game", "the game")
def _back_game(scene: Scene) -> bool:
    """There is contact, and a side holds two points or more of the other's home board and is 40 pips or more behind."""
    return some_side(scene, lambda own, other: behind(own) >= 4 and is_back_game(own, lead(own, other)))


@theme("ace-point game", "the game")
def _ace_point_game(scene: Scene) -> bool:
    """A side holds the other's ace-point and no other checker of it is behind; the other side has come round, with no
    checker above its 12-point, and leads by 20 pips or more."""

    def holds(own: Checkers, other: Checkers) -> bool:
        only = own[24] >= 2 and own[24] == behind(own)
        return only and rearmost(other) <= 12 and lead(own, other) >= 20

    return some_side(scene, holds)


_HOLDING: Final = (18, 20, 21)
"""The other's bar-point, 5- and 4-point."""


def _holds(own: Checkers) -> bool:
    """Whether a side holds an advanced point on the other's side with all checkers that it has there or behind it."""
    return any(own[point] >= 2 and not any(own[point + 1 :]) for point in _HOLDING)


@theme("holding game", "the game")
def _holding_game(scene: Scene) -> bool:
    """A side that is behind in the race holds the other's bar-, 5- or 4-point and has nothing behind it; the other's
    last checkers have left its home board."""

    def holds(own: Checkers, other: Checkers) -> bool:
        return _holds(own) and rearmost(other) <= 18 and not _holds(other) and lead(own, other) > 0

    return some_side(scene, holds)


@theme("mutual holding game", "the game")
def _mutual_holding_game(scene: Scene) -> bool:
    """Each side holds the other's bar-, 5- or 4-point and has nothing behind it."""
    return scene.is_contact and all(_holds(own) for own, _ in sides_of(scene.board))


@theme("containment", "the game")
def _containment(scene: Scene) -> bool:
    """A side has borne off a checker and has one or two checkers on the bar or in the other's home board."""
    return some_side(scene, lambda own, other: own[OFF] > 0 and 1 <= behind(own) <= 2)


@theme("timing", "the game")
def _timing(scene: Scene) -> bool:
    """A side that waits has 16 pips or fewer (two rolls) to play before its board breaks. It waits if it holds a point
    of the other's home board or has a checker behind four points in a row. The pips are those of its checkers outside
    both home boards to the 6-point, and of those above two on a home point to the 1-point."""
    return some_side(scene, lambda own, other: _waits(own, other) and spare_pips(own) <= 16)


@theme("crunch", "the game")
def _crunch(scene: Scene) -> bool:
    """The same with 8 pips or fewer (one roll) and four points or more of its own home board to lose."""
    return some_side(
        scene,
        lambda own, other: _waits(own, other) and spare_pips(own) <= 8 and len(held(own, HOME)) >= 4,
    )


def _waits(own: Checkers, other: Checkers) -> bool:
    return bool(held(own, ANCHORS)) or prime(other, own).length >= 4


@theme("race", "the game")
def _race(scene: Scene) -> bool:
    """No checker of either side has to pass one of the other."""
    return scene.board is not None and not scene.is_contact


@theme("bear-in", "the game")
def _bear_in(scene: Scene) -> bool:
    """The player who decides has nine checkers or more at home or off, and the rest in his own outfield."""
    board = scene.board
    if board is None:
        return False
    return 7 <= rearmost(board.mine) <= 12 and sum(board.mine[:7]) >= 9


@theme("bear-in against contact", "the game")
def _bear_in_against_contact(scene: Scene) -> bool:
    """A bear-in, while the other side still has a checker to be passed."""
    return scene.is_contact and _bear_in(scene)


@theme("bear-off", "the game")
def _bear_off(scene: Scene) -> bool:
    """No contact, and all checkers of the player who decides are home or off."""
    return scene.board is not None and not scene.is_contact and is_home(scene.board.mine)


@theme("bear-off against contact", "the game")
def _bear_off_against_contact(scene: Scene) -> bool:
    """All checkers of the player who decides are home or off, and the other side has a checker on the bar or behind."""
    return scene.board is not None and scene.is_contact and is_home(scene.board.mine)


@theme("last roll", "the game")
def _last_roll(scene: Scene) -> bool:
    """No contact, some roll of the player on roll bears off all his checkers, and if it does not come, every roll of
    the other bears off all of his."""
    board = scene.position.board
    return not board.is_contact and finishes(board.mine) > 0 and finishes(board.theirs) == 36
