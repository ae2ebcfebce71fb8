"""Folders that are held open: what lies below one is reached from its descriptor, name by name.

A path that was looked at by name may lead elsewhere when it is opened by name: somebody has put a link there meanwhile.
Here each folder on the way is opened from the one above it and no link is ever followed by the system: links are read,
and what they name is looked for from the folder in which they lie. So it does not matter what is renamed, or when.

Windows opens nothing from a descriptor. There a path is looked at by name before a file is opened, and again after.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from bgtools._atomic import new_file, new_file_in
from bgtools._disk import open_regular, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from io import BufferedReader

BY_DESCRIPTOR: Final = (
    {os.open, os.stat, os.readlink, os.link, os.unlink} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
    and hasattr(os, "O_NOFOLLOW")
)
"""Whether this system opens files from the descriptor of a folder."""
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_MOST_LINKS: Final = 40
"""As many as Linux follows on the way to a file."""


class Outside(PermissionError):
    """A path leads out of the folders that are held open."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EACCES, "it is not below the folders that may be used", path)


class HeldFolders:
    """Some folders, and what lies below them.

    Paths are relative to the first folder, or begin with the path of any of them. ``..`` and links are taken as the
    system takes them, as long as they stay below the folders.

    Args:
        folders: their paths. They are opened at once; what becomes of the paths later does not matter.
        identities: what `identities` of the same folders was in another process.

    Raises:
        OSError: a folder cannot be opened, or is not the one that another process has opened.
    """

    def __init__(
        self, folders: Sequence[str | os.PathLike[str]], identities: Sequence[tuple[int, int]] | None = None
    ) -> None:
        self._given = [Path(os.path.abspath(each)) for each in folders]  # noqa: PTH100 - `..` goes before links are read
        self.paths = [Path(os.path.realpath(each)) for each in folders]
        self._held = [os.open(each, _FOLDER) for each in self.paths] if BY_DESCRIPTOR else []
        about = [os.fstat(each) for each in self._held] if BY_DESCRIPTOR else [each.stat() for each in self.paths]
        self.identities = [(each.st_dev, each.st_ino) for each in about]
        if identities is not None and self.identities != list(identities):
            raise OSError(errno.ESTALE, "the folder that this server was given is no longer there", str(self.paths[0]))

    def shown(self, path: str) -> str:
        """A path that begins with the first folder, without that folder; any other as it is."""
        for base in (self.paths[0], self._given[0]):
            if PurePath(path).is_absolute() and PurePath(path).is_relative_to(base):
                return str(PurePath(path).relative_to(base))
        return path

    def below(self, path: str) -> list[str]:
        """The names of a path below the folder that it begins with.

        Raises:
            Outside: it begins elsewhere.
        """
        return self._begin(path)[1]

    @contextmanager
    def opened(self, path: str) -> Iterator[tuple[BufferedReader, str]]:
        """A regular file to read, and where the path goes on below it: for a file in an archive, its name there.

        Raises:
            Outside: the path leads out.
            OSError: there is none, or it cannot be read.
        """
        if not BY_DESCRIPTOR:
            with self._opened_by_name(path) as found:
                yield found
            return
        with self._way(path) as (folder, names):
            if not names:
                raise IsADirectoryError(errno.EISDIR, "this is a folder", path)
            with _named(path), open_regular(names[0], folder=folder) as stream:
                yield stream, "/".join(names[1:])

    def files(self, path: str, counts: Callable[[str], bool]) -> list[str]:
        """The files whose names count in a folder and in those below it, as paths that `opened` takes, in their order.

        What is hidden is skipped, and so are links to folders and links that lead out. For the path of a file: that
        path. A folder that cannot be listed comes too: opening it tells why.

        Raises:
            Outside: the path leads out.
            OSError: there is nothing.
        """
        if not BY_DESCRIPTOR:
            return self._files_by_name(path, counts)
        with self._way(path) as (_, names):
            if names:
                return [path]
        found: list[str] = []
        folders = [path]
        while folders:
            above = folders.pop()
            try:
                with self._way(above) as (folder, _), _listing(folder) as entries:
                    for each in entries:
                        below = each.name if above == "." else f"{above.rstrip('/')}/{each.name}"
                        if each.name.startswith("."):
                            continue
                        if each.is_dir(follow_symlinks=False):
                            folders.append(below)
                        elif counts(each.name) and (each.is_file(follow_symlinks=False) or self._is_linked(below)):
                            found.append(below)
            except OSError:
                found.append(above)
        return sorted(found, key=lambda each: each.split("/"))

    def write_new(self, path: str, data: bytes) -> None:
        """Write a new file, whole or not at all. Nothing that is there is replaced, and no link is written through.

        Raises:
            Outside: the path leads out.
            FileExistsError: there is something already.
            FileNotFoundError: its folder is not there.
            OSError: it cannot be written.
        """
        above, _, name = path.replace("\\", "/").rpartition("/")
        above = above or ("/" if path.startswith("/") else ".")
        if not BY_DESCRIPTOR:
            folder = self._by_name(above)
            new_file(folder / name, data)
            if self._by_name(above) != folder:
                with suppress(OSError):
                    (folder / name).unlink()
                raise Outside(path)
            return
        with self._way(above) as (held, names):
            if names:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), above)
            with _named(path):
                new_file_in(held, name, data)

    def _begin(self, path: str) -> tuple[int, list[str]]:
        """The folder with which a path begins, by its number, and the names below it."""
        if not PurePath(path).is_absolute():
            return 0, path.split("/")
        parts = PurePath(path).parts
        for number, bases in enumerate(zip(self.paths, self._given, strict=True)):
            for base in bases:
                if parts[: len(base.parts)] == base.parts:
                    return number, list(parts[len(base.parts) :])
        raise Outside(path)

    @contextmanager
    def _way(self, path: str) -> Iterator[tuple[int, list[str]]]:
        """The folder to which a path leads, and no names; or that of the file on the way, and the names from it on."""
        number, names = self._begin(path)
        held = [os.dup(self._held[number])]
        left = deque(names)
        links = 0
        try:
            with _named(path):
                while left:
                    name = left.popleft()
                    if name == "..":
                        if len(held) == 1:
                            raise Outside(path)
                        os.close(held.pop())
                    elif name not in ("", "."):
                        mode = os.stat(name, dir_fd=held[-1], follow_symlinks=False).st_mode
                        if stat.S_ISLNK(mode):
                            links += 1
                            if links > _MOST_LINKS:
                                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                            try:
                                target = os.readlink(name, dir_fd=held[-1])
                            except OSError:
                                raise OSError(errno.EBUSY, "it was exchanged while it was opened") from None
                            if PurePath(target).is_absolute():
                                number, names = self._begin(target)
                                while held:
                                    os.close(held.pop())
                                held.append(os.dup(self._held[number]))
                            else:
                                names = target.split("/")
                            left.extendleft(reversed(names))
                        elif stat.S_ISDIR(mode):
                            held.append(os.open(name, _FOLDER | _NO_LINK, dir_fd=held[-1]))
                        else:
                            left.appendleft(name)
                            break
            yield held[-1], list(left)
        finally:
            for each in held:
                os.close(each)

    def _is_linked(self, path: str) -> bool:
        """Whether a link leads to a regular file below the folders."""
        with suppress(OSError), self._way(path) as (folder, names):
            return len(names) == 1 and stat.S_ISREG(os.stat(names[0], dir_fd=folder, follow_symlinks=False).st_mode)
        return False

    # --- where nothing is opened from a descriptor ------------------------------------------------

    def _by_name(self, path: str) -> Path:
        """Where a path leads.

        Raises:
            Outside: it leads out.
        """
        real = Path(os.path.realpath(self.paths[0] / path))
        if not any(real.is_relative_to(each) for each in self.paths):
            raise Outside(path)
        return real

    @contextmanager
    def _opened_by_name(self, path: str) -> Iterator[tuple[BufferedReader, str]]:
        real = self._by_name(path)
        if real.is_dir():
            raise IsADirectoryError(errno.EISDIR, "this is a folder", path)
        file = next((each for each in (real, *real.parents) if each.is_file()), real)
        with _named(path), open_regular(file) as stream:
            now = self._by_name(path)
            if now != real or not os.path.samestat(os.fstat(stream.fileno()), file.lstat()):
                raise Outside(path)
            yield stream, real.relative_to(file).as_posix() if file != real else ""

    def _files_by_name(self, path: str, counts: Callable[[str], bool]) -> list[str]:
        real = self._by_name(path)
        if not real.is_dir():
            return [path]
        found = []
        for each in walk(str(real), counts):
            with suppress(Outside):
                self._by_name(each)
                found.append(self.shown(each))
        return found


@contextmanager
def _listing(folder: int) -> Iterator[Iterator[os.DirEntry[str]]]:
    """The entries of a folder that is open, listed by a descriptor of their own, whose offset nobody shares."""
    descriptor = os.open(".", _FOLDER, dir_fd=folder)
    try:
        with os.scandir(descriptor) as entries:
            yield entries
    finally:
        os.close(descriptor)


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Let an error of the system name a path as it was asked for."""
    try:
        yield
    except OSError as error:
        error.filename = path
        raise
