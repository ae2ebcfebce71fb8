"""What analyses say of the decisions of a library: in short, and as the rows that sheets and quizzes are made of."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.blunders import Blunder
from bgtools.analysis.ratings.registry import COUNTING_NAMES
from bgtools.analysis.ratings.rule import Count
from bgtools.analysis.rows import ChoiceRow, DecisionRow
from bgtools.library.connecting import asking, named_rows, shown
from bgtools.library.search_results import Place

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_PAIRED: Final = frozenset({"score"})
_MADE: Final = frozenset({"counted_by", "themes", "choices"})
_PLAIN: Final = tuple(each.name for each in fields(DecisionRow) if each.name not in _PAIRED | _MADE)
_CHOICE: Final = tuple(each.name for each in fields(ChoiceRow))


def keep_judged(connection: Any, entries: str) -> None:
    """Keep as the table ``judged`` what analyses say in short of the decisions at some entries, and at the next ones.

    Args:
        connection: one that sees the library.
        entries: the name of a table with ``record``, ``game`` and ``entry``, of records that stand for matches.
    """
    rows = shown(connection, "decisions", entries)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE judged AS SELECT record, game, entry, kind, best, loss, themes FROM {rows} "
        f"SEMI JOIN (SELECT record, game, unnest([entry, entry + 1]) AS entry FROM {entries}) "
        "USING (record, game, entry)"
    )


def decisions_at(connection: Any, places: Collection[Place]) -> dict[Place, DecisionRow]:
    """The analysed decisions at some places of records that stand for matches, with their choices.

    Raises:
        LibraryError: a file is missing or damaged.
    """
    with asking():
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE places AS SELECT unnest(?::BIGINT[]) AS record, "
            "unnest(?::INTEGER[]) AS game, unnest(?::INTEGER[]) AS entry, unnest(?::VARCHAR[]) AS kind",
            [[*each] for each in zip(*places, strict=True)],
        )
        there = "SEMI JOIN places USING (record, game, entry, kind)"
        choices: dict[Place, list[ChoiceRow]] = {}
        for row in named_rows(
            connection,
            f"SELECT {', '.join(Place._fields)}, {', '.join(_CHOICE)} "
            f"FROM {shown(connection, 'choices', 'places')} {there}",
        ):
            choices.setdefault(_place(row), []).append(ChoiceRow(**{name: row[name] for name in _CHOICE}))
        return {
            _place(row): _decision(row, choices.get(_place(row), []))
            for row in named_rows(
                connection,
                "SELECT * REPLACE (coalesce(given, name) AS name) "
                f"FROM {shown(connection, 'decisions', 'places')} {there}",
            )
        }


def _place(row: Mapping[str, Any]) -> Place:
    return Place(row["record"], row["game"], row["entry"], row["kind"])


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
