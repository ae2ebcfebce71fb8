"""The building blocks of OGXM 2: numbers of variable length, texts, and records that say which fields they hold.

A record is its length, a mask with a bit for every field that may be missing, the fields that are always
there, and the fields that the mask names. `Layout` is the table of such a record; it both reads and writes it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.formats.content import FormatError
from bgtools.formats.limits import PieceBudget, most_pieces
from bgtools.formats.shared.json_values import Taken

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST_BITS: Final = 64
MOST_TEXT: Final = 4096
"""The most bytes of a text."""


class Cursor:
    """A place in some bytes, and an end that no reading passes."""

    __slots__ = ("at", "data", "end", "room")

    def __init__(self, data: bytes, at: int = 0, end: int | None = None, room: PieceBudget | None = None) -> None:
        self.data = data
        self.room = PieceBudget("records", 4 * most_pieces()) if room is None else room
        self.at = at
        self.end = len(data) if end is None else end

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= self.end

    def take(self, count: int) -> bytes:
        """The next bytes.

        Raises:
            FormatError: there are not that many.
        """
        if count > self.end - self.at:
            raise FormatError(f"this OGXM file is damaged: a record ends too soon, at byte {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def number(self, bits: int = 32) -> int:
        """A number with seven bits in each byte, the lowest first. The eighth bit says that more bytes follow."""
        value = shift = 0
        while shift < bits:
            part = self.byte()
            value |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                if value >> bits:
                    break
                return value
        raise FormatError(f"this OGXM file is damaged: a number at byte {self.at} is too long")

    def inside(self, count: int) -> Cursor:
        """A cursor over the next bytes only; this one goes on behind them."""
        start = self.at
        self.take(count)
        return Cursor(self.data, start, self.at, self.room)


def number_bytes(value: int) -> bytes:
    """A number as `Cursor.number` reads it.

    Raises:
        FormatError: it is less than 0.
    """
    if value < 0:
        raise FormatError(f"OGXM cannot hold {value}, a number less than 0")
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


class ValueKind(NamedTuple):
    """The functions that read and write a value."""

    read: Callable[[Cursor], Any]
    write: Callable[[Any], bytes]


def _packed(layout: str, scale: float = 0) -> ValueKind:
    """A number of fixed size. With a scale, the file holds the value times the scale, rounded."""
    form = struct.Struct(layout)
    low, high = (0, 256**form.size - 1) if layout[-1].isupper() else (-(256**form.size) // 2, 256**form.size // 2 - 1)

    def read(cursor: Cursor) -> Any:
        (value,) = form.unpack(cursor.take(form.size))
        return value / scale if scale else value

    def write(value: Any) -> bytes:
        return form.pack(round(min(max(value * scale, low), high)) if scale else value)

    return ValueKind(read, write)


def _read_text(cursor: Cursor) -> str:
    return cursor.take(cursor.number()).decode("utf-8", "replace")


def _write_text(text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    if len(data) > MOST_TEXT:
        raise FormatError(f"OGXM cannot hold a text of more than {MOST_TEXT} bytes")
    return number_bytes(len(data)) + data


def several(kind: ValueKind, count: int) -> ValueKind:
    """A fixed count of values, one behind the other."""

    def read(cursor: Cursor) -> tuple[Any, ...]:
        return tuple(kind.read(cursor) for _ in range(count))

    return ValueKind(read, lambda values: b"".join(map(kind.write, values)))


def many(kind: ValueKind) -> ValueKind:
    """A count, then so many values. Each value takes at least a byte, so with too high a count the bytes run out."""

    def read(cursor: Cursor) -> tuple[Any, ...]:
        return tuple(kind.read(cursor) for _ in range(cursor.number()))

    return ValueKind(read, lambda values: number_bytes(len(values)) + b"".join(map(kind.write, values)))


def _raw(count: int) -> ValueKind:
    return ValueKind(lambda cursor: cursor.take(count), bytes)


NUMBER: Final = ValueKind(Cursor.number, number_bytes)
LONG: Final = ValueKind(lambda cursor: cursor.number(_MOST_BITS), number_bytes)
TEXT: Final = ValueKind(_read_text, _write_text)
FLAG: Final = ValueKind(lambda _: True, lambda _: b"")
"""A field without a value: its bit in the mask is the value."""
BYTE: Final = _packed("<B")
BYTES: Final = ValueKind(lambda cursor: cursor.take(cursor.number()), lambda data: number_bytes(len(data)) + data)
IDENTITY: Final = _raw(16)
DIGEST: Final = _raw(32)
SEED: Final = _packed("<Q")
EQUITY: Final = _packed("<i", 1e6)
LOSS: Final = _packed("<I", 1e6)
CHANCE: Final = _packed("<H", 1e4)
CHANCES: Final = several(CHANCE, 5)
DICE: Final = several(BYTE, 2)
SCORE: Final = several(NUMBER, 2)
BOARD: Final = several(_packed("<b"), 26)


@dataclass(frozen=True, slots=True)
class Layout:
    """A record.

    Attributes:
        fields: the fields that the mask names, in the order of their bits from 0 on.
        always: the fields before these, which every record has.
    """

    fields: tuple[tuple[str, ValueKind], ...]
    always: tuple[tuple[str, ValueKind], ...] = ()

    def read(self, cursor: Cursor) -> Taken:
        """The fields of the next record. What a later version has besides is one field, "later fields"."""
        cursor.room.take()
        body = cursor.inside(cursor.number())
        mask = body.number(_MOST_BITS)
        found = Taken((name, kind.read(body)) for name, kind in self.always)
        found.update((name, kind.read(body)) for bit, (name, kind) in enumerate(self.fields) if mask >> bit & 1)
        if not body.is_done:
            found["later fields"] = body.end - body.at
        return found

    def write(self, values: Mapping[str, Any]) -> bytes:
        """The bytes of a record; fields that are None or False are left out."""
        given = [(bit, kind, values.get(name)) for bit, (name, kind) in enumerate(self.fields)]
        given = [(bit, kind, value) for bit, kind, value in given if value is not None and value is not False]
        body = number_bytes(sum(1 << bit for bit, _, _ in given))
        body += b"".join(kind.write(values[name]) for name, kind in self.always)
        body += b"".join(kind.write(value) for _, kind, value in given)
        return number_bytes(len(body)) + body


def nested(layout: Layout) -> ValueKind:
    """A record inside another."""
    return ValueKind(layout.read, layout.write)
