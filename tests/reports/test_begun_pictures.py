"""The picture that is drawn while an engine works."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgtools import read
from bgtools.analysis.match_analysis import analyse
from bgtools.replayer.match import replay
from bgtools.reports.match_report import begin_pips, write_report

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.mat"))


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_it_is_the_one_that_is_drawn_without_an_engine(sample: Path, tmp_path: Path) -> None:
    match = read(sample)
    games = replay(match)
    analysis = analyse(match, games=games)
    files = write_report(analysis, (), match.source, tmp_path / "drawn")
    assert write_report(analysis, (), match.source, tmp_path / "begun", pips=begin_pips(match, games)) == files
    drawn, begun = ((tmp_path / each / "pips.png").read_bytes() for each in ("drawn", "begun"))
    assert drawn == begun


def test_a_picture_that_fails_leaves_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = read(SAMPLES[0])
    games = replay(match)

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bgtools.reports.figures.draw_pips", fail)
    pips = begin_pips(match, games)
    with pytest.raises(MemoryError):
        write_report(analyse(match, games=games), (), match.source, tmp_path / "report", pips=pips)
    assert not [*tmp_path.iterdir()]
