"""How positions that a search has found were played: by play, and by what the play does, in words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.phases import describe_play
from bgtools.analysis.statistics import MANY_VALUES, Sums
from bgtools.board.board import BAR
from bgtools.board.movement import find_play
from bgtools.board.notation import read_play
from bgtools.library.search import ANSWERS
from bgtools.positions.position import from_signed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.board.board import Board
    from bgtools.library.search import SearchedPosition


@dataclass(frozen=True, slots=True)
class Played:
    """One of the ways in which a position, or positions like it, were played.

    Attributes:
        dice: the roll; empty for a cube action, and for what is done in words.
        played: the play, or ``Double``, ``No double``, ``Take``, ``Pass``, ``Beaver``; in words what the play does.
        kind: what the play does, in words; a cube action does what it says.
        times: how often.
        by_me: how often by the player whose library it is.
        share: ``times`` as a part of all plays of this roll, or of all who could double, or were doubled; 0 to 1.
        judged: how many of them were analysed.
        best: how many of those were best.
        loss: what the analysed ones lost on average, in EMG; None where none was analysed.
        interval: the 95% interval of that mean; None for too few.
    """

    dice: str
    played: str
    kind: str
    times: int
    by_me: int
    share: float
    judged: int
    best: int
    loss: float | None
    interval: tuple[float, float] | None


_OWN: Final = "(SELECT * FROM hits WHERE NOT turned)"
"""The hits with the same player on roll."""
_LEAST: Final = 5e-7
"""A play that loses less is as good as the best."""
_FIGURES: Final = (
    "count(*), count(*) FILTER (CASE seat.player WHEN 0 THEN m.person0 ELSE m.person1 END = me()), count(loss), "
    f"count(*) FILTER (loss < {_LEAST}), coalesce(sum(loss), 0), coalesce(sum(loss * loss), 0), "
    f"CASE WHEN count(loss) < {MANY_VALUES} THEN list(loss) FILTER (loss IS NOT NULL) END"
)
_POINTS: Final = "".join(f"h.p{point}, " for point in range(26))
_ROLLED: Final = f"""
SELECT h.dice, h.played, {{board}} {_FIGURES.replace("seat", "h")}
FROM {_OWN} h LEFT JOIN {{lost}} j USING (record, game, entry) LEFT JOIN headed m USING (record)
WHERE h.action = 'roll' GROUP BY ALL
"""
_DOUBLED: Final = f"""
SELECT '' AS dice, CASE h.action WHEN 'double' THEN 'Double' ELSE 'No double' END AS played,
    {_FIGURES.replace("seat", "h")}
FROM {_OWN} h LEFT JOIN {{lost}} j USING (record, game, entry) LEFT JOIN headed m USING (record)
WHERE h.action = 'double' OR can_double(h) GROUP BY ALL
"""
_ANSWERED: Final = f"""
SELECT '' AS dice, CASE t.action WHEN 'drop' THEN 'Pass' WHEN 'take' THEN 'Take' ELSE 'Beaver' END AS played,
    {_FIGURES.replace("seat", "t")}
FROM (
    SELECT record, game, entry, action, player FROM turns SEMI JOIN (SELECT DISTINCT record FROM {_OWN}) USING (record)
    WHERE action IN ('take', 'drop', 'beaver')
) t
JOIN {_OWN} h ON h.record = t.record AND h.game = t.game AND h.entry + 1 = t.entry
LEFT JOIN {{lost}} j ON j.record = t.record AND j.game = t.game AND j.entry = t.entry
LEFT JOIN headed m ON m.record = t.record
GROUP BY ALL
"""


@dataclass(frozen=True, slots=True)
class _EqualPlays:
    """Some equal decisions on one board."""

    dice: str
    played: str
    kind: str
    times: int
    by_me: int
    valued: int
    best: int
    lost: float
    squares: float
    losses: list[float] | None


@dataclass(frozen=True, slots=True)
class Answer:
    """How positions were played.

    Attributes:
        plays: by what was done: cube actions, then each roll with its plays, the most frequent first.
        kinds: the same by what plays do, in words, whatever the roll, the most frequent first.
    """

    plays: tuple[Played, ...] = ()
    kinds: tuple[Played, ...] = ()


def answer_of(connection: Any, sought: SearchedPosition, *, boards: bool = False) -> Answer:
    """How the positions in ``hits`` were played, of which ``judged`` has the losses.

    Args:
        connection: to the library.
        sought: the position that was asked for.
        boards: whether the hits have boards of their own, in the columns of the table of positions.
    """
    cubes, rolls = _rows(connection, sought, boards=boards)
    plays = [*_summed(cubes, lambda row: (row.played,))]
    by_dice: dict[str, list[_EqualPlays]] = defaultdict(list)
    for row in rolls:
        by_dice[row.dice].append(row)
    for _, some in sorted(by_dice.items()):
        plays += _summed(some, lambda row: (row.dice, row.played))
    in_words = [replace(row, dice="", played=row.kind) for row in rolls]
    kinds = [*_summed(cubes, lambda row: (row.played,)), *_summed(in_words, lambda row: (row.kind,))]
    return Answer(tuple(plays), tuple(kinds))


def _rows(connection: Any, sought: SearchedPosition, *, boards: bool) -> tuple[list[_EqualPlays], list[_EqualPlays]]:
    """Cube actions, and plays; the same play is looked at board by board, since it may do different things on them."""
    if sought.answer:
        return [*_of_cube(connection, _ANSWERED, ANSWERS)], []
    cubes = [] if sought.dice_text else [*_of_cube(connection, _DOUBLED, ("double", "no double"))]
    query = _ROLLED.format(board=_POINTS if boards else "", lost=_lost_by("checker play"))
    rolls = []
    width = BAR + 1 if boards else 0
    for dice, played, *rest in connection.execute(query).fetchall():
        board = from_signed(tuple(rest[:width])) if boards else sought.position.board
        rolls.append(_EqualPlays(dice, played, _kind(board, dice, played), *rest[width:]))
    return cubes, rolls


def _of_cube(connection: Any, query: str, kinds: Sequence[str]) -> Iterator[_EqualPlays]:
    for dice, played, *rest in connection.execute(query.format(lost=_lost_by(*kinds))).fetchall():
        yield _EqualPlays(dice, played, played, *rest)


def _lost_by(*kinds: str) -> str:
    """A table of what decisions of some kinds lost."""
    return f"(SELECT record, game, entry, loss FROM judged WHERE kind IN ({', '.join(map(repr, kinds))}))"


@lru_cache(maxsize=1 << 14)
def _kind(board: Board, dice: str, played: str) -> str:
    """What a play does, in words."""
    text = read_play(played)
    if text.kind == "dance":
        return "dance"
    play = find_play(board, (int(dice[0]), int(dice[1])), text.hops) if text.kind == "moves" else None
    return "against the rules, or not recorded" if play is None else describe_play(board, play.result)


def _summed(rows: Iterable[_EqualPlays], key: Callable[[_EqualPlays], tuple[str, ...]]) -> Iterator[Played]:
    """The rows with one key together, the most frequent first, each with its share of all."""
    found: dict[tuple[str, ...], list[_EqualPlays]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    whole = sum(row.times for some in found.values() for row in some)
    for _, some in sorted(found.items(), key=lambda each: (-sum(row.times for row in each[1]), each[0])):
        yield _together(some, whole)


def _together(some: Sequence[_EqualPlays], whole: int) -> Played:
    times, judged = sum(row.times for row in some), sum(row.valued for row in some)
    lost = sum(row.lost for row in some)
    each = [row.losses or [] for row in some]
    values = [loss for losses in each for loss in losses] if judged < MANY_VALUES else None
    interval = Sums(judged, lost, sum(row.squares for row in some), values).interval if judged else None
    first = max(some, key=lambda row: row.times)
    return Played(
        first.dice,
        first.played,
        first.kind,
        times,
        sum(row.by_me for row in some),
        times / whole,
        judged,
        sum(row.best for row in some),
        lost / judged if judged else None,
        interval and (interval[0] / judged, interval[1] / judged),
    )
