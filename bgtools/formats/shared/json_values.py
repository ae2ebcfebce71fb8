"""Values of JSON from other programs. A value may have any type; one of the wrong type counts as missing."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError
from bgtools.formats.limits import most_values, refuse_more

if TYPE_CHECKING:
    from collections.abc import Iterator


# Matches every escape, so that an escaped backslash never begins another one. The group is a lone surrogate.
_ESCAPES: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def parse(text: str) -> Any:
    """Parse like `json.loads`, with U+FFFD for lone surrogates, which JSON can write but no encoding can hold.

    Raises:
        FormatError: it has more values than a file may hold.
        ValueError: it is not valid JSON.
    """
    # Every value but the first has a comma or a bracket before it. Texts hold a few more, which also count.
    refuse_more(text.count(",") + text.count("[") + text.count("{"), most_values(), "values")
    if "\\ud" in text or "\\uD" in text:
        text = _ESCAPES.sub(lambda found: "\\ufffd" if found[1] else found[0], text)
    return json.loads(text)


def load(text: str, what: str) -> dict[str, Any]:
    """Parse a text that is an object.

    Raises:
        FormatError: it is not valid JSON, or not an object.
    """
    try:
        found = parse(text)
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{what} is not valid JSON: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"{what} is not a valid JSON object")
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
    """A whole number between two bounds, both included; ``otherwise`` for anything else."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and least <= value <= most else otherwise


def figure(value: Any) -> float | None:
    """A finite number, given as a number or as text; None for anything else."""
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
