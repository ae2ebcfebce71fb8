"""Figures of a report: pip counts, cumulative luck, cumulative errors, the chance to win."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator
from PIL import Image

from bgtools.findings.finding import isolated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from matplotlib.axes import Axes

    from bgtools.reports.curves import ChanceCurve, CumulativeCurve, Label

# Those of the checkers on every page, the light ones darker for paper: one is light and one is dark to every eye.
COLOURS: Final = ("#b08d57", "#243447")
_LINES: Final[tuple[dict[str, Any], dict[str, Any]]] = (
    {"color": COLOURS[0], "linestyle": "-"},
    {"color": COLOURS[1], "linestyle": (0, (5, 1.2))},
)
"""How the lines of both players look; in print without colours the dashes tell which is the second."""
_INK, _QUIET, _GRID = "#222222", "#6b6b6b", "#dddddd"
_DPI: Final = 130
_COMPRESSION: Final = 3
"""Of PNG, 0 to 9. More takes half as long again for files a tenth smaller."""
# A picture of more games than this is no longer read by anybody.
_MOST_PANELS: Final = 72
# In inches; title and names stand side by side.
_NARROWEST: Final = 7.8
_LINE_SHARE: Final = 0.002
"""The least distance between two lines, as a share of the width; closer ones would look like one."""
_LEAST_SPAN: Final = 0.1
"""The least range of values of a wide panel. An engine knows nothing finer, and labels keep few digits."""
_TITLE_INCHES: Final = 0.088
"""From the top of a figure to its title."""
_HEADING_INCHES: Final = 0.24
"""What the line below the title takes."""
_ROOM: Final = 0.16
"""The most room that the label of a jump takes, as a share of the turns of the match."""
_LONGEST_HEADING: Final = 200


@dataclass(frozen=True, slots=True)
class PipPanel:
    """Pip counts over one game.

    Attributes:
        title: heading of the panel.
        pips: one pair ``(player 0, player 1)`` a turn, beginning with the start position.
    """

    title: str
    pips: tuple[tuple[int, int], ...]


def draw_pips(panels: Sequence[PipPanel], names: tuple[str, str], path: Path | BinaryIO, heading: str = "") -> None:
    """Both pip counts over each game, a panel per game, all on one scale; at most 72 games.

    ``heading`` says which match it is.
    """
    with printing():
        left_out = len(panels) - _MOST_PANELS
        panels = panels[:_MOST_PANELS]
        columns = min(len(panels), 3 if len(panels) <= 9 else 4 if len(panels) <= 24 else 6) or 1
        rows = max(ceil(len(panels) / columns), 1)
        more = _HEADING_INCHES if heading else 0
        size = max(3.6 * columns + 0.6, _NARROWEST), 2.2 * rows + 0.9 + more
        figure = _figure(*size)
        top = max((max(pair) for panel in panels for pair in panel.pips), default=167)
        axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
        for index, axis in enumerate(axes.flat):
            if index >= len(panels):
                axis.set_visible(False)
                continue
            panel = panels[index]
            for player in (0, 1):
                counts = [pair[player] for pair in panel.pips]
                axis.plot(range(len(counts)), counts, linewidth=1.5, **_LINES[player])
            axis.set_title(panel.title, fontsize=9, color=_INK, loc="left", y=1.0)
            axis.set_ylim(0, top * 1.05)
            axis.set_xlim(0, max(len(panel.pips) - 1, 1))
            axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
            if index % columns == 0:
                axis.set_ylabel("pips")
            if index + columns >= len(panels):
                axis.set_xlabel("roll")
        _legend(figure, names)
        _title(figure, "Pip counts" if left_out <= 0 else f"Pip counts of the first {_MOST_PANELS} games")
        if heading:
            _heading(figure, heading)
        _place_panels(figure, rows, columns, more)
        _save(figure, path)


def _place_panels(figure: Figure, rows: int, columns: int, more: float) -> None:
    """Place the panels of pip counts, whose labels never have more than three digits; with ``more`` inches above.

    `Figure.tight_layout` would measure every label, which takes as long as drawing them.
    """
    width, height = figure.get_size_inches()
    left, right, below, above = 0.62, 0.14, 0.5, 0.62 + more
    across, down = 0.22, 0.54
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        bottom=below / height,
        top=1 - above / height,
        # matplotlib takes the gaps as shares of a panel.
        wspace=across / ((width - left - right - across * (columns - 1)) / columns),
        hspace=down / ((height - below - above - down * (rows - 1)) / rows),
    )


def draw_luck(series: CumulativeCurve, names: tuple[str, str], path: Path, *, unit: str, heading: str = "") -> None:
    """The cumulative luck of both players over the match; ``heading`` says which match it is."""
    _draw_cumulative(series, names, path, title="Cumulative luck", unit=unit, heading=heading, baseline=True)


def draw_errors(series: CumulativeCurve, names: tuple[str, str], path: Path, *, unit: str, heading: str = "") -> None:
    """The equity that both players have given away, over the match; ``heading`` says which match it is."""
    title = "Equity given away by errors"
    _draw_cumulative(series, names, path, title=title, unit=unit, heading=heading, baseline=False)


def draw_chances(course: ChanceCurve, names: tuple[str, str], path: Path, *, heading: str = "") -> None:
    """The match winning chance of player 0 over the match, each half in the colour of whom it favours."""
    with printing():
        figure, axis = _wide(heading)
        values = [100 * value for value in course.values]
        turns = range(len(values))
        axis.plot(turns, values, color=_INK, linewidth=1.3, drawstyle="steps-post")
        for player, above in ((0, True), (1, False)):
            lead = [value >= 50 if above else value <= 50 for value in values]
            axis.fill_between(
                turns, values, 50, where=lead, step="post", color=COLOURS[player], alpha=0.35, linewidth=0,
                hatch=None if above else "////", facecolor=COLOURS[player], edgecolor=_QUIET,
            )  # fmt: skip
        axis.axhline(50, color=_QUIET, linewidth=0.8)
        axis.set_ylim(0, 100)
        _finish(figure, axis, course, len(values), "Match winning chance", f"% of {_drawable(names[0], 1)}", heading)
        patches = [
            mpl.patches.Patch(facecolor=COLOURS[player], alpha=0.5, hatch="////" if player else None, edgecolor=_QUIET)
            for player in (0, 1)
        ]
        _label_jumps(axis, course.labels, lambda label: values[label.turn + 1], len(values))
        _legend(figure, names, patches)
        _save(figure, path)


def _draw_cumulative(
    series: CumulativeCurve, names: tuple[str, str], path: Path, *, title: str, unit: str, heading: str, baseline: bool
) -> None:
    with printing():
        figure, axis = _wide(heading)
        length = max(len(series.values[0]), 1) + 1
        for player in (0, 1):
            values = (0.0, *series.values[player])
            axis.plot(range(len(values)), values, linewidth=1.7, drawstyle="steps-post", **_LINES[player])
        if baseline:
            axis.axhline(0, color=_QUIET, linewidth=0.8)
        else:
            axis.set_ylim(bottom=0)
        axis.margins(y=0.1)
        low, high = axis.get_ylim()
        if high - low < _LEAST_SPAN:
            axis.set_ylim(low if low == 0 else min(low, -_LEAST_SPAN / 2), max(high, _LEAST_SPAN / 2))
        _finish(figure, axis, series, length, title, unit, heading)
        _label_jumps(axis, series.labels, lambda label: series.values[label.player][label.turn], length)
        _legend(figure, names)
        _save(figure, path)


def _figure(width: float, height: float) -> Figure:
    """An empty figure, so many inches large."""
    figure = Figure(figsize=(width, height), dpi=_DPI)
    FigureCanvasAgg(figure)  # now, or matplotlib would begin to draw it whenever a text is measured
    return figure


def _wide(heading: str) -> tuple[Figure, Axes]:
    """A figure with one wide panel, higher by a line where there is a heading."""
    figure = _figure(9.6, 4.4 + (_HEADING_INCHES if heading else 0))
    return figure, figure.subplots()


def _finish(
    figure: Figure, axis: Axes, course: CumulativeCurve | ChanceCurve, length: int, title: str, unit: str, heading: str
) -> None:
    """What stands round a wide panel."""
    axis.set_xlim(0, length)
    axis.set_xlabel("turn of the match")
    axis.set_ylabel(unit)
    axis.xaxis.grid(visible=False)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    _mark_games(axis, course.games, length)
    _title(figure, title)
    if heading:
        _heading(figure, heading)
    _place_wide(figure, _HEADING_INCHES if heading else 0)


def _place_wide(figure: Figure, more: float) -> None:
    """Place a wide panel, the labels of whose values have few digits; with ``more`` inches above."""
    width, height = figure.get_size_inches()
    left, right, below, above = 0.78, 0.17, 0.54, 0.54 + more
    figure.subplots_adjust(left=left / width, right=1 - right / width, bottom=below / height, top=1 - above / height)


def _heading(figure: Figure, heading: str) -> None:
    """Write below the title which match it is, cut to the width of the figure."""
    line = 1 - (_TITLE_INCHES + _HEADING_INCHES) / figure.get_figheight()
    said = figure.text(0.01, line, legible(heading[:_LONGEST_HEADING]), ha="left", va="top", fontsize=9, color=_QUIET)
    while said.get_window_extent().x1 > figure.bbox.x1:
        said.set_text(said.get_text()[:-2].rstrip() + "…")


def _label_jumps(axis: Axes, labels: Sequence[Label], height: Callable[[Label], float], length: int) -> None:
    """Label great jumps: above a curve that rises there, below one that falls, and inside the panel."""
    low, high = axis.get_ylim()
    for label in labels:
        x, y = label.turn + 1, height(label)
        up = label.rises if low + 0.08 * (high - low) < y < high - 0.08 * (high - low) else y < (low + high) / 2
        # The label stands left of the jump if it can: to the right the curve goes on at the same height.
        right = x > _ROOM * length
        text = axis.annotate(
            legible(label.text), (x, y), xytext=(-3 if right else 3, 5 if up else -5), textcoords="offset points",
            fontsize=7.5, color=_INK, ha="right" if right else "left", va="bottom" if up else "top",
        )  # fmt: skip
        text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
        axis.plot([x], [y], marker="o", markersize=3, color=_INK)


def _mark_games(axis: Axes, games: Sequence[tuple[int, str]], length: int) -> None:
    """Mark where each game begins: a thin line for every one, and its number, where it has room, above it.

    A number that has no room gives way to that of a longer game.
    """
    line = 0
    for start, _ in games:
        if start and (not line or start - line >= _LINE_SHARE * length):
            axis.axvline(start, color=_GRID, linewidth=0.9, zorder=0)
            line = start
    ends = [*(start for start, _ in games[1:]), length]
    longest = sorted(range(len(games)), key=lambda index: games[index][0] - ends[index])
    named: dict[int, str] = {}
    for index in [0, *(each for each in longest if each)] if games else ():
        start, number = games[index]
        # The first name is the widest.
        if all(abs(start - other) >= length * (0.018 if other else 0.06) for other in named):
            named[start] = number if index else f"game {number}"
    for start, name in sorted(named.items()):
        axis.annotate(
            name, (start, 1), xycoords=("data", "axes fraction"), xytext=(2, 2), textcoords="offset points",
            fontsize=7, color=_QUIET,
        )  # fmt: skip


def _legend(figure: Figure, names: tuple[str, str], handles: Sequence[Any] | None = None) -> None:
    """Tell whose line is whose; ``handles`` are shown where something else than lines tells the players apart."""
    lines = [mpl.lines.Line2D([], [], linewidth=2, **_LINES[player]) for player in (0, 1)]
    figure.legend(
        handles or lines, [_drawable(names[0], 1), _drawable(names[1], 2)],
        loc="upper right", ncols=2, frameon=False, fontsize=9, labelcolor=_INK,
    )  # fmt: skip


def _title(figure: Figure, title: str) -> None:
    # The distance from the top is fixed: as a share of the height it would push the title onto tall panels.
    figure.suptitle(title, x=0.01, y=1 - _TITLE_INCHES / figure.get_figheight(), ha="left", fontsize=12, color=_INK)


def _save(figure: Figure, path: Path | BinaryIO) -> None:
    # matplotlib's own way takes twice the time, for pixels with a fourth number that says they are opaque. It also
    # names its version in the file; without it the same match gives the same bytes.
    canvas: Any = figure.canvas
    canvas.draw()
    picture = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBA", 0, 1)
    picture.convert("RGB").save(path, "png", dpi=(_DPI, _DPI), compress_level=_COMPRESSION)


@cache
def _style() -> dict[Any, Any]:
    return {
        "text.parse_math": False, "font.size": 9, "axes.edgecolor": _QUIET, "axes.labelcolor": _INK,
        "xtick.color": _QUIET, "ytick.color": _QUIET, "axes.spines.top": False, "axes.spines.right": False,
        "axes.grid": True, "grid.color": _GRID, "grid.linewidth": 0.6, "font.family": ["DejaVu Sans"],
    }  # fmt: skip


def printing() -> AbstractContextManager[None]:
    """The look of all pictures, with fonts for names in other scripts where such fonts are installed."""
    return mpl.rc_context(_style())


def legible(text: str) -> str:
    """A text with a mark instead of each letter that no font of this computer has.

    A font that has what the usual ones lack is looked for once, and used from then on.
    """
    text = text.translate(_DIRECTIONS)
    if _LEFT_TO_RIGHT in text:
        # The direction of a line is that of its first letter, unless this says otherwise.
        text = _LEFT_TO_RIGHT + text
    missing = {char for char in text if not _is_known(char)}
    return "".join("\N{REPLACEMENT CHARACTER}" if char in missing and not _look_for(char) else char for char in text)


_LEFT_TO_RIGHT: Final = "\N{LEFT-TO-RIGHT MARK}"
_DIRECTIONS: Final = str.maketrans({"\u2068": _LEFT_TO_RIGHT, "\u2069": _LEFT_TO_RIGHT})
"""Fonts have no glyphs for isolates; marks of direction do the same for a name."""


def _is_known(char: str) -> bool:
    fonts = (font_manager.get_font(font_manager.findfont(family)) for family in _style()["font.family"])
    return char in _DIRECTIONS.values() or any(font.get_char_index(ord(char)) for font in fonts)


@cache
def _look_for(char: str) -> bool:
    """Find a font that has a letter, and add it to those that are used; False where there is none."""
    families: list[str] = _style()["font.family"]
    # Those without serifs first, as the usual font is.
    fonts = sorted(font_manager.fontManager.ttflist, key=lambda entry: not re.search("Sans|Gothic|Arial", entry.name))
    for entry in fonts:
        # That one has a picture of a missing letter for every letter.
        if entry.name in families or "Last Resort" in entry.name:
            continue
        try:
            found = font_manager.get_font(entry.fname).get_char_index(ord(char))
        except (OSError, RuntimeError):  # a font that is damaged, or gone since it was listed
            continue
        if found:
            families.append(entry.name)
            mpl.rcParams["font.family"] = families
            return True
    _MISSING.add(char)
    return False


_MISSING: Final[set[str]] = set()


def missing_letters() -> str:
    """A sentence about the letters that pictures of this run have marks for; empty where there are none."""
    letters = "".join(sorted(_MISSING))
    return f"no font of this computer has {letters}; pictures have a mark instead" if letters else ""


def _drawable(name: str, number: int) -> str:
    """The name, shortened; ``player 1`` where no font at hand has its letters."""
    shown = name if len(name) <= 28 else name[:27] + "…"
    drawn = legible(isolated(shown))
    return f"player {number}" if not shown or "\N{REPLACEMENT CHARACTER}" in drawn else drawn
