"""The version of OGXM that is written, and the keys of the remarks that programs write for themselves."""

from __future__ import annotations

from typing import Final

NEWEST: Final = (2, 2)
"""The newest version of OGXM that is read; a file states the reader that it needs."""
OURS: Final = "x-bgtools-"
"""The beginning of the keys of those remarks that hold what OGXM has no field for."""
TAG: Final = f"{OURS}tag/"
SCORE: Final = f"{OURS}score"
PLAY: Final = f"{OURS}play"
NOTE: Final = f"{OURS}note"
"""What the decisions of a ply leave out of its analysis (see `leftover`)."""
GAMMONVIEW: Final = "x-gammonview-"
EXACT: Final = f"{GAMMONVIEW}decisions/"
GAMMONVIEW_VALUE: Final = "1:"
SITE: Final = f"{GAMMONVIEW}site"
