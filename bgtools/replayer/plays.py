"""What one written play does on its board: it is made, or something about it is in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.generation import can_move, legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.movement import forced, resolve
from bgtools.board.play import Play
from bgtools.board.violation import Violation
from bgtools.decoder.entries import is_last
from bgtools.positions.snowie import decode_snowie_dump
from bgtools.replayer.turn import OrderViolation, TurnFault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.board.board import Board, Dice
    from bgtools.board.play import PlayKind
    from bgtools.record.record import CheckerPlay, Entry
    from bgtools.replayer.turn import AnyViolation


class MadePlay(NamedTuple):
    """A play that the game goes on from.

    Attributes:
        after: the board after it, seen by its player.
        play: the legal play that was made; None where that is not known.
        violation: what is wrong with it all the same, if anything is.
    """

    after: Board
    play: Play | None = None
    violation: AnyViolation | None = None


class Doubt(NamedTuple):
    """A play that cannot have been made as it is written.

    Attributes:
        violation: why it cannot.
        written: the board that it leaves when it is carried out all the same, seen by its player; None where that
            is impossible.
        dice: the roll, where another play of it may have been made.
    """

    violation: AnyViolation
    written: Board | None = None
    dice: Dice | None = None


_NOT_KNOWN: Final = ("unknown", "unreadable", "illegal")
"""Kinds of text that do not say what was played."""


def judge(entry: CheckerPlay, before: Board, following: Iterable[Entry]) -> MadePlay | Doubt:
    """What a written play does.

    Args:
        entry: the roll and its play.
        before: the board before it, seen by its player.
        following: the entries after it.
    """
    text, dice = entry.text, entry.dice
    if text.kind == "illegal" and (after := decode_snowie_dump(text.dump, before)) is not None:
        return MadePlay(after, violation=OrderViolation(TurnFault.DECLARED_ILLEGAL))
    if dice is None:
        # Without dice the written hops are all that is known.
        written = forced(before, text.hops) if text.hops else None
        return Doubt(OrderViolation(TurnFault.UNKNOWN_PLAY), written)
    is_roll = are_dice(dice)
    if is_roll and not (text.kind == "moves" and text.hops):
        return _without_hops(text.kind, before, dice, following)
    found = resolve(before, dice, text.hops)
    if isinstance(found, Violation):
        return Doubt(found, found.result, dice if is_roll else None)
    return MadePlay(found.result, found)


def _without_hops(kind: PlayKind, before: Board, dice: Dice, following: Iterable[Entry]) -> MadePlay | Doubt:
    """What a roll does whose hops are not written."""
    if kind not in _NOT_KNOWN and not can_move(before, dice):
        return MadePlay(before, Play((), before))
    if (kind == "nothing" or kind in _NOT_KNOWN) and is_last(following):
        # Somebody resigned after the roll, or the record breaks off.
        return MadePlay(before)
    if kind in _NOT_KNOWN:
        return Doubt(OrderViolation(TurnFault.UNKNOWN_PLAY), dice=dice)
    plays = legal_plays(before, dice)
    if len(plays) == 1 and kind == "nothing":
        return MadePlay(plays[0].result, plays[0], OrderViolation(TurnFault.FORCED_PLAY, plays[0]))
    return Doubt(OrderViolation(TurnFault.PLAY_EXISTED, plays[0]), dice=dice)
