"""Words that every text about a record needs."""

from __future__ import annotations

import pytest

import bgtools
from bgtools.findings.finding import clipped, with_article


@pytest.mark.parametrize(
    ("number", "said"),
    [
        *((number, f"a {number}") for number in (1, 3, 5, 7, 9, 10, 12, 13, 15, 17, 19, 21, 25, 48, 79, 90, 110, 180)),
        *((number, f"an {number}") for number in (8, 11, 18, 80, 85, 89, 800, 811, 8000, 11000, 18500, 80000)),
        *((number, f"a {number}") for number in (111, 1100, 1800, 10000, 110000)),
    ],
)
def test_a_number_has_the_article_that_is_heard(number: int, said: str) -> None:
    assert with_article(number) == said


def test_the_article_of_a_match_is_right_in_texts_and_pictures() -> None:
    for length, article in ((7, "a"), (8, "an"), (11, "an"), (15, "a"), (18, "an")):
        position = bgtools.Position.from_id(f"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:{length}:10")
        assert f"0-0 in {article} {length}-point match" in str(position)
        assert f"0-0 in {article} {length}-point match" in position.draw()


def test_a_text_is_cut_only_where_it_is_longer_than_it_may_be() -> None:
    assert clipped("abc", 3) == "abc"
    assert clipped("abcd", 3) == "ab…"
    assert clipped("a\tb\x07", 9) == "a b\N{REPLACEMENT CHARACTER}"
