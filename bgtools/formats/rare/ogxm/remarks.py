"""The newest version of OGXM, and the keys of the remarks that programs write for themselves."""

from __future__ import annotations

from typing import Final

NEWEST: Final = (2, 2)
"""The newest version of OGXM that is read and written. A file states the version of reader that it needs."""
OURS: Final = "x-bgtools-"
"""The beginning of the keys of our remarks, which hold what OGXM has no field for."""
TAG: Final = f"{OURS}tag/"
SCORE: Final = f"{OURS}score"
PLAY: Final = f"{OURS}play"
NOTE: Final = f"{OURS}note"
"""The key of a remark with the part of a ply's analysis that its decisions leave out (see `leftover`)."""
GAMMONVIEW: Final = "x-gammonview-"
EXACT: Final = f"{GAMMONVIEW}decisions/"
GAMMONVIEW_VALUE: Final = "1:"
SITE: Final = f"{GAMMONVIEW}site"
