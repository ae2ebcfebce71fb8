"""Which plays were made, where rolls are known and plays are not: all boards that may be are followed at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.perspective import view

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play

_MARGIN: Final = 6.0
"""Boards that cost so much more than the best one are given up."""
_MOST: Final = 60
"""How many boards are followed."""
_MOST_WAYS: Final = 8
"""How many ways to one board are kept."""


class FittingPlays(NamedTuple):
    """The plays that fit a turn, the likeliest first, and what each costs together with all that goes with it."""

    plays: tuple[Play, ...]
    costs: tuple[float, ...]

    def near(self, margin: float) -> tuple[Play, ...]:
        """The plays that cost less than ``margin`` more than the best one; that one is the first of them."""
        most = self.costs[0] + margin
        return tuple([play for play, cost in zip(self.plays, self.costs, strict=True) if cost < most])


class _State(NamedTuple):
    """A board that may be, seen by player 0; what it costs; the play and the state that lead to it; and other ways."""

    board: Board
    cost: float
    before: _State | None = None
    play: Play | None = None
    others: tuple[_State, ...] = ()


class PossibleBoards:
    """The boards that a game may have reached.

    Args:
        board: the board that is known, seen by player 0.

    Attributes:
        given_up: up to which turn boards were given up because there were too many; 0 where none were.
    """

    def __init__(self, board: Board) -> None:
        self._states = [_State(board, 0.0)]
        self._earlier: list[list[_State]] = []
        self.given_up = 0

    @property
    def turns(self) -> int:
        """How many turns were followed."""
        return len(self._earlier)

    def go_back(self, turns: int) -> None:
        """Take back all that was followed behind so many turns."""
        if turns < len(self._earlier):
            self._states = self._earlier[turns]
            del self._earlier[turns:]

    def keep(self, allowed: Callable[[Board], bool]) -> bool:
        """Keep the boards, seen by player 0, that are allowed; all of them, and False, where none is."""
        kept = [each for each in self._states if allowed(each.board)]
        self._states = kept or self._states
        return bool(kept)

    def follow(
        self, player: Player, plays: Callable[[Board], Iterable[tuple[Play, float]]], shown: Collection[Board] = ()
    ) -> bool:
        """Go on by one turn; False, and nothing is changed, where no play fits any board.

        Args:
            player: who plays.
            plays: the plays that may have been made on a board that this player sees, each with its cost.
            shown: boards, seen by player 0, one of which the play leaves; left aside where it leaves none of them.
        """
        made: dict[Board, _State] = {}
        for state in self._states:
            for play, cost in plays(view(state.board, player)):
                after = view(play.result, player)
                new, known = _State(after, state.cost + cost, state, play), made.get(after)
                if known is not None:
                    best, other = (new, known) if new.cost < known.cost else (known, new)
                    ways = (*best.others, *other.others, other._replace(others=()))
                    new = best._replace(others=ways[:_MOST_WAYS])
                made[after] = new
        if not made:
            return False
        found = [each for each in made.values() if each.board in shown] or [*made.values()]
        found.sort(key=lambda each: each.cost)
        near = [each for each in found if each.cost <= found[0].cost + _MARGIN]
        self._earlier.append(self._states)
        self._states = near[:_MOST]
        if len(near) > _MOST:
            self.given_up = self.turns
        return True

    def likeliest(self) -> list[FittingPlays]:
        """The plays of the cheapest ways to the boards of now, for each turn that was followed."""
        costs: list[dict[Play, float]] = [{} for _ in range(self.turns)]
        for last in self._states:
            seen: set[int] = set()
            ways = [(last, self.turns, 0.0)]
            while ways:
                state, at, more = ways.pop()
                if state.before is None or state.play is None or id(state) in seen:
                    continue
                seen.add(id(state))
                known = costs[at - 1].get(state.play)
                cost = last.cost + more
                costs[at - 1][state.play] = cost if known is None else min(cost, known)
                ways += [(other, at, more + other.cost - state.cost) for other in state.others]
                ways.append((state.before, at - 1, more))
        ordered = [sorted(some.items(), key=lambda each: each[1]) for some in costs]
        return [FittingPlays(*zip(*some, strict=True)) for some in ordered]
