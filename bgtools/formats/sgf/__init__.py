"""Smart Game Format: how it is recognised by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_SGF = re.compile(r"[^(;]{0,200}\(\s*;")
_SGF_GAME = re.compile(r"\bGM\s*\[\s*(\d+)\s*\]|\b(MI|FF)\s*\[")


def _sniff(content: Content) -> float:
    """Smart Game Format: a game tree whose first node states the game. The reader refuses games but backgammon."""
    head = content.head
    return 1.0 if _SGF.match(head) and _SGF_GAME.search(head[:4096]) else 0.0


SGF: Final = Format(
    name="sgf",
    title="GNU Backgammon SGF",
    extensions=(".sgf",),
    sniff=_sniff,
    reader="bgtools.formats.sgf.reader:read",
    writer="bgtools.formats.sgf.writer:write",
)

FORMATS: Final = (SGF,)
