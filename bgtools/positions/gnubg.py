"""GNU Backgammon: Position ID for the board, Match ID for everything else.

Source: the GNU Backgammon manual, "A technical description of the Position ID" and "… of the Match ID".
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Final, Literal, cast

from bgtools.positions.position import IdError, Position, complete, cube_of, dice_of, exponent
from bgtools.rules.cube import Cube, MatchState, Owner
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from bgtools.board.board import Board, Dice
    from bgtools.positions.position import Offer
    from bgtools.rules.worth import Level

_POSITION_ID_BYTES = 10
_MATCH_ID_BYTES = 9
_LABELLED = re.compile(
    r"(?:gnu(?:bg)?\s*(?:backgammon)?\s*)?(?:position)?[\s-]*id\s*[:=]\s*(?P<board>\S{14}=*)"
    r"(?:[\s:]+(?:match[\s-]*id\s*:\s*)?(?P<match>\S{12}=*))?",
    re.IGNORECASE,
)


def encode_position_id(board: Board) -> str:
    """GNU Backgammon's Position ID: 14 characters for the checkers of both sides.

    The other player's points 1 to 24 and bar come first, then those of the player on roll. Each is as many
    ones as it has checkers, then a zero; the lowest bit comes first.
    """
    bits = "".join("1" * side[point] + "0" for side in (board.theirs, board.mine) for point in range(1, 26))
    value = int(bits[::-1], 2)
    return base64.b64encode(value.to_bytes(_POSITION_ID_BYTES, "little")).decode().rstrip("=")


def decode_position_id(text: str) -> Board:
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


# The fields of a Match ID, lowest bits first, each with its width in bits.
_FIELDS: Final = (
    ("cube", 4), ("owner", 2), ("on_roll", 1), ("crawford", 1), ("game", 3), ("decides", 1), ("offered", 1),
    ("resigned", 2), ("high", 3), ("low", 3), ("length", 15), ("score0", 15), ("score1", 15), ("no_jacoby", 1),
)  # fmt: skip
_PLAYING = 1
_NOBODY = 3


def encode_match_id(
    state: MatchState,
    dice: Dice | None = None,
    *,
    offered: bool = False,
    beavered: bool = False,
    resigned: Level | None = None,
    resigner: Literal["mine", "theirs"] = "mine",
    upper: bool = False,
) -> str:
    """GNU Backgammon's Match ID: 12 characters for score, cube and dice.

    Args:
        state: score and cube, seen by the player on roll.
        dice: their roll.
        offered: whether they have doubled.
        beavered: whether their double was answered by a beaver.
        resigned: the level of an offered resignation; None for none.
        resigner: who offers it.
        upper: whether the player on roll is player 0, not player 1.

    Raises:
        IdError: a number is too large: a cube above 32768, a length or score above 32767, a quadruple game.
    """
    mine = 0 if upper else 1
    # The player who has to answer decides; if none has to, the player on roll.
    others_turn = (offered and not beavered) if resigned is None else resigner == "mine"
    score = state.score[::-1] if mine else state.score
    numbers = {
        "cube": exponent(state.cube.value),
        "owner": {"centre": _NOBODY, "mine": mine, "theirs": 1 - mine}[state.cube.owner],
        "on_roll": mine,
        "crawford": int(state.crawford),
        "game": _PLAYING,
        "decides": 1 - mine if others_turn else mine,
        "offered": int(offered or beavered),
        "resigned": resigned or 0,
        "high": max(dice) if dice else 0,
        "low": min(dice) if dice else 0,
        "length": state.length,
        "score0": score[0],
        "score1": score[1],
        "no_jacoby": int(not state.rules.jacoby),
    }
    value = shift = 0
    for name, width in _FIELDS:
        if not 0 <= numbers[name] < 1 << width:
            raise IdError(f"a GNU Match ID cannot hold this {name.rstrip('01')}: {numbers[name]}")
        value |= numbers[name] << shift
        shift += width
    return base64.b64encode(value.to_bytes(_MATCH_ID_BYTES, "little")).decode().rstrip("=")


def decode_match_id(text: str) -> tuple[MatchState, Dice | None, bool]:
    """Read a Match ID: the state seen by the player on roll, the dice, and whether a double is offered.

    Raises:
        IdError: it is not 12 base-64 characters, or its numbers are not possible.
    """
    state, dice, offer, _resigned, _resigner, _upper = _decode_match_id(text)
    return state, dice, bool(offer)


_Read = tuple[MatchState, "Dice | None", "Offer", "Level | None", Literal["mine", "theirs"], bool]


def _decode_match_id(text: str) -> _Read:
    value = int.from_bytes(_unbase64(text, 12, "GNU Match ID"), "little")
    numbers: dict[str, int] = {}
    for name, width in _FIELDS:
        numbers[name] = value & ((1 << width) - 1)
        value >>= width
    mine = numbers["on_roll"]
    owners: dict[int, Owner] = {_NOBODY: "centre", mine: "mine", 1 - mine: "theirs"}
    if numbers["owner"] not in owners:
        raise IdError("the Match ID gives the cube to nobody")
    dice = dice_of(numbers["high"], numbers["low"], "Match ID")
    score = (numbers["score0"], numbers["score1"])
    length = numbers["length"]
    rules = Ruleset(crawford=bool(length), jacoby=not length and not numbers["no_jacoby"])
    cube = Cube(cube_of(numbers["cube"]), owners[numbers["owner"]])
    state = MatchState(length, score[::-1] if mine else score, cube, bool(numbers["crawford"]), rules)
    decides = numbers["decides"] == mine
    offer: Offer = "" if not numbers["offered"] else "beaver" if decides and not numbers["resigned"] else "double"
    resigned = cast("Level | None", numbers["resigned"] or None)
    return state, dice, offer, resigned, "theirs" if resigned and decides else "mine", mine == 0


def _unbase64(text: str, length: int, name: str) -> bytes:
    text = text.strip().rstrip("=")
    if len(text) != length:
        raise IdError(f"a {name} has {length} characters, this has {len(text)}")
    try:
        return base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise IdError(f"this is not a {name}: it has characters outside A-Z, a-z, 0-9, + and /") from error


def encode_gnu_id(situation: Position) -> str:
    """``Position ID:Match ID``.

    Raises:
        IdError: a number is too large for a Match ID.
    """
    match = encode_match_id(
        situation.state, situation.dice,
        offered=situation.offered, beavered=situation.offer == "beaver",
        resigned=situation.resigned, resigner=situation.resigner, upper=situation.upper,
    )  # fmt: skip
    return f"{encode_position_id(situation.board)}:{match}"


def decode_gnu_id(text: str) -> Position:
    """Read a Position ID, alone or with a Match ID behind a colon, with or without the words that name them.

    A raccoon is read as a double, because GNU Backgammon writes both alike.

    Raises:
        IdError: the text is no such ID.
    """
    labelled = _LABELLED.fullmatch(text.strip())
    board, _, match = (
        (labelled["board"], "", labelled["match"] or "") if labelled else text.strip().partition(":")
    )  # fmt: skip
    position = decode_position_id(board)
    if not match:
        return Position(position)
    state, dice, offer, resigned, resigner, upper = _decode_match_id(match)
    return Position(position, state, dice, offer, resigned, resigner, upper)
