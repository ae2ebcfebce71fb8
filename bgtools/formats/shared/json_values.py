"""Values of foreign JSON: every one may be anything, and only what is of the kind that is asked for counts."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator


# Any escape, so that a backslash before one is not taken for its beginning; the group is half a pair that stands alone.
_ESCAPES: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def parse(text: str) -> Any:
    """What `json.loads` gives, with U+FFFD for half a character, which JSON can say and no other file can hold."""
    if "\\ud" in text or "\\uD" in text:
        text = _ESCAPES.sub(lambda found: "\\ufffd" if found[1] else found[0], text)
    return json.loads(text)


def load(text: str, what: str) -> dict[str, Any]:
    """The object that a text is.

    Raises:
        FormatError: it is no JSON, or no object.
    """
    try:
        found = parse(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{what} is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"{what} is no JSON object")
    return found


def member(holder: Any, name: str) -> dict[str, Any]:
    """An object inside another; an empty one where there is none."""
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, dict) else {}


def items(holder: Any, name: str) -> list[Any]:
    """A list inside an object; an empty one where there is none."""
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, list) else []


def objects(holder: Any, name: str) -> Iterator[dict[str, Any]]:
    """The objects of a list; anything else in it as an empty object, so that places keep their numbers."""
    return (each if isinstance(each, dict) else {} for each in items(holder, name))


def whole(value: Any, otherwise: int = 0, *, least: int = -(1 << 31), most: int = 1 << 31) -> int:
    """A whole number between two bounds."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and least <= value <= most else otherwise


def figure(value: Any) -> float | None:
    """A number that is finite, given as one or as its text; None for anything else."""
    if isinstance(value, str):
        try:
            value = float(value[:40])
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
        return None
    return float(value) if math.isfinite(value) else None


def text(holder: Any, name: str) -> str:
    """A text inside an object; "" where there is none."""
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, str) else ""
