"""What comes out of a library: records as they were or in other formats, and tables."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from records import made, put, ready

import bgtools
from bgtools.comparison.fingerprint import Fingerprint
from bgtools.library.library import Library
from bgtools.library.storage import LibraryError
from program import bgtools as program

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[2]


def of_three(folder: Path) -> None:
    Library(folder / "library").add(
        [*put(folder / "in", 1, 2, 3, length=1), *put(folder / "again", 1, to="sgf", length=1)]
    )


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return ready(tmp_path, of_three)


def run(library: Library, *arguments: str) -> tuple[int, str, str]:
    done = program("library", *arguments, "--library", library.location)
    return done.returncode, done.stdout, done.stderr


def test_records_come_back_byte_for_byte(library: Library, tmp_path: Path) -> None:
    assert library.export(tmp_path / "out").records == 3
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes() in [each.read_bytes() for each in (tmp_path / "in").iterdir()] + [
            each.read_bytes() for each in (tmp_path / "again").iterdir()
        ]


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("to", ["sgf", "xg", "mat:xg-text", "json"])
def test_records_come_in_another_format_each_once(library: Library, tmp_path: Path, to: str) -> None:
    done = library.export(tmp_path / "out", to)
    assert (done.records, done.problems) == (3, [])
    paths = sorted((tmp_path / "out").iterdir())
    assert len(paths) == 3
    wanted = [bgtools.read(path) for path in sorted((tmp_path / "in").iterdir())]
    for path in paths:
        match = bgtools.read(path)
        assert any(match.players == each.players and len(match.games) == len(each.games) for each in wanted)
        assert path.name.startswith(f"{match.players[0]} - {match.players[1]} (1 points)")


def test_only_those_that_were_asked_for(library: Library, tmp_path: Path) -> None:
    assert library.export(tmp_path / "out.zip", "mat", where="player0 = 'Bob'").records == 1
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert archive.namelist() == ["Bob - Cara (1 points).mat"]
    with pytest.raises(LibraryError, match="nonsense"):
        library.export(tmp_path / "none", where="nonsense")


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize("name", ["all.ogxms", "all.ogxms.zst"])
def test_a_stream_of_ogxm_goes_out_and_in(library: Library, tmp_path: Path, name: str) -> None:
    if name.endswith(".zst") and importlib.util.find_spec("zstandard") is None:
        pytest.skip("zstandard is not installed")
    assert library.export(tmp_path / name).records == 3
    matches = bgtools.read_all(tmp_path / name)
    assert {Fingerprint.of(each) for each in matches} == {Fingerprint.of(made(seed, 1)) for seed in (1, 2, 3)}
    other = Library(tmp_path / "other")
    assert other.add([tmp_path / name]).matches == 3
    other.add([tmp_path / "in"])
    assert (other.count, len(other.sql("FROM records").fetchall())) == (3, 6)
    # One record of a stream, in another format: not the whole stream.
    assert other.export(tmp_path / "one", "mat", where="player0 = 'Bob'").records == 1


def test_what_is_there_is_not_written_over(library: Library, tmp_path: Path) -> None:
    (tmp_path / "out.zip").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        library.export(tmp_path / "out.zip")
    assert (tmp_path / "out.zip").read_bytes() == b"mine"
    assert library.export(tmp_path / "out.zip", force=True).records == 3
    code, _, err = run(library, "export", "records", "-o", str(tmp_path / "out.zip"))
    assert (code, err) == (2, f"bgtools: {tmp_path / 'out.zip'} exists; --force writes over it\n")


def test_names_that_systems_do_not_take_are_changed(tmp_path: Path) -> None:
    from dataclasses import replace

    folder = tmp_path / "in"
    folder.mkdir()
    for number, name in enumerate(("a/b:c", "CON.", "x" * 300, "ＡＢ", "A?B", "A*B")):
        match = replace(made(number, 1), players=(name, "Bob"))
        (folder / f"{number}.json").write_bytes(bgtools.convert(match, to="json", verify=False).data)
    library = Library(tmp_path / "library")
    library.add([folder])
    library.export(tmp_path / "out", "mat", where="true")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(names) == 6
    assert all(len(name) < 80 and not set(name) & set('/\\:*?"<>|') for name in names)


def answers(path: Path) -> Sequence[dict[str, object]]:
    if path.suffix == ".csv":
        return [*csv.DictReader(path.open())]
    if path.suffix == ".parquet":
        from pyarrow import parquet

        found: list[dict[str, object]] = parquet.read_table(path).to_pylist()
        return found
    if path.suffix == ".xlsx":
        from openpyxl import load_workbook

        head, *rows = load_workbook(path).active.iter_rows(values_only=True)
        return [dict(zip(map(str, head), row, strict=True)) for row in rows]
    text = path.read_text()
    return [*json.loads(text)] if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("ending", ["csv", "json", "jsonl", "parquet", "xlsx"])
def test_tables_come_as_files(library: Library, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    code, out, err = run(library, "export", "games", "-o", str(path))
    count = len(library.sql("FROM games").fetchall())
    assert (code, out, err) == (0, "", f"{count} rows in {path}\n")
    rows = answers(path)
    assert [*rows[0]] == library.games.columns
    assert sorted(str(row["ending"]) for row in rows) == sorted(
        ending for (ending,) in library.sql("SELECT ending FROM games").fetchall()
    )
    code, _, err = run(library, "export", "SELECT 1 AS one", "-o", str(path), "--force")
    assert err == f"1 row in {path}\n"
    assert [str(row["one"]) for row in answers(path)] == ["1"]


def test_mistakes_are_told(library: Library, tmp_path: Path) -> None:
    for arguments, said in (
        (("export", "games", "-o", str(tmp_path / "x.doc")), "tells no format"),
        (("export", "nonsense", "-o", str(tmp_path / "x.csv")), "nonsense"),
        (("export", "games", "-o", str(tmp_path / "x.csv"), "--to", "sgf"), "go with records"),
        (("export", "records", "-o", str(tmp_path / "x"), "--to", "gva"), "only read"),
        (("export", "records", "-o", str(tmp_path / "x.ogxms"), "--to", "sgf"), "a stream holds OGXM"),
    ):
        code, out, err = run(library, *arguments)
        assert (code, out) == (2, ""), err
        assert said in err
        assert "Traceback" not in err
        assert not (tmp_path / arguments[3]).exists() or (tmp_path / arguments[3]).is_dir()


def test_the_script_lets_duckdb_itself_see_a_library(library: Library) -> None:
    import duckdb

    connection = duckdb.connect()
    connection.execute(library.script)
    assert connection.execute("SELECT count(*) FROM matches").fetchall() == [(3,)]


def test_a_library_is_opened_in_python(library: Library) -> None:
    done = program(
        "library", "open", "--python", "--library", library.location, stdin=b"sql('SELECT 6*7').fetchall()\n"
    )
    assert done.returncode == 0
    assert "[(42,)]" in done.stdout
    assert "3 matches" in done.stderr


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_what_appears_is_added_when_it_is_whole(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    watching = subprocess.Popen(
        [sys.executable, "-m", "bgtools", "library", "watch", str(tmp_path / "in"), str(tmp_path / "later"),
         "--every", "0.1s", "--library", str(tmp_path / "library")],
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
    )  # fmt: skip
    stream = watching.stderr
    assert stream is not None
    told: list[str] = []

    def await_message(count: int) -> None:
        """Read what the command says until it has told so many additions."""
        while sum(map(ADDED.__eq__, (line.partition(";")[0] for line in told))) < count:
            line = stream.readline()
            assert line, told
            told.append(line)

    waiting = threading.Timer(60, watching.kill)
    waiting.start()
    try:
        put(tmp_path / "in", 1, length=1)
        await_message(1)
        assert told[0] == f"bgtools: {tmp_path / 'later'}: is not there; it is waited for\n"
        assert Library(tmp_path / "library").count == 1
        put(tmp_path / "later", 2, length=1)
        await_message(2)
        assert Library(tmp_path / "library").count == 2
    finally:
        waiting.cancel()
        watching.send_signal(signal.SIGINT)
        _, rest = watching.communicate(timeout=60)
    assert watching.returncode == 130
    assert ("".join(told) + rest).count(ADDED) == 2


ADDED = "1 record of 1 file added"
