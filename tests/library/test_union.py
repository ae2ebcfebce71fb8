"""A match is the union of its records, and each decision has the deepest verdict that any of them brings."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from analysed import judged
from records import made
from test_analysing import QUICK, STANDARD

import bgtools
from annotated import STYLES, analysed
from bgtools.comparison.entries import swap_players
from bgtools.library.joining import RecordGames, has_all
from bgtools.library.library import Library
from bgtools.library.recording import STANDINGS, day_in, standing_of
from bgtools.record.annotation import Level

if TYPE_CHECKING:
    from bgtools.record.record import Match

TABLES = ("games", "turns", "positions")


def written(path: Path, match: Match, to: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bgtools.convert(match, to=to, verify=False).data)
    return path


def bare(match: Match) -> Match:
    """The match without what anybody says of it."""
    return replace(
        match,
        games=tuple(
            replace(game, entries=tuple(replace(entry, annotation=None) for entry in game.entries))
            for game in match.games
        ),
    )


def cut(match: Match) -> Match:
    """The match up to some entries before the end of its last game."""
    last = match.games[-1]
    return replace(match, games=(*match.games[:-1], replace(last, entries=last.entries[:-3], results=())))


def rows(library: Library, name: str, *others: str) -> list[tuple[object, ...]]:
    """The rows of a table without the number of the record and some other columns."""
    without = ", ".join(("record", *others))
    return sorted(library.sql(f"SELECT * EXCLUDE ({without}) FROM {name}").fetchall(), key=str)


def without_origins(library: Library, name: str, *others: str) -> list[tuple[object, ...]]:
    if name == "games":
        columns = "game, score0, score1, crawford, ending, winner, points, level, cube, entries"
        return sorted(library.sql(f"SELECT {columns} FROM games").fetchall(), key=str)
    return rows(library, name, *others)


def whole(folder: Path, match: Match, to: str = "mat") -> Library:
    library = Library(folder / "expected")
    library.add([written(folder / "whole" / f"w.{to}", match, to)])
    return library


@cache
def long(number: int) -> Match:
    """A match of three games at least, of which the last is long."""
    matches = (made(seed, 5) for seed in range(40))
    found = (match for match in matches if len(match.games) >= 3 and len(match.games[-1].entries) > 20)
    return next(islice(found, number, None))


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("number", range(4))
def test_a_file_of_the_last_game_hides_nothing(tmp_path: Path, number: int, turned: bool) -> None:
    match = long(number)
    last = replace(match, games=match.games[-1:])
    library = Library(tmp_path / "library")
    library.add([
        written(tmp_path / "cut.mat", cut(match), "mat"),
        written(tmp_path / "last.mat", swap_players(last) if turned else last, "mat"),
    ])  # fmt: skip
    # Neither holds all of the match; the longer record goes first, so its players have the seats.
    expected = whole(tmp_path, match)
    for name in TABLES:
        # A game has its rows from the record that holds it: where the columns change sides, so does what a row holds.
        file = ("row",) if turned else ()
        assert without_origins(library, name, *file) == without_origins(expected, name, *file) != []
    numbered = library.sql(f"SELECT row FROM turns WHERE game = {len(match.games)} ORDER BY entry").fetchall()
    assert [row for (row,) in numbered] == list(bgtools.replay(bgtools.read(tmp_path / "last.mat"))[0].rows)
    head = "SELECT player0, player1, length, games, turns, score0, score1, winner, complete, errors FROM matches"
    assert library.sql(head).fetchall() == expected.sql(head).fetchall()
    assert library.sql("SELECT joined, records FROM matches").fetchall() == [(True, 2)]
    assert library.sql("SELECT count(*) FROM records").fetchall() == [(2,)]
    assert library.sql("SELECT count(*) FROM sources").fetchall() == [(2,)]


def test_a_hit_names_the_file_and_the_game_that_has_it(tmp_path: Path) -> None:
    match = long(0)
    last = replace(match, games=match.games[-1:])
    library = Library(tmp_path / "library")
    library.add([written(tmp_path / "cut.mat", cut(match), "mat"), written(tmp_path / "last.mat", last, "mat")])
    found = library.find(per="position", limit=None).hits
    assert {hit.path.rpartition("/")[2] for hit in found} == {"cut.mat", "last.mat"}
    for hit in found:
        record = bgtools.read(hit.path)
        game = next(game for game in record.games if game.number == hit.called)
        entry = game.entries[hit.entry - 1]
        dice = getattr(entry, "dice", None)
        assert (dice and tuple(sorted(dice))) == (hit.position.dice and tuple(sorted(hit.position.dice)))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_analyses_in_one_file_a_game_are_one_analysis(tmp_path: Path, seed: int) -> None:
    """In whatever order the files come, together or one by one."""
    match = analysed(long(seed), seed, STYLES[3])
    paths = [written(tmp_path / "in" / "match.mat", bare(match), "mat")]
    for number, game in enumerate(match.games):
        paths.append(written(tmp_path / "in" / f"{number}.sgf", replace(match, games=(game,)), "sgf"))
    expected = whole(tmp_path, match, "sgf")
    together = Library(tmp_path / "together")
    together.add(paths)
    single = Library(tmp_path / "single")
    random.Random(seed).shuffle(paths)
    for path in paths:
        single.add([path])
    valued = (
        "SELECT game, entry, kind, xgid, played, best, round(loss, 6), round(luck, 6), depth, standing, themes "
        "FROM decisions WHERE loss IS NOT NULL OR luck IS NOT NULL ORDER BY ALL"
    )
    told = expected.sql(valued).fetchall()
    assert len(told) > 50
    figures = (
        "SELECT name, xg_pr_counted, round(xg_pr, 4), round(luck_emg, 4), luck_rolls, round(snowie_er, 4), "
        "round(luck_adjusted_result_adjusted, 4) FROM totals ORDER BY name"
    )
    for library in (together, single):
        assert library.sql(valued).fetchall() == told
        assert library.sql(figures).fetchall() == expected.sql(figures).fetchall()
        assert library.sql("SELECT count(*), count(DISTINCT match) FROM analyses WHERE chosen").fetchall() == [(1, 1)]
        wrong = "SELECT count(*) FROM decisions d ANTI JOIN turns t USING (record, game, entry)"
        assert library.sql(wrong).fetchall() == [(0,)]
        assert library.sql(
            "SELECT count(*) FROM choices ANTI JOIN decisions USING (record, game, entry, kind)"
        ).fetchall() == [(0,)]
    assert {name: rows(together, name) for name in TABLES} == {name: rows(single, name) for name in TABLES}


def test_each_decision_has_the_deepest_verdict_whichever_came_first(tmp_path: Path) -> None:
    match = judged(3, ("Ann", "Bob"), length=3)
    text = written(tmp_path / "a.mat", bare(match), "mat")
    brought = written(tmp_path / "b.sgf", match, "sgf")
    told = []
    for name, deeds in (
        ("one", (text, QUICK, brought)),
        ("two", (brought, text, QUICK)),
        ("three", (text, brought, QUICK)),
    ):
        library = Library(tmp_path / name)
        for deed in deeds:
            if isinstance(deed, Path):
                library.add([deed])
            else:
                library.analyse(QUICK)
        told.append(
            library.sql("SELECT game, entry, kind, loss, standing, brought FROM decisions ORDER BY ALL").fetchall()
        )
        # A rollout of the record stands before the library's own quick look, which fills in what the record leaves out.
        found = dict(
            library.sql(
                "SELECT valued_by LIKE 'fixed%', min(standing) FROM decisions WHERE loss >= 0 GROUP BY 1"
            ).fetchall()
        )
        if name == "one":
            assert found == {False: found[False], True: STANDINGS["quick"]}
            assert found[False] > STANDINGS["quick"]
    assert [{row[:4] for row in rows} for rows in told[1:]] == [{row[:4] for row in told[1]}] * 2
    (first,) = [[row for row in told[0] if row[4] > STANDINGS["quick"]]]
    assert {row[:5] for row in first} <= {row[:5] for row in told[1]}


@pytest.mark.thorough
def test_a_shallow_file_keeps_no_analysis_away(tmp_path: Path) -> None:
    style = replace(STYLES[3], levels=(Level(name="0-ply"),) * 3)
    library = Library(tmp_path / "library")
    library.add([written(tmp_path / "a.sgf", analysed(long(0), 1, style), "sgf")])
    assert library.sql("SELECT DISTINCT standing FROM totals").fetchall() == [(standing_of("0-ply", "GNU"),)]
    assert library.analyse(STANDARD).matches == 1
    assert library.sql("SELECT DISTINCT standing FROM decisions WHERE loss >= 0").fetchall() == [
        (STANDINGS["standard"],)
    ]
    assert library.analyse(STANDARD).missing == 0


@pytest.mark.parametrize(
    ("depths", "engine"),
    [
        (("", "0-ply", "1-ply", "2-ply", "3-ply", "4-ply", "rollout"), "GNU Backgammon 1.08"),
        (
            ("", "1-ply", "2-ply", "3-ply", "4-ply", "XG Roller", "XG Roller+", "XG Roller++", "opening book",
             "rollout"),
            "eXtreme Gammon 2",
        ),
    ],
)  # fmt: skip
def test_depths_are_ranked_by_what_they_are(depths: tuple[str, ...], engine: str) -> None:
    ranks = [standing_of(depth, engine) for depth in depths]
    assert ranks == sorted(set(ranks))
    assert min(ranks) > 0


def test_plies_are_counted_alike() -> None:
    assert standing_of("2-ply", "GNU Backgammon 1.08") == standing_of("3-ply", "eXtreme Gammon 2.10")
    assert standing_of("0-ply", "GNU Backgammon") < STANDINGS["quick"] < standing_of("2-ply", "GNU Backgammon")
    assert standing_of("2-ply", "GNU Backgammon") < STANDINGS["standard"] < STANDINGS["deep"]


@pytest.mark.parametrize(
    ("best", "other", "enough"),
    [
        (("AB", "CD"), ("AB", "CD"), True),
        (("AB", "CD"), ("CD",), True),
        (("AB", "CD"), ("AB", "C"), True),
        (("AB", "CD"), ("CD", "AB"), False),
        (("AB", "CD"), ("AB", "CDE"), False),
        (("AB",), ("XY",), False),
        (("AB",), (), True),
    ],
)
def test_a_record_that_has_all_is_not_put_together(best: tuple[str, ...], other: tuple[str, ...], enough: bool) -> None:
    assert has_all(RecordGames(best, 0), [RecordGames(other, 0)]) is enough
    assert not has_all(RecordGames(best, 2), [RecordGames(other, 1)])


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2009Jan17.mat", "2009-01-17"), ("match 2009-01-17 final.sgf", "2009-01-17"), ("20090117_x.mat", "2009-01-17"),
        ("17 January 2009.mat", "2009-01-17"), ("2009.1.17.mat", "2009-01-17"), ("17-jan-2009.mat", "2009-01-17"),
        ("01-02-2009.mat", ""), ("20091317.mat", ""), ("2009Feb30.mat", ""), ("match 2009.mat", ""), ("a.mat", ""),
        ("2009Jan17 2010Feb18.mat", ""), ("12345678.mat", ""), ("2009-01-17 17Jan2009.mat", "2009-01-17"),
        ("game120090117.mat", ""), ("1899-01-17.mat", ""),
    ],
)  # fmt: skip
def test_a_plain_day_in_the_name_of_a_file_is_read(name: str, day: str) -> None:
    assert day_in(name) == day


@pytest.mark.parametrize("overlap", [0, 1])
@pytest.mark.parametrize("at_once", [False, True])
def test_parts_of_a_match_are_one_match_in_whatever_order_they_come(
    tmp_path: Path, overlap: int, at_once: bool
) -> None:
    match = long(1)
    one = written(tmp_path / "one.mat", replace(match, games=match.games[: 1 + overlap]), "mat")
    two = written(tmp_path / "two.sgf", replace(match, games=match.games[1:]), "sgf")
    stranger = written(tmp_path / "other.mat", replace(long(2), games=long(2).games[:1]), "mat")
    library = Library(tmp_path / "library")
    for paths in ([one, two, stranger],) if at_once else ([two], [stranger], [one]):
        library.add(paths)
    found = library.sql("SELECT games, complete FROM matches ORDER BY games DESC").fetchall()
    assert found == [(len(match.games), True), (1, False)]
