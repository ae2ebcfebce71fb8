"""The folders of a server: what tools may read there, and the new files that they may write."""

from __future__ import annotations

import os
import unicodedata
from functools import partial
from typing import TYPE_CHECKING, Final

from bgtools._disk import is_device_name
from bgtools._held import HeldFolders, Outside
from bgtools.formats.archives import member_of
from bgtools.formats.limits import read_bytes
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.searching import is_record_name

if TYPE_CHECKING:
    import io
    from collections.abc import Sequence

    from bgtools.record.record import Match

_NOT_IN_NAMES: Final = frozenset('<>:"|?*\\')
"""What Windows allows in no name, or takes for something else."""
_LONGEST: Final = 255
"""The most bytes of a name on the usual file systems."""


class NotAllowed(ValueError):
    """A path that is not below the folders that were given, or a file that may not be written."""


class Folders:
    """The only files that tools touch.

    Args:
        folders: where records may be read; relative paths count from the first.
        write: whether new records may be written there. Nothing that is there is ever replaced or deleted.
        identities: `HeldFolders.identities` of the process that opened the folders first.

    Raises:
        OSError: a folder cannot be opened.
    """

    def __init__(
        self,
        folders: Sequence[str | os.PathLike[str]],
        *,
        write: bool = False,
        identities: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        self._held = HeldFolders(folders, identities)
        self.write = write

    @property
    def roots(self) -> list[str]:
        """The folders, by their whole paths."""
        return [str(each) for each in self._held.paths]

    @property
    def identities(self) -> list[tuple[int, int]]:
        """What another process knows these very folders by."""
        return self._held.identities

    def read(self, asked: str) -> bytes:
        """The bytes of a regular file, or of one in an archive.

        Raises:
            NotAllowed: the path leads elsewhere.
            OSError: it cannot be read.
            FormatError: it is too large, or in a damaged archive.
        """
        try:
            with self._held.opened(self._path(asked)) as (stream, inner):
                return member_of(partial(_again, stream), inner, asked) if inner else read_bytes(stream)
        except Outside:
            raise self._refused(asked) from None

    def matches(self, asked: str) -> tuple[Match, ...]:
        """Every match in a file.

        Raises:
            NotAllowed: the path leads elsewhere.
            OSError: it cannot be read.
            FormatError: it is not a record.
        """
        return read_source(self.read(asked), asked)

    def records(self, asked: str) -> list[str]:
        """The records at a path: the file itself, or those in the folder. Links that lead elsewhere are skipped.

        Raises:
            NotAllowed: the path leads elsewhere.
            OSError: there is nothing.
        """
        try:
            return [self._held.shown(each) for each in self._held.files(self._path(asked), is_record_name)]
        except Outside:
            raise self._refused(asked) from None

    def new(self, asked: str, data: bytes, format_name: str) -> str:
        """Write a new record; where it was written.

        Raises:
            NotAllowed: nothing may be written, the path leads elsewhere, or the name is not allowed or taken.
            OSError: the disk refuses.
        """
        if not self.write:
            raise NotAllowed("this server only reads; whoever started it can let it write new records with --write")
        path = self._path(asked)
        try:
            _look_at(self._held.below(path), find_format(format_name).extensions)
            self._held.write_new(path, data)
        except Outside:
            raise self._refused(asked) from None
        except FileExistsError:
            raise NotAllowed(f"{asked} exists, and nothing that exists is replaced; give another name") from None
        except (FileNotFoundError, NotADirectoryError):
            raise NotAllowed(f"the folder of {asked} is not there; this server makes none") from None
        return self._held.shown(path)

    def _path(self, asked: str) -> str:
        if not asked or "\0" in asked or asked == "-":
            raise NotAllowed("give the path of a record or of a folder")
        return asked

    def _refused(self, asked: str) -> NotAllowed:
        named = ", ".join(self.roots)
        return NotAllowed(f"{asked} is not below the folders that this server was given: {named}")


def _again(stream: io.BufferedReader) -> io.BufferedReader:
    """A file that is open, opened a second time and from its beginning. Only one of the two can be read at a time."""
    copy = os.fdopen(os.dup(stream.fileno()), "rb")
    copy.seek(0)
    return copy


def _look_at(names: Sequence[str], endings: Sequence[str]) -> None:
    """Refuse a path for a new record that some system, or somebody who reads its name, would take for something else.

    Raises:
        NotAllowed: the message says what is wrong with it.
    """
    for name in names:
        if name in ("", ".", ".."):
            continue
        if any(unicodedata.category(char)[0] == "C" or char in "\u2028\u2029" for char in name):
            raise NotAllowed("a name for a new file holds no line breaks and nothing else that is not printed")
        if name.startswith("."):
            raise NotAllowed(f"{name} would be hidden; give a name that does not begin with a full stop")
        if found := sorted(_NOT_IN_NAMES & set(name)):
            raise NotAllowed(f"{name} holds {' '.join(found)}; give a name that every system takes")
        if name.endswith((".", " ")) or name.startswith(" ") or is_device_name(name.partition(".")[0].rstrip()):
            raise NotAllowed(f"{name!r} is another name on Windows; give one that every system takes")
        if len(name.encode("utf-8", "replace")) > _LONGEST:
            raise NotAllowed(f"the name is longer than {_LONGEST} bytes")
    if not names or not names[-1].casefold().endswith(tuple(endings)):
        raise NotAllowed(f"only records are written here: give a name that ends in {' or '.join(endings)}")
