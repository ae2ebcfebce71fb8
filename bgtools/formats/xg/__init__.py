"""eXtreme Gammon's files: how they are recognised by their content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_XG = b"RGMH"


def _sniff_xg(content: Content) -> float:
    """A match of eXtreme Gammon: the file begins with RGMH. So does a position, which only its name shows."""
    return 0.0 if not content.data.startswith(_XG) else 0.9 if content.ending == ".xgp" else 1.0


XG: Final = Format(
    name="xg",
    title="eXtreme Gammon match",
    extensions=(".xg",),
    sniff=_sniff_xg,
    reader="bgtools.formats.xg.reader:read",
    writer="bgtools.formats.xg.writer:write",
    rewriter="bgtools.formats.xg.rewriter:rewrite",
    is_text=False,
)


def _sniff_xgp(content: Content) -> float:
    """A position of eXtreme Gammon. Its content looks like the beginning of a match, so its name decides."""
    return 0.0 if not content.data.startswith(_XG) else 1.0 if content.ending == ".xgp" else 0.9


XGP: Final = Format(
    name="xgp",
    title="eXtreme Gammon position",
    extensions=(".xgp",),
    sniff=_sniff_xgp,
    reader="bgtools.formats.xg.reader:read",
    writer="bgtools.formats.xg.writer:write_position",
    rewriter="bgtools.formats.xg.rewriter:rewrite_position",
    is_text=False,
    holds_matches=False,
)

FORMATS: Final = (XG, XGP)
