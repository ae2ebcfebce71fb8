"""Analysing a library: what is missing, what is kept, and in which order."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from records import files_of, made, ready

import bgtools
from annotated import analysed
from bgtools.engines.protocol import Stamp
from bgtools.library import analysing, compaction
from bgtools.library.analysing import AnalyseTask, Stored, Valuing, analyse_records
from bgtools.library.library import Library
from bgtools.library.recording import STANDINGS
from bgtools.library.storage import LibraryError
from fixed_engine import FixedEngine
from selfplay import random_match

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Fixed(Valuing):
    """An engine whose answers are given beforehand, at whatever level."""

    def started(self) -> Any:
        engine = FixedEngine(0.1, 0.2)
        engine.stamp = Stamp("fixed", "1.0", self.level, "even")
        return engine


QUICK, STANDARD = Fixed(level="quick"), Fixed(level="standard")


def late(seed: int) -> bytes:
    """A short record."""
    return bgtools.convert(random_match(seed, 1, set_positions=True), to="mat", verify=False).data


def of_five(folder: Path) -> None:
    (folder / "in").mkdir()
    for seed in range(5):
        (folder / "in" / f"{seed}.mat").write_bytes(late(seed))
    Library(folder / "library").add([folder / "in"])


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return ready(tmp_path, of_five)


def test_what_is_missing_is_filled_in_once(library: Library) -> None:
    first = library.analyse(QUICK, where="record % 2 = 0")
    evens = library.sql("SELECT count(*) FROM matches WHERE record % 2 = 0").fetchall()[0][0]
    assert (first.missing, first.matches) == (evens, evens)
    second = library.analyse(QUICK)
    assert (second.missing, second.matches) == (5 - evens, 5 - evens)
    assert library.analyse(QUICK).missing == 0
    assert library.sql("SELECT count(*), count(DISTINCT match), min(standing) FROM analyses").fetchall() == [
        (5, 5, STANDINGS["quick"])
    ]


@pytest.mark.thorough
@pytest.mark.skipif(importlib.util.find_spec("bgsage") is None, reason="the engine is not installed")
def test_figures_are_those_of_a_report(tmp_path: Path) -> None:
    of_five(tmp_path)
    library, path = Library(tmp_path / "library"), tmp_path / "in" / "3.mat"
    library.analyse(Valuing("sage", "quick"), where=f"source = (SELECT source FROM sources WHERE path = '{path}')")
    expected = bgtools.analyse(path, "sage", level="quick").analysis.decisions
    stored = library.sql("SELECT entry, kind, played, best, round(loss, 6) FROM decisions").fetchall()
    told = [(each.entry, each.kind, each.played, each.best, each.loss and round(each.loss, 6)) for each in expected]
    assert sorted(stored, key=str) == sorted(told, key=str)
    assert library.sql("SELECT DISTINCT engine LIKE 'sage%quick%' FROM analyses").fetchall() == [(True,)]


def test_a_deeper_analysis_stands_before_a_shallower_one(library: Library) -> None:
    library.analyse(QUICK)
    chosen = library.sql("SELECT record FROM matches ORDER BY record LIMIT 1").fetchall()[0][0]
    library.analyse(STANDARD, where=f"record = {chosen}")
    assert library.sql("SELECT standing FROM analyses WHERE chosen ORDER BY ALL").fetchall() == [
        (STANDINGS["quick"],)
    ] * 4 + [(STANDINGS["standard"],)]
    assert library.sql("SELECT count(*) FROM analyses").fetchall() == [(6,)]
    once = "SELECT count(*) = count(DISTINCT (record, entry, game, kind, player)) FROM decisions"
    assert library.sql(once).fetchall() == [(True,)]
    assert library.analyse(QUICK).missing == 0


def test_an_analysis_of_the_record_itself_is_not_missing(tmp_path: Path) -> None:
    path = tmp_path / "analysed.sgf"
    path.write_bytes(bgtools.convert(analysed(made(1), 1), to="sgf", verify=False).data)
    library = Library(tmp_path / "library")
    library.add([path])
    assert library.analyse(QUICK).missing == 0


def test_matches_are_analysed_whose_files_are_gone(library: Library, tmp_path: Path) -> None:
    for path in (tmp_path / "in").iterdir():
        path.unlink()
    assert library.analyse(QUICK, where="number = 1").matches == 5


def test_no_time_begins_nothing(library: Library) -> None:
    before = library.state
    done = library.analyse(QUICK, seconds=1e-9)
    assert (done.missing, done.matches) == (5, 0)
    assert library.state == before


@pytest.mark.thorough
def test_two_at_once_double_nothing(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    from bgtools.library import manifest

    real, begun = manifest.commit, list[bool]()

    def late_commit(*arguments: object) -> object:
        if not begun:
            begun.append(True)
            Library(library.location).analyse(QUICK, where="record % 3 = 0")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(manifest, "commit", late_commit)
    library.analyse(QUICK)
    assert library.sql("SELECT count(*), count(DISTINCT match) FROM analyses").fetchall() == [(5, 5)]
    assert library.sql("SELECT count(*) FROM stored.totals").fetchall() == [(10,)]


@pytest.mark.thorough
def test_several_processes_give_the_same_rows(tmp_path: Path) -> None:
    of_five(tmp_path)
    library, other = Library(tmp_path / "library"), Library(tmp_path / "other")
    other.add([tmp_path / "in"])
    library.analyse(QUICK)
    other.analyse(QUICK, jobs=2)
    assert files_of(tmp_path / "library") == files_of(tmp_path / "other")


def test_a_wrong_condition_is_told(library: Library) -> None:
    for where in ("length >", "nonsense = 1", "true); DROP VIEW turns; --"):
        with pytest.raises(LibraryError):
            library.analyse(QUICK, where=where)


def test_what_cannot_be_analysed_is_told_and_the_rest_is_kept(library: Library) -> None:
    good = Stored(1, 1, "good.mat", late(1))
    done = analyse_records(AnalyseTask(library.location, QUICK, (Stored(2, 1, "bad.mat", b"nonsense"), good)))
    assert done.matches == 1
    assert [path for path, _ in done.problems] == ["bad.mat"]


@pytest.mark.thorough
def test_files_of_analyses_are_put_together_while_others_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "MATCHES", 1)
    for seed in range(6):
        (tmp_path / f"{seed}.mat").write_bytes(late(seed))
    rows = "SELECT record, game, entry, kind, loss FROM decisions ORDER BY ALL"
    told = []
    monkeypatch.setattr(analysing, "compact_end", lambda _, state: state)
    for many in (99, 2):
        monkeypatch.setattr(compaction, "RUNS", many)
        monkeypatch.setattr(compaction, "_MANY", many)
        library = Library(tmp_path / f"library{many}")
        library.add(sorted(tmp_path.glob("*.mat")))
        library.analyse(QUICK)
        told.append(library.sql(rows).fetchall())
        assert len(library.state.of("totals")) == (6 if many == 99 else 1)
        assert library.check().damaged == []
    assert told[0] == told[1]
    assert len(told[0]) > 6


@pytest.mark.thorough
@pytest.mark.parametrize("full", [1000, 2_000_000])
def test_the_same_analyses_are_the_same_files_however_they_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: int
) -> None:
    for seed in range(8):
        (tmp_path / f"{seed}.mat").write_bytes(late(seed))
    monkeypatch.setattr(compaction, "FULL", {**compaction.FULL, "choices": full})
    # At once; one after the other, put together by twos, with two that ended before their end.
    for name, matches, many, ended in (("one", 4, 32, ()), ("two", 1, 2, ("record % 3 = 0", "record % 3 = 1"))):
        monkeypatch.setattr(analysing, "MATCHES", matches)
        monkeypatch.setattr(compaction, "RUNS", many)
        monkeypatch.setattr(compaction, "_MANY", many)
        library = Library(tmp_path / name)
        library.add(sorted(tmp_path.glob("*.mat")))
        with monkeypatch.context() as killed:
            killed.setattr(analysing, "compact_end", lambda _, state: state)
            for where in ended:
                library.analyse(QUICK, where=where)
        library.analyse(QUICK)
        assert library.check(clean=True).damaged == []
        once = "SELECT count(*) = count(DISTINCT (record, entry, game, kind, player)) FROM decisions"
        assert library.sql(once).fetchall() == [(True,)]
    if full > 1000:
        assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert (len(library.state.of("choices")) > 1) == (full == 1000)


@pytest.mark.thorough
def test_a_search_opens_only_the_files_of_what_it_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(3):
        (tmp_path / f"{seed}.mat").write_bytes(late(seed))
    monkeypatch.setattr(analysing, "MATCHES", 1)
    monkeypatch.setattr(compaction, "FULL", dict.fromkeys(compaction.FULL, 1))
    library = Library(tmp_path / "library")
    library.add(sorted(tmp_path.glob("*.mat")))
    library.analyse(QUICK)
    hit = library.find(limit=1).hits[0]
    assert hit.decision is not None
    assert hit.decision.choices
    # The first file of each table says what its columns are.
    rest = [file for name in ("decisions", "choices") for file in library.state.of(name)[1:]]
    bounds = [(file, file.first or 0, file.last or 0) for file in rest]
    others = [file for file, first, last in bounds if not first <= hit.record <= last]
    assert {file.table for file in others} == {"decisions", "choices"}
    for file in others:
        (tmp_path / "library" / file.path).write_bytes(b"nonsense")
    (again,) = Library(library.location).find(limit=1).hits
    assert again == hit
    assert again.decision == hit.decision


def test_the_costliest_decision_of_a_position_is_told(library: Library) -> None:
    library.analyse(QUICK)
    wrong = (
        "SELECT record, game, entry FROM decisions WHERE kind IN ('checker play', 'no double', 'double') AND loss >= 0 "
        "GROUP BY ALL HAVING count(*) FILTER (costliest) <> 1 OR max(loss) <> max(loss) FILTER (costliest)"
    )
    assert library.sql(wrong).fetchall() == []
    several = (
        "SELECT count(*) > count(DISTINCT (record, game, entry)) FROM decisions WHERE kind NOT IN ('take', 'pass')"
    )
    assert library.sql(several).fetchall() == [(True,)]
    others = "SELECT count(*) FROM decisions WHERE costliest AND (loss IS NULL OR kind IN ('take', 'pass', 'resign'))"
    assert library.sql(others).fetchall() == [(0,)]


@pytest.mark.thorough
def test_what_cannot_be_sorted_is_kept_as_it_came(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "MATCHES", 1)
    monkeypatch.setattr(compaction, "_MEMORY", "nonsense")
    assert library.analyse(QUICK).matches == 5
    assert len(library.state.of("totals")) == 5
    monkeypatch.undo()
    library.tidy()
    assert len(library.state.of("totals")) == 1
    assert library.sql("SELECT count(*) FROM analyses").fetchall() == [(5,)]


@pytest.mark.thorough
def test_what_records_bring_along_is_not_doubled_when_their_tables_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "analysed.sgf"
    path.write_bytes(bgtools.convert(analysed(made(1), 1), to="sgf", verify=False).data)
    (tmp_path / "other.mat").write_bytes(late(1))
    library = Library(tmp_path / "library")
    library.add([path, tmp_path / "other.mat"])
    library.analyse(QUICK)
    before = library.sql("SELECT * FROM stored.decisions ORDER BY ALL").fetchall()
    (damaged,) = library.state.of("games")
    (tmp_path / "library" / damaged.path).write_bytes(b"")
    assert library.check(rebuild=True).rebuilt == 2
    assert library.check().damaged == []
    assert library.sql("SELECT * FROM stored.decisions ORDER BY ALL").fetchall() == before
