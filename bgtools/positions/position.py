"""Positions: a board with as much of the match as a notation states, and the plays from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from operator import sub
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools._notebooks import grid_of
from bgtools.board.board import BAR, OFF, START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.play import Play
from bgtools.rules.cube import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.board.board import Checkers, Dice
    from bgtools.drawing.shapes import Picture
    from bgtools.drawing.svg import Svg
    from bgtools.rules.worth import Level

CHECKERS: Final = 15
"""How many checkers a side has, unless a notation says otherwise."""
LARGEST_CUBE: Final = 30
"""The largest cube that is read, as a power of two."""

Offer = Literal["", "double", "beaver", "raccoon"]
"""The offer that waits for an answer: none, a double, or a beaver or raccoon that answered one."""
OFFERS: Final[tuple[Offer, ...]] = ("double", "beaver", "raccoon")
"""What is offered, by how often the double has been doubled back."""


class IdError(ValueError):
    """A text is not a valid ID, or a notation cannot hold a position. The message says why.

    >>> try:
    ...     bgtools.Position.from_id("XGID=nonsense")
    ... except bgtools.IdError as error:
    ...     print(error)
    an XGID has 26 letters or dashes and nine numbers, all parted by colons
    """


class _Id(str):
    """The text of an ID, which may be asked for as if it were a method, as it was before."""

    __slots__ = ()

    def __call__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Position:
    """A board, seen by the player on roll, and as much of the match as is known.

    >>> position = bgtools.Position.from_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
    >>> [str(play) for play in position.legal_plays()][:3]
    ['24/23 24/21', '24/20', '24/21 8/7']
    >>> after = position.play("8/5 6/5")
    >>> after.xgid
    'XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:7:10'
    >>> after.pips
    (167, 163)

    Attributes:
        board: the checkers; the standard start by default.
        state: score and cube, with the cube as it was before an offer; a money session by default.
        dice: the roll; None before it.
        offer: the double that the player on roll has offered, or the beaver or raccoon that followed; "" for none.
        resigned: the level of an offered resignation: 1 for a single game, 2 for a gammon, 3 for a backgammon.
        resigner: who offers to resign.
        upper: whether the player on roll is the one whom the notation keeps at the top of the board: lower
            case in an XGID, player 0 of GNU Backgammon, White in an OGID, the second name of a FIBS board.
        names: the names of the player on roll and of the other player; "" where they are not known.
    """

    board: Board = START
    state: MatchState = field(default_factory=MatchState)
    dice: Dice | None = None
    offer: Offer = ""
    resigned: Level | None = None
    resigner: Literal["mine", "theirs"] = "mine"
    upper: bool = False
    names: tuple[str, str] = ("", "")

    # --- notations --------------------------------------------------------------------------

    @classmethod
    def from_id(cls, text: str) -> Position:
        """Read a position in any notation: XGID, GNU ID, OGID, FIBS board, Snowie line, 26 numbers, a drawn board.

        >>> bgtools.Position.from_id("4HPwATDgc/ABMA:MBlgAAAAAAAA").state.length
        3

        Raises:
            IdError: the text is not a position in any notation.
        """
        from bgtools.positions.notations import decode_id

        return decode_id(text)

    @classmethod
    def from_checkers(cls, mine: Mapping[int, int], theirs: Mapping[int, int], dice: Dice | None = None) -> Position:
        """A position of a money session from ``{point: checkers}`` for each side, in that player's own numbering.

        25 is the bar. The rest of each side's fifteen checkers is borne off.

        >>> bgtools.Position.from_checkers({6: 2, 5: 2}, {1: 3}).pips
        (22, 3)

        Raises:
            ValueError: the checkers are not a possible board.
        """
        return cls(complete(list(checkers(dict(mine))), list(checkers(dict(theirs)))), dice=dice)

    def id(self, notation: str = "xgid") -> str:
        """The position in a notation: ``xgid``, ``gnubg``, ``ogid``, ``fibs``, ``snowie``, ``set-pos`` and others.

        >>> bgtools.Position().id("gnubg")
        '4HPwATDgc/ABMA:cAkAAAAAAAAE'

        Raises:
            IdError: there is no such notation, or it cannot hold this position.
        """
        from bgtools.positions.notations import encode_id

        return encode_id(self, notation)

    @property
    def xgid(self) -> str:
        """The position as eXtreme Gammon writes it.

        >>> bgtools.Position().xgid
        'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'

        Raises:
            IdError: a side has not fifteen checkers.
        """
        return _Id(self.id("xgid"))

    @property
    def gnubg_id(self) -> str:
        """The position as GNU Backgammon writes it: Position ID and Match ID with a colon between them.

        Raises:
            IdError: a side has not fifteen checkers, or a number is too large.
        """
        return _Id(self.id("gnubg"))

    @property
    def ogid(self) -> str:
        """The position as OpenGammon writes it.

        Raises:
            IdError: an OGID cannot hold this position.
        """
        return _Id(self.id("ogid"))

    # --- what it shows ----------------------------------------------------------------------

    @property
    def mine(self) -> Checkers:
        """The checkers of the player on roll: 26 counts, at 0 those borne off, at 1 to 24 the points, at 25 the bar."""
        return self.board.mine

    @property
    def theirs(self) -> Checkers:
        """The checkers of the other player, in their own numbering."""
        return self.board.theirs

    @property
    def pips(self) -> tuple[int, int]:
        """Pip counts of the player on roll and of the other one."""
        return self.board.pips

    @property
    def is_over(self) -> bool:
        """Whether either side has no checker left in play."""
        return self.board.is_over

    @property
    def is_contact(self) -> bool:
        """Whether some checker still has to pass one of the other side."""
        return self.board.is_contact

    @property
    def offered(self) -> bool:
        """Whether a double is on the table."""
        return bool(self.offer)

    # --- playing on -------------------------------------------------------------------------

    def flipped(self) -> Position:
        """The position with the other player on roll, without the roll and the offers of the position.

        >>> bgtools.Position().flipped().flipped() == bgtools.Position()
        True
        """
        return replace(
            self,
            board=self.board.flipped(),
            state=self.state.flipped(),
            dice=None,
            offer="",
            resigned=None,
            resigner="mine",
            upper=not self.upper,
            names=self.names[::-1],
        )

    def legal_plays(self, dice: Dice | str | None = None) -> tuple[Play, ...]:
        """The legal plays, one for each board that they can lead to. A dance is one play without hops.

        >>> len(bgtools.Position().legal_plays("31"))
        16

        Args:
            dice: the roll, as ``(3, 1)`` or ``"31"``; None for the position's own.

        Raises:
            ValueError: there are no dice, or they are not possible.
        """
        return legal_plays(self.board, self._roll(dice))

    def play(self, play: str | Play, dice: Dice | str | None = None) -> Position:
        """The position after a play, with the other player on roll and no dice.

        >>> bgtools.Position().play("13/7 8/7").play("24/20 13/11").pips
        (160, 161)
        >>> bgtools.Position(dice=(6, 1)).play("13/7")
        Traceback (most recent call last):
            ...
        ValueError: the player on roll leaves a 1 unplayed (1 was playable: 24/23, 24/18)

        Args:
            play: the play, or a text in any spelling, which may begin with the roll: ``"61: 13/7 8/7"``.
            dice: the roll; None for the position's own, or, if it has none, for the roll that the hops show.

        Raises:
            ValueError: the play is not legal, and the message says why and which plays are; or the hops do not show
                the roll, a double waits for its answer, or the game is over.
        """
        from bgtools.positions.playing import play_of

        if self.is_over:
            raise ValueError("the game is over: a side has borne off all its checkers")
        if self.offer:
            raise ValueError("a double is on the table; nothing can be played before it is answered")
        rolled = None if dice is None and self.dice is None else self._roll(dice)
        text = play if isinstance(play, str) else str(play) or "Cannot Move"
        found = play_of(self.board, text, rolled, self.names)
        if isinstance(play, Play) and play.result != found.result:
            raise ValueError(f"{play} was found in another position")
        return replace(self, board=found.result).flipped()

    def at_scores(self, to: int = 7, **options: Any) -> Any:
        """What is right at every score up to so many points away, and for money, as a `ScoreGrid`.

        >>> race = bgtools.Position.from_id("XGID=-----CCCCC---c---cccc-----:0:0:1:00:0:0:0:7:10")
        >>> race.at_scores(3, level="quick").at("3", "2").best
        'Double, take'

        Args:
            to: points away of the farthest scores.
            options: ``engine``, ``level``, ``met`` and ``made``; see `bgtools.analysis.score_grid.at_scores`.

        Raises:
            ValueError: the game is over, there is nothing to decide on, or a score lies beyond the table.
        """
        return grid_of(self, "scores", to, **options)

    def at_cubes(self, **options: Any) -> Any:
        """The same with the cube in the middle, or at 2 and more of either player; the score stays."""
        return grid_of(self, "cubes", **options)

    def _roll(self, dice: Dice | str | None) -> Dice:
        from bgtools.positions.playing import roll_of

        if dice is None:
            dice = self.dice
        if dice is None:
            raise ValueError('the position has no dice: give them, as in (3, 1) or "31"')
        return roll_of(dice)

    # --- drawing ----------------------------------------------------------------------------

    def draw(self) -> Svg:
        """The board as a picture, with score, cube and dice."""
        from bgtools.drawing.svg import svg

        return svg(picture_of(self))

    def __str__(self) -> str:
        """The board drawn with letters, with score, cube and dice."""
        return self.text()

    def text(self, width: int | None = None, *, answering: bool = False) -> str:
        """The board drawn with letters, with score, cube and dice.

        Args:
            width: how many columns there are. Lines that have no room beside the board are put below it.
            answering: whether it is seen by the one who answers a double, and not by the player on roll.
        """
        from bgtools.drawing.svg import draw

        seen = self.flipped() if answering else self
        names = seen.names if any(seen.names) else ("doubled", "doubler") if answering else ("on roll", "opponent")
        offered = self.offered and not answering
        return draw(
            seen.board, seen.state, names=names, dice=self.dice, offered=offered, answering=answering, width=width
        )

    def __repr__(self) -> str:
        try:
            return f"Position.from_id({self.xgid!r})"
        except IdError:
            return f"<Position {self.board!r}>"

    def _repr_svg_(self) -> str:
        return self.draw()

    def _repr_html_(self) -> str:
        return self.draw()


def picture_of(position: Position, *, answering: bool = False, **look: Any) -> Picture:
    """The picture of a position.

    Args:
        position: the position.
        answering: whether it is seen by the one who answers the double.
        look: arrows, seat and caption, as `bgtools.drawing.board.board_picture` takes them.
    """
    from bgtools.drawing.board import board_picture

    seen = position.flipped() if answering else position
    return board_picture(
        seen.board, seen.state, dice=position.dice, names=seen.names, offered=position.offered and not answering,
        answering=position.offered and answering, **look,
    )  # fmt: skip


def require_fifteen(board: Board, what: str) -> None:
    """Refuse a board for a notation that has a place only for fifteen checkers a side.

    Raises:
        IdError: a side has not fifteen checkers.
    """
    if any(sum(side) != CHECKERS for side in (board.mine, board.theirs)):
        raise IdError(f"{what} has fifteen checkers a side")


def complete(mine: list[int], theirs: list[int], total: int = CHECKERS) -> Board:
    """A board from the checkers in play; the rest is borne off.

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
    """A board from 26 numbers, positive for the player on roll: the other's bar, points 1 to 24, their own bar.

    Raises:
        IdError: the numbers are not a possible board.
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
    """The board of 26 numbers, as `from_signed` reads them; None where it is not possible."""
    try:
        return from_signed(tuple(points))
    except IdError:
        return None


def to_signed(board: Board) -> tuple[int, ...]:
    """The 26 numbers that `from_signed` reads."""
    mine, theirs = board.mine, board.theirs
    return (-theirs[BAR], *map(sub, mine[1:BAR], theirs[BAR - 1 : OFF : -1]), mine[BAR])


@lru_cache(1 << 10)
def to_letters(board: Board) -> str:
    """The 26 letters of XGID and ``Set Pos``: the places of `to_signed`, A or a for one checker, - for none."""
    return "".join(map(_letter, to_signed(board)))


@cache
def _letter(count: int) -> str:
    return "-" if not count else chr((ord("A") if count > 0 else ord("a")) + abs(count) - 1)


def read_letters(text: str) -> tuple[list[int], list[int]]:
    """The checkers of both sides from 26 letters, capitals first, each side in its own numbering.

    The board is not checked: a side has checkers at 0 where the first or the last letter is of the wrong side.
    """
    mine, theirs = [0] * 26, [0] * 26
    for point, char in enumerate(text):
        if char.isupper():
            mine[point] = ord(char) - ord("A") + 1
        elif char.islower():
            theirs[BAR - point] = ord(char) - ord("a") + 1
    return mine, theirs


def from_letters(text: str) -> Board:
    """The board from 26 letters, as `to_letters` writes them.

    Raises:
        IdError: the letters are not a possible board.
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
        IdError: a number is not from 1 to 6.
    """
    if first == second == 0:
        return None
    if not are_dice((first, second)):
        raise IdError(f"the dice {first} and {second} of the {notation} are not possible")
    return first, second
