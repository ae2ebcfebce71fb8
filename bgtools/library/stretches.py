"""Which records are of one match: by stretches of their rolls, of which each record stores a sample.

Two records of one match share most of their rolls, however they are written, whatever the names, and where one breaks
off. A slip spoils the few stretches that it lies in. Stretches are sampled by their value, so two records that share a
stretch either both keep it or both leave it out (FracMinHash; Irber et al. 2022), and a record of a part is found by
the share that it has of the whole.
"""

from __future__ import annotations

from collections import defaultdict
from hashlib import blake2b
from itertools import combinations
from typing import TYPE_CHECKING, Final

from bgtools.comparison import ONE_MATCH, agreement

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bgtools.comparison import Recorded

LENGTH: Final = 8
"""So many rolls in a row make a stretch. Two others are alike by chance once in 20 thousand million times."""
_FEWEST: Final = 5
"""A game of fewer rolls than a stretch, but at least so many, is one by itself."""
_SAMPLE: Final = 4
"""One stretch of so many is kept."""
_KEPT_ALWAYS: Final = 6
"""Of a short record so many are kept, those of the lowest value."""
_SHARED: Final = 0.1
"""Two records are compared where they share this part of the shorter one's sample, and at least one stretch."""


def sample_of(recorded: Recorded) -> list[int]:
    """The stretches of a record that stand for all, as numbers of 63 bits in ascending order."""
    values = {
        _value(game[at : at + LENGTH])
        for game in recorded.rolls
        if len(game) >= _FEWEST
        for at in range(max(1, len(game) - LENGTH + 1))
    }
    ordered = sorted(values)
    return [value for at, value in enumerate(ordered) if at < _KEPT_ALWAYS or not value % _SAMPLE]


def _value(rolls: Sequence[tuple[int, ...]]) -> int:
    digest = blake2b(bytes(number for roll in rolls for number in roll), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def groups_of(
    samples: Mapping[int, Sequence[int]], rolls_of: Callable[[Collection[int]], Mapping[int, Recorded]]
) -> list[list[int]]:
    """The records that are of one match with others, by match, each in ascending order.

    Records of one match are joined by chains: two parts of a match belong together by a record of the whole. So the
    groups do not depend on the order in which records came.

    Args:
        samples: of every record, by its number.
        rolls_of: gives the rolls of some records, which are needed of those that may be of one match.
    """
    pairs = _pairs(samples)
    recorded = rolls_of({record for pair in pairs for record in pair})
    leaders: dict[int, int] = {}
    for one, two in pairs:
        first, second = _leader(leaders, one), _leader(leaders, two)
        if first != second and agreement(recorded[one], recorded[two]) >= ONE_MATCH:
            leaders[max(first, second)] = min(first, second)
    found: dict[int, list[int]] = defaultdict(list)
    for record in sorted({record for pair in pairs for record in pair}):
        found[_leader(leaders, record)].append(record)
    return [records for records in found.values() if len(records) > 1]


def _pairs(samples: Mapping[int, Sequence[int]]) -> list[tuple[int, int]]:
    """The pairs of records that share enough stretches to be compared, in ascending order."""
    import numpy as np

    records = np.array(sorted(samples), np.int64)
    sizes = np.array([len(samples[int(record)]) for record in records], np.int64)
    values = np.fromiter((value for record in records for value in samples[int(record)]), np.int64, int(sizes.sum()))
    owners = np.repeat(np.arange(len(records)), sizes)
    order = np.lexsort((owners, values))
    values, owners = values[order], owners[order]
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]]) if len(values) else np.empty(0, np.int64)
    counts = np.diff(np.r_[starts, len(values)])
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for start, count in zip(starts.tolist(), counts.tolist(), strict=True):
        if 1 < count <= _MOST:
            for pair in combinations(owners[start : start + count].tolist(), 2):
                shared[pair] += 1
    return [
        (int(records[one]), int(records[two]))
        for (one, two), count in sorted(shared.items())
        if count >= _SHARED * min(sizes[one], sizes[two])
    ]


_MOST: Final = 200
"""A stretch that more records share tells nothing: it is a lesson that many files repeat."""


def _leader(leaders: dict[int, int], record: int) -> int:
    """The record that stands for the group of another, with the way to it made shorter."""
    while (above := leaders.get(record, record)) != record:
        leaders[record] = leaders.get(above, above)
        record = above
    return record
