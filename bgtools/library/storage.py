"""Where the files of a library are, and what can be wrong with a library.

They are in a folder of this machine, or in one that `fsspec` reaches.

A file is written once, under a name made of its content, and never changes. It is there whole or not at all: it is
written under another name and then renamed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import tempfile
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class LibraryError(Exception):
    """Something about a library that its owner has to know. The message says what, and what would help.

    >>> try:
    ...     bgtools.Library("no-such-folder").count
    ... except bgtools.LibraryError as error:
    ...     print(error)
    no-such-folder is not a library yet; bgtools library add puts records into it
    """


class ManifestDamaged(LibraryError):
    """A commit of the manifest is missing or damaged. It can be rebuilt from the files."""


class Storage(Protocol):
    """A place for files, which are named by paths with slashes below it."""

    @property
    def location(self) -> str:
        """The place itself, as `open_storage` takes it."""
        ...

    def address(self, name: str) -> str:
        """Where a file lies, as DuckDB and pyarrow take it."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of a file.

        Raises:
            OSError: it is not there, or cannot be read.
        """
        ...

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, over another of that name.

        Raises:
            OSError: the place refuses.
        """
        ...

    def write_new(self, name: str, data: bytes) -> bool:
        """Write a file whole unless there is one of that name; whether it was written.

        Raises:
            OSError: the place refuses.
        """
        ...

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, sorted; none where there is no such folder."""
        ...

    def drafts(self, folder: str) -> list[str]:
        """The names of the files in a folder that were begun and not finished, sorted."""
        ...

    def size(self, name: str) -> int | None:
        """The length of a file in bytes; None where it is not there."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file, if it is there. A folder that has taken its place gets another name beside it."""
        ...


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal digits, by which files of a library are named."""
    return hashlib.sha256(data).hexdigest()


def open_storage(location: str) -> Storage:
    """The storage at a path, or at an address such as ``s3://bucket/library`` that fsspec knows.

    Raises:
        ImportError: the address needs fsspec, or what fsspec needs for it, and that is not installed.
        LibraryError: fsspec knows no such kind of address.
    """
    if _SEPARATOR in location and not location.startswith("file://"):
        return _Remote(location)
    return _Folder(Path(location.removeprefix("file://")))


_SEPARATOR: Final = "://"
DRAFT: Final = ".part"
"""The ending of a file that is being written. A writer that is killed leaves it; `library check --clean` removes it."""
_DRAFTS: Final = re.compile(r"\..+\.(parquet|json)\.[^.]+" + re.escape(DRAFT))
_READABLE: Final = 0o644
_NO_LINKS: Final = frozenset(
    {errno.EPERM, errno.EACCES, errno.EINVAL, errno.EMLINK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
)
"""Errors of file systems without links. EPERM and EACCES mean that too: the draft could be written to the folder."""


class _Folder:
    """A folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def location(self) -> str:
        return str(self._folder)

    def address(self, name: str) -> str:
        return str(self._folder / name)

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        with self._drafted(name, data) as draft:
            draft.replace(self._folder / name)

    def write_new(self, name: str, data: bytes) -> bool:
        with self._drafted(name, data) as draft:
            try:
                # A link never takes another file's place; a rename does.
                os.link(draft, self._folder / name)
            except FileExistsError:
                return False
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                return self._claimed(name, draft)
        return True

    def _claimed(self, name: str, draft: Path) -> bool:
        """Take a name on a file system without links, and put the draft there; whether the name was free."""
        path = self._folder / name
        try:
            path.open("xb").close()
        except FileExistsError:
            return False
        try:
            draft.replace(path)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return True

    @contextmanager
    def _drafted(self, name: str, data: bytes) -> Iterator[Path]:
        """A file with the content, beside the one that it shall become."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=DRAFT)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(draft).chmod(_READABLE)
            yield Path(draft)
        finally:
            Path(draft).unlink(missing_ok=True)

    def names(self, folder: str) -> list[str]:
        return [name for name in self._all(folder) if not name.startswith(".")]

    def drafts(self, folder: str) -> list[str]:
        return [name for name in self._all(folder) if _DRAFTS.fullmatch(name)]

    def _all(self, folder: str) -> list[str]:
        try:
            with os.scandir(self._folder / folder) as found:
                return sorted(each.name for each in found if each.is_file())
        except (FileNotFoundError, NotADirectoryError):
            return []

    def size(self, name: str) -> int | None:
        try:
            return (self._folder / name).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return None

    def remove(self, name: str) -> None:
        path = self._folder / name
        if path.is_dir() and not path.is_symlink():
            # Whoever put it there may want what is in it.
            aside = (path.with_name(f"{path.name}.folder{number or ''}") for number in count())
            path.rename(next(each for each in aside if not each.exists()))
            return
        with suppress(FileNotFoundError):
            path.unlink()


class _Remote:
    """A folder that fsspec reaches.

    Several programs may write its manifest where the store can put an object only if there is none (S3, Google Cloud,
    Azure); to others only one at a time.
    """

    def __init__(self, location: str) -> None:
        import fsspec

        self._location = location.rstrip("/")
        try:
            self._files, self._root = fsspec.core.url_to_fs(self._location)
        except ValueError as error:
            raise LibraryError(f"{location}: {error}") from None

    @property
    def location(self) -> str:
        return self._location

    def address(self, name: str) -> str:
        return f"{self._location}/{name}"

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def read(self, name: str) -> bytes:
        data: bytes = self._files.cat_file(self._path(name))
        return data

    def write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        # Stores of objects put a file whole or not at all.
        self._files.pipe_file(path, data)

    def write_new(self, name: str, data: bytes) -> bool:
        path = self._path(name)
        if self._files.exists(path):
            return False
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        try:
            self._files.pipe_file(path, data, mode="create")
        except FileExistsError:
            return False
        except (TypeError, NotImplementedError):
            # It knows no such condition.
            self._files.pipe_file(path, data)
        return True

    def names(self, folder: str) -> list[str]:
        path = self._path(folder)
        self._files.invalidate_cache()
        try:
            found = self._files.ls(path, detail=True)
        except FileNotFoundError:
            return []
        return sorted(each["name"].rpartition("/")[2] for each in found if each["type"] == "file")

    def drafts(self, folder: str) -> list[str]:
        return []

    def size(self, name: str) -> int | None:
        try:
            found: int = self._files.info(self._path(name))["size"]
        except FileNotFoundError:
            return None
        return found

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            self._files.rm_file(self._path(name))
