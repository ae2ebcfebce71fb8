"""Few files in place of many: an analysis writes one for every few matches, and each takes a moment to open."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from bgtools.library.batches import read_table, write_tables
from bgtools.library.fault import LibraryError
from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.tables import ANALYSIS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.library.manifest import Files, State, StoredFile
    from bgtools.library.storage import Storage

_FULL: Final = 200_000
"""Files of fewer rows are put together, up to so many."""
_MANY: Final = 32
"""So many files of about a size are put together while others still come: so a row is written anew a few times only."""
_ABOUT: Final = 4
"""Files are of about a size whose numbers of rows have as many bits, by so many bits: 16 to 255, 256 to 4,095, …"""


def tidy(storage: Storage) -> tuple[int, int]:
    """Put small files of analyses together, as long as each stays handy; how many there were, and are.

    Raises:
        LibraryError: a file is missing or damaged, or somebody else writes at the same time.
        OSError: the place refuses.
    """
    state = read_state(storage)
    piles = [pile for name in ANALYSIS for pile in _piles(file for file in state.of(name) if file.rows < _FULL)]
    after = _together(storage, state, piles)
    if after is None:
        raise LibraryError(f"{storage.location}: somebody else writes to it; try again when that is done")
    return len(state.files), len(after.files)


def tidy_up(storage: Storage, state: State) -> State:
    """Put files of analyses together where there are many of about a size; what a library holds then.

    Where somebody else has written meanwhile it is left as it is, until the next time.

    Raises:
        LibraryError: a file is missing or damaged.
        OSError: the place refuses.
    """
    alike: dict[tuple[str, int], list[StoredFile]] = defaultdict(list)
    for name in ANALYSIS:
        for file in state.of(name):
            if file.rows < _FULL:
                alike[name, file.rows.bit_length() // _ABOUT].append(file)
    piles = [pile for files in alike.values() if len(files) >= _MANY for pile in _piles(files)]
    return _together(storage, state, piles) or read_state(storage, state)


def _piles(files: Iterable[StoredFile]) -> Iterator[list[StoredFile]]:
    """Files that make one together, in their order."""
    pile: list[StoredFile] = []
    for file in files:
        pile.append(file)
        if sum(each.rows for each in pile) >= _FULL:
            yield pile
            pile = []
    yield pile


def _together(storage: Storage, state: State, piles: Iterable[Sequence[StoredFile]]) -> State | None:
    """Put each pile into one file; what a library holds then, None where somebody else has written meanwhile."""
    import pyarrow as pa

    made: Files = ()
    gone: list[str] = []
    for pile in piles:
        if len(pile) > 1:
            table = pa.concat_tables([read_table(storage, each) for each in pile])
            made += write_tables(storage, [(pile[0].table, table)])
            gone += (each.path for each in pile)
    return commit(storage, state, Commit(add=made, remove=tuple(gone))) if made else state
