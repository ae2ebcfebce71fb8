"""Fields of eXtreme Gammon's records that mean something to it alone: kept as extras, and written back."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.shared.binary import BinaryRecord
from bgtools.formats.xg.layout import NO_ANALYSIS, RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bgtools.formats.shared.binary import BinaryField
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


def kept_fields(record: BinaryRecord, kind: RecordKind) -> Pairs:
    """The keys and values of those fields of a record of some kind that say anything."""
    prefix, names = KEPT[kind]
    found: Pairs = ()
    for name in names:
        values, usual = _numbers(record[name]), (_HEADER[name],) if name in _HEADER else _USUAL
        if not all(value in usual for value in values):
            found += ((f"{EXTRA}{prefix}{name.replace('_', '-')}", " ".join(map(repr, values))),)
    return found


def _numbers(value: Any) -> tuple[float, ...]:
    """The numbers of a field."""
    if isinstance(value, BinaryRecord):
        return tuple(value[name] for name in value.type.fields)
    return value if isinstance(value, tuple) else (value,)


def pairs_of(tags: Iterable[Tag]) -> Iterator[tuple[str, str]]:
    """Keys and values of extras of a match or a game."""
    return ((tag.key, tag.value) for tag in tags)


def put_kept(record: BinaryRecord, kind: RecordKind, extras: Iterable[tuple[str, str]]) -> None:
    """Write fields from extras. What is no field of the record, or does not fit into it, is left out."""
    prefix, names = KEPT[kind]
    for name in names:
        if name in _HEADER:
            record[name] = _HEADER[name]
    for key, text in extras:
        name = key.removeprefix(f"{EXTRA}{prefix}").replace("-", "_")
        if not key.startswith(f"{EXTRA}{prefix}") or name not in names:
            continue
        field = record.type.fields[name]
        kinds = [field] * max(sum(field.shape), 1) if isinstance(field.item, str) else [*field.item.fields.values()]
        numbers = [_number(each, kind) for each, kind in zip(text.split(), kinds, strict=False)]
        if None not in numbers and len(numbers) == len(kinds) == len(text.split()):
            record[name] = numbers if field.shape or not isinstance(field.item, str) else numbers[0]


def _number(text: str, field: BinaryField) -> float | None:
    """The number that a text is, if a field can hold it; else None."""
    limits = field.limits
    if limits is None:
        return float(text) if _FLOAT.fullmatch(text) else None
    return int(text) if _WHOLE.fullmatch(text) and limits[0] <= int(text) <= limits[1] else None
