"""Move generation: every legal play of a roll.

Rule numbers (R05 …) are those of the project's rule table; `docs/rules.md` lists them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF, Board, Checkers, Dice
from bgtools.board.hopping import are_dice, hop_of, move, numbers, try_hop, unmove
from bgtools.board.play import Hop, Play

if TYPE_CHECKING:
    from collections.abc import Iterator


def legal_plays(board: Board, dice: Dice) -> tuple[Play, ...]:
    """Every legal play of a roll, one for each distinct resulting board (R05 to R14).

    A dance gives one play without hops, whose result is the board as it is.

    Raises:
        ValueError: a number that is not 1 to 6.
    """
    _require_dice(dice)
    return _legal_plays(board, dice)


def _require_dice(dice: Dice) -> None:
    if not are_dice(dice):
        raise ValueError(f"dice {dice[0]} and {dice[1]}: a die shows 1 to 6")


@lru_cache(maxsize=256)  # all readings of a game with an impossible play ask for the same rolls
def _legal_plays(board: Board, dice: Dice) -> tuple[Play, ...]:
    high, low = max(dice), min(dice)
    if high == low:
        _, found = _longest(board, (high,) * 4)
    else:
        longest, found = _longest(board, (high, low))
        other, more = _longest(board, (low, high))
        if other > longest:
            longest, found = other, more
        elif other == longest and longest != 1:
            # R10: where only one number can be played, only plays of the higher one count, if there are any.
            found |= {sides: hops for sides, hops in more.items() if sides not in found}
        if longest == 2 and sum(board.mine[1:]) == 1:
            # R14: the last checker borne off by either number ends the game, whatever the other could do.
            for die in dice:
                _, single = _longest(board, (die,))
                found |= {
                    sides: hops for sides, hops in single.items() if hops and hops[0].end == OFF and sides not in found
                }
    return tuple(Play(hops, Board(*sides)) for sides, hops in found.items())


def _longest(board: Board, order: tuple[int, ...]) -> tuple[int, dict[tuple[Checkers, Checkers], tuple[Hop, ...]]]:
    """How many numbers of ``order`` can be played in this order, and the boards after that with the first way there.

    Equal numbers are played in falling order of their start, which loses no board.
    """
    mine, theirs = list(board.mine), list(board.theirs)
    found: dict[tuple[Checkers, Checkers], tuple[Hop, ...]] = {}
    longest, last = 0, len(order)
    are_equal = order[0] == order[-1]
    path: list[Hop] = []

    def go_on(depth: int, top: int) -> None:
        die, deeper = order[depth], depth + 1
        is_end = True
        for start in (BAR,) if mine[BAR] else range(top, 0, -1):
            if not mine[start] or (end := try_hop(mine, theirs, start, die)) < 0:
                continue
            is_end = False
            hit = move(mine, theirs, start, end)
            path.append(hop_of(start, end, hit))
            if deeper < last:
                go_on(deeper, start if are_equal else BAR)  # noqa: F821 - it is deleted only when all is found
            else:
                note(deeper)
            path.pop()
            unmove(mine, theirs, start, end, hit)
        if is_end:
            note(depth)

    def note(depth: int) -> None:
        nonlocal longest
        if depth > longest:
            found.clear()
            longest = depth
        if depth == longest:
            sides = tuple(mine), tuple(theirs)
            if sides not in found:
                found[sides] = tuple(path)

    go_on(0, BAR)
    # `go_on` refers to itself: without this it would stay in memory, with all boards found, until a garbage collection.
    del go_on
    return longest, found


def only_play(position: Board, dice: Dice) -> Play | None:
    """The only legal play of a roll, which may be a dance; None where there is a choice.

    Raises:
        ValueError: a number that is not 1 to 6.
    """
    orders = {numbers(dice), numbers((dice[1], dice[0]))}
    boards = chain.from_iterable(_boards(list(position.mine), list(position.theirs), order) for order in orders)
    first = next(boards, None)
    if any(board != first for board in boards):
        return None
    plays = legal_plays(position, dice)
    return plays[0] if len(plays) == 1 else None


def _boards(mine: list[int], theirs: list[int], order: tuple[int, ...]) -> Iterator[tuple[Checkers, Checkers]]:
    """The boards after playing every number of ``order`` in this order, as they are found, some more than once."""
    if not order:
        yield tuple(mine), tuple(theirs)
        return
    for start in range(BAR, 0, -1):
        end = try_hop(mine, theirs, start, order[0])
        if end >= 0:
            hit = move(mine, theirs, start, end)
            yield from _boards(mine, theirs, order[1:])
            unmove(mine, theirs, start, end, hit)


def hits_of(board: Board, dice: Dice) -> set[int]:
    """The points where some legal play of a roll hits, as the player on roll numbers them.

    In a fifth of the time that `legal_plays` takes, as it makes no boards.

    Raises:
        ValueError: a number that is not 1 to 6.
    """
    _require_dice(dice)
    mine, theirs = list(board.mine), list(board.theirs)
    blots = [BAR - point for point in range(1, BAR) if theirs[point] == 1]
    high, low = max(dice), min(dice)
    orders = dict.fromkeys((numbers((high, low)), numbers((low, high))))
    for many in range(len(numbers(dice)), 0, -1):
        found = (_hits_on(mine, theirs, order[:many], blots, BAR) for order in orders)
        if ways := [way for way in found if way is not None]:
            # R10: where only one number can be played, it is the higher one if that can.
            return ways[0] if many == 1 else set().union(*ways)
    return set()


def _hits_on(mine: list[int], theirs: list[int], order: tuple[int, ...], blots: list[int], top: int) -> set[int] | None:
    """The points that are hit by plays of all numbers of ``order`` in this order; None where not all can be played.

    Args:
        mine, theirs: the checkers, which are as they were in the end.
        order: the numbers.
        blots: the points where a blot stood at first.
        top: the highest point to play from.
    """
    die, rest = order[0], order[1:]
    if not rest:
        if not can_play(mine, theirs, die):
            return None
        return {
            end for end in blots
            if theirs[BAR - end] == 1 and end + die <= BAR and try_hop(mine, theirs, end + die, die) == end
        }  # fmt: skip
    found: set[int] | None = None
    for start in (BAR,) if mine[BAR] else range(top, 0, -1):
        if not mine[start] or (end := try_hop(mine, theirs, start, die)) < 0:
            continue
        hit = move(mine, theirs, start, end)
        further = _hits_on(mine, theirs, rest, blots, start if die == rest[0] else BAR)
        unmove(mine, theirs, start, end, hit)
        if further is not None:
            found = further if found is None else found | further
            if hit:
                found.add(end)
    return found


def can_move(board: Board, dice: Dice) -> bool:
    """Whether any checker can be moved with a roll of two numbers from 1 to 6; if not, it is a dance."""
    return can_move_on(list(board.mine), list(board.theirs), dice)


def can_move_on(mine: list[int], theirs: list[int], dice: Dice) -> bool:
    """`can_move` for the checkers of the mover and of the other player, 26 counts each."""
    return can_play(mine, theirs, dice[0]) or can_play(mine, theirs, dice[1])


def can_play(mine: list[int], theirs: list[int], die: int) -> bool:
    """Whether any checker can be moved by one number. Much faster than `try_hop` for each checker."""
    if mine[BAR]:
        return theirs[die] < 2
    for start in range(BAR - 1, die, -1):
        if mine[start] and theirs[BAR - start + die] < 2:
            return True
    # What is left is bearing off, by the number itself or from the rearmost point below it.
    return not any(mine[7:]) and (mine[die] > 0 or (any(mine[1:die]) and not any(mine[die:7])))


def how_many(mine: list[int], theirs: list[int], order: tuple[int, ...]) -> int:
    """How many numbers of ``order`` can be played in this order."""
    if len(order) == 1:
        return int(can_play(mine, theirs, order[0]))
    most = 0
    for start in (BAR,) if mine[BAR] else range(BAR - 1, 0, -1):
        end = try_hop(mine, theirs, start, order[0]) if mine[start] else -1
        if end < 0:
            continue
        hit = move(mine, theirs, start, end)
        most = max(most, 1 + how_many(mine, theirs, order[1:]))
        unmove(mine, theirs, start, end, hit)
        if most == len(order):
            break
    return most


def perft(board: Board, depth: int) -> int:
    """Count the distinct results of every roll, ``depth`` turns deep, the 21 rolls unweighted.

    The standard check of a move generator: from the start 447 at depth 1 and 202,782 at depth 2.
    """
    if depth == 0:
        return 1
    total = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            plays = legal_plays(board, (high, low))
            total += len(plays) if depth == 1 else sum(perft(play.result.flipped(), depth - 1) for play in plays)
    return total
