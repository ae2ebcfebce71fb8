"""Which records of a library are of one match, which of them stands for it, and what it takes from the others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from bgtools.comparison.fingerprint import Fingerprint
from bgtools.library.aliases import is_nobody
from bgtools.library.connecting import asking, connect
from bgtools.library.contents import read_records
from bgtools.library.joining import RecordGames, has_all, join, title
from bgtools.library.manifest import Commit, LibraryState, column_of, commit, read_state, read_table, write_tables
from bgtools.library.recording import RecordRows, number_of
from bgtools.library.storage import digest
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
_SEVERAL: Final = 2
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
    date_from: str
    place: str

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """The order of the records of a match; the lowest goes before the others."""
        return not self.complete, not self.analysed, self.errors, -self.turns, self.record

    @property
    def games(self) -> RecordGames:
        """What is known of its games."""
        return RecordGames(tuple(self.fingerprint.split(".")[:-1]), self.errors, self.complete)


@dataclass(frozen=True, slots=True)
class Grouped:
    """A record of a match that has several: a row of the file that says so, as `bgtools.library.tables.GROUPS`."""

    record: int
    match: int
    turned: bool
    joined: bool = False
    player0: str | None = None
    player1: str | None = None
    event: str | None = None
    date: str | None = None
    date_from: str | None = None
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The records of one match, the best one first, and which of them have the players the other way round than it."""

    ranked: tuple[Known, ...]
    turned: Mapping[int, bool]


def group(storage: Storage, state: LibraryState) -> LibraryState:
    """Group the records of a library by match where that has not been done; what the library holds then.

    Queries see a match once, by the record that stands for it. Complete goes before broken off, analysed before plain,
    then fewer errors, then more entries. Where no record has all of the match, one is put together from the best record
    of each game. Where it lacks names, event, date or place, those of another record are taken.

    Raises:
        LibraryError: a file is missing or damaged.
        OSError: the place refuses.
    """
    while not state.is_grouped:
        pairs = _pairs(*_keys_of(storage, state))
        concerned = {record for pair in pairs for record in pair}
        groups = [*_groups_of(pairs, {each.record: each for each in _known(storage, state, concerned)})]
        rows = RecordRows()
        stands, earlier = _standing_for(storage, state, groups, rows)
        table = grouped_table(
            each for some in groups for each in _rows_of(some, stands[some.ranked[0].record], earlier)
        )
        made = write_tables(storage, rows.taken())
        (file,) = write_tables(storage, [("groups", table)])
        state = commit(storage, state, Commit(add=made, groups=file)) or read_state(storage, state)
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


def _groups_of(pairs: Iterable[tuple[int, int]], known: Mapping[int, Known]) -> Iterator[Group]:
    """The records that share their match with others, match by match.

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
        ranked = sorted(records, key=lambda each: each.rank)
        yield Group(tuple(ranked), _turned(ranked[0].record, turns))


def _turned(best: int, turns: Mapping[int, Sequence[tuple[int, bool]]]) -> dict[int, bool]:
    """Which records of a match have the players the other way round than the best one."""
    turned = {best: False}
    waiting = [best]
    while waiting:
        here = waiting.pop()
        for there, otherwise in turns[here]:
            if there not in turned:
                turned[there] = turned[here] != otherwise
                waiting.append(there)
    return turned


def _standing_for(
    storage: Storage, state: LibraryState, groups: Sequence[Group], rows: RecordRows
) -> tuple[dict[int, int], dict[int, int]]:
    """The records that stand for matches, by the best record of each; and joined ones of earlier times.

    Each of the latter comes with a record that it was made of. Records that have to be put together are added to
    ``rows``, unless the library has them.
    """
    stands = {some.ranked[0].record: some.ranked[0].record for some in groups}
    waiting = [some for some in groups if not has_all(some.ranked[0].games, (each.games for each in some.ranked[1:]))]
    joined = {
        record for file in state.of("matches") for record, own in column_of(storage, [file], "record", "joined") if own
    }
    if not waiting and not joined:
        return stands, {}
    with closing(connect(storage, state, only=("sources", "matches", "games"))) as connection, asking():
        earlier: dict[int, int] = dict(
            connection.execute(
                "SELECT record, min(origin) FROM stored.games WHERE origin IS NOT NULL GROUP BY record"
            ).fetchall()
        )
        for some in waiting:
            matches = read_records(connection, [each.record for each in some.ranked])
            records = [each.record for each in some.ranked if each.record in matches]
            if len(records) < _SEVERAL:
                continue
            found = join([matches[record] for record in records])
            if isinstance(found, int):
                stands[some.ranked[0].record] = records[found]
                continue
            origins = [(records[which], game) for which, game in found.origins]
            number = number_of(digest(found.data), 1)
            if number not in joined:
                files = {record: PurePath(matches[record].source.name).name for record in records}  # type: ignore[union-attr]
                rows.add_joined(found.data, title(files, [record for record, _ in origins]), origins)
            stands[some.ranked[0].record] = number
    return stands, {record: origin for record, origin in earlier.items() if record in joined}


def _rows_of(some: Group, stands: int, earlier: Mapping[int, int]) -> Iterator[Grouped]:
    """The rows for the records of one match, given the record that stands for it."""
    ranked = some.ranked
    is_turned = some.turned.get(stands, False)
    turned = {record: own != is_turned for record, own in some.turned.items()}
    seats = [(each.player1, each.player0) if turned[each.record] else (each.player0, each.player1) for each in ranked]
    left, right = (_first(names, lambda name: not is_nobody(name)) for names in zip(*seats, strict=True))
    date, date_from = next(
        filter(lambda told: _DAY.fullmatch(told[0]), _by_header(ranked)),
        next(filter(lambda told: told[0], _by_header(ranked)), ("", "")),
    )
    about = (
        left, right, _first(each.event for each in ranked), date, date_from, _first(each.place for each in ranked),
    )  # fmt: skip
    old = {record for record, origin in earlier.items() if origin in some.turned}
    for record in sorted({*some.turned, *old, stands}):
        is_joined = record not in some.turned
        own = about if record == stands else ()
        yield Grouped(record, stands, turned.get(record, False), is_joined, *own)


def _by_header(ranked: Sequence[Known]) -> list[tuple[str, str]]:
    """The dates that records give; what a header says goes before other dates."""
    return sorted(((each.date, each.date_from) for each in ranked), key=lambda told: told[1] != "header")


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
