"""Positions whose IDs stand in a text, with what is written about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.formats.content import FormatError
from bgtools.formats.limits import MOST_GAMES
from bgtools.formats.printed.position_text import PositionBuilder, roller_of
from bgtools.formats.text.undressing import undressed
from bgtools.positions.notations import decode_id, encode_id
from bgtools.positions.pasted import LocatedId, locate_ids
from bgtools.positions.position import IdError
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.formats.text.patchwork import Layers
    from bgtools.record.record import Match


def read_positions(source: Source) -> tuple[Match, ...]:
    """Read every position of a text, each as a match of its own. The text up to the next one is a remark on it.

    Raises:
        FormatError: it holds no ID that can be read, or more than a file may hold.
    """
    left = undressed(source.text)
    found = [*_readable(left.text)]
    if not found:
        raise FormatError("this text holds no row of a game, and no position ID that can be read")
    if len(found) > MOST_GAMES:
        raise FormatError(f"this text holds more than {MOST_GAMES:,} positions")
    return tuple(_match(source, left, found, number) for number in range(len(found)))


def _readable(text: str) -> Iterator[LocatedId]:
    """The IDs of a text as XGIDs. The same one twice in a row is one position."""
    last = ""
    for each in locate_ids(text):
        try:
            written = encode_id(decode_id(each.text), "xgid")
        except IdError:
            continue
        if written != last:
            yield each._replace(text=written)
        last = written


def _match(source: Source, left: Layers, found: Sequence[LocatedId], number: int) -> Match:
    text = left.text
    each = found[number]
    builder = PositionBuilder(source=Source(source.name, text), xgid=each.text, xgid_span=Span(each.start, each.end))
    builder.roller = roller_of(each.text)
    builder.add_position(rest=False)
    begin, end = each.end, found[number + 1].start if number + 1 < len(found) else len(text)
    if number == 0 and (words := text[: each.start].strip()):
        builder.comment(words, Span(0, each.start))
    if builder.games and (words := text[begin:end].lstrip(" \t\r\n.,;:)").rstrip()):
        at = text.index(words, begin)
        builder.games[0].comment(words, Span(at, at + len(words)))
    return left.put_back(builder.build(), source)
