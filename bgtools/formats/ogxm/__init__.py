"""OGXM and the JSON of GammonView: how each is recognised by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_OGXM = b"OGXM"
_STREAM = ".ogxms"


def _sniff_ogxm(content: Content) -> float:
    """A file of OGXM, which begins with the letters OGXM; a stream of them, even one whose beginning is damaged."""
    return 1.0 if content.data.startswith(_OGXM) or (content.ending == _STREAM and _OGXM in content.data) else 0.0


OGXM: Final = Format(
    name="ogxm",
    title="OGXM match",
    extensions=(".ogxm", ".gvab", _STREAM),
    sniff=_sniff_ogxm,
    reader="bgtools.formats.ogxm.reader:read",
    writer="bgtools.formats.ogxm.writer:write",
    leaves_out=frozenset({"holland", "quadruple", "winner_starts"}),
    is_text=False,
)

_GVA = re.compile(r'\s*\{[^\[\]]*"match_length"\s*:')
_GVA_ELSE = re.compile(r'"(?:player_white|games)"\s*:')


def _sniff_gva(content: Content) -> float:
    """JSON with the length of a match among its first members, and White's name or the games beside it."""
    return 1.0 if _GVA.match(content.head) and _GVA_ELSE.search(content.head) else 0.0


GVA: Final = Format(
    name="gva",
    title="GammonView JSON",
    extensions=(".gva",),
    sniff=_sniff_gva,
    reader="bgtools.formats.ogxm.gva:read",
    leaves_out=OGXM.leaves_out,
)

FORMATS: Final = (OGXM, GVA)
