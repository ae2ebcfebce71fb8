"""Pictures as SVG, and boards drawn with letters for the terminal.

Pictures as SVG that stands by itself.

It has no style sheet, no identifiers and no links, so that many of them can stand in one page; it brings its own
background, so that a dark page does not swallow it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from bgtools.drawing.board import board_picture
from bgtools.drawing.shapes import BAR, LIGHT, OFF, Box, Disc, Polygon, Stroke
from bgtools.findings.finding import with_article

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.drawing.shapes import ColourName, ColourTheme, Drawn, HopLike, Picture, Point, Shape, StateLike


class Svg(str):
    """The text of a picture; notebooks show the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw_board(
    position: Drawn,
    state: StateLike | None = None,
    *,
    dice: tuple[int, int] | None = None,
    names: tuple[str, str] = ("", ""),
    offered: bool = False,
    played: Sequence[HopLike] = (),
    best: Sequence[HopLike] = (),
) -> Svg:
    """A board as the player on roll sees it, as SVG; `board_picture` says what the arguments mean."""
    return svg(board_picture(position, state, dice=dice, names=names, offered=offered, played=played, best=best))


def svg(picture: Picture, theme: ColourTheme = LIGHT, *, width: float | None = None) -> Svg:
    """A picture as SVG.

    Args:
        picture: what is drawn.
        theme: its colours.
        width: in pixels; None for one pixel a unit.
    """
    wide = picture.width if width is None else width
    high = picture.height * wide / picture.width
    size = f'viewBox="0 0 {picture.width} {picture.height}" width="{_number(wide)}" height="{_number(high)}"'
    look = 'role="img" font-family="Helvetica, Arial, sans-serif" text-anchor="middle"'
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>'
        f"<title>{escape(picture.title)}</title><desc>{escape(picture.description)}</desc>"
        f"{elements(picture.shapes, theme)}</svg>"
    )


def elements(shapes: Iterable[Shape], theme: ColourTheme) -> str:
    """Shapes as elements of SVG, without the ``svg`` element round them."""
    return "".join(_element(shape, theme) for shape in shapes)


def _element(shape: Shape, theme: ColourTheme) -> str:
    match shape:
        case Box(x, y, width, height, fill, rim, corner, thick):
            round_ = f' rx="{_number(corner)}"' if corner else ""
            place = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
            return f"<rect {place}{_painted(fill, rim, theme, thick)}{round_}/>"
        case Disc(x, y, radius, fill, rim, thick, strength):
            faint = f' stroke-opacity="{_number(strength)}"' if strength < 1 else ""
            place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
            return f"<circle {place}{_painted(fill, rim, theme, thick)}{faint}/>"
        case Polygon(points, fill, rim):
            return f'<polygon points="{_points(points)}"{_painted(fill, rim, theme)}/>'
        case Stroke(points, ink, thick, dash):
            dashes = f' stroke-dasharray="{" ".join(map(_number, dash))}"' if dash else ""
            ends = 'stroke-linecap="round" stroke-linejoin="round"'
            return (
                f'<polyline points="{_points(points)}" fill="none" stroke="{_colour(ink, theme)}" '
                f'stroke-width="{_number(thick)}" {ends}{dashes}/>'
            )
        case _:
            anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "middle" else ""
            bold = ' font-weight="bold"' if shape.bold else ""
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}" font-size="{_number(shape.size)}"'
            return f'<text {place} fill="{_colour(shape.ink, theme)}"{anchor}{bold}>{escape(shape.text)}</text>'


def _painted(fill: ColourName | None, rim: ColourName | None, theme: ColourTheme, thick: float = 1) -> str:
    """The attributes for what a shape is filled with and what goes round it."""
    inside = f' fill="{_colour(fill, theme)}"' if fill else ' fill="none"'
    width = f' stroke-width="{_number(thick)}"' if thick != 1 else ""
    return inside + (f' stroke="{_colour(rim, theme)}"{width}' if rim else "")


def _colour(name: ColourName, theme: ColourTheme) -> str:
    colour: str = getattr(theme, name)
    return colour


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """A number with two decimals at most."""
    return f"{round(value, 2):g}" if value != int(value) else str(int(value))


_ROWS: Final = 5
_MINE, _THEIRS = "X", "O"
_UPPER = (range(13, 19), range(19, 25))
_LOWER = (range(12, 6, -1), range(6, 0, -1))


def draw(
    position: Drawn,
    state: StateLike | None = None,
    *,
    names: tuple[str, str] = ("on roll", "opponent"),
    dice: tuple[int, int] | None = None,
    offered: bool = False,
    answering: bool = False,
    crawford_note: bool = True,
    width: int | None = None,
) -> str:
    """A board as the player on roll sees it: they are X, bear off to the lower right and move towards 1.

    Args:
        position: the board.
        state: score and cube, seen by the player on roll; without it neither is shown.
        names: of the player on roll and of the other one.
        dice: the roll to print beside the board.
        offered: whether they have doubled and wait for the answer.
        answering: whether the other player has doubled, and the board is seen by the one who answers.
        crawford_note: whether to name the Crawford game.
        width: columns that there are. Where a note has no room beside the board, all notes stand below it. None for any
            number.
    """
    pips = position.pips
    done = "has doubled" if offered else "is doubled" if answering else "on roll"
    beside = {
        0: f"{_THEIRS}  {names[1]}, {pips[1]} pips",
        8: f"rolled {dice[0]}{dice[1]}" if dice else done,
        10: f"{_MINE}  {names[0]}, {pips[0]} pips",
    }
    if state is not None:
        away = "money"
        if state.length:
            away = f"{state.score[0]}-{state.score[1]} in {with_article(state.length)}-point match"
        if state.crawford and crawford_note:
            away += ", Crawford game"
        cube = {"centre": "centred", "mine": f"{names[0]}'s", "theirs": f"{names[1]}'s"}[state.cube.owner]
        beside |= {3: f"cube {state.cube.value}, {cube}", 5: away}
    lines = [" +13-14-15-16-17-18------19-20-21-22-23-24-+"]
    lines += [_row(position, _UPPER, row) for row in range(_ROWS)]
    lines.append(" |                  |BAR|                  |")
    lines += [_row(position, _LOWER, row) for row in reversed(range(_ROWS))]
    lines.append(" +12-11-10--9--8--7-------6--5--4--3--2--1-+")
    if off_theirs := position.theirs[OFF]:
        beside[1] = f"{off_theirs} off"
    if off_mine := position.mine[OFF]:
        beside[9] = f"{off_mine} off"
    if width is not None and any(len(lines[row + 1]) + 3 + len(note) > width for row, note in beside.items()):
        below = [beside.pop(row) for row in sorted(beside)]
        return "\n".join([*lines, *(f" {note}" for note in below)])
    for row, note in beside.items():
        lines[row + 1] += f"   {note}"
    return "\n".join(lines)


def _row(position: Drawn, halves: tuple[range, range], row: int) -> str:
    """One row of a half of the board; row 0 is the one at the rim."""
    upper = halves is _UPPER
    cells = ["".join(_cell(*_holder(position, point), row) for point in half) for half in halves]
    # The checkers on the bar stand in the middle: the player's own below, the other's above.
    count = position.theirs[BAR] if upper else position.mine[BAR]
    bar = _cell(count, _THEIRS if upper else _MINE, row)
    return f" |{cells[0]}|{bar}|{cells[1]}|"


def _holder(position: Drawn, point: int) -> tuple[int, str]:
    if position.mine[point]:
        return position.mine[point], _MINE
    return position.theirs[BAR - point], _THEIRS


def _cell(count: int, letter: str, row: int) -> str:
    if count <= row:
        return "   "
    if row == _ROWS - 1 and count > _ROWS:
        return f"{count:^3}"
    return f" {letter} "
