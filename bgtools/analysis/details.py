"""Everything about a match that takes no engine to know, and errors and luck divided by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.analysis.breakdowns import break_down
from bgtools.analysis.counts import add_up, count_game
from bgtools.analysis.dice import dice_report, rolls_of
from bgtools.analysis.openings import opening_name
from bgtools.analysis.phases import phase_of_turn
from bgtools.analysis.races import race_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.rows import TurnRow
    from bgtools.analysis.totals import Analysis, GameTotals
    from bgtools.replayer import GameReplay, Turn
    from bgtools.rules import Ruleset


def with_details(analysis: Analysis, games: Sequence[GameReplay], rules: Ruleset) -> Analysis:
    """An analysis completed by phases, openings' names, counts, races, dice and break-downs.

    Args:
        analysis: the rows and the totals.
        games: the replay that they come from.
        rules: the options of the match.
    """
    entries = {(game.index + 1, turn.index + 1): (game, turn) for game in games for turn in game.turns}
    turns = tuple(_turn(row, *entries[row.game, row.entry]) for row in analysis.turns)
    decisions = tuple(
        replace(row, phase=phase_of_turn(*entries[row.game, row.entry], row.player)) for row in analysis.decisions
    )
    names = analysis.match.players
    counted = [count_game(game) for game in games]
    races = race_rows(games, names)
    first_race = {row.game: row for row in reversed(races)}
    first, second = (
        replace(total, counts=add_up(pair[total.player] for pair in counted)) for total in analysis.players
    )

    def completed(total: GameTotals) -> GameTotals:
        one, two = (replace(each, counts=counted[total.game - 1][each.player]) for each in total.players)
        return replace(total, players=(one, two), race=first_race.get(total.game))

    return replace(
        analysis,
        turns=turns,
        decisions=decisions,
        players=(first, second),
        games=tuple(completed(total) for total in analysis.games),
        races=races,
        dice=dice_report(rolls_of(games), names),
        breakdowns=break_down(
            decisions, turns, names, crawford_rule=rules.crawford, engine=bool(analysis.conventions.engine)
        ),
    )


def _turn(row: TurnRow, game: GameReplay, turn: Turn) -> TurnRow:
    return replace(row, phase=phase_of_turn(game, turn, turn.player), opening_play=opening_name(game, turn))
