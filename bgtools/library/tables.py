"""The tables of a library: their columns with types and meaning, and the version that a manifest states.

Each table is a folder of Parquet files, which any program reads; ``record`` names a record everywhere. Files are
ordered by record, with the rows of one together in its own order. Positions are ordered by ``key``, so that the same
board and boards with the same pip counts stand together.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.reports.columns import Column, arrow_schema_of
from bgtools.reports.table_kinds import TABLES as REPORT_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.reports.columns import ColumnType

LIBRARY_VERSION: Final = 6
"""Version of the tables and the manifest; it grows when a column comes, goes, or changes its name, type or meaning."""

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


_RECORD: Final = Column("record", "int", "the record: a number made of its file's content and its place there")
_OF_TURNS: Final = {column.name: column for column in REPORT_TABLES["turns"].columns}
_NARROW: Final[dict[str, ColumnType]] = {
    "game": "int32", "turn": "int32", "row": "int32", "entry": "int32", "player": "int8", "pips": "int16",
    "opponent_pips": "int16",
}  # fmt: skip
"""The types of columns that hold small numbers."""


def _of_turns(names: str) -> tuple[Column, ...]:
    """Columns of the table of turns of `bgtools table`, by their names."""
    found = (_OF_TURNS[name] for name in names.split())
    return tuple(Column(each.name, _NARROW.get(each.name, each.type), each.meaning) for each in found)


_GAME, _TURN, _ROW, _ENTRY, _PLAYER = _of_turns("game turn row entry player")
_CRAWFORD, _CUBE, _OWNER, _DICE, _PLAYED, _PHASE = _of_turns("crawford cube cube_owner dice played phase")

POINTS: Final = tuple(f"p{point}" for point in range(26))
"""The columns of a board: p0 is the other's bar, p1 to p24 are the points, p25 is the player's bar."""

_SOURCES: Final = (
    Column("source", "int", "the file: a number made of its content"),
    Column("digest", "text", "SHA-256 of its content, in hexadecimal digits"),
    Column("path", "text", "where it was found"),
    Column("format", "text", "the format that it is written in; empty where it cannot be read"),
    Column("bytes", "int", "its length"),
    Column("matches", "int32", "how many records it holds"),
    Column("problem", "text", "why it cannot be read; empty where it can"),
    Column("version", "text", "the version of bgtools that read it"),
    Column("content", "bytes", "the file itself; empty where another path has the same, or it cannot be read"),
    Column("day", "text", "the day that was given when it was added, for records without a date"),
)
_MATCHES: Final = (
    _RECORD,
    Column("source", "int", "the file that holds it"),
    Column("number", "int32", "which record of its file it is, from 1"),
    Column("player0", "text", "name of the player in the left column of the first game"),
    Column("player1", "text", "name of the other player"),
    Column("length", "int", "points to win the match; 0 for money"),
    Column("event", "text", "the event, as the header names it"),
    Column("date", "text", "when it was played; written 2026-08-31 where that is a day"),
    Column(
        "date_from", "text", "who says so: header, file name, or given (when the file was added); empty without a date"
    ),
    Column("place", "text", "where it was played, as the header says"),
    Column("rules", "text", "the options that it was judged by"),
    Column("games", "int32", "number of games"),
    Column("turns", "int32", "number of entries"),
    Column("score0", "int", "points of player 0 at the end"),
    Column("score1", "int", "points of player 1 at the end"),
    Column("winner", "int8", "who won the match; empty where nobody has, and for money"),
    Column("complete", "bool", "whether the record holds every game from the start of the match to its end"),
    Column("errors", "int32", "findings that are errors"),
    Column("warnings", "int32", "findings that are warnings"),
    Column("hints", "int32", "findings that are hints"),
    Column("analysed", "bool", "whether the record brings an analysis along"),
    Column("fingerprint", "text", "its rolls and plays in two letters each, the same in all records of a match"),
    Column("seats", "text", "who rolled: 0 or 1 for each roll of the fingerprint"),
    Column("keys", "ints", "numbers by which records with nearly the same fingerprint are found"),
    Column("short_games", "ints", "numbers made of each game of two to five rolls, its score and players"),
    Column("joined", "bool", "whether the library has put it together from the games of several records"),
)
_GAMES: Final = (
    _RECORD,
    _GAME,
    Column(
        "number", "int32", "the number that the record gives it, as `bgtools show` takes it; empty where it gives none"
    ),
    Column("score0", "int", "points of player 0 before the game"),
    Column("score1", "int", "points of player 1 before the game"),
    _CRAWFORD,
    Column("ending", "text", "borne off, drop, resigned or unfinished"),
    Column("winner", "int8", "who won it; empty where nobody has"),
    Column("points", "int", "what the winner got; empty where that is not known"),
    Column("level", "int8", "1 a single game, 2 a gammon, 3 a backgammon; empty where that is not known"),
    Column("cube", "int", "value of the cube at the end"),
    Column("entries", "int32", "number of entries"),
    Column("origin", "int", "the record that holds it, where the library has put the match together from several"),
    Column("origin_game", "int32", "number of the game in that record, from 1"),
)
TURN_NAMES: Final = (
    "game turn row entry player action dice opening score opponent_score crawford cube cube_owner xgid pips "
    "opponent_pips played legal in_game phase opening_play"
)
"""The columns that the table of turns has from that of `bgtools table`."""
_TURNS: Final = (
    _RECORD,
    *_of_turns(TURN_NAMES),
    Column(
        "dice_tested", "bool", "whether tests of the dice count the roll: no opening roll, and none that could dance"
    ),
)
_POSITIONS: Final = (
    _RECORD,
    _GAME,
    _TURN,
    _ROW,
    _ENTRY,
    _PLAYER,
    Column("key", "int", "a number made of the board alone, by which it is found: pip counts first, then a hash"),
    *(
        Column(
            name,
            "int8",
            {0: "checkers of the other on the bar, below 0", 25: "checkers of the player on the bar"}.get(
                number, f"checkers on the {number}-point: the player's above 0, the other's below"
            ),
        )
        for number, name in enumerate(POINTS)
    ),
    Column("off", "int8", "checkers that the player has borne off"),
    Column("opponent_off", "int8", "checkers that the other has borne off"),
    Column("pips", "int16", "pip count of the player"),
    Column("opponent_pips", "int16", "pip count of the other"),
    Column("prime", "int8", "points in a row that the player holds with two checkers or more, at most"),
    Column("opponent_prime", "int8", "the same of the other"),
    Column("away", "int", "points that the player lacks to win the match; 0 for money"),
    Column("opponent_away", "int", "points that the other lacks; 0 for money"),
    _CRAWFORD,
    _CUBE,
    _OWNER,
    Column("action", "text", "roll, or double where the player doubled"),
    _DICE,
    _PLAYED,
    _PHASE,
)
_FINDINGS: Final = (
    _RECORD,
    Column("code", "text", "the kind of finding, such as BG203"),
    Column("name", "text", "its name"),
    Column("severity", "text", "error, warning or hint"),
    Column("line", "int32", "line of the file, from 1; empty where the format has no lines"),
    Column("game", "int32", "number of the game, from 1; empty where it belongs to none"),
    Column("entry", "int32", "number of the entry, from 1; empty where it belongs to none"),
    Column("message", "text", "what is wrong, as a sentence"),
)
_ENGINE: Final = (
    _RECORD,
    Column("engine", "text", "what valued the positions: program, version, level and match equity table"),
    Column(
        "standing",
        "int16",
        "how deep it looked, by which the deepest of several is chosen: 100 for a rollout, about 10 for each ply, 0 "
        "where nothing was valued; of a whole analysis what its plays reach but for the deepest tenth",
    ),
)
_PARTS: Final = Column("parts", "int16", "from how many analyses of the match it was put together; 0 for one by itself")
_BROUGHT: Final = Column("brought", "bool", "whether a record brings it along; else the library has made it")
_WHOSE: Final = (
    Column("valued_by", "text", "whose verdict it is: the engine, where `engine` names several"),
    Column("analysed", "int", "the record whose analysis it is, which may be another one of the same match"),
)
_ROLLOUTS: Final = (
    _RECORD,
    _GAME,
    _ENTRY,
    Column("kind", "text", "the kind of decision, as in the table of decisions"),
    Column("valued_by", "text", "the engine whose verdict on the decision was judged again"),
    Column("verdict", "text", "what the rollout says of it; empty where it cannot be rolled out"),
    Column("rollout_loss", "float", "what it lost by the rollout, in EMG"),
    Column("rollout_error", "float", "standard error of that"),
    Column("rollout_games", "int", "how many games were rolled of each of the two choices"),
    Column("made", "float", "EMG of what was done by the rollout"),
    Column("made_error", "float", "standard error of that"),
    Column("best", "float", "EMG of the best choice by the rollout"),
    Column("best_error", "float", "standard error of that"),
    Column("roller", "text", "what rolled out: program, version and match equity table"),
)
GROUPS: Final = (
    Column("record", "int", "a record of a match that has several"),
    Column("match", "int", "the record that stands for the match"),
    Column("turned", "bool", "whether the record has the players the other way round than that"),
    Column("joined", "bool", "whether the library has put the record together from others"),
    Column(
        "player0", "text", "of the record that stands for the match, the best that any says: the name of player 0; "
        "empty for other records, as all that follows"
    ),
    Column("player1", "text", "the name of player 1"),
    Column("event", "text", "the event"),
    Column("date", "text", "the date"),
    Column("date_from", "text", "who says the date"),
    Column("place", "text", "the place"),
)  # fmt: skip
"""The columns of the one file that says which records are of one match; it is rewritten when records come."""
DECIDED: Final = ("checker play", "no double", "double")
"""The kinds of decision that have a row in the table of positions; an answer to a double shares that of the double."""
_COSTLIEST: Final = Column(
    "costliest",
    "bool",
    "whether it lost most of the decisions of its position: the play, and doubling before it or not",
)


def _of_report(name: Literal["decisions", "choices", "players"]) -> tuple[Column, ...]:
    """The columns of a table of `bgtools table`, after those for the record and the engine."""
    whose = () if name == "players" else _WHOSE
    return (*_ENGINE, _PARTS, _BROUGHT, *whose, *REPORT_TABLES[name].columns)


@cache
def stored_columns() -> Mapping[StoredName, tuple[Column, ...]]:
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
    columns = GROUPS if name == "groups" else stored_columns()[name]
    return arrow_schema_of(columns, {"bgtools.library": f'{{"version": {LIBRARY_VERSION}, "table": "{name}"}}'})
