"""OGXM and its relatives: how each is recognised by its content."""

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
    reader="bgtools.formats.ogxm.bgf:read",
    leaves_out=frozenset({"comments", "automatic_doubles", "holland", "quadruple", "winner_starts", "variant"}),
    is_text=False,
)

_OGXM = b"OGXM"


def _sniff_ogxm(content: Content) -> float:
    """A file of OGXM, which begins with the letters OGXM."""
    return 1.0 if content.data.startswith(_OGXM) else 0.0


OGXM: Final = Format(
    name="ogxm",
    title="OGXM match",
    extensions=(".ogxm", ".gvab", ".ogxms"),
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

FORMATS: Final = (BGF, OGXM, GVA)
