"""One line of a book, a letter or a forum: which cells of a row stand in it. The grammar is ``grammars/text.lark``.

Cells come out in the spelling of match text. Whether a line is a row of the game at hand, the translation decides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.board import BAR
from bgtools.formats.mat.cells import CubeCell, RollCell, parse_cell
from bgtools.formats.mat.layout import width
from bgtools.formats.shared.behind import end_of_signs, is_known
from bgtools.formats.shared.grammar import terminals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Dice
    from bgtools.board.play import PlayText
    from bgtools.formats.mat.cells import Cell, Unreadable

_T: Final = terminals("text")
_BLANKS: Final = re.compile(r"[ \t\u00a0\u3000]*")
GAP: Final = re.compile(r"(?:[ \t\u00a0\u3000]{2,}|[ \t\u00a0\u3000]*(?:\t|[|;])[ \t\u00a0\u3000|]*)")
_LABEL: Final = re.compile(_T["LABEL"])
_BARE_LABEL: Final = re.compile(
    rf"[0-9]{{1,3}}(?=[ \t]{{2,}}(?:{_T['ROLL']}|{_T['PLAIN_ROLL']}))|[0-9]{{1,3}},(?=[ \t]+{_T['ROLL']})",
    re.IGNORECASE,
)
_EMPTY: Final = re.compile(_T["EMPTY"])
ROLL: Final = re.compile(_T["ROLL"])
_PLAIN_ROLL: Final = re.compile(_T["PLAIN_ROLL"])
_HOP: Final = re.compile(_T["HOP"])
_TIMES: Final = re.compile(_T["TIMES"])
_JOIN: Final = re.compile(rf"{_T['JOIN']}(?=[ \t]*{_T['HOP']})")
_DANCE: Final = re.compile(_T["DANCE"])
_UNSEEN: Final = re.compile(_T["UNSEEN"])
_WORDS: Final = (
    ("Doubles", re.compile(_T["DOUBLE"])),
    ("Takes", re.compile(_T["TAKE"])),
    ("Drops", re.compile(_T["DROP"])),
    ("Beavers", re.compile(_T["BEAVER"])),
    ("Raccoons", re.compile(_T["RACCOON"])),
    ("Automatic", re.compile(_T["AUTOMATIC"])),
    ("Resigns", re.compile(_T["RESIGN"])),
)
_FIRST: Final = re.compile(
    rf"[ \t]{{0,8}}(?:{'|'.join(_T[each] for each in ('EMPTY', 'ROLL', 'PLAIN_ROLL', 'DOUBLE', 'TAKE', 'DROP'))})"
)
"""What is behind the number of a row. Before anything else, 31: is a roll."""
_ANY_ROLL: Final = re.compile(rf"(?<![\w/])(?:{_T['ROLL']}[ \t]*(?={_T['HOP']})|{_T['PLAIN_ROLL']})")
_LONE_ROLL: Final = re.compile(r"[(\[]?([1-6])[-,\u2013]?([1-6])[)\]]?(?=[ \t]*[-\u2013.?]?[ \t]*$)")
_DASH: Final = re.compile(r"[ \t]*[-\u2013\u2014>=]+(?=[ \t])")
_OPINION: Final = re.compile(r"[ \t]*(?:[!?]{1,4}|\((?:forced|only(?: move)?)\))?[ \t.]*", re.IGNORECASE)
_WORDS_BETWEEN: Final = re.compile(
    rf"( *+(?!{_T['ROLL']})[^|\s](?:[^|\t\r\n]{{,58}}?[^|\s])?)(?:[ \t]{{2,}}|[ \t]*[\t|]){_T['ROLL']}"
)
"""Words behind a cell, with the dice of another one behind a gap."""
LEFT_GAP: Final = 8
"""More blanks than that behind the number of a row leave the left cell empty."""
_NUMBER: Final = re.compile(r"[0-9]+")


class TextCell(NamedTuple):
    """A cell: its stretch of the line, and the same in the spelling of match text."""

    start: int
    end: int
    text: str

    @property
    def says(self) -> Cell | Unreadable:
        """What the cell says."""
        return parse_cell(self.text)

    @property
    def dice(self) -> Dice | None:
        """The roll; None for a cube action."""
        says = self.says
        return says.dice if isinstance(says, RollCell) else None

    @property
    def play(self) -> PlayText | None:
        """What was played; None for a cube action."""
        says = self.says
        return says.text if isinstance(says, RollCell) else None

    @property
    def cube(self) -> str:
        """The cube action, as `CubeCell` names it; "" for a roll."""
        says = self.says
        return says.action if isinstance(says, CubeCell) else ""


class TextRow(NamedTuple):
    """A line with cells.

    Attributes:
        number: the number before the cells; None where there is none.
        empty: whether the left cell is marked as empty.
        cells: the cells, from left to right.
        rest: where what is behind the last cell begins; the length of the line where nothing is.
        asides: the stretches of marks, clocks, equities and words behind cells.
    """

    number: int | None
    empty: bool
    cells: tuple[TextCell, ...]
    rest: int
    asides: tuple[tuple[int, int], ...] = ()


def read_label(line: str, at: int = 0) -> tuple[int | None, int]:
    """The number at the beginning of a row, and where it ends; None and the place where there is none."""
    at = _skip(_BLANKS, line, at)
    label = _LABEL.match(line, at) or _BARE_LABEL.match(line, at)
    if label is None or (ROLL.match(line, at) and _FIRST.match(line, label.end()) is None):
        return None, at
    digits = _NUMBER.search(label[0])
    assert digits is not None
    return int(digits[0]), label.end()


def read_row(line: str, at: int = 0, number: int | None = None, *, is_named: bool = False) -> TextRow:
    """The cells that stand in a line, one behind the other, from a place on. There may be none.

    Args:
        line: the line.
        at: where to begin, behind the number of the row.
        number: that number.
        is_named: whether a name is before the cells. Behind a name or a number, dice alone are a roll.
    """
    begin = _skip(_BLANKS, line, at)
    empty = number is not None and width(line[at:begin]) > LEFT_GAP
    at = begin
    if (mark := _EMPTY.match(line, at)) is not None:
        empty, at = True, _skip(_BLANKS, line, mark.end())
    cells: list[TextCell] = []
    asides: list[tuple[int, int]] = []
    behind_gap = True
    if (number is not None or is_named) and (roll := _LONE_ROLL.match(line, at)):
        cells.append(TextCell(at, roll.end(), f"{roll[1]}{roll[2]}:"))
        at = len(line)
    while len(cells) < 2 and (cell := read_cell(line, at, behind_gap=behind_gap)) is not None:
        cells.append(cell)
        behind = _end_of_remark(line, cell.end)
        if behind > cell.end:
            asides.append((_skip(_BLANKS, line, cell.end), behind))
        end = _skip(_BLANKS, line, behind)
        gap = GAP.match(line, behind)
        # 6-3 may be a hop; 63 is none.
        behind_gap = gap is not None or line[end + 1 : end + 2].isdigit()
        at = max(end, gap.end() if gap else end)
        if not empty and (mark := _EMPTY.match(line, at)) is not None and not line[mark.end() :].strip():
            at = len(line)
    if len(cells) == 1 and number is not None and behind_gap and (roll := _LONE_ROLL.match(line, at)):
        cells.append(TextCell(at, roll.end(), f"{roll[1]}{roll[2]}:"))
    rest = max(cells[-1].end, *(end for _, end in asides), 0) if cells else at
    rest = len(line) if not line[rest:].strip(" \t|.;\u00a0") else rest
    return TextRow(number, empty, tuple(cells), rest, tuple(asides))


def _end_of_remark(line: str, at: int) -> int:
    """Where the marks, clocks and figures behind a cell end, or the words between it and the next cell."""
    end = end_of_signs(line, at)
    words = _WORDS_BETWEEN.match(line, end)
    return words.end(1) if words and is_known(words[1]) else end


def has_roll(line: str) -> bool:
    """Whether a roll with a move behind it is anywhere in a line."""
    return _ANY_ROLL.search(line) is not None


def begins_with_roll(line: str) -> bool:
    """Whether a roll with a move behind it begins a line, behind its number and the mark of an empty cell."""
    at = _skip(_EMPTY, line, _skip(_BLANKS, line, read_label(line)[1]))
    return _ANY_ROLL.match(line, _skip(_BLANKS, line, at)) is not None


def begins_with_hops(line: str) -> bool:
    """Whether a hop begins a line, and no roll."""
    at = _skip(_BLANKS, line, 0)
    return ROLL.match(line, at) is None and _PLAIN_ROLL.match(line, at) is None and _HOP.match(line, at) is not None


def read_hops(line: str) -> str:
    """The play in a line that holds nothing else, in the spelling of match text; "" for any other line."""
    at = _skip(_BLANKS, line, 0)
    hops, end = _hops(line, at)
    # A figure behind it makes it one of a list of plays.
    return " ".join(hops) if hops and _OPINION.fullmatch(line, end) else ""


def _skip(pattern: re.Pattern[str], line: str, at: int) -> int:
    found = pattern.match(line, at)
    return at if found is None else found.end()


def read_cell(line: str, at: int, *, behind_gap: bool) -> TextCell | None:
    """The cell that begins at a place; ``behind_gap`` where more than one blank is before it."""
    roll = ROLL.match(line, at) or (_PLAIN_ROLL.match(line, at) if behind_gap else None)
    if roll is not None:
        one, two = (char for char in roll[0] if char.isdigit())
        text, end = _played(line, _skip(_DASH, line, roll.end()), _lengths(int(one), int(two)))
        return TextCell(at, end, f"{one}{two}: {text}".rstrip())
    for word, pattern in _WORDS:
        if found := pattern.match(line, at):
            value = _NUMBER.search(found[0])
            text = f"{word} => {value[0]}" if value else word
            if word == "Resigns" and found[0].casefold().endswith("match"):
                text = "Resigns the match"
            return TextCell(at, found.end(), text)
    return None


def _lengths(one: int, two: int) -> frozenset[int]:
    """How far a checker can go with a roll."""
    return frozenset({one, 2 * one, 3 * one, 4 * one} if one == two else {one, two, one + two})


def _played(line: str, at: int, lengths: frozenset[int]) -> tuple[str, int]:
    """What is behind dice that allow ways of some lengths, in the spelling of match text, and where it ends."""
    begin = _skip(_BLANKS, line, at)
    hops, end = _hops(line, begin, lengths)
    if hops:
        return " ".join(hops), end
    if found := _DANCE.match(line, begin):
        return "Cannot Move", found.end()
    if found := _UNSEEN.match(line, begin):
        return "????", found.end()
    return "", at


def _hops(line: str, at: int, lengths: frozenset[int] | None = None) -> tuple[list[str], int]:
    """The hops from a place on, each in the spelling of match text, and where the last one ends."""
    found = [*_each_hop(line, at)]
    hops = [_spelled(line[each.start : each.points], line[each.points : each.end], lengths) for each in found]
    return hops, found[-1].end if found else at


class _HopAt(NamedTuple):
    """Where in a line a hop begins, where its points end, and where its count ends."""

    start: int
    points: int
    end: int


def _each_hop(line: str, at: int) -> Iterator[_HopAt]:
    while (found := _HOP.match(line, at)) is not None and ROLL.match(line, at) is None:
        times = _TIMES.match(line, found.end())
        end = times.end() if times else found.end()
        yield _HopAt(found.start(), found.end(), end)
        joined = _JOIN.match(line, end)
        at = _skip(_BLANKS, line, joined.end() if joined else end)
        if joined is None and GAP.match(line, end) and _PLAIN_ROLL.match(line, at):
            return


def find_hops(cell: str) -> list[tuple[int, int]]:
    """Where the hops of a cell begin and end; none where dice and hops are not all that it holds."""
    at = _skip(_BLANKS, cell, 0)
    roll = ROLL.match(cell, at) or _PLAIN_ROLL.match(cell, at)
    begin = at if roll is None else _skip(_DASH, cell, roll.end())
    hops = [*_each_hop(cell, _skip(_BLANKS, cell, begin))]
    return (
        [(hop.start, hop.end) for hop in hops] if hops and not cell[end_of_signs(cell, hops[-1].end) :].strip() else []
    )


_POINTS: Final = {"b": "bar", "bar": "bar", "o": "off", "f": "off", "out": "off", "home": "off", "off": "off"}


def _spelled(hops: str, times: str, lengths: frozenset[int] | None) -> str:
    parts = re.split(r"[ \t]*[/\u2013\u2212-][ \t]*", hops.replace("@", "*").replace("x", "*"))
    points = [each.rstrip("*") for each in parts]
    is_way = lengths is None or not points[1].isdigit() or BAR - int(points[1]) in lengths
    if "B" in points[1:] or (points[0] == "B" and not is_way):
        return hops + times  # no bar, but an 8 that a scanner has misread
    words = [_POINTS.get(each.rstrip("*").casefold(), each.rstrip("*")) + "*" * each.endswith("*") for each in parts]
    count = _NUMBER.search(times)
    star = "*" if times.endswith(("*", "@")) and not words[-1].endswith("*") else ""
    return "/".join(words) + star + (f"({count[0]})" if count else "")
