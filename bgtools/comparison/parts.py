"""Parts of one match: records that continue each other by heading, number and score, or that share whole games."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.record.points import plus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bgtools.comparison.fingerprint import Fingerprint
    from bgtools.record.record import Match

Score = tuple[int, int]
_GAME: Final = 16
"""Letters of a fingerprint, two a roll, that a game has at the least before it proves anything."""


class Extent(NamedTuple):
    """What a record says of the part of a match that it holds.

    Attributes:
        players: the names.
        length: points to win the match; 0 for money.
        about: event, day and number of the match, each "" where nothing is said.
        games: the number of each game and the score before it, each None where it is not stated.
        end: the score after its last game; None where that is not known.
    """

    players: tuple[str, str]
    length: int
    about: tuple[str, str, str]
    games: tuple[tuple[int | None, Score | None], ...]
    end: Score | None

    @classmethod
    def of(cls, match: Match) -> Extent:
        """What a match says."""
        about = (match.tag("Event") or "", match.tag("EventDate") or "", match.tag("Match ID") or "")
        games = tuple((game.number, game.score) for game in match.games)
        claim = next((each for game in match.games[-1:] for each in game.results if each.points), None)
        line = games[-1][1] if games else None
        end = None if claim is None or line is None else plus(line, claim.winner, claim.points)
        return cls(match.players, match.length or 0, about, games, end)

    @property
    def names(self) -> frozenset[str]:
        """The names, whoever is in which column; empty unless both are known."""
        found = frozenset(name.strip().casefold() for name in self.players)
        return found if "" not in found and len(found) == len(self.players) else frozenset()

    def is_turned(self, other: Extent) -> bool:
        """Whether another record of the same players has them in the other columns."""
        return self.players[0].strip().casefold() != other.players[0].strip().casefold()

    def may_be_of(self, other: Extent) -> bool:
        """Whether two records may be of one match: nothing in their headings speaks against it."""
        if not self.names or self.names != other.names or self.length != other.length or not self.length:
            return False
        return all(one == two or not (one and two) for one, two in zip(self.about, other.about, strict=True))

    @property
    def start(self) -> tuple[int | None, Score | None]:
        """The number of the first game and the score before it."""
        return self.games[0] if self.games else (None, None)

    def continues(self, other: Extent) -> int | None:
        """Where a record begins in another one, by number and score: the index of the game there, perhaps the next one.

        None where it does not begin there, or begins a match.
        """
        number, score = self.start
        if score in (None, (0, 0)) or not self.may_be_of(other):
            return None
        last = other.games[-1][0] if other.games else None
        following = (None if last is None else last + 1, other.end)
        for at, (their_number, line) in enumerate((*other.games, following)):
            theirs = line[::-1] if line is not None and self.is_turned(other) else line
            if at and score == theirs and (None in (number, their_number) or number == their_number):
                return at
        return None


class MatchPart(NamedTuple):
    """A record as a part of a match: what it says, and its rolls and plays."""

    extent: Extent
    fingerprint: Fingerprint

    @property
    def games(self) -> list[str]:
        """The rolls and plays of each game."""
        return self.fingerprint.text.split(".")[:-1]

    def shares_game(self, other: MatchPart) -> bool:
        """Whether two records that may be of one match have a game in common, as far as both have it."""
        if not self.extent.may_be_of(other.extent):
            return False
        one, two = ([game for game in each.games if len(game) >= _GAME] for each in (self, other))
        return any(_agree(game, there) for game in one for there in two)

    def continues(self, other: MatchPart) -> bool:
        """Whether a record goes on where another one ends, or at a game of it; what both have is the same."""
        at = self.extent.continues(other.extent)
        return at is not None and all(map(_agree, other.games[at:], self.games))


def _agree(one: str, two: str) -> bool:
    """Whether two games are the same as far as both have them."""
    return one.startswith(two) or two.startswith(one)


def continuing(matches: Mapping[int, Iterable[MatchPart]]) -> Iterator[tuple[int, int]]:
    """The matches of which one continues the other and is the only one that does; whatever is open stays apart.

    Args:
        matches: the parts of each match, by its number.
    """
    alike: dict[tuple[frozenset[str], int], list[tuple[int, MatchPart]]] = defaultdict(list)
    for number, parts in matches.items():
        for part in parts:
            if part.extent.names and part.extent.length:
                alike[part.extent.names, part.extent.length].append((number, part))
    for some in alike.values():
        before: defaultdict[int, set[int]] = defaultdict(set)  # by the place of a part in `some`
        after: defaultdict[tuple[int, object], set[int]] = defaultdict(set)
        begun = [(at, later, two) for at, (later, two) in enumerate(some) if two.extent.start[1] not in (None, (0, 0))]
        found = [
            (there, earlier, at, later, two.extent.start)
            for at, later, two in begun
            for there, (earlier, one) in enumerate(some)
            if at != there and two.continues(one)
        ]
        for there, earlier, at, later, start in found:
            before[at].add(earlier)
            after[there, start].add(later)
        for there, earlier, at, later, start in found:
            if earlier != later and len(before[at]) == len(after[there, start]) == 1:
                yield earlier, later
