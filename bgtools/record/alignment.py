"""Aligning two sequences: which stretches of them are the same."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

_MOST_PAIRS: Final = 200_000
"""How many pairs of equal elements are compared for the longest stretches. Two games of a few hundred entries, or two
files of some thousands of lines, have fewer."""


def align(one: Sequence[Hashable], two: Sequence[Hashable]) -> Iterator[tuple[str, int, int, int, int]]:
    """The stretches of two sequences in their order, as `SequenceMatcher.get_opcodes` gives them.

    The time that `SequenceMatcher` takes grows with the pairs of equal elements, and more: four thousand entries that
    all say the same take minutes. Where there are too many pairs, what stands between the same beginning and the same
    end is compared place by place.

    >>> list(align("abcd", "axcde"))
    [('equal', 0, 1, 0, 1), ('replace', 1, 2, 1, 2), ('equal', 2, 4, 2, 4), ('insert', 4, 4, 4, 5)]
    """
    counts = Counter(two)
    if sum(counts[each] for each in one) <= _MOST_PAIRS:
        yield from SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
        return
    shorter = min(len(one), len(two))
    before = next((at for at in range(shorter) if one[at] != two[at]), shorter)
    after = next((at for at in range(shorter - before) if one[-1 - at] != two[-1 - at]), shorter - before)
    end, other_end = len(one) - after, len(two) - after
    if before:
        yield "equal", 0, before, 0, before
    both = min(end, other_end)
    for is_equal, places in groupby(range(before, both), lambda at: one[at] == two[at]):
        run = [*places]
        start, stop = run[0], run[-1] + 1
        yield "equal" if is_equal else "replace", start, stop, start, stop
    if end > both:
        yield "delete", both, end, both, both
    elif other_end > both:
        yield "insert", both, both, both, other_end
    if after:
        yield "equal", end, len(one), other_end, len(two)
