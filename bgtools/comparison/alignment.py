"""Aligning two sequences: Needleman and Wunsch's algorithm between the stretches that stand once in each of them.

Needleman and Wunsch, "A general method applicable to the search for similarities in the amino acid sequence of two
proteins", Journal of Molecular Biology 48 (1970). The algorithm takes n·m comparisons for two sequences of n and m, so
what is surely equal is taken out first: the beginning, the end, and stretches that each sequence holds exactly once
(Bram Cohen's patience diff). Where much is left between such stretches, only a band around the diagonal is looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    T = TypeVar("T", bound=Hashable)

Pair = tuple[int | None, int | None]
"""Places in two sequences that belong together; None where one sequence has nothing to pair with the other."""

WHOLE: Final = 40_000
"""Two sequences that take at most this many comparisons are aligned whole, without looking for common stretches."""
BAND: Final = 48
"""How far from the diagonal a pair may be where two stretches take more than `WHOLE` comparisons."""
_STRETCHES: Final = (6, 3, 1)


def align(one: Sequence[T], two: Sequence[T], cost: Callable[[T, T], int], gap: int) -> list[Pair]:
    """The cheapest way to pair two sequences in order.

    Args:
        one: the first sequence.
        two: the second.
        cost: what it costs to pair two elements, 0 for equal ones.
        gap: what it costs to leave an element alone.

    Returns:
        Pairs of places, in order; every place of either sequence is in exactly one.
    """
    start, end = 0, 0
    shorter = min(len(one), len(two))
    while start < shorter and one[start] == two[start]:
        start += 1
    while end < shorter - start and one[-1 - end] == two[-1 - end]:
        end += 1
    found: list[Pair] = [(at, at) for at in range(start)]
    found += _between(one, two, (start, len(one) - end), (start, len(two) - end), cost, gap)
    found += [(len(one) - at, len(two) - at) for at in range(end, 0, -1)]
    return found


def _between(
    one: Sequence[T],
    two: Sequence[T],
    first: tuple[int, int],
    second: tuple[int, int],
    cost: Callable[[T, T], int],
    gap: int,
) -> list[Pair]:
    """The pairs of two stretches that have neither a beginning nor an end in common."""
    (i, i_end), (j, j_end) = first, second
    if (i_end - i) * (j_end - j) <= WHOLE:
        return _whole(one, two, first, second, cost, gap)
    for length in _STRETCHES:
        anchors = _anchors(one, two, first, second, length)
        if anchors:
            break
    else:
        return _whole(one, two, first, second, cost, gap)
    found: list[Pair] = []
    for at, there, size in anchors:
        found += _between(one, two, (i, at), (j, there), cost, gap)
        found += [(at + step, there + step) for step in range(size)]
        i, j = at + size, there + size
    return found + _between(one, two, (i, i_end), (j, j_end), cost, gap)


def _anchors(
    one: Sequence[T], two: Sequence[T], first: tuple[int, int], second: tuple[int, int], length: int
) -> list[tuple[int, int, int]]:
    """Stretches of a length that stand once in each sequence, as many as stand in the same order in both.

    Of each are given its two places and its length, without what the stretch before it already covers.
    """
    here, there = _once(one, first, length), _once(two, second, length)
    common = sorted((at, there[stretch]) for stretch, at in here.items() if stretch in there)
    found: list[tuple[int, int, int]] = []
    i, j = first[0], second[0]
    for at, other in _rising(common):
        skip = max(i - at, j - other, 0)
        if skip < length:
            found.append((at + skip, other + skip, length - skip))
            i, j = at + length, other + length
    return found


def _once(sequence: Sequence[T], span: tuple[int, int], length: int) -> dict[tuple[T, ...], int]:
    places: dict[tuple[T, ...], int] = {}
    for at in range(span[0], span[1] - length + 1):
        stretch = tuple(sequence[at : at + length])
        places[stretch] = -1 if stretch in places else at
    return {stretch: at for stretch, at in places.items() if at >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most of the pairs whose second places rise; the pairs come in the order of their first places."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        before.append(ends[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            ends.append(number)
        else:
            tops[pile], ends[pile] = place, number
    found: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _whole(
    one: Sequence[T],
    two: Sequence[T],
    first: tuple[int, int],
    second: tuple[int, int],
    cost: Callable[[T, T], int],
    gap: int,
) -> list[Pair]:
    """The pairs of two stretches by Needleman and Wunsch, within a band where they are long."""
    (i0, i1), (j0, j1) = first, second
    rows, columns = i1 - i0, j1 - j0
    width = columns if rows * columns <= WHOLE else max(BAND, columns // rows + 1)
    ways: list[tuple[int, list[str]]] = []
    before: list[float] = []
    low = 0
    for row in range(rows + 1):
        middle = row * columns // rows if rows else 0
        left, right = (0, columns) if not rows else (max(0, middle - width), min(columns, middle + width))
        line: list[float] = []
        way: list[str] = []
        for column in range(left, right + 1):
            best, step = (0.0, "") if row == column == 0 else (float("inf"), "")
            above = column - low
            if row and 0 < above <= len(before) and column:
                best = before[above - 1] + cost(one[i0 + row - 1], two[j0 + column - 1])
                step = "both"
            if row and 0 <= above < len(before) and before[above] + gap <= best:
                best, step = before[above] + gap, "one"
            if line and line[-1] + gap <= best:
                best, step = line[-1] + gap, "two"
            line.append(best)
            way.append(step)
        ways.append((left, way))
        before, low = line, left
    return _back(ways, i0, j0, rows, columns)


def _back(ways: list[tuple[int, list[str]]], i0: int, j0: int, row: int, column: int) -> list[Pair]:
    found: list[Pair] = []
    while row or column:
        left, way = ways[row]
        step = way[column - left]
        if step == "both":
            row, column = row - 1, column - 1
            found.append((i0 + row, j0 + column))
        elif step == "one":
            row -= 1
            found.append((i0 + row, None))
        else:
            column -= 1
            found.append((None, j0 + column))
    return found[::-1]
