"""What the entries of a game say, as plain values that can be compared whatever the spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.play import changes
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take

if TYPE_CHECKING:
    from bgtools.record.record import Entry, Game

ROLL: Final = "roll"


class Token(NamedTuple):
    """What an entry says.

    Attributes:
        what: ``roll``, or the name of a cube action.
        player: whose it is.
        dice: the roll, the larger number first; None where there is no roll, or it is not known.
        content: of a play, for each point how many checkers come to it, negative where they leave it; else what is
            in place of the play, or what a set board says.
    """

    what: str
    player: int
    dice: tuple[int, ...] | None = None
    content: Any = None


def tokens(game: Game) -> tuple[list[Token], list[int]]:
    """What the entries of a game say, and the number of each in the game, without entries that many formats leave out.

    A resignation is left out, because the result tells it, and the take of a beaver, because the game goes on.
    """
    found: list[Token] = []
    places: list[int] = []
    before: Entry | None = None
    for index, entry in enumerate(game.entries):
        implied = isinstance(entry, Resign) or (isinstance(entry, Take) and isinstance(before, Beaver))
        if not implied:
            found.append(token(entry))
            places.append(index)
        before = entry
    if found and found[-1].what == ROLL and found[-1].content == ("unknown", ""):
        # Where somebody gave up after the last roll, some programs write that its play is not known, others nothing.
        found[-1] = found[-1]._replace(content=frozenset())
    return found, places


def token(entry: Entry) -> Token:
    """What an entry says."""
    match entry:
        case CheckerPlay(player=player, dice=dice, text=text):
            rolled = None if dice is None or dice == (0, 0) else tuple(sorted(dice, reverse=True))
            if text.kind == "moves":
                return Token(ROLL, player, rolled, frozenset(changes(text.hops).items()))
            if text.kind in ("nothing", "dance"):
                return Token(ROLL, player, rolled, frozenset())
            return Token(ROLL, player, rolled, (text.kind, " ".join(text.dump.split())))
        case Double(player=player):
            return Token("double", player)
        case Beaver(player=player, raccoon=raccoon):
            return Token("raccoon" if raccoon else "beaver", player)
        case AutomaticDouble():
            return Token("automatic double", 0)
        case Take(player=player):
            return Token("take", player)
        case Drop(player=player):
            return Token("drop", player)
        case SetBoard(player=player, position=position, cube=cube, owner=owner):
            return Token("set", player, None, (position, cube, owner))
        case _:
            return Token("resignation", entry.player)


GAP: Final = 3
"""The cost of passing an entry over. Two entries are paired where that costs less than passing both over."""
NEVER: Final = 2 * GAP + 1
_ANSWERS: Final = frozenset({"take", "drop", "beaver", "raccoon"})


def unlikeness(one: Token, two: Token) -> int:
    """How unlike two entries are: 0 for equal ones, `NEVER` for entries that cannot be the same one."""
    if alike(one, two):
        # One slip may put all that follows into the other column. That is likelier than another roll each time.
        return int(one.player != two.player)
    apart = 2 * (one.player != two.player)
    if one.what != two.what:
        return 2 + apart if one.what in _ANSWERS and two.what in _ANSWERS else NEVER
    if one.what != ROLL:
        return 1 + apart
    cost = 1 + apart + _far(one.dice, two.dice)
    if one.content != two.content:
        together = (
            isinstance(one.content, frozenset) and isinstance(two.content, frozenset) and one.content & two.content
        )
        cost += 1 if together else 2 if one.dice == two.dice else 3
    return min(cost, NEVER)


def _far(one: tuple[int, ...] | None, two: tuple[int, ...] | None) -> int:
    if one == two:
        return 0
    return 1 if one is None or two is None or set(one) & set(two) else 3


def alike(one: Token, two: Token) -> bool:
    """Whether two entries say the same but for their player."""
    return one.what == two.what and one.dice == two.dice and one.content == two.content
