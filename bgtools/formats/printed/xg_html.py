"""Pages with positions, as eXtreme Gammon exports them: each position is told by an XGID somewhere in the page.

What else a page holds, its words and its analysis, is not read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats.carries import UNREAD
from bgtools.formats.content import FormatError
from bgtools.formats.limits import MOST_GAMES
from bgtools.formats.printed.position_text import PositionDraft, finish, roller_of
from bgtools.record import Tag
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.content import Content
    from bgtools.record import Match

XGID: Final = re.compile(r"XGID=(?P<id>[-A-Oa-o]{26}(?::-?\d{1,9}){9})(?!\d)")
"""An XGID: board, cube, owner, whose turn, dice, score, Crawford or Jacoby, length, highest cube."""


def read(content: Content) -> tuple[Match, ...]:
    """Read every position of a page, each as a match of its own.

    A page says an XGID several times where it has a picture, a caption and a link; in a row that is one position.

    Raises:
        FormatError: there is no XGID in it, or more than a file may hold.
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
        draft = PositionDraft(xgid=each[0], xgid_span=Span(*each.span()))
        draft.roller = roller_of(each["id"])
        last = found[number + 1].start() if number + 1 < len(found) else len(source.text)
        # The text from a position up to the next one belongs to it, and what stands before the first to the first.
        draft.marks = [Span(each.start() if number else 0, last)]
        page = Tag(key=f"{UNREAD}page", value="the words and the analysis of the page", span=draft.xgid_span)
        match = finish(draft, source, rest=False)
        yield replace(match, extras=(*match.extras, page))
