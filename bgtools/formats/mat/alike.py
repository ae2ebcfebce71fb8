"""Match text: signs and words that stand for others. Scanners and people write letters for digits, and misspell words;
keyboards of other languages write signs of full width, and digits of another script."""

from __future__ import annotations

import re
from typing import Final

from bgtools.decoder.plausibility import edit_distance
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Fix, quoted
from bgtools.formats.mat.cells import FIRST_WORD
from bgtools.source import Span

_DIGITS: Final = {
    **dict.fromkeys("OoQD", "0"), **dict.fromkeys("lI|i", "1"), **dict.fromkeys("Zz", "2"), **dict.fromkeys("Ss", "5"),
    **dict.fromkeys("Gb", "6"), "B": "8", **dict.fromkeys("gq", "9"),
}  # fmt: skip
"""The digit that a letter looks like."""

_ANY: Final = rf"[0-9{re.escape(''.join(_DIGITS))}]"
_NUMBER: Final = re.compile(rf"{_ANY}{{1,2}}")
_POINT: Final = rf"(?:bar|off|{_ANY}{{1,2}})\*?"
_HOPS: Final = re.compile(rf"{_POINT}(?:/{_POINT})+(?:\({_ANY}\)\*?)?", re.I)
_LETTERS: Final = str.maketrans(_DIGITS)

ROLL: Final = re.compile(rf"(?<!\S)(?=[^:\s]*[0-9]){_ANY}{{2}}:(?!\S)")
"""A roll; one of its dice may be a letter. With two letters it would be a word."""

_SCORE: Final = re.compile(
    rf"(?P<left>[^:\r\n]{{1,200}}: *)(?P<one>{_ANY}{{1,2}})(?P<right>\s\s[^:\r\n]{{1,200}}: *)(?P<two>{_ANY}{{1,2}})\s*"
)
"""A score line; its points may be letters that look like digits."""

_WORDS: Final = re.compile(r"\S+")

_LETTERED: Final = re.compile(r"(?<!\S)[A-Za-z]{3,12}(?!\S)")
"""A word that may be a misspelt one: letters alone."""
_VALUE: Final = re.compile(r" {0,9}(?:(?:={0,9}>|->|[=:]|to ) {0,9})?\d")
_NUMBER_BEHIND: Final = re.compile(r" +\d{1,4}(?: +[A-Za-z]|\s*$)")
_NOTHING_BEHIND: Final = re.compile(r"\s*$|\s{2,}\S")
_MEANT: Final = {
    **dict.fromkeys(("doubles", "redoubles", "beavers", "raccoons"), _VALUE),
    **dict.fromkeys(("takes", "drops", "accepts", "rejects", "resigns"), _NOTHING_BEHIND),
    **dict.fromkeys(("wins", "loses", "losses"), _NUMBER_BEHIND),
}
"""The words that a misspelt one may stand for, each with what follows it in a row."""
_LETTERS_A_SLIP: Final = 3
"""How many letters a word has for each slip that it may hold: one in "takes", two in "doubles"."""

_FULL_WIDTH: Final = range(0xFF01, 0xFF5F)
"""Signs of full width, in the order of ASCII from the exclamation mark on."""
_PLAIN: Final = {"\u3000": " ", "\u2044": "/", "\u2215": "/", "\u2236": ":"}
_POINTS: Final = re.compile(r"[:\uff1a]\s*\d{1,9}(?=\s|$)")


def in_ascii(text: str) -> str:
    """A text with signs of full width, and digits of any script, replaced by those of ASCII; its length is the same."""
    return text if text.isascii() else "".join(map(_plain_sign, text))


def score_in_ascii(line: str) -> str:
    """A line with the points behind its colons in ASCII; the names stay as they are."""
    return _POINTS.sub(lambda points: in_ascii(points[0]), line)


def _plain_sign(char: str) -> str:
    if ord(char) in _FULL_WIDTH:
        return chr(ord(char) - _FULL_WIDTH[0] + ord("!"))
    return str(int(char)) if char.isdecimal() else _PLAIN.get(char, char)


def in_digits(text: str) -> str:
    """A cell in which every letter that stands for a digit, and looks like it, is replaced by that digit."""
    return _WORDS.sub(lambda word: _word(word[0]), text)


def score_in_digits(line: str) -> str | None:
    """A score line with the points of both players in digits; None for another line, or one with digits already."""
    found = _SCORE.fullmatch(line)
    if found is None or (found["one"] + found["two"]).isdigit():
        return None
    blanks = line[found.end("two") :]
    return "".join(
        (found["left"], found["one"].translate(_LETTERS), found["right"], found["two"].translate(_LETTERS), blanks)
    )


def lettered(text: str, digits: str, start: int, game: int | None) -> Finding:
    """The finding that letters stand for digits, or signs of full width or another script for those of ASCII.

    Args:
        text: what is in the record.
        digits: the same text with plain digits; its length is the same.
        start: where the text begins in the source.
        game: the number of the game.
    """
    wrong = [at for at, (one, two) in enumerate(zip(text, digits, strict=True)) if one != two]
    span = Span(start + wrong[0], start + wrong[-1] + 1)
    stands, right = text[wrong[0] : wrong[-1] + 1], digits[wrong[0] : wrong[-1] + 1]
    if any(text[at].isascii() for at in wrong):
        signs = "a letter stands for a digit" if len(wrong) == 1 else "letters stand for digits"
    else:
        signs = "a sign is not the plain one" if len(wrong) == 1 else "signs are not the plain ones"
    told = f"{signs}: {quoted(stands)} is read as {right}"
    return Finding(codes.UNREADABLE_CELL, span, told, game=game, remedy=Fix(span, right, "safe"))


def word_at(text: str, at: int) -> str | None:
    """The word of a cell that is meant where a misspelt one stands, as "Takes" for "Taeks"; None for any other word.

    What follows the word tells it from a name or a remark: a cube value behind a double, points behind a win, and
    nothing in its cell behind an answer.
    """
    word = _LETTERED.match(text, at)
    if word is None or FIRST_WORD.match(text, at):
        return None
    slips, likest = min((edit_distance(word[0].casefold(), meant), meant) for meant in _MEANT)
    is_meant = slips <= len(likest) // _LETTERS_A_SLIP and _MEANT[likest].match(text, word.end()) is not None
    return likest.capitalize() if is_meant else None


def misspelt_words(text: str, at: int) -> list[int]:
    """Where misspelt words of cells begin in a row, from an offset on."""
    return [word.start() for word in _LETTERED.finditer(text, at) if word_at(text, word.start())]


def misspelt(stands: str, right: str, start: int, game: int | None) -> Finding:
    """The finding that a word is misspelt.

    Args:
        stands: the word in the record.
        right: the word that is meant.
        start: where it begins in the source.
        game: the number of the game.
    """
    span = Span(start, start + len(stands))
    told = f"a word is misspelt: {quoted(stands)} is read as {right}"
    return Finding(codes.UNREADABLE_CELL, span, told, game=game, remedy=Fix(span, right, "safe"))


def _word(word: str) -> str:
    if ROLL.fullmatch(word) or _NUMBER.fullmatch(word):
        return word.translate(_LETTERS)
    if _HOPS.fullmatch(word) is None:
        return word
    parts = re.split(r"(bar|off)", word, flags=re.I)
    return "".join(part if part.casefold() in ("bar", "off") else part.translate(_LETTERS) for part in parts)
