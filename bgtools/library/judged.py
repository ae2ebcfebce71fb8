"""Decisions of a library as the rows that sheets and quizzes are made of."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis import COUNTING_NAMES, Blunder, ChoiceRow, Count, DecisionRow
from bgtools.library.connecting import named_rows, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PAIRED: Final = frozenset({"score"})
_MADE: Final = frozenset({"counted_by", "themes", "choices"})
_PLAIN: Final = tuple(each.name for each in fields(DecisionRow) if each.name not in _PAIRED | _MADE)
_CHOICE: Final = tuple(each.name for each in fields(ChoiceRow))

Place = tuple[int, int, int, str]
"""Record, game, entry and kind of a decision."""


def decisions_of(connection: Any, places: Sequence[tuple[int, int, int]]) -> dict[tuple[int, int], list[DecisionRow]]:
    """The analysed decisions at some entries and the next ones, with their choices, by record and game.

    The places are record, game and entry, of records that stand for matches.
    """
    there = [(record, game, entry + later) for record, game, entry in places for later in (0, 1)]
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE places AS SELECT "
        "unnest(?::BIGINT[]) AS record, unnest(?::INTEGER[]) AS game, unnest(?::INTEGER[]) AS entry",
        [[*each] for each in zip(*there, strict=True)],
    )
    choices: dict[Place, list[ChoiceRow]] = {}
    for row in named_rows(
        connection,
        f"SELECT record, game, entry, kind, {', '.join(_CHOICE)} FROM {shown(connection, 'choices', 'places')} "
        "SEMI JOIN places USING (record, game, entry)",
    ):
        place = (row["record"], row["game"], row["entry"], row["kind"])
        choices.setdefault(place, []).append(ChoiceRow(**{name: row[name] for name in _CHOICE}))
    found: dict[tuple[int, int], list[DecisionRow]] = {}
    for row in named_rows(
        connection,
        f"SELECT * REPLACE (coalesce(given, name) AS name) FROM {shown(connection, 'decisions', 'places')} "
        "SEMI JOIN places USING (record, game, entry)",
    ):
        place = (row["record"], row["game"], row["entry"], row["kind"])
        found.setdefault(place[:2], []).append(_decision(row, choices.get(place, [])))
    return found


def blunders_of(connection: Any, wanted: str, parameters: Sequence[Any] = ()) -> list[Blunder]:
    """Some decisions, each with its choices and where it stands.

    Args:
        connection: one that sees the library.
        wanted: a query that gives the columns `record`, `engine`, `game`, `entry` and `kind` of each decision, and
            `place`, by which they are ordered; equal places come in the order of records.
        parameters: the values of that query's parameters.
    """
    connection.execute(f"CREATE OR REPLACE TEMP TABLE wanted_decisions AS {wanted}", [*parameters])
    choices: dict[tuple[Any, ...], list[ChoiceRow]] = {}
    named = ", ".join(f"c.{name}" for name in _CHOICE)
    for row in named_rows(
        connection,
        f"SELECT record, engine, game, entry, kind, {named} "
        "FROM wanted_decisions JOIN stored.choices c USING (record, engine, game, entry, kind)",
    ):
        choices.setdefault(_which(row), []).append(ChoiceRow(**{name: row[name] for name in _CHOICE}))
    return [
        Blunder(
            row["path"] or "",
            row["match_number"],
            (row["player0"], row["player1"]),
            _decision(row, choices.get(_which(row), [])),
            row["called"],
        )
        for row in named_rows(
            connection,
            "SELECT d.* REPLACE (coalesce(CASE d.player WHEN 0 THEN c.player0 ELSE c.player1 END, d.name) AS name), "
            "coalesce(c.player0, m.player0) AS player0, coalesce(c.player1, m.player1) AS player1, "
            "m.number AS match_number, s.path, g.number AS called "
            "FROM wanted_decisions w JOIN stored.decisions d USING (record, engine, game, entry, kind) "
            "JOIN stored.chosen c USING (record, engine) "
            "JOIN stored.matches m USING (record) LEFT JOIN stored.games g USING (record, game) "
            "LEFT JOIN (SELECT source, min(path) AS path FROM stored.sources WHERE matches > 0 GROUP BY source) s "
            "ON s.source = m.source ORDER BY w.place, record, d.game, d.entry, d.kind",
        )
    ]


def _which(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["record"], row["engine"], row["game"], row["entry"], row["kind"]


def _decision(row: Mapping[str, Any], choices: list[ChoiceRow]) -> DecisionRow:
    return DecisionRow(
        **{name: row[name] for name in _PLAIN},
        score=(row["score"], row["opponent_score"]),
        counted_by={name: Count(row[f"{name}_counted"], row[f"{name}_why"]) for name in COUNTING_NAMES},
        themes=tuple(filter(None, row["themes"].split(", "))),
        choices=tuple(sorted(choices, key=lambda each: each.rank)),
    )
