"""The folder in which bgtools keeps results that take long to work out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ENVIRONMENT: Final = "BGTOOLS_CACHE"
"""Environment variable with the folder of the cache."""


def folder() -> Path:
    """Where the cache is kept: ``$BGTOOLS_CACHE``, or the user's folder for such files."""
    told = os.environ.get(ENVIRONMENT)
    if told:
        return Path(told)
    from platformdirs import user_cache_path

    return user_cache_path("bgtools", appauthor=False)
