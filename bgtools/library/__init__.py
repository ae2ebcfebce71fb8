"""Library: thousands of matches at once, as Parquet files that are asked by DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.library.adding import Added, alone
    from bgtools.library.aliases import Suggestion
    from bgtools.library.careers import PlayerOrder
    from bgtools.library.connecting import macros, views
    from bgtools.library.fault import LibraryError
    from bgtools.library.library import Library, default_location
    from bgtools.library.running import Processes
    from bgtools.library.tables import stored_columns

__all__ = [
    "Added",
    "Library",
    "LibraryError",
    "PlayerOrder",
    "Processes",
    "Suggestion",
    "alone",
    "default_location",
    "macros",
    "stored_columns",
    "views",
]

lazily(
    __name__,
    {
        "adding": ("Added", "alone"),
        "aliases": ("Suggestion",),
        "careers": ("PlayerOrder",),
        "connecting": ("macros", "views"),
        "library": ("Library", "default_location"),
        "fault": ("LibraryError",),
        "running": ("Processes",),
        "tables": ("stored_columns",),
    },
)
