"""The FEN of PlayStrategy.

    5S,3,3s,1,5s,4,2S/5s,3,3S,1,5S,4,2s[] - - w 0 0 - 1

The fields: the board, with the points 13 to 24 of White in the first row and 12 to 1 in the second, numbers for empty
points, and in brackets the checkers on the bar; the dice that are left; the dice that are played; who is on roll; how
many checkers White and Black have borne off; the cube; the number of the turn. S is a checker of White, s one of Black.
The cube is - for none, 0 in the middle, 2W where White owns it at 2, 2w where White is offered it, and 2wx after a
drop. Source: Mind-Sports-Games/strategygames, backgammon/format/FEN.scala.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF, Board
from bgtools.board.hopping import are_dice
from bgtools.positions.position import IdError, Position
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FEN: Final = re.compile(
    r"(?P<upper>[\dSs,]+)/(?P<lower>[\dSs,]+)\[(?P<bar>[\dSs,]*)\] (?P<left>[1-6/]+|-) (?P<used>[1-6/]+|-) "
    r"(?P<turn>[wb]) (?P<white>\d{1,2}) (?P<black>\d{1,2}) (?P<cube>-|0|\d{1,4}[WBwb]x?) (?P<number>\d{1,9})"
)
_PLACE: Final = re.compile(r"(\d*)([Ss]?)")
_ROW: Final = 12


def is_fen(text: str) -> bool:
    """Whether a text has the form of such a FEN."""
    return _FEN.fullmatch(text.strip()) is not None


def decode_fen(text: str) -> Position:
    """Read a FEN of PlayStrategy. It knows no score.

    Raises:
        IdError: the text is none, or its board is not possible.
    """
    found = _FEN.fullmatch(text.strip())
    if found is None:
        raise IdError("a FEN of PlayStrategy has two rows of points, the bar in brackets, and eight fields")
    white, black = [0] * 26, [0] * 26
    for row, points in ((found["upper"], range(13, 25)), (found["lower"], range(12, 0, -1))):
        checkers = [*_checkers(row)]
        if len(checkers) != _ROW:
            raise IdError(f"a row of this FEN has {len(checkers)} points, not 12")
        for point, count in zip(points, checkers, strict=True):
            if count > 0:
                white[point] = count
            elif count < 0:
                black[BAR - point] = -count
    for count in _checkers(found["bar"]):
        (white if count > 0 else black)[BAR] += abs(count)
    white[OFF], black[OFF] = int(found["white"]), int(found["black"])
    if sum(white) != sum(black):
        raise IdError(f"White has {sum(white)} checkers in this FEN, and Black {sum(black)}")
    upper = found["turn"] == "b"
    mine, theirs = (black, white) if upper else (white, black)
    cube = found["cube"]
    state = MatchState(0, (0, 0), _cube(cube, upper=upper), rules=Ruleset(crawford=False))
    dice = [int(each) for each in found["left"].replace("-", "").split("/") if each]
    used = [int(each) for each in found["used"].replace("-", "").split("/") if each]
    roll = None
    if dice and not used:
        roll = (dice[0], dice[1] if len(dice) > 1 else dice[0])
    elif dice:
        raise IdError("in this FEN a part of the roll has been played; a position has the whole roll to play, or none")
    if roll is not None and not are_dice(roll):
        raise IdError("the dice of this FEN are none")
    return Position(Board(tuple(mine), tuple(theirs)), state, dice=roll, upper=upper)


def _checkers(row: str) -> Iterator[int]:
    """The checkers on the points of a row: above 0 those of White, below 0 those of Black."""
    for part in filter(None, row.split(",")):
        place = _PLACE.fullmatch(part)
        if place is None:
            raise IdError(f"{part!r} is no point of a FEN")
        number = int(place[1] or 1)
        if place[2]:
            yield number if place[2] == "S" else -number
        elif number > _ROW:
            raise IdError(f"a row of a FEN has 12 points, not {number}")
        else:
            yield from (0 for _ in range(number))


def _cube(cube: str, *, upper: bool) -> Cube:
    if cube in ("-", "0"):
        return Cube()
    value = int(re.sub(r"\D", "", cube))
    if not cube.endswith(("W", "B")):
        raise IdError("in this FEN a double waits for its answer, or was dropped; that is no position to play")
    return Cube(value, "mine" if (cube[-1] == "B") == upper else "theirs")


def encode_fen(situation: Position) -> str:
    """The FEN of a position, with the turn numbered 1. It holds no score and no offer."""
    board = situation.board.flipped() if situation.upper else situation.board
    white, black = board.mine, board.theirs
    net = [0, *(white[point] - black[BAR - point] for point in range(1, 25))]
    bar = [f"{side[BAR]}{letter}" for side, letter in ((white, "S"), (black, "s")) if side[BAR]]
    dice = situation.dice
    left = "-" if dice is None else "/".join(map(str, dice if dice[0] != dice[1] else dice * 2))
    cube = situation.state.cube
    owner = "" if cube.owner == "centre" else "WB"[(cube.owner == "mine") == situation.upper]
    return (
        f"{_row(net[13:])}/{_row(net[12:0:-1])}[{','.join(bar)}] {left} - {'wb'[situation.upper]} "
        f"{white[OFF]} {black[OFF]} {f'{cube.value}{owner}' if owner else 0} 1"
    )


def _row(points: Sequence[int]) -> str:
    parts: list[str] = []
    empty = 0
    for count in (*points, None):
        if count == 0:
            empty += 1
            continue
        if empty:
            parts.append(str(empty))
            empty = 0
        if count is not None:
            parts.append(f"{abs(count)}{'S' if count > 0 else 's'}")
    return ",".join(parts)
