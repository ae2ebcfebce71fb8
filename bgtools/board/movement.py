"""Whether a written play is legal, which play it means, and the reason why it is not.

Rule numbers (R05 …) are those of the project's rule table; `docs/rules.md` lists them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import starmap
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF, Board, Dice
from bgtools.board.generation import how_many, legal_plays
from bgtools.board.hopping import NUMBERS, Step, are_dice, hop_of, may_bear_off, move, numbers, take_back
from bgtools.board.play import Hop, HopText, Leg, Play
from bgtools.board.search import HopSearch
from bgtools.board.violation import Reason, Violation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.play import PlayText

_SHORTEST_FIRST: Final = {dice: tuple(sorted(order)) for dice, order in NUMBERS.items()}
"""The numbers to be played of every roll, the smaller one first."""


def explain(board: Board, dice: Dice, hops: Sequence[HopText]) -> Violation | None:
    """Why a written play may not be played, or None when it is legal.

    The counterpart of `resolve`, which gives the play itself.
    """
    outcome = resolve(board, dice, hops)
    return outcome if isinstance(outcome, Violation) else None


def resolve(board: Board, dice: Dice, hops: Sequence[HopText]) -> Play | Violation:
    """Find the legal play that ``hops`` mean, or the reason why there is none.

    Spelling is free: any order of hops, several numbers of one checker merged into one hop
    (``24/13``), hit stars missing or superfluous. Where a merged hop can be read in two ways that
    leave different boards, the one whose hits the stars mark is taken, then the one that hits
    least on the way (as GNU Backgammon reads it).

    Args:
        board: the board before the play, seen by the mover.
        dice: the roll.
        hops: the written groups; empty means that nothing was played. A number that is not a point, above
            25 or below 0, is a violation like others: nobody has a checker there.
    """
    found = find_play(board, dice, hops)
    return _why_not(board, dice, hops) if found is None else found


def find_play(board: Board, dice: Dice, hops: Sequence[HopText]) -> Play | None:
    """The legal play that ``hops`` mean, as `resolve` finds it, or None."""
    if not are_dice(dice):
        return None
    for result, path in _readings(board, dice, hops):
        if not any(result.mine[1:]) or unplayed(list(board.mine), list(board.theirs), dice, path) is None:
            return Play(path, result)
    return None


def _readings(board: Board, dice: Dice, hops: Sequence[HopText]) -> list[tuple[Board, tuple[Hop, ...]]]:
    """The boards that written groups can mean, and the hops that lead there, the best first."""
    mine, theirs = list(board.mine), list(board.theirs)
    legs = tuple(leg for hop in hops for leg in hop.legs)
    played = play_in_order(mine, theirs, dice, legs)
    if played is not None:
        return [(Board(tuple(mine), tuple(theirs)), tuple(starmap(hop_of, played)))]
    # Most plays that cannot be made start where no checker is or comes to, or end on a point that the other player
    # holds. No search is needed for them.
    ends = {end for _, end in legs}
    for start, end in legs:
        if not OFF <= end < start <= BAR or not (mine[start] or start in ends) or (end and theirs[BAR - end] > 1):
            return []
    search = HopSearch(board, dice, hops)
    search.run()
    readings = list(search.found.items())
    if len(readings) > 1:
        readings.sort(key=lambda item: search.disagreement(item[1]))
    return readings


def _why_not(board: Board, dice: Dice, hops: Sequence[HopText]) -> Violation:
    """The reason why written groups are not a legal play."""
    if not are_dice(dice):
        die = next(number for number in dice if not 1 <= number <= 6)
        return Violation(Reason.BAD_DICE, die=die, result=forced(board, hops) if hops else None)
    readings = _readings(board, dice, hops)
    if not readings:
        search = HopSearch(board, dice, hops, notes_reasons=True)
        search.run()
        return replace(search.failure(), result=forced(board, hops))
    result, path = readings[0]
    reason = unplayed(list(board.mine), list(board.theirs), dice, path)
    possible = legal_plays(board, dice)[0]
    assert reason is not None
    if reason is Reason.LARGER_DIE:
        return Violation(reason, die=max(dice), possible=possible, result=result)
    left = list(numbers(dice))
    for die in _dice_of(path, dice):
        left.remove(die)
    return Violation(reason, die=max(left), possible=possible, result=result)


def play_in_order(mine: list[int], theirs: list[int], dice: Dice, legs: tuple[Leg, ...]) -> list[Step] | None:
    """Play the legs of a written play in the order in which they stand, on the two sides themselves.

    Nearly all plays can be played so, and then nothing has to be searched: equal numbers leave one
    board in whatever order, and so do two checkers that take a number each. `resolve` tries this first.
    A play of fewer hops than the roll has numbers is legal only if no more can be played: the caller
    has to ask.

    Args:
        mine, theirs: the checkers of the mover and of the other player, 26 counts each. They are
            changed where the legs can be played.
        dice: the roll.
        legs: the legs of the written groups.

    Returns:
        The hops played, in the order of the groups, for `take_back` if need be. None where only a
        search can tell what is meant, or whether it can be played.
    """
    order = NUMBERS.get(dice)
    if order is None or not legs:
        return None
    distance = legs[0][0] - legs[0][1]
    if distance == dice[1] or dice[0] < distance < dice[1]:
        order = NUMBERS[dice[::-1]]
    if len(legs) > 1 or len(order) > 2:
        return _carry_out(mine, theirs, legs, order)
    start, end = legs[0]
    path = _carry_out(mine, theirs, legs, order)
    if end and distance == order[0]:
        return path  # the other number leads past its end
    if path is not None and len(path) > 1 and not path[0][2] and theirs[BAR - start + order[1]] != 1:
        return path  # it hits nothing on its way, nor would it the other way round
    if path is None:
        return _carry_out(mine, theirs, legs, order[::-1])
    # One checker may go either way round. The same board by more numbers is the better reading:
    # 4/off with 41 is 4/3/off (R13).
    reached = mine[:], theirs[:]
    take_back(mine, theirs, path)
    turned = _carry_out(mine, theirs, legs, order[::-1])
    if turned is None:
        mine[:], theirs[:] = reached
        return path
    if (mine, theirs) != reached:
        take_back(mine, theirs, turned)
        return None
    return turned if len(turned) > len(path) else path


def play_on(mine: list[int], theirs: list[int], dice: Dice, text: PlayText) -> Sequence[Step]:
    """Play what is written on two sides, in place; the hops played, none where it is not a legal play.

    Args:
        mine, theirs: the checkers of the mover and of the other player, 26 counts each.
        dice: the roll, two numbers from 1 to 6.
        text: the written play.
    """
    # A leg for each number: then it is known on any board which number moves which checker.
    if text.lengths == _SHORTEST_FIRST.get(dice):
        path: list[Step] = []
        for start, end in text.legs:
            hit = False
            if not mine[start] or (start < BAR and mine[BAR]):
                break
            if end:
                blockers = theirs[BAR - end]
                if blockers > 1:
                    break
                if blockers:
                    hit = True
                    theirs[BAR - end] = 0
                    theirs[BAR] += 1
            elif any(mine[7:]):  # not all are home
                break
            mine[start] -= 1
            mine[end] += 1
            path.append((start, end, hit))
        else:
            return path
        take_back(mine, theirs, path)
        return _search_on(mine, theirs, dice, text)
    played = play_in_order(mine, theirs, dice, text.legs)
    if played is not None and len(played) < (4 if dice[0] == dice[1] else 2) and any(mine[1:]):
        take_back(mine, theirs, played)
        if unplayed(mine, theirs, dice, played) is not None:
            return ()
        play_in_order(mine, theirs, dice, text.legs)
    return _search_on(mine, theirs, dice, text) if played is None else played


def _search_on(mine: list[int], theirs: list[int], dice: Dice, text: PlayText) -> Sequence[Step]:
    """Search what is written, and play it on two sides; the hops played, none where it is not a legal play."""
    found = find_play(Board(tuple(mine), tuple(theirs)), dice, text.hops)
    if found is None:
        return ()
    mine[:], theirs[:] = found.result.mine, found.result.theirs
    return found.hops


def _carry_out(mine: list[int], theirs: list[int], legs: tuple[Leg, ...], order: tuple[int, ...]) -> list[Step] | None:
    """Play legs by these numbers in this order; legs that take several numbers take turns.

    It moves checkers as `try_hop` and `move` do, without the calls, which would double the time.
    """
    path: list[Step] = []
    left = list(legs)
    for (start, end), die in zip(left, order, strict=False):  # what is left of a leg goes to the end of the list
        # Numbers that are not points may be written, too.
        if not OFF <= end < start <= BAR or not mine[start] or (start < BAR and mine[BAR]):
            break
        landed = start - die
        hit = False
        if landed > OFF:
            blockers = theirs[BAR - landed]
            if blockers > 1 or landed < end:
                break
            if blockers:
                hit = True
                theirs[BAR - landed] = 0
                theirs[BAR] += 1
        elif end or not may_bear_off(mine, start, is_more=landed < 0):
            break
        else:
            landed = OFF
        mine[start] -= 1
        mine[landed] += 1
        path.append((start, landed, hit))
        if landed > end:
            left.append((landed, end))
    if len(path) == len(left):
        return path
    take_back(mine, theirs, path)
    return None


def unplayed(mine: list[int], theirs: list[int], dice: Dice, path: Sequence[Step]) -> Reason | None:
    """R09, R10: whether more of a roll, or the larger number instead, was playable.

    Args:
        mine, theirs: the checkers before the play, 26 counts each.
        dice: the roll, two numbers from 1 to 6.
        path: the play, which does not bear off the last checker.
    """
    order = numbers(dice)
    if len(path) == len(order):
        return None
    orders = (order,) if dice[0] == dice[1] else (order, order[::-1])
    if any(how_many(mine, theirs, each) > len(path) for each in orders):
        return Reason.DIE_UNPLAYED
    larger = max(dice)
    if len(path) != 1 or dice[0] == dice[1] or _dice_of(path, dice)[0] == larger:
        return None
    return Reason.LARGER_DIE if how_many(mine, theirs, (larger,)) else None


def _dice_of(path: Sequence[Step], dice: Dice) -> list[int]:
    """The numbers that the hops of a play take, in their order.

    A bear-off takes its own number when that was rolled, else the smallest that is larger.
    """
    left = sorted(numbers(dice))
    used = []
    for start, end, _ in sorted(path, key=lambda step: step[1] == OFF):
        distance = start - end
        die = distance if distance in left else next(number for number in left if number > distance)
        left.remove(die)
        used.append(die)
    return used


def forced(board: Board, hops: Sequence[HopText]) -> Board | None:
    """The board that written hops leave when they are carried out without regard to the rules.

    A record may hold an illegal play that stood; the rest of the game then follows from this board.
    None when the hops cannot be carried out at all: no checker to move, a landing on a point
    that the other player holds, or a number that is not a point.
    """
    mine, theirs = list(board.mine), list(board.theirs)
    for hop in hops:
        for start, end in hop.legs:
            if not (OFF <= start <= BAR and OFF <= end < BAR):
                return None
            if not mine[start] or (end and theirs[BAR - end] > 1):
                return None
            move(mine, theirs, start, end)
    return Board(tuple(mine), tuple(theirs))


def apply(board: Board, dice: Dice, hops: Sequence[HopText]) -> Board:
    """The board after a written play, seen by the player who is on roll next.

    Raises:
        ValueError: the play is not legal; the message gives the reason.
    """
    outcome = resolve(board, dice, hops)
    if isinstance(outcome, Violation):
        raise ValueError(f"{outcome.reason.value}: {' '.join(map(str, hops))} with {dice[0]}{dice[1]}")
    return outcome.result.flipped()
