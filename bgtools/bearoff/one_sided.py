"""The one-sided bear-off table: how many rolls a home board takes on average, 15 checkers on 6 points.

Nothing is shipped: the table of 54,264 positions is computed when it is first asked for, in a tenth of a second. The
course of the bear-off from each of them (`BearoffCourse`) takes a fifth of a second. Both are kept in the folder of the
cache.

Positions are numbered in the order of their counts, the 1-point first. Where l(i) checkers are neither on the i-point
nor below it, the sum of C(l(i) + 6 - i, 7 - i), i from 1 to 6, is the number of positions that follow; with p points in
the place of 6, that of C(l(i) + p - i, p + 1 - i). So a hop changes the number by a sum of binomial coefficients, and
no position need be looked for.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.bearoff.disk_cache import cached_arrays
from bgtools.board.board import OFF

if TYPE_CHECKING:
    from bgtools.bearoff.kernel import Kernel
    from bgtools.board.board import Checkers

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
    number = number_of(side)
    return None if number is None else _kernel().mean_rolls(number)


def effective_pips(side: Checkers) -> float | None:
    """The effective pip count: mean rolls to bear off times the 49/6 pips of a mean roll.

    Source: Walter Trice, "Effective Pip Count", Flint Area BackgammoNews, November 2000. The effective pip count less
    the pip count is the wastage of the position.

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


def number_of(side: Checkers) -> int | None:
    """The number of a position in the tables, 0 for nothing left; None where they do not hold it."""
    home = side[1 : POINTS + 1]
    if any(side[POINTS + 1 :]) or sum(home) > CHECKERS:
        return None
    after = sum(comb(CHECKERS - placed + POINTS - i, POINTS + 1 - i) for i, placed in enumerate(accumulate(home), 1))
    return _SIZE - 1 - after


def numbers_of(counts: Any) -> Any:
    """The numbers of positions by their counts ``[n, points]``, the 1-point first, as `course_of` numbers them."""
    import numpy as np

    points = counts.shape[1]
    after = _following(points)[np.arange(points), CHECKERS - counts.cumsum(1)].sum(1)
    return comb(CHECKERS + points, points) - 1 - after


@cache
def _following(points: int) -> Any:
    """C(l + p - i, p + 1 - i), of which a position's number is made: a row for each of p points, a column for l."""
    import numpy as np

    rows = range(1, points + 1)
    return np.array([[comb(left + points - i, points + 1 - i) for left in range(CHECKERS + 1)] for i in rows])


class _PositionOrder(NamedTuple):
    """All positions in the order of their pip counts.

    Attributes:
        boards: the counts of each position, a row each, in the order of their numbers.
        by_pips: these numbers in the order of pip counts.
        rank: the place of each position in ``by_pips``, by its number.
        starts: the place in ``by_pips`` where each pip count begins.
    """

    boards: Any
    by_pips: Any
    rank: Any
    starts: Any


class _RollsTable(NamedTuple):
    """The mean rolls of all positions, and where their hops lead. Positions stand by pip count.

    Attributes:
        means: by position; the last value, infinite, stands for a hop that cannot be.
        following: see `_hops`.
    """

    means: Any
    following: list[Any]


class BearoffCourse(NamedTuple):
    """How a side bears off that plays for the fewest rolls on average.

    Attributes:
        plays: ``plays[number, roll]`` is the position after the best play of a roll, in the order of `ROLLS`.
        chances: ``chances[number, n]`` is the chance (0 to 1) that it takes n rolls.
    """

    plays: Any
    chances: Any


ROLLS: Final = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls."""
CHANCES: Final = tuple((1 if high == low else 2) / 36 for high, low in ROLLS)
"""The chance of each of `ROLLS`."""
MOST_ROLLS: Final = 32
"""No bear-off is followed for so many rolls: fifteen checkers on the 6-point take longer once in 10^7 games."""


@cache
def _kernel() -> Kernel:
    from bgtools.bearoff.kernel import new_kernel

    return new_kernel()


@cache
def means() -> Any:
    """The mean rolls of every position, computed in a tenth of a second or read."""
    layout = {"means": ((_SIZE,), "<f8")}
    return cached_arrays(f"bear-off-means-{_LAYOUT}", layout, lambda: {"means": _table().means[_order().rank]})["means"]


@cache
def course() -> BearoffCourse:
    """The course of every position, computed in a fifth of a second or read in a twentieth of that."""
    layout = {"plays": ((_SIZE, len(ROLLS)), "<u2"), "chances": ((_SIZE, MOST_ROLLS), "<f4")}
    return BearoffCourse(**cached_arrays(f"bear-off-{_LAYOUT}", layout, lambda: course_of(POINTS)._asdict()))


_SIZE: Final = comb(CHECKERS + POINTS, POINTS)
"""Positions of a home board."""
_LAYOUT: Final = 2
"""Goes up when the kept arrays change their meaning."""


def course_of(points: int) -> BearoffCourse:
    """The course of every position of checkers on the first so many points, six at least, recomputed.

    Ten points, 3,268,760 positions, take a minute and six gigabytes.
    """
    import numpy as np

    table = _table(points)
    means, size = table.means, len(table.means) - 1
    hops = [np.concatenate([ways, np.full((len(ways), 1), size)], axis=1).astype(np.int32) for ways in table.following]
    for ways in hops:
        ways[0, 0] = 0  # once all checkers are off, the rest of the roll is not played

    def best(ends: Any) -> Any:
        return ends[means.take(ends).argmin(0), np.arange(ends.shape[1])]

    once = [best(ways) for ways in hops]
    plays = np.empty((size, len(ROLLS)), dtype="<u2" if size <= _MOST_IN_TWO_BYTES else "<u4")
    for at, (high, low) in enumerate(ROLLS):
        if high == low:
            reached = once[high - 1]
            for _ in range(3):
                reached = best(reached.take(hops[high - 1]))
        else:
            reached = best(np.concatenate([once[low - 1].take(hops[high - 1]), once[high - 1].take(hops[low - 1])]))
        plays[:, at] = reached[:size]
    chances = np.zeros((size, MOST_ROLLS), dtype="<f4")
    chances[0, 0] = 1.0
    weights = np.array(CHANCES, dtype=np.float32)
    order = _order(points)
    for start, end in pairwise(order.starts[1:]):
        chances[start:end, 1:] = np.einsum("prn,r->pn", chances[plays[start:end], :-1], weights)
    return BearoffCourse(order.by_pips.astype(plays.dtype)[plays[order.rank]], chances[order.rank])


_MOST_IN_TWO_BYTES: Final = 1 << 16


def or_more(chances: Any) -> Any:
    """The chances to need 0, 1, … rolls or more, by those to need just so many, ``[…, rolls]``."""
    return chances[..., ::-1].cumsum(-1)[..., ::-1]


@cache
def _table(points: int = POINTS) -> _RollsTable:
    """The mean rolls of all positions.

    Every hop lowers the pip count, so the table is filled in the order of pip counts. With nobody in the way every
    number of a roll can be played, in either order.
    """
    import numpy as np

    boards, _, _, starts = _order(points)
    following = _hops(np, points)
    # The least mean after no hop, after one hop of each die, and after two and three hops of the same die. The last
    # value stands for a hop that cannot be. Once all checkers are off, the rest of the roll is not played.
    means = np.full(len(boards) + 1, np.inf)
    once = np.full((len(boards) + 1, 6), np.inf)
    twice, thrice = np.full((2, 6, len(boards) + 1), np.inf)
    means[0] = once[0] = twice[:, 0] = thrice[:, 0] = 0.0
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
    return _RollsTable(means, following)


@cache
def _order(points: int = POINTS) -> _PositionOrder:
    """All positions in order."""
    import numpy as np

    boards = _boards(np, points)
    pips = boards @ np.arange(1, points + 1)
    by_pips = np.argsort(pips, kind="stable")
    place = np.empty_like(by_pips)
    place[by_pips] = np.arange(len(boards))
    return _PositionOrder(boards, by_pips, place, np.searchsorted(pips[by_pips], np.arange(pips.max() + 2)))


def _boards(np: Any, points: int) -> Any:
    """Every way to have up to 15 checkers on so many points, a row of counts each, in the order of their numbers."""
    boards = np.zeros((1, 0), dtype=np.int64)
    for _ in range(points):
        choices = CHECKERS - boards.sum(1) + 1
        rows = np.repeat(np.arange(len(boards)), choices)
        counts = np.arange(choices.sum()) - np.repeat(np.cumsum(choices) - choices, choices)
        boards = np.column_stack([boards[rows], counts])
    return boards


def _hops(np: Any, points: int) -> list[Any]:
    """For each die and each point that it can be played from, the position that every position leads to.

    Positions stand in the order of pip counts; a hop that cannot be leads to the number after the last one. A checker
    bears off from the die's own point, and from a lower point when no checker stands higher (R12): both are in the row
    of the die's own point.
    """
    boards, by_pips, place, _ = _order(points)
    boards = boards[by_pips]
    left = CHECKERS - boards.cumsum(1)
    highest = np.where(boards > 0, np.arange(1, points + 1), 0).max(1)
    # By how much the number grows with one checker more up to a point, and shrinks with one less.
    more = [_chosen(np, left[:, i - 1], points - 1 - i, points - i) for i in range(1, points)]
    less = [_chosen(np, left[:, i - 1], points - i, points - i) for i in range(1, points + 1)]
    nowhere = np.full(len(boards), len(boards))
    following, lower = [], nowhere
    for die in range(1, POINTS + 1):
        off = place.take(by_pips - sum(less[die - 1 :]), mode="clip")
        rows = [np.where((boards[:, die - 1] > 0) & (highest <= POINTS), off, lower)]
        lower = np.where(highest == die, off, lower)
        for point in range(die + 1, points + 1):
            landed = place.take(by_pips + sum(more[point - die - 1 : point - 1]), mode="clip")
            rows.append(np.where(boards[:, point - 1] > 0, landed, nowhere))
        following.append(np.array(rows))
    return following


def _chosen(np: Any, counts: Any, extra: int, of: int) -> Any:
    """C(n + extra, of) for every count n."""
    return np.array([comb(n + extra, of) for n in range(CHECKERS + 1)]).take(counts)
