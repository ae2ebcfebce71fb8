"""Boards as pictures: SVG that stands by itself.

The player on roll sits below, bears off to the lower right and moves towards his 1-point. A picture
has no style sheet, no identifiers and no links, so that many of them can stand in one page; it brings
its own background, so that a dark page does not swallow it.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from bgtools.drawing.subject import BAR, OFF
from bgtools.findings import with_article

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.drawing.subject import CubeLike, Drawn, State


class Svg(str):
    """The text of a picture, which notebooks show as one."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


# --- colours and sizes ----------------------------------------------------------------------

FRAME: Final = "#3b2a20"
FIELD: Final = "#e9dcc3"
DARK_POINT: Final = "#a3643c"
LIGHT_POINT: Final = "#cfb083"
ON_FRAME: Final = "#f6efe2"
"""Letters on the frame."""
MINE: Final = ("#fffdf7", "#1b1b1b")
THEIRS: Final = ("#243447", "#dfe6ee")
"""A player's checkers, and what is written on them and drawn round them: it parts them from the field and the bar."""
RIM: Final = "#1b1b1b"
DIE: Final = ("#ffffff", "#1b1b1b")

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


def draw_board(
    position: Drawn,
    state: State | None = None,
    *,
    dice: tuple[int, int] | None = None,
    names: tuple[str, str] = ("", ""),
    offered: bool = False,
) -> Svg:
    """Draw a board as the player on roll sees it: his checkers are the light ones.

    Args:
        position: the board.
        state: score and cube, seen by the player on roll; without it neither is drawn.
        dice: the roll.
        names: of the player on roll and of the other one.
        offered: whether he has doubled and waits for the answer.
    """
    mine, theirs = (_clean(names[0]) or "on roll", _clean(names[1]) or "opponent")
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    look = 'role="img" font-family="Helvetica, Arial, sans-serif" text-anchor="middle"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>',
        f"<title>{escape(_title(mine, state, dice, offered=offered))}</title>",
        f"<desc>{escape(_description(position, (mine, theirs)))}</desc>",
        _box(0, 0, WIDTH, HEIGHT, FRAME, corner=8),
        *_field(),
        *_checkers(position),
        *_tray(position.mine[OFF], MINE, below=True),
        *_tray(position.theirs[OFF], THEIRS, below=False),
        *_captions(position, state, (mine, theirs)),
    ]
    if state is not None and not state.crawford:
        parts += _cube(state.cube, offered=offered)
    if dice is not None:
        parts += _dice(dice)
    return Svg("".join([*parts, "</svg>"]))


# --- the board ------------------------------------------------------------------------------


def _field() -> Iterator[str]:
    for left in (_LEFT, _BAR_LEFT + _SIZE):
        yield _box(left, _TOP, _HALF, _INNER, FIELD)
    for left in (_EDGE // 2, _RIGHT + _EDGE // 2):
        for top in (_TOP, _MIDDLE + _GAP // 2):
            yield f'<rect x="{left}" y="{top}" width="{_TRAY}" height="{_SHOWN * _SIZE}" fill="#2c1f17" rx="3"/>'
    for point in range(1, 25):
        centre, below = _centre(point), point <= 12
        rim, tip = (_BOTTOM, _BOTTOM - _SHOWN * _SIZE + 8) if below else (_TOP, _TOP + _SHOWN * _SIZE - 8)
        colour = DARK_POINT if point % 2 else LIGHT_POINT
        corners = f"{centre - _SIZE // 2},{rim} {centre + _SIZE // 2},{rim} {centre},{tip}"
        yield f'<polygon points="{corners}" fill="{colour}"/>'
        yield _text(centre, _BOTTOM + 15 if below else _TOP - 5, str(point), 12)


def _centre(point: int) -> int:
    """The middle of a point, counted from the side of the player on roll."""
    column = 12 - point if point <= 12 else point - 13
    return _LEFT + _SIZE * column + _SIZE // 2 + (_SIZE if column >= 6 else 0)


def _checkers(position: Drawn) -> Iterator[str]:
    for point in range(1, 25):
        for count, colours in ((position.mine[point], MINE), (position.theirs[BAR - point], THEIRS)):
            if count:
                first = _BOTTOM - _SIZE // 2 if point <= 12 else _TOP + _SIZE // 2
                yield from _stack(_centre(point), first, -_SIZE if point <= 12 else _SIZE, count, colours)
    middle = _BAR_LEFT + _SIZE // 2
    # From the middle outwards, each on the side of its owner.
    yield from _stack(middle, _MIDDLE + _GAP // 2 + _SIZE // 2, _SIZE, position.mine[BAR], MINE)
    yield from _stack(middle, _MIDDLE - _GAP // 2 - _SIZE // 2, -_SIZE, position.theirs[BAR], THEIRS)


def _stack(x: int, first: int, step: int, count: int, colours: tuple[str, str]) -> Iterator[str]:
    fill, ink = colours
    shown = min(count, _SHOWN)
    for at in range(shown):
        y = first + at * step
        yield f'<circle cx="{x}" cy="{y}" r="{_SIZE // 2 - 1}" fill="{fill}" stroke="{ink}" stroke-width="1.5"/>'
        yield f'<circle cx="{x}" cy="{y}" r="{_SIZE // 2 - 6}" fill="none" stroke="{ink}" stroke-opacity="0.25"/>'
    if count > _SHOWN:
        yield _text(x, first + (shown - 1) * step + 6, str(count), 18, ink, bold=True)


def _tray(count: int, colours: tuple[str, str], *, below: bool) -> Iterator[str]:
    """Checkers that are off, seen from their edge."""
    if not count:
        return
    left, thick = _RIGHT + _EDGE // 2 + 4, 11
    for at in range(min(count, 15)):
        top = _BOTTOM - 3 - (at + 1) * thick if below else _TOP + 3 + at * thick
        yield (
            f'<rect x="{left}" y="{top}" width="{_TRAY - 8}" height="{thick - 2}" rx="2" '
            f'fill="{colours[0]}" stroke="{colours[1]}" stroke-width="0.75"/>'
        )
    end = _BOTTOM - 8 - min(count, 15) * thick if below else _TOP + 20 + min(count, 15) * thick
    yield _text(left + _TRAY // 2 - 4, end, str(count), 14, bold=True)


def _cube(cube: CubeLike, *, offered: bool) -> Iterator[str]:
    size = _TRAY - 8
    value = 2 * cube.value if offered else cube.value
    if offered:
        # On the other player's side of the board, where he has to take it up.
        x, y = _LEFT + _HALF // 2, _MIDDLE
    else:
        x = _EDGE // 2 + _TRAY // 2
        y = {"mine": _BOTTOM - size // 2 - 4, "theirs": _TOP + size // 2 + 4}.get(cube.owner, _MIDDLE)
    text = "64" if cube.value == 1 and cube.owner == "centre" and not offered else str(value)
    yield _box(x - size // 2, y - size // 2, size, size, DIE[0], corner=5, rim=RIM)
    yield _text(x, y + 6, text, 18 if len(text) < 3 else 13 if len(text) < 5 else 9, DIE[1], bold=True)


_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _dice(dice: tuple[int, int]) -> Iterator[str]:
    size = _GAP - 8
    for number, die in enumerate(dice):
        x = _BAR_LEFT + _SIZE + _HALF // 2 + (-size // 2 - 4 if number == 0 else size // 2 + 4)
        yield _box(x - size // 2, _MIDDLE - size // 2, size, size, DIE[0], corner=6, rim=RIM)
        for across, down in _PIPS.get(die, ()):
            yield f'<circle cx="{x + 9 * across}" cy="{_MIDDLE + 9 * down}" r="3" fill="{DIE[1]}"/>'


# --- words ----------------------------------------------------------------------------------

_NO_XML: Final = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_NAME: Final = 24


def _clean(name: str) -> str:
    """A name that XML has a place for."""
    return " ".join(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", name).split())


def _captions(position: Drawn, state: State | None, names: tuple[str, str]) -> Iterator[str]:
    """Who sits where, with pips; the score."""
    for number, y in ((1, 17), (0, HEIGHT - 9)):
        name = names[number] if len(names[number]) <= _LONGEST_NAME else names[number][: _LONGEST_NAME - 1] + "…"
        yield _text(_LEFT, y, f"{name}: {_pips(position.pips[number])}", 14, anchor="start", bold=number == 0)
        if state is not None:
            points = f"{state.score[number]}" + (f" of {state.length}" if state.length else " (money)")
            points += " Crawford" if state.crawford and state.length and number == 0 else ""
            yield _text(_RIGHT, y, points, 14, anchor="end")


def _title(mine: str, state: State | None, dice: tuple[int, int] | None, *, offered: bool) -> str:
    if dice is not None:
        what = f"{mine} to play {dice[0]}{dice[1]}" if mine != "on roll" else f"{dice[0]}{dice[1]} to play"
    else:
        what = f"{mine} has doubled" if offered else mine if mine == "on roll" else f"{mine} on roll"
    if state is None:
        return f"Backgammon position, {what}"
    score = f"{state.score[0]}-{state.score[1]}"
    where = f"{score} in {with_article(state.length)}-point match" if state.length else "money"
    owner = {"mine": "his own", "theirs": "the opponent's"}.get(state.cube.owner, "centred")
    cube = ", Crawford game" if state.crawford else f", cube {state.cube.value} {owner}"
    return f"Backgammon position, {what}, {where}{cube}"


def _description(position: Drawn, names: tuple[str, str]) -> str:
    """The board in words, each side counted from its owner's own."""
    sides = []
    for number, side in enumerate((position.mine, position.theirs)):
        places = [f"{side[BAR]} on the bar"] if side[BAR] else []
        places += [f"{side[point]} on {point}" for point in range(24, 0, -1) if side[point]]
        places += [f"{side[OFF]} off"] if side[OFF] else []
        sides.append(f"{names[number]}: {', '.join(places)}; {_pips(position.pips[number])}.")
    return " ".join(sides)


def _pips(count: int) -> str:
    return "1 pip" if count == 1 else f"{count} pips"


# --- pieces of SVG --------------------------------------------------------------------------


def _box(x: int, y: int, width: int, height: int, fill: str, *, corner: int = 0, rim: str = "") -> str:
    more = (f' rx="{corner}"' if corner else "") + (f' stroke="{rim}"' if rim else "")
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"{more}/>'


def _text(x: int, y: int, text: str, size: int, fill: str = ON_FRAME, *, anchor: str = "", bold: bool = False) -> str:
    more = (f' text-anchor="{anchor}"' if anchor else "") + (' font-weight="bold"' if bold else "")
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{more}>{escape(text)}</text>'
