"""The quick way through a game in which nothing is wrong, as in nearly every one.

It goes through the entries as `bgtools.replayer.run` does, on two plain lists of checkers, and makes
no turns. It judges nothing by itself: plays are judged by the functions of the board, cube actions
by `Doubling`. At the first doubt it gives up, and the whole game is replayed in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board.board import OFF, Board
from bgtools.board.generation import can_move_on
from bgtools.board.hopping import are_dice
from bgtools.board.movement import play_on
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, Take
from bgtools.replayer.cube import Doubling
from bgtools.replayer.ending import Arrival
from bgtools.replayer.entries import is_last, is_shut_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.record import Entry, Game
    from bgtools.replayer.cube import Offer
    from bgtools.rules.cube import CubeViolation, MatchState


def sound_arrival(game: Game, match: MatchState, starter: Player | None) -> Arrival | None:
    """The end of a game in which no entry has a violation and every star marks a hit; None at the first doubt.

    Args:
        game: the record.
        match: the match before the game, seen by player 0.
        starter: who has to start, where a rule says so; else None.
    """
    if not game.start_known:
        return None
    board = game.start or match.rules.start
    sides = list(board.mine), list(board.theirs)  # the checkers of player 0 and of player 1
    seen = sides, sides[::-1]  # by player 0 and by player 1
    checkers = sum(board.mine), sum(board.theirs)
    has_opening = game.start is None and not match.rules.winner_starts
    cube = Doubling(game, match, flip=False)
    last_roller: Player | None = None
    rolls = [0, 0]
    resigned: Resign | None = None
    is_over = board.is_over
    for number, entry in enumerate(game.entries):
        if is_over:
            return None
        player = entry.player
        if player == last_roller and isinstance(entry, (CheckerPlay, Double)) and not _is_shut_out(sides, player):
            return None
        if isinstance(entry, CheckerPlay):
            if last_roller is None and not _may_start(entry, starter, has_opening=has_opening):
                return None
            if cube.offer is not None and not _is_accepted(cube, cube.offer):
                return None
            mine, theirs = seen[player]
            if not _play(mine, theirs, entry, game.entries, number):
                return None
            is_over = mine[OFF] == checkers[player]
            last_roller = player
            rolls[player] += 1
        elif isinstance(entry, Resign):
            resigned, is_over = entry, True
        else:
            opening = has_opening and last_roller is None
            if not _turn_cube(cube, entry, opening=opening, rolls=(rolls[0], rolls[1])):
                return None
            is_over = cube.dropped is not None
    return Arrival(game, match, Board(tuple(sides[0]), tuple(sides[1])), cube, resigned)


def _may_start(entry: CheckerPlay, starter: Player | None, *, has_opening: bool) -> bool:
    """Whether a roll can be the first one of a game."""
    return starter in (None, entry.player) and not (has_opening and entry.dice and entry.dice[0] == entry.dice[1])


def _is_accepted(cube: Doubling, offer: Offer) -> bool:
    """Accept a beaver or raccoon by playing on; False for a double, which takes an answer."""
    if offer.counters:
        cube.accept(offer)
    return offer.counters > 0


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
    return text.kind in ("nothing", "unknown") and is_last(entries, number)


def _is_shut_out(sides: tuple[list[int], list[int]], roller: Player) -> bool:
    """Whether a player may roll twice running, because the other one cannot come in from the bar."""
    mine, theirs = map(tuple, sides if roller == 0 else sides[::-1])
    return is_shut_out(Board(theirs, mine))


def _turn_cube(cube: Doubling, entry: Entry, *, opening: bool, rolls: tuple[int, int]) -> bool:
    """Carry out a cube action of the player who may act; False where something could be wrong with it."""
    violation: CubeViolation | None
    match entry:
        case Double() if cube.offer is None:
            violation = cube.double(entry, opening=opening, rolls=rolls, out_of_turn=False, ends_with_drop=bool)
        case Beaver():
            violation = cube.beaver(entry)
        case AutomaticDouble():
            violation = cube.double_automatically(entry, opening=opening)
        case Take():
            violation = cube.take(entry.player)
        case Drop():
            violation = cube.drop(entry.player, is_last=False)
        case _:
            return False
    return violation is None
