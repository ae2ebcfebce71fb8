"""Drafts: files and folders that are written beside what they shall become, and what a killed program leaves of them.

A program holds a lock on its drafts while it lives, and the system releases the lock when the program is killed. So the
program that makes the next draft in a folder knows which drafts there nobody will finish, and removes them.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ASIDE: Final = "old"
"""A folder inside a draft: what the draft is to replace waits there under its own name, to be put back if need be."""
_GONE: Final = "gone"
_NAMES: Final = re.compile(r"\..*\.bgtools-[a-z0-9_]{8}(\.part)?", re.DOTALL)
_LONGEST: Final = 40
_HOUR: Final = 3600


@contextmanager
def temporary_file(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A file beside ``path`` to write, and where it is. It is removed at the end, unless it has been renamed."""
    clear(path.parent)
    descriptor, draft = _held(lambda: tempfile.mkstemp(dir=path.parent, prefix=_beginning(path), suffix=".part"))
    assert descriptor is not None
    try:
        with os.fdopen(descriptor, "w+b") as stream:
            yield stream, draft
    finally:
        draft.unlink(missing_ok=True)


def end(stream: BinaryIO) -> None:
    """Write out the buffer of a draft that is to be renamed. Windows renames no open file, so it is closed there."""
    stream.flush()
    if os.name == "nt":
        stream.close()


@contextmanager
def temporary_folder(path: Path) -> Iterator[Path]:
    """A folder beside ``path`` to work in. At the end it is removed, and what waits in `ASIDE` put back if need be."""
    clear(path.parent)

    def make() -> tuple[int | None, str]:
        while True:
            name = tempfile.mkdtemp(dir=path.parent, prefix=_beginning(path))
            with suppress(FileNotFoundError):  # another program has taken the folder for abandoned and removed it
                return None if sys.platform == "win32" else os.open(name, os.O_RDONLY), name

    descriptor, draft = _held(make)
    try:
        yield draft
    finally:
        _finish(draft)
        if descriptor is not None:
            os.close(descriptor)


def _held(make: Callable[[], tuple[int | None, str]]) -> tuple[int | None, Path]:
    """A new draft with a lock, and its path. Until it has the lock, other programs may take it for abandoned."""
    while True:
        descriptor, name = make()
        if descriptor is None or sys.platform == "win32":
            return descriptor, Path(name)
        try:
            import fcntl

            with suppress(OSError):  # a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        except KeyboardInterrupt:  # nobody holds the draft yet who would remove it
            _remove(Path(name))
            raise
        if os.path.lexists(name):
            return descriptor, Path(name)
        os.close(descriptor)


def clear(folder: Path) -> None:
    """Remove the drafts in a folder that no program holds any more, and put back what they hold in `ASIDE`."""
    with suppress(OSError), os.scandir(folder) as entries:
        for path in [Path(each.path) for each in entries if _NAMES.fullmatch(each.name)]:
            with suppress(OSError), _abandoned(path) as abandoned:
                if abandoned:
                    _remove(path)


def _beginning(path: Path) -> str:
    return f".{path.name[:_LONGEST]}.bgtools-"


@contextmanager
def _abandoned(path: Path) -> Iterator[bool]:
    """Whether no program works on a draft any more; inside the block no other program can lock it.

    On Windows: whether it did not change within the last hour.
    """
    if sys.platform == "win32":
        yield time.time() - path.stat().st_mtime >= _HOUR
        return
    import fcntl

    descriptor = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _remove(draft: Path) -> None:
    """Remove a draft, whether it is a file or a folder."""
    if draft.is_dir() and not draft.is_symlink():
        _finish(draft)
    else:
        draft.unlink(missing_ok=True)


def _finish(draft: Path) -> None:
    """Put back what waits in `ASIDE` and has not been replaced, then remove the draft."""
    aside, gone = draft / ASIDE, draft / _GONE
    if aside.is_dir():
        for path in aside.iterdir():
            if not (draft.parent / path.name).exists():
                path.rename(draft.parent / path.name)
        # Under another name, so that a half removed folder is never put back.
        aside.rename(gone)
    shutil.rmtree(draft, ignore_errors=True)
