"""XGID, the position ID of eXtreme Gammon.

    XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10

The fields: the board, from the upper player's bar through the lower player's points 1 to 24 to their bar, with capitals
for the lower player; the cube as a power of two; its owner (1 the lower player, -1 the upper, 0 nobody); the player on
roll (1 or -1); the dice, or 00 before the roll, D after their double, B after a beaver, R after a raccoon; the lower
player's points; the upper player's points; in a match 1 for the Crawford game, in a session 1 for Jacoby plus 2 for
beavers; the match length; the largest cube as a power of two.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.positions.position import (
    LARGEST_CUBE,
    IdError,
    Position,
    cube_of,
    dice_of,
    exponent,
    from_letters,
    to_letters,
)
from bgtools.rules.cube import OWNERS, Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from bgtools.board.board import Board, Dice
    from bgtools.positions.position import Offer

_XGID = re.compile(
    r"(?:XGID=)?(?P<board>[-A-Oa-o]{26}):(?P<cube>\d{1,9}):(?P<owner>-?[01]):(?P<turn>-?\d):(?P<dice>\d\d|[DBR]):"
    r"(?P<mine>\d{1,9}):(?P<theirs>\d{1,9}):(?P<flags>\d{1,9}):(?P<length>\d{1,9})(?::(?P<limit>\d{1,9}))?",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"XGID=", re.IGNORECASE)
_CRAWFORD, _JACOBY, _BEAVER = 1, 1, 2
_OFFERS: Final[dict[str, Offer]] = {"D": "double", "B": "beaver", "R": "raccoon"}
_LETTERS: Final = {offer: letter for letter, offer in _OFFERS.items()}
USUAL_LIMIT: Final = 10
"""The largest cube that eXtreme Gammon writes where none is set, as a power of two: 1024."""


def encode_xgid(
    board: Board, state: MatchState, dice: Dice | None = None, *, offer: Offer = "", upper: bool = False
) -> str:
    """The XGID of a decision.

    The field for the largest cube is 10 (1024) where the rules set no limit.

    Args:
        board: the board, seen by the player on roll.
        state: score and cube, seen by them.
        dice: their roll; None before it.
        offer: the offer that waits for an answer, if they have doubled.
        upper: whether they are the upper player.
    """
    if upper:
        board, state = board.flipped(), state.flipped()
    if state.is_money:
        flags = (_JACOBY if state.rules.jacoby else 0) + (_BEAVER if state.rules.beavers else 0)
    else:
        flags = _CRAWFORD * state.crawford
    limit = USUAL_LIMIT if state.rules.cube_limit is None else exponent(state.rules.cube_limit)
    rolled = _LETTERS[offer] if offer else f"{dice[0]}{dice[1]}" if dice else "00"
    fields = (
        to_letters(board), exponent(state.cube.value), state.cube.sign, -1 if upper else 1, rolled, *state.score,
        flags, state.length, limit,
    )  # fmt: skip
    return f"XGID={':'.join(map(str, fields))}"


def decode_xgid(text: str) -> Position:
    """Read an XGID.

    A largest cube of 0 is read as no limit, because many programs write 0 in every position.

    Raises:
        IdError: the text is not an XGID, or its board is not possible.
    """
    found = _XGID.fullmatch(text.strip())
    if not found:
        if len(_SEVERAL.findall(text)) > 1:
            raise IdError("these are several XGIDs; give one at a time, or a list of them, one per line")
        board = re.sub("^XGID=", "", text.strip(), flags=re.IGNORECASE).partition(":")[0]
        if re.fullmatch("[-A-Oa-o]+", board) and len(board) != 26 and ":" in text:
            raise IdError(f"the board of an XGID has 26 letters or dashes, this has {len(board)}")
        raise IdError("an XGID has 26 letters or dashes and nine numbers, all parted by colons")
    if found["turn"] not in ("1", "-1"):
        raise IdError(f"an XGID says 1 or -1 for who is on roll, this says {found['turn']}")
    position = from_letters(found["board"])
    length, flags = int(found["length"]), int(found["flags"])
    limit = int(found["limit"] or 0)
    rules = Ruleset(
        crawford=bool(length),
        jacoby=not length and bool(flags & _JACOBY),
        beavers=1 if not length and flags & _BEAVER else 0,
        cube_limit=None if limit in (0, USUAL_LIMIT) or limit > LARGEST_CUBE else 1 << limit,
    )
    state = MatchState(
        length,
        (int(found["mine"]), int(found["theirs"])),
        Cube(cube_of(int(found["cube"])), OWNERS[int(found["owner"])]),
        bool(length and flags & _CRAWFORD),
        rules,
    )
    upper = found["turn"] == "-1"
    if upper:
        position, state = position.flipped(), state.flipped()
    return Position(position, state, _dice(found["dice"]), _OFFERS.get(found["dice"].upper(), ""), upper=upper)


def _dice(text: str) -> Dice | None:
    if not text.isdecimal():
        return None
    return dice_of(int(text[0]), int(text[1]), "XGID")
