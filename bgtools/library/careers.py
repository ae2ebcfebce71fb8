"""The figures of players over all matches of a library. DuckDB adds them up."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.analysis.blunders import worst_of
from bgtools.analysis.breakdowns import in_order
from bgtools.analysis.careers import (
    Career,
    CareerResult,
    CareerShare,
    FieldSums,
    Meeting,
    PlayerSummary,
    Trend,
    TrendPoint,
    Versus,
    change_over_time,
    standings,
)
from bgtools.analysis.names import UnknownName, find_name, listed_names, may_mean
from bgtools.analysis.pooling import PooledLuck, PooledRating
from bgtools.analysis.ratings.xg import pr_factor
from bgtools.analysis.statistics import MANY_VALUES, Sums
from bgtools.library.aliases import is_nobody, is_program
from bgtools.library.connecting import ME, me_of
from bgtools.library.results import blunders_of
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.careers import CareerDimension, FieldComparison

PlayerOrder = Literal["matches", "won", "pr", "luck", "name"]
"""How players are ordered: by their number of matches or of those won, most first; by PR, lowest first; by the mean
luck of a roll, luckiest first; or by name."""

_SUMS: Final = (
    "count({0}), coalesce(sum({0}), 0), coalesce(sum({0} * {0}), 0), "
    f"CASE WHEN count({{0}}) < {MANY_VALUES} THEN list({{0}}) FILTER ({{0}} IS NOT NULL) END"
)
"""The columns that `Sums` takes, of one expression."""
_WIDTH: Final = 4

_OF_MATCHES: Final[tuple[CareerDimension, ...]] = ("month", "event", "opponent", "length", "engine")
_OF_DECISIONS: Final[dict[CareerDimension, str]] = {
    "phase": "phase", "decision": "kind", "theme": "unnest(string_split(themes, ', '))",
}  # fmt: skip

_FEW: Final = ("engine", "phase", "decision")
"""The dimensions whose values are never too many."""

_ORDERS: Final[dict[PlayerOrder, str]] = {
    "matches": "matches DESC",
    "won": "won DESC",
    "pr": "rating ASC NULLS LAST",
    "luck": "fortune DESC NULLS LAST",
    "name": "lower(person)",
}

_SEVERAL: Final = 2
_SPARE: Final = 3
"""So many times as many decisions are fetched as are wanted: several of them may be of one position."""

_WINDOWS: Final = 60
"""At most so many points has a trend over a moving window."""


class Careers:
    """The players of a library, as a connection of DuckDB sees it."""

    def __init__(self, connection: Any) -> None:
        """Take a connection, and make the tables that all questions share."""
        self._connection = connection
        if not self._has("sides"):
            connection.execute(
                f"CREATE MACRO pr_factor(length) AS CASE WHEN length = 1 THEN {pr_factor(1)} ELSE {pr_factor(0)} END"
            )
            connection.execute(_script("careers.sql"))

    def _has(self, table: str) -> bool:
        return bool(self.rows("SELECT 1 FROM duckdb_tables() WHERE schema_name = 'careers' AND table_name = ?", table))

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """The answer to a query of the tables of careers."""
        found: list[tuple[Any, ...]] = self._connection.execute(query, [*parameters]).fetchall()
        return found

    @property
    def names(self) -> dict[str, str]:
        """Every name in the records, with the name that its player goes by."""
        return dict(self.rows("SELECT DISTINCT unnest([player0, player1]), unnest([person0, person1]) FROM records"))

    # --- who there is -------------------------------------------------------------------------

    def person(self, given: str) -> str:
        """The name that somebody goes by, whichever of their names is given, in capitals or small letters.

        Raises:
            LibraryError: no player has the name, or none has it exactly and several have it but for capitals.
        """
        if given.strip().casefold() == ME:
            given = me_of(self._connection)
        ((alias,),) = self.rows("SELECT person(?)", given)
        if self.rows("SELECT 1 FROM careers.sides WHERE person = ? LIMIT 1", alias):
            return str(alias)
        names = dict(self.rows("SELECT DISTINCT name, person FROM careers.sides"))
        alike = sorted(
            {person for name, person in names.items() if given.casefold() in (name.casefold(), person.casefold())}
        )
        if len(alike) > 1:
            raise LibraryError(f"{given!r} may be {listed_names(alike)}; give the name as it is written there")
        try:
            return str(alike[0] if alike else names[self._name(given, names)])
        except UnknownName as error:
            raise LibraryError(str(error)) from None

    def _name(self, given: str, names: Mapping[str, str]) -> str:
        """The name that a part of one means; several names of one player are no question."""
        found = {person for name, person in names.items() if may_mean(given, name)}
        if len(found) == 1:
            return next(name for name in names if names[name] in found)
        often = self.rows("SELECT name FROM careers.sides GROUP BY 1 ORDER BY count(*) DESC, 1")
        return find_name(given, [name for (name,) in often])

    def players(
        self, *, order: PlayerOrder = "matches", limit: int | None = None, min_matches: int = 1, everybody: bool = False
    ) -> list[PlayerSummary]:
        """The players.

        Args:
            order: see `PlayerOrder`; equal players come in the order of their names.
            limit: how many at most; None for all.
            min_matches: leave out who has played fewer.
            everybody: also names that are nobody's.
        """
        shown = self.listed(order=order, min_matches=min_matches, everybody=everybody)[:limit]
        summaries = {each.name: each for each in self._summaries(shown)}
        return [summaries[person] for person in shown]

    def listed(self, *, order: PlayerOrder = "matches", min_matches: int = 1, everybody: bool = False) -> list[str]:
        """The names that players go by, as `players` takes and orders them."""
        people = [person for (person,) in self.rows("SELECT DISTINCT person FROM careers.sides")]
        nobody = [] if everybody else [person for person in people if is_nobody(person)]
        found = self.rows(
            "SELECT person, sum(lost) / nullif(sum(counted), 0) AS rating, "
            "sum(luck) / nullif(sum(rolls), 0) AS fortune, count(*) AS matches, count(*) FILTER (won) AS won "
            "FROM careers.sides "
            "WHERE NOT list_contains(?, person) GROUP BY person HAVING count(*) >= ? "
            f"ORDER BY {_ORDERS[order]}, person",
            nobody,
            min_matches,
        )
        return [person for person, *_ in found]

    def _summaries(self, people: Sequence[str], opponent: str | None = None) -> list[PlayerSummary]:
        """The figures of some players over all matches, or over those against somebody."""
        if not people:
            return []
        where = "list_contains(?, person) AND (? IS NULL OR opponent = ?)"
        which = ([*people], opponent, opponent)
        sums = {
            person: (Sums(*rest[:_WIDTH]), Sums(*rest[_WIDTH:]))
            for person, *rest in self.rows(
                f"SELECT person, {_SUMS.format('lost')}, {_SUMS.format('luck')} FROM careers.judged "
                f"WHERE {where} GROUP BY person",
                *which,
            )
        }
        none = Sums(0, 0.0, 0.0), Sums(0, 0.0, 0.0)
        found = []
        for person, names, matches, won, lost, unfinished, money, analysed, first, last in self.rows(
            "SELECT person, list_sort(list(DISTINCT name)), count(*), count(*) FILTER (won), "
            "count(*) FILTER (NOT won), count(*) FILTER (won IS NULL AND coalesce(length, 0) > 0), "
            "count(*) FILTER (won IS NULL AND coalesce(length, 0) = 0), "
            "count(*) FILTER (counted > 0), min(day) FILTER (day <> ''), max(day) "
            "FROM careers.sides "
            f"WHERE {where} GROUP BY person ORDER BY person",
            *which,
        ):
            losses, lucks = sums.get(person, none)
            pr = PooledRating.of(losses, losses.number)
            found.append(
                PlayerSummary(
                    person,
                    tuple(names),
                    matches,
                    won,
                    lost,
                    unfinished,
                    money,
                    analysed,
                    pr,
                    PooledLuck.of(lucks),
                    first or "",
                    last or "",
                )
            )
        return found

    def people(self) -> dict[str, int]:
        """Every player by the name that they go by, with the number of their matches."""
        return dict(self.rows("SELECT person, count(*) FROM careers.sides GROUP BY person"))

    # --- one player ---------------------------------------------------------------------------

    def career(self, name: str, *, most: int | None = 12, top: int = 10) -> Career:
        """Everything about a player.

        Args:
            name: one of their names.
            most: how many months, events, opponents, lengths and themes are given: the last months, and of the others
                those with most matches or decisions; None for all.
            top: how many of their worst decisions are given.

        Raises:
            LibraryError: no player has the name.
        """
        person = self.person(name)
        (summary,) = self._summaries([person])
        if not self._has("units"):
            self._connection.execute(_script("field.sql"))
        self._connection.execute(
            "CREATE OR REPLACE TABLE careers.own AS SELECT * FROM careers.judged WHERE person = ?", [person]
        )
        shares: list[CareerShare] = []
        left_out: dict[str, int] = {}
        engines = self._engines(person)
        for dimension in (*_OF_MATCHES, *_OF_DECISIONS):
            if dimension == "engine" and len(engines) < _SEVERAL:
                continue
            kinds = dimension in _OF_DECISIONS
            found = self._kinds(person, dimension) if kinds else self._matches(person, dimension, most)
            limit = None if dimension in _FEW else most
            if limit is not None and len(found) > limit:
                left_out[dimension] = len(found) - limit
            shares += _ordered(dimension, found, limit)
        return Career(
            summary,
            self._results(person),
            tuple(shares),
            left_out,
            self._standings(person, summary.pr.counted),
            tuple(self._worst(person, top)),
            engines,
            not is_nobody(person),
        )

    def _matches(self, person: str, dimension: CareerDimension, most: int | None) -> list[CareerShare]:
        """The matches of a player by one dimension; values that will not be shown are left without a rating."""
        rows = self.rows(
            f"SELECT CAST({dimension} AS VARCHAR) AS value, count(*), count(*) FILTER (won), "
            "count(*) FILTER (NOT won), count(*) FILTER (counted > 0), coalesce(sum(rolls), 0), coalesce(sum(luck), 0) "
            f"FROM careers.sides WHERE person = ? {'AND counted > 0 ' * (dimension == 'engine')}GROUP BY value",
            person,
        )
        shown = [row[0] for row in _first(dimension, rows, most)]
        sums = {
            value: Sums(*rest)
            for value, *rest in self.rows(
                f"SELECT value, {_SUMS.format('lost')} "
                f"FROM (SELECT CAST({dimension} AS VARCHAR) AS value, lost FROM careers.own) "
                "WHERE list_contains(?, value) GROUP BY value",
                shown,
            )
        }
        none = Sums(0, 0.0, 0.0)
        return [
            CareerShare(
                dimension, value, matches, won, lost, analysed,
                PooledRating.of(sums.get(value, none), sums.get(value, none).number),
                PooledLuck(rolls, luck / rolls if rolls else None, None, None),
            )
            for value, matches, won, lost, analysed, rolls, luck in rows
        ]  # fmt: skip

    def _kinds(self, person: str, dimension: CareerDimension) -> list[CareerShare]:
        """The decisions of a player by one dimension."""
        rows = self.rows(
            "SELECT value, count(*), sum(decisions)::BIGINT, sum(lost), sum(squares) FROM careers.units "
            "WHERE person = ? AND dimension = ? GROUP BY value",
            person,
            dimension,
        )
        few = [value for value, _, number, *_ in rows if number < MANY_VALUES]
        values = dict(
            self.rows(
                "SELECT value, list(lost) "
                f"FROM (SELECT {_OF_DECISIONS[dimension]} AS value, lost FROM careers.own WHERE lost IS NOT NULL) "
                "WHERE list_contains(?, value) GROUP BY value",
                few,
            )
            if few
            else ()
        )
        return [
            CareerShare(
                dimension, value, matches, None, None, matches,
                PooledRating.of(Sums(number, total, squares, values.get(value)), number), None,
            )
            for value, matches, number, total, squares in rows
        ]  # fmt: skip

    def _engines(self, person: str, opponent: str | None = None) -> tuple[tuple[str, int], ...]:
        """The engines that judged the counted decisions of a player, each with its number of matches."""
        return tuple(
            self.rows(
                "SELECT engine, count(*) FROM careers.sides WHERE person = $1 AND counted > 0 "
                "AND ($2 IS NULL OR opponent = $2) GROUP BY engine ORDER BY 2 DESC, 1",
                person,
                opponent,
            )
        )

    def _results(self, person: str, opponent: str | None = None) -> tuple[CareerResult, ...]:
        found = []
        for unit, actual, *sums in self.rows(
            f"SELECT unit, sum(actual), {_SUMS.format('adjusted')} FROM careers.sides WHERE person = ? "
            "AND (? IS NULL OR opponent = ?) AND adjusted IS NOT NULL AND actual IS NOT NULL "
            "GROUP BY unit ORDER BY unit",
            person,
            opponent,
            opponent,
        ):
            adjusted = Sums(*sums)
            low, high = adjusted.interval or (None, None)
            found.append(CareerResult(unit, adjusted.number, actual, adjusted.total, low, high))
        return tuple(found)

    def _standings(self, person: str, counted: int) -> tuple[FieldComparison, ...]:
        """A player's decisions beside those of the field: of everybody else in the library but programs."""
        if not counted:
            return ()
        people = [each for (each,) in self.rows("SELECT DISTINCT person FROM careers.sides")]
        programs = [each for each in people if each != person and is_program(each)]
        return standings([FieldSums(*row) for row in self.rows(_FIELD, programs, person)], counted)

    def _worst(self, person: str, top: int) -> list[Blunder]:
        found = blunders_of(
            self._connection,
            "SELECT d.record, d.game, d.entry, d.kind, -coalesce(d.rollout_loss, d.loss) AS place "
            "FROM decisions d "
            "JOIN careers.sides s ON s.match = d.record AND s.engine = d.engine AND s.seat = d.player "
            "WHERE s.person = ? AND d.error <> '' "
            "QUALIFY row_number() OVER (PARTITION BY d.xgid, d.kind ORDER BY place, d.record, d.game, d.entry) = 1 "
            f"ORDER BY place, d.record, d.game, d.entry LIMIT {_SPARE * top}",
            [person],
        )
        # The same opening misplayed a hundred times is one lesson.
        return worst_of(found, top)

    # --- two players, and one over time -------------------------------------------------------

    def versus(self, first: str, second: str, *, most: int | None = 20) -> Versus:
        """Two players against each other.

        Args:
            first, second: a name of each.
            most: how many matches are listed, the last ones; None for all.

        Raises:
            LibraryError: no player has the name, both are one, or they have never met.
        """
        names = self.person(first), self.person(second)
        if names[0] == names[1]:
            raise LibraryError(f"{first!r} and {second!r} are one player, {names[0]!r}")
        sides = [self._summaries([own], other) for own, other in (names, names[::-1])]
        if not all(sides):
            raise LibraryError(f"{names[0]!r} and {names[1]!r} have not met in this library")
        (own,), (other,) = sides
        rows = self.rows(_MEETINGS, *names)
        meetings = [
            Meeting(date, event, length, (points, theirs), winner, (pr, their_pr), path or "", number)
            for date, event, length, points, theirs, winner, pr, their_pr, path, number in rows[:most]
        ]
        ((*moments,),) = self.rows(_APART, *names, names[0])
        chance = None
        sums = FieldSums("opponent", names[1], *moments)
        told = standings([sums], max(sums.own, 1)) if sums.all else ()
        if told:
            chance = told[0].chance
        return Versus(
            names,
            own.matches,
            (own.won, other.won),
            (own.pr, other.pr),
            (own.luck, other.luck),
            self._results(*names),
            chance,
            tuple(meetings),
            len(rows) - len(meetings),
            self._engines(*names),
        )

    def trend(self, name: str, *, window: int | None = None) -> Trend:
        """How a player's rating went.

        Args:
            name: one of their names.
            window: how many matches a point covers, with at most 60 points; None for a point a month.

        Raises:
            LibraryError: no player has the name.
            ValueError: ``window`` is below 1.
        """
        if window is not None and window < 1:
            raise ValueError("a window has one match or more")
        person = self.person(name)
        self._connection.execute(_COURSE, [person])
        ((count, total, squares, orders),) = self.rows(_CHANGE)
        stretches = [(month, month) for (month,) in self.rows("SELECT DISTINCT month FROM careers.course ORDER BY 1")]
        if window is not None:
            steps = min(_WINDOWS, count - window + 1)
            ends = sorted({window + round(at * (count - window) / max(steps - 1, 1)) for at in range(max(steps, 0))})
            stretches = [(end - window + 1, end) for end in ends]
        column = "month" if window is None else "place"
        points = (
            [
                TrendPoint(
                    first[:7] if window is None else last, first, last, matches, PooledRating.of(Sums(*sums), sums[0])
                )
                for first, last, matches, *sums in self.rows(
                    f"SELECT min(c.day), max(c.day), count(DISTINCT c.match), {_SUMS.format('j.lost')} "
                    f"FROM (SELECT unnest(?) AS low, unnest(?) AS high) w JOIN careers.course c "
                    f"ON c.{column} BETWEEN w.low AND w.high "
                    "JOIN careers.judged j ON j.match = c.match AND j.seat = c.seat "
                    "WHERE j.lost IS NOT NULL GROUP BY w.low ORDER BY w.low",
                    [low for low, _ in stretches],
                    [high for _, high in stretches],
                )
            ]
            if stretches
            else []
        )
        ((undated,),) = self.rows(
            "SELECT count(*) FROM careers.sides WHERE person = ? AND counted > 0 AND day = ''", person
        )
        ((*whole,),) = self.rows(
            f"SELECT {_SUMS.format('j.lost')} FROM careers.course c "
            "JOIN careers.judged j ON j.match = c.match AND j.seat = c.seat"
        )
        return Trend(
            person,
            tuple(points),
            window,
            PooledRating.of(Sums(*whole), whole[0]),
            count,
            undated,
            change_over_time(total or 0.0, squares or 0.0, orders or 0.0, count),
            (total or 0.0) > 0,
            self._engines(person),
            tuple(
                self.rows(
                    "SELECT date_from, count(*) FROM careers.sides WHERE person = ? AND counted > 0 AND day <> '' "
                    "GROUP BY 1 ORDER BY 2 DESC, 1",
                    person,
                )
            ),
        )


_FIELD: Final = """
WITH kept AS (
    SELECT dimension, value, lost, decisions, person = $2 AS own FROM careers.units
    WHERE NOT list_contains($1, person)
), rates AS (
    SELECT dimension, value, sum(lost) / sum(decisions) AS rate FROM kept GROUP BY ALL
), figures AS (
    SELECT kept.*, lost - rate * decisions AS figure FROM kept JOIN rates USING (dimension, value)
)
SELECT
    dimension, value, coalesce(sum(decisions) FILTER (own), 0)::BIGINT, sum(decisions)::BIGINT,
    coalesce(sum(lost) FILTER (own), 0), sum(lost), count(*) FILTER (own), count(*),
    coalesce(sum(figure) FILTER (own), 0), sum(figure * figure), sum(figure * figure * figure)
FROM figures GROUP BY dimension, value ORDER BY dimension, value
"""

_APART: Final = """
WITH units AS (
    SELECT person = $3 AS own, match, sum(lost) AS lost, count(lost) AS decisions FROM careers.judged
    WHERE lost IS NOT NULL AND ((person = $1 AND opponent = $2) OR (person = $2 AND opponent = $1)) GROUP BY ALL
), figures AS (
    SELECT *, lost - decisions * (SELECT sum(lost) / sum(decisions) FROM units) AS figure FROM units
)
SELECT
    coalesce(sum(decisions) FILTER (own), 0)::BIGINT, coalesce(sum(decisions), 0)::BIGINT,
    coalesce(sum(lost) FILTER (own), 0), coalesce(sum(lost), 0), count(*) FILTER (own), count(*),
    coalesce(sum(figure) FILTER (own), 0), coalesce(sum(figure * figure), 0), coalesce(sum(figure * figure * figure), 0)
FROM figures
"""

_MEETINGS: Final = """
SELECT
    a.date, a.event, a.length, a.points, a.opponent_points, CASE WHEN a.won THEN 0 WHEN NOT a.won THEN 1 END,
    a.lost / nullif(a.counted, 0), b.lost / nullif(b.counted, 0), s.path, m.number
FROM careers.sides a
JOIN careers.sides b ON b.match = a.match AND b.seat <> a.seat
JOIN stored.matches m ON m.record = a.match
LEFT JOIN (SELECT source, min(path) AS path FROM stored.sources WHERE matches > 0 GROUP BY source) s USING (source)
WHERE a.person = $1 AND b.person = $2
ORDER BY a.day DESC, a.match
"""

_COURSE: Final = """
CREATE OR REPLACE TABLE careers.course AS
SELECT match, seat, day, month, counted, lost, row_number() OVER (ORDER BY day, match) AS place
FROM careers.sides WHERE person = ? AND counted > 0 AND day <> ''
"""

_CHANGE: Final = """
WITH figures AS (
    SELECT place, lost, lost - counted * (SELECT sum(lost) / sum(counted) FROM careers.course) AS figure
    FROM careers.course
), middle AS (SELECT avg(place) AS place FROM figures)
SELECT
    count(*), sum(figure * (figures.place - middle.place)), sum(figure * figure),
    sum((figures.place - middle.place) ** 2)
FROM figures, middle
"""


def _script(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _first(dimension: CareerDimension, rows: list[tuple[Any, ...]], most: int | None) -> list[tuple[Any, ...]]:
    """The rows that are shown, each a value and its number: the last months, or the values with the highest numbers."""
    if dimension == "month":
        return sorted(rows, key=lambda row: row[0], reverse=True)[:most]
    return sorted(rows, key=lambda row: (-row[1], row[0]))[:most]


def _ordered(dimension: CareerDimension, found: list[CareerShare], most: int | None) -> list[CareerShare]:
    """The shares of a dimension that are shown, in the order in which they are shown."""
    by_value = {each.value: each for each in found}
    counts = [(each.value, each.pr.counted if each.won is None else each.matches) for each in found]
    kept = [value for value, _ in _first(dimension, counts, most)]
    if dimension == "month":
        kept.sort()
    elif dimension == "length":
        kept.sort(key=int)
    elif dimension in ("phase", "decision"):
        kept = in_order(kept)
    return [by_value[value] for value in kept]
