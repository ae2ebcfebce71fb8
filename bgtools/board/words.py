"""Points, hops, plays and what is wrong with a play, in words as players say them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.play import format_play, point_name
from bgtools.board.violation import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board, Checkers, Dice
    from bgtools.board.play import HopText, Play
    from bgtools.board.violation import Violation

_LONGEST: Final = 40
"""Characters of a written play that a sentence quotes."""


def point(number: int) -> str:
    """``the 8-point``, ``the bar``, ``off``."""
    return "the bar" if number == BAR else "off" if number == OFF else f"the {number}-point"


def hop(start: int, end: int) -> str:
    """``13/7``."""
    return f"{point_name(start)}/{point_name(end)}"


def shortened(text: str) -> str:
    """A written play, cut where it is longer than a sentence bears."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def checkers(count: int) -> str:
    """``1 checker``, ``2 checkers``."""
    return times(count, "checker")


def times(count: int, noun: str) -> str:
    """``1 pip``, ``2 pips``."""
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"


def play(play: Play) -> str:
    """A play in the usual notation, commas between the checkers: ``13/8, 6/1``."""
    return format_play(play).replace(" ", ", ")


def side(checkers: Checkers) -> str:
    """Where a side stands: ``bar, 24(2), 13(5), 8(3), 6(5)``."""
    return ", ".join(
        f"{point_name(at)}({checkers[at]})" if checkers[at] > 1 else point_name(at)
        for at in range(BAR, OFF, -1)
        if checkers[at]
    )


def roll(dice: Dice) -> str:
    """``31``."""
    return f"{dice[0]}{dice[1]}"


def _played_twice(dice: Dice, hops: Sequence[HopText], me: str) -> str:
    """Words for playing one number of a roll twice and the other not; "" where the play does not do that."""
    played = [start - end for group in hops for start, end in group.legs]
    if dice[0] == dice[1] or len(played) != 2 or played[0] != played[1] or played[0] not in dice:
        return ""
    other = dice[0] if played[0] == dice[1] else dice[1]
    return f"{me} plays the {played[0]} of {roll(dice)} twice, and the {other} not"


def explanation(
    violation: Violation, board: Board, dice: Dice, hops: Sequence[HopText], me: str, you: str
) -> tuple[str, str]:
    """Why a written play may not be played: a sentence, and what the board proves, or "" for nothing.

    Args:
        violation: what `explain` or `resolve` said of it.
        board: before the play, seen by the player who moves.
        dice: the roll.
        hops: the groups of the play.
        me, you: what to call the player who moves and the other one.
    """
    start, end, mine = violation.start, violation.end, board.mine
    written = shortened(str(hops[violation.hop])) if violation.hop is not None else ""
    match violation.reason:
        case Reason.BAD_DICE:
            return f"{me} cannot have rolled {roll(dice)}: a die shows 1 to 6", ""
        case Reason.NO_CHECKER:
            assert start is not None
            return _no_checker(mine, start, written, me), f"{me}'s checkers stand on {side(mine)}"
        case Reason.BLOCKED:
            assert end is not None
            held = f"{you} holds it with {checkers(violation.blockers)}, as the {BAR - end}-point of {you}"
            return f"{me} cannot play {written}: {point(end)} is blocked", held
        case Reason.BAR_FIRST:
            message = f"{me} cannot play {written}: a checker on the bar must enter first"
            return message, f"{me} has {checkers(mine[BAR])} on the bar"
        case Reason.BACKWARDS:
            return f"{me} cannot play {written}: checkers move to lower points", ""
        case Reason.WRONG_DIE | Reason.TOO_MANY_HOPS if twice := _played_twice(dice, hops, me):
            return twice, f"the dice show {dice[0]} and {dice[1]}"
        case Reason.WRONG_DIE:
            assert start is not None
            assert end is not None
            message = f"{me} cannot play {written} with {roll(dice)}: {hop(start, end)} is {times(start - end, 'pip')}"
            return message, f"the dice show {dice[0]} and {dice[1]}"
        case Reason.TOO_MANY_HOPS:
            message = f"{me} plays more than {roll(dice)} gives: {written} is one move too many"
            return message, f"{roll(dice)} is played with {4 if dice[0] == dice[1] else 2} numbers"
        case Reason.NOT_HOME:
            assert violation.point is not None
            message = f"{me} cannot bear off yet: {written} comes too early"
            return message, f"{me} still has a checker on {point(violation.point)}"
        case Reason.HIGHER_CHECKER:
            assert violation.point is not None
            message = f"{me} cannot bear off from {point(start or 0)} with a {violation.die}"
            return message, f"{point(violation.point)} is higher and still holds a checker"
        case _:
            return _not_played(violation, me)


def _no_checker(mine: Checkers, start: int, written: str, me: str) -> str:
    """Words for a hop that starts where no checker stands, or too few."""
    if start <= BAR and mine[start]:
        return f"{me} has only {checkers(mine[start])} on {point(start)}, too few for this play"
    return f"{me} has no checker on {point(start)} for {written}"


def _not_played(violation: Violation, me: str) -> tuple[str, str]:
    """Words for a number that could be played and is not, and for a play of that number."""
    if violation.reason is Reason.DIE_UNPLAYED:
        message, playable = f"{me} leaves a {violation.die} unplayed", "was playable"
    else:
        message, playable = f"{me} plays the smaller number only", "was playable instead"
    proof = "" if violation.possible is None else f"{violation.die} {playable}: {play(violation.possible)}"
    return message, proof
