"""A report killed in the middle leaves nothing half done, and what was answered by then is not asked again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

import pytest

import program
import shares
from bgtools.engines.cache import Store

pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "samples" / "seven-point.mat"
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")


def report(target: Path, cache: Path | None, seconds: float, *, is_warm: bool) -> str:
    """What a report prints that is killed after so many seconds."""
    keep = "--cache" if cache else "--no-cache"
    arguments = ["report", str(SAMPLE), "--level", "quick", keep, "-o", str(target)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BGTOOLS_CACHE": str(cache or target.parent / "unused")}
    with TemporaryFile() as printed:
        if is_warm:
            process = program.warm().start(arguments, (printed, printed, printed), environment)
            if program.warm().wait(seconds) is None:
                os.kill(process, signal.SIGKILL)
                program.warm().wait(60)
        else:
            command = [sys.executable, "-m", "bgtools", *arguments]
            with suppress(subprocess.TimeoutExpired):  # and then it has been killed
                subprocess.call(command, stdout=printed, stderr=printed, env=environment, timeout=seconds)
        printed.seek(0)
        return printed.read().decode()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def killed(tmp_path: Path, times: int, *, is_warm: bool) -> None:
    whole = tmp_path / "whole"
    began = time.monotonic()
    printed = report(whole, None, 600, is_warm=is_warm)
    longest = time.monotonic() - began
    assert (whole / "report.json").exists(), printed
    wanted = contents(whole)

    cache, target = tmp_path / "cache", tmp_path / "target"
    chance = random.Random(shares.number())  # other moments with every commit
    known = 0
    for _ in range(times):
        report(target, cache, chance.uniform(0, longest), is_warm=is_warm)
        if target.exists():  # there in whole, or not at all
            assert set(contents(target)) == set(wanted)
        if cache.exists():
            store = Store(next(cache.glob("*.sqlite"), cache / "none"))
            assert not store.fault
            answers = store.usage().answers
            store.close()
            assert answers >= known
            known = answers
    printed = report(target, cache, 600, is_warm=is_warm)
    assert contents(target) == wanted, printed


@pytest.mark.thorough
def test_a_report_killed_now_and_then_is_the_same_in_the_end(tmp_path: Path) -> None:
    killed(tmp_path, 12, is_warm=program.IS_WARM)


@pytest.mark.thorough
def test_a_report_killed_fifty_times_is_the_same_in_the_end(tmp_path: Path) -> None:
    killed(tmp_path, 50, is_warm=program.IS_WARM)
