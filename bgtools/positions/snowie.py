"""The position text of Snowie. The "Illegal play (…)" mark of match text also holds one.

    7;0;0;0;1;Bob;Ann;0;3;2;2;1;-1;0;-1;0;0;-1;5;0;3;0;0;0;-4;4;0;0;0;-2;0;-4;0;0;0;0;1;1;5;2;

The fields: match length; Jacoby; the variant, 0 for backgammon; beavers; the player on roll; their name; the other's
name; the Crawford game; their points; the other's points; the cube; its owner (1 the player on roll, -1 the other, 0
nobody); the other's bar with a minus; points 1 to 24 of the player on roll; their bar; the dice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.positions.position import IdError, Position, dice_of, from_signed, require_fifteen, to_signed
from bgtools.rules.cube import OWNERS, Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from bgtools.board.board import Board

_FIELDS = 40
_BOARD = slice(12, 38)
_NAMES = slice(5, 7)


def encode_snowie(situation: Position) -> str:
    """The position text of Snowie.

    It cannot hold an offered double, a resignation or a largest cube.

    Raises:
        IdError: a name holds a semicolon or a control character, or a side has not fifteen checkers.
    """
    position, state, dice = situation.board, situation.state, situation.dice or (0, 0)
    if any(";" in name or not name.isprintable() for name in situation.names):
        raise IdError("the names in a Snowie position have no semicolons and no control characters")
    require_fifteen(position, "a Snowie position")
    fields = (
        state.length, int(bool(state.rules.jacoby)), 0, int(bool(state.rules.beavers)), 0 if situation.upper else 1,
        *situation.names, int(state.crawford), *state.score, state.cube.value, state.cube.sign,
        *to_signed(position), *dice,
    )  # fmt: skip
    return "".join(f"{field};" for field in fields)


def decode_snowie(text: str) -> Position:
    """Read the position text of Snowie.

    Raises:
        IdError: the text is not a position of Snowie, or its board is not possible.
    """
    fields = [field.strip() for field in text.strip().removesuffix(";").split(";")]
    if len(fields) != _FIELDS:
        raise IdError(f"a Snowie position has {_FIELDS} fields parted by semicolons, this has {len(fields)}")
    names = (fields[5], fields[6])
    try:
        numbers = [int(field) if index not in (5, 6) else 0 for index, field in enumerate(fields)]
    except ValueError:
        raise IdError("the fields of a Snowie position are numbers, the names aside") from None
    length, jacoby, _variant, beavers, player = numbers[:5]
    crawford, mine, theirs, value, owner = numbers[7:12]
    if length < 0 or min(mine, theirs) < 0 or value < 1 or value & (value - 1) or owner not in OWNERS:
        raise IdError("a Snowie position has a length, a score or a cube that cannot be")
    rules = Ruleset(
        crawford=bool(length), jacoby=not length and bool(jacoby), beavers=int(not length and bool(beavers))
    )
    state = MatchState(length, (mine, theirs), Cube(value, OWNERS[owner]), bool(length and crawford), rules)
    dice = dice_of(numbers[38], numbers[39], "Snowie position")
    return Position(from_signed(numbers[_BOARD]), state, dice, upper=player == 0, names=names)


def decode_snowie_dump(text: str, before: Board) -> Board | None:
    """The board in an "Illegal play (…)" mark, seen by the player who made the illegal play.

    The mark holds 26 numbers, with a bar at either end. Writers differ in whose view they give. The view is
    taken in which the other player's checkers have changed least from the board ``before``.

    Returns:
        The board after the play; None where it is not possible.
    """
    fields = text.split(";")
    if len(fields) < _FIELDS:
        return None
    try:
        board = from_signed([int(field) for field in fields[_BOARD]])
    except ValueError:
        return None

    def change(after: Board) -> int:
        return sum(abs(a - b) for a, b in zip(after.theirs, before.theirs, strict=True))

    return min((board, board.flipped()), key=change)
