"""Necessary conditions on a board, derived backwards from the later plays of its game.

They say how many checkers each point may hold.

An unknown turn can leave many boards, and the rest of the game replays from almost none of them. This module rules
boards out without playing on: it looks at every point by itself, from the last entry back. A board that it rules out
never fits; a board that it lets through may still not fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.hopping import are_dice, numbers
from bgtools.board.perspective import mirrored, other, view
from bgtools.record.record import CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board, Checkers, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Leg
    from bgtools.record.record import Entry

_ANY: Final = -1
"""Any number of checkers. Bit n of a mask is set where n checkers will do."""

_NONE, _BLOT, _UP_TO_ONE = 0b1, 0b10, 0b11

_HOME: Final = range(1, 7)
_OUTSIDE: Final = range(7, BAR)

_Masks = list[int]
"""A mask for each of the 26 places of a player's checkers."""

_OfOne = tuple[tuple[int, int], ...]

Asked = tuple[_OfOne, _OfOne]
"""For player 0 and player 1 the places where the number of their checkers matters, each with its mask."""

NOTHING: Final[Asked] = (), ()
"""What is asked where any board will do."""


class Demands:
    """What each entry of a game asks of the board before it, so that it and all entries up to a given one may fit.

    Attributes:
        entries: the entries of the game.
        until: the number of the first entry that need not fit.
    """

    def __init__(self, entries: Sequence[Entry], until: int, since: int = 0) -> None:
        """Look through a game from entry ``until`` back to ``since``."""
        self.entries, self.until = entries, until
        self._asked: dict[int, Asked] = {}
        sides: tuple[_Masks, _Masks] = [_ANY] * (BAR + 1), [_ANY] * (BAR + 1)
        later: CheckerPlay | None = None
        for at in range(until - 1, max(since, 0) - 1, -1):
            entry = entries[at]
            if isinstance(entry, CheckerPlay):
                if later is not None and later.player == entry.player:
                    _ask_for_prime(sides[entry.player], sides[other(entry.player)])
                _ask(sides[entry.player], sides[other(entry.player)], entry)
                # An entry without dice may stand for no roll at all.
                later = None if entry.dice is None else entry
            self._asked[at] = _of_one(sides[0]), _of_one(sides[1])

    def at(self, number: int, *, swapped: bool = False) -> Asked:
        """What is asked of the checkers of player 0 and of player 1 before an entry.

        Args:
            number: of the entry.
            swapped: whether the entry and all that follow are taken to be the other player's.
        """
        asked = self._asked.get(number, NOTHING)
        return asked[::-1] if swapped else asked


def allows(asked: Asked, board: Board) -> bool:
    """Whether a board, seen by player 0, may be the one before an entry."""
    for masks, side in zip(asked, (board.mine, board.theirs), strict=True):
        for point, mask in masks:
            if not mask >> side[point] & 1:
                return False
    return True


def is_near(asked: Asked, board: Board, player: Player, most: int, answer: int = 0) -> bool:
    """Whether a board might meet what is asked after a turn of one player and an answer of the other.

    Args:
        asked: what is asked before an entry.
        board: seen by player 0.
        player: whose turn it is.
        most: how many numbers they may play.
        answer: how many the other player may play then.
    """
    seen = view(board, player)
    return _is_near(asked[player], seen.mine, most, answer) and _is_near(
        asked[other(player)], seen.theirs, answer, most
    )


def _is_near(asked: _OfOne, side: Checkers, moves: int, hits: int) -> bool:
    """Whether a player's checkers might do after at most so many moves of their own and so many of the other's."""
    too_many = too_few = 0
    for point, mask in asked:
        count = side[point]
        if mask >> count & 1:
            continue
        fewer = next((less for less in range(1, min(moves, count) + 1) if mask >> (count - less) & 1), 0)
        more = next((more for more in range(1, (hits if point == BAR else moves) + 1) if mask >> (count + more) & 1), 0)
        may_be_hit = hits and count and mask & _NONE and count - 1 <= moves
        if not (fewer or more or may_be_hit):
            return False
        if not more:
            too_many += count - 1 if may_be_hit and not 0 < fewer < count else fewer
        elif not fewer and not may_be_hit and point != BAR:
            too_few += more
    return max(too_many, too_few) <= moves


def may_do(asked: Asked, board: Board, player: Player, dice: Dice, answer: int = 0) -> bool:
    """Whether a board might meet what is asked after a play of a roll.

    Args:
        asked: what is asked before an entry.
        board: seen by player 0.
        player: who plays it.
        dice: the roll.
        answer: how many numbers the other player may play then.
    """
    if not is_near(asked, board, player, len(numbers(dice)), answer):
        return False
    seen = view(board, player)
    mine, theirs = seen.mine, seen.theirs
    # Points that a checker must reach, and blots that must be hit because they have no turn to move away.
    wanted = [point for point, mask in asked[player] if point != BAR and not mask & ((2 << mine[point]) - 1)]
    if not answer:
        wanted += [mirrored(point) for point, mask in asked[other(player)] if theirs[point] == 1 and not mask & _BLOT]
    ways = _ways(dice)
    return all(any(mine[start] for way in ways if (start := point + way) <= BAR) for point in wanted)


def _ways(dice: Dice) -> tuple[int, ...]:
    """How far one checker can be moved with a roll."""
    first, second = dice
    return (first, second, first + second) if first != second else (first, 2 * first, 3 * first, 4 * first)


def _of_one(masks: _Masks) -> _OfOne:
    return tuple((point, mask) for point, mask in enumerate(masks) if mask != _ANY)


def _ask(mine: _Masks, theirs: _Masks, entry: CheckerPlay) -> None:
    """Turn what the entries after an entry ask of both players into what it asks together with them, in place."""
    text, dice = entry.text, entry.dice
    if dice is None or text.kind in ("unknown", "unreadable", "illegal"):
        # Nobody knows what was played.
        mine[:] = theirs[:] = [_ANY] * (BAR + 1)
    elif not are_dice(dice):
        _refuse(mine)
    elif text.hops:
        _ask_for_play(mine, theirs, text.legs, dice)
    elif text.kind == "nothing":
        _ask_for_silence(mine, theirs, dice)


def _ask_for_play(mine: _Masks, theirs: _Masks, legs: Sequence[Leg], dice: Dice) -> None:
    if not _is_rolled(legs, dice):
        _refuse(mine)
        return
    came = [0] * (BAR + 1)
    landed: set[int] = set()
    passed: set[int] = set()
    for start, end in legs:
        came[start] -= 1
        came[end] += 1
        landed.add(end)
        passed.update(_between(start, end, dice))
    if OFF in landed:
        # Whoever bears off has all checkers at home.
        for point in _OUTSIDE:
            mine[point] &= _NONE
    for point, change in enumerate(came):
        if change:
            mine[point] = mine[point] >> change if change > 0 else mine[point] << -change
    if any(start < BAR for start, _ in legs):
        # Whoever moves another checker has none left on the bar.
        mine[BAR] &= 1 << -came[BAR]
    landed.discard(OFF)
    for point in landed:
        theirs[mirrored(point)] = _UP_TO_ONE if theirs[mirrored(point)] & _NONE else 0
    for point in passed - landed:
        if theirs[mirrored(point)] & _NONE:
            theirs[mirrored(point)] |= _BLOT
    _may_be_sent_back(theirs, len(landed | passed))


def _is_rolled(legs: Sequence[Leg], dice: Dice) -> bool:
    """Whether the numbers of a roll can be shared out among the legs of a play, whatever the board."""
    if not all(OFF <= end < start <= BAR for start, end in legs):
        return False
    first, second = dice
    if first == second:
        return sum(-(-(start - end) // first) for start, end in legs) <= 4 and all(
            end == OFF or (start - end) % first == 0 for start, end in legs
        )
    if len(legs) == 1:
        return any(_takes(legs[0], number) for number in (*dice, first + second))
    return len(legs) == 2 and any(
        _takes(legs[0], one) and _takes(legs[1], two) for one, two in ((first, second), (second, first))
    )


def _takes(leg: Leg, number: int) -> bool:
    start, end = leg
    return start - end == number or (end == OFF and start < number)


def _between(start: int, end: int, dice: Dice) -> tuple[int, ...]:
    """The points where a checker may come down on its way."""
    first, second = dice
    if start - end in dice and end:
        return ()
    ways = (first, 2 * first, 3 * first) if first == second else dice
    return tuple(start - way for way in ways if start - way > end)


def _may_be_sent_back(masks: _Masks, most: int) -> None:
    """Let the bar hold up to ``most`` checkers fewer before a play: the play may send that many there."""
    for _ in range(most):
        masks[BAR] |= masks[BAR] >> 1


def _ask_for_silence(mine: _Masks, theirs: _Masks, dice: Dice) -> None:
    """Ask what a roll without a play asks. It is a dance, or its play was forced and nobody wrote it."""
    most = 4 if dice[0] == dice[1] else 2
    for point in range(BAR + 1):
        mask = mine[point]
        if mask != _ANY:
            for moved in range(1, most + 1):
                mask |= mine[point] << moved | mine[point] >> moved
            mine[point] = mask
        if OFF < point < BAR and theirs[point] & _NONE:
            theirs[point] |= _BLOT
    _may_be_sent_back(theirs, most)


def _ask_for_prime(mine: _Masks, theirs: _Masks) -> None:
    """Ask for a closed board, with the other player on the bar, between two turns running of one player."""
    for point in _HOME:
        mine[point] &= ~_UP_TO_ONE
    theirs[BAR] &= ~_NONE


def _refuse(masks: _Masks) -> None:
    masks[:] = [0] * len(masks)
