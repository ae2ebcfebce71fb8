"""The records of eXtreme Gammon's files, as its author has published them, as tables of names and types.

eXtreme Gammon is written in Delphi and saves its records as they lie in memory, so a field begins
at the next multiple of its own size. `RecordType` computes these offsets; none is written here by hand.
All numbers are little-endian. Source: http://www.extremegammon.com/xgformat.aspx (XG_format.pas,
"can be freely redistributed") and ZLBArchive for the container.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from bgtools.formats.shared.binary import RecordType

if TYPE_CHECKING:
    from bgtools.formats.shared.binary import Fields

# --- types ----------------------------------------------------------------------------------

_BYTE, _SHORT, _BOOL = "u1", "i1", "u1"
_SMALL, _WORD, _INT, _DWORD, _INT64 = "<i2", "<u2", "<i4", "<u4", "<i8"
_SINGLE, _DOUBLE = "<f4", "<f8"
_BOARD = (_SHORT, 26)
_RESULT = (_SINGLE, 7)
"""The chances to lose a backgammon, to lose at least a gammon, to lose, to win, to win at least a gammon, to win a
backgammon; then the equity."""
_WIDE = (_WORD, 129)
"""Text of up to 128 characters, ended by a zero."""


def _ansi(length: int) -> tuple[str, int]:
    """Text in the code page of the machine, behind a byte with its length."""
    return (_BYTE, length + 1)


# --- the container --------------------------------------------------------------------------

MAGIC: Final = b"RGMH"
RICH_HEADER: Final = RecordType(
    [
        ("magic", "S4"),
        ("version", _DWORD),
        ("size", _DWORD),
        ("thumbnail_offset", _INT64),
        ("thumbnail_size", _DWORD),
        ("guid", "V16"),
        ("game_name", (_WORD, 1024)),
        ("save_name", (_WORD, 1024)),
        ("level_name", (_WORD, 1024)),
        ("comments", (_WORD, 1024)),
    ],
    packed=True,
)
"""The beginning of every file. A picture of the board and the archive follow."""

ARCHIVE_END: Final = RecordType(
    [
        ("crc", _DWORD),
        ("files", _INT),
        ("version", _INT),
        ("index_size", _INT),
        ("data_size", _INT),
        ("index_compressed", _BYTE),
        ("reserved", "V15"),
    ],
    packed=True,
)
"""The end of every file."""

ARCHIVE_FILE: Final = RecordType(
    [
        ("name", _ansi(255)),
        ("path", _ansi(255)),
        ("size", _INT),
        ("compressed_size", _INT),
        ("start", _INT),
        ("crc", _DWORD),
        ("stored", _BYTE),
        ("level", _BYTE),
        ("filler", "V2"),
    ],
    packed=True,
)
"""One file of the archive, in its index."""

# --- the records of a match -----------------------------------------------------------------


class RecordKind(IntEnum):
    """The kinds of records."""

    MATCH = 0
    GAME = 1
    CUBE = 2
    MOVE = 3
    GAME_END = 4
    MATCH_END = 5


RECORD_SIZE: Final = 2560
KIND_AT: Final = 8
"""The offset of a record's kind, behind two pointers that mean nothing in a file."""
MATCH_MAGIC: Final = 0x494C4D44
VERSION: Final = 30
"""The version of the records that is written: that of XG 2.10. Every later version reads it."""
UNLIMITED: Final = 99999
"""The match length of a money session."""
NO_ANALYSIS: Final = -1000.0
"""The value of an error, or another figure, that was not computed."""
MOST_CANDIDATES: Final = 32


def _variant(fields: Fields) -> RecordType:
    """The type of one kind of record in the stream of records, all of which have one size."""
    return RecordType([("kind", _BYTE), *fields], start=KIND_AT, size=RECORD_SIZE)


_CLOCK = RecordType(
    [
        ("kind", _INT),
        ("per_game", _BOOL),
        ("time", _INT),
        ("per_move", _INT),
        ("penalty", _INT),
        ("left1", _INT),
        ("left2", _INT),
        ("penalty_money", _INT),
    ]
)

MATCH: Final = _variant(
    [
        ("ansi_player1", _ansi(40)),
        ("ansi_player2", _ansi(40)),
        ("length", _INT),
        ("variation", _INT),
        ("crawford", _BOOL),
        ("jacoby", _BOOL),
        ("beaver", _BOOL),
        ("automatic", _BOOL),
        ("elo1", _DOUBLE),
        ("elo2", _DOUBLE),
        ("experience1", _INT),
        ("experience2", _INT),
        ("date", _DOUBLE),
        ("ansi_event", _ansi(128)),
        ("game_id", _INT),
        ("level1", _INT),
        ("level2", _INT),
        ("count_for_elo", _BOOL),
        ("add_to_profile1", _BOOL),
        ("add_to_profile2", _BOOL),
        ("ansi_location", _ansi(128)),
        ("mode", _INT),
        ("imported", _BOOL),
        ("ansi_round", _ansi(128)),
        ("invert", _INT),
        ("version", _INT),
        ("magic", _INT),
        ("money_games", _INT),
        ("money_score", (_INT, 2)),
        ("entered", _BOOL),
        ("counted", _BOOL),
        ("unrated", _BOOL),
        ("comment_before", _INT),
        ("comment_after", _INT),
        ("for_money", _BOOL),
        ("money_won", _SINGLE),
        ("money_lost", _SINGLE),
        ("currency", _INT),
        ("money_fee", _SINGLE),
        ("table_stake", _SINGLE),
        ("site", _INT),
        ("cube_limit", _INT),
        ("automatic_most", _INT),
        ("transcribed", _BOOL),
        ("event", _WIDE),
        ("player1", _WIDE),
        ("player2", _WIDE),
        ("location", _WIDE),
        ("round", _WIDE),
        ("clock", _CLOCK),
        ("rollouts_marked", (_INT, 4)),
        ("transcriber", _WIDE),
    ]
)

GAME: Final = _variant(
    [
        ("score", (_INT, 2)),
        ("crawford", _BOOL),
        ("start", _BOARD),
        ("number", _INT),
        ("in_progress", _BOOL),
        ("comment_before", _INT),
        ("comment_after", _INT),
        ("automatic", _INT),
    ]
)

CUBE_ANALYSIS: Final = RecordType(
    [
        ("board", _BOARD),
        ("level", _INT),
        ("score", (_INT, 2)),
        ("cube", _INT),
        ("cube_owner", _INT),
        ("jacoby", _INT),
        ("crawford", _SMALL),
        ("met", _SMALL),
        ("advice", _SMALL),
        ("beaver", _SMALL),
        ("no_double", _RESULT),
        ("equity_no_double", _SINGLE),
        ("equity_take", _SINGLE),
        ("equity_drop", _SINGLE),
        ("level_asked", _SMALL),
        ("choice3", _SMALL),
        ("take", _RESULT),
    ]
)

CUBE: Final = _variant(
    [
        ("player", _INT),
        ("double", _INT),
        ("take", _INT),
        ("beaver", _INT),
        ("raccoon", _INT),
        ("cube", _INT),
        ("board", _BOARD),
        ("analysis", CUBE_ANALYSIS),
        ("error", _DOUBLE),
        ("dice", _ansi(2)),
        ("take_error", _DOUBLE),
        ("rollout", _INT),
        ("choice", _INT),
        ("level", _INT),
        ("beaver_error", _DOUBLE),
        ("raccoon_error", _DOUBLE),
        ("level_asked", _INT),
        ("invalid", _INT),
        ("tutor_double", _SHORT),
        ("tutor_take", _SHORT),
        ("tutor_error", _DOUBLE),
        ("tutor_take_error", _DOUBLE),
        ("flagged", _BOOL),
        ("comment", _INT),
        ("edited", _BOOL),
        ("rollout_marked", _BOOL),
        ("rollout_done", _BOOL),
        ("automatic", _INT),
        ("clock", (_INT, 2)),
    ]
)

_LEVEL = RecordType([("level", _SMALL), ("doubled", _BOOL), ("filler", _BYTE)])

MOVE_ANALYSIS: Final = RecordType(
    [
        ("board", _BOARD),
        ("dice", (_INT, 2)),
        ("level", _INT),
        ("score", (_INT, 2)),
        ("cube", _INT),
        ("cube_owner", _INT),
        ("crawford", _INT),
        ("jacoby", _INT),
        ("count", _INT),
        ("boards", (_SHORT, (MOST_CANDIDATES, 26))),
        ("moves", (_SHORT, (MOST_CANDIDATES, 8))),
        ("levels", (_LEVEL, MOST_CANDIDATES)),
        ("results", (_SINGLE, (MOST_CANDIDATES, 7))),
        ("irrelevant", _BOOL),
        ("met", _SHORT),
        ("choice0", _SHORT),
        ("choice3", _SHORT),
    ]
)

MOVE: Final = _variant(
    [
        ("board", _BOARD),
        ("board_after", _BOARD),
        ("player", _INT),
        ("moves", (_INT, 8)),
        ("dice", (_INT, 2)),
        ("cube", _INT),
        ("old_error", _DOUBLE),
        ("count", _INT),
        ("analysis", MOVE_ANALYSIS),
        ("played", _BOOL),
        ("error", _DOUBLE),
        ("luck", _DOUBLE),
        ("choice", _INT),
        ("equity_before", _DOUBLE),
        ("rollouts", (_INT, MOST_CANDIDATES)),
        ("level", _INT),
        ("luck_level", _INT),
        ("invalid", _INT),
        ("tutor_board", _BOARD),
        ("tutor", _SHORT),
        ("tutor_error", _DOUBLE),
        ("flagged", _BOOL),
        ("comment", _INT),
        ("edited", _BOOL),
        ("rollouts_marked", _DWORD),
        ("rollouts_done", _DWORD),
        ("automatic", _INT),
        ("filler", (_INT, 4)),
    ]
)

GAME_END: Final = _variant(
    [
        ("score", (_INT, 2)),
        ("crawford", _BOOL),
        ("winner", _INT),
        ("points", _INT),
        ("ending", _INT),
        ("resign_error", _DOUBLE),
        ("accept_error", _DOUBLE),
        ("result", (_DOUBLE, 7)),
        ("level", _INT),
    ]
)

MATCH_END: Final = _variant(
    [
        ("score", (_INT, 2)),
        ("winner", _INT),
        ("elo1", _DOUBLE),
        ("elo2", _DOUBLE),
        ("experience1", _INT),
        ("experience2", _INT),
        ("date", _DOUBLE),
    ]
)

RECORDS: Final[dict[int, RecordType]] = {
    RecordKind.MATCH: MATCH,
    RecordKind.GAME: GAME,
    RecordKind.CUBE: CUBE,
    RecordKind.MOVE: MOVE,
    RecordKind.GAME_END: GAME_END,
    RecordKind.MATCH_END: MATCH_END,
}
"""The records by their kinds."""

# --- rollouts -------------------------------------------------------------------------------

_ROLLS = 37
"""One place for each first roll, and one more."""

ROLLOUT: Final = RecordType(
    [
        ("truncated", _BOOL),
        ("error_limited", _BOOL),
        ("truncate", _INT),
        ("least", _INT),
        ("error_limit", _DOUBLE),
        ("most", _INT),
        ("level1", _INT),
        ("level2", _INT),
        ("level_cut", _INT),
        ("variance", _BOOL),
        ("cubeless", _BOOL),
        ("timed", _BOOL),
        ("cube_level1", _INT),
        ("cube_level2", _INT),
        ("time_limit", _DWORD),
        ("truncate_bearoff", _INT),
        ("seed", _INT),
        ("seed_given", _INT),
        ("roll_both", _BOOL),
        ("search_interval", _SINGLE),
        ("met", _INT),
        ("first_roll", _BOOL),
        ("do_double", _BOOL),
        ("extended", _BOOL),
        ("rolled", _INT),
        ("double_first", _BOOL),
        ("sum1", (_DOUBLE, _ROLLS)),
        ("squares1", (_DOUBLE, _ROLLS)),
        ("sum2", (_DOUBLE, _ROLLS)),
        ("squares2", (_DOUBLE, _ROLLS)),
        ("deviation1", (_DOUBLE, _ROLLS)),
        ("deviation2", (_DOUBLE, _ROLLS)),
        ("rolled_first", (_INT, _ROLLS)),
        ("error1", _SINGLE),
        ("error2", _SINGLE),
        ("result1", _RESULT),
        ("result2", _RESULT),
        ("mwc1", _SINGLE),
        ("mwc2", _SINGLE),
        ("level_before", _INT),
        ("result_before", _RESULT),
        ("no_double_before", _SINGLE),
        ("double_before", _SINGLE),
        ("seconds", _SINGLE),
        ("level_truncated", _INT),
        ("rolled2", _INT),
        ("multiple_least", _INT),
        ("multiple_stop_all", _BOOL),
        ("multiple_stop_one", _BOOL),
        ("multiple_stop_all_value", _SINGLE),
        ("multiple_stop_one_value", _SINGLE),
        ("as_take", _BOOL),
        ("rotation", _INT),
        ("interrupted", _BOOL),
        ("major", _WORD),
        ("minor", _WORD),
        ("fixed", _INT),
        ("filler", _INT),
    ]
)
"""A rollout. Rollouts are in a file of their own; records give the index of theirs."""
