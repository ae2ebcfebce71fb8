"""Texts whose lines are arranged in another way than one row a line: how they are put in order before they are read.

Two games side by side become one below the other. A line that a PDF or a mail has broken is joined. Fields that tabs or
semicolons part get bars, as tables have them. The times of a chat stand on lines of their own, as remarks.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bgtools.formats.mat.cells import RollCell
from bgtools.formats.shared.behind import is_whole
from bgtools.formats.text.patchwork import Patchwork
from bgtools.formats.text.rows import begins_with_hops, has_roll, read_label, read_row
from bgtools.formats.text.sentences import NAME, read_game
from bgtools.formats.text.undressing import LINE

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.formats.text.patchwork import Layers
    from bgtools.formats.text.rows import TextCell

_GAP: Final = re.compile(r"(?<=\S)[ ]{3,}(?=\S)")
_DAY: Final = r"(?:\d{4}-\d\d-\d\d[ T]|\d{1,2}[./]\d{1,2}[./]\d{2,4},?[ ])"
_TIME: Final = re.compile(
    rf"[ \t]*[\[(]?(?P<time>{_DAY}?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:[ ]?[ap]m)?)[\])]?(?:[ \t]*[-\u2013,|])?[ \t]+"
    r"(?=\S)",
    re.IGNORECASE,
)
_TIMED_NAME: Final = re.compile(
    rf"[ \t]*{NAME}(?P<all>[ ]?[\[(](?P<time>{_DAY}?\d{{1,2}}:\d{{2}}(?::\d{{2}})?)[\])])(?=[:> ])"
)
_BULLET: Final = re.compile(r"[ \t]*[-*\u2022\u00b7+][ \t]+(?=\S)")
_DICE: Final = re.compile(r"[(\[]?[1-6][-,\u2013]?[1-6][)\]]?:?")
_BROKEN: Final = re.compile(r"(?:[,;/-]|\d:)[ \t]*$")
_WIDEST: Final = 300
"""No longer line holds two headings side by side."""
_FEW, _MOST_BROKEN = 2, 2  # so many lines go on with one row at most


def arrange(left: Layers, *, has_rows: bool) -> bool:
    """Put the lines of what is left of a text in order; ``has_rows`` where they are rows of match text.

    Returns:
        Whether anything was changed.
    """
    before = left.text
    steps: tuple[Callable[[str], Patchwork | None], ...] = (
        _one_below_the_other, _without_times, _with_bars, _joined,
    )  # fmt: skip
    for step in steps[:1] if has_rows else steps:
        made = step(left.text)
        if made is not None:
            left.add(made)
    return left.text != before


def _lines(text: str) -> list[tuple[int, str, str]]:
    """The lines of a text: where each begins, its words, and its end."""
    return [(found.start(), found[1], found[2]) for found in LINE.finditer(text)]


def _second_heading(line: str) -> int:
    """Where the second of two headings of games begins in a line; 0 where there are not two."""
    for gap in _GAP.finditer(line) if len(line) <= _WIDEST else ():
        if read_game(line[: gap.start()]) and read_game(line[gap.end() :]):
            return gap.end()
    return 0


def _one_below_the_other(text: str) -> Patchwork | None:
    """Games that stand side by side, one below the other; None where none do."""
    lines = _lines(text)
    if not any(_second_heading(line) for _, line, _ in lines):
        return None
    made, at = Patchwork(), 0
    while at < len(lines):
        column = _second_heading(lines[at][1])
        end = at + 1
        while column and end < len(lines) and _is_parted(lines[end][1], column):
            end += 1
        block = lines[at:end]
        for begin, line, ending in block:
            first = line[:column] if column else line
            made.copy(first.rstrip() if column else first, begin)
            made.write(ending or "\n" * bool(column), begin + max(len(line) - 1, 0))
        for begin, line, _ in block if column else ():
            if line[column:].strip():
                made.copy(line[column:], begin + column)
                made.write("\n", begin + len(line) - 1)
        at = end
    return made


def _is_parted(line: str, column: int) -> bool:
    """Whether a line goes on in two columns, the second of which begins at a place."""
    is_heading = _second_heading(line) > 0 or read_game(line[:column].strip()) is not None
    return not is_heading and line[max(column - 2, 0) : column].strip() == ""


def _without_times(text: str) -> Patchwork | None:
    """Lines without the times and bullets before them; None where no rolls have any. A time becomes a line below."""
    lines = _lines(text)
    timed = sum(bool(_TIME.match(line) or _TIMED_NAME.match(line)) and has_roll(line) for _, line, _ in lines)
    listed = sum(_BULLET.match(line) is not None and has_roll(line) for _, line, _ in lines)
    if max(timed, listed) < _FEW:
        return None
    made = Patchwork()
    for at, line, end in lines:
        begin = 0
        if listed >= _FEW and (bullet := _BULLET.match(line)):
            begin = bullet.end()
        time = (_TIME.match(line, begin) or _TIMED_NAME.match(line, begin)) if timed >= _FEW else None
        if time and time.re is _TIMED_NAME:
            made.copy(line[begin : time.start("all")], at + begin)
            begin = time.end("all")
        elif time:
            begin = time.end()
        made.copy(line[begin:], at + begin)
        if time:
            made.write("\n; ", at + len(line) - 1)
            made.copy(time["time"], at + time.start("time"))
        made.copy(end, at + len(line))
    return made


def _with_bars(text: str) -> Patchwork | None:
    """A sheet with bars in place of the tabs or semicolons between its fields; None where no rolls stand in fields."""
    lines = _lines(text)
    for sign in "\t;,":
        rows = [line for _, line, _ in lines if _is_parted_by(sign, line)]
        parted = [line for line in rows if any(map(has_roll, _rolls(line, sign)))]
        if len(parted) >= _FEW and len(parted) * 3 >= len(rows):
            break
    else:
        return None
    made = Patchwork()
    for at, line, end in lines:
        if not _is_parted_by(sign, line) or "|" in line:
            made.copy(line + end, at)
            continue
        made.write("| ", at)
        for field, begin in _fields(line, sign):
            if begin:
                made.write(" | ", at + begin - 1)
            quotes = field[:1] == field[-1:] == '"' and len(field) > 1
            made.copy(field[quotes : len(field) - quotes], at + begin + quotes)
        made.write(" |", at + len(line) - 1)
        made.copy(end, at + len(line))
    return made


def _is_parted_by(sign: str, line: str) -> bool:
    """Whether a sign parts a line into fields; a lone comma stands between two hops."""
    return line.count(sign) > (sign == ",")


def _fields(line: str, sign: str) -> list[tuple[str, int]]:
    """The fields of a line, each with its place. One in quotation marks may hold the sign that parts them."""
    found, begin, is_quoted = [], 0, False
    for at, char in enumerate(line):
        is_quoted = is_quoted != (char == '"')
        if char == sign and not is_quoted:
            found.append((line[begin:at], begin))
            begin = at + 1
    return [*found, (line[begin:], begin)]


def _rolls(line: str, sign: str) -> list[str]:
    """The fields of a line, and every two that are side by side: dice and play may be in two."""
    fields = [each.strip(' "') for each, _ in _fields(line, sign)]
    pairs = [f"{one} {two}" for one, two in pairwise(fields) if _DICE.fullmatch(one)]
    return pairs if sign == "," else fields + pairs  # 31: 8/5, 6/5 is no sheet


def _joined(text: str) -> Patchwork | None:
    """Rows that were broken in the middle of a play, each on one line; None where none are."""
    lines = _lines(text)
    if not any(_goes_on(line, following) for (_, line, _), (_, following, _) in pairwise(lines)):
        return None
    made, at = Patchwork(), 0
    while at < len(lines):
        begin, line, end = lines[at]
        made.copy(line, begin)
        whole, more = line, 0
        while more < _MOST_BROKEN and at + 1 < len(lines) and _goes_on(whole, lines[at + 1][1]):
            at, more = at + 1, more + 1
            begin, line, end = lines[at]
            made.write(" ", begin)
            made.copy(line.lstrip(), begin + len(line) - len(line.lstrip()))
            whole = f"{whole.rstrip()} {line.lstrip()}"
        made.copy(end, begin + len(line))
        at += 1
    return made


def _goes_on(line: str, following: str) -> bool:
    """Whether a row goes on in the next line: what is there is missing in its last play."""
    if not has_roll(line) or not begins_with_hops(following):
        return False
    number, at = read_label(line)
    cells = read_row(line, at, number).cells
    joined = read_row(f"{line} {following.lstrip()}", at, number).cells[: len(cells)]
    is_completed = bool(cells and joined) and not _is_complete(cells[-1]) and _is_complete(joined[-1])
    return is_completed or _BROKEN.search(line) is not None


def _is_complete(cell: TextCell) -> bool:
    says = cell.says
    return isinstance(says, RollCell) and says.text.kind == "moves" and is_whole(says.dice, says.text.hops)
