"""Questions that this program puts itself: what goes wrong with them is told in a sentence."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bgtools.library.connecting import in_a_line
from bgtools.library.fault import LibraryError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def asking() -> Iterator[None]:
    """Tell what DuckDB cannot answer as an error of the library.

    Raises:
        LibraryError: a file is missing or damaged, or a condition of SQL is wrong.
    """
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        said = in_a_line(error)
        if ".parquet" in said:
            said += "; library check says what can be made anew"
        raise LibraryError(said) from None
