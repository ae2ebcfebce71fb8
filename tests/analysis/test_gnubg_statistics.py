"""GNU Backgammon's own statistics, made again from its own analysis: they agree to the printed digit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.ratings.gnubg import label as gnubg_label
from bgtools.analysis.result import luck_difference
from bgtools.analysis.statistics import FEW_DECISIONS
from bgtools.engines.recorded import RecordedEngine
from bgtools.formats.reading import read_source
from gnubg_judge import needs_gnubg
from gnubg_statistics import Statistics, judged_by_gnubg

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis, PlayerTotals

SAMPLES = Path(__file__).parents[2] / "samples"

DRIFT = 0.051
"""A printed tenth and what lies after it; the file has six digits and the program more."""


@needs_gnubg
@pytest.mark.parametrize("name", ["seven-point.mat", "money.mat", "one-point.mat"])
def test_the_same_analysis_gives_the_same_statistics(name: str, tmp_path: Path) -> None:
    sgf, printed = judged_by_gnubg(tmp_path, (SAMPLES / name).read_bytes())
    match = read_source(sgf, "judged.sgf")[0]
    analysis = analyse(match, RecordedEngine(match), thresholds="gnubg")
    assert sorted(printed.names) == sorted(match.players)
    for total in analysis.players:
        compare(analysis, total, printed, printed.names.index(total.name))


def compare(analysis: Analysis, total: PlayerTotals, printed: Statistics, column: int) -> None:
    """Compare one player's figures with what is in a column."""
    ratings, errors, luck = total.ratings, total.errors, total.luck
    assert ratings is not None
    assert errors is not None
    assert luck is not None
    own = [row for row in analysis.decisions if row.player == total.player]
    plays = [row for row in own if row.kind == "checker play"]

    def number(section: str, title: str, at: int = 0) -> float:
        return printed.numbers(section, title, column)[at]

    match = bool(analysis.match.length)
    unit = "(MWC)" if match else "(Points)"
    assert ratings["opengammon_er"].divided_by == number("Chequerplay", "Total moves")
    assert ratings["gnubg_checker_er"].counted == number("Chequerplay", "Unforced moves")
    for name in ("doubtful", "bad", "very bad"):
        assert sum(row.error == name for row in plays) == number("Chequerplay", f"Moves marked {name}")
    assert errors.checker == pytest.approx(-number("Chequerplay", f"Error total EMG {unit}"), abs=0.00051)
    rates: tuple[tuple[str, Literal["gnubg_checker_er", "gnubg_cube_er", "gnubg_er"], str], ...] = (
        ("Chequerplay", "gnubg_checker_er", "Chequerplay rating"),
        ("Cube", "gnubg_cube_er", "Cube decision rating"),
        ("Overall", "gnubg_er", "Overall rating"),
    )
    for section, rate, title in rates:
        rating = ratings[rate]
        # GNU Backgammon names every rate, however few decisions it is of and however wide its interval.
        name = "n/a" if rating.value is None else gnubg_label(rating.value)
        assert name == printed.text(section, title, column)
        if rating.counted >= FEW_DECISIONS:
            assert rating.label.partition(" to ")[0]
        assert (rating.value or 0.0) == pytest.approx(-number(section, f"Error rate mEMG {unit}"), abs=DRIFT)
        if match and rating.value_mwc is not None:
            # Printed in per cent, with three digits.
            assert rating.value_mwc / 10 == pytest.approx(-number(section, f"Error rate mEMG {unit}", 1), abs=0.00051)
    assert errors.cube_decisions == number("Cube", "Total cube decisions")
    assert ratings["gnubg_cube_er"].counted == number("Cube", "Close or actual cube decisions")
    for title, kind in (
        ("Missed doubles below CP", "missed double, below the cash point"),
        ("Missed doubles above CP", "missed double, above the cash point"),
        ("Wrong doubles below DP", "wrong double, below the doubling point"),
        ("Wrong doubles above TG", "wrong double, too good to double"),
        ("Wrong takes", "wrong take"),
        ("Wrong passes", "wrong pass"),
    ):
        found = errors.kinds.get(kind)
        told = printed.numbers("Cube", f"{title} (EMG {unit})", column)
        assert (found.count if found else 0) == told[0], title
        if found:
            assert found.emg == pytest.approx(-told[1], abs=0.00051)
    assert ratings["snowie_er"].value == pytest.approx(-number("Overall", "Snowie error rate"), abs=DRIFT)
    for name in ("very lucky", "lucky", "unlucky", "very unlucky"):
        assert luck.classes[name] == number("Luck", f"Rolls marked {name}")
    assert luck.emg == pytest.approx(number("Luck", f"Luck total EMG {unit}"), abs=0.00051)
    assert luck.gnubg_label == printed.text("Luck", "Luck rating", column)
    result = total.luck_adjusted_result
    assert result is not None
    assert result.by_rolls is not None
    if not match:
        assert result.actual == pytest.approx(number("Overall", "Actual result"), abs=0.00051)
        assert result.by_rolls == pytest.approx(number("Overall", "Luck adjusted result"), abs=0.0011)
        return
    # It prints a match from 50% on: +50% is won.
    assert 100 * result.actual - 50 == pytest.approx(number("Overall", "Actual result"), abs=0.0051)
    assert 100 * result.by_rolls - 50 == pytest.approx(number("Overall", "Luck adjusted result"), abs=0.011)
    fibs = total.fibs
    assert fibs is not None
    assert fibs.rating == pytest.approx(number("Overall", "Error based abs. FIBS rating"), abs=DRIFT)
    assert fibs.checker_loss == pytest.approx(number("Overall", "Chequerplay errors rating loss"), abs=DRIFT)
    if fibs.cube_loss is not None:
        assert fibs.cube_loss == pytest.approx(number("Overall", "Cube errors rating loss"), abs=DRIFT)
    if fibs.luck_difference is not None and ("Overall statistics", "Luck based FIBS rating diff.") in printed.cells:
        told = printed.numbers("Overall", "Luck based FIBS rating diff.", column)
        if told:
            assert luck_difference(result.by_rolls, analysis.match.length) == pytest.approx(told[0], abs=0.5)
