"""The luck-adjusted result: what the dice gave is taken off what was won.

A player's luck-adjusted result is the actual result minus his own luck plus the opponent's. In a
match it is a match winning chance, for money it is in points. The luck of a roll is 0 on average, so
the adjusted result has the same mean as the actual one and varies much less.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import stdev
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.luck import Luck
    from bgtools.met import MatchEquityTable
    from bgtools.replayer import GameReplay

_STUDENT: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""Standard errors on either side of a 95 % interval by Student's t, for 1 to 30 degrees of freedom."""

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
        actual: in a match 1 for a win, 0 for a loss, and his match winning chance where the record ends before the
            match does; for money his points, negative when he lost them.
        net_luck: his luck minus the opponent's.
        adjusted: ``actual - net_luck``. It is a sum of estimates, so in a match it can pass 0 or 1 by a little.
        interval: half the width of a 95 % interval, by Student's t over the games of a money session of at least two
            games. None in a match: its games have different stakes, so their spread says nothing.
        sentence: the same in words.
    """

    unit: str
    actual: float
    net_luck: float
    adjusted: float
    interval: float | None
    sentence: str


def adjusted_match(
    games: Sequence[GameReplay],
    length: int,
    luck: tuple[Luck, Luck],
    names: tuple[str, str],
    met: MatchEquityTable,
    *,
    crawford_rule: bool = True,
) -> tuple[AdjustedResult, AdjustedResult] | None:
    """The luck-adjusted result of a match, for both players.

    None where a game has no end or no known worth, where the luck of a roll is unknown, or where the match is too
    long for the table.
    """
    if not games or luck[0].missing or luck[1].missing:
        return None
    if any(game.winner is None or game.points is None for game in games):
        return None
    if any(length - min(game.score) > met.size for game in games):
        return None
    actual = 0.0
    for number, game in enumerate(games):
        before, after = _equity_around(game, length, met, crawford_rule=crawford_rule)
        actual += after - (0.0 if number == 0 else before)
    net = (luck[0].mwc or 0.0) - (luck[1].mwc or 0.0)
    over = max(games[-1].score_after) >= length
    sentence = match_sentence(names, actual, net, over=over)
    return (
        AdjustedResult("mwc", actual, net, actual - net, None, sentence),
        AdjustedResult("mwc", 1 - actual, -net, 1 - actual + net, None, sentence),
    )


def _equity_around(game: GameReplay, length: int, met: MatchEquityTable, *, crawford_rule: bool) -> tuple[float, float]:
    """Match winning chance of player 0 before and after a game."""
    away = (length - game.score[0], length - game.score[1])
    after = (length - game.score_after[0], length - game.score_after[1])
    at_crawford = 1 in away
    return (
        met.equity(away, post_crawford=at_crawford and not game.crawford),
        met.equity(after, post_crawford=at_crawford or not crawford_rule),
    )


def told_apart(names: tuple[str, str]) -> tuple[str, str]:
    """The names of both players as a sentence needs them: with their numbers where they are the same."""
    if names[0] != names[1]:
        return names
    return f"{names[0]} (player 1)", f"{names[1]} (player 2)"


def match_sentence(names: tuple[str, str], actual: float, net: float, *, over: bool) -> str:
    """Who was luckier in a match, and what it would have been with even dice.

    Args:
        names: of players 0 and 1.
        actual: result of player 0 as match winning chance.
        net: his luck minus the opponent's, as match winning chance.
        over: whether the match was played to its end.
    """
    names = told_apart(names)
    adjusted = actual - net
    won = names[0] if actual > 0.5 else names[1]
    end = f"{won} won it." if over else f"the record ends at {actual:.1%} and {1 - actual:.1%}."
    if abs(net) < _EVEN_MWC:
        return f"Neither player was luckier; {end}"
    lucky = names[0] if net > 0 else names[1]
    even = (
        f"With even dice the match would have stood at {adjusted:.1%} for {names[0]} "
        f"and {1 - adjusted:.1%} for {names[1]}"
    )
    if not 0 <= adjusted <= 1:
        sure = names[0] if adjusted > 1 else names[1]
        even = (
            f"With even dice {sure} would have won it for sure (a sum of estimates: {max(adjusted, 1 - adjusted):.1%})"
        )
    return f"{lucky} was luckier, by {abs(net):.1%} of match winning chance. {even}; {end}"


def adjusted_money(
    games: Sequence[GameReplay], game_luck: Sequence[tuple[float, float] | None], names: tuple[str, str]
) -> tuple[AdjustedResult, AdjustedResult] | None:
    """The luck-adjusted result of a money session, for both players.

    Args:
        games: the games.
        game_luck: for each of them the luck of both players in points; None where it is unknown.
        names: of players 0 and 1.

    None where a game is unfinished, or where the luck of some roll is unknown.
    """
    results: list[tuple[int, float]] = []
    for game, luck in zip(games, game_luck, strict=True):
        if game.winner is None or game.points is None or luck is None:
            return None
        results.append((game.points if game.winner == 0 else -game.points, luck[0] - luck[1]))
    if not results:
        return None
    actual = float(sum(points for points, _ in results))
    net = sum(gained for _, gained in results)
    each = [points - gained for points, gained in results]
    interval = _interval(each)
    sentence = money_sentence(names, actual, net, interval)
    return (
        AdjustedResult("points", actual, net, actual - net, interval, sentence),
        AdjustedResult("points", -actual, -net, net - actual, interval, sentence),
    )


def _interval(results: Sequence[float]) -> float | None:
    """Half the width of the 95 % interval of a sum, by the scatter of what is added up; None for a single result."""
    freedom = len(results) - 1
    if freedom < 1:
        return None
    errors = _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else _NORMAL
    return errors * stdev(results) * sqrt(len(results))


def money_sentence(names: tuple[str, str], actual: float, net: float, interval: float | None) -> str:
    """Who was luckier in a money session, and what it would have been with even dice.

    Args:
        names: of players 0 and 1.
        actual: points of player 0.
        net: his luck minus the opponent's, in points.
        interval: half the width of the 95 % interval in points.
    """
    names = told_apart(names)
    adjusted = actual - net
    end = f"the session ended {_balance(names, actual, '.0f')}."
    if abs(net) < _EVEN_POINTS:
        return f"Neither player was luckier; {end}"
    lucky = names[0] if net > 0 else names[1]
    spread = "" if interval is None else f" (give or take {interval:.2f})"
    return (
        f"{lucky} was luckier, by {abs(net):.2f} points. With even dice it would have been "
        f"{_balance(names, adjusted, '.2f')}{spread}; {end}"
    )


def _balance(names: tuple[str, str], points: float, style: str) -> str:
    text = f"{abs(points):{style}}"
    if not float(text):
        return "level"
    unit = "point" if float(text) == 1 else "points"
    return f"{text} {unit} up for {names[0] if points > 0 else names[1]}"
