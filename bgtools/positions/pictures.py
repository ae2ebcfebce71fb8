"""Reading boards drawn with letters, as GNU Backgammon, eXtreme Gammon, BGBlitz and FIBS print them.

     +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Ann
     | X           O    |   | O              X |     0 points
     …
    v|                  |BAR|                  |     7 point match (Cube: 1)
     …
     | O           X    |   | X              O |     Rolled 31
     +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: Bob

The numbers along the rims are those of the player in whose half 1 to 12 stand; the other player's are 25 minus these.
The checkers of a point stand one above the other from the rim on. The innermost row shows the number of more than five.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board.board import BAR
from bgtools.positions.position import IdError, Position, complete, dice_of
from bgtools.rules.cube import Cube, MatchState, Owner
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board, Dice

Letter = Literal["X", "O"]

_LABEL: Final = re.compile(r"\d{1,2}")
_LABELS: Final = re.compile(r"(?<!\d)(?:\d{1,2}[-\s]+){11}\d{1,2}(?!\d)")
_BETWEEN: Final = 3
"""How many lines the second half of a board stands below the first one at most."""
_UPPER_HALF: Final = frozenset(range(13, 25))
_LOWER_HALF: Final = frozenset(range(1, 13))
_DEEP: Final = "ABCDEF"
"""GNU Backgammon's signs for ten to fifteen checkers."""


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A drawn board.

    Attributes:
        points: for each letter the checkers on each point, in the numbers of the rims; 25 is the bar.
        lower: the letter of the player at the lower rim.
        numbered: the letter of the player whose numbers stand at the rims.
        first, last: the indices of its first and its last line.
    """

    points: dict[Letter, list[int]]
    lower: Letter
    numbered: Letter
    first: int
    last: int

    def seen_by(self, letter: Letter) -> Board:
        """The board, seen by a player.

        Raises:
            IdError: the board is not possible.
        """
        sides: dict[Letter, list[int]] = {}
        for each, counts in self.points.items():
            own = counts if each == self.numbered else [0, *reversed(counts[1:BAR]), counts[BAR]]
            sides[each] = list(own)
        return complete(sides[letter], sides[opposite(letter)])


def opposite(letter: Letter) -> Letter:
    """The other letter."""
    return "O" if letter == "X" else "X"


def _labels(line: str) -> dict[int, int] | None:
    """For each point along a rim the column of its number's last digit, where its checkers stand; None for no rim."""
    run = _LABELS.search(line)
    if run is None:
        return None
    columns = {int(each[0]): each.end() - 1 + run.start() for each in _LABEL.finditer(run[0])}
    return columns if set(columns) in (_UPPER_HALF, _LOWER_HALF) else None


def is_picture(text: str) -> bool:
    """Whether a board is drawn in a text."""
    lines = text.splitlines()
    return any(_labels(line) is not None for line in lines) or _find_halves(lines) is not None


_HALF: Final = re.compile(r"[ \t>]*((?:\d?\d[XO]|[ ]?'){12})[ \t]*")
_POINT: Final = re.compile(r"(\d?\d)([XO])|'")
_MEN: Final = 15
_HOME: Final = 6


def _find_halves(lines: Sequence[str], start: int = 0) -> DrawnBoard | None:
    """The first board that two lines of twelve points give: 24 to 13, and 1 to 12.

    Forums print so what stands for a board drawn in pictures, point by point: ``5X`` or an apostrophe. What is missing
    is on the bar, or borne off where a player has all checkers at home.
    """
    halves = ((number, _HALF.fullmatch(lines[number])) for number in range(start, len(lines)))
    found = [(number, half[1]) for number, half in halves if half is not None]
    if len(found) < 2 or found[1][0] - found[0][0] > _BETWEEN:
        return None
    (first, upper), (last, lower) = found[:2]
    points: dict[Letter, list[int]] = {"X": [0] * 26, "O": [0] * 26}
    for numbers, half in ((range(24, 12, -1), upper), (range(1, 13), lower)):
        for number, each in zip(numbers, _POINT.finditer(half), strict=True):
            if each[2]:
                points["X" if each[2] == "X" else "O"][number] = int(each[1])
    for letter, counts in points.items():
        own = counts if letter == "O" else [0, *reversed(counts[1:BAR])]
        if any(own[_HOME + 1 :]) or not any(own):
            counts[BAR] = max(_MEN - sum(counts), 0)
    return DrawnBoard(points, "O", "O", first, last)


def drawn_boards(text: str) -> tuple[Board, ...]:
    """The first board drawn in a text, seen by either player; none where there is none, or only half of one."""
    try:
        drawn = find_picture(text.splitlines()) if is_picture(text) else None
        return () if drawn is None else (drawn.seen_by("X"), drawn.seen_by("O"))
    except IdError:
        return ()


def find_picture(lines: Sequence[str], *, start: int = 0, rest: bool = False) -> DrawnBoard | None:
    """The first board drawn in some lines, or None.

    Args:
        lines: the text.
        start: the line to begin at.
        rest: whether a number in the innermost row counts only the checkers that are not drawn, as BGBlitz's does,
            instead of all.

    Raises:
        IdError: a board begins, but the lines after it do not complete it.
    """
    for top in range(start, len(lines)):
        upper = _labels(lines[top])
        if upper is None:
            continue
        for bottom in range(top + 9, min(top + 17, len(lines))):
            lower = _labels(lines[bottom])
            if lower is not None and set(lower) != set(upper):
                return _read(lines, top, bottom, upper, lower, rest=rest)
        raise IdError("a board begins here that has no lower rim")
    return _find_halves(lines, start)


def _read(
    lines: Sequence[str], top: int, bottom: int, upper: dict[int, int], lower: dict[int, int], *, rest: bool
) -> DrawnBoard:
    rows = [line for line in lines[top + 1 : bottom] if line.count("|") >= 4]
    middle = next((number for number, line in enumerate(rows) if "BAR" in line), None)
    if middle is None or len(rows) != 2 * middle + 1:
        raise IdError("a board has as many rows above the word BAR as below it")
    points: dict[Letter, list[int]] = {"X": [0] * 26, "O": [0] * 26}
    for labels, half in ((upper, rows[:middle]), (lower, rows[:middle:-1])):
        for point, column in labels.items():
            found = _stack([line[column : column + 1] for line in half], rest=rest)
            if found is not None:
                points[found[0]][point] = found[1]
    at = rows[middle].index("BAR") + 1
    for half in (rows[:middle], rows[:middle:-1]):
        # The number of many checkers on the bar may stand on either side of the letters.
        found = _stack([line[at : at + 1] for line in half], rest=rest)
        if found is not None:
            points[found[0]][BAR] += found[1]
    lower_letter = _lower_letter(lines, top, bottom)
    numbered = lower_letter if 1 in lower else opposite(lower_letter)
    return DrawnBoard(points, lower_letter, numbered, top, bottom)


def _stack(column: list[str], *, rest: bool) -> tuple[Letter, int] | None:
    """The letter and the number of the checkers in a column, from the rim inwards, or None."""
    letters = [char for char in column if char in ("X", "O")]
    others = [char for char in column if char not in ("X", "O", " ", "")]
    if not letters:
        if others:
            raise IdError(f"a board has {others[0]!r} where no checker stands")
        return None
    if len(set(letters)) > 1 or len(others) > 1:
        raise IdError("a board has checkers of both players on a point")
    letter: Letter = "X" if letters[0] == "X" else "O"
    if not others:
        return letter, len(letters)
    (number,) = others
    count = int(number) if number.isdecimal() else 10 + _DEEP.find(number)
    if not number.isdecimal() and number not in _DEEP:
        raise IdError(f"a board has {number!r} where a number of checkers should stand")
    return letter, count + len(letters) if rest else count


_NAMED: Final = re.compile(r"[-+]\s+([XO]):")


def _lower_letter(lines: Sequence[str], top: int, bottom: int) -> Letter:
    """The letter of the player at the lower rim, which is beside either rim; X where neither has one."""
    for number, is_lower in ((bottom, True), (bottom - 1, True), (top, False), (top + 1, False)):
        if named := _NAMED.search(lines[number]):
            letter: Letter = "X" if named[1] == "X" else "O"
            return letter if is_lower else opposite(letter)
    return "X"


# --- what stands around a board -------------------------------------------------------------

_XG_SCORE: Final = re.compile(r"X-O:\s*(\d+)-(\d+)(?:/(\d+))?")
_XG_NAMES: Final = re.compile(r"\s*X:(.*?)\s{2,}O:(.*?)\s*$")
_XG_CUBE: Final = re.compile(r"^\s*\w+:\s*(\d+)(?:\s*,\s*([XO])\b.*)?$")
_XG_ON_ROLL: Final = re.compile(r"^\s*([XO])\b(?!-).*?(?:\b([1-6])([1-6]))?\s*$")
_GNUBG_CUBE: Final = re.compile(r"\(Cube: (\d+)\)")
_GNUBG_DICE: Final = re.compile(r"Rolled ([1-6])([1-6])")
_GNUBG_OFFER: Final = re.compile(r"Cube offered at (\d+)")
_GNUBG_POINTS: Final = re.compile(r"(\d+) points?\s*$")
_LENGTH: Final = re.compile(r"(\d+)[- ]points? match")
_FIBS_NAME: Final = re.compile(r"[-+]\s+([XO]): (.*?) - score: (\d+)")
_FIBS_CUBE: Final = re.compile(r"Cube: (\d+)(?: \(owned by (.*?)\))?")
_FIBS_ROLLED: Final = re.compile(r"\s{2}(\S[^:]*?) rolled ([1-6]) ([1-6])|turn: (\S.*?)\s*$")
_GNUBG_NAME: Final = re.compile(r"[-+]\s+([XO]): (.*?)(?: \(Cube: (\d+)\))?\s*$")


def decode_picture(text: str) -> Position:
    """Read a board drawn with letters, and the dice, cube, score and names around it.

    Raises:
        IdError: there is no board, or it is not possible.
    """
    lines = text.splitlines()
    picture = find_picture(lines)
    if picture is None:
        raise IdError("there is no board: its rims bear the numbers 1 to 24")
    if _labels(lines[picture.first]) is None:
        return Position(picture.seen_by(picture.lower))  # nothing else is known
    around = "\n".join(lines)
    if "score:" in around and "OFF:" in around:
        return _fibs(lines, picture)
    if _XG_SCORE.search(around):
        return _xg(lines, picture)
    return _gnubg(lines, picture)


def _situation(
    picture: DrawnBoard,
    roller: Letter,
    *,
    length: int,
    score: dict[Letter, int],
    cube: int,
    owner: Letter | None,
    dice: Dice | None,
    crawford: bool = False,
    offered: bool = False,
    names: dict[Letter, str] | None = None,
) -> Position:
    other = opposite(roller)
    owned: Owner = "centre" if owner is None else "mine" if owner == roller else "theirs"
    if cube < 1 or cube & (cube - 1):
        raise IdError(f"the cube shows no {cube}")
    state = MatchState(
        length, (score[roller], score[other]), Cube(cube, owned), crawford, Ruleset(crawford=bool(length))
    )
    called = names or {}
    return Position(
        picture.seen_by(roller), state, dice, "double" if offered else "",
        upper=roller != picture.lower, names=(called.get(roller, ""), called.get(other, "")),
    )  # fmt: skip


def _gnubg(lines: Sequence[str], picture: DrawnBoard) -> Position:
    first, last = picture.first, picture.last
    rows = lines[first : last + 1]
    upper = opposite(picture.lower)
    names: dict[Letter, str] = {}
    owner: Letter | None = None
    cube, dice, roller, offered = 1, None, picture.numbered, False
    for letter, line in ((upper, rows[0]), (picture.lower, rows[-1])):
        if named := _GNUBG_NAME.search(line):
            names[letter] = named[2]
            if named[3]:
                cube, owner = int(named[3]), letter
    score: dict[Letter, int] = {"X": 0, "O": 0}
    for letter, line in ((upper, rows[1]), (picture.lower, rows[-2])):
        if points := _GNUBG_POINTS.search(line):
            score[letter] = int(points[1])
    middle = next(row for row in rows if "BAR" in row)
    length = int(found[1]) if (found := _LENGTH.search(middle)) else 0
    if owner is None and (found := _GNUBG_CUBE.search(middle)):
        cube = int(found[1])
    for row in rows:
        if found := _GNUBG_DICE.search(row):
            dice = dice_of(int(found[1]), int(found[2]), "board")
        if found := _GNUBG_OFFER.search(row):
            # With an offered double, GNU Backgammon does not print the length of the match.
            cube, offered = int(found[1]) // 2, True
            owner = roller if cube > 1 else None
    return _situation(
        picture, roller, length=length, score=score, cube=cube, owner=owner, dice=dice,
        crawford="Crawford" in middle, offered=offered, names=names,
    )  # fmt: skip


def _xg(lines: Sequence[str], picture: DrawnBoard) -> Position:
    after = lines[picture.last + 1 :]
    length, cube, owner, dice = 0, 1, None, None
    score: dict[Letter, int] = {"X": 0, "O": 0}
    roller: Letter = "X"
    seen_cube = False
    named = next(filter(None, map(_XG_NAMES.match, lines[: picture.first])), None)
    names: dict[Letter, str] = {"X": named[1], "O": named[2]} if named else {}
    for line in after:
        if found := _XG_SCORE.search(line):
            score = {"X": int(found[1]), "O": int(found[2])}
            length = int(found[3] or 0)
        elif not seen_cube and (found := _XG_CUBE.match(line)):
            seen_cube = True
            cube = int(found[1])
            owner = _letter(found[2]) if found[2] else None
        elif found := _XG_ON_ROLL.match(line):
            roller = _letter(found[1])
            if found[2]:
                dice = (int(found[2]), int(found[3]))
            break
    return _situation(picture, roller, length=length, score=score, cube=cube, owner=owner, dice=dice, names=names,
                      crawford=any("Crawford" in line for line in [*lines[: picture.first], *after]))  # fmt: skip


def _fibs(lines: Sequence[str], picture: DrawnBoard) -> Position:
    names: dict[Letter, str] = {}
    score: dict[Letter, int] = {"X": 0, "O": 0}
    length, cube, owner, dice = 0, 1, None, None
    roller = picture.lower
    for line in lines[max(picture.first - 1, 0) :]:
        if found := _FIBS_NAME.search(line):
            names[_letter(found[1])] = found[2]
            score[_letter(found[1])] = int(found[3])
        if "BAR" in line and (found := _LENGTH.search(line)):
            length = int(found[1])
        if found := _FIBS_CUBE.search(line):
            cube = int(found[1])
            owner = next((letter for letter, name in names.items() if name == found[2]), None)
            if found[2] == "You":
                owner = picture.lower
        if found := _FIBS_ROLLED.search(line):
            who = found[1] or found[4]
            roller = next((letter for letter, name in names.items() if name == who), picture.lower)
            if found[2]:
                dice = (int(found[2]), int(found[3]))
            break
    return _situation(
        picture, roller, length=length, score=score, cube=cube, owner=owner, dice=dice, names=names
    )  # fmt: skip


def _letter(text: str) -> Letter:
    return "X" if text == "X" else "O"
