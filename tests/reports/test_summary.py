"""The table that a report prints."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.ratings.rule import RatingResult
from bgtools.board.play import HopText, PlayText
from bgtools.record.record import CheckerPlay, Double, Game, Match, Resign, ResultClaim
from bgtools.reports.summary import conventions_line, totals_table
from fixed_engine import FixedEngine

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis

NAMES = ("Bartholomew Featherstone", "Ottilie Wolkenstein")


def _analysis(length: int, thresholds: str = "xg") -> Analysis:
    opening = PlayText("moves", (HopText((8, 5), (False,)), HopText((6, 5), (False,))))
    entries = (
        CheckerPlay(player=0, dice=(3, 1), text=opening),
        Double(player=1),
        CheckerPlay(player=1, dice=(3, 1), text=opening),
        Resign(player=0, level=1),
    )
    game = Game(number=1, score=(0, 0), entries=entries, results=(ResultClaim(player=1, points=2),))
    match = Match(players=NAMES, length=length, games=(game,))
    return analyse(match, FixedEngine(0.3, 0.1, play=0.2, mean=-0.7), thresholds=thresholds)  # type: ignore[arg-type]


def _printed(analysis: Analysis, width: int) -> list[str]:
    console = Console(width=width, file=StringIO(), color_system=None)
    console.print(totals_table(analysis))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 110])
@pytest.mark.parametrize("length", [0, 7])
def test_every_figure_has_a_line_of_its_own(width: int, length: int) -> None:
    lines = _printed(_analysis(length), width)
    titles = [line[:26].rstrip() for line in lines[1:]]
    for title in (
        "XG PR",
        "BMAB PR",
        "gnubg error rate, mEMG",
        "Snowie error rate, mEMG",
        "OpenGammon rate, mEMG",
        "counted (XG, BMAB, gnubg)",
        "  wrong double, below DP",
        "luck, EMG",
        "  FIBS rating by errors" if length else "luck, points",
    ):
        assert titles.count(title) == 1, lines
    assert max(map(len, lines)) <= width
    # Nothing is cut off.
    assert all(name.split()[-1] in lines[0] for name in NAMES)
    assert not any("…" in line for line in lines)


def test_figures_stand_below_each_other() -> None:
    lines = {line[:26].rstrip(): line for line in _printed(_analysis(7), 110)}
    ends = {
        lines[title][:36].rstrip() for title in ("Snowie error rate, mEMG", "OpenGammon rate, mEMG", "cube, EMG lost")
    }
    assert len({len(text) for text in ends}) == 1


@pytest.mark.parametrize(("counted", "loss", "said"), [(10, 0.0, True), (10, 0.2, True), (40, 0.0, False)])
def test_too_few_decisions_are_said_whether_they_lost_anything_or_not(counted: int, loss: float, said: bool) -> None:
    analysis = _analysis(7)
    assert analysis.players[0].ratings is not None
    rating = RatingResult(500 * loss / counted, None, loss, counted, counted, "")
    first = replace(analysis.players[0], ratings={**analysis.players[0].ratings, "xg_pr": rating})
    lines = _printed(replace(analysis, players=(first, analysis.players[1])), 110)
    below = next(line for above, line in pairwise(lines) if above.startswith("XG PR"))
    assert below.startswith("  95% interval")
    assert ("too few decisions" in below[:46]) == said


def test_ratings_that_come_out_the_same_are_one_row() -> None:
    analysis = _analysis(7)
    one = RatingResult(6.5, None, 0.5, 40, 40, "Expert", 5.0, 8.0)
    other = replace(one, label="Master")

    def printed(bmab: RatingResult) -> list[str]:
        players = tuple(
            replace(each, ratings={**(each.ratings or {}), "xg_pr": one, "bmab_pr": bmab}) for each in analysis.players
        )
        return _printed(replace(analysis, players=players), 110)  # type: ignore[arg-type]

    together = "\n".join(printed(other))
    assert "XG PR, BMAB PR" in together
    assert together.count("6.50  Expert") == 2
    assert re.search(r"BMAB title +Master +Master", together)
    apart = printed(replace(other, value=6.6))
    assert {"XG PR", "BMAB PR"} <= {line[:26].rstrip() for line in apart}


def test_the_classes_are_named_with_their_owner() -> None:
    analysis = _analysis(7, "gnubg")
    assert any(line.startswith("doubtful, bad, very bad") for line in _printed(analysis, 80))
    assert "classes of GNU Backgammon: doubtful 0.030, bad 0.060, very bad 0.120" in conventions_line(analysis)
    assert any(line.startswith("errors, of these blunders") for line in _printed(_analysis(7), 80))


def test_a_table_that_the_engine_does_not_tell_is_said_to_be_unknown() -> None:
    analysis = _analysis(7)
    silent = replace(analysis, conventions=replace(analysis.conventions, met=""))
    assert "level quick, match equity table not known, luck" in conventions_line(silent)


def test_how_much_is_not_judged_stands_with_the_ratings_that_leave_it_out() -> None:
    analysis = _analysis(7)
    assert not any(line.startswith("  decisions not judged") for line in _printed(analysis, 110))
    first, second = analysis.players
    errors = first.errors
    assert errors is not None
    first = replace(first, errors=replace(errors, not_analysed=7))
    lines = _printed(replace(analysis, players=(first, second)), 110)
    (line,) = (line for line in lines if line.startswith("  decisions not judged"))
    of = 7 + errors.checker_decisions + errors.cube_decisions + errors.resignations
    assert line.split()[3:] == ["7", "of", str(of), "-"]
