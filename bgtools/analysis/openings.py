"""Openings and replies by the names that players give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, START
from bgtools.board.perspective import mirrored
from bgtools.record.record import CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Board, Checkers
    from bgtools.replayer.turn import GameReplay, Turn

_HOME: Final = range(1, 7)
_BLOCK: Final = range(1, 8)
"""Points that are made and slotted: the home board and the bar-point."""
_OUTFIELD: Final = range(8, 13)
_ANCHORS: Final = range(18, 25)
"""Where a back checker still sits behind: the other's home board and bar-point."""
_ORDER: Final = (
    "blitz", "point on the blot", "hit", "point", "points", "anchor", "run", "slot", "split", "build", "enter", "other",
)  # fmt: skip
"""The order in which names are joined."""


def name_play(before: Board, after: Board) -> str:
    """What a play of the first few rolls is called, by what it changes on the board.

    * ``blitz``: a hit in the own home board, and another hit or a new point there.
    * ``point on the blot``: a new point in the home board where a blot was hit; ``hit``: any other hit.
    * ``point``, ``points``: a new point, or several, among the home board and the bar-point.
    * ``anchor``: a new point on the other's side, from his bar-point on.
    * ``run``: a back checker past the other's bar-point.
    * ``slot``: a new blot on the home board or the bar-point that hits nothing.
    * ``split``: a back checker moved, stays behind and hits nothing, and no anchor was made.
    * ``build``: a checker came down to the outfield (8- to 12-point), and none of the above.
    * ``enter``: a checker came in from the bar, and none of the above; ``dance``: none could.
    * ``other``: none of the above, such as a checker played safe onto a point already held.

    Several names are joined: ``hit and split``. ``build`` and ``enter`` stand alone: 43 played 24/20 13/10 is a split.

    Args:
        before, after: the board before and after the play, both seen by the player who made it.
    """
    mine, now = before.mine, after.mine
    if mine == now:
        return "dance" if mine[BAR] else "other"
    come = {point for point in range(1, BAR) if now[point] > mine[point]}
    made = {point for point in come if now[point] >= 2 > mine[point]}
    hit = _hits(before, after)
    names = [*_blows_and_points(made, hit), *_backs(mine, now, come - hit, made)]
    if any(now[point] == 1 for point in (come - hit) & set(_BLOCK)):
        names.append("slot")
    if not names:
        names = ["enter"] if mine[BAR] else ["build"] if come & set(_OUTFIELD) else ["other"]
    return " and ".join(sorted(names, key=_ORDER.index))


def _hits(before: Board, after: Board) -> set[int]:
    """Where blots were hit, in the numbering of the player who moved."""
    return {
        mirrored(point)
        for point in range(1, BAR)
        if before.theirs[point] == 1 and not after.theirs[point] and after.theirs[BAR]
    }


def _blows_and_points(made: set[int], hit: set[int]) -> Iterator[str]:
    """Names for the hits of a play and for the points that it makes, unless the name of the hit says them."""
    home = set(_HOME)
    if hit & home and len((hit | made) & home) > 1:
        yield "blitz"
    elif hit & made & home:
        yield "point on the blot"
    else:
        if hit:
            yield "hit"
        if points := len(made & set(_BLOCK)):
            yield "point" if points == 1 else "points"


def _backs(mine: Checkers, now: Checkers, quiet: set[int], made: set[int]) -> Iterator[str]:
    """What the back checkers do; ``quiet`` are the points that a checker came to without a hit."""
    anchors = set(_ANCHORS)
    moved = any(now[point] < mine[point] for point in range(_ANCHORS.start, BAR + 1))
    if made & anchors:
        yield "anchor"
    if moved and _behind(now) < _behind(mine):
        yield "run"
    if moved and not made & anchors and quiet & anchors and not mine[BAR]:
        yield "split"


def _behind(side: Checkers) -> int:
    """Checkers behind: on the bar, or not past the other's bar-point."""
    return sum(side[_ANCHORS.start :])


def opening_name(game: GameReplay, turn: Turn) -> str:
    """The name of a play that opens a game or replies to the opening; empty for every other entry.

    Only legal plays of games that begin from the usual position have a name.
    """
    if turn.roll > 1 or turn.play is None or not isinstance(turn.entry, CheckerPlay):
        return ""
    if game.rules.start != START or game.is_set_before(turn):
        return ""
    return name_play(turn.before, turn.play.result)
