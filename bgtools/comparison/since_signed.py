"""What was changed in a match since it was signed, where the record is at hand that was signed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.comparison.comparing import compare
from bgtools.findings import codes
from bgtools.formats.ogxm.signatures import MATCH, NAMES, has_signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.comparison.difference import Difference
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match

_MOST: Final = 12
"""The most games, or other places, that are named."""


def with_changes(match: Match, findings: Iterable[Finding], originals: Sequence[Match]) -> tuple[Finding, ...]:
    """The findings of a match; one that it has changed since it was signed says what has.

    Args:
        match: the match.
        findings: what was found in it.
        originals: matches as they were before; the one counts that was signed.
    """
    return tuple(
        replace(found, message=f"{found.message}{_changes(match, originals)}")
        if found.code is codes.CHANGED_SINCE_SIGNED and found.message.startswith(NAMES[MATCH])
        else found
        for found in findings
    )


def _changes(match: Match, originals: Sequence[Match]) -> str:
    signed = next((each for each in originals if has_signed(match, each)), None)
    if signed is None:
        return "; no record that was given as the original is the one that was signed"
    return f": {changed_places(compare(signed, match).differences) or 'nothing that diff compares'}"


def changed_places(differences: Iterable[Difference]) -> str:
    """Where records differ, in words: ``game 3, rows 7 and 12; names``."""
    found: dict[str, list[int]] = {}
    for each in differences:
        side = each.b if each.b.row is not None or each.a.row is None else each.a
        place = each.kind if side.game is None else f"game {side.game}"
        rows = found.setdefault(place, [])
        if side.row is not None and side.row not in rows:
            rows.append(side.row)
    told = [place + _rows(sorted(rows)) for place, rows in found.items()]
    left = len(told) - _MOST
    return "; ".join(told[:_MOST]) + (f"; and {left:,} more" if left > 0 else "")


def _rows(rows: Sequence[int]) -> str:
    if not rows:
        return ""
    *first, last = map(str, rows)
    return f", rows {', '.join(first)} and {last}" if first else f", row {last}"
