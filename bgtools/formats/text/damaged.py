"""Rows of books and forums with a cell that cannot be read: which stretch of the line is that cell.

Match text gets such a cell as it stands, so that its reader says what is wrong with it, as with any damaged row.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.decoder.plausibility import edit_distance
from bgtools.formats.mat.cells import Unreadable
from bgtools.formats.mat.prose import is_prose
from bgtools.formats.shared.grammar import terminals
from bgtools.formats.text.rows import GAP, ROLL, TextCell, TextRow, read_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOVE: Final = r"(?:bar|b|\d{1,2})\*?[-/\u2013](?:bar|off|\d{1,2})\*?(?!\w)"
_STARTS_WITH_MOVE: Final = re.compile(rf"{_MOVE}(?![ \t]*:)", re.IGNORECASE)
_SOME_MOVE: Final = re.compile(rf"(?<![\w/-]){_MOVE}|\w/\W{{0,3}}\w|\d\W{{1,3}}/\w|\wff?\b", re.IGNORECASE)
"""A move, or what is left of one."""
_DICE: Final = re.compile(r"[(\[]?[1-6][-,\u2013]?[1-6]\b")
_DAMAGED_DICE: Final = re.compile(
    r"(?=\S{0,6}\d)[^\s:;]{1,7}[ \t]?[:;]|(?=\S{0,5}\d)[^\s:;]{1,6}(?=\s|$)|\W?[a-z]{0,2}\d"
)
_DICE_BEHIND: Final = re.compile(rf"(?<=\s)(?:{ROLL.pattern}|(?=\S{{0,4}}\d)[^\s/:]{{1,6}}:(?=\s))")
"""Dice with a colon behind another cell, as they should be or with a slip."""
_DIGITS: Final = re.compile(r"\W{0,3}\d[\d\W]{0,4}")
_DANCED: Final = re.compile(terminals("text")["DANCE"] + "$")
_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_SIGNS: Final = re.compile(r"[^\s.,;:!?()\[\]\"'|*\u2013\u2014=-]")
_PUNCTUATION: Final = " \t\u00a0,;.|"
_CUBE_WORDS: Final = ("double", "doubles", "redouble", "take", "takes", "pass", "drop", "drops", "beaver", "resigns")
_LETTERS_A_SLIP: Final = 3
_LONGEST: Final = 60
_SHORTEST: Final = 3
_JUNK: Final = 6
_TWO: Final = 2


def is_damage(words: str) -> bool:
    """Whether what stands behind a cell is a damaged part of it, and not a remark."""
    words = words.strip(" \t\u00a0|")
    if len(words) > _LONGEST or not _SIGNS.search(words) or is_prose(words):
        return _is_cube_word(words.casefold())
    return not _WORD.search(words) or _SOME_MOVE.search(words) is not None or is_damaged_cell(words)


def is_damaged_cell(words: str) -> bool:
    """Whether a stretch of a row may be a cell with a slip in it: dice and a move, or a cube action."""
    if len(words) > _LONGEST or _STARTS_WITH_MOVE.match(words):
        return False
    if _is_cube_word(words.casefold()):
        return True
    if _DAMAGED_DICE.match(words) and (danced := _DANCED.search(words)) and ":" in words[: danced.start()]:
        return True
    if is_prose(words):
        return False
    if _DICE.match(words) or _DIGITS.fullmatch(words):
        return _SIGNS.search(words) is not None
    return _DAMAGED_DICE.match(words) is not None and _SOME_MOVE.search(words) is not None


def _is_cube_word(word: str) -> bool:
    """Whether a word is almost that of a cube action."""
    if not _SHORTEST <= len(word) <= _LONGEST or " " in word:
        return False
    return any(
        abs(len(word) - len(each)) <= len(each) // _LETTERS_A_SLIP
        and edit_distance(word, each) <= len(each) // _LETTERS_A_SLIP
        for each in _CUBE_WORDS
    )


def read_damaged_row(line: str, at: int, number: int | None, *, empty: bool = False) -> TextRow | None:
    """A row of which a cell or both cannot be read; None where the line is none, or nothing in it is damaged.

    Args:
        line: the line.
        at: where to begin, behind the number of the row and the name of a player.
        number: that number.
        empty: whether the left cell is marked as empty.
    """
    cells: list[TextCell] = []
    for start, end in _stretches(line, at):
        words = line[start:end]
        cell = read_cell(line, start, behind_gap=True)
        rest = "" if cell is None else line[cell.end : end]
        if cell is not None and not rest.strip(_PUNCTUATION):
            cells.append(cell)
        elif is_damage(rest) if cell is not None else is_damaged_cell(words):
            cells.append(damaged_cell(words, start))
        elif cells and len(words) <= _JUNK and _SIGNS.search(words):
            last = cells.pop()
            cells.append(TextCell(last.start, end, f"{last.text} {words}"))
        elif words.strip(_PUNCTUATION) and (cells or _SIGNS.search(words)):
            return None
    if not 1 <= len(cells) <= _TWO or not any(isinstance(each.says, Unreadable) for each in cells):
        return None
    return TextRow(number, empty, tuple(cells), len(line))


def _stretches(line: str, at: int) -> Iterator[tuple[int, int]]:
    """The stretches of a row, parted by gaps and by dice with a colon."""
    ends = [(each.start(), each.end()) for each in GAP.finditer(line, at)]
    ends += [(each.start(), each.start()) for each in _DICE_BEHIND.finditer(line, at + 1)]
    begin = at
    for start, end in [*sorted(ends), (len(line), len(line))]:
        words = line[begin:start]
        if words.strip():
            stop = begin + len(words.rstrip())
            yield begin + len(words) - len(words.lstrip()), stop
        begin = max(begin, end)


def damaged_cell(words: str, start: int) -> TextCell:
    """A cell that cannot be read, with the signs of match text for those of a book.

    Args:
        words: the cell.
        start: where it begins.
    """
    text = re.sub(r"[,;](?=\s|$)", "", words)
    text = re.sub(r"^(\W?\w)[-,\u2013](?=\w\W{0,2}:)", r"\1", text)
    text = re.sub(r"^(\S{1,4})[ \t]:", r"\1:", text)
    if ":" not in text:
        text = re.sub(r"^((?=\w?\d)\w{1,2})(?=\s|$)(?:\s*[-\u2013=>&]+(?=\s))?", r"\1:", text)
    text = re.sub(r"(?<=[\w*])[-\u2013](?=\w)", "/", text).replace("@", "*").strip()
    return TextCell(start, start + len(words), text)
