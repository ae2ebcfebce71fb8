"""Match equity tables that are worked out from a few rates.

The formula is N. Zadeh's (On Doubling in Tournament Backgammon, Management Science 23, 1977). A player wins the game
when his chance passes the point at which the other drops a double, and loses it likewise. The two points follow from
the equities of the scores that a doubled game leads to; the chance of winning a one-point game follows from the points.

E(a, b) is the equity of a player a away against b away; it is 1 or 0 once either has won. With a cube of value v the
other player drops at the chance

    D0(a, b, v) = (E(a - v, b) - L) / (W - L)
    W = g1 E(a - 4w, b) + (1 - g1) E(a - 2w, b)        g1, g2: gammon rates of the leader, of the trailer
    L = g2 E(a, b - 4w) + (1 - g2) E(a, b - 2w)

if the cube is dead after that. There w = 2v where the player who takes would lose the match anyway and redoubles at
once, and w = v elsewhere. While a redouble is still worth something to both, it is

    D(a, b, v) = 1 - (D(b, a, 2v) + delta) (1 - D0(a, b, v))

and with p = D(b, a, 1) + deltabar - 1/2, q = D(a, b, 1) + deltabar - 1/2

    E(a, b) = (p E(a - 1, b) + q E(a, b - 1)) / (p + q).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Row = tuple[float, ...]
Square = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """How a kind of table is worked out.

    Attributes:
        row: from its parameters and a size, the chances after the Crawford game of a player 1, 2, … away.
        square: from its parameters, that row and a size, the chances before and in the Crawford game.
    """

    row: Callable[[Mapping[str, float], int], Row]
    square: Callable[[Mapping[str, float], Sequence[float], int], Square]


def after_crawford(parameters: Mapping[str, float], size: int) -> Row:
    """Chances after the Crawford game: the trailer doubles at once, and the leader has a free drop at even scores.

    Args:
        parameters: ``gammon-rate-trailer``, and what the free drop is worth to the leader when the trailer is 2 and
            4 away: ``free-drop-2-away``, ``free-drop-4-away``.
        size: how far away to go.
    """
    rate = parameters.get("gammon-rate-trailer", 0.25)
    drops = {2: parameters.get("free-drop-2-away", 0.015), 4: parameters.get("free-drop-4-away", 0.004)}
    chances: list[float] = []
    for away in range(1, size + 1):
        single, gammon = (1.0 if away <= points else chances[away - points - 1] for points in (2, 4))
        chances.append((rate * gammon + (1 - rate) * single) / 2 - drops.get(away, 0.0))
    return tuple(chances)


def zadeh(parameters: Mapping[str, float], post: Sequence[float], size: int) -> Square:
    """Zadeh's table; see the module's text.

    Args:
        parameters: ``gammon-rate-leader`` (g1), ``gammon-rate-trailer`` (g2), ``delta``, ``delta-bar``.
        post: the chances after the Crawford game.
        size: how far away to go.
    """
    won = parameters.get("gammon-rate-leader", 0.25)
    lost = parameters.get("gammon-rate-trailer", 0.15)
    delta = parameters.get("delta", 0.08)
    bar = parameters.get("delta-bar", 0.06)
    known: dict[tuple[int, int], float] = {}
    for away in range(1, size + 1):
        single, gammon = (1.0 if away <= points else post[away - points - 1] for points in (1, 2))
        chance = (won * gammon + (1 - won) * single) / 2
        known[away, 1], known[1, away] = chance, 1 - chance

    def equity(own: int, other: int) -> float:
        if own <= 0 or other <= 0:
            return 1.0 if own <= 0 else 0.0
        return known[own, other]

    def drop(own: int, other: int, cube: int) -> float:
        """The chance of the first player at which the other drops."""
        doubled = 2 * cube
        at_once = doubled if own <= doubled < other else cube
        win = won * equity(own - 4 * at_once, other) + (1 - won) * equity(own - 2 * at_once, other)
        lose = lost * equity(own, other - 4 * at_once) + (1 - lost) * equity(own, other - 2 * at_once)
        dead = (equity(own - cube, other) - lose) / (win - lose)
        if own <= doubled or other <= doubled:
            return dead
        return 1 - (drop(other, own, doubled) + delta) * (1 - dead)

    for more in range(2, size + 1):
        for less in range(2, more + 1):
            mine, theirs = drop(less, more, 1) + bar - 0.5, drop(more, less, 1) + bar - 0.5
            chance = (theirs * equity(less - 1, more) + mine * equity(less, more - 1)) / (mine + theirs)
            known[less, more], known[more, less] = chance, 1 - chance
    return tuple(tuple(known[own, other] for other in range(1, size + 1)) for own in range(1, size + 1))


FORMULAS: Final[Mapping[str, Formula]] = MappingProxyType({"zadeh": Formula(after_crawford, zadeh)})
"""The formulas by the name that GNU Backgammon's files give them."""
