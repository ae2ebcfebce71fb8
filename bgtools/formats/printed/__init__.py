"""Printed analyses: how each is recognised by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import Sign
from bgtools.formats.format import Format
from bgtools.rules.options import OPTIONS

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_XGID_LINE = Sign(re.compile(r"^[^\S\n]*XGID=[-A-Oa-o]{26}:", re.MULTILINE), "xgid=")
_POSITION: Final = frozenset(
    {"start", "comments", "automatic_doubles", "holland", "quadruple", "winner_starts", "variant"}
)
"""What the formats of a printed position leave out."""

_BGBLITZ_ID = Sign(re.compile(r"^[^\S\n]*Position-ID: \S{14}[^\S\n]+Match-ID: \S{12}", re.MULTILINE), "position-id: ")


def _sniff_bgblitz(content: Content) -> float:
    """A position of BGBlitz: both kinds of IDs below the board."""
    return float(content.shows(_BGBLITZ_ID) and content.shows(_XGID_LINE))


BGBLITZ: Final = Format(
    name="bgblitz",
    title="BGBlitz position text",
    extensions=(".txt",),
    sniff=_sniff_bgblitz,
    reader="bgtools.formats.printed.bgblitz:read",
    writer="bgtools.formats.printed.bgblitz_writer:write",
    dialects=("en", "de", "fr", "ja"),
    leaves_out=_POSITION,
    holds_matches=False,
)

_GNUBG_TEXT = (
    Sign(re.compile(r"^The score \(after \d+ games?\) is: ", re.MULTILINE), "the score (after "),
    Sign(re.compile(r"Position ID: \S{14}\s"), "position id: "),
)


def _sniff_gnubg_text(content: Content) -> float:
    """GNU Backgammon's analysis text: the score before the game, and IDs."""
    return content.share(_GNUBG_TEXT) if content.shows(_GNUBG_TEXT[0]) else 0.0


GNUBG_TEXT: Final = Format(
    name="gnubg-text",
    title="GNU Backgammon analysis text",
    extensions=(".txt",),
    sniff=_sniff_gnubg_text,
    reader="bgtools.formats.printed.gnubg:read",
    leaves_out=frozenset(OPTIONS) - {"crawford", "jacoby"},
)

_XG_PIPS = re.compile(r"\bX-O:\s*\d+-\d+")


def _sniff_xg_text(content: Content) -> float:
    """A position of eXtreme Gammon: an XGID first, and the score below the board."""
    head = content.head_lines
    if not content.shows(_XGID_LINE) or _sniff_xg_html(content):
        return 0.0
    return 1.0 if _XG_PIPS.search(head) else 0.5 if head.lstrip("\ufeff \n").startswith("XGID=") else 0.0


XG_TEXT: Final = Format(
    name="xg-text",
    title="eXtreme Gammon position text",
    extensions=(".txt",),
    sniff=_sniff_xg_text,
    reader="bgtools.formats.printed.xg:read",
    leaves_out=_POSITION,
    holds_matches=False,
)

_XGID = re.compile(r"XGID=[-A-Oa-o]{26}:")


def _sniff_xg_html(content: Content) -> float:
    """A page with an XGID in it, unless it shows the rows of a match."""
    page = content.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"
    return 0.8 if page and _XGID.search(content.source.text) else 0.0


XG_HTML: Final = Format(
    name="xg-html",
    title="page with XGIDs",
    extensions=(".html", ".htm"),
    sniff=_sniff_xg_html,
    reader="bgtools.formats.printed.xg_html:read",
    leaves_out=_POSITION,
    holds_matches=False,
)

FORMATS: Final = (BGBLITZ, GNUBG_TEXT, XG_TEXT, XG_HTML)
