"""Questions as games of SGF for GNU Backgammon, and its answers read back.

Every question is a game that begins with a set position and holds one decision of White, who is on roll. No text of a
record gets into these games, only numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.board import BAR, OFF, Board
from bgtools.engines.protocol import Probabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.board.board import Dice
    from bgtools.board.play import Play
    from bgtools.rules.cube import MatchState

_LETTERS: Final = ("zabcdefghijklmnopqrstuvwxy", "zxwvutsrqponmlkjihgfedcbay")
"""The letters of White's and of Black's own points 0 (off) to 25 (the bar)."""

_OWNER: Final = {"centre": "c", "mine": "w", "theirs": "b"}
_NUMBER: Final = {"centre": -1, "mine": 1, "theirs": 0}


class Valued(NamedTuple):
    """A play as GNU Backgammon values it: the board after it, EMG, cubeless chances, plies."""

    result: Board
    equity: float
    probabilities: Probabilities
    plies: int


def rolled(board: Board, state: MatchState, dice: Dice, play: Play | None = None) -> str:
    """A game in which a roll is played; without the play where only the roll matters."""
    steps = "".join(_LETTERS[0][hop.start] + _LETTERS[0][hop.end] for hop in play.hops) if play is not None else ""
    return _game(board, state, f";W[{dice[0]}{dice[1]}{steps}]")


def doubled(board: Board, state: MatchState) -> str:
    """A game in which the player on roll doubles, and the other drops."""
    return _game(board, state, ";W[double]\n;B[drop]")


def _game(board: Board, state: MatchState, action: str) -> str:
    score = f"[length:{state.length}][game:0][ws:{state.score[0]}][bs:{state.score[1]}]"
    return (
        f"(;FF[4]GM[6]AP[bgtools]MI{score}PW[white]PB[black]{_rules(state)}\n;PL[W]{_board(board)}\n"
        f";CV[{state.cube.value}]\n;CP[{_OWNER[state.cube.owner]}]\n{action})\n"
    )


def _rules(state: MatchState) -> str:
    if state.is_money:
        return "RU[Jacoby]" if state.rules.jacoby else ""
    return "RU[Crawford:CrawfordGame]" if state.crawford else "RU[Crawford]"


def _board(board: Board) -> str:
    told = "AE[a:y]"
    for name, letters, side in (("AW", _LETTERS[0], board.mine), ("AB", _LETTERS[1], board.theirs)):
        stones = "".join(f"[{letters[point]}]" * side[point] for point in range(1, BAR + 1))
        told += f"{name}{stones}" if stones else ""
    return told


def numbers(board: Board, state: MatchState) -> tuple[Any, ...]:
    """A position and all that its value depends on, as the script of `session` unpacks it."""
    sides = (board.theirs[1:], board.mine[1:])
    return (
        sides,
        state.cube.value,
        _NUMBER[state.cube.owner],
        state.length,
        state.score[::-1],
        int(state.crawford),
        int(state.is_money and bool(state.rules.jacoby)),
        beavers(state),
    )


def beavers(state: MatchState) -> int:
    """How many beavers GNU Backgammon is to reckon with."""
    return int(state.rules.beavers or 0) if state.is_money else 0


# --- answers --------------------------------------------------------------------------------


def probabilities(found: Sequence[float]) -> Probabilities:
    """The five outputs, which GNU Backgammon gives in our order."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = map(float, found)
    return Probabilities(win, gammon, backgammon, lost_gammon, lost_backgammon)


def plays(board: Board, answer: Mapping[str, Any]) -> list[Valued]:
    """The plays of an answer, the best first.

    Raises:
        KeyError, TypeError, ValueError, IndexError: it is not of the expected form.
    """
    found = [
        Valued(_after(board, hops), float(equity), probabilities(chances), int(plies))
        for hops, equity, chances, plies in answer["moves"]
    ]
    # Equal values by the board, so that the order is always the same.
    return sorted(found, key=lambda play: (-play.plies, -play.equity, play.result.mine, play.result.theirs))


def _after(board: Board, hops: Sequence[Sequence[int]]) -> Board:
    mine, theirs = list(board.mine), list(board.theirs)
    for start, end in hops:
        end = max(end, OFF)
        mine[start] -= 1
        mine[end] += 1
        if end != OFF and theirs[BAR - end] == 1:
            theirs[BAR - end] = 0
            theirs[BAR] += 1
    return Board(tuple(mine), tuple(theirs))
