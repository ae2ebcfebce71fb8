"""What merging several records gives: the match, and for every fact of it the records that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.comparison.deciding import Why
    from bgtools.positions.position import Position
    from bgtools.record.record import Match
    from bgtools.source import Location

FactKind = Literal["header", "game", "score", "play", "cube", "result", "comment", "analysis"]
"""What a fact is about. ``game``: whether a game is one of the match. ``play``: a roll with its play, a set board."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What some records say of a fact.

    Attributes:
        says: what they say, in words; "" where they have nothing there.
        records: their numbers, from 0.
        locations: where each says so; None where it was read from no text, or says nothing.
        after: the position after it, where it is a legal play and other records say otherwise; else None.
    """

    says: str
    records: tuple[int, ...]
    locations: tuple[Location | None, ...] = ()
    after: Position | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a merged record says, and who says so.

    Attributes:
        kind: what it is about.
        what: the same in words, such as ``the length of the match``; "" for an entry.
        why: why it is taken.
        taken: what the merged record says, and the records that say so.
        others: what other records say instead.
        game: the number of the game in the merged record, from 1; None outside games.
        turn: the number of the turn in the game, from 1, or None.
        row: the row in which that stands, as the record numbers its rows, else counted from 1; None likewise.
        entry: the number of the entry in the game, from 1; None likewise, and where the entry is left out.
        player: who acted.
        before: the position before it, where other records say otherwise.
    """

    kind: FactKind
    what: str
    why: Why
    taken: Statement
    others: tuple[Statement, ...] = ()
    game: int | None = None
    turn: int | None = None
    row: int | None = None
    entry: int | None = None
    player: Player | None = None
    before: Position | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """Several records of one match put together.

    >>> done = bgtools.merge("samples/seven-point.mat", "samples/seven-point.mat")
    >>> done.conflicts, str(done.facts[1].taken.says), done.facts[1].taken.records
    ((), 'Peter Marsh', (0, 1))

    Attributes:
        match: the match; where something is undecided, it has the option of the first record among equally good ones.
        records: what it was made of, each play in its player's own numbering, the players in the order of the first.
        exchanged: for each record, whether its players stood in the other order as it was read.
        facts: the games that were left out, then all that the match says: its header, then game by game.
        left_out: how many analyses were not taken, because the board before them was another one.
    """

    match: Match
    records: tuple[Match, ...]
    exchanged: tuple[bool, ...]
    facts: tuple[Fact, ...]
    left_out: int = 0

    @property
    def conflicts(self) -> tuple[Fact, ...]:
        """What neither the rules nor most records decide."""
        return tuple(fact for fact in self.facts if fact.why == "undecided")

    @property
    def decided(self) -> tuple[Fact, ...]:
        """The facts on which records disagree, and which the rules, most records or the preferred one decide."""
        return tuple(fact for fact in self.facts if fact.others and fact.why != "undecided")

    def __repr__(self) -> str:
        return f"<Merged {len(self.records)} records: {len(self.facts)} facts, {len(self.conflicts)} undecided>"


class NotOneMatch(ValueError):
    """Records are of different matches.

    Attributes:
        strangers: the numbers, from 0, of the records that are not of the match that most of them are of.
    """

    def __init__(self, message: str, strangers: tuple[int, ...]) -> None:
        """Say which they are."""
        super().__init__(message)
        self.strangers = strangers
