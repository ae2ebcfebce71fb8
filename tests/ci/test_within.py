"""A run of little time ends in time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SLOW = """
import time
import pytest

@pytest.mark.parametrize("which", ["first", "second"])
def test_slow(which):
    time.sleep(60)
"""


@pytest.mark.thorough
@pytest.mark.timeout(50)
def test_what_outlasts_a_run_or_would_begin_too_late_is_left_to_another(tmp_path: Path) -> None:
    (tmp_path / "test_slow.py").write_text(SLOW)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", TESTS.parent / "pyproject.toml", "--rootdir", tmp_path, "-p", "conftest",
         "-n", "0", "--within", "5", "--grace", "0", tmp_path / "test_slow.py"],
        env={"PYTHONPATH": str(TESTS)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "2 skipped: no time is left in this run" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
