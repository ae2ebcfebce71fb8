"""The differences of two records, and the two records beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from bgtools.comparison.alignment import Pair
    from bgtools.positions.position import Position
    from bgtools.record.record import Match
    from bgtools.source import Location, Span

Kind = Literal[
    "match",
    "game",
    "turn",
    "player",
    "order",
    "die",
    "play",
    "cube",
    "result",
    "score",
    "header",
    "clock",
    "comment",
    "analysis",
]
"""What is different.

``match``: the records are not of one match, or one file holds a match more. ``game``, ``turn``: games or entries that
one record lacks, or has elsewhere. ``player``: entries that the other record gives to the other player. ``order``:
entries in another order.
"""
Supported = Literal["a", "b", ""]

ONE_MATCH: Final = 0.5
"""Records are of one match where at least this part of the shorter one is the same."""


@dataclass(frozen=True, slots=True)
class Side:
    """One record at a difference.

    Attributes:
        says: what it says there, in words; "" where it has nothing there.
        game: the number of the game as the record gives it; None outside games.
        turn: the number of the turn in the game, from 1, or None.
        row: the row in which that stands, as the record numbers its rows, else counted from 1; None likewise.
        entry: the number of the entry in the game, from 1; None likewise.
        span: where that stands; where the record has nothing there, the next thing that it has.
        location: the line and column of the span; None where the record was read from no file.
    """

    says: str
    game: int | None = None
    turn: int | None = None
    row: int | None = None
    entry: int | None = None
    span: Span | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two records say differently.

    >>> mended = bgtools.fix("samples/five-slips.mat").matches[0]
    >>> first = bgtools.diff("samples/five-slips.mat", mended)[0]
    >>> first.kind, first.a.says, first.b.says, first.supported
    ('play', '32: 13/10 14/12', '32: 13/10 13/11', 'b')

    Attributes:
        kind: what is different.
        message: the difference in words.
        a: what the first record says, and where.
        b: what the second says, and where.
        player: who acted, as player of the first record; None where nobody did.
        before: the position before it in the first record; in the second where the first has nothing there, or where
            only the first record's game has something against the rules.
        supported: the record that the rules and the rest of the game support; "" where they do not tell.
        games: the numbers of the games concerned, from 0, in either record.
        entries: which entries, from the first to the one after the last, numbered from 0, in either record.
    """

    kind: Kind
    message: str
    a: Side
    b: Side
    player: int | None = None
    before: Position | None = None
    supported: Supported = ""
    games: tuple[int | None, int | None] = (None, None)
    entries: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))


@dataclass(frozen=True)
class Comparison:
    """Two records beside each other.

    Attributes:
        a: the first, each play in its player's own numbering.
        b: the second likewise, with its players in the order of the first.
        is_exchanged: whether the second record, as it was read, has them in the other order.
        games: which of their games belong together, numbered from 0.
        entries: for each two games that belong together which of their entries do, numbered from 0.
        same: how many entries are the same.
        of: how many entries the shorter record has.
        differences: in the order of the record.
        valued: how many decisions both analyses value, only the first, and only the second; None where analyses are
            not compared.
    """

    a: Match
    b: Match
    is_exchanged: bool
    games: tuple[Pair, ...]
    entries: dict[tuple[int, int], tuple[Pair, ...]]
    same: int
    of: int
    differences: tuple[Difference, ...] = ()
    valued: tuple[int, int, int] | None = None

    @property
    def agreement(self) -> float:
        """How much of the shorter record is the same, 0 to 1."""
        return self.same / self.of if self.of else 0.0

    @property
    def is_one_match(self) -> bool:
        """Whether the records are of one match."""
        return self.agreement >= ONE_MATCH or not self.of
