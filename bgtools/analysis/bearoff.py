"""The one-sided bear-off table: how many rolls a home board takes on average, 15 checkers on 6 points.

Nothing is shipped or kept on disk: the table of 54,264 positions is computed when it is first asked for, in an eighth
of a second.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bgtools.board import OFF

if TYPE_CHECKING:
    from typing import Any

    from bgtools.board import Checkers

CHECKERS: Final = 15
POINTS: Final = 6
PIPS_A_ROLL: Final = 49 / 6
"""Pips of a mean roll: 7, and a sixth of 7 more for doubles."""

_BASE: Final = 16
_WEIGHTS: Final = tuple(_BASE**place for place in range(POINTS - 1, -1, -1))


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
    keys, means = _table()
    key = sum(count * weight for count, weight in zip(home, _WEIGHTS, strict=True))
    return float(means[keys.searchsorted(key)])


def effective_pips(side: Checkers) -> float | None:
    """The effective pip count: mean rolls to bear off times the 49/6 pips of a mean roll.

    Source: Walter Trice, "Effective Pip Count", Flint Area BackgammoNews, November 2000. The wastage of a position is
    its effective pip count less its pip count.

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
def _table() -> tuple[Any, Any]:
    """The keys of all positions in rising order, and the mean rolls of each.

    Every hop lowers the pip count, so the table is filled in the order of pip counts. In a home board every number of
    a roll can be played, in either order. ``after[d][h]`` is the least mean after h hops of the die d.
    """
    import numpy as np

    boards = _boards(np)
    pips = boards @ np.arange(1, POINTS + 1)
    keys = boards @ np.array(_WEIGHTS)
    by_pips = np.argsort(pips, kind="stable")
    boards, pips, keys = boards[by_pips], pips[by_pips], keys[by_pips]
    by_key = np.argsort(keys)
    nowhere = len(boards)
    following = [_hops(np, die, boards, keys, by_key) for die in range(1, 7)]
    after = np.full((6, 4, nowhere + 1), np.inf)
    after[:, :, 0] = 0.0  # once all checkers are off, the rest of the roll is not played
    starts = np.searchsorted(pips, np.arange(pips[-1] + 2))
    for start, end in pairwise(starts[1:]):
        total = np.zeros(end - start)
        ways = [table[:, start:end] for table in following]
        for die, way in enumerate(ways):
            for hops in (1, 2, 3):
                after[die, hops, start:end] = after[die, hops - 1][way].min(0)
            total += after[die, 3][way].min(0)
            for other in range(die):
                one_first = after[other, 1][way].min(0)
                other_first = after[die, 1][ways[other]].min(0)
                total += 2 * np.minimum(one_first, other_first)
        after[:, 0, start:end] = 1 + total / 36
    return keys[by_key], after[0, 0, :-1][by_key]


def _boards(np: Any) -> Any:
    """Every way to have up to 15 checkers on 6 points, a row of counts each."""
    boards = np.zeros((1, 0), dtype=np.int64)
    for _ in range(POINTS):
        choices = CHECKERS - boards.sum(1) + 1
        rows = np.repeat(np.arange(len(boards)), choices)
        counts = np.arange(choices.sum()) - np.repeat(np.cumsum(choices) - choices, choices)
        boards = np.column_stack([boards[rows], counts])
    return boards


def _hops(np: Any, die: int, boards: Any, keys: Any, by_key: Any) -> Any:
    """For each point the number of the position after a hop of this die from it; one past the last if it is illegal.

    A checker bears off from the die's own point, and from a lower one when it is the highest (R12).
    """
    sorted_keys = keys[by_key]
    highest = np.where(boards > 0, np.arange(1, POINTS + 1), 0).max(1)
    table = np.full((POINTS, len(boards)), len(boards))
    for point in range(1, POINTS + 1):
        can = boards[:, point - 1] > 0 if point >= die else highest == point
        landing = _WEIGHTS[point - die - 1] if point > die else 0
        after = keys[can] - _WEIGHTS[point - 1] + landing
        table[point - 1, can] = by_key[np.searchsorted(sorted_keys, after)]
    return table
