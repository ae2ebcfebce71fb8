"""Which part of a game a decision belongs to, where the cube lies, and what the score makes of gammons.

The field has no exact definitions; the docstrings give ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from bgtools.bearoff.one_sided import is_home

if TYPE_CHECKING:
    from bgtools.analysis.rows import Phase
    from bgtools.board.board import Board, Checkers
    from bgtools.replayer.turn import GameReplay, Turn

PHASES: Final[tuple[Phase, ...]] = ("opening", "contact", "back game", "race", "bear-off")
"""In the order in which a report lists them."""

OPENING_ROLLS: Final = 6
"""Rolls of a game that are its opening, three a side."""

BACK_GAME_ANCHORS: Final = 2
BACK_GAME_PIPS: Final = 40
"""Points held in the other player's home board, and pips behind, from which on a side plays a back game."""

_DEEP: Final = slice(19, 25)


def phase_of(board: Board, *, roll: int | None = None) -> Phase:
    """The part of a game that a position belongs to, the first of these that fits.

    * ``over``: a side has borne off everything.
    * ``bear-off``: no contact, and all checkers of the player who decides in his home board or off.
    * ``race``: no contact.
    * ``back game``: a side, whichever it is, holds two or more points of the other's home board with two checkers or
      more, and is 40 pips or more behind.
    * ``opening``: one of the first six rolls of a game that began from the usual position.
    * ``contact``: everything else, contact bear-offs and holding games among it.

    Args:
        board: seen by the player who decides.
        roll: number of the roll in the game, from 0; a cube action has the number of the roll after it. None in a
            game that did not begin from the usual position.
    """
    if board.is_over:
        return "over"
    if not board.is_contact:
        return "bear-off" if is_home(board.mine) else "race"
    mine, theirs = board.pips
    if is_back_game(board.mine, mine - theirs) or is_back_game(board.theirs, theirs - mine):
        return "back game"
    return "opening" if roll is not None and roll < OPENING_ROLLS else "contact"


def is_back_game(side: Checkers, behind: int) -> bool:
    """Whether a side that is so many pips behind plays a back game."""
    return behind >= BACK_GAME_PIPS and sum(count >= 2 for count in side[_DEEP]) >= BACK_GAME_ANCHORS


def phase_of_turn(game: GameReplay, turn: Turn, player: int) -> Phase:
    """The part of a game that an entry belongs to, by the board before it and for the player who decides."""
    usual = turn.roll < OPENING_ROLLS and not game.is_set_before(turn)
    position = turn.before if player == turn.player else turn.before.flipped()
    return phase_of(position, roll=turn.roll if usual else None)


# --- cube and score -------------------------------------------------------------------------

CubeSituation = Literal["centred", "own", "opponent's"]
Stage = Literal["money", "1-point match", "pre-Crawford", "Crawford", "post-Crawford", "no Crawford rule"]
Need = Literal["money", "double match point", "gammon-go", "gammon-save", "other"]
"""What the score makes of gammons; see `gammon_value_of`."""

CUBE_SITUATIONS: Final[dict[str, CubeSituation]] = {"centre": "centred", "mine": "own", "theirs": "opponent's"}
"""By the ``cube_owner`` of a row."""


def stage_of(score: tuple[int, int], length: int, *, crawford: bool, crawford_rule: bool) -> Stage:
    """Where a match stands by the Crawford rule.

    Args:
        score: points before the game.
        length: points to win; 0 for money.
        crawford: whether this is the Crawford game.
        crawford_rule: whether the rule is in force.
    """
    if not length:
        return "money"
    if length == 1:
        return "1-point match"
    if not crawford_rule:
        return "no Crawford rule"
    if crawford:
        return "Crawford"
    return "post-Crawford" if max(score) >= length - 1 else "pre-Crawford"


def gammon_value_of(score: tuple[int, int], length: int, cube: int, owner: str, *, crawford: bool) -> Need:
    """What gammons are worth at the score and with the cube, to the player whose decision it is.

    ``double match point``: a single game wins the match for either player. ``gammon-go``: a gammon wins it for him and
    a single game does not, a single game wins it for the other, and he cannot turn the cube himself. ``gammon-save``:
    the same the other way round. Source: the glossary of Backgammon Galore, with its examples.

    Args:
        score: points before the game, his own first.
        length: points to win; 0 for money.
        cube: its value.
        owner: ``centre``, ``mine`` or ``theirs``, seen by him.
        crawford: whether this is the Crawford game.
    """
    if not length:
        return "money"
    own, other = (max(length - points, 0) for points in score)
    if own <= cube and other <= cube:
        return "double match point"
    if cube < own <= 2 * cube and other <= cube and (crawford or owner == "theirs"):
        return "gammon-go"
    if cube < other <= 2 * cube and own <= cube and (crawford or owner == "mine"):
        return "gammon-save"
    return "other"
