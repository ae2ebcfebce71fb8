"""Records of binary files: fields of fixed sizes at fixed offsets, read and written one at a time."""

from __future__ import annotations

import struct
from itertools import repeat
from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Sequence[tuple[str, Any]]
    """Names and types of some fields.

    A type is one of `_CODES`, ``S4`` for four bytes, another record, or a pair of a type and its shape.
    """

_CODES: Final = {
    "u1": "B",
    "i1": "b",
    "<i2": "h",
    "<u2": "H",
    "<i4": "i",
    "<u4": "I",
    "<i8": "q",
    "<f4": "f",
    "<f8": "d",
}
"""Numbers, all little-endian, by the codes of `struct`."""


class BinaryField(NamedTuple):
    """A field of a record.

    Attributes:
        offset: its first byte.
        size: how many bytes it takes.
        item: what each of its values is: a code of `struct`, ``s`` for bytes, or a record.
        shape: how many values it has: none for one value, one number for a row, two for rows of rows.
        form: its row of numbers, or its bytes, as `struct` reads them.
    """

    offset: int
    size: int
    item: str | RecordType
    shape: tuple[int, ...]
    form: struct.Struct

    @property
    def limits(self) -> tuple[int, int] | None:
        """The lowest and the highest whole number that it holds; None where it holds no whole numbers."""
        if not isinstance(self.item, str) or self.item in "fds":
            return None
        bits = 8 * struct.calcsize(f"<{self.item}")
        return (0, (1 << bits) - 1) if self.item.isupper() else (-(1 << bits - 1), (1 << bits - 1) - 1)


class RecordType:
    """The fields of a kind of record.

    Args:
        fields: its fields, in order.
        start: the lowest offset of the first field.
        size: the size of the whole record; 0 for the size that the fields need.
        packed: whether the fields stand without gaps; else each begins at the next multiple of its own size, as
            records lie in memory.

    Attributes:
        fields: the fields by their names.
        size: of a record, in bytes.
        alignment: the size of its widest field.
    """

    fields: Mapping[str, BinaryField]
    size: int
    alignment: int

    def __init__(self, fields: Fields, *, start: int = 0, size: int = 0, packed: bool = False) -> None:
        found: dict[str, BinaryField] = {}
        at, widest = start, 1
        for name, kind in fields:
            item, shape = kind if isinstance(kind, tuple) else (kind, ())
            shape = (shape,) if isinstance(shape, int) else shape
            if isinstance(item, RecordType):
                alignment, one, code = item.alignment, item.size, f"{item.size}s"
            elif item in _CODES:
                item = _CODES[item]
                alignment = one = struct.calcsize(f"<{item}")
                code = f"{prod(shape)}{item}"
            else:
                alignment, one, code = 1, int(item[1:]), f"{item[1:]}s"
                item = "s"
            alignment = 1 if packed else alignment
            widest = max(widest, alignment)
            at += -at % alignment
            found[name] = BinaryField(at, one * prod(shape), item, shape, struct.Struct(f"<{code}"))
            at += one * prod(shape)
        self.fields = found
        self.size = size or at + -at % widest
        self.alignment = widest

    def new(self, **values: Any) -> BinaryRecord:
        """A record of zeros, with these values in it."""
        record = BinaryRecord(self, bytearray(self.size), 0)
        for name, value in values.items():
            record[name] = value
        return record

    def at(self, data: bytes | bytearray, at: int = 0) -> BinaryRecord:
        """The record that begins at a byte. It can be written to where the bytes can.

        Raises:
            ValueError: the data end before it.
        """
        if not 0 <= at <= len(data) - self.size:
            raise ValueError(f"a record of {self.size} bytes does not lie in {len(data)} bytes at {at}")
        return BinaryRecord(self, data, at)

    def rows(self, data: bytes, count: int, at: int = 0) -> list[BinaryRecord]:
        """So many records, one behind the other."""
        return [self.at(data, at + number * self.size) for number in range(count)]


class BinaryRecord:
    """A record in some bytes: ``record["name"]`` reads a field, and an assignment writes it.

    A field of one value is that value, a row of numbers a tuple. Of a field that is a record, or has rows of rows, one
    gets a view that can be written to. A single number that is assigned to a row fills it.

    Attributes:
        type: its fields.
        data: the bytes in which it lies, from byte ``begin`` on.
    """

    __slots__ = ("begin", "data", "type")

    def __init__(self, kind: RecordType, data: bytes | bytearray, begin: int) -> None:
        self.type, self.data, self.begin = kind, data, begin

    def __getitem__(self, name: str) -> Any:
        offset, _, item, shape, form = self.type.fields[name]
        at = self.begin + offset
        if not isinstance(item, str):
            if not shape:
                return BinaryRecord(item, self.data, at)
            return [BinaryRecord(item, self.data, at + number * item.size) for number in range(*shape)]
        if len(shape) > 1:
            return BinaryRows(self.data, at, struct.Struct(f"<{shape[1]}{item}"), shape[0])
        found = form.unpack_from(self.data, at)
        return found if shape else found[0]

    def __setitem__(self, name: str, value: Any) -> None:
        offset, _, item, shape, form = self.type.fields[name]
        if not isinstance(item, str):
            pairs = zip(item.fields, value, strict=True)
            inner = cast("BinaryRecord", self[name])
            for each, part in pairs:
                inner[each] = part
            return
        values = repeat(value, prod(shape)) if isinstance(value, int | float | bytes) else value
        _pack(form, cast("bytearray", self.data), self.begin + offset, *values)

    def raw(self, name: str) -> bytes:
        """The bytes of a field."""
        offset, size, *_ = self.type.fields[name]
        return bytes(self.data[self.begin + offset : self.begin + offset + size])

    def put_raw(self, name: str, data: bytes) -> None:
        """Write the bytes of a field."""
        offset, size, *_ = self.type.fields[name]
        assert len(data) == size
        cast("bytearray", self.data)[self.begin + offset : self.begin + offset + size] = data

    def tobytes(self) -> bytes:
        """The whole record."""
        return bytes(self.data[self.begin : self.begin + self.type.size])


class BinaryRows:
    """Rows of numbers in a record; each can be written to."""

    __slots__ = ("_at", "_count", "_data", "_form")

    def __init__(self, data: bytes | bytearray, at: int, form: struct.Struct, count: int) -> None:
        self._data, self._at, self._form, self._count = data, at, form, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> tuple[Any, ...]:
        return self._form.unpack_from(self._data, self._at + number * self._form.size)

    def __setitem__(self, number: int, values: Sequence[Any]) -> None:
        _pack(self._form, cast("bytearray", self._data), self._at + number * self._form.size, *values)

    def first(self, count: int) -> Iterator[tuple[Any, ...]]:
        """The first so many rows."""
        return self._form.iter_unpack(self._data[self._at : self._at + count * self._form.size])

    def raw(self, number: int) -> bytes:
        """The bytes of a row."""
        at = self._at + number * self._form.size
        return bytes(self._data[at : at + self._form.size])


def _pack(form: struct.Struct, data: bytearray, at: int, *values: Any) -> None:
    """Write values.

    Raises:
        OverflowError: one of them is too large for its field.
    """
    try:
        form.pack_into(data, at, *values)
    except struct.error as error:
        raise OverflowError(str(error)) from None
