"""The tables of a library: their columns with types and meaning, and the version that a manifest states.

Each table is a folder of Parquet files, which any program reads. Rows of one record stand together in one file, in the
order of the record, positions player by player; ``record`` names it everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.reports.table_kinds import TABLES as REPORT_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

LIBRARY_VERSION: Final = 2
"""Version of the tables and the manifest; it grows when a column comes, goes, or changes its name, type or meaning."""

Kind = Literal[
    "int8", "int16", "int32", "int64", "uint32", "float64", "bool", "text", "bytes", "int64s"
]  # fmt: skip
"""Type of a column; ``int64s`` is a list of whole numbers."""

StoredName = Literal[
    "sources", "matches", "games", "turns", "positions", "findings", "decisions", "choices", "totals"
]  # fmt: skip
"""The tables that are stored as files. Queries see more, which ``views.sql`` makes of them."""


ANALYSIS: Final[tuple[StoredName, ...]] = ("decisions", "choices", "totals")
"""The tables of analyses. The others are made of the files that were added."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column: its name, its type, and what it means, as a sentence without its full stop."""

    name: str
    kind: Kind
    meaning: str


_RECORD: Final = Field("record", "int64", "the record: a number made of its file's content and its place there")
_GAME: Final = Field("game", "int32", "number of the game in the record, from 1")
_ENTRY: Final = Field("entry", "int32", "number of the entry in the game, from 1")
_TURN: Final = Field("turn", "int32", "number of the turn in the game, from 1")
_PLAYER: Final = Field("player", "int8", "0 or 1; player 0 is in the left column of the first game")
_CRAWFORD: Final = Field("crawford", "bool", "whether this is the Crawford game")
_CUBE: Final = Field("cube", "int64", "value of the cube before the entry")
_OWNER: Final = Field("cube_owner", "text", "centre, mine (the player's) or theirs")
_DICE: Final = Field("dice", "text", "the roll, the larger number first, such as 31; empty for cube actions")
_PLAYED: Final = Field("played", "text", "the play, or the action in words")
_PHASE: Final = Field("phase", "text", "part of the game: opening, contact, back game, race, bear-off, over")

POINTS: Final = tuple(f"p{point}" for point in range(26))
"""The columns of a board: p0 is the other's bar, p1 to p24 are the points, p25 is the player's bar."""

_SOURCES: Final = (
    Field("source", "int64", "the file: a number made of its content"),
    Field("digest", "text", "SHA-256 of its content, in hexadecimal digits"),
    Field("path", "text", "where it was found"),
    Field("format", "text", "the format that it is written in; empty where it cannot be read"),
    Field("bytes", "int64", "its length"),
    Field("matches", "int32", "how many records it holds"),
    Field("problem", "text", "why it cannot be read; empty where it can"),
    Field("version", "text", "the version of bgtools that read it"),
    Field("content", "bytes", "the file itself; empty where another path has the same, or it cannot be read"),
)
_MATCHES: Final = (
    _RECORD,
    Field("source", "int64", "the file that holds it"),
    Field("number", "int32", "which record of its file it is, from 1"),
    Field("player0", "text", "name of the player in the left column of the first game"),
    Field("player1", "text", "name of the other player"),
    Field("length", "int64", "points to win the match; 0 for money"),
    Field("event", "text", "the event, as the header names it"),
    Field("date", "text", "when it was played, as the header says; written 2026-08-31 where that is a day"),
    Field("place", "text", "where it was played, as the header says"),
    Field("rules", "text", "the options that it was judged by"),
    Field("games", "int32", "number of games"),
    Field("turns", "int32", "number of entries"),
    Field("score0", "int64", "points of player 0 at the end"),
    Field("score1", "int64", "points of player 1 at the end"),
    Field("winner", "int8", "who won the match; empty where nobody has, and for money"),
    Field("complete", "bool", "whether it was played to its end: of a match that somebody won it, of money every game"),
    Field("errors", "int32", "findings that are errors"),
    Field("warnings", "int32", "findings that are warnings"),
    Field("analysed", "bool", "whether the record brings an analysis along"),
    Field("fingerprint", "text", "its rolls and plays in two letters each, the same in all records of a match"),
    Field("seats", "text", "who rolled: 0 or 1 for each roll of the fingerprint"),
    Field("keys", "int64s", "numbers by which records with nearly the same fingerprint are found"),
)
_GAMES: Final = (
    _RECORD,
    _GAME,
    Field(
        "number", "int32", "the number that the record gives it, as `bgtools show` takes it; empty where it gives none"
    ),
    Field("score0", "int64", "points of player 0 before the game"),
    Field("score1", "int64", "points of player 1 before the game"),
    _CRAWFORD,
    Field("ending", "text", "borne off, drop, resigned or unfinished"),
    Field("winner", "int8", "who won it; empty where nobody has"),
    Field("points", "int64", "what the winner got; empty where that is not known"),
    Field("level", "int8", "1 a single game, 2 a gammon, 3 a backgammon; empty where that is not known"),
    Field("cube", "int64", "value of the cube at the end"),
    Field("entries", "int32", "number of entries"),
)
_TURNS: Final = (
    _RECORD,
    _GAME,
    _TURN,
    _ENTRY,
    _PLAYER,
    Field("action", "text", "roll, double, take, drop, beaver, raccoon, automatic double, resign or set position"),
    _DICE,
    Field("opening", "bool", "whether this is the first roll of a game; never so on a board that the record sets"),
    Field("score", "int64", "points of the player before the game"),
    Field("opponent_score", "int64", "points of the other before the game"),
    _CRAWFORD,
    _CUBE,
    _OWNER,
    Field("xgid", "text", "the position, as in the table of turns of `bgtools table`"),
    Field("pips", "int16", "pip count of the player before the entry"),
    Field("opponent_pips", "int16", "pip count of the other before the entry"),
    _PLAYED,
    Field("legal", "bool", "False when the entry is against the rules"),
    Field(
        "in_game",
        "bool",
        "False when the entry is not part of the game: after its end, or left out as one turn too many",
    ),
    _PHASE,
    Field("opening_play", "text", "name of the play of a game's first or second roll, such as split"),
    Field(
        "dice_tested", "bool", "whether tests of the dice count the roll: no opening roll, and none that could dance"
    ),
)
_POSITIONS: Final = (
    _RECORD,
    _GAME,
    _TURN,
    _ENTRY,
    _PLAYER,
    Field("key", "uint32", "a number made of the board alone, by which it is found"),
    *(
        Field(
            name,
            "int8",
            {0: "checkers of the other on the bar, below 0", 25: "checkers of the player on the bar"}.get(
                number, f"checkers on the {number}-point: the player's above 0, the other's below"
            ),
        )
        for number, name in enumerate(POINTS)
    ),
    Field("off", "int8", "checkers that the player has borne off"),
    Field("opponent_off", "int8", "checkers that the other has borne off"),
    Field("pips", "int16", "pip count of the player"),
    Field("opponent_pips", "int16", "pip count of the other"),
    Field("prime", "int8", "points in a row that the player holds with two checkers or more, at most"),
    Field("opponent_prime", "int8", "the same of the other"),
    Field("away", "int64", "points that the player lacks to win the match; 0 for money"),
    Field("opponent_away", "int64", "points that the other lacks; 0 for money"),
    _CRAWFORD,
    _CUBE,
    _OWNER,
    Field("action", "text", "roll, or double where the player doubled"),
    _DICE,
    _PLAYED,
    _PHASE,
)
_FINDINGS: Final = (
    _RECORD,
    Field("code", "text", "the kind of finding, such as BG203"),
    Field("name", "text", "its name"),
    Field("severity", "text", "error, warning or hint"),
    Field("line", "int32", "line of the file, from 1; empty where the format has no lines"),
    Field("game", "int32", "number of the game, from 1; empty where it belongs to none"),
    Field("entry", "int32", "number of the entry, from 1; empty where it belongs to none"),
    Field("message", "text", "what is wrong, as a sentence"),
)
_ENGINE: Final = (
    _RECORD,
    Field("engine", "text", "what valued the positions: program, version, level and match equity table"),
    Field("standing", "int8", "how far the analysis goes before others of the match: 50 for the record's own"),
)
GROUPS: Final = (
    Field("record", "int64", "a record of a match that has several"),
    Field("match", "int64", "the record that stands for the match"),
    Field("turned", "bool", "whether the record has the players the other way round than that"),
    Field(
        "player0", "text", "of the record that stands for the match, the best that any says: the name of player 0; "
        "empty for other records, as all that follows"
    ),
    Field("player1", "text", "the name of player 1"),
    Field("event", "text", "the event"),
    Field("date", "text", "the date"),
    Field("place", "text", "the place"),
)  # fmt: skip
"""The columns of the one file that says which records are of one match; it is rewritten when records come."""
_KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {"int": "int64", "float": "float64", "bool": "bool", "text": "text"}
)


DECIDED: Final = ("checker play", "no double", "double")
"""The kinds of decision that have a row in the table of positions; an answer to a double shares that of the double."""
_COSTLIEST: Final = Field(
    "costliest",
    "bool",
    "whether it lost most of the decisions of its position: the play, and doubling before it or not",
)


def _of_report(name: Literal["decisions", "choices", "players"]) -> tuple[Field, ...]:
    """The columns of a table of `bgtools table`, after those for the record and the engine."""
    columns = REPORT_TABLES[name].columns
    return (*_ENGINE, *(Field(each.name, _KINDS[each.type], each.meaning) for each in columns))


@cache
def stored_columns() -> Mapping[StoredName, tuple[Field, ...]]:
    """The columns of every table that is stored, in their order."""
    return MappingProxyType(
        {
            "sources": _SOURCES,
            "matches": _MATCHES,
            "games": _GAMES,
            "turns": _TURNS,
            "positions": _POSITIONS,
            "findings": _FINDINGS,
            "decisions": (*_of_report("decisions"), _COSTLIEST),
            "choices": _of_report("choices"),
            "totals": _of_report("players"),
        }
    )


@cache
def arrow_schema(name: StoredName | Literal["groups"]) -> Any:
    """The columns of a table as Arrow wants them."""
    import pyarrow as pa

    types = {
        "int8": pa.int8(),
        "int16": pa.int16(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "uint32": pa.uint32(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
        "text": pa.string(),
        "bytes": pa.binary(),
        "int64s": pa.list_(pa.int64()),
    }
    return pa.schema(
        [pa.field(each.name, types[each.kind]) for each in (GROUPS if name == "groups" else stored_columns()[name])],
        {"bgtools.library": f'{{"version": {LIBRARY_VERSION}, "table": "{name}"}}'},
    )
