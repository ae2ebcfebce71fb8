"""Whose library it is: said once, known everywhere; and what asks nobody's names and unknown ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysed import judged, put_judged
from records import put, ready

import program
from bgtools.library.aliases import is_nobody
from bgtools.library.library import Library
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "", " ", "?", "Player 1", "player_2", "PLAYER", "Rot", "white", "Me", "GNU Backgammon 1.08", "gnubg", "XG", "xg2",
    "eXtreme Gammon 2.10", "Xgeorge", "Ann", "Player One", "Игрок 1", "Ö", "赤", "bgblitz-x", "bgblitzer", "None", "X",
    "Ana María", "guest12", "userx", "...", "a\nb", "xg\nb",
]  # fmt: skip


def of_three(folder: Path) -> None:
    Library(folder / "library").add([
        put_judged(folder / "1.sgf", judged(1, ("Ann", "Bob"), date="2024-03-01")),
        put_judged(folder / "2.sgf", judged(4, ("Bob", "Ann"), date="2024-04-01")),
        put_judged(folder / "3.sgf", judged(3, ("Cara", "Player 2"))),
    ])  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return ready(tmp_path, of_three)


def test_sql_knows_nobody_as_python_does(library: Library) -> None:
    found = library.connection.execute(
        "SELECT list_transform(?::VARCHAR[], lambda name: is_nobody(name))", [NAMES]
    ).fetchall()[0][0]
    assert dict(zip(NAMES, found, strict=True)) == {name: is_nobody(name) for name in NAMES}
    assert 5 < sum(found) < len(NAMES) - 5


def test_who_is_me_is_said_once(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LibraryError, match="nobody has said who is me"):
        library.player("me")
    assert library.say_me("Ann") == "Ann"
    again = Library(library.location)
    assert again.player("me").summary.name == again.player("Ann").summary.name == "Ann"
    assert again.trend("me").name == "Ann"
    assert again.versus("Me", "Bob").names == ("Ann", "Bob")
    mine = again.find(player="me", per="position", limit=None)
    assert {hit.position.names[0] for hit in mine.hits} == {"Ann"}
    assert mine.positions == again.find(player="Ann").positions > 0
    assert again.say_me("Ann", "Bob") == "Bob"
    assert again.player("me").summary.name == "Bob"
    monkeypatch.setenv("BGTOOLS_ME", "Cara")
    assert Library(library.location).player("me").summary.name == "Cara"


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(
    ("name", "reason"), [("Player 2", "nobody's name"), ("ann", "did you mean 'Ann'"), ("Zed", "no record")]
)
def test_nobody_and_strangers_are_not_me(library: Library, name: str, reason: str) -> None:
    with pytest.raises(LibraryError, match=reason):
        library.say_me(name)
    assert library.state.me == ""


@pytest.mark.thorough
def test_the_field_is_everybody_else(library: Library, tmp_path: Path) -> None:
    players = [("Ann", "Bob") if seed % 2 else ("Cara", "Bob") for seed in range(10, 30)]
    library.add([put_judged(tmp_path / f"{at}.sgf", judged(at, names)) for at, names in enumerate(players, 10)])
    library.say_me("Ann")
    found = library.sql("SELECT xgid, kind, by_me, by_others, my_loss, their_loss FROM field").fetchall()
    rows = library.sql(
        "SELECT d.xgid, d.kind, p.person, d.loss FROM decisions d JOIN players p USING (record, player)"
    ).fetchall()
    assert found
    for xgid, kind, by_me, by_others, mine, theirs in found:
        own = [loss for one, what, name, loss in rows if (one, what, name) == (xgid, kind, "Ann")]
        others = [loss for one, what, name, loss in rows if (one, what) == (xgid, kind) and name in ("Bob", "Cara")]
        assert (by_me, by_others) == (len(own), len(others))
        for mean, losses in ((mine, own), (theirs, others)):
            valued = [loss for loss in losses if loss is not None]
            assert mean == (pytest.approx(sum(valued) / len(valued)) if valued else None)


def test_the_command_says_it(library: Library) -> None:
    done = program.bgtools("library", "alias", "--me", "Ann", "--library", library.location)
    assert (done.returncode, done.stdout) == (0, "you are Ann\n")
    assert program.bgtools("library", "player", "me", "--library", library.location).stdout.startswith("Ann: ")


def test_names_that_are_unknown_are_answered_with_the_nearest(library: Library) -> None:
    with pytest.raises(LibraryError, match="no phase 'openning'; did you mean opening"):
        library.find(phases=("openning",))
    with pytest.raises(LibraryError, match="no theme 'blits'; did you mean blitz"):
        library.find(themes=("blits",))
    with pytest.raises(LibraryError, match="lenght"):
        library.find(where="m.lenght = 7")
    done = program.bgtools("library", "find", "--phase", "openning", "--library", library.location)
    assert done.returncode == 2
    assert "did you mean opening?" in " ".join(done.stderr.replace("│", " ").split())


def test_a_query_that_takes_too_long_is_given_up(library: Library) -> None:
    endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = 7"
    with pytest.raises(LibraryError, match=r"given up after 0\.2 s"):
        library.asked(endless, timeout=0.2)
    assert library.asked("SELECT 1", timeout=60).fetchall() == [(1,)]


def test_columns_of_one_name_are_all_kept(library: Library) -> None:
    query = "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS b"
    done = program.bgtools("library", "sql", query, "--format", "jsonl", "--library", library.location)
    assert done.stdout == '{"a": 1, "a_3": 2, "a_2": 3, "b": 4}\n'


@pytest.mark.thorough
def test_a_damaged_table_stops_only_what_asks_it(library: Library, tmp_path: Path) -> None:
    for file in library.state.of("turns"):
        (tmp_path / "library" / file.path).write_bytes(b"nonsense")
    again = Library(library.location)
    assert again.count == 3
    assert again.asked("SELECT count(*) FROM positions").fetchall()[0][0] > 0
    assert again.player("Ann").summary.matches == 2
    with pytest.raises(LibraryError, match=r"turns/.*library check"):
        again.asked("SELECT count(*) FROM turns").fetchall()
    with pytest.raises(LibraryError, match="library check"):
        again.asked("SELECT max(xgid) FROM turns").fetchall()


def test_a_folder_in_the_place_of_a_file_is_put_aside(library: Library, tmp_path: Path) -> None:
    (file,) = library.state.of("games")
    path = tmp_path / "library" / file.path
    before = library.sql("FROM games ORDER BY ALL").fetchall()
    path.unlink()
    path.mkdir()
    (path / "letter.txt").write_text("precious")
    again = Library(library.location)
    assert [bad.path for bad, _ in again.check().damaged] == [file.path]
    assert again.check(rebuild=True).rebuilt == 3
    again = Library(library.location)
    assert again.check().damaged == []
    assert again.sql("FROM games ORDER BY ALL").fetchall() == before
    assert [each.read_text() for each in path.parent.glob("*.folder/letter.txt")] == ["precious"]


@pytest.mark.thorough
def test_a_day_comes_from_the_record_the_name_of_the_file_or_as_given(tmp_path: Path) -> None:
    (plain,) = put(tmp_path / "in", 1, length=1)
    named = put_judged(tmp_path / "Open 2009Jan17 round 2.sgf", judged(5, ("Ann", "Bob")))
    dated = put_judged(tmp_path / "x.sgf", judged(6, ("Ann", "Bob"), date="2024-03-01"))
    library = Library(tmp_path / "library")
    library.add([plain, named, dated], day="2020-02-02")
    found = dict(library.sql("SELECT date_from, CAST(date AS VARCHAR) FROM matches").fetchall())
    assert found == {"given": "2020-02-02", "file name": "2009-01-17", "header": "2024-03-01"}
    assert dict(library.trend("Ann").dates) == {"file name": 1, "header": 1}
    for file in library.state.of("matches"):
        (tmp_path / "library" / file.path).write_bytes(b"")
    again = Library(library.location)
    again.check(rebuild=True)
    assert (
        dict(Library(library.location).sql("SELECT date_from, CAST(date AS VARCHAR) FROM matches").fetchall()) == found
    )
