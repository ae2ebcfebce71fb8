"""The boards of a library that are nearest to one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.tables import POINTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bgtools.board.board import Board
    from bgtools.library.search import Query, Search, SearchedPosition

_WIDER: Final = (20, 60, 1000)
"""How many pips boards may differ by: each is tried until enough boards are found."""


def pips_apart(one: Board, two: Board) -> int:
    """The fewest pips that checkers have to be moved so that one board becomes the other, both sides added up.

    This is the earth mover's distance on a line: the sum over all points of the difference in how many checkers stand
    on that point or farther from home. A checker on the bar counts 25 pips, one that is borne off 0.
    """
    apart = 0
    for mine, theirs in ((one.mine, two.mine), (one.theirs, two.theirs)):
        carried = 0
        for here, there in zip(mine[:0:-1], theirs[:0:-1], strict=True):
            carried += here - there
            apart += abs(carried)
    return apart


def nearest(
    connection: Any, search: Search, query: Query, sought: SearchedPosition, limit: int | None
) -> tuple[int, list[tuple[int, int, int]]]:
    """The nearest boards, one a match: how many were looked at, and the record, game and entry of each.

    Args:
        connection: to a library.
        search: what is asked for.
        query: the query for the positions that the search allows.
        sought: the position whose board they are compared with.
        limit: how many boards at most; None for all.
    """
    import numpy as np

    faces = [sought.position.board] + ([sought.position.board.flipped()] if search.mirrored else [])
    reach = [float(search.within)] if search.within is not None else [float(each) for each in _WIDER]
    near: list[tuple[int, int, int]] = []
    looked = 0
    for within in reach:
        some = replace(query, conditions=[*query.conditions])
        # Boards are at least as far apart as their pip counts.
        within_reach = " OR ".join(
            f"abs(p.pips - {board.pips[0]}) + abs(p.opponent_pips - {board.pips[1]}) <= {within}" for board in faces
        )
        some.ask(within_reach)
        columns = ", ".join(f"p.{name}" for name in ("record", "game", "entry", *POINTS))
        arrays = connection.execute(some.select(columns), some.parameters).fetchnumpy()
        looked = len(arrays["record"])
        boards = np.stack([np.ma.getdata(arrays[name]) for name in POINTS], axis=1).astype(np.int16)
        sides = np.array([_all_apart(boards, board) for board in faces])
        # Of two boards that are equally near, the one with the same player on roll comes first.
        apart, turned = sides.min(axis=0), sides.argmin(axis=0)
        near_ones = np.flatnonzero(apart <= within)
        keys = [np.ma.getdata(arrays[name]) for name in ("entry", "game", "record")]
        order = near_ones[np.lexsort([key[near_ones] for key in (*keys, turned, apart)])]
        records = np.ma.getdata(arrays["record"])[order]
        _, first = np.unique(records, return_index=True)
        order = order[np.sort(first)]
        places = [np.ma.getdata(arrays[name]) for name in ("record", "game", "entry")]
        near = [(int(places[0][at]), int(places[1][at]), int(places[2][at])) for at in order[:limit]]
        if limit is not None and len(order) >= limit:
            break
    return looked, near


def _all_apart(boards: NDArray[Any], board: Board) -> NDArray[Any]:
    """`pips_apart` between each of many boards, as the table of positions has them, and one board."""
    import numpy as np

    mine, theirs = np.maximum(boards, 0), np.maximum(-boards, 0)[:, ::-1]
    total = np.zeros(len(boards), np.int64)
    for sides, own in ((mine, board.mine), (theirs, board.theirs)):
        apart = (sides - np.array(own, np.int16))[:, :0:-1]
        total += np.abs(np.cumsum(apart, axis=1)).sum(axis=1)
    return total
