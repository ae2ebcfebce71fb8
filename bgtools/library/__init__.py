"""Library: thousands of matches at once, as Parquet files that are asked by DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.library.adding import Added, alone
    from bgtools.library.connecting import macros, views
    from bgtools.library.fairness import GROUPINGS, Fairness, Grouping
    from bgtools.library.fault import LibraryError
    from bgtools.library.hits import Found, Hit, Played
    from bgtools.library.library import Library, default_location
    from bgtools.library.openings import Opening
    from bgtools.library.running import Processes
    from bgtools.library.search import Range, Search
    from bgtools.library.tables import stored_columns

__all__ = [
    "GROUPINGS",
    "Added",
    "Fairness",
    "Found",
    "Grouping",
    "Hit",
    "Library",
    "LibraryError",
    "Opening",
    "Played",
    "Processes",
    "Range",
    "Search",
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
        "connecting": ("macros", "views"),
        "library": ("Library", "default_location"),
        "fairness": ("GROUPINGS", "Fairness", "Grouping"),
        "fault": ("LibraryError",),
        "hits": ("Found", "Hit", "Played"),
        "openings": ("Opening",),
        "running": ("Processes",),
        "search": ("Range", "Search"),
        "tables": ("stored_columns",),
    },
)
