"""The container of eXtreme Gammon's files: a header with a picture, zlib streams, an index, an end with a checksum.

    rich header | picture (JPEG) | files | index of the files | end

The files are called ``temp.xg`` (the records), ``temp.xgi`` (the first and the last record, for a quick
look), ``temp.xgr`` (rollouts) and ``temp.xgc`` (comments). Every stated size is checked, and no file may
unpack to more bytes than `most_of` allows.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import FormatError, TooMuch
from bgtools.formats.limits import largest_file
from bgtools.formats.xg.layout import ARCHIVE_END, ARCHIVE_FILE, MAGIC, RICH_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.formats.shared.binary import BinaryRecord

RECORDS: Final = "temp.xg"
QUICK_LOOK: Final = "temp.xgi"
ROLLOUTS: Final = "temp.xgr"
COMMENTS: Final = "temp.xgc"

MOST_FILES: Final = 64
"""How many files an archive may hold; XG writes two to four."""

# What XG writes into every file: the identity of its maker, and the strength of its packing.
_GUID: Final = bytes.fromhex("e1f55a2f21e03248a423ef480ec58a0b")
_PACKED: Final = 2

_MOST: Final = {RECORDS: 4.0, ROLLOUTS: 1.0, COMMENTS: 0.25}
_MOST_OF_ANOTHER: Final = 0.0625
"""How large the files of an archive may become, as multiples of `largest_file`. Records are mostly zeros, and shrink to
a tenth; 64 MB of them are 25,000 records, or some 250 games. People type comments by hand, so these are short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Titles:
    """Texts in the header for file managers, which show them to people.

    Attributes:
        game: where the match was played.
        save: the players, the length of the match and its score.
        level: event and round.
        comments: any other text.
    """

    game: str = ""
    save: str = ""
    level: str = ""
    comments: str = ""


def open_archive(data: bytes) -> dict[str, bytes]:
    """The files in an archive by their names.

    Raises:
        FormatError: it is no such archive, is damaged or cut off, or holds more than the limits allow.
    """
    if not data.startswith(MAGIC):
        raise FormatError("this is not a file of eXtreme Gammon: it does not begin with RGMH")
    if len(data) < RICH_HEADER.size + ARCHIVE_END.size:
        raise FormatError("this file of eXtreme Gammon is cut off: not even its header is whole")
    end = ARCHIVE_END.at(data, len(data) - ARCHIVE_END.size)
    index_end = len(data) - ARCHIVE_END.size
    index_size, data_size, count = end["index_size"], end["data_size"], end["files"]
    start = index_end - index_size - data_size
    if index_size < 0 or data_size < 0 or start < RICH_HEADER.size or not 0 < count <= MOST_FILES:
        raise FormatError(
            "this file of eXtreme Gammon is cut off or damaged: the sizes stated at its end do not fit its length"
        )
    if zlib.crc32(memoryview(data)[start:index_end]) != end["crc"]:
        raise FormatError("this file of eXtreme Gammon is damaged: its checksum is wrong")
    packed = data[index_end - index_size : index_end]
    index_bytes = count * ARCHIVE_FILE.size
    index = _inflate(packed, index_bytes, "its index") if end["index_compressed"] else packed
    if len(index) < index_bytes:
        raise FormatError("this file of eXtreme Gammon is damaged: its index is too short")
    files: dict[str, bytes] = {}
    for entry in ARCHIVE_FILE.rows(index, count):
        name = get_ansi(entry["name"])
        first, size = entry["start"], entry["compressed_size"]
        if first < 0 or size < 0 or first + size > data_size:
            raise FormatError(f"this file of eXtreme Gammon is damaged: {name!r} does not lie within it")
        blob = data[start + first : start + first + size]
        files[name] = blob if entry["stored"] else _inflate(blob, most_of(name), repr(name))
        if zlib.crc32(files[name]) != entry["crc"]:
            raise FormatError(f"this file of eXtreme Gammon is damaged: the checksum of {name!r} is wrong")
    return files


def most_of(name: str) -> int:
    """The most bytes that a file of the archive may have."""
    return int(_MOST.get(name, _MOST_OF_ANOTHER) * largest_file())


def pack_archive(files: Mapping[str, bytes], titles: Titles) -> bytes:
    """The bytes of a file of eXtreme Gammon, without a picture."""
    header = RICH_HEADER.new(magic=MAGIC, version=1, size=RICH_HEADER.size, guid=_GUID)
    for field, text in (
        ("game_name", titles.game),
        ("save_name", titles.save),
        ("level_name", titles.level),
        ("comments", titles.comments),
    ):
        put_wide(header, field, text)
    index, blobs = bytearray(), bytearray()
    for name, content in files.items():
        blob = zlib.compress(content)
        entry = ARCHIVE_FILE.new(
            size=len(content), compressed_size=len(blob), start=len(blobs), crc=zlib.crc32(content), level=_PACKED
        )
        put_ansi(entry, "name", name)
        index += entry.tobytes()
        blobs += blob
    packed = zlib.compress(index)
    end = ARCHIVE_END.new(
        crc=zlib.crc32(packed, zlib.crc32(blobs)), files=len(files), version=1, index_compressed=1,
        index_size=len(packed), data_size=len(blobs),
    )  # fmt: skip
    return header.tobytes() + bytes(blobs) + packed + end.tobytes()


def put_wide(record: BinaryRecord, field: str, text: str) -> None:
    """Write a text into a field of wide characters; what does not fit is cut off."""
    room = record.type.fields[field].size
    record.put_raw(field, text.encode("utf-16-le", "replace")[: room - 2].ljust(room, b"\0"))


def put_ansi(record: BinaryRecord, field: str, text: str) -> None:
    """Write a text into a field of the old kind, as Windows-1252; what does not fit is cut off."""
    room = record.type.fields[field].size
    data = text.encode("cp1252", "replace")[: room - 1]
    record.put_raw(field, (bytes([len(data)]) + data).ljust(room, b"\0"))


def get_wide(units: Sequence[int]) -> str:
    """The text in a field of wide characters, up to its first zero; anything after that is left from earlier texts."""
    end = units.index(0) if 0 in units else len(units)
    return struct.pack(f"<{end}H", *units[:end]).decode("utf-16-le", "replace")


def get_ansi(data: Sequence[int]) -> str:
    """The text in a field of the old kind."""
    return bytes(data[1 : 1 + data[0]]).decode("cp1252", "replace")


def _inflate(data: bytes, most: int, what: str) -> bytes:
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data, most + 1)
    except zlib.error as error:
        raise FormatError(f"this file of eXtreme Gammon is damaged: {what} cannot be unpacked ({error})") from None
    if len(found) > most:
        raise TooMuch(f"more than {most:,} bytes come out of {what}; bgtools takes no more")
    if not stream.eof:
        raise FormatError(f"this file of eXtreme Gammon is damaged: {what} ends too soon")
    return found
