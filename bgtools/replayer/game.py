"""Replaying one game: at once where nothing is wrong, else in the reading that leaves the fewest contradictions.

The modules that look for such a reading are imported only for a game that needs one.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bgtools.replayer.budget import Budget
from bgtools.replayer.costs import has_wrong_winner, wrong_points
from bgtools.replayer.quick import sound_arrival
from bgtools.replayer.turn import Turns

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.record.record import Game
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.cube import MatchState


def replay_game(
    game: Game,
    index: int,
    state: MatchState,
    added_up: tuple[int, int] | None,
    following: tuple[int, int] | None,
    starter: Player | None,
    budget: Budget,
) -> GameReplay:
    """Replay one game, in the reading that leaves the fewest contradictions.

    Args:
        game: the record.
        index: its place in the match.
        state: the match before the game, seen by player 0.
        added_up: the sum of the results before it.
        following: the score line of the next game, if there is one.
        starter: who has to start, where a rule says so; else None.
        budget: how many faults may still be looked into in the match.
    """
    arrival = sound_arrival(game, state, starter)
    if arrival is not None and not arrival.drops_in_silence():
        turns = Turns(make=partial(_all_turns, game, state, starter))
        result = arrival.result(index, added_up, following, turns, is_sound=True)
        if not has_wrong_winner(result) and not wrong_points(result, state.length):
            return result
    from bgtools.replayer.readings import GameReadings

    return GameReadings(game, index, state, added_up, following, starter, budget).best()


def _all_turns(game: Game, state: MatchState, starter: Player | None) -> tuple[Turn, ...]:
    """The turns of a game in which nothing is wrong."""
    from bgtools.replayer.run import GameRun

    played = GameRun(state, game, starter, Budget())
    result = played.replay(0, None, None)
    assert result is not None
    return result.turns
