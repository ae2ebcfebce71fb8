"""Which of two records the rules support: what each says is put into the other, and the game is replayed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.replayer.budget import Budget
from bgtools.replayer.match import replay_within

if TYPE_CHECKING:
    from bgtools.comparison.difference import Supported
    from bgtools.comparison.pairing import GameTokens
    from bgtools.record.record import Entry, Match

MOST: Final = 24
"""At most so many differences of a game are tried. More are no longer a few slips."""


@dataclass(slots=True)
class Supporter:
    """Tries what two records say of one game; both have one numbering, and their players in one order."""

    matches: tuple[Match, Match]
    sheets: tuple[GameTokens, GameTokens]
    _own: list[int] = field(default_factory=list)
    _tried: int = 0

    def supported(self, entries: tuple[tuple[int, int], tuple[int, int]]) -> Supported:
        """The record that says what the game can go on with: it makes the other record fit the rules better.

        Args:
            entries: the stretch in which the records differ: its first entry, and the one behind its last, in either.
        """
        self._tried += 1
        if self._tried > MOST:
            return ""
        if not self._own:
            self._own = [self._wrong(which, self.sheets[which].game.entries) for which in (0, 1)]
        gains = [self._own[which] - self._wrong(which, self._with(which, entries)) for which in (0, 1)]
        # If a gets better with what b says, that supports b; and the other way round.
        if gains[0] == gains[1]:
            return ""
        if gains[0] > max(gains[1], 0):
            return "b"
        return "a" if gains[1] > max(gains[0], 0) else ""

    def _with(self, which: int, entries: tuple[tuple[int, int], tuple[int, int]]) -> tuple[Entry, ...]:
        """The entries of one record with a stretch of the other in place of its own."""
        start, end = entries[which]
        first, last = entries[1 - which]
        own, theirs = self.sheets[which].game.entries, self.sheets[1 - which].game.entries
        return (*own[:start], *theirs[first:last], *own[end:])

    def _wrong(self, which: int, entries: tuple[Entry, ...]) -> int:
        """How many entries of a game are against the rules, each taken as it is written.

        After a wrong entry the following ones do not fit either: the earlier the game goes wrong, the more they are.
        """
        plain = tuple(entry if entry.row is None else replace(entry, row=None) for entry in entries)
        match = self.matches[which]
        game = replace(self.sheets[which].game, entries=plain)
        replayed = replay_within(replace(match, games=(game,)), Budget(left=0, allowance=0))[0]
        if replayed.is_sound:
            return 0
        return sum(bool(turn.violations) for turn in replayed.turns)
