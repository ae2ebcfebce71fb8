"""The players of a library: their figures against those that are computed otherwise, and what sets them apart."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import analysed
import pytest
from analysed import PLAYED, course, multiplied, put_judged
from records import made, put

import bgtools
from bgtools.analysis.blunders import DecisionFilter, blunders_of
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.pooling import parts_of, pooled
from bgtools.analysis.statistics import FEW_DECISIONS, Sums, interval_of_losses
from bgtools.engines.registry import create
from bgtools.library.aliases import is_nobody, is_program
from bgtools.library.analysing import Valuing
from bgtools.library.library import Library
from bgtools.library.storage import LibraryError
from bgtools.replayer.match import replay
from program import bgtools as run

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.analysis.breakdowns import AnalysisPart
    from bgtools.analysis.totals import Analysis


judged_files = analysed.judged_files
small = analysed.small
many = analysed.many


@cache
def _analysis_of(path: Path) -> Analysis:
    match = bgtools.read(path)
    games, parts = replay(match), cast("list[AnalysisPart]", ["lessons"])
    return analyse(match, create("file", match=match, games=games), games=games, parts=parts)


@pytest.fixture
def analyses(judged_files: list[Path]) -> list[Analysis]:
    return [_analysis_of(path) for path in judged_files]


@pytest.mark.thorough
def test_figures_are_those_that_the_command_ratings_pools(small: Library, judged_files: list[Path]) -> None:
    done = run("ratings", *map(str, judged_files), "--engine", "file", "--format", "json")
    told = {each["name"]: each for each in json.loads(done.stdout)["players"]}
    assert {each.name for each in small.players_table()} == told.keys() == {"Ann", "Bob", "Cara"}
    for own in small.players_table():
        other = told[own.name]
        assert own.matches == own.analysed == other["matches"]
        rating = other["ratings"]["xg_pr"]
        assert own.pr.counted == rating["counted"]
        for name in ("value", "low", "high"):
            assert getattr(own.pr, name) == pytest.approx(rating[name], abs=1e-4), name
        assert own.luck.rolls == other["rolls"]
        for name in ("luck", "luck_low", "luck_high"):
            assert getattr(own.luck, name) == pytest.approx(other[name], abs=1e-4), name
    assert small.player("Ann").summary.pr.low is not None


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(
    ("dimension", "value"),
    [
        ("month", "2024-03"), ("event", "Open"), ("event", "Random match 3"), ("month", ""),
        ("opponent", "Bob"), ("length", "1"),
        ("phase", "contact"), ("decision", "checker play"), ("theme", "hit"),
    ],
)  # fmt: skip
def test_a_share_is_what_those_matches_or_decisions_give(
    small: Library, analyses: list[Analysis], dimension: str, value: str
) -> None:
    """Each is computed from the rows of the analyses, one by one."""
    events = [("2024-03", "Open"), ("2024-04", "Open"), ("", "Random match 3")]
    lost: list[float] = []
    matches = 0
    for analysis, (month, event) in zip(analyses, events, strict=True):
        if "Ann" not in analysis.match.players:
            continue
        seat = analysis.match.players.index("Ann")
        of_match = {"month": month, "event": event, "opponent": analysis.match.players[1 - seat], "length": "1"}
        rows = [
            row
            for row in analysis.decisions
            if row.player == seat
            and (
                of_match.get(dimension) == value
                or {"phase": row.phase, "decision": row.kind}.get(dimension) == value
                or (dimension == "theme" and value in row.themes)
            )
        ]
        counted = [750 * (row.loss or 0) for row in rows if row.counted_by["xg"].counted]
        matches += bool(counted)
        lost += counted
    (share,) = (
        each for each in small.player("Ann", most=None).shares if (each.dimension, each.value) == (dimension, value)
    )
    assert (share.matches, share.pr.counted) == (matches, len(lost))
    assert share.pr.value == pytest.approx(sum(lost) / len(lost))
    interval = interval_of_losses(Sums.of(lost))
    assert (share.pr.low is None) == (interval is None) == (len(lost) < FEW_DECISIONS)
    if interval is not None:
        assert (share.pr.low, share.pr.high) == pytest.approx([bound / len(lost) for bound in interval])


def test_the_worst_decisions_are_whole(small: Library, analyses: list[Analysis], judged_files: list[Path]) -> None:
    """They come back from the tables as the analysis made them."""
    found = small.player("ann", top=5).worst
    assert len(found) == 5
    everything = [
        blunder
        for path, analysis in zip(judged_files, analyses, strict=True)
        for blunder in blunders_of(analysis, str(path), 1, DecisionFilter(players=("Ann",)))
    ]
    assert found[0].loss == max(each.loss for each in everything)
    assert {each.date for each in found} >= {"2024-03-01"}
    assert all(one.loss >= other.loss for one, other in pairwise(found))
    for blunder in found:
        (same,) = (
            each for each in everything if each.row.xgid == blunder.row.xgid and each.row.kind == blunder.row.kind
        )
        assert replace(blunder, date="") == same


def test_results_are_those_of_the_totals(small: Library, analyses: list[Analysis]) -> None:
    adjusted = [
        total.luck_adjusted_result
        for analysis in analyses
        for total in analysis.players
        if total.name == "Ann" and total.luck_adjusted_result is not None
    ]
    results = small.player("Ann").results
    assert sum(each.matches for each in results) == len(adjusted)
    for each in results:
        assert each.actual == pytest.approx(sum(one.actual for one in adjusted))
        assert each.adjusted == pytest.approx(sum(one.adjusted for one in adjusted))


def test_two_players_against_each_other(small: Library, analyses: list[Analysis]) -> None:
    versus = small.versus("Ann", "Bob")
    both = {each.name: each for each in pooled(part for one in analyses[:2] for part in parts_of(one))}
    assert versus.names == ("Ann", "Bob")
    assert versus.matches == 2 == sum(versus.won)
    for at, name in enumerate(versus.names):
        assert versus.pr[at].value == pytest.approx(both[name].ratings["xg_pr"].value)
        assert versus.luck[at].luck == pytest.approx(both[name].luck)
    assert [each.date for each in versus.meetings] == ["2024-04-02", "2024-03-01"]
    assert versus.chance is None
    seen = small.versus("Bob", "Ann")
    assert (seen.won, seen.pr, seen.luck) == (versus.won[::-1], versus.pr[::-1], versus.luck[::-1])


def test_who_is_meant_is_told_in_any_case_and_who_is_not_there_too(small: Library) -> None:
    assert small.player("aNN").summary.name == "Ann"
    for name, said in (("Anne", "did you mean Ann"), ("Zoë", "no player is named Zoë; there are: ")):
        with pytest.raises(LibraryError, match=said):
            small.player(name)
    with pytest.raises(LibraryError, match="have not met"):
        small.versus("Bob", "Cara")
    with pytest.raises(LibraryError, match="are one player"):
        small.versus("Bob", "bob")


# --- many matches -------------------------------------------------------------------------------


def test_a_weakness_is_found_where_it_is_and_only_there(many: Library) -> None:
    found = many.player("Zed").standings
    phases = {each.value: each.verdict for each in found if each.dimension == "phase"}
    assert phases["opening"] == "weakness"
    assert {*phases.values()} == {"weakness", ""}
    for each in found:
        assert each.corrected >= each.chance
        assert (each.corrected < 0.05) == bool(each.verdict)
        assert (each.cost > 0) == (each.pr > each.field_pr)


@pytest.mark.thorough
def test_even_players_are_told_apart_nowhere(small: Library, tmp_path: Path) -> None:
    for seed in range(4):
        even = multiplied(small, tmp_path / str(seed), course(random.Random(seed), 40), seed=seed)
        found = even.player("Zed").standings
        assert len(found) > 8
        assert {each.verdict for each in found} == {""}


def test_a_standing_is_what_the_rows_give(many: Library) -> None:
    """The same from the rows one by one, with the chance by drawing."""
    import numpy as np

    rows = many.sql(
        "SELECT d.match, d.player, d.name, d.loss FROM decisions d WHERE xg_counted AND phase = 'contact'"
    ).fetchall()
    units: dict[tuple[int, int], list[float]] = {}
    own: set[tuple[int, int]] = set()
    for match, player, name, loss in rows:
        units.setdefault((match, player), []).append(750 * loss)
        if name == "Zed":
            own.add((match, player))
    (told,) = (each for each in many.player("Zed").standings if (each.dimension, each.value) == ("phase", "contact"))
    mine = [loss for key in own for loss in units[key]]
    rest = [loss for key in units.keys() - own for loss in units[key]]
    assert (told.decisions, told.field_decisions) == (len(mine), len(rest))
    assert (told.pr, told.field_pr) == pytest.approx((np.mean(mine), np.mean(rest)))
    assert told.cost == pytest.approx((told.pr - told.field_pr) * len(mine) / many.player("Zed").summary.pr.counted)
    rate = np.mean([*mine, *rest])
    keys = sorted(units)
    figures = np.array([sum(units[key]) - rate * len(units[key]) for key in keys])
    found = abs(sum(figure for key, figure in zip(keys, figures, strict=True) if key in own))
    rng = np.random.default_rng(3)
    drawn = np.array([abs(rng.permutation(figures)[: len(own)].sum()) for _ in range(4000)])
    assert told.chance == pytest.approx(float((drawn >= found).mean()), abs=0.03)


def test_a_career_that_gets_worse_is_told_and_one_that_does_not_is_not(small: Library, tmp_path: Path) -> None:
    steady = course(random.Random(8), 40)
    worse = [replace(each, worse=(0.2 + at / 10,) * 2) for at, each in enumerate(steady)]
    for number, (matches, rising) in enumerate(((steady, False), (worse, True))):
        trend = multiplied(small, tmp_path / str(number), matches).trend("Zed")
        assert trend.chance is not None
        assert (trend.chance < 0.01) == rising
        assert ("rose" in trend.sentence) == rising
        assert ("no change" in trend.sentence) != rising
        assert sum(each.matches for each in trend.points) == trend.matches == 40
        assert [each.label for each in trend.points] == sorted({each.date[:7] for each in matches})
        assert trend.whole.counted == sum(each.pr.counted for each in trend.points)


@pytest.mark.thorough
def test_a_rolling_course_has_so_many_matches_to_a_point(many: Library) -> None:
    trend = many.trend("Zed", window=10)
    assert {each.matches for each in trend.points} == {10}
    assert len(trend.points) == 51
    days = [str(day) for (day,) in many.sql("SELECT date FROM matches ORDER BY date, record").fetchall()]
    assert [(each.first, each.last) for each in trend.points] == [(days[at], days[at + 9]) for at in range(51)]
    too_wide = many.trend("Zed", window=61)
    assert too_wide.points == ()
    assert too_wide.sentence == "Analysed matches with a day: 60, fewer than the 61 that make a point."
    with pytest.raises(ValueError, match="one match or more"):
        many.trend("Zed", window=0)


@pytest.mark.thorough
def test_the_last_months_and_the_most_played_opponents_are_shown(many: Library) -> None:
    career, whole = many.player("Zed", most=4), many.player("Zed", most=None)
    of: dict[str, list[Any]] = {}
    for each in whole.shares:
        of.setdefault(each.dimension, []).append(each)
    assert whole.left_out == {}
    long = {name: len(each) for name, each in of.items() if len(each) > 4 and name not in ("phase", "decision")}
    assert career.left_out == {name: count - 4 for name, count in long.items()}
    assert [each for each in career.shares if each.dimension == "month"] == of["month"][-4:]
    assert [each for each in career.shares if each.dimension == "opponent"] == of["opponent"][:4]
    assert [each.matches for each in of["opponent"]] == sorted((each.matches for each in of["opponent"]), reverse=True)


@pytest.mark.thorough
def test_players_are_ordered_and_limited(many: Library) -> None:
    everyone = many.players_table()
    assert everyone[0].name == "Zed"
    assert [each.matches for each in everyone] == sorted((each.matches for each in everyone), reverse=True)
    assert [each.name for each in many.players_table(order="name")] == sorted(each.name for each in everyone)
    by_pr = [each.pr.value for each in many.players_table(order="pr", limit=5)]
    assert by_pr == sorted(each.pr.value for each in everyone)[:5]  # type: ignore[type-var]
    by_luck = [each.luck.luck for each in many.players_table(order="luck")]
    assert by_luck == sorted(by_luck, reverse=True)  # type: ignore[type-var]
    assert {each.name for each in many.players_table(min_matches=8)} == {
        each.name for each in everyone if each.matches >= 8
    }


def test_a_library_without_analyses_has_players_all_the_same(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    library.add(put(tmp_path / "in", 1, 2, 5))
    found = {each.name: each for each in library.players_table()}
    assert {name: each.matches for name, each in found.items()} == {"Bob": 2, "Cara": 3, "Dan": 1}
    career = library.player("Bob")
    assert career.summary.pr.value is None
    assert (career.standings, career.worst, career.results, career.engines) == ((), (), (), ())
    assert {each.pr.value for each in career.shares} == {None}
    assert library.trend("Bob").points == ()
    assert library.trend("Bob").sentence == "No analysed match tells its day."
    assert library.versus("Bob", "Cara").chance is None


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["", " ", "?", "Player 1", "player2", "PLAYER 2", "Spieler 1", "プレーヤー 2", "Red", "grün", "赤", "gnubg",
     "GNUBG 2-ply", "GNU Backgammon",
     "XG", "XG-Intermediate", "eXtreme Gammon 2", "BGBlitz", "Snowie 4", "bgsage", "Computer",
     "You"],
)  # fmt: skip
def test_names_that_are_nobodys(name: str) -> None:
    assert is_nobody(name)


@pytest.mark.parametrize(
    "name", ["Ann", "Redmond", "Xgavier", "Playerson 1", "Blanca", "Jo", "李", "gnubger", "Guestav"]
)
def test_names_that_are_somebodys(name: str) -> None:
    assert not is_nobody(name)
    assert not is_program(name)


# --- several engines ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_engines(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Matches that bring an analysis along, and one that was analysed here."""
    folder = tmp_path_factory.mktemp("engines")
    paths = [put_judged(folder / f"{number}.sgf", match) for number, match in enumerate(PLAYED[:2])]
    plain = folder / "plain.mat"
    plain.write_bytes(bgtools.convert(replace(made(9, 1), players=("Ann", "Bob")), to="mat", verify=False).data)
    library = Library(folder / "library")
    library.add([*paths, plain])
    library.analyse(Valuing(level="quick"))
    return library


@pytest.mark.thorough
def test_a_rating_that_several_engines_make_is_told_by_engine(two_engines: Library) -> None:
    career = two_engines.player("Ann")
    shares = [each for each in career.shares if each.dimension == "engine"]
    assert {(each.value, each.matches) for each in shares} == {*career.engines}
    assert sorted(count for _, count in career.engines) == [1, 2]
    assert sum(each.pr.counted for each in shares) == career.summary.pr.counted
    told = sum((each.pr.value or 0) * each.pr.counted for each in shares) / career.summary.pr.counted
    assert career.summary.pr.value == pytest.approx(told)
    assert two_engines.versus("Ann", "Bob").engines == career.engines
    assert two_engines.trend("Ann").engines == career.engines


def test_a_rating_of_one_engine_has_no_table_of_engines(small: Library) -> None:
    assert "engine" not in {each.dimension for each in small.player("Ann").shares}


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", [("player", "Ann"), ("versus", "Ann", "Bob"), ("trend", "Ann"), ("players",)])
def test_every_command_says_that_engines_differ(two_engines: Library, arguments: tuple[str, ...]) -> None:
    done = run("library", *arguments, "--library", two_engines.location)
    assert done.returncode == 0
    assert "find different losses" in (done.stdout + done.stderr).replace("\n", " ")


def test_the_columns_of_a_player_add_up(small: Library) -> None:
    players = small.players_table(everybody=True)
    assert players
    for each in players:
        assert each.matches == each.won + each.lost + each.unfinished + each.money
