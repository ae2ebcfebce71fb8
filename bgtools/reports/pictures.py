"""Pictures of boards as files: SVG, PNG and PDF, by the ending of the name."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import is_taken, save
from bgtools.drawing.shapes import LIGHT, Box, Disc, Polygon, Stroke
from bgtools.drawing.svg import svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from bgtools.drawing.shapes import ColourName, ColourTheme, Picture, Shape

PICTURE_ENDINGS: Final = (".svg", ".png", ".pdf")
"""How the name of a picture may end."""

_UNIT: Final = 72
"""Units of a picture to an inch: one is a point of print."""


def write_pictures(
    pictures: Sequence[Picture],
    path: Path,
    *,
    theme: ColourTheme = LIGHT,
    width: int | None = None,
    force: bool = False,
) -> list[Path]:
    """Write pictures as the name of a file ends: as a PDF, several six to a page of A4, or each as an SVG or PNG.

    Args:
        pictures: what is drawn.
        path: ends with one of `PICTURE_ENDINGS`. Of several files the second is called ``NAME-2``, and so on.
        theme: the colours.
        width: in pixels, for a PDF in points; None for one pixel or point a unit of the picture, in a PNG two.
        force: write over files that are there.

    Returns:
        The files that were written.

    Raises:
        ValueError: another ending.
        FileExistsError: there is a file already, and ``force`` is not given; then nothing is written.
        OSError: the disk refuses.
    """
    ending = path.suffix.lower()
    if ending == ".pdf":
        contents = {path: _pdf(pictures, theme, width)}
    else:
        paths = [path, *(path.with_stem(f"{path.stem}-{number}") for number in range(2, len(pictures) + 1))]
        contents = {
            each: picture_bytes(picture, ending, theme=theme, width=width)
            for each, picture in zip(paths, pictures, strict=False)
        }
    for each in contents:
        if not force and is_taken(each):
            raise FileExistsError(f"{each} exists")
    for each, content in contents.items():
        save(content, each, force=force)
    return list(contents)


def picture_bytes(picture: Picture, ending: str, *, theme: ColourTheme = LIGHT, width: int | None = None) -> bytes:
    """The content of a file as `write_pictures` writes it.

    Raises:
        ValueError: another ending than one of `PICTURE_ENDINGS`.
    """
    if ending not in PICTURE_ENDINGS:
        raise ValueError(
            f"a picture ends with {', '.join(PICTURE_ENDINGS[:-1])} or {PICTURE_ENDINGS[-1]}, not with {ending!r}"
        )
    if ending == ".svg":
        return (svg(picture, theme, width=width) + "\n").encode()
    return _png(picture, theme, width) if ending == ".png" else _pdf([picture], theme, width)


def _png(picture: Picture, theme: ColourTheme, width: int | None) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from bgtools.reports.figures import printing

    content = BytesIO()
    dots = _UNIT * (2 if width is None else width / picture.width)
    with printing():
        canvas: Any = FigureCanvasAgg(figure_of(picture, theme, dots=dots))
        canvas.print_png(content, metadata={"Software": None})
    return content.getvalue()


def _pdf(pictures: Sequence[Picture], theme: ColourTheme, width: int | None) -> bytes:
    if len(pictures) > 1 and width is None:
        starts = range(0, len(pictures), BOARDS_ON_PAGE)
        return pages_bytes(board_page(pictures[at : at + BOARDS_ON_PAGE], theme)[0] for at in starts)
    return pages_bytes(
        figure_of(picture, theme, size=1 if width is None else width / picture.width) for picture in pictures
    )


_PAGE: Final = (8.27, 11.69)
"""A4, in inches."""
_ACROSS: Final = 2
BOARDS_ON_PAGE: Final = 6
_WIDE: Final = 0.375
"""Of a board, as a share of the page."""


def board_page(pictures: Sequence[Picture], theme: ColourTheme) -> tuple[Figure, list[tuple[float, float, float]]]:
    """A page of A4 with boards, and of each board its left edge, its top and its bottom as shares of the page.

    Args:
        pictures: at most `BOARDS_ON_PAGE`.
        theme: the colours.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=_PAGE)
    edges = []
    for number, picture in enumerate(pictures):
        height = _WIDE * _PAGE[0] * picture.height / picture.width / _PAGE[1]
        left, top = 0.08 + 0.465 * (number % _ACROSS), 0.95 - 0.315 * (number // _ACROSS)
        axes = figure.add_axes((left, top - height, _WIDE, height))
        draw_into(axes, picture, theme, size=_WIDE * _PAGE[0] * 72 / picture.width)
        edges.append((left, top, top - height))
    return figure, edges


def pages_bytes(figures: Iterable[Figure]) -> bytes:
    """Figures as the pages of a PDF, each made in the look of `printing`; the same figures give the same bytes."""
    from matplotlib.backends.backend_pdf import PdfPages

    from bgtools.reports.figures import printing

    content = BytesIO()
    with printing(), PdfPages(content, metadata={"CreationDate": None, "Producer": None, "Creator": None}) as pages:
        for figure in figures:
            pages.savefig(figure)
    return content.getvalue()


def figure_of(picture: Picture, theme: ColourTheme = LIGHT, *, dots: float = _UNIT, size: float = 1) -> Figure:
    """A picture as a figure of matplotlib.

    Args:
        picture: what is drawn.
        theme: its colours.
        dots: to an inch.
        size: how large a unit is, in points of print.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(picture.width * size / _UNIT, picture.height * size / _UNIT), dpi=dots)
    draw_into(figure.add_axes((0, 0, 1, 1)), picture, theme, size=size)
    return figure


def draw_into(axes: Any, picture: Picture, theme: ColourTheme = LIGHT, *, size: float = 1) -> None:
    """Draw a picture so that it fills axes of matplotlib; ``size`` is how many points of print a unit takes."""
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.axis("off")
    for order, shape in enumerate(picture.shapes):
        _add(axes, shape, theme, order, size)


def _add(axes: Any, shape: Shape, theme: ColourTheme, order: int, size: float) -> None:
    from matplotlib import patches

    from bgtools.reports.figures import legible

    def colour(name: ColourName | None) -> str:
        return "none" if name is None else getattr(theme, name)

    match shape:
        case Box(x, y, width, height, fill, rim, corner, thick):
            look: dict[str, Any] = {
                "facecolor": colour(fill),
                "edgecolor": colour(rim),
                "linewidth": thick * size,
                "zorder": order,
            }
            if corner:
                round_ = f"round,pad=0,rounding_size={corner}"
                axes.add_patch(patches.FancyBboxPatch((x, y), width, height, boxstyle=round_, **look))
            else:
                axes.add_patch(patches.Rectangle((x, y), width, height, **look))
        case Disc(x, y, radius, fill, rim, thick, strength):
            from matplotlib.colors import to_rgba

            edge = to_rgba(colour(rim), strength) if rim else "none"
            axes.add_patch(
                patches.Circle(
                    (x, y), radius, facecolor=colour(fill), edgecolor=edge, linewidth=thick * size, zorder=order
                )
            )
        case Polygon(points, fill, rim):
            axes.add_patch(
                patches.Polygon(
                    points, closed=True, facecolor=colour(fill), edgecolor=colour(rim), linewidth=size, zorder=order
                )
            )
        case Stroke(points, ink, thick, dash):
            # matplotlib gives dashes in widths of the line.
            pattern: Any = (0, tuple(part / thick for part in dash)) if dash else "-"
            across, down = zip(*points, strict=True)
            axes.plot(
                across, down, color=colour(ink), linewidth=thick * size, linestyle=pattern, zorder=order,
                solid_capstyle="round", dash_capstyle="round", solid_joinstyle="round", scalex=False, scaley=False,
            )  # fmt: skip
        case _:
            axes.text(
                shape.x, shape.y, legible(shape.text), color=colour(shape.ink), fontsize=shape.size * size,
                ha={"start": "left", "middle": "center", "end": "right"}[shape.anchor], va="baseline",
                fontweight="bold" if shape.bold else "normal", zorder=order, parse_math=False,
            )  # fmt: skip
