"""Reading pages with positions, as eXtreme Gammon exports them: only their XGIDs.

The words and the analyses of a page are not read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import FormatError
from bgtools.formats.limits import MOST_GAMES
from bgtools.formats.printed.position_text import PositionBuilder, roller_of
from bgtools.record.record import UNREAD
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.content import Content
    from bgtools.record.record import Match

XGID: Final = re.compile(r"XGID=(?P<id>[-A-Oa-o]{26}(?::-?\d{1,9}){9})(?!\d)")
"""An XGID: board, cube, owner, whose turn, dice, score, Crawford or Jacoby, length, highest cube."""


def read(content: Content) -> tuple[Match, ...]:
    """Read every position of a page, each as a match of its own.

    A page may repeat the XGID of a position in its picture, its caption and its link. The same XGID several times in a
    row is one position.

    Raises:
        FormatError: there is no XGID in it, or more of them than a file may hold.
    """
    source = content.source
    found: list[re.Match[str]] = []
    for each in XGID.finditer(source.text):
        if not found or each["id"] != found[-1]["id"]:
            found.append(each)
        if len(found) > MOST_GAMES:
            raise FormatError(f"this page holds more than {MOST_GAMES:,} positions")
    if not found:
        raise FormatError("this is a page without a position: no XGID is in it")
    return tuple(_positions(found, content))


def _positions(found: list[re.Match[str]], content: Content) -> Iterator[Match]:
    source = content.source
    for number, each in enumerate(found):
        builder = PositionBuilder(source=source, xgid=each[0], xgid_span=Span(*each.span()))
        builder.roller = roller_of(each["id"])
        last = found[number + 1].start() if number + 1 < len(found) else len(source.text)
        # The text up to the next position belongs to a position; the text before the first belongs to the first.
        builder.marks = [Span(each.start() if number else 0, last)]
        builder.extra(f"{UNREAD}page", "the words and the analysis of the page", builder.xgid_span)
        builder.add_position(rest=False)
        yield builder.build()
