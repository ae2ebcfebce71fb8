"""Playing on from a position: reading a play or a roll that a user writes, or refusing it with the reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.board import words
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.movement import resolve
from bgtools.board.notation import read_play
from bgtools.board.play import steps
from bgtools.board.violation import Violation

if TYPE_CHECKING:
    from bgtools.board.board import Board, Dice
    from bgtools.board.play import HopText, Play

ROLLS: Final[tuple[Dice, ...]] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls."""
_ROLL: Final = re.compile(r"\s*([1-6])\s*[-,/ ]?\s*([1-6])\s*")
_LEAD: Final = re.compile(r"\s*([1-6])\s?-?([1-6])\s*:")
_SHOWN: Final = 3
"""How many legal plays the message about an illegal one names."""


def roll_of(dice: Dice | str) -> Dice:
    """The two numbers of a roll, written as ``"31"`` or given as ``(3, 1)``.

    Raises:
        ValueError: they are not two numbers from 1 to 6.
    """
    if isinstance(dice, str):
        found = _ROLL.fullmatch(dice)
        if found:
            return int(found[1]), int(found[2])
    elif len(dice) == 2 and are_dice(dice):
        return dice[0], dice[1]
    raise ValueError(f'dice are two numbers from 1 to 6, as in (3, 1) or "31"; not {dice!r}')


def play_of(board: Board, text: str, dice: Dice | None, names: tuple[str, str], *, names_plays: bool = True) -> Play:
    """The legal play that a text means.

    Args:
        board: the board before the play, seen by the player who moves.
        text: the play in any spelling, perhaps with its roll before it.
        dice: the roll; None to find out which roll it was.
        names: the names of the player who moves and of the other player.
        names_plays: whether a message may name plays that are legal, one of which may be the answer to a question.

    Raises:
        ValueError: the text is not a play, or not a legal one; the message says why, and which plays are legal.
    """
    lead = _LEAD.match(text)
    if lead:
        told = int(lead[1]), int(lead[2])
        if dice is not None and sorted(dice) != sorted(told):
            raise ValueError(f"the roll is {words.roll(dice)}, and the play says {words.roll(told)}")
        dice = told
    written = read_play(text)
    if written.kind not in ("moves", "dance"):
        raise ValueError(f'{words.shortened(text)!r} is not a play, such as "13/7 8/5" or "Cannot Move"')
    if dice is not None:
        found = resolve(board, dice, written.hops)
        if isinstance(found, Violation):
            raise ValueError(_refusal(found, board, dice, written.hops, names, names_plays=names_plays))
        return found
    if not written.hops:
        raise ValueError("the position has no dice, and a play without a move does not tell them: give the dice")
    return _play_of_some_roll(board, written.hops, names)


def _play_of_some_roll(board: Board, hops: tuple[HopText, ...], names: tuple[str, str]) -> Play:
    """The legal play of some hops whose roll is not known. Any roll will do where all lead to the same board.

    Raises:
        ValueError: no roll plays these hops, or rolls lead to different boards.
    """
    found = [(dice, resolve(board, dice, hops)) for dice in ROLLS]
    plays = {each.result: (dice, each) for dice, each in found if not isinstance(each, Violation)}
    if len(plays) > 1:
        rolls = ", ".join(words.roll(dice) for dice, _ in plays.values())
        raise ValueError(f"the play may be one of {rolls}, and they lead to different positions: give the dice")
    if plays:
        return next(iter(plays.values()))[1]
    # No roll plays these hops. The message explains the fault for the roll that comes nearest.
    pips = {start - end for start, end in steps(hops)}
    dice, violation = max(
        ((dice, each) for dice, each in found if isinstance(each, Violation)),
        key=lambda item: (set(item[0]) == pips, _in_common(hops, legal_plays(board, item[0])[0])),
    )
    raise ValueError(f"no roll plays it; with {words.roll(dice)} {_refusal(violation, board, dice, hops, names)}")


def _refusal(
    violation: Violation,
    board: Board,
    dice: Dice,
    hops: tuple[HopText, ...],
    names: tuple[str, str],
    *,
    names_plays: bool = True,
) -> str:
    """The message why a play is not legal, and which plays are."""
    plays = legal_plays(board, dice)
    me, you = names[0] or "the player on roll", names[1] or "the opponent"
    if not plays[0].hops:
        return f'nothing can be played with {words.roll(dice)}: write "Cannot Move"'
    if not hops:
        message, fact = f"{me} can play {words.roll(dice)}", ""
    else:
        message, fact = words.explanation(violation, board, dice, hops, me, you)
    if not names_plays:
        return message if violation.possible is not None or not fact else f"{message} ({fact})"
    if violation.possible is None or not hops:
        nearest = sorted(plays, key=lambda play: -_in_common(hops, play))[:_SHOWN]
        fact = "; ".join(filter(None, (fact, f"legal is {' or '.join(map(str, nearest))}")))
    return f"{message} ({fact})"


def _in_common(hops: tuple[HopText, ...], play: Play) -> int:
    """How many points a written play and a legal play share."""
    left = [point for hop in play.hops for point in (hop.start, hop.end)]
    shared = 0
    for point in (point for leg in steps(hops) for point in leg):
        if point in left:
            left.remove(point)
            shared += 1
    return shared
