"""Signals end a command whatever Python is doing."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import shares

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


@pytest.mark.parametrize(("name", "end"), [("SIGINT", "KeyboardInterrupt()"), ("SIGTERM", "SystemExit(143)")])
def test_an_error_that_a_library_puts_in_place_of_a_signal_is_not_believed(name: str, end: str) -> None:
    """As DuckDB does: what it gives is "Query interrupted"."""
    doing = (
        "try:\n        interrupt()\n    except BaseException:\n        pass\n"
        "    from bgtools._signals import end_again; end_again()"
    )
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(name=name, doing=doing)],
        capture_output=True, text=True, timeout=30, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == (end, "")


OUTSIDE = """
import signal, sys
from bgtools import cli
from bgtools.cli import _commands, _common

def interrupt(*arguments, **options):
    signal.raise_signal(signal.{name})

def interrupted_by_a_library(**options):
    try:
        interrupt()
    except BaseException:
        raise RuntimeError("Query interrupted") from None

class Stream:
    def flush(self):
        sys.stdout = sys.__stdout__
        interrupt()
    def __getattr__(self, name):
        return getattr(sys.__stdout__, name)

{doing}
sys.argv[1:] = ["--version"]
cli.main()
"""


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize(
    "doing",
    [
        "_commands.Commands.__init__ = interrupt",
        "_common.tune_garbage_collector = interrupt",
        "cli._terminal.install_safe_streams = lambda: setattr(sys, 'stdout', Stream())",
        "cli.app = interrupted_by_a_library",
    ],
    ids=["as the commands are made", "before any command", "after the command", "by an error of a library"],
)
@pytest.mark.parametrize(("name", "status", "message"), [("SIGINT", 130, "bgtools: interrupted"), ("SIGTERM", 143, "")])
def test_a_signal_outside_of_a_command_ends_without_a_traceback(
    name: str, status: int, message: str, doing: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE.format(name=name, doing=doing)],
        capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert (done.returncode, done.stderr.strip()) == (status, message)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_at_any_moment_leaves_no_draft_and_no_traceback(name: str, tmp_path: Path) -> None:
    """A share of all moments: from the first import to the end of the command."""
    sample = Path(__file__).parents[2] / "samples" / "one-point.mat"
    rng = random.Random(shares.number())
    command = [sys.executable, "-m", "bgtools", "convert", str(sample), "out.json", "--force"]
    ends = set()
    for _ in range(12):
        process = subprocess.Popen(
            command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )  # fmt: skip
        time.sleep(rng.uniform(0.1, 0.6))
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=60)
        ends.add(process.returncode)
        # Python answers Ctrl-C with a traceback until `__main__` says otherwise.
        assert {*re.findall(r'File ".*[/\\]bgtools[/\\](.+)"', said)} <= {"__init__.py", "__main__.py"}
        assert not [each.name for each in tmp_path.iterdir() if each.name != "out.json"]
    number = getattr(signal, name)
    assert ends <= {0, 1, 128 + number, -number}
