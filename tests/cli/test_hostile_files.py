"""Hostile names and files, through the program: nothing of them acts on the terminal, nothing ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from bgtools.cli._checking import Layout
from fuzz.hostile import HEAD, KINDS, ROW
from program import WRONG_DIE, bgtools

ESCAPES = "\x1b]0;pwned\x07\x1b[31m\x9b32m\x7f\u202e\u2066\r"
NAME = f"A{ESCAPES}nn"
FILE = "e\x1b[2J\x07\n\u202e.mat"
MEASURED = r"""
import re, resource, sys
from pathlib import Path
from bgtools.cli import main
try:
    main()
finally:
    # What the system counts for a process begins with what its parent held, so Linux is asked for the program's own.
    status = Path("/proc/self/status")
    own = re.search(r"VmHWM:\s*(\d+)", status.read_text()) if status.exists() else None
    peak = int(own[1]) if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("peak", peak // 1024, file=sys.stderr)
"""


def plain(text: str) -> bool:
    """Whether nothing but line feeds acts on a terminal."""
    return all(char.isprintable() or char == "\n" for char in text)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A record with escapes in its name, in a player's name, in its plays, tags and remarks."""
    file = tmp_path / FILE
    try:
        file.write_bytes(b"")
    except OSError:
        pytest.skip("no file can have such a name here")
    name = NAME.replace("\r", "")
    text = WRONG_DIE.replace("Ann :", f"{name} :").replace("31: 8/5 6/5", f"31: 8/5 {ESCAPES[:-1]}")
    file.write_text(f'; [Event "{name}"]\n; {name}\n{text}\n{name}\n')
    return file


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("layout", get_args(Layout))
def test_a_check_prints_nothing_raw(hostile: Path, layout: Layout) -> None:
    verdicts = ("--summary",) if layout == "csv" else ()
    done = bgtools("check", "--format", layout, "--show-rules", *verdicts, str(hostile))
    assert done.returncode == 1
    assert plain(done.stdout)
    assert plain(done.stderr)
    if layout in ("json", "sarif"):
        json.loads(done.stdout)


def test_statistics_print_nothing_raw(hostile: Path) -> None:
    done = bgtools("check", "--statistics", str(hostile))
    assert plain(done.stdout + done.stderr)


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("turn", ["1", "2", "3", "99"])
def test_a_board_is_drawn_with_nothing_raw(hostile: Path, turn: str) -> None:
    done = bgtools("show", str(hostile), "--row", turn)
    assert plain(done.stdout + done.stderr), ascii(done.stdout + done.stderr)


def test_a_report_prints_nothing_raw(hostile: Path, tmp_path: Path) -> None:
    done = bgtools("report", "--engine", "none", "--output", str(tmp_path / "out\x1b[31m"), str(hostile))
    assert "Traceback" not in done.stderr
    assert plain(done.stdout + done.stderr), ascii(done.stdout + done.stderr)
    assert (tmp_path / "out\x1b[31m" / "report.json").is_file()


@pytest.mark.parametrize(
    "command",
    [
        ("check", "--format", "json"),
        ("check", "--format", "sarif"),
        ("convert", "--to", "json"),
        ("report", "--engine", "none"),
        ("show",),
        ("table", "turns"),
    ],
    ids=" ".join,
)
def test_a_name_that_is_no_text_is_as_good_as_another(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = os.fsencode(tmp_path) + b"/caf\xe9.mat"
    try:
        Path(os.fsdecode(file)).write_text(WRONG_DIE)
    except OSError:
        pytest.skip("no file can have such a name here")
    monkeypatch.chdir(tmp_path)
    more = ("-",) if command[0] == "convert" else ()
    done = bgtools(*command, os.fsdecode(file), *more)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1)
    if command[0] == "report":
        data = json.loads((tmp_path / "caf-report" / "report.json").read_bytes())
        assert data["match"]["file"].endswith("/caf?.mat")


def test_a_report_is_named_after_a_file_without_what_acts_on_a_terminal(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = bgtools("report", "--engine", "none", str(hostile))
    assert plain(done.stdout + done.stderr), ascii(done.stdout + done.stderr)


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize(
    "command", [("check",), ("check", "--format", "sarif"), ("show",), ("report",), ("convert", "--to", "json")]
)
@pytest.mark.parametrize("content", [None, b"", b"\0\x1b[31m", b"PK\x03\x04\x1b[31m", b"\x1f\x8b\x1b[31m"])
def test_what_cannot_be_read_is_named_with_nothing_raw(
    command: tuple[str, ...], content: bytes | None, tmp_path: Path
) -> None:
    file = tmp_path / FILE
    if content is not None:
        file.write_bytes(content)
    done = bgtools(*command, str(file))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert plain(done.stdout + done.stderr), ascii(done.stdout + done.stderr)


def test_options_are_complained_of_with_nothing_raw() -> None:
    for arguments in (
        ("rule", "\x1b[31m"),
        ("check", "--select", "\x1b[31m", "x"),
        ("check", "--rules", "\x1b[31m", "x"),
        ("show", "XGID=\x1b[31m"),
        ("convert", "x", "--to", "\x1b[31m"),
        ("convert", "x", "--from", "\x1b[31m", "--to", "mat"),
    ):
        done = bgtools(*arguments)
        assert done.returncode == 2
        assert plain(done.stdout + done.stderr), (arguments, ascii(done.stdout + done.stderr))


# --- size -----------------------------------------------------------------------------------


def _measured(file: Path, *arguments: str, seconds: float) -> tuple[subprocess.CompletedProcess[str], int]:
    """What a check prints, and the megabytes it took at its most."""
    pytest.importorskip("resource", reason="only Unix tells how much memory a process took")
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, "check", *arguments, str(file)],
        capture_output=True,
        timeout=seconds,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr
    return done, int(done.stderr.split()[-1])


def test_two_hundred_megabytes_are_refused_before_they_are_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "large.mat"
    with file.open("wb") as stream:
        stream.write(HEAD + ROW)
        stream.truncate(200 << 20)  # holes of zeros, which take no room on the disk
    done, megabytes = _measured(file, seconds=60)
    assert done.returncode == 2
    assert "larger than 16 MB" in done.stderr
    assert "BGTOOLS_LARGEST_FILE" in done.stderr
    assert megabytes < 150


def test_a_line_of_ten_megabytes_is_one_finding(tmp_path: Path) -> None:
    file = tmp_path / "line.mat"
    file.write_bytes(KINDS["one line"](10 << 20))
    done, megabytes = _measured(file, "--format", "concise", seconds=60)
    assert done.returncode == 1
    assert "a line of 10,485,760 characters is left out" in done.stdout
    assert len(done.stdout) < 2000
    assert megabytes < 200


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_file_of_every_kind_takes_bounded_time_and_memory(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "x.mat"
    file.write_bytes(KINDS[kind](15_900_000)[: 16 << 20])
    done, megabytes = _measured(file, "--statistics", seconds=1800)
    assert done.returncode in (0, 1, 2)
    assert plain(done.stdout + done.stderr)
    assert megabytes < 2000


@pytest.mark.thorough
def test_a_million_games_are_refused_or_told(tmp_path: Path) -> None:
    file = tmp_path / "games.mat"
    file.write_bytes(KINDS["games"](28 * 1_000_000))
    done, _ = _measured(file, "--format", "concise", seconds=600)
    assert (done.returncode, "larger than 16 MB" in done.stderr) == (2, True)
    os.truncate(file, 15_000_000)
    done, megabytes = _measured(file, "--format", "concise", seconds=600)
    assert "a match of more than 10,000 games" in done.stdout
    assert megabytes < 2000
