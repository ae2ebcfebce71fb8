"""Reading the files of a large archive one at a time, so that only one of them is in memory.

`bgtools.formats.unpacking` reads small archives as a whole. Both modules know the same archives and packers.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from bgtools._disk import is_file, opened
from bgtools.formats.content import FormatError
from bgtools.formats.limits import largest_file
from bgtools.formats.unpacking import PACKERS, ZIP, ZSTD, ByteBudget, damage, is_tar, open_zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.formats.unpacking import Decompressor

_LARGEST_RATIO: Final = 200
"""At most so many times the size of an archive may come out of it. Records that are packed well shrink to a tenth."""
_PIECE: Final = 1 << 16
_OGXM: Final = b"OGXM"
_OGXM_SIZE: Final = slice(12, 16)
"""The bytes of an OGXM header that hold the size of its record."""


def members(path: str) -> Iterator[tuple[str, bytes]] | None:
    """The files in an archive, or the records in a stream of OGXM: the name of each, for a record its number, and its
    content.

    A ZIP archive, a tar archive or a stream is read once, from beginning to end. The latter two may be packed. Folders,
    empty files and hidden files are skipped.

    Args:
        path: a file.

    Returns:
        None where the file is neither an archive nor a stream.

    Raises:
        OSError: it cannot be read.
        FormatError: the archive is damaged, a file in it is larger than `limits.largest_file` allows, or all of them
            together are larger than an honest archive can hold. Most of this is found only while the files are read.
    """
    with opened(path) as stream:
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
    """The content of a file in an archive; its path is that of the archive, a slash and the file's name in it.

    Raises:
        FileNotFoundError: there is no such archive, or no such file in it.
        FormatError: the archive is damaged.
    """
    archive = Path(path)
    while not is_file(archive) and archive != archive.parent:
        archive = archive.parent
    wanted = path[len(str(archive)) :].lstrip("/\\")
    found = members(str(archive)) if is_file(archive) and wanted else None
    for name, data in found or ():
        if name == wanted:
            return data
    raise FileNotFoundError(2, os.strerror(2), path)


def _taken(
    path: str, size: int, what: str, read: Callable[[str, ByteBudget], Iterator[tuple[str, bytes]]]
) -> Iterator[tuple[str, bytes]]:
    most = max(_LARGEST_RATIO * size, largest_file())
    with damage(f"this {what} cannot be read"):
        for name, data in read(path, ByteBudget(most, most)):
            if data.strip() and not any(part.startswith((".", "__MACOSX")) for part in name.split("/")):
                yield name, data


def _of_zip(path: str, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for each in archive.infolist():
            if not each.is_dir():
                with archive.open(each) as stream:
                    yield each.filename, _whole(stream, room, "ZIP archive")


def _of_tar(path: str, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
    import tarfile

    with _unpacked(path) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for each in archive:
            archive.members.clear()  # type: ignore[attr-defined]  # else it remembers every member, needlessly
            stream = archive.extractfile(each) if each.isfile() else None
            if stream is not None:
                yield each.name, _whole(stream, room, "tar archive")


def _of_stream(path: str, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
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


def _whole(stream: Any, room: ByteBudget, what: str) -> bytes:
    # The size that an archive states for a file need not be true.
    largest = largest_file()
    data: bytes = stream.read(largest + 1)
    if len(data) > largest:
        raise FormatError(f"a file in this {what} is larger than {largest >> 20} MB; bgtools takes no more")
    room.take(len(data), what)
    return data


def _unpacked(path: str) -> io.BufferedReader:
    """A file as a stream of its bytes, unpacked if it is packed."""
    stream = opened(path)
    try:
        beginning = stream.peek(1)
        if beginning.startswith(ZSTD):
            return io.BufferedReader(_Closing(open_zstd()(stream), stream), _PIECE)
        for magic, name, _, start in PACKERS:
            if beginning.startswith(magic):
                return io.BufferedReader(_PartStream(stream, magic, name, start), _PIECE)
    except BaseException:
        stream.close()
        raise
    return stream


class _Closing(io.RawIOBase):
    """A stream that unpacks another one, and closes it at the end."""

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


class _PartStream(io.RawIOBase):
    """A stream of the parts of a packed file, one after the other. Each is unpacked when its bytes are asked for."""

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
            # zlib hands back the bytes that it has not unpacked yet; the others keep them.
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
