"""Files of BGBlitz: how they are recognised by their content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_FIRST_LINE = 1000  # bytes
_BGF = re.compile(rb"\{[^{}]*\}")
_BGF_SIGN = re.compile(rb'"(?:compression|encoding)"\s*:')


def _sniff_bgf(content: Content) -> float:
    """A file of BGBlitz: a line of JSON that says how the rest is packed and encoded."""
    line = content.data[:_FIRST_LINE].partition(b"\n")[0]
    return 1.0 if _BGF.fullmatch(line.strip()) and _BGF_SIGN.search(line) else 0.0


BGF: Final = Format(
    name="bgf",
    title="BGBlitz match",
    extensions=(".bgf",),
    sniff=_sniff_bgf,
    reader="bgtools.formats.bgf.reader:read",
    leaves_out=frozenset({"comments", "automatic_doubles", "holland", "quadruple", "winner_starts", "variant"}),
    is_text=False,
)

FORMATS: Final = (BGF,)
