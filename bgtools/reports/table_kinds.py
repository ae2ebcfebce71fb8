"""The tables of an analysis, and the objects of which their rows are made; `columns` makes columns of those."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast

from bgtools.analysis.breakdowns import BreakdownRow
from bgtools.analysis.dice import DiceRow
from bgtools.analysis.events import Form, Pairing, Standing
from bgtools.analysis.races import RaceRow
from bgtools.analysis.rows import ChoiceRow, DecisionKind, DecisionRow, ScoreVerdict, TurnRow
from bgtools.analysis.totals import Conventions, GameTotals, PlayerTotals
from bgtools.reports.columns import cells_of, columns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bgtools.analysis.breakdowns import AnalysisPart
    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match
    from bgtools.reports.columns import Cell, Column

TABLES_VERSION: Final = 5
"""Version of the columns; it grows when one changes its name, type or meaning, or goes away."""

TableName = Literal[
    "decisions", "turns", "games", "players", "choices", "breakdown", "races", "dice", "matches", "scores"
]
AnyTableName = Literal[TableName, "standings", "pairings"]
"""The tables, and those of the events of a folder, which no record has by itself."""


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
class EventOrigin:
    """The event that a row is of.

    Attributes:
        event: its title, as the site of a folder has it.
        form: how its pairings come about; empty where the records do not tell.
        is_stated: whether the director states the form.
    """

    event: str
    form: Form
    is_stated: bool


@dataclass(frozen=True, slots=True)
class ChoiceOrigin:
    """The decision that a choice or a score belongs to.

    Attributes:
        game, turn, row, entry, player, kind: the decision, as in the table of decisions.
    """

    game: int
    turn: int
    row: int
    entry: int
    player: int
    kind: DecisionKind


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The match as one player saw it.

    Attributes:
        player: 0 or 1; player 0 is in the left column of the first game.
        name: the player's name.
        opponent: the other player's name.
        length: points to win the match; 0 for money.
        games: number of games in the record.
        points, opponent_points: points at the end.
        won: whether they won the match; None where nobody has, and for money.
    """

    player: int
    name: str
    opponent: str
    length: int
    games: int
    points: int
    opponent_points: int
    won: bool | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match, as a list of matches has it.

    Attributes:
        round: the round of the event, as the record's header names it.
        player0, player1: who plays; player0 is in the left column of the first game.
        length: points to win the match; 0 for money.
        games: number of games in the record.
        score0, score1: points of both at the end of the record.
        winner: who won the match, 0 or 1; None where nobody has, and for money.
        complete: whether the record holds every game from the start of the match to its end.
        verdict: as ``bgtools check --summary`` has it, by the settings that hold for the file.
        errors, warnings, hints: how many findings there are of each severity.
        wrong: what is missing and what is wrong, in a line; empty where nothing is.
        repaired: what a repair has put in or supposed, by its remarks.
    """

    round: str
    player0: str
    player1: str
    length: int
    games: int
    score0: int
    score1: int
    winner: int | None
    complete: bool
    verdict: str
    errors: int
    warnings: int
    hints: int
    wrong: str
    repaired: str


def match_row(match: Match, path: str, number: int) -> MatchRow:
    """The row of a match in the list of matches; see `bgtools.repair.verdicts.verdict_of_match` for the arguments."""
    from bgtools.repair.verdicts import verdict_of_match

    found = verdict_of_match(match, path, number)
    return MatchRow(
        match.tag("Round") or "", *match.players, match.length or 0, len(match.games), *found.points, found.winner,
        found.is_complete,
        found.verdict, found.errors, found.warnings, found.hints, found.wrong, found.repaired,
    )  # fmt: skip


def _players(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    match = analysis.match
    for own, total in enumerate(analysis.players):
        won = None if match.winner is None else match.winner == own
        names = match.players if own == 0 else match.players[::-1]
        side = PlayerView(own, *names, match.length, match.games, match.score[own], match.score[1 - own], won)
        yield side, total, analysis.conventions


def _each(rows: Callable[[Analysis], Iterable[object]]) -> Callable[[Analysis], Iterator[tuple[object, ...]]]:
    """What makes a row of the table of each row of one kind."""
    return lambda analysis: ((row,) for row in rows(analysis))


def _scores(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    for row, grid in analysis.grids:
        for cell in grid.every:
            yield _origin_of(row), cell.as_row


def _origin_of(row: DecisionRow) -> ChoiceOrigin:
    return ChoiceOrigin(row.game, row.turn, row.row, row.entry, row.player, row.kind)


def _choices(analysis: Analysis) -> Iterator[tuple[object, ...]]:
    for row in analysis.decisions:
        for choice in row.choices:
            yield _origin_of(row), choice


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
        for column in columns_of(part.kind, number, prefix=part.prefix, pair=pair, skipped=part.skipped)
    )


ORIGIN: Final = tuple(columns_of(Origin, 0))
"""The columns that stand before all others in a table over many records."""

TABLES: Final[Mapping[TableName, Table]] = MappingProxyType(
    {
        table.name: table
        for table in (
            Table(
                "decisions",
                "One row per decision: every checker play, every double, its answers, every turn on which a player "
                "could have doubled and did not, every resignation and its acceptance.",
                (_Part(DecisionRow),),
                _each(lambda analysis: analysis.decisions),
                needs=frozenset({"lessons"}),
            ),
            Table(
                "turns",
                "One row per entry of the record: a roll with its play, or a cube action.",
                (_Part(TurnRow),),
                _each(lambda analysis: analysis.turns),
            ),
            Table(
                "games",
                "One row per game, with the figures of both players.",
                # The luck-adjusted result and the estimates are told of whole matches only.
                (_Part(GameTotals, skipped=frozenset({"luck_adjusted_result", "fibs", "kinds"})),),
                _each(lambda analysis: analysis.games),
                pair=("player0_{}", "player1_{}"),
                needs=frozenset({"counts", "races"}),
            ),
            Table(
                "players",
                "One row per player of a match: their figures, and by which conventions they are made.",
                (
                    _Part(PlayerView),
                    # The errors of each kind are many columns, and easily counted in the table of decisions.
                    _Part(PlayerTotals, skipped=frozenset({"player", "name", "kinds"})),
                    _Part(Conventions, "conventions_"),
                ),
                _players,
                needs=frozenset({"counts"}),
            ),
            Table(
                "choices",
                "One row per choice that the engine valued: of each decision the best ones, best first, and the one "
                "that was made.",
                (_Part(ChoiceOrigin), _Part(ChoiceRow)),
                _choices,
            ),
            Table(
                "breakdown",
                "One row per player and sort of decision.",
                (_Part(BreakdownRow),),
                _each(lambda analysis: analysis.breakdowns),
                needs=frozenset({"breakdowns"}),
            ),
            Table(
                "races",
                "One row per roll or double of a race.",
                (_Part(RaceRow),),
                _each(lambda analysis: analysis.races),
                needs=frozenset({"races"}),
            ),
            Table(
                "dice",
                "One row per test and player; the last four are of both players together.",
                (_Part(DiceRow),),
                _each(lambda analysis: analysis.dice.tests if analysis.dice else ()),
                needs=frozenset({"dice"}),
            ),
            Table(
                "matches",
                "One row per match: who played, how it stands, whether it is complete, and the verdict on its record.",
                (_Part(MatchRow),),
                lambda analysis: iter(()),
            ),
            Table(
                "scores",
                "One row per error and score: what would be right there, for money and up to some points away.",
                (_Part(ChoiceOrigin), _Part(ScoreVerdict)),
                _scores,
                needs=frozenset({"scores"}),
            ),
        )
    }
)


EVENT_TABLES: Final[Mapping[str, tuple[str, tuple[Column, ...]]]] = MappingProxyType(
    {
        "standings": (
            "One row per player of an event: matches won and lost, and the rank where the form makes one.",
            _columns((_Part(EventOrigin), _Part(Standing)), ("{}", "opponent_{}")),
        ),
        "pairings": (
            "One row per two players of an event: how often they met, and whether a match is missing.",
            _columns((_Part(EventOrigin), _Part(Pairing)), ("{}", "opponent_{}")),
        ),
    }
)
"""What a row of a table of events is, as a sentence, and its columns."""


def about_table(name: AnyTableName) -> tuple[str, tuple[Column, ...]]:
    """What a row of a table is, as a sentence, and its columns in a table over many records."""
    if name in EVENT_TABLES:
        return EVENT_TABLES[name]
    table = TABLES[cast("TableName", name)]
    return table.title, (*ORIGIN, *table.columns)


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


_OF_LESSONS: Final = frozenset({"themes", "sentence", "right_at", "loss_at_money"})


def parts_of(name: TableName, columns: Iterable[Column]) -> frozenset[AnalysisPart]:
    """The parts of an analysis that some columns of a table need; other parts need not be computed."""
    needs = TABLES[name].needs
    return needs if any(column.name in _OF_LESSONS for column in columns) else needs - {"lessons"}


def rows_of(
    name: TableName,
    analysis: Analysis,
    columns: Sequence[Column] | None = None,
    source: Origin | None = None,
    match: Match | None = None,
) -> Iterator[tuple[Cell, ...]]:
    """The rows of a table, cell by cell.

    Args:
        name: which table.
        analysis: what it is made of.
        columns: which columns, in this order; by default all of the table, without those of `ORIGIN`.
        source: where the analysis comes from, for the columns of `ORIGIN`.
        match: the record, which the table of matches is made of.
    """
    table = TABLES[name]
    chosen = table.columns if columns is None else columns
    made = table.rows(analysis)
    if name == "matches" and match is not None and source is not None:
        made = iter([(match_row(match, source.file, source.match),)])
    yield from cells_of(chosen, ((source, *parts) for parts in made))
