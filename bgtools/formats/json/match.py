"""bgtools' own JSON: everything that a record holds, layout and places aside.

``docs/match.schema.json`` is its JSON Schema. `VERSION` grows when a reader of the version before
would misunderstand what is written; what is added beside it does not change it.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields, replace
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from bgtools import record, rules
from bgtools.board import Board, Dice, HopText, Player, PlayText
from bgtools.formats.content import FormatError
from bgtools.formats.shared.hops import parse_hop
from bgtools.formats.shared.json_values import parse
from bgtools.positions import CHECKERS
from bgtools.record import Annotation, Match

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.formats.content import Content

NAME: Final = "bgtools.match"
VERSION: Final = 1

_KINDS: Final[Mapping[str, type[Any]]] = {
    "play": record.CheckerPlay,
    "double": record.Double,
    "beaver": record.Beaver,
    "automatic double": record.AutomaticDouble,
    "take": record.Take,
    "drop": record.Drop,
    "resign": record.Resign,
    "set board": record.SetBoard,
}
_KIND_OF: Final = {kind: name for name, kind in _KINDS.items()}

# Layout and places, which no other format shares.
_LAYOUT: Final = frozenset(
    {"source", "diagnostics", "length_span", "marks", "heading", "score_span", "span", "row", "text_at"}
)
# What an annotation in `record` calls by a name that is imported for type checkers only.
_NAMES: Final = {
    "Annotation": Annotation, "Dice": Dice, "Player": Player, "Board": Board, "PlayText": PlayText, "HopText": HopText,
    "Finding": object,
}  # fmt: skip


class _Field(NamedTuple):
    name: str
    hint: Any
    default: Any


def _fields(kind: type[Any]) -> tuple[_Field, ...]:
    """The fields of a dataclass that are written, with their types and defaults."""
    known = _KNOWN.get(kind)
    if known is None:
        # "Level" is another thing in either module.
        names = _NAMES if kind.__module__ == Annotation.__module__ else {**_NAMES, "Level": rules.Level}
        hints = get_type_hints(kind, localns=names)
        held = (each for each in fields(kind) if each.name not in _LAYOUT)
        known = _KNOWN[kind] = tuple(_Field(each.name, hints[each.name], _default(each)) for each in held)
    return known


_KNOWN: dict[type[Any], tuple[_Field, ...]] = {}


def _default(each: Any) -> Any:
    return each.default_factory() if each.default_factory is not MISSING else each.default


# --- writing --------------------------------------------------------------------------------


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a JSON text that holds some matches; what is as usual is left out."""
    data = {"format": NAME, "version": VERSION, "matches": [encode(_placed(match)) for match in matches]}
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return (text + "\n").encode("utf-8", "surrogatepass")


def _placed(match: Match) -> Match:
    """The match with the place of every comment told by entries, for the places in the file are not written."""

    def placed(game: record.Game) -> record.Game:
        comments = zip(record.places_of_comments(game), game.comments, strict=True)
        return replace(game, comments=tuple(replace(comment, at=at) for at, comment in comments))

    return replace(match, games=tuple(placed(game) if game.comments else game for game in match.games))


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
    found = {"type": _KIND_OF[type(value)]} if type(value) in _KIND_OF else {}
    for name, _, default in _fields(type(value)):
        held = getattr(value, name)
        if held != default:
            found[name] = encode(held)
    return found


# --- reading --------------------------------------------------------------------------------


def read(content: Content) -> tuple[Match, ...]:
    """Read our own JSON.

    Raises:
        FormatError: it is no JSON, of a later version, or not as the schema asks; the message says where.
    """
    source = content.source
    try:
        data = parse(source.text)
    except json.JSONDecodeError as error:
        raise FormatError(f"line {error.lineno}, column {error.colno}: this is no JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError("this JSON is nested too deeply for a record") from None
    except ValueError as error:
        raise FormatError(f"this is no JSON that can be read: {error}") from None
    if not isinstance(data, dict) or data.get("format") != NAME:
        raise FormatError(f'this is JSON, but not with "format": "{NAME}"')
    version = data.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise FormatError(f"this is version {version} of {NAME}; this bgtools reads up to version {VERSION}")
    matches: tuple[Match, ...] = _decode(tuple[Match, ...], data.get("matches"), "matches")
    return tuple(replace(match, source=source) for match in matches)


def _decode(hint: Any, data: Any, path: str) -> Any:
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
        return _decode(rest[0], data, path)
    kind = _KINDS.get(str(data.get("type"))) if isinstance(data, dict) else None
    if kind is None or kind not in rest:
        raise FormatError(f'{path}: an entry has a "type": one of {", ".join(_KINDS)}')
    return _object(kind, data, path)


def _tuple(hints: tuple[Any, ...], data: Any, path: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise FormatError(f"{path}: {_shown(data)} is no list")
    if hints[-1] is Ellipsis:
        return tuple(_decode(hints[0], each, f"{path}[{index}]") for index, each in enumerate(data))
    if len(data) != len(hints):
        raise FormatError(f"{path}: {len(hints)} values belong here, there are {len(data)}")
    pairs = enumerate(zip(hints, data, strict=True))
    return tuple(_decode(hint, each, f"{path}[{index}]") for index, (hint, each) in pairs)


def _object(kind: Any, data: Any, path: str) -> Any:
    if not isinstance(data, dict):
        raise FormatError(f"{path}: {_shown(data)} is no object")
    found = {}
    for name, hint, default in _fields(kind):
        if name in data:
            found[name] = _decode(hint, data[name], f"{path}.{name}")
        elif default is MISSING:
            raise FormatError(f"{path}: it has no {name!r}")
    return kind(**found)


def _position(data: Any, path: str) -> Board:
    sides = _decode(tuple[tuple[int, ...], tuple[int, ...]], data, path)
    if any(len(side) != 26 or min(side) < 0 or sum(side) > CHECKERS for side in sides):
        raise FormatError(f"{path}: a board is twice 26 numbers, off, points 1 to 24 and bar, {CHECKERS} at most")
    return Board(*sides)


def _hop(data: Any, path: str) -> HopText:
    hop = parse_hop(data) if isinstance(data, str) else None
    if hop is None:
        raise FormatError(f"{path}: {_shown(data)} is no hop such as 24/18*/14(2)")
    return hop


# --- schema ---------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON Schema of what is written, made from the types themselves."""
    definitions: dict[str, Any] = {}
    matches = _schema(tuple[Match, ...], definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": NAME,
        "description": "Recorded backgammon matches, as bgtools writes them.",
        "type": "object",
        "properties": {"format": {"const": NAME}, "version": {"const": VERSION}, "matches": matches},
        "required": ["format", "version", "matches"],
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(each, definitions) for each in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        if args[-1] is Ellipsis:
            return {"type": "array", "items": _schema(args[0], definitions)}
        items = [_schema(each, definitions) for each in args]
        return {"type": "array", "prefixItems": items, "minItems": len(args), "maxItems": len(args)}
    if hint is Board:
        side = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 26, "maxItems": 26}
        description = (
            "checkers off, on points 1 to 24, on the bar: of player 0, then of player 1, in their own numbering"
        )
        return {"type": "array", "items": side, "minItems": 2, "maxItems": 2, "description": description}
    if hint is HopText:
        return {"type": "string", "description": "one group of a written play, e.g. 24/18*/14(2)"}
    simple = {int: "integer", str: "string", float: "number", bool: "boolean", NoneType: "null"}
    if hint in simple:
        return {"type": simple[hint]}
    if hint.__name__ not in definitions:
        definitions[hint.__name__] = {}
        definitions[hint.__name__] = _object_schema(hint, definitions)
    return {"$ref": f"#/$defs/{hint.__name__}"}


def _object_schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required = []
    if kind in _KIND_OF:
        properties["type"] = {"const": _KIND_OF[kind]}
        required.append("type")
    for name, hint, default in _fields(kind):
        properties[name] = _schema(hint, definitions)
        if default is MISSING:
            required.append(name)
    doc = (kind.__doc__ or "").strip().split("\n")[0]
    return {"type": "object", "description": doc, "properties": properties, "required": required}
