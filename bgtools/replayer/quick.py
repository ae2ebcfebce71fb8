"""The quick way through a game in which nothing is wrong, as in nearly every one.

It goes through the entries as `bgtools.replayer.game` does, on two plain lists of checkers, and makes
no turns. It judges nothing by itself: plays are judged by the functions of the board, cube actions
by `Doubling`. At the first doubt it gives up, and the whole game is replayed in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board import Board, Violation, are_dice, can_move_on, numbers, play_in_order, resolve
from bgtools.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, Take
from bgtools.replayer.cube import Doubling
from bgtools.replayer.ending import Arrival
from bgtools.replayer.recovery import is_last, is_shut_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board import Dice, Hop, HopText, Player
    from bgtools.record import Entry, Game
    from bgtools.rules import CubeViolation, MatchState


def sound_arrival(game: Game, state: MatchState, starter: Player | None) -> Arrival | None:
    """Where a game comes to if no entry of it has a violation and every star stands on a hit; None at the first doubt.

    Args:
        game: the record.
        state: the match before the game, seen by player 0.
        starter: who starts by the rules, where one of them says so.
    """
    course = _Course(game, state, starter)
    if not game.start_known or not all(course.goes_on(*each) for each in enumerate(game.entries)):
        return None
    return Arrival(game, state, Board(tuple(course.sides[0]), tuple(course.sides[1])), course.cube, course.resigned)


class _Course:
    """The board and the cube of one game while its entries go by without a fault."""

    def __init__(self, game: Game, state: MatchState, starter: Player | None) -> None:
        board = game.start or state.rules.start
        self.entries = game.entries
        self.starter = starter
        self.sides = list(board.mine), list(board.theirs)  # of either player
        self.cube = Doubling(game, state, flip=False)
        self.last_roller: Player | None = None
        self.rolls = [0, 0]
        self.resigned: Resign | None = None
        self.is_over = board.is_over
        self.has_opening = game.start is None and not state.rules.winner_starts

    def goes_on(self, number: int, entry: Entry) -> bool:
        """Carry out an entry; False where something could be wrong with it."""
        if self.is_over:
            return False
        return self._play(number, entry) if isinstance(entry, CheckerPlay) else self._act(number, entry)

    def _play(self, number: int, entry: CheckerPlay) -> bool:
        player, dice, text = entry.player, entry.dice, entry.text
        if self.cube.offer is not None:
            # Who plays on has accepted a beaver; a double must be answered.
            if not self.cube.offer.counters:
                return False
            self.cube.accept(self.cube.offer)
        if dice is None or not are_dice(dice) or self._has_rolled(player):
            return False
        if self.last_roller is None and not self._may_start(player, dice):
            return False
        mine, theirs = self.sides if player == 0 else self.sides[::-1]
        if text.hops:
            if text.kind != "moves" or not _carry_out(mine, theirs, dice, text.hops):
                return False
            self.is_over = not any(mine[1:])
        elif text.kind in ("nothing", "moves", "dance"):
            # Behind the last roll of a game nobody need write what was played with it.
            if can_move_on(mine, theirs, dice) and not (text.kind == "nothing" and is_last(self.entries, number)):
                return False
        elif text.kind != "unknown" or not is_last(self.entries, number):
            return False
        self.last_roller = player
        self.rolls[player] += 1
        return True

    def _may_start(self, player: Player, dice: Dice) -> bool:
        """Whether a player may begin the game with a roll."""
        return self.starter in (None, player) and not (self.has_opening and dice[0] == dice[1])

    def _has_rolled(self, player: Player) -> bool:
        """Whether a player would have two turns running, and the other one could have come in from the bar."""
        if player != self.last_roller:
            return False
        mine, theirs = map(tuple, self.sides if player == 0 else self.sides[::-1])
        return not is_shut_out(Board(theirs, mine))

    def _act(self, number: int, entry: Entry) -> bool:
        """Turn or refuse the cube, or give the game up."""
        cube, player = self.cube, entry.player
        violation: CubeViolation | None = None
        match entry:
            case Double():
                opening = self.has_opening and self.last_roller is None
                if cube.offer is not None or self._has_rolled(player):
                    return False
                rolls = self.rolls[0], self.rolls[1]
                violation = cube.double(
                    entry, opening=opening, rolls=rolls, out_of_turn=False, ends_with_drop=lambda: False
                )
            case Beaver():
                violation = cube.beaver(entry)
            case AutomaticDouble():
                opening = self.has_opening and self.last_roller is None
                violation = cube.double_automatically(entry, opening=opening)
            case Take():
                violation = cube.take(player)
            case Drop():
                violation = cube.drop(player, is_last=number == len(self.entries) - 1)
                self.is_over = True
            case Resign():
                self.resigned, self.is_over = entry, True
            case _:
                return False
        return violation is None


def _carry_out(mine: list[int], theirs: list[int], dice: Dice, hops: Sequence[HopText]) -> bool:
    """Play written groups on two sides; False where the play is not legal, or a star may stand where nothing is hit."""
    before = tuple(mine), tuple(theirs)
    played: Sequence[Hop] | None = play_in_order(mine, theirs, dice, hops)
    if played is None or len(played) < len(numbers(dice)):
        found = resolve(Board(*before), dice, hops)
        if isinstance(found, Violation):
            return False
        mine[:], theirs[:] = found.result.mine, found.result.theirs
        played = found.hops
    starred = [
        point
        for hop in hops
        if True in hop.stars
        for point, star in zip(hop.points[1:], hop.stars, strict=True)
        if star
    ]
    return not starred or {hop.end for hop in played if hop.hit}.issuperset(starred)
