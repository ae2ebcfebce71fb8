"""A limit on the search for readings of entries that cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.record.record import Entry


class Budget:
    """The limit on trials in one match, and what the trials found. A record with more faults is ruined.

    Attributes:
        left: how many more times all readings of a fault may be tried.
        plays: how many more plays may be tried in the search for the slip behind the faults of one game.
        allowance: ``plays`` for the next game. Each game whose slip is not found halves it.
        known: what earlier trials found, by what was asked.
    """

    def __init__(self, left: int = 40, allowance: int = 110_000) -> None:
        self.left = left
        self.plays = self.allowance = allowance
        self.known: dict[object, Any] = {}

    def spend(self) -> bool:
        """Take one trial; False when none is left."""
        self.left -= 1
        return self.left >= 0

    def begin(self) -> None:
        """Begin to look for the slip of another game."""
        self.plays = self.allowance

    def end(self, *, found: bool) -> None:
        """End the search for the slip of a game."""
        if not found:
            self.allowance //= 2

    def run(self, entries: Sequence[Entry]) -> bool:
        """Pay for one more replay of a game; False when too few plays are left."""
        self.plays -= _RUN * len(entries)
        return self.plays >= 0


_RUN: Final = 25
"""The cost of replaying one entry in full, in plays tried."""
