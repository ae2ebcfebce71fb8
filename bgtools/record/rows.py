"""The rows of a game's list of moves, by which people find an entry in a record."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from bgtools.record.record import NOWHERE, SetBoard

if TYPE_CHECKING:
    from bgtools.record.record import Game

_NUMBER: Final = re.compile(r"\s*(\d{1,6})\s*[).:]\s*")


def rows_of(game: Game, text: str = "") -> tuple[int, ...]:
    """The row in which each entry of a game stands, as the record numbers its rows.

    Where it numbers none, rows are counted from 1 as match text has them: a row has a cell for each player, the left
    one's first, and every roll, double and answer has a cell of its own.

    Args:
        game: the record of the game.
        text: what its spans belong to; empty where the record is no text.
    """
    marks = ((mark.start, _NUMBER.fullmatch(text, *mark)) for mark in game.marks)
    numbered = [(start, int(number[1])) for start, number in marks if number]
    found: list[int] = []
    row, filled = 1, -1  # the column of the last cell that is filled
    for entry in game.entries:
        if not isinstance(entry, SetBoard):
            column = int(entry.player != game.left)
            row += filled >= column
            filled = column
        number = row
        if numbered:
            before = bisect_right(numbered, (entry.span.start, 0)) if entry.span != NOWHERE else 0
            number = numbered[before - 1][1] if before else found[-1] if found else row
        found.append(number)
    return tuple(found)
