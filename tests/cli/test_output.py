"""Where nothing more can be printed: the reader has gone away, or the disk is full."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from program import bgtools

FULL = Path("/dev/full")
REPOSITORY = Path(__file__).parents[2]
RECORD = str(REPOSITORY / "samples" / "seven-point.mat")
COMMANDS = (
    ("check", str(REPOSITORY / "samples" / "five-slips.mat")),
    ("convert", RECORD, "-", "--to", "json"),
    ("convert", "--positions", "--to", "list", "-"),
    ("formats",),
    ("met",),
    ("rule", "--all"),
    ("show", RECORD),
    ("table", "turns", RECORD),
    ("table", "turns", RECORD, "--format", "json"),
    ("report", RECORD, "--engine", "none"),
)


def started(arguments: tuple[str, ...], stdout: int, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "bgtools", *arguments, *(("-o", str(folder)) if arguments[0] == "report" else ())],
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )


@pytest.mark.quick(one_in=5)
@pytest.mark.skipif(not FULL.is_char_device(), reason="there is no disk that is always full")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_disk_is_said_without_a_traceback(arguments: tuple[str, ...], tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        process = started(arguments, full.fileno(), tmp_path / "out")
        _, errors = process.communicate(b"4HPwATDgc/ABMA\n", timeout=60)
    assert errors.decode() == "bgtools: standard output: cannot be written: No space left on device\n"
    assert process.returncode == 2


@pytest.mark.quick(one_in=5)
@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_reader_that_has_gone_is_no_fault(arguments: tuple[str, ...], tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = started(arguments, writing, tmp_path / "out")
    os.close(writing)
    _, errors = process.communicate(b"4HPwATDgc/ABMA\n", timeout=60)
    assert errors == b""
    assert process.returncode == 0


def test_help_and_refusals_are_in_plain_words() -> None:
    """Without the words of the library that checks values."""
    for command in ("check", "show", "met", "report", "table", "benchmark"):
        text = bgtools(command, "--help").stdout
        assert "range" not in text
        assert "[x>" not in text
    for arguments, said in {
        ("show", "x", "-g", "0"): "0 is too small; it must be 1 or more",
        ("check", "x", "-j", "two"): "'two' is not a whole number",
        ("report", "x", "--disagree", "-1"): "-1 is too small; it must be 0 or more",
        ("report", "x", "--disagree", "much"): "'much' is not a number",
        ("check", "x", "--format", "pdf"): "'--format': 'pdf' is not one of",
    }.items():
        done = bgtools(*arguments)
        assert done.returncode == 2
        assert said in " ".join(done.stderr.replace("│", " ").split())
