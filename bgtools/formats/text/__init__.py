"""Text that people wrote around the rows of a match: how it is recognised by its content."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from bgtools.formats import mat
from bgtools.formats.content import Sign
from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_ROLL: Final = r"[(\[]?[1-6] ?[-,\u2013]? ?[1-6][)\]]?"
_HOP: Final = r"(?:bar|b|\d{1,2})\*?[-/\u2013](?:bar|b|off|o|f|\d{1,2})"
_DRESSED: Final = re.compile(
    rf"^[^\S\n]*(?:>[^\S\n]*)+\d+\)[^\n]*\b\d\d:|<(?:pre|td|p|br|div)\b|^[^\S\n]*\|[^\n]*{_ROLL}[^\n]*{_HOP}",
    re.MULTILINE | re.IGNORECASE,
)
_ROW: Final = re.compile(
    rf"(?<![\w/-]){_ROLL}(?:[^\S\n]*[:|;,][^\S\n]*\x22?|[^\S\n]+(?:[-\u2013=>]+[^\S\n]*)?){_HOP}", re.IGNORECASE
)
_NUMBERED: Final = re.compile(rf"^[^\S\n]*\d{{1,3}}[.:][^\S\n.]+(?:(?:\.[^\S\n]?)+[^\S\n]+)?{_ROLL}[: ]", re.MULTILINE)
_ID: Final = Sign(
    re.compile(r"XG ?ID\s*[=:]\s*[-A-Oa-o\u2013\u2014\u2212]{6}|Position ID\s*:\s*[A-Za-z0-9+/]{14}", re.IGNORECASE),
    "id",
)
_TABLES: Final = (".csv", ".tsv")
"""Endings of tables: an ID in one of their columns belongs to figures that are not read here."""
_TOLD: Final = re.compile(
    rf"\bto (?:play|move):? ?{_ROLL}(?!\d)"
    rf"|\b(?:rolls|rolled|throws|threw|with) (?:an? )?{_ROLL}(?!\d)[^\n]{{0,200}}?{_HOP}"
)
_HEADED: Final = re.compile(r"^\W{0,4}game[ \t]+(?:no\.?[ \t]*)?\d", re.MULTILINE | re.IGNORECASE)
_CELLS: Final = re.compile(r"(?:</?(?:td|a|b|tt|span|font)\b[^<>]{0,300}>\s*)+", re.IGNORECASE)
"""What parts the cells of a table on a page."""
_STEP: Final = r"[1-6]{2}[A-Za-z$%@#&^<>]"
_OPENING: Final = r"(?:6[1-5]|5[1-4]|4[1-3]|3[12]|21)[RPDUSZ$BNTWA]"
_SEQUENCE: Final = re.compile(
    rf"^[^\S\n>]*(?:>[^\S\n]*)*(?:-+>?[^\S\n]*|\+)?{_OPENING}-{_STEP}-(?:{_STEP}|[FCRPT^]-|[1-6]{{2}}-)"
    rf"|^{_OPENING}\r?\n(?:{_STEP}\r?\n){{5}}",
    re.MULTILINE,
)
"""Tokens of a sequence in shorthand."""
_LEAST: Final = 0.05
"""Any other format that may be that of a text comes first."""
_COMMAS: Final = re.compile(
    rf"^[^\S\n]*\d+\)[^\n]*?\d\d:[^\S\n]*{_HOP}[*()\d]*,[^\S\n]?{_HOP}", re.MULTILINE | re.IGNORECASE
)
"""A row of match text, but with commas between the hops."""
_FEW: Final = 2
_MANY: Final = 3


def shows_rows(content: Content) -> bool:
    """Whether rolls with moves behind them are in the beginning of a text."""
    text = _CELLS.sub(" ", content.head_lines)
    if sum(1 for _ in islice(_ROW.finditer(text), _FEW)) >= _FEW or _NUMBERED.search(text) is not None:
        return True
    if shows_sequence(text) or mat.ends_alone(text):
        return True
    if content.shows(_ID) and _HEADED.search(text) is None:
        return False  # problems, each with its ID, are no game
    return sum(1 for _ in islice(_TOLD.finditer(text), _FEW)) >= _FEW


def shows_sequence(text: str) -> bool:
    """Whether tokens of a sequence in shorthand stand in a text, such as ``31P-42P-62S``."""
    return _SEQUENCE.search(text) is not None


def _sniff(content: Content) -> float:
    """Rolls with moves behind them, in a mail, on a page, or in other rows than match text has; or IDs in prose."""
    if content.data.lstrip()[:1] in (b"{", b"(") or b"\0" in content.data[:1024]:
        return 0.0
    text = content.head_lines
    if not shows_rows(content):
        return _LEAST if content.shows(_ID) and content.ending not in _TABLES else 0.0
    if _DRESSED.search(text) or mat.ends_alone(text) or sum(1 for _ in islice(_COMMAS.finditer(text), _MANY)) == _MANY:
        return 0.9
    return 0.0 if content.shows(mat.ROW) else 0.7


TEXT: Final = Format(
    name="text",
    title="text between rows",
    extensions=(".txt", ".eml"),
    sniff=_sniff,
    reader="bgtools.formats.text.reader:read",
    writer="bgtools.formats.text.writer:write",
    dialects=("annotated",),
    holds_several=True,
)

FORMATS: Final = (TEXT,)
"""The formats of this package."""
