"""The tables of an analysis: which there are, and their columns with names, types and meaning.

Nothing is listed twice: a column is a field of a row class, its type is the field's hint, its meaning
what the class says of it under ``Attributes:``. Fields that are dataclasses themselves give a column
for each of their fields, named ``field_inner``, and so do dictionaries for each of their keys, which
their hints must list, as a Literal of keys or as `Annotated[dict[str, …], keys]`; pairs give two.
Sequences of texts are one text, with commas between them; other sequences of any length are left out: they are tables
of their own, or belong in the report's JSON.
"""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from math import isfinite
from operator import attrgetter, itemgetter, methodcaller
from types import MappingProxyType, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from bgtools.analysis import (
    BreakdownRow,
    ChoiceRow,
    Conventions,
    DecisionKind,
    DecisionRow,
    DiceRow,
    GameTotals,
    PlayerTotals,
    RaceRow,
    TurnRow,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bgtools.analysis import Analysis, AnalysisPart
    from bgtools.record import Match

TABLES_VERSION: Final = 3
"""Version of the columns; it grows when one changes its name, type or meaning, or goes away."""

ColumnType = Literal["int", "float", "bool", "text"]
TableName = Literal["decisions", "turns", "games", "players", "choices", "breakdown", "races", "dice"]

Cell = int | float | bool | str | None
"""What a table holds; None where nothing is known."""

_UNNAMED: Final = frozenset({"ratings", "classes", "kinds", "counted_by"})
"""Dictionaries whose keys say enough: ``xg_pr``, not ``ratings_xg_pr``."""

_FULL: Final = frozenset({"counted_by"})
"""Dictionaries that have every key in every row."""

_LARGEST: Final = 2**63
"""Whole numbers from here on have no place in most tables."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        name: as it heads the column.
        type: what its cells hold, if anything.
        nullable: whether a cell can be None. Texts are never None, but empty.
        meaning: a sentence for people; empty where the class has none.
        values: what its texts are limited to.
        part: which object of a row it comes from.
        steps: how to get from there to the cell.
        field: class and name of the field, for messages.
    """

    name: str
    type: ColumnType
    nullable: bool
    meaning: str
    values: tuple[str, ...]
    part: int
    steps: tuple[Callable[[Any], Any], ...]
    field: str


def _text(value: Any) -> str:
    text = "" if value is None else str(value)
    # What is no character cannot be written in any encoding: half a pair that a file had alone.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _number(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or -_LARGEST <= value < _LARGEST else None


_CHECKED: Final[Mapping[ColumnType, Callable[[Any], Cell]]] = MappingProxyType(
    {"int": _number, "float": _number, "bool": lambda value: value, "text": _text}
)


# --- from classes to columns ----------------------------------------------------------------

_ENTRY: Final = re.compile(r" {4}(\w+(?:, \w+)*): (.+)")
_AS_IN: Final = re.compile(r"as in `(\w+)`\.")


def meanings(kind: type[Any]) -> Mapping[str, str]:
    """What the docstring of a class says of its fields under ``Attributes:``, a sentence each without its full stop."""
    found: dict[str, str] = {}
    names: list[str] = []
    _, _, section = inspect.cleandoc(kind.__doc__ or "").partition("\nAttributes:\n")
    for line in section.splitlines():
        if entry := _ENTRY.fullmatch(line):
            names = entry[1].split(", ")
            found.update(dict.fromkeys(names, entry[2]))
        elif line.startswith(" " * 8):
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
        else:
            break
    for name, text in found.items():
        if reference := _AS_IN.fullmatch(text):
            found[name] = meanings(vars(sys.modules[kind.__module__])[reference[1]]).get(name, "")
    return MappingProxyType({name: text.removesuffix(".") for name, text in found.items()})


class _At(NamedTuple):
    """Where in a row we are."""

    part: int
    steps: tuple[Callable[[Any], Any], ...] = ()
    prefix: str = ""
    nullable: bool = False
    about: str = ""  # what a meaning begins with

    def down(self, step: Callable[[Any], Any], name: str = "", *, nullable: bool = False, about: str = "") -> _At:
        prefix = f"{self.prefix}{name}_" if name else self.prefix
        return _At(self.part, (*self.steps, step), prefix, self.nullable or nullable, about or self.about)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes columns of the objects of a row.

    Attributes:
        pair: names of the two halves of a pair.
        skipped: fields that have no place in the table.
    """

    pair: tuple[str, str]
    skipped: frozenset[str] = frozenset()

    def of(self, kind: type[Any], at: _At) -> Iterator[Column]:
        """The columns of a class in the order of its fields."""
        hints, texts = get_type_hints(kind, include_extras=True), meanings(kind)
        for each in fields(kind):
            if each.name not in self.skipped:
                field = f"{kind.__name__}.{each.name}"
                yield from self._of_hint(hints[each.name], each.name, texts.get(each.name, ""), field, at)

    def _of_hint(self, hint: Any, name: str, text: str, field: str, at: _At) -> Iterator[Column]:
        hint, optional = _without_none(hint)
        keys: tuple[str, ...] = ()
        if get_origin(hint) is Annotated:
            hint, keys = get_args(hint)
        step = attrgetter(name)
        origin, inner = get_origin(hint), get_args(hint)
        if isinstance(hint, type) and is_dataclass(hint):
            yield from self.of(hint, at.down(step, name, nullable=optional))
        elif origin is tuple and len(inner) == 2 and inner[1] is not Ellipsis:
            yield from self._of_pair(inner, name, text, field, at.down(step, nullable=optional))
        elif origin is tuple and inner[0] is str:
            yield _column(str, name, text, field, at.down(step, nullable=optional).down(", ".join))
        elif origin is tuple:
            return
        elif origin is dict:
            keys = keys or tuple(get_args(inner[0]))
            yield from self._of_dict(keys, inner[1], name, text, field, at.down(step, nullable=optional))
        else:
            yield _column(hint, name, text, field, at.down(step, nullable=optional))

    def _of_pair(self, inner: tuple[Any, ...], name: str, text: str, field: str, at: _At) -> Iterator[Column]:
        for number, half in enumerate(self.pair):
            if isinstance(inner[number], type) and is_dataclass(inner[number]):
                within = _Maker(self.pair, self.skipped | {"player"})
                yield from within.of(inner[number], at.down(itemgetter(number), half.format("").strip("_")))
            else:
                yield _column(inner[number], half.format(name), text, field, at.down(itemgetter(number)))

    def _of_dict(self, keys: tuple[str, ...], hint: Any, name: str, text: str, field: str, at: _At) -> Iterator[Column]:
        if not keys:
            raise TypeError(f"{field}: a dictionary can be columns only where its hint lists the keys")
        for key in filter(None, keys):
            named = re.sub(r"\W+", "_", key) if name in _UNNAMED else f"{name}_" + re.sub(r"\W+", "_", key)
            if name in _FULL:
                yield from self.of(hint, at.down(itemgetter(key), named))
            elif isinstance(hint, type) and is_dataclass(hint):
                yield from self.of(hint, at.down(methodcaller("get", key), named, nullable=True, about=f"{key}: "))
            else:
                yield _column(hint, named, text, field, at.down(methodcaller("get", key), nullable=True))


def _column(hint: Any, name: str, text: str, field: str, at: _At) -> Column:
    kind, values = _type(hint, field)
    # The value of a rating is the rating.
    full = at.prefix.removesuffix("_") if name == "value" and at.prefix else at.prefix + name
    if at.nullable and values and "" not in values:
        values = ("", *values)
    nullable = at.nullable and kind != "text"
    return Column(full, kind, nullable, at.about + text if text else "", values, at.part, at.steps, field)


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, UnionType):
        return hint, False
    kept = [each for each in get_args(hint) if each is not NoneType]
    return kept[0] if len(kept) == 1 else hint, NoneType in get_args(hint)


def _type(hint: Any, field: str) -> tuple[ColumnType, tuple[str, ...]]:
    if get_origin(hint) is Literal:
        values = get_args(hint)
        if all(isinstance(value, str) for value in values):
            return "text", values
        hint = type(values[0])
    names: dict[Any, ColumnType] = {bool: "bool", int: "int", float: "float", str: "text"}
    if hint not in names:
        raise TypeError(f"{field}: {hint} is no type of a column")
    return names[hint], ()


# --- the tables -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a row comes from, in a table over many records.

    Attributes:
        file: the record's file, as it was named or found in a folder.
        match: number of the match in the file, from 1.
        engine: what valued the positions: program, version, level and match equity table; empty without an engine.
        event: the event, as the record's header names it.
        date: when it was played, as the header says; written 2026-08-31 where that is a day.
        place: where it was played, as the header says.
    """

    file: str
    match: int
    engine: str
    event: str = ""
    date: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The decision that a choice belongs to.

    Attributes:
        game, turn, entry, player, kind: the decision, as in the table of decisions.
    """

    game: int
    turn: int
    entry: int
    player: int
    kind: DecisionKind


@dataclass(frozen=True, slots=True)
class Side:
    """The match as one player saw it.

    Attributes:
        player: 0 or 1; player 0 stands in the left column of the first game.
        name: the player's name.
        opponent: the other player's name.
        length: points to win the match; 0 for money.
        games: number of games in the record.
        points, opponent_points: points at the end.
        won: whether he won the match; None where nobody has, and for money.
    """

    player: int
    name: str
    opponent: str
    length: int
    games: int
    points: int
    opponent_points: int
    won: bool | None


def _decisions(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    return ((row,) for row in analysis.decisions)


def _turns(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    return ((row,) for row in analysis.turns)


def _games(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    return ((row,) for row in analysis.games)


def _players(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    match = analysis.match
    for own, total in enumerate(analysis.players):
        won = None if match.winner is None else match.winner == own
        names = match.players if own == 0 else match.players[::-1]
        side = Side(own, *names, match.length, match.games, match.score[own], match.score[1 - own], won)
        yield side, total, analysis.conventions


def _breakdown(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    return ((row,) for row in analysis.breakdowns)


def _races(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    return ((row,) for row in analysis.races)


def _dice(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    return ((row,) for row in (analysis.dice.tests if analysis.dice else ()))


def _choices(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    for row in analysis.decisions:
        for choice in row.choices:
            yield Choice(row.game, row.turn, row.entry, row.player, row.kind), choice


class _Part(NamedTuple):
    """One of the objects that a row is made of."""

    kind: type[Any]
    prefix: str = ""
    skipped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        name: what it is called.
        title: what a row is, as a sentence.
        parts: what a row is made of, after an `Origin`.
        rows: the objects of every row of an analysis, one for each part.
        pair: names of the two halves of a pair.
        needs: the parts of an analysis that the rows are made of, besides its own rows and totals.
    """

    name: TableName
    title: str
    parts: tuple[_Part, ...]
    rows: Callable[[Analysis], Iterator[tuple[object, ...]]]
    pair: tuple[str, str] = ("{}", "opponent_{}")
    needs: frozenset[AnalysisPart] = frozenset()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns in their order, without those of `ORIGIN`."""
        return _columns(self.parts, self.pair)


@cache
def _columns(parts: tuple[_Part, ...], pair: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(
        column
        for number, part in enumerate(parts, 1)
        for column in _Maker(pair, part.skipped).of(part.kind, _At(number, prefix=part.prefix))
    )


ORIGIN: Final = tuple(_Maker(("", "")).of(Origin, _At(0)))
"""The columns that stand before all others in a table over many records."""

TABLES: Final[Mapping[TableName, Table]] = MappingProxyType(
    {
        table.name: table
        for table in (
            Table(
                "decisions",
                "One row a decision: every checker play, every double, its answers, every turn on which a player "
                "could have doubled and did not, every resignation and its acceptance.",
                (_Part(DecisionRow),),
                _decisions,
                needs=frozenset({"lessons"}),
            ),
            Table(
                "turns",
                "One row an entry of the record: a roll with its play, or a cube action.",
                (_Part(TurnRow),),
                _turns,
            ),
            Table(
                "games",
                "One row a game, with the figures of both players.",
                # The luck-adjusted result and the estimates are told of whole matches only.
                (_Part(GameTotals, skipped=frozenset({"luck_adjusted_result", "fibs", "kinds"})),),
                _games,
                pair=("player0_{}", "player1_{}"),
                needs=frozenset({"counts", "races"}),
            ),
            Table(
                "players",
                "One row a player of a match: his figures, and by which conventions they are made.",
                (
                    _Part(Side),
                    # The errors of each kind are many columns, and easily counted in the table of decisions.
                    _Part(PlayerTotals, skipped=frozenset({"player", "name", "kinds"})),
                    _Part(Conventions, "conventions_"),
                ),
                _players,
                needs=frozenset({"counts"}),
            ),
            Table(
                "choices",
                "One row a choice that the engine valued: of each decision the best ones, best first, and the one "
                "that was made.",
                (_Part(Choice), _Part(ChoiceRow)),
                _choices,
            ),
            Table(
                "breakdown",
                "One row a player and sort of decision.",
                (_Part(BreakdownRow),),
                _breakdown,
                needs=frozenset({"breakdowns"}),
            ),
            Table(
                "races",
                "One row a roll or double of a race.",
                (_Part(RaceRow),),
                _races,
                needs=frozenset({"races"}),
            ),
            Table(
                "dice",
                "One row a test and player; the last four are of both players together.",
                (_Part(DiceRow),),
                _dice,
                needs=frozenset({"dice"}),
            ),
        )
    }
)


def origin(file: str, number: int, analysis: Analysis, match: Match | None = None) -> Origin:
    """Where the rows of an analysis come from.

    Args:
        file: the record's file.
        number: number of the match in it, from 1.
        analysis: what the rows are made of.
        match: the record, for what its header says.
    """
    used = analysis.conventions
    engine = " ".join(filter(None, (used.engine, used.engine_version, used.level, used.met)))
    if match is None:
        return Origin(file, number, engine)
    return Origin(file, number, engine, *header(match))


def header(match: Match) -> tuple[str, str, str]:
    """Event, date and place as the header of a record says them, empty where it does not; a day as 2026-08-31."""
    event, date, place = (
        next((value for key in keys if (value := match.tag(key))), "")
        for keys in (("Event",), ("EventDate", "Date"), ("Site", "Place", "Location"))
    )
    day = _DAY.fullmatch(date.strip())
    return event, f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}" if day else date, place


_DAY: Final = re.compile(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", re.ASCII)


_OF_LESSONS: Final = frozenset({"themes", "sentence"})


def parts_of(name: TableName, columns: Iterable[Column]) -> frozenset[AnalysisPart]:
    """The parts of an analysis that some columns of a table are made of: what is not asked for need not be made."""
    needs = TABLES[name].needs
    return needs if any(column.name in _OF_LESSONS for column in columns) else needs - {"lessons"}


def rows_of(
    name: TableName, analysis: Analysis, columns: Sequence[Column] | None = None, place: Origin | None = None
) -> Iterator[tuple[Cell, ...]]:
    """The rows of a table, cell by cell.

    Args:
        name: which table.
        analysis: what it is made of.
        columns: which columns, in this order; by default all of the table, without those of `ORIGIN`.
        place: where the analysis comes from, for the columns of `ORIGIN`.
    """
    table = TABLES[name]
    chosen = table.columns if columns is None else columns
    yield from cells_of(chosen, ((place, *parts) for parts in table.rows(analysis)))


def cells_of(columns: Sequence[Column], rows: Iterable[Sequence[object]]) -> Iterator[tuple[Cell, ...]]:
    """The cells of rows that are told by the objects they are made of."""
    plan = [(column.part, column.steps, column.type == "text", _CHECKED[column.type]) for column in columns]
    for parts in rows:
        cells: list[Cell] = []
        # Of a large file this makes ten million cells.
        for part, steps, is_text, checked in plan:
            value: Any = parts[part]
            for step in steps:
                if value is None:
                    break
                value = step(value)
            if value is None:
                cells.append("" if is_text else None)
            else:
                cells.append(value if is_text and type(value) is str and value.isascii() else checked(value))
        yield tuple(cells)
