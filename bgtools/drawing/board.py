"""A board as a picture, after the conventions of printed backgammon.

The player on roll sits below, bears off to the lower right and moves towards their 1-point. Points are numbered from
their side, the pips stand beside each name, and the cube lies at its owner's side or in the middle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.drawing.shapes import BAR, OFF, Box, Disc, Picture, Polygon, Shape, Stroke, TextLine
from bgtools.findings.finding import with_article

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.drawing.shapes import ColourName, CubeLike, Drawn, HopLike, Point, StateLike

Home = Literal["right", "left"]
"""The side on which the player below bears off."""

_SIZE: Final = 40  # of a checker, and the width of a point
_SHOWN: Final = 5  # checkers of a stack; a number tells of more
_TRAY: Final = 44
_EDGE: Final = 26
_TEXT: Final = 22  # height of a line of text
_GAP: Final = 40  # between the points of both sides
_HALF: Final = 6 * _SIZE
_LEFT: Final = _EDGE + _TRAY
_TOP: Final = _EDGE + _TEXT
_INNER: Final = 2 * _SHOWN * _SIZE + _GAP
_BOTTOM: Final = _TOP + _INNER
_BAR_LEFT: Final = _LEFT + _HALF
_RIGHT: Final = _BAR_LEFT + _SIZE + _HALF
WIDTH: Final = _RIGHT + _TRAY + _EDGE
HEIGHT: Final = _BOTTOM + _EDGE + _TEXT
_MIDDLE: Final = (_TOP + _BOTTOM) // 2
_CAPTION: Final = 24
_THICK: Final = 11  # of a checker that is off
_LONGEST_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """From where a board is seen.

    Attributes:
        flipped: the player on roll sits above.
        home: the side on which the player below bears off.
        dark: the player on roll has the dark checkers.
    """

    flipped: bool = False
    home: Home = "right"
    dark: bool = False

    def side(self, *, mine: bool) -> tuple[ColourName, ColourName]:
        """The colours of a player's checkers, and of their rims: of the one on roll, or of the other."""
        return ("mine", "mine_ink") if mine != self.dark else ("theirs", "theirs_ink")

    def across(self, x: float) -> float:
        """A place from left to right, mirrored where the home board lies at the left."""
        return x if self.home == "right" else WIDTH - x

    def is_below(self, *, mine: bool) -> bool:
        """Whether a player sits below: the one on roll, or the other."""
        return mine != self.flipped

    def point(self, point: int) -> tuple[float, bool]:
        """The middle of a point that is counted from the player on roll, and whether it is in the lower half."""
        seen = 25 - point if self.flipped else point
        below = seen <= 12
        column = 12 - seen if below else seen - 13
        return self.across(_LEFT + _SIZE * column + _SIZE // 2 + (_SIZE if column >= 6 else 0)), below

    def spot(self, point: int, number: int, *, mine: bool) -> Point:
        """Where a checker lies.

        Args:
            point: counted from the player on roll, whoever's checker it is; `BAR` and `OFF` are its owner's.
            number: how many checkers lie beneath it; the sixth lies on the fifth.
            mine: whether it is a checker of the player on roll.
        """
        below = self.is_below(mine=mine)
        if point == OFF:
            return self.across(_RIGHT + _EDGE // 2 + _TRAY // 2), _BOTTOM - 30 if below else _TOP + 30
        number = min(number, _SHOWN - 1)
        if point == BAR:
            # From the middle outwards, each on the side of its owner.
            first, step = _GAP // 2 + _SIZE // 2, _SIZE
            way = first + number * step
            return self.across(_BAR_LEFT + _SIZE // 2), _MIDDLE + way if below else _MIDDLE - way
        x, lower = self.point(point)
        way = _SIZE // 2 + number * _SIZE
        return x, _BOTTOM - way if lower else _TOP + way


def board_picture(
    position: Drawn,
    state: StateLike | None = None,
    *,
    dice: tuple[int, int] | None = None,
    names: tuple[str, str] = ("", ""),
    offered: bool = False,
    played: Sequence[HopLike] = (),
    best: Sequence[HopLike] = (),
    seat: Viewpoint = Viewpoint(),
    marks: Mapping[int, str] | None = None,
    caption: str = "",
) -> Picture:
    """A board, with arrows for plays.

    The checkers of the player on roll are the light ones unless the seat says otherwise. The arrows of the play that
    was made are full and end in a filled head, those of the best play are dashed and end in an open one; a cross marks
    each checker that is hit.

    Args:
        position: the board.
        state: score and cube, seen by the player on roll; without it neither is drawn.
        dice: the roll.
        names: of the player on roll and of the other one.
        offered: whether they have doubled and wait for the answer.
        played, best: hops of the play that was made and of the best one.
        seat: from where it is seen.
        marks: a letter or two for points, counted from the player on roll.
        caption: a line below the board.
    """
    clean = (_clean(names[0]) or "on roll", _clean(names[1]) or "opponent")
    caption = _clean(caption)
    height = HEIGHT + (_CAPTION if caption else 0)
    shapes: list[Shape] = [
        Box(0, 0, WIDTH, height, "frame", corner=8),
        *field(seat),
        *_numbers(seat),
        *_checkers(position, seat),
        *_tray(position.mine[OFF], seat, mine=True),
        *_tray(position.theirs[OFF], seat, mine=False),
        *_captions(position, state, clean, seat),
    ]
    if state is not None and not state.crawford:
        shapes += _cube(state.cube, seat, offered=offered)
    if dice is not None:
        shapes += _dice(dice, seat)
    shapes += _marks(marks or {}, seat)
    shapes += _arrows(position, played, best, seat)
    if caption:
        shapes.append(TextLine(WIDTH / 2, HEIGHT + 10, caption, 14, "on_frame"))
    title = _title(clean[0], state, dice, offered=offered)
    return Picture(WIDTH, height, title, _description(position, clean), tuple(shapes))


# --- the board ------------------------------------------------------------------------------


def field(seat: Viewpoint) -> Iterator[Shape]:
    """The parts of a board that never move: the halves, the trays and the points."""
    for left in (_LEFT, _BAR_LEFT + _SIZE):
        yield Box(left, _TOP, _HALF, _INNER, "field", "line")
    for left in (_EDGE // 2, _RIGHT + _EDGE // 2):
        for top in (_TOP, _MIDDLE + _GAP // 2):
            yield Box(left, top, _TRAY, _SHOWN * _SIZE, "tray", "line", corner=3)
    for point in range(1, 25):
        centre, below = seat.point(point)
        rim, tip = (_BOTTOM, _BOTTOM - _SHOWN * _SIZE + 8) if below else (_TOP, _TOP + _SHOWN * _SIZE - 8)
        corners = ((centre - _SIZE // 2, rim), (centre + _SIZE // 2, rim), (centre, tip))
        # By the seat, so that a board keeps its colours when the other player is on roll.
        is_dark = (point % 2 == 1) != seat.flipped
        yield Polygon(corners, "dark_point" if is_dark else "light_point", "line")


def _numbers(seat: Viewpoint) -> Iterator[Shape]:
    for point in range(1, BAR):
        yield TextLine(*_label(point, seat), str(point), 12, "on_frame")


def _label(point: int, seat: Viewpoint) -> Point:
    """Where the number of a point stands."""
    x, below = seat.point(point)
    return x, _BOTTOM + 15 if below else _TOP - 5


def geometry() -> dict[str, Any]:
    """Where everything lies on a board, for a program that draws one itself: the page of a report does.

    ``spots`` are the places of a stack's checkers by the point, as the player on roll counts, who sits below. For a
    player above, on the bar and in the tray too, ``y`` is ``height_both`` less the ``y`` given here.
    """
    seat, half = Viewpoint(), _TRAY // 2
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "height_both": _TOP + _BOTTOM,
        "size": _SIZE,
        "shown": _SHOWN,
        "spots": [[seat.spot(point, number, mine=True) for number in range(_SHOWN)] for point in range(BAR + 1)],
        "labels": [None, *(_label(point, seat) for point in range(1, BAR))],
        "tray": {
            "left": _RIGHT + _EDGE // 2 + 4, "width": _TRAY - 8, "thick": _THICK, "top": _TOP, "bottom": _BOTTOM,
        },
        "caption": {"left": _LEFT, "right": _RIGHT, "below": HEIGHT - 9, "above": 17},
        "cube": {
            "x": _EDGE // 2 + half, "size": _TRAY - 8, "middle": _MIDDLE, "below": _BOTTOM - half, "above": _TOP + half,
            "offered": [_LEFT + _HALF // 2, _RIGHT - _HALF // 2],
        },
        "dice": {"size": _GAP - 8, "x": [_RIGHT - _HALF // 2, _LEFT + _HALF // 2], "pips": _PIPS},
    }  # fmt: skip


def _checkers(position: Drawn, seat: Viewpoint) -> Iterator[Shape]:
    for point in range(1, BAR):
        yield from _stack(point, position.mine[point], seat, mine=True)
        yield from _stack(point, position.theirs[BAR - point], seat, mine=False)
    yield from _stack(BAR, position.mine[BAR], seat, mine=True)
    yield from _stack(BAR, position.theirs[BAR], seat, mine=False)


def _stack(point: int, count: int, seat: Viewpoint, *, mine: bool) -> Iterator[Shape]:
    fill, ink = seat.side(mine=mine)
    for number in range(min(count, _SHOWN)):
        x, y = seat.spot(point, number, mine=mine)
        yield Disc(x, y, _SIZE // 2 - 1, fill, ink, 1.5)
        yield Disc(x, y, _SIZE // 2 - 6, None, ink, strength=0.25)
    if count > _SHOWN:
        x, y = seat.spot(point, _SHOWN, mine=mine)
        yield TextLine(x, y + 6, str(count), 18, ink, bold=True)


def _tray(count: int, seat: Viewpoint, *, mine: bool) -> Iterator[Shape]:
    """Checkers that are off, seen from their edge."""
    if not count:
        return
    fill, ink = seat.side(mine=mine)
    below = seat.is_below(mine=mine)
    middle, width, thick = seat.across(_RIGHT + _EDGE // 2 + _TRAY // 2), _TRAY - 8, _THICK
    for at in range(min(count, 15)):
        top = _BOTTOM - 3 - (at + 1) * thick if below else _TOP + 3 + at * thick
        yield Box(middle - width // 2, top, width, thick - 2, fill, ink, corner=2, thick=0.75)
    end = _BOTTOM - 8 - min(count, 15) * thick if below else _TOP + 20 + min(count, 15) * thick
    yield TextLine(middle, end, str(count), 14, "on_frame", bold=True)


def _cube(cube: CubeLike, seat: Viewpoint, *, offered: bool) -> Iterator[Shape]:
    size = _TRAY - 8
    value = 2 * cube.value if offered else cube.value
    if offered:
        # On the other player's side of the board, where they have to take it up.
        x, y = (_LEFT + _HALF // 2) if not seat.flipped else (_RIGHT - _HALF // 2), _MIDDLE
    else:
        x, y = _EDGE // 2 + _TRAY // 2, _MIDDLE
        if cube.owner != "centre":
            below = seat.is_below(mine=cube.owner == "mine")
            y = _BOTTOM - size // 2 - 4 if below else _TOP + size // 2 + 4
    text = "64" if cube.value == 1 and cube.owner == "centre" and not offered else str(value)
    middle = seat.across(x)
    yield Box(middle - size // 2, y - size // 2, size, size, "cube", "line", corner=5)
    letters = 18 if len(text) < 3 else 13 if len(text) < 5 else 9
    yield TextLine(middle, y + 6, text, letters, "cube_ink", bold=True)


_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _dice(dice: tuple[int, int], seat: Viewpoint) -> Iterator[Shape]:
    size = _GAP - 8
    middle = seat.across(_RIGHT - _HALF // 2 if not seat.flipped else _LEFT + _HALF // 2)
    for number, die in enumerate(dice):
        x = middle + (-size // 2 - 4 if number == 0 else size // 2 + 4)
        yield Box(x - size // 2, _MIDDLE - size // 2, size, size, "die", "line", corner=6)
        for across, down in _PIPS.get(die, ()):
            yield Disc(x + 9 * across, _MIDDLE + 9 * down, 3, "die_ink")


def _marks(marks: Mapping[int, str], seat: Viewpoint) -> Iterator[Shape]:
    for point, text in marks.items():
        x, below = seat.point(point)
        y = _BOTTOM - _SHOWN * _SIZE + 24 if below else _TOP + _SHOWN * _SIZE - 24
        yield Disc(x, y, 10, "halo", "best")
        yield TextLine(x, y + 4, _clean(text)[:2], 12, "best", bold=True)


# --- plays ----------------------------------------------------------------------------------

_ASIDE: Final = 5.0
"""How far the arrows of two plays lie from the middle of a checker, so that neither hides the other."""
_HEAD: Final = (13.0, 7.0)
"""Length and half the width of an arrow's head."""


def _arrows(position: Drawn, played: Sequence[HopLike], best: Sequence[HopLike], seat: Viewpoint) -> Iterator[Shape]:
    both = bool(played) and bool(best)
    yield from _play(position, best, seat, "best", _ASIDE if both else 0, dashed=True)
    yield from _play(position, played, seat, "played", -_ASIDE if both else 0, dashed=False)


def _play(
    position: Drawn, hops: Sequence[HopLike], seat: Viewpoint, ink: ColourName, aside: float, *, dashed: bool
) -> Iterator[Shape]:
    """The arrows of a play, one per checker, through each of its hops."""
    hit: list[Point] = []
    for way in _ways(position, hops, seat, hit):
        yield from _arrow(way, ink, aside, dashed=dashed)
    for x, y in hit:
        for down in (-9, 9):
            yield Stroke(((x - 9, y - down), (x + 9, y + down)), "halo", 7)
        for down in (-9, 9):
            yield Stroke(((x - 9, y - down), (x + 9, y + down)), ink, 3)


def _ways(position: Drawn, hops: Sequence[HopLike], seat: Viewpoint, hit: list[Point]) -> list[list[Point]]:
    """The places that each moved checker touches; places of checkers that are hit are added to ``hit``."""
    mine, theirs = list(position.mine), list(position.theirs)
    ways: list[list[Point]] = []
    last: dict[int, list[list[Point]]] = {}
    for hop in hops:
        start, end = hop.start, hop.end
        if not (OFF < start <= BAR and OFF <= end < BAR) or not mine[start]:
            continue
        mine[start] -= 1
        if end > OFF and theirs[BAR - end] == 1:
            theirs[BAR - end] = 0
            theirs[BAR] += 1
            hit.append(seat.spot(end, 0, mine=False))
        to = seat.spot(end, mine[end], mine=True)
        mine[end] += 1
        if last.get(start):
            way = last[start].pop()
        else:
            way = [seat.spot(start, mine[start], mine=True)]
            ways.append(way)
        way.append(to)
        last.setdefault(end, []).append(way)
    return ways


def _arrow(way: Sequence[Point], ink: ColourName, aside: float, *, dashed: bool) -> Iterator[Shape]:
    length = max(hypot(way[-1][0] - way[0][0], way[-1][1] - way[0][1]), 1)
    # Beside the straight way, on the same side for every hop.
    over, up = aside * (way[-1][1] - way[0][1]) / length, -aside * (way[-1][0] - way[0][0]) / length
    points = [(x + over, y + up) for x, y in way]
    (x0, y0), (x, y) = points[-2], points[-1]
    last = max(hypot(x - x0, y - y0), 1)
    east, south = (x - x0) / last, (y - y0) / last
    long, wide = _HEAD
    neck = (x - long * east, y - long * south)
    wings = tuple((neck[0] - side * wide * south, neck[1] + side * wide * east) for side in (1, -1))
    line = (*points[:-1], points[-1] if dashed else neck)
    head = (wings[0], (x, y), wings[1])
    yield Stroke(line, "halo", 6)
    yield Stroke(head, "halo", 7) if dashed else Polygon(head, "halo", "halo")
    yield Stroke(line, ink, 3, (8, 5) if dashed else ())
    for at in points[1:-1]:
        yield Disc(*at, 4, ink, "halo")
    yield Stroke(head, ink, 3) if dashed else Polygon(head, ink)


# --- words ----------------------------------------------------------------------------------

_NO_XML: Final = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(name: str) -> str:
    """A name on one line, with U+FFFD instead of characters that XML does not allow."""
    return " ".join(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", name).split())


def _captions(position: Drawn, state: StateLike | None, names: tuple[str, str], seat: Viewpoint) -> Iterator[Shape]:
    """Who sits where, with pips; the score; a wedge at the name of the player on roll."""
    for number in (1, 0):
        y = HEIGHT - 9 if seat.is_below(mine=number == 0) else 17
        name = names[number] if len(names[number]) <= _LONGEST_NAME else names[number][: _LONGEST_NAME - 1] + "…"
        yield Disc(_LEFT + 7, y - 5, 6, *seat.side(mine=number == 0))
        yield TextLine(
            _LEFT + 20, y, f"{name}: {_pips(position.pips[number])}", 14, "on_frame", "start", bold=number == 0
        )
        if number == 0:
            yield Polygon(((_LEFT - 14, y - 12), (_LEFT - 14, y + 2), (_LEFT - 4, y - 5)), "on_frame")
        if state is not None:
            yield TextLine(_RIGHT, y, _points(state, number), 14, "on_frame", "end")


def _points(state: StateLike, number: int) -> str:
    """The score of a player: what they have and what they need."""
    score = state.score[number]
    if not state.length:
        return f"{score} (money)"
    crawford = ", Crawford" if state.crawford and number == 0 else ""
    return f"{score} of {state.length}, {max(state.length - score, 0)} away{crawford}"


def _title(mine: str, state: StateLike | None, dice: tuple[int, int] | None, *, offered: bool) -> str:
    if dice is not None:
        what = f"{mine} to play {dice[0]}{dice[1]}" if mine != "on roll" else f"{dice[0]}{dice[1]} to play"
    else:
        what = f"{mine} has doubled" if offered else mine if mine == "on roll" else f"{mine} on roll"
    if state is None:
        return f"Backgammon position, {what}"
    score = f"{state.score[0]}-{state.score[1]}"
    where = f"{score} in {with_article(state.length)}-point match" if state.length else "money"
    owner = {"mine": "their own", "theirs": "the opponent's"}.get(state.cube.owner, "centred")
    cube = ", Crawford game" if state.crawford else f", cube {state.cube.value} {owner}"
    return f"Backgammon position, {what}, {where}{cube}"


def _description(position: Drawn, names: tuple[str, str]) -> str:
    """The board in words, the points of each side in its own numbering."""
    sides = []
    for number, side in enumerate((position.mine, position.theirs)):
        places = [f"{side[BAR]} on the bar"] if side[BAR] else []
        places += [f"{side[point]} on {point}" for point in range(24, 0, -1) if side[point]]
        places += [f"{side[OFF]} off"] if side[OFF] else []
        sides.append(f"{names[number]}: {', '.join(places)}; {_pips(position.pips[number])}.")
    return " ".join(sides)


def _pips(count: int) -> str:
    return "1 pip" if count == 1 else f"{count} pips"
