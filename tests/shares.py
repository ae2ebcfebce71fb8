"""The share of the random trials that a run makes, by the commit: a few commits make all of them.

A test with the marker ``share(n)`` makes one in n of its cases; the commit decides which. ``-m deep`` makes the others.
`BGTOOLS_SHARE=5` makes those of another share, so that a failure comes back; `BGTOOLS_SHARE=all` makes every case.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeVar
from zlib import crc32

T = TypeVar("T")
VARIABLE: Final = "BGTOOLS_SHARE"
_MOST: Final = 2520
"""All numbers up to ten divide this, so that every share of every test has its turn equally often."""


@cache
def number() -> int | None:
    """The number of the share; None where every case is to be made.

    Raises:
        ValueError: the variable holds neither a whole number nor ``all``.
    """
    named = os.environ.get(VARIABLE, "")
    if named:
        return None if named == "all" else int(named)
    tree = subprocess.run(
        ["git", "rev-parse", "HEAD^{tree}"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    ).stdout
    return int(tree[:12] or "0", 16) % _MOST  # without Git, as in a source distribution, the first


def is_chosen(case: str | int, of: int) -> bool:
    """Whether a case, by its name or its number, is among one in so many."""
    chosen = number()
    return chosen is None or ((crc32(case.encode()) if isinstance(case, str) else case) + chosen) % of == 0


def share(items: Sequence[T], of: int, turn: int = 0) -> Sequence[T]:
    """One in so many of some things; whoever has another turn gets others of them."""
    chosen = number()
    return items if chosen is None else items[(turn + chosen) % of :: of]
