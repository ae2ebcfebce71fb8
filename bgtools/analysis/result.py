"""The luck-adjusted result, and the FIBS ratings that a match suggests.

The luck-adjusted result: what the dice gave is taken off what was won.

A player's luck-adjusted result is the actual result minus their own luck plus the opponent's. In a
match it is a match winning chance, for money it is in points. The luck of a roll is 0 on average, so
the adjusted result has the same mean as the actual one and varies much less.

FIBS ratings that a match suggests, as GNU Backgammon estimates them.

The rating of the First Internet Backgammon Server gives a player who is R points stronger the chance
1 / (1 + 10^(-R sqrt(n) / 2000)) to win a match to n points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log10, sqrt
from statistics import stdev
from typing import TYPE_CHECKING, Final

from bgtools.analysis.luck import estimate_luck
from bgtools.findings.quantities import CHANCE, CHANCE_APART, MEAN, RATING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.luck import GameBalance
    from bgtools.analysis.ratings.rule import RatingResult
    from bgtools.engines.protocol import LuckSpread
    from bgtools.met.table import MatchEquityTable
    from bgtools.replayer.turn import GameReplay


_STUDENT: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""Standard errors on either side of a 95% interval by Student's t, for 1 to 30 degrees of freedom."""

_NORMAL: Final = 1.96
"""The same for more than 30."""

_EVEN_MWC: Final = 0.0005
_EVEN_POINTS: Final = 0.005
"""Net luck below this would print as nothing."""


@dataclass(frozen=True, slots=True)
class AdjustedResult:
    """The luck-adjusted result of one player.

    Attributes:
        unit: ``mwc`` (match winning chance) or ``points``.
        actual: in a match 1 for a win, 0 for a loss, and their match winning chance where the record ends before the
            match does; for money their points, negative when they lost them.
        net_luck: their luck minus the opponent's, by the ``accounts``; see `bgtools.analysis.luck`.
        adjusted: ``actual - net_luck``; in a match 0 to 1.
        low, high: its 95% interval; in a match 0 to 1, by how far the accounts of the engine were off in measurements.
            For money by Student's t over the games of a session of at least two
            games, None for one game.
        by_rolls: the actual result less the luck of the rolls alone; None where that of a roll is not known.
        by_errors: an even result less the errors; None where a decision or the end of a game was not judged.
        accounts: by which accounts the net luck is told: ``errors``, ``rolls``, or ``errors, rolls in game 2``.
        sentence: the same in words.
    """

    unit: str
    actual: float
    net_luck: float
    adjusted: float
    low: float | None
    high: float | None
    by_rolls: float | None
    by_errors: float | None
    accounts: str
    sentence: str


def chances_won(
    games: Sequence[GameReplay], length: int, met: MatchEquityTable, *, crawford_rule: bool = True
) -> tuple[float, list[float]] | None:
    """What player 0 began a match with, and what each game brought them, in match winning chance.

    A game after the match was won brings nothing (R40). None where a game has no end or no known worth, or where the
    match is too long for the table.
    """
    if any(game.winner is None or game.points is None for game in games):
        return None
    if any(length - min(game.score) > met.size for game in games):
        return None
    counted = [game for game in games if max(game.score) < length]
    around = [chances_around(game, length, met, crawford_rule=crawford_rule) for game in counted]
    if not around:
        return None
    won = iter([after - before for before, after in around])
    return around[0][0], [next(won) if max(game.score) < length else 0.0 for game in games]


def points_won(games: Sequence[GameReplay]) -> tuple[float, list[float]] | None:
    """As `chances_won`, for a money session: it begins with 0, and each game brings player 0 points."""
    won: list[float] = []
    for game in games:
        if game.winner is None or game.points is None:
            return None
        won.append(float(game.points if game.winner == 0 else -game.points))
    return (0.0, won) if won else None


def adjusted_match(
    start: float, accounts: Sequence[GameBalance], names: tuple[str, str], spread: LuckSpread, *, over: bool
) -> tuple[AdjustedResult, AdjustedResult] | None:
    """The luck-adjusted result of a match, for both players; None where a game has no account of its luck.

    Args:
        start: what player 0 began with.
        accounts: of its games.
        names: of players 0 and 1.
        spread: how far the accounts are off.
        over: whether the match was played to its end.
    """
    found = estimate_luck(accounts, spread)
    if found is None:
        return None
    actual = start + sum(each.won for each in accounts)
    adjusted = _within(actual - found.net)
    low, high = (_within(actual - found.net + way * _NORMAL * found.error) for way in (-1, 1))
    by_rolls, by_errors = (None if net is None else actual - net for net in (found.by_rolls, found.by_errors))
    sentence = match_sentence(names, actual, adjusted, low, high, over=over)
    first = AdjustedResult(
        "mwc", actual, actual - adjusted, adjusted, low, high, by_rolls, by_errors, found.accounts, sentence
    )
    return first, _of_the_other(first, 1.0)


def _within(chance: float) -> float:
    return min(1.0, max(0.0, chance))


def _of_the_other(first: AdjustedResult, whole: float) -> AdjustedResult:
    """The result of player 1 by that of player 0; what both have adds up to ``whole``."""

    def rest(value: float | None) -> float | None:
        return None if value is None else whole - value

    return replace(
        first,
        actual=whole - first.actual,
        net_luck=-first.net_luck,
        adjusted=whole - first.adjusted,
        low=rest(first.high),
        high=rest(first.low),
        by_rolls=rest(first.by_rolls),
        by_errors=rest(first.by_errors),
    )


def chances_around(game: GameReplay, length: int, met: MatchEquityTable, *, crawford_rule: bool) -> tuple[float, float]:
    """Match winning chance of player 0 before and after a game."""
    away = (length - game.score[0], length - game.score[1])
    after = (length - game.score_after[0], length - game.score_after[1])
    at_crawford = 1 in away
    return (
        met.equity(away, post_crawford=at_crawford and not game.crawford),
        met.equity(after, post_crawford=at_crawford or not crawford_rule),
    )


def chance_after(game: GameReplay, length: int, met: MatchEquityTable, *, crawford_rule: bool) -> float | None:
    """What a game leaves player 0 with, as match winning chance.

    None for money, where the game has no end, after the match was won (R40), and beyond the table.
    """
    if not length or game.winner is None or game.points is None or max(game.score) >= length:
        return None
    if length - min(game.score) > met.size:
        return None
    return chances_around(game, length, met, crawford_rule=crawford_rule)[1]


def distinct_names(names: tuple[str, str]) -> tuple[str, str]:
    """The names of both players as a sentence needs them: with their numbers where they are the same."""
    if names[0] != names[1]:
        return names
    return f"{names[0]} (player 1)", f"{names[1]} (player 2)"


def match_sentence(
    names: tuple[str, str], actual: float, adjusted: float, low: float, high: float, *, over: bool
) -> str:
    """Whom the dice favoured in a match, and how it would have gone with even dice.

    Args:
        names: of players 0 and 1.
        actual: result of player 0 as match winning chance.
        adjusted: their luck-adjusted result, 0 to 1.
        low, high: its 95% interval.
        over: whether the match was played to its end.
    """
    names = distinct_names(names)
    end = f"{names[0] if actual > 0.5 else names[1]} won the match."
    if not over:
        end = f"The record ends with {names[0]} at {CHANCE.text(actual)}."
    if not is_worth_a_figure(low, high):
        return f"What the dice did is more than the engine can tell. {end}"
    net = actual - adjusted
    lucky = 0 if net > 0 else 1
    unsure = ", less than the engine can tell" if low < actual < high and abs(net) >= _EVEN_MWC else ""
    favoured = f"{favoured_words(names, net, 'mwc')}{unsure}"
    chance, least, most = (adjusted, low, high) if lucky == 0 else (1 - adjusted, 1 - high, 1 - low)
    often = (
        f"have won {CHANCE.text(chance)} of the time"
        if over
        else f"stand at {CHANCE.text(chance)} when the record ends"
    )
    spread = f" (95% interval {CHANCE_APART.text(least)} to {CHANCE_APART.text(most)})"
    return f"{favoured}; with even dice {names[lucky]} would {often}{spread}. {end}"


def favoured_words(names: tuple[str, str], net: float, unit: str) -> str:
    """Whom the dice favoured, by the net luck of player 0 as match winning chance (``mwc``) or in points."""
    much = (
        CHANCE_APART.text(abs(net)) + " points of match winning chance"
        if unit == "mwc"
        else MEAN.text(abs(net)) + " points"
    )
    if abs(net) < (_EVEN_MWC if unit == "mwc" else _EVEN_POINTS):
        return "The dice favoured neither player"
    return f"The dice favoured {names[0] if net > 0 else names[1]} by {much}"


_WIDEST: Final = 0.9


def is_worth_a_figure(low: float, high: float) -> bool:
    """Whether an interval of a match winning chance is so narrow that a figure inside says something."""
    return high - low < _WIDEST


def adjusted_money(
    accounts: Sequence[GameBalance], names: tuple[str, str], spread: LuckSpread
) -> tuple[AdjustedResult, AdjustedResult] | None:
    """The luck-adjusted result of a money session, for both players; the arguments are those of `adjusted_match`."""
    found = estimate_luck(accounts, spread)
    if found is None:
        return None
    actual = sum(each.won for each in accounts)
    half = _interval([each.won - (each.net or 0.0) for each in accounts])
    adjusted = actual - found.net
    by_rolls, by_errors = (None if net is None else actual - net for net in (found.by_rolls, found.by_errors))
    low, high = (None, None) if half is None else (adjusted - half, adjusted + half)
    sentence = money_sentence(names, actual, found.net, half)
    first = AdjustedResult(
        "points", actual, found.net, adjusted, low, high, by_rolls, by_errors, found.accounts, sentence
    )
    return first, _of_the_other(first, 0.0)


def _interval(results: Sequence[float]) -> float | None:
    """Half the width of the 95% interval of a sum, by the scatter of what is added up; None for a single result."""
    freedom = len(results) - 1
    if freedom < 1:
        return None
    errors = _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else _NORMAL
    return errors * stdev(results) * sqrt(len(results))


def money_sentence(names: tuple[str, str], actual: float, net: float, interval: float | None = None) -> str:
    """Whom the dice favoured in a money session, and how it would have ended with even dice.

    Args:
        names: of players 0 and 1.
        actual: points of player 0.
        net: the luck that is taken off them, in points.
        interval: half the width of the 95% interval in points, by how the games scatter.
    """
    names = distinct_names(names)
    spread = "" if interval is None else f" (95% interval ± {MEAN.text(interval)}, for how the games scatter)"
    ended, even = _balance(names, RATING.text(abs(actual)), actual), actual - net
    adjusted = _balance(names, MEAN.text(abs(even)), even)
    favoured = favoured_words(names, net, "points")
    return f"{favoured}; with even dice the session would have ended {adjusted}{spread}. It ended {ended}."


def _balance(names: tuple[str, str], text: str, points: float) -> str:
    """Who is ahead by so many points, which a text tells."""
    if not float(text):
        return "level"
    unit = "point" if float(text) == 1 else "points"
    return f"{text} {unit} up for {names[0] if points > 0 else names[1]}"


FLAWLESS: Final = 2050.0
"""The rating of a player without errors."""


@dataclass(frozen=True, slots=True)
class Fibs:
    """What a match says of a player's FIBS rating. One match says little.

    Attributes:
        luck_difference: rating points by which the player exceeds the opponent, by the luck-adjusted result; None where
            that result is not known or not between 0 and 1.
        luck_difference_low, luck_difference_high: its 95% interval; None where it has no end on that side.
        checker_loss: how much the errors of checker play take from the rating of a flawless player.
        cube_loss: the same for the cube; None without a counted cube decision.
        rating: the rating of a flawless player less both losses; None without a counted checker play.
    """

    luck_difference: float | None
    luck_difference_low: float | None
    luck_difference_high: float | None
    checker_loss: float | None
    cube_loss: float | None
    rating: float | None


def luck_difference(result: float, length: int) -> float | None:
    """By how much a rating exceeds the opponent's where this result is expected: -2000 / sqrt(n) log10(1/r - 1).

    Args:
        result: a luck-adjusted result as match winning chance.
        length: points to win the match, at least 1.

    Returns:
        Rating points; None where the result is not a chance between 0 and 1, both excluded.
    """
    return -2000 / sqrt(length) * log10(1 / result - 1) if 0 < result < 1 else None


def checker_loss(rate: float, length: int) -> float:
    """Rating points that an error rate costs: rate x (8798 + 25526 / n), in EMG a counted checker play."""
    return rate * (8798 + 25526 / length)


def cube_loss(rate: float, length: int) -> float:
    """Rating points that an error rate costs: rate x (863 - 519 / n), in EMG a counted cube decision."""
    return rate * (863 - 519 / length)


def estimate(checker: RatingResult, cube: RatingResult, result: AdjustedResult | None, length: int) -> Fibs:
    """All estimates of one player.

    Args:
        checker, cube: GNU Backgammon's error rates of checker play and of the cube.
        result: their luck-adjusted result in match winning chance.
        length: points to win the match, at least 1.
    """
    by_checker = None if checker.value is None else checker_loss(checker.value / 1000, length)
    by_cube = None if cube.value is None else cube_loss(cube.value / 1000, length)
    chances = (None, None, None) if result is None else (result.adjusted, result.low, result.high)
    by_luck, low, high = (None if chance is None else luck_difference(chance, length) for chance in chances)
    return Fibs(
        by_luck,
        low,
        high,
        by_checker,
        by_cube,
        None if by_checker is None else FLAWLESS - by_checker - (by_cube or 0.0),
    )
