"""Position IDs as people paste them: in a sentence, behind quote marks, in a link, broken over lines, with typographic
dashes. What is found here comes out as the program wrote it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST: Final = 4000
"""Most characters of a text in which an ID is looked for."""
_NEAR: Final = 400
"""At most so many characters behind a Position ID stands its Match ID."""
_BOARD: Final = 26
_UNSEEN: Final = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]+")
_SOFT: Final = re.compile(r"=[ \t]*\r?\n|=3[Dd]")
_QUOTES: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_MARKUP: Final = re.compile(r"</?[a-zA-Z][^<>]*>|[*_`]{1,3}(?=XGID)|\[/?[a-zA-Z]+\]")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_ESCAPED: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u30fc"
_FIELDS: Final = r":\d{1,9}:-?[01]:-?\d:(?:\d\d|[DBRdbr]):\d{1,9}:\d{1,9}:\d{1,9}:\d{1,9}(?::\d{1,9})?(?![\d])"
_XGID: Final = re.compile(rf"(?<![-A-Za-z0-9])[-A-Oa-o]{{{_BOARD}}}{_FIELDS}")
_MARKED: Final = re.compile(r"XG[ -]?ID\s*[=:\s]\s*", re.IGNORECASE)
_XGID_SIGNS: Final = re.compile(rf"[-A-Oa-o{_DASHES}:DBR\d\s]{{20,160}}")
_OGID: Final = re.compile(
    r"(?<![0-9a-zA-Z:])[0-9a-q]{1,30}:[0-9a-q]{1,30}:[WBND?]\d{1,2}[NOTP](?::[0-9A-Z]*){0,9}(?![0-9a-zA-Z])"
)
_POSITION_ID: Final = re.compile(r"pos(?:ition)?[ -]?ID\s*[:=]?\s*([A-Za-z0-9+/]{14})(?![A-Za-z0-9+/])", re.IGNORECASE)
_MATCH_ID: Final = re.compile(r"match[ -]?ID\s*[:=]?\s*([A-Za-z0-9+/]{12})(?![A-Za-z0-9+/])", re.IGNORECASE)
_GNU_ID: Final = re.compile(
    r"GNU[ -]?(?:BG)?[ -]?ID\s*[:=]?\s*([A-Za-z0-9+/]{14})(?:\s*:\s*([A-Za-z0-9+/]{12}))?(?![A-Za-z0-9+/])",
    re.IGNORECASE,
)
_GNU_PAIR: Final = re.compile(r"(?<![A-Za-z0-9+/:])([A-Za-z0-9+/]{14}):([A-Za-z0-9+/]{12})(?![A-Za-z0-9+/:])")
_FEN: Final = re.compile(r"(?<!\S)[\dSs,]{2,60}/[\dSs,]{2,60}\[[\dSs,]{0,12}\](?: \S{1,12}){8}(?!\S)")


def cleaned(text: str) -> str:
    """A text without quote marks, entities, percent signs for letters, marks that nobody sees, and tags."""
    text = _UNSEEN.sub("", text[:_LONGEST])
    if _ENTITY.search(text):
        text = html.unescape(text)
    if _ESCAPED.search(text):
        text = unquote(text)
    text = _SOFT.sub(lambda found: "=" if found[0].startswith("=3") else "", text)
    text = _MARKUP.sub("", _QUOTES.sub("", text))
    return "".join(each if each in _DASHES or each.isascii() else unicodedata.normalize("NFKC", each) for each in text)


def find_ids(text: str) -> Iterator[str]:
    """The IDs in a text, each as its program writes it: XGIDs, or else IDs of other programs.

    Args:
        text: a text of any kind; of a long one only the beginning is searched.
    """
    yield from dict.fromkeys(each.text for each in locate_ids(cleaned(text)))


class LocatedId(NamedTuple):
    """An ID as its program writes it, and where it begins and ends in a text."""

    text: str
    start: int
    end: int


def locate_ids(text: str) -> Iterator[LocatedId]:
    """The IDs in a text that has been cleaned, in their order: XGIDs, or without any those of other programs."""
    found = [*_xgids(text)]
    yield from found or sorted(_others(text), key=lambda each: each.start)


def _xgids(text: str) -> Iterator[LocatedId]:
    last = 0
    for mark in _MARKED.finditer(text):
        signs = _XGID_SIGNS.match(text, mark.end())
        if signs is not None and mark.start() >= last and (found := _xgid(signs[0])):
            last = mark.end()
            length = len(signs[0].rstrip())
            while length > _BOARD // 2 and _xgid(signs[0][: length - 1]) == found:
                length -= 1
            yield LocatedId(f"XGID={found}", mark.start(), mark.end() + length)
    if not last:
        for bare in _XGID.finditer(text):
            yield LocatedId(f"XGID={bare[0]}", bare.start(), bare.end())


def _xgid(signs: str) -> str:
    """The XGID with which some signs begin, without breaks in it and with plain dashes; "" where there is none."""
    one_line = re.sub(r"[ \t]*[\r\n]\s*", "", signs)
    for text in (signs, one_line, re.sub(r"\s+", "", signs)):
        board, colon, rest = text.partition(":")
        for dashed in _dashed(board):
            if (found := _XGID.match(dashed + colon + rest.translate(_PLAIN_DASHES))) is not None:
                # A break before the last field leaves nine: more signs may follow.
                if found.end() < len(dashed + colon + rest) or text is not signs or len(text) == len(one_line):
                    return found[0]
                again = _XGID.match(one_line)
                return again[0] if again else found[0]
    return ""


_PLAIN_DASHES: Final = str.maketrans(dict.fromkeys(_DASHES, "-"))


def _dashed(board: str) -> Iterator[str]:
    """A board with plain dashes for typographic ones. Editors make one dash of two or three, all in the same way."""
    typographic = sum(map(board.count, _DASHES))
    if not typographic:
        yield board
        return
    for count in (1, 2, 3):
        plain = re.sub(f"[{_DASHES}]", "-" * count, board)
        if len(plain) == _BOARD:
            yield plain
    # One sign may stand for two dashes, and another one for one.
    wide = re.sub(f"[{_DASHES}]", "-", board.replace("\u2014", "--"))
    if len(wide) == _BOARD:
        yield wide


def _others(text: str) -> Iterator[LocatedId]:
    positions = [*_POSITION_ID.finditer(text)]
    for number, position in enumerate(positions):
        last = positions[number + 1].start() if number + 1 < len(positions) else len(text)
        match = _MATCH_ID.search(text, position.end(), min(last, position.end() + _NEAR))
        written = f"{position[1]}:{match[1]}" if match else position[1]
        yield LocatedId(written, position.start(), match.end() if match else position.end())
    if positions:
        return
    for pattern in (_GNU_ID, _GNU_PAIR):
        found = [*pattern.finditer(text)]
        for each in found:
            yield LocatedId(f"{each[1]}:{each[2]}" if each[2] else each[1], each.start(), each.end())
        if found:
            return
    for pattern in (_OGID, _FEN):
        for each in pattern.finditer(text):
            yield LocatedId(each[0].rstrip(":") if pattern is _OGID else each[0], each.start(), each.end())


def looks_like(text: str) -> str:
    """What kind of ID a text seems to hold, in words; "" where it seems to hold none."""
    text = cleaned(text)
    if _MARKED.search(text):
        return "an XGID"
    if re.search(r"OGID", text, re.IGNORECASE):
        return "an OGID"
    if re.search(r"GNU[ -]?(?:BG)?[ -]?ID|pos(?:ition)?[ -]?ID", text, re.IGNORECASE):
        return "a GNU Position ID"
    return "a FEN of PlayStrategy" if re.search(r"[\dSs,]+/[\dSs,]+\[", text) else ""
