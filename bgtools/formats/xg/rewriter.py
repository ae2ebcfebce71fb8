"""Writing a match, which was changed since it was read, into its own file of eXtreme Gammon.

Everything that is not read stays: the details of rollouts, the picture, comments that belong to no record, streams with
other names, and fields of records that the model cannot hold. A record that the change does not touch stays as it
is in the file. A changed decision is rewritten, without its rollouts; in any other record only the changed fields
are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.formats.content import Content
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import COMMENTS, QUICK_LOOK, RECORDS, Titles, open_archive, pack_archive
from bgtools.formats.xg.comments import join_comments, split_comments
from bgtools.formats.xg.layout import KIND_AT, MAGIC, RECORD_SIZE, RICH_HEADER, RecordKind
from bgtools.formats.xg.reader import read
from bgtools.formats.xg.writer import write, write_position

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.record.record import Match

_TYPES: Final[dict[int, np.dtype[np.void]]] = {
    RecordKind.MATCH: layout.MATCH,
    RecordKind.GAME: layout.GAME,
    RecordKind.CUBE: layout.CUBE,
    RecordKind.MOVE: layout.MOVE,
    RecordKind.GAME_END: layout.GAME_END,
    RecordKind.MATCH_END: layout.MATCH_END,
}
_DECISIONS: Final = (RecordKind.CUBE, RecordKind.MOVE)
_NO_RECORD: Final[np.dtype[np.void]] = np.dtype([("all", f"V{RECORD_SIZE}")])
_COMMENTS: Final = frozenset({"comment", "comment_before", "comment_after"})
"""The fields that hold the index of a comment."""


def rewrite(matches: tuple[Match, ...]) -> bytes:
    """The bytes of a match file (.xg); b"" where the match was not read from one, or now needs records of other kinds.

    Raises:
        FormatError: the match holds what the records have no room for.
    """
    return _rewritten(matches, write)


def rewrite_position(matches: tuple[Match, ...]) -> bytes:
    """The bytes of a position file (.xgp); b"" where it was not read from one, or now needs records of other kinds.

    Raises:
        FormatError: the match holds more than one position.
    """
    return _rewritten(matches, write_position)


def _rewritten(matches: tuple[Match, ...], write_anew: Callable[[tuple[Match, ...]], bytes]) -> bytes:
    source = matches[0].source
    if len(matches) != 1 or source is None or not source.data.startswith(MAGIC):
        return b""
    made = write_anew(matches)
    files, plain, anew = map(open_archive, (source.data, write_anew(read(Content(source.data, source.name))), made))
    old, before, after = (_records(each[RECORDS]) for each in (files, plain, anew))
    if len({tuple(record.kind for record in each) for each in (old, before, after)}) > 1:
        return b""
    merged = [_merged(*each) for each in zip(old, before, after, strict=True)]
    texts = split_comments(anew.get(COMMENTS, b"")) + _strays(old, split_comments(files.get(COMMENTS, b"")))
    files |= {
        RECORDS: b"".join(merged),
        QUICK_LOOK: merged[0] + merged[-1],
        COMMENTS: join_comments(texts),
    }
    if not texts:
        del files[COMMENTS]
    return _with_picture(pack_archive(files, Titles()), made, source.data)


class _Record(NamedTuple):
    """A record: its bytes, its kind, and its fields, which share memory with the bytes."""

    data: bytearray
    kind: int
    fields: Any


def _records(stream: bytes) -> list[_Record]:
    found = []
    for at in range(0, len(stream) - RECORD_SIZE + 1, RECORD_SIZE):
        data = bytearray(stream[at : at + RECORD_SIZE])
        kind = data[KIND_AT]
        found.append(_Record(data, kind, np.frombuffer(data, _TYPES.get(kind, _NO_RECORD), 1)[0]))
    return found


def _merged(old: _Record, before: _Record, after: _Record) -> bytes:
    """A record of the file with the changes.

    Args:
        old: the record in the file.
        before: the record as it is written for the unchanged match.
        after: the record as it is written for the changed match.
    """
    names = set(old.fields.dtype.names)
    changed = {name for name in names if before.fields[name].tobytes() != after.fields[name].tobytes()} - _COMMENTS
    if changed and old.kind in _DECISIONS:
        return bytes(after.data)
    for name in changed | (names & _COMMENTS):
        old.fields[name] = after.fields[name]
    return bytes(old.data)


def _strays(records: Sequence[_Record], texts: Sequence[bytes]) -> list[bytes]:
    """Comments that no record names."""
    used = {int(each.fields[name]) for each in records for name in _COMMENTS & set(each.fields.dtype.names)}
    return [text for index, text in enumerate(texts) if index not in used and text]


def _with_picture(packed: bytes, made: bytes, data: bytes) -> bytes:
    """An archive with the titles of one file and the picture of another."""
    header = np.frombuffer(made, RICH_HEADER, 1).copy()
    old = np.frombuffer(data, RICH_HEADER, 1)[0]
    start, size = RICH_HEADER.itemsize, int(old["thumbnail_size"])
    if size:
        header[0]["thumbnail_offset"], header[0]["thumbnail_size"] = old["thumbnail_offset"], size
    return header.tobytes() + data[start : start + size] + packed[start:]
