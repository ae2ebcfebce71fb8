"""How like one position is to others: by structure, race, cube and score, as a player looks at them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.board import BAR
from bgtools.library.recording import figures_of
from bgtools.library.tables import POINTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bgtools.board.board import Board
    from bgtools.library.search import Query, Search, SearchedPosition
    from bgtools.positions.position import Position

OWNER: Final = "CASE p.cube_owner WHEN 'mine' THEN 1 WHEN 'theirs' THEN -1 ELSE 0 END AS owner"
_FIGURES: Final = (*POINTS, "off", "opponent_off", "pips", "opponent_pips", "prime", "opponent_prime")
COLUMNS: Final = (*(f"p.{name}" for name in (*_FIGURES, "away", "opponent_away", "crawford")), OWNER)
"""What decides, as columns of the table of positions ``p``."""

_MADE: Final = {
    **dict.fromkeys(range(1, 7), 1.0),
    7: 0.8,
    18: 0.6,
    **dict.fromkeys(range(19, 25), 1.0),
    20: 1.2,
    21: 1.2,
}
"""What a point counts that one side has made in one position only; others count `_OUTSIDE`."""
_OUTSIDE: Final = 0.3
_BLOT: Final = 0.3
_SPARE: Final = 0.1
"""What each checker on a point counts, so that equal structures are told apart."""
_SHOT: Final = 0.8
_ON_BAR: Final = 1.5
_PRIME: Final = 0.5
_BACK: Final = 0.3
_OFF: Final = 0.4
_LEAD: Final = 1 / 8
_PIPS: Final = 1 / 25
_AWAY: Final = 0.35
_FAR: Final = 9
"""From so many points on a score is as for money."""
_CRAWFORD: Final = 1.0
_OWNER: Final = 1.5
_OWNERS: Final = {"theirs": -1, "centre": 0, "mine": 1}
_WEIGHTS: Final = (
    ("off", _OFF), ("opponent_off", _OFF), ("prime", _PRIME), ("opponent_prime", _PRIME), ("owner", _OWNER),
    ("crawford", _CRAWFORD),
)  # fmt: skip
"""What counts by its column alone."""
_DIRECT: Final = 6
"""So far away a single number hits."""


_WINDOWS: Final = (20, 60, 1000)
"""How many pips positions may differ by: each is tried until enough are found."""
_POOL: Final = 4000
"""So many boards, those that fewest pips make of one another, are compared in full."""
_ENOUGH: Final = 100
_MOST: Final = 500
ALIKE: Final = 6.0
"""Positions up to this distance say how such a position is played."""
_FEWEST: Final = 20
"""Where they are fewer than this, others do that are up to twice as unlike."""


class Near(NamedTuple):
    """A position that is like another.

    Attributes:
        record, game, entry: where it is.
        distance: how unlike it is, see `distances`.
        exchanged: whether it is like the position with the players exchanged.
    """

    record: int
    game: int
    entry: int
    distance: float
    exchanged: bool


def nearest(connection: Any, search: Search, query: Query, sought: SearchedPosition) -> tuple[int, list[Near]]:
    """The positions most like one, the nearest of each game: how many were looked at, and which they are.

    Args:
        connection: to a library.
        search: what is asked for.
        query: the query for the positions that the search allows.
        sought: the position that they are compared with.
    """
    import numpy as np

    faces = [sought.position, *([sought.position.flipped()] if search.mirrored else [])]
    found: list[Near] = []
    looked = 0
    for window in _WINDOWS:
        some = replace(query, conditions=[*query.conditions])
        some.ask(
            " OR ".join(
                f"(abs(p.pips - {face.board.pips[0]}) <= {window} "
                f"AND abs(p.opponent_pips - {face.board.pips[1]}) <= {window})"
                for face in faces
            )
        )
        columns = ", ".join(("p.record", "p.game", "p.entry", *COLUMNS))
        arrays = connection.execute(some.select(columns), some.parameters).fetchnumpy()
        rows = {name: np.ma.getdata(cells) for name, cells in arrays.items()}
        looked = len(rows["record"])
        boards = np.stack([rows[name] for name in POINTS], axis=1).astype(np.int16)
        apart = np.array([pips_apart(boards, face.board) for face in faces]).min(axis=0)
        if looked > _POOL:
            pool = np.argpartition(apart, _POOL)[:_POOL]
            rows, apart = {name: cells[pool] for name, cells in rows.items()}, apart[pool]
        sides = np.array([distances(rows, face) for face in faces])
        total, exchanged = sides.min(axis=0), sides.argmin(axis=0)
        order = np.lexsort((rows["entry"], rows["game"], rows["record"], apart, exchanged, total))
        order = order[total[order] <= (np.inf if search.within is None else search.within)]
        games: dict[tuple[int, int], Near] = {}
        for at in order.tolist():
            record, game = int(rows["record"][at]), int(rows["game"][at])
            if (record, game) not in games:
                far = round(float(total[at]), 2)
                games[record, game] = Near(record, game, int(rows["entry"][at]), far, bool(exchanged[at]))
                if len(games) == _MOST:
                    break
        found = [*games.values()]
        if len(found) >= _ENOUGH:
            break
    return looked, found


def count_alike(found: Sequence[Near]) -> int:
    """How many of the nearest positions say how such a position is played."""
    near, far = (sum(each.distance <= reach for each in found) for reach in (ALIKE, 2 * ALIKE))
    return max(near, min(_FEWEST, far))


def pips_apart(boards: NDArray[Any], board: Board) -> NDArray[Any]:
    """The fewest pips that checkers have to be moved so that each of many boards becomes another, both sides added up.

    This is the earth mover's distance on a line: the sum over all points of the difference in how many checkers stand
    on that point or farther from home. A checker on the bar counts 25 pips, one that is borne off 0.

    Args:
        boards: the points as the table of positions has them, a row per board.
        board: the other.
    """
    import numpy as np

    mine, theirs = np.maximum(boards, 0), np.maximum(-boards, 0)[:, ::-1]
    total = np.zeros(len(boards), np.int64)
    for sides, own in ((mine, board.mine), (theirs, board.theirs)):
        apart = (sides - np.array(own, np.int16))[:, :0:-1]
        total += np.abs(np.cumsum(apart, axis=1)).sum(axis=1)
    return total


def distances(rows: Mapping[str, NDArray[Any]], position: Position) -> NDArray[Any]:
    """How unlike positions are to one, 0 for the same; 1 is about a home point that one side has made in one of them.

    Points made, blots, blots within a direct shot, checkers on the bar, back and off, primes, the lead and the length
    of the race, the owner of the cube and the score count, both sides alike. Each is the difference of two numbers,
    times a weight; the sum of these is the distance.

    Args:
        rows: the columns of `COLUMNS`, a value for each position, as the player on roll sees it.
        position: the one that they are compared with.
    """
    import numpy as np

    own = _features({name: np.asarray([value]) for name, value in _cells(position).items()})
    total: NDArray[Any] = np.abs(_features(rows) - own).sum(axis=1)
    return total


def _cells(position: Position) -> dict[str, Any]:
    """A position as a row of the table of positions."""
    state, figures = position.state, figures_of([position.board])
    return {
        **{name: figures[name][0] for name in _FIGURES},
        "away": state.away[0] or 0,
        "opponent_away": state.away[1] or 0,
        "crawford": state.crawford,
        "owner": _OWNERS[state.cube.owner],
    }


def _features(rows: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """The numbers that are compared, each times its weight: a row per position."""
    import numpy as np

    signed = np.stack([np.asarray(rows[name], np.float32) for name in POINTS], axis=1)
    # Both sides from their own side of the board, the bar last.
    mine = np.maximum(signed, 0)[:, 1:]
    theirs = np.maximum(-signed, 0)[:, ::-1][:, 1:]
    sides = [_side(mine, theirs), _side(theirs, mine)]
    pips = [np.asarray(rows[name], np.float32) for name in ("pips", "opponent_pips")]
    score = [_AWAY * _near(rows[name]) for name in ("away", "opponent_away")]
    single = [
        (pips[1] - pips[0]) * _LEAD,
        (pips[0] + pips[1]) * _PIPS,
        *(np.asarray(rows[name], np.float32) * weight for name, weight in _WEIGHTS),
        *score,
    ]
    found: NDArray[Any] = np.concatenate([*sides, np.stack(single, axis=1)], axis=1)
    return found


def _near(away: NDArray[Any]) -> NDArray[Any]:
    """Points to go, of which many are as good as money."""
    import numpy as np

    points = np.asarray(away, np.float32)
    near: NDArray[Any] = np.where((points == 0) | (points > _FAR), _FAR, points)
    return near


def _side(own: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """The numbers of one side; both sides are counted from their own side, the 1-point first and the bar last."""
    import numpy as np

    weights = np.array([_MADE.get(point, _OUTSIDE) for point in range(1, BAR)], np.float32)
    on_points = own[:, : BAR - 1]
    made = (on_points >= 2) * weights
    blots = on_points == 1
    shots = (blots & _reached(other)).sum(axis=1)
    single = np.stack([shots * _SHOT, own[:, BAR - 1] * _ON_BAR, own[:, 18:].sum(axis=1) * _BACK], axis=1)
    found: NDArray[Any] = np.concatenate(
        [made, blots * np.float32(_BLOT), on_points * np.float32(_SPARE), single.astype(np.float32)], axis=1
    )
    return found


def _reached(other: NDArray[Any]) -> NDArray[Any]:
    """Which points a side's checkers reach with a single number, in the numbering of the side that stands there.

    A checker on the point n of its own side stands on the point 25 - n of the other's, and moves down from there.
    """
    import numpy as np

    reached = np.zeros((len(other), BAR - 1), bool)
    for far in range(1, _DIRECT + 1):
        for point in range(1, BAR):
            # My point p is their point 25 - p; a checker of theirs on 25 - p + far hits there.
            there = BAR - point + far
            if there <= BAR:
                reached[:, point - 1] |= other[:, there - 1] > 0
    return reached
