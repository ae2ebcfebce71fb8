"""Bombs: small files that unpack to large ones, and large ones of nothing but what takes most room when it is read."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from typing import TYPE_CHECKING, Final

from bgtools.formats.reading import find_format
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import COMMENTS, RECORDS, ROLLOUTS, Titles, open_archive, pack_archive
from fuzz.hostile import HEAD, KINDS, ROW
from fuzz.smiles import number, smile
from selfplay import random_match
from support import read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.record.record import Match

    Maker = Callable[[int], bytes]

_SOUND: Final = HEAD + ROW + b"      Wins 1 point\n"


def _filled(unit: bytes, size: int) -> bytes:
    return unit * (size // len(unit))


def _match() -> Match:
    return read_text(_SOUND)


# --- packed ---------------------------------------------------------------------------------------


def _bgf(data: bytes) -> bytes:
    return b'{"compression":true,"encoding":"SMILE"}\n' + gzip.compress(data, 9)


def _smile(unit: bytes, *, games: bool = False) -> Maker:
    """A match whose names, or games, are a list of so many bytes of one thing."""
    key = b"games" if games else b"x"
    return lambda size: _bgf(
        b":)\n\3\xfa\x84games\xf8\xf9"
        + bytes([0x80 + len(key) - 1])
        + key
        + b"\xf8"
        + _filled(unit, size)
        + b"\xf9\xfb"
    )


def _moves(size: int) -> bytes:
    move = smile({"player": -1, "from": [8, 6, -1, -1], "to": [5, 5, -1, -1], "green": 3, "red": 1})[4:]
    return _bgf(b":)\n\0\xfa\x84games\xf8\xfa\x84moves\xf8" + _filled(move, size) + b"\xf9\xfb\xf9\xfb")


def _archive(**streams: bytes) -> bytes:
    names = {"records": RECORDS, "comments": COMMENTS, "rollouts": ROLLOUTS}
    files = open_archive(find_format("xg").write((_match(),)))
    return pack_archive({**files, **{names[name]: data for name, data in streams.items()}}, Titles())


def _records(kind: int, *, comment: int = -1, candidates: int = 0) -> Maker:
    """A match of nothing but records of one kind."""

    def make(size: int) -> bytes:
        first = open_archive(find_format("xg").write((_match(),)))[RECORDS][: layout.RECORD_SIZE]
        record = {2: layout.CUBE, 3: layout.MOVE, 1: layout.GAME}[kind].new(kind=kind)
        if kind == 1:
            record["comment_before"] = record["comment_after"] = comment
        elif kind == 3:
            record["player"], record["played"], record["comment"] = 1, 1, comment
            record["dice"] = 3, 1
            record["analysis"]["count"] = candidates
        else:
            record["player"], record["comment"] = 1, comment
        told = b"".join([b"x" * 100_000, b"\r\n"]) if comment >= 0 else b""
        return _archive(records=first + _filled(record.tobytes(), 10 * size), comments=told)

    return make


def _ogxm(section: bytes, unit: bytes, before: bytes = b"") -> Maker:
    """A match with a section of so many bytes of one thing."""

    def make(size: int) -> bytes:
        data = find_format("ogxm").write((_match(),))
        body = before + _filled(unit, size)
        part = section + len(body).to_bytes(4, "little") + b"\0"
        data = data[: data.rfind(b"CSUM")] + part + body + data[-4:]
        return data[:12] + len(data).to_bytes(4, "little") + data[16:]

    return make


def _zip(count: int, method: int = zipfile.ZIP_DEFLATED) -> Maker:
    def make(size: int) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as archive:
            for at in range(min(count, max(size // 200, 1))):
                archive.writestr(f"{at}.mat", _SOUND if count > 1 else bytes(64 << 20))
        return packed.getvalue()

    return make


# --- text -----------------------------------------------------------------------------------------


def _json(unit: bytes, key: bytes = b"games") -> Maker:
    head = b'{"format":"bgtools.match","version":1,"matches":[{"players":["a","b"],"length":1,"games":['
    if key == b"entries":
        head += b'{"number":1,"score":[0,0],"results":[],"entries":['
    return lambda size: head + _filled(unit + b",", size)[:-1] + (b"]}" if key == b"entries" else b"") + b"]}]}"


def _gva(unit: bytes) -> Maker:
    return lambda size: (
        b'{"match_length":3,"player_white":"a","player_black":"b","games":[' + _filled(unit + b",", size)[:-1] + b"]}"
    )


def _sgf(unit: bytes) -> Maker:
    return lambda size: b"(;FF[4]GM[6]PB[a]PW[b]MI[length:3]" + _filled(unit, size) + b")"


def _repeated(name: str) -> Maker:
    """Records of a format one after the other."""
    return lambda size: _filled(
        b"".join(find_format(name).write((random_match(seed, 1),)) + b"\n\n" for seed in range(3)), size
    )


def _nested(name: str) -> Maker:
    """An archive in an archive in an archive."""

    def make(size: int) -> bytes:
        data = _SOUND + bytes(8 * size)
        for depth in range(40):
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(f"{depth}.zip" if depth else name, data)
            data = packed.getvalue()
        return data

    return make


def _long_name(size: int) -> bytes:
    """A name that takes nine tenths of the file, and entries that cannot be."""
    name = b"A" * (size - size // 10)
    return b"(;FF[4]GM[6]PB[" + name + b"]PW[b]MI[length:3]" + _filled(b";B[11hefe];W[42hcfb]", size // 10) + b")"


BOMBS: Final[dict[str, tuple[str, Maker]]] = {
    "empty lists.bgf": ("bgf", _smile(b"\xf8\xf9")),
    "empty objects.bgf": ("bgf", _smile(b"\xfa\xfb")),
    "objects of one.bgf": ("bgf", _smile(b"\xfa\x80a\xc0\xfb")),
    "shared texts.bgf": ("bgf", _smile(b"\x7f" + b"x" * 64 + b"\x01" * 1000)),
    "numbers.bgf": ("bgf", _smile(b"\x29" + b"\1" * 10)),
    "safe bytes.bgf": ("bgf", _smile(b"\xe8\x81\0\0")),
    "games.bgf": ("bgf", _smile(b"\xfa\xfb", games=True)),
    "moves.bgf": ("bgf", _moves),
    "nested.bgf": ("bgf", lambda size: _bgf(b":)\n\0" + b"\xf8" * size)),
    "a number.bgf": ("bgf", lambda size: _bgf(b":)\n\0\xf8" + _filled(b"\x26" + number(1024) + b"\1" * 1171, size))),
    "zeros.bgf": ("bgf", lambda size: _bgf(bytes(8 * size))),
    "json.bgf": ("bgf", lambda size: _bgf(b'{"games":[' + _filled(b"[],", size)[:-1] + b"]}")),
    "zeros.xg": ("xg", lambda size: _archive(records=bytes(8 * size))),
    "games.xg": ("xg", _records(1)),
    "games of one comment.xg": ("xg", _records(1, comment=0)),
    "moves.xg": ("xg", _records(3)),
    "candidates.xg": ("xg", _records(3, candidates=32)),
    "cubes.xg": ("xg", _records(2)),
    "a comment.xg": ("xg", lambda size: _archive(comments=b"{\\rtf" + b"\\par" * (8 * size))),
    "braces.xg": ("xg", lambda size: _archive(comments=b"{\\rtf" + b"{" * (8 * size))),
    "characters.xg": ("xg", lambda size: _archive(comments=b"{\\rtf" + b"\\u1?" * (8 * size))),
    "comments.xg": ("xg", lambda size: _archive(comments=b"x\r\n" * (8 * size))),
    "rollouts.xg": ("xg", lambda size: _archive(rollouts=bytes(8 * size))),
    "plies.ogxm": ("ogxm", _ogxm(b"GAME", b"\1\0", b"\1\0")),
    "games.ogxm": ("ogxm", _ogxm(b"GAME", b"\x3e")),
    "remarks.ogxm": ("ogxm", _ogxm(b"ANNO", b"\x05\0\0\0\1a")),
    "members.zip": ("zip", _zip(100_000)),
    "zeros.zip": ("zip", _zip(1)),
    "zeros, another way.zip": ("zip", _zip(1, zipfile.ZIP_LZMA)),
    "parts.gz": ("gz", lambda size: _filled(gzip.compress(b""), size)),
    "zeros.gz": ("gz", lambda size: gzip.compress(bytes(8 * size))),
    "match text.gz": ("gz", lambda size: gzip.compress(_filled(_SOUND, size))),
    "lists.json": ("json", _json(b"[]")),
    "games.json": ("json", _json(b'{"number":1,"score":[0,0],"results":[],"entries":[]}')),
    "takes.json": ("json", _json(b'{"type":"take","player":0}', b"entries")),
    "notes.json": (
        "json",
        _json(
            b'{"type":"take","player":0,"annotation":{"plays":{"candidates":['
            + b",".join([b'{"hops":["8/5"],"evaluation":{"equity":0.1}}'] * 200)
            + b"]}}}",
            b"entries",
        ),
    ),
    "hops of a play.json": (
        "json",
        lambda size: _json(
            b'{"type":"play","player":0,"dice":[3,1],"text":{"kind":"moves","hops":['
            + b",".join([b'"8/5"'] * (size // 6))
            + b"]}}",
            b"entries",
        )(size + 200),
    ),
    "nested.json": ("json", lambda size: b'{"format":"bgtools.match","a":' + b"[" * size),
    "a number.json": ("json", lambda size: b'{"format":"bgtools.match","version":' + b"1" * size + b"}"),
    "games.gva": ("gva", _gva(b"{}")),
    "lists.gva": ("gva", _gva(b"[[]]")),
    "nodes.sgf": ("sgf", _sgf(b";")),
    "plays.sgf": ("sgf", _sgf(b";B[31hefe]")),
    "values.sgf": ("sgf", _sgf(b"A[0]")),
    "values of one property.sgf": ("sgf", lambda size: _sgf(b"[0]")(size).replace(b"]]", b"]A[", 1)),
    "a roll.sgf": ("sgf", lambda size: _sgf(b";")(1)[:-1] + b";B[31" + b"he" * (size // 2) + b"])"),
    "hops of a roll.gva": ("gva", _gva(b'{"plies":[{"color":1,"action_id":' + b"2" * 64 + b"}]}")),
    "moves of one line.tmg": (
        "tmg",
        lambda size: b"MatchID: 1\nPlayer1: 1 a\n1 1 1 31 " + b"8/5 " * (size // 4) + b"\n",
    ),
    "moves of one line.txt": (
        "any",
        lambda size: b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n 1. 3-ply " + b"8/5 " * (size // 4) + b"\n",
    ),
    "trees.sgf": ("sgf", _sgf(b"(;)")),
    "collection.sgf": ("sgf", lambda size: _filled(b"(;FF[4]GM[6];B[31hefe])", size)),
    "nested.sgf": ("sgf", lambda size: b"(;" * (size // 2)),
    "brackets.sgf": ("sgf", _sgf(b"[")),
    "stray.sgf": ("sgf", _sgf(b"x]")),
    "comments.sgf": ("sgf", _sgf(b";C[\\]\\]]")),
    "a long name.sgf": ("sgf", _long_name),
    "games.sgf": ("sgf", lambda size: _filled(b"(;FF[4]GM[6]PB[a]PW[b]MI[length:3];B[31hefe];W[42hdfd])\n", size)),
    "variations.sgf": ("sgf", _sgf(b"(;W[42hdfd];B[31hefe])")),
    "a comment.sgf": ("sgf", lambda size: _sgf(b";")(1)[:-1] + b";B[31hefe]C[" + b"x " * (size // 2) + b"])"),
    "comments.gva": ("gva", _gva(b'{"plies":[{"color":1,"action_id":21,"annotations":[{"value":"x"}]}]}')),
    "in one another.zip": ("zip", _nested("a.mat")),
    **{f"records.{name}": (name, _repeated(name)) for name in ("oldmoves", "tmg", "sgg", "snowie")},
    "boards.fibs": ("fibs", lambda size: _filled(b"board:You:x:1:0:0:" + b"0:" * 45 + b"0\n", size)),
    "lines.sgg": ("sgg", lambda size: b"Player 1: a\nPlayer 2: b\n" + _filled(b"1a 31: 8-5 6-5\n", size)),
    "lines.tmg": ("tmg", lambda size: b"MatchID: 1\nPlayer1: 1 a\n" + _filled(b"1 1 1 31 8/5 6/5\n", size)),
    "words.html": ("any", lambda size: b"<html>" + _filled(b"<b>XGID=-", size)),
    "lines of XG.txt": ("any", lambda size: b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n" * (size // 52)),
    "lines of noise.txt": ("any", lambda size: random.Random(1).randbytes(size).hex(" ", 8).encode()),
    **{f"{kind}.mat": ("mat", maker) for kind, maker in KINDS.items()},
}
"""By their names: the format that reads them, and what makes one of about so many bytes before it is packed."""
