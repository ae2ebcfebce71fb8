"""Finding the files that hold records, and saying why a file cannot be read."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from bgtools._disk import is_folder, opened, walk, why, why_not_listed
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import AMBIGUOUS, MARKED, load, recognise, require_foreign
from bgtools.formats.registry import formats
from bgtools.formats.text import shows_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class FileCandidate:
    """A file to work on; ``named`` by the user, or found in a folder or an archive.

    Attributes:
        path: the path of the file; for a file in an archive, the archive's path, a slash and the file's name in it.
        named: whether the user has named it.
        data: its content where it lies in an archive; None for a file of its own.
        is_empty: whether it is a folder that was named, and no name in it is that of a record. Reading it fails.
    """

    path: str
    named: bool = False
    data: bytes | None = field(default=None, repr=False)
    is_empty: bool = False

    def content(self) -> tuple[bytes, str]:
        """Its bytes, and what to call it in messages.

        Raises:
            OSError, FormatError: as `bgtools.formats.reading.load`.
        """
        return load(self.path) if self.data is None else (self.data, self.path)


def candidates(paths: Iterable[str], *, archives: bool = False) -> Iterator[FileCandidate]:
    """The files that are named, and the records in the folders that are named, in the order of their paths.

    A file in a folder counts if its name ends as that of some format. Hidden files, hidden folders, and links to
    folders, which may lead in a circle, are skipped. What cannot be looked at comes too, and so does a folder that
    holds none: reading it tells why.

    Args:
        paths: files and folders.
        archives: whether archives and packed records in folders count as well.
    """
    for path in paths:
        if path != "-" and is_folder(path):
            found = walk(path, _is_packed_record if archives else is_record_name)
            first = next(found, None)
            yield FileCandidate(path, is_empty=True) if first is None else FileCandidate(first)
            yield from map(FileCandidate, found)
        else:
            yield FileCandidate(path, named=True)


@cache
def _endings() -> tuple[str, ...]:
    return tuple(ending for each in formats() for ending in each.extensions)


def is_record_name(name: str) -> bool:
    """Whether the name of a file ends as that of some format."""
    return name.lower().endswith(_endings())


_ARCHIVES: Final = (".zip", ".tar", ".tgz")
_PACKED: Final = (".gz", ".bz2", ".xz", ".zst")


def _is_packed_record(name: str) -> bool:
    name = name.lower()
    bare = next((name.removesuffix(ending) for ending in _PACKED if name.endswith(ending)), name)
    return bare.endswith(_ARCHIVES) or is_record_name(bare)


def require_record(candidate: FileCandidate) -> None:
    """Refuse a page or text about positions that the user has not named: documents on backgammon are full of them.

    Raises:
        FormatError: it is one.
    """
    if candidate.named or not candidate.path.lower().endswith(_PROSE):
        return
    data, _ = candidate.content()
    count = len({*_IDS.findall(data)})
    if not count:
        return
    content = Content(data, candidate.path)
    match recognise(content).name:
        case "xg-html" if count > 1:
            kind = "page"
        case "text" if not shows_rows(content) and not _is_list(data):
            kind = "text"
        case _:
            return
    positions = f"{count:,} position{'s' * (count > 1)}"
    raise FormatError(f"a {kind} with {positions} and no match; name it, and what is in it is read")


def _is_list(data: bytes) -> bool:
    """Whether the IDs of a text are its subject: one in every few lines."""
    lines = [line for line in data.splitlines() if line.strip()]
    return _IN_LINES * sum(_IDS.search(line) is not None for line in lines) >= len(lines)


def is_report(candidate: FileCandidate) -> bool:
    """Whether a file found in a folder is a page or other file that bgtools wrote about records."""
    if candidate.named or not candidate.path.lower().endswith((*_PAGES, ".json")):
        return False
    try:
        with opened(candidate.path) as stream:
            require_foreign(Content(stream.read(MARKED), candidate.path))
    except OSError:
        return False
    except FormatError:
        return True
    return False


_PAGES: Final = (".htm", ".html")
_PROSE: Final = tuple(ending for ending in AMBIGUOUS if ending != ".json")
_IDS: Final = re.compile(rb"XG ?ID\s*[=:]\s*([-A-Oa-o]{26})|Position ID\s*:\s*([A-Za-z0-9+/]{14})", re.IGNORECASE)
_IN_LINES: Final = 4


# --- what can be wrong with a file ------------------------------------------------------------


def is_no_record(candidate: FileCandidate, error: Exception) -> bool:
    """Whether a file that cannot be read is not a record at all: neither the user nor its name says that it is one."""
    name = candidate.path.lower()
    # In an archive every file is read, whatever its name is.
    told = is_record_name(name) and not name.endswith(AMBIGUOUS)
    return isinstance(error, FormatError) and not candidate.named and not told


def folder_trouble(path: str) -> str:
    """Why nothing was read of a folder, as a phrase to stand after its name."""
    if reason := why_not_listed(path):
        return f"this folder cannot be read: {reason}"
    return "this folder holds no file whose name ends as that of a record; bgtools formats lists the endings"


def trouble(error: Exception) -> str:
    """Why a file could not be worked on, as a phrase to stand after its name."""
    match error:
        case IsADirectoryError():
            return folder_trouble(error.filename)
        case OSError():
            return f"cannot be read: {why(error)}"
        case FormatError():
            return str(error)
    return f"left out, by {fault(error)}"


SHOWS: Final = "BGTOOLS_TRACEBACK"
"""The environment variable with which faults are shown whole on standard error, for whoever reports one."""


def fault(error: BaseException) -> str:
    """A fault of bgtools, as a phrase for whoever reports it."""
    shows = bool(os.environ.get(SHOWS))
    if shows:
        import traceback

        traceback.print_exception(error)
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f" in {os.path.basename(at.tb_frame.f_code.co_filename)}, line {at.tb_lineno}" if at else ""  # noqa: PTH119
    more = "" if shows else f"; {SHOWS}=1 shows all of it"
    return f"a fault of bgtools; please report it: {type(error).__name__}: {error}{where}{more}"
