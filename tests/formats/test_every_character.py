"""Nothing in a text is skipped in silence: every character belongs to something that the record keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import test_bgammon
import test_gam
import test_oldmoves
import test_party_bgroom
import test_sgg
import test_snowie
import test_tmg

import printed_texts
from bgtools.formats.reading import read_source

if TYPE_CHECKING:
    from bgtools.record.record import Match
    from bgtools.source import Span

TEXTS = {
    "bgammon": test_bgammon.TEXT,
    "fibs": printed_texts.SESSION,
    "gam": test_gam.TEXT,
    "oldmoves": test_oldmoves.TEXT,
    "party": test_party_bgroom.PARTY,
    "bgroom": test_party_bgroom.BGROOM,
    "sgg": test_sgg.TEXT,
    "snowie": test_snowie.LINE,
    "tmg": test_tmg.TEXT,
}


def spans(match: Match) -> list[Span]:
    found = [match.length_span, *match.marks]
    for kept in (match.tags, match.comments, match.findings):
        found += [each.span for each in kept]
    for game in match.games:
        found += [game.heading, game.score_span, *game.marks]
        for inside in (game.entries, game.results, game.comments):
            found += [each.span for each in inside]
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_every_character_belongs_to_something(name: str) -> None:
    text = TEXTS[name].replace("8", "8 §", 1)
    covered = [False] * len(text)
    for match in read_source(text.encode(), "x", name):
        for start, end in spans(match):
            covered[start:end] = [True] * (end - start)
    missed = [char for char, is_kept in zip(text, covered, strict=True) if not is_kept and not char.isspace()]
    assert missed == []
