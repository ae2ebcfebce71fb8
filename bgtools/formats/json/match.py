"""bgtools' own JSON: everything that a record holds, except its layout and the places of things in its file.

``docs/match.schema.json`` is its JSON Schema. `VERSION` grows when a reader of the version before
would misunderstand what is written. A new member that older readers can ignore does not change `VERSION`.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, replace
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_args, get_origin

from bgtools.board.board import Board
from bgtools.board.play import HopText
from bgtools.formats.content import FormatError
from bgtools.formats.shared.encoding import KIND_OF, decode, encode, ignored_members, written_fields
from bgtools.formats.shared.json_values import parse, unread_extras
from bgtools.record.record import NOWHERE, UNREAD, Game, Match, Tag, places_of_comments
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.formats.content import Content
    from bgtools.source import Source

NAME: Final = "bgtools.match"
VERSION: Final = 1

# --- writing --------------------------------------------------------------------------------


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a JSON text that holds some matches; members with their usual values are left out.

    Raises:
        FormatError: a match has a length or a score below 0.
    """
    _refuse_negatives(matches)
    data = {"format": NAME, "version": VERSION, "matches": [encode(_placed(match)) for match in matches]}
    return f"{_text(data)}\n".encode("utf-8", "surrogatepass")


_line: Final = json.JSONEncoder(ensure_ascii=False).encode


def _text(value: Any, margin: str = "", key: str = "") -> str:
    """The text of a value. Objects, and lists of objects, take several lines; every entry and all else takes one."""
    inner = f"{margin} "
    if isinstance(value, dict) and value:
        lines = [f"{_line(name)}: {_text(each, inner, name)}" for name, each in value.items()]
        return "{\n" + ",\n".join([inner + line for line in lines]) + f"\n{margin}}}"
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        lines = [_line(each) if key == "entries" else _text(each, inner) for each in value]
        return "[\n" + ",\n".join([inner + line for line in lines]) + f"\n{margin}]"
    return _line(value)


def _placed(match: Match) -> Match:
    """The match with each comment placed by the number of an entry, because places in the file are not written."""

    def placed(game: Game) -> Game:
        comments = zip(places_of_comments(game), game.comments, strict=True)
        return replace(game, comments=tuple(replace(comment, at=at) for at, comment in comments))

    return replace(match, games=tuple(placed(game) if game.comments else game for game in match.games))


# --- reading --------------------------------------------------------------------------------


def read(content: Content) -> tuple[Match, ...]:
    """Read our own JSON.

    Raises:
        FormatError: it is not valid JSON, has a later version, or breaks the schema; the message says where.
    """
    source = content.source
    try:
        data = parse(source.text)
    except FormatError:
        raise
    except json.JSONDecodeError as error:
        raise FormatError(f"line {error.lineno}, column {error.colno}: this is not valid JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError("this JSON is nested too deeply for a record") from None
    except ValueError as error:
        raise FormatError(f"this JSON cannot be read: {error}") from None
    if not isinstance(data, dict) or data.get("format") != NAME:
        raise FormatError(f'this is JSON, but not with "format": "{NAME}"')
    version = data.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise FormatError(f"this is version {version} of {NAME}; this bgtools reads up to version {VERSION}")
    try:
        with ignored_members() as ignored:
            matches: tuple[Match, ...] = decode(tuple[Match, ...], data.get("matches"), "matches")
    except RecursionError:
        raise FormatError("this JSON is nested too deeply for a record") from None
    _refuse_negatives(matches)
    ignored.update(name for name in data if name not in ("format", "version", "matches"))
    # A member may be new in a later bgtools, or misspelled. The first match names it, as that of another program.
    extras = tuple(
        Tag(key=key, value=value, span=_span_of(source, key.rpartition(".")[2].removeprefix(UNREAD)))
        for key, value in unread_extras(ignored)
    )
    return tuple(
        replace(match, source=source, extras=match.extras + (extras if not at else ()))
        for at, match in enumerate(matches)
    )


def _span_of(source: Source, name: str) -> Span:
    """Where a member first stands."""
    at = source.text.find(_line(name))
    return NOWHERE if at < 0 else Span(at, at + len(_line(name)))


def _refuse_negatives(matches: tuple[Match, ...]) -> None:
    for number, match in enumerate(matches):
        if min(match.length or 0, *(points for game in match.games for points in game.score or (0, 0)), 0) < 0:
            raise FormatError(f"matches[{number}]: no match has a length or a score below 0")


# --- schema ---------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON Schema of the format, made from the types of a record."""
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
    if kind in KIND_OF:
        properties["type"] = {"const": KIND_OF[kind]}
        required.append("type")
    for name, hint, default in written_fields(kind):
        properties[name] = _schema(hint, definitions)
        if default is MISSING:
            required.append(name)
    doc = (kind.__doc__ or "").strip().split("\n")[0]
    return {"type": "object", "description": doc, "properties": properties, "required": required}
