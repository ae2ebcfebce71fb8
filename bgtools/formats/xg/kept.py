"""Fields of eXtreme Gammon's records that mean something to it alone: kept as extras, and written back."""

from __future__ import annotations

import re
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bgtools.formats.xg.layout import NO_ANALYSIS, RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bgtools.record.record import Tag

EXTRA: Final = "xg:"
_USUAL: Final = (0, -1, NO_ANALYSIS)
"""The values with which a field says nothing."""
_HEADER: Final = MappingProxyType(
    {
        "level1": -1, "level2": -1, "count_for_elo": 0, "add_to_profile1": 0, "add_to_profile2": 0, "mode": 0,
        "imported": 0, "invert": 1, "money_games": 0, "entered": 0, "counted": 0, "unrated": 0, "for_money": 0,
        "currency": 0, "site": -1, "transcribed": 0,
    }
)  # fmt: skip
"""Fields of the match header, each with the one value with which it says nothing."""
KEPT: Final[Mapping[RecordKind, tuple[str, tuple[str, ...]]]] = MappingProxyType(
    {
        RecordKind.MATCH: (
            "",
            (
                *_HEADER, "money_score", "money_won", "money_lost", "money_fee", "table_stake", "clock",
                "rollouts_marked",
            ),
        ),
        RecordKind.CUBE: (
            "cube-",
            (
                "beaver_error", "raccoon_error", "invalid", "tutor_double", "tutor_take", "tutor_error",
                "tutor_take_error", "rollout_marked",
            ),
        ),
        RecordKind.MOVE: (
            "play-", ("old_error", "tutor_board", "tutor", "tutor_error", "rollouts_marked", "filler")
        ),
        RecordKind.GAME_END: ("end-", ("resign_error", "accept_error", "result", "level")),
        RecordKind.MATCH_END: ("match-end-", ("elo1", "elo2", "experience1", "experience2", "date")),
    }
)  # fmt: skip
"""The fields that are kept of each kind of record, and what their keys begin with behind `EXTRA`."""
CUBE: Final = f"{EXTRA}{KEPT[RecordKind.CUBE][0]}"
_WHOLE: Final = re.compile(r"-?\d{1,20}")
_FLOAT: Final = re.compile(r"-?(?:\d{1,40}(?:\.\d{1,40})?(?:e[-+]?\d{1,3})?|inf|nan)")

Pairs = tuple[tuple[str, str], ...]


def kept_fields(records: Any, kind: RecordKind) -> list[Pairs]:
    """For each of some records of one kind, the keys and values of the fields that say anything.

    Args:
        records: an array of them.
        kind: their kind.
    """
    prefix, names = KEPT[kind]
    found: list[Pairs] = [()] * len(records)
    if not found:
        return found
    for name in names:
        usual = (_HEADER[name],) if name in _HEADER else _USUAL
        columns = _columns(records[name])
        for index in np.flatnonzero(~np.isin(columns, usual).all(axis=1)).tolist():
            text = " ".join(repr(value) for value in columns[index].tolist())
            found[index] += ((f"{EXTRA}{prefix}{name.replace('_', '-')}", text),)
    return found


def _columns(values: Any) -> Any:
    """The numbers of a field, a row for each record."""
    if values.dtype.names:
        values = np.stack([values[name] for name in values.dtype.names], axis=1)
    return values.reshape(len(values), -1)


def pairs_of(tags: Iterable[Tag]) -> Iterator[tuple[str, str]]:
    """Keys and values of extras of a match or a game."""
    return ((tag.key, tag.value) for tag in tags)


def put_kept(record: Any, kind: RecordKind, extras: Iterable[tuple[str, str]]) -> None:
    """Write fields from extras. What is no field of the record, or does not fit into it, is left out."""
    prefix, names = KEPT[kind]
    for name in names:
        if name in _HEADER:
            record[name] = _HEADER[name]
    for key, text in extras:
        name = key.removeprefix(f"{EXTRA}{prefix}").replace("-", "_")
        if not key.startswith(f"{EXTRA}{prefix}") or name not in names:
            continue
        field = record.dtype[name]
        kinds = [field[each] for each in field.names] if field.names else [field.base] * prod(field.shape)
        numbers = [_number(each, kind) for each, kind in zip(text.split(), kinds, strict=False)]
        if None not in numbers and len(numbers) == len(kinds) == len(text.split()):
            record[name] = tuple(numbers) if field.names else numbers if field.shape else numbers[0]


def _number(text: str, kind: Any) -> float | None:
    """The number that a text is, if a field of some kind can hold it; else None."""
    if kind.kind == "f":
        return float(text) if _FLOAT.fullmatch(text) else None
    limits = np.iinfo(kind)
    return int(text) if _WHOLE.fullmatch(text) and limits.min <= int(text) <= limits.max else None
