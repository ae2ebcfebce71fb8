"""A board that nodes of SGF set up and moves change, whether they may or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.board import BAR, OFF, Board
from bgtools.formats.sgf import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.board import HopText, Player


@dataclass(slots=True)
class Stones:
    """The checkers of both players, each in his own numbering, as they are moved; nothing is judged."""

    sides: tuple[list[int], list[int]]

    @classmethod
    def of(cls, board: Board) -> Stones:
        """The board of a position seen by player 0."""
        return cls((list(board.mine), list(board.theirs)))

    def copy(self) -> Stones:
        """Another board with the same checkers."""
        return Stones((list(self.sides[0]), list(self.sides[1])))

    def move(self, player: Player, hops: Iterable[HopText]) -> None:
        """Move checkers from point to point; what stands alone where they land goes to the bar."""
        mine, theirs = self.sides[player], self.sides[1 - player]
        for hop in hops:
            for start, end in zip(hop.points, hop.points[1:], strict=False):
                mine[start] -= hop.count
                mine[end] += hop.count
                if OFF < end < BAR and theirs[BAR - end] == 1:
                    theirs[BAR - end] = 0
                    theirs[BAR] += 1

    def clear(self, place: str) -> None:
        """Take all checkers from the place of a letter, on the bar those of both players."""
        players: tuple[Player, Player] = (0, 1)
        for player in players:
            self.sides[player][words.point(place, player)] = 0

    def add(self, player: Player, place: str, count: int) -> None:
        """Put checkers of a player on the place of a letter."""
        self.sides[player][words.point(place, player)] += count

    def complete(self, total: int) -> None:
        """Bear off what is missing to ``total`` checkers a side."""
        for side in self.sides:
            side[OFF] = total - sum(side[1:])

    @property
    def is_possible(self) -> bool:
        """Whether no side has too many checkers, nor both a point."""
        mine, theirs = self.sides
        return min(*mine, *theirs) >= 0 and not any(mine[point] and theirs[BAR - point] for point in range(1, BAR))

    def position(self) -> Board:
        """The position, seen by player 0."""
        return Board(tuple(self.sides[0]), tuple(self.sides[1]))
