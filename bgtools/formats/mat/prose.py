"""Match text: which lines between the rows are prose, written by a person for persons to read.

Prose is kept as a remark. A line that may be a damaged row is none: it stays a finding.
"""

from __future__ import annotations

import re
from typing import Final

from bgtools.formats.mat.alike import misspelt_words
from bgtools.formats.mat.cells import FIRST_WORDS, TERMINALS

_WORD: Final = re.compile(r"[^\W\d_]{2,}(?:['\u2019][^\W\d_]+)*")
_FIGURES: Final = re.compile(r"\d")
_TRADE: Final = re.compile(
    "|".join(f"(?:{TERMINALS[each]})" for each in (*FIRST_WORDS, "DANCE", "KIND", "POINTS", "WHOLE_MATCH"))
    + r"|bar|off|game|match|illegal|play|money|session|of|to|the|and|with|cannot|can't|no|move"
)  # fmt: skip
_WITNESS: Final = re.compile(
    r"(?i:XGID|OGID|GNU[- ]?(?:BG)?ID|\b(?:position|match)[- ]?ID\b|://|\bpips?\b)|[.,]\d{2,6}(?![\d:])|\d%(?![\w/&])"
)
"""What no damaged row holds: an ID of a position, an address, an equity, a chance."""
_DRAWN: Final = re.compile(r"[v^]?[|+][-\d| +]")
"""A line of a drawn board."""
_RULE: Final = re.compile(
    r"[-=_*~.#+<>\u00b7\u2010-\u2015\u2022\u2500-\u257f\s]*|\s*(?:!{1,9}\??|\?!+|[:;]-?[()DP]|\u2026)\s*"
)
_GROUPS: Final = re.compile(r"\s*(?:\d{1,3}[).:]\s*)?(?:[^\s/]{1,5}/[^\s/]{1,5}(?:\s+|$))+")
"""Nothing but groups with a slash, as a play has."""
_FEW: Final = 2
"""Most words outside the trade in a damaged row that also holds figures."""


def is_prose(line: str) -> bool:
    """Whether a line is a sentence, or a part of one, rather than a damaged row, heading or result.

    Words of match text, such as ``Takes`` or ``points``, do not make a line prose; nor does one word beside figures.

    Args:
        line: a line that is no row, heading, remark or result of match text.
    """
    if _WITNESS.search(line) or _DRAWN.match(line.lstrip()) or line.count("|") > 1:
        return True
    if _GROUPS.fullmatch(line):
        return False
    words = _WORD.findall(line)
    others = [word for word in words if _TRADE.fullmatch(word) is None]
    if not _FIGURES.search(line):
        return bool(others) and not (len(words) <= _FEW and misspelt_words(line, 0))
    return len(others) > _FEW or (len(others) == _FEW and len(words) > _FEW)


def is_rule(line: str) -> bool:
    """Whether a line only parts what stands above it from what stands below, or is a mark such as ``!!`` or ``:-)``."""
    return _RULE.fullmatch(line) is not None
