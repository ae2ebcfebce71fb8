"""Figures: drawn for any names and lengths, the same bytes twice."""

from __future__ import annotations

import struct
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from bgtools.reports.curves import ChanceCurve, CumulativeCurve, Label
from bgtools.reports.figures import PipPanel, draw_chances, draw_errors, draw_luck, draw_pips

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SERIES = CumulativeCurve(((0.1, 0.3, 0.2), (0.0, -0.2, -0.1)), ((0, "1"), (2, "2")))


def size(path: Path) -> tuple[int, int]:
    """Width and height from the header of a PNG."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("", ""), ("a$b$c", "x" * 80), ("菊池", "\x1b[31m"), ("Ann", "Ann")])
@pytest.mark.filterwarnings("error")
def test_any_name_can_be_drawn(tmp_path: Path, names: tuple[str, str]) -> None:
    draw_luck(SERIES, names, tmp_path / "luck.png", unit="points")
    assert size(tmp_path / "luck.png")[0] > 1000


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("games", [0, 1, 2, 7, 30, 200])
def test_any_number_of_games_can_be_drawn(tmp_path: Path, games: int) -> None:
    panels = [PipPanel(f"Game {number}", ((167, 167), (161, 167), (161, 159))) for number in range(games)]
    draw_pips(panels, ("Ann", "Bob"), tmp_path / "pips.png")
    width, height = size(tmp_path / "pips.png")
    assert width < 4000
    assert height < 4500


def test_the_same_figures_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        draw_errors(SERIES, ("Ann", "Bob"), tmp_path / name, unit="EMG")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_match_without_turns_can_be_drawn(tmp_path: Path) -> None:
    draw_errors(CumulativeCurve(((), ()), ()), ("Ann", "Bob"), tmp_path / "errors.png", unit="EMG")
    assert size(tmp_path / "errors.png")[1] > 400


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that are drawn and saved."""
    kept: list[Figure] = []
    draw: Any = FigureCanvasAgg.draw

    def keep(canvas: FigureCanvasAgg) -> None:
        kept.append(canvas.figure)
        draw(canvas)

    monkeypatch.setattr(FigureCanvasAgg, "draw", keep)
    return kept


def test_the_names_of_games_stand_apart(drawn: list[Figure], tmp_path: Path) -> None:
    games = tuple((52 * number, str(number + 1)) for number in range(100))
    values = tuple(float(number) for number in range(5200))
    draw_luck(CumulativeCurve((values, values), games), ("Ann", "Bob"), tmp_path / "luck.png", unit="points")
    (figure,) = drawn
    names = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(names) > 20
    assert all(one.x1 < two.x0 for one, two in pairwise(names))


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("heading", ["", "Ann - Bob  7-5  7-point match, 9 games", "菊池\x1b$x$ " * 40])
@pytest.mark.parametrize("kind", ["luck", "chances"])
def test_match_and_great_jumps_are_named_inside_the_picture(
    drawn: list[Figure], tmp_path: Path, kind: str, heading: str
) -> None:
    values = tuple(0.5 + 0.49 * (-1) ** (number // 10) for number in range(100))
    labels = tuple(Label(turn, 0, "66, turn 99", rises=turn % 20 == 0) for turn in (0, 9, 50, 90, 98))
    if kind == "luck":
        draw_luck(
            CumulativeCurve((values, values), ((0, "1"),), labels),
            ("Ann", "Bob"),
            tmp_path / "a.png",
            unit="x",
            heading=heading,
        )
    else:
        draw_chances(ChanceCurve(values, ((0, "1"),), labels), ("Ann", "Bob"), tmp_path / "a.png", heading=heading)
    (figure,) = drawn
    box = figure.axes[0].get_window_extent()
    names = [text for text in figure.axes[0].texts if text.get_text() == "66, turn 99"]
    assert len(names) == len(labels)
    for text in names:
        extent = text.get_window_extent()
        assert box.x0 <= extent.x0
        assert extent.x1 <= box.x1
        assert box.y0 - 2 <= extent.y0
        assert extent.y1 <= box.y1 + 2
    said = [text for text in figure.texts if text is not figure._suptitle]  # type: ignore[attr-defined]
    assert len(said) == bool(heading)
    for text in said:
        assert text.get_window_extent().y0 > box.y1
        assert text.get_window_extent().x1 < figure.bbox.x1


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("games", [1, 9, 24, 72])
def test_the_title_stands_above_the_panels(drawn: list[Figure], tmp_path: Path, games: int) -> None:
    panels = [PipPanel(f"Game {number}", ((167, 167), (161, 167), (161, 159))) for number in range(games)]
    draw_pips(panels, ("Ann", "Bob"), tmp_path / "pips.png")
    (figure,) = drawn
    (title,) = figure.texts
    panel = figure.axes[0]._left_title  # type: ignore[attr-defined]
    assert title.get_window_extent().y0 > panel.get_window_extent().y1


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("games", [1, 9, 24, 72])
def test_the_match_stands_between_the_title_and_the_panels(drawn: list[Figure], tmp_path: Path, games: int) -> None:
    panels = [PipPanel(f"Game {number}", ((167, 167), (161, 167), (161, 159))) for number in range(games)]
    draw_pips(panels, ("Ann", "Bob"), tmp_path / "pips.png", "Ann - Bob  7-5  7-point match " * 9)
    (figure,) = drawn
    title, heading = (text.get_window_extent() for text in figure.texts)
    panel = figure.axes[0]._left_title  # type: ignore[attr-defined]
    assert title.y0 >= heading.y1
    assert heading.y0 > panel.get_window_extent().y1
    assert heading.x1 <= figure.bbox.x1


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("games", [1, 5, 24, 30])
def test_panels_and_their_labels_keep_clear_of_each_other(drawn: list[Figure], tmp_path: Path, games: int) -> None:
    panels = [
        PipPanel(f"Game {number}, 12-12, Crawford", tuple((375, each) for each in range(120)))
        for number in range(games)
    ]
    draw_pips(panels, ("Ann", "Bob"), tmp_path / "pips.png")
    (figure,) = drawn
    boxes = [axis.get_tightbbox() for axis in figure.axes if axis.get_visible()]
    assert len(boxes) == games
    assert all(box is not None and figure.bbox.containsx(box.x0) and figure.bbox.containsy(box.y0) for box in boxes)
    assert all(box is not None and figure.bbox.containsx(box.x1) and figure.bbox.containsy(box.y1) for box in boxes)
    assert not any(one.overlaps(two) for one, two in combinations(filter(None, boxes), 2))


@pytest.mark.parametrize("last", [0.0, -0.75, 99.9, -1234.5, 0.00012])
def test_a_wide_panel_and_its_labels_keep_within_the_picture(drawn: list[Figure], tmp_path: Path, last: float) -> None:
    series = CumulativeCurve(((0.0, last), (0.0, -last)), ((0, "1"),), ())
    for heading in ("", "Ann - Bob  7-5  7-point match"):
        draw_luck(series, ("Ann", "Bob"), tmp_path / "luck.png", unit="match winning chance, %", heading=heading)
    for figure in drawn:
        box = figure.axes[0].get_tightbbox()
        assert box is not None
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.x1
        lowest = min(text.get_window_extent().y0 for text in figure.texts)
        assert box.y1 < lowest
