"""Replaying one game: at once where nothing is wrong, else as the decoder reads it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bgtools.replayer.quick import sound_arrival
from bgtools.replayer.turn import Turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.board.perspective import Player
    from bgtools.decoder.interpretation import Guide
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
    guide: Callable[[int], Guide | None],
) -> GameReplay:
    """Replay one game.

    Args:
        game: the record.
        index: its place in the match.
        state: the match before the game, seen by player 0.
        added_up: the sum of the results before it.
        following: the score line of the next game, if there is one.
        starter: who has to start, where a rule says so; else None.
        guide: tells by its place how a game is read that cannot be as it is written; None for each entry by itself.
    """
    arrival = sound_arrival(game, state, starter)
    if arrival is not None and not arrival.drops_in_silence():
        turns = Turns(make=partial(_all_turns, game, state, starter))
        result = arrival.result(index, added_up, following, turns, is_sound=True)
        if not is_contradicted(result, state.length):
            return result
    # The modules that follow a game that is not sound are imported only where there is one.
    from bgtools.replayer.run import GameRun

    return GameRun(state, game, starter, guide(index)).replay(index, added_up, following)


def is_contradicted(game: GameReplay, length: int) -> bool:
    """Whether the stated result of a game is not the one that was played; it may state what the match needed."""
    claim = game.claim
    if claim is None or game.is_odd:
        return game.is_odd
    if claim.column_speaks and claim.player != game.winner:
        return True
    if game.earned is None or game.winner is None or claim.points in (None, game.earned):
        return False
    needed = length - game.score[game.winner] if length else 0
    return not (claim.match and 0 < needed <= game.earned and claim.points in (needed, length))


def _all_turns(game: Game, state: MatchState, starter: Player | None) -> tuple[Turn, ...]:
    """The turns of a game in which nothing is wrong."""
    from bgtools.replayer.run import GameRun

    return GameRun(state, game, starter).replay(0, None, None).turns
