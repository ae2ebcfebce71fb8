"""Grids that ``show`` prints: a position at every score, or with the cube at every place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from bgtools.analysis.score_grid import ScoreGrid
    from bgtools.engines.protocol import Engine
    from bgtools.positions.position import Position


class GridRequest(NamedTuple):
    """Which grid is asked for.

    Attributes:
        cubes: of places of the cube, and not of scores.
        to: points away of the farthest scores.
    """

    cubes: bool
    to: int

    def of(self, position: Position, engine: Engine, made: str) -> ScoreGrid:
        """The grid of a position; ``made`` is what was done there, or empty.

        Raises:
            ValueError: there is nothing to decide on, or a score lies beyond the table.
        """
        from bgtools.analysis.score_grid import at_cubes, at_scores

        if self.cubes:
            return at_cubes(position, engine=engine, made=made)
        return at_scores(position, self.to, engine=engine, made=made)


def say_grid(grid: ScoreGrid) -> None:
    """Print a grid, in colours where the terminal has them."""
    from bgtools.reports.score_grids import coloured, heading, legend

    _terminal.say()
    _terminal.say_wrapped(heading(grid), "  ")
    console = _terminal.console()
    for line in coloured(grid, _terminal.width()):
        console.print(line, no_wrap=True, crop=False, overflow="ignore")
    for text in legend(grid):
        _terminal.say_wrapped(text, "    ")


def require_grid(*, scores: bool, cubes: bool, to: int | None) -> GridRequest | None:
    """The grid that the options ask for; None for none. Ends where they do not fit together."""
    from bgtools.analysis.score_grid import FARTHEST

    if scores and cubes:
        _common.fail("--scores and --cubes are two grids; give one of them")
    if to is not None and not scores:
        _common.fail("--to says how far the grid of --scores goes; give --scores with it")
    return GridRequest(cubes, to or FARTHEST) if scores or cubes else None
