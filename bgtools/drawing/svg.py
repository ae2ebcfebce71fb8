"""Pictures as SVG that stands by itself.

It has no style sheet, no identifiers and no links, so that many of them can stand in one page; it brings its own
background, so that a dark page does not swallow it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bgtools.drawing.board import board_picture
from bgtools.drawing.shapes import Box, Disc, Polygon, Stroke
from bgtools.drawing.themes import LIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.drawing.protocols import Drawn, HopLike, State
    from bgtools.drawing.shapes import Picture, Point, Shape
    from bgtools.drawing.themes import ColourName, Theme


class Svg(str):
    """The text of a picture; notebooks show the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw_board(
    position: Drawn,
    state: State | None = None,
    *,
    dice: tuple[int, int] | None = None,
    names: tuple[str, str] = ("", ""),
    offered: bool = False,
    played: Sequence[HopLike] = (),
    best: Sequence[HopLike] = (),
) -> Svg:
    """A board as the player on roll sees it, as SVG; `board_picture` says what the arguments mean."""
    return svg(board_picture(position, state, dice=dice, names=names, offered=offered, played=played, best=best))


def svg(picture: Picture, theme: Theme = LIGHT, *, width: float | None = None) -> Svg:
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


def elements(shapes: Iterable[Shape], theme: Theme) -> str:
    """Shapes as elements of SVG, without the ``svg`` element round them."""
    return "".join(_element(shape, theme) for shape in shapes)


def _element(shape: Shape, theme: Theme) -> str:
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


def _painted(fill: ColourName | None, rim: ColourName | None, theme: Theme, thick: float = 1) -> str:
    """The attributes for what a shape is filled with and what goes round it."""
    inside = f' fill="{_colour(fill, theme)}"' if fill else ' fill="none"'
    width = f' stroke-width="{_number(thick)}"' if thick != 1 else ""
    return inside + (f' stroke="{_colour(rim, theme)}"{width}' if rim else "")


def _colour(name: ColourName, theme: Theme) -> str:
    colour: str = getattr(theme, name)
    return colour


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """A number with two decimals at most."""
    return f"{round(value, 2):g}" if value != int(value) else str(int(value))
