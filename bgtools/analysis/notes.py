"""What an analysis leaves out, and what it assumes, in sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis.rows import DecisionRow, TurnRow
    from bgtools.rules.options import Ruleset


def left_out(decisions: Sequence[DecisionRow], turns: Sequence[TurnRow]) -> tuple[str, ...]:
    """One sentence a reason for what was left out."""
    notes: list[str] = []
    for reason, count in Counter(row.note for row in decisions if row.note and row.kind != "unplayed roll").items():
        notes.append(f"{count} {'decision' if count == 1 else 'decisions'} not analysed: {reason}.")
    for reason, count in Counter(row.note for row in turns if row.note).items():
        notes.append(f"Luck of {count} {'roll' if count == 1 else 'rolls'} not known: {reason}.")
    return tuple(notes)


_NO_LIMIT: Final = 1024
"""Programs write this limit of the cube, or a higher one, where no limit was set."""


def unknown_rules(rules: Ruleset, length: int, *, cube_limit: bool = False) -> tuple[str, ...]:
    """The rules of the record that the engine's equities do not know, a sentence each.

    Args:
        rules: the options of the record.
        length: points to win the match; 0 for money.
        cube_limit: whether the engine reckons with a limit of the cube.
    """
    notes: list[str] = []
    silent = [name for name, told in (("the Jacoby rule", rules.jacoby), ("beavers", rules.beavers)) if told is None]
    if silent and not length:
        verb = "were" if rules.beavers is None else "was"
        notes.append(f"The record does not say whether {' and '.join(silent)} {verb} in force; it is judged without.")
    if not cube_limit and (note := _of_the_limit(rules.cube_limit, length)):
        notes.append(note)
    if rules.quadruple:
        notes.append("A backgammon on the bar counts four times; equities count it three times.")
    if length > 1 and not rules.crawford:
        notes.append(
            "Played without the Crawford rule; the match equity table assumes it for scores before a player stands one "
            "point from winning."
        )
    if length > 1 and rules.holland:
        notes.append("Played with the Holland rule; equities let a player double at once after the Crawford game.")
    return tuple(notes)


def _of_the_limit(limit: int | None, length: int) -> str:
    """What equities that know no limit of the cube assume; empty where it makes no difference."""
    if limit == 1:
        return "Played without a cube; equities assume one that may be turned."
    if limit is None or limit >= (length or _NO_LIMIT):
        return ""
    return f"The cube may not go beyond {limit}; equities know no such limit."
