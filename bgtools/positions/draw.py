"""Drawing boards with letters as GNU Backgammon, eXtreme Gammon, FIBS and BGBlitz do; `pictures` reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board.board import BAR, OFF
from bgtools.positions.position import IdError, require_fifteen

if TYPE_CHECKING:
    from bgtools.board.board import Board
    from bgtools.positions.position import Position

PictureStyle = Literal["gnubg", "xg", "fibs"]
PICTURE_STYLES: Final[tuple[PictureStyle, ...]] = ("gnubg", "xg", "fibs")
"""The programs whose pictures can be drawn."""

_ROWS: Final = 5
_CROWD: Final = "0123456789ABCDEF"


@dataclass(frozen=True, slots=True)
class _Look:
    """The style of a program's boards.

    Attributes:
        margin: how many blanks stand before the board.
        indent: how many more blanks stand between the bar and the right half.
        turns: whether the rims show the numbers of the player on roll, not those of the lower player.
        bar: where checkers on the bar stand: at their own rim, or in the half where they enter, from its rim
            or from the middle on.
        rest: whether a number in the innermost row counts only the checkers that are not drawn, instead of all.
    """

    margin: str
    indent: int
    turns: bool
    bar: Literal["own rim", "rim", "middle"]
    rest: bool = False


_LOOKS: Final[dict[PictureStyle, _Look]] = {
    "gnubg": _Look(" ", 0, turns=True, bar="own rim"),
    "xg": _Look(" ", 0, turns=False, bar="middle"),
    "fibs": _Look("   ", 1, turns=False, bar="middle"),
}
_BGBLITZ: Final = _Look(" ", 0, turns=False, bar="rim", rest=True)


def encode_picture(
    situation: Position, style: PictureStyle = "gnubg", names: tuple[str, str] = ("You", "opponent")
) -> str:
    """Draw a board, X at the bottom, with the names, score, cube and dice that the program prints around it.

    Args:
        situation: the position; its upper player is O.
        style: one of `PICTURE_STYLES`.
        names: the names of X and of O, where the situation names nobody.

    Raises:
        IdError: a side has not fifteen checkers, or a name holds a line break.
    """
    require_fifteen(situation.board, "a drawn board")
    if any(situation.names):
        names = situation.names[::-1] if situation.upper else situation.names
    if not all(name.isprintable() for name in names):
        raise IdError("a name beside a drawn board has no control characters")
    lines = _board(situation, _LOOKS[style])
    if style == "gnubg":
        return "\n".join(_gnubg(situation, lines, names))
    return "\n".join(_xg(situation, lines, names) if style == "xg" else _fibs(situation, lines, names))


def encode_bgblitz_board(situation: Position, names: tuple[str, str]) -> list[str]:
    """The thirteen lines of a board as BGBlitz draws it: names and pips at the rims, the cube beside its owner.

    Args:
        situation: the position; its upper player is O.
        names: the names of X and of O.

    Raises:
        IdError: a side has not fifteen checkers.
    """
    require_fifteen(situation.board, "a drawn board")
    lines = _board(situation, _BGBLITZ)
    pips = situation.board.pips[::-1] if situation.upper else situation.board.pips
    lines[0] += f"   O: {names[1]}  {pips[1]}"
    lines[-1] += f"   X: {names[0]}  {pips[0]}"
    lines[6] = "v" + lines[6][1:]
    cube = situation.state.cube
    if cube.owner != "centre":
        shown = f"{cube.value:2}"
        rim = f" +{'-' * len(shown)}+"
        at = -4 if (cube.owner == "theirs") is situation.upper else 3
        for number, text in zip(range(at - 1, at + 2), (rim, f" |{shown}|", rim), strict=True):
            lines[number] += text
    return lines


def _board(situation: Position, look: _Look) -> list[str]:
    """The thirteen lines of the board itself."""
    position = situation.board.flipped() if situation.upper else situation.board
    turned = look.turns and situation.upper
    # The points of both halves from left to right, in the lower player's numbers.
    upper, lower = range(13, 25), range(12, 0, -1)
    rims = [_rim(points, look, is_upside_down=turned) for points in (upper, lower)]
    above = [_row(position, upper, row, look) for row in range(_ROWS)]
    below = [_row(position, lower, row, look) for row in reversed(range(_ROWS))]
    middle = f"|{' ' * 18}|BAR|{' ' * (18 + look.indent)}|"
    return [f"{look.margin}{line}" for line in (rims[0], *above, middle, *below, rims[1])]


def _rim(points: range, look: _Look, *, is_upside_down: bool) -> str:
    labels = [str(BAR - point if is_upside_down else point) for point in points]
    cells = ["".join(f"-{label:->2}" for label in labels[:6]), "".join(f"-{label:->2}" for label in labels[6:])]
    # A label stands with its last digit above its checkers.
    left, right = (cell[1:] + "-" for cell in cells)
    return f"+{left}-----{'-' * look.indent}{right}+"


def _row(board: Board, points: range, row: int, look: _Look) -> str:
    cells = []
    for point in points:
        mine, theirs = board.mine[point], board.theirs[BAR - point]
        cells.append(f" {_cell(mine or theirs, 'X' if mine else 'O', row, look)} ")
    # X bears off in the lower half, and enters in the upper half.
    is_mine = (points[0] == 13) is not (look.bar == "own rim")
    count, letter = (board.mine[BAR], "X") if is_mine else (board.theirs[BAR], "O")
    bar = _cell(count, letter, _ROWS - 1 - row if look.bar == "middle" else row, look)
    return f"|{''.join(cells[:6])}| {bar} |{' ' * look.indent}{''.join(cells[6:])}|"


def _cell(count: int, letter: str, row: int, look: _Look) -> str:
    """The sign of a point in a row; row 0 is at the rim. In the innermost row, more than five checkers are a number."""
    if count <= row:
        return " "
    if row < _ROWS - 1 or count <= _ROWS:
        return letter
    return _CROWD[count - row if look.rest else count]


def _gnubg(situation: Position, lines: list[str], names: tuple[str, str]) -> list[str]:
    state, up = situation.state, situation.upper
    cube = state.cube
    score = state.score[::-1] if up else state.score
    owner = {"centre": "", "mine": "O" if up else "X", "theirs": "X" if up else "O"}[cube.owner]
    shown = "" if situation.offered else f" (Cube: {cube.value})"
    lines[0] += f"     O: {names[1]}{shown if owner == 'O' else ''}"
    lines[-1] += f"     X: {names[0]}{shown if owner == 'X' else ''}"
    lines[1] += f"     {_points(score[1])}"
    lines[-2] += f"     {_points(score[0])}"
    lines[6] = ("^" if up else "v") + lines[6][1:]
    if not situation.offered:
        length = f"{state.length} points match" if state.length else ""
        notes = ("(Crawford game)",) if state.crawford else () if owner else (f"(Cube: {cube.value})",)
        lines[6] += "     " + " ".join(filter(None, (length, *notes)))
    dice = situation.dice
    told = (
        f"Cube offered at {2 * cube.value}"
        if situation.offered
        else f"Rolled {dice[0]}{dice[1]}"
        if dice
        else "On roll"
    )
    lines[2 if up else -3] += f"     {told}"
    pips = situation.board.pips[::-1] if up else situation.board.pips
    return [*lines, f"Pip counts: O {pips[1]}, X {pips[0]}"]


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def _xg(situation: Position, lines: list[str], names: tuple[str, str]) -> list[str]:
    state, up = situation.state, situation.upper
    score = state.score[::-1] if up else state.score
    pips = situation.board.pips[::-1] if up else situation.board.pips
    owner = {"centre": "", "mine": "O" if up else "X", "theirs": "X" if up else "O"}[state.cube.owner]
    roller = "O" if up else "X"
    length = f"{state.length} pt.(s) match." if state.length else "Unlimited Game"
    crawford = ", Crawford game" if state.crawford else ""
    dice = situation.dice
    return [
        f"X:{names[0]}   O:{names[1]}",
        f"Score is X:{score[0]} O:{score[1]} {length}{crawford}",
        *lines,
        f"Pip count  X: {pips[0]}  O: {pips[1]} X-O: {score[0]}-{score[1]}{f'/{state.length}' if state.length else ''}",
        f"Cube: {state.cube.value}{f', {owner} own cube' if owner else ''}",
        f"{roller} to play {dice[0]}{dice[1]}" if dice else f"{roller} on roll, cube action",
    ]


def _fibs(situation: Position, lines: list[str], names: tuple[str, str]) -> list[str]:
    state, up = situation.state, situation.upper
    score = state.score[::-1] if up else state.score
    mine, theirs = (situation.board.theirs, situation.board.mine) if up else (
        situation.board.mine, situation.board.theirs,
    )  # fmt: skip
    owner = {"centre": "", "mine": names[1] if up else names[0], "theirs": names[0] if up else names[1]}[
        state.cube.owner
    ]
    away = f"BAR: O-{theirs[BAR]} X-{mine[BAR]}   OFF: O-{theirs[OFF]} X-{mine[OFF]}"
    owned = f" (owned by {owner})" if owner else ""
    roller = names[1] if up else names[0]
    dice = situation.dice
    lines[0] += f" O: {names[1]} - score: {score[1]}"
    lines[-1] += f" X: {names[0]} - score: {score[0]}"
    lines[6] = f"  v{lines[6][3:]}    " + (f"{state.length}-point match" if state.length else "unlimited match")
    turn = f"{roller} rolled {dice[0]} {dice[1]}." if dice else f"turn: {roller}"
    return [
        *lines,
        "",
        f"   {away}   Cube: {state.cube.value}{owned}  {turn}",
    ]
