"""The board: checkers, plays and which of them are legal. Everything else stands on this."""

from __future__ import annotations

from bgtools.board import words
from bgtools.board.board import BAR, OFF, START, Board, Checkers, Dice, checkers, pip_count, rearmost
from bgtools.board.generation import can_move, can_move_on, hits_of, legal_plays, only_play, perft
from bgtools.board.hopping import Step, are_dice, numbers
from bgtools.board.hops import hops_of
from bgtools.board.movement import apply, explain, find_play, forced, play_on, resolve
from bgtools.board.notation import ascends, in_own_numbering, mirrored_hop, parse_hop, read_play
from bgtools.board.perspective import Player, mirrored, other, view
from bgtools.board.play import (
    Hop,
    HopText,
    Leg,
    Play,
    PlayKind,
    PlayText,
    changes,
    format_play,
    moves,
    point_name,
    steps,
)
from bgtools.board.violation import Reason, Violation

__all__ = [
    "BAR",
    "OFF",
    "START",
    "Board",
    "Checkers",
    "Dice",
    "Hop",
    "HopText",
    "Leg",
    "Play",
    "PlayKind",
    "PlayText",
    "Player",
    "Reason",
    "Step",
    "Violation",
    "apply",
    "are_dice",
    "ascends",
    "can_move",
    "can_move_on",
    "changes",
    "checkers",
    "explain",
    "find_play",
    "forced",
    "format_play",
    "hits_of",
    "hops_of",
    "in_own_numbering",
    "legal_plays",
    "mirrored",
    "mirrored_hop",
    "moves",
    "numbers",
    "only_play",
    "other",
    "parse_hop",
    "perft",
    "pip_count",
    "play_on",
    "point_name",
    "read_play",
    "rearmost",
    "resolve",
    "steps",
    "view",
    "words",
]
