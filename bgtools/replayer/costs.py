"""What a reading of a game costs: the mistakes that the record holds if the reading is right, in bits.

A rarer mistake costs more bits. Of two readings of a game the one with the lower cost is better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.board import OFF
from bgtools.board.perspective import view
from bgtools.board.violation import Reason, Violation
from bgtools.record.record import CheckerPlay
from bgtools.replayer.plausibility import unlikeness
from bgtools.replayer.turn import OrderViolation, TurnFault
from bgtools.rules.cube import CubeViolation

if TYPE_CHECKING:
    from bgtools.replayer.turn import AnyViolation, GameReplay, Turn

SLIP: Final = 12
"""What one mistake costs, wherever it stands."""

_HALF: Final = 6
"""What a supposition costs for which there is little evidence, in bits."""

RUINED: Final = 8 * SLIP
"""Above this cost another reading of the whole game is tried only if everything fits with it."""

_COLUMNS: Final = 4
"""What it costs to suppose that something is in the other column."""

_STOOD: Final = 2
"""What it costs to suppose that a play was made as it is written."""

_IN_COLUMNS: Final = (TurnFault.SWAPPED, TurnFault.SWAPPED_ON, TurnFault.WRONG_COLUMN)

LONGEST: Final = 600
"""A game of more entries was not played by people, and no slip of a writer is looked for in it."""

_EVIDENT: Final = (TurnFault.UNKNOWN_PLAY, TurnFault.DECLARED_ILLEGAL)
"""Faults that no slip before them explains."""


def first_fault(game: GameReplay) -> int:
    """The number of the first entry that cannot be; of the last one where only the result is wrong."""
    return next((turn.index for turn in game.turns if turn.violations and is_slip(turn)), len(game.turns) - 1)


def is_plain(game: GameReplay, fault: int, best: int) -> bool:
    """Whether no slip is looked for before the first fault of a game: it explains itself, or the game is too long.

    Args:
        game: the game as it stands.
        fault: the number of its first fault.
        best: the cost of the game as it stands.
    """
    if not game.turns or len(game.turns) > LONGEST:
        return True
    if best >= 2 * SLIP:
        return False
    return all(_is_evident(turn, each) for turn in game.turns if turn.index == fault for each in turn.violations)


def _is_evident(turn: Turn, violation: AnyViolation) -> bool:
    if isinstance(violation, Violation):
        return violation.reason is Reason.BAD_DICE
    if isinstance(violation, OrderViolation) and violation.fault is TurnFault.PLAY_EXISTED:
        # In a race some writers do not bother to write the play.
        return not turn.before.is_contact and isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind == "nothing"
    return isinstance(violation, CubeViolation) or violation.fault in _EVIDENT


def is_one_slip(game: GameReplay, length: int) -> bool:
    """Whether exactly one entry of a game is wrong. Its result may state just the points that the match needed."""
    return _wrong_turns(game) == 1 and not has_wrong_winner(game) and wrong_points(game, length) < SLIP


def cost(game: GameReplay, length: int, edited: int | None = None) -> int:
    """What a reading of a game costs; the stated result counts too.

    Args:
        game: the game, replayed in that reading.
        length: of the match.
        edited: the number of the entry that the reading changes from the start. What it supposes there is not counted.
    """
    slips = _wrong_turns(game) + has_wrong_winner(game)
    supposed = sum(_supposed(turn) for turn in game.turns if turn.violations and turn.index != edited)
    return SLIP * slips + wrong_points(game, length) + supposed


def _wrong_turns(game: GameReplay) -> int:
    # `is_legal` is slow, and nearly all turns are without a violation.
    return sum(is_slip(turn) for turn in game.turns if turn.violations)


def is_slip(turn: Turn) -> bool:
    """Whether an entry cannot be. A forced play that is not written is not a slip."""
    return not turn.is_legal and any(
        getattr(each, "fault", None) is not TurnFault.FORCED_PLAY for each in turn.violations
    )


def _supposed(turn: Turn) -> int:
    """The cost of a turn's reading: more, the more it supposes that is not written."""
    entry = turn.entry
    if not isinstance(entry, CheckerPlay):
        return 0
    if not is_slip(turn):
        return 1
    if turn.reading == "corrected" and turn.guess is not None:
        return min(2 * unlikeness(entry.text.hops, turn.guess), SLIP) if entry.text.hops else 0
    if turn.reading == "as written":
        return _STOOD
    missing = [each for each in turn.violations if isinstance(each, OrderViolation) and each.possible is not None]
    if turn.reading == "inserted":
        return _HALF if missing else 0
    if turn.reading == "left out" and entry.text.hops:
        # Somebody must have written it for a reason.
        return _HALF if any(isinstance(each, Violation) for each in turn.violations) else 0
    if any(each.fault is TurnFault.MOVED_UP for each in missing):
        return _HALF
    return _COLUMNS if any(getattr(each, "fault", None) in _IN_COLUMNS for each in turn.violations) else 0


def wrong_points(game: GameReplay, length: int) -> int:
    """The cost of a result with wrong points.

    It is lower where the result states the points that the match needed, or its length, or a resignation that the
    position makes impossible.
    """
    claim = game.claim
    if game.is_odd:
        return SLIP
    if _is_impossible(game):
        return _HALF
    if claim is None or game.earned is None or game.winner is None or claim.points in (None, game.earned):
        return 0
    needed = length - game.score[game.winner] if length else 0
    return _HALF if claim.match and 0 < needed <= game.earned and claim.points in (needed, length) else SLIP


def _is_impossible(game: GameReplay) -> bool:
    """Whether a gammon or backgammon is given up by a player who has borne off a checker."""
    if game.ending != "resigned" or game.winner is None or not game.level or game.level == 1:
        return False
    return bool(view(game.final, game.winner).theirs[OFF])


def has_wrong_winner(game: GameReplay) -> bool:
    """Whether the result states another winner than the replay finds."""
    return game.claim is not None and game.claim.column_speaks and game.claim.player != game.winner
