"""How much sense a play makes: of readings that fit alike, people are likelier to have played the better plays.

This takes no engine, only a few counts that every player makes. In real matches they rank the play that was made above
three quarters of the legal ones, which tells two readings apart where nothing else does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.record.record import CheckerPlay

if TYPE_CHECKING:
    from bgtools.board.board import Board
    from bgtools.replayer.turn import Turn

_HOME: Final = 6
_HIT: Final = 3.0
_BORNE_OFF: Final = 2.0
_POINT: Final = 0.5
_POINT_NEAR_HOME: Final = 1.2
_BLOT: Final = 0.6
"""What a blot costs where it can be hit, besides a share for the pips that are lost with it."""
_BITS: Final = (0, 2, 2, 3, 5)
"""How much rarer a play is among those made in real matches than among the legal ones, in bits, by what it gives away
of these counts: nothing, about 1, 2, 3, or 4 and more."""


def implausibility(turn: Turn) -> int:
    """How unlikely it is that somebody made the play of a turn, 0 to 5 bits; 0 where no roll is known."""
    entry = turn.entry
    if not isinstance(entry, CheckerPlay) or entry.dice is None or not are_dice(entry.dice):
        return 0
    given_away = max(worth(play.result) for play in legal_plays(turn.before, entry.dice)) - worth(turn.after)
    return _BITS[max(0, min(round(given_away), len(_BITS) - 1))]


def worth(after: Board) -> float:
    """What the counts give for the board that a play leaves, seen by its player."""
    mine, theirs = after.mine, after.theirs
    told = _HIT * theirs[BAR] + _BORNE_OFF * mine[OFF]
    for point in range(1, BAR):
        if mine[point] > 1:
            told += _POINT_NEAR_HOME if point <= _HOME + 2 else _POINT
        elif mine[point] and any(theirs[at] for at in range(BAR - point + 1, BAR + 1)):
            told -= _BLOT + (BAR - point) / 40
    return told
