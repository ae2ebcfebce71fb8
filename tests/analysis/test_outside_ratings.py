"""Ratings that other packages add, found by their entry points."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.ratings import registry
from bgtools.analysis.ratings.registry import RATING_NAMES, RATINGS
from bgtools.analysis.ratings.rule import (
    Count,
    CountedDecisions,
    Counting,
    JudgedCubeAction,
    JudgedPlay,
    Rating,
    RatingResult,
    mean_loss,
)
from bgtools.cli import app
from bgtools.engines import registry as engine_registry
from bgtools.engines.registration import EngineKind
from bgtools.formats.reading import read
from bgtools.plugins import PluginWarning
from bgtools.reports.table_kinds import TABLES
from entry_points import offer
from fixed_engine import FixedEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.totals import Analysis

SAMPLE = Path(__file__).parents[2] / "samples" / "five-slips.mat"


def played(play: JudgedPlay) -> Count:
    return Count(len(play.equities) > 1, "a choice of plays")


def acted(cube: JudgedCubeAction) -> Count:
    return Count(False, "only plays count")


def per_hundred(counted: CountedDecisions) -> RatingResult:
    return mean_loss(counted.own, 100)


PLAYS = Counting(name="plays", checker_play=played, cube_action=acted)
EXAMPLE = Rating(name="example", title="loss of 100 plays, EMG", counting=PLAYS, figure=per_hundred, digits=3)


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Offers ratings to a registry that looks anew each time."""
    monkeypatch.setattr(registry, "all_ratings", registry.all_ratings.__wrapped__)
    return lambda **things: offer(monkeypatch, "ratings", **things)


def analysed() -> Analysis:
    return analyse(read(SAMPLE), FixedEngine(0.1, 0.3))


def test_a_rating_of_another_package_stands_beside_ours(offers: Callable[..., None]) -> None:
    ours = analysed()
    offers(example=EXAMPLE)
    found = analysed()
    for before, after in zip(ours.players, found.players, strict=True):
        assert before.ratings is not None
        assert after.ratings is not None
        assert list(after.ratings) == [*RATING_NAMES, "example"]
        assert after.ratings == {**before.ratings, "example": after.ratings["example"]}
        plays = [row for row in found.decisions if row.player == after.player and row.counted_by["plays"].counted]
        assert {row.kind for row in plays} == {"checker play"}
        assert after.ratings["example"] == RatingResult(0.0, 0.0, 0.0, len(plays), len(plays), "")
    assert {row.counted_by["plays"].why for row in found.decisions if row.kind == "no double"} == {"only plays count"}


def test_it_may_count_what_one_of_ours_counts(offers: Callable[..., None]) -> None:
    xg = RATINGS[0]
    offers(mine=replace(xg, name="mine"))
    (first, _) = analysed().players
    assert first.ratings is not None
    assert first.ratings["mine"] == first.ratings["xg_pr"]


def test_tables_have_no_columns_for_it(offers: Callable[..., None]) -> None:
    offers(example=EXAMPLE)
    names = {column.name for table in TABLES.values() for column in table.columns}
    assert {"xg_counted", "xg_pr", "player0_xg_pr"} <= names
    assert not [name for name in names if "example" in name or name.startswith("plays_")]


@pytest.mark.thorough
def test_a_report_prints_it_and_holds_it(
    offers: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offers(example=EXAMPLE)
    monkeypatch.setattr("bgtools.reports.summary.all_ratings", registry.all_ratings)
    kinds = {"sage": EngineKind(name="sage", title="", start=lambda *a, **b: FixedEngine(0.1, 0.3))}
    monkeypatch.setattr(engine_registry, "all_engines", lambda: kinds)
    done = CliRunner().invoke(app, ["report", str(SAMPLE), "-o", str(tmp_path / "it")])
    assert "loss of 100 plays, EMG" in done.stdout
    report = json.loads((tmp_path / "it" / "report.json").read_text("utf-8"))
    for totals in (report, *report["games"]):
        assert [player["ratings"]["example"]["value"] for player in totals["players"]] == [0.0, 0.0]


def fault(*asked: object) -> Any:
    raise ZeroDivisionError("a fault")


def wrong(*asked: object) -> Any:
    return 3.0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rating", "words"),
    [
        (replace(EXAMPLE, figure=fault), "a fault"),
        (replace(EXAMPLE, figure=wrong), "its figure is 3.0, and no RatingResult"),
        (replace(EXAMPLE, figure=lambda counted: RatingResult(float("nan"), None, 0, 1, 1, "")), "which is not finite"),
        (replace(EXAMPLE, counting=replace(PLAYS, checker_play=fault)), "a fault"),
        (replace(EXAMPLE, counting=replace(PLAYS, cube_action=fault)), "a fault"),
        (replace(EXAMPLE, counting=replace(PLAYS, checker_play=wrong)), "it says 3.0, and no Count"),
    ],
)
def test_a_rating_that_fails_is_named_and_left_out(offers: Callable[..., None], rating: Rating, words: str) -> None:
    ours = analysed()
    offers(example=rating)
    with pytest.warns(PluginWarning, match=f"the rating example is left out: .*{words}"):
        found = analysed()
    assert found.players == ours.players


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (ImportError("no module named c"), "broken .* is left out: no module named c"),
        (3, "3 is not a Rating"),
        (replace(EXAMPLE, name="a b"), "'a b' cannot be the name of a rating"),
        (replace(EXAMPLE, name="xg_pr"), "there is a rating xg_pr already"),
        (replace(EXAMPLE, counting=replace(PLAYS, name="xg")), "another rating counts by the name xg already"),
    ],
)
def test_what_is_no_rating_is_named_and_left_out(offers: Callable[..., None], thing: object, words: str) -> None:
    offers(broken=thing, example=EXAMPLE)
    with pytest.warns(PluginWarning, match=words):
        assert [rating.name for rating in registry.all_ratings()] == [*RATING_NAMES, "example"]
