"""A grid of scores as lines of text, as words, as a picture and as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.errors import LEAST_SHOWN
from bgtools.analysis.score_grid import CLOSE, CRAWFORD, OTHER
from bgtools.drawing.shapes import Box, Picture, TextLine
from bgtools.findings.finding import printable
from bgtools.findings.quantities import LOST
from bgtools.reports.document import Bullets, Drawing, Paragraph
from bgtools.reports.values import plain, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.text import Text

    from bgtools.analysis.score_grid import GridCell, ScoreGrid
    from bgtools.drawing.shapes import ColourName, Shape
    from bgtools.reports.document import Block

_NOTHING: Final = "."
"""What stands where nothing is to be decided."""
_LETTERS: Final = "ABCDE"
_KINDS: Final[Mapping[str, int]] = {
    **{letter: at for at, letter in enumerate(_LETTERS)}, OTHER: 5, _NOTHING: 6,
    "DT": 0, "T": 0, "ND": 1, "DP": 2, "TG": 3, "P": 3, "NB": 4, "DB": 4, "B": 4, "R": 4,
}  # fmt: skip
"""Which of six colours a mark has; 6 is none."""
_TERMINAL: Final = (
    "black on green",
    "black on white",
    "black on cyan",
    "black on yellow",
    "white on magenta",
    "",
    "dim",
)
_FILLS: Final[tuple[tuple[ColourName, ColourName], ...]] = (
    ("best", "halo"), ("mine", "mine_ink"), ("theirs", "theirs_ink"), ("played", "halo"), ("both", "halo"),
    ("frame", "on_frame"), ("frame", "on_frame"),
)  # fmt: skip
"""The colours of a cell in a picture, and of its letters."""


def mark_of(grid: ScoreGrid, cell: GridCell) -> str:
    """What stands for the verdict in a cell."""
    return grid.marks.get(cell.best, _NOTHING)


def cell_text(grid: ScoreGrid, cell: GridCell, *, losses: bool = True) -> str:
    """A cell: the mark of its verdict, ``~`` where it is close, and what the choice that was made loses."""
    is_told = losses and cell.loss is not None and cell.loss >= LEAST_SHOWN
    lost = f" {LOST.text(cell.loss)}" if is_told else ""
    return f"{mark_of(grid, cell)}{'~' if cell.is_close else ''}{lost}"


def heading(grid: ScoreGrid) -> str:
    """What the rows and the columns of a grid are."""
    own, other = (printable(name) or usual for name, usual in zip(grid.position.names, _USUAL, strict=True))
    if grid.about == "cubes":
        return f"The value of the cube downwards; who owns it across, as {own} sees it"
    return f"Points that {own} needs downwards; those of {other} across; 1C is the Crawford game, 1 after it"


_USUAL: Final = ("the player on roll", "the other player")


def _lines(grid: ScoreGrid, width: int | None = None) -> Iterator[list[tuple[str, int | None]]]:
    """The lines of a grid as pieces of text, each with the number of its colour.

    Where a width is given and too small for the losses, they are left out.
    """
    first = max(map(len, ("money", *grid.rows))) + 2
    for losses in (True, False):
        wide = max(max(len(cell_text(grid, cell, losses=losses)) for cell in grid.every), *map(len, grid.columns))
        if width is None or first + (wide + 1) * len(grid.columns) <= width:
            break
    yield [(" " * first + " ".join(f"{name:<{wide}}" for name in grid.columns), None)]
    for row, cells in _rows(grid):
        line: list[tuple[str, int | None]] = [(f"{row:>{first - 2}}  ", None)]
        for cell in cells:
            text = "" if cell is None else cell_text(grid, cell, losses=losses)
            line += [(f"{text:<{wide}}", None if cell is None else _KINDS[mark_of(grid, cell)]), (" ", None)]
        yield line


def _rows(grid: ScoreGrid) -> Iterator[tuple[str, list[GridCell | None]]]:
    """The cells of each row with its name, that of money last."""
    for row in grid.rows:
        yield row, [grid.at(row, column) for column in grid.columns]
    if grid.money is not None:
        yield "money", [grid.money]


def grid_lines(grid: ScoreGrid, width: int | None = None) -> Iterator[str]:
    """A grid for a terminal without colours: what it is, its cells, and in words which verdict holds where."""
    yield heading(grid)
    for line in _lines(grid, width):
        yield "".join(text for text, _ in line).rstrip()
    yield from legend(grid)


def coloured(grid: ScoreGrid, width: int | None = None) -> Iterator[Text]:
    """The cells of a grid for a terminal, in colours."""
    from rich.text import Text

    for line in _lines(grid, width):
        text = Text.assemble(*((text, "" if kind is None else _TERMINAL[kind]) for text, kind in line))
        text.rstrip()
        yield text


def legend(grid: ScoreGrid) -> Iterator[str]:
    """Every verdict with its mark and where it holds, then what else is to be known."""
    for verdict in grid.verdicts:
        made = " (made)" if verdict.casefold() == grid.made.casefold() else ""
        yield f"{grid.marks[verdict]}  {printable(verdict)}{made}: {'; '.join(_where(grid, verdict))}"
    why = dict.fromkeys(cell.note for cell in grid.every if cell.note)
    if why:
        yield f"{_NOTHING}  nothing to decide: {', '.join(why)}"
    yield from _notes(grid)
    stamp = grid.stamp
    yield printable(", ".join(filter(None, (f"{stamp.engine} {stamp.version}".strip(), stamp.level, stamp.met))))


def _notes(grid: ScoreGrid) -> Iterator[str]:
    """What the signs and figures of the cells mean, and by which rules they are valued."""
    if any(cell.is_close for cell in grid.every):
        yield f"~  close: another choice loses less than {LOST.text(CLOSE)}"
    if any((cell.loss or 0.0) >= LEAST_SHOWN for cell in grid.every):
        yield f"The figures are what {printable(grid.made)} loses there, in EMG."
    yield from grid.notes


def _where(grid: ScoreGrid, verdict: str) -> Iterator[str]:
    """The cells of a verdict in words; rows in which it holds against the same scores stand together."""
    if all(cell.best == verdict for cell in grid.every if cell.best):
        yield "everywhere"
        return
    if grid.money is not None and grid.money.best == verdict:
        yield "money"
    if grid.about == "cubes":
        for column in grid.columns:
            held = [row for row in grid.rows if (cell := grid.at(row, column)) is not None and cell.best == verdict]
            if held:
                yield f"{column} at {_runs(grid.rows, held)}"
        return
    rows: dict[str, list[str]] = {}
    for row in grid.rows:
        cells = [cell for column in grid.columns if (cell := grid.at(row, column)) is not None and cell.best]
        held = [cell.column for cell in cells if cell.best == verdict]
        if held:
            against = "all" if len(held) == len(cells) else _runs(grid.columns, held)
            rows.setdefault(against, []).append(row)
    for against, names in rows.items():
        yield f"{_runs(grid.rows, names)} away against {against}"


def _runs(every: Sequence[str], names: Sequence[str]) -> str:
    """Some names of rows or columns, three and more neighbours as ``3 to 7``, the Crawford game last."""
    plain_names = [name for name in every if name != CRAWFORD]
    runs: list[list[str]] = []
    for before, name in zip((None, *plain_names), plain_names, strict=False):
        if name in names and before in names:
            runs[-1].append(name)
        elif name in names:
            runs.append([name])
    told = [f"{run[0]} to {run[-1]}" if len(run) > 2 and run[0].isdigit() else ", ".join(run) for run in runs]
    return ", ".join([*told, *["1 (Crawford)"] * (CRAWFORD in names)])


# --- pictures -------------------------------------------------------------------------------

_HIGH: Final = 34
_EDGE: Final = 16
_LABEL: Final = 66
_SIZE: Final = 15
_LETTER: Final = 0.62
"""How wide a letter is, as a share of its size: a little more than it is on average."""


def grid_picture(grid: ScoreGrid) -> Picture:
    """A grid as a picture: cells with the marks of their verdicts, and what the marks stand for below."""
    texts = max(len(cell_text(grid, cell)) for cell in grid.every)
    wide = max(_SIZE * _LETTER * max(texts, *map(len, grid.columns)) + 12, 46)
    keys: dict[str, str] = {}
    for verdict in grid.verdicts:
        mark, name = grid.marks[verdict], printable(verdict)
        # Several plays share a mark, and "No double" that of "No double, take".
        keys[mark] = name if mark not in keys else "another play" if mark == OTHER else name.partition(",")[0]
    notes = [*_notes(grid)]
    heads = heading(grid).split("; ")
    width = max(
        2 * _EDGE + _LABEL + wide * len(grid.columns),
        *(2 * _EDGE + _SIZE * _LETTER * len(text) * 0.87 for text in (*heads, *notes)),
    )
    rows = len(grid.rows) + (grid.money is not None)
    top = _EDGE + 20 * len(heads) + 40
    below = top + _HIGH * rows + _EDGE
    height = below + 26 * len(keys) + 20 * len(notes) + _EDGE
    shapes: list[Shape] = [Box(0, 0, width, height, "frame")]
    for number, head in enumerate(heads):
        shapes.append(TextLine(_EDGE, _EDGE + 14 + 20 * number, head, _SIZE * 0.87, "on_frame", "start"))
    for at, name in enumerate(grid.columns):
        shapes.append(TextLine(_EDGE + _LABEL + wide * (at + 0.5), top - 10, name, _SIZE, "on_frame", bold=True))
    for number, (row, cells) in enumerate(_rows(grid)):
        y = top + _HIGH * number
        shapes.append(TextLine(_EDGE + _LABEL - 12, y + 22, row, _SIZE, "on_frame", "end", bold=True))
        for at, cell in enumerate(cells):
            if cell is not None:
                shapes += _cell(_EDGE + _LABEL + wide * at, y, wide, mark_of(grid, cell), cell_text(grid, cell))
    for number, (mark, name) in enumerate(keys.items()):
        y = below + 26 * number
        shapes += _cell(_EDGE, y, 46, mark, mark, high=24)
        made = " (made)" if name.casefold() == grid.made.casefold() else ""
        shapes.append(TextLine(_EDGE + 56, y + 17, name + made, _SIZE, "on_frame", "start"))
    for number, note in enumerate(notes):
        y = below + 26 * len(keys) + 20 * number + 16
        shapes.append(TextLine(_EDGE, y, note, _SIZE * 0.87, "on_frame", "start"))
    words = ". ".join(legend(grid))
    about = "Verdicts at every score" if grid.about == "scores" else "Verdicts by the place of the cube"
    return Picture(round(width), round(height), about, f"{heading(grid)}. {words}", tuple(shapes))


def _cell(x: float, y: float, wide: float, mark: str, text: str, *, high: float = _HIGH) -> Iterator[Shape]:
    fill, ink = _FILLS[_KINDS[mark]]
    yield Box(x + 1, y + 1, wide - 2, high - 2, fill, "line", 4)
    yield TextLine(x + wide / 2, y + high / 2 + 5, text, _SIZE, ink, bold=True)


def grid_blocks(grid: ScoreGrid) -> list[Block]:
    """A grid for a document: the picture, and its words for whom it says nothing."""
    *words, stamp = legend(grid)
    return [Drawing(grid_picture(grid)), Bullets(words), Paragraph(stamp, "quiet")]


# --- values ---------------------------------------------------------------------------------


def grid_data(grid: ScoreGrid) -> dict[str, Any]:
    """A grid as plain values, equities to six digits."""
    return {
        **values_of(grid.stamp, "engine version level met"),
        "about": grid.about,
        "made": grid.made or None,
        "notes": list(grid.notes),
        "cells": [plain({"row": cell.row, "column": cell.column, **asdict(cell.as_row)}, 6) for cell in grid.every],
    }


def page_grid(grid: ScoreGrid) -> dict[str, Any]:
    """A grid for a page: its heading, its columns, rows of cells with the number of their colour, and its words."""
    return {
        "heading": heading(grid),
        "columns": list(grid.columns),
        "rows": [
            [name, *([cell_text(grid, cell), _KINDS[mark_of(grid, cell)]] if cell else None for cell in cells)]
            for name, cells in _rows(grid)
        ],
        "words": [*legend(grid)],
    }
