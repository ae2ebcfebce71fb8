"""What a picture is made of, what can be drawn, and the themes that give it colours.

What a picture is made of: boxes, discs, polygons, strokes and words, each with the name of its colour.

A picture says nothing of a file format. `bgtools.drawing.svg` writes it as SVG, `bgtools.reports.pictures` as PNG and
PDF, and a `ColourTheme` says what its colours are.

What can be drawn is a protocol, so that drawing imports neither boards nor rules.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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


class TextLine(NamedTuple):
    """A line of text; ``y`` is its base line."""

    x: float
    y: float
    text: str
    size: float
    ink: ColourName
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False


Shape = Box | Disc | Polygon | Stroke | TextLine


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


OFF: Final = 0
"""Index of the checkers borne off."""
BAR: Final = 25
"""Index of the checkers on the bar."""


class Drawn(Protocol):
    """A board, as `bgtools.board.board.Board` is one."""

    @property
    def mine(self) -> Sequence[int]:
        """26 counts of the player on roll: off, points 1 to 24, bar."""
        ...

    @property
    def theirs(self) -> Sequence[int]:
        """Likewise for the other player, counted from their side."""
        ...

    @property
    def pips(self) -> tuple[int, int]:
        """Pip counts of both."""
        ...


class CubeLike(Protocol):
    """A doubling cube."""

    @property
    def value(self) -> int:
        """What it shows."""
        ...

    @property
    def owner(self) -> str:
        """``centre``, ``mine`` or ``theirs``."""
        ...


class StateLike(Protocol):
    """Score and cube, as `bgtools.rules.cube.MatchState` holds them."""

    @property
    def length(self) -> int:
        """Points to win the match; 0 for money."""
        ...

    @property
    def score(self) -> tuple[int, int]:
        """Points of the player on roll and of the other."""
        ...

    @property
    def crawford(self) -> bool:
        """Whether this is the Crawford game."""
        ...

    @property
    def cube(self) -> CubeLike:
        """The doubling cube."""
        ...


class HopLike(Protocol):
    """A checker of the player on roll, moved by one die, as `bgtools.board.play.Hop` is one."""

    @property
    def start(self) -> int:
        """The point that it leaves; `BAR` for the bar."""
        ...

    @property
    def end(self) -> int:
        """The point where it lands; `OFF` when it is borne off."""
        ...


ColourName = Literal[
    "frame", "on_frame", "line", "field", "dark_point", "light_point", "tray", "mine", "mine_rim", "mine_ink", "theirs",
    "theirs_rim", "theirs_ink", "die", "die_ink", "cube", "cube_ink", "played", "best", "both", "halo",
]  # fmt: skip
"""The name of a colour; `ColourTheme` says what is painted with it."""


@dataclass(frozen=True, slots=True)
class ColourTheme:
    """The colours of a board, each ``#rrggbb``.

    Attributes:
        frame, on_frame: the frame with the bar, and what is written on it.
        line: round points, trays and dice.
        field, dark_point, light_point, tray: the board.
        mine, mine_rim, mine_ink: checkers of the player on roll, their rims, and what is written on them.
        theirs, theirs_rim, theirs_ink: those of the other player.
        die, die_ink, cube, cube_ink: dice and cube.
        played, best, both: arrows of the play that was made, of the best one, and of what both share.
        halo: a thin edge round arrows, which parts them from what they cross.
    """

    frame: str = "#33271f"
    on_frame: str = "#f3e9d8"
    line: str = "#33271f"
    field: str = "#e7dac1"
    dark_point: str = "#a96f48"
    light_point: str = "#cbb38d"
    tray: str = "#231a14"
    mine: str = "#fdfaf2"
    mine_rim: str = "#62553f"
    mine_ink: str = "#1b1b1b"
    theirs: str = "#243447"
    theirs_rim: str = "#b7c3d0"
    theirs_ink: str = "#ffffff"
    die: str = "#ffffff"
    die_ink: str = "#1b1b1b"
    cube: str = "#ffffff"
    cube_ink: str = "#1b1b1b"
    played: str = "#b3261e"
    best: str = "#0a6636"
    both: str = "#2d2a26"
    halo: str = "#fffaf0"


class ThemeError(ValueError):
    """There is no such theme, or a file holds none. The message says why."""


LIGHT: Final = ColourTheme()
THEMES: Final[Mapping[str, ColourTheme]] = MappingProxyType(
    {
        "light": LIGHT,
        "dark": ColourTheme(
            frame="#0d1013", on_frame="#d7dbe0", line="#0d1013", field="#343c45", dark_point="#20262c",
            light_point="#4e5965", tray="#1b2128", mine="#f2eee4", mine_rim="#8a8374", mine_ink="#1b1b1b",
            theirs="#8c2f39", theirs_rim="#eab3b7", theirs_ink="#ffffff", die="#f6f2e8", die_ink="#1b1b1b",
            cube="#f6f2e8", cube_ink="#1b1b1b", played="#ff8f85", best="#7ee2a8", both="#e9e6df", halo="#14171b",
        ),
        "print": ColourTheme(
            frame="#ffffff", on_frame="#000000", line="#000000", field="#ffffff", dark_point="#bdbdbd",
            light_point="#ffffff", tray="#ffffff", mine="#ffffff", mine_rim="#000000", mine_ink="#000000",
            theirs="#000000", theirs_rim="#000000", theirs_ink="#ffffff", die="#ffffff", die_ink="#000000",
            cube="#ffffff", cube_ink="#000000", played="#000000", best="#000000", both="#5c5c5c", halo="#ffffff",
        ),
        "contrast": ColourTheme(
            frame="#000000", on_frame="#ffffff", line="#ffffff", field="#1a1a1a", dark_point="#0047b3",
            light_point="#737373", tray="#000000", mine="#ffffff", mine_rim="#000000", mine_ink="#000000",
            theirs="#000000", theirs_rim="#ffffff", theirs_ink="#ffffff", die="#ffffff", die_ink="#000000",
            cube="#ffffff", cube_ink="#000000", played="#ff9d5c", best="#5cffb1", both="#ffffff", halo="#000000",
        ),
    }
)  # fmt: skip
"""The themes that have a name: for a light and a dark screen, for print in black and white, and with high contrast."""

_COLOUR: Final = re.compile("#[0-9a-fA-F]{6}")


def theme_from(values: Mapping[str, Any]) -> ColourTheme:
    """A theme of one's own.

    Args:
        values: colours by the names that `ColourTheme` has; ``base`` names the theme that gives all other colours,
            ``light`` by default.

    Raises:
        ThemeError: a theme or a name that does not exist, or a value that is not a colour.
    """
    colours = dict(values)
    base = colours.pop("base", "light")
    if base not in THEMES:
        raise ThemeError(f"no theme is called {base!r}; the themes are {', '.join(THEMES)}")
    known = {each.name for each in fields(ColourTheme)}
    for name, colour in colours.items():
        if name not in known:
            raise ThemeError(f"a theme has no colour {name!r}; its colours are {', '.join(asdict(LIGHT))}")
        if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
            raise ThemeError(f'{name} is {colour!r}; a colour is written as "#1f5fa8"')
    return replace(THEMES[base], **colours)
