"""Bombs: no input takes more memory or time than a limit, in any command."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from fuzz.bombs import BOMBS

pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="this system does not tell what a process took")

REPOSITORY: Final = Path(__file__).parents[2]
LARGEST: Final = 16 << 20
MEGABYTES: Final = 500
SECONDS: Final = 20
USUAL: Final = ("empty lists.bgf", "moves.bgf", "games.bgf", "a comment.xg", "candidates.xg", "parts.gz")
"""Those that every run of the tests tries, as large as fits into a second."""
COMMANDS: Final = {
    "check": ("check", "{file}", "-j", "1"),
    "show": ("show", "{file}"),
    "report": ("report", "{file}", "--engine", "none", "-o", "{out}/r"),
    "table": ("table", "decisions", "{file}", "-o", "{out}/t.csv", "-j", "1"),
    **{
        to: ("convert", "{file}", "{out}/x", "--to", to) for to in ("json", "mat", "sgf", "xg", "ogxm", "snowie", "gam")
    },
}


MEASURED: Final = """
import resource, subprocess, sys
def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
status = subprocess.call(sys.argv[2:], preexec_fn=limit, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
"""Runs a command and prints what it took. A process is said to have taken what the one had that has started it, and
that of the tests may be large; this one is small."""


LINES: Final = (
    "results of one row.mat", "marks of one row.mat", "moves of one roll.mat", "colons.mat", "a roll.sgf",
    "hops of a play.json",
)  # fmt: skip
"""Those that are one line, or one play, of a few signs over and over: a pattern may remember every one of them."""


def taken(data: bytes, name: str, command: str, folder: Path) -> tuple[int, float, float]:
    """Exit status, seconds of processor time and megabytes of a command on a file."""
    file = folder / name.replace(" ", "-")
    file.write_bytes(data)
    arguments = (each.format(file=file, out=folder) for each in COMMANDS[command])
    done = subprocess.run(
        [sys.executable, "-S", "-c", MEASURED, str(4 * SECONDS), sys.executable, "-m", "bgtools", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "OPENBLAS_NUM_THREADS": "1"},
    )
    status, seconds, size = done.stdout.split()
    unit = 1 if sys.platform == "darwin" else 1024
    return int(status), float(seconds), int(size) * unit / (1 << 20)


@pytest.mark.quick(one_in=6)
@pytest.mark.parametrize("name", USUAL)
def test_a_bomb_is_read_in_bounds_or_refused(name: str, tmp_path: Path) -> None:
    status, seconds, megabytes = taken(BOMBS[name][1](1_000_000), name, "check", tmp_path)
    assert status in (0, 1, 2)
    assert megabytes < MEGABYTES
    assert seconds < SECONDS


@pytest.mark.thorough
@pytest.mark.parametrize("name", LINES)
def test_a_line_as_long_as_a_file_takes_little_more_than_its_length(name: str, tmp_path: Path) -> None:
    data = BOMBS[name][1](3_000_000)
    least = taken(b"a" * len(data), name, "check", tmp_path)[2]
    _, seconds, megabytes = taken(data, name, "check", tmp_path)
    assert megabytes < least + 30 * len(data) / (1 << 20)
    assert seconds < SECONDS


CASES: Final = list(itertools.product(BOMBS, COMMANDS, (190_000, 700_000, 3_000_000, 15_900_000)))
random.Random(1).shuffle(CASES)
SHARES: Final = 50


@pytest.mark.thorough
@pytest.mark.parametrize("share", range(SHARES))
def test_no_bomb_of_any_size_goes_off_in_any_command(share: int, tmp_path: Path) -> None:
    gone_off = []
    for name, command, size in CASES[share::SHARES]:
        status, seconds, megabytes = taken(BOMBS[name][1](size)[:LARGEST], name, command, tmp_path)
        # Several matches are each done with by themselves: a file of hundreds takes a time in proportion.
        in_time = seconds < SECONDS or name == "sound matches.mat"
        if status not in (0, 1, 2) or megabytes >= MEGABYTES or not in_time:
            gone_off.append(f"{name}, {command}, {size:,}: {status}, {seconds:.1f} s, {megabytes:.0f} MB")
        for left in tmp_path.iterdir():
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    assert gone_off == []
