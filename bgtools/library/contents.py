"""Records of a library as they were added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bgtools.formats.reading import read_source
from bgtools.library.connecting import keep_numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bgtools.record.record import Match


def read_contents(connection: Any, records: Collection[int]) -> Iterator[tuple[int, int, str, bytes]]:
    """Some records with their place in their file, from 1, its path, and its content; without those whose file is lost.

    Args:
        connection: one of DuckDB that sees the library.
        records: their numbers.
    """
    keep_numbers(connection, "asked_for", "record", records)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE asked_files AS "
        "SELECT record, source, number FROM stored.matches SEMI JOIN asked_for USING (record)"
    )
    found: list[tuple[int, int, str, bytes]] = connection.execute(
        "SELECT a.record, a.number, s.path, s.content FROM stored.sources s JOIN asked_files a USING (source) "
        "WHERE s.content IS NOT NULL ORDER BY a.record"
    ).fetchall()
    return iter(found)


def read_records(connection: Any, records: Collection[int]) -> dict[int, Match]:
    """Some records, by their numbers; without those whose file is lost."""
    found: dict[int, Match] = {}
    read: dict[str, tuple[Match, ...]] = {}
    for record, number, path, content in read_contents(connection, records):
        if path not in read:
            read[path] = read_source(content, path)
        found[record] = read[path][number - 1]
    return found
