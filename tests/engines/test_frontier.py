"""Each level against GNU Backgammon in one run: how near eXtreme Gammon, and in which share of its time."""

from __future__ import annotations

import shutil

import pytest

from bgtools.analysis.benchmarks import BenchmarkResult, benchmark
from bgtools.engines.gnubg.session import find_program
from bgtools.engines.protocol import EngineUnavailable
from bgtools.engines.recorded import holds_analysis
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read
from support import CORPUS, needs_corpus

pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")


def gnubg() -> str | None:
    try:
        return find_program()
    except EngineUnavailable:
        return shutil.which("gnubg")


@pytest.fixture(scope="module")
def measured() -> dict[str, BenchmarkResult]:
    matches = []
    for path in sorted((CORPUS / "xg").glob("*.xg")):
        try:
            match = read(path)
        except FormatError:
            continue
        if holds_analysis(match):
            matches.append(match)
    names = ("sage:quick", "gnubg:1", "sage:standard", "gnubg:2", "sage:deep")
    results, missing = benchmark(matches, names)
    assert not missing
    return {result.contender: result for result in results}


@pytest.mark.deep
@needs_corpus
@pytest.mark.skipif(gnubg() is None, reason="GNU Backgammon is not installed here")
@pytest.mark.parametrize(
    ("level", "rival", "time", "apart", "loss"),
    # Measured: 1.1, .55 and 1.1 times its time; .64, .34 and .28 PR; .0038, .0026 and .0023 EMG a play. The bounds
    # leave room for a busy machine and for six ratings being few.
    [
        ("quick", "gnubg:1", 2.0, 0.75, 0.0043),
        ("standard", "gnubg:2", 0.9, 0.41, 0.003),
        ("deep", "gnubg:2", 1.8, 0.37, 0.0026),
    ],
)
def test_a_level_keeps_to_its_distance_and_its_time(
    measured: dict[str, BenchmarkResult], level: str, rival: str, time: float, apart: float, loss: float
) -> None:
    result, other = measured[f"sage:{level}"], measured[rival]
    assert result.pr is not None
    assert result.loss is not None
    assert other.loss is not None
    assert other.pr is not None
    assert result.pr <= apart
    assert result.loss <= loss
    assert result.seconds <= time * other.seconds
    assert result.pr < other.pr
    assert result.loss < other.loss


@pytest.mark.deep
@needs_corpus
@pytest.mark.skipif(gnubg() is None, reason="GNU Backgammon is not installed here")
def test_the_luck_adjusted_result_is_near_and_its_interval_is_honest(measured: dict[str, BenchmarkResult]) -> None:
    # Measured: .009, .012 and .003 of match winning chance; .042 by the rolls at 0-ply alone.
    for name, bound in (("sage:quick", 0.02), ("sage:standard", 0.02), ("sage:deep", 0.01)):
        result = measured[name]
        assert result.adjusted is not None
        assert result.adjusted <= bound
        assert result.held == result.matches
