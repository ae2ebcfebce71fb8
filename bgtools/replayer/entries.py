"""What entries say, and where a roll or its play need not be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board.board import BAR
from bgtools.record.record import CheckerPlay, Double

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board
    from bgtools.record.record import Entry


def says(entry: Entry) -> tuple[object, ...]:
    """What an entry says, wherever it stands."""
    if isinstance(entry, CheckerPlay):
        return CheckerPlay, entry.player, entry.dice, str(entry.text)
    return type(entry), entry.player, getattr(entry, "value", None)


def is_last(entries: Sequence[Entry], index: int) -> bool:
    """Whether no play and no double follows, so that the game ended or broke off with this roll."""
    return not any(isinstance(entry, CheckerPlay | Double) for entry in entries[index + 1 :])


def is_shut_out(seen: Board) -> bool:
    """Whether no roll could bring the player in from the bar; such turns are often not recorded."""
    return are_shut_out(seen.mine, seen.theirs)


def are_shut_out(mine: Sequence[int], theirs: Sequence[int]) -> bool:
    """Whether no roll could bring a player in from the bar, by their checkers and the other player's."""
    return mine[BAR] > 0 and all(theirs[point] > 1 for point in range(1, 7))
