"""Drafts: files and folders that are written beside what they shall become, and what a killed program leaves of them.

A program holds a lock on its drafts while it lives, and the system releases the lock when the program is killed. So the
program that makes the next draft in a folder knows which drafts there nobody will finish, and removes them.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
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
    draft = _draft(path, ".part")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:  # its name is known before it is made: a signal may come at any moment
        descriptor = _held(draft, lambda: os.open(draft, flags, 0o600))
        assert descriptor is not None
        with os.fdopen(descriptor, "w+b") as stream:
            yield stream, draft
    finally:
        draft.unlink(missing_ok=True)


def new_file_in(folder: int, name: str, data: bytes) -> None:
    """Write a new file into a folder that is held open, whole or not at all. Nothing that is there is replaced.

    Args:
        folder: the descriptor of the folder.
        name: the name of the file; a name alone, no path.
        data: its bytes.

    Raises:
        FileExistsError: something has that name.
        OSError: it cannot be written.
    """
    draft = _draft(Path(name), ".part").name
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with suppress(FileNotFoundError):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    descriptor = os.open(draft, flags, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            _lock(descriptor)
            stream.write(data)
            stream.flush()
            try:
                os.link(draft, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            except FileExistsError:
                raise
            except OSError:  # a file system without links
                _write_whole(os.open(name, flags, 0o666, dir_fd=folder), data, lambda: os.unlink(name, dir_fd=folder))
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)


def new_file(path: Path, data: bytes) -> None:
    """The same by the path of the file, where a system opens nothing from a descriptor."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    _write_whole(os.open(path, flags, 0o666), data, path.unlink)


def _write_whole(descriptor: int, data: bytes, remove: Callable[[], object]) -> None:
    """Write a file that is open; where it does not take everything, remove it."""
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
    except BaseException:
        with suppress(OSError):
            remove()
        raise


def _lock(descriptor: int) -> None:
    """Hold a lock on a draft, where the file system has locks."""
    if sys.platform == "win32":
        return
    import fcntl

    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def end(stream: BinaryIO) -> None:
    """Write out the buffer of a draft that is to be renamed. Windows renames no open file, so it is closed there."""
    stream.flush()
    if os.name == "nt":
        stream.close()


@contextmanager
def temporary_folder(path: Path) -> Iterator[Path]:
    """A folder beside ``path`` to work in. At the end it is removed, and what waits in `ASIDE` put back if need be."""
    clear(path.parent)
    draft, descriptor = _draft(path), None

    def make() -> int | None:
        while True:
            draft.mkdir(0o700)
            with suppress(FileNotFoundError):  # another program has taken the folder for abandoned and removed it
                return None if sys.platform == "win32" else os.open(draft, os.O_RDONLY)

    try:
        descriptor = _held(draft, make)
        yield draft
    finally:
        _finish(draft)
        if descriptor is not None:
            os.close(descriptor)


def _draft(path: Path, ending: str = "") -> Path:
    """Where a draft beside a path is to be made. Nobody else makes one of that name."""
    import secrets

    return path.with_name(f"{_beginning(path)}{secrets.token_hex(4)}{ending}")


def _held(draft: Path, make: Callable[[], int | None]) -> int | None:
    """Make a draft, and lock it. Until it has the lock, other programs may take it for abandoned."""
    while True:
        descriptor = make()
        if descriptor is None or sys.platform == "win32":
            return descriptor
        _lock(descriptor)
        if os.path.lexists(draft):
            return descriptor
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
