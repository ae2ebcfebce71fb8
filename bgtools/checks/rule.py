"""What a rule is: something that a check looks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bgtools.findings.finding import Code, Finding
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Something that a check looks for.

    Attributes:
        codes: the kinds of finding that it makes. Each knows its severity and its manual page.
        in_match: gives what it finds in a match as a whole; None where it looks at games only.
        in_game: gives what it finds in one game, from the match and the game's replay; None where it looks at none.
        maker: who adds it from outside, for messages; "" for the rules of bgtools itself.
    """

    codes: tuple[Code, ...]
    in_match: Callable[[Match], Iterable[Finding]] | None = None
    in_game: Callable[[Match, GameReplay], Iterable[Finding]] | None = None
    maker: str = ""

    def findings(self, match: Match, games: tuple[GameReplay, ...]) -> Iterator[Finding]:
        """All that it finds."""
        if self.in_match is not None:
            yield from self.in_match(match)
        if self.in_game is not None:
            for game in games:
                yield from self.in_game(match, game)
