"""What becomes of a library whose files are damaged, missing, of a newer version, or not its own."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from records import made, put
from test_analysing import QUICK

import bgtools
from annotated import analysed
from bgtools.library import adding, manifest, tables
from bgtools.library.library import Library
from bgtools.library.manifest import Commit, StoredFile, commit, read_state
from bgtools.library.storage import LibraryError, open_storage
from bgtools.reports.columns import TYPES_ELSEWHERE

TABLES = ("matches", "games", "turns", "positions", "findings", "sources", "decisions", "choices", "totals", "groups")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of three commits with records, one with analyses, records of one match twice, and one with errors."""
    folder = tmp_path_factory.mktemp("whole")
    library = Library(folder / "library")
    library.add(put(folder / "a", 1, 2, length=1))
    (folder / "a" / "analysed.sgf").write_bytes(bgtools.convert(analysed(made(7), 1), to="sgf", verify=False).data)
    library.add([*put(folder / "b", 1, to="sgf", length=1), folder / "a" / "analysed.sgf"])
    text = (folder / "a" / "0002.mat").read_text()
    (folder / "wrong.mat").write_text(text.replace("Cara", "Carla").replace("/", "/ ", 1))
    library.add([folder / "wrong.mat", *put(folder / "c", 3, length=1)])
    library.analyse(QUICK, where="player0 <> 'Ann'")
    library.check(clean=True)
    return folder


@pytest.fixture
def library(whole: Path, tmp_path: Path) -> Library:
    shutil.copytree(whole / "library", tmp_path / "library")
    return Library(tmp_path / "library")


def told(library: Library) -> list[list[tuple[object, ...]]]:
    """All that queries see."""
    return [sorted(library.sql(f"FROM {name}").fetchall(), key=str) for name in library.tables]


def flip(path: Path) -> None:
    """Change a byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def lose(path: Path) -> None:
    path.unlink()


def write_named(table: pa.Table, path: Path) -> None:
    """Write a table in place of a file, under the name that its content gives it."""
    path.unlink(missing_ok=True)
    parquet.write_table(table, path)
    path.rename(path.with_name(f"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}.parquet"))


def test_a_whole_library_is_found_whole(library: Library) -> None:
    health = library.check()
    assert health.checked == len(library.state.files) + 1 == len(TABLES)
    assert (health.damaged, health.strangers, health.lost) == ([], [], [])


@pytest.mark.quick(one_in=40)
@pytest.mark.parametrize("harm", [flip, cut, lose])
@pytest.mark.parametrize("table", TABLES)
def test_what_is_damaged_is_named_and_made_anew(library: Library, tmp_path: Path, table: str, harm: object) -> None:
    before = told(library)
    current = {each.path for each in (*library.state.files, library.state.groups) if each is not None}
    path = next(path for path in sorted((tmp_path / "library" / table).iterdir()) if f"{table}/{path.name}" in current)
    harm(path)  # type: ignore[operator]
    library = Library(library.location)
    assert [file.path for file, _ in library.check().damaged] == [f"{table}/{path.name}"]
    health = library.check(rebuild=True)
    assert Library(library.location).check().damaged == []
    library = Library(library.location)
    if table == "sources":
        assert len(health.lost) == 1
        names = [name for name in library.tables if name != "sources"]
        assert [sorted(library.sql(f"FROM {name}").fetchall(), key=str) for name in names] == [
            rows for name, rows in zip(library.tables, before, strict=True) if name != "sources"
        ]
    elif health.lost:
        assert table in ("decisions", "choices", "totals")
        library.analyse(QUICK)
        assert library.sql("SELECT count(*) FROM matches ANTI JOIN analyses ON matches.record = match").fetchall() == [
            (0,)
        ]
    else:
        assert told(library) == before


@pytest.mark.thorough
def test_files_that_are_lost_come_back_and_their_records_are_not_doubled(library: Library, whole: Path) -> None:
    before = told(library)
    for each in library.state.of("sources"):
        flip(library_path(library) / each.path)
    library = Library(library.location)
    library.check(rebuild=True)
    assert library.sql("SELECT count(*) FROM sources").fetchall() == [(0,)]
    library.add([whole])
    assert library.sql("SELECT count(*) FROM stored.matches").fetchall()[0][0] == 6
    assert [rows for name, rows in zip(library.tables, told(library), strict=True) if name != "sources"] == [
        rows for name, rows in zip(library.tables, before, strict=True) if name != "sources"
    ]
    assert library.sql("SELECT count(*) FROM stored.sources WHERE content IS NULL").fetchall() == [(0,)]


def library_path(library: Library) -> Path:
    from pathlib import Path

    return Path(library.location)


def test_a_query_on_a_damaged_file_says_which(library: Library, tmp_path: Path) -> None:
    path = next((tmp_path / "library" / "turns").iterdir())
    cut(path)
    with pytest.raises(LibraryError, match=r"turns/.*library check"):
        Library(library.location).asked("SELECT count(*), max(played) FROM turns").fetchall()


@pytest.mark.thorough
def test_what_no_commit_names_is_no_part_and_can_be_cleared_away(library: Library, tmp_path: Path) -> None:
    before = told(library)
    source = next((tmp_path / "library" / "turns").iterdir())
    shutil.copy(source, source.with_name("0" * 32 + ".parquet"))
    (tmp_path / "library" / "turns" / ".x.parquet.abc.part").write_bytes(b"half")
    library = Library(library.location)
    assert told(library) == before
    health = library.check()
    assert (len(health.strangers), health.removed) == (2, 0)
    assert library.check(clean=True).removed == 2
    assert Library(library.location).check().strangers == []
    assert told(Library(library.location)) == before


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize(
    "harm", [flip, cut, lose, lambda path: path.write_text("{}"), lambda path: path.write_text("[1]")]
)
def test_a_damaged_manifest_is_told_and_made_anew_from_the_files(
    library: Library, tmp_path: Path, harm: object
) -> None:
    before = told(library)
    harm(sorted((tmp_path / "library" / "manifest").iterdir())[1])  # type: ignore[operator]
    with pytest.raises(LibraryError, match="manifest"):
        _ = Library(library.location).state
    again = Library(library.location)
    again.check(rebuild=True)
    assert told(again) == before
    assert again.check().damaged == []


def test_a_newer_manifest_is_left_alone(library: Library, tmp_path: Path) -> None:
    path = sorted((tmp_path / "library" / "manifest").iterdir())[-1]
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "version": 99}))
    with pytest.raises(LibraryError, match="newer bgtools"):
        Library(library.location).sql("FROM turns")
    with pytest.raises(LibraryError, match="newer bgtools"):
        Library(library.location).check(rebuild=True)
    with pytest.raises(LibraryError, match="newer bgtools"):
        Library(library.location).add([tmp_path])
    assert json.loads(path.read_text())["version"] == 99


def test_the_version_grows_whenever_a_column_changes() -> None:
    """Files of one version have the same columns: queries read them together."""
    every = [*tables.stored_columns().items(), ("groups", tables.GROUPS)]
    columns = [(name, each.name, TYPES_ELSEWHERE[each.type]) for name, fields in every for each in fields]
    told = hashlib.sha256(repr(columns).encode()).hexdigest()[:16]
    assert COLUMNS.get(tables.LIBRARY_VERSION) == told, "LIBRARY_VERSION has to grow; write both down here"


COLUMNS = {
    2: "6ac191b068ef3772",
    3: "a177be0f81cc66c8",
    4: "3b8e87b81773a8f5",
    5: "836f81c83800181d",
    6: "6e7585cc19ceb448",
}
"""What each version of the tables is told by."""


def test_an_older_library_is_told_and_made_anew_with_all_that_it_held(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a column of the analyses had come since, and another one had gone."""
    before = told(library)
    for path in (tmp_path / "library" / "totals").iterdir():
        table = parquet.read_table(path)
        write_named(table.drop_columns("conventions_luck").append_column("old", table["record"]), path)
    for path in (tmp_path / "library" / "decisions").iterdir():
        write_named(parquet.read_table(path).drop_columns("costliest"), path)
    newer = tables.LIBRARY_VERSION + 1
    monkeypatch.setattr(tables, "LIBRARY_VERSION", newer)
    monkeypatch.setattr(manifest, "LIBRARY_VERSION", newer)
    with pytest.raises(LibraryError, match=r"older bgtools .*--rebuild"):
        Library(library.location).sql("FROM turns")
    again = Library(library.location)
    health = again.check(rebuild=True)
    assert (health.damaged, health.rebuilt) == ([], 6)
    names = [name for name in library.tables if name != "totals"]
    assert [sorted(again.sql(f"FROM {name}").fetchall(), key=str) for name in names] == [
        rows for name, rows in zip(library.tables, before, strict=True) if name != "totals"
    ]
    # What a record contains was read again; the rest says nothing of what is new.
    assert {
        (brought, luck is None)
        for brought, luck in again.sql("SELECT brought, conventions_luck FROM totals").fetchall()
    } == {(True, False), (False, True)}


@pytest.mark.thorough
def test_a_part_of_an_analysis_is_not_taken_over(library: Library, tmp_path: Path) -> None:
    """As a writer leaves it that is killed between two tables: its work will be done again."""
    before = told(library)
    table = parquet.read_table(library_path(library) / library.state.of("decisions")[0].path)
    engine = pa.array(["killed 1.0"] * table.num_rows)
    at = table.column_names.index("engine")
    write_named(table.set_column(at, "engine", engine), tmp_path / "library" / "decisions" / "left.parquet")
    lose(min((tmp_path / "library" / "manifest").iterdir()))
    again = Library(library.location)
    again.check(rebuild=True)
    assert told(again) == before
    assert again.sql("SELECT count(*) FROM stored.decisions WHERE engine = 'killed 1.0'").fetchall() == [(0,)]


@pytest.mark.parametrize("table", ["matches", "turns", "positions", "games"])
def test_every_question_to_a_damaged_file_says_what_helps(library: Library, table: str) -> None:
    (file, *_) = library.state.of(table)
    path = Path(library.location) / file.path
    data = bytearray(path.read_bytes())
    data[40 : len(data) - 8] = bytes(at * 37 % 251 for at in range(len(data) - 48))
    path.write_bytes(bytes(data))
    with pytest.raises(LibraryError, match="library check") as caught:
        Library(library.location).asked(f"SELECT * FROM {table}").fetchall()
    assert str(caught.value).isprintable()


@pytest.mark.thorough
def test_small_files_are_put_together_and_say_the_same(library: Library, tmp_path: Path) -> None:
    library.analyse(QUICK, where="player0 = 'Ann'")
    library.add(put(tmp_path / "more", 40, length=1))
    before = told(library)
    many, few = library.tidy()
    assert few < many
    assert told(library) == before
    assert library.tidy() == (few, few)
    library.check(clean=True)
    assert told(Library(library.location)) == before
    assert Library(library.location).check().strangers == []


@pytest.mark.skipif("os.getuid() == 0", reason="root may write anywhere")
def test_a_library_on_a_read_only_disk_is_asked_and_not_written(library: Library, tmp_path: Path) -> None:
    folders = [tmp_path / "library", *(each for each in (tmp_path / "library").iterdir() if each.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        before = told(library)
        with pytest.raises(OSError, match="ermission"):
            library.add(put(tmp_path / "new", 9, length=1))
        assert told(Library(library.location)) == before
    finally:
        for folder in folders:
            folder.chmod(0o755)


@pytest.mark.quick(one_in=8)
@pytest.mark.parametrize("after", range(8))
def test_a_full_disk_loses_nothing(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """However many files were written before the disk is full, the library is what it was or has a batch more."""
    from bgtools.library.storage import _Folder

    before, count = told(library), library.count
    real, written = _Folder._drafted, list[bool]()

    def full(self: _Folder, name: str, data: bytes) -> object:
        written.append(True)
        if len(written) > after:
            raise OSError(28, "No space left on device")
        return real(self, name, data)

    monkeypatch.setattr(adding, "FILES", 1)
    monkeypatch.setattr(_Folder, "_drafted", full)
    with pytest.raises(OSError, match="No space"):
        library.add(put(tmp_path / "new", 20, 21, length=1))
    monkeypatch.undo()
    again = Library(library.location)
    assert again.check().damaged == []
    assert again.count in (count, count + 1)
    if again.count == count:
        assert told(again) == before
    assert again.add([tmp_path / "new"]).problems == []
    assert again.count == count + 2


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize("kind", ["add", "remove", "groups"])
@pytest.mark.parametrize(
    "name", ["../../{}.parquet", "../{}.parquet", "{}/../../x.parquet", "x.parquet", "C:{}.parquet"]
)
def test_a_manifest_of_a_stranger_names_nothing_outside_its_library(
    kind: str, name: str, library: Library, tmp_path: Path
) -> None:
    """Such a file would be read, and removed where the library is rebuilt."""
    victim = tmp_path / f"{'0' * 32}.parquet"
    victim.write_text("precious")
    (tmp_path / "x.parquet").write_text("precious")
    storage = open_storage(library.location)
    file = StoredFile("turns", name.format("0" * 32), 1, 8, "0" * 64, 1, 2)
    change = {"add": (file,), "remove": (file.path,), "groups": file}[kind]
    assert commit(storage, read_state(storage), Commit(**{kind: change})) is not None  # type: ignore[arg-type]
    with pytest.raises(LibraryError, match="is damaged"):
        _ = Library(library.location).state
    Library(library.location).check(rebuild=True, clean=True)
    assert victim.read_text() == (tmp_path / "x.parquet").read_text() == "precious"
    assert Library(library.location).check().damaged == []


def test_a_folder_of_a_table_that_is_a_link_loses_nothing_that_is_not_ours(library: Library, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    table = tmp_path / "library" / "turns"
    table.rename(documents)
    for name in ("letter.txt", "data.parquet", ".draft.part"):
        (documents / name).write_text("precious")
    table.symlink_to(documents)
    health = Library(library.location).check(clean=True)
    assert (health.damaged, health.removed) == ([], 0)
    assert {"letter.txt", "data.parquet", ".draft.part"} <= {each.name for each in documents.iterdir()}
