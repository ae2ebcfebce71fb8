"""Values of JSON from other programs. A value may have any type; one of the wrong type counts as missing."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError
from bgtools.formats.limits import most_values, refuse_more
from bgtools.formats.shared.listing import shown
from bgtools.record.record import UNREAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set


_MOST_NAMES: Final = 50
"""How many members that nobody read are named."""
_HOLDERS: Final = (list, tuple, dict)

# Matches every escape, so that an escaped backslash never begins another one. The group is a lone surrogate.
_ESCAPES: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


class Taken(dict[str, Any]):
    """An object that notes which of its members are read, so that a reader can name the others."""

    __slots__ = ("_read",)
    _read: set[str]

    @property
    def read(self) -> Set[str]:
        """The names of the members that were read."""
        return getattr(self, "_read", frozenset())

    def _note(self, name: str) -> None:
        # A set takes twice the memory of the object: a file may hold two million that nobody looks into.
        try:
            self._read.add(name)
        except AttributeError:
            self._read = {name}

    def get(self, name: str, default: Any = None) -> Any:
        """A member, noted as read."""
        self._note(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self._note(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str):
            self._note(name)
        return super().__contains__(name)


def unread(document: Any, derived: tuple[str, ...] = ()) -> Counter[str]:
    """How often each member was never read, though it says something: by its name and those of the objects around it.

    Args:
        document: what was read. An object that is no `Taken` counts as read itself.
        derived: names of members that only repeat what others say; one may begin with those of the objects around it.
    """
    found: Counter[str] = Counter()
    derived = tuple(f".{name}" for name in derived)
    rest: list[tuple[str, Any]] = [("", document)]
    while rest:
        before, value = rest.pop()
        if isinstance(value, list | tuple):
            rest += [(before, each) for each in value if isinstance(each, _HOLDERS)]
        else:
            read = value.read if isinstance(value, Taken) else value.keys()
            for name, each in value.items():
                is_read = name in read
                if is_read and not isinstance(each, _HOLDERS):
                    continue
                path = f"{before}.{name}" if before else name
                if is_read:
                    rest.append((path, each))
                elif not f".{path}".endswith(derived) and _says_something(each):
                    found[path] += 1
    return found


def unread_extras(found: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Keys and values of the extras that name what was not read: the first fifty names, and how many more."""
    for name, count in sorted(found.items())[:_MOST_NAMES]:
        yield f"{UNREAD}{shown(name)}", f"{shown(name)}{f', {count} times' if count > 1 else ''}"
    if len(found) > _MOST_NAMES:
        yield f"{UNREAD}more", f"{len(found) - _MOST_NAMES:,} more members"


def _says_something(value: Any) -> bool:
    """Whether a value is, or holds, anything but nothing, zero and False."""
    rest = [value]
    while rest:
        each = rest.pop()
        if isinstance(each, _HOLDERS):
            rest += each.values() if isinstance(each, dict) else each
        elif each:
            return True
    return False


def parse(text: str, kind: type[dict[str, Any]] | None = None) -> Any:
    """Parse like `json.loads`, with U+FFFD for lone surrogates, which JSON can write but no encoding can hold.

    Args:
        text: the JSON.
        kind: the type of its objects, if not `dict`.

    Raises:
        FormatError: it has more values than a file may hold.
        ValueError: it is not valid JSON.
    """
    # Every value but the first has a comma or a bracket before it. Texts hold a few more, which also count.
    refuse_more(text.count(",") + text.count("[") + text.count("{"), most_values(), "values")
    if "\\ud" in text or "\\uD" in text:
        text = _ESCAPES.sub(lambda found: "\\ufffd" if found[1] else found[0], text)
    return json.loads(text, object_hook=kind)


def load(text: str, what: str) -> Taken:
    """Parse a text that is an object; every object in it is a `Taken`.

    Raises:
        FormatError: it is not valid JSON, or not an object.
    """
    try:
        found = parse(text, Taken)
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{what} is not valid JSON: {error}") from None
    if not isinstance(found, Taken):
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
