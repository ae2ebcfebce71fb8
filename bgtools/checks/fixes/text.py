"""Edits of one stretch of text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.findings.finding import Fix
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.record.record import Entry, Match, Tag
    from bgtools.source import Source

_GAP: Final = re.compile(r"[^\S\r\n]{2,}(?=\S)")
"""The blanks before the next cell."""
PROOF: Final = 2
"""So many plays must fit after a play for it to be told from others."""


def match_text(match: Match) -> Source | None:
    """The source of match text, in whose words and rows edits are made; None where a record is written otherwise.

    Another text has other words, what stands for a binary record is not part of it, and in JSON entries do not know
    where they stand.
    """
    return match.source if match.source is not None and match.source.has_rows else None


def proven(fix: Fix | None) -> Fix | None:
    """A fix that may be applied unseen, because nothing else makes the rest of the record fit."""
    return None if fix is None else replace(fix, applicability="safe")


def edit(source: Source, span: Span, text: str) -> Fix:
    """``text`` in place of what is at ``span``; the blanks before the next cell take up the difference."""
    longer = len(text) - (span.end - span.start)
    line = source.lines[source.location(span.start).line - 1]
    gap = _GAP.search(source.text, span.end, line.end) if longer else None
    if gap is None:
        return Fix(span, text)
    blanks = " " * max(2, gap.end() - gap.start() - longer)
    return Fix(Span(span.start, gap.end()), text + source.text[span.end : gap.start()] + blanks)


def word(match: Match, entry: Entry, text: str) -> Fix | None:
    """Another word in place of a cube action's, in capitals or not as the one that stands there."""
    source = match_text(match)
    if source is None or entry.span.end <= entry.span.start:
        return None
    stands = source.text[slice(*entry.span)]
    found = re.match(r"[A-Za-z]+", stands)
    if found is None:
        return None
    like = text.upper() if found[0].isupper() else text.lower() if found[0].islower() else text
    return edit(source, Span(entry.span.start, entry.span.start + found.end()), like)


def instead(match: Match, entry: Entry, text: str, *gone: Entry) -> Fix | None:
    """Another text in place of the whole entry, and the cells of others left empty."""
    source = match_text(match)
    if source is None or entry.span.end <= entry.span.start:
        return None
    if not gone:
        return edit(source, entry.span, text)
    rest = blank(match, entry, *gone)
    if rest is None or rest.span.start != entry.span.start or rest.text[: len(text)].strip():
        return None
    return Fix(rest.span, text + rest.text[len(text) :])


def blank(match: Match, *entries: Entry) -> Fix | None:
    """The cells of entries left empty."""
    source = match_text(match)
    if source is None or any(entry.span.end <= entry.span.start for entry in entries):
        return None
    first, last = min(entry.span for entry in entries), max(entry.span for entry in entries)
    text = source.text[first.start : last.end]
    for start, end in (entry.span for entry in entries):
        text = text[: start - first.start] + " " * (end - start) + text[end - first.start :]
    line = source.lines[source.location(last.start).line - 1]
    if source.text[last.end : line.end].strip():
        return Fix(Span(first.start, last.end), text)
    return Fix(Span(first.start, line.end), text.rstrip(" "))


def number(match: Match, span: Span, stands: int, right: int) -> Fix | None:
    """A number inside a cell or result put right, where it is there once."""
    source = match_text(match)
    if source is None:
        return None
    places = [found.span() for found in re.finditer(r"\d+", source.text[slice(*span)]) if int(found[0]) == stands]
    if len(places) != 1:
        return None
    start, end = (span.start + at for at in places[0])
    return edit(source, Span(start, end), str(right))


def tag_of(match: Match, key: str) -> Tag | None:
    """The tag of the header with a key, in capitals or not."""
    return next((each for each in match.tags if each.key.casefold() == key.casefold()), None)


def tag(match: Match, key: str, value: str) -> Fix | None:
    """A tag of the header with another value, or in a line of its own above the length where there is none."""
    source, stands, at = match_text(match), tag_of(match, key), match.length_span
    if source is None:
        return None
    if stands is not None:
        start = source.text[slice(*stands.span)].rfind(stands.value) if stands.value else -1
        span = Span(stands.span.start + start, stands.span.start + start + len(stands.value))
        return None if start < 0 else Fix(span, value)
    line = source.lines[source.location(at.start).line - 1]
    if at.end <= at.start or not re.match(r"\s*\d+ point match", source.text[line.start : line.end]):
        return None
    end = "\r\n" if "\r\n" in source.text else "\n"
    return Fix(Span(line.start, line.start), f'; [{key} "{value}"]{end}')
