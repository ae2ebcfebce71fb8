"""Matches written at the table: dice, and where the checkers end."""

from __future__ import annotations

import random
from functools import cache

import pytest

import bgtools
from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.content import Content
from bgtools.formats.mat.beginning import record_to_begin
from bgtools.formats.reading import read_source, recognise
from bgtools.record.record import CheckerPlay, Match
from end_points import COUNTS, LAYOUTS, Count, compare, hand, sound_matches, written
from support import CORPUS

ROWS = """Ann vs Bob, 3 points

1. 31: 5         43: 24 18
2. 62: 18 11     41: 9 5
"""


def _plays(match: Match) -> list[str]:
    return [str(each.text) for each in match.games[0].entries if isinstance(each, CheckerPlay)]


@pytest.mark.parametrize(
    "text",
    [
        "1) 31: 5    42: 4\n2) 61: 7    63: 21 7\n3) 21: 11 5    64: 2\n",
        "1) 13: 5 5    24: 4 4\n2) 16: 7 7    36: 7 21\n3) 12: 5 11    46: 2 2\n",
        "Ann: 31: 5\nBob: 42: 4\nAnn: 61: 7\nBob: 63: 21 7\nAnn: 21: 11 5\nBob: 64: 2\n",
        "1\t31 5\t42 4\n2\t61 7\t63 21 7\n3\t21 11 5\t64 2\n",
        " 5 point match\n\n Game 1\n Ann : 0    Bob : 0\n 1) 31: 5  42: 4\n 2) 61: 7  63: 21 7\n 3) 21: 11 5  64: 2\n",
    ],
)
def test_end_points_are_plays(text: str) -> None:
    assert recognise(Content(text.encode(), "x.txt")).name == "text"
    (match,) = read_source(text.encode(), "x.txt", "text")
    assert _plays(match) == ["8/5 6/5", "8/4 6/4", "13/7 8/7", "24/21 13/7", "13/11 6/5", "8/2 6/2"]
    entry = match.games[0].entries[3]
    assert match.source is not None
    assert "21" in match.source.text[slice(*entry.span)]


def test_an_illegal_play_is_an_error_like_everywhere() -> None:
    text = "Ann vs Bob, 3 points\n\n1) 31: 5    43: 20 10\n2) 62: 18 11    41: 9 5\n"
    (match,) = read_source(text.encode(), "x.txt", "text")
    assert _plays(match)[:2] == ["8/5 6/5", "24/20 13/10"]
    assert [each for each in bgtools.check(match) if each.severity is Severity.ERROR]


def test_what_stays_open_is_told_at_its_token_with_the_candidates() -> None:
    text = "1. 61: 7         52: 11 22\n2. 21: 5 11       64: 14 9\n3. 33: 5 3        11: 6\n"
    (match,) = read_source(text.encode(), "x.txt", "text")
    told = {text[slice(*each.span)]: each.message for each in match.findings if each.code is codes.UNKNOWN_PLAY}
    assert "33: 5 3" in told
    assert "leaves it open" in told["33: 5 3"]
    assert " or " in told["33: 5 3"]


def test_where_no_play_ends_is_an_error() -> None:
    text = "1. 31: 5         42: 4\n2. 61: 7         31: 5\n3. 65: 3         62: 5\n"
    (match,) = read_source(text.encode(), "x.txt", "text")
    told = [text[slice(*each.span)] for each in match.findings if each.code is codes.UNREADABLE_CELL]
    assert "65: 3" in told


@cache
def _totals(counts: str, layout: str, slips: float = 0.0) -> Count:
    rng = random.Random(counts + layout)
    total = Count(0, 0, 0, 0, 0)
    for match in sound_matches(rng, 2):
        how = hand(rng)._replace(counts=counts, layout=layout)
        total = Count(*map(sum, zip(total, compare(match, written(match, how, rng, slips).text), strict=True)))
    return total


@pytest.mark.needs(CORPUS.is_dir(), "the corpus")
@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_matches_of_the_corpus_come_back(counts: str, layout: str) -> None:
    total = _totals(counts, layout)
    assert total.of_turns > 20
    assert not total.silent
    # Without counts, doubles stay open more often; then the finding says so.
    assert total.turns >= (0.95 if counts in ("again", "in brackets") else 0.8) * total.of_turns


@pytest.mark.needs(CORPUS.is_dir(), "the corpus")
@pytest.mark.needs(CORPUS.is_dir(), "the corpus")
@pytest.mark.parametrize("danced", ["no move", "cannot move", "fan", "-"])
def test_a_dance_may_be_written_in_words(danced: str) -> None:
    rng = random.Random(danced)
    for match in sound_matches(rng, 1):
        how = hand(rng)._replace(counts="again", layout="rows", dances=True, mixes=False)
        bare, words = (written(match, each, rng).text for each in (how, how._replace(danced=danced)))
        assert f": {danced}" in words
        assert compare(match, words) == compare(match, bare)


def test_slips_are_found_by_what_follows() -> None:
    total = _totals("again", "rows", 0.01)
    assert total.turns >= 0.8 * total.of_turns


def test_a_record_to_begin_in_shorthand() -> None:
    head = record_to_begin(("Ann", "Bob"), 5, by_hand=True)
    assert {each.code for each in bgtools.check(read_source(head.encode(), "x.mat")[0])} == {codes.UNFINISHED_GAME}
    text = f"{head}31: 5     42: 4\n  2) 61: 7     63: 21 7\n  3) 21: 11 5  64: 2\n"
    (match,) = read_source(text.encode(), "x.txt")
    assert (match.players, match.length) == (("Ann", "Bob"), 5)
    assert _plays(match)[:3] == ["8/5 6/5", "8/4 6/4", "13/7 8/7"]
    assert not [each for each in bgtools.check(match) if each.code is codes.UNREADABLE_LINE]
