"""``convert --positions``: lists of positions from any notation to one."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from program import bgtools

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
GNUBG = "4HPwATDgc/ABMA:cInlAAAAAAAE"
OGID = "11ccccchhhjjjjj:66666888dddddoo:N0N:13:W:R:0:0:7:0"


def test_a_mixed_list_becomes_one_of_a_kind() -> None:
    done = bgtools("convert", "--positions", "--to", "xgid", stdin=f"{XGID}\n{GNUBG}\n\n# note\n{OGID}\n".encode())
    assert (done.returncode, done.stderr) == (0, "")
    # Some notations put the dice in order.
    ordered = XGID.replace(":31:", ":13:")
    assert done.stdout.splitlines() == [XGID, XGID, "", "# note", ordered]


def test_a_bad_line_keeps_its_place_and_is_told_with_its_number(tmp_path: Path) -> None:
    file, out = tmp_path / "in.txt", tmp_path / "out.txt"
    file.write_text(f"{XGID}\nrubbish\n{XGID}\n")
    done = bgtools("convert", "--positions", "--to", "gnubg", str(file), str(out))
    assert done.returncode == 1
    assert f"{file}:2: a GNU Position ID has 14 characters" in done.stderr
    lines = out.read_text().splitlines()
    assert (lines[0], lines[2]) == (GNUBG, GNUBG)
    assert lines[1].startswith("#error ")
    again = bgtools("convert", "--positions", "--to", "gnubg", str(file), str(out))
    assert again.returncode == 2
    assert "--force" in again.stderr


def test_a_list_may_take_its_own_place(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(f"{GNUBG}\n" * 3)
    assert bgtools("convert", "--positions", "--to", "xgid", "--force", str(file), str(file)).returncode == 0
    assert file.read_text() == f"{XGID}\n" * 3
    assert [each.name for each in tmp_path.iterdir()] == ["list.txt"]


@pytest.mark.quick(one_in=3)
@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_nothing_is_left_behind_when_it_is_ended(tmp_path: Path, name: str) -> None:
    number = signal.Signals[name]
    arguments = [sys.executable, "-m", "bgtools", "convert", "--positions", "--to", "xgid", "-", f"{tmp_path}/x.txt"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        for _ in range(600):
            if any(tmp_path.iterdir()):
                break
            time.sleep(0.05)
        assert [each.suffix for each in tmp_path.iterdir()] == [".part"]
        process.send_signal(number)
        assert process.wait(timeout=60) == 128 + number
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    for arguments, said in (
        (["--to", "klingon"], "there is no notation 'klingon'; there are xgid, ogid"),
        ([], "say with --to which notation"),
        (["--to", "xgid", str(tmp_path / "none")], "cannot be read: No such file"),
        (["--to", "xgid", "a", "b", "c"], "give one list"),
    ):
        done = bgtools("convert", "--positions", *arguments)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr
