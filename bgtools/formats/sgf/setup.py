"""SGF of backgammon: a board that nodes set up and moves change. Nothing is checked against the rules."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF, Board
from bgtools.formats.sgf import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.board.perspective import Player
    from bgtools.board.play import HopText
    from bgtools.formats.sgf.tree import Property
    from bgtools.record.annotation import Annotation
    from bgtools.source import Span

_POINTS: Final = re.compile(r"([a-z])(?::([a-z]))?")
"""A point, or the first and the last point of a range."""


@dataclass(slots=True)
class Stones:
    """The checkers of both players, each in their own numbering, as they are moved."""

    sides: tuple[list[int], list[int]]

    @classmethod
    def of(cls, board: Board) -> Stones:
        """The board of a position seen by player 0."""
        return cls((list(board.mine), list(board.theirs)))

    def copy(self) -> Stones:
        """A copy of the board."""
        return Stones((list(self.sides[0]), list(self.sides[1])))

    def move(self, player: Player, hops: Iterable[HopText]) -> None:
        """Move checkers from point to point. A blot that they hit goes to the bar."""
        mine, theirs = self.sides[player], self.sides[1 - player]
        for hop in hops:
            for start, end in zip(hop.points, hop.points[1:], strict=False):
                mine[start] -= hop.count
                mine[end] += hop.count
                if OFF < end < BAR and theirs[BAR - end] == 1:
                    theirs[BAR - end] = 0
                    theirs[BAR] += 1

    def clear(self, letter: str) -> None:
        """Take all checkers from the place of a letter: from the bar, those of both players."""
        players: tuple[Player, Player] = (0, 1)
        for player in players:
            self.sides[player][words.point(letter, player)] = 0

    def add(self, player: Player, letter: str, count: int) -> None:
        """Put checkers of a player on the place of a letter."""
        self.sides[player][words.point(letter, player)] += count

    def put(self, each: Property) -> bool:
        """Put or clear checkers by an ``AE``, ``AB`` or ``AW``; False, with nothing done, if a value is not a point."""
        places: Counter[str] = Counter()
        for value in each.values:
            found = _POINTS.fullmatch(value.strip())
            if found is None:
                return False
            last = found[2] or found[1]
            places.update(chr(code) for code in range(ord(found[1]), ord(last) + 1))
        for place, count in places.items():
            if each.name == "AE":
                self.clear(place)
            else:
                self.add(0 if each.name == "AW" else 1, place, count)
        return True

    def complete(self, total: int) -> None:
        """Count checkers as borne off, so that each side has ``total``."""
        for side in self.sides:
            side[OFF] = total - sum(side[1:])

    @property
    def is_possible(self) -> bool:
        """Whether neither side has too many checkers, and no point holds checkers of both."""
        mine, theirs = self.sides
        return min(*mine, *theirs) >= 0 and not any(mine[point] and theirs[BAR - point] for point in range(1, BAR))

    def position(self) -> Board:
        """The position, seen by player 0."""
        return Board(tuple(self.sides[0]), tuple(self.sides[1]))


@dataclass(slots=True)
class Setup:
    """The position that nodes have set up since the last entry.

    Attributes:
        board: the checkers; None where no node sets any.
        cube: the value of the cube; None where no node sets it.
        owner: the owner of the cube, if ``has_owner``; None while it is centred.
        has_owner: whether a node sets the owner of the cube.
        player: the player on roll; None where no node names them.
        kind: ``start`` or ``set`` by a property of bgtools' own; "" where there is none.
        span: the place of the first node.
        comments: remarks on the position.
        annotation: the analysis of the position.
    """

    board: Stones | None = None
    cube: int | None = None
    owner: Player | None = None
    has_owner: bool = False
    player: Player | None = None
    kind: str = ""
    span: Span | None = None
    comments: list[Property] = field(default_factory=list)
    annotation: Annotation | None = None

    @property
    def sets(self) -> bool:
        """Whether board or cube are set."""
        return self.board is not None or self.cube is not None or self.has_owner
