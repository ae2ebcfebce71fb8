"""How positions of a library were played there, and what that lost."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bgtools.library.found import Played

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.library.search import Sought


def plays_of(connection: Any, sought: Sought, flipped: str) -> Iterator[Played]:
    """How the positions in ``hits`` were played: cube actions, then plays by roll."""
    own = f"(SELECT * FROM hits WHERE NOT ({flipped}))" if flipped else "hits"
    if sought.answer:
        yield from _shared(_answers(connection, own))
        return
    if not sought.dice_text:
        yield from _shared(_doubles(connection, own))
    judged = _losses(connection, own, ("checker play",))
    rolls = connection.execute(
        f"WITH h AS MATERIALIZED (SELECT * FROM {own} WHERE action = 'roll') "
        "SELECT h.dice, h.played, count(*) AS times, count(j.loss), avg(j.loss) "
        f"FROM h LEFT JOIN {judged} j ON j.record = h.record AND j.game = h.game AND j.entry = h.entry "
        "GROUP BY ALL ORDER BY h.dice, times DESC, h.played"
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


def _losses(connection: Any, own: str, kinds: Sequence[str]) -> str:
    """A table of what was lost at the entries of the records in ``hits``."""
    records = f"(SELECT DISTINCT record FROM {own} SEMI JOIN analysed USING (record))"
    if not connection.execute(f"SELECT count(*) FROM {records}").fetchall()[0][0]:
        return "(SELECT NULL::BIGINT AS record, NULL AS game, NULL AS entry, NULL::DOUBLE AS loss WHERE false)"
    named = ", ".join(repr(each) for each in kinds)
    return (
        f"(SELECT record, game, entry, loss FROM decisions SEMI JOIN {records} USING (record) WHERE kind IN ({named}))"
    )


def _doubles(connection: Any, own: str) -> list[tuple[Any, ...]]:
    judged = _losses(connection, own, ("double", "no double"))
    return [
        *connection.execute(
            "SELECT '', CASE action WHEN 'double' THEN 'Double' ELSE 'No double' END AS done, count(*) AS times, "
            f"count(j.loss), avg(j.loss) FROM {own} h "
            f"LEFT JOIN {judged} j ON j.record = h.record AND j.game = h.game AND j.entry = h.entry "
            "WHERE h.action = 'double' OR can_double(h) "
            "GROUP BY ALL ORDER BY times DESC, done"
        ).fetchall()
    ]


def _answers(connection: Any, own: str) -> list[tuple[Any, ...]]:
    judged = _losses(connection, own, ("take", "pass", "beaver"))
    return [
        *connection.execute(
            "SELECT '', CASE t.action WHEN 'drop' THEN 'Pass' WHEN 'take' THEN 'Take' ELSE 'Beaver' END AS done, "
            "count(*) AS times, count(j.loss), avg(j.loss) "
            f"FROM (SELECT record, game, entry, action FROM turns SEMI JOIN (SELECT DISTINCT record FROM {own}) "
            f"USING (record) WHERE action IN ('take', 'drop', 'beaver')) t "
            f"JOIN {own} h ON h.record = t.record AND h.game = t.game AND h.entry + 1 = t.entry "
            f"LEFT JOIN {judged} j ON j.record = t.record AND j.game = t.game AND j.entry = t.entry "
            "GROUP BY ALL ORDER BY times DESC, done"
        ).fetchall()
    ]
