"""Themes of the game: what kind of position it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.lessons.boards import ADVANCED, TIMING, behind, finishes, prime, side_of, spare_pips
from bgtools.analysis.lessons.scene import boards_of
from bgtools.analysis.lessons.themes.theme import side_theme, theme
from bgtools.analysis.phases import is_back_game
from bgtools.bearoff.one_sided import is_home
from bgtools.board.board import BAR, OFF, START, rearmost

if TYPE_CHECKING:
    from bgtools.analysis.lessons.boards import BoardSide
    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.board.board import Checkers


@theme("opening roll", "the game")
def _opening_roll(scene: DecisionBoards) -> bool:
    """The first roll of a game that begins from the usual position."""
    row = scene.row
    return scene.is_play and row.turn == 1 and scene.board == START and len(set(row.dice)) == 2


@theme("reply", "the game")
def _reply(scene: DecisionBoards) -> bool:
    """The second roll of a game that begins from the usual position: the first play of the player who did not begin."""
    row = scene.row
    return scene.is_play and row.turn == 2 and row.phase == "opening"


@theme("blitz", "the game")
def _blitz(scene: DecisionBoards) -> bool:
    """Before the decision or after a contender: a side has a checker on the bar, another behind and no anchor. The
    other side has made two to five points of its home board and has ten checkers or more on its twelve lowest points,
    or eight with three points made, but not all its checkers are home."""
    return any(
        (board.theirs[BAR] and _is_blitz(board.mine, board.theirs))
        or (board.mine[BAR] and _is_blitz(board.theirs, board.mine))
        for board in boards_of(scene)
    )


def _is_blitz(own: Checkers, other: Checkers) -> bool:
    """Whether a side blitzes another one that is on the bar."""
    points = side_of(own).home
    if behind(other) < 2 or side_of(other).anchors or not 2 <= points <= 5:
        return False
    return sum(own[1:13]) >= (8 if points >= 3 else 10) and any(own[7:])


@side_theme("prime")
def _prime(own: BoardSide, other: BoardSide) -> bool:
    """A side has made five points or more in a row, with a checker of the other side behind them."""
    return prime(own.checkers, other.checkers).length >= 5


@side_theme("full prime")
def _full_prime(own: BoardSide, other: BoardSide) -> bool:
    """A side has made six points or more in a row, with a checker of the other side behind them."""
    return prime(own.checkers, other.checkers).length >= 6


@side_theme("prime against prime")
def _prime_against_prime(own: BoardSide, other: BoardSide) -> bool:
    """Both sides have made four points or more in a row, each with a checker of the other side behind them."""
    return prime(own.checkers, other.checkers).length >= 4 and prime(other.checkers, own.checkers).length >= 4


@side_theme("closed board")
def _closed_board(own: BoardSide, other: BoardSide) -> bool:
    """There is contact, and a side has made all six points of its home board."""
    return own.home == 6


@theme("anchor", "the game")
def _anchor(scene: DecisionBoards) -> bool:
    """The player who decides holds a point of the other's home board above its ace-point, or a contender makes one."""
    return scene.is_contact and any(not side_of(board.mine).made.isdisjoint(ADVANCED) for board in boards_of(scene))


@side_theme("advanced anchor")
def _advanced_anchor(own: BoardSide, other: BoardSide) -> bool:
    """A side holds the 5- or the 4-point of the other's home board, the 20- or 21-point in its own numbering."""
    return 20 in own.made or 21 in own.made


@side_theme("back game")
def _back_game(own: BoardSide, other: BoardSide) -> bool:
    """There is contact, and a side holds two points or more of the other's home board and is 40 pips or more behind."""
    return own.behind >= 4 and is_back_game(own.checkers, own.pips - other.pips)


@side_theme("ace-point game")
def _ace_point_game(own: BoardSide, other: BoardSide) -> bool:
    """A side holds the other's ace-point and no other checker of it is behind; the other side has come round, with no
    checker above its 12-point, and leads by 20 pips or more."""
    only = own.checkers[24] >= 2 and own.checkers[24] == own.behind
    return only and other.rearmost <= 12 and own.pips - other.pips >= 20


_HOLDING: Final = (18, 20, 21)
"""The other's bar-point, 5- and 4-point."""


def _holds(own: BoardSide) -> bool:
    """Whether a side holds an advanced point on the other's side with all checkers that it has there or behind it."""
    return own.rearmost in _HOLDING and own.rearmost in own.made


@side_theme("holding game")
def _holding_game(own: BoardSide, other: BoardSide) -> bool:
    """A side that is behind in the race holds the other's bar-, 5- or 4-point and has nothing behind it; the other's
    last checkers have left its home board."""
    return _holds(own) and other.rearmost <= 18 and not _holds(other) and own.pips > other.pips


@side_theme("mutual holding game")
def _mutual_holding_game(own: BoardSide, other: BoardSide) -> bool:
    """Each side holds the other's bar-, 5- or 4-point and has nothing behind it."""
    return _holds(own) and _holds(other)


@side_theme("containment")
def _containment(own: BoardSide, other: BoardSide) -> bool:
    """A side has borne off a checker and has one or two checkers on the bar or in the other's home board."""
    return own.checkers[OFF] > 0 and 1 <= own.behind <= 2


@side_theme("timing")
def _timing(own: BoardSide, other: BoardSide) -> bool:
    """A side that waits has 16 pips or fewer (two rolls) to play before its board breaks. It waits if it holds a point
    of the other's home board or has a checker behind four points in a row. The pips are those of its checkers outside
    both home boards to the 6-point, and of those above two on a home point to the 1-point."""
    return _waits(own, other) and spare_pips(own.checkers) <= TIMING


@side_theme("crunch")
def _crunch(own: BoardSide, other: BoardSide) -> bool:
    """A side that waits, as for timing, has 8 pips or fewer (one roll) to play before its board breaks, and has made
    four points or more of its home board."""
    return own.home >= 4 and _waits(own, other) and spare_pips(own.checkers) <= 8


def _waits(own: BoardSide, other: BoardSide) -> bool:
    return own.anchors > 0 or prime(other.checkers, own.checkers).length >= 4


@theme("race", "the game")
def _race(scene: DecisionBoards) -> bool:
    """No checker of either side has to pass one of the other."""
    return scene.board is not None and not scene.is_contact


@theme("bear-in", "the game")
def _bear_in(scene: DecisionBoards) -> bool:
    """The player who decides has nine checkers or more at home or off, and the rest in their own outfield."""
    board = scene.board
    if board is None:
        return False
    return 7 <= rearmost(board.mine) <= 12 and sum(board.mine[:7]) >= 9


@theme("bear-in against contact", "the game")
def _bear_in_against_contact(scene: DecisionBoards) -> bool:
    """A bear-in, while the other side still has a checker to be passed."""
    return scene.is_contact and _bear_in(scene)


@theme("bear-off", "the game")
def _bear_off(scene: DecisionBoards) -> bool:
    """No contact, and all checkers of the player who decides are home or off."""
    return scene.board is not None and not scene.is_contact and is_home(scene.board.mine)


@theme("bear-off against contact", "the game")
def _bear_off_against_contact(scene: DecisionBoards) -> bool:
    """All checkers of the player who decides are home or off, and the other side has a checker on the bar or behind."""
    return scene.board is not None and scene.is_contact and is_home(scene.board.mine)


@theme("last roll", "the game")
def _last_roll(scene: DecisionBoards) -> bool:
    """No contact, some roll of the player on roll bears off all their checkers, and if it does not come, every roll of
    the other bears off all of theirs."""
    board = scene.position.board
    return not board.is_contact and finishes(board.mine) > 0 and finishes(board.theirs) == 36
