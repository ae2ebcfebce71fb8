"""Rows of our classes as plain values, for JSON."""

from __future__ import annotations

from typing import Any


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
