"""Rows as plain values, for JSON, and as CSV."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def values_of(row: object, names: str, digits: int | None = None) -> dict[str, Any]:
    """Some fields of a row by their names, which stand in a text with blanks between them.

    Args:
        row: an object with these fields.
        names: which ones, in this order.
        digits: how many digits floats keep behind the point; None for all.
    """
    return {name: plain(getattr(row, name), digits) for name in names.split()}


def plain(value: Any, digits: int | None = None) -> Any:
    """A value with lists in place of tuples, and its floats rounded: further digits differ from machine to machine."""
    if isinstance(value, float):
        return value if digits is None else round(value, digits) + 0.0  # no minus zero
    if isinstance(value, dict):
        return {key: plain(item, digits) for key, item in value.items()}
    return [plain(item, digits) for item in value] if isinstance(value, list | tuple) else value


_FIRST: Final = frozenset("'=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_FORMULA: Final = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def guarded(text: str) -> str:
    """A text as a cell of a CSV file, so that no spreadsheet takes it for a formula: with an apostrophe before it.

    A text that has apostrophes before such a beginning gets one more, so that `unguarded` gives it back as it was.
    Source: OWASP, CSV Injection.
    """
    return f"'{text}" if text[:1] in _FIRST and _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text that `guarded` has made a cell of."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text) else text


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV, each with its line end; every text is `guarded`."""
    safe = [[guarded(cell) if type(cell) is str else cell for cell in row] for row in rows]
    text = _csv(safe, csv.QUOTE_MINIMAL)
    if "\r" not in text:
        return text
    # The csv module does not quote a carriage return, though some readers end a line there.
    return "".join(_csv([row], csv.QUOTE_ALL if any(map(_returns, row)) else csv.QUOTE_MINIMAL) for row in safe)


def _returns(cell: Any) -> bool:
    return type(cell) is str and "\r" in cell


def _csv(rows: Iterable[Sequence[Any]], quoting: Literal[0, 1]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n", quoting=quoting).writerows(rows)
    return stream.getvalue()
