"""What a browser has is Python alone: findings, fixes and conversion need no NumPy, and no other large package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bgtools.formats.registry import formats
from bgtools.formats.xg.writer import write
from xg_files import ANALYSED

SAMPLES = Path(__file__).parents[2] / "samples"

BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"numpy", "pandas", "matplotlib", "PIL", "duckdb", "pyarrow", "bgsage"}:
            raise ModuleNotFoundError("not here: " + name, name=name)
sys.meta_path.insert(0, Block())
from bgtools.cli import main
main()
"""


def alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command with no large package to be found."""
    environment = {**os.environ, "BGTOOLS_TRACEBACK": "1"}
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *arguments], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for each in SAMPLES.glob("*.mat"):
        (tmp_path / each.name).write_bytes(each.read_bytes())
    (tmp_path / "made.xg").write_bytes(write((ANALYSED,)))
    return tmp_path


def test_records_are_checked_without_numpy(folder: Path) -> None:
    files = sorted(each.name for each in folder.iterdir())
    assert "made.xg" in files
    done = alone(folder, "check", *files, "--format", "json")
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.thorough
def test_every_format_is_written_and_read_without_numpy(folder: Path) -> None:
    held = 0
    for name in [each.name for each in formats() if each.writer and each.holds_matches]:
        done = alone(folder, "convert", "made.xg", f"out-{name}", "--to", name)
        assert "Traceback" not in done.stderr, (name, done.stderr)
        if "BG515" in done.stderr:  # a form of positions
            continue
        assert done.returncode == 0, (name, done.stderr)
        again = alone(folder, "convert", f"out-{name}", f"back-{name}.json", "--from", name)
        assert again.returncode == 0, (name, again.stderr)
        held += 1
    assert held > 8


@pytest.mark.thorough
def test_a_record_is_repaired_without_numpy(folder: Path) -> None:
    done = alone(folder, "check", "five-slips.mat", "--fix")
    assert "5 fixes made" in done.stdout + done.stderr, done.stderr
