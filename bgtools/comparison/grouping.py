"""Which records are of one match, whatever their names and formats."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bgtools.comparison.fingerprint import Fingerprint
from bgtools.comparison.parts import Extent, MatchPart, continuing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.record.record import Match

_SHARED: Final = 0.1
"""Two records are compared where they share this part of the shorter one's keys, and `_LEAST` keys if it has them."""
_LEAST: Final = 2


@dataclass(frozen=True)
class Recorded:
    """A match with the file it was read from.

    Attributes:
        file: the path of the file.
        number: which match of the file it is, from 1.
        fingerprint: of the match.
        players: the names.
        length: of the match in points; 0 for money.
        format: the name of the format.
        extent: what it says of the part of the match that it holds; None where nobody asked.
    """

    file: str
    number: int
    fingerprint: Fingerprint
    players: tuple[str, str] = field(default=("", ""), compare=False)
    length: int = field(default=0, compare=False)
    format: str = field(default="", compare=False)
    extent: Extent | None = field(default=None, compare=False)

    @classmethod
    def of(cls, match: Match, file: str, number: int = 1) -> Recorded:
        """What grouping needs of a match."""
        source = match.source.format if match.source is not None else ""
        extent = Extent.of(match)
        return cls(file, number, Fingerprint.of(match), match.players, match.length or 0, source, extent)

    @property
    def part(self) -> MatchPart | None:
        """The record as a part of a match; None where nothing is known of that."""
        return None if self.extent is None else MatchPart(self.extent, self.fingerprint)


def group(records: Iterable[Recorded]) -> list[list[Recorded]]:
    """The records of each match together, in the order in which the matches are met.

    Two records are of one match where their fingerprints share keys and agree (`Fingerprint.is_of`), where they share a
    whole game and their headings fit, or where one, and only it, continues the other (`bgtools.comparison.parts`).
    """
    groups = _Groups()
    for record in records:
        groups.add(record)
    groups.join_parts()
    return [each.records for each in groups.groups if each.records]


class _RecordGroup:
    """Records of one match."""

    def __init__(self) -> None:
        self.records: list[Recorded] = []
        self.prints: dict[Fingerprint, None] = {}  # each different fingerprint once, in order
        self.fewest = sys.maxsize  # the number of keys of the record with the fewest

    def holds(self, record: Recorded) -> bool:
        """Whether a record is of this match."""
        other, part = record.fingerprint, record.part
        if other in self.prints or any(other.is_of(each) for each in self.prints):
            return True
        return part is not None and any(part.shares_game(each.part) for each in self.records if each.part is not None)


class _Groups:
    """Groups of records, one per match, and the groups that hold each key."""

    def __init__(self) -> None:
        self.groups: list[_RecordGroup] = []
        self._holders: dict[int, int | tuple[int, ...]] = {}  # an int saves memory: nearly every key has one group

    def add(self, record: Recorded) -> None:
        """Put a record into the group of its match."""
        own = record.fingerprint
        keys = own.keys()
        homes = sorted(number for number in self._candidates(keys) if self.groups[number].holds(record))
        if not homes:
            homes = [len(self.groups)]
            self.groups.append(_RecordGroup())
        home = self.groups[homes[0]]
        home.records.append(record)
        self._know(homes[0], own, keys)
        for number in homes[1:]:
            # Records of different games of a match share nothing, until a record of the whole match joins them.
            self._join(homes[0], number)

    def _join(self, home: int, number: int) -> None:
        """Put the records of a group to those of another one."""
        other, self.groups[number] = self.groups[number], _RecordGroup()
        self.groups[home].records += other.records
        for each in other.prints:
            self._know(home, each, each.keys())

    def join_parts(self) -> None:
        """Join the groups of which one continues the other; what is joined may tell of more."""
        while pairs := [*continuing(self._parts())]:
            moved: dict[int, int] = {}
            for pair in pairs:
                home, number = sorted(leader_of(moved, each) for each in pair)
                if home != number:
                    self._join(home, number)
                    moved[number] = home

    def _parts(self) -> dict[int, list[MatchPart]]:
        """What is known of the records of each group as parts of a match."""
        return {
            number: [each.part for each in some.records if each.part is not None]
            for number, some in enumerate(self.groups)
        }

    def _know(self, home: int, own: Fingerprint, keys: frozenset[int]) -> None:
        """Let a group be found by the keys of a record."""
        for key in keys:
            holders = self._of(key)
            if home not in holders:
                self._holders[key] = (*holders, home) if holders else home
        group = self.groups[home]
        group.prints.setdefault(own)
        group.fewest = min(group.fewest, len(keys))

    def _of(self, key: int) -> tuple[int, ...]:
        """The groups that hold a key."""
        found = self._holders.get(key, ())
        return (found,) if isinstance(found, int) else found

    def _candidates(self, keys: frozenset[int]) -> Iterator[int]:
        """The groups that share enough keys with a record, the likeliest first."""
        shared = Counter(number for key in keys for number in self._of(key))
        for number, count in shared.most_common():
            shorter = min(len(keys), self.groups[number].fewest)
            if count >= max(_SHARED * shorter, min(_LEAST, shorter)):
                yield number


def leader_of(leaders: dict[int, int], record: int) -> int:
    """Whom a record, or a group, leads to by links to lower ones. Links on the way there are shortened."""
    while (above := leaders.get(record, record)) != record:
        leaders[record] = leaders.get(above, above)
        record = above
    return record
