"""The sections of OGXM files, which both versions have."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import FormatError
from bgtools.formats.ogxm import layout

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bgtools.formats.shared.binary import RecordType

_UNREAD: Final = (b"CLCK", b"VIDO")
"""Known sections that no record has a place for."""


def sections(
    data: bytes, at: int, end: int, kind: RecordType, known: Collection[bytes], faults: list[str]
) -> Iterator[tuple[bytes, int, int]]:
    """Name, first byte and end of every section of a file.

    Args:
        data: the file.
        at: where its first section begins.
        end: where its end mark stands.
        kind: the type of the header before every section.
        known: the names of the sections that are read, or passed over in silence.
        faults: the list to which a message is added for every other section.

    Raises:
        FormatError: the end mark or a part of a section is missing, or a section that a reader must know is not known.
    """
    if end < at or not data[end:].startswith(layout.END):
        raise FormatError("this OGXM file is damaged: its end mark is missing")
    while at < end:
        start = at + kind.size
        if start > end:
            raise FormatError(f"this OGXM file is damaged: a section ends too soon, at byte {at}")
        head = kind.at(data, at)
        name, stop = head["name"], start + head["size"]
        if stop > end:
            raise FormatError(f"this OGXM file is damaged: the section at byte {at} runs past its end")
        if name not in known:
            said = name.decode("ascii", "replace")
            if head["flags"] & layout.CRITICAL:
                raise FormatError(f"this OGXM file has a part “{said}” that is not known, and needed")
            faults.append(f"the part “{said}” is not known; it is left out")
        yield name, start, stop
        at = stop


def unread_parts(names: Iterable[bytes], *more: bytes) -> Counter[str]:
    """How many of some sections, by their names, are not read: clocks, videos, and ``more`` kinds."""
    return Counter(f"part {name.decode()}" for name in names if name in (*_UNREAD, *more))
