"""Ratings over many matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.pooling import parts_of, pooled
from fixed_engine import FixedEngine
from selfplay import random_match

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis


def _analysed(seed: int, length: int = 5, gap: float = 0.15) -> Analysis:
    return analyse(random_match(seed, length), FixedEngine(0.3, 0.3 + gap, play=0.1))


def _parts(*analyses: Analysis) -> list:  # type: ignore[type-arg]
    return [part for analysis in analyses for part in parts_of(analysis)]


def test_one_match_pooled_is_that_match() -> None:
    analysis = _analysed(3)
    by_name = {player.name: player for player in pooled(_parts(analysis))}
    for total in analysis.players:
        assert total.ratings is not None
        assert total.luck is not None
        player = by_name[total.name]
        assert player.matches == 1
        assert player.rolls == total.luck.rolls
        assert player.luck == pytest.approx(total.luck.per_roll)
        for name, rating in player.ratings.items():
            own = total.ratings[name]
            assert rating.value == pytest.approx(own.value)
            assert rating.low == (None if own.low is None else pytest.approx(own.low))
            assert rating.high == (None if own.high is None else pytest.approx(own.high))


@pytest.mark.thorough
def test_a_long_match_counts_for_more_than_a_short_one() -> None:
    long, short = _analysed(3, 9, 0.1), _analysed(4, 1, 0.4)
    first = long.players[0].name
    ratings = [next(t for t in each.players if t.name == first).ratings for each in (long, short)]
    both = next(player for player in pooled(_parts(long, short)) if player.name == first)
    assert both.matches == 2
    for name, rating in both.ratings.items():
        parts = [each[name] for each in ratings if each is not None and each[name].value is not None]
        total = sum((part.value or 0.0) * part.divided_by for part in parts)
        assert rating.value == pytest.approx(total / sum(part.divided_by for part in parts))


@pytest.mark.thorough
def test_more_matches_make_a_rating_surer() -> None:
    many = [_analysed(seed) for seed in range(8)]
    (one, *_), (all_, *_) = pooled(_parts(many[0])), pooled(_parts(*many))
    alone, together = one.ratings["snowie_er"], all_.ratings["snowie_er"]
    assert alone.low is not None
    assert alone.high is not None
    assert together.low is not None
    assert together.high is not None
    assert together.high - together.low < (alone.high - alone.low) / 2


def test_without_an_engine_there_is_nothing_to_pool() -> None:
    assert parts_of(analyse(random_match(3, 5))) == []
    assert pooled([]) == []
