"""Tables that are kept in the folder of the cache, since working them out takes ten times as long as reading them."""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

from bgtools._atomic import end, temporary_file
from bgtools._cache import folder
from bgtools._disk import is_folder, make_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Arrays = dict[str, Any]
    """Numpy arrays by their names."""


def cached_arrays(name: str, layout: Mapping[str, tuple[tuple[int, ...], str]], make: Callable[[], Arrays]) -> Arrays:
    """The arrays of the file of this name; where it does not hold them, they are made and the file is written.

    A damaged file is rewritten. Where no file can be written, the arrays are made all the same. A file gets its
    name when it is whole, so that processes may share it.

    Args:
        name: the name of the file without its ending. It must change when the arrays change their meaning.
        layout: the shape and type of each array.
        make: makes them.
    """
    import numpy as np

    path = folder() / f"{name}{_ENDING}"
    try:
        # The zip's checksums are verified on the way.
        with np.load(path, allow_pickle=False) as file:
            found = {key: file[key] for key in layout}
        if all((array.shape, array.dtype.str) == layout[key] for key, array in found.items()):
            return found
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error, MemoryError):
        pass
    made = make()
    with suppress(OSError):
        make_folders(path.parent)
        with temporary_file(path) as (stream, draft):
            np.savez(stream, **made)
            end(stream)
            draft.replace(path)
    return made


_ENDING: Final = ".npz"


def cached_files() -> tuple[Path, ...]:
    """The files of all tables that are kept, those of other versions among them.

    Raises:
        OSError: the folder cannot be read.
    """
    where = folder()
    return tuple(sorted(where.glob(f"*{_ENDING}"))) if is_folder(where) else ()
