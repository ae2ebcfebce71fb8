"""How long questions to a large library take: ``python tests/benchmarks/library.py LIBRARY LARGE [POSITIONS]``.

Makes the library LARGE of so many positions, five million unless told, where there is none: the matches of LIBRARY over
and over, each time under new numbers. Then asks it, and prints the median of five runs and how many rows came.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

from bgtools.library.compaction import compact_end, compact_some
from bgtools.library.grouping import group
from bgtools.library.library import Library
from bgtools.library.manifest import Commit, commit, is_library, read_state, read_table, write_tables
from bgtools.library.search import Search
from bgtools.library.storage import open_storage
from bgtools.library.tables import ORDERED, stored_columns
from bgtools.positions.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.library.manifest import LibraryState

AT_ONCE = 1_000_000
"""Positions of a commit."""
_STEP = 0x1D8AF066_0C5A5A47
_LAST = (1 << 63) - 1
_NUMBERS = ("record", "match", "analysed", "origin", "source", "digest", "keys", "short_games")
"""Columns that have numbers of files, records, matches, and what is found by them."""


def multiply(small: str, large: str, copies: range) -> None:
    """Put copies of all matches of a library into another, commit by commit, and merge it as additions do.

    Each copy has numbers of its own for its files, records and matches; copy 0 has those of the library.
    """
    import pyarrow as pa

    of, to = open_storage(small), open_storage(large)
    state, made = read_state(of), read_state(to)
    tables = {
        name: pa.concat_tables([read_table(of, file) for file in state.of(name)])
        for name in stored_columns()
        if state.of(name)
    }
    grouped = [read_table(to, file) for file in made.held_groups]
    several = max(1, AT_ONCE // positions_of(state))
    for first in range(copies.start, copies.stop, several):
        some = range(first, min(first + several, copies.stop))
        files = write_tables(
            to,
            (
                (name, pa.concat_tables([_renumbered(table, copy) for copy in some]).sort_by(ORDERED[name]))
                for name, table in tables.items()
            ),
        )
        after = commit(to, made, Commit(add=files, is_part=True))
        assert after is not None
        made = compact_some(to, after)
        grouped += [_renumbered(read_table(of, file), copy) for file in state.held_groups for copy in some]
    if grouped:
        (groups,) = write_tables(to, [("groups", pa.concat_tables(grouped))])
        made = commit(to, made, Commit(groups=groups)) or made
    compact_end(to, group(to, made))


def positions_of(state: LibraryState) -> int:
    """How many positions a library holds."""
    return sum(each.rows for each in state.of("positions"))


def _renumbered(table: Any, copy: int) -> Any:
    """Rows under other numbers."""
    import numpy as np
    import pyarrow as pa

    def moved(numbers: Any) -> Any:
        cells = numbers.to_numpy().astype(np.uint64) + np.uint64(copy * _STEP & _LAST)
        return pa.array((cells & np.uint64(_LAST)).astype(np.int64))

    for at, field in enumerate(table.schema):
        cells = table.column(at).combine_chunks()
        if not copy or cells.null_count or field.name not in _NUMBERS:
            continue
        if field.type == pa.int64():
            table = table.set_column(at, field, moved(cells))
        elif field.type == pa.list_(pa.int64()):
            table = table.set_column(at, field, pa.ListArray.from_arrays(cells.offsets, moved(cells.values)))
        elif field.type == pa.string():
            table = table.set_column(at, field, pa.array([f"{copy:04x}{each[4:]}" for each in cells.to_pylist()]))
    return table


def tell(name: str, ask: Callable[[], int], wanted: float | None = None, runs: int = 5) -> None:
    """Print how long a question takes, on the clock and of processors."""
    clock, processors = [], []
    for _ in range(runs):
        start, before = time.perf_counter(), time.process_time()
        found = ask()
        clock.append(time.perf_counter() - start)
        processors.append(time.process_time() - before)
    goal = "" if wanted is None else f", wanted ≤ {wanted} s"
    print(
        f"{name:<44} {median(clock):6.3f} s, of processors {median(processors):6.3f} s{goal}; {found:,} rows",
        flush=True,
    )


def ask_all(library: Library) -> None:
    """Ask what people ask, and print how long each takes."""
    library.find(dice="64", limit=1)  # connects
    usual = library.find(pips=(100, 110), lead=(5, 15), off=(0, 0), limit=1).hits[0]
    tell("an ID", lambda: library.find(position=usual.xgid).positions, 0.1)
    tell("an ID, the other side too", lambda: library.find(position=usual.xgid, mirrored=True).positions, 0.1)
    tell("the first position of a game", lambda: library.find(position=Position().id("list")).positions)
    tell("similar boards", lambda: library.find(position=usual.xgid, how="similar").positions)
    structures: dict[str, Search] = {
        "a prime, on the bar, ahead, centred cube": Search(
            prime=(5, None), on_bar=("opponent",), lead=(20, None), cube="centred"
        ),
        "a score, a roll and a play": Search(away=(2, 4), dice="64", played="24/14"),
        "a phase": Search(phases=("back game",)),
        "points held and a blot": Search(points=(4, 5), opponent_points=(20,), blots=(9,)),
    }
    if library.sql("SELECT count(*) FROM stored.totals").fetchall()[0][0]:
        structures |= {
            "the costliest decisions": Search(by="loss"),
            "a loss": Search(loss=(0.2, None)),
            "a theme": Search(themes=("prime",)),
            "a theme, a loss and a phase": Search(themes=("blitz",), loss=(0.1, None), phases=("contact",)),
            "a loss behind a prime": Search(loss=(0.1, None), opponent_prime=(5, None)),
        }
    for name, search in structures.items():
        tell(name, partial(_positions, library, search), 0.5)
    tell("openings", lambda: len(library.openings()), 1)
    tell("replies", lambda: len(library.openings(replies=True)), 1)
    tell("dice, all", lambda: library.fairness().rolls)
    tell("dice, by place", lambda: library.fairness("place").rolls)


def _positions(library: Library, search: Search) -> int:
    return library.find(search).positions


if __name__ == "__main__":
    if not is_library(open_storage(sys.argv[2])):
        wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 5_000_000
        multiply(sys.argv[1], sys.argv[2], range(-(-wanted // positions_of(read_state(open_storage(sys.argv[1]))))))
    large = Library(sys.argv[2])
    tell("connect", lambda: len(Library(sys.argv[2]).connection.description or ()))
    rows = large.sql("SELECT count(*) FROM positions").fetchall()[0][0]
    print(f"{large.count:,} matches, {rows:,} positions")
    ask_all(large)
