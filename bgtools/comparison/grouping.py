"""Which records are of one match, whatever they are called and written in."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bgtools.comparison.alignment import align
from bgtools.comparison.difference import ONE_MATCH
from bgtools.record import CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.record import Match

SHINGLE: Final = 5
"""So many rolls in a row tell a record. Two others share five of them by chance once in 3 million times."""
_FEWEST: Final = 3
"""Records with fewer rolls are too short to tell."""
_SHARED: Final = 0.1
"""Two records are compared where they share this part of the shorter one's stretches, and at least `_LEAST`."""
_LEAST: Final = 2
_IN_A_ROW: Final = 4

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
        """Its stretches of `SHINGLE` rolls in a row; a shorter game is one by itself."""
        found: set[Rolls] = set()
        for game in self.rolls:
            found.update(game[at : at + SHINGLE] for at in range(len(game) - SHINGLE + 1))
            if _FEWEST <= len(game) < SHINGLE:
                found.add(game)
        return frozenset(found)


def agreement(one: Recorded, two: Recorded) -> float:
    """How much of the shorter of two records stands in the other, by their rolls, 0 to 1.

    Only rolls in a row count: of single ones a long record has any.
    """
    first, second = one.in_a_row, two.in_a_row
    shorter = min(len(first), len(second))
    pairs = align(first, second, lambda left, right: 0 if left == right else 3, 2)
    equal = (x is not None and y is not None and first[x] == second[y] for x, y in pairs)
    runs = (sum(1 for _ in run) for is_equal, run in groupby(equal) if is_equal)
    return sum(run for run in runs if run >= min(_IN_A_ROW, shorter)) / shorter if shorter else 0.0


def group(records: Iterable[Recorded]) -> list[list[Recorded]]:
    """The records by match, in the order of their first ones.

    Two records are of one match where stretches of their rolls are the same and, aligned, most of the shorter one is.
    """
    groups: list[list[Recorded]] = []
    holders: dict[Rolls, set[int]] = defaultdict(set)
    for record in records:
        homes = [
            number
            for number in _candidates(record, holders, groups)
            if any(agreement(record, each) >= ONE_MATCH for each in groups[number])
        ]
        home = min(homes, default=len(groups))
        if not homes:
            groups.append([])
        groups[home].append(record)
        for number in sorted(homes):
            # Games of a match that lay apart belong together by a record of the whole match.
            if number != home:
                groups[home] += groups[number]
                groups[number] = []
        for shingle in record.shingles.union(*(each.shingles for each in groups[home] if len(homes) > 1)):
            holders[shingle].add(home)
    return [each for each in groups if each]


def _candidates(
    record: Recorded, holders: dict[Rolls, set[int]], groups: Sequence[Sequence[Recorded]]
) -> Iterator[int]:
    """The groups that share stretches of rolls with a record, the likeliest first."""
    shared = Counter(number for shingle in record.shingles for number in holders.get(shingle, ()))
    for number, count in shared.most_common():
        shorter = min([len(record.shingles), *(len(each.shingles) for each in groups[number] if each.shingles)])
        if count >= max(_SHARED * shorter, min(_LEAST, shorter)):
            yield number
