"""Which games of two records are the same game, which only one of them has, and which player is which."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final

from bgtools.comparison.alignment import Pair, align
from bgtools.comparison.tokens import ROLL, tokens

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from bgtools.comparison.alignment import Pair
    from bgtools.comparison.tokens import Token
    from bgtools.record.record import Game


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


@dataclass(frozen=True, eq=False)
class GameTokens:
    """A game with what its entries say."""

    game: Game

    @cached_property
    def _tokens(self) -> tuple[list[Token], list[int]]:
        return tokens(self.game)

    @property
    def tokens(self) -> list[Token]:
        """What its entries say, without those that the rest of the record implies."""
        return self._tokens[0]

    @property
    def entry_numbers(self) -> list[int]:
        """For each token the number of its entry in the game, from 0."""
        return self._tokens[1]

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The score and what the entries say: equal where two games say the same."""
        return (self.game.score, *self.tokens)

    @cached_property
    def rolls(self) -> Counter[Hashable]:
        """How often each roll stands with each play, and each roll before each next one, whoever rolled."""
        rolled = [token for token in self.tokens if token.what == ROLL]
        found: Counter[Hashable] = Counter((token.dice, token.content) for token in rolled)
        found.update((one.dice, two.dice) for one, two in pairwise(rolled))
        return found

    @cached_property
    def by_player(self) -> Counter[tuple[Any, ...]]:
        """How often each player has each roll with each play."""
        return Counter((token.player, token.dice, token.content) for token in self.tokens if token.what == ROLL)


def common(one: Counter[Any], two: Counter[Any]) -> int:
    """How many elements two counters have in common."""
    small, large = (one, two) if len(one) < len(two) else (two, one)
    return sum(min(count, large[each]) for each, count in small.items() if each in large)


def is_exchanged(
    one: Sequence[GameTokens], two: Sequence[GameTokens], names: tuple[tuple[str, str], tuple[str, str]]
) -> bool:
    """Whether player 0 of one record is player 1 of the other.

    Their rolls and plays tell, where far more of them agree one way than the other; else their names; else the way in
    which more rolls and plays agree.
    """
    here, there = _all(sheet.by_player for sheet in one), _all(sheet.by_player for sheet in two)
    crossed = Counter({(1 - player, *rest): count for (player, *rest), count in there.items()})
    straight, across = common(here, there), common(here, crossed)
    clear = max(straight, across) > _CLEAR * min(straight, across)
    first, second = ([" ".join(name.casefold().split()) for name in pair] for pair in names)
    if not clear and first[0] != first[1] and first in (second, second[::-1]):
        return first != second
    return across > straight or (across == straight and first == second[::-1])


_CLEAR: Final = 8
"""Rolls and plays tell the players apart if more than so many times as much agrees one way as the other."""


def _all(parts: Iterable[Counter[tuple[Any, ...]]]) -> Counter[tuple[Any, ...]]:
    found: Counter[tuple[Any, ...]] = Counter()
    for part in parts:
        found.update(part)
    return found


_SAME: Final = 1000
_GAP: Final = 400
"""The cost of leaving a game alone. Two games are paired where that costs less than leaving both alone: where they have
the score before them in common, or more than a fifth of their rolls and plays, a tenth with the same number."""
_SCORE: Final = 250
_NUMBER: Final = 100
_FEW_ROLLS: Final = 12
"""Two games that state other scores and other numbers, as those of two parts do, are paired only where they are nearly
the same, and have so many rolls and pairs of rolls."""


def pair_games(one: Sequence[GameTokens], two: Sequence[GameTokens]) -> list[Pair]:
    """The games that belong together, by what was rolled and played in them, then by score and number."""
    here, there = [_Keyed(sheet) for sheet in one], [_Keyed(sheet) for sheet in two]
    return align(here, there, lambda left, right: unlike(left.sheet, right.sheet), _GAP)


class _Keyed:
    """A game that compares equal to a game that says the same."""

    def __init__(self, sheet: GameTokens) -> None:
        self.sheet = sheet
        self.key = sheet.key
        self._hash = hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self.key == other.key

    def __hash__(self) -> int:
        return self._hash


def likeness(one: GameTokens, two: GameTokens) -> float:
    """The part of the shorter game that the other has too, whoever played it, 0 to 1: a record may break off early."""
    shorter = min(one.rolls.total(), two.rolls.total())
    return common(one.rolls, two.rolls) / shorter if shorter else float(one.tokens == two.tokens)


def unlike(one: GameTokens, two: GameTokens) -> int:
    """The cost of pairing two games, 0 to 1000; 0 where they say the same."""
    if one.key == two.key:
        return 0
    cost = unlike_rolls = _SAME - round(_SAME * likeness(one, two))
    if one.game.score is not None and one.game.score == two.game.score:
        cost -= _SCORE
    if one.game.number is not None and one.game.number == two.game.number:
        cost -= _NUMBER
    elif None not in (one.game.number, two.game.number, one.game.score, two.game.score) and cost == unlike_rolls:
        few = min(one.rolls.total(), two.rolls.total()) < _FEW_ROLLS
        cost = 2 * _GAP if few or cost > _SAME * (1 - _MOVED) else cost
    return max(cost, 1)
