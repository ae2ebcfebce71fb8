"""Reading through archives: ``.gz`` and ``.zip``, with limits on what may come out."""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import Content, FormatError
from bgtools.formats.limits import largest_file

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_MEMBERS: Final = 100_000
"""How many files an archive may hold."""

_GZIP, _ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")  # the second where it is empty


def unpack(content: Content) -> tuple[Content, ...]:
    """The files in an archive, by name; a file that is none, as it is.

    Raises:
        FormatError: the archive is damaged, holds nothing, or holds more than the limits.
    """
    if content.data.startswith(_GZIP):
        return (_gunzip(content),)
    if content.data.startswith(_ZIP):
        import zipfile

        try:
            return tuple(_members(content))
        except FormatError:
            raise
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            RuntimeError,
            NotImplementedError,
            ValueError,
        ) as error:
            raise FormatError(f"this ZIP archive cannot be read: {error}") from None
    return (content,)


def _gunzip(content: Content) -> Content:
    name = content.name[:-3] if content.ending == ".gz" else content.name
    data, rest, most = bytearray(), content.data, largest_file()
    try:
        # An archive may hold several parts one after the other.
        while rest.startswith(_GZIP):
            stream = zlib.decompressobj(wbits=31)
            data += stream.decompress(rest, most + 1 - len(data))
            if len(data) > most:
                raise FormatError(f"more than {most >> 20} MB come out of this gzip file; bgtools takes no more")
            if not stream.eof:
                raise FormatError("this gzip file ends too soon")
            rest = stream.unused_data
    except zlib.error as error:
        raise FormatError(f"this gzip file cannot be read: {error}") from None
    return Content(bytes(data), name)


def _members(content: Content) -> Iterator[Content]:
    import zipfile  # few files need it

    left = most = largest_file()
    with zipfile.ZipFile(io.BytesIO(content.data)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if not members:
            raise FormatError("this ZIP archive is empty")
        if len(members) > MOST_MEMBERS:
            raise FormatError(f"this ZIP archive holds more than {MOST_MEMBERS:,} files; bgtools takes no more")
        for member in sorted(members, key=lambda each: each.filename):
            with archive.open(member) as stream:
                # What a member says of its own size need not be true.
                data = stream.read(left + 1)
            left -= len(data)
            if left < 0:
                raise FormatError(f"more than {most >> 20} MB come out of this ZIP archive; bgtools takes no more")
            if data.strip():
                yield Content(data, f"{content.name}/{member.filename}")
