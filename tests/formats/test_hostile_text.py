"""Text that no program writes: numbers without end, lines without end, files cut and pasted together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.formats.reading import read_source

if TYPE_CHECKING:
    from bgtools.record.record import Match

HEAD = "7 point match\n\n Game 1\n Ann : 0                Bob : 0\n"
ROW = "  1) 31: 8/5 6/5            42: 8/4 6/4\n"
HUGE = "9" * 5000


def read(text: str) -> tuple[Match, ...]:
    return read_source(text.encode(), "x.mat")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{HUGE} point match\n\n Game 1\n Ann : 0   Bob : 0\n{ROW}", id="length"),
        pytest.param(f"7 point match\n\n Game {HUGE}\n Ann : 0   Bob : 0\n{ROW}", id="game"),
        pytest.param(f"7 point match\n\n Game 1\n Ann : {HUGE}   Bob : 0\n{ROW}", id="score"),
        pytest.param(f"{HEAD} {HUGE}) 31: 8/5 6/5            42: 8/4 6/4\n", id="row"),
        pytest.param(f"{HEAD}{ROW}  2)  Doubles => {HUGE}       Takes\n", id="cube"),
        pytest.param(f"{HEAD}{ROW}      Wins {HUGE} points\n", id="result"),
        pytest.param(f"{HEAD}  1) 31: {HUGE}/5 6/5\n", id="point"),
        pytest.param(f"{HEAD}  1) 31: 8/5({HUGE}) 6/5\n", id="repeat"),
        pytest.param(f"{HEAD};Set Pos=-b----E-C---eE---c-e----B-/{HUGE}\n{ROW}", id="set position"),
        pytest.param(f'; [CubeLimit "{HUGE}"]\n{HEAD}{ROW}', id="cube limit"),
        pytest.param(f'; [CubeLimit "\N{SUPERSCRIPT TWO}"]\n{HEAD}{ROW}', id="cube limit of odd digits"),
    ],
)
def test_a_number_that_no_match_has_does_not_raise(text: str) -> None:
    assert len(read(text)) == 1


def test_a_length_between_heading_and_score_line_begins_a_match() -> None:
    text = f" Game 3\n{ROW}\n Game 4\n5 point match\n Ann : 0                Bob : 0\n{ROW}"
    assert [(match.length, len(match.games)) for match in read(text)] == [(None, 2), (5, 1)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_recognised(end: str) -> None:
    (match,) = read((HEAD + ROW).replace("\n", end))
    assert len(match.games[0].entries) == 2
