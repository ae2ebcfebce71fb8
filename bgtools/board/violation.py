"""The reasons why a written play is not legal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bgtools.board.board import Board
    from bgtools.board.play import Play


class Reason(Enum):
    """Why a written play cannot be played."""

    BAD_DICE = "bad dice"
    NO_CHECKER = "no checker there"
    BLOCKED = "point blocked"
    BAR_FIRST = "bar first"
    BACKWARDS = "backwards hop"
    WRONG_DIE = "number not rolled"
    TOO_MANY_HOPS = "more hops than dice"
    NOT_HOME = "bear-off too early"
    HIGHER_CHECKER = "checker on a higher point"
    DIE_UNPLAYED = "die left unplayed"
    LARGER_DIE = "larger die not played"
    NO_PLAY = "no legal play"


@dataclass(frozen=True, slots=True)
class Violation:
    """The reason why a play is not legal, with the facts of the board that prove it.

    Attributes:
        reason: what is wrong.
        hop: index of the written group (`HopText`) at fault; None when the play as a whole is.
        start, end: the hop at fault in the mover's numbering, where one hop is.
        die: the number concerned: the one missing, or left unplayed.
        blockers: checkers of the other player on the blocked point.
        point: a point that proves the fault: the rearmost checker, a higher checker.
        possible: a legal play of the roll, where that is the proof.
        result: the board that the hops leave when played as written in spite of the fault,
            where that is possible; seen by the mover.
    """

    reason: Reason
    hop: int | None = None
    start: int | None = None
    end: int | None = None
    die: int | None = None
    blockers: int = 0
    point: int | None = None
    possible: Play | None = None
    result: Board | None = None
