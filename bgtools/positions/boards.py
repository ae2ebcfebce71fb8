"""Boards alone: lists of numbers, and the ``Set Pos`` line of match text."""

from __future__ import annotations

import re
from typing import Final

from bgtools.positions.position import (
    IdError,
    Position,
    cube_of,
    exponent,
    from_letters,
    from_signed,
    to_letters,
    to_signed,
)
from bgtools.rules.cube import Cube, MatchState, Owner

_NUMBER = re.compile(r"[-+]?\d{1,2}")
_LIST = re.compile(r"[\[(]?\s*[-+]?\d{1,2}(?:(?:\s*[,;]\s*|\s+)[-+]?\d{1,2}){25}\s*[\])]?")
_SIMPLE = re.compile(r"(?:set\s+board\s+)?simple\s+(?P<numbers>.*)", re.IGNORECASE)
_PLACES: Final = 26


def is_list(text: str) -> bool:
    """Whether a text is 26 small numbers."""
    return _LIST.fullmatch(text.strip()) is not None


def encode_list(situation: Position) -> str:
    """26 numbers, positive for the player on roll: the other player's bar, points 1 to 24, their own bar."""
    return " ".join(map(str, to_signed(situation.board)))


def decode_list(text: str) -> Position:
    """Read 26 numbers with blanks, commas or semicolons between them, in brackets or not.

    Raises:
        IdError: they are not 26 small numbers, or no possible board.
    """
    if not is_list(text):
        raise IdError("a board as a list has 26 numbers: the other player's bar, points 1 to 24, one's own bar")
    return Position(from_signed([int(number) for number in _NUMBER.findall(text)]))


def encode_simple(situation: Position) -> str:
    """GNU Backgammon's command ``set board simple``: the bar of the player on roll, points 1 to 24, the other bar.

    On the points, the other player's checkers count below 0. Both bars count above 0.
    """
    other, *points, own = to_signed(situation.board)
    return "set board simple " + " ".join(map(str, (own, *points, -other)))


def is_simple(text: str) -> bool:
    """Whether a text has the form of the command ``set board simple``."""
    return _SIMPLE.fullmatch(text.strip()) is not None


def decode_simple(text: str) -> Position:
    """Read GNU Backgammon's command ``set board simple``.

    Raises:
        IdError: the command is not followed by 26 small numbers, or they are not a possible board.
    """
    found = _SIMPLE.fullmatch(text.strip())
    numbers = (
        [int(number) for number in _NUMBER.findall(found["numbers"])] if found and is_list(found["numbers"]) else []
    )
    if len(numbers) != _PLACES:
        raise IdError('behind "set board simple" stand 26 numbers: a bar, 24 points, the other bar')
    own, *points, other = numbers
    if own < 0 or other < 0:
        raise IdError('both bars behind "set board simple" are counted upwards')
    return Position(from_signed([-other, *points, own]))


# --- Set Pos --------------------------------------------------------------------------------

_SET_POS = re.compile(
    r"[;#]?\s*(?:set\s*pos\s*=\s*)?(?P<board>[A-Oa-o-]{26})/(?P<cube>-?\d{1,2})", re.IGNORECASE
)  # fmt: skip


def is_set_pos(text: str) -> bool:
    """Whether a text has the form of a ``Set Pos`` line."""
    return _SET_POS.fullmatch(text.strip()) is not None


def encode_set_pos(situation: Position) -> str:
    """The ``; Set Pos=`` line of match text: the board as in an XGID, and the cube.

    Capitals are the checkers of the left player, who is the lower player here. The line does not say who is on
    roll. The cube is a power of two, with a minus where the right player owns it.
    """
    position, cube = situation.board, situation.state.cube
    if situation.upper:
        position, cube = position.flipped(), cube.flipped()
    power = exponent(cube.value)
    return f"; Set Pos={to_letters(position)}/{-power if cube.owner == 'theirs' else power}"


def decode_set_pos(text: str) -> Position:
    """Read a ``Set Pos`` line, with the left player on roll.

    Raises:
        IdError: the text is not a ``Set Pos`` line, or its board is not possible.
    """
    found = _SET_POS.fullmatch(text.strip())
    if not found:
        raise IdError("a Set Pos line has 26 letters or dashes, a slash, and the cube")
    power = int(found["cube"])
    owner: Owner = "centre" if not power else "mine" if power > 0 else "theirs"
    return Position(from_letters(found["board"]), MatchState(cube=Cube(cube_of(abs(power)), owner)))
