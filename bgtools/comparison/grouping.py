"""Which records are of one match, whatever they are called and written in."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from bgtools.comparison.alignment import align
from bgtools.comparison.difference import ONE_MATCH
from bgtools.record import CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.record import Match

SHINGLE: Final = 5
"""Rolls in a row that a record is told by. That two others have the same five by chance happens once in 3 million."""
_FEWEST: Final = 3
"""Records with fewer rolls are too short to tell."""
_SHARED: Final = 2
"""So many stretches must two records have in common to be compared, where they have that many."""

Rolls = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Recorded:
    """A match with the file it was read from.

    Attributes:
        file: the path of the file.
        number: which match of the file it is, from 1.
        rolls: for each game its rolls, the larger number first.
        players: the names.
        length: of the match in points; 0 for money.
        format: the name of the format.
    """

    file: str
    number: int
    rolls: tuple[Rolls, ...]
    players: tuple[str, str] = field(default=("", ""), compare=False)
    length: int = field(default=0, compare=False)
    format: str = field(default="", compare=False)

    @classmethod
    def of(cls, match: Match, file: str, number: int = 1) -> Recorded:
        """What grouping needs of a match."""
        rolls = tuple(
            tuple(
                tuple(sorted(entry.dice, reverse=True))
                for entry in game.entries
                if isinstance(entry, CheckerPlay) and entry.dice is not None
            )
            for game in match.games
        )
        source = match.source.format if match.source is not None else ""
        return cls(file, number, rolls, match.players, match.length or 0, source)

    @cached_property
    def in_a_row(self) -> list[tuple[int, ...]]:
        """All rolls of the match."""
        return [roll for game in self.rolls for roll in game]

    @cached_property
    def shingles(self) -> frozenset[Rolls]:
        """The stretches of rolls that the record is told by; a short game is one by itself."""
        found: set[Rolls] = set()
        for game in self.rolls:
            found.update(game[at : at + SHINGLE] for at in range(len(game) - SHINGLE + 1))
            if _FEWEST <= len(game) < SHINGLE:
                found.add(game)
        return frozenset(found)


def agreement(one: Recorded, two: Recorded) -> float:
    """How much of the shorter of two records stands in the other, by their rolls, 0 to 1."""
    first, second = one.in_a_row, two.in_a_row
    shorter = min(len(first), len(second))
    pairs = align(first, second, lambda left, right: 0 if left == right else 3, 2)
    same = sum(x is not None and y is not None and first[x] == second[y] for x, y in pairs)
    return same / shorter if shorter else 0.0


def group(records: Iterable[Recorded]) -> list[list[Recorded]]:
    """The records by match, in the order of their first ones.

    Two records are of one match where stretches of their rolls are the same and, aligned, most of the shorter one is.
    """
    groups: list[list[Recorded]] = []
    holders: dict[Rolls, list[int]] = defaultdict(list)
    for record in records:
        shared = Counter(number for shingle in record.shingles for number in holders.get(shingle, ()))
        needed = min(_SHARED, len(record.shingles))
        home = next(
            (
                number
                for number, count in shared.most_common()
                if count >= needed and any(agreement(record, each) >= ONE_MATCH for each in groups[number])
            ),
            None,
        )
        if home is None:
            home = len(groups)
            groups.append([])
        groups[home].append(record)
        for shingle in record.shingles:
            if home not in holders[shingle]:
                holders[shingle].append(home)
    return groups
