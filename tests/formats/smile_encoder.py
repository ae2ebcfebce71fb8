"""Writing Smile, for the tests: whatever the specification offers for a value, told apart by a generator."""

from __future__ import annotations

import struct
from typing import Any

MAGIC = b":)\n"


def encode(value: Any, *, shared: int = 3) -> bytes:
    """A document; ``shared`` are the two lowest bits of its header."""
    return MAGIC + bytes([shared]) + _Encoder(shared).value(value)


def number(value: int) -> bytes:
    """Seven bits a byte, six in the last, which has its highest bit set."""
    parts = [0x80 | value & 0x3F]
    value >>= 6
    while value:
        parts.insert(0, value & 0x7F)
        value >>= 7
    return bytes(parts)


def septets(value: int, count: int) -> bytes:
    return bytes(value >> 7 * at & 0x7F for at in reversed(range(count)))


class _Encoder:
    def __init__(self, shared: int) -> None:
        self.names: dict[str, int] | None = {} if shared & 1 else None
        self.texts: dict[str, int] | None = {} if shared & 2 else None
        self.count = [0, 0]

    def value(self, value: Any) -> bytes:
        if value is None or isinstance(value, bool):
            return bytes([{None: 0x21, False: 0x22, True: 0x23}[value]])
        if isinstance(value, int):
            signed = value << 1 ^ value >> 63 if -(1 << 62) < value < 1 << 62 else 0
            if -16 <= value <= 15:
                return bytes([0xC0 | signed])
            if abs(value) < 1 << 62:
                return bytes([0x24 if abs(value) < 1 << 31 else 0x25]) + number(signed)
            data = value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True)
            return b"\x26" + number(len(data)) + safe(data)
        if isinstance(value, float):
            return b"\x29" + septets(struct.unpack(">Q", struct.pack(">d", value))[0], 10)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bytes):
            return b"\xe8" + number(len(value)) + safe(value)
        if isinstance(value, dict):
            return b"\xfa" + b"".join(self.name(name) + self.value(each) for name, each in value.items()) + b"\xfb"
        return b"\xf8" + b"".join(map(self.value, value)) + b"\xf9"

    def _seen(self, which: int, text: str) -> int | None:
        table = (self.names, self.texts)[which]
        if table is None:
            return None
        if text in table:
            return table[text]
        if self.count[which] == 1024:
            table.clear()
            self.count[which] = 0
        if self.count[which] & 0xFF < 0xFE:
            table[text] = self.count[which]
        self.count[which] += 1
        return None

    def text(self, text: str) -> bytes:
        data = text.encode()
        if not data:
            return b"\x20"
        if len(data) > 64:
            return (b"\xe0" if text.isascii() else b"\xe4") + data + b"\xfc"
        index = self._seen(1, text)
        if index is not None:
            return bytes([index + 1]) if index < 31 else bytes([0xEC | index >> 8, index & 0xFF])
        return bytes([0x3F + len(data) if text.isascii() else 0x7E + len(data)]) + data

    def name(self, name: str) -> bytes:
        data = name.encode()
        if not data:
            return b"\x20"
        if len(data) > 56:
            return b"\x34" + data + b"\xfc"
        index = self._seen(0, name)
        if index is not None:
            return bytes([0x40 | index]) if index < 64 else bytes([0x30 | index >> 8, index & 0xFF])
        return bytes([0x7F + len(data) if name.isascii() else 0xBE + len(data)]) + data


def safe(data: bytes) -> bytes:
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 7)
    return bytes(int(bits[at : at + 7], 2) for at in range(0, len(bits), 7))
