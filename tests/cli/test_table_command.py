"""The table command: many records in one file, whole or not at all, the same on any number of cores."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest

from annotated import candidate, noted, plays
from bgtools import write
from bgtools.cli._files import SERIAL_FILES
from bgtools.reports.tables import read
from program import SOUND, bgtools, was_interrupted

needs_engine = pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
SAMPLES = Path(__file__).parents[2] / "samples"
OTHER = SOUND.replace("Ann", "Eve")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "matches"
    place.mkdir()
    for number in range(SERIAL_FILES + 10):
        (place / f"{number:02}.mat").write_text(OTHER if number % 2 else SOUND)
    return place


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def test_a_table_of_one_record_goes_to_standard_output() -> None:
    done = bgtools("table", "games", str(SAMPLES / "seven-point.mat"))
    assert done.returncode == 0
    assert done.stderr.endswith("\n8 rows of 1 match in 1 file\n")
    games = rows(done.stdout)
    assert [game["points"] for game in games] == ["2", "2", "1", "1", "1", "4", "1", "1"]
    assert next(iter(games[0].items())) == ("file", str(SAMPLES / "seven-point.mat"))
    assert {game["engine"] for game in games} == {""}


def test_rows_of_many_files_come_in_their_order_with_any_number_of_cores(folder: Path, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        done = bgtools("table", "players", str(folder), "-o", str(tmp_path / f"{jobs}.parquet"), "--jobs", jobs)
        assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()
    table = read(tmp_path / "2.parquet")
    assert len(table) == 2 * (SERIAL_FILES + 10)
    assert [Path(name).name for name in table["file"][::2]] == [
        f"{number:02}.mat" for number in range(SERIAL_FILES + 10)
    ]
    assert table["name"].tolist()[:4] == ["Ann", "Bob", "Eve", "Bob"]


def test_a_file_that_cannot_be_read_costs_only_its_own_rows(folder: Path, tmp_path: Path) -> None:
    (folder / "05.mat").write_bytes(b"\x00\x01\x02")
    (folder / "notes.txt").write_text("nothing of the kind")
    out = tmp_path / "out.csv"
    done = bgtools("table", "players", str(folder), str(tmp_path / "gone.mat"), "-o", str(out))
    assert done.returncode == 1
    assert f"{folder / '05.mat'}: " in done.stderr
    assert f"{tmp_path / 'gone.mat'}: cannot be read: No such file" in done.stderr
    assert done.stderr.endswith(
        f"files; 2 files could not be read; 1 file skipped that is not a record: {folder / 'notes.txt'}\n"
    )
    assert len(rows(out.read_text())) == 2 * (SERIAL_FILES + 9)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_where_no_file_can_be_read_no_table_is_written(ending: str, tmp_path: Path) -> None:
    # An empty table would stand in the way of the next attempt.
    out = tmp_path / f"out.{ending}"
    done = bgtools("table", "games", str(tmp_path / "gone.mat"), "-o", str(out))
    assert done.returncode == 2
    assert done.stderr.endswith("0 rows of 0 matches in 0 files; 1 file could not be read; nothing was written\n")
    assert not list(tmp_path.iterdir())
    assert bgtools("table", "games", str(tmp_path / "gone.mat")).stdout == ""


def test_several_matches_of_a_file_are_numbered() -> None:
    done = bgtools("table", "games", "-", "--columns", "file,match,game,player0_name", stdin=(SOUND + OTHER).encode())
    assert done.returncode == 0, done.stderr
    assert done.stdout == "file,match,game,player0_name\n<stdin>,1,1,Ann\n<stdin>,2,1,Eve\n"


def test_columns_come_as_they_are_asked_for(folder: Path) -> None:
    done = bgtools("table", "turns", str(folder / "00.mat"), "--columns", "played, dice", "--format", "jsonl")
    assert [json.loads(line) for line in done.stdout.splitlines()][:2] == [
        {"played": "8/5 6/5", "dice": "31"},
        {"played": "24/22 13/8", "dice": "52"},
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--columns", "lucks"), "turns has no column lucks; did you mean luck"),
        (("--columns", "zzz"), "turns has no column zzz; bgtools table turns --list lists them"),
        (("--columns", "luck,luck"), "--columns names luck twice"),
        (("--columns", ","), "--columns names no column"),
        (("-o", "x.ods"), "x.ods: its ending tells no format; there are .csv, "),
        (("-o", "x.csv", "--format", "json"), "x.csv: its ending and --format json do not agree"),
    ],
)
def test_what_cannot_be_asked_for_is_told(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    done = bgtools("table", "turns", str(folder / "00.mat"), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"bgtools: {message}")


def test_choices_take_an_engine(folder: Path) -> None:
    done = bgtools("table", "choices", str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert "choices are what an engine valued" in done.stderr


def test_nothing_is_written_over_without_force(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("mine")
    done = bgtools("table", "turns", str(folder / "00.mat"), "-o", str(out))
    assert (done.returncode, done.stderr) == (2, f"bgtools: {out} exists; --force writes over it\n")
    assert out.read_text() == "mine"
    assert bgtools("table", "turns", str(folder / "00.mat"), "-o", str(out), "--force").returncode == 0
    assert out.read_text().startswith("file,match,engine,event,date,place,game,")


def test_a_place_that_cannot_be_written_is_told(folder: Path, tmp_path: Path) -> None:
    done = bgtools("table", "turns", str(folder / "00.mat"), "-o", str(tmp_path / "no" / "out.csv"))
    assert done.returncode == 2
    assert re.search(r"out\.csv: cannot be written: No such file", done.stderr)


def test_a_binary_table_goes_through_a_pipe(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = subprocess.run(
        [sys.executable, "-m", "bgtools", "table", "turns", str(folder / "00.mat"), "--format", "parquet"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    out.write_bytes(done.stdout)
    assert len(read(out)) == 4


def test_a_compressed_record_is_read_through(tmp_path: Path) -> None:
    (tmp_path / "a.mat.gz").write_bytes(gzip.compress(SOUND.encode()))
    done = bgtools("table", "games", str(tmp_path / "a.mat.gz"), "--columns", "winner,points")
    assert done.stdout == "winner,points\n0,1\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
def test_an_interrupt_leaves_nothing_half_written(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "bgtools", "table", "turns", *[str(folder)] * 200, "-o", str(out / "t.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    until = time.monotonic() + 60
    while not list(out.iterdir()) and time.monotonic() < until:
        time.sleep(0.02)
    assert list(out.iterdir())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert was_interrupted(process), errors
    assert errors.startswith(b"bgtools: interrupted after ")
    assert b"nothing was written" in errors
    assert list(out.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no head")
def test_a_reader_that_goes_away_is_no_fault(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bgtools", "table", "decisions", *[str(folder)] * 60],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"file,match,")
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(60) == 0


@needs_engine
def test_what_an_engine_says_is_in_the_table(tmp_path: Path) -> None:
    out = tmp_path / "choices.csv"
    done = bgtools(
        "table", "choices", str(SAMPLES / "one-point.mat"), "-o", str(out), "--engine", "sage", "--level", "quick"
    )
    assert done.returncode == 0, done.stderr
    table = read(out)
    assert table["engine"].str.match(r"sage \S+ quick Kazaross-XG2$").all()
    best = table[table["rank"] == 1]
    assert (best["loss"] == 0).all()
    assert table["win"].between(0, 1).all()
    assert 20 < len(best) == table.groupby(["game", "turn", "kind"]).ngroups


def test_the_analyses_of_the_records_take_no_engine(folder: Path, tmp_path: Path) -> None:
    notes = {0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05), luck=0.21)}
    write(noted(notes), tmp_path / "noted.json")
    done = bgtools(
        "table", "choices", str(tmp_path / "noted.json"), str(folder / "00.mat"), "--engine", "file",
        "--columns", "file,engine,game,choice,loss",
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "engine file\n2 rows of 2 matches in 2 files; 1 match without an analysis\n"
    found = rows(done.stdout)
    assert [(row["choice"], row["loss"]) for row in found] == [("8/5 6/5", "0.0"), ("24/21 6/5", "0.15")]
    assert {row["engine"] for row in found} == {"GNU Backgammon 1.07 2-ply Kazaross-XG2"}


def test_where_no_record_holds_an_analysis_no_table_of_it_is_written(folder: Path, tmp_path: Path) -> None:
    # A table of empty figures would look as if there were nothing to tell.
    out = tmp_path / "out.parquet"
    done = bgtools("table", "decisions", str(folder / "00.mat"), str(folder / "01.mat"), "--engine", "file")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(" of 2 matches in 2 files; 2 matches without an analysis; nothing was written\n")
    assert bgtools("table", "games", str(folder), "-o", str(out), "--engine", "file").returncode == 2
    assert not out.exists()


def test_rows_without_an_analysis_keep_their_place_before_those_that_have_one(folder: Path, tmp_path: Path) -> None:
    notes = {0: plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05), luck=0.21)}
    noted_file = tmp_path / "noted.json"
    write(noted(notes), noted_file)
    bare = [str(folder / f"{number:02}.mat") for number in range(2)]
    done = bgtools("table", "players", *bare, str(noted_file), bare[0], "--engine", "file", "--columns", "file,engine")
    assert done.returncode == 1
    found = [(row["file"], bool(row["engine"])) for row in rows(done.stdout)[::2]]
    assert found == [(bare[0], False), (bare[1], False), (str(noted_file), True), (bare[0], False)]


@pytest.mark.thorough
@needs_engine
@pytest.mark.parametrize(
    ("asked", "verdict"),
    [(("--confirm-time", "0.01s"), ""), (("--confirm",), "overturned")],
)
def test_the_errors_of_a_table_are_judged_again(asked: tuple[str, ...], verdict: str, tmp_path: Path) -> None:
    # A record that calls the best opening play a blunder.
    notes = {0: plays(candidate("24/21 6/5", 0.2), candidate("8/5 6/5", 0.05))}
    write(noted(notes), tmp_path / "noted.json")
    done = bgtools(
        "table", "decisions", str(tmp_path / "noted.json"), "--engine", "file", "--no-cache", *asked,
        "--columns", "loss,verdict,rollout_loss",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (error,) = (row for row in rows(done.stdout) if row["loss"] not in ("", "0.0"))
    assert (error["loss"], error["verdict"]) == ("0.15", verdict)
    assert not verdict or float(error["rollout_loss"]) < -0.05


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("decisions", "--confirm"), "--confirm has no use with --engine none: no error is known to judge again"),
        (("games", "--engine", "file", "--confirm"), "--confirm has no use with the table games: verdicts stand in "),
        (("turns", "--engine", "file", "--confirm-time", "soon"), "'soon' is not a time to spend: write it as 90s, "),
    ],
)
def test_what_cannot_be_judged_again_is_told(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    kind, *options = arguments
    done = bgtools("table", kind, str(folder / "00.mat"), *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in " ".join(done.stderr.replace("│", " ").split())


def test_a_program_that_ends_in_the_middle_is_no_fault_of_bgtools(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "replies = {'ubgi': 'ubgiok', 'isready': 'readyok'}\n"
        "while not (line := input()).startswith('go'):\n"
        "    print(replies.get(line, ''), flush=True)\n"
        "raise SystemExit(1)\n"
    )
    command = shlex.join([sys.executable, str(program)])
    done = bgtools("table", "players", str(folder / "00.mat"), "--engine", f"ubgi:{command}")
    assert done.returncode == 2  # nothing was written
    assert "00.mat: left out: the engine ubgi has ended with code 1" in done.stderr
    assert "fault of bgtools" not in done.stderr


def test_one_engine_fills_a_table(folder: Path) -> None:
    several = bgtools("table", "players", str(folder), "--engine", "file,sage")
    assert (several.returncode, several.stdout) == (2, "")
    assert "a table holds the figures of one engine" in several.stderr
    unknown = bgtools("table", "players", str(folder), "--engine", "sages")
    assert unknown.returncode == 2
    assert "no engine is called 'sages'" in unknown.stderr


@pytest.mark.parametrize("kind", ["breakdown", "races", "dice"])
def test_what_needs_no_engine_is_there_without_one(kind: str, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = bgtools("table", kind, str(SAMPLES / "seven-point.mat"), "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert len(read(out)) > 5


def test_event_date_and_place_of_the_header_are_columns(tmp_path: Path) -> None:
    head = '; [Event "Open"]\n; [EventDate "2026.8.3"]\n; [Site "Ödeshög"]\n'
    (tmp_path / "a.mat").write_text(head + SOUND, encoding="utf-8")
    (tmp_path / "b.mat").write_text('; [Date "last summer"]\n' + SOUND, encoding="utf-8")
    done = bgtools("table", "games", str(tmp_path), "--columns", "event,date,place")
    assert done.stdout.splitlines() == ["event,date,place", "Open,2026-08-03,Ödeshög", ",last summer,"]


def test_which_engine_has_valued_the_positions_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(SOUND, encoding="utf-8")
    done = bgtools("table", "games", str(tmp_path))
    assert done.stderr.startswith("engine none: luck, errors and ratings stay empty; --engine sage fills them\n")
    # Nothing was valued where no record holds an analysis, and nothing is written.
    done = bgtools("table", "games", str(tmp_path), "--engine", "file")
    assert "engine file" not in done.stderr


def test_pandas_keeps_whole_numbers_where_one_is_missing(tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    (tmp_path / "a.mat").write_text(SOUND + "\n Game 2\n Ann : 1   Bob : 0\n", encoding="utf-8")
    assert bgtools("table", "games", str(tmp_path / "a.mat"), "-o", str(out)).returncode == 0
    assert str(read(out)["winner"].dtype) == "Int64"
    plain = pd.read_csv(out, dtype_backend="numpy_nullable")["winner"]
    assert (str(plain.dtype), list(plain.isna())) == ("Int64", [False, True])


def test_columns_are_listed_with_their_meaning_and_picked_by_a_pattern() -> None:
    sample = str(SAMPLES / "seven-point.mat")
    listed = bgtools("table", "games", "--list")
    assert (listed.returncode, listed.stderr) == (0, "")
    named = {name for line in listed.stdout.splitlines()[1:] for name in line.split(" (")[0].strip().split(", ")}
    done = bgtools("table", "games", sample)
    heads = done.stdout.splitlines()[0].split(",")
    assert {*heads} == named
    assert all(len(line) < 2000 for line in listed.stdout.splitlines())
    some = bgtools("table", "games", sample, "--columns", "game,*_luck_emg,player?_xg_pr")
    assert some.stdout.splitlines()[0] == "game,player0_luck_emg,player1_luck_emg,player0_xg_pr,player1_xg_pr"
    wrong = bgtools("table", "games", sample, "--columns", "luck")
    assert wrong.returncode == 2
    assert len(wrong.stderr) < 300
    assert "luck" in wrong.stderr.partition("did you mean ")[2]
    for kind in ("decisions", "turns", "games", "players", "choices", "breakdown", "races", "dice", "matches"):
        assert kind in bgtools("table", "--help").stdout
    assert "give records or folders, or --list" in bgtools("table", "games").stderr
