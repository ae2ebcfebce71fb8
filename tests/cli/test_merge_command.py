"""``bgtools merge`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest

from program import bgtools

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "merge.schema.json").read_text(encoding="utf-8"))
SEVEN = (ROOT / "samples" / "seven-point.mat").read_bytes()
SLIP = SEVEN.replace(b"52: 13/8 24/22", b"52: 13/8 13/11", 1)
OTHER = SEVEN.replace(b"Nora", b"Norah")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    names = tmp_path / "a.mat", tmp_path / "b.mat", tmp_path / "c.mat"
    for path, data in zip(names, (SEVEN, SLIP, OTHER), strict=True):
        path.write_bytes(data)
    return names


def merge(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    return bgtools("merge", *map(str, arguments), stdin=stdin)


def test_the_result_is_written_and_what_was_taken_is_told(files: tuple[Path, Path, Path]) -> None:
    out = files[0].with_name("out.mat")
    done = merge(files[1], files[0], "-o", out)
    assert done.returncode == 0
    assert out.read_bytes() == SEVEN
    assert "game 1, row 2: 52: 13/8 24/22 [B:14:6] (the record goes on with it by the rules)" in done.stdout
    assert "52: 13/8 13/11 [A:14:6]" in done.stdout
    assert "1 on which they are apart, of which taken: 1 by the rules" in done.stderr
    assert "read back, and the same: 8 games, 272 entries" in done.stderr


def test_nothing_is_written_while_something_is_undecided(files: tuple[Path, Path, Path]) -> None:
    out = files[0].with_name("out.mat")
    done = merge(files[0], files[2], "-o", out)
    assert (done.returncode, out.exists()) == (1, False)
    assert "undecided: the name of player 1" in done.stdout
    assert "not written, for 1 place is undecided; --prefer A" in done.stderr
    assert merge(files[0], files[2], "-o", out, "--prefer", "B").returncode == 0
    assert b"Norah Lindholm : 0" in out.read_bytes()
    assert merge(files[0], files[2], "-o", out, "--prefer", files[0], "--force").returncode == 0
    assert b"Nora Lindholm : 0" in out.read_bytes()


def test_both_boards_stand_under_what_is_undecided(tmp_path: Path) -> None:
    head = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
    rows = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 53: 8/3 6/3                 {}\n"
    paths = tmp_path / "one.mat", tmp_path / "two.mat"
    for path, play in zip(paths, ("61: 13/7 8/7", "61: 24/18 8/7"), strict=True):
        path.write_text(head + rows.format(play))
    done = merge(*paths)
    assert done.returncode == 1
    assert "game 1, row 2, Bob: undecided" in done.stdout
    assert done.stdout.count("+13-14-15-16-17-18") == 2
    assert done.stdout.count("rolled 61") == 2
    assert "Traceback" not in done.stderr


def test_an_input_is_not_written_over_without_saying_so(files: tuple[Path, Path, Path]) -> None:
    done = merge(files[1], files[0], "-o", files[1])
    assert done.returncode == 2
    assert "b.mat exists and is one of the records; --force writes over it" in done.stderr
    assert files[1].read_bytes() == SLIP
    done = merge(files[1], files[0], "-o", files[1], "--force")
    assert done.returncode == 0
    assert "b.mat was one of the records, and is written over" in done.stderr
    assert files[1].read_bytes() == SEVEN


def test_strangers_are_refused_by_name(files: tuple[Path, Path, Path]) -> None:
    out = files[0].with_name("out.mat")
    done = merge(files[0], ROOT / "samples" / "money.mat", files[1], "-o", out)
    assert (done.returncode, out.exists()) == (2, False)
    assert "money.mat (Carla Benetti - Hugo Falk) is of another match than" in done.stderr


def test_explain_lists_every_fact_with_its_sources(files: tuple[Path, Path, Path]) -> None:
    lines = merge(files[0], files[1], "--explain").stdout.splitlines()
    assert lines[0] == f"A = {files[0]}"
    assert "game 1, row 1: 63: 24/18 24/21 [A:13:34, B:13:34]" in lines
    assert sum(line.startswith("game ") for line in lines) == 272 + 2 * 8


def test_json_follows_its_schema(files: tuple[Path, Path, Path]) -> None:
    out = files[0].with_name("out.sgf")
    done = merge(files[0], files[1], "-o", out, "--format", "json")
    (data,) = json.loads(done.stdout)
    jsonschema.validate([data], SCHEMA)
    assert data["output"] == str(out)
    assert [fact["others"][0]["says"] for fact in data["facts"] if fact["others"]] == ["52: 13/8 13/11"]
    (data,) = json.loads(merge(files[0], files[2], "-o", out, "--force", "--format", "json").stdout)
    assert data["output"] is None


def test_what_the_target_has_no_place_for_is_told(files: tuple[Path, Path, Path]) -> None:
    out = files[0].with_name("out.tmg")
    done = merge(files[0], files[1], "-o", out)
    assert done.returncode == 0
    assert "BG50" in done.stderr


def test_a_match_that_only_one_file_has_is_left_out_by_name(files: tuple[Path, Path, Path]) -> None:
    both = files[0].with_name("both.mat")
    both.write_bytes(SEVEN + (ROOT / "samples" / "money.mat").read_bytes())
    done = merge(both, files[1])
    assert done.returncode == 0
    assert "both.mat (Carla Benetti - Hugo Falk) is left out, for not all files hold this match" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("{a}",), "give two records or more"),
        (("-", "-"), "only one of the records can be standard input"),
        (("{a}", "{b}", "--prefer", "Q"), "they are A to B, or their paths"),
        (("{a}", "{b}", "-o", "x.zzz"), "say which with --to"),
        (("{a}", "{b}", "-o", "-"), "say with --to which format to write"),
        (("{a}", "{b}", "-o", "-", "--to", "mat", "--explain"), "name a file with -o"),
        (("{a}", "none.mat"), "cannot be read"),
        (("{a}", "{empty}"), "the file is empty"),
        (("{short}", "{a}"), "has too few rolls to tell of which match it is"),
    ],
)
def test_what_cannot_be_done_is_said(files: tuple[Path, Path, Path], arguments: tuple[str, ...], message: str) -> None:
    empty, short = files[0].with_name("empty.mat"), files[0].with_name("short.mat")
    empty.write_bytes(b"")
    short.write_text(" 7 point match\n\n Game 1\n Ann : 0       Bob : 0\n  1) 31: 8/5 6/5   52: 13/8 24/22\n")
    done = merge(*(each.format(a=files[0], b=files[1], empty=empty, short=short) for each in arguments))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_standard_input_and_output_are_records(files: tuple[Path, Path, Path]) -> None:
    done = merge("-", files[0], "-o", "-", "--to", "mat", stdin=SLIP)
    assert done.returncode == 0
    assert done.stdout.encode() == SEVEN
    assert "by the rules" in done.stderr
