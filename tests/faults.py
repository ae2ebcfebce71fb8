"""A file system with faults, for a program that `warm` starts: what the system refuses it below a folder.

Python tells of each file that it is about to open, make, rename or remove, and takes an error for an answer.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

READING = ("denied", "broken", "vanished", "folder", "other", "empty")
WRITING = ("denied to write", "read-only", "no room", "full")
_ERRORS = {"denied": 13, "broken": 5, "denied to write": 13, "read-only": 30, "no room": 28, "full": 28}
_CHANGES = ("os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir", "os.chmod", "os.chown", "os.truncate")
VARIABLE = "TESTS_FAULT"
"""The environment variable that tells the fault, a colon and the folder."""


def install(told: str) -> None:
    """Let this process meet a fault in a folder from now on."""
    kind, _, folder = told.partition(":")
    if kind == "full":
        _fill(folder)
    else:
        sys.addaudithook(lambda event, given: _meet(kind, folder, event, given))


def _meet(kind: str, folder: str, event: str, given: tuple[Any, ...]) -> None:
    if event not in ("open", "os.scandir", "os.listdir", *_CHANGES) or not _is_below(given[0], folder):
        return
    path = os.fsdecode(given[0])
    writes = event in _CHANGES or (event == "open" and bool(given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)))
    if kind in WRITING:
        if writes and (kind != "no room" or event not in ("os.remove", "os.rmdir")):
            _refuse(kind, path)
    elif not writes and kind in _ERRORS:
        _refuse(kind, path)
    elif event == "open" and not writes and Path(path).is_file():
        with suppress(OSError):
            _change(kind, Path(path))


def _is_below(path: object, folder: str) -> bool:
    return (
        isinstance(path, (str, bytes, os.PathLike)) and Path(folder) in Path.cwd().joinpath(os.fsdecode(path)).parents
    )


def _refuse(kind: str, path: str) -> None:
    raise OSError(_ERRORS[kind], os.strerror(_ERRORS[kind]), path)


def _change(kind: str, path: Path) -> None:
    """What happens to a file in the moment before it is opened."""
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind != "vanished":
        path.write_text("" if kind == "empty" else "something else")


class _Full(io.BufferedRandom):
    def write(self, data: Any) -> int:
        raise OSError(28, os.strerror(28))


def _fill(folder: str) -> None:
    """Let no draft below a folder take a byte."""
    usual = os.fdopen

    def fdopen(descriptor: int, *given: Any, **more: Any) -> Any:
        if {*given[0]} & {*"wxa+"} and _is_below(Path(f"/proc/self/fd/{descriptor}").readlink(), folder):
            return _Full(io.FileIO(descriptor, "r+b"))
        return usual(descriptor, *given, **more)

    setattr(os, "fdopen", fdopen)  # noqa: B010 - which has several signatures
    sys.addaudithook(lambda event, given: _meet_full(folder, event, given))


def _meet_full(folder: str, event: str, given: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(given[1], str) and _is_below(given[0], folder) and {*given[1]} & {*"wxa+"}:
        _refuse("full", os.fsdecode(given[0]))


def copied(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, and its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
