"""Printing rows in the layouts of answers to queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bgtools.cli.library._answers import print_answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def print_rows(names: Sequence[str], rows: Iterable[Sequence[Any]], layout: str) -> None:
    """Print rows.

    Args:
        names: of the columns.
        rows: a cell a column each.
        layout: ``table``, ``csv``, ``json`` or ``jsonl``.
    """
    print_answer(_Answer(names, rows), layout)


class _Answer:
    """Rows with the methods by which a connection of DuckDB gives its answer."""

    def __init__(self, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.description = [(name,) for name in names]
        self._rows = [tuple(row) for row in rows]

    def fetchmany(self, count: int) -> list[tuple[Any, ...]]:
        """The next rows."""
        some, self._rows = self._rows[:count], self._rows[count:]
        return some
