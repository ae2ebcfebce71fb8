"""How games of a library are opened and answered, and whether dice were fair."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools.analysis.dice import ROLLS, DiceRow, RollCounts, dice_tests
from bgtools.board.notation import read_play
from bgtools.board.play import changes
from bgtools.library.aliases import is_nobody
from bgtools.library.search import SAME_NAME
from bgtools.library.storage import LibraryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bgtools.board.board import Dice


@dataclass(frozen=True, slots=True)
class Opening:
    """A play of the first roll of a game, or of the second.

    Attributes:
        to: the opening that a reply answers, such as ``31: 8/5 6/5``; empty for an opening.
        dice: the roll.
        played: the play.
        name: what it is called, such as ``split``.
        times: how often it was played.
        share: ``times`` as a part of all plays of this roll after the same opening, 0 to 1.
        field: the same part among everybody else where one player was asked for; None otherwise.
        judged: how many of these plays were analysed.
        loss: what the analysed ones lost on average, in EMG; None where none was analysed.
        finished: how many of these games have a winner.
        won: the part of the finished games that the player won, 0 to 1; None where no game is finished.
        gammons, gammons_lost: the part of the finished games that they won or lost by a gammon or a backgammon, 0 to 1.
        points: points that they won on average in finished games, below 0 where they lost more; the cube counts.
        error: the standard error of ``points``; None with fewer than two games.
    """

    to: str
    dice: str
    played: str
    name: str
    times: int
    share: float
    field: float | None
    judged: int
    loss: float | None
    finished: int
    won: float | None
    gammons: float | None
    gammons_lost: float | None
    points: float | None
    error: float | None


def openings(
    connection: Any, *, replies: bool = False, player: str = "", dice: str = "", played: str = ""
) -> tuple[Opening, ...]:
    """Every opening, or every reply, of games that begin from the usual position.

    Args:
        connection: to a library.
        replies: whether to give the second rolls, by the opening that they answer, instead of the first ones.
        player: only this player's plays, each with how often everybody else makes it.
        dice: only of this first roll.
        played: only after, or of, this play of the first roll, in any spelling.

    Returns:
        The plays by opening, then by roll, then the most frequent first.

    Raises:
        LibraryError: nobody has that name, or the play is none.
    """
    first = ["opening", "opening_play <> ''", "legal"]
    values: list[Any] = []
    if dice:
        first.append("dice = ?")
        values.append(dice)
    if played:
        spellings = _spellings(connection, played, first, values)
        first.append(f"played IN ({', '.join('?' * len(spellings)) or 'NULL'})")
        values += spellings
    opened = f"SELECT * FROM turns WHERE {' AND '.join(first)}"
    if replies:
        table = f"""
            SELECT o.dice || ': ' || o.played AS answered, t.* FROM turns t
            JOIN ({opened}) o ON o.record = t.record AND o.game = t.game AND o.player <> t.player
            WHERE t.opening_play <> '' AND NOT t.opening AND t.legal
        """
    else:
        table = f"SELECT '' AS answered, * FROM ({opened})"
    mine = "false"
    if player:
        from bgtools.library.searching import known_name

        player = known_name(connection, player)
        mine = f"(t.record, t.player) IN (SELECT (record, player) FROM players WHERE {SAME_NAME})"
        values += [player.lower()] * 2
    rows = connection.execute(_SUMS.format(table=table, mine=mine), values).fetchall()
    return tuple(_counted(rows, of_player=bool(player)))


_SUMS: Final = """
WITH t AS MATERIALIZED ({table}),
j AS (
    SELECT record, game, entry, max(loss) AS loss FROM decisions SEMI JOIN t USING (record, game, entry)
    WHERE kind = 'checker play' GROUP BY ALL
),
w AS (SELECT record, game, winner, points, level FROM games WHERE winner IS NOT NULL)
SELECT
    t.answered,
    t.dice,
    t.played,
    min(t.opening_play),
    {mine} AS own,
    count(*),
    count(j.loss),
    sum(j.loss),
    count(w.winner),
    count(*) FILTER (WHERE w.winner = t.player),
    count(*) FILTER (WHERE w.winner = t.player AND w.level > 1),
    count(*) FILTER (WHERE w.winner <> t.player AND w.level > 1),
    count(w.points),
    sum(CASE w.winner WHEN t.player THEN w.points ELSE -w.points END),
    sum(w.points * w.points)
FROM t
LEFT JOIN j ON j.record = t.record AND j.game = t.game AND j.entry = t.entry
LEFT JOIN w ON w.record = t.record AND w.game = t.game
GROUP BY t.answered, t.dice, t.played, own
"""


def _spellings(connection: Any, played: str, conditions: list[str], values: list[Any]) -> list[str]:
    """The spellings of a play among the openings."""
    wanted = read_play(played)
    if wanted.kind != "moves":
        raise LibraryError(f'{played}: this is not a play, such as "8/5 6/5"')
    known = connection.execute(f"SELECT DISTINCT played FROM turns WHERE {' AND '.join(conditions)}", values).fetchall()
    return [text for (text,) in known if changes(read_play(text).hops) == changes(wanted.hops)]


def _counted(rows: Iterable[tuple[Any, ...]], *, of_player: bool) -> Iterator[Opening]:
    """The openings of the player who is asked for, or of everybody, with their shares."""
    sums: dict[bool, dict[tuple[str, str, str], tuple[Any, ...]]] = {True: {}, False: {}}
    whole: dict[tuple[bool, str, str], int] = {}
    for answered, dice, played, name, own, times, *rest in rows:
        sums[own][answered, dice, played] = (name, times, *rest)
        whole[own, answered, dice] = whole.get((own, answered, dice), 0) + times
    told = sums[of_player]
    for (answered, dice, played), found in sorted(told.items(), key=lambda each: (*each[0][:2], -each[1][1], each[0])):
        name, times, judged, lost, finished, won, gammons, gammons_lost, counted, points, squares = found
        field = None
        if of_player and (all_others := whole.get((False, answered, dice))):
            others = sums[False].get((answered, dice, played))
            field = (others[1] if others else 0) / all_others
        mean = points / counted if counted else None
        error = None
        if counted > 1 and mean is not None:
            error = sqrt(max(squares / counted - mean * mean, 0.0) / (counted - 1))
        yield Opening(
            answered,
            dice,
            played,
            name,
            times,
            times / whole[of_player, answered, dice],
            field,
            judged,
            lost / judged if judged else None,
            finished,
            won / finished if finished else None,
            gammons / finished if finished else None,
            gammons_lost / finished if finished else None,
            mean,
            error,
        )


Grouping = Literal["all", "player", "place", "event", "source", "folder"]
"""What puts rolls into one group; ``source`` is the format of the file, ``folder`` where it lay."""

_COLUMNS: Final[Mapping[Grouping, str]] = MappingProxyType(
    {
        "all": "''",
        "player": "CASE r.player WHEN 0 THEN m.person0 ELSE m.person1 END",
        "place": "m.place",
        "event": "m.event",
        "source": "s.format",
        "folder": "regexp_replace(s.path, '[^/\\\\]*$', '')",
    }
)


@dataclass(frozen=True, slots=True)
class Fairness:
    """The dice of a library.

    Attributes:
        rolls: how many were tested.
        groups: how many groups of rolls were tested.
        left_out: how many groups had too few rolls to be tested.
        tests: four of each group, groups with the most rolls first; corrected for the number of tests in all groups.
        times: how often each of the 21 rolls came, by the name of the group.
    """

    rolls: int
    groups: int
    left_out: int
    tests: tuple[DiceRow, ...]
    times: Mapping[str, Mapping[Dice, int]]


def fairness(connection: Any, by: Grouping = "all", least: int = 1000) -> Fairness:
    """Test the dice of a library, as `bgtools.analysis.dice` tests those of a match.

    Args:
        connection: to a library.
        by: which rolls are tested together.
        least: how many rolls a group must have to be tested.
    """
    # Rolls follow each other within a match; where rolls are grouped by player, those of one player do.
    own = ", player" if by == "player" else ""
    times: dict[str, dict[Dice, int]] = {}
    products: dict[str, int] = {}
    pairs: dict[str, int] = {}
    query = _COUNTED.format(own=own, column=_COLUMNS[by])
    for name, dice, count, product, followed in connection.execute(query).fetchall():
        high, low = int(dice[0]), int(dice[1])
        times.setdefault(name or "", {})[high, low] = count
        products[name or ""] = products.get(name or "", 0) + product
        pairs[name or ""] = pairs.get(name or "", 0) + followed
    if by == "player":
        # A name that many share is no player.
        times = {name: counted for name, counted in times.items() if not is_nobody(name)}
    rolls = {name: sum(counted.values()) for name, counted in times.items()}
    tested = sorted((name for name in times if rolls[name] >= least), key=lambda name: (-rolls[name], name))
    counts = [(None, name, RollCounts(times[name], products[name], pairs[name])) for name in tested]
    return Fairness(
        sum(rolls[name] for name in tested),
        len(tested),
        len(times) - len(tested),
        dice_tests(counts),
        MappingProxyType({name: {roll: times[name].get(roll, 0) for roll in ROLLS} for name in tested}),
    )


_COUNTED: Final = """
WITH rolled AS (
    SELECT record, player, dice, dice[1]::INTEGER + dice[2]::INTEGER - 7 AS off,
        lag(off) OVER (PARTITION BY record{own} ORDER BY game, entry) AS before
    FROM turns WHERE dice_tested
),
r AS (
    SELECT record{own}, dice, count(*) AS times, coalesce(sum(off * before), 0) AS products, count(before) AS pairs
    FROM rolled GROUP BY ALL
)
SELECT {column} AS name, r.dice, sum(r.times)::BIGINT, sum(r.products)::BIGINT, sum(r.pairs)::BIGINT
FROM r
JOIN matches m ON m.record = r.record
JOIN (SELECT source, format, path FROM stored.sources WHERE matches > 0) s ON s.source = m.source
GROUP BY ALL
"""
