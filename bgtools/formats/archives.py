"""Reading packed files, ZIP archives, tar archives and streams of OGXM, with limits on what may come out.

`unpack` reads a small archive that is in memory as a whole. `members` reads the files of a large one on disk one at a
time, so that only one of them is in memory.
"""

from __future__ import annotations

import io
import os
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, Protocol

from bgtools._disk import atomic_writer, is_file, opened
from bgtools.formats.content import Content, FormatError, TooMuch
from bgtools.formats.limits import largest_file, read_up_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_MEMBERS: Final = 10_000
"""How many files an archive in memory may hold, and how many parts a packed file."""
_LARGEST_RATIO: Final = 200
"""At most so many times the size of an archive on disk may come out of it. Well packed records shrink to a tenth."""
_PIECE: Final = 1 << 14
"""How many packed bytes are handed to an unpacker at a time."""
_MOST_MEMORY: Final = 128 << 20
"""How many bytes of memory an unpacker may take for its own work."""
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")  # the second begins an empty archive
_TAR: Final = (b"ustar", 257)
"""The bytes that mark a tar archive, and their offset."""
_OGXM: Final = b"OGXM"

# --- packed files ---------------------------------------------------------------------------


class Decompressor(Protocol):
    """An unpacker for one part of a packed file."""

    @property
    def eof(self) -> bool:
        """Whether the part is at its end."""
        ...

    @property
    def unused_data(self) -> bytes:
        """The bytes behind the end of the part."""
        ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Unpack some bytes, into ``max_length`` bytes at most."""
        ...


class _Packer(NamedTuple):
    """A way to pack a file: the bytes that such files begin with, its name, their ending, and what opens them."""

    magic: bytes
    name: str
    ending: str
    open: Callable[[BinaryIO, int], io.RawIOBase]
    """Opens a packed stream that may hold so many parts."""


def _gzip() -> Decompressor:
    return zlib.decompressobj(wbits=31)


def _bzip2() -> Decompressor:
    import bz2  # few files need it

    return bz2.BZ2Decompressor()


def _xz() -> Decompressor:
    import lzma

    return lzma.LZMADecompressor(memlimit=_MOST_MEMORY)


class _Unpacked(io.RawIOBase):
    """A stream of the parts of a packed file, one after the other. Each is unpacked when its bytes are asked for."""

    def __init__(
        self, packed: BinaryIO, magic: bytes, name: str, start: Callable[[], Decompressor], most_parts: int
    ) -> None:
        self._packed, self._magic, self._name, self._start = packed, magic, name, start
        self._stream: Decompressor | None = None
        self._waiting = b""
        self._parts, self._most_parts = 0, most_parts

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
                self._parts += 1
                if self._parts > self._most_parts:
                    message = f"this {self._name} file holds more than {self._most_parts:,} parts"
                    raise FormatError(f"{message}; bgtools takes no more")
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


class _Zstandard(io.RawIOBase):
    """A stream that unpacks another one, packed by Zstandard."""

    def __init__(self, packed: BinaryIO, _most_parts: int) -> None:
        self._packed, self._unpacked = packed, _open_zstd()(packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._unpacked.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._packed.close()
        super().close()


def _open_zstd() -> Callable[[BinaryIO], Any]:
    """A function that opens a file packed by Zstandard: from Python 3.14 on the standard library's.

    Raises:
        FormatError: neither Python nor the package ``zstandard`` can unpack it.
    """
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        return zstd.ZstdFile  # type: ignore[no-any-return,unused-ignore]
    except ImportError:
        pass
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise FormatError(
            "this is packed by Zstandard; install bgtools-backgammon[zstd], or unpack it with the program zstd"
        ) from None
    unpacker = zstandard.ZstdDecompressor(max_window_size=_MOST_MEMORY)
    return lambda stream: unpacker.stream_reader(stream, read_across_frames=True)


STREAM: Final = ".ogxms"
"""The ending of a stream of OGXM: many records, one behind the other."""


def is_stream_name(name: str) -> bool:
    """Whether a file of this name is a stream of OGXM, perhaps packed."""
    name = name.lower()
    return any(name.endswith(STREAM + ending) for ending in ("", *(each.ending for each in _PACKERS)))


@contextmanager
def stream_writer(output: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """What writes a stream of OGXM, packed where its name ends in ``.zst``. It is there when the block ends well.

    Raises:
        FormatError: the name asks for another packing, or nothing is installed that packs.
        FileExistsError: there is a file already, and ``force`` is not given.
        OSError: it cannot be written.
    """
    ending = output.suffix.lower()
    if ending not in (STREAM, ".zst"):
        raise FormatError(f"of what packs a stream only .zst is written, not {ending}")
    with atomic_writer(output, force=force) as out:
        if ending == STREAM:
            yield out
            return
        with _pack_zstd(out) as packing:
            yield packing


def _pack_zstd(out: BinaryIO) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        return zstd.ZstdFile(out, "w")
    except ImportError:
        pass
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from bgtools._extras import install_hint

        raise FormatError(f"zstandard is not installed, which packs .zst; {install_hint('zstd')}") from None
    return zstandard.ZstdCompressor().stream_writer(out, closefd=False)


def _packer(magic: bytes, name: str, ending: str, start: Callable[[], Decompressor]) -> _Packer:
    return _Packer(magic, name, ending, lambda packed, most: _Unpacked(packed, magic, name, start, most))


_PACKERS: Final = (
    _packer(b"\x1f\x8b", "gzip", ".gz", _gzip),
    _packer(b"BZh", "bzip2", ".bz2", _bzip2),
    _packer(b"\xfd7zXZ\0", "xz", ".xz", _xz),
    _Packer(b"\x28\xb5\x2f\xfd", "Zstandard", ".zst", _Zstandard),
)


def _packer_of(beginning: bytes) -> _Packer | None:
    return next((each for each in _PACKERS if beginning.startswith(each.magic)), None)


# --- limits and damage ----------------------------------------------------------------------


@dataclass(slots=True)
class ByteBudget:
    """How many bytes may still come out of a file."""

    most: int
    left: int

    def take(self, count: int, what: str) -> None:
        """Take the room of ``count`` bytes.

        Raises:
            TooMuch: there is no room for them.
        """
        self.left -= count
        if self.left < 0:
            raise TooMuch(f"more than {self.most >> 20} MB come out of this {what}; bgtools takes no more")

    def read(self, stream: Any, what: str) -> bytes:
        """All of a stream. The size that an archive states for a file need not be true, so the bytes are counted.

        Raises:
            FormatError: the stream is larger than `limits.largest_file`.
            TooMuch: there is no room for it.
        """
        largest = largest_file()
        data = read_up_to(stream, min(self.left, largest) + 1)
        if largest < len(data) <= self.left:
            raise FormatError(f"a file in this {what} is larger than {largest >> 20} MB; bgtools takes no more")
        self.take(len(data), what)
        return data


class damage:
    """A context in which every other exception becomes a `FormatError` whose message begins with ``message``.

    Unpackers raise exceptions of many types on damaged bytes.
    """

    def __init__(self, message: str) -> None:
        self.message = message

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, FormatError):
            raise FormatError(f"{self.message}: {error}") from None


# --- archives -------------------------------------------------------------------------------


class _Archive(NamedTuple):
    """A kind of archive: what it is called, and what reads the files in one, given a stream and the room for them."""

    name: str
    read: Callable[[BinaryIO, ByteBudget], Iterator[tuple[str, bytes]]]


def _of_zip(stream: BinaryIO, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
    import zipfile

    with zipfile.ZipFile(stream) as archive:
        for each in archive.infolist():
            if not each.is_dir():
                with archive.open(each) as member:
                    yield each.filename, room.read(member, "ZIP archive")


def _of_tar(stream: BinaryIO, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
    import tarfile

    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for each in archive:
            archive.members.clear()  # type: ignore[attr-defined]  # else it remembers every member, needlessly
            member = archive.extractfile(each) if each.isfile() else None
            if member is not None:
                yield each.name, room.read(member, "tar archive")


def _of_ogxm(stream: BinaryIO, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
    from bgtools.formats.ogxm.stream import records_of  # few files need it

    for record in records_of(stream):
        room.take(len(record.data), "stream")
        # Whoever reads what is damaged is told why it cannot be read.
        yield f"{record.number}, from byte {record.offset:,} on" if record.fault else str(record.number), record.data


_ZIP_ARCHIVE: Final = _Archive("ZIP archive", _of_zip)
_TAR_ARCHIVE: Final = _Archive("tar archive", _of_tar)
_STREAM: Final = _Archive("stream", _of_ogxm)


def _archive_of(beginning: bytes) -> _Archive | None:
    if beginning.startswith(_ZIP):
        return _ZIP_ARCHIVE
    return _TAR_ARCHIVE if is_tar(beginning) else None


def is_tar(data: bytes) -> bool:
    """Whether this is a tar archive."""
    sign, at = _TAR
    return data.startswith(sign, at)


def unpack(content: Content) -> tuple[Content, ...]:
    """The files in an archive, in the order of their names; a file that is not an archive as the only one, unpacked.

    An archive may be packed as a whole (``.tar.xz``), and so may the files in it. An archive inside an archive is not
    opened.

    Raises:
        FormatError: the archive is damaged, holds nothing, or holds more than the limits.
    """
    most = largest_file()
    content = _unpacked(content, ByteBudget(most, most))
    archive = _archive_of(content.data)
    if archive is None:
        return (content,)
    found: list[tuple[str, bytes]] = []
    room = ByteBudget(most, most)
    with damage(f"this {archive.name} cannot be read"):
        for member in archive.read(io.BytesIO(content.data), room):
            found.append(member)
            if len(found) > MOST_MEMBERS:
                raise FormatError(f"this {archive.name} holds more than {MOST_MEMBERS:,} files; bgtools takes no more")
        if not found:
            raise FormatError(f"this {archive.name} is empty")
        return tuple(
            _unpacked(Content(data, f"{content.name}/{name}"), room) for name, data in sorted(found) if data.strip()
        )


def _unpacked(content: Content, room: ByteBudget) -> Content:
    """A file, unpacked if it is packed."""
    packer = _packer_of(content.data)
    if packer is None:
        return content
    what = f"{packer.name} file"
    with damage(f"this {what} cannot be read"):
        stream = packer.open(io.BytesIO(content.data), MOST_MEMBERS)
        data = read_up_to(io.BufferedReader(stream, _PIECE), room.left + 1)
        room.take(len(data), what)
    name = content.name[: -len(packer.ending)] if content.ending == packer.ending else content.name
    return Content(data, name)


def stream_members(path: str) -> Iterator[tuple[str, bytes]] | None:
    """The records of a file whose name is that of a stream, as `members` gives them; None for any other file."""
    if not is_stream_name(path) or not is_file(path):
        return None
    return _read(partial(opened, path), _STREAM, max(_LARGEST_RATIO * Path(path).stat().st_size, largest_file()))


def members(file: str | Callable[[], io.BufferedReader]) -> Iterator[tuple[str, bytes]] | None:
    """The files in an archive, or the records in a stream of OGXM: the name of each, for a record its number, and its
    content.

    A ZIP archive, a tar archive or a stream is read once, from beginning to end. The latter two may be packed. Folders,
    empty files and hidden files are skipped.

    Args:
        file: the path of a file, or a function that opens it.

    Returns:
        None where the file is neither an archive nor a stream.

    Raises:
        OSError: it cannot be read.
        FormatError: the archive is damaged, a file in it is larger than `limits.largest_file` allows, or all of them
            together are larger than an honest archive can hold. Most of this is found only while the files are read.
    """
    open_file = partial(opened, file) if isinstance(file, str) else file
    with open_file() as packed:
        size = packed.seek(0, os.SEEK_END) if packed.seekable() else 0
    with damage("this file cannot be unpacked"), _opened(open_file) as stream:
        beginning = stream.peek(_PIECE)
    archive = _archive_of(beginning) or (_STREAM if beginning.startswith(_OGXM) else None)
    return None if archive is None else _read(open_file, archive, max(_LARGEST_RATIO * size, largest_file()))


def _read(open_file: Callable[[], io.BufferedReader], archive: _Archive, most: int) -> Iterator[tuple[str, bytes]]:
    with damage(f"this {archive.name} cannot be read"), _opened(open_file) as stream:
        for name, data in archive.read(stream, ByteBudget(most, most)):
            if data.strip() and not any(part.startswith((".", "__MACOSX")) for part in name.split("/")):
                yield name, data


def _opened(open_file: Callable[[], io.BufferedReader]) -> io.BufferedReader:
    """A file as a stream of its bytes, unpacked if it is packed."""
    stream = open_file()
    try:
        packer = _packer_of(stream.peek(1))
        return stream if packer is None else io.BufferedReader(packer.open(stream, sys.maxsize), _PIECE)
    except BaseException:
        stream.close()
        raise


def member_of(open_file: Callable[[], io.BufferedReader], name: str, path: str) -> bytes:
    """The content of a file in an archive.

    Args:
        open_file: opens the archive.
        name: the name of the file in it.
        path: what to call the file in an error.

    Raises:
        FileNotFoundError: this is not an archive, or there is no such file in it.
        FormatError: the archive is damaged.
    """
    for each, data in members(open_file) or ():
        if each == name:
            return data
    raise FileNotFoundError(2, os.strerror(2), path)


def member(path: str) -> bytes:
    """The content of a file in an archive; its path is that of the archive, a slash and the file's name in it.

    Raises:
        FileNotFoundError: there is no such archive, or no such file in it.
        FormatError: the archive is damaged.
    """
    archive = Path(path)
    while not is_file(archive) and archive != archive.parent:
        archive = archive.parent
    inner = path[len(str(archive)) :].lstrip("/\\")
    if not (is_file(archive) and inner):
        raise FileNotFoundError(2, os.strerror(2), path)
    return member_of(partial(opened, archive), inner, path)
