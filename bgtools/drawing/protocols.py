"""What can be drawn, as protocols, so that drawing imports neither boards nor rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

OFF: Final = 0
"""Index of the checkers borne off."""
BAR: Final = 25
"""Index of the checkers on the bar."""


class Drawn(Protocol):
    """A board, as `bgtools.board.board.Board` is one."""

    @property
    def mine(self) -> Sequence[int]:
        """26 counts of the player on roll: off, points 1 to 24, bar."""
        ...

    @property
    def theirs(self) -> Sequence[int]:
        """The same of the other player, counted from his side."""
        ...

    @property
    def pips(self) -> tuple[int, int]:
        """Pip counts of both."""
        ...


class CubeLike(Protocol):
    """A doubling cube."""

    @property
    def value(self) -> int:
        """What it shows."""
        ...

    @property
    def owner(self) -> str:
        """``centre``, ``mine`` or ``theirs``."""
        ...


class State(Protocol):
    """Score and cube, as `bgtools.rules.cube.MatchState` holds them."""

    @property
    def length(self) -> int:
        """Points to win the match; 0 for money."""
        ...

    @property
    def score(self) -> tuple[int, int]:
        """Points of the player on roll and of the other."""
        ...

    @property
    def crawford(self) -> bool:
        """Whether this is the Crawford game."""
        ...

    @property
    def cube(self) -> CubeLike:
        """The doubling cube."""
        ...


class HopLike(Protocol):
    """A checker of the player on roll, moved by one die, as `bgtools.board.play.Hop` is one."""

    @property
    def start(self) -> int:
        """The point that it leaves; `BAR` for the bar."""
        ...

    @property
    def end(self) -> int:
        """The point where it lands; `OFF` when it is borne off."""
        ...
