"""Which records of a library are of one match, which of them stands for it, and what it takes from the others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from bgtools.comparison.fingerprint import Fingerprint
from bgtools.library.aliases import is_nobody
from bgtools.library.manifest import Commit, LibraryState, commit, read_state, read_table, write_tables
from bgtools.library.tables import arrow_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bgtools.library.storage import Storage

_SHARED: Final = 0.1
"""Two records are compared where they share this part of the shorter one's keys, and `_LEAST` keys if it has them."""
_LEAST: Final = 2
_MOST: Final = 200
"""A key that more records have proves nothing: it comes from a lesson that many files repeat."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Known:
    """What decides whether a record stands for its match, as the table of matches has it; see `tables`."""

    record: int
    fingerprint: str
    seats: str
    complete: bool
    analysed: bool
    errors: int
    turns: int
    player0: str
    player1: str
    event: str
    date: str
    place: str

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """The order of the records of a match; the lowest stands for it."""
        return not self.complete, not self.analysed, self.errors, -self.turns, self.record


@dataclass(frozen=True, slots=True)
class Grouped:
    """A record of a match that has several: a row of the file that says so, as `bgtools.library.tables.GROUPS`."""

    record: int
    match: int
    turned: bool
    player0: str | None = None
    player1: str | None = None
    event: str | None = None
    date: str | None = None
    place: str | None = None


def group(storage: Storage, state: LibraryState) -> LibraryState:
    """Group the records of a library by match where that has not been done; what the library holds then.

    Queries see a match once, by the record that stands for it. Complete goes before broken off, analysed before plain,
    then fewer errors, then more entries. Where it lacks names, event, date or place, those of another record are taken.

    Raises:
        LibraryError: a file is missing or damaged.
        OSError: the place refuses.
    """
    while not state.is_grouped:
        pairs = _pairs(*_keys_of(storage, state))
        concerned = {record for pair in pairs for record in pair}
        table = grouped_table(_groups_of(pairs, {each.record: each for each in _known(storage, state, concerned)}))
        (file,) = write_tables(storage, [("groups", table)])
        state = commit(storage, state, Commit(groups=file)) or read_state(storage, state)
    return state


def grouped_table(rows: Iterable[Grouped]) -> Any:
    """Rows as the table that is stored."""
    import pyarrow as pa

    return pa.Table.from_pylist([asdict(each) for each in rows], arrow_schema("groups"))


def _known(storage: Storage, state: LibraryState, records: Collection[int]) -> Iterator[Known]:
    """What is known of some records."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(records), pa.int64())
    names = [*Known.__slots__]
    for file in state.of("matches") if records else ():
        table = read_table(storage, file, names)
        for row in table.filter(pc.is_in(table["record"], value_set=wanted)).to_pylist():
            yield Known(**row)


def _groups_of(pairs: Iterable[tuple[int, int]], known: Mapping[int, Known]) -> Iterator[Grouped]:
    """The records that share their match with others, match by match, in ascending order within a match.

    Records of one match are joined by chains: two parts of a match belong together by a record of the whole. So the
    groups do not depend on the order in which records came.

    Args:
        pairs: records to compare, in ascending order.
        known: what is known of each.
    """
    prints = {record: Fingerprint(each.fingerprint) for record, each in known.items()}
    leaders: dict[int, int] = {}
    turns: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for one, two in pairs:
        first, second = _leader(leaders, one), _leader(leaders, two)
        if first != second and prints[one].is_of(prints[two]):
            leaders[max(first, second)] = min(first, second)
            turned = prints[one].is_turned(known[one].seats, prints[two], known[two].seats)
            turns[one].append((two, turned))
            turns[two].append((one, turned))
    found: dict[int, list[Known]] = defaultdict(list)
    for record in sorted(turns):
        found[_leader(leaders, record)].append(known[record])
    for records in found.values():
        yield from _match_of(sorted(records, key=lambda each: each.rank), turns)


def _match_of(ranked: Sequence[Known], turns: Mapping[int, Sequence[tuple[int, bool]]]) -> Iterator[Grouped]:
    """The rows for the records of one match, which are given the best one first."""
    best = ranked[0]
    turned = {best.record: False}
    waiting = [best.record]
    while waiting:
        here = waiting.pop()
        for there, otherwise in turns[here]:
            if there not in turned:
                turned[there] = turned[here] != otherwise
                waiting.append(there)
    seats = [(each.player1, each.player0) if turned[each.record] else (each.player0, each.player1) for each in ranked]
    left, right = (_first(names, lambda name: not is_nobody(name)) for names in zip(*seats, strict=True))
    for each in sorted(ranked, key=lambda each: each.record):
        if each is best:
            yield Grouped(
                each.record,
                best.record,
                False,
                left,
                right,
                _first(other.event for other in ranked),
                _first((other.date for other in ranked), _DAY.fullmatch),
                _first(other.place for other in ranked),
            )
        else:
            yield Grouped(each.record, best.record, turned[each.record])


def _first(values: Iterable[str], tells: Callable[[str], object] = bool) -> str:
    """The first of some values that passes a test, else the first that is not empty, else ""."""
    values = [*values]
    return next(filter(tells, values), next(filter(None, values), ""))


# --- which records are worth comparing ------------------------------------------------------


def _keys_of(storage: Storage, state: LibraryState) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The records in ascending order, how many keys each has, and all keys one after the other."""
    import numpy as np
    import pyarrow as pa

    tables = [read_table(storage, file, ("record", "keys")) for file in state.of("matches")]
    if not tables:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    table = pa.concat_tables(tables).sort_by("record").combine_chunks()
    keys = table["keys"].combine_chunks()
    sizes = np.diff(keys.offsets.to_numpy())
    return table["record"].to_numpy(), sizes, keys.flatten().to_numpy()


def _pairs(records: NDArray[Any], sizes: NDArray[Any], values: NDArray[Any]) -> list[tuple[int, int]]:
    """The pairs of records that share enough keys to be compared, in ascending order."""
    import numpy as np

    owners = np.repeat(np.arange(len(records), dtype=np.int32), sizes)
    # Owners ascend, and a stable sorting leaves those of a key in that order.
    order = np.argsort(values, kind="stable")
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
        (int(records[one]), int(records[two]))
        for (one, two), count in sorted(shared.items())
        if count >= max(_SHARED * (fewest := int(min(sizes[one], sizes[two]))), min(_LEAST, fewest))
    ]


def _leader(leaders: dict[int, int], record: int) -> int:
    """The lowest record of another's group. Links on the way there are shortened."""
    while (above := leaders.get(record, record)) != record:
        leaders[record] = leaders.get(above, above)
        record = above
    return record
