"""Which records of a library are of one match, and which of them stands for it."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bgtools.comparison import Recorded
from bgtools.library.batches import column_of, read_table, write_tables
from bgtools.library.manifest import Commit, State, commit, read_state
from bgtools.library.stretches import groups_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from bgtools.library.storage import Storage

_RANK: Final = ("complete", "analysed", "errors", "turns")


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
        rows = column_of(storage, state.of("matches"), "record", "rolls", *_RANK)
        rank = {
            record: (not complete, not analysed, errors, -turns, record)
            for record, _, complete, analysed, errors, turns in rows
        }
        samples = {record: rolls for record, rolls, *_ in rows}
        groups = groups_of(samples, partial(_rolls_of, storage, state))
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


def _rolls_of(storage: Storage, state: State, wanted: Collection[int]) -> Mapping[int, Recorded]:
    """The rolls of some records."""
    import pyarrow as pa
    import pyarrow.compute as pc

    rolls: dict[int, dict[int, list[tuple[int, ...]]]] = defaultdict(lambda: defaultdict(list))
    values = pa.array(sorted(wanted), pa.int64())
    for file in state.of("turns") if wanted else ():
        table = read_table(storage, file, ("record", "game", "dice"))
        table = table.filter(pc.and_(pc.is_in(table["record"], value_set=values), pc.not_equal(table["dice"], "")))
        for record, game, dice in _rows(table):
            rolls[record][game].append((int(dice[0]), int(dice[1])))
    return {
        record: Recorded(str(record), 1, tuple(tuple(rolls[record][game]) for game in sorted(rolls[record])))
        for record in wanted
    }


def _rows(table: Any) -> Iterable[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
