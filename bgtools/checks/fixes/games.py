"""Edits of whole games."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bgtools.checks.fixes.text import match_text
from bgtools.findings.finding import Fix
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.record.record import Match


def _stretches(match: Match) -> list[Span] | None:
    """The text of each game, from its heading on, up to that of the next one, or None."""
    source = match_text(match)
    if source is None or any(game.heading.end <= game.heading.start for game in match.games):
        return None
    starts = [source.lines[source.location(game.heading.start).line - 1].start for game in match.games]
    last = match.games[-1]
    ends = [each.span.end for each in (*last.entries, *last.results)] or [last.score_span.end]
    spans = [*map(Span, starts, starts[1:]), Span(starts[-1], max(ends))]
    return spans if all(span.start < span.end for span in spans) else None


def without_game(match: Match, index: int) -> Fix | None:
    """A record without one of its games, those after it numbered as before."""
    spans, source = _stretches(match), match_text(match)
    if source is None or spans is None or not index:
        return None
    numbers = [game.number for game in match.games]
    text, end = "", spans[index].end
    if numbers[index] != numbers[index - 1]:
        for span, game, number in zip(spans[index + 1 :], match.games[index + 1 :], numbers[index:], strict=False):
            written = source.text[slice(*span)]
            text += re.sub(r"\d+", str(number), written, count=1) if game.number is not None else written
            end = span.end
    before = source.text[spans[index - 1].start : spans[index].start]
    start = spans[index].start if text or end < spans[-1].end else spans[index - 1].start + len(before.rstrip())
    return Fix(Span(start, end), text)


def exchanged_games(match: Match, index: int) -> Fix | None:
    """A game and the one before it in each other's place."""
    spans, source = _stretches(match), match_text(match)
    if source is None or spans is None:
        return None
    one, two = (source.text[slice(*span)] for span in spans[index - 1 : index + 1])
    first, second = (game.number for game in match.games[index - 1 : index + 1])
    if first is not None and second is not None and first < second:  # the numbers are in order, the games are not
        one, two = re.sub(r"\d+", str(second), one, count=1), re.sub(r"\d+", str(first), two, count=1)
    between = one[len(one.rstrip()) :]
    return Fix(
        Span(spans[index - 1].start, spans[index].end), two.rstrip() + between + one.rstrip() + two[len(two.rstrip()) :]
    )
