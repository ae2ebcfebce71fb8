"""The container of eXtreme Gammon's files: a header with a picture, zlib streams, an index, an end with a checksum.

    rich header | picture (JPEG) | files | index of the files | end

The files are called ``temp.xg`` (the records), ``temp.xgi`` (the first and the last record, for a quick
look), ``temp.xgr`` (rollouts) and ``temp.xgc`` (comments). Every stated size is checked, and no file may
unpack to more bytes than `most_of` allows.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bgtools.formats.content import FormatError, TooMuch
from bgtools.formats.limits import largest_file
from bgtools.formats.xg.layout import ARCHIVE_END, ARCHIVE_FILE, MAGIC, RICH_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    if len(data) < RICH_HEADER.itemsize + ARCHIVE_END.itemsize:
        raise FormatError("this file of eXtreme Gammon is cut off: not even its header is whole")
    end = np.frombuffer(data[-ARCHIVE_END.itemsize :], ARCHIVE_END, 1)[0]
    index_end = len(data) - ARCHIVE_END.itemsize
    index_size, data_size, count = int(end["index_size"]), int(end["data_size"]), int(end["files"])
    start = index_end - index_size - data_size
    if index_size < 0 or data_size < 0 or start < RICH_HEADER.itemsize or not 0 < count <= MOST_FILES:
        raise FormatError(
            "this file of eXtreme Gammon is cut off or damaged: the sizes stated at its end do not fit its length"
        )
    if zlib.crc32(memoryview(data)[start:index_end]) != int(end["crc"]):
        raise FormatError("this file of eXtreme Gammon is damaged: its checksum is wrong")
    packed = data[index_end - index_size : index_end]
    index_bytes = count * ARCHIVE_FILE.itemsize
    index = _inflate(packed, index_bytes, "its index") if end["index_compressed"] else packed
    if len(index) < index_bytes:
        raise FormatError("this file of eXtreme Gammon is damaged: its index is too short")
    files: dict[str, bytes] = {}
    for entry in np.frombuffer(index, ARCHIVE_FILE, count):
        name = _ansi(entry["name"])
        first, size = int(entry["start"]), int(entry["compressed_size"])
        if first < 0 or size < 0 or first + size > data_size:
            raise FormatError(f"this file of eXtreme Gammon is damaged: {name!r} does not lie within it")
        blob = data[start + first : start + first + size]
        files[name] = blob if entry["stored"] else _inflate(blob, most_of(name), repr(name))
        if zlib.crc32(files[name]) != int(entry["crc"]):
            raise FormatError(f"this file of eXtreme Gammon is damaged: the checksum of {name!r} is wrong")
    return files


def most_of(name: str) -> int:
    """The most bytes that a file of the archive may have."""
    return int(_MOST.get(name, _MOST_OF_ANOTHER) * largest_file())


def pack_archive(files: Mapping[str, bytes], titles: Titles) -> bytes:
    """The bytes of a file of eXtreme Gammon, without a picture."""
    header = np.zeros(1, RICH_HEADER)
    header[0]["magic"], header[0]["version"], header[0]["size"] = MAGIC, 1, RICH_HEADER.itemsize
    header[0]["guid"] = _GUID
    for field, text in (
        ("game_name", titles.game),
        ("save_name", titles.save),
        ("level_name", titles.level),
        ("comments", titles.comments),
    ):
        put_wide(header[0], field, text)
    index = np.zeros(len(files), ARCHIVE_FILE)
    blobs = bytearray()
    for entry, (name, content) in zip(index, files.items(), strict=True):
        blob = zlib.compress(content)
        entry["name"][: len(name) + 1] = [len(name), *name.encode("ascii")]
        entry["size"], entry["compressed_size"], entry["start"] = len(content), len(blob), len(blobs)
        entry["crc"], entry["level"] = zlib.crc32(content), _PACKED
        blobs += blob
    packed = zlib.compress(index.tobytes())
    end = np.zeros(1, ARCHIVE_END)
    end[0]["crc"] = zlib.crc32(packed, zlib.crc32(blobs))
    end[0]["files"], end[0]["version"], end[0]["index_compressed"] = len(files), 1, 1
    end[0]["index_size"], end[0]["data_size"] = len(packed), len(blobs)
    return header.tobytes() + bytes(blobs) + packed + end.tobytes()


def put_wide(record: Any, field: str, text: str) -> None:
    """Write a text into a field of wide characters; what does not fit is cut off."""
    room = record.dtype[field].shape[0] - 1
    units = np.frombuffer(text.encode("utf-16-le", "replace"), "<u2")[:room]
    record[field][: len(units)] = units


def put_ansi(record: Any, field: str, text: str) -> None:
    """Write a text into a field of the old kind, as Windows-1252; what does not fit is cut off."""
    room = record.dtype[field].shape[0] - 1
    data = text.encode("cp1252", "replace")[:room]
    record[field][: len(data) + 1] = [len(data), *data]


def get_wide(units: Any) -> str:
    """The text in a field of wide characters, up to its first zero; anything after that is left from earlier texts."""
    ends = np.flatnonzero(units == 0)
    text: str = units[: ends[0] if len(ends) else None].tobytes().decode("utf-16-le", "replace")
    return text


def get_ansi(data: Any) -> str:
    """The text in a field of the old kind."""
    return _ansi(data)


def _ansi(data: Any) -> str:
    return bytes(data[1 : 1 + int(data[0])]).decode("cp1252", "replace")


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
