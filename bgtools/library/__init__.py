"""Library: thousands of matches at once, as Parquet files that DuckDB queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.library.adding import Added
    from bgtools.library.analysing import Analysed, Valuing
    from bgtools.library.careers import PlayerOrder
    from bgtools.library.checking import Health
    from bgtools.library.cluster import Cluster
    from bgtools.library.connecting import asking, macros, views
    from bgtools.library.exporting import Exported, write_excel
    from bgtools.library.fairness import GROUPINGS, Fairness, Grouping
    from bgtools.library.fault import LibraryError
    from bgtools.library.found import Found, Hit, Played
    from bgtools.library.library import Library, default_location
    from bgtools.library.namesakes import Suggestion
    from bgtools.library.openings import Opening
    from bgtools.library.running import Processes, Runner, alone
    from bgtools.library.search import Range, Search
    from bgtools.library.tables import stored_columns

__all__ = [
    "GROUPINGS",
    "Added",
    "Analysed",
    "Cluster",
    "Exported",
    "Fairness",
    "Found",
    "Grouping",
    "Health",
    "Hit",
    "Library",
    "LibraryError",
    "Opening",
    "Played",
    "PlayerOrder",
    "Processes",
    "Range",
    "Runner",
    "Search",
    "Suggestion",
    "Valuing",
    "alone",
    "asking",
    "default_location",
    "macros",
    "stored_columns",
    "views",
    "write_excel",
]

lazily(
    __name__,
    {
        "adding": ("Added",),
        "namesakes": ("Suggestion",),
        "analysing": ("Analysed", "Valuing"),
        "careers": ("PlayerOrder",),
        "checking": ("Health",),
        "cluster": ("Cluster",),
        "connecting": ("asking", "macros", "views"),
        "exporting": ("Exported", "write_excel"),
        "fairness": ("GROUPINGS", "Fairness", "Grouping"),
        "fault": ("LibraryError",),
        "found": ("Found", "Hit", "Played"),
        "library": ("Library", "default_location"),
        "openings": ("Opening",),
        "running": ("Processes", "Runner", "alone"),
        "search": ("Range", "Search"),
        "tables": ("stored_columns",),
    },
)
