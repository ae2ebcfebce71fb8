"""The codec of OGXM's makers as the judge of every file that any test writes.

`watch` puts it behind the writer, so that a test need not ask for it. Where there is no wheel of the codec nothing is
judged; what tests it by name is skipped then.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bgtools.formats.ogxm import writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.record.record import Match

try:
    import ogxm
except ImportError:
    ogxm = None

COUNTED: Counter[str] = Counter()
"""How many files the codec has judged in this process, and whether they were written whole."""

_is_off = False


def problem(data: bytes) -> str:
    """Why the codec does not take a file as it is, or does not follow it to its end; "" where it does."""
    COUNTED["files"] += 1
    rule, has_checksum = ogxm.verify(data)
    if rule or not has_checksum:
        return rule or "no checksum"
    document: dict[str, Any] = ogxm.binary_to_json(data)
    if rule := ogxm.v2_problem(document):
        return f"its document: {rule}"
    if ogxm.json_to_binary(document) != data:
        return "it writes other bytes"
    COUNTED["plies"] += sum(len(game["plies"]) for game in document["games"])
    return "" if document["replay_complete"] else f"its replay stops in game {document['replay_failed_game'] + 1}"


@contextmanager
def unjudged() -> Iterator[None]:
    """Nobody judges what is written meanwhile: a test spoils it."""
    global _is_off
    before, _is_off = _is_off, True
    try:
        yield
    finally:
        _is_off = before


def watch() -> None:
    """From now on judge whatever the writer writes."""
    write = writer.write

    def judged_write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
        data = write(matches, dialect)
        if ogxm is not None and not _is_off:
            assert not (found := problem(data)), f"the codec of OGXM does not take what was written: {found}"
        return data

    writer.write = judged_write
