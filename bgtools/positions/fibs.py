"""The ``board:`` line of FIBS, the First Internet Backgammon Server. Other servers send such lines too.

    board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:…

"You" is the player to whom the server writes. Source: the FIBS client protocol, "raw board".
"""

from __future__ import annotations

from typing import Final

from bgtools.board.board import BAR, OFF
from bgtools.positions.position import IdError, Position, dice_of, from_signed, require_fifteen, to_signed
from bgtools.rules.cube import Cube, MatchState, Owner
from bgtools.rules.options import Ruleset

FIBS_UNLIMITED: Final = 9999
"""The match length of an unlimited session."""
FIBS_NUMBERS: Final = (
    "length", "your_score", "his_score", *(f"point{point}" for point in range(26)), "turn", "your_die1", "your_die2",
    "his_die1", "his_die2", "cube", "you_may_double", "he_may_double", "was_doubled", "colour", "direction", "home",
    "bar", "your_off", "his_off", "your_bar", "his_bar", "can_move", "forced", "did_crawford", "redoubles",
)  # fmt: skip
"""The fields behind the two names."""
_FIELDS: Final = 3 + len(FIBS_NUMBERS)
_DOWN: Final = -1
"""The direction of a player who moves from 24 to 1."""
_COLOUR: Final = 1
"""The colour O, whose checkers are the positive numbers."""


def encode_fibs(situation: Position, names: tuple[str, str] = ("You", "opponent")) -> str:
    """The ``board:`` line of a position. "You" is the lower player, who plays O and moves from 24 to 1.

    The line cannot hold Jacoby, the largest cube, a resignation, or a beaver that waits for an answer. A double
    is shown to the player who has to answer it, so "you" is then that player.

    Args:
        situation: the position.
        names: the names of the lower and of the upper player, where the situation names nobody.

    Raises:
        IdError: a name holds a colon or a control character, or a side has not fifteen checkers.
    """
    position, state = situation.board, situation.state
    require_fifteen(position, "a FIBS board")
    you_roll = not situation.upper
    if situation.offered:
        you_roll = False
    if any(situation.names):
        names = situation.names if you_roll else situation.names[::-1]
    if any(":" in name or not name.isprintable() for name in names):
        raise IdError("the names in a FIBS board have no colons and no control characters")
    if not you_roll:
        position, state = position.flipped(), state.flipped()
    dice = situation.dice or (0, 0)
    cube = state.cube.owner
    numbers = {
        "length": state.length or FIBS_UNLIMITED,
        "your_score": state.score[0],
        "his_score": state.score[1],
        "turn": _COLOUR if you_roll else -_COLOUR,
        "your_die1": dice[0] if you_roll else 0,
        "your_die2": dice[1] if you_roll else 0,
        "his_die1": 0 if you_roll else dice[0],
        "his_die2": 0 if you_roll else dice[1],
        "cube": state.cube.value,
        "you_may_double": int(cube != "theirs" and not state.crawford),
        "he_may_double": int(cube != "mine" and not state.crawford),
        "was_doubled": int(situation.offered),
        "colour": _COLOUR,
        "direction": _DOWN,
        "home": OFF,
        "bar": BAR,
        "your_off": position.mine[OFF],
        "his_off": position.theirs[OFF],
        "your_bar": position.mine[BAR],
        "his_bar": position.theirs[BAR],
        "did_crawford": int(state.is_post_crawford),
        "redoubles": state.rules.beavers or 0,
    }
    numbers |= {f"point{point}": count for point, count in enumerate(to_signed(position))}
    return ":".join(("board", *names, *(str(numbers.get(name, 0)) for name in FIBS_NUMBERS)))


def decode_fibs(text: str) -> Position:
    """Read a ``board:`` line. After a game, where nobody is on roll, "you" counts as the player on roll.

    Raises:
        IdError: the text is not a ``board:`` line, or its board is not possible.
    """
    fields = text.strip().split(":")
    if len(fields) != _FIELDS or fields[0].lower() != "board":
        raise IdError(f"a FIBS board has {_FIELDS} fields parted by colons, this has {len(fields)}")
    try:
        read = {name: int(field) for name, field in zip(FIBS_NUMBERS, fields[3:], strict=True) if len(field) < 10}
    except ValueError:
        raise IdError("the fields of a FIBS board behind the names are numbers") from None
    if len(read) != len(FIBS_NUMBERS):
        raise IdError("a FIBS board has a number of ten digits or more")
    position, state = from_signed(fibs_places(read)), _state(read)
    you_roll = read["turn"] in (read["colour"], 0)
    first, second = ("your_die1", "your_die2") if you_roll else ("his_die1", "his_die2")
    names = (fields[1], fields[2])
    if not you_roll:
        position, state, names = position.flipped(), state.flipped(), names[::-1]
    dice = dice_of(read[first], read[second], "FIBS board")
    return Position(
        position, state, dice, "double" if read["was_doubled"] else "", upper=not you_roll, names=names
    )  # fmt: skip


def fibs_places(read: dict[str, int]) -> list[int]:
    """The board of some numbers, seen by "you", in the form that `from_signed` takes."""
    signed = [read[f"point{place}"] * (1 if read["colour"] > 0 else -1) for place in range(26)]
    return signed if read["direction"] < 0 else signed[::-1]


def _state(read: dict[str, int]) -> MatchState:
    length = 0 if read["length"] == FIBS_UNLIMITED else read["length"]
    score = (read["your_score"], read["his_score"])
    value = read["cube"]
    if length < 0 or min(score) < 0 or value < 1 or value & (value - 1):
        raise IdError("a FIBS board has a length, a score or a cube that cannot be")
    may = (bool(read["you_may_double"]), bool(read["he_may_double"]))
    owners: dict[tuple[bool, bool], Owner] = {(True, False): "mine", (False, True): "theirs"}
    at_point = length > 1 and max(score) == length - 1
    crawford = at_point and not any(may) and not read["did_crawford"] and value == 1
    rules = Ruleset(crawford=bool(length), beavers=max(read["redoubles"], 0) if not length else 0)
    return MatchState(length, score, Cube(value, owners.get(may, "centre")), crawford, rules)
