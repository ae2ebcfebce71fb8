"""The command line run as a program, and a small record to run it on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

SOUND = """
 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                52: 13/8 24/22
  2)  Doubles => 2               Drops
      Wins 1 point
"""
WRONG_DIE = SOUND.replace("52: 13/8 24/22", "52: 13/9 24/22")


def bgtools(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the command line as a program; what it prints, decoded as UTF-8."""
    done = subprocess.run(
        [sys.executable, "-m", "bgtools", *arguments],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
        env={
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "PYTHONIOENCODING": "utf-8",
            "PATH": "",
            "BGTOOLS_CACHE": os.environ["BGTOOLS_CACHE"],
        },
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def was_interrupted(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> bool:
    """Whether a program ended as Ctrl-C ends one: a shell shows 130 either way.

    Python ends itself by the signal, after all is cleared up, if it came while a class was being made.
    """
    return process.returncode in (130, -signal.SIGINT)
