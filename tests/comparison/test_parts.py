"""Parts of one match are one match: they share whole games, or one goes on where the other ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.comparison.grouping import Recorded, group
from bgtools.comparison.merging import merge
from bgtools.comparison.parts import Extent
from bgtools.record.record import Match, Tag
from selfplay import random_match
from support import some_or_all


def _whole(seed: int) -> Match:
    """A match of four games or more."""
    return next(match for at in range(50) if len((match := random_match(seed * 100 + at, 7)).games) >= 4)


def _part(match: Match, first: int, last: int) -> Match:
    return replace(match, games=match.games[first:last])


def _groups(*matches: Match) -> list[list[int]]:
    found = group(Recorded.of(each, "", number) for number, each in enumerate(matches))
    return sorted(sorted(each.number for each in some) for some in found)


@some_or_all(4)
def test_parts_that_overlap_by_whole_games_or_by_none_are_joined_and_merged(step: int) -> None:
    joined, trials = 0, range(0, 16, step)
    for seed in trials:
        match = _whole(seed)
        cut = 1 + seed % (len(match.games) - 2)
        for overlap in (0, 1):
            one, two = _part(match, 0, cut + overlap), _part(match, cut, len(match.games))
            for pair in ((one, two), (two, one)):
                assert _groups(*pair) == [[0, 1]], (seed, cut, overlap)
                found = merge(pair).match
                assert [game.number for game in found.games] == [game.number for game in match.games]
                assert [len(game.entries) for game in found.games] == [len(game.entries) for game in match.games]
                joined += 1
    assert joined == 4 * len(trials)


def test_three_parts_are_joined_in_any_order() -> None:
    match = _whole(3)
    parts = [_part(match, 0, 2), _part(match, 2, 3), _part(match, 3, len(match.games))]
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        assert _groups(*(parts[at] for at in order)) == [[0, 1, 2]]


def test_columns_of_a_part_may_be_exchanged() -> None:
    match = _whole(5)
    one, two = _part(match, 0, 2), _part(match, 2, len(match.games))
    turned = replace(two, players=two.players[::-1], games=tuple(
        replace(game, score=game.score and game.score[::-1]) for game in two.games
    ))  # fmt: skip
    assert _groups(one, turned) == [[0, 1]]


@pytest.mark.parametrize(
    "changes",
    [
        {"players": ("Ann", "Carl")},
        {"players": ("", "")},
        {"length": 9},
        {"tags": (Tag(key="Event", value="Another event"),)},
        {"tags": (Tag(key="EventDate", value="2001.01.01"),)},
    ],
)
def test_what_speaks_against_one_match_keeps_parts_apart(changes: dict[str, object]) -> None:
    match = replace(_whole(7), tags=(Tag(key="Event", value="Open"), Tag(key="EventDate", value="2000.01.01")))
    one, two = _part(match, 0, 2), _part(match, 2, len(match.games))
    assert _groups(one, two) == [[0, 1]]
    assert _groups(one, replace(two, **changes)) == [[0], [1]]  # type: ignore[arg-type]


def test_a_part_that_goes_on_from_two_records_is_of_neither() -> None:
    match = _whole(9)
    one, two = _part(match, 0, 1), _part(match, 1, len(match.games))
    other = next(
        found
        for seed in range(3000, 9000)
        if (found := _part(random_match(seed, 7), 0, 1)).games[0].entries != one.games[0].entries
        and Extent.of(replace(found, tags=match.tags)).end == Extent.of(one).end
    )
    other = replace(other, tags=match.tags)
    assert _groups(one, two) == _groups(other, two) == [[0, 1]]
    assert _groups(one, other, two) == [[0], [1], [2]]


def test_a_gap_or_another_score_keeps_parts_apart() -> None:
    match = _whole(11)
    assert _groups(_part(match, 0, 1), _part(match, 2, len(match.games))) == [[0], [1]]
    two = _part(match, 2, len(match.games))
    first = replace(two.games[0], score=(1, 6))
    assert _groups(_part(match, 0, 2), replace(two, games=(first, *two.games[1:]))) == [[0], [1]]
