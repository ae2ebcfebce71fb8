"""What programs and people write behind a play or a cube action: marks, clocks, equities, losses and words.

``8/4 6/4?``, ``8/4 6/4 (0:12)``, ``8/4 6/4 [-0.034]``, ``Takes {a pass}`` and ``8/4 6/4 ILLEGAL?`` each hold a play or
an action that can be read, and something that is said of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.findings import codes
from bgtools.findings.finding import quoted
from bgtools.record.record import Comment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.board.board import Dice
    from bgtools.board.play import HopText
    from bgtools.record.builder import GameBuilder
    from bgtools.source import Span

_MARK: Final = r"[?!]{1,3}(?![?!])"
_CLOCK: Final = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?![\d:])"
_TIME: Final = r"\d{1,4}(?:[.,]\d{1,3})?[ ]?(?:ms|s|secs?|seconds?|min|minutes?)(?!\w)"
_FIGURE: Final = (
    r"(?:eq(?:uity)?[.:= ]{0,3})?[-+\u2212]?\d{0,3}[.,]\d{1,6}(?!\d)%?|[-+\u2212]\d{1,4}(?![\d/])|\d{1,3}[ ]?%"
)
_BRACKETED: Final = r"(?!\(\d\))(?:\([^()\r\n]*\)|\[[^\[\]\r\n]*\]|\{[^{}\r\n]*\}|<[^<>\r\n]*>)"
_WORD: Final = r"(?>(?!(?i:bar|off)\b)(?:[aAI](?=[ ][^\W\d_])|[^\W\d_]{2,}(?:['\u2019.-][^\W\d_]+)*(?!\w)))"
_PUNCTUATION: Final = r"(?>(?:[ \t\u00a0.,;:#\u2013\u2014\u2026-]|//|<-+)*)"
_SIGN: Final = rf"(?>{_BRACKETED}|{_MARK}|{_CLOCK}|{_TIME}|{_FIGURE})"
_SIGNS: Final = re.compile(rf"(?:[ \t\u00a0]*{_SIGN})+(?=[\s.,;|]|$)", re.IGNORECASE)
_KNOWN: Final = re.compile(rf"(?:{_PUNCTUATION}(?:{_SIGN}|{_WORD}))*{_PUNCTUATION}", re.IGNORECASE)
_BEGINS_KNOWN: Final = re.compile(rf"{_PUNCTUATION}(?:{_SIGN}[ \t]*)*{_WORD}[.,;:!?]*(?=\s|$)", re.IGNORECASE)
_LAST: Final = re.compile(rf"(?<=\S)(?:[ ]+(?:{_SIGN}|{_WORD})[.,;:!?]*)+$", re.IGNORECASE)
_DAMAGED: Final = re.compile(r"\w\W{1,2}\w")
_LIKE_A_HOP: Final = re.compile(r"(?:bar|\d{1,2})\*?[ ]?[/\\|~_-][ ]?(?:bar|off|\d{1,2})(?![\d.,:])", re.IGNORECASE)
_BRACKET: Final = re.compile(r"[(\[{][^)\]}\r\n]*$")
_ALONE: Final = re.compile(rf"[ ]{{1,2}}(?:(?:\?\?|{_CLOCK})(?=\s|$))")
"""A mark or a clock close behind a play, which could also begin a cell."""
_PROSE_BEFORE: Final = re.compile(r"(?:[ ](?!(?i:bar|off)\b)[^\W\d_]{2,}[.,;:!?]?)+[ ]$")
_PROSE_BEHIND: Final = re.compile(
    r"[^\W\d_]+,?[ ](?!(?i:(?:and[ ]|the[ ]|a[ ])*(?:match|game|single|gammon|backgammon)|to|on[ ]+time|move|play)\b)"
    r"[a-z]{2,}"
)


def is_known(words: str) -> bool:
    """Whether words are nothing but marks, clocks, figures, brackets and words."""
    return _KNOWN.fullmatch(words) is not None


def is_said(words: str, *, complete: bool) -> bool:
    """Whether words behind a play are said of it, and no damaged part; ``complete`` if nothing of it is missing."""
    if is_known(words):
        return True
    return complete and (_LIKE_A_HOP.search(words) is None or _BEGINS_KNOWN.match(words) is not None)


def end_of_signs(text: str, at: int) -> int:
    """Where the marks, clocks, figures and brackets end that follow a place; the place itself where none do."""
    found = _SIGNS.match(text, at)
    return at if found is None else found.end()


def begin_of_remark(cell: str) -> int:
    """Where the marks, figures, brackets and words begin that end a damaged play; the length of the cell if none do."""
    found = _LAST.search(cell)
    return found.start() if found and _DAMAGED.search(cell, 3, found.start()) else len(cell)


def is_within(text: str, begin: int, at: int) -> bool:
    """Whether a place in a row belongs to what is said of the play whose cell begins before it.

    Though a cell could begin there, it is in a bracket, a mark or a clock close behind, or a word of a sentence.
    """
    before = text[begin:at]
    if _BRACKET.search(before, 3) and re.search(r"[)\]}]", text[at:]):
        return True
    if not before[3:].strip():
        return False  # the play itself
    behind = len(before) - len(before.rstrip(" "))
    if behind and _ALONE.match(text, at - behind):
        return True
    if behind != 1 or not text[at : at + 1].islower():
        return False
    return _PROSE_BEFORE.search(before) is not None or _PROSE_BEHIND.match(text, at) is not None


def is_whole(dice: Dice, hops: Iterable[HopText]) -> bool:
    """Whether hops move as many points as the dice show, or bear a checker off: a play of which nothing is missing."""
    ways = [hop.points for hop in hops for _ in range(hop.count)]
    total = sum(dice) * (2 if dice[0] == dice[1] else 1)
    return sum(way[0] - way[-1] for way in ways) == total or any(not way[-1] for way in ways)


def keep_behind(game: GameBuilder, words: str, span: Span) -> None:
    """Keep what stands behind a play or a cube action as a remark of its game, and report what nobody knows."""
    game.comments.append(Comment(text=words, span=span))
    if not is_known(words):
        game.report(codes.STRAY_TEXT, span, f"{quoted(words)} behind a play is kept as a remark")
