"""Which records of a library are of one match, and which of them stands for it."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Final

from bgtools.comparison import Fingerprint
from bgtools.library.batches import column_of, write_tables
from bgtools.library.manifest import Commit, State, commit, read_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.library.storage import Storage

_SHARED: Final = 0.1
"""Two records are compared where they share this part of the shorter one's keys, and at least `_LEAST`."""
_LEAST: Final = 2
_MOST: Final = 200
"""A key that more records have tells nothing: it is a lesson that many files repeat."""


def group(storage: Storage, state: State) -> State:
    """See to it that a library knows which of its records are of one match; what it holds then.

    A match is kept once: by the record that stands for it. Complete goes before broken off, analysed before plain, then
    fewer errors, then more entries.

    Raises:
        LibraryError: a file is missing or damaged.
        OSError: the place refuses.
    """
    import pyarrow as pa

    while not state.is_grouped:
        rows = column_of(
            storage, state.of("matches"), "record", "keys", "fingerprint", "complete", "analysed", "errors", "turns"
        )
        rank = {
            record: (not complete, not analysed, errors, -turns, record)
            for record, _, _, complete, analysed, errors, turns in rows
        }
        groups = groups_of({record: keys for record, keys, *_ in rows}, {record: text for record, _, text, *_ in rows})
        stands = [(record, min(group, key=rank.__getitem__)) for group in groups for record in group]
        table = pa.table(
            {
                "record": pa.array([record for record, _ in stands], pa.int64()),
                "match": pa.array([match for _, match in stands], pa.int64()),
            }
        )
        (file,) = write_tables(storage, [("groups", table)])
        state = commit(storage, state, Commit(groups=file)) or read_state(storage, state)
    return state


def groups_of(keys: Mapping[int, Sequence[int]], fingerprints: Mapping[int, str]) -> list[list[int]]:
    """The records that are of one match with others, by match, each in ascending order.

    Records of one match are joined by chains: two parts of a match belong together by a record of the whole. So the
    groups do not depend on the order in which records came.

    Args:
        keys: those of the fingerprint of each record, by the number of the record.
        fingerprints: the texts themselves.
    """
    pairs = _pairs(keys)
    concerned = sorted({record for pair in pairs for record in pair})
    prints = {record: Fingerprint(fingerprints[record]) for record in concerned}
    leaders: dict[int, int] = {}
    for one, two in pairs:
        first, second = _leader(leaders, one), _leader(leaders, two)
        if first != second and prints[one].is_of(prints[two]):
            leaders[max(first, second)] = min(first, second)
    found: dict[int, list[int]] = defaultdict(list)
    for record in concerned:
        found[_leader(leaders, record)].append(record)
    return [records for records in found.values() if len(records) > 1]


def _pairs(keys: Mapping[int, Sequence[int]]) -> list[tuple[int, int]]:
    """The pairs of records that share enough keys to be compared, in ascending order."""
    import numpy as np

    records = sorted(keys)
    sizes = [len(keys[record]) for record in records]
    values = np.fromiter((value for record in records for value in keys[record]), np.int64, sum(sizes))
    owners = np.repeat(np.arange(len(records)), sizes)
    order = np.lexsort((owners, values))
    values, owners = values[order], owners[order]
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    counts = np.diff(np.append(starts, len(values)))
    several = (counts > 1) & (counts <= _MOST)
    shared = Counter(
        pair
        for start, count in zip(starts[several].tolist(), counts[several].tolist(), strict=True)
        for pair in combinations(owners[start : start + count].tolist(), 2)
    )
    return [
        (records[one], records[two])
        for (one, two), count in sorted(shared.items())
        if count >= max(_SHARED * (fewest := min(sizes[one], sizes[two])), min(_LEAST, fewest))
    ]


def _leader(leaders: dict[int, int], record: int) -> int:
    """The record that stands for the group of another, with the way to it made shorter."""
    while (above := leaders.get(record, record)) != record:
        leaders[record] = leaders.get(above, above)
        record = above
    return record
