"""A match in a notebook: one line gives its tables, a summary and its boards."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

import bgtools
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.totals import Analysis
from bgtools.engines import registry
from bgtools.engines.protocol import EngineUnavailable, TableRefused
from bgtools.formats.reading import read_source
from bgtools.met.finding import default
from bgtools.met.reading import MetError
from bgtools.met.table import MatchEquityTable
from bgtools.met.writing import as_xml
from bgtools.reports.notebook import AnalysedMatch
from bgtools.reports.table_kinds import TABLES
from fixed_engine import FixedEngine
from program import SOUND
from selfplay import random_match

needs_engine = pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
SAMPLE = Path(__file__).parents[2] / "samples" / "seven-point.mat"


def test_one_line_gives_every_table_as_a_frame() -> None:
    analysed = bgtools.analyse(SAMPLE, engine=None)
    # The table of matches is made of files, not of an analysis.
    for name, table in ((name, table) for name, table in TABLES.items() if name != "matches"):
        frame = getattr(analysed, name)
        assert isinstance(frame, pd.DataFrame)
        assert list(frame.columns) == [column.name for column in table.columns]
    assert len(analysed.games) == 8
    assert len(analysed.players) == 2
    assert analysed.games["points"].sum() == 13
    assert analysed.turns is analysed.turns
    assert isinstance(analysed.analysis, Analysis)
    assert len(analysed.decisions) == len(analysed.analysis.decisions)


def test_a_match_or_a_path_will_do(tmp_path: Path) -> None:
    match = read_source(SOUND.encode(), "x")[0]
    (tmp_path / "a.mat").write_text(SOUND)
    first = bgtools.analyse(match, engine="none")
    assert first.analysis == bgtools.analyse(str(tmp_path / "a.mat"), engine=None).analysis
    assert repr(first) == "<Ann - Bob  1-0  3-point match, 1 game: 5 decisions, 4 turns>"


def test_what_cannot_be_read_or_is_not_known_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        bgtools.analyse(tmp_path / "gone.mat", engine=None)
    with pytest.raises(ValueError, match="no engine is called 'sages'"):
        bgtools.analyse(SAMPLE, engine="sages")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thresholds": "xgg"}, "thresholds: there is no 'xgg'; there are: xg, gnubg, gammonview"),
        ({"luck": "gnubg"}, "luck: there is no 'gnubg'; there are: gnubg30, roller15, naive36, match-equity, recorded"),
    ],
)
def test_a_convention_that_is_not_known_raises(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bgtools.analyse(SAMPLE, engine=None, **options)  # type: ignore[arg-type]


def test_an_engine_that_cannot_run_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise EngineUnavailable("bgsage is not installed")

    monkeypatch.setattr(registry, "create", missing)
    with pytest.raises(EngineUnavailable, match="bgsage is not installed; engine=None gives all that needs no engine"):
        bgtools.analyse(SAMPLE)


def test_a_notebook_shows_a_summary() -> None:
    match = read_source(SOUND.replace("Ann", "<i>&").encode(), "x")[0]
    text = bgtools.analyse(match, engine=None)._repr_html_()
    root = ElementTree.fromstring(f"<div>{text}</div>")
    assert root.findtext("p/b") == "<i>& - Bob  1-0  3-point match, 1 game"
    games, counts = root.iter("table")
    assert [each.text for each in games.findall("thead/tr/th")] == ["game", "score", "rolls", "cube", "result"]
    assert [each.text for each in games.findall("tbody/tr/*")] == ["1", "0-0", "2", "1", "<i>& 1, drop"]
    # Without an engine the counts are all there is, as on the terminal.
    assert [each.text for each in counts.findall("thead/tr/*")] == [None, "<i>&", "Bob"]


def test_a_decision_shows_its_board() -> None:
    analysed = bgtools.analyse(SAMPLE, engine=None)
    row = analysed.decisions.iloc[0]
    board = analysed.board(0)
    assert board.dice == (6, 3)
    assert board.board.pips == (row["pips"], row["opponent_pips"])
    assert board._repr_svg_().startswith("<svg")
    with pytest.raises(IndexError):
        analysed.board(10_000)


@pytest.mark.thorough
@needs_engine
def test_an_engine_by_name_or_at_hand_fills_the_frames() -> None:
    match = bgtools.read(SAMPLE.with_name("one-point.mat"))
    by_name = bgtools.analyse(match, level="quick")
    assert by_name.analysis == bgtools.analyse(match, registry.create("sage", "quick")).analysis
    assert by_name.decisions["loss"].notna().all()
    assert by_name.players["xg_pr"].notna().all()
    assert by_name.players["conventions_level"].tolist() == ["quick", "quick"]
    assert len(by_name.choices) > len(by_name.decisions)
    assert "XG PR" in by_name._repr_html_()


@pytest.mark.thorough
@needs_engine
def test_a_match_equity_table_is_taken_by_name_file_or_at_hand(tmp_path: Path) -> None:
    match = bgtools.read(SAMPLE.with_name("one-point.mat"))
    usual = tmp_path / "usual.xml"
    usual.write_text(as_xml(default()), encoding="utf-8")
    plain = bgtools.analyse(match, level="quick").analysis
    for met in ("Kazaross-XG2", usual, default()):
        assert bgtools.analyse(match, level="quick", met=met).analysis == plain
    with pytest.raises(TableRefused, match="odd"):
        bgtools.analyse(match, met=MatchEquityTable("odd", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.48)))
    with pytest.raises(MetError, match="nowhere"):
        bgtools.analyse(match, met=tmp_path / "nowhere.met")
    with pytest.raises(ValueError, match="has a table already"):
        bgtools.analyse(match, engine=None, met="Kazaross-XG2")


@needs_engine
def test_errors_are_judged_again() -> None:
    analysed = AnalysedMatch(analyse(random_match(2, 3), FixedEngine(0.3, 0.1, play=0.2)))
    again = analysed.confirm(seconds=0.01)
    assert analysed.decisions["verdict"].isna().all()
    assert set(again.decisions["verdict"].fillna("")) <= {"", "confirmed", "smaller", "too close to call", "overturned"}
    assert "Errors judged again by rollout: " in again._repr_html_()
