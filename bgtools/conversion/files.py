"""Writing files whole or not at all, and names that every system takes."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from bgtools._drafts import draft_file, end

if TYPE_CHECKING:
    from collections.abc import Iterator


def save(data: bytes, path: Path, *, force: bool = False) -> None:
    """Write a file whole or not at all.

    Raises:
        FileExistsError: there is a file already, and ``force`` is not given.
        OSError: it cannot be written.
    """
    with saving(path, force=force) as stream:
        stream.write(data)


def is_taken(path: Path) -> bool:
    """Whether writing to a path would replace a file or folder. Writing to a device or a pipe replaces nothing."""
    return path.is_file() or path.is_dir()


@contextmanager
def saving(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A stream to write a file with. When the block ends well, the whole file is there; else nothing has changed.

    A link stays, and the file that it leads to is written; a device or a pipe is written into.

    Raises:
        FileExistsError: there is a file already, and ``force`` is not given.
        OSError: it cannot be written.
    """
    if not force and is_taken(path):
        raise FileExistsError(f"{path} exists")
    if path.exists() and not path.is_file():
        with tempfile.TemporaryFile() as stream:
            yield stream
            stream.seek(0)
            with path.open("wb") as out:
                shutil.copyfileobj(stream, out)
        return
    path = Path(os.path.realpath(path))
    with draft_file(path) as (stream, draft):
        yield stream
        end(stream)
        with suppress(OSError):
            draft.chmod(0o666 & ~_umask())
        if force:
            draft.replace(path)
        else:
            # Unlike a rename, a link never takes the place of a file that has come since.
            _place(draft, path)


def _place(new: Path, path: Path) -> None:
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(f"{path} exists") from None
        new.replace(path)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]|^\.|[. ]+$')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


def safe_name(stem: str) -> str:
    """A file name that every system takes: nothing in it is a path, a device or a control character."""
    stem = _UNSAFE.sub("_", stem)[:120] or "match"
    return f"_{stem}" if _RESERVED.fullmatch(stem) else stem
