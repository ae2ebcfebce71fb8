"""Sheets to print: what is below a board stays in its place."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from bgtools.analysis.blunders import Blunder
from bgtools.reports.sheets.writing import _printed, card_of
from lesson_rows import decision

LONGEST = (
    "wins 12.4% more gammons, loses 10.1% fewer gammons but wins 14.2% fewer games; hits on the 13-point and the "
    "21-point instead of the 18-point; leaves 33 shots instead of 11; breaks the 20-point anchor and the 13-point "
    "instead of the 8-point"
)
FILE = "a-folder/somebody__a-match-with-a-name-that-says-everything__of-two-players-2017-04-08_1492083679.txt"


def test_no_text_of_a_printed_page_runs_into_another_or_off_the_page() -> None:
    row = decision("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "13/10 6/5", "8/5 6/5", loss=0.2)
    card = card_of(Blunder(FILE, 1, ("Ann", "Bob"), replace(row, sentence=LONGEST)))
    figure = _printed([card] * 6, 1, solved=True)
    renderer = figure._get_renderer()  # type: ignore[attr-defined]
    boxes = [text.get_window_extent(renderer) for text in figure.texts]
    assert len(boxes) == 12
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert figure.texts[1].get_text().endswith("17-04-08_1492083679.txt, game 1, row 3")
