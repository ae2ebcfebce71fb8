"""Library: thousands of matches at once, as Parquet files that are asked by DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.library.adding import Added
    from bgtools.library.analysing import Analysed, Valuing
    from bgtools.library.checking import Health
    from bgtools.library.cluster import Cluster
    from bgtools.library.connecting import macros, views
    from bgtools.library.exporting import Exported, write_excel
    from bgtools.library.fault import LibraryError
    from bgtools.library.library import Library, default_location
    from bgtools.library.running import Processes, Runner, alone
    from bgtools.library.tables import stored_columns

__all__ = [
    "Added",
    "Analysed",
    "Cluster",
    "Exported",
    "Health",
    "Library",
    "LibraryError",
    "Processes",
    "Runner",
    "Valuing",
    "alone",
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
        "analysing": ("Analysed", "Valuing"),
        "checking": ("Health",),
        "cluster": ("Cluster",),
        "connecting": ("macros", "views"),
        "library": ("Library", "default_location"),
        "exporting": ("Exported", "write_excel"),
        "fault": ("LibraryError",),
        "running": ("Processes", "Runner", "alone"),
        "tables": ("stored_columns",),
    },
)
