"""Replaying a record: what its entries mean on the board, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily
from bgtools.replayer.budget import Budget
from bgtools.replayer.demands import NOTHING, Asked, Demands, allows, is_near, may_do
from bgtools.replayer.ending import is_sentinel
from bgtools.replayer.entries import are_shut_out, says
from bgtools.replayer.likeness import edit_distance, unlikeness
from bgtools.replayer.match import count_sound, names_gnubg, replay, replay_within
from bgtools.replayer.numbering import in_own_numbering, is_fixed
from bgtools.replayer.order import is_gap
from bgtools.replayer.sense import worth
from bgtools.replayer.turn import GameReplay, OrderViolation, Rival, Turn, TurnFault, is_claimed, plus

if TYPE_CHECKING:
    from bgtools.replayer.memory import Memory
    from bgtools.replayer.valued import (
        best_of,
        cube_in,
        cube_state,
        evaluation_in,
        in_unit,
        plays_in,
        plies,
        settled,
        with_made,
    )

__all__ = [
    "NOTHING",
    "Asked",
    "Budget",
    "Demands",
    "GameReplay",
    "Memory",
    "OrderViolation",
    "Rival",
    "Turn",
    "TurnFault",
    "allows",
    "are_shut_out",
    "best_of",
    "count_sound",
    "cube_in",
    "cube_state",
    "edit_distance",
    "evaluation_in",
    "in_own_numbering",
    "in_unit",
    "is_claimed",
    "is_fixed",
    "is_gap",
    "is_near",
    "is_sentinel",
    "may_do",
    "names_gnubg",
    "plays_in",
    "plies",
    "plus",
    "replay",
    "replay_within",
    "says",
    "settled",
    "unlikeness",
    "with_made",
    "worth",
]

# Few records hold an analysis, and few are replayed again after every change.
lazily(
    __name__,
    {
        "memory": ("Memory",),
        "valued": (
            "best_of",
            "cube_in",
            "cube_state",
            "evaluation_in",
            "in_unit",
            "plays_in",
            "plies",
            "settled",
            "with_made",
        ),
    },
)
