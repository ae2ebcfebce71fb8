"""Telling formats apart by their content. Each function says how much a file looks like its format, 0 to 1.

Only the beginning is looked at (`Content.head`) where that tells, and nothing here needs a parser.
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
_OGXM = b"OGXM"
_FIRST_LINE = 1000  # bytes
_BGF = re.compile(rb"\{[^{}]*\}")
_BGF_SIGN = re.compile(rb'"(?:compression|encoding)"\s*:')
_SNOWIE = re.compile(
    r"^[ \t]*(?:-?\d{1,9};){5}[^;\n]*;[^;\n]*;(?:[ \t]*-?\d{1,9}[ \t]*;){32}[ \t]*-?\d{1,9}[ \t]*;?[ \t]*$",
    re.MULTILINE,
)
_GAM = re.compile(
    r"\s*(?!game\s)(?![;#])\S[^\n]*?[ \t]+(?!\d+[ \t]*\n)[^\n:]+\n\s*1\)[ \t]+\d\d:",
    re.IGNORECASE,
)
_SGG_SIGNS = (
    re.compile(r"^[^\n]*\S\s+vs\.\s+\S", re.MULTILINE),
    re.compile(r"^Game +\d+\. *\d+\*?-\d+", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^\d+\t\t?(\d\d:| -|double|resign)", re.MULTILINE | re.IGNORECASE),
)
_TMG_SIGNS = (
    re.compile(r"^player1:[ \t]*\d+[ \t]+\S", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^Game +\d+: *\d+-\d+", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^[ \t]*-?\d+ \d+ (\d\d:|settlement|automatic)", re.MULTILINE | re.IGNORECASE),
)
_OLDMOVES_SIGNS = (
    re.compile(r"\bscore is \d+-\d+", re.MULTILINE | re.IGNORECASE),
    re.compile(r"\S\s+is +[XO] +- +\S.*\s+is +[XO]\b"),
    re.compile(r"^[XO]: ", re.MULTILINE),
)
_SGF = re.compile(r"[^(;]{0,200}\(\s*;")
_SGF_GAME = re.compile(r"\bGM\s*\[\s*(\d+)\s*\]|\b(MI|FF)\s*\[")
_GVA = re.compile(r'\s*\{[^\[\]]*"match_length"\s*:')
_GVA_ELSE = re.compile(r'"(?:player_white|games)"\s*:')
_OWN_JSON = re.compile(r'\s*\{\s*"format"\s*:\s*"bgtools\.match"')


def _share(signs: tuple[re.Pattern[str], ...], content: Content) -> float:
    """How many of the signs of a format are there."""
    return _share_of_text(signs, content.head_lines)


def _share_of_text(signs: tuple[re.Pattern[str], ...], text: str) -> float:
    return sum(1 for sign in signs if sign.search(text)) / len(signs)


def mat(content: Content) -> float:
    """Match text: a match length, a game's heading, a numbered row with a roll."""
    # Above the first match any number of remarks may stand.
    found = _share(_MAT_SIGNS, content)
    if found or not content.is_longer_than_head:
        return found
    return _share_of_text(_MAT_SIGNS, content.source.text.replace("\r", "\n"))


def snowie(content: Content) -> float:
    """A position of Snowie: 40 fields with semicolons. Its matches look like any match text."""
    return 1.0 if _SNOWIE.search(content.head_lines) else 0.0


def gam(content: Content) -> float:
    """A game of Jellyfish: two names without points, and below them the first row."""
    return 1.0 if _GAM.match(content.head_lines) else 0.0


def empire(content: Content) -> float:
    """A game of GammonEmpire, which nothing tells from one of Jellyfish."""
    return gam(content) / 2


_FIBS = re.compile(r"\bboard:[^:\s]+:[^:\s]+(?::-?\d{1,9}){50}")
_POS_VERSIONS = (b"\x7c\0", b"\x7d\0", b"\x7e\0")
_POS_BOARD = 104  # bytes
_POS_COUNTS = range(5, 36)


def pos(content: Content) -> float:
    """A position of Jellyfish: one of three versions, and at the end a board, every count of it 20 too high."""
    data = content.data
    if data[:2] not in _POS_VERSIONS or len(data) < _POS_BOARD or len(data) > 8 * _POS_BOARD:
        return 0.0
    board = data[-_POS_BOARD:]
    return 1.0 if all(count in _POS_COUNTS for count in board[::2]) and not any(board[1::2]) else 0.0


def sgg(content: Content) -> float:
    """GamesGrid: "Ann vs. Bob", "Game 1. 0-0/5", a number, a tab and a roll."""
    return _share(_SGG_SIGNS, content)


def tmg(content: Content) -> float:
    """TrueMoneyGames: "Player1: 10001 Ann", "Game 1: 0-0", two numbers and a roll."""
    return _share(_TMG_SIGNS, content)


_PARTY = re.compile(r"^game_\d+_gameplay *=", re.MULTILINE | re.IGNORECASE)
_BGROOM = re.compile(r"^game +\d+ - \S+ \([X0O]\) vs\. \S+ \([X0O]\)", re.MULTILINE | re.IGNORECASE)


def party(content: Content) -> float:
    """PartyGammon: a key that holds the play of a game."""
    return 1.0 if _PARTY.search(content.head_lines) else 0.0


def bgroom(content: Content) -> float:
    """BackGammonRoom: a heading that tells who is X and who is 0."""
    return 1.0 if _BGROOM.search(content.head_lines) else 0.0


def fibs(content: Content) -> float:
    """A session on FIBS: a line with two names and 50 numbers."""
    return 1.0 if _FIBS.search(content.head) else 0.0


def oldmoves(content: Content) -> float:
    """FIBS oldmoves: the score in words, who is X and who is O, a line that one of them begins."""
    return _share(_OLDMOVES_SIGNS, content)


def xg(content: Content) -> float:
    """A file of eXtreme Gammon begins with RGMH; whether it holds a match or a position is told by its name."""
    return 0.0 if not content.data.startswith(_XG) else 0.9 if content.ending == ".xgp" else 1.0


def xgp(content: Content) -> float:
    """A position of eXtreme Gammon looks like a match with nothing but its beginning."""
    return 0.0 if not content.data.startswith(_XG) else 1.0 if content.ending == ".xgp" else 0.9


def sgf(content: Content) -> float:
    """Smart Game Format: a game tree, and in its first node the game. The reader tells other games apart."""
    head = content.head
    return 1.0 if _SGF.match(head) and _SGF_GAME.search(head[:4096]) else 0.0


def bgf(content: Content) -> float:
    """A file of BGBlitz: a line of JSON that says how the rest is packed and encoded."""
    line = content.data[:_FIRST_LINE].partition(b"\n")[0]
    return 1.0 if _BGF.fullmatch(line.strip()) and _BGF_SIGN.search(line) else 0.0


def ogxm(content: Content) -> float:
    """A file of OGXM begins with its name."""
    return 1.0 if content.data.startswith(_OGXM) else 0.0


def gva(content: Content) -> float:
    """JSON with the length of a match among its first members, and White's name or the games beside it."""
    return 1.0 if _GVA.match(content.head) and _GVA_ELSE.search(content.head) else 0.0


def own_json(content: Content) -> float:
    """Our own JSON names itself in its first member."""
    return 1.0 if _OWN_JSON.match(content.head) else 0.0


_GNUBG_TEXT = (re.compile(r"^The score \(after \d+ games?\) is: ", re.MULTILINE), re.compile(r"Position ID: \S{14}\s"))
_XGID_LINE = re.compile(r"^[^\S\n]*XGID=[-A-Oa-o]{26}:", re.MULTILINE)
_XG_PIPS = re.compile(r"\bX-O:\s*\d+-\d+")
_BGBLITZ_ID = re.compile(r"^[^\S\n]*Position-ID: \S{14}[^\S\n]+Match-ID: \S{12}", re.MULTILINE)


def gnubg_text(content: Content) -> float:
    """GNU Backgammon's analysis text: the score before the game, and IDs."""
    return _share(_GNUBG_TEXT, content)


def xg_text(content: Content) -> float:
    """A position of eXtreme Gammon: an XGID first, and the score below the board."""
    head = content.head_lines
    if not _XGID_LINE.search(head):
        return 0.0
    return 1.0 if _XG_PIPS.search(head) else 0.5 if head.lstrip("\ufeff \n").startswith("XGID=") else 0.0


def bgblitz(content: Content) -> float:
    """A position of BGBlitz: both kinds of IDs below the board."""
    head = content.head_lines
    return 1.0 if _BGBLITZ_ID.search(head) and _XGID_LINE.search(head) else 0.0
