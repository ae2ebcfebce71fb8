"""Translating parts of a record, such as an entry or an annotation, into plain values of JSON, and back."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, fields
from functools import cache, lru_cache
from math import isfinite
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from bgtools.board.board import Board, Dice
from bgtools.board.notation import parse_hop
from bgtools.board.perspective import Player
from bgtools.board.play import HopText, PlayText
from bgtools.formats.content import FormatError
from bgtools.positions.position import CHECKERS
from bgtools.record.annotation import Annotation
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.rules.worth import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KINDS: Final[Mapping[str, type[Any]]] = {
    "play": CheckerPlay,
    "double": Double,
    "beaver": Beaver,
    "automatic double": AutomaticDouble,
    "take": Take,
    "drop": Drop,
    "resign": Resign,
    "set board": SetBoard,
}
"""The types of entries by their names in JSON."""
KIND_OF: Final = {kind: name for name, kind in KINDS.items()}

# Fields that hold places in a file, and are not written. The row of an entry is written: it helps to tell slips apart.
_LAYOUT: Final = frozenset({"source", "findings", "length_span", "marks", "heading", "score_span", "span", "text_at"})
# Types that the type hints in `record` name, but that `record` imports only for type checkers.
_NAMES: Final = {
    "Annotation": Annotation, "Dice": Dice, "Player": Player, "Board": Board, "PlayText": PlayText, "HopText": HopText,
    "Finding": object,
}  # fmt: skip


class _EncodedField(NamedTuple):
    name: str
    hint: Any
    default: Any


def written_fields(kind: type[Any]) -> tuple[_EncodedField, ...]:
    """The fields of a dataclass that are written, with their types and defaults."""
    known = _KNOWN.get(kind)
    if known is None:
        # "Level" is one type in the module of `Annotation`, and another in `rules`.
        names = _NAMES if kind.__module__ == Annotation.__module__ else {**_NAMES, "Level": Level}
        hints = get_type_hints(kind, localns=names)
        held = (each for each in fields(kind) if each.init and each.name not in _LAYOUT)
        known = _KNOWN[kind] = tuple(_EncodedField(each.name, hints[each.name], _default(each)) for each in held)
    return known


_KNOWN: dict[type[Any], tuple[_EncodedField, ...]] = {}


def _default(each: Any) -> Any:
    return each.default_factory() if each.default_factory is not MISSING else each.default


# --- writing --------------------------------------------------------------------------------


def encode(value: Any) -> Any:
    """A part of a match, such as an entry or an annotation, as the plain values that stand for it in JSON."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:
        return [encode(each) for each in value]
    if kind is HopText:
        return _hop_text(value.points, value.stars, value.count)
    if kind is Board:
        return [list(value.mine), list(value.theirs)]
    if isinstance(value, tuple):
        return [encode(each) for each in value]
    found = {"type": KIND_OF[kind]} if kind in KIND_OF else {}
    for name, _, default in written_fields(kind):
        held = getattr(value, name)
        if held is not default and held != default:
            found[name] = encode(held)
    return found


_IN_WORDS: Final = {bool: "true or false", float: "a number", int: "a whole number", str: "a text"}
_PLAIN: Final = frozenset({NoneType, bool, int, float, str})


@lru_cache(1 << 12)
def _hop_text(points: tuple[int, ...], stars: tuple[bool, ...], count: int) -> str:
    """A hop as it is written. Hops are remembered, because the same few hundred make up most plays."""
    return str(HopText(points, stars, count))


# --- reading --------------------------------------------------------------------------------


class _Path(NamedTuple):
    """The place of a value in JSON. It becomes text only for an error message."""

    before: _Path | str
    step: int | str

    def __str__(self) -> str:
        return f"{self.before}{f'[{self.step}]' if isinstance(self.step, int) else f'.{self.step}'}"


_Where = _Path | str
_Decoder = Callable[[Any, _Where], Any]


_IGNORED: Final[ContextVar[Counter[str] | None]] = ContextVar("ignored", default=None)


@contextmanager
def ignored_members() -> Iterator[Counter[str]]:
    """How often a member that no type has was met while something was decoded, by its name and those around it."""
    found: Counter[str] = Counter()
    token = _IGNORED.set(found)
    try:
        yield found
    finally:
        _IGNORED.reset(token)


def decode(hint: Any, data: Any, path: str) -> Any:
    """A part of a match from the plain values that `encode` makes of it.

    Args:
        hint: the type of the part.
        data: the plain values.
        path: their place, for messages.

    Raises:
        FormatError: the values do not fit the type; the message says where.
    """
    return _decoder(hint)(data, path)


@cache
def _decoder(hint: Any) -> _Decoder:
    """A function that makes a value of a type from plain values."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _one_of(get_args(hint))
    if origin is Literal:
        return _literal(get_args(hint))
    if origin is tuple:
        return _tuple(get_args(hint))
    if hint is Board:
        return _position
    if hint is HopText:
        return _hop
    if hint in (int, str, float, bool):
        return _simple(hint)
    return _object(hint)


def _shown(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=True)
    return text if len(text) <= 40 else f"{text[:37]}..."


_LARGEST: Final = 1 << 53
"""From here on, floats cannot hold every whole number."""


def _literal(values: tuple[Any, ...]) -> _Decoder:
    def literal(data: Any, path: _Where) -> Any:
        if data in values and not isinstance(data, bool):
            return data
        raise FormatError(f"{path}: {_shown(data)} is none of {', '.join(map(repr, values))}")

    return literal


def _simple(hint: type[Any]) -> _Decoder:
    def simple(data: Any, path: _Where) -> Any:
        if type(data) is hint and (hint is not float or isfinite(data)):
            return data
        if hint is float and type(data) is int and abs(data) < _LARGEST:
            return float(data)
        raise FormatError(f"{path}: {_shown(data)} is not {_IN_WORDS.get(hint, hint.__name__)}")

    return simple


def _one_of(hints: tuple[Any, ...]) -> _Decoder:
    is_optional = NoneType in hints
    rest = [each for each in hints if each is not NoneType]
    if len(rest) == 1:
        only = _decoder(rest[0])
        return lambda data, path: None if data is None and is_optional else only(data, path)
    decoders = {name: _object(kind) for name, kind in KINDS.items() if kind in rest}

    def one_of(data: Any, path: _Where) -> Any:
        if data is None and is_optional:
            return None
        named = decoders.get(str(data.get("type"))) if isinstance(data, dict) else None
        if named is None:
            raise FormatError(f'{path}: an entry has a "type": one of {", ".join(KINDS)}')
        return named(data, path)

    return one_of


def _tuple(hints: tuple[Any, ...]) -> _Decoder:
    if hints[-1] is Ellipsis:
        each = _decoder(hints[0])

        def some(data: Any, path: _Where) -> tuple[Any, ...]:
            if not isinstance(data, list):
                raise FormatError(f"{path}: {_shown(data)} is not a list")
            return tuple([each(value, _Path(path, index)) for index, value in enumerate(data)])

        return some
    decoders = [*map(_decoder, hints)]

    def fixed(data: Any, path: _Where) -> tuple[Any, ...]:
        if not isinstance(data, list):
            raise FormatError(f"{path}: {_shown(data)} is not a list")
        if len(data) != len(decoders):
            raise FormatError(f"{path}: {len(decoders)} values belong here, there are {len(data)}")
        pairs = enumerate(zip(decoders, data, strict=True))
        return tuple([decoder(value, _Path(path, index)) for index, (decoder, value) in pairs])

    return fixed


def _object(kind: Any) -> _Decoder:
    # The plan is made when the first object is read, because an annotation may hold annotations.
    plan: list[tuple[str, _Decoder, bool]] = []
    own = kind in KIND_OF  # the member "type"

    def read(data: Any, path: _Where) -> Any:
        if not isinstance(data, dict):
            raise FormatError(f"{path}: {_shown(data)} is not an object")
        if not plan:
            plan.extend((name, _decoder(hint), default is MISSING) for name, hint, default in written_fields(kind))
        found = {}
        for name, decoder, is_needed in plan:
            if name in data:
                found[name] = decoder(data[name], _Path(path, name))
            elif is_needed:
                raise FormatError(f"{path}: it has no {name!r}")
        if len(found) + own < len(data) and (ignored := _IGNORED.get()) is not None:
            around = re.sub(r"\[\d+\]", "", str(path))
            ignored.update(f"{around}.{name}" for name in data if name not in found and (name != "type" or not own))
        return kind(**found)

    return read


def _position(data: Any, path: _Where) -> Board:
    sides = _decoder(tuple[tuple[int, ...], tuple[int, ...]])(data, path)
    if any(len(side) != 26 or min(side) < 0 or sum(side) > CHECKERS for side in sides):
        raise FormatError(f"{path}: a board is twice 26 numbers, off, points 1 to 24 and bar, {CHECKERS} at most")
    return Board(*sides)


def _hop(data: Any, path: _Where) -> HopText:
    hop = _read_hop(data) if isinstance(data, str) else None
    if hop is None:
        raise FormatError(f"{path}: {_shown(data)} is not a hop such as 24/18*/14(2)")
    return hop


_read_hop = lru_cache(1 << 12)(parse_hop)
