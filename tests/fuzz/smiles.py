"""Smile, the binary form of JSON, written as far as tests need it."""

from __future__ import annotations

import struct
from typing import Any


def smile(value: Any) -> bytes:
    """A Smile document without shared texts."""
    return b":)\n\0" + value_of(value)


def value_of(value: Any) -> bytes:
    """The bytes of a value."""
    match value:
        case None:
            return b"\x21"
        case bool():
            return b"\x23" if value else b"\x22"
        case int():
            return b"\x25" + number(value << 1 if value >= 0 else ~(value << 1))
        case float():
            bits = int.from_bytes(struct.pack(">d", value), "big")
            return b"\x29" + bytes(bits >> shift & 0x7F for shift in range(63, -1, -7))
        case str():
            return b"\xe4" + value.encode() + b"\xfc" if value else b"\x20"
        case list():
            return b"\xf8" + b"".join(map(value_of, value)) + b"\xf9"
    pairs = (b"\x34" + name.encode() + b"\xfc" + value_of(each) for name, each in value.items())
    return b"\xfa" + b"".join(pairs) + b"\xfb"


def number(value: int) -> bytes:
    """A number of seven bits a byte, of the last byte six."""
    parts = [value & 0x3F | 0x80]
    value >>= 6
    while value:
        parts.append(value & 0x7F)
        value >>= 7
    return bytes(reversed(parts))
