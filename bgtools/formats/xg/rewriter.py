"""Writing a match, which was changed since it was read, into its own file of eXtreme Gammon.

Everything that is not read stays: the details of rollouts, the picture, comments that belong to no record, streams with
other names, and fields of records that the model cannot hold. A record that the change does not touch stays as it
is in the file. A changed decision is rewritten, without its rollouts; in any other record only the changed fields
are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.formats.content import Content
from bgtools.formats.shared.binary import RecordType
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import COMMENTS, QUICK_LOOK, RECORDS, Titles, open_archive, pack_archive
from bgtools.formats.xg.comments import join_comments, split_comments
from bgtools.formats.xg.layout import KIND_AT, MAGIC, RECORD_SIZE, RICH_HEADER, RecordKind
from bgtools.formats.xg.reader import read
from bgtools.formats.xg.writer import write, write_position

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.formats.shared.binary import BinaryRecord
    from bgtools.record.record import Match

_DECISIONS: Final = (RecordKind.CUBE, RecordKind.MOVE)
_NO_RECORD: Final = RecordType([("all", f"S{RECORD_SIZE}")])
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
    if len({tuple(map(_kind, each)) for each in (old, before, after)}) > 1:
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


def _records(stream: bytes) -> list[BinaryRecord]:
    data = bytearray(stream)
    starts = range(0, len(stream) - RECORD_SIZE + 1, RECORD_SIZE)
    return [layout.RECORDS.get(data[at + KIND_AT], _NO_RECORD).at(data, at) for at in starts]


def _kind(record: BinaryRecord) -> int:
    return record.data[record.begin + KIND_AT]


def _merged(old: BinaryRecord, before: BinaryRecord, after: BinaryRecord) -> bytes:
    """A record of the file with the changes.

    Args:
        old: the record in the file.
        before: the record as it is written for the unchanged match.
        after: the record as it is written for the changed match.
    """
    names = set(old.type.fields)
    changed = {name for name in names if before.raw(name) != after.raw(name)} - _COMMENTS
    if changed and _kind(old) in _DECISIONS:
        return after.tobytes()
    for name in changed | (names & _COMMENTS):
        old.put_raw(name, after.raw(name))
    return old.tobytes()


def _strays(records: Sequence[BinaryRecord], texts: Sequence[bytes]) -> list[bytes]:
    """Comments that no record names."""
    used = {each[name] for each in records for name in _COMMENTS & set(each.type.fields)}
    return [text for index, text in enumerate(texts) if index not in used and text]


def _with_picture(packed: bytes, made: bytes, data: bytes) -> bytes:
    """An archive with the titles of one file and the picture of another."""
    header = RICH_HEADER.at(bytearray(made))
    old = RICH_HEADER.at(data)
    start, size = RICH_HEADER.size, old["thumbnail_size"]
    if size:
        header["thumbnail_offset"], header["thumbnail_size"] = old["thumbnail_offset"], size
    return header.tobytes() + data[start : start + size] + packed[start:]
