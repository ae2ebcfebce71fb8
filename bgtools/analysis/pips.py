"""Pip counts along a match. No engine is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.record.record import CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.replayer.turn import GameReplay, Turn


@dataclass(frozen=True, slots=True)
class Pips:
    """Pip counts around one entry, of the player who acts and of the other, before and after it."""

    own: int
    other: int
    own_after: int
    other_after: int


def pips_of(turn: Turn) -> Pips:
    """The pip counts around an entry."""
    return Pips(*turn.before.pips, *turn.after.pips)


@dataclass(frozen=True, slots=True)
class PipPoint:
    """Both pip counts at one moment of a game.

    Attributes:
        game: number of the game in the record, from 1.
        roll: how many rolls have been played, from 0 for the start of the game.
        player: who rolled last; None at the start.
        pips: pip counts by player.
    """

    game: int
    roll: int
    player: int | None
    pips: tuple[int, int]


def pip_course(games: Iterable[GameReplay]) -> tuple[PipPoint, ...]:
    """Both pip counts at the start of each game and after every roll of it."""
    course: list[PipPoint] = []
    for game in games:
        number = game.index + 1
        if game.turns:
            first = game.turns[0]
            course.append(PipPoint(number, 0, None, _by_player(first.player, first.before.pips)))
        rolls = [turn for turn in game.turns if isinstance(turn.entry, CheckerPlay) and not turn.is_surplus]
        course.extend(
            PipPoint(number, roll, turn.player, _by_player(turn.player, turn.after.pips))
            for roll, turn in enumerate(rolls, start=1)
        )
    return tuple(course)


def _by_player(player: int, pips: tuple[int, int]) -> tuple[int, int]:
    return pips if player == 0 else pips[::-1]
