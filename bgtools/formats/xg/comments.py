"""The comments of eXtreme Gammon's files: each line is a comment in Rich Text Format, with #1#2 for its line ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINE_END: Final = b"\r\n"
_INNER_LINE_END: Final = b"\x01\x02"

_TOKEN: Final = re.compile(
    rb"\\(?P<word>[a-zA-Z]+)(?P<number>-?\d+)? ?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<symbol>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n\\]"
)
_WORDS: Final = {
    b"par": "\n", b"line": "\n", b"sect": "\n", b"page": "\n", b"tab": "\t", b"emdash": "—", b"endash": "–",
    b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•",
}  # fmt: skip
_SYMBOLS: Final = {b"~": "\N{NO-BREAK SPACE}", b"_": "-", b"-": "", b"*": "", b"\r": "\n", b"\n": "\n"}
_NOT_TEXT: Final = frozenset({b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"generator"})
"""A group that begins with one of these words holds no text of the comment."""

_HEAD: Final = (
    "{\\rtf1\\ansi\\ansicpg1252\\deff0\\deflang1033{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}}\r\n"
    "\\viewkind4\\uc1\\pard\\fs20 "
)
_TAIL: Final = "\\par\r\n}\r\n"


class CommentList:
    """Collects the comments of a file."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def add(self, text: str) -> int:
        """Add a comment. Returns the index by which records name it; -1 for an empty comment."""
        if not text:
            return -1
        self.texts.append(text)
        return len(self.texts) - 1


def read_comments(data: bytes) -> tuple[str, ...]:
    """The comments in a file of comments, as plain text, by the indices that records use."""
    return tuple(_plain(line.replace(_INNER_LINE_END, _LINE_END)) for line in split_comments(data))


def split_comments(data: bytes) -> list[bytes]:
    """The comments in a file of comments, each in its Rich Text Format."""
    return data.removesuffix(_LINE_END).split(_LINE_END) if data else []


def join_comments(lines: Sequence[bytes]) -> bytes:
    """A file of comments, from the list that `split_comments` gives."""
    return b"".join(line + _LINE_END for line in lines)


def write_comments(texts: Sequence[str]) -> bytes:
    """A file of comments, from plain texts."""
    return join_comments([_rich(text).encode("ascii").replace(_LINE_END, _INNER_LINE_END) for text in texts])


def _plain(data: bytes) -> str:
    if not data.lstrip().startswith(b"{\\rtf"):
        return data.decode("cp1252", "replace").strip()
    # A character beyond the first 65,536 is written as two surrogates of UTF-16.
    return "".join(_texts(data)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").strip()


def _texts(data: bytes) -> Iterator[str]:
    silent: list[bool] = [False]  # for every group that is open, whether it holds no text
    skipped, left = 1, 0  # how many bytes to skip: they repeat a Unicode character for programs without Unicode
    for token in _TOKEN.finditer(data):
        if brace := token["brace"]:
            if brace == b"{":
                silent.append(silent[-1])
            elif len(silent) > 1:
                silent.pop()
            left = 0
        elif word := token["word"]:
            number = int(token["number"][:9]) if token["number"] else None
            if word in _NOT_TEXT:
                silent[-1] = True
            elif word == b"uc" and number is not None:
                skipped = max(number, 0)
            elif word == b"u" and number is not None and not silent[-1]:
                yield chr(number & 0xFFFF)
                left = skipped
            elif not silent[-1]:
                yield _WORDS.get(word, "")
        elif token["symbol"] == b"*":
            silent[-1] = True
        elif not silent[-1]:
            yield from _piece(token, left)
            left = max(left - len(token["text"] or b"."), 0)


def _piece(token: re.Match[bytes], skip: int) -> Iterator[str]:
    if text := token["text"]:
        yield text[skip:].decode("cp1252", "replace")
    elif skip:
        return
    elif byte := token["byte"]:
        yield bytes([int(byte, 16)]).decode("cp1252", "replace")
    elif symbol := token["symbol"]:
        yield _SYMBOLS.get(symbol, symbol.decode("cp1252", "replace"))


def _rich(text: str) -> str:
    lines = ("".join(map(_escaped, line)) for line in text.splitlines() or [""])
    return _HEAD + "\\par\r\n".join(lines) + _TAIL


def _escaped(char: str) -> str:
    if char in "\\{}":
        return f"\\{char}"
    if char == "\t":
        return "\\tab "
    if " " <= char <= "~":
        return char
    try:
        return f"\\'{char.encode('cp1252')[0]:02x}"
    except UnicodeEncodeError:
        units = char.encode("utf-16-le", "replace")
        pairs = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
        return "".join(f"\\u{number}?" for number in pairs)
