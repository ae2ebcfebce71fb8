"""What a notation of a position tells: a board and as much of the match as it holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board import BAR, OFF, Board, are_dice
from bgtools.rules import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board import Dice
    from bgtools.drawing import Svg
    from bgtools.rules import Level

CHECKERS: Final = 15
"""How many checkers a side has where a notation does not say."""
LARGEST_CUBE: Final = 30
"""The largest cube that is believed, as a power of two."""

Offer = Literal["", "double", "beaver", "raccoon"]
"""What is on the table: nothing, a double, or what it was answered with."""


class IdError(ValueError):
    """A text is no valid ID, or a notation has no place for a position. The message says why."""


@dataclass(frozen=True, slots=True)
class Position:
    """What an ID tells: a board, seen by the player on roll, and as much of the match as it holds.

    Attributes:
        board: the checkers.
        state: score and cube, the cube as it was before an offer; a money session where the ID does not say.
        dice: the roll, if one was thrown.
        offer: what the player on roll, who has doubled then, or his opponent has put on the table.
        resigned: what somebody offers to lose, in games: 1, 2 for a gammon, 3 for a backgammon.
        resigner: who does so.
        upper: whether the player on roll is the one whom the notation keeps at the top of the board: lower
            case in an XGID, player 0 of GNU Backgammon, White in an OGID, the second name of a FIBS board.
        names: of the player on roll and of the other one; "" where the ID does not say.
    """

    board: Board
    state: MatchState = field(default_factory=MatchState)
    dice: Dice | None = None
    offer: Offer = ""
    resigned: Level | None = None
    resigner: Literal["mine", "theirs"] = "mine"
    upper: bool = False
    names: tuple[str, str] = ("", "")

    @property
    def offered(self) -> bool:
        """Whether a double is on the table."""
        return bool(self.offer)

    def draw(self) -> Svg:
        """The board as a picture, with score, cube and dice."""
        from bgtools.drawing import draw_board

        return draw_board(self.board, self.state, dice=self.dice, names=self.names, offered=self.offered)

    def _repr_svg_(self) -> str:
        return self.draw()


def require_fifteen(board: Board, what: str) -> None:
    """Refuse a board that a notation has no place for.

    Raises:
        IdError: the players have not fifteen checkers.
    """
    if any(sum(side) != CHECKERS for side in (board.mine, board.theirs)):
        raise IdError(f"{what} has fifteen checkers a side")


def complete(mine: list[int], theirs: list[int], total: int = CHECKERS) -> Board:
    """A position from the checkers in play; the rest is borne off.

    Raises:
        IdError: a side has too many checkers, or both hold one point.
    """
    for point in range(1, BAR):
        if mine[point] and theirs[BAR - point]:
            raise IdError(f"both players have checkers on the {point}-point of the player on roll")
    for side in (mine, theirs):
        side[OFF] = total - sum(side[1:])
        if side[OFF] < 0:
            raise IdError(f"a side has {sum(side[1:])} checkers, {total} is all there are")
    return Board(tuple(mine), tuple(theirs))


def from_signed(points: list[int] | tuple[int, ...], total: int = CHECKERS) -> Board:
    """A position from 26 numbers, positive for the player on roll: the other one's bar, points 1 to 24, his own bar.

    Raises:
        IdError: the numbers are no possible board.
    """
    mine, theirs = [0] * 26, [0] * 26
    for point, count in enumerate(points):
        if count > 0:
            mine[point] = count
        elif count < 0:
            theirs[BAR - point] = -count
    if mine[OFF] or theirs[OFF]:
        raise IdError("the first number is the other player's bar, 0 or less, and the last one's own, 0 or more")
    return complete(mine, theirs, total)


def signed_board(points: Sequence[int]) -> Board | None:
    """The board of 26 numbers, as `from_signed` reads them; None where there is none."""
    try:
        return from_signed(tuple(points))
    except IdError:
        return None


def to_signed(position: Board) -> tuple[int, ...]:
    """The 26 numbers that `from_signed` reads."""
    between = (position.mine[point] - position.theirs[BAR - point] for point in range(1, BAR))
    return (-position.theirs[BAR], *between, position.mine[BAR])


def to_letters(position: Board) -> str:
    """The 26 letters of XGID and ``Set Pos``: the places of `to_signed`, A or a for one checker, - for none."""
    return "".join(
        "-" if not count else chr((ord("A") if count > 0 else ord("a")) + abs(count) - 1)
        for count in to_signed(position)
    )


def read_letters(text: str) -> tuple[list[int], list[int]]:
    """The checkers that `to_letters` gives, capitals first, each side in its own numbering.

    Nothing else is looked at: at 0 may stand what the first or the last letter has of the wrong side.
    """
    mine, theirs = [0] * 26, [0] * 26
    for point, char in enumerate(text):
        if char.isupper():
            mine[point] = ord(char) - ord("A") + 1
        elif char.islower():
            theirs[BAR - point] = ord(char) - ord("a") + 1
    return mine, theirs


def from_letters(text: str) -> Board:
    """The position that `to_letters` gives.

    Raises:
        IdError: the letters are no possible board.
    """
    mine, theirs = read_letters(text)
    if mine[OFF] or theirs[OFF]:
        raise IdError("the first letter is the upper player's bar, the last one the lower player's")
    return complete(mine, theirs)


def exponent(value: int) -> int:
    """The power of two that the cube shows."""
    return value.bit_length() - 1


def cube_of(power: int) -> int:
    """The cube's value for a power of two.

    Raises:
        IdError: no cube is that large.
    """
    if power > LARGEST_CUBE:
        raise IdError(f"the cube is given as a power of two, {LARGEST_CUBE} at most, and this says {power}")
    return 1 << power


def dice_of(first: int, second: int, notation: str) -> Dice | None:
    """A roll; None for two zeros.

    Raises:
        IdError: a number that no die shows.
    """
    if first == second == 0:
        return None
    if not are_dice((first, second)):
        raise IdError(f"the dice {first} and {second} of the {notation} are not possible")
    return first, second
