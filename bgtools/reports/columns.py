"""The columns of tables, with names, types and meaning, made of the classes of their rows.

Nothing is listed twice: a column is a field of a row class, its type is the field's hint, its meaning is what the
class says of the field under ``Attributes:``. A field that is itself a dataclass gives a column for each of its fields,
named ``field_inner``. A dictionary gives a column for each of its keys; its hint must list them, as a Literal of keys
or as `Annotated[dict[str, …], keys]`. A pair gives two columns. A sequence of texts gives one, with commas between the
texts. Other sequences of any length are left out: they are tables of their own, or belong in the report's JSON.
"""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import dataclass, fields, is_dataclass
from math import isfinite
from operator import attrgetter, itemgetter, methodcaller
from types import MappingProxyType, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

ColumnType = Literal["int", "int8", "int16", "int32", "float", "bool", "text", "bytes", "ints"]
"""What the cells of a column hold; of a report int, float, bool or text. ``int`` has 64 bits, ``ints`` is a list."""

TYPES_ELSEWHERE: Final[Mapping[ColumnType, tuple[str, str]]] = MappingProxyType(
    {
        "int": ("int64", "BIGINT"),
        "int8": ("int8", "TINYINT"),
        "int16": ("int16", "SMALLINT"),
        "int32": ("int32", "INTEGER"),
        "float": ("float64", "DOUBLE"),
        "bool": ("bool", "BOOLEAN"),
        "text": ("string", "VARCHAR"),
        "bytes": ("binary", "BLOB"),
        "ints": ("int64", "BIGINT[]"),
    }
)
"""What Arrow and DuckDB call each type; of a list, Arrow what its items are."""

Cell = int | float | bool | str | None
"""What a table holds; None where nothing is known."""

_UNNAMED: Final = frozenset({"ratings", "classes", "kinds", "counted_by"})
"""Dictionaries whose keys say enough: ``xg_pr``, not ``ratings_xg_pr``."""

_FULL: Final = frozenset({"counted_by"})
"""Dictionaries that have every key in every row."""

_LARGEST: Final = 2**63
"""A whole number from here on, or below minus this, becomes an empty cell: most formats cannot hold it."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        name: as it heads the column.
        type: what its cells hold, if anything.
        meaning: a sentence for people, without its full stop; empty where the class has none.
        nullable: whether a cell can be None. Texts are never None, but empty.
        values: the texts that its cells can hold; empty where any text can stand there.
        part: index of the object of a row that it comes from.
        steps: what is done with that object, one step after the other, to get the cell.
        field: class and name of the field, for messages.
    """

    name: str
    type: ColumnType
    meaning: str = ""
    nullable: bool = True
    values: tuple[str, ...] = ()
    part: int = 0
    steps: tuple[Callable[[Any], Any], ...] = ()
    field: str = ""


def arrow_schema_of(columns: Iterable[Column], metadata: Mapping[str, str] | None = None) -> Any:
    """Columns as Arrow wants them."""
    import pyarrow as pa

    def arrow(column: Column) -> Any:
        found = pa.type_for_alias(TYPES_ELSEWHERE[column.type][0])
        return pa.list_(found) if column.type == "ints" else found

    return pa.schema([pa.field(column.name, arrow(column)) for column in columns], metadata)


def _text(value: Any) -> str:
    text = "" if value is None else str(value)
    # A file may hold half of a surrogate pair, which no encoding can write; it becomes a question mark.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _number(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or -_LARGEST <= value < _LARGEST else None


_CHECKED: Final[Mapping[ColumnType, Callable[[Any], Cell]]] = MappingProxyType(
    {"int": _number, "float": _number, "bool": lambda value: value, "text": _text}
)


# --- from classes to columns ----------------------------------------------------------------

_ENTRY: Final = re.compile(r" {4}(\w+(?:, \w+)*): (.+)")
_AS_IN: Final = re.compile(r"as in `(\w+)`\.")


def meanings(kind: type[Any]) -> Mapping[str, str]:
    """What the docstring of a class says of its fields under ``Attributes:``, a sentence each without its full stop."""
    found: dict[str, str] = {}
    names: list[str] = []
    _, _, section = inspect.cleandoc(kind.__doc__ or "").partition("\nAttributes:\n")
    for line in section.splitlines():
        if entry := _ENTRY.fullmatch(line):
            names = entry[1].split(", ")
            found.update(dict.fromkeys(names, entry[2]))
        elif line.startswith(" " * 8):
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
        else:
            break
    for name, text in found.items():
        if reference := _AS_IN.fullmatch(text):
            found[name] = meanings(vars(sys.modules[kind.__module__])[reference[1]]).get(name, "")
    return MappingProxyType({name: text.removesuffix(".") for name, text in found.items()})


class _ColumnPath(NamedTuple):
    """The way from a row to one of its columns, and what the column's name and meaning begin with."""

    part: int
    steps: tuple[Callable[[Any], Any], ...] = ()
    prefix: str = ""
    nullable: bool = False
    about: str = ""  # what a meaning begins with

    def down(
        self, step: Callable[[Any], Any], name: str = "", *, nullable: bool = False, about: str = ""
    ) -> _ColumnPath:
        prefix = f"{self.prefix}{name}_" if name else self.prefix
        return _ColumnPath(self.part, (*self.steps, step), prefix, self.nullable or nullable, about or self.about)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes columns of the objects of a row.

    Attributes:
        pair: names of the two halves of a pair.
        skipped: fields that have no place in the table.
    """

    pair: tuple[str, str]
    skipped: frozenset[str] = frozenset()

    def of(self, kind: type[Any], at: _ColumnPath) -> Iterator[Column]:
        """The columns of a class in the order of its fields."""
        hints, texts = get_type_hints(kind, include_extras=True), meanings(kind)
        for each in fields(kind):
            if each.name not in self.skipped:
                field = f"{kind.__name__}.{each.name}"
                yield from self._of_hint(hints[each.name], each.name, texts.get(each.name, ""), field, at)

    def _of_hint(self, hint: Any, name: str, text: str, field: str, at: _ColumnPath) -> Iterator[Column]:
        hint, optional = _without_none(hint)
        keys: tuple[str, ...] = ()
        if get_origin(hint) is Annotated:
            hint, keys = get_args(hint)
        step = attrgetter(name)
        origin, inner = get_origin(hint), get_args(hint)
        if isinstance(hint, type) and is_dataclass(hint):
            yield from self.of(hint, at.down(step, name, nullable=optional))
        elif origin is tuple and len(inner) == 2 and inner[1] is not Ellipsis:
            yield from self._of_pair(inner, name, text, field, at.down(step, nullable=optional))
        elif origin is tuple and inner[0] is str:
            yield _column(str, name, text, field, at.down(step, nullable=optional).down(", ".join))
        elif origin is tuple:
            return
        elif origin is dict:
            keys = keys or tuple(get_args(inner[0]))
            yield from self._of_dict(keys, inner[1], name, text, field, at.down(step, nullable=optional))
        else:
            yield _column(hint, name, text, field, at.down(step, nullable=optional))

    def _of_pair(self, inner: tuple[Any, ...], name: str, text: str, field: str, at: _ColumnPath) -> Iterator[Column]:
        for number, half in enumerate(self.pair):
            if isinstance(inner[number], type) and is_dataclass(inner[number]):
                within = _Maker(self.pair, self.skipped | {"player"})
                yield from within.of(inner[number], at.down(itemgetter(number), half.format("").strip("_")))
            else:
                yield _column(inner[number], half.format(name), text, field, at.down(itemgetter(number)))

    def _of_dict(
        self, keys: tuple[str, ...], hint: Any, name: str, text: str, field: str, at: _ColumnPath
    ) -> Iterator[Column]:
        if not keys:
            raise TypeError(f"{field}: a dictionary can be columns only where its hint lists the keys")
        for key in filter(None, keys):
            named = re.sub(r"\W+", "_", key) if name in _UNNAMED else f"{name}_" + re.sub(r"\W+", "_", key)
            if name in _FULL:
                yield from self.of(hint, at.down(itemgetter(key), named))
            elif isinstance(hint, type) and is_dataclass(hint):
                yield from self.of(hint, at.down(methodcaller("get", key), named, nullable=True, about=f"{key}: "))
            else:
                yield _column(hint, named, text, field, at.down(methodcaller("get", key), nullable=True))


def _column(hint: Any, name: str, text: str, field: str, at: _ColumnPath) -> Column:
    kind, values = _type(hint, field)
    # The value of a rating has the rating's own name: ``xg_pr``, not ``xg_pr_value``.
    full = at.prefix.removesuffix("_") if name == "value" and at.prefix else at.prefix + name
    if at.nullable and values and "" not in values:
        values = ("", *values)
    nullable = at.nullable and kind != "text"
    return Column(full, kind, at.about + text if text else "", nullable, values, at.part, at.steps, field)


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, UnionType):
        return hint, False
    kept = [each for each in get_args(hint) if each is not NoneType]
    return kept[0] if len(kept) == 1 else hint, NoneType in get_args(hint)


def _type(hint: Any, field: str) -> tuple[ColumnType, tuple[str, ...]]:
    if get_origin(hint) is Literal:
        values = get_args(hint)
        if all(isinstance(value, str) for value in values):
            return "text", values
        hint = type(values[0])
    names: dict[Any, ColumnType] = {bool: "bool", int: "int", float: "float", str: "text"}
    if hint not in names:
        raise TypeError(f"{field}: {hint} is not a type of a column")
    return names[hint], ()


def columns_of(
    kind: type[Any],
    part: int,
    *,
    prefix: str = "",
    pair: tuple[str, str] = ("", ""),
    skipped: frozenset[str] = frozenset(),
) -> Iterator[Column]:
    """The columns of one of the objects that a row is made of.

    Args:
        kind: its class.
        part: which object of the row it is.
        prefix: what the names of its columns begin with.
        pair: names of the two halves of a pair.
        skipped: fields that have no place in the table.
    """
    return _Maker(pair, skipped).of(kind, _ColumnPath(part, prefix=prefix))


def cells_of(columns: Sequence[Column], rows: Iterable[Sequence[object]]) -> Iterator[tuple[Cell, ...]]:
    """The cells of rows, each row given as the objects that it is made of."""
    plan = [(column.part, column.steps, column.type == "text", _CHECKED[column.type]) for column in columns]
    for parts in rows:
        cells: list[Cell] = []
        # A large file has ten million cells, so as little as possible is called for each.
        for part, steps, is_text, checked in plan:
            value: Any = parts[part]
            for step in steps:
                if value is None:
                    break
                value = step(value)
            if value is None:
                cells.append("" if is_text else None)
            else:
                cells.append(value if is_text and type(value) is str and value.isascii() else checked(value))
        yield tuple(cells)
