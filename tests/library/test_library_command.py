"""``bgtools library`` as people use it."""

from __future__ import annotations

import json
import shlex
from datetime import datetime
from typing import TYPE_CHECKING

from records import put

from program import WRONG_DIE, bgtools

if TYPE_CHECKING:
    from pathlib import Path


def library(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = bgtools("library", *arguments, environment={"BGTOOLS_LIBRARY": str(folder / "library")})
    return done.returncode, done.stdout, done.stderr


def test_what_has_errors_is_named_with_the_command_that_shows_them(tmp_path: Path) -> None:
    put(tmp_path / "in", 1)
    bad = tmp_path / "in" / "it's bad.mat"
    bad.write_text(WRONG_DIE)
    location = tmp_path / "library"
    done = bgtools("library", "add", str(tmp_path / "in"), "--library", str(location))
    assert f"1 with errors: bgtools library info --errors --library {location}" in done.stderr.splitlines()
    code, out, err = library(tmp_path, "info", "--errors")
    assert (code, err) == (0, "")
    assert out.startswith(f"{bad}: ")
    again = out.strip().rpartition("; ")[2]
    assert again.startswith("bgtools check ")
    assert bgtools(*shlex.split(again)[1:]).returncode == 1


def test_records_are_added_and_asked(tmp_path: Path) -> None:
    put(tmp_path / "in", 1, 2)
    code, out, err = library(tmp_path, "add", str(tmp_path / "in"))
    assert (code, out) == (0, "")
    assert err == (
        f"2 records of 2 files added; {tmp_path / 'library'} has 2 matches\n"
        "0 of 2 matches analysed: bgtools library analyse\n"
    )
    code, out, err = library(tmp_path, "add", str(tmp_path / "in"), str(tmp_path / "none.mat"))
    assert code == 1
    assert err.splitlines()[0] == f"bgtools: {tmp_path / 'none.mat'}: cannot be read: No such file or directory"
    assert "2 files known already; 1 file could not be read" in err
    query = "SELECT person0, length, winner IS NULL AS open, 0.5 AS half FROM matches ORDER BY 1"
    assert library(tmp_path, "sql", query)[1].splitlines() == [
        "person0  length  open  half",
        "-------  ------  ----  ----",
        "Bob           3  no     0.5",
        "Cara          3  no     0.5",
    ]
    assert library(tmp_path, "sql", query, "--format", "csv")[1].splitlines() == [
        "person0,length,open,half",
        "Bob,3,False,0.5",
        "Cara,3,False,0.5",
    ]
    rows = json.loads(library(tmp_path, "sql", query, "--format", "json")[1])
    assert rows == [json.loads(line) for line in library(tmp_path, "sql", query, "--format", "jsonl")[1].splitlines()]
    assert rows[0] == {"person0": "Bob", "length": 3, "open": False, "half": 0.5}
    assert json.loads(library(tmp_path, "sql", "SELECT 1 WHERE false", "--format", "json")[1]) == []
    (row,) = json.loads(library(tmp_path, "sql", "SELECT make_timestamptz(0) AS begun", "--format", "json")[1])
    assert datetime.fromisoformat(row["begun"]).timestamp() == 0


def test_what_is_in_a_library_is_told(tmp_path: Path) -> None:
    assert library(tmp_path, "info") == (
        2, "", f"bgtools: {tmp_path / 'library'} is not a library yet; bgtools library add puts records into it\n"
    )  # fmt: skip
    put(tmp_path / "in", 1)
    library(tmp_path, "add", str(tmp_path / "in"))
    lines = library(tmp_path, "info")[1].splitlines()
    assert lines[0].startswith(f"{tmp_path / 'library'}: 1 match, 0.")
    assert any(line.split()[:2] == ["matches", "1"] for line in lines)


def test_mistakes_are_told_in_a_line(tmp_path: Path) -> None:
    put(tmp_path / "in", 1)
    library(tmp_path, "add", str(tmp_path / "in"))
    for arguments, said in (
        (("sql", "SELECT moves FROM turns"), "moves"),
        (("sql", "DROP VIEW turns"), "a library is only read: SELECT is answered, DROP is not"),
        (("add", str(tmp_path), "--shard", "4/3"), "such as 3/16"),
        (("add", str(tmp_path), "--library", "nosuch://place"), "nosuch"),
    ):
        code, out, err = library(tmp_path, *arguments)
        assert (code, out) == (2, ""), err
        assert said in err
        assert "Traceback" not in err


def test_what_goes_wrong_while_rows_are_taken_is_told_in_a_line(tmp_path: Path) -> None:
    put(tmp_path / "in", 1, length=1)
    library(tmp_path, "add", str(tmp_path / "in"))
    for query in ("SELECT error('so it is') FROM turns", "SELECT CAST(dice AS DATE) FROM turns"):
        code, out, err = library(tmp_path, "sql", query)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert "Traceback" not in err


def test_a_record_is_added_from_standard_input_and_shown_by_its_position(tmp_path: Path) -> None:
    (path,) = put(tmp_path / "in", 1, length=1)
    place = {"BGTOOLS_LIBRARY": str(tmp_path / "library")}
    done = bgtools("library", "add", "-", stdin=path.read_bytes(), environment=place)
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == f"1 record of 1 file added; {tmp_path / 'library'} has 1 match"
    code, out, _ = library(tmp_path, "find", "--limit", "1", "--dice", "64")
    assert (code, out.splitlines()[-1].partition("=")[0]) == (0, "  bgtools show XGID")
