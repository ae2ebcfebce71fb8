"""The one door to the file system: what is there, what is in it, and writing files whole or not at all.

A path may be anything that somebody has typed or that lies in a folder: a link to itself, a pipe, a name that no file
can have, a file that goes away while it is looked at. Questions have an answer for all of these. Reading and writing
raise an `OSError`, which `why` puts into words.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from io import BufferedReader

    StrPath = str | os.PathLike[str]

_NAMED: Final = ("user.", "system.posix_acl_")
"""How the extended attributes begin that people give. The system gives the others itself."""


_DEVICES: Final = frozenset(
    ("aux", "con", "nul", "prn", *(f"{kind}{number}" for kind in ("com", "lpt") for number in "0123456789¹²³"))
)


def is_device_name(stem: str) -> bool:
    """Whether a name, without its ending, is that of a device in every folder of Windows."""
    return stem.casefold() in _DEVICES


def why(error: OSError) -> str:
    """Why the system refuses something, as a phrase."""
    return error.strerror or str(error)


# --- what is there ----------------------------------------------------------------------------


def is_file(path: StrPath) -> bool:
    """Whether there is a regular file, or a link to one."""
    return os.path.isfile(path)  # noqa: PTH113 - pathlib raises where no file can have the name


def is_folder(path: StrPath) -> bool:
    """Whether there is a folder, or a link to one."""
    return os.path.isdir(path)  # noqa: PTH112 - the same


def exists(path: StrPath) -> bool:
    """Whether there is anything."""
    return os.path.exists(path)  # noqa: PTH110 - the same


def may_exist(path: StrPath) -> bool:
    """Whether there is anything, or the system keeps it from us, so that reading it tells why."""
    try:
        Path(path).stat()
    except PermissionError:
        return True
    except (OSError, ValueError) as error:
        return getattr(error, "errno", None) == errno.ELOOP
    return True


def is_there(path: StrPath) -> bool:
    """Whether there is anything, or a link that leads nowhere."""
    return os.path.lexists(path)


def is_taken(path: StrPath) -> bool:
    """Whether writing to a path would replace a file or folder. Writing to a device or a pipe replaces nothing."""
    return is_file(path) or is_folder(path)


def are_same(one: StrPath, two: StrPath) -> bool:
    """Whether two paths lead to one file."""
    try:
        return os.path.samefile(one, two)  # noqa: PTH121 - the same
    except (OSError, ValueError):
        return False


def status(path: StrPath) -> os.stat_result | None:
    """What the system says of a file; None where it says nothing."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


def size(path: StrPath) -> int | None:
    """How many bytes a file has; None where the system says nothing of it."""
    about = status(path)
    return None if about is None else about.st_size


def walk(folder: str, counts: Callable[[str], bool]) -> Iterator[str]:
    """The files in a folder, and in the folders in it, whose names count, in the order of their paths.

    What is hidden is skipped, and so are links to folders, which may lead in a circle. A path that nobody can tell
    what it is comes as well if its name counts, and so does a folder that cannot be listed: whoever reads it is told
    why that cannot be.
    """
    levels = [(folder, iter([("", True)]))]
    while levels:
        above, names = levels[-1]
        name, is_folder = next(names, ("", False))
        if not (name or is_folder):
            levels.pop()
            continue
        path = os.path.join(above, name) if name else above  # noqa: PTH118 - keeps a path as written, "./" and all
        if not is_folder:
            yield path
            continue
        found, is_whole = _listed(path, counts)
        if not is_whole:
            yield path
        levels.append((path, iter(found)))


def names_in(folder: StrPath) -> list[str]:
    """The names of the files in a folder that are not hidden; none where it cannot be listed."""
    return [name for name, is_folder in _listed(os.fspath(folder), lambda _: True)[0] if not is_folder]


def why_not_listed(folder: StrPath) -> str:
    """Why the names in a folder cannot be read; "" where they can."""
    try:
        with os.scandir(folder):
            return ""
    except OSError as error:
        return why(error)


def _listed(folder: str, counts: Callable[[str], bool]) -> tuple[list[tuple[str, bool]], bool]:
    """The names in a folder, with whether each is a folder itself, and whether these are all."""
    # Only the names are kept: in a large folder, directory entries take ten times their memory.
    found: list[tuple[str, bool]] = []
    try:
        with os.scandir(folder) as entries:
            found.extend(  # what came before an error stays
                (entry.name, kind)
                for entry in entries
                if not entry.name.startswith(".") and (kind := _kind(entry, counts)) is not None
            )
    except OSError:
        return sorted(found), False
    return sorted(found), True


def _kind(entry: os.DirEntry[str], counts: Callable[[str], bool]) -> bool | None:
    """Whether an entry of a folder is a folder itself; None for what is skipped."""
    try:
        if entry.is_dir(follow_symlinks=False):
            return True
        return False if counts(entry.name) and entry.is_file() else None
    except OSError:  # such as a link to itself
        return False if counts(entry.name) else None


# --- reading ----------------------------------------------------------------------------------


class Untrusted(PermissionError):
    """A file is not read because of whose it is, or who may write it."""


def opened(path: StrPath) -> BufferedReader:
    """A file to read, or a pipe or device that the user has named.

    Raises:
        IsADirectoryError: it is a folder.
        OSError: it cannot be opened.
    """
    try:
        return Path(path).open("rb")
    except PermissionError:
        if is_folder(path):  # as Windows says it
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path)) from None
        raise


@contextmanager
def open_regular(
    path: StrPath, *, folder: int | None = None, trusted: Callable[[os.stat_result], bool] = lambda _: True
) -> Iterator[BufferedReader]:
    """A regular file to read. Nothing is waited for, as opening a pipe would.

    Args:
        path: the file, or a link to one.
        folder: the descriptor of the folder that the path begins in; then it must not be a link.
        trusted: whether a file is to be read, by what the system says of it; it is asked of a link as well.

    Raises:
        Untrusted: it is not trusted.
        OSError: it cannot be opened, or is not a regular file.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if folder is not None:
        flags |= os.O_NOFOLLOW
    elif not trusted(Path(path).lstat()):
        raise Untrusted
    descriptor = os.open(path, flags, dir_fd=folder)
    try:
        about = os.fstat(descriptor)
        if not trusted(about):
            raise Untrusted
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            yield stream
    finally:
        os.close(descriptor)


def read_regular(path: StrPath, most: int, trusted: Callable[[os.stat_result], bool] = lambda _: True) -> bytes:
    """All of a regular file that is not large, as `open_regular` opens it.

    Args:
        path, trusted: as there.
        most: the most bytes that it may have.

    Raises:
        Untrusted: it is not trusted.
        OSError: it cannot be read, is not a regular file or is larger.
    """
    with open_regular(path, trusted=trusted) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB")
    return data


# --- writing ----------------------------------------------------------------------------------


class FileAttributes(NamedTuple):
    """Whose a file is, who may do what with it, and what else is noted of it.

    Attributes:
        about: what the system says of it.
        notes: its extended attributes.
        lost: what a file could not take over, in words.
    """

    about: os.stat_result
    notes: dict[str, bytes]
    lost: list[str]

    @classmethod
    def of(cls, path: StrPath) -> FileAttributes:
        """That of a file.

        Raises:
            OSError: there is none.
        """
        found = cls(Path(path).stat(), {}, [])
        if hasattr(os, "listxattr"):
            with suppress(OSError):
                for name in os.listxattr(path):
                    with suppress(OSError):
                        found.notes[name] = os.getxattr(path, name)
        return found

    def give(self, path: Path) -> None:
        """Let a file take it over, as far as the system allows that."""
        mode = stat.S_IMODE(self.about.st_mode)
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(path, self.about.st_uid, self.about.st_gid)
            if path.stat().st_gid != self.about.st_gid:
                with suppress(OSError):  # a group of one's own may be given even where the owner may not
                    os.chown(path, -1, self.about.st_gid)
            now = path.stat()
            if now.st_uid != self.about.st_uid:
                self.lost.append(f"its owner is now the user {now.st_uid}, not {self.about.st_uid}")
                mode &= 0o777
            if now.st_gid != self.about.st_gid:
                self.lost.append(f"its group is now {now.st_gid}, not {self.about.st_gid}")
                mode = mode & 0o707 | (mode & 0o007) << 3  # the other group may do what everybody may
        for name, value in self.notes.items():
            try:
                os.setxattr(path, name, value)
            except OSError as error:
                if name.startswith(_NAMED):
                    self.lost.append(f"its attribute {name} is lost: {why(error)}")
        try:
            path.chmod(mode)
        except OSError as error:
            self.lost.append(f"its mode is lost: {why(error)}")


def goal_of(path: StrPath) -> Path:
    """Where a path leads, past all links.

    Raises:
        OSError: it leads nowhere, as a link to itself does.
    """
    goal = Path(os.path.realpath(path))
    if is_there(goal) and not exists(goal):
        goal.stat()
    return goal


def make_folders(path: Path) -> None:
    """Make a folder and those above it, however many, where they are not there.

    Raises:
        OSError: one of them cannot be made.
    """
    missing = [path]
    while not exists(missing[-1]) and missing[-1] != missing[-1].parent:
        missing.append(missing[-1].parent)
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir()
    if not is_folder(path):
        path.stat()  # says why, as for a link to itself
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def save(data: bytes, path: Path, *, force: bool = False, guise: FileAttributes | None = None) -> None:
    """Write a file whole or not at all, as `atomic_writer` does.

    Raises:
        FileExistsError: there is a file already, and ``force`` is not given.
        OSError: it cannot be written.
    """
    with atomic_writer(path, force=force, guise=guise) as stream:
        stream.write(data)


@contextmanager
def atomic_writer(path: Path, *, force: bool = False, guise: FileAttributes | None = None) -> Iterator[BinaryIO]:
    """A stream to write a file with. When the block ends well, the whole file is there; else nothing has changed.

    A link stays, and the file that it leads to is written; a device or a pipe is written into.

    Args:
        path: the file.
        force: whether one that is there is replaced.
        guise: what the file takes over of another one; by default it is like any new one.

    Raises:
        FileExistsError: there is a file already, and ``force`` is not given.
        OSError: it cannot be written.
    """
    from bgtools._atomic import end, temporary_file

    if not force and is_taken(path):
        raise FileExistsError(f"{path} exists")
    if exists(path) and not is_file(path):
        with buffered_on_disk(lambda: path.open("wb")) as stream:
            yield stream
        return
    path = goal_of(path)
    with temporary_file(path) as (stream, draft):
        yield stream
        end(stream)
        if guise is not None:
            guise.give(draft)
        else:
            with suppress(OSError):
                draft.chmod(0o666 & ~_umask())
        if force:
            draft.replace(path)
        else:
            # Unlike a rename, a link never takes the place of a file that has come since.
            _move_into_place(draft, path)


@contextmanager
def buffered_on_disk(out: Callable[[], AbstractContextManager[BinaryIO]]) -> Iterator[BinaryIO]:
    """A stream that can be read and moved in; when the block ends well, its bytes go where ``out`` opens."""
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as stream:
        yield cast("BinaryIO", stream)
        stream.seek(0)
        with out() as target:
            shutil.copyfileobj(stream, target)


def _move_into_place(new: Path, path: Path) -> None:
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a file system, or a Python, without links
        if exists(path):
            raise FileExistsError(f"{path} exists") from None
        new.replace(path)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
