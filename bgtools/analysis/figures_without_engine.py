"""What can be told of a match without an engine, and errors and luck broken down by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, get_args

from bgtools.analysis.breakdowns import break_down
from bgtools.analysis.counts import add_up, count_game
from bgtools.analysis.dice import dice_report, rolls_of
from bgtools.analysis.pips import pip_course
from bgtools.analysis.races import race_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bgtools.analysis.races import RaceRow
    from bgtools.analysis.totals import Analysis, GameTotals
    from bgtools.replayer.turn import GameReplay
    from bgtools.rules.options import Ruleset


AnalysisPart = Literal["counts", "races", "dice", "breakdowns", "pips", "lessons"]
"""What an analysis holds besides its rows and totals; each takes some time."""

PARTS: Final[frozenset[AnalysisPart]] = frozenset(get_args(AnalysisPart))


def with_details(
    analysis: Analysis, games: Sequence[GameReplay], rules: Ruleset, parts: Collection[AnalysisPart] = PARTS
) -> Analysis:
    """An analysis completed by counts, races, pips, dice and break-downs.

    Args:
        analysis: the rows and the totals.
        games: the replay that they come from.
        rules: the options of the match.
        parts: which of these are wanted.
    """
    names, engine = analysis.match.players, bool(analysis.conventions.engine)
    if "counts" in parts:
        analysis = _with_counts(analysis, games)
    if "races" in parts:
        analysis = _with_races(analysis, race_rows(games, names))
    if "dice" in parts:
        analysis = replace(analysis, dice=dice_report(rolls_of(games), names))
    if "pips" in parts:
        analysis = replace(analysis, pips=pip_course(games))
    if "breakdowns" in parts:
        sorts = break_down(analysis.decisions, analysis.turns, names, crawford_rule=rules.crawford, engine=engine)
        analysis = replace(analysis, breakdowns=sorts)
    return analysis


def _with_counts(analysis: Analysis, games: Sequence[GameReplay]) -> Analysis:
    counted = [count_game(game) for game in games]
    first, second = (
        replace(total, counts=add_up(pair[total.player] for pair in counted)) for total in analysis.players
    )

    def completed(total: GameTotals) -> GameTotals:
        one, two = (replace(each, counts=counted[total.game - 1][each.player]) for each in total.players)
        return replace(total, players=(one, two))

    return replace(analysis, players=(first, second), games=tuple(map(completed, analysis.games)))


def _with_races(analysis: Analysis, races: tuple[RaceRow, ...]) -> Analysis:
    first = {row.game: row for row in reversed(races)}
    return replace(
        analysis, races=races, games=tuple(replace(total, race=first.get(total.game)) for total in analysis.games)
    )
