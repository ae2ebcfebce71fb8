"""Sequences such as ``31P-42P-62S-55A-F-21E``, as forums write them: each token is a roll and the sort of its play.

The letters are those of Nack Ballard's "Nactation" (explained by Tom Keith at bkgm.com and in threads of bgonline.org).
A letter names a family of plays. Which of them was made, the rules and what follows decide; where they do not, the
likeliest is read and a finding says so.

Areas of the board, for a checker's way: U, up in the other player's home; R, out of it; D, down to the own outer board;
J, jump from there into the own home; I, inside it.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools.board.board import BAR, START
from bgtools.board.generation import can_move, legal_plays
from bgtools.board.perspective import other, view
from bgtools.board.play import Play
from bgtools.decoder.inference import PossibleBoards
from bgtools.decoder.plausibility import worth

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Hop

TokenKind = Literal["roll", "fan", "double", "take", "drop"]

_TOKEN: Final = re.compile(
    r"(?P<one>[1-6])(?P<two>[1-6])(?P<sign>[A-Za-z$%@#&^<>=0-9]?)(?![\w/:.*])"
    r"|(?P<word>[Ff]an|Cub|Rcb|Tak|Pas|[FCRPT^])(?![\w/:.*])"
)
_LEADER: Final = re.compile(r"[ \t>]*(?P<top>-+>?[ \t]*)?\+?[ \t]*")
_BREAK: Final = re.compile(r"[ \t]*[-\u2013][ \t]*")
_WORDS: Final[dict[str, TokenKind]] = {
    "f": "fan", "fan": "fan", "^": "fan", "c": "double", "cub": "double", "r": "double", "rcb": "double",
    "t": "take", "tak": "take", "p": "drop", "pas": "drop",
}  # fmt: skip
LONGEST_SEQUENCE: Final = 400
"""How many tokens a game has at most: each takes a search."""
_PLAIN: Final = "RPDUSZHX$@"
"""Letters whose meaning everybody agrees on; the others leave more to the reader."""
_OUTSIDE: Final = 6.0
_LESS: Final = 0.3
"""What a play costs that its letter does not mean; and which part of that where the letter leaves more open."""
_WORTH: Final = 0.01
_RANK: Final = 1.0
"""What the next play of a family costs more than the one before it."""
_DOUBT: Final = 0.6
_NEAR: Final = 0.05


class SequenceToken(NamedTuple):
    """One step of a sequence: its stretch of the line, what it is, and for a roll the dice and the sign behind them."""

    start: int
    end: int
    kind: TokenKind
    dice: Dice | None = None
    sign: str = ""


class TokenLine(NamedTuple):
    """The tokens of a line, and whether a dash before the first one gives it to the player at the top."""

    tokens: tuple[SequenceToken, ...]
    is_top: bool


class SequenceStep(NamedTuple):
    """What a token stands for.

    Attributes:
        player: who acts.
        cells: what was done, in the words of match text; two cells for a double that the next token shows to be taken.
        doubt: what would do as well; "" where nothing would.
    """

    player: Player
    cells: tuple[str, ...]
    doubt: str = ""


def read_tokens(line: str) -> TokenLine | None:
    """The tokens of a line that holds nothing else; None for another line."""
    leader = _LEADER.match(line)
    assert leader is not None
    at, end = leader.end(), len(line.rstrip())
    tokens: list[SequenceToken] = []
    while at < end:
        found = _TOKEN.match(line, at)
        if found is None:
            return None
        if found["word"]:
            tokens.append(SequenceToken(at, found.end(), _WORDS[found["word"].casefold()]))
        else:
            dice, sign = (int(found["one"]), int(found["two"])), found["sign"]
            tokens.append(SequenceToken(at, found.end(), "fan" if sign == "^" else "roll", dice, sign))
        joined = _BREAK.match(line, found.end())
        if joined is None and found.end() < end:
            return None
        at = joined.end() if joined else found.end()
    return TokenLine(tuple(tokens), leader["top"] is not None) if tokens else None


def read_sequence(tokens: Sequence[SequenceToken], first: Player) -> list[SequenceStep]:
    """What the tokens of a game stand for.

    Args:
        tokens: the tokens.
        first: who begins.
    """
    boards, player = PossibleBoards(START), first
    rolls: list[int] = []
    steps: list[SequenceStep] = []
    offered = False
    for at, token in enumerate(tokens):
        if token.kind == "double":
            following = tokens[at + 1].kind if at + 1 < len(tokens) else "drop"
            steps.append(SequenceStep(player, ("Doubles",) if following in ("take", "drop") else ("Doubles", "Takes")))
            offered = following in ("take", "drop")
        elif token.kind in ("take", "drop"):
            steps.append(
                SequenceStep(other(player) if offered else player, ("Takes" if token.kind == "take" else "Drops",))
            )
            offered = False
        else:
            if boards.follow(player, partial(_plays, token)):
                rolls.append(len(steps))
            steps.append(SequenceStep(player, ("",)))
            player = other(player)
    board = START  # seen by player 0
    for at, fitting in zip(rolls, boards.likeliest(), strict=True):
        step, token, likely = steps[at], tokens[at], fitting.plays[0]
        rivals = [str(play) for play in fitting.near(_DOUBT)[1:] if str(play) != str(likely)]
        steps[at] = _step(step.player, token, view(board, step.player), likely, rivals)
        board = view(likely.result, step.player)
    # A dance on a board on which something can be moved stays as it stands; the reader says that it is none.
    return [step if step.cells != ("",) else SequenceStep(step.player, ("Dances",)) for step in steps]


def _step(player: Player, token: SequenceToken, own: Board, play: Play, rivals: list[str]) -> SequenceStep:
    if token.dice is not None:
        doubt = "" if not rivals else f"{play} is read, and {rivals[0]} would do as well"
        return SequenceStep(player, (f"{_roll(token.dice)}: {play if play.hops else 'Cannot Move'}",), doubt)
    fans = [dice for dice in ROLLS if not can_move(own, dice)]
    doubt = f"the roll is not written; {_roll(fans[0])} stands in for it" if len(fans) > 1 else ""
    return SequenceStep(player, (f"{_roll(fans[0])}: Cannot Move",), doubt)


def _roll(dice: Dice) -> str:
    return f"{dice[0]}{dice[1]}"


ROLLS: Final[tuple[Dice, ...]] = tuple((high, low) for low in range(6, 0, -1) for high in range(6, low - 1, -1))
"""All rolls, the highest first."""


# --- what the letters mean --------------------------------------------------------------------


def _plays(token: SequenceToken, board: Board) -> list[tuple[Play, float]]:
    """The plays that a token may mean on a board that its player sees, each with its cost."""
    if token.dice is None or token.kind == "fan":
        dances = [dice for dice in (ROLLS if token.dice is None else (token.dice,)) if not can_move(board, dice)]
        return [(Play((), board), 0.0)] if dances else []
    return _ranked(board, token.dice, token.sign)


@lru_cache(maxsize=4096)
def _ranked(board: Board, dice: Dice, sign: str) -> list[tuple[Play, float]]:
    plays = legal_plays(board, dice)
    if not sign:  # a roll alone is one that could be played in one way
        return [(play, (len(plays) > 1) * 3.0 - _WORTH * worth(play.result)) for play in plays]
    orders = [(play, _order(board, play, dice, sign.upper())) for play in plays]
    members = sorted({order for _, order in orders if order is not None})
    second = sign.islower() or sign in "%#"
    rank, part = (1 if second and len(members) > 1 else 0), (1.0 if sign.upper() in _PLAIN else _LESS)
    costs = [
        _OUTSIDE if order is None else min(_RANK * abs(members.index(order) - rank), _OUTSIDE) for _, order in orders
    ]
    return [(play, part * cost - _WORTH * worth(play.result)) for (play, _), cost in zip(orders, costs, strict=True)]


class _Journey(NamedTuple):
    """The way of one checker in a play."""

    start: int
    end: int
    hits: int


def ways_of(hops: Iterable[Hop]) -> list[_Journey]:
    """The ways of the checkers: a hop goes on with the way that ends where it begins."""
    ways: list[_Journey] = []
    for hop in hops:
        joined = next((way for way in ways if way.end == hop.start), None)
        if joined is not None:
            ways.remove(joined)
        start, hits = (hop.start, 0) if joined is None else (joined.start, joined.hits)
        ways.append(_Journey(start, hop.end, hits + hop.hit))
    return ways


_HOME: Final = 6
_MIDPOINT: Final = 13
_OUTER: Final = 18


def _area(way: _Journey) -> str:
    if way.start > _OUTER:
        return "U" if way.end > _OUTER - 1 else "R"
    if way.start > _HOME:
        return "D" if way.end > _HOME else "J"
    return "I"


_AREAS: Final = {
    "E": ("IU", "IR"), "C": ("JU", "JR"), "O": ("DJ",), "N": ("DI",), "A": ("IJ",), "B": ("DU", "DR", "JU", "IU"),
}  # fmt: skip
"""Two areas in the order of the alphabet, each with a checker's way in it."""
_SLOTS: Final = (5, 4, 7, 3, 2, 8, 9)


def _order(board: Board, play: Play, dice: Dice, sign: str) -> float | None:
    """Where a play stands in the family of a letter, from 0 for the first; None where it is not in it."""
    ways = ways_of(play.hops)
    areas = "".join(sorted(map(_area, ways)))
    hits = sum(way.hits for way in ways)
    points = [at for at in range(1, BAR) if play.result.mine[at] > 1 >= board.mine[at]]
    # Plays that hit come first, then those that move more checkers, then those that end nearer to the 6-point.
    near = sum(_HOME - way.end for way in ways if _area(way) in "JI")
    few = -3.0 * hits - 0.75 * len(ways) + _NEAR * near
    return _family(sign, _Facts(board, play, dice, ways, areas, hits, points, few))


class _Facts(NamedTuple):
    board: Board
    play: Play
    dice: Dice
    ways: list[_Journey]
    areas: str
    hits: int
    points: list[int]
    few: float


def _family(sign: str, of: _Facts) -> float | None:
    areas, ways = of.areas, of.ways
    order: float | None = None
    match sign:
        case "R":
            order = of.few if "R" in areas else None
        case "U" | "V":
            order = of.few if areas and not areas.strip("U") else None
        case "D":
            order = (
                of.few + 2.0 * sum(way.start < _MIDPOINT for way in ways) if areas and not areas.strip("D") else None
            )
        case "J" | "I":
            order = of.few if areas and not areas.strip(sign) else None
        case "S" | "Z":
            order = _split(sign, of)
        case "P" | "Q":
            made = [_SLOTS.index(each) if each in _SLOTS else len(_SLOTS) for each in of.points]
            order = 0.5 * min(made) + of.few if made else None
        case "A" if of.hits and any(each <= _HOME for each in of.points):
            order = of.few - sum(each <= _HOME for each in of.points)
        case "E" | "C" | "O" | "N" | "A" | "B":
            order = of.few if "".join(sorted(set(areas))) in _AREAS[sign] else None
        case "H":
            hit = [way.end for way in ways if way.hits]
            order = (BAR - max(hit)) + (0 if "D" in areas or len(ways) == 1 else 0.5) if hit else None
        case "X":
            order = of.few if of.hits and ("U" in areas or "R" in areas) and len(ways) > 1 else None
        case "K":
            order = of.few if of.hits > 1 else None
        case "$" | "%":
            slots = _slots(of)
            order = min(map(_SLOTS.index, slots)) + of.few if slots and "U" not in areas else None
        case "&":
            order = of.few if len(_slots(of)) > 1 else None
        case "W":
            order = of.few if "U" in areas and _slots(of) else None
        case "@" | "#":
            anchors = [each for each in of.points if each >= _OUTER]
            order = (BAR - min(anchors)) * 0.5 + of.few if anchors else None
        case "T":
            stacked = all(of.board.mine[way.end] > 1 for way in ways)
            order = 0.5 * _blots(of.play.result) if stacked else None
        case "L" | "M" | "G" | "Y":
            order = 0.5 * _blots(of.play.result)
        case _ if sign.isdigit() and sign != "0":
            order = of.few if any(way.end == int(sign) for way in ways) else None
        case _:
            order = None
    return order


def _split(sign: str, of: _Facts) -> float | None:
    """A checker up in the other player's home, and one down: S with the larger number up, Z with the smaller."""
    up = [way for way in of.ways if _area(way) in "UR"]
    down = [way for way in of.ways if _area(way) == "D"]
    if len(up) != 1 or len(down) != 1:
        return None
    is_large = up[0].start - up[0].end == max(of.dice)
    return (0.0 if is_large == (sign == "S") else 1.0) + 2.0 * (down[0].start < _MIDPOINT)


def _slots(of: _Facts) -> list[int]:
    """Points at home, or just outside it, on which the play leaves a checker alone that was not there before."""
    ends = {way.end for way in of.ways}
    return [at for at in _SLOTS[:5] if at in ends and of.play.result.mine[at] == 1 and not of.board.mine[at]]


def _blots(board: Board) -> int:
    return sum(board.mine[at] == 1 for at in range(1, BAR))
