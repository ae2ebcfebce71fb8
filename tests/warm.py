"""bgtools, imported once and started as often as asked: a process of its own each time, without the second it takes.

`program` talks to it: every message on the socket holds the arguments, the environment and the folder of a command
and brings its three streams. The answers are the number of the process and, when it has ended, its exit code.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import socket
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import bgtools
import faults


def serve(channel: socket.socket) -> tuple[list[str], list[int]]:
    """Copy this process for every command. Returns in the copy, with its arguments and its streams."""
    while True:
        message, streams, _, _ = socket.recv_fds(channel, 1 << 20, 3)
        if not message:  # nobody is there any more
            os._exit(0)
        with warnings.catch_warnings(action="ignore"):  # libraries have threads, which the copy does without
            child = os.fork()
        if not child:
            break
        for stream in streams:
            os.close(stream)
        channel.send(str(child).encode())
        channel.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
    channel.close()
    command = json.loads(message)
    os.environ.clear()
    os.environ.update(command["environment"])
    os.chdir(command["folder"])
    sys.path[0] = command["folder"]
    return command["arguments"], streams


def take(streams: list[int]) -> None:
    """Make them standard input, output and error, as an interpreter that starts does."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)


if __name__ == "__main__":
    modules = [each.name for each in pkgutil.walk_packages(bgtools.__path__, "bgtools.")]
    for module in (*modules, "pandas", "matplotlib.figure"):
        if module != "bgtools.__main__":
            with suppress(ImportError):  # of an engine that is not installed
                importlib.import_module(module)
    bgtools.check(bgtools.read(Path(__file__).parents[1] / "samples" / "one-point.mat"))  # builds the grammars
    gc.freeze()
    arguments, streams = serve(socket.socket(fileno=int(sys.argv[1])))
    take(streams)
    sys.argv[1:] = arguments
    if fault := os.environ.get(faults.VARIABLE):
        faults.install(fault)
    runpy.run_module("bgtools", run_name="__main__", alter_sys=True)
