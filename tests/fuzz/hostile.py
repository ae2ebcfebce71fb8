"""Files that nobody would write, of any size: what takes the time and the memory of a careless reader."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats.mat.writer import write
from bgtools.replayer.match import replay
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD: Final = b"7 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
ROW: Final = b"  1) 31: 8/5 6/5                42: 8/4 6/4\n"


def _filled(unit: bytes, size: int) -> bytes:
    return unit * (size // len(unit) + 1)


def matches(size: int) -> bytes:
    """Sound matches of random plays, one after the other."""
    some = b"\n\n".join(write(random_match(seed, 5)).encode() for seed in range(4))
    return _filled(some + b"\n\n", size)


def session(size: int) -> bytes:
    """One money session of sound games."""
    match = random_match(1, 0, games=8)
    games = []
    for each in replay(match):
        _, _, text_of_it = write(replace(match, games=(each.game,))).partition(" Game ")
        games.append((text_of_it.split("\n", 2)[2], each.score, each.score_after))
    text, score = ["0 point match\n"], [0, 0]
    for number in range(1, size // min(len(body) for body, _, _ in games) + 2):
        body, before, after = games[number % len(games)]
        text.append(f"\n Game {number}\n Ann : {score[0]}{' ' * 24}Bob : {score[1]}\n{body}")
        score = [score[side] + after[side] - before[side] for side in (0, 1)]
    return "".join(text).encode()[:size]


def ruined_matches(size: int) -> bytes:
    """Matches in which every tenth digit is another one: of all files those that take longest."""
    rng = random.Random(1)
    text = bytearray(matches(size)[:size])
    for at, byte in enumerate(text):
        if 48 <= byte <= 57 and rng.random() < 0.1:
            text[at] = rng.randint(48, 57)
    return bytes(text)


def games(size: int) -> bytes:
    """As many games as there is room for."""
    return b"0 point match\n" + b"".join(
        b" Game %d\n : 0  : 0\n Wins 1\n" % number for number in range(1, size // 28 + 1)
    )


def headings(size: int) -> bytes:
    """Games of which there is nothing but the headings."""
    return b"7 point match\n" + b"".join(b" Game %d\n" % number for number in range(1, size // 12 + 1))


def every_byte(size: int) -> bytes:
    """Every byte but NUL, which no text has."""
    return HEAD + _filled(bytes(range(1, 256)), size) + b"\n" + ROW


def keys(size: int) -> bytes:
    """Tags whose names are mostly blanks."""
    return _filled(b"; [a" + b" " * 50_000 + b"\n", size) + HEAD + ROW


KINDS: Final[dict[str, Callable[[int], bytes]]] = {
    "sound matches": matches,
    "session": session,
    "games": games,
    "headings": headings,
    "every byte": every_byte,
    "keys of blanks": keys,
    "one line": lambda size: HEAD + b"x" * size + b"\n" + ROW,
    "one word of a row": lambda size: HEAD + b"  1) " + b"x" * size + b"\n",
    "cells of one row": lambda size: HEAD + b"  1) " + _filled(b"31: 8/5 6/5 ", size) + b"\n",
    "numbers of one row": lambda size: HEAD + _filled(b"  1) 31: 8/5 ", size) + b"\n",
    "results of one row": lambda size: HEAD + b"  1) " + _filled(b"Wins 1 point ", size) + b"\n",
    "marks of one row": lambda size: HEAD + b"  1) 31: " + _filled(b"?? ", size) + b"\n",
    "moves of one roll": lambda size: HEAD + b"  1) 31: " + _filled(b"8/5 ", size) + b"\n",
    "points of one move": lambda size: HEAD + b"  1) 31: 8" + _filled(b"/5", size) + b"\n",
    "rows of full width": lambda size: HEAD + _filled(b"  1) " + _filled(b"31: 8/5 ", 60_000) + b"\n", size),
    "nested brackets": lambda size: HEAD + b"  1) 31: 8/5" + b"(" * size + b")" * size + b"\n",
    "a bracket without end": lambda size: HEAD + b"  1) 31: Illegal play (" + b"1" * size + b"\n",
    "nested lists": lambda size: b'{"format": "bgtools.match", "games": ' + b"[" * size,
    "rows": lambda size: HEAD + _filled(ROW, size),
    "rolls of one player": lambda size: HEAD + _filled(b"  1) 31: 8/5 6/5\n", size),
    "plays that cannot be": lambda size: HEAD + _filled(b"  1) 66: 24/18(2) 13/7(2)        66: 7/1(4)\n", size),
    "cells that say nothing": lambda size: HEAD + _filled(b"  1) 31: zork                 42: blah\n", size),
    "doubles": lambda size: HEAD + _filled(b"  1)  Doubles => 2           Takes\n", size),
    "beavers": lambda size: HEAD + _filled(b"  1)  Beavers                Raccoons\n", size),
    "results": lambda size: HEAD + _filled(b"      Wins 1 point\n", size),
    "set positions": lambda size: HEAD + _filled(b";Set Pos=-b----E-C---eE---c-e----B-/0\n", size) + ROW,
    "prose": lambda size: HEAD + _filled(b"It was a dark and stormy night.\n", size),
    "remarks": lambda size: _filled(b"; remark\n", size) + HEAD + ROW,
    "remarks of a game": lambda size: HEAD + _filled(b"; remark\n", size) + ROW,
    "long names": lambda size: _filled(b" Game 1\n " + b"A" * 30_000 + b" : 0   Bob : 0\n" + ROW, size),
    "a remark": lambda size: b"; " + b'["' * (size // 2) + b"\n" + HEAD + ROW,
    "tags": lambda size: _filled(b'; [Event "x"]\n', size) + HEAD + ROW,
    "match lengths": lambda size: _filled(b"7 point match\n", size) + HEAD + ROW,
    "score lines": lambda size: HEAD + _filled(b" Ann : 0   Bob : 0\n", size),
    "colons": lambda size: HEAD + _filled(b": 1 ", size) + b"x : 1\n" + ROW,
    "a name of blanks": lambda size: HEAD + _filled(b"  a" + b" " * 50_000 + b"b : 1     c : 1\n", size) + ROW,
    "digits": lambda size: HEAD + b"1" * size + b"\n" + ROW,
    "empty lines": lambda size: b"\n" * size + HEAD + ROW,
    "blanks": lambda size: b" " * size + HEAD + ROW,
    "returns": lambda size: b"\r" * size + HEAD + ROW,
    "escapes": lambda size: HEAD + _filled(b"\x1b[31m\x07\n", size) + ROW,
    "halves of characters": lambda size: HEAD + _filled(b"\xe2\x82", size) + b"\n" + ROW,
    "two-byte characters cut off": lambda size: (HEAD + _filled(ROW, size // 2)).decode().encode("utf-16")[:-1],
    "NUL bytes": lambda size: HEAD + b"\0" * size,
    "noise": lambda size: random.Random(1).randbytes(size),
}
"""Content of about so many bytes, by what it is."""
