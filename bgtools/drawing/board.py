"""A board as a picture, after the conventions of printed backgammon.

The player on roll sits below, bears off to the lower right and moves towards their 1-point. Points are numbered from
their side, the pips stand beside each name, and the cube lies at its owner's side or in the middle.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.drawing.shapes import BAR, OFF, Box, Disc, Picture, Polygon, Shape, Stroke, TextLine
from bgtools.findings.finding import isolated, with_article

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.drawing.shapes import ColourName, CubeLike, Drawn, HopLike, Point, StateLike

Home = Literal["right", "left"]
"""The side on which the player below bears off."""

_POINT: Final = 44  # width of a point
_RADIUS: Final = 20.5  # of a checker
_STEP: Final = 42  # from one checker of a stack to the next
_SHOWN: Final = 5  # checkers of a stack; a number tells of more
_SHOWN_ON_BAR: Final = 4
_BAR_WIDTH: Final = 48
_FRAME: Final = 10
_RAIL: Final = 50  # at the right: checkers that are off, and the cube
_BAND: Final = 26  # a line of names above and one below
_NUMBERS: Final = 24
_HALF: Final = 6 * _POINT
_LEFT: Final = _FRAME
_BAR_LEFT: Final = _LEFT + _HALF
_RIGHT_HALF: Final = _BAR_LEFT + _BAR_WIDTH
_RAIL_MIDDLE: Final = _RIGHT_HALF + _HALF + 9 + _RAIL // 2
WIDTH: Final = 656
HEIGHT: Final = 530 + 2 * _BAND
_TOP: Final = _BAND + _NUMBERS
_BOTTOM: Final = HEIGHT - _TOP
_MIDDLE: Final = HEIGHT // 2
_TALL: Final = 204  # height of a point
_APART: Final = 32  # from the middle to a tray
_CUBE: Final = 42
_OFFERED: Final = 52
_DIE: Final = 38
_CAPTION: Final = 24
_LINE: Final = 76  # characters of a line of a caption
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

    def side(self, *, mine: bool) -> tuple[ColourName, ColourName, ColourName]:
        """The colours of the checkers of the player on roll or of the other, of their rims, and of what is on them."""
        if mine != self.dark:
            return "mine", "mine_rim", "mine_ink"
        return "theirs", "theirs_rim", "theirs_ink"

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
        return self.across((_LEFT if column < 6 else _LEFT + _BAR_WIDTH) + _POINT * (column + 0.5)), below

    def spot(self, point: int, number: int, *, mine: bool) -> Point:
        """Where a checker lies.

        Args:
            point: counted from the player on roll, whoever's checker it is; `BAR` and `OFF` are its owner's.
            number: how many checkers lie beneath it; the sixth lies on the fifth.
            mine: whether it is a checker of the player on roll.
        """
        below = self.is_below(mine=mine)
        if point == OFF:
            return self.across(_RAIL_MIDDLE), _BOTTOM - 100 if below else _TOP + 100
        if point == BAR:
            # From the middle outwards, each on the side of its owner.
            out = 52 + (_STEP - 1) * min(number, _SHOWN_ON_BAR - 1)
            return self.across(_BAR_LEFT + _BAR_WIDTH / 2), _MIDDLE + out if below else _MIDDLE - out
        x, lower = self.point(point)
        way = _RADIUS + 1.5 + _STEP * min(number, _SHOWN - 1)
        return x, _BOTTOM - way if lower else _TOP + way


def board_picture(
    position: Drawn,
    state: StateLike | None = None,
    *,
    dice: tuple[int, int] | None = None,
    names: tuple[str, str] = ("", ""),
    offered: bool = False,
    answering: bool = False,
    played: Sequence[HopLike] = (),
    best: Sequence[HopLike] = (),
    seat: Viewpoint = Viewpoint(),
    marks: Mapping[int, str] | None = None,
    caption: str = "",
) -> Picture:
    """A board, with arrows for plays.

    The checkers of the player on roll are the light ones unless the seat says otherwise. The arrows of the play that
    was made are full, those of the best play are dashed, and what both share has one dotted arrow; a ring shows where
    a checker ends, and a cross marks each checker that is hit.

    Args:
        position: the board.
        state: score and cube, seen by the player on roll; without it neither is drawn.
        dice: the roll.
        names: of the player on roll and of the other one.
        offered: whether the player on roll has doubled and waits for the answer.
        answering: whether the other player has doubled, and the board is seen by the one who answers.
        played, best: hops of the play that was made and of the best one.
        seat: from where it is seen.
        marks: a letter or two for points, counted from the player on roll.
        caption: a text below the board, in as many lines as it needs.
    """
    clean = (_clean(names[0]) or "on roll", _clean(names[1]) or "opponent")
    caption = _clean(caption)
    lines = wrap(caption, _LINE)
    height = HEIGHT + _CAPTION * len(lines)
    doubled = offered or answering
    owner = "" if state is None or state.crawford or doubled else state.cube.owner
    shapes: list[Shape] = [
        Box(0, 0, WIDTH, height, "frame", corner=9),
        *field(seat),
        *_numbers(seat),
        *_checkers(position, seat),
        *_tray(position.mine[OFF], seat, has_cube=owner == "mine", mine=True),
        *_tray(position.theirs[OFF], seat, has_cube=owner == "theirs", mine=False),
        *_captions(position, state, clean, seat),
    ]
    if state is not None and not state.crawford:
        shapes += _cube(state.cube, seat, offered=doubled, to_left=offered != seat.flipped)
    if dice is not None:
        shapes += _dice(dice, seat)
    shapes += _marks(marks or {}, seat)
    shapes += _arrows(position, played, best, seat)
    shapes += [
        TextLine(WIDTH / 2, HEIGHT + 12 + _CAPTION * number, line, 15, "on_frame") for number, line in enumerate(lines)
    ]
    title = _title(clean[0], state, dice, done="has doubled" if offered else "is doubled" if answering else "")
    return Picture(WIDTH, height, title, _description(position, clean), tuple(shapes))


# --- the board ------------------------------------------------------------------------------


def field(seat: Viewpoint) -> Iterator[Shape]:
    """The parts of a board that never move: the halves, the rail and the points."""
    for left in (_LEFT, _RIGHT_HALF):
        yield Box(min(seat.across(left), seat.across(left + _HALF)), _TOP, _HALF, _BOTTOM - _TOP, "field", "line", 2)
    for top in (_TOP, _MIDDLE + _APART):
        yield Box(seat.across(_RAIL_MIDDLE) - _RAIL / 2, top, _RAIL, _BOTTOM - _MIDDLE - _APART, "tray", "line", 4)
    for point in range(1, 25):
        centre, below = seat.point(point)
        rim, tip = (_BOTTOM, _BOTTOM - _TALL) if below else (_TOP, _TOP + _TALL)
        half = _POINT / 2 - 1
        # By the seat, so that a board keeps its colours when the other player is on roll.
        is_dark = (point % 2 == 1) != seat.flipped
        corners = ((centre - half, rim), (centre + half, rim), (centre, tip))
        yield Polygon(corners, "dark_point" if is_dark else "light_point", "line")


def _numbers(seat: Viewpoint) -> Iterator[Shape]:
    for point in range(1, BAR):
        yield TextLine(*_label(point, seat), str(point), 15, "on_frame")


def _label(point: int, seat: Viewpoint) -> Point:
    """Where the number of a point stands."""
    x, below = seat.point(point)
    return x, _BOTTOM + 17 if below else _TOP - 7


def geometry() -> dict[str, Any]:
    """Where everything lies on a board, for a program that draws one itself: the script of our pages does.

    ``spots`` are the places of a stack's checkers by the point, as the player on roll counts, who sits below. For a
    player above, on the bar and in the tray too, ``y`` is ``2 * middle`` less the ``y`` given here. ``view`` is the
    part of a picture that lies between the lines of names.
    """
    seat = Viewpoint()
    return {
        "view": [0, _BAND, WIDTH, HEIGHT - 2 * _BAND],
        "middle": _MIDDLE, "top": _TOP, "bottom": _BOTTOM,
        "radius": _RADIUS, "step": _STEP, "point": _POINT, "tall": _TALL,
        "shown": _SHOWN, "shown_on_bar": _SHOWN_ON_BAR,
        "spots": [[seat.spot(point, number, mine=True) for number in range(_SHOWN)] for point in range(BAR + 1)],
        "labels": [None, *(_label(point, seat) for point in range(1, BAR))],
        "bar": {"left": _BAR_LEFT, "width": _BAR_WIDTH},
        "rail": {"x": _RAIL_MIDDLE, "width": _RAIL, "apart": _APART},
        "cube": {"size": _CUBE, "offered_size": _OFFERED, "offered": [_LEFT + _HALF / 2, _RIGHT_HALF + _HALF / 2]},
        "dice": {"size": _DIE, "x": [_RIGHT_HALF + _HALF / 2, _LEFT + _HALF / 2], "pips": _PIPS},
    }  # fmt: skip


def _checkers(position: Drawn, seat: Viewpoint) -> Iterator[Shape]:
    for point in range(1, BAR):
        yield from _stack(point, position.mine[point], seat, mine=True)
        yield from _stack(point, position.theirs[BAR - point], seat, mine=False)
    yield from _stack(BAR, position.mine[BAR], seat, mine=True)
    yield from _stack(BAR, position.theirs[BAR], seat, mine=False)


def _stack(point: int, count: int, seat: Viewpoint, *, mine: bool) -> Iterator[Shape]:
    fill, rim, ink = seat.side(mine=mine)
    shown = _SHOWN_ON_BAR if point == BAR else _SHOWN
    for number in range(min(count, shown)):
        x, y = seat.spot(point, number, mine=mine)
        yield Disc(x, y, _RADIUS, fill, rim, 1.5)
        yield Disc(x, y, _RADIUS - 5.5, None, rim, 1.2, 0.38)
    if count > shown:
        x, y = seat.spot(point, shown, mine=mine)
        yield TextLine(x, y + 7, str(count), 20, ink, bold=True)


def _tray(count: int, seat: Viewpoint, *, has_cube: bool, mine: bool) -> Iterator[Shape]:
    """Checkers that are off, seen from their edge. They begin beyond a cube that lies there."""
    if not count:
        return
    fill, rim, _ = seat.side(mine=mine)
    below = seat.is_below(mine=mine)
    middle, beyond = seat.across(_RAIL_MIDDLE), 50 if has_cube else 0
    thick = 10.4 if has_cube else 11.4
    for at in range(min(count, 15)):
        top = _BOTTOM - 14 - thick * at - beyond if below else _TOP + 4 + thick * at + beyond
        yield Box(middle - 21, top, 42, thick - 1.4, fill, rim, corner=2.5, thick=0.8)
    # The middle of the rail is free where the cube lies at its end.
    down = (24 if below else -10) if has_cube else (50 if below else -36)
    yield TextLine(middle, _MIDDLE + down, str(count), 20, "on_frame", bold=True)


def _cube(cube: CubeLike, seat: Viewpoint, *, offered: bool, to_left: bool) -> Iterator[Shape]:
    value = 2 * cube.value if offered else cube.value
    size = _OFFERED if offered else _CUBE
    x, y = float(_RAIL_MIDDLE), _MIDDLE
    if offered:
        # On the side of the board of the player who has to take it up.
        x = (_LEFT if to_left else _RIGHT_HALF) + _HALF / 2
    elif cube.owner != "centre":
        y = _BOTTOM - 25 if seat.is_below(mine=cube.owner == "mine") else _TOP + 25
    text = "64" if cube.value == 1 and cube.owner == "centre" and not offered else str(value)
    middle = seat.across(x)
    yield Box(middle - size / 2, y - size / 2, size, size, "cube", "line", corner=6, thick=1.5)
    letters = (26 if offered else 22) if len(text) < 3 else 15 if len(text) < 5 else 11
    yield TextLine(middle, y + (8 if len(text) < 3 else 5), text, letters, "cube_ink", bold=True)


_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _dice(dice: tuple[int, int], seat: Viewpoint) -> Iterator[Shape]:
    middle = seat.across((_LEFT if seat.flipped else _RIGHT_HALF) + _HALF // 2)
    for number, die in enumerate(dice):
        x = middle + (23 if number else -23)
        yield Box(x - _DIE / 2, _MIDDLE - _DIE / 2, _DIE, _DIE, "die", "line", corner=7)
        for across, down in _PIPS.get(die, ()):
            yield Disc(x + 10.5 * across, _MIDDLE + 10.5 * down, 3.7, "die_ink")


def _marks(marks: Mapping[int, str], seat: Viewpoint) -> Iterator[Shape]:
    for point, text in marks.items():
        x, below = seat.point(point)
        y = _BOTTOM - _TALL - 6 if below else _TOP + _TALL + 6
        yield Disc(x, y, 11, "halo", "best")
        yield TextLine(x, y + 5, _clean(text)[:2], 14, "best", bold=True)


# --- plays ----------------------------------------------------------------------------------

_Way = tuple[int, ...]
"""The points that a checker touches: where it starts, where it hits, and where it ends."""

_SIDE: Final = 18.0
"""How far the arrows of two checkers that go the same way lie from each other."""
_HEAD: Final = (15.0, 8.0)
"""Length and half the width of an arrow's head."""
_CURVE: Final = 12
"""Pieces of a bow."""
_DASHES: Final[Mapping[ColourName, tuple[float, ...]]] = {"best": (10, 5), "both": (1.5, 7)}


def _arrows(position: Drawn, played: Sequence[HopLike], best: Sequence[HopLike], seat: Viewpoint) -> Iterator[Shape]:
    """The arrows of two plays; what both share is drawn once. A play alone has full arrows, the best one too."""
    made, hit_by_made = _ways(position, played)
    right, hit_by_right = _ways(position, best)
    shared = Counter(made) & Counter(right)
    same = Counter(made) == Counter(right)
    # One play alone needs no dashes, whichever it is.
    one = same or not (made and right)
    inked: list[tuple[_Way, ColourName]] = [
        *((way, "best" if same else "both") for way in shared.elements()),
        *((way, "best") for way in (Counter(right) - shared).elements()),
        *((way, "played") for way in (Counter(made) - shared).elements()),
    ]
    together = Counter(way for way, _ in inked)
    drawn: list[tuple[_Way, ColourName]] = []
    for way, ink in inked:
        number = sum(before == way for before, _ in drawn)
        aside = (number - (together[way] - 1) / 2) * _SIDE
        # Checkers of the same play that end there already, those that came the same way last.
        ended = [before for before, other in drawn if other in (ink, "both") and before[-1] == way[-1]]
        beneath = sum(before != way for before in ended)
        yield from _arrow(position, way, seat, ink, (aside, beneath, len(ended)), () if one else _DASHES.get(ink, ()))
        drawn.append((way, ink))
    for point in sorted(hit_by_made | hit_by_right):
        x, y = seat.spot(point, 0, mine=True)
        in_both = point in hit_by_made and point in hit_by_right
        mark: ColourName = ("best" if same else "both") if in_both else "played" if point in hit_by_made else "best"
        for down in (-8, 8):
            yield Stroke(((x - 8, y - down), (x + 8, y + down)), "halo", 8)
        for down in (-8, 8):
            yield Stroke(((x - 8, y - down), (x + 8, y + down)), mark, 4)


def _ways(position: Drawn, hops: Sequence[HopLike]) -> tuple[list[_Way], set[int]]:
    """The way of each checker that is moved, and the points where one is hit."""
    mine, theirs = list(position.mine), list(position.theirs)
    ways: list[list[int]] = []
    hit: set[int] = set()
    for hop in hops:
        start, end = hop.start, hop.end
        if not (OFF < start <= BAR and OFF <= end < BAR) or not mine[start]:
            continue
        mine[start] -= 1
        mine[end] += 1
        if end > OFF and theirs[BAR - end] == 1:
            theirs[BAR - end] = 0
            hit.add(end)
        known = next((way for way in ways if way[-1] == start), None)
        if known is None:
            ways.append(known := [start])
        known.append(end)
    return [(way[0], *(at for at in way[1:-1] if at in hit), way[-1]) for way in ways], hit


def _arrow(
    position: Drawn,
    way: _Way,
    seat: Viewpoint,
    ink: ColourName,
    lies: tuple[float, int, int],
    dash: tuple[float, ...],
) -> Iterator[Shape]:
    """The arrow of a checker, a bow from each point of its way to the next, and a ring where it ends.

    ``lies`` tells how far it lies aside, and how many checkers of its play come to lie beneath its tip and its ring.
    """
    aside, beneath, under_ring = lies
    start = seat.spot(way[0], max(position.mine[way[0]] - 1, 0), mine=True)
    for number, (here, end) in enumerate(pairwise(way)):
        blot = end > OFF and position.theirs[BAR - end] == 1
        last = end == way[-1]
        there = (position.mine[end] if end > OFF and not blot else 0) + (beneath if last else 0)
        x, y = seat.spot(end, there, mine=True)
        inward = -1 if y > _MIDDLE else 1
        if end > OFF and (blot or there >= _SHOWN):
            y += inward * (_RADIUS + 3)
        x -= 16 if end == OFF else 0
        line, tip = _bow(start, (x, y), _apex(position, here, end, start, (x, y)), aside, 0 if number else _RADIUS - 3)
        if last and not blot and end > OFF and there - beneath + under_ring < _SHOWN:
            yield Disc(*seat.spot(end, there - beneath + under_ring, mine=True), _RADIUS - 2, None, ink, 1.5, 0.7)
        head = _head(line[-1], tip)
        yield Stroke(line, "halo", 8.5)
        yield Polygon(head, "halo", "halo")
        yield Stroke(line, ink, 4.5, dash)
        yield Polygon(head, ink, "halo")
        start = (x, y)


def _apex(position: Drawn, here: int, end: int, start: Point, to: Point) -> float | None:
    """How far from the rim the bow from a point to another of the same row comes; None where a straight line does."""
    if (start[1] > _MIDDLE) != (to[1] > _MIDDLE) or abs(to[0] - start[0]) <= 30 or here == BAR:
        return None
    passed = range(min(here, end) + 1, max(here, end))
    high = max((max(position.mine[point], position.theirs[BAR - point]) for point in passed), default=0)
    rim, inward = (_BOTTOM, -1) if to[1] > _MIDDLE else (_TOP, 1)
    # It clears the stacks that it passes, up to four high.
    return rim + inward * max(_STEP * min(high, 4) + 14, abs((start[1] + to[1]) / 2 - rim) + 24)


def _bow(start: Point, to: Point, apex: float | None, aside: float, gap: float) -> tuple[tuple[Point, ...], Point]:
    """The line of an arrow up to its head, and its tip: straight, or bowed through an apex."""
    (x0, y0), (x1, y1) = start, to
    middle = ((x0 + x1) / 2, (y0 + y1) / 2 if apex is None else 2 * apex - (y0 + y1) / 2)
    out, into, along = _unit(start, middle), _unit(middle, to), _unit(start, to)
    over = (-along[1] * aside, along[0] * aside)
    first = (x0 + out[0] * gap + over[0], y0 + out[1] * gap + over[1])
    bend = (middle[0] + over[0], middle[1] + over[1])
    tip = (x1 + over[0], y1 + over[1])
    neck = (tip[0] - _HEAD[0] * into[0], tip[1] - _HEAD[0] * into[1])
    if apex is None:
        return (first, neck), tip
    shares = [at / _CURVE for at in range(_CURVE + 1)]
    curve = tuple(
        (
            (1 - share) ** 2 * first[0] + 2 * share * (1 - share) * bend[0] + share**2 * neck[0],
            (1 - share) ** 2 * first[1] + 2 * share * (1 - share) * bend[1] + share**2 * neck[1],
        )
        for share in shares
    )
    return curve, tip


def _unit(start: Point, end: Point) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    length = hypot(x, y) or 1
    return x / length, y / length


def _head(neck: Point, tip: Point) -> tuple[Point, ...]:
    east, south = _unit(neck, tip)
    wide = _HEAD[1]
    return tip, (neck[0] - wide * south, neck[1] + wide * east), (neck[0] + wide * south, neck[1] - wide * east)


# --- words ----------------------------------------------------------------------------------

_NO_XML: Final = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(name: str) -> str:
    """A name on one line, with U+FFFD instead of characters that XML does not allow."""
    return " ".join(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", name).split())


def _captions(position: Drawn, state: StateLike | None, names: tuple[str, str], seat: Viewpoint) -> Iterator[Shape]:
    """Who sits where, with pips; the score; a wedge at the name of the player on roll."""
    for number in (1, 0):
        y = HEIGHT - 7 if seat.is_below(mine=number == 0) else 20
        name = names[number] if len(names[number]) <= _LONGEST_NAME else names[number][: _LONGEST_NAME - 1] + "…"
        yield Disc(_LEFT + 15, y - 5, 7, *seat.side(mine=number == 0)[:2])
        text = f"{isolated(name)}: {_pips(position.pips[number])}"
        yield TextLine(_LEFT + 28, y, text, 16, "on_frame", "start", bold=number == 0)
        if number == 0:
            yield Polygon(((_LEFT - 6, y - 12), (_LEFT - 6, y + 2), (_LEFT + 4, y - 5)), "on_frame")
        if state is not None:
            yield TextLine(WIDTH - 11, y, _points(state, number), 16, "on_frame", "end")


def _points(state: StateLike, number: int) -> str:
    """The score of a player: what they have and what they need."""
    score = state.score[number]
    if not state.length:
        return f"{score} (money)"
    crawford = ", Crawford" if state.crawford and number == 0 else ""
    return f"{score} of {state.length}, {max(state.length - score, 0)} away{crawford}"


def _title(mine: str, state: StateLike | None, dice: tuple[int, int] | None, *, done: str) -> str:
    if dice is not None:
        what = f"{mine} to play {dice[0]}{dice[1]}" if mine != "on roll" else f"{dice[0]}{dice[1]} to play"
    else:
        what = f"{mine} {done}" if done else mine if mine == "on roll" else f"{mine} on roll"
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
