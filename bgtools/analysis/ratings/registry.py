"""Every rating: ours, and those that other packages add.

To add one here, write a module with its `Rating` and put that into `RATINGS`; then run `python docs/make_tables.py`.
To add one from another package, name a `Rating` under the entry point group ``bgtools.ratings``::

    [project.entry-points."bgtools.ratings"]
    example = "my_package.rating:EXAMPLE"

A rating says of every decision whether it counts, and why or why not (`Counting`), and makes a `RatingResult` of the
decisions that count (`Rating.figure`). Ratings of other packages stand in report.json, in the table that a report
prints, in `PlayerTotals.ratings` and in `DecisionRow.counted_by`. The tables of `bgtools table` have no columns for
them, so that these are the same wherever they are made.
"""

from __future__ import annotations

import re
import warnings
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Final

from bgtools.analysis.ratings.bmab import BMAB_PR
from bgtools.analysis.ratings.gnubg import GNUBG_RATES
from bgtools.analysis.ratings.opengammon import OPENGAMMON_ER
from bgtools.analysis.ratings.rule import Count, Counting, JudgedCubeAction, JudgedPlay, Rating, RatingResult
from bgtools.analysis.ratings.snowie import SNOWIE_ER
from bgtools.analysis.ratings.xg import XG_PR
from bgtools.plugins import PluginWarning, plugins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bgtools.analysis.rows import DecisionKind, DecisionRow
    from bgtools.engines.protocol import CubeAnswer

RATINGS: Final = (XG_PR, BMAB_PR, *GNUBG_RATES, SNOWIE_ER, OPENGAMMON_ER)
"""The ratings of this package, in the order in which they are listed."""

RATING_NAMES: Final = tuple(rating.name for rating in RATINGS)
"""Their names, which head columns."""

_COUNTINGS: Final = tuple(dict.fromkeys(rating.counting for rating in RATINGS))

COUNTING_NAMES: Final = tuple(counting.name for counting in _COUNTINGS)
"""The names of their countings, which head columns too."""

_NAME: Final = re.compile(r"[A-Za-z]\w*", re.ASCII)


@cache
def all_ratings() -> tuple[Rating, ...]:
    """Every rating: ours, then those of other packages."""
    found = {rating.name: rating for rating in RATINGS}

    def new(thing: object) -> Rating:
        if not isinstance(thing, Rating) or not isinstance(thing.counting, Counting):
            raise TypeError(f"{thing!r} is not a Rating")
        if not _NAME.fullmatch(thing.name):
            raise ValueError(f"{thing.name!r} cannot be the name of a rating")
        if thing.name in found:
            raise ValueError(f"there is a rating {thing.name} already")
        countings = {each.counting.name: each.counting for each in found.values()}
        if countings.get(thing.counting.name, thing.counting) != thing.counting:
            raise ValueError(f"another rating counts by the name {thing.counting.name} already")
        return thing

    for rating in plugins("ratings", new):
        found[rating.name] = rating
    return tuple(found.values())


def rate(player: int, decisions: Iterable[DecisionRow], *, length: int) -> dict[str, RatingResult]:
    """All ratings of one player, by their names.

    Args:
        player: 0 or 1.
        decisions: those of both players: Snowie divides by the moves of both.
        length: points to win the match, 0 for money; PR of a 1-point match is multiplied by 1.5.
    """
    decisions = list(decisions)
    found: dict[str, RatingResult] = {}
    for rating in all_ratings():
        if rating in RATINGS:
            found[rating.name] = rating.rate(player, decisions, length=length)
        elif all(rating.counting.name in row.counted_by for row in decisions):
            try:
                found[rating.name] = _sound(rating.rate(player, decisions, length=length))
            except Exception as error:  # a fault in another package's rating leaves out that rating alone
                _leave_out(rating.name, error)
    return found


def _sound(result: object) -> RatingResult:
    """A result that can be printed and written.

    Raises:
        TypeError, ValueError: it cannot.
    """
    if not isinstance(result, RatingResult):
        raise TypeError(f"its figure is {result!r}, and no RatingResult")
    if not all(each is None or isfinite(each) for each in (result.value, result.value_mwc, result.loss)):
        raise ValueError(f"its figure is {result!r}, which is not finite")
    return result


def _leave_out(name: str, error: Exception) -> None:
    warnings.warn(f"the rating {name} is left out: {error or type(error).__name__}", PluginWarning, stacklevel=2)


# --- what is counted ------------------------------------------------------------------------


def _by_all(count: Callable[[Counting], Count]) -> dict[str, Count]:
    """What every rating says of a decision, by the name of its `Counting`; one that fails says nothing."""
    found: dict[str, Count] = {}
    for counting in _countings():
        try:
            said = count(counting)
            if not isinstance(said, Count):
                raise TypeError(f"it says {said!r}, and no Count")
            found[counting.name] = said
        except Exception as error:
            if counting in _COUNTINGS:
                raise
            _leave_out(", ".join(rating.name for rating in all_ratings() if rating.counting == counting), error)
    return found


def _countings() -> Iterable[Counting]:
    """The countings of all ratings, each once."""
    ratings = all_ratings()
    return _COUNTINGS if len(ratings) == len(RATINGS) else dict.fromkeys(each.counting for each in ratings)


def count_checker(equities: Sequence[float], stated: bool | None = None, *, loss: float = 0.0) -> dict[str, Count]:
    """Which ratings count a checker play; the arguments are those of `JudgedPlay`."""
    play = JudgedPlay(equities, loss, stated)
    return _by_all(lambda counting: counting.checker_play(play))


def count_cube(kind: DecisionKind, answer: CubeAnswer, loss: float, *, dead: bool) -> dict[str, Count]:
    """Which ratings count a cube decision; the arguments are those of `JudgedCubeAction`."""
    cube = JudgedCubeAction(kind, answer, loss, dead)
    return _by_all(lambda counting: counting.cube_action(cube))


def count_resignation(loss: float) -> dict[str, Count]:
    """Which ratings count a resignation, or its acceptance, that gave away so much EMG."""
    return _by_all(lambda counting: counting.resignation(loss))


def count_none(why: str, *, forced: bool = False) -> dict[str, Count]:
    """Which ratings count a decision that was not judged: none, unless it is a forced play, which needs no engine."""
    if forced:
        return count_checker([0.0])
    return dict.fromkeys([counting.name for counting in _countings()], Count(False, why))
