"""Finding positions in a library, and how they were played there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.board import changes, read_play
from bgtools.library.connecting import asking, named_rows
from bgtools.library.fault import LibraryError
from bgtools.library.found import Found, Hit
from bgtools.library.judged import decisions_of
from bgtools.library.plays import plays_of
from bgtools.library.search import SAME_NAME, Search, at_of, is_judged, kinds_of, query_of, sought_of
from bgtools.library.similar import nearest, pips_apart
from bgtools.library.tables import POINTS
from bgtools.positions import Position, from_signed, to_signed
from bgtools.rules import Cube, MatchState, Ruleset, parse_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.analysis import DecisionRow
    from bgtools.board import PlayText
    from bgtools.library.search import Sought


def find(connection: Any, search: Search, limit: int | None) -> Found:
    """Find positions.

    Args:
        connection: to the library, which reads nothing else.
        search: what is asked for.
        limit: how many hits to list; None for all.

    Raises:
        LibraryError: the search asks for something that cannot be.
    """
    with asking():
        for table in _ONCE:
            connection.execute(table)
        return _find(connection, search, limit)


def _find(connection: Any, search: Search, limit: int | None) -> Found:
    sought = sought_of(search)
    for name in filter(None, (search.player, search.opponent)):
        ensure_known(connection, name)
    if search.how == "similar" and sought is None:
        raise LibraryError("similar to what? Give a position")
    query = query_of(search, sought)
    if search.how == "similar" and sought is not None:
        if search.played:
            spellings = connection.execute(query.select("DISTINCT p.played"), query.parameters).fetchall()
            same = _same(search.played, spellings)
            query.ask(f"p.played IN ({', '.join('?' * len(same)) or 'NULL'})", *same)
        looked, places = nearest(connection, search, query, sought, limit)
        near = _detailed(connection, search, sought, places, "positions")
        return Found(looked, len(near), sum(each.mirrored for each in near), None, None, tuple(near), ())
    judged = is_judged(search)
    kept = _COLUMNS if sought is not None else ("record", "game", "entry", *(["played"] if search.played else []))
    columns = ", ".join(f"p.{name}" for name in kept)
    _keep(connection, query.select(f"{columns}, {query.lost} AS lost"), query.parameters)
    if search.played:
        same = _same(search.played, connection.execute("SELECT DISTINCT played FROM hits").fetchall())
        connection.execute(f"DELETE FROM hits WHERE played NOT IN ({', '.join('?' * len(same)) or chr(39) * 2})", same)
    flipped = _flipped(search, sought)
    count = connection.execute(
        "SELECT count(*), count(DISTINCT record), count(lost), avg(lost)"
        f"{f', count(*) FILTER (WHERE {flipped})' if flipped else ', 0'} FROM hits"
    ).fetchall()[0]
    hits = _listed(connection, search, sought, limit)
    plays = () if sought is None else tuple(plays_of(connection, sought, flipped))
    return Found(count[0], count[1], count[4], count[2] if judged else None, count[3], tuple(hits), plays)


_ONCE: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS chosen_once AS FROM stored.chosen",
    "CREATE OR REPLACE VIEW stored.chosen AS FROM chosen_once",
    "CREATE TEMP TABLE IF NOT EXISTS moved_once AS FROM stored.moved",
    "CREATE OR REPLACE VIEW stored.moved AS FROM moved_once",
    (
        "CREATE TEMP TABLE IF NOT EXISTS renamed AS "
        "SELECT record, game, number FROM stored.games WHERE number IS DISTINCT FROM game"
    ),
)
"""Tables that every search needs and that are made once: the chosen analysis of each match, the places of its decisions
in the record that stands for the match, and the games to which records give other numbers."""
_COLUMNS: Final = (
    "record", "game", "turn", "entry", "player", "off", "opponent_off", "action", "dice", "played", "phase", "cube",
    "cube_owner", "away", "opponent_away", "crawford", *POINTS,
)  # fmt: skip


def _keep(connection: Any, query: str, parameters: Sequence[Any]) -> None:
    """Keep the answer to a query as the table ``hits``."""
    statements = connection.extract_statements(f"CREATE OR REPLACE TEMP TABLE hits AS {query}")
    if len(statements) != 1:
        raise LibraryError("give one condition of SQL")
    connection.execute(statements[0], parameters)


def ensure_known(connection: Any, name: str) -> None:
    """Refuse the name of a player whom the library does not know."""
    if not connection.execute(f"SELECT 1 FROM players WHERE {SAME_NAME} LIMIT 1", [name.lower()] * 2).fetchall():
        often = connection.execute("SELECT person FROM players GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 5").fetchall()
        raise LibraryError(f"nobody is called {name}; most often there are: {', '.join(each for (each,) in often)}")


def _flipped(search: Search, sought: Sought | None) -> str:
    """The SQL condition that a hit is mirrored: the other player is on roll; empty where such are not asked for."""
    if not search.mirrored or sought is None:
        return ""
    board = sought.position.board
    if board == board.flipped():
        return "false"
    return " AND ".join(f"{name} = {value}" for name, value in zip(POINTS, to_signed(board.flipped()), strict=True))


# --- the play that was made -----------------------------------------------------------------


def _same(written: str, spellings: Iterable[tuple[str]]) -> list[str]:
    """The spellings that mean the play that is written.

    Raises:
        LibraryError: it is no play.
    """
    wanted = read_play(written)
    if wanted.kind not in ("moves", "dance"):
        raise LibraryError(f'{written}: this is no play, such as "13/7 8/7" or "Cannot Move"')
    return [text for (text,) in spellings if _is_same(wanted, read_play(text))]


def _is_same(wanted: PlayText, made: PlayText) -> bool:
    """Whether two plays move the same checkers to the same points, and hit where the wanted one says so."""
    if wanted.kind != made.kind:
        return False
    return changes(wanted.hops) == changes(made.hops) and set(wanted.hits) <= set(made.hits)


# --- what is listed -------------------------------------------------------------------------

_ALL: Final = 1 << 40
"""More hits than there can be."""
_MORE: Final = 8
"""How many times as many hits are fetched as are wanted, and then again so many times: a game may have many hits."""


def _listed(connection: Any, search: Search, sought: Sought | None, limit: int | None) -> list[Hit]:
    """The first hit of each position, game or match, in the order that is asked for."""
    order = "lost DESC, record, game, entry" if search.by == "loss" else "record, game, entry"
    width = {"position": 3, "game": 2, "match": 1}[search.per]
    wanted = many = _ALL if limit is None else limit
    while True:
        many *= _MORE
        rows = connection.execute(f"SELECT record, game, entry FROM hits ORDER BY {order} LIMIT {many}").fetchall()
        first: dict[tuple[int, ...], tuple[int, int, int]] = {}
        for row in rows:
            first.setdefault(row[:width], row)
        if len(first) >= wanted or len(rows) < many:
            break
    places = [*first.values()][:wanted]
    return _detailed(connection, search, sought, places, "hits" if sought is not None else "positions")


def _detailed(
    connection: Any, search: Search, sought: Sought | None, places: Sequence[tuple[int, int, int]], table: str
) -> list[Hit]:
    """The hits at some places, each a record, a game and an entry, in that order."""
    if not places:
        return []
    records = sorted({record for record, _, _ in places})
    chosen = ", ".join(map(str, records))
    # The condition on the record lets DuckDB skip most of a file.
    which = f"SEMI JOIN (SELECT unnest([{chosen}]) AS record) USING (record)"
    wanted = set(places)
    at = {
        (row["record"], row["game"], row["entry"]): row
        for row in named_rows(connection, f"SELECT {', '.join(_COLUMNS)} FROM {table} {which}")
        if (row["record"], row["game"], row["entry"]) in wanted
    }
    matches = {row["record"]: row for row in named_rows(connection, _MATCHES.format(records=chosen))}
    games = connection.execute(f"SELECT record, game, number FROM renamed WHERE record IN ({chosen})").fetchall()
    called = {(record, game): number for record, game, number in games}
    judged = decisions_of(connection, places)
    kinds = kinds_of(search, sought)
    return [
        _hit(
            at[place],
            matches[place[0]],
            called.get(place[:2], place[1]),
            _costliest(judged.get(place[:2], ()), place[2], kinds, search),
            sought,
            turned_too=search.mirrored,
        )
        for place in places
    ]


_MATCHES: Final = """
SELECT
    m.record, m.number, m.length, m.rules, s.path,
    coalesce(g.player0, m.player0) AS player0, coalesce(g.player1, m.player1) AS player1
FROM (SELECT * FROM stored.matches WHERE record IN ({records})) m
LEFT JOIN stored.groups g ON g.record = m.record
JOIN (SELECT source, path FROM stored.sources WHERE matches > 0) s ON s.source = m.source
"""


def _costliest(
    decisions: Iterable[DecisionRow], entry: int, kinds: Sequence[str], search: Search
) -> DecisionRow | None:
    """The costliest decision of an entry among those that a search is about."""
    low, high = search.loss or (None, None)
    there = [
        each
        for each in decisions
        if each.kind in kinds
        and at_of(each.kind, each.entry) == entry
        and (not search.themes or set(search.themes) & set(each.themes))
        and (low is None or (each.loss is not None and each.loss >= low))
        and (high is None or (each.loss is not None and each.loss <= high))
    ]
    return max(there, key=lambda each: -1.0 if each.loss is None else each.loss, default=None)


def _hit(
    row: Mapping[str, Any],
    match: Mapping[str, Any],
    called: int | None,
    decision: DecisionRow | None,
    sought: Sought | None,
    *,
    turned_too: bool,
) -> Hit:
    position = _position(row, match)
    board = position.board
    mirrored = False
    distance = None
    if sought is not None:
        distance = pips_apart(board, sought.position.board)
        if turned_too:
            turned = pips_apart(board, sought.position.board.flipped())
            mirrored, distance = turned < distance, min(turned, distance)
    return Hit(
        row["record"],
        match["path"],
        match["number"],
        row["game"],
        called,
        row["turn"],
        row["entry"],
        row["player"],
        position,
        row["action"],
        row["played"],
        row["phase"],
        distance,
        mirrored,
        decision,
    )


def _position(row: Mapping[str, Any], match: Mapping[str, Any]) -> Position:
    board = from_signed(tuple(row[name] for name in POINTS))
    mine, theirs = ((row[name], *side[1:]) for name, side in (("off", board.mine), ("opponent_off", board.theirs)))
    board = replace(board, mine=tuple(mine), theirs=tuple(theirs))
    names = (match["player0"], match["player1"])
    length = match["length"]
    score = (length - row["away"], length - row["opponent_away"]) if length else (0, 0)
    rules = parse_rules(match["rules"], Ruleset())
    state = MatchState(length, score, Cube(row["cube"], row["cube_owner"]), row["crawford"], rules)
    dice = (int(row["dice"][0]), int(row["dice"][1])) if row["dice"] else None
    own = row["player"]
    return Position(
        board, state, dice, "double" if row["action"] == "double" else "", names=(names[own], names[1 - own])
    )
