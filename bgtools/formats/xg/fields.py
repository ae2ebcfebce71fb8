"""Translating the fields of eXtreme Gammon's records into the record model, and back.

The tables come from the published description of the format (see `bgtools.formats.xg.layout`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import FormatError
from bgtools.formats.shared.tags import BEAVERS_ON, DAY, rules_of_tags
from bgtools.formats.xg.archive import get_ansi, get_wide
from bgtools.formats.xg.layout import UNLIMITED
from bgtools.record.annotation import Level
from bgtools.replayer.valued import plies
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.formats.shared.binary import BinaryRecord
    from bgtools.record.record import Tag

PROGRAM: Final = "eXtreme Gammon"

VARIATIONS: Final = ("backgammon", "nackgammon", "hypergammon", "longgammon")
"""Names of `bgtools.rules.options.VARIANTS` by their numbers in the header."""

# --- levels of analysis ---------------------------------------------------------------------

NO_LEVEL: Final = -1
ROLLOUT: Final = 100
_BOOK: Final = 998
_LEVELS: Final[Mapping[int, str]] = MappingProxyType(
    {
        **{ply: f"{ply + 1}-ply" for ply in range(7)},
        12: "3-ply red",
        ROLLOUT: "rollout",
        _BOOK: "opening book",
        999: "opening book",
        1000: "XG Roller",
        1001: "XG Roller+",
        1002: "XG Roller++",
    }
)
_LEVEL_CODES: Final = {name.casefold(): code for code, name in reversed(list(_LEVELS.items()))}
_CODE: Final = re.compile(r"(-?\d{1,5})(d?)/(-?\d{1,5})")
_NAMED: Final = 12
"""Levels from this number on have names; those below it are plies."""
_MOST_PLIES: Final = 6
_MOST_LEVEL: Final = 32767
_LEVEL_NUMBER: Final = re.compile(r"level (-?\d{1,5})")


def level(number: int, asked: int, *, doubled: bool = False) -> Level:
    """A level of analysis. XG stops below the level asked for where a decision is obvious.

    Args:
        number: the level reached.
        asked: the level asked for.
        doubled: whether the next thing to happen was taken to be a double.
    """
    return Level(name=_LEVELS.get(number, f"level {number}"), code=f"{number}{'d' if doubled else ''}/{asked}")


def level_numbers(given: Level, program: str) -> tuple[int, int, bool]:
    """The level reached, the level asked for, and whether a double was assumed, of the nearest level of XG."""
    if (found := _CODE.fullmatch(given.code)) and max(int(found[1]), int(found[3])) <= _MOST_LEVEL:
        return int(found[1]), int(found[3]), bool(found[2])
    if found := _LEVEL_NUMBER.fullmatch(given.name):
        number = min(int(found[1]), _MOST_LEVEL)
    elif (named := _LEVEL_CODES.get(given.name.casefold())) is not None and named >= _NAMED:
        number = named
    else:
        number = min(plies(given, program) or 0, _MOST_PLIES)
    return number, number, False


# --- dates ----------------------------------------------------------------------------------

_EPOCH: Final = datetime(1899, 12, 30)
_TIME: Final = re.compile(r"(\d\d)\.(\d\d)(?:\.(\d\d))?")
_SECONDS: Final = 86_400


def date_tags(days: float) -> Iterator[tuple[str, str]]:
    """The tags of the day and the time of a match; none for a date that is not set or impossible.

    Args:
        days: days since 30 December 1899, as Delphi counts them.
    """
    if not 0 < days < 200_000:
        return
    moment = _EPOCH + timedelta(seconds=round(days * _SECONDS))
    yield "EventDate", f"{moment:%Y.%m.%d}"
    if moment.hour or moment.minute or moment.second:
        yield "EventTime", f"{moment:%H.%M}" + (f".{moment:%S}" if moment.second else "")


def date_of(day: str, time: str) -> float | None:
    """Days since 30 December 1899, from the values of two tags; None where these have another form."""
    found, clock = DAY.fullmatch(day), _TIME.fullmatch(time or "00.00")
    if not found or not clock:
        return None
    hour, minute, second = (int(part or 0) for part in clock.groups())
    try:
        moment = datetime(int(found[1]), int(found[2]), int(found[3]), hour, minute, second)
    except ValueError:
        return None
    past = moment - _EPOCH
    return past.days + past.seconds / _SECONDS


# --- tags -----------------------------------------------------------------------------------

TEXTS: Final = MappingProxyType({"Event": "event", "Site": "location", "Round": "round", "Transcriber": "transcriber"})
"""The tags that have a text field, and the names of these fields."""
_ANSI: Final = MappingProxyType({"event": "ansi_event", "location": "ansi_location", "round": "ansi_round",
                                 "player1": "ansi_player1", "player2": "ansi_player2"})  # fmt: skip
_WIDE_SINCE: Final = 24
_TRANSCRIBER_SINCE: Final = 30
ELO: Final = re.compile(r"(-?\d{1,7}\.\d\d)/(-?\d{1,9})")
_TAG_LINE: Final = re.compile(r'\[([^\s"\[\]]+(?: [^\s"\[\]]+)*) "(.*)"\]')


def text_of(header: BinaryRecord, field: str) -> str:
    """A text of the match header. The version of the file decides whether it is in the old field or the new one."""
    if header["version"] < (_TRANSCRIBER_SINCE if field == "transcriber" else _WIDE_SINCE):
        return get_ansi(header[_ANSI[field]]) if field in _ANSI else ""
    return get_wide(header[field])


def header_tags(header: BinaryRecord) -> Iterator[tuple[str, str]]:
    """The tags that the fields of a match header state."""
    for key, field in TEXTS.items():
        if text := text_of(header, field):
            yield key, text
    if identity := header["game_id"]:
        yield "Match ID", str(identity)
    yield from date_tags(header["date"])
    for number in ("1", "2"):
        elo, experience = header[f"elo{number}"], header[f"experience{number}"]
        if (elo or experience) and abs(elo) < 1e7:
            yield f"Player {number} Elo", f"{elo:.2f}/{experience}"


def tag_lines(tags: Sequence[tuple[str, str]]) -> str:
    """Tags without a field as lines, for the comment of the match."""
    return "\n".join(f'[{key} "{" ".join(value.split())}"]' for key, value in tags)


def split_tag_lines(comment: str) -> tuple[list[tuple[str, str]], str]:
    """The tags at the beginning of a match's comment, and the rest of it."""
    tags = []
    lines = comment.split("\n")
    while lines and (found := _TAG_LINE.fullmatch(lines[0])):
        tags.append((found[1], found[2]))
        del lines[0]
    return tags, "\n".join(lines)


# --- rules ----------------------------------------------------------------------------------

_NO_LIMIT: Final = 10
"""The largest cube of XG, as a power of two: every file of XG has it that states no limit of its own."""


def rules_of_header(header: BinaryRecord, tags: Sequence[Tag]) -> Ruleset:
    """The options that the fields of a match header state, or tags in its comment."""
    money = header["length"] == UNLIMITED
    number, limit = header["variation"], header["cube_limit"]
    has_limit = header["version"] >= 8 and 0 <= limit <= 30 and limit != _NO_LIMIT
    stated = Ruleset(
        crawford=bool(header["crawford"]) and not money,
        jacoby=bool(header["jacoby"]) and money,
        beavers=BEAVERS_ON if header["beaver"] and money else 0,
        automatic_doubles=max(header["automatic_most"], 1) if header["automatic"] and money else 0,
        cube_limit=1 << limit if has_limit else None,
        variant=VARIATIONS[number] if 0 <= number < len(VARIATIONS) else VARIATIONS[0],
    )
    told = {tag.key.casefold(): tag.value for tag in tags}
    read = rules_of_tags(told, money=money)
    changes = {option: getattr(read, option) for key, option in _OPTION_TAGS.items() if key.casefold() in told}
    return replace(stated, **changes) if changes else stated


_OPTION_TAGS: Final = MappingProxyType(
    {
        "Beaver": "beavers",
        "Holland": "holland",
        "Quadruple": "quadruple",
        "WinnerStarts": "winner_starts",
        "CubeLimit": "cube_limit",
    }
)
"""The tags of options that stand in the comment of a match, because no field has room for them."""


def option_tags(header: BinaryRecord, rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Tags for those options that the fields of a match header cannot state."""
    told = rules_of_header(header, ())
    for key, option in _OPTION_TAGS.items():
        wanted = getattr(rules, option)
        if wanted is not None and wanted != getattr(told, option):
            yield key, ("On" if wanted else "Off") if isinstance(wanted, bool) else str(wanted)


def put_rules(header: BinaryRecord, rules: Ruleset, *, money: bool) -> None:
    """Write those options of a match that have fields into its header.

    Raises:
        FormatError: XG has no number for the variant.
    """
    if rules.variant not in VARIATIONS:
        raise FormatError(f"eXtreme Gammon has no {rules.variant}")
    header["variation"] = VARIATIONS.index(rules.variant)
    header["crawford"] = rules.crawford or money
    header["jacoby"], header["beaver"] = bool(rules.jacoby), bool(rules.beavers)
    header["automatic"], header["automatic_most"] = bool(rules.automatic_doubles), rules.automatic_doubles or 0
    limit = rules.cube_limit
    header["cube_limit"] = _NO_LIMIT if limit is None else min(limit.bit_length() - 1, 30)
