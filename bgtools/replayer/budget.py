"""How much may be tried to explain what cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.record import Entry


class Budget:
    """How much may be tried in a match, and what has been tried. More faults than that are no slips of a writer.

    Attributes:
        left: how often all readings of a fault may be tried still.
        plays: how many plays may be tried still while the slip behind the faults of one game is looked for.
        allowance: the same for the next game. It is halved by each game whose slip is not found.
        known: what has been found out already, by what was asked.
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
        """Have looked for the slip of a game."""
        if not found:
            self.allowance //= 2

    def run(self, entries: Sequence[Entry]) -> bool:
        """Take what replaying a game once more costs; False where that is not left."""
        self.plays -= _RUN * len(entries)
        return self.plays >= 0


_RUN: Final = 25
"""What it takes to replay an entry in full, in plays tried."""
