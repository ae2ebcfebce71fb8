"""Unpacking packed files, ZIP archives and tar archives, with limits on what may come out."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from bgtools.formats.content import Content, FormatError, TooMuch
from bgtools.formats.limits import largest_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

MOST_MEMBERS: Final = 10_000
"""How many files an archive may hold, and how many parts a packed file."""

_PIECE: Final = 1 << 14
"""How many packed bytes are handed to an unpacker at a time."""
_MOST_MEMORY: Final = 128 << 20
"""How many bytes of memory an unpacker may take for its own work."""
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")  # the second begins an empty archive
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_TAR: Final = (b"ustar", 257)
"""The bytes that mark a tar archive, and their offset."""


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


def _gzip() -> Decompressor:
    return zlib.decompressobj(wbits=31)


def _bzip2() -> Decompressor:
    import bz2  # few files need it

    return bz2.BZ2Decompressor()


def _xz() -> Decompressor:
    import lzma

    return lzma.LZMADecompressor(memlimit=_MOST_MEMORY)


PACKERS: Final[tuple[tuple[bytes, str, str, Callable[[], Decompressor]], ...]] = (
    (b"\x1f\x8b", "gzip", ".gz", _gzip),
    (b"BZh", "bzip2", ".bz2", _bzip2),
    (b"\xfd7zXZ\0", "xz", ".xz", _xz),
)
"""Of each packer: the bytes that its files begin with, its name, the ending of its files, and its unpacker."""


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


def unpack(content: Content) -> tuple[Content, ...]:
    """The files in an archive, in the order of their names; a file that is not an archive as the only one, unpacked.

    An archive may be packed as a whole (``.tar.xz``), and so may the files in it. An archive inside an archive is not
    opened.

    Raises:
        FormatError: the archive is damaged, holds nothing, or holds more than the limits.
    """
    most = largest_file()
    room = ByteBudget(most, most)
    content = _unpacked(content, room)
    is_zip = content.data.startswith(ZIP)
    if not is_zip and not is_tar(content.data):
        return (content,)
    what = "ZIP archive" if is_zip else "tar archive"
    room = ByteBudget(most, most)
    members = _zip_members if is_zip else _tar_members
    with damage(f"this {what} cannot be read"):
        return tuple(
            _unpacked(Content(data, f"{content.name}/{name}"), room)
            for name, data in _sorted(members(content.data, room), what)
            if data.strip()
        )


def is_tar(data: bytes) -> bool:
    """Whether this is a tar archive."""
    sign, at = _TAR
    return data.startswith(sign, at)


def _unpacked(content: Content, room: ByteBudget) -> Content:
    """A file, unpacked if it is packed."""
    if content.data.startswith(ZSTD):
        return Content(_unzstd(content.data, room), _without(content, ".zst"))
    for magic, name, ending, start in PACKERS:
        if content.data.startswith(magic):
            with damage(f"this {name} file cannot be read"):
                return Content(_stream(content.data, magic, name, start, room), _without(content, ending))
    return content


def _without(content: Content, ending: str) -> str:
    return content.name[: -len(ending)] if content.ending == ending else content.name


def _stream(data: bytes, magic: bytes, name: str, start: Callable[[], Decompressor], room: ByteBudget) -> bytes:
    found, at, parts = bytearray(), 0, 0
    # A packed file may hold several parts one after the other.
    while data.startswith(magic, at):
        parts += 1
        if parts > MOST_MEMBERS:
            raise FormatError(f"this {name} file holds more than {MOST_MEMBERS:,} parts; bgtools takes no more")
        stream = start()
        while not stream.eof:
            piece = data[at : at + _PIECE]
            if not piece:
                raise FormatError(f"this {name} file ends too soon")
            made = stream.decompress(piece, room.left + 1)
            room.take(len(made), f"{name} file")
            found += made
            at += len(piece) - len(stream.unused_data)
    return bytes(found)


def _unzstd(data: bytes, room: ByteBudget) -> bytes:
    open_stream = open_zstd()
    with damage("this Zstandard file cannot be read"), open_stream(io.BytesIO(data)) as stream:
        found: bytes = stream.read(room.left + 1)
    room.take(len(found), "Zstandard file")
    return found


def open_zstd() -> Callable[[BinaryIO], Any]:
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


def _sorted(members: Iterator[tuple[str, bytes]], what: str) -> list[tuple[str, bytes]]:
    found = sorted(members)
    if not found:
        raise FormatError(f"this {what} is empty")
    return found


def _zip_members(data: bytes, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for number, member in enumerate(archive.infolist()):
            _count(number, "ZIP archive")
            if not member.is_dir():
                with archive.open(member) as stream:
                    yield member.filename, _member(stream, room, "ZIP archive")


def _tar_members(data: bytes, room: ByteBudget) -> Iterator[tuple[str, bytes]]:
    import tarfile

    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for number, member in enumerate(archive):
            _count(number, "tar archive")
            stream = archive.extractfile(member) if member.isfile() else None
            if stream is not None:
                yield member.name, _member(stream, room, "tar archive")


def _member(stream: Any, room: ByteBudget, what: str) -> bytes:
    # The size that an archive states for a file need not be true.
    data: bytes = stream.read(room.left + 1)
    room.take(len(data), what)
    return data


def _count(number: int, what: str) -> None:
    if number >= MOST_MEMBERS:
        raise FormatError(f"this {what} holds more than {MOST_MEMBERS:,} files; bgtools takes no more")
