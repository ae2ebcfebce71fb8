"""Ways to ruin a record: slips of scribes, of programs, of disks, and of nobody at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    Mutation = Callable[[random.Random, bytes, bytes], bytes]
    """Ruins the first record, perhaps with parts of the second."""

LARGEST: Final = 1 << 17
"""Bytes beyond which nothing is made longer."""

_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")
_LINE_ENDS: Final = (b"\n", b"\r\n", b"\r", b"\n\n", b"\n\r", b"\x85", b"\xe2\x80\xa8", b"\x0b", b"\x0c")
_TEXTS: Final = (
    # rolls and plays
    *("31:", "66: ", "00:", "99:", " 31 ", "8/5", "bar/24", "6/off", "24/18(2)", "13/7*(9)", "25/0", "0/0", "5/8"),
    *("24/23/22/21/20/19/18", "Cannot Move", "????", "??", "Illegal play (XXXX)", "()", "((((", "))))"),
    # the cube, and the end of a game
    *(" Doubles => 2", " Doubles => 999999999", " Redoubles => 0", " Beavers => 4", " Raccoons => 8", " Takes"),
    *(" Automatic double => 2", " Drops", " Resigns", " Forfeits the match", " Concedes", " loses on time"),
    *("\n      Wins 1 point\n", "\n      Wins 999999999 points and the match\n", "  Losses 4 points  ", " Wins 0"),
    # headings
    *("\n Game 1\n", "\n Game 999999999\n", "\n7 point match\n", "\n999999999 point match\n", "\n0 point match\n"),
    *("\n1 point match\n", "\n Ann : 0     Bob : 0\n", "\n : 0     : 0\n", "\n A : 999999999   B : 7\n", " : 1"),
    *('; [Site "Backgammon Galaxy"]\n', '; [Variation "Nackgammon"]\n', '; [Variation "Hypergammon"]\n'),
    *('; [Crawford "Off"]\n', '; [Jacoby "On"]\n', '; [Beaver "On"]\n', '; [CubeLimit "1"]\n', '; [CubeLimit "0"]\n'),
    *('; [Player 1 "\x1b]0;pwned\x07"]\n', '; [EventDate "0000.99.99"]\n', '; ["]\n', '; [a "b"c"]\n', ";", "#"),
    *(";Set Pos=-b----E-C---eE---c-e----B-/0\n", ";Set Pos=OOOOOOOOOOOOOOOOOOOOOOOOOO/9\n"),
    *(";Set Pos=--------------------------/-9\n", ";Set Pos=o------------------------O/0\n"),
    *("  1) ", " 999999999) ", " *) ", "1)1)1)", ":", "::::", "/", "//", "*"),
    # what acts on a terminal, what looks like something else, and numbers that no match has
    *("\0", "\x1b[2J", "\x1b]8;;x\x07", "\x7f", "\x9b31m", "\u202e", "\u2066", "\ufeff", "\u00a0", "\u2028", "\u00b2"),
    *("\u0663\u0661:", "\uff13\uff11:", "\U0010ffff", "\ud800", "é", "\u0301", "\t", "\f", "\v", " " * 40, "9" * 30),
)
WORDS: Final = (
    *(text.encode("utf-8", "surrogatepass") for text in _TEXTS),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x82", b"\xc0\x80", bytes(range(32)), bytes(range(128, 256))),
)
"""What readers look for, and what they should never look at."""


def _cut(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(rng, data)
    return data[:start] + data[end:]


def _break_off(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def _flip_bits(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _change_bytes(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _change_digits(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    digits = [at for at, byte in enumerate(data) if 48 <= byte <= 57]
    changed = bytearray(data)
    for at in rng.sample(digits, min(len(digits), rng.randint(1, 6))):
        changed[at] = rng.randint(48, 57)
    return bytes(changed)


def _insert_word(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(WORDS) * rng.choice((1, 1, 1, 2, 50)) + data[at:]


def _overwrite_with_word(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    at, word = rng.randint(0, len(data)), rng.choice(WORDS)
    return data[:at] + word + data[at + len(word) :]


def _insert_controls(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        changed.insert(rng.randint(0, len(changed)), rng.choice((*range(32), 0x7F, *range(0x80, 0xA0))))
    return bytes(changed)


def _splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


def _insert_other(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = _range(rng, other)
    at = rng.randint(0, len(data))
    return data[:at] + other[start:end] + data[at:]


def _repeat(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(rng, data)
    end = min(end, start + rng.choice((4, 40, 400)))
    return data[:start] + data[start:end] * rng.choice((2, 3, 30)) + data[end:]


def _duplicate_line(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = _LINE.findall(data)
    at = rng.randrange(len(lines))
    return b"".join([*lines[:at], lines[at], *lines[at:]])


def _drop_line(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = _LINE.findall(data)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def _swap_lines(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = _LINE.findall(data)
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines)


def _shuffle_lines(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = _LINE.findall(data)
    start = rng.randrange(len(lines))
    some = lines[start : start + rng.choice((3, 10, len(lines)))]
    rng.shuffle(some)
    lines[start : start + len(some)] = some
    return b"".join(lines)


def _change_line_ends(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = re.split(rb"\r\n|\r|\n", data)
    if rng.random() < 0.5:
        return rng.choice(_LINE_ENDS).join(lines)
    return b"".join(line + rng.choice(_LINE_ENDS) for line in lines)


def _join_lines(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = _LINE.findall(data)
    at = rng.randrange(len(lines))
    lines[at] = lines[at].rstrip(b"\r\n") + b" " * rng.choice((0, 1, 8))
    return b"".join(lines)


def _shift_columns(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    """Move what is in some lines to the right or to the left."""
    lines = _LINE.findall(data)
    start = rng.randrange(len(lines))
    for at in range(start, min(len(lines), start + rng.choice((1, 5, 50)))):
        line = lines[at]
        column = rng.choice((0, rng.randint(0, len(line))))
        if rng.random() < 0.5:
            lines[at] = line[:column] + rng.choice((b" ", b"\t", b"\xc2\xa0")) * rng.randint(1, 20) + line[column:]
        else:
            lines[at] = line[:column] + line[column:].lstrip(b" ")
    return b"".join(lines)


def _recode(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    coded = text.encode(rng.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-7")), "replace")
    return coded[: len(coded) - rng.randint(0, 1)]


MUTATIONS: Final[tuple[Mutation, ...]] = (
    _cut,
    _break_off,
    _flip_bits,
    _change_bytes,
    _change_digits,
    _insert_word,
    _overwrite_with_word,
    _insert_controls,
    _splice,
    _insert_other,
    _repeat,
    _duplicate_line,
    _drop_line,
    _swap_lines,
    _shuffle_lines,
    _change_line_ends,
    _join_lines,
    _shift_columns,
    _recode,
)


def mutate(rng: random.Random, data: bytes, others: Sequence[bytes], *, largest: int = LARGEST) -> bytes:
    """A record with a few mutations, one after the other.

    Args:
        rng: chooses them.
        data: the record.
        others: what parts of other records are taken from.
        largest: bytes to which the outcome is cut.
    """
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        if data:
            data = rng.choice(MUTATIONS)(rng, data, rng.choice(others))[:largest]
    return data


def _range(rng: random.Random, data: bytes) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice((1, 8, 80, 800, 8000)))
