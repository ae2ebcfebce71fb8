"""Which of two readings the rules and all that follows support: each is put into the other record and replayed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.replayer import Budget, replay_within

if TYPE_CHECKING:
    from bgtools.comparison.difference import Supported
    from bgtools.comparison.pairing import Sheet
    from bgtools.record import Entry, Match

MOST: Final = 24
"""So many differences of a game are tried. A game with more of them is not one with a few slips."""


@dataclass(slots=True)
class Supporter:
    """Tries the readings of one game in two records, both in one numbering and with the players in one order."""

    matches: tuple[Match, Match]
    sheets: tuple[Sheet, Sheet]
    _own: list[int] = field(default_factory=list)
    _tried: int = 0

    def supported(self, entries: tuple[tuple[int, int], tuple[int, int]]) -> Supported:
        """Which record says what the game can go on with: the other one gets better by it.

        Args:
            entries: the stretch of either record in which they are apart.
        """
        self._tried += 1
        if self._tried > MOST:
            return ""
        if not self._own:
            self._own = [self._wrong(which, self.sheets[which].game.entries) for which in (0, 1)]
        gains = [self._own[which] - self._wrong(which, self._with(which, entries)) for which in (0, 1)]
        # What puts a right for a reading of b supports b, and the other way round.
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

        After a wrong one what follows does not fit either: the more of it, the less the record goes on with that.
        """
        plain = tuple(entry if entry.row is None else replace(entry, row=None) for entry in entries)
        match = self.matches[which]
        game = replace(self.sheets[which].game, entries=plain)
        replayed = replay_within(replace(match, games=(game,)), Budget(left=0, allowance=0))[0]
        if replayed.is_sound:
            return 0
        return sum(bool(turn.violations) for turn in replayed.turns)
