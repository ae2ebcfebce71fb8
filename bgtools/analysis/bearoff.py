"""The one-sided bear-off table: how many rolls a home board takes on average, 15 checkers on 6 points.

Nothing is shipped or kept on disk: the table of 54,264 positions is computed when it is first asked for, in a
twentieth of a second.

Positions are numbered in the order of their counts, the 1-point first. Where l(i) checkers are neither on the i-point
nor below it, the sum of C(l(i) + 6 - i, 7 - i), i from 1 to 6, is the number of positions that follow. So a hop changes
the number by a sum of binomial coefficients, and no position need be looked for.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, pairwise
from math import comb
from typing import TYPE_CHECKING, Final

from bgtools.board import OFF

if TYPE_CHECKING:
    from typing import Any

    from bgtools.board import Checkers

CHECKERS: Final = 15
POINTS: Final = 6
PIPS_A_ROLL: Final = 49 / 6
"""Pips of a mean roll: 7, and a sixth of 7 more for doubles."""


def mean_rolls(side: Checkers) -> float | None:
    """Rolls that a side needs on average to bear off all its checkers, when it plays for the fewest.

    Args:
        side: its checkers; the other side must be out of the way.

    Returns:
        0 with nothing left, up to 12.27; None with a checker outside the home board, or with more than 15 checkers.
    """
    home = side[1 : POINTS + 1]
    if any(side[POINTS + 1 :]) or sum(home) > CHECKERS:
        return None
    means = _table()
    after = sum(comb(CHECKERS - placed + POINTS - i, POINTS + 1 - i) for i, placed in enumerate(accumulate(home), 1))
    return float(means[-1 - after])


def effective_pips(side: Checkers) -> float | None:
    """The effective pip count: mean rolls to bear off times the 49/6 pips of a mean roll.

    Source: Walter Trice, "Effective Pip Count", Flint Area BackgammoNews, November 2000. What it has more than the pip
    count is the wastage of the position.

    Args:
        side: its checkers; the other side must be out of the way.

    Returns:
        Pips; None where the table does not serve, see `mean_rolls`.
    """
    rolls = mean_rolls(side)
    return None if rolls is None else rolls * PIPS_A_ROLL


def is_home(side: Checkers) -> bool:
    """Whether a side bears off or could: everything in its home board or off, and something left to bear off."""
    return not any(side[POINTS + 1 :]) and any(side[OFF + 1 : POINTS + 1])


@cache
def _table() -> Any:
    """The mean rolls of all positions, by their numbers.

    Every hop lowers the pip count, so the table is filled in the order of pip counts. In a home board every number of
    a roll can be played, in either order.
    """
    import numpy as np

    boards = _boards(np)
    pips = boards @ np.arange(1, POINTS + 1)
    by_pips = np.argsort(pips, kind="stable")
    following = _hops(np, boards, by_pips)
    # The least mean that is left after no hop and after one of each die, and after two and three of the same. The last
    # entry stands for a hop that cannot be. Once all checkers are off, the rest of the roll is not played.
    means = np.full(len(boards) + 1, np.inf)
    once = np.full((len(boards) + 1, 6), np.inf)
    twice, thrice = np.full((2, 6, len(boards) + 1), np.inf)
    means[0] = once[0] = twice[:, 0] = thrice[:, 0] = 0.0
    starts = np.searchsorted(pips[by_pips], np.arange(pips.max() + 2))
    for start, end in pairwise(starts[1:]):
        total = np.zeros(end - start)
        pairs: list[Any] = []  # the least mean after a hop of one die and one of each
        for die, table in enumerate(following):
            way = table[:, start:end]
            once[start:end, die] = means.take(way).min(0)
            pairs.append(once.take(way, 0).min(0).T)
            twice[die, start:end] = pairs[die][die]
            thrice[die, start:end] = twice[die].take(way).min(0)
            total += thrice[die].take(way).min(0)
            for other in range(die):
                total += 2 * np.minimum(pairs[die][other], pairs[other][die])
        means[start:end] = 1 + total / 36
    numbered = np.empty(len(boards))
    numbered[by_pips] = means[:-1]
    return numbered


def _boards(np: Any) -> Any:
    """Every way to have up to 15 checkers on 6 points, a row of counts each, in the order of their numbers."""
    boards = np.zeros((1, 0), dtype=np.int64)
    for _ in range(POINTS):
        choices = CHECKERS - boards.sum(1) + 1
        rows = np.repeat(np.arange(len(boards)), choices)
        counts = np.arange(choices.sum()) - np.repeat(np.cumsum(choices) - choices, choices)
        boards = np.column_stack([boards[rows], counts])
    return boards


def _hops(np: Any, boards: Any, by_pips: Any) -> list[Any]:
    """For each die, and each point it can be played from, where every position leads; nowhere is behind the last one.

    Positions stand in the order ``by_pips``. A checker bears off from the die's own point, and from a lower one when it
    is the highest (R12): that stands with the die's own point.
    """
    place = np.empty_like(by_pips)
    place[by_pips] = np.arange(len(boards))
    boards = boards[by_pips]
    left = CHECKERS - boards.cumsum(1)
    highest = np.where(boards > 0, np.arange(1, POINTS + 1), 0).max(1)
    # By how much the number grows with one checker more up to a point, and shrinks with one less.
    more = [_chosen(np, left[:, i - 1], 5 - i, 6 - i) for i in range(1, POINTS)]
    less = [_chosen(np, left[:, i - 1], 6 - i, 6 - i) for i in range(1, POINTS + 1)]
    nowhere = np.full(len(boards), len(boards))
    following, lower = [], nowhere
    for die in range(1, POINTS + 1):
        off = place.take(by_pips - sum(less[die - 1 :]), mode="clip")
        rows = [np.where(boards[:, die - 1] > 0, off, lower)]
        lower = np.where(highest == die, off, lower)
        for point in range(die + 1, POINTS + 1):
            landed = place.take(by_pips + sum(more[point - die - 1 : point - 1]), mode="clip")
            rows.append(np.where(boards[:, point - 1] > 0, landed, nowhere))
        following.append(np.array(rows))
    return following


def _chosen(np: Any, counts: Any, extra: int, of: int) -> Any:
    """C(n + extra, of) for every count n."""
    return np.array([comb(n + extra, of) for n in range(CHECKERS + 1)]).take(counts)
