"""Listings of binary records: texts whose lines findings can point at."""

from __future__ import annotations

from typing import Any, Final

from bgtools.findings.finding import clipped

_MOST_SHOWN: Final = 60
_DUMP_HEAD: Final = 12
"""How many fields stand before the board in Snowie's form: match, score and cube. Readers pass over them."""


def shown(text: str) -> str:
    """A text fit for a line of the listing."""
    return clipped(" ".join(text.split()), _MOST_SHOWN)


def dump(after: Any) -> str:
    """The board after an illegal play in Snowie's form, seen by the player who made it."""
    points = ";".join(str(int(count)) for count in after)
    return f"{'0;' * _DUMP_HEAD}{points};0;0;"
