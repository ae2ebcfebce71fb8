"""Decisions of a library as the rows that sheets and quizzes are made of."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis import COUNTING_NAMES, ChoiceRow, Count, DecisionRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_PAIRED: Final = frozenset({"score"})
_MADE: Final = frozenset({"counted_by", "themes", "choices"})
_PLAIN: Final = tuple(each.name for each in fields(DecisionRow) if each.name not in _PAIRED | _MADE)
_CHOICE: Final = tuple(each.name for each in fields(ChoiceRow))

Place = tuple[int, int, int, str]
"""Record, game, entry and kind of a decision."""


def decisions_of(connection: Any, records: Sequence[int]) -> dict[tuple[int, int], list[DecisionRow]]:
    """The analysed decisions of some records, with their choices, by record and game.

    The numbers of the records are those by which `decisions` names them; where another record of the match brought the
    analysis along, its entries may be numbered otherwise, and it is left out. The table ``analysed`` names those that
    were analysed.
    """
    told = connection.execute(
        f"SELECT record FROM analysed WHERE record IN ({', '.join(map(str, records))})"
    ).fetchall()
    named = ", ".join(str(record) for (record,) in told)
    if not named:
        return {}
    which = f"SEMI JOIN (SELECT unnest([{named}]) AS record) USING (record)"
    choices: dict[Place, list[ChoiceRow]] = {}
    for row in _rows(connection, f"SELECT record, game, entry, kind, {', '.join(_CHOICE)} FROM choices {which}"):
        place = (row["record"], row["game"], row["entry"], row["kind"])
        choices.setdefault(place, []).append(ChoiceRow(**{name: row[name] for name in _CHOICE}))
    found: dict[tuple[int, int], list[DecisionRow]] = {}
    for row in _rows(connection, f"SELECT * FROM decisions {which}"):
        place = (row["record"], row["game"], row["entry"], row["kind"])
        found.setdefault(place[:2], []).append(_decision(row, choices.get(place, [])))
    return found


def _rows(connection: Any, query: str) -> Iterator[Mapping[str, Any]]:
    answer = connection.execute(query)
    names = [each[0] for each in answer.description]
    for row in answer.fetchall():
        yield dict(zip(names, row, strict=True))


def _decision(row: Mapping[str, Any], choices: list[ChoiceRow]) -> DecisionRow:
    return DecisionRow(
        **{name: row[name] for name in _PLAIN},
        score=(row["score"], row["opponent_score"]),
        counted_by={name: Count(row[f"{name}_counted"], row[f"{name}_why"]) for name in COUNTING_NAMES},
        themes=tuple(filter(None, row["themes"].split(", "))),
        choices=tuple(sorted(choices, key=lambda each: each.rank)),
    )
