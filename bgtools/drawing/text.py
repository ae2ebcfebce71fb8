"""Boards drawn with letters, for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.drawing.protocols import BAR, OFF
from bgtools.findings.finding import with_article

if TYPE_CHECKING:
    from bgtools.drawing.protocols import Drawn, State

_ROWS: Final = 5
_MINE, _THEIRS = "X", "O"
_UPPER = (range(13, 19), range(19, 25))
_LOWER = (range(12, 6, -1), range(6, 0, -1))


def draw(
    position: Drawn,
    state: State | None = None,
    *,
    names: tuple[str, str] = ("on roll", "opponent"),
    dice: tuple[int, int] | None = None,
    offered: bool = False,
    crawford_note: bool = True,
    width: int | None = None,
) -> str:
    """A board as the player on roll sees it: he is X, bears off to the lower right and moves towards 1.

    Args:
        position: the board.
        state: score and cube, seen by the player on roll; without it neither is shown.
        names: of the player on roll and of the other one.
        dice: the roll to print beside the board.
        offered: whether he has doubled and waits for the answer.
        crawford_note: whether to name the Crawford game.
        width: columns that there are. Where a note has no room beside the board, all notes stand below it. None for any
            number.
    """
    pips = position.pips
    beside = {
        0: f"{_THEIRS}  {names[1]}, {pips[1]} pips",
        8: f"rolled {dice[0]}{dice[1]}" if dice else "has doubled" if offered else "on roll",
        10: f"{_MINE}  {names[0]}, {pips[0]} pips",
    }
    if state is not None:
        away = "money"
        if state.length:
            away = f"{state.score[0]}-{state.score[1]} in {with_article(state.length)}-point match"
        if state.crawford and crawford_note:
            away += ", Crawford game"
        cube = {"centre": "centred", "mine": f"{names[0]}'s", "theirs": f"{names[1]}'s"}[state.cube.owner]
        beside |= {3: f"cube {state.cube.value}, {cube}", 5: away}
    lines = [" +13-14-15-16-17-18------19-20-21-22-23-24-+"]
    lines += [_row(position, _UPPER, row) for row in range(_ROWS)]
    lines.append(" |                  |BAR|                  |")
    lines += [_row(position, _LOWER, row) for row in reversed(range(_ROWS))]
    lines.append(" +12-11-10--9--8--7-------6--5--4--3--2--1-+")
    if off_theirs := position.theirs[OFF]:
        beside[1] = f"{off_theirs} off"
    if off_mine := position.mine[OFF]:
        beside[9] = f"{off_mine} off"
    if width is not None and any(len(lines[row + 1]) + 3 + len(note) > width for row, note in beside.items()):
        below = [beside.pop(row) for row in sorted(beside)]
        return "\n".join([*lines, *(f" {note}" for note in below)])
    for row, note in beside.items():
        lines[row + 1] += f"   {note}"
    return "\n".join(lines)


def _row(position: Drawn, halves: tuple[range, range], row: int) -> str:
    """One row of a half of the board; row 0 is the one at the rim."""
    upper = halves is _UPPER
    cells = ["".join(_cell(*_holder(position, point), row) for point in half) for half in halves]
    # The checkers on the bar stand in the middle: the player's own below, the other's above.
    count = position.theirs[BAR] if upper else position.mine[BAR]
    bar = _cell(count, _THEIRS if upper else _MINE, row)
    return f" |{cells[0]}|{bar}|{cells[1]}|"


def _holder(position: Drawn, point: int) -> tuple[int, str]:
    if position.mine[point]:
        return position.mine[point], _MINE
    return position.theirs[BAR - point], _THEIRS


def _cell(count: int, letter: str, row: int) -> str:
    if count <= row:
        return "   "
    if row == _ROWS - 1 and count > _ROWS:
        return f"{count:^3}"
    return f" {letter} "
