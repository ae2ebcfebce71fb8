"""The colours of a board: four themes, and a person's own from a TOML file."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

ColourName = Literal[
    "frame", "on_frame", "line", "field", "dark_point", "light_point", "tray", "mine", "mine_ink", "theirs",
    "theirs_ink", "die", "die_ink", "cube", "cube_ink", "played", "best", "halo",
]  # fmt: skip
"""The name of a colour; `Theme` says what is painted with it."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a board, each ``#rrggbb``.

    Attributes:
        frame, on_frame: the frame with the bar, and what is written on it.
        line: round points, trays and dice.
        field, dark_point, light_point, tray: the board.
        mine, mine_ink: checkers of the player on roll; their rims and what is written on them.
        theirs, theirs_ink: those of the other player.
        die, die_ink, cube, cube_ink: dice and cube.
        played, best: arrows of the play that was made and of the best one.
        halo: a thin edge round arrows, which parts them from what they cross.
    """

    frame: str = "#3b2a20"
    on_frame: str = "#f6efe2"
    line: str = "#2c1f17"
    field: str = "#e9dcc3"
    dark_point: str = "#a3643c"
    light_point: str = "#cfb083"
    tray: str = "#2c1f17"
    mine: str = "#fffdf7"
    mine_ink: str = "#1b1b1b"
    theirs: str = "#243447"
    theirs_ink: str = "#dfe6ee"
    die: str = "#ffffff"
    die_ink: str = "#1b1b1b"
    cube: str = "#ffffff"
    cube_ink: str = "#1b1b1b"
    played: str = "#b3261e"
    best: str = "#0b6b3a"
    halo: str = "#ffffff"


class ThemeError(ValueError):
    """There is no such theme, or a file holds none. The message says why."""


LIGHT: Final = Theme()
THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {
        "light": LIGHT,
        "dark": Theme(
            frame="#15191e", on_frame="#e6e9ed", line="#0c0f12", field="#39424c", dark_point="#222930",
            light_point="#58636f", tray="#0c0f12", mine="#f2efe8", mine_ink="#16181b", theirs="#8c2f39",
            theirs_ink="#fff1f0", die="#f2efe8", die_ink="#16181b", cube="#f2efe8", cube_ink="#16181b",
            played="#ff8a80", best="#7ee2a8", halo="#101316",
        ),
        "print": Theme(
            frame="#ffffff", on_frame="#000000", line="#000000", field="#ffffff", dark_point="#b4b4b4",
            light_point="#ffffff", tray="#ffffff", mine="#ffffff", mine_ink="#000000", theirs="#000000",
            theirs_ink="#ffffff", die="#ffffff", die_ink="#000000", cube="#ffffff", cube_ink="#000000",
            played="#000000", best="#000000", halo="#ffffff",
        ),
        "contrast": Theme(
            frame="#000000", on_frame="#ffffff", line="#ffffff", field="#1a1a1a", dark_point="#0047b3",
            light_point="#737373", tray="#000000", mine="#ffffff", mine_ink="#000000", theirs="#000000",
            theirs_ink="#ffffff", die="#ffffff", die_ink="#000000", cube="#ffffff", cube_ink="#000000",
            played="#ff9d5c", best="#5cffb1", halo="#000000",
        ),
    }
)  # fmt: skip
"""The themes that have a name: for a light and a dark screen, for print in black and white, and with high contrast."""

_COLOUR: Final = re.compile("#[0-9a-fA-F]{6}")


def theme_from(values: Mapping[str, Any]) -> Theme:
    """A theme of one's own.

    Args:
        values: colours by the names that `Theme` has; ``base`` names the theme that gives all other colours, ``light``
            by default.

    Raises:
        ThemeError: a theme or a name that does not exist, or a value that is no colour.
    """
    colours = dict(values)
    base = colours.pop("base", "light")
    if base not in THEMES:
        raise ThemeError(f"no theme is called {base!r}; the themes are {', '.join(THEMES)}")
    known = {each.name for each in fields(Theme)}
    for name, colour in colours.items():
        if name not in known:
            raise ThemeError(f"a theme has no colour {name!r}; its colours are {', '.join(asdict(LIGHT))}")
        if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
            raise ThemeError(f'{name} is {colour!r}; a colour is written as "#1f5fa8"')
    return replace(THEMES[base], **colours)
