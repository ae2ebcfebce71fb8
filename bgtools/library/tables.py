"""The tables of a library: their columns with types and meaning, and the version that a manifest states.

Each table is a folder of Parquet files, which any program reads; ``record`` names a record everywhere. Files are
ordered by record, with the rows of one together in its own order. Positions are ordered by ``key``, so that the same
board and boards with the same pip counts stand together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.reports.table_kinds import TABLES as REPORT_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

LIBRARY_VERSION: Final = 4
"""Version of the tables and the manifest; it grows when a column comes, goes, or changes its name, type or meaning."""

Kind = Literal["int8", "int16", "int32", "int64", "float64", "bool", "text", "bytes", "int64s"]
"""Type of a column; ``int64s`` is a list of whole numbers."""

StoredName = Literal[
    "sources", "matches", "games", "turns", "positions", "findings", "decisions", "choices", "totals", "rollouts"
]  # fmt: skip
"""The tables that are stored as files. Queries see more, which ``views.sql`` makes of them."""


ANALYSIS: Final[tuple[StoredName, ...]] = ("decisions", "choices", "totals")
"""The tables of analyses. The others are made of the files that were added."""
ORDERED: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("matches", "games", "turns", "findings", "decisions", "choices", "totals", "rollouts", "groups"), "record"
        ),
        "sources": "source",
        "positions": "key",
    }
)
"""The column by which the files of each table are ordered."""


@dataclass(frozen=True, slots=True)
class StoredField:
    """A column: its name, its type, and what it means, as a sentence without its full stop."""

    name: str
    kind: Kind
    meaning: str


_RECORD: Final = StoredField("record", "int64", "the record: a number made of its file's content and its place there")
_GAME: Final = StoredField("game", "int32", "number of the game in the record, from 1")
_ENTRY: Final = StoredField("entry", "int32", "number of the entry in the game, from 1")
_TURN: Final = StoredField("turn", "int32", "number of the turn in the game, from 1")
_PLAYER: Final = StoredField("player", "int8", "0 or 1; player 0 is in the left column of the first game")
_CRAWFORD: Final = StoredField("crawford", "bool", "whether this is the Crawford game")
_CUBE: Final = StoredField("cube", "int64", "value of the cube before the entry")
_OWNER: Final = StoredField("cube_owner", "text", "centre, mine (the player's) or theirs")
_DICE: Final = StoredField("dice", "text", "the roll, the larger number first, such as 31; empty for cube actions")
_PLAYED: Final = StoredField("played", "text", "the play, or the action in words")
_PHASE: Final = StoredField("phase", "text", "part of the game: opening, contact, back game, race, bear-off, over")

POINTS: Final = tuple(f"p{point}" for point in range(26))
"""The columns of a board: p0 is the other's bar, p1 to p24 are the points, p25 is the player's bar."""

_SOURCES: Final = (
    StoredField("source", "int64", "the file: a number made of its content"),
    StoredField("digest", "text", "SHA-256 of its content, in hexadecimal digits"),
    StoredField("path", "text", "where it was found"),
    StoredField("format", "text", "the format that it is written in; empty where it cannot be read"),
    StoredField("bytes", "int64", "its length"),
    StoredField("matches", "int32", "how many records it holds"),
    StoredField("problem", "text", "why it cannot be read; empty where it can"),
    StoredField("version", "text", "the version of bgtools that read it"),
    StoredField("content", "bytes", "the file itself; empty where another path has the same, or it cannot be read"),
    StoredField("day", "text", "the day that was given when it was added, for records without a date"),
)
_MATCHES: Final = (
    _RECORD,
    StoredField("source", "int64", "the file that holds it"),
    StoredField("number", "int32", "which record of its file it is, from 1"),
    StoredField("player0", "text", "name of the player in the left column of the first game"),
    StoredField("player1", "text", "name of the other player"),
    StoredField("length", "int64", "points to win the match; 0 for money"),
    StoredField("event", "text", "the event, as the header names it"),
    StoredField("date", "text", "when it was played; written 2026-08-31 where that is a day"),
    StoredField(
        "date_from",
        "text",
        "who says so: header, file name, or given (when the file was added); empty without a date",
    ),
    StoredField("place", "text", "where it was played, as the header says"),
    StoredField("rules", "text", "the options that it was judged by"),
    StoredField("games", "int32", "number of games"),
    StoredField("turns", "int32", "number of entries"),
    StoredField("score0", "int64", "points of player 0 at the end"),
    StoredField("score1", "int64", "points of player 1 at the end"),
    StoredField("winner", "int8", "who won the match; empty where nobody has, and for money"),
    StoredField(
        "complete", "bool", "whether it was played to its end: of a match that somebody won it, of money every game"
    ),
    StoredField("errors", "int32", "findings that are errors"),
    StoredField("warnings", "int32", "findings that are warnings"),
    StoredField("hints", "int32", "findings that are hints"),
    StoredField("analysed", "bool", "whether the record brings an analysis along"),
    StoredField("fingerprint", "text", "its rolls and plays in two letters each, the same in all records of a match"),
    StoredField("seats", "text", "who rolled: 0 or 1 for each roll of the fingerprint"),
    StoredField("keys", "int64s", "numbers by which records with nearly the same fingerprint are found"),
    StoredField("short_games", "int64s", "numbers made of each game of two to five rolls, its score and players"),
    StoredField("joined", "bool", "whether the library has put it together from the games of several records"),
)
_GAMES: Final = (
    _RECORD,
    _GAME,
    StoredField(
        "number", "int32", "the number that the record gives it, as `bgtools show` takes it; empty where it gives none"
    ),
    StoredField("score0", "int64", "points of player 0 before the game"),
    StoredField("score1", "int64", "points of player 1 before the game"),
    _CRAWFORD,
    StoredField("ending", "text", "borne off, drop, resigned or unfinished"),
    StoredField("winner", "int8", "who won it; empty where nobody has"),
    StoredField("points", "int64", "what the winner got; empty where that is not known"),
    StoredField("level", "int8", "1 a single game, 2 a gammon, 3 a backgammon; empty where that is not known"),
    StoredField("cube", "int64", "value of the cube at the end"),
    StoredField("entries", "int32", "number of entries"),
    StoredField(
        "origin", "int64", "the record that holds it, where the library has put the match together from several"
    ),
    StoredField("origin_game", "int32", "number of the game in that record, from 1"),
)
_TURNS: Final = (
    _RECORD,
    _GAME,
    _TURN,
    _ENTRY,
    _PLAYER,
    StoredField(
        "action", "text", "roll, double, take, drop, beaver, raccoon, automatic double, resign or set position"
    ),
    _DICE,
    StoredField(
        "opening", "bool", "whether this is the first roll of a game; never so on a board that the record sets"
    ),
    StoredField("score", "int64", "points of the player before the game"),
    StoredField("opponent_score", "int64", "points of the other before the game"),
    _CRAWFORD,
    _CUBE,
    _OWNER,
    StoredField("xgid", "text", "the position, as in the table of turns of `bgtools table`"),
    StoredField("pips", "int16", "pip count of the player before the entry"),
    StoredField("opponent_pips", "int16", "pip count of the other before the entry"),
    _PLAYED,
    StoredField("legal", "bool", "False when the entry is against the rules"),
    StoredField(
        "in_game",
        "bool",
        "False when the entry is not part of the game: after its end, or left out as one turn too many",
    ),
    _PHASE,
    StoredField("opening_play", "text", "name of the play of a game's first or second roll, such as split"),
    StoredField(
        "dice_tested", "bool", "whether tests of the dice count the roll: no opening roll, and none that could dance"
    ),
)
_POSITIONS: Final = (
    _RECORD,
    _GAME,
    _TURN,
    _ENTRY,
    _PLAYER,
    StoredField(
        "key", "int64", "a number made of the board alone, by which it is found: pip counts first, then a hash"
    ),
    *(
        StoredField(
            name,
            "int8",
            {0: "checkers of the other on the bar, below 0", 25: "checkers of the player on the bar"}.get(
                number, f"checkers on the {number}-point: the player's above 0, the other's below"
            ),
        )
        for number, name in enumerate(POINTS)
    ),
    StoredField("off", "int8", "checkers that the player has borne off"),
    StoredField("opponent_off", "int8", "checkers that the other has borne off"),
    StoredField("pips", "int16", "pip count of the player"),
    StoredField("opponent_pips", "int16", "pip count of the other"),
    StoredField("prime", "int8", "points in a row that the player holds with two checkers or more, at most"),
    StoredField("opponent_prime", "int8", "the same of the other"),
    StoredField("away", "int64", "points that the player lacks to win the match; 0 for money"),
    StoredField("opponent_away", "int64", "points that the other lacks; 0 for money"),
    _CRAWFORD,
    _CUBE,
    _OWNER,
    StoredField("action", "text", "roll, or double where the player doubled"),
    _DICE,
    _PLAYED,
    _PHASE,
)
_FINDINGS: Final = (
    _RECORD,
    StoredField("code", "text", "the kind of finding, such as BG203"),
    StoredField("name", "text", "its name"),
    StoredField("severity", "text", "error, warning or hint"),
    StoredField("line", "int32", "line of the file, from 1; empty where the format has no lines"),
    StoredField("game", "int32", "number of the game, from 1; empty where it belongs to none"),
    StoredField("entry", "int32", "number of the entry, from 1; empty where it belongs to none"),
    StoredField("message", "text", "what is wrong, as a sentence"),
)
_ENGINE: Final = (
    _RECORD,
    StoredField("engine", "text", "what valued the positions: program, version, level and match equity table"),
    StoredField(
        "standing",
        "int16",
        "how deep it looked, by which the deepest of several is chosen: 100 for a rollout, about 10 for each ply, 0 "
        "where nothing was valued; of a whole analysis what its plays reach but for the deepest tenth",
    ),
)
_PARTS: Final = StoredField(
    "parts", "int16", "from how many analyses of the match it was put together; 0 for one by itself"
)
_BROUGHT: Final = StoredField("brought", "bool", "whether a record brings it along; else the library has made it")
_WHOSE: Final = (
    StoredField("valued_by", "text", "whose verdict it is: the engine, where `engine` names several"),
    StoredField("analysed", "int64", "the record whose analysis it is, which may be another one of the same match"),
)
_ROLLOUTS: Final = (
    _RECORD,
    _GAME,
    _ENTRY,
    StoredField("kind", "text", "the kind of decision, as in the table of decisions"),
    StoredField("valued_by", "text", "the engine whose verdict on the decision was judged again"),
    StoredField("verdict", "text", "what the rollout says of it; empty where it cannot be rolled out"),
    StoredField("rollout_loss", "float64", "what it lost by the rollout, in EMG"),
    StoredField("rollout_error", "float64", "standard error of that"),
    StoredField("rollout_games", "int64", "how many games were rolled of each of the two choices"),
    StoredField("made", "float64", "EMG of what was done by the rollout"),
    StoredField("made_error", "float64", "standard error of that"),
    StoredField("best", "float64", "EMG of the best choice by the rollout"),
    StoredField("best_error", "float64", "standard error of that"),
    StoredField("roller", "text", "what rolled out: program, version and match equity table"),
)
GROUPS: Final = (
    StoredField("record", "int64", "a record of a match that has several"),
    StoredField("match", "int64", "the record that stands for the match"),
    StoredField("turned", "bool", "whether the record has the players the other way round than that"),
    StoredField("joined", "bool", "whether the library has put the record together from others"),
    StoredField(
        "player0", "text", "of the record that stands for the match, the best that any says: the name of player 0; "
        "empty for other records, as all that follows"
    ),
    StoredField("player1", "text", "the name of player 1"),
    StoredField("event", "text", "the event"),
    StoredField("date", "text", "the date"),
    StoredField("date_from", "text", "who says the date"),
    StoredField("place", "text", "the place"),
)  # fmt: skip
"""The columns of the one file that says which records are of one match; it is rewritten when records come."""
_KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {"int": "int64", "float": "float64", "bool": "bool", "text": "text"}
)


DECIDED: Final = ("checker play", "no double", "double")
"""The kinds of decision that have a row in the table of positions; an answer to a double shares that of the double."""
_COSTLIEST: Final = StoredField(
    "costliest",
    "bool",
    "whether it lost most of the decisions of its position: the play, and doubling before it or not",
)


def _of_report(name: Literal["decisions", "choices", "players"]) -> tuple[StoredField, ...]:
    """The columns of a table of `bgtools table`, after those for the record and the engine."""
    columns = REPORT_TABLES[name].columns
    whose = () if name == "players" else _WHOSE
    return (
        *_ENGINE,
        _PARTS,
        _BROUGHT,
        *whose,
        *(StoredField(each.name, _KINDS[each.type], each.meaning) for each in columns),
    )


@cache
def stored_columns() -> Mapping[StoredName, tuple[StoredField, ...]]:
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
            "rollouts": _ROLLOUTS,
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
