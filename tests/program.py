"""The command line run as a program, and a small record to run it on."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = str(Path(__file__).parents[1])

SOUND = """
 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                52: 13/8 24/22
  2)  Doubles => 2               Drops
      Wins 1 point
"""
WRONG_DIE = SOUND.replace("52: 13/8 24/22", "52: 13/9 24/22")


class Warm:
    """The program that `warm` keeps ready. It runs one command at a time."""

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("warm.py"), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": ROOT, "OPENBLAS_NUM_THREADS": "1"},
            )
        atexit.register(self.end)

    def end(self) -> None:
        """Let the program end, which it does when nobody talks to it any more."""
        self._channel.close()
        self._process.wait(60)

    def start(self, arguments: Sequence[str], streams: Sequence[IO[bytes]], environment: Mapping[str, str]) -> int:
        """Start a command with these streams as its standard input, output and error; the number of its process."""
        command = {"arguments": arguments, "environment": dict(environment), "folder": str(Path.cwd())}
        socket.send_fds(self._channel, [json.dumps(command).encode()], [stream.fileno() for stream in streams])
        return int(self._channel.recv(32))

    def wait(self, seconds: float) -> int | None:
        """The exit code of the command, or None where it still runs after so many seconds."""
        ended, _, _ = select.select([self._channel], [], [], seconds)
        return int(self._channel.recv(32)) if ended else None


warm = cache(Warm)
IS_WARM = sys.platform == "linux"


def bgtools(
    *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line as a program, with more in its environment; what it prints, decoded as UTF-8."""
    environment = {
        "PYTHONPATH": ROOT,
        "PYTHONIOENCODING": "utf-8",
        "PATH": "",
        "BGTOOLS_CACHE": os.environ["BGTOOLS_CACHE"],
        **(environment or {}),
    }
    with TemporaryFile() as given, TemporaryFile() as output, TemporaryFile() as errors:
        streams = (given, output, errors)
        given.write(stdin)
        given.seek(0)
        if IS_WARM:
            process = warm().start(arguments, streams, environment)
            if (code := warm().wait(120)) is None:
                os.kill(process, signal.SIGKILL)
                raise subprocess.TimeoutExpired(arguments, 120)
        else:
            command = [sys.executable, "-m", "bgtools", *arguments]
            code = subprocess.call(command, stdin=given, stdout=output, stderr=errors, timeout=120, env=environment)
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, code, output.read().decode(), errors.read().decode())


def on_terminal(arguments: tuple[str, ...], folder: Path, **environment: str) -> str:
    """All that a command writes to a terminal."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bgtools", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ROOT, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    written = bytearray()
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # how Linux tells the end
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    process.wait(60)
    return written.decode("utf-8", "backslashreplace")


def was_interrupted(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> bool:
    """Whether a program ended as Ctrl-C ends one: a shell shows 130 either way.

    Python ends itself by the signal, after all is cleared up, if it came while a class was being made.
    """
    return process.returncode in (130, -signal.SIGINT)
