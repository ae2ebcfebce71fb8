"""What a picture is made of: boxes, discs, polygons, strokes and words, each with the name of its colour.

A picture says nothing of a file format. `bgtools.drawing.svg` writes it as SVG, `bgtools.reports.pictures` as PNG and
PDF, and a `Theme` says what its colours are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from bgtools.drawing.themes import ColourName

Point = tuple[float, float]
"""Across from the left and down from the top, in units of a picture: a checker is 40 wide."""


class Box(NamedTuple):
    """An upright rectangle, ``x`` and ``y`` its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: ColourName
    rim: ColourName | None = None
    corner: float = 0
    thick: float = 1


class Disc(NamedTuple):
    """A circle round ``x`` and ``y``; without ``fill`` a ring. ``strength`` is that of the rim, 0 to 1."""

    x: float
    y: float
    radius: float
    fill: ColourName | None
    rim: ColourName | None = None
    thick: float = 1
    strength: float = 1


class Polygon(NamedTuple):
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: ColourName
    rim: ColourName | None = None


class Stroke(NamedTuple):
    """A line through points; ``dash`` holds the lengths of a dash and of a gap, none for a full line."""

    points: tuple[Point, ...]
    ink: ColourName
    thick: float
    dash: tuple[float, ...] = ()


class Words(NamedTuple):
    """A line of text; ``y`` is its base line."""

    x: float
    y: float
    text: str
    size: float
    ink: ColourName
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False


Shape = Box | Disc | Polygon | Stroke | Words


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes in the order in which they are painted.

    Attributes:
        width, height: in units.
        title: what it shows, in one line.
        description: the same for somebody who cannot see it.
        shapes: from the lowest to the uppermost.
    """

    width: int
    height: int
    title: str
    description: str
    shapes: tuple[Shape, ...]
