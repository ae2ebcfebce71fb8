"""Positions as short texts: XGID, GNU Position ID and Match ID, and the dump that Snowie writes.

``encode_x`` writes, ``decode_x`` reads. Everything here is seen by the player on roll.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Final

from bgtools.position import BAR, OFF, Dice, Position
from bgtools.rules import Cube, MatchState, Owner, Ruleset, are_dice

CHECKERS = 15


class IdError(ValueError):
    """A text is no valid ID. The message says why."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What an ID tells: a board, seen by the player on roll, and as much of the match as it holds.

    Attributes:
        position: the board.
        state: score and cube; a money session where the ID does not say.
        dice: the roll, if one was thrown.
        offered: True when a double is on the table.
    """

    position: Position
    state: MatchState
    dice: Dice | None = None
    offered: bool = False


# --- XGID -----------------------------------------------------------------------------------

_XGID = re.compile(
    r"^(?:XGID=)?(?P<board>[-A-Oa-o]{26}):(?P<cube>\d+):(?P<owner>-?[01]):(?P<turn>-?1):(?P<dice>\d\d|[DBR]):"
    r"(?P<mine>\d+):(?P<theirs>\d+):(?P<flags>\d+):(?P<length>\d+)(?::(?P<limit>\d+))?$"
)
_JACOBY, _BEAVER = 1, 2
_OWNERS: Final[dict[int, Owner]] = {0: "centre", 1: "mine", -1: "theirs"}


def encode_xgid(position: Position, state: MatchState, dice: Dice | None = None) -> str:
    """The XGID of a decision, the player on roll at the bottom.

    The field for the highest cube is 10 (1024) where the rules set no limit.
    """
    board = "".join(
        _letter(position.mine[point], "A") if position.mine[point] else _letter(position.theirs[BAR - point], "a")
        for point in range(1, BAR)
    )
    board = _letter(position.theirs[BAR], "a") + board + _letter(position.mine[BAR], "A")
    owner = {"centre": 0, "mine": 1, "theirs": -1}[state.cube.owner]
    if state.is_money:
        flags = (_JACOBY if state.rules.jacoby else 0) + (_BEAVER if state.rules.beavers else 0)
    else:
        flags = int(state.crawford)
    limit = (state.rules.cube_limit or 1024).bit_length() - 1
    roll = f"{dice[0]}{dice[1]}" if dice else "00"
    cube = state.cube.value.bit_length() - 1
    return f"XGID={board}:{cube}:{owner}:1:{roll}:{state.score[0]}:{state.score[1]}:{flags}:{state.length}:{limit}"


def _letter(count: int, first: str) -> str:
    return chr(ord(first) + count - 1) if count else "-"


def decode_xgid(text: str) -> Situation:
    """Read an XGID.

    Raises:
        IdError: it has not the form of an XGID, or its board is not possible.
    """
    match = _XGID.match(text.strip())
    if not match:
        raise IdError("an XGID has 26 letters or dashes and nine numbers, all parted by colons")
    mine, theirs = [0] * 26, [0] * 26
    for point, char in enumerate(match["board"]):
        if char.isupper():
            mine[point] = ord(char) - ord("A") + 1
        elif char.islower():
            theirs[BAR - point] = ord(char) - ord("a") + 1
    if mine[OFF] or theirs[OFF]:
        raise IdError("the first letter of an XGID is the upper player's bar, the last one the lower player's")
    position = complete(mine, theirs)
    length, flags = int(match["length"]), int(match["flags"])
    rules = Ruleset(
        crawford=bool(length),
        jacoby=not length and bool(flags & _JACOBY),
        beavers=1 if not length and flags & _BEAVER else 0,
    )
    owner = _OWNERS[int(match["owner"])]
    if int(match["cube"]) > 30:
        raise IdError("the cube of an XGID is given as a power of two, 30 at most")
    cube = Cube(2 ** int(match["cube"]), owner)
    state = MatchState(length, (int(match["mine"]), int(match["theirs"])), cube, bool(length and flags), rules)
    dice: Dice | None = None
    if match["dice"].isdigit() and match["dice"] != "00":
        dice = (int(match["dice"][0]), int(match["dice"][1]))
        if not are_dice(dice):
            raise IdError(f"the dice {match['dice']} of the XGID are not possible")
    if match["turn"] == "-1":
        position, state = position.flipped(), state.flipped()
    return Situation(position, state, dice, offered=match["dice"] == "D")


def complete(mine: list[int], theirs: list[int], total: int = CHECKERS) -> Position:
    """A position from the checkers in play; the rest is borne off.

    Raises:
        IdError: a side has too many checkers, or both hold one point.
    """
    for point in range(1, BAR):
        if mine[point] and theirs[BAR - point]:
            raise IdError(f"both players have checkers on the {point}-point of the player on roll")
    for side in (mine, theirs):
        side[OFF] = total - sum(side[1:])
        if side[OFF] < 0:
            raise IdError(f"a side has {sum(side[1:])} checkers, {total} is all there are")
    return Position(tuple(mine), tuple(theirs))


# --- GNU Backgammon -------------------------------------------------------------------------

_POSITION_ID_BYTES = 10
_MATCH_ID_BYTES = 9


def encode_position_id(position: Position) -> str:
    """GNU Backgammon's Position ID: 14 characters for the checkers of both sides.

    The other player's points 1 to 24 and bar come first, then those of the player on roll: as many
    ones as checkers, then a zero, lowest bit first.
    """
    bits = "".join("1" * side[point] + "0" for side in (position.theirs, position.mine) for point in range(1, 26))
    value = int(bits[::-1], 2)
    return base64.b64encode(value.to_bytes(_POSITION_ID_BYTES, "little")).decode().rstrip("=")


def decode_position_id(text: str) -> Position:
    """Read a Position ID.

    Raises:
        IdError: it is not 14 base-64 characters, or not a possible board.
    """
    value = int.from_bytes(_unbase64(text, 14, "GNU Position ID"), "little")
    sides: list[list[int]] = []
    for _ in range(2):
        side = [0] * 26
        for point in range(1, 26):
            while value & 1:
                side[point] += 1
                value >>= 1
            value >>= 1
        sides.append(side)
    theirs, mine = sides
    return complete(mine, theirs)


def encode_match_id(state: MatchState, dice: Dice | None = None, *, offered: bool = False) -> str:
    """GNU Backgammon's Match ID: 12 characters for score, cube and dice; the player on roll is player 1."""
    owner = {"centre": 3, "mine": 1, "theirs": 0}[state.cube.owner]
    high, low = (max(dice), min(dice)) if dice else (0, 0)
    fields = (
        (state.cube.value.bit_length() - 1, 4),
        (owner, 2),
        (1, 1),
        (int(state.crawford), 1),
        (1, 3),
        (0 if offered else 1, 1),
        (int(offered), 1),
        (0, 2),
        (high, 3),
        (low, 3),
        (state.length, 15),
        (state.score[1], 15),
        (state.score[0], 15),
        (0 if state.rules.jacoby else 1, 1),
    )
    value = shift = 0
    for number, width in fields:
        value |= (number & ((1 << width) - 1)) << shift
        shift += width
    return base64.b64encode(value.to_bytes(_MATCH_ID_BYTES, "little")).decode().rstrip("=")


def decode_match_id(text: str) -> tuple[MatchState, Dice | None, bool]:
    """Read a Match ID: the state seen by the player on roll, the dice, and whether a double is offered.

    Raises:
        IdError: it is not 12 base-64 characters, or its numbers are not possible.
    """
    value = int.from_bytes(_unbase64(text, 12, "GNU Match ID"), "little")
    numbers = []
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1):
        numbers.append(value & ((1 << width) - 1))
        value >>= width
    cube, owner, on_roll, crawford, _state, _turn, offered, _resigned, high, low, length, first, second, no_jacoby = (
        numbers
    )
    owners: dict[int, Owner] = {3: "centre", on_roll: "mine", 1 - on_roll: "theirs"}
    if owner not in owners:
        raise IdError("the Match ID gives the cube to nobody")
    dice = (high, low) if high or low else None
    if dice and not are_dice(dice):
        raise IdError(f"the dice {high}{low} of the Match ID are not possible")
    score = (first, second) if on_roll == 0 else (second, first)
    rules = Ruleset(crawford=bool(length), jacoby=not length and not no_jacoby)
    return MatchState(length, score, Cube(2**cube, owners[owner]), bool(crawford), rules), dice, bool(offered)


def _unbase64(text: str, length: int, name: str) -> bytes:
    text = text.strip().rstrip("=")
    if len(text) != length:
        raise IdError(f"a {name} has {length} characters, this has {len(text)}")
    try:
        return base64.b64decode(text + "=" * (-length % 4), validate=True)
    except binascii.Error as error:
        raise IdError(f"this is no {name}: it has characters outside A-Z, a-z, 0-9, + and /") from error


def decode_id(text: str) -> Situation:
    """Read an XGID, a GNU Position ID, or ``Position ID:Match ID``, whichever it is.

    Raises:
        IdError: it is none of them.
    """
    text = text.strip()
    if text.upper().startswith("XGID=") or text.count(":") >= 8:
        return decode_xgid(text)
    board, _, match = text.partition(":")
    if not match:
        return Situation(decode_position_id(board), MatchState())
    state, dice, offered = decode_match_id(match)
    return Situation(decode_position_id(board), state, dice, offered)


# --- Snowie ---------------------------------------------------------------------------------

_DUMP_FIELDS = 40
_DUMP_BOARD = slice(12, 38)


def decode_snowie_dump(text: str, before: Position) -> Position | None:
    """The board in an "Illegal play (…)" mark, seen by the player whose illegal play it stands for.

    The dump gives 26 numbers, a bar at either end. Which side they are seen from is not said in a
    way that all writers share, so the reading that leaves the other player's checkers nearest to
    what they were ``before`` is taken.

    Returns:
        The board after the play, or None when the dump is not a possible board.
    """
    fields = text.split(";")
    if len(fields) < _DUMP_FIELDS:
        return None
    try:
        points = [int(field) for field in fields[_DUMP_BOARD]]
    except ValueError:
        return None
    mine, theirs = [0] * 26, [0] * 26
    for point, count in enumerate(points):
        if count > 0:
            mine[point] = count
        elif count < 0:
            theirs[BAR - point] = -count
    if mine[OFF] or theirs[OFF]:
        return None
    try:
        board = complete(mine, theirs)
    except IdError:
        return None

    def change(after: Position) -> int:
        return sum(abs(a - b) for a, b in zip(after.theirs, before.theirs, strict=True))

    return min((board, board.flipped()), key=change)
