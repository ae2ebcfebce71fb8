"""The search for what a written play means, in every order of its hops and of the numbers.

`bgtools.board.movement` asks for it where the hops cannot simply be played as they stand.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF, Board, Dice, rearmost
from bgtools.board.hopping import move, numbers, try_hop, unmove
from bgtools.board.play import Hop, HopText
from bgtools.board.violation import Reason, Violation

if TYPE_CHECKING:
    from collections.abc import Sequence


_Leg = tuple[int, int, int]
"""One checker, and two points that stand beside each other in the record: the number of the group, from, to."""


class HopSearch:
    """Tries to play written groups with the dice, in every order that matters.

    Attributes:
        found: the boards that the groups can mean, each with the hops that lead there.
        best_failure: how many hops could be played before the groups failed, in the order that came furthest, and why
            the next one could not; None where nothing was noted.
    """

    def __init__(self, board: Board, dice: Dice, hops: Sequence[HopText], *, notes_reasons: bool = False) -> None:
        """Prepare a search; with ``notes_reasons`` it finds out why nothing can be played, which takes longer."""
        self.notes_reasons = notes_reasons
        self.mine, self.theirs = list(board.mine), list(board.theirs)
        self.dice = dice
        self.all_numbers = numbers(dice)
        self.hops = hops
        self.legs: list[_Leg] = [(index, start, end) for index, hop in enumerate(hops) for start, end in hop.legs]
        self.found: dict[Board, tuple[Hop, ...]] = {}
        self.best_failure: tuple[int, Violation] | None = None
        self.whole_legs = False  # whether each leg takes just one number

    def run(self) -> None:
        """Find the boards; where there is none and reasons are noted, the reason."""
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

    def _next(self, legs: tuple[_Leg, ...], left: tuple[int, ...], path: tuple[Hop, ...]) -> None:
        """Carry the checker of any leg on by one number; legs may take turns (``bar/13(2)`` with 66)."""
        if not legs:
            result = Board(tuple(self.mine), tuple(self.theirs))
            known = self.found.get(result)
            # The same board by more numbers leaves fewer unplayed: 4/off with 41 is 4/3/off (R13).
            if known is None or len(path) > len(known):
                self.found[result] = path
            return
        tried: set[tuple[int, int]] = set()
        for number, leg in enumerate(legs):
            _, start, end = leg
            if (start, end) in tried:
                continue
            tried.add((start, end))
            self._carry_on(leg, legs[:number] + legs[number + 1 :], left, path)
            # With equal numbers every order that can be carried out leaves the same board.
            if self.found and self.is_settled:
                return

    def _carry_on(self, leg: _Leg, others: tuple[_Leg, ...], left: tuple[int, ...], path: tuple[Hop, ...]) -> None:
        """Carry the checker of a leg on by each number that is left, and from there all legs."""
        index, start, end = leg
        progressed = False
        for die in dict.fromkeys(left):
            if (start - die < end and end != OFF) or (self.whole_legs and not self._is_whole(start, end, die)):
                continue
            progressed = True
            landed = try_hop(self.mine, self.theirs, start, die)
            if landed < 0:
                if self.notes_reasons:
                    self._fail(path, index, start, max(start - die, OFF), die)
                continue
            at = left.index(die)
            hit = move(self.mine, self.theirs, start, landed)
            going = others if landed == end else (*others, (index, landed, end))
            self._next(going, left[:at] + left[at + 1 :], (*path, Hop(start, landed, hit)))
            unmove(self.mine, self.theirs, start, landed, hit)
            if self.found and self.is_settled:
                return
        if self.notes_reasons and not progressed and not (self.whole_legs and self.mine[start]):
            self._miss(path, index, start, end, left)

    def _out_of_reach(self) -> Violation | None:
        """What is wrong on any board: a hop backwards, more hops than numbers, a sum that was not rolled."""
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
        """Note why the checker on ``start`` cannot move by ``die``."""
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
        """Note that no number that is left carries the checker from ``start`` towards ``end``."""
        if not self.mine[start]:
            violation = Violation(Reason.NO_CHECKER, index, start, end)
        elif not left:
            violation = Violation(Reason.TOO_MANY_HOPS, index, start, end)
        else:
            violation = Violation(Reason.WRONG_DIE, index, start, end, start - end)
        self._note(len(path), violation)

    def failure(self) -> Violation:
        """The reason why the groups cannot be played, after a search that notes reasons and has found nothing."""
        assert self.best_failure is not None
        found = self.best_failure[1]
        return self._one_too_many(found) if found.reason is Reason.TOO_MANY_HOPS else found

    def _one_too_many(self, found: Violation) -> Violation:
        """The last hop without which the others use the whole roll; as found where there is none.

        In 13/6 24/22 with 52 it is 24/22, as 13/6 uses both numbers.
        """
        total = sum(start - end for _, start, end in self.legs)
        for index, start, end in reversed(self.legs):
            if total - (start - end) == sum(self.all_numbers):
                return Violation(Reason.TOO_MANY_HOPS, index, start, end)
        return found

    def disagreement(self, path: tuple[Hop, ...]) -> tuple[int, int, int]:
        """How badly a path fits; the least is the best.

        First count the hits that have no star and the stars that have no hit, where stars are written at all; then
        the hits; then the numbers that are not used.
        """
        marked = {point for hop in self.hops for point, star in zip(hop.points[1:], hop.stars, strict=True) if star}
        hit = {hop.end for hop in path if hop.hit}
        return (len(marked ^ hit) if marked else 0), len(hit), -len(path)
