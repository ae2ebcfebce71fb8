"""The words of GamesGrid, for the reader and the writer of its logs."""

from __future__ import annotations

from typing import Final

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NOT_KNOWN: Final = "-"
"""The sign for a rating that is not known."""
