"""Which games only one of two records has, and which stand at different places in them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bgtools.comparison.pairing import likeness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.comparison.alignment import Pair
    from bgtools.comparison.pairing import GameTokens

_MOVED: Final = 0.8
"""Two games, each without a partner in the other record, are one game where this part of them is the same."""


@dataclass(frozen=True, slots=True)
class Group:
    """Games that are compared or reported together.

    Attributes:
        pairs: the numbers of the games in either record, from 0: one game that both have, or games in a row that only
            one record has at this place.
        is_moved: whether the other record has the game elsewhere.
    """

    pairs: tuple[Pair, ...]
    is_moved: bool = False


def grouped(games: Sequence[Pair], one: Sequence[GameTokens], two: Sequence[GameTokens], end: int) -> list[Group]:
    """The games of two records in groups, in order; a game that has moved stands where it is met first.

    Args:
        games: which games belong together.
        one: the games of the first record.
        two: the games of the second record.
        end: how many of the pairs are grouped.
    """
    moved = _moved(games, one, two)
    again = set(moved.values())

    def key(number: int) -> object:
        i, j = games[number]
        is_lone = (i is None or j is None) and number not in moved
        return ("first" if j is None else "second") if is_lone else number

    found: list[Group] = []
    for _, run in groupby(range(end), key):
        numbers = [number for number in run if number not in again]
        if numbers:
            found.append(Group(tuple(games[number] for number in numbers), is_moved=numbers[0] in moved))
    return found


def _moved(games: Sequence[Pair], one: Sequence[GameTokens], two: Sequence[GameTokens]) -> dict[int, int]:
    """The games that stand elsewhere in the other record: the pair where each is met first, and where again."""
    alone = [(number, pair) for number, pair in enumerate(games) if None in pair]
    found: dict[int, int] = {}
    met: set[int] = set()
    for place, (number, (i, j)) in enumerate(alone):
        for later, (k, m) in alone[place + 1 :]:
            if (i is None) == (k is None) or number in met or later in met:
                continue
            here, there = one[i if i is not None else k or 0], two[j if j is not None else m or 0]
            if likeness(here, there) > _MOVED and here.tokens:
                found[number] = later
                met |= {number, later}
    return found


def end_of_both(games: Sequence[Pair], aligned: Mapping[tuple[int, int], Sequence[Pair]]) -> int:
    """How many pairs of games there are until one record breaks off in the middle of a game; all if neither does.

    Args:
        games: which games belong together.
        aligned: for each two games that belong together, which of their entries do.
    """
    which = next((which for which in (0, 1) if games and games[-1][which] is None), None)
    if which is None:
        return len(games)
    end = len(games)
    while end and games[end - 1][which] is None:
        end -= 1
    i, j = games[end - 1] if end else (None, None)
    pairs = [] if i is None or j is None else aligned[i, j]
    # If the record has the whole last game that both share, it did not break off: it lacks the games after it.
    return end if pairs and pairs[-1][which] is None else len(games)
