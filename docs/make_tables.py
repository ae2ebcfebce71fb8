"""Write the data dictionary of the tables and their JSON Schema: `python docs/make_tables.py`.

Of tables.md it replaces what is between two comments; the rest is written by hand.
"""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bgtools.analysis.ratings.registry import RATINGS
from bgtools.findings.quantities import printed_as
from bgtools.reports.table_files import SCHEMA_NAME
from bgtools.reports.table_kinds import EVENT_TABLES, ORIGIN, TABLES, TABLES_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.reports.columns import Column

PAGE = Path(__file__).with_name("tables.md")
SCHEMA = Path(__file__).with_name("tables.schema.json")
BEGIN = "<!-- from here on made by `python docs/make_tables.py` -->"
END = "<!-- up to here -->"


def page(text: str) -> str:
    """The page with its dictionary rebuilt from the code."""
    before, _, rest = text.partition(BEGIN)
    after = re.sub(r"`ratings` \(.*?, each", f"`ratings` ({_ratings()}, each", rest.partition(END)[2])
    return f"{before}{BEGIN}\n\n{dictionary()}\n\n{END}{after}"


def _ratings() -> str:
    return ", ".join(f"`{rating.name}`" for rating in RATINGS)


def dictionary() -> str:
    """Every table and column."""
    origin = (
        "## Columns of every table over many records\n\n"
        f"This is version {TABLES_VERSION} of the columns. `bgtools table` puts these six before all others:\n\n"
        + _lines(ORIGIN)
    )
    tables = [f"## {name}\n\n{table.title}\n\n{_lines(table.columns, name)}" for name, table in TABLES.items()]
    events = [f"## {name}\n\n{title}\n\n{_lines(columns, name)}" for name, (title, columns) in EVENT_TABLES.items()]
    return "\n\n".join([origin, *tables, *events])


def _lines(columns: Sequence[Column], table: str = "") -> str:
    head = "| column | type | meaning |\n|---|---|---|\n"
    return head + "\n".join(_line(list(same), table) for same in _alike(columns))


def _alike(columns: Sequence[Column]) -> Iterable[Iterable[Column]]:
    """Columns that one line can tell of: the same figure of both players, and neighbours of one meaning."""
    halves: dict[str, list[Column]] = {}
    for column in columns:
        halves.setdefault(re.sub(r"^player[01]_", "player_", column.name), []).append(column)
    ordered = [column for same in halves.values() for column in same]
    return (same for _, same in groupby(ordered, key=lambda column: (column.type, column.meaning, column.values)))


def _line(columns: list[Column], table: str) -> str:
    column = columns[0]
    meaning = re.sub(r"``(.+?)``", r"`\1`", column.meaning)
    values = [f"`{value}`" for value in column.values if value]
    if values:
        meaning += f": {', '.join(values)}{' or empty' if '' in column.values else ''}"
    forms = dict.fromkeys(filter(None, (printed_as(table, each.name) for each in columns)))
    meaning += f"; printed as {' and '.join(forms)}" if forms else ""
    names = ", ".join(f"`{each.name}`" for each in columns)
    return f"| {names} | {column.type} | {meaning.replace('|', chr(92) + '|')} |"


def broken(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What readers of the old schema would miss in the new one, where both say that they are of one version."""

    def version(of: dict[str, Any]) -> object:
        return of["oneOf"][0]["properties"]["version"]["const"]

    if version(old) != version(new):
        return []
    found = []
    for table, rows in old["$defs"].items():
        there = new["$defs"].get(table, {"properties": {}})["properties"]
        for name, column in rows["properties"].items():
            if name not in there:
                found.append(f"{table} has no column {name} any more")
            elif not set(_types(there[name])) <= set(_types(column)):
                found.append(f"{table}: {name} was {column['type']} and is {there[name]['type']}")
    return found


def _types(column: dict[str, Any]) -> list[str]:
    kind = column["type"]
    return kind if isinstance(kind, list) else [kind, "null"]


_JSON_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "text": "string"}


def schema() -> dict[str, Any]:
    """The JSON Schema of a JSON document; its ``$defs`` describe the rows, which are also the lines of JSON Lines."""
    heads = {
        "format": {"const": SCHEMA_NAME},
        "version": {"const": TABLES_VERSION},
        "columns": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A table of bgtools",
        "description": "A row holds what the list of columns names, in its order.",
        "type": "object",
        "required": ["format", "version", "table", "columns", "rows"],
        "oneOf": [
            {
                "properties": {
                    **heads,
                    "table": {"const": name},
                    "rows": {"type": "array", "items": {"$ref": f"#/$defs/{name}"}},
                }
            }
            for name in TABLES
        ],
        "$defs": {
            name: {
                "description": table.title,
                "type": "object",
                "properties": {column.name: _property(column) for column in (*ORIGIN, *table.columns)},
                "additionalProperties": False,
            }
            for name, table in TABLES.items()
        },
    }


def _property(column: Column) -> dict[str, Any]:
    kind = _JSON_TYPES[column.type]
    found: dict[str, Any] = {"type": [kind, "null"] if column.nullable else kind}
    if column.values:
        found["enum"] = list(column.values)
    return {**found, "description": column.meaning}


def schema_text() -> str:
    """The JSON Schema."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if SCHEMA.exists() and (changed := broken(json.loads(SCHEMA.read_text(encoding="utf-8")), schema())):
        raise SystemExit("\n".join([*changed, "TABLES_VERSION has to grow; delete the schema if none was published"]))
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
