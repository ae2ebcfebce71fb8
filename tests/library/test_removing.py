"""What leaves a library is what was asked for, and all that was made of it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from records import put
from test_analysing import QUICK
from test_union import cut, long, rows, written

import program
from annotated import STYLES, analysed
from bgtools.library.library import Library
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.record.record import Match


def fresh(folder: Path, *paths: Path) -> Library:
    library = Library(folder)
    library.add(paths)
    return library


def same(one: Library, two: Library) -> None:
    """Both hold the same; analyses and records in whichever order they came."""
    for name in one.tables:
        if name not in ("sources", "records", "field"):
            assert rows(one, name) == rows(two, name), name
    paths = "SELECT path, matches, content IS NULL FROM stored.sources ORDER BY ALL"
    assert [row[0] for row in one.sql(paths).fetchall()] == [row[0] for row in two.sql(paths).fetchall()]


@pytest.fixture
def match() -> Match:
    return analysed(long(0), 0, STYLES[3])


def test_a_file_leaves_with_all_that_is_its_own(tmp_path: Path) -> None:
    one, two, three = put(tmp_path / "in", 1, 2, 3, length=1)
    library = fresh(tmp_path / "library", one, two, three)
    library.analyse(QUICK)
    told = library.remove([two], really=False)
    assert (len(told.paths), len(told.records), told.matches, told.analysed) == (1, 1, 1, 1)
    assert library.count == 3
    assert library.remove([two]) == told
    expected = fresh(tmp_path / "expected", one, three)
    expected.analyse(QUICK)
    same(library, expected)
    assert library.check().damaged == []
    for name in ("games", "turns", "positions", "findings", "decisions", "choices", "totals"):
        left = f"SELECT count(*) FROM stored.{name} ANTI JOIN stored.matches USING (record)"
        assert library.sql(left).fetchall() == [(0,)]
    assert library.add([two]).matches == 1


@pytest.mark.thorough
def test_a_part_of_a_joined_match_leaves_the_other(tmp_path: Path, match: Match) -> None:
    first = written(tmp_path / "cut.sgf", cut(match), "sgf")
    last = written(tmp_path / "last.sgf", replace(match, games=match.games[-1:]), "sgf")
    library = fresh(tmp_path / "library", first, last)
    assert library.sql("SELECT joined FROM matches").fetchall() == [(True,)]
    told = library.remove([last])
    assert (len(told.records), told.matches) == (1, 0)
    same(library, fresh(tmp_path / "expected", first))
    assert library.sql("SELECT count(*) FROM stored.matches").fetchall() == [(1,)]
    assert library.sql("SELECT count(*) FROM stored.sources").fetchall() == [(1,)]


@pytest.mark.thorough
def test_a_match_leaves_with_all_its_records(tmp_path: Path, match: Match) -> None:
    (other,) = put(tmp_path / "in", 30, length=1)
    paths = [written(tmp_path / f"a.{to}", match, to) for to in ("mat", "sgf")]
    library = fresh(tmp_path / "library", *paths, other)
    ((number,),) = library.sql("SELECT record FROM matches WHERE records = 2").fetchall()
    told = library.remove(match=number)
    assert sorted(each.path for each in told.paths) == sorted(map(str, paths))
    same(library, fresh(tmp_path / "expected", other))
    with pytest.raises(LibraryError, match="there is no match"):
        library.remove(match=number)


def test_another_path_of_the_same_file_keeps_its_records(tmp_path: Path) -> None:
    (path,) = put(tmp_path / "in", 1, length=1)
    again = tmp_path / "again.mat"
    shutil.copy(path, again)
    library = fresh(tmp_path / "library", path, again)
    told = library.remove([path])
    assert (told.records, told.paths[0].elsewhere) == (frozenset(), True)
    assert library.count == 1
    assert library.sql("SELECT path, content IS NULL, matches FROM stored.sources").fetchall() == [
        (str(again), False, 1)
    ]
    library.remove([again])
    assert library.count == 0
    assert library.sql("SELECT count(*) FROM stored.turns").fetchall() == [(0,)]


def test_a_folder_means_what_is_below_it_and_nothing_beside_it(tmp_path: Path) -> None:
    inner, beside = put(tmp_path / "in", 1, length=1), put(tmp_path / "inner", 2, length=1)
    library = fresh(tmp_path / "library", *inner, *beside)
    assert [each.path for each in library.remove([tmp_path / "in"]).paths] == [str(inner[0])]
    with pytest.raises(LibraryError, match="has no file"):
        library.remove([tmp_path / "in"])
    assert library.count == 1


def test_a_file_of_several_matches_is_not_taken_apart(tmp_path: Path) -> None:
    one, two = (path.read_bytes() for path in put(tmp_path / "in", 1, 2, length=1))
    (tmp_path / "both.mat").write_bytes(one + b"\n\n" + two)
    library = fresh(tmp_path / "library", tmp_path / "both.mat")
    assert library.count == 2
    number = library.sql("SELECT min(record) FROM matches").fetchall()[0][0]
    with pytest.raises(LibraryError, match="other matches too"):
        library.remove(match=number)
    assert library.count == 2


@pytest.mark.thorough
def test_the_command_says_first_what_would_leave(tmp_path: Path) -> None:
    (path,) = put(tmp_path / "in", 1, length=1)
    library = fresh(tmp_path / "library", path)
    asked = ("library", "remove", str(path), "--library", library.location)
    done = program.bgtools(*asked)
    assert (done.returncode, done.stdout) == (0, f"{path}: 1 record\n")
    assert "would be removed" in done.stderr
    assert library.count == 1
    done = program.bgtools(*asked, "--yes")
    assert "1 file with 1 record, 1 match that no other record tells of removed" in done.stderr
    assert Library(library.location).count == 0
    assert program.bgtools(*asked, "--yes").returncode == 2
    assert program.bgtools("library", "remove", "--library", library.location).returncode == 2
