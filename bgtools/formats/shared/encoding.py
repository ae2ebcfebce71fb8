"""Parts of a record, such as an entry or an annotation, as the plain values that stand for them in JSON, and back."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from bgtools import record, rules
from bgtools.board import Board, Dice, HopText, Player, PlayText, parse_hop
from bgtools.formats.content import FormatError
from bgtools.positions import CHECKERS
from bgtools.record import Annotation

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final[Mapping[str, type[Any]]] = {
    "play": record.CheckerPlay,
    "double": record.Double,
    "beaver": record.Beaver,
    "automatic double": record.AutomaticDouble,
    "take": record.Take,
    "drop": record.Drop,
    "resign": record.Resign,
    "set board": record.SetBoard,
}
"""The types of entries by the names that JSON gives them."""
KIND_OF: Final = {kind: name for name, kind in KINDS.items()}

# Places in a file. The row stays: which entries share one tells slips apart.
_LAYOUT: Final = frozenset({"source", "findings", "length_span", "marks", "heading", "score_span", "span", "text_at"})
# What an annotation in `record` calls by a name that is imported for type checkers only.
_NAMES: Final = {
    "Annotation": Annotation, "Dice": Dice, "Player": Player, "Board": Board, "PlayText": PlayText, "HopText": HopText,
    "Finding": object,
}  # fmt: skip


class _Field(NamedTuple):
    name: str
    hint: Any
    default: Any


def written_fields(kind: type[Any]) -> tuple[_Field, ...]:
    """The fields of a dataclass that are written, with their types and defaults."""
    known = _KNOWN.get(kind)
    if known is None:
        # "Level" is another thing in either module.
        names = _NAMES if kind.__module__ == Annotation.__module__ else {**_NAMES, "Level": rules.Level}
        hints = get_type_hints(kind, localns=names)
        held = (each for each in fields(kind) if each.init and each.name not in _LAYOUT)
        known = _KNOWN[kind] = tuple(_Field(each.name, hints[each.name], _default(each)) for each in held)
    return known


_KNOWN: dict[type[Any], tuple[_Field, ...]] = {}


def _default(each: Any) -> Any:
    return each.default_factory() if each.default_factory is not MISSING else each.default


# --- writing --------------------------------------------------------------------------------


def encode(value: Any) -> Any:
    """A part of a match, such as an entry or an annotation, as the plain values that stand for it in JSON."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Board():
            return [list(value.mine), list(value.theirs)]
        case HopText():
            return str(value)
        case tuple():
            return [encode(each) for each in value]
    found = {"type": KIND_OF[type(value)]} if type(value) in KIND_OF else {}
    for name, _, default in written_fields(type(value)):
        held = getattr(value, name)
        if held != default:
            found[name] = encode(held)
    return found


# --- reading --------------------------------------------------------------------------------


def decode(hint: Any, data: Any, path: str) -> Any:
    """A part of a match from the plain values that `encode` makes of it.

    Args:
        hint: its type.
        data: the values.
        path: where they stand, for messages.

    Raises:
        FormatError: they are not as the type asks; the message says where.
    """
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _one_of(get_args(hint), data, path)
    if origin is Literal:
        if data in get_args(hint) and not isinstance(data, bool):
            return data
        raise FormatError(f"{path}: {_shown(data)} is none of {', '.join(map(repr, get_args(hint)))}")
    if origin is tuple:
        return _tuple(get_args(hint), data, path)
    if hint is Board:
        return _position(data, path)
    if hint is HopText:
        return _hop(data, path)
    if hint is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if hint in (int, str, float, bool):
        if type(data) is not hint:
            raise FormatError(f"{path}: {_shown(data)} is no {hint.__name__}")
        return data
    return _object(hint, data, path)


def _shown(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=True)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _one_of(hints: tuple[Any, ...], data: Any, path: str) -> Any:
    if data is None and NoneType in hints:
        return None
    rest = [each for each in hints if each is not NoneType]
    if len(rest) == 1:
        return decode(rest[0], data, path)
    kind = KINDS.get(str(data.get("type"))) if isinstance(data, dict) else None
    if kind is None or kind not in rest:
        raise FormatError(f'{path}: an entry has a "type": one of {", ".join(KINDS)}')
    return _object(kind, data, path)


def _tuple(hints: tuple[Any, ...], data: Any, path: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise FormatError(f"{path}: {_shown(data)} is no list")
    if hints[-1] is Ellipsis:
        return tuple(decode(hints[0], each, f"{path}[{index}]") for index, each in enumerate(data))
    if len(data) != len(hints):
        raise FormatError(f"{path}: {len(hints)} values belong here, there are {len(data)}")
    pairs = enumerate(zip(hints, data, strict=True))
    return tuple(decode(hint, each, f"{path}[{index}]") for index, (hint, each) in pairs)


def _object(kind: Any, data: Any, path: str) -> Any:
    if not isinstance(data, dict):
        raise FormatError(f"{path}: {_shown(data)} is no object")
    found = {}
    for name, hint, default in written_fields(kind):
        if name in data:
            found[name] = decode(hint, data[name], f"{path}.{name}")
        elif default is MISSING:
            raise FormatError(f"{path}: it has no {name!r}")
    return kind(**found)


def _position(data: Any, path: str) -> Board:
    sides = decode(tuple[tuple[int, ...], tuple[int, ...]], data, path)
    if any(len(side) != 26 or min(side) < 0 or sum(side) > CHECKERS for side in sides):
        raise FormatError(f"{path}: a board is twice 26 numbers, off, points 1 to 24 and bar, {CHECKERS} at most")
    return Board(*sides)


def _hop(data: Any, path: str) -> HopText:
    hop = parse_hop(data) if isinstance(data, str) else None
    if hop is None:
        raise FormatError(f"{path}: {_shown(data)} is no hop such as 24/18*/14(2)")
    return hop
