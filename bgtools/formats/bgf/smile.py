"""Reading Smile, a binary form of JSON, by its specification.

Source: https://github.com/FasterXML/smile-format-specification, version 1.0.6. All of it is read except
the reserved tokens. Every token takes at least a byte and is read once, so the time grows with the length of the file.
The number of values is limited, because an empty list takes one byte in a file but a hundred in memory.
"""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any, Final

from bgtools.formats.content import FormatError
from bgtools.formats.limits import PieceBudget, most_values
from bgtools.formats.shared.json_values import Taken

MAGIC: Final = b":)\n"
_SHARES_NAMES: Final = 0x01
_SHARES_TEXTS: Final = 0x02
_VERSION_BITS: Final = 0xF0
_MOST_SHARED: Final = 1024
_MOST_DEPTH: Final = 200
_MOST_DIGIT_BYTES: Final = 1024
"""The most bytes of a number without bounds: no record needs more, and longer ones take long to compute with."""
_MOST_SCALE: Final = 400
_TEXT_END: Final = 0xFC
_ARRAY, _ARRAY_END, _OBJECT, _OBJECT_END, _RAW = 0xF8, 0xF9, 0xFA, 0xFB, 0xFD
_LITERALS: Final = {0x20: "", 0x21: None, 0x22: False, 0x23: True}


def decode(data: bytes) -> Any:
    """The first value of a Smile document, as `json.loads` would give it; binary data as bytes.

    Raises:
        FormatError: it is not a Smile, damaged, or cut off.
    """
    if not data.startswith(MAGIC) or len(data) <= len(MAGIC):
        raise FormatError("this is not a Smile: it does not begin with :)")
    if data[len(MAGIC)] & _VERSION_BITS:
        raise FormatError("this Smile is of a version that is not known")
    return _Decoder(data).value(0)


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.room = PieceBudget("values", most_values())
        self.at = len(MAGIC) + 1
        bits = data[len(MAGIC)]
        self.names: list[str] | None = [] if bits & _SHARES_NAMES else None
        self.texts: list[str] | None = [] if bits & _SHARES_TEXTS else None

    def _fail(self, why: str) -> FormatError:
        return FormatError(f"this Smile is damaged: {why}, at byte {self.at}")

    # --- bytes ------------------------------------------------------------------------------

    def _byte(self) -> int:
        if self.at >= len(self.data):
            raise self._fail("it ends too soon")
        self.at += 1
        return self.data[self.at - 1]

    def _take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise self._fail("it ends too soon")
        self.at += count
        return self.data[self.at - count : self.at]

    def _until_end(self) -> str:
        end = self.data.find(_TEXT_END, self.at)
        if end < 0:
            raise self._fail("a text has no end")
        text = self.data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return text

    def _number(self, most: int = 10) -> int:
        """A number with seven bits in each byte, and six in the last, which has its highest bit set."""
        value = 0
        for _ in range(most):
            part = self._byte()
            if part & 0x80:
                return value << 6 | part & 0x3F
            value = value << 7 | part
        raise self._fail("a number is too long")

    def _septets(self, count: int) -> int:
        """A number from a fixed count of bytes, with seven bits in each."""
        value = 0
        for part in self._take(count):
            value = value << 7 | part & 0x7F
        return value

    def _safe_bytes(self) -> bytes:
        """Bytes that are written as seven bits in each byte; the lowest bits of the last byte hold the remainder."""
        size = self._number(5)
        written = (8 * size + 6) // 7
        packed = self._take(written)
        found = bytearray()
        bits = held = 0
        for part in packed:
            held = (held << 7 | part & 0x7F) & 0x7FFF
            bits += 7
            if bits >= 8 and len(found) < size:
                bits -= 8
                found.append(held >> bits & 0xFF)
        return bytes(found)

    def _big(self) -> int:
        data = self._safe_bytes()
        if len(data) > _MOST_DIGIT_BYTES:
            raise self._fail("a number has too many digits")
        return int.from_bytes(data, "big", signed=True)

    # --- values -----------------------------------------------------------------------------

    def value(self, depth: int) -> Any:
        """The next value."""
        return self._value(self._byte(), depth)

    def _value(self, token: int, depth: int) -> Any:
        self.room.take()
        if depth > _MOST_DEPTH:
            raise self._fail("it is nested too deeply")
        if token in _LITERALS:
            return _LITERALS[token]
        if 0x01 <= token <= 0x1F:
            return self._shared(self.texts, token - 1)
        if 0x40 <= token <= 0xBF:
            return self._text(token)
        if 0xC0 <= token <= 0xDF:
            return _signed(token & 0x1F)
        match token:
            case 0x24 | 0x25:
                return _signed(self._number(5 if token == 0x24 else 10))
            case 0x26:
                return self._big()
            case 0x28:
                return struct.unpack(">f", (self._septets(5) & 0xFFFFFFFF).to_bytes(4, "big"))[0]
            case 0x29:
                return struct.unpack(">d", (self._septets(10) & (1 << 64) - 1).to_bytes(8, "big"))[0]
            case 0x2A:
                scale = _signed(self._number(5))
                if abs(scale) > _MOST_SCALE:
                    raise self._fail("a number has too many digits")
                return float(Decimal(self._big()).scaleb(-scale))
            case 0xE0 | 0xE4:
                return self._until_end()
            case 0xE8:
                return self._safe_bytes()
            case 0xEC | 0xED | 0xEE | 0xEF:
                return self._shared(self.texts, (token & 3) << 8 | self._byte())
            case _ if token == _RAW:
                return self._take(self._number(5))
            case _ if token == _ARRAY:
                return self._array(depth)
            case _ if token == _OBJECT:
                return self._object(depth)
        raise self._fail(f"nothing begins with {token:#04x}")

    def _text(self, token: int) -> str:
        # Short and long ASCII texts, of 1 byte or more; then short and long texts of any letters, of 2 bytes or more.
        count = (token & 0x3F) + 1 if token < 0x80 else (token & 0x3F) + 2
        text = self._take(count).decode("utf-8", "replace")
        _keep(self.texts, text)
        return text

    def _shared(self, table: list[str] | None, index: int) -> str:
        if table is None or index >= len(table):
            raise self._fail("a text is referred to that has not been")
        return table[index]

    def _array(self, depth: int) -> list[Any]:
        found: list[Any] = []
        while (token := self._byte()) != _ARRAY_END:
            found.append(self._value(token, depth + 1))
        return found

    def _object(self, depth: int) -> dict[str, Any]:
        found = Taken()
        while (token := self._byte()) != _OBJECT_END:
            name = self._name(token)
            found[name] = self.value(depth + 1)
        return found

    def _name(self, token: int) -> str:
        if token == 0x20:
            return ""
        if 0x30 <= token <= 0x33:
            return self._shared(self.names, (token & 3) << 8 | self._byte())
        if token == 0x34:
            return self._until_end()
        if 0x40 <= token <= 0x7F:
            return self._shared(self.names, token & 0x3F)
        if 0x80 <= token <= 0xF7:
            count = (token & 0x3F) + 1 if token < 0xC0 else (token & 0x3F) + 2
            name = self._take(count).decode("utf-8", "replace")
            _keep(self.names, name)
            return name
        raise self._fail(f"no name begins with {token:#04x}")


def _signed(value: int) -> int:
    """The number of a zigzag code, whose lowest bit is the sign."""
    return value >> 1 ^ -(value & 1)


def _keep(table: list[str] | None, text: str) -> None:
    if table is not None:
        if len(table) >= _MOST_SHARED:
            table.clear()
        table.append(text)
