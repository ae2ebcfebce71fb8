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
_SGF = re.compile(r"[^(;]{0,200}\(\s*;")
_SGF_GAME = re.compile(r"\bGM\s*\[\s*(\d+)\s*\]|\b(MI|FF)\s*\[")
_OWN_JSON = re.compile(r'\s*\{\s*"format"\s*:\s*"bgtools\.match"')


def mat(content: Content) -> float:
    """Match text: a match length, a game's heading, a numbered row with a roll."""
    head = content.head.replace("\r", "\n")
    return sum(1 for sign in _MAT_SIGNS if sign.search(head)) / len(_MAT_SIGNS)


def sgf(content: Content) -> float:
    """Smart Game Format: a game tree, and in its first node the game. The reader tells other games apart."""
    head = content.head
    return 1.0 if _SGF.match(head) and _SGF_GAME.search(head[:4096]) else 0.0


def own_json(content: Content) -> float:
    """Our own JSON names itself in its first member."""
    return 1.0 if _OWN_JSON.match(content.head) else 0.0
