"""Signals end a command whatever Python is doing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")

PROGRAM = """
import signal, sys, time, weakref
from bgtools._signals import end_on_signals

class Thing:
    pass

def interrupt(*_):
    signal.raise_signal(signal.{name})

def main():
    end_on_signals(main.__code__)
    {doing}
    time.sleep(60)

try:
    main()
except BaseException as error:
    print(repr(error))
"""

CALLBACK = "thing = Thing(); reference = weakref.ref(thing, interrupt); del thing"
IMPORT = "import drops; assert drops.went_on"
DROPS = """
import signal
try:
    signal.raise_signal(signal.{name})
except BaseException:
    pass
else:
    went_on = True
"""


@pytest.mark.parametrize("doing", ["interrupt()", CALLBACK, IMPORT], ids=["plainly", "callback", "import"])
@pytest.mark.parametrize(("name", "end"), [("SIGINT", "KeyboardInterrupt()"), ("SIGTERM", "SystemExit(143)")])
def test_a_signal_is_never_lost(name: str, end: str, doing: str, tmp_path: Path) -> None:
    (tmp_path / "drops.py").write_text(DROPS.format(name=name))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(name=name, doing=doing)],
        capture_output=True, text=True, timeout=30, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), str(tmp_path)])},
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == (end, "")


def test_what_else_is_dropped_is_told() -> None:
    raising = "class Bad:\n        def __del__(self):\n            raise ValueError('seen')\n    Bad(); return"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(name="SIGINT", doing=raising)],
        capture_output=True, text=True, timeout=30, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert "ValueError: seen" in done.stderr
