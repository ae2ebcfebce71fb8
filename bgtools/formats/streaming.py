"""The files of a large archive one at a time, so that it takes no more memory than the largest of them.

`bgtools.formats.unpacking` reads what is small as a whole. Both know the same archives and packers.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from bgtools.formats.content import FormatError
from bgtools.formats.limits import largest_file
from bgtools.formats.unpacking import PACKERS, ZIP, ZSTD, Room, damage, is_tar, open_zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.formats.unpacking import Decompressor

_LARGEST_RATIO: Final = 200
"""So many times its own size may come out of an archive. Records packed well are a tenth of what they were."""
_PIECE: Final = 1 << 16
_OGXM: Final = b"OGXM"
_OGXM_SIZE: Final = slice(12, 16)
"""Where the header of a record of OGXM says how many bytes the record takes."""


def members(path: str) -> Iterator[tuple[str, bytes]] | None:
    """The files in an archive, each with its name and content; the records of a stream of OGXM, by their numbers.

    A ZIP, a tar archive or a stream, packed or not, is read from its beginning to its end, once. Folders, empty files
    and hidden ones are passed over.

    Args:
        path: a file.

    Returns:
        None where it is no archive and no stream.

    Raises:
        OSError: it cannot be read.
        FormatError: as its files are taken: it is damaged, a file is larger than `limits.largest_file` allows, or all
            of them together are larger than an honest archive can hold.
    """
    with Path(path).open("rb") as stream:
        beginning = stream.read(_PIECE)
        size = os.fstat(stream.fileno()).st_size
    if beginning.startswith(ZIP):
        return _taken(path, size, "ZIP archive", _of_zip)
    with damage("this file cannot be unpacked"), _unpacked(path) as unpacked:
        beginning = unpacked.peek(_PIECE)
    if is_tar(beginning):
        return _taken(path, size, "tar archive", _of_tar)
    if beginning.startswith(_OGXM):
        return _taken(path, size, "stream", _of_stream)
    return None


def member(path: str) -> bytes:
    """The content of a file in an archive, by the path of the archive, a slash and its name there.

    Raises:
        FileNotFoundError: there is no such archive, or no such file in it.
        FormatError: the archive is damaged.
    """
    archive = Path(path)
    while not archive.is_file() and archive != archive.parent:
        archive = archive.parent
    wanted = path[len(str(archive)) :].lstrip("/\\")
    found = members(str(archive)) if archive.is_file() and wanted else None
    for name, data in found or ():
        if name == wanted:
            return data
    raise FileNotFoundError(2, os.strerror(2), path)


def _taken(
    path: str, size: int, what: str, read: Callable[[str, Room], Iterator[tuple[str, bytes]]]
) -> Iterator[tuple[str, bytes]]:
    most = max(_LARGEST_RATIO * size, largest_file())
    with damage(f"this {what} cannot be read"):
        for name, data in read(path, Room(most, most)):
            if data.strip() and not any(part.startswith((".", "__MACOSX")) for part in name.split("/")):
                yield name, data


def _of_zip(path: str, room: Room) -> Iterator[tuple[str, bytes]]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for each in archive.infolist():
            if not each.is_dir():
                with archive.open(each) as stream:
                    yield each.filename, _whole(stream, room, "ZIP archive")


def _of_tar(path: str, room: Room) -> Iterator[tuple[str, bytes]]:
    import tarfile

    with _unpacked(path) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for each in archive:
            archive.members.clear()  # type: ignore[attr-defined]  # it remembers each, and nobody goes back
            stream = archive.extractfile(each) if each.isfile() else None
            if stream is not None:
                yield each.name, _whole(stream, room, "tar archive")


def _of_stream(path: str, room: Room) -> Iterator[tuple[str, bytes]]:
    number = 0
    with _unpacked(path) as unpacked:
        while head := unpacked.read(_OGXM_SIZE.stop):
            number += 1
            size = int.from_bytes(head[_OGXM_SIZE], "little") - len(head)
            if not head.startswith(_OGXM) or not 0 < size <= largest_file():
                raise FormatError(f"record {number:,} of it is damaged")
            data = head + unpacked.read(size)
            if len(data) < size + len(head):
                raise FormatError(f"record {number:,} of it is cut off")
            room.take(len(data), "stream")
            yield str(number), data


def _whole(stream: Any, room: Room, what: str) -> bytes:
    # What a file says of its own size need not be true.
    largest = largest_file()
    data: bytes = stream.read(largest + 1)
    if len(data) > largest:
        raise FormatError(f"a file in this {what} is larger than {largest >> 20} MB; bgtools takes no more")
    room.take(len(data), what)
    return data


def _unpacked(path: str) -> io.BufferedReader:
    """A file as a stream without what it is packed in."""
    stream = Path(path).open("rb")  # noqa: SIM115 - whoever reads it closes it
    try:
        beginning = stream.peek(1)
        if beginning.startswith(ZSTD):
            return io.BufferedReader(_Closing(open_zstd()(stream), stream), _PIECE)
        for magic, name, _, start in PACKERS:
            if beginning.startswith(magic):
                return io.BufferedReader(_Parts(stream, magic, name, start), _PIECE)
    except BaseException:
        stream.close()
        raise
    return stream


class _Closing(io.RawIOBase):
    """A stream that is unpacked from another one, and closes it."""

    def __init__(self, unpacked: BinaryIO, packed: BinaryIO) -> None:
        self._unpacked, self._packed = unpacked, packed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._unpacked.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._packed.close()
        super().close()


class _Parts(io.RawIOBase):
    """The parts of a packed file, one after the other, unpacked as they are asked for."""

    def __init__(self, packed: BinaryIO, magic: bytes, name: str, start: Callable[[], Decompressor]) -> None:
        self._packed, self._magic, self._name, self._start = packed, magic, name, start
        self._stream: Decompressor | None = None
        self._waiting = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            if self._stream is None or self._stream.eof:
                self._waiting = self._stream.unused_data if self._stream else b""
                if len(self._waiting) < len(self._magic):
                    self._waiting += self._packed.read(_PIECE)
                if not self._waiting.startswith(self._magic):
                    return 0
                self._stream = self._start()
            data = self._stream.decompress(self._waiting, len(buffer))
            # zlib keeps what it has not come to; the others take it at once.
            self._waiting = getattr(self._stream, "unconsumed_tail", b"")
            if data:
                buffer[: len(data)] = data
                return len(data)
            if not self._stream.eof and not self._waiting:
                self._waiting = self._packed.read(_PIECE)
                if not self._waiting:
                    raise FormatError(f"this {self._name} file ends too soon")

    def close(self) -> None:
        self._packed.close()
        super().close()
