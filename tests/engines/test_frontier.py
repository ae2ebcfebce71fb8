"""Each level against GNU Backgammon in one run, and against bgsage as it comes: distance a decision, bias and time."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.benchmarks import BenchmarkResult, benchmark, starter
from bgtools.analysis.references import read_reference, score
from bgtools.engines.gnubg.session import find_program
from bgtools.engines.protocol import EngineUnavailable
from bgtools.engines.recorded import holds_analysis
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read
from plain_sage import PlainSage
from support import CORPUS, needs_corpus

OWN = Path(__file__).parents[1] / "reference" / "decisions.json"

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.engines.protocol import Engine

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


@pytest.mark.thorough
@needs_corpus
@pytest.mark.needs(gnubg(), "GNU Backgammon")
@pytest.mark.parametrize(
    ("level", "rival", "time", "loss", "bias"),
    # Distance a play and its bias in EMG, processor time by GNU Backgammon's. The bounds leave room for a busy machine.
    [
        ("quick", "gnubg:1", 1.8, 0.0043, 0.0012),
        ("standard", "gnubg:2", 0.6, 0.0029, 0.0008),
        ("deep", "gnubg:2", 1.1, 0.0027, 0.0006),
    ],
)
def test_a_level_keeps_to_its_distance_its_bias_and_its_time(
    measured: dict[str, BenchmarkResult], level: str, rival: str, time: float, loss: float, bias: float
) -> None:
    result, other = measured[f"sage:{level}"], measured[rival]
    assert result.loss is not None
    assert other.loss is not None
    assert result.loss_bias is not None
    assert result.loss <= loss
    assert result.loss < other.loss
    assert abs(result.loss_bias) <= bias
    assert result.seconds <= time * other.seconds


@pytest.mark.thorough
@needs_corpus
@pytest.mark.needs(gnubg(), "GNU Backgammon")
def test_the_luck_adjusted_result_is_near_and_its_interval_is_honest(measured: dict[str, BenchmarkResult]) -> None:
    for name, bound in (("sage:quick", 0.03), ("sage:standard", 0.02), ("sage:deep", 0.02)):
        result = measured[name]
        assert result.adjusted is not None
        assert result.adjusted <= bound
        assert result.held == result.matches


@pytest.mark.thorough
def test_no_level_is_beaten_at_lower_cost_by_plain_bgsage_or_another_level() -> None:
    """By decisions that two programs rolled out: who takes less time must lose more, or as much as chance allows."""
    contenders: dict[str, Callable[[], Engine]] = {
        **{level: starter(f"sage:{level}", 1) for level in ("quick", "standard", "deep")},
        **{f"plain {plies}-ply": partial(PlainSage, plies) for plies in (2, 3)},
    }
    for level in ("quick", "standard", "deep"):
        ordered = {level: contenders[level], **contenders}  # the others are held against the first
        scores, missing = score(read_reference(OWN), ordered)
        assert not missing
        first, *others = scores
        assert first.plays >= 60
        for other in others:
            assert other.play_behind is not None or other.contender == level
            if other.play_behind is not None and other.seconds < first.seconds:
                assert other.play_behind.high is not None
                assert other.play_behind.high > 0, f"{other.contender} is surely better than {level}, and cheaper"
