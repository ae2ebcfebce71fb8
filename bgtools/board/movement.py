"""Moving checkers: every legal play of a roll, and the reason why a written one is not legal.

Rule numbers (R05 …) are those of the project's rule table; `docs/rules.md` lists them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import chain, permutations, product, starmap
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF, Board, Checkers, Dice, rearmost
from bgtools.board.play import Hop, HopText, Leg, Play

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board.play import PlayText


class Reason(Enum):
    """Why a written play cannot be played."""

    BAD_DICE = "bad dice"
    NO_CHECKER = "no checker there"
    BLOCKED = "point blocked"
    BAR_FIRST = "bar first"
    BACKWARDS = "backwards hop"
    WRONG_DIE = "number not rolled"
    TOO_MANY_HOPS = "more hops than dice"
    NOT_HOME = "bear-off too early"
    HIGHER_CHECKER = "checker on a higher point"
    DIE_UNPLAYED = "die left unplayed"
    LARGER_DIE = "larger die not played"
    NO_PLAY = "no legal play"


@dataclass(frozen=True, slots=True)
class Violation:
    """The reason why a play is not legal, with the facts of the board that prove it.

    Attributes:
        reason: what is wrong.
        hop: index of the written group (`HopText`) at fault; None when the play as a whole is.
        start, end: the hop at fault in the mover's numbering, where one hop is.
        die: the number concerned: the one missing, or left unplayed.
        blockers: checkers of the other player on the blocked point.
        point: a point that proves the fault: the rearmost checker, a higher checker.
        possible: a legal play of the roll, where that is the proof.
        result: the board that the hops leave when played as written in spite of the fault,
            where that is possible; seen by the mover.
    """

    reason: Reason
    hop: int | None = None
    start: int | None = None
    end: int | None = None
    die: int | None = None
    blockers: int = 0
    point: int | None = None
    possible: Play | None = None
    result: Board | None = None


def numbers(dice: Dice) -> tuple[int, ...]:
    """The numbers to be played: two, or four for doubles (R05, R06)."""
    return dice if dice[0] != dice[1] else (dice[0],) * 4


_NUMBERS: Final = {dice: numbers(dice) for dice in product(range(1, 7), range(1, 7))}
"""The numbers to be played of every roll."""


def are_dice(dice: Dice) -> bool:
    """Whether both numbers are 1 to 6."""
    return 1 <= dice[0] <= 6 and 1 <= dice[1] <= 6


# --- one hop --------------------------------------------------------------------------------


def _try_hop(mine: list[int], theirs: list[int], start: int, die: int) -> int:
    """Where a checker on ``start`` lands with ``die``; -1 when it may not move so (R07, R08, R11, R12)."""
    if not mine[start] or (start != BAR and mine[BAR]):
        return -1
    end = start - die
    if end > 0:
        return end if theirs[BAR - end] < 2 else -1
    return OFF if _may_bear_off(mine, start, is_more=end < 0) else -1


def _may_bear_off(mine: list[int], start: int, *, is_more: bool) -> bool:
    """Whether a checker may be borne off, with a number that ``is_more`` than it takes only from the rearmost point."""
    return not any(mine[7:]) and not (is_more and any(mine[start + 1 : 7]))


def _move(mine: list[int], theirs: list[int], start: int, end: int) -> bool:
    """Move a checker in place; True when it hits."""
    mine[start] -= 1
    mine[end] += 1
    if end and theirs[BAR - end] == 1:
        theirs[BAR - end] = 0
        theirs[BAR] += 1
        return True
    return False


def _unmove(mine: list[int], theirs: list[int], start: int, end: int, hit: bool) -> None:
    mine[start] += 1
    mine[end] -= 1
    if hit:
        theirs[BAR - end] = 1
        theirs[BAR] -= 1


Step = tuple[int, int, bool]
"""One checker moved: from where, to where, and whether it hit."""


def take_back(mine: list[int], theirs: list[int], path: Sequence[Step]) -> None:
    """Take moves back in place, the last one first."""
    for start, end, hit in reversed(path):
        _unmove(mine, theirs, start, end, hit)


# --- all plays ------------------------------------------------------------------------------


def legal_plays(board: Board, dice: Dice) -> tuple[Play, ...]:
    """Every legal play of a roll, one for each distinct resulting board (R05 to R14).

    A dance gives one play without hops, whose result is the board as it is.

    Raises:
        ValueError: a number that is not 1 to 6.
    """
    if not are_dice(dice):
        raise ValueError(f"dice {dice[0]} and {dice[1]}: a die shows 1 to 6")
    high, low = max(dice), min(dice)
    if high == low:
        _, found = _longest(board, (high,) * 4)
    else:
        longest, found = _longest(board, (high, low))
        other, more = _longest(board, (low, high))
        if other > longest:
            longest, found = other, more
        elif other == longest and longest != 1:
            # R10: with a single number playable in the end, the higher one where that is possible.
            found |= {sides: hops for sides, hops in more.items() if sides not in found}
        if longest == 2 and sum(board.mine[1:]) == 1:
            # R14: the last checker borne off by either number ends the game, whatever the other could do.
            for die in dice:
                _, single = _longest(board, (die,))
                found |= {
                    sides: hops for sides, hops in single.items() if hops and hops[0].end == OFF and sides not in found
                }
    return tuple(Play(hops, Board(*sides)) for sides, hops in found.items())


_hop = cache(Hop)


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
            if not mine[start] or (end := _try_hop(mine, theirs, start, die)) < 0:
                continue
            is_end = False
            hit = _move(mine, theirs, start, end)
            path.append(_hop(start, end, hit))
            if deeper < last:
                go_on(deeper, start if are_equal else BAR)
            else:
                note(deeper)
            path.pop()
            _unmove(mine, theirs, start, end, hit)
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
    return longest, found


def only_play(position: Board, dice: Dice) -> Play | None:
    """The legal play of a roll where there is but one, if only the dance; None where there is a choice.

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
    """The boards after playing every number of ``order`` as they stand, as they are found and some more than once."""
    if not order:
        yield tuple(mine), tuple(theirs)
        return
    for start in range(BAR, 0, -1):
        end = _try_hop(mine, theirs, start, order[0])
        if end >= 0:
            hit = _move(mine, theirs, start, end)
            yield from _boards(mine, theirs, order[1:])
            _unmove(mine, theirs, start, end, hit)


def can_move(board: Board, dice: Dice) -> bool:
    """Whether any checker can be moved with a roll of two numbers from 1 to 6; if not, it is a dance."""
    return can_move_on(list(board.mine), list(board.theirs), dice)


def can_move_on(mine: list[int], theirs: list[int], dice: Dice) -> bool:
    """The same for two sides of checkers, 26 counts each."""
    starts = (BAR,) if mine[BAR] else range(BAR - 1, OFF, -1)
    return any(_try_hop(mine, theirs, start, die) >= 0 for die in set(dice) for start in starts)


def _how_many(mine: list[int], theirs: list[int], order: tuple[int, ...]) -> int:
    """How many numbers of ``order`` can be played, one after the other as they stand."""
    most = 0
    for start in (BAR,) if mine[BAR] else range(BAR - 1, 0, -1):
        end = _try_hop(mine, theirs, start, order[0]) if mine[start] else -1
        if end < 0:
            continue
        if len(order) == 1:
            return 1
        hit = _move(mine, theirs, start, end)
        most = max(most, 1 + _how_many(mine, theirs, order[1:]))
        _unmove(mine, theirs, start, end, hit)
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


# --- one written play -----------------------------------------------------------------------


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
        hops: the written groups; empty means that nothing was played. A number that is no point, above
            25 or below 0, is a violation like others: nobody has a checker there.
    """
    found = find_play(board, dice, hops)
    return _why_not(board, dice, hops) if found is None else found


def find_play(board: Board, dice: Dice, hops: Sequence[HopText]) -> Play | None:
    """The legal play that ``hops`` mean, as `resolve` finds it; None where there is none."""
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
        return [(Board(tuple(mine), tuple(theirs)), tuple(starmap(_hop, played)))]
    # Most plays that are tried in vain start where nobody stands or comes to, or end on a point of the other player.
    ends = {end for _, end in legs}
    for start, end in legs:
        if not OFF <= end < start <= BAR or not (mine[start] or start in ends) or (end and theirs[BAR - end] > 1):
            return []
    search = _Search(board, dice, hops)
    search.run()
    readings = list(search.found.items())
    if len(readings) > 1:
        readings.sort(key=lambda item: search.disagreement(item[1]))
    return readings


def _why_not(board: Board, dice: Dice, hops: Sequence[HopText]) -> Violation:
    """The reason why written groups are no legal play."""
    if not are_dice(dice):
        die = next(number for number in dice if not 1 <= number <= 6)
        return Violation(Reason.BAD_DICE, die=die, result=forced(board, hops) if hops else None)
    readings = _readings(board, dice, hops)
    if not readings:
        search = _Search(board, dice, hops, notes_reasons=True)
        search.run()
        return search.failure()
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

    Nearly all can be played so, and then nothing has to be searched: equal numbers leave one board
    in whatever order, and so do two checkers that take a number each. `resolve` starts with it. A
    play of fewer hops than the roll has numbers is legal only if no more can be played.

    Args:
        mine, theirs: the checkers of the mover and of the other player, 26 counts each. They are
            changed where the legs can be played.
        dice: the roll.
        legs: those of the written groups.

    Returns:
        The hops played, in the order of the groups, for `take_back` if need be. None where only a
        search can tell what is meant, or whether it can be played.
    """
    order = _NUMBERS.get(dice)
    if order is None or not legs:
        return None
    distance = legs[0][0] - legs[0][1]
    if distance == dice[1] or dice[0] < distance < dice[1]:
        order = _NUMBERS[dice[::-1]]
    if len(legs) > 1 or len(order) > 2:
        return _carry_out(mine, theirs, legs, order)
    # One checker may go either way round. The same board by more numbers is the better reading:
    # 4/off with 41 is 4/3/off (R13).
    other_mine, other_theirs = mine[:], theirs[:]
    path = _carry_out(mine, theirs, legs, order)
    turned = _carry_out(other_mine, other_theirs, legs, order[::-1])
    if path is None:
        mine[:], theirs[:] = other_mine, other_theirs
        return turned
    if turned is None:
        return path
    if mine != other_mine or theirs != other_theirs:
        take_back(mine, theirs, path)
        return None
    return turned if len(turned) > len(path) else path


def play_on(mine: list[int], theirs: list[int], dice: Dice, text: PlayText) -> Sequence[Step]:
    """Play what is written on two sides, in place; the hops played, none where it is no legal play.

    Args:
        mine, theirs: the checkers of the mover and of the other player, 26 counts each.
        dice: the roll, two numbers from 1 to 6.
        text: the written play.
    """
    played = play_in_order(mine, theirs, dice, text.legs)
    if played is not None and len(played) < (4 if dice[0] == dice[1] else 2) and any(mine[1:]):
        take_back(mine, theirs, played)
        if unplayed(mine, theirs, dice, played) is not None:
            return ()
        play_in_order(mine, theirs, dice, text.legs)
    if played is not None:
        return played
    found = find_play(Board(tuple(mine), tuple(theirs)), dice, text.hops)
    if found is None:
        return ()
    mine[:], theirs[:] = found.result.mine, found.result.theirs
    return found.hops


def _carry_out(mine: list[int], theirs: list[int], legs: tuple[Leg, ...], order: tuple[int, ...]) -> list[Step] | None:
    """Play legs by these numbers in this order; legs that take several numbers take turns.

    It moves checkers as `_try_hop` and `_move` do; to call them would take as long again.
    """
    path: list[Step] = []
    left = list(legs)
    for (start, end), die in zip(left, order, strict=False):  # what is left of a leg goes to the end of the list
        # Numbers that are no points may be written, too.
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
        elif end or not _may_bear_off(mine, start, is_more=landed < 0):
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
    if any(_how_many(mine, theirs, each) > len(path) for each in orders):
        return Reason.DIE_UNPLAYED
    larger = max(dice)
    if len(path) != 1 or dice[0] == dice[1] or _dice_of(path, dice)[0] == larger:
        return None
    return Reason.LARGER_DIE if _how_many(mine, theirs, (larger,)) else None


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


class _Search:
    """Tries to play written groups with the dice, in every order that matters."""

    def __init__(self, board: Board, dice: Dice, hops: Sequence[HopText], *, notes_reasons: bool = False) -> None:
        self.notes_reasons = notes_reasons
        self.position = board
        self.mine, self.theirs = list(board.mine), list(board.theirs)
        self.dice = dice
        self.all_numbers = numbers(dice)
        self.hops = hops
        # One leg a checker and a pair of points that stand beside each other in the record.
        self.legs = [(index, start, end) for index, hop in enumerate(hops) for start, end in hop.legs]
        self.found: dict[Board, tuple[Hop, ...]] = {}
        self.best_failure: tuple[int, Violation] | None = None
        self.whole_legs = False

    def run(self) -> None:
        if violation := self._out_of_reach():
            self.best_failure = (0, violation)
            return
        self._next(tuple(self.legs), self.all_numbers, ())
        if self.notes_reasons and not self.found and self._takes_a_number_each():
            # Nobody means 24/23/19 by 24/19 with 51, so the reason must not come from such a reading.
            self.best_failure, self.whole_legs = None, True
            self._next(tuple(self.legs), self.all_numbers, ())

    def _takes_a_number_each(self) -> bool:
        """Whether the legs can share out the numbers among them, one a leg."""
        return any(
            all(self._is_whole(leg[1], leg[2], die) for leg, die in zip(self.legs, order, strict=False))
            for order in permutations(self.all_numbers)
        )

    @staticmethod
    def _is_whole(start: int, end: int, die: int) -> bool:
        return start - die == end or (end == OFF and die > start)

    def _next(self, legs: tuple[tuple[int, int, int], ...], left: tuple[int, ...], path: tuple[Hop, ...]) -> None:
        """Carry the checker of any leg on by one number; legs may take turns (``bar/13(2)`` with 66)."""
        if not legs:
            result = Board(tuple(self.mine), tuple(self.theirs))
            known = self.found.get(result)
            # The same board by more numbers leaves fewer unplayed: 4/off with 41 is 4/3/off (R13).
            if known is None or len(path) > len(known):
                self.found[result] = path
            return
        tried: set[tuple[int, int]] = set()
        for number, (index, start, end) in enumerate(legs):
            if (start, end) in tried:
                continue
            tried.add((start, end))
            others = legs[:number] + legs[number + 1 :]
            progressed = False
            for die in dict.fromkeys(left):
                if start - die < end and end != OFF:
                    continue
                if self.whole_legs and not self._is_whole(start, end, die):
                    continue
                progressed = True
                landed = _try_hop(self.mine, self.theirs, start, die)
                if landed < 0:
                    if self.notes_reasons:
                        self._fail(path, index, start, max(start - die, OFF), die)
                    continue
                at = left.index(die)
                hit = _move(self.mine, self.theirs, start, landed)
                going = others if landed == end else (*others, (index, landed, end))
                self._next(going, left[:at] + left[at + 1 :], (*path, Hop(start, landed, hit)))
                _unmove(self.mine, self.theirs, start, landed, hit)
                # With equal numbers every order that can be carried out leaves the same board.
                if self.found and self.is_settled:
                    return
            if self.notes_reasons and not progressed and not (self.whole_legs and self.mine[start]):
                self._miss(path, index, start, end, left)

    def _out_of_reach(self) -> Violation | None:
        """What no board could make right: a hop backwards, more hops than numbers, a sum not rolled."""
        for index, start, end in self.legs:
            if end >= start:
                return Violation(Reason.BACKWARDS, index, start, end)
            if start > BAR:
                return Violation(Reason.NO_CHECKER, index, start, end)
            if end < OFF:
                return Violation(Reason.WRONG_DIE, index, start, end, start - end)
        if len(self.legs) > len(self.all_numbers):
            index, start, end = self.legs[len(self.all_numbers)]
            return Violation(Reason.TOO_MANY_HOPS, index, start, end)
        first, second = self.dice
        sums = {first * n for n in range(1, 5)} if first == second else {first, second, first + second}
        for index, start, end in self.legs:
            if start - end not in sums and (end != OFF or start > max(sums)):
                return Violation(Reason.WRONG_DIE, index, start, end, start - end)
        return None

    @property
    def is_settled(self) -> bool:
        """Whether no other order of the hops could leave another board than one already found."""
        return self.dice[0] == self.dice[1] or len(self.legs) == 2

    # -- the reason why not

    def _note(self, depth: int, violation: Violation) -> None:
        if self.best_failure is None or depth > self.best_failure[0]:
            self.best_failure = (depth, violation)

    def _fail(self, path: tuple[Hop, ...], index: int, start: int, end: int, die: int) -> None:
        mine, theirs = self.mine, self.theirs
        if not mine[start]:
            violation = Violation(Reason.NO_CHECKER, index, start, end, die)
        elif start != BAR and mine[BAR]:
            violation = Violation(Reason.BAR_FIRST, index, start, end, die, point=BAR)
        elif end > OFF:
            violation = Violation(Reason.BLOCKED, index, start, end, die, blockers=theirs[BAR - end])
        else:
            far = rearmost(tuple(mine))
            reason = Reason.NOT_HOME if far > 6 else Reason.HIGHER_CHECKER
            violation = Violation(reason, index, start, end, die, point=far)
        self._note(len(path), violation)

    def _miss(self, path: tuple[Hop, ...], index: int, start: int, end: int, left: tuple[int, ...]) -> None:
        """No number that is left carries the checker from ``start`` towards ``end``."""
        if not self.mine[start]:
            violation = Violation(Reason.NO_CHECKER, index, start, end)
        elif not left:
            violation = Violation(Reason.TOO_MANY_HOPS, index, start, end)
        else:
            violation = Violation(Reason.WRONG_DIE, index, start, end, start - end)
        self._note(len(path), violation)

    def failure(self) -> Violation:
        assert self.best_failure is not None
        violation = self.best_failure[1]
        return replace(violation, result=forced(self.position, self.hops))

    def disagreement(self, path: tuple[Hop, ...]) -> tuple[int, int, int]:
        """How badly a path fits: hits against the stars of the record, hits, numbers not used."""
        marked = {point for hop in self.hops for point, star in zip(hop.points[1:], hop.stars, strict=True) if star}
        hit = {hop.end for hop in path if hop.hit}
        return (len(marked ^ hit) if marked else 0), len(hit), -len(path)


def forced(board: Board, hops: Sequence[HopText]) -> Board | None:
    """The board that written hops leave when they are carried out without regard to the rules.

    A record may hold an illegal play that stood; the rest of the game then follows from this board.
    None when the hops cannot be carried out at all: no checker to move, a landing on a point
    that the other player holds, or a number that is no point.
    """
    mine, theirs = list(board.mine), list(board.theirs)
    for hop in hops:
        for start, end in hop.legs:
            if not (OFF <= start <= BAR and OFF <= end < BAR):
                return None
            if not mine[start] or (end and theirs[BAR - end] > 1):
                return None
            _move(mine, theirs, start, end)
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
