"""Reading matches in texts that people wrote: mails, pages, books, letters, posts in forums.

What mails and pages put around the text is taken off (`bgtools.formats.text.undressing`). Rows of other kinds than
those of match text are translated (`bgtools.formats.text.translation`). The rest is read as match text is, and every
finding, play and remark points at the place in the file that it came from.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from bgtools.findings.finding import Finding
from bgtools.formats.content import FormatError
from bgtools.formats.mat import ends_alone
from bgtools.formats.mat.alike import in_ascii
from bgtools.formats.mat.reader import MatReader
from bgtools.formats.shared.respelling import respelled
from bgtools.formats.text import shows_rows
from bgtools.formats.text.columns import arrange
from bgtools.formats.text.end_points import EndPoints
from bgtools.formats.text.positions import read_positions
from bgtools.formats.text.rows import find_hops
from bgtools.formats.text.translation import Translation, kind_of_rows
from bgtools.formats.text.undressing import LINE, is_page, undressed
from bgtools.record.record import CheckerPlay, Comment, places_of
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from bgtools.formats.content import Content
    from bgtools.record.record import Match


def read(content: Content) -> tuple[Match, ...]:
    """Read every match in a text; or where it has no rows, every position of which it holds an ID.

    Raises:
        FormatError: no line of it is a row of a game, and no ID is in it.
    """
    source = content.source
    if not shows_rows(content):
        return read_positions(source)
    left, prose, doubts = undressed(source.text), frozenset[int](), tuple[Finding, ...]()
    if ends_alone(left.text):
        ends = EndPoints(left.text)
        made = ends.run()
        doubts = tuple(Finding(code, left.origin_of(span), why) for code, span, why in ends.doubts)
        left.add(made)
    kind = kind_of_rows(left.text)
    if arrange(left, has_rows=kind == "own"):
        kind = kind_of_rows(left.text)
    if kind not in ("own", "none"):
        translation = Translation(left.text, kind)
        made = translation.run()
        doubts += tuple(Finding(code, left.origin_of(span), why) for code, span, why in translation.doubts)
        left.add(made)
        prose = frozenset(translation.prose)
    matches = _TextReader(Source(source.name, left.text), prose).matches()
    if not any(game.entries or game.results or game.score for match in matches for game in match.games):
        raise FormatError("no line of this text is a row of a game, such as 1) 31: 8/5 6/5")
    source = replace(source, respelled=_respelled)
    first, *others = [_with_hops(left.put_back(match, source), source.text) for match in matches]
    first = replace(first, findings=(*first.findings, *doubts))
    return (first, *others) if is_page(source.text) else (_with_rest((first, *others), source.text), *others)


def _with_rest(matches: tuple[Match, ...], text: str) -> Match:
    """The first match with all of the file that belongs to nothing: layout beside what was read, or a remark."""
    covered = bytearray(len(text))
    for match in matches:
        for start, end in places_of(match):
            covered[start:end] = b"\1" * (end - start)
    marks: list[Span] = []
    remarks: list[Comment] = []
    for line in LINE.finditer(text):
        start, end = line.span(1)
        rest = [Span(start + found.start(), start + found.end()) for found in re.finditer(r"\S+", line[1])]
        rest = [span for span in rest if not all(covered[slice(*span)])]
        if any(covered[start:end]) or not any(map(str.isalnum, line[1])) or _LAYOUT.search(line[1]):
            marks += rest
        elif rest:
            remarks.append(Comment(text=line[1].strip(), span=Span(rest[0].start, rest[-1].end)))
    first = matches[0]
    return replace(first, marks=(*first.marks, *marks), comments=(*first.comments, *remarks))


_LAYOUT: Final = re.compile(r"[|\t;]|^\s*(?:\[/?\w+[^\]]*\]|[`~]{3})")
"""What parts the fields of a table, and tags and fences alone on a line."""


def _respelled(source: Source, stands: Any, entry: Any) -> tuple[Span, str] | None:
    """The edit that writes a play in place of another one: of single hops, or where that is not enough, of all."""
    edit = respelled(source, stands, entry)
    if edit is not None or not isinstance(stands, CheckerPlay) or not isinstance(entry, CheckerPlay):
        return edit
    old, new = stands.text.hops, entry.text.hops
    is_placed = all(one.end < two.start + 1 for one, two in pairwise(old)) and any(hop.start for hop in old)
    if (
        not is_placed
        or not new
        or stands.player != entry.player
        or sorted(stands.dice or ()) != sorted(entry.dice or ())
    ):
        return None
    span = Span(stands.text_at + old[0].start, stands.text_at + old[-1].end)
    stretch, text = source.text[slice(*span)], str(entry.text)
    if "/" not in stretch:
        text = text.replace("/", "-")
    return span, text.replace(" ", ", ") if "," in stretch else text


def _with_hops(match: Match, text: str) -> Match:
    """A match whose plays know where each of their hops stands in the file."""
    games = [
        replace(
            game,
            entries=tuple([_find_hops(each, text) if isinstance(each, CheckerPlay) else each for each in game.entries]),
        )
        for game in match.games
    ]
    return replace(match, games=tuple(games))


def _find_hops(entry: CheckerPlay, text: str) -> CheckerPlay:
    start, end = entry.span
    hops = entry.text.hops
    found = find_hops(in_ascii(text[start:end]))
    if len(found) != len(hops):
        found = [(0, end - start)] * len(hops)
    placed = [replace(hop, start=one, end=two) for hop, (one, two) in zip(hops, found, strict=True)]
    return replace(entry, text_at=start, text=replace(entry.text, hops=tuple(placed)))


class _TextReader(MatReader):
    """Reads match text in which some lines are known to be prose.

    Args:
        source: the match text.
        prose: where these lines begin.
    """

    def __init__(self, source: Source, prose: frozenset[int]) -> None:
        super().__init__(source)
        self.prose = prose
        self._starts = sorted(prose)

    def _end_of_rows(self, at: int) -> int:
        following = bisect_left(self._starts, at)
        return self._starts[following] if following < len(self._starts) else len(self.source.text)

    def _line(self, line: str, offset: int) -> None:
        if offset in self.prose:
            self._prose(self.written(line, offset))
        else:
            super()._line(line, offset)
