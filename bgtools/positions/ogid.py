"""OGID, the position ID of HedgeHog and OpenGammon.

    11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:7:0

The fields: White's checkers, each as a character for its point; Black's checkers; the cube: its owner (W, B, N for
the middle), its power of two, its last action (N none, O offered, T taken, P passed); the dice; a player; the state of
the game; White's points; Black's points; the match length, with C in the Crawford game and L after it; the number of
moves before; the number of checkers of a side, unless it is 15. The board does not turn: 0 is White's bar, 1 to 24 are
the points in Black's numbering (a to o for 10 to 24), p is Black's bar.

The player in the fifth field is the one who *reached* the position. The other player is on roll, except when a
double is offered and at the start (state IW or IB): then the named player is on roll themselves. HedgeHog's
specification says so, and GammonView and newer AnkiGammon do so. Older AnkiGammon and blunderDB name the player on roll
in this field; they leave the state and the number of moves empty, so an ID without these two is read in their way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.positions.position import CHECKERS, IdError, Position, complete, cube_of, dice_of, exponent
from bgtools.rules.cube import Cube, MatchState, Owner
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from bgtools.board.board import Checkers
    from bgtools.positions.position import Offer

_PLACES: Final = "0123456789abcdefghijklmnop"
_BORNE_OFF: Final = "q"
_OGID = re.compile(
    r"(?:OGID[=:])?(?P<white>[0-9a-q]*):(?P<black>[0-9a-q]*):(?P<owner>[WBND?])(?P<cube>\d{1,2})(?P<action>[NOTP])"
    r"(?::(?P<dice>[1-6]{2})?(?::(?P<player>[WB])?(?::(?P<state>[A-Z]*)(?::(?P<score_white>\d{1,9})?"
    r"(?::(?P<score_black>\d{1,9})?(?::(?:(?P<length>\d{1,9})(?P<kind>[LCG]?)\d{0,9})?"
    r"(?::(?P<moves>\d{1,9})?(?::(?P<checkers>\d{1,2})?)?)?)?)?)?)?)?)?"
)
_AFTER_CRAWFORD, _CRAWFORD = "L", "C"


def is_ogid(text: str) -> bool:
    """Whether a text has the form of an OGID."""
    return _OGID.fullmatch(text.strip()) is not None


def encode_ogid(situation: Position) -> str:
    """The OGID of a position, with Black on roll unless `Position.upper`.

    It cannot hold Jacoby, beavers, a largest cube or a resignation.

    Raises:
        IdError: the sides have different numbers of checkers.
    """
    position, state = situation.board, situation.state
    total = sum(position.mine)
    if total != sum(position.theirs):
        raise IdError("an OGID gives both sides the same number of checkers")
    on_roll, other = ("W", "B") if situation.upper else ("B", "W")
    mine, theirs = _own(position.mine, white=situation.upper), _own(position.theirs, white=not situation.upper)
    owner = {"centre": "N", "mine": on_roll, "theirs": other}[state.cube.owner]
    dice = "".join(map(str, sorted(situation.dice))) if situation.dice else ""
    stage = "D" if situation.offered else "R" if dice else "C"
    after = state.is_post_crawford and state.length > 1
    kind = _CRAWFORD if state.crawford else _AFTER_CRAWFORD if after else ""
    fields: list[object] = [
        *((mine, theirs) if situation.upper else (theirs, mine)),
        f"{owner}{exponent(state.cube.value)}{'O' if situation.offered else 'N'}",
        dice,
        on_roll if situation.offered else other,
        stage,
        *(state.score if situation.upper else state.score[::-1]),
        f"{state.length}{kind}",
        0,
    ]
    if total != CHECKERS:
        fields.append(total)
    return ":".join(map(str, fields))


def _own(side: Checkers, *, white: bool) -> str:
    """The places of a side's checkers, in rising order."""
    places = [(BAR - point if white else point, count) for point, count in enumerate(side) if point != OFF]
    return "".join(_PLACES[place] * count for place, count in sorted(places))


def decode_ogid(text: str) -> Position:
    """Read an OGID, with or without ``OGID=``.

    Raises:
        IdError: the text is not an OGID, or its board is not possible.
    """
    found = _OGID.fullmatch(text.strip())
    if not found:
        raise IdError("an OGID has two rows of checkers, a cube such as N0N and up to eight more fields")
    total = int(found["checkers"] or CHECKERS)
    white, black = _side(found["white"], white=True), _side(found["black"], white=False)
    position = complete(black, white, total)
    offer: Offer = "double" if found["action"] == "O" or found["state"] == "D" else ""
    dice = found["dice"] or "00"
    length = int(found["length"] or 0)
    owners: dict[str, Owner] = {"B": "mine", "W": "theirs"}
    state = MatchState(
        length,
        (int(found["score_black"] or 0), int(found["score_white"] or 0)),
        Cube(cube_of(int(found["cube"])), owners.get(found["owner"], "centre")),
        bool(length) and found["kind"] == _CRAWFORD,
        Ruleset(crawford=bool(length)),
    )
    upper = _is_white_on_roll(found, offered=bool(offer))
    if upper:
        position, state = position.flipped(), state.flipped()
    return Position(position, state, dice_of(int(dice[0]), int(dice[1]), "OGID"), offer, upper=upper)


def _is_white_on_roll(found: re.Match[str], *, offered: bool) -> bool:
    player, stage = found["player"], found["state"]
    if player is None:
        return False
    at_start = stage in ("IW", "IB") and not found["dice"]
    names_roller = offered or at_start or (not stage and not found["moves"])
    return bool((player == "W") == names_roller)


def _side(text: str, *, white: bool) -> list[int]:
    side = [0] * 26
    for char in text.replace(_BORNE_OFF, ""):
        place = _PLACES.index(char)
        point = BAR - place if white else place
        if point == OFF:
            raise IdError(f"an OGID has {'White' if white else 'Black'} on the bar of the other player")
        side[point] += 1
    return side
