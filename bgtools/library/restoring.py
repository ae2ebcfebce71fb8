"""Rows of a library as the rows that an analysis makes: decisions with their choices."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis import Blunder, ChoiceRow, Count, DecisionRow
from bgtools.reports import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WHICH: Final = ("record", "engine", "game", "entry", "kind")
"""What names a decision of a library."""


def blunders_of_rows(connection: Any, wanted: str, parameters: Sequence[Any] = ()) -> list[Blunder]:
    """Decisions of a library, each with its choices and where it stands.

    Args:
        connection: one that sees the library.
        wanted: a query that gives the columns `record`, `engine`, `game`, `entry` and `kind` of each, and in which
            order they shall come as `place`, the same for some that may come in any order.
        parameters: of that query.
    """
    connection.execute(f"CREATE OR REPLACE TEMP TABLE wanted_decisions AS {wanted}", [*parameters])
    columns = [each.name for each in TABLES["decisions"].columns]
    cells = ", ".join(f"d.{name}" for name in columns)
    rows = connection.execute(
        f"SELECT record, engine, {cells}, m.player0, m.player1, m.number, s.path "
        "FROM wanted_decisions w JOIN stored.decisions d USING (record, engine, game, entry, kind) "
        "JOIN stored.matches m USING (record) "
        "LEFT JOIN (SELECT source, min(path) AS path FROM stored.sources WHERE matches > 0 GROUP BY source) s "
        "ON s.source = m.source ORDER BY w.place, record, d.game, d.entry, d.kind"
    ).fetchall()
    choices = _choices(connection)
    found = []
    for record, engine, *cells, first, second, number, path in rows:
        told = dict(zip(columns, cells, strict=True))
        row = _decision(told, choices.get((record, engine, told["game"], told["entry"], told["kind"]), ()))
        found.append(Blunder(path or "", number, (first, second), row))
    return found


def _choices(connection: Any) -> Mapping[tuple[Any, ...], Sequence[ChoiceRow]]:
    names = [each.name for each in TABLES["choices"].columns if each.name in ChoiceRow.__dataclass_fields__]
    cells = ", ".join(f"c.{name}" for name in names)
    found: defaultdict[tuple[Any, ...], list[ChoiceRow]] = defaultdict(list)
    for row in connection.execute(
        f"SELECT {', '.join(_WHICH)}, {cells} FROM wanted_decisions JOIN stored.choices c USING ({', '.join(_WHICH)}) "
        "ORDER BY rank"
    ).fetchall():
        found[row[: len(_WHICH)]].append(ChoiceRow(**dict(zip(names, row[len(_WHICH) :], strict=True))))
    return found


def _decision(told: Mapping[str, Any], choices: Sequence[ChoiceRow]) -> DecisionRow:
    """A row of the table of decisions as it was before it was written."""
    fields = {name: told[name] for name in DecisionRow.__dataclass_fields__ if name in told}
    counted = {
        name.removesuffix("_counted"): Count(told[name], told[f"{name.removesuffix('_counted')}_why"])
        for name in told
        if name.endswith("_counted")
    }
    return DecisionRow(
        **{
            **fields,
            "score": (told["score"], told["opponent_score"]),
            "themes": tuple(told["themes"].split(", ")) if told["themes"] else (),
            "counted_by": counted,
            "choices": tuple(choices),
        }
    )
