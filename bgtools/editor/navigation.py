"""The places that explain another one: where an editor goes when it is asked for a definition."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bgtools.record.record import NOWHERE, Beaver, Double, Drop, Take

if TYPE_CHECKING:
    from bgtools.editor.document import Here, Judged
    from bgtools.source import Span


def causes(judged: Judged, offset: int) -> tuple[Span, ...]:
    """The places that explain a place.

    What follows from a slip leads to that slip; a slip to what its finding names as proof; the answer to a double or a
    beaver to that; a score line to the result of the game before it.
    """
    if not judged.is_text:
        return ()
    found = [
        finding.span
        for some in judged.findings
        for finding in some
        if any(_holds(related.span, offset) for related in finding.related)
    ]
    found += [
        related.span
        for some in judged.findings
        for finding in some
        if _holds(finding.span, offset)
        for related in finding.related
    ]
    here = judged.at(offset)
    if here is not None and isinstance(here.turn.entry, Take | Drop | Beaver):
        found += _offer(here)
    found += _result(judged, offset)
    return tuple(dict.fromkeys(span for span in found if span != NOWHERE))


def _holds(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end and span != NOWHERE


def _offer(here: Here) -> list[Span]:
    """The double, or the beaver, that an entry answers."""
    before = [turn.entry for turn in here.game.turns if turn.index < here.turn.index]
    return [each.span for each in before[-1:] if isinstance(each, Double | Beaver)]


def _result(judged: Judged, offset: int) -> list[Span]:
    """The result of the game before the score line at an offset; that game's last entry where it states no result."""
    for games in judged.replays:
        for before, game in pairwise(games):
            if _holds(game.game.score_span, offset):
                claimed = [claim.span for claim in before.game.results]
                return claimed or [entry.span for entry in before.game.entries[-1:]]
    return []
