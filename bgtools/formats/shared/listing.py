"""Listings: the lines that stand for a binary record where findings point at it."""

from __future__ import annotations

from typing import Any, Final

_MOST_SHOWN: Final = 60
_DUMP_HEAD: Final = 12
"""Fields before the board in such a dump: match, score and cube, which nobody reads there."""


def shown(text: str) -> str:
    """A text fit for a line of the listing."""
    line = " ".join(text.split())
    line = line if len(line) <= _MOST_SHOWN else f"{line[: _MOST_SHOWN - 1]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)


def dump(after: Any) -> str:
    """The board after an illegal play as Snowie writes it, seen by whoever made the play."""
    points = ";".join(str(int(count)) for count in after)
    return f"{'0;' * _DUMP_HEAD}{points};0;0;"
