"""bgsage's frame: its boards, what else a value depends on, its values, and questions that it is not asked.

A board there is 26 integers seen by the mover: index 0 counts the opponent's checkers on the bar, 1 to 24 the mover's
checkers as positive and the opponent's as negative numbers, index 25 the mover's checkers on the bar.

Impossible positions, and scores beyond the match equity table, are refused.
"""

from __future__ import annotations

from operator import attrgetter, mul, neg, sub
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from bgtools.board.board import BAR
from bgtools.board.hopping import are_dice
from bgtools.engines.protocol import ROLLS, Probabilities

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.engines.protocol import CubeQuestion, LuckQuestion
    from bgtools.rules.cube import MatchState, Owner


Points = tuple[int, ...]
"""A board."""
Roll = tuple[int, int]
T = TypeVar("T")


class Context(NamedTuple):
    """All that a value depends on besides the board, seen by the player whose value it is."""

    owner: Owner
    cube: int
    away: tuple[int, int]
    crawford: bool
    jacoby: bool
    beaver: bool
    limit: int = 0
    """The highest value that the cube may take; 0 for none."""

    def flipped(self) -> Context:
        """The same seen by the other player."""
        owner: Owner = {"centre": "centre", "mine": "theirs", "theirs": "mine"}[self.owner]  # type: ignore[assignment]
        return self._replace(owner=owner, away=self.away[::-1])

    def doubled(self) -> Context:
        """The context after a double and a take: the other player owns the cube, at twice its value."""
        return self._replace(owner="theirs", cube=2 * self.cube)

    @property
    def is_money(self) -> bool:
        """Whether this is a session without a match length."""
        return self.away == (0, 0)

    @property
    def may_double(self) -> bool:
        """Whether the player on roll has access to the cube."""
        return self.owner != "theirs" and not self.crawford and not self.is_stuck

    @property
    def is_stuck(self) -> bool:
        """Whether the cube is as high as it may go, so that nobody will turn it."""
        return bool(self.limit) and 2 * self.cube > self.limit


Situation = tuple[Points, Context]
"""A board with all else that its value depends on."""


class Value(NamedTuple):
    """Cubeful equity (EMG) and cubeless probabilities of one player."""

    equity: float
    probabilities: Probabilities


class CubeValues(NamedTuple):
    """Equities of no double, double and take, double and pass, for the player on roll, by the present cube."""

    no_double: float
    double_take: float
    double_pass: float
    probabilities: Probabilities
    is_beaver: bool = False


def context(state: MatchState) -> Context:
    """The context of the player on roll."""
    money = state.is_money
    return Context(
        state.cube.owner,
        state.cube.value,
        state.away,
        state.crawford,
        money and bool(state.rules.jacoby),
        money and bool(state.rules.beavers),
        _limit(state),
    )


def _limit(state: MatchState) -> int:
    """The limit of the cube where it makes a difference, else 0."""
    limit = state.rules.cube_limit or 0
    return 0 if limit >= (_HIGHEST if state.is_money else max(state.away)) else limit


_HIGHEST: Final = 1024
"""For money a limit as high as this counts as none; in a match one at which nobody gains by a double anyway."""
ENDLESS: Final = 1 << 20
"""A limit that is never reached."""


def board_of(board: Board) -> Points:
    """A position in bgsage's frame."""
    mine, theirs = board.mine, board.theirs
    return (theirs[BAR], *map(sub, mine[1:BAR], theirs[BAR - 1 : 0 : -1]), mine[BAR])


def flipped_board(board: Points) -> Points:
    """The board seen by the other player."""
    return (board[BAR], *map(neg, board[BAR - 1 : 0 : -1]), board[0])


def grouped(items: Iterable[T], at: Callable[[T], Context]) -> list[list[T]]:
    """Split into batches that may share one native call."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        where = at(item)
        groups.setdefault((where.is_money, where.jacoby, where.beaver), []).append(item)
    return list(groups.values())


def is_over(board: Points) -> bool:
    """Whether the player who has just moved has borne off their last checker."""
    return max(board[1:]) <= 0


def mean_value(values: Sequence[Value]) -> Value:
    """The mean over the 21 rolls, in the order of `ROLLS`."""
    chances = zip(*(_FIVE(value.probabilities) for value in values), strict=True)
    return Value(mean_of_rolls([value.equity for value in values]), probabilities_of(map(mean_of_rolls, chances)))


def mean_of_rolls(values: Sequence[float]) -> float:
    """The mean of one number for each of the 21 rolls, in the order of `ROLLS`."""
    total: float = sum(map(mul, values, _WAYS))
    return total / 36


_FIVE: Final = attrgetter("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
_WAYS: Final = [1 if high == low else 2 for high, low in ROLLS]
"""In how many ways two dice show each roll."""


def probabilities_of(values: Iterable[float]) -> Probabilities:
    """The five outputs in their order: gammons are no more than wins, backgammons no more than gammons."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = values
    win = min(max(win, 0.0), 1.0)
    win_gammon = min(max(win_gammon, 0.0), win)
    lose_gammon = min(max(lose_gammon, 0.0), 1 - win)
    return Probabilities(
        win,
        win_gammon,
        min(max(win_backgammon, 0.0), win_gammon),
        lose_gammon,
        min(max(lose_backgammon, 0.0), lose_gammon),
    )


def cube_values_of(answer: Any) -> CubeValues:
    """What bgsage answers about the cube."""
    return CubeValues(
        float(answer["equity_nd"]),
        float(answer["equity_dt"]),
        1.0,  # passing loses the cube, which is what +1 stands for
        probabilities_of(answer["probs"]),
        bool(answer["is_beaver"]),
    )


CHECKERS: Final = 15
TABLE: Final = 25
"""Most points away that a match equity table of the usual size holds."""


def refusal(board: Board, state: MatchState, dice: Dice | None = None, *, table: int = TABLE) -> str | None:
    """Why an engine for ordinary backgammon cannot value a position; None when it can.

    Most programs answer such a position all the same, so it is refused here.

    Args:
        board: seen by the player on roll.
        state: the match state.
        dice: the roll, where the question has one.
        table: most points away in the match equity table.
    """
    sides = (board.mine, board.theirs)
    if dice is not None and not are_dice(dice):
        return f"dice {dice[0]} and {dice[1]}: a die shows 1 to 6"
    if any(len(side) != BAR + 1 or min(side) < 0 for side in sides):
        return "the position is not a board"
    if any(sum(side) != CHECKERS for side in sides):
        return f"the engine plays with {CHECKERS} checkers a side, here are {sum(sides[0])} and {sum(sides[1])}"
    if any(board.mine[point] and board.theirs[BAR - point] for point in range(1, BAR)):
        return "both players have checkers on one point"
    if board.is_over:
        return "the game is over"
    value = state.cube.value
    if value < 1 or value & (value - 1):
        return f"the cube is at {value}, which is not a power of two"
    if state.is_money:
        return None
    away = state.away
    if min(away) < 1:
        return "the match is already won"
    if max(away) > table:
        return f"{max(away)} points away is beyond the match equity table, which ends at {table}"
    return None


def cube_refusal(question: CubeQuestion, *, table: int = TABLE) -> str | None:
    """Why an engine cannot value a cube decision; None when it can."""
    reason = refusal(question.position, question.state, table=table)
    if reason is None and not question.state.may_double:
        return "the player on roll may not double"
    return reason


def luck_refusal(question: LuckQuestion, *, table: int = TABLE) -> str | None:
    """Why an engine cannot tell the luck of a roll; None when it can."""
    reason = refusal(question.position, question.state, question.dice, table=table)
    if reason is not None or not question.opening:
        return reason
    if question.dice[0] == question.dice[1]:
        return f"an opening roll is never a double, here {question.dice[0]}{question.dice[1]}"
    if question.convention == "recorded":
        return "the record does not tell what its opening rolls are compared with"
    return None
