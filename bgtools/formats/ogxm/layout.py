"""The records of both versions of OGXM files, as tables of names and types.

Sources: the OGXM v1 specification of GammonView (docs/v1/OGXM_FORMAT_SPEC_GAMMONVIEW.md in
ngvlamis/gammonview-analysis) and its profile of OGXM v2 (docs/OGXM_V2_PROFILE.md), after the specification
of HedgeHog. All numbers are little-endian.
"""

from __future__ import annotations

from enum import IntEnum
from types import MappingProxyType
from typing import Any, Final

from bgtools.formats.ogxm.codec import (
    BOARD,
    BYTE,
    BYTES,
    CHANCE,
    CHANCES,
    DICE,
    DIGEST,
    EQUITY,
    FLAG,
    IDENTITY,
    LONG,
    LOSS,
    NUMBER,
    SCORE,
    SEED,
    TEXT,
    Layout,
    many,
    nested,
)
from bgtools.formats.shared.binary import RecordType


def _packed(*fields: tuple[Any, ...]) -> RecordType:
    fitted = ((name, (kind, *shape) if shape else kind) for name, kind, *shape in fields)
    return RecordType([*fitted], packed=True)


MAGIC: Final = b"OGXM"
END: Final = b"END!"
CRITICAL: Final = 1
"""The flag of a section that a reader must know."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""The most bytes of a file; no match needs as many."""


VARIANTS: Final = ("backgammon", "nackgammon", "hypergammon", "longgammon")
"""Names of `bgtools.rules.options.VARIANTS` by their numbers in the file."""

# --- version 2 ------------------------------------------------------------------------------

HEADER: Final = _packed(
    ("magic", "S4"), ("major", "<u2"), ("minor", "<u2"), ("reader_major", "<u2"), ("reader_minor", "<u2"),
    ("size", "<u4"),
)  # fmt: skip
"""The beginning of a file of either version."""
SECTION: Final = _packed(("name", "S4"), ("size", "<u4"), ("flags", "u1"))

CRAWFORD, JACOBY, BEAVERS, RACCOONS, AUTOMATIC = (1 << bit for bit in range(5))
"""The bits of the rules."""

PROFILE: Final = Layout(
    (("user_id", TEXT), ("rating", NUMBER), ("rating_system", TEXT), ("country", TEXT), ("kind", NUMBER))
)
MATCH: Final = Layout(
    always=(("length", NUMBER), ("variant", NUMBER)),
    fields=(
        ("white", TEXT),
        ("black", TEXT),
        ("rules", NUMBER),
        ("cube_limit", NUMBER),
        ("score_start", SCORE),
        ("score_final", SCORE),
        ("result", NUMBER),
        ("source", NUMBER),
        ("started_at", LONG),
        ("completed_at", LONG),
        ("player_seat", NUMBER),
        ("crawford_before_start", FLAG),
        ("event", TEXT),
        ("event_year", NUMBER),
        ("date_precision", NUMBER),
        ("stage", TEXT),
        ("round", NUMBER),
        ("table", TEXT),
        ("city", TEXT),
        ("country", TEXT),
        ("event_url", TEXT),
        ("platform", TEXT),
        ("match_ref", TEXT),
        ("white_profile", nested(PROFILE)),
        ("black_profile", nested(PROFILE)),
        ("rated", FLAG),
    ),
)
GAME: Final = Layout(
    (
        ("winner", NUMBER),
        ("points", NUMBER),
        ("is_last", FLAG),
        ("board", BOARD),
        ("cube", NUMBER),
        ("cube_owner", NUMBER),
        ("automatic", NUMBER),
        ("termination", NUMBER),
    )
)
"""The head of a game; its plies follow to the end of the section."""
STEPS: Final = many(BYTE)
EXTRAS: Final = Layout(
    (
        ("dice", DICE),
        ("resign_value", NUMBER),
        ("cube", NUMBER),
        ("illegal", FLAG),
        ("settle_value", EQUITY),
        ("steps", STEPS),
        ("board", BOARD),
        ("action", NUMBER),
        ("cube_owner", NUMBER),
    )
)
"""The record behind a ply whose first byte has its highest bit set."""

ROLLOUT: Final = Layout(
    (
        ("trials", NUMBER),
        ("truncation", NUMBER),
        ("move_ply", NUMBER),
        ("variance_reduction", NUMBER),
        ("seed", SEED),
        ("budget_ms", NUMBER),
        ("match_policy", NUMBER),
    )
)
LEVEL: Final = Layout(
    (("preset", TEXT), ("checker_ply", NUMBER), ("cube_ply", NUMBER), ("rollout", nested(ROLLOUT)),
     ("no_rollout", FLAG))
)  # fmt: skip
ANALYSIS: Final = Layout(
    always=(("identity", IDENTITY),),
    fields=(
        ("match_digest", DIGEST),
        ("producer", NUMBER),
        ("level", nested(LEVEL)),
        ("complete", FLAG),
        ("coverage", many(NUMBER)),
        ("model_id", TEXT),
        ("model_name", TEXT),
        ("model_digest", DIGEST),
        ("engine_build", TEXT),
        ("currency", NUMBER),
    ),
)
"""The head of an analysis: only the fields that are read."""


class Currency(IntEnum):
    """The unit of the equities of an analysis."""

    MONEY = 1
    MATCH = 2
    """Match winning chance."""


class DecisionCode(IntEnum):
    """The kinds of decisions that an analysis values."""

    PLAY = 0
    CUBE = 1
    RESIGNATION = 2
    ROLL = 3


ALTERNATIVE: Final = Layout(
    always=(("steps", STEPS), ("equity", EQUITY)),
    fields=(("chances", CHANCES), ("level", nested(LEVEL)), ("is_played", FLAG), ("deviation", EQUITY),
            ("cubeless", EQUITY)),
)  # fmt: skip
_PLACE: Final = (("ply", NUMBER), ("kind", NUMBER))
DECISION: Final = Layout((), always=_PLACE)
"""The beginning of every decision."""
PLAY_DECISION: Final = Layout(
    always=_PLACE,
    fields=(
        ("alternatives", many(nested(ALTERNATIVE))),
        ("alternatives_total", NUMBER),
        ("best_equity", EQUITY),
        ("loss", LOSS),
        ("level", nested(LEVEL)),
    ),
)
CUBE_DECISION: Final = Layout(
    always=(*_PLACE, ("verdict", NUMBER)),
    fields=(
        ("no_double", EQUITY),
        ("double_take", EQUITY),
        ("double_drop", EQUITY),
        ("chances", CHANCES),
        ("loss", LOSS),
        ("take_point", CHANCE),
        ("window_searched", FLAG),
        ("level", nested(LEVEL)),
        ("is_optional", FLAG),
        ("is_free", FLAG),
        ("take_value", EQUITY),
        ("currency", NUMBER),
    ),
)
ROLL_DECISION: Final = Layout(always=(*_PLACE, ("luck", EQUITY)), fields=(("level", nested(LEVEL)),))
DECISIONS: Final = MappingProxyType(
    {DecisionCode.PLAY: PLAY_DECISION, DecisionCode.CUBE: CUBE_DECISION, DecisionCode.ROLL: ROLL_DECISION}
)


class Scope(IntEnum):
    """The kinds of things that a remark is about."""

    MATCH = 0
    GAME = 1
    PLY = 2


REMARK: Final = Layout(
    always=(("scope", NUMBER), ("ref", NUMBER), ("value", TEXT)),
    fields=(("key", TEXT), ("kind", NUMBER), ("alternative", NUMBER), ("language", TEXT), ("author", TEXT),
            ("at", LONG)),
)  # fmt: skip
SIGNATURE: Final = Layout(
    always=(("algorithm", NUMBER), ("signature", BYTES)),
    fields=(("key_id", TEXT), ("public_key", BYTES), ("signed_at", LONG), ("covers", NUMBER)),
)
"""A signature of a match; one of an analysis has the first two fields only."""
CHECKSUM: Final = Layout((), always=(("algorithm", NUMBER), ("digest", BYTES)))

# --- version 1 ------------------------------------------------------------------------------

OLD_HEADER: Final = _packed(("head", HEADER), ("flags", "<u4"))
OLD_SECTION: Final = _packed(("name", "S4"), ("size", "<u4"), ("flags", "<u2"), ("reserved", "<u2"))
OLD_END: Final = _packed(("magic", "S4"), ("size", "<u4"))
OLD_MATCH: Final = _packed(
    ("length", "<u2"), ("games", "u1"), ("flags", "u1"), ("score", "<u2", 2), ("result", "u1"), ("source", "u1"),
    ("timestamp", "<u4"), ("plies", "<u2"), ("cube_limit", "<u2"), ("reserved", "S6"),
)  # fmt: skip
"""The head of a match. Names, event and site follow, each behind a byte with its length."""
OLD_GAME: Final = _packed(
    ("index", "u1"), ("plies", "<u2"), ("winner", "u1"), ("points", "u1"), ("flags", "u1"), ("first", "u1"),
    ("reserved", "u1"),
)  # fmt: skip
OLD_USUAL_BOARD: Final = 0xFF
"""The byte that stands, written twice, for the usual start."""
OLD_BOARD: Final = 26
"""Bytes of a board."""
OLD_ACTION_BITS: Final = 0x1F
OLD_WHITE: Final = 0x20
OLD_WITH_DICE: Final = 0x40
OLD_ANALYSIS: Final = _packed(
    ("ply", "u1"), ("reserved", "u1"), ("plays", "<u2"), ("cubes", "<u2"), ("timestamp", "<u4"), ("duration", "<u4"),
    ("more", "S10"),
)  # fmt: skip
"""The head of an analysis. The name of the program follows, behind a byte with its length."""
OLD_PLAY: Final = _packed(
    ("game", "u1"), ("ply", "<u2"), ("chances", "<u2", 5), ("best", "<i2"), ("loss", "<u2"), ("alternatives", "u1"),
    ("depth", "u1"), ("flags", "u1"),
)  # fmt: skip
OLD_ALTERNATIVE: Final = _packed(
    ("steps", "u1", 4), ("equity", "<i2"), ("chances", "<u2", 5), ("flags", "u1"),
)  # fmt: skip
OLD_CUBE: Final = _packed(
    ("game", "u1"), ("ply", "<u2"), ("kind", "u1"), ("no_double", "<i2"), ("double_take", "<i2"),
    ("double_drop", "<i2"), ("chances", "<u2", 5), ("loss", "<u2"), ("correct", "u1"), ("played", "u1"),
    ("depth", "u1"), ("reserved", "S3"),
)  # fmt: skip
OLD_RESIGNATION: Final = 3
"""The kind of a cube record that is about a resignation."""
OLD_SCALE: Final = 1e4
OLD_MORE: Final = _packed(("version", "u1"), ("level", "u1"), ("sections", "u1"), ("luck_level", "u1"))
"""The head of GammonView's own section. A record for every play follows."""
OLD_MORE_PLAY: Final = MappingProxyType(
    {2: _packed(("flags", "u1"), ("luck", "<i2"), ("unused", "S4")), 3: _packed(("flags", "u1"), ("luck", "<i2"))}
)
OLD_HAS_LUCK: Final = 2
