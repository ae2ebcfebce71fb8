"""Where the rolls of a side lead."""

from __future__ import annotations

from random import Random

import pytest

from bgtools.bearoff.kernel import packed
from bgtools.bearoff.one_sided import ROLLS
from bgtools.bearoff.two_sided import SidePositions, reachable
from bgtools.board.board import BAR, OFF, Board
from bgtools.board.generation import legal_plays


def side_of(random: Random, most: int, checkers: int) -> tuple[int, ...]:
    """A side with so many checkers up to a point."""
    counts = [0] * (BAR + 1)
    for _ in range(checkers):
        counts[random.randint(1, most)] += 1
    counts[OFF] = 15 - checkers
    return tuple(counts)


@pytest.mark.parametrize(("most", "checkers"), [(6, 5), (6, 2), (3, 8), (12, 3), (24, 2), (24, 1)])
def test_where_rolls_lead_is_what_legal_plays_give(most: int, checkers: int) -> None:
    random = Random(most)
    side = reachable(packed(side_of(random, most, checkers)))
    assert side is not None
    ways = ways_of(side)
    for position in random.sample(sorted(side.numbers), min(len(side.numbers), 12)):
        counts = [position >> 4 * (point - 1) & 15 for point in range(1, BAR)]
        board = Board((15 - sum(counts), *counts, 0), (15, *[0] * BAR))
        for at, roll in enumerate(ROLLS):
            played = {packed(play.result.mine) for play in legal_plays(board, roll)} if position else {0}
            assert ways[side.numbers[position] * len(ROLLS) + at] == {side.numbers[each] for each in played}


def test_positions_stand_so_that_every_roll_leads_to_an_earlier_one() -> None:
    side = reachable(packed(side_of(Random(1), 9, 4)))
    assert side is not None
    for at, found in enumerate(ways_of(side)[len(ROLLS) :], len(ROLLS)):
        assert max(found) < at // len(ROLLS)
    groups = [each for each, _ in side.in_groups]
    assert [at for each in groups for at in range(each.start, each.stop)] == [*range(1, len(side.numbers))]


def test_what_is_too_large_has_no_table() -> None:
    assert reachable(packed(side_of(Random(1), 6, 15))) is None
    assert reachable(packed(side_of(Random(2), 24, 8))) is None


def ways_of(side: SidePositions) -> list[set[int]]:
    """Where each roll of each position leads."""
    slots, order = side.at_once
    found: list[set[int]] = [set() for _ in slots[0]]
    for slot in slots:
        for roll, way in enumerate(slot.tolist()):
            found[roll].add(way)
    by_roll = found if order is None else [found[place] for place in order.tolist()]
    size = len(side.numbers)
    return [by_roll[roll * size + position] for position in range(size) for roll in range(len(ROLLS))]
