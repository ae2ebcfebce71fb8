"""How positions of a library were played, and what the plays lost."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from bgtools.library.search import ANSWERS
from bgtools.library.search_results import Played

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.library.search import SearchedPosition


_OWN: Final = "(SELECT * FROM hits WHERE NOT turned)"
"""The hits with the same player on roll."""


def plays_of(connection: Any, sought: SearchedPosition) -> Iterator[Played]:
    """How the positions in ``hits`` were played, of which ``judged`` tells the losses: cube actions, then rolls."""
    if sought.answer:
        yield from _shared(_answers(connection))
        return
    if not sought.dice_text:
        yield from _shared(_doubles(connection))
    rolls = connection.execute(
        "SELECT dice, played, count(*) AS times, count(j.loss), avg(j.loss) "
        f"FROM {_OWN} h LEFT JOIN {_lost_by('checker play')} j USING (record, game, entry) "
        "WHERE action = 'roll' GROUP BY ALL ORDER BY dice, times DESC, played"
    ).fetchall()
    by_dice: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rolls:
        by_dice[row[0]].append(row)
    for some in by_dice.values():
        yield from _shared(some)


def _shared(rows: Iterable[tuple[Any, ...]]) -> Iterator[Played]:
    """The plays of one roll, each with its share of all the times that the roll was played."""
    rows = list(rows)
    whole = sum(row[2] for row in rows)
    for dice, played, times, judged, loss in rows:
        yield Played(dice, played, times, times / whole, judged, loss)


def _lost_by(*kinds: str) -> str:
    """A table of what decisions of some kinds lost."""
    return f"(SELECT record, game, entry, loss FROM judged WHERE kind IN ({', '.join(map(repr, kinds))}))"


def _doubles(connection: Any) -> list[tuple[Any, ...]]:
    return [
        *connection.execute(
            "SELECT '', CASE action WHEN 'double' THEN 'Double' ELSE 'No double' END AS done, count(*) AS times, "
            f"count(j.loss), avg(j.loss) FROM {_OWN} h "
            f"LEFT JOIN {_lost_by('double', 'no double')} j USING (record, game, entry) "
            "WHERE h.action = 'double' OR can_double(h) "
            "GROUP BY ALL ORDER BY times DESC, done"
        ).fetchall()
    ]


def _answers(connection: Any) -> list[tuple[Any, ...]]:
    return [
        *connection.execute(
            "SELECT '', CASE t.action WHEN 'drop' THEN 'Pass' WHEN 'take' THEN 'Take' ELSE 'Beaver' END AS done, "
            "count(*) AS times, count(j.loss), avg(j.loss) "
            f"FROM (SELECT record, game, entry, action FROM turns SEMI JOIN (SELECT DISTINCT record FROM {_OWN}) "
            f"USING (record) WHERE action IN ('take', 'drop', 'beaver')) t "
            f"JOIN {_OWN} h ON h.record = t.record AND h.game = t.game AND h.entry + 1 = t.entry "
            f"LEFT JOIN {_lost_by(*ANSWERS)} j ON j.record = t.record AND j.game = t.game AND j.entry = t.entry "
            "GROUP BY ALL ORDER BY times DESC, done"
        ).fetchall()
    ]
