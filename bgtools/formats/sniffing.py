"""Telling formats apart by their content. Each function says how much a file looks like its format, 0 to 1.

Only the beginning is looked at (`Content.head`), and nothing here needs a parser.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_MAT_SIGNS = (
    re.compile(r"^[^\S\n]*\d+ point match[^\S\n]*$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^[^\S\n]*Game \d+[^\S\n]*$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^[^\S\n]*\d+\) .*?\b\d\d:", re.MULTILINE),
)
_XG = b"RGMH"
_OWN_JSON = re.compile(r'\s*\{\s*"format"\s*:\s*"bgtools\.match"')


def mat(content: Content) -> float:
    """Match text: a match length, a game's heading, a numbered row with a roll."""
    head = content.head.replace("\r", "\n")
    return sum(1 for sign in _MAT_SIGNS if sign.search(head)) / len(_MAT_SIGNS)


def xg(content: Content) -> float:
    """A file of eXtreme Gammon begins with RGMH; whether it holds a match or a position is told by its name."""
    return 0.0 if not content.data.startswith(_XG) else 0.9 if content.ending == ".xgp" else 1.0


def xgp(content: Content) -> float:
    """A position of eXtreme Gammon looks like a match with nothing but its beginning."""
    return 0.0 if not content.data.startswith(_XG) else 1.0 if content.ending == ".xgp" else 0.9


def own_json(content: Content) -> float:
    """Our own JSON names itself in its first member."""
    return 1.0 if _OWN_JSON.match(content.head) else 0.0
