"""Streams of OGXM (``.ogxms``): whole files, one behind the other. What is damaged costs only itself.

Where a record is damaged, reading goes on at the next place where a whole one begins, as the codec of OGXM's makers
does (section 2.6 of the specification, as its package describes it).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from bgtools.formats.content import FormatError
from bgtools.formats.limits import largest_file, read_up_to
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.reader import require_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGINNING: Final = re.compile(rb"OGXM[\x01\x02]\0")
_BEGINNING_BYTES: Final = 6
"""The magic of a file, and its major version."""
_PIECE: Final = 1 << 16
_TRIED_AGAIN: Final = 8
"""At most so many times the bytes of a stream are tried as records while the next whole one is looked for."""


class StreamRecord(NamedTuple):
    """A record of a stream, or the bytes between two whole ones.

    Attributes:
        number: its number, from 1 on.
        offset: where it begins.
        data: its bytes; of damaged ones no more than `limits.largest_file`.
        fault: why it cannot be read; "" for a whole record.
    """

    number: int
    offset: int
    data: bytes
    fault: str = ""


def records_of(stream: BinaryIO) -> Iterator[StreamRecord]:
    """The records of a stream in their order, those that are damaged too. Two of them are in memory at most.

    Args:
        stream: the bytes, unpacked.

    Raises:
        OSError: they cannot be read.
    """
    return _OgxmStream(stream).records()


class _OgxmStream:
    """A stream, and the bytes of it that have been read and are not done with."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.held = bytearray()
        self.offset = 0
        """Where the held bytes begin."""
        self.tried = 0

    def records(self) -> Iterator[StreamRecord]:
        number = 0
        while self._has(1):
            number += 1
            size, fault = self._first()
            if fault:
                yield self._damaged(number, fault)
            else:
                yield StreamRecord(number, self.offset, bytes(self.held[:size]))
                self._drop(size)

    def _has(self, count: int) -> bool:
        """Whether so many bytes are held, after reading them."""
        if count > len(self.held):
            self.held += read_up_to(self.stream, max(count - len(self.held), _PIECE))
        return count <= len(self.held)

    def _drop(self, count: int) -> None:
        del self.held[:count]
        self.offset += count

    def _size(self) -> int:
        """The size that the header of the first held record states; 0 where it is none that a record can have."""
        if not self._has(layout.HEADER.size):
            return 0
        size = int(layout.HEADER.at(bytes(self.held[: layout.HEADER.size]))["size"])
        return size if layout.HEADER.size <= size <= largest_file() else 0

    def _first(self) -> tuple[int, str]:
        """The size of the first held record, and what is wrong with it, or ""."""
        size = self._size()
        self._has(size)
        data = bytes(self.held[: size or layout.HEADER.size])
        self.tried += len(data)
        return size, _fault(data)

    def _damaged(self, number: int, fault: str) -> StreamRecord:
        """The bytes up to the next whole record, or to the end; they are dropped."""
        offset, most = self.offset, largest_file()
        skipped = bytearray()

        def skip(count: int) -> None:
            skipped.extend(self.held[: min(count, most - len(skipped))])
            self._drop(count)

        skip(1)
        while True:
            found = _BEGINNING.search(self.held)
            if found is None:
                skip(max(len(self.held) - _BEGINNING_BYTES + 1, 0))
                if self._has(len(self.held) + 1):
                    continue
                skip(len(self.held))
                break
            skip(found.start())
            size = self._size() if self.tried <= _TRIED_AGAIN * (self.offset + len(self.held)) else 0
            is_framed = size > 0 and self._has(size) and self.held.startswith(layout.END, size - len(layout.END))
            if is_framed and not self._first()[1]:
                break
            skip(1)
        # What stands before the next record tells what is missing better than the size that the damaged one states.
        return StreamRecord(number, offset, bytes(skipped), _fault(bytes(skipped)) or fault)


def _fault(data: bytes) -> str:
    try:
        require_whole(data)
    except FormatError as error:
        return str(error)
    return ""
