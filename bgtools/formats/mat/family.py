"""Match text and its cousins: how each is recognised by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import Sign
from bgtools.formats.format import Format
from bgtools.rules.options import OPTIONS

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_MAT_SIGNS = (
    Sign(re.compile(r"^[^\S\n]*\d+ point match[^\S\n]*$", re.MULTILINE | re.IGNORECASE), "point match"),
    Sign(re.compile(r"^[^\S\n]*Game \d+[^\S\n]*$", re.MULTILINE | re.IGNORECASE), "game "),
    Sign(re.compile(r"^[^\S\n]*\d+\) .*?\b\d\d:", re.MULTILINE), ") "),
)


def mat(content: Content) -> float:
    """Match text: a match length, a game's heading, a numbered row with a roll."""
    # Any number of remarks may stand above the first match, so the head may show no sign.
    found = content.share(_MAT_SIGNS)
    return found if found or not content.is_longer_than_head else content.share(_MAT_SIGNS, whole=True)


MAT: Final = Format(
    name="mat",
    title="match text",
    extensions=(".mat", ".txt"),
    sniff=mat,
    reader="bgtools.formats.mat.reader:read_content",
    writer="bgtools.formats.mat.writer:write_content",
    dialects=("gnubg", "jellyfish", "xg", "xg-text", "galaxy", "studio"),
    holds_several=True,
)

_SNOWIE = Sign(
    re.compile(
        r"^[ \t]*(?:-?\d{1,9};){5}[^;\n]*;[^;\n]*;(?:[ \t]*-?\d{1,9}[ \t]*;){32}[ \t]*-?\d{1,9}[ \t]*;?[ \t]*$",
        re.MULTILINE,
    ),
    ";",
)


def snowie(content: Content) -> float:
    """A position of Snowie: 40 fields with semicolons. Its matches look like any match text."""
    return float(content.shows(_SNOWIE))


SNOWIE: Final = Format(
    name="snowie",
    title="Snowie text",
    extensions=(".txt",),
    sniff=snowie,
    reader="bgtools.formats.mat.snowie:read",
    writer="bgtools.formats.mat.snowie:write",
    leaves_out=frozenset({"comments", *OPTIONS}),
    holds_several=True,
)

_GAM = re.compile(
    # Two names: two words, or with two blanks before the last word. The pattern finds that from the end of the line, so
    # that it reads a long line only once.
    r"\s*(?!game\s)(?![;#])(?:\S+[ \t](?!\d+[ \t]*\n)|\S[^\n]*(?:[ \t]{2}|\t)(?:[^ \t\r\n:]+ )*)[^ \t\r\n:]+[ \t]*\n"
    r"\s*1\)[ \t]+\d\d:",
    re.IGNORECASE,
)


def gam(content: Content) -> float:
    """A game of Jellyfish: two names without points, and below them the first row."""
    return 1.0 if _GAM.match(content.head_lines) else 0.0


GAM: Final = Format(
    name="gam",
    title="Jellyfish game",
    extensions=(".gam",),
    sniff=gam,
    reader="bgtools.formats.mat.gam:read",
    writer="bgtools.formats.mat.gam:write",
    leaves_out=frozenset({"length", "start", "comments", *OPTIONS}),
)

_POS_VERSIONS = (b"\x7c\0", b"\x7d\0", b"\x7e\0")
_POS_BOARD = 104  # bytes
_POS_COUNTS = range(5, 36)


def pos(content: Content) -> float:
    """A position of Jellyfish: one of three versions, and at the end a board whose counts are all 20 too high."""
    data = content.data
    if data[:2] not in _POS_VERSIONS or len(data) < _POS_BOARD or len(data) > 8 * _POS_BOARD:
        return 0.0
    board = data[-_POS_BOARD:]
    return 1.0 if all(count in _POS_COUNTS for count in board[::2]) and not any(board[1::2]) else 0.0


POS: Final = Format(
    name="pos",
    title="Jellyfish position",
    extensions=(".pos",),
    sniff=pos,
    reader="bgtools.formats.mat.pos:read",
    writer="bgtools.formats.mat.pos:write",
    leaves_out=frozenset({"start", "comments", *OPTIONS}),
    is_text=False,
    holds_matches=False,
)


def empire(content: Content) -> float:
    """A game of GammonEmpire. It looks like one of Jellyfish, which comes first."""
    return GAM.sniff(content) / 2


EMPIRE: Final = Format(
    name="empire",
    title="GammonEmpire game",
    extensions=(".gam",),
    sniff=empire,
    reader=GAM.reader,
    leaves_out=GAM.leaves_out,
)

FORMATS: Final = (MAT,)
COUSINS: Final = (SNOWIE, GAM, POS)
"""Formats with the rows of match text, or by the maker of such a format. They are listed after more common formats."""
