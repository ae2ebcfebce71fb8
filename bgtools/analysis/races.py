"""Races: effective pip counts, and the counts by which players decide whether to double and to take.

The counts are rules of thumb for money games: they know neither the score nor the value of the cube.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.counts import is_played
from bgtools.bearoff.one_sided import effective_pips
from bgtools.board.board import OFF
from bgtools.positions.xgid import encode_xgid
from bgtools.record.record import CheckerPlay, Double

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.board.board import Board, Checkers
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.cube import Cube

_HOME: Final = slice(1, 7)
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class CountAdvice:
    """What a count says of a race before the roll.

    Attributes:
        own: the count of the player on roll, with what the rule adds to it.
        opponent: the count of the other.
        double, redouble: whether they should turn a centred cube, or their own.
        take: whether the other should accept.
    """

    own: float
    opponent: float
    double: bool
    redouble: bool
    take: bool


def is_race(board: Board) -> bool:
    """Whether no checker has to pass another any more, with both sides still bearing in or off."""
    return not board.is_contact and not board.is_over


# --- the counts -----------------------------------------------------------------------------


def keith(board: Board) -> CountAdvice:
    """The Keith count.

    Source: Tom Keith, "Cube Handling in Noncontact Positions", 2004. Pips, plus 2 for each checker more than one on the
    1-point, 1 for each more than one on the 2-point, 1 for each more than three on the 3-point, and 1 for each gap on
    the 4-, 5- and 6-point. The player on roll adds a seventh, rounded down. They double when ahead or behind by no
    more than 4, redouble by no more than 3; the other takes when they are ahead by at least 2 so counted.
    """
    own, opponent = _keith(board.mine), _keith(board.theirs)
    own += own // 7
    behind = own - opponent
    return CountAdvice(own, opponent, behind <= 4, behind <= 3, behind >= 2)


def _keith(side: Checkers) -> int:
    extra = 2 * max(side[1] - 1, 0) + max(side[2] - 1, 0) + max(side[3] - 3, 0)
    return _pips(side) + extra + sum(not side[point] for point in (4, 5, 6))


def thorp(board: Board) -> CountAdvice:
    """The Thorp count.

    Source: Edward O. Thorp, The Mathematics of Gambling, 1984; Bill Robertie, Advanced Backgammon. Pips, plus 2 for
    each checker left, plus 1 for each on the 1-point, less 1 for each point held in the home board. The player on roll
    adds a tenth where their count is more than 30. They double when they are behind by no more than 2, redouble by no
    more than 1; the other takes when they are behind by no more than 2.
    """
    own: float = _thorp(board.mine)
    opponent = _thorp(board.theirs)
    if own > 30:
        own = own * 11 / 10
    behind = own - opponent
    return CountAdvice(own, opponent, behind <= 2, behind <= 1, behind >= -2)


def _thorp(side: Checkers) -> int:
    return _pips(side) + 2 * _left(side) + side[1] - _held(side)


def ward(board: Board) -> CountAdvice:
    """The Ward count.

    Source: Jeff Ward, The Doubling Cube in Backgammon, vol. I, 1982, pp. 74-76, as Marty Storer gave it on
    rec.games.backgammon, 24 January 1992. Pips, plus 2 for each checker more than two on the 1-point and 1 for each
    more than two on the 2-point. To that comes what a side has beyond the other: 2 for each checker left, ½ for each
    checker outside the home board, -1 for each point held in it. The player on roll adds a tenth. They double when they
    are behind by no more than 2, redouble by no more than 1. The other takes when they are behind by no more than 4
    where the mean of both pip counts is 100 or more, by no more than 2 where it is 50 or less, and in proportion
    between.
    """
    mine, theirs = board.mine, board.theirs
    own = (_ward(mine) + _ward_more(mine, theirs)) * 11 / 10
    opponent = _ward(theirs) + _ward_more(theirs, mine)
    behind = own - opponent
    mean = min(max(sum(board.pips) / 2, 50.0), 100.0)
    may_trail = 2 + (mean - 50) / 25
    return CountAdvice(own, opponent, behind <= 2, behind <= 1, -behind <= may_trail + _ROUNDING)


def _ward(side: Checkers) -> int:
    return _pips(side) + 2 * max(side[1] - 2, 0) + max(side[2] - 2, 0)


def _ward_more(side: Checkers, other: Checkers) -> float:
    outside = sum(side[7:]) - sum(other[7:])
    more = 2 * max(_left(side) - _left(other), 0) + max(outside, 0) / 2
    return more - max(_held(side) - _held(other), 0)


def _pips(side: Checkers) -> int:
    return sum(point * count for point, count in enumerate(side))


def _left(side: Checkers) -> int:
    return sum(side[OFF + 1 :])


def _held(side: Checkers) -> int:
    """Points of the home board with a checker or more."""
    return sum(count > 0 for count in side[_HOME])


# --- rows -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RaceRow:
    """A race as it stood when a player rolled or doubled.

    Attributes:
        game: number of the game in the record, from 1.
        turn, entry: number of the turn and of the entry in the game, as in the table of decisions.
        player: 0 or 1.
        name: the player's name.
        action: ``roll`` or ``double``.
        xgid: the position before it.
        pips, opponent_pips: pip count before it.
        epc, opponent_epc: effective pip count; None with a checker outside the home board.
        wastage, opponent_wastage: effective pips less pips.
        keith, opponent_keith: Keith count, with what the player on roll adds.
        keith_says: what follows from it for the cube where it lies, as in a money game, such as ``double, take``.
        ward, opponent_ward: Ward count, with what the player on roll adds.
        ward_says: what follows from it for the cube.
        thorp, opponent_thorp: Thorp count, with what the player on roll adds.
        thorp_says: what follows from it for the cube.
    """

    game: int
    turn: int
    entry: int
    player: int
    name: str
    action: Literal["roll", "double"]
    xgid: str
    pips: int
    opponent_pips: int
    epc: float | None
    opponent_epc: float | None
    wastage: float | None
    opponent_wastage: float | None
    keith: float
    opponent_keith: float
    keith_says: str
    ward: float
    opponent_ward: float
    ward_says: str
    thorp: float
    opponent_thorp: float
    thorp_says: str


def race_rows(games: Iterable[GameReplay], names: tuple[str, str]) -> tuple[RaceRow, ...]:
    """Every roll and every double of a race, in the order in which they happened."""
    return tuple(
        _row(game, turn, names)
        for game in games
        for turn in game.turns
        if isinstance(turn.entry, CheckerPlay | Double) and is_race(turn.before) and is_played(turn)
    )


def _row(game: GameReplay, turn: Turn, names: tuple[str, str]) -> RaceRow:
    position, cube = turn.before, turn.state.cube
    own, other = position.pips
    epc, other_epc = effective_pips(position.mine), effective_pips(position.theirs)
    by_keith, by_ward, by_thorp = keith(position), ward(position), thorp(position)
    return RaceRow(
        game=game.index + 1,
        turn=turn.number,
        entry=turn.index + 1,
        player=turn.player,
        name=names[turn.player],
        action="double" if isinstance(turn.entry, Double) else "roll",
        xgid=encode_xgid(position, turn.state),
        pips=own,
        opponent_pips=other,
        epc=epc,
        opponent_epc=other_epc,
        wastage=None if epc is None else epc - own,
        opponent_wastage=None if other_epc is None else other_epc - other,
        keith=by_keith.own,
        opponent_keith=by_keith.opponent,
        keith_says=in_words(by_keith, cube),
        ward=by_ward.own,
        opponent_ward=by_ward.opponent,
        ward_says=in_words(by_ward, cube),
        thorp=by_thorp.own,
        opponent_thorp=by_thorp.opponent,
        thorp_says=in_words(by_thorp, cube),
    )


def in_words(advice: CountAdvice, cube: Cube) -> str:
    """What a count says for the cube where it lies: ``no double, take``, ``redouble, pass``; empty without access."""
    if cube.owner == "theirs":
        return ""
    turns, verb = (advice.double, "double") if cube.owner == "centre" else (advice.redouble, "redouble")
    return f"{verb if turns else f'no {verb}'}, {'take' if advice.take else 'pass'}"
