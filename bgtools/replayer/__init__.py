"""Replaying a record: what its entries mean on the board, turn by turn."""

from __future__ import annotations

from bgtools.replayer.ending import is_sentinel
from bgtools.replayer.match import is_fixed, replay
from bgtools.replayer.recovery import says
from bgtools.replayer.turn import GameReplay, OrderViolation, Turn, TurnFault, is_claimed

__all__ = [
    "GameReplay",
    "OrderViolation",
    "Turn",
    "TurnFault",
    "is_claimed",
    "is_fixed",
    "is_sentinel",
    "replay",
    "says",
]
