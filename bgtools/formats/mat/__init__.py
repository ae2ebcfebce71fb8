"""Match text: how it is recognised by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import Sign
from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

ROW: Final = Sign(re.compile(r"^[^\S\n]*\d+\) .*?\b\d\d:", re.MULTILINE), ") ")
"""A numbered row with a roll."""
_MAT_SIGNS = (
    Sign(re.compile(r"^[^\S\n]*\d+ point match[^\S\n]*$", re.MULTILINE | re.IGNORECASE), "point match"),
    Sign(re.compile(r"^[^\S\n]*Game \d+[^\S\n]*$", re.MULTILINE | re.IGNORECASE), "game "),
    ROW,
)


REMARK_LINES: Final = re.compile(r"^[^\S\n]*(?:;|#(?![^\S\n]*\d))[^\n]*", re.MULTILINE)
"""Lines that are remarks, whatever stands in them."""
_END: Final = r"(?:2[0-5]|1\d|\d|b(?:ar)?|o(?:ff)?)[*x]?(?:\(\d\))?(?![\w/:*-])"
_ENDS: Final = re.compile(
    rf"(?<![\w/*:.-])[1-6][-,]?[1-6](?:[ \t]*:[ \t]*|[ ]){_END}(?:,?[ ]{_END}){{0,7}}(?=\s|[|,;]|$)", re.I
)
_WAYS: Final = re.compile(r"(?<![\w/*:.-])[1-6][-,]?[1-6][ \t]*:?[ \t]*(?:bar|b|\d{1,2})\*?[/-]", re.IGNORECASE)
_FEW: Final = 3


def ends_alone(text: str) -> bool:
    """Whether rolls with nothing but the points where checkers end are in a text, more of them than of whole plays."""
    text = REMARK_LINES.sub("", text)
    ends = sum(1 for _ in _ENDS.finditer(text))
    return ends >= _FEW and ends > sum(1 for _ in _WAYS.finditer(text))


def _sniff(content: Content) -> float:
    """Match text: a match length, a game's heading, a numbered row with a roll."""
    if content.data.lstrip()[:1] == b"<":
        return 0.0  # a page, whose rows may hold tags
    if ends_alone(content.head_lines):
        return 0.0  # match text has whole plays
    # Any number of remarks may stand above the first match, so the head may show no sign.
    found = content.share(_MAT_SIGNS)
    return found if found or not content.is_longer_than_head else content.share(_MAT_SIGNS, whole=True)


MAT: Final = Format(
    name="mat",
    title="match text",
    extensions=(".mat", ".txt"),
    sniff=_sniff,
    reader="bgtools.formats.mat.reader:read_content",
    writer="bgtools.formats.mat.writer:write_content",
    dialects=("gnubg", "jellyfish", "xg", "xg-text", "galaxy", "studio"),
    holds_several=True,
)

FORMATS: Final = (MAT,)
