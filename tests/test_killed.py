"""A report killed in the middle leaves nothing half done, and what was answered by then is not asked again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bgtools.engines import Store

pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "samples" / "seven-point.mat"
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")


def start(target: Path, cache: Path | None) -> subprocess.Popen[bytes]:
    keep = "--cache" if cache else "--no-cache"
    return subprocess.Popen(
        [sys.executable, "-m", "bgtools", "report", str(SAMPLE), "--level", "quick", keep, "-o", str(target)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "BGTOOLS_CACHE": str(cache or target.parent / "unused")},
    )  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def killed(tmp_path: Path, times: int) -> None:
    whole = tmp_path / "whole"
    output, errors = start(whole, None).communicate(timeout=600)
    assert (whole / "report.json").exists(), errors.decode() + output.decode()
    wanted = contents(whole)

    cache, target = tmp_path / "cache", tmp_path / "target"
    chance = random.Random(5)
    known = 0
    for _ in range(times):
        process = start(target, cache)
        try:
            process.communicate(timeout=chance.uniform(0.3, 4.0))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        if target.exists():  # there in whole, or not at all
            assert set(contents(target)) == set(wanted)
        if cache.exists():
            store = Store(next(cache.glob("*.sqlite"), cache / "none"))
            assert not store.fault
            answers = store.usage().answers
            store.close()
            assert answers >= known
            known = answers
    _, errors = start(target, cache).communicate(timeout=600)
    assert contents(target) == wanted, errors.decode()


def test_a_report_killed_now_and_then_is_the_same_in_the_end(tmp_path: Path) -> None:
    killed(tmp_path, 5)


@pytest.mark.deep
def test_a_report_killed_fifty_times_is_the_same_in_the_end(tmp_path: Path) -> None:
    killed(tmp_path, 50)
