"""Adding to a library: what is new, what is known, and what a record says afterwards."""

from __future__ import annotations

import errno
import gc
import multiprocessing
import os
import signal
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from records import files_of, made, put

import bgtools
from annotated import analysed
from bgtools.formats.reading import load
from bgtools.library import adding, manifest
from bgtools.library.library import Library
from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.recording import RecordRows
from bgtools.library.storage import open_storage

SAMPLES = Path(__file__).parents[2] / "samples"


def rows(library: Library, query: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = library.sql(query).fetchall()
    return found


@pytest.fixture(scope="module")
def of_samples(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library(tmp_path_factory.mktemp("samples") / "library")
    library.add([SAMPLES / "seven-point.mat", SAMPLES / "five-slips.mat", SAMPLES / "money.mat"])
    return library


def test_turns_are_those_of_the_table_of_turns(of_samples: Library) -> None:
    from bgtools.analysis.match_analysis import analyse
    from bgtools.reports.table_kinds import TABLES, rows_of

    match = bgtools.read(SAMPLES / "seven-point.mat")
    shared = [each for each in TABLES["turns"].columns if each.name in of_samples.turns.columns]
    assert len(shared) == 21
    names = ", ".join(each.name for each in shared)
    stored = rows(
        of_samples,
        f"SELECT {names} FROM turns WHERE record IN (SELECT record FROM matches WHERE player0 = "
        f"'{match.players[0]}' AND errors = 0) ORDER BY game, entry",
    )
    assert stored == [*rows_of("turns", analyse(match), shared)]


def test_positions_are_the_boards_that_were_played_from(of_samples: Library) -> None:
    boards = rows(of_samples, "SELECT columns('^p[0-9]+$'), p.pips, p.opponent_pips, t.xgid FROM positions p "
                              "JOIN turns t USING (record, game, entry)")  # fmt: skip
    assert len(boards) > 300
    for *points, pips, opponent_pips, xgid in boards:
        board = bgtools.Position.from_id(str(xgid)).board
        signed = [board.mine[at] - board.theirs[25 - at] for at in range(1, 25)]
        assert points == [-board.theirs[25], *signed, board.mine[25]]
        assert (pips, opponent_pips) == board.pips


def test_primes_are_counted(of_samples: Library) -> None:
    def longest(points: list[int]) -> int:
        return max(map(len, "".join("x" if count >= 2 else " " for count in points).split()), default=0)

    found = rows(of_samples, "SELECT columns('^p[0-9]+$'), prime, opponent_prime FROM positions")
    assert {prime for *_, prime, _ in found} >= {1, 2, 3, 4}
    for *points, prime, opponent_prime in found:
        assert prime == longest(points[1:25])  # type: ignore[arg-type]
        assert opponent_prime == longest([-count for count in points[1:25]])  # type: ignore[operator]


def test_findings_are_those_of_check(of_samples: Library) -> None:
    found = rows(of_samples, "SELECT code, line, message FROM findings JOIN matches USING (record) WHERE errors > 3")
    assert found == [
        (each.code.id, each.location.line, each.message)
        for each in bgtools.check(SAMPLES / "five-slips.mat")
        if each.location is not None
    ]


def test_games_add_up_to_the_match(of_samples: Library) -> None:
    which = "WHERE length = 7 AND errors = 0"
    assert rows(of_samples, f"SELECT score0, score1, winner, complete, games FROM matches {which}") == [
        (6, 7, 1, True, 8)
    ]
    assert rows(of_samples, "SELECT count(*), sum(points) FROM games JOIN matches USING (record) "
                            "WHERE length = 7 AND errors = 0") == [(8, 13)]  # fmt: skip


def test_what_is_known_is_not_added_again(tmp_path: Path) -> None:
    put(tmp_path / "in", 1, 2)
    library = Library(tmp_path / "library")
    assert library.add([tmp_path / "in"]).matches == 2
    before = files_of(tmp_path / "library")
    again = library.add([tmp_path / "in"])
    assert (again.matches, again.known) == (0, 2)
    assert files_of(tmp_path / "library") == before
    put(tmp_path / "in", 3)
    assert library.add([tmp_path / "in"]).matches == 1
    assert library.count == 3


def test_another_path_of_a_file_is_told_and_its_record_not_doubled(tmp_path: Path) -> None:
    (path,) = put(tmp_path / "in", 1)
    copy = tmp_path / "in" / "copy.mat"
    copy.write_bytes(path.read_bytes())
    library = Library(tmp_path / "library")
    library.add([tmp_path / "in"])
    assert library.count == 1
    assert rows(library, "SELECT path, matches FROM sources ORDER BY path") == [(str(path), 1), (str(copy), 0)]
    assert library.add([tmp_path / "in"]).known == 2
    assert len(rows(library, "FROM sources")) == 2


def test_what_cannot_be_read_is_listed_and_not_tried_again(tmp_path: Path) -> None:
    bad = tmp_path / "bad.sgf"
    bad.write_text("(;GM[1])")
    library = Library(tmp_path / "library")
    added = library.add([bad, *put(tmp_path, 1), tmp_path / "none.mat"])
    assert [path for path, _ in added.problems] == [str(tmp_path / "none.mat"), str(bad)]
    assert added.matches == 1
    assert rows(library, "SELECT path, format FROM sources WHERE problem LIKE '%Go%'") == [(str(bad), "")]
    again = library.add([bad])
    assert (again.known, again.problems) == (1, [])


def test_another_version_tries_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = tmp_path / "bad.sgf"
    bad.write_text("(;GM[1])")
    library = Library(tmp_path / "library")
    library.add([bad])
    monkeypatch.setattr(adding, "__version__", "99")
    assert len(library.add([bad]).problems) == 1


def test_a_record_with_errors_is_added_with_them(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    assert library.add([SAMPLES / "five-slips.mat"]).errors == 1
    assert rows(library, "SELECT errors > 0, errors = (SELECT count(*) FROM findings WHERE severity = 'error') "
                         "FROM matches") == [(True, True)]  # fmt: skip


def test_records_of_an_archive_are_added_each(tmp_path: Path) -> None:
    paths = put(tmp_path, 1, 2, 3)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in paths:
            archive.write(path, path.name)
    library = Library(tmp_path / "library")
    assert library.add([tmp_path / "all.zip"]).matches == 3
    assert rows(library, "SELECT number FROM matches ORDER BY number") == [(1,), (2,), (3,)]


@pytest.mark.thorough
def test_several_processes_write_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "FILES", 2)
    put(tmp_path / "in", *range(7), length=1)
    Library(tmp_path / "one").add([tmp_path / "in"])
    Library(tmp_path / "two").add([tmp_path / "in"], jobs=2)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_a_part_of_the_work_after_another_is_all_of_it(tmp_path: Path) -> None:
    put(tmp_path / "in", *range(8), length=1)
    library = Library(tmp_path / "library")
    parts = [library.add([tmp_path / "in"], shard=(part, 3)).matches for part in (1, 2, 3)]
    assert sum(parts) == library.count == 8
    assert sorted(parts)[-1] < 8


def test_an_analysis_that_a_record_brings_along_is_kept_and_named(tmp_path: Path) -> None:
    path = tmp_path / "analysed.sgf"
    path.write_bytes(bgtools.convert(analysed(made(1), 1), to="sgf", verify=False).data)
    library = Library(tmp_path / "library")
    library.add([path])
    ((engine, chosen),) = rows(library, "SELECT engine, chosen FROM analyses")
    assert engine
    assert chosen
    assert rows(library, "SELECT analysed FROM matches") == [(True,)]
    assert rows(library, "SELECT count(*) > 0 FROM decisions WHERE loss IS NOT NULL") == [(True,)]
    assert rows(library, "SELECT count(*) FROM totals") == [(2,)]


# --- several records of one match -----------------------------------------------------------


def test_a_match_is_there_once_whatever_its_records_are_written_in(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    library.add([*put(tmp_path / "a", 1, 2), *put(tmp_path / "b", 1, to="sgf"), *put(tmp_path / "c", 1, to="xg")])
    assert rows(library, "SELECT records FROM matches ORDER BY records") == [(1,), (3,)]
    for table in ("turns", "positions", "games", "matches"):
        assert rows(library, f"SELECT count(DISTINCT record) FROM {table}") == [(2,)]
        assert rows(library, f"SELECT count(DISTINCT record) FROM stored.{table}") == [(4,)]


@pytest.mark.parametrize("seed", range(3))
def test_the_complete_record_stands_before_one_that_breaks_off(tmp_path: Path, seed: int) -> None:
    (whole,) = put(tmp_path, seed, length=5)
    lines = whole.read_text().splitlines(keepends=True)
    part = tmp_path / "part.mat"
    part.write_text("".join(lines[: len(lines) * 2 // 3]).replace("Ann", "A. Smith").replace("Bob", "B."))
    library = Library(tmp_path / "library")
    library.add([part, whole])
    assert rows(library, "SELECT complete, records FROM matches") == [(True, 2)]


def test_records_of_one_match_are_known_whatever_order_they_come_in(tmp_path: Path) -> None:
    paths = [*put(tmp_path / "a", 1, 2), *put(tmp_path / "b", 2, 1, to="sgf")]
    told: list[list[tuple[object, ...]]] = []
    for order in (paths, paths[::-1]):
        library = Library(tmp_path / f"library{len(told)}")
        for path in order:
            library.add([path])
        told.append(rows(library, "SELECT record, match FROM stored.groups ORDER BY ALL"))
    assert told[0] == told[1]
    assert len(told[0]) == 4


def test_different_matches_stay_apart(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    library.add(put(tmp_path / "in", *range(30), length=1))
    assert library.count == 30


# --- two writers ----------------------------------------------------------------------------


def while_another_adds(paths: list[Path], location: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another writer add files between the moment that the next one has looked and its first commit."""
    begun: list[bool] = []

    def late(*arguments: object) -> object:
        if not begun:
            begun.append(True)
            Library(location).add(paths)
        return commit(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(manifest, "commit", late)


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("others", [(0, 1, 2), (1, 7), (8, 9), (2, 0, 9)])
def test_two_writers_lose_nothing_and_double_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: tuple[int, ...]
) -> None:
    own = put(tmp_path / "own", 0, 1, 2, length=1)
    theirs = put(tmp_path / "theirs", *others, length=1)
    while_another_adds(theirs, tmp_path / "library", monkeypatch)
    library = Library(tmp_path / "library")
    library.add(own)
    expected = {0, 1, 2, *others}
    assert library.count == len(expected)
    assert rows(library, "SELECT count(*), count(DISTINCT record) FROM stored.matches") == [(len(expected),) * 2]
    for table in ("turns", "positions", "games"):
        entry = "" if table == "games" else ", entry"
        times = f"SELECT record, game{entry}, count(*) AS times FROM stored.{table} GROUP BY ALL"
        assert rows(library, f"SELECT max(times) FROM ({times})") == [(1,)]


def test_a_commit_that_comes_second_is_refused(tmp_path: Path) -> None:
    storage = open_storage(str(tmp_path))
    state = read_state(storage)
    first = commit(storage, state, Commit(aliases={"A": "Ann"}))
    assert first is not None
    assert commit(storage, state, Commit(aliases={"B": "Bob"})) is None
    second = commit(storage, first, Commit(aliases={"B": "Bob"}))
    assert second is not None
    assert read_state(storage) == second
    assert read_state(storage, first) == second
    assert dict(second.aliases) == {"A": "Ann", "B": "Bob"}


# --- asking ---------------------------------------------------------------------------------


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * FROM read_csv('/etc/passwd')", "disabled by configuration"),
        ("SELECT * FROM read_text('{outside}')", "disabled by configuration"),
        ("FROM '{outside}'", "disabled by configuration"),
        ("COPY (SELECT 1) TO '{outside}'", "COPY is not"),
        ("COPY (SELECT 1) TO '{inside}'", "COPY is not"),
        ("ATTACH '{outside}'", "ATTACH is not"),
        ("INSTALL httpfs", "is not"),
        ("SET enable_external_access = true", "SET is not"),
        ("DROP VIEW turns", "DROP is not"),
        ("EXPLAIN ANALYZE COPY (SELECT 1) TO '{inside}'", "COPY is not"),
        ("EXPLAIN (ANALYZE) COPY (SELECT 1) TO '{inside}'", "COPY is not"),
        ("explain analyze\nCREATE TABLE t AS SELECT 1", "CREATE is not"),
        ("/* so */ EXPLAIN ANALYZE COPY (SELECT 1) TO '{inside}'", "EXPLAIN is not"),
        ("WITH x AS (DELETE FROM stored.groups) SELECT 1", "read-only|needs a SELECT"),
        ("SELECT * FROM query('COPY (SELECT 1) TO ''{inside}''')", "single SELECT"),
        ("FROM read_csv('https://example.com/a.csv')", "disabled by configuration"),
        ("FROM glob('{inside}/../../*')", "disabled by configuration"),
        ("FROM read_blob('{inside}/../../outside.csv')", "disabled by configuration"),
        ("LOAD httpfs", "is not"),
        ("PRAGMA enable_external_access", "PRAGMA is not|does not exist"),
        ("CREATE MACRO lead(b) AS 1", "CREATE is not"),
        ("SELECT 1; SELECT 2", "one query at a time"),
        ("", "give one query"),
        ("SELECT nonsense FROM turns", "nonsense"),
        ("SELEC", "syntax error"),
    ],
)
def test_a_query_only_reads_and_only_the_library(of_samples: Library, tmp_path: Path, query: str, said: str) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\n1\n")
    inside = Path(of_samples.location) / "inside.csv"
    with pytest.raises(bgtools.LibraryError, match=said) as caught:
        of_samples.asked(query.format(outside=outside, inside=inside)).fetchall()
    assert "\n" not in str(caught.value)
    assert outside.read_text() == "secret\n1\n"
    assert not inside.exists()


def test_a_query_sees_no_secret_that_duckdb_keeps_for_its_user(of_samples: Library) -> None:
    """Some versions of DuckDB refuse to list them; the others list those of this connection, which has none."""
    with suppress(bgtools.LibraryError):
        assert of_samples.asked("FROM duckdb_secrets()").fetchall() == []


def test_a_query_that_reads_is_explained(of_samples: Library) -> None:
    for how in ("EXPLAIN ", "EXPLAIN ANALYZE ", "EXPLAIN (FORMAT JSON) "):
        assert of_samples.asked(f"{how}SELECT count(*) FROM turns").fetchall()


def test_words_of_backgammon_mean_what_they_say(of_samples: Library) -> None:
    for points, six, bar, theirs, ahead in rows(
        of_samples,
        "SELECT [p0, p6, p20, p25, opponent_pips - pips], holds(p, 6), on_bar(p), opponent_on_bar(p), lead(p) "
        "FROM positions p",
    ):  # fmt: skip
        assert isinstance(points, list)
        assert (six, bar, theirs, ahead) == (points[1] >= 2, points[3], -points[0], points[4])


def test_tables_are_relations(of_samples: Library) -> None:
    assert of_samples.turns.filter("dice = '66'").aggregate("count(*) AS n").fetchall()[0][0] > 0
    with pytest.raises(AttributeError, match="no table 'moves'"):
        _ = of_samples.moves


def test_there_is_no_library_before_something_was_added(tmp_path: Path) -> None:
    library = Library(tmp_path / "none")
    assert not library.exists
    with pytest.raises(bgtools.LibraryError, match="not a library yet"):
        library.sql("SELECT 1")
    assert not (tmp_path / "none").exists()


def test_made_up_matches_differ() -> None:
    assert made(1) != made(5)


@pytest.mark.thorough
def test_a_file_that_ends_its_process_is_told_and_the_others_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = put(tmp_path / "in", *range(6), length=1)
    real = load

    def deadly(path: str) -> tuple[bytes, str]:
        if path == str(paths[3]) and multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(path)

    monkeypatch.setattr("bgtools.formats.searching.load", deadly)
    library = Library(tmp_path / "library")
    added = library.add([tmp_path / "in"], jobs=2)
    assert [path for path, _ in added.problems] == [str(paths[3])]
    assert "want of memory" in added.problems[0][1]
    assert added.matches == library.count == 5
    monkeypatch.undo()
    assert library.add([tmp_path / "in"]).matches == 1


@pytest.mark.thorough
def test_a_library_lies_where_fsspec_reaches_and_closes_the_files_of_this_machine(tmp_path: Path) -> None:
    library = Library(f"memory://{tmp_path.name}")
    library.add(put(tmp_path / "in", 1, 2, length=1))
    assert library.asked("SELECT count(*) FROM matches").fetchall() == [(2,)]
    assert library.check().damaged == []
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\n1\n")
    import fsspec

    elsewhere = fsspec.filesystem("memory")
    for other in (f"/{tmp_path.name}-other/x.csv", f"/{tmp_path.name}x.csv", "/x.csv"):
        elsewhere.pipe_file(other, b"secret\n1\n")
    beyond = [
        f"memory://{tmp_path.name}-other/x.csv",
        f"memory://{tmp_path.name}x.csv",
        "memory://x.csv",
        "memory://*.csv",
        f"memory://{tmp_path.name}/../x.csv",
        f"memory://{tmp_path.name}/matches/../../x.csv",
    ]
    for query in (
        f"FROM read_csv('{outside}')",
        f"SELECT content FROM read_text('{outside}')",
        f"FROM '{outside}'",
        *(f"FROM read_csv('{each}')" for each in beyond),
        *(f"FROM glob('{each}')" for each in beyond),
    ):
        with pytest.raises(bgtools.LibraryError, match="disabled") as caught:
            library.asked(query).fetchall()
        assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize("fault", [errno.EPERM, errno.ENOTSUP])
def test_a_file_system_without_links_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    def link(*_: object) -> None:
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(os, "link", link)
    storage = open_storage(str(tmp_path))
    assert storage.write_new("manifest/1", b"one")
    assert not storage.write_new("manifest/1", b"two")
    assert storage.read("manifest/1") == b"one"
    assert [each.name for each in (tmp_path / "manifest").iterdir()] == ["1"]


def test_a_disk_that_fails_at_the_last_moment_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        open_storage(str(tmp_path)).write_new("manifest/1", b"one")
    assert [*(tmp_path / "manifest").iterdir()] == []


def test_a_fault_of_an_attribute_is_not_taken_for_a_missing_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library(tmp_path / "library")
    library.add(put(tmp_path / "in", 1, length=1))

    def connect(*_: object, **__: object) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr("bgtools.library.library.connect", connect)
    for name in ("connection", "turns"):
        with pytest.raises(AttributeError, match="no such thing"):
            getattr(library, name)


def test_tables_go_to_polars_at_once_and_lazily(of_samples: Library) -> None:
    polars = pytest.importorskip("polars")
    sixes = of_samples.turns.filter("dice = '66'")
    frame = sixes.pl()
    assert frame.height == len(sixes.fetchall()) > 0
    assert frame.columns == of_samples.turns.columns
    lazy = of_samples.turns.pl(lazy=True)
    assert isinstance(lazy, polars.LazyFrame)
    asked = lazy.filter(polars.col("dice") == "66").select("record", "game", "entry").collect()
    assert sorted(asked.rows()) == sorted(sixes.project("record, game, entry").fetchall())


@pytest.mark.thorough
@pytest.mark.parametrize("to", ["sgf", "mat"])
def test_recording_leaves_nothing_behind_that_only_a_search_for_cycles_finds(tmp_path: Path, to: str) -> None:
    """That search is put off while files are recorded, so what it would find grows with them."""
    for seed in (1, 2):
        match = analysed(made(seed, 1), seed)
        (tmp_path / f"{seed}.{to}").write_bytes(bgtools.convert(match, to=to, verify=False).data)
    RecordRows().add_file("1", (tmp_path / f"1.{to}").read_bytes())  # what is made once
    gc.collect()
    was = gc.isenabled()
    gc.disable()
    try:
        RecordRows().add_file("2", (tmp_path / f"2.{to}").read_bytes())
        assert gc.collect() < 100
    finally:
        if was:
            gc.enable()


def test_two_writers_of_an_object_store_notice_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the one looks before the other has written."""
    storage = open_storage(f"memory://{tmp_path.name}")
    assert storage.write_new("manifest/00000001.json", b"first")
    files = type(storage._files)  # type: ignore[attr-defined]
    real, asked = files.exists, list[str]()

    def late(self: object, path: str, **options: object) -> bool:
        asked.append(path)
        return len(asked) > 1 and bool(real(self, path, **options))

    monkeypatch.setattr(files, "exists", late)
    assert not storage.write_new("manifest/00000001.json", b"second")
    assert storage.read("manifest/00000001.json") == b"first"
    assert storage.write_new("manifest/00000002.json", b"third")
