"""bgtools, imported once and started as often as asked: a process of its own each time, without the second it takes.

`program` talks to it: every message on the socket holds the arguments, the environment and the folder of a command
and brings its three streams. The answers are the number of the process and, when it has ended, its exit code.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import socket
import sys
import threading
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import typer

import bgtools
import bgtools.cli
import faults
import ogxm_judge
from bgtools.formats.registry import our_formats


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


def load() -> None:
    """Import whatever commands import, and make every command with its options."""
    modules = [each.name for each in pkgutil.walk_packages(bgtools.__path__, "bgtools.")]
    printing = ("markdown", "panel", "progress", "table")  # rich imports them when something is printed
    for module in (
        *modules,
        "pandas",
        "matplotlib.figure",
        "duckdb",
        "pyarrow.parquet",
        "typer.rich_utils",
        *(f"rich.{name}" for name in printing),
    ):
        if module != "bgtools.__main__":
            with suppress(ImportError):  # of an engine that is not installed
                importlib.import_module(module)
    ogxm_judge.watch()  # as conftest.py has it
    match = bgtools.read(Path(__file__).parents[1] / "samples" / "one-point.mat")
    bgtools.check(match)
    for each in our_formats():  # builds the grammars
        if each.writer and each.holds_matches:
            bgtools.convert(match, to=each.name)
    group: Any = typer.main.get_command(bgtools.cli.app)
    for command in group.commands.values():
        for each in (command, *getattr(command, "commands", {}).values()):
            each.get_params(each.make_context(each.name, [], resilient_parsing=True))


def run() -> int:
    """Run the command line; its exit code, as the interpreter would give it."""
    try:
        runpy.run_module("bgtools", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


def end(code: int) -> NoReturn:
    """End the process as the interpreter would, without the tenth of a second that it takes to clear what is loaded."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    load()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)  # as conftest.py has it
    arguments, streams = serve(socket.socket(fileno=int(sys.argv[1])))
    take(streams)
    sys.argv[1:] = arguments
    if fault := os.environ.get(faults.VARIABLE):
        faults.install(fault)
    end(run())
