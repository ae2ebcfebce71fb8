"""Pictures of boards that ``show`` writes: how they look, and into which files they go."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from bgtools._disk import may_exist, read_regular, why
from bgtools.board.hopping import hops_of
from bgtools.cli import _common, _terminal
from bgtools.drawing.shapes import THEMES, ThemeError, theme_from
from bgtools.drawing.svg import svg
from bgtools.findings.finding import printable
from bgtools.positions.position import picture_of
from bgtools.reports.pictures import PICTURE_ENDINGS, write_pictures

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.drawing.board import Viewpoint
    from bgtools.drawing.shapes import ColourTheme, Picture
    from bgtools.positions.position import Position

_LARGEST: Final = 1 << 20
MOST: Final = 10_000
"""The widest picture that is drawn, in pixels."""


def theme_of(name: str) -> ColourTheme:
    """A theme by its name, or from a TOML file.

    Raises:
        typer.BadParameter: there is none.
    """
    if name in THEMES:
        return THEMES[name]
    path = Path(name)
    try:
        if not may_exist(path):
            names = ", ".join(THEMES)
            raise ThemeError(f"{printable(name)!r} is neither a theme nor a file; the themes are {names}")
        return theme_from(tomllib.loads(read_regular(path, _LARGEST).decode("utf-8")))
    except OSError as error:
        raise typer.BadParameter(f"{printable(name)}: cannot be read: {why(error)}", param_hint="--theme") from None
    except (ThemeError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise typer.BadParameter(printable(str(error)), param_hint="--theme") from None


@dataclass(slots=True)
class Pictures:
    """The pictures of one run, kept until all can be written.

    Attributes:
        output: where they go; None for standard output, as SVG.
        look: their colours.
        seat: from where they are seen.
        width: in pixels; None for the usual width.
        play, best: plays to draw instead of those that the record tells.
        caption: a line below each.
        force: write over files that are there.
    """

    output: Path | None
    look: ColourTheme
    seat: Viewpoint
    width: int | None = None
    play: str = ""
    best: str = ""
    caption: str = ""
    force: bool = False
    _drawn: list[Picture] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.output is not None and self.output.suffix.lower() not in PICTURE_ENDINGS:
            known = ", ".join(PICTURE_ENDINGS)
            raise typer.BadParameter(f"the name of a picture ends with one of {known}", param_hint="--output")

    def add(self, position: Position, played: str = "", best: str = "") -> None:
        """Draw a position with what was played there and what was best, where that is known."""
        dice = "".join(map(str, position.dice or ()))
        arrows = []
        for option, said, known in (("--play", self.play, played), ("--best", self.best, best)):
            hops = hops_of(said or known, position.board, dice)
            if said and not hops:
                raise typer.BadParameter(f"{printable(said)!r} moves no checker", param_hint=option)
            mine = list(position.board.mine)
            for hop in hops:
                if said and not mine[hop.start]:
                    where = "on the bar" if hop.start == 25 else f"on the {hop.start}-point"
                    raise typer.BadParameter(f"the player on roll has no checker {where}", param_hint=option)
                mine[hop.start] -= 1
                mine[hop.end] += 1
            arrows.append(hops)
        best_hops = [] if arrows[0] == arrows[1] else arrows[1]
        picture = picture_of(position, played=arrows[0], best=best_hops, seat=self.seat, caption=self.caption)
        self._drawn.append(picture)

    def add_drawn(self, pictures: Iterable[Picture]) -> None:
        """Add pictures of something else than a board."""
        self._drawn += pictures

    def write(self) -> None:
        """Write what was drawn: into one file, several SVG or PNG into numbered ones; or print it."""
        if self.output is None:
            for picture in self._drawn:
                _terminal.say(svg(picture, self.look, width=self.width))
            return
        with _common.exit_if_unwritable(self.output):
            files = write_pictures(self._drawn, self.output, theme=self.look, width=self.width, force=self.force)
        for path in files:
            _terminal.say(f"written to {printable(str(path))}")
        if self.output.suffix.lower() != ".svg":
            say_missing_letters()


def say_missing_letters() -> None:
    """Say which letters no font has, where a picture needed them."""
    from bgtools.reports.figures import missing_letters

    if text := missing_letters():
        _common.print_error(text)
