"""Lists to publish: of verdicts on records and of ratings of players, as Markdown, as CSV or JSON."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from bgtools.findings.finding import printable
from bgtools.reports.document import DataTable, markdown_table
from bgtools.reports.values import csv_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.repair.verdicts import FileVerdict

ENDINGS: Final = (".html", ".md", ".csv", ".json")
"""Of the files that hold a list; they say its form."""

_VERDICT_HEADS: Final = ("players", "event", "score", "verdict", "what is wrong", "what was repaired", "file")


def list_bytes(ending: str, rows: Sequence[Mapping[str, Any]], table: DataTable, lead: str) -> bytes:
    """The bytes of a list.

    Args:
        ending: one of `ENDINGS` but .html, which is a page of `bgtools.site.alone`.
        rows: what CSV and JSON hold.
        table: what Markdown shows, below its title.
        lead: a sentence above it.
    """
    if ending == ".json":
        return (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()
    if ending == ".csv":
        return csv_rows(rows).encode()
    return f"# {table.title}\n\n{lead}\n\n{markdown_table(table)}\n".encode()


def csv_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV, below the names of their columns."""
    cells = [[printable(each) if isinstance(each, str) else each for each in row.values()] for row in rows]
    return csv_text([list(rows[0]), *cells]) if rows else ""


def verdict_bytes(found: Sequence[FileVerdict], ending: str) -> bytes:
    """The bytes of the list of verdicts, in the order of ``found``; ``ending`` is one of `ENDINGS` but .html."""
    counts = Counter(each.verdict for each in found)
    files = "1 file" if len(found) == 1 else f"{len(found):,} files"
    lead = f"{files}: " + ", ".join(f"{count:,} {verdict}" for verdict, count in counts.most_common())
    return list_bytes(ending, [asdict(each) for each in found], verdict_table(found), lead)


def verdict_table(found: Sequence[FileVerdict]) -> DataTable:
    """The list of verdicts as a table, a row a file."""
    rows = [
        tuple(
            map(
                printable,
                (
                    each.players,
                    each.event,
                    each.score,
                    each.verdict,
                    each.wrong or each.reason,
                    each.repaired,
                    each.file,
                ),
            )
        )
        for each in found
    ]
    return DataTable("Verdicts", _VERDICT_HEADS, rows, text_at=range(len(_VERDICT_HEADS)))
