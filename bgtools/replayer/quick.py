"""The quick way through a game in which nothing is wrong, as in nearly every one.

It goes through the entries as `bgtools.replayer.run` does, but makes no turns. It judges nothing by itself: plays are
judged by the functions of the board, cube actions by the state of the game. At the first doubt it gives up, and the
whole game is replayed in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board.board import BAR
from bgtools.board.generation import can_move_on
from bgtools.board.hopping import are_dice
from bgtools.board.movement import play_on
from bgtools.decoder.entries import is_last
from bgtools.record.record import CheckerPlay, Double, Resign, SetBoard
from bgtools.record.state import GameState
from bgtools.replayer.ending import Arrival

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.record import Entry, Game
    from bgtools.rules.cube import MatchState


def sound_arrival(game: Game, match: MatchState, starter: Player | None) -> Arrival | None:
    """The end of a game in which no entry has a violation and every star marks a hit; None at the first doubt.

    Args:
        game: the record.
        match: the match before the game, seen by player 0.
        starter: who has to start, where a rule says so; else None.
    """
    if not game.start_known or (game.start is not None and game.start.is_over and game.entries):
        return None
    state = GameState(match, game.start, game.start_cube, game.start_owner)
    seen = state.sides, state.sides[::-1]  # by player 0 and by player 1
    rolled, entries = state.rolled, game.entries
    resigned: Resign | None = None
    unmarked = 0
    for number, entry in enumerate(entries):
        if state.over is not None:
            return None
        if isinstance(entry, CheckerPlay):
            player = entry.player
            if player == state.last and not state.may_act(player):
                return None
            if state.last is None and not _may_start(state, entry, starter):
                return None
            if state.offer is not None and not state.offer.counters:
                return None
            mine, theirs = seen[player]
            hits = theirs[BAR]
            if not _play(mine, theirs, entry, entries, number):
                return None
            unmarked += theirs[BAR] - hits > len(entry.text.hits)
            rolled(player)
        elif isinstance(entry, Resign):
            resigned = entry
            state.resign(entry.player)
        elif not _turn_cube(state, entry):
            return None
    return Arrival(game, match, state, resigned, unmarked)


def _may_start(state: GameState, entry: CheckerPlay, starter: Player | None) -> bool:
    """Whether a roll can be the first one of a game."""
    tied = state.is_opening and entry.dice is not None and entry.dice[0] == entry.dice[1]
    return starter in (None, entry.player) and not tied


def _play(mine: list[int], theirs: list[int], entry: CheckerPlay, entries: Sequence[Entry], number: int) -> bool:
    """Play a roll on two sides; False where something could be wrong with it."""
    dice, text = entry.dice, entry.text
    if dice is None:
        return False
    if text.hops:
        if text.kind != "moves":
            return False
        played = play_on(mine, theirs, dice, text)
        # A star may stand where nothing is hit.
        return bool(played) and (not text.hits or {end for _, end, hit in played if hit}.issuperset(text.hits))
    if not are_dice(dice):
        return False
    if text.kind in ("nothing", "moves", "dance") and not can_move_on(mine, theirs, dice):
        return True
    # What was played with the last roll of a game need not be written.
    return text.kind in ("nothing", "unknown") and is_last(entries[number + 1 :])


def _turn_cube(state: GameState, entry: Entry) -> bool:
    """Carry out a cube action; False where something could be wrong with it."""
    if isinstance(entry, SetBoard) or state.why_not(entry) is not None:
        return False
    state.follow(entry)
    return not (isinstance(entry, Double) and state.seen(entry.player).is_cube_dead)
