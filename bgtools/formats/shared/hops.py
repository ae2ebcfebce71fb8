"""Written hops, apart from any grammar: ``24/18*/14(2)`` as JSON and some text formats hold it."""

from __future__ import annotations

import re
from typing import Final

from bgtools.board import BAR, OFF, HopText

_POINT: Final = r"bar|off|[0-9]{1,2}"
_GROUP: Final = re.compile(rf"({_POINT})\*?((?:/(?:{_POINT})\*?)+)(?:\(([0-9])\))?", re.IGNORECASE)
_STEP: Final = re.compile(rf"/({_POINT})(\*?)", re.IGNORECASE)


def parse_hop(text: str) -> HopText | None:
    """Read one group of a written play; None where it is none."""
    found = _GROUP.fullmatch(text)
    if not found:
        return None
    steps = _STEP.findall(found[2])
    points = (_point(found[1]), *(_point(point) for point, _ in steps))
    if max(points) > BAR:
        return None
    return HopText(points, tuple(bool(star) for _, star in steps), int(found[3] or 1))


def _point(text: str) -> int:
    return {"bar": BAR, "off": OFF}.get(text.lower()) or (int(text) if text.isdecimal() else OFF)
