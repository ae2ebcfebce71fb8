"""Finding positions in a library, and how they were played there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, get_args

from bgtools.analysis.lessons.themes import THEMES
from bgtools.analysis.names import UnknownName, find_name
from bgtools.analysis.rows import Phase
from bgtools.board.notation import read_play
from bgtools.board.play import changes
from bgtools.library.answers import answer_of
from bgtools.library.connecting import ME, asking, me_of, named_rows, some_positions
from bgtools.library.likeness import count_alike, nearest
from bgtools.library.recording import key_of
from bgtools.library.results import DecisionKey, DecisionVerdict, Hit, SearchResult, decisions_at, keep_judged
from bgtools.library.search import (
    SAME_NAME,
    Search,
    at_of,
    find_named,
    is_judged,
    kinds_of,
    query_of,
    sought_of,
    turned_round,
)
from bgtools.library.storage import LibraryError
from bgtools.library.tables import POINTS
from bgtools.positions.notations import decode_id
from bgtools.positions.position import Position, from_signed
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset, parse_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.board.board import Board
    from bgtools.board.play import PlayText
    from bgtools.library.likeness import Near
    from bgtools.library.search import Query, SearchedPosition


def find(connection: Any, search: Search, limit: int | None) -> SearchResult:
    """Find positions.

    Args:
        connection: to the library, which reads nothing else, after `prepare`.
        search: what is asked for.
        limit: how many hits to list; None for all.

    Raises:
        LibraryError: the search asks for something that cannot be.
    """
    with asking():
        return _find(connection, search, limit)


def _find(connection: Any, search: Search, limit: int | None) -> SearchResult:
    sought = sought_of(search)
    player, opponent = (known_name(connection, name) if name else "" for name in (search.player, search.opponent))
    phases = find_named("phase", search.phases, filter(None, get_args(Phase)))
    themes = find_named("theme", search.themes, (each.name for each in THEMES))
    search = replace(search, player=player, opponent=opponent, phases=phases, themes=themes)
    query = query_of(connection, search, sought)
    if search.how == "similar" and sought is not None:
        if search.played:
            spellings = connection.execute(query.select("DISTINCT p.played"), query.parameters).fetchall()
            same = _same(search.played, spellings)
            query.ask(f"p.played IN ({', '.join('?' * len(same)) or 'NULL'})", *same)
        return _find_similar(connection, search, query, sought, limit)
    kept = [*_ENTRY, *(["played"] if search.played else [])] if sought is None else _COLUMNS
    turned = "false" if sought is None else turned_round(search, sought)
    columns = ", ".join(f"p.{name}" for name in kept)
    _keep(connection, query.select(f"{columns}, {turned} AS turned, {query.lost} AS lost"), query.parameters)
    if search.played:
        same = _same(search.played, connection.execute("SELECT DISTINCT played FROM hits").fetchall())
        connection.execute(f"DELETE FROM hits WHERE played NOT IN ({', '.join('?' * len(same)) or chr(39) * 2})", same)
    positions, matches, mirrored, judged, loss = connection.execute(
        "SELECT count(*), count(DISTINCT record), count(*) FILTER (WHERE turned), count(lost), avg(lost) FROM hits"
    ).fetchall()[0]
    if sought is not None:
        keep_judged(connection, "hits")
    hits = _detailed(connection, search, sought, _listed(connection, search, limit))
    found = SearchResult(positions, matches, mirrored, judged if is_judged(search) else None, loss, tuple(hits))
    if sought is None:
        return found
    return replace(found, answer=answer_of(connection, sought), position=sought.position)


def _find_similar(
    connection: Any, search: Search, query: Query, sought: SearchedPosition, limit: int | None
) -> SearchResult:
    """The positions most like one, and how they were played."""
    looked, found = nearest(connection, search, query, sought)
    alike = count_alike(found)
    by_match: dict[int, Near] = {}
    for each in found:
        by_match.setdefault(each.record, each)
    listed = [*by_match.values()][:limit]
    chosen = found[:alike]
    _list(connection, "listed", chosen)
    _list(connection, "exchanged", [each for each in chosen if each.exchanged])
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE hits AS SELECT {', '.join((*_COLUMNS, *POINTS))}, "
        "(record, game, entry) IN (SELECT (record, game, entry) FROM exchanged) AS turned "
        f"FROM {_listed_positions(connection, len(chosen))} SEMI JOIN listed USING (record, game, entry)"
    )
    keep_judged(connection, "hits")
    answer = answer_of(connection, sought, boards=True)
    hits = [
        replace(hit, distance=each.distance, mirrored=each.exchanged)
        for hit, each in zip(_detailed(connection, search, sought, [each[:3] for each in listed]), listed, strict=True)
    ]
    return SearchResult(
        looked, len(listed), sum(each.exchanged for each in listed), None, None, tuple(hits), answer, sought.position,
        alike,
    )  # fmt: skip


def prepare(connection: Any) -> None:
    """Make once what every search needs.

    That is the chosen analysis of each match, the file and the players of each record, and the games to which records
    give other numbers, or which come from another file.

    Raises:
        LibraryError: a file is missing or damaged.
    """
    with asking():
        for table in _ONCE:
            connection.execute(table)


_ONCE: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS chosen_once AS FROM stored.chosen",
    "CREATE OR REPLACE VIEW stored.chosen AS FROM chosen_once",
    """
    CREATE TEMP TABLE IF NOT EXISTS headed AS
    SELECT m.record, r.number, m.length, m.rules, s.path, m.player0, m.player1, m.person0, m.person1
    FROM matches m JOIN stored.matches r USING (record)
    JOIN (SELECT source, path FROM stored.sources WHERE matches > 0) s ON s.source = m.source
    """,
    """
    CREATE TEMP TABLE IF NOT EXISTS renamed AS
    SELECT
        g.record, g.game, CASE WHEN g.origin IS NULL THEN g.number ELSE o.number END AS number,
        g.origin_game, r.number AS place, s.path
    FROM stored.games g
    LEFT JOIN stored.games o ON o.record = g.origin AND o.game = g.origin_game
    LEFT JOIN stored.matches r ON r.record = g.origin
    LEFT JOIN (SELECT source, min(path) AS path FROM stored.sources WHERE matches > 0 GROUP BY source) s USING (source)
    WHERE g.number IS DISTINCT FROM g.game OR g.origin IS NOT NULL
    """,
)
_ENTRY: Final = ("record", "game", "entry")
_COLUMNS: Final = (
    *_ENTRY, "turn", "row", "player", "off", "opponent_off", "action", "dice", "played", "phase", "cube", "cube_owner",
    "away", "opponent_away", "crawford",
)  # fmt: skip


def _keep(connection: Any, query: str, parameters: Sequence[Any]) -> None:
    """Keep the answer to a query as the table ``hits``."""
    statements = connection.extract_statements(f"CREATE OR REPLACE TEMP TABLE hits AS {query}")
    if len(statements) != 1:
        raise LibraryError("give one condition of SQL")
    connection.execute(statements[0], parameters)


def known_name(connection: Any, given: str) -> str:
    """The name of the player of a library who is meant.

    Raises:
        LibraryError: nobody is meant, or several are; the message says who could be.
    """
    if given.strip().casefold() == ME:
        return me_of(connection)
    if connection.execute(f"SELECT 1 FROM players WHERE {SAME_NAME} LIMIT 1", [given.lower()] * 2).fetchall():
        return given
    often = connection.execute("SELECT person FROM players GROUP BY 1 ORDER BY count(*) DESC, 1").fetchall()
    try:
        return find_name(given, [name for (name,) in often])
    except UnknownName as error:
        raise LibraryError(str(error)) from None


# --- the play that was made -----------------------------------------------------------------


def _same(written: str, spellings: Iterable[tuple[str]]) -> list[str]:
    """The spellings that mean the play that is written.

    Raises:
        LibraryError: it is not a play.
    """
    wanted = read_play(written)
    if wanted.kind not in ("moves", "dance"):
        raise LibraryError(f'{written}: this is not a play, such as "13/7 8/7" or "Cannot Move"')
    return [text for (text,) in spellings if _is_same(wanted, read_play(text))]


def _is_same(target: PlayText, made: PlayText) -> bool:
    """Whether two plays move the same checkers to the same points, and hit where the wanted one says so."""
    if target.kind != made.kind:
        return False
    return changes(target.hops) == changes(made.hops) and set(target.hits) <= set(made.hits)


# --- what is listed -------------------------------------------------------------------------

_ALL: Final = 1 << 40
"""More hits than there can be."""
_MORE: Final = 8
"""How many times as many hits are fetched as are wanted, and then again so many times: a game may have many hits."""


def _listed(connection: Any, search: Search, limit: int | None) -> list[tuple[int, int, int]]:
    """The first hit of each position, game or match, in the order that is asked for: record, game and entry."""
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
    return [*first.values()][:wanted]


def _detailed(
    connection: Any, search: Search, sought: SearchedPosition | None, entries: Sequence[tuple[int, int, int]]
) -> list[Hit]:
    """The hits at some places, each a record, a game and an entry, in that order."""
    if not entries:
        return []
    _list(connection, "listed", entries)
    if sought is not None and search.how != "similar":
        told = f"SELECT {', '.join(_COLUMNS)}, turned FROM hits SEMI JOIN listed USING (record, game, entry)"
    else:
        keep_judged(connection, "listed")
        told = (
            f"SELECT {', '.join((*_COLUMNS, *POINTS))} FROM {_listed_positions(connection, len(entries))} "
            "SEMI JOIN listed USING (record, game, entry)"
        )
    at = {(row["record"], row["game"], row["entry"]): row for row in named_rows(connection, told)}
    heads = named_rows(connection, "SELECT * FROM headed SEMI JOIN listed USING (record)")
    headed = {row["record"]: row for row in heads}
    renamed = {
        (row["record"], row["game"]): row
        for row in named_rows(connection, "SELECT * FROM renamed SEMI JOIN listed USING (record, game)")
    }
    verdicts = _verdicts(connection, search, sought)
    decisions = cache(partial(decisions_at, connection, [each.key for each in verdicts.values()]))
    return [
        replace(
            _hit(at[place], headed[place[0]], renamed.get(place[:2]), sought),
            verdict=verdicts.get(place),
            decisions=decisions,
        )
        for place in entries
    ]


def _list(connection: Any, table: str, entries: Sequence[tuple[Any, ...]]) -> None:
    """Keep the records, games and entries with which some tuples begin as a table."""
    columns = [[each[at] for each in entries] for at in range(len(_ENTRY))]
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT "
        "unnest(?::BIGINT[]) AS record, unnest(?::INTEGER[]) AS game, unnest(?::INTEGER[]) AS entry",
        columns,
    )


def _listed_positions(connection: Any, count: int) -> str:
    """What a query puts after FROM for the positions in ``listed``, and others, given how many those are."""
    if count > _FEW:
        return "positions"
    # Joined by the record alone, DuckDB skips most of a file. Positions are ordered by board: turns tell the boards.
    boards = connection.execute(
        "SELECT DISTINCT xgid FROM (FROM turns SEMI JOIN listed USING (record)) "
        "SEMI JOIN listed USING (record, game, entry)"
    ).fetchall()
    return some_positions(connection, [key_of(decode_id(xgid).board) for (xgid,) in boards])


_FEW: Final = 500
"""So many boards are looked up one by one."""


def _verdicts(
    connection: Any, search: Search, sought: SearchedPosition | None
) -> dict[tuple[int, int, int], DecisionVerdict]:
    """Verdicts by record, game and entry of the positions in ``listed``.

    Of several decisions that a search is about it is the costliest, of equals the one about the cube.
    """
    kinds = kinds_of(search, sought)
    low, high = search.loss or (None, None)
    found: dict[tuple[int, int, int], DecisionVerdict] = {}
    rows = connection.execute(
        "SELECT record, game, entry, kind, themes, best, loss, verdict, rollout_loss, rollout_error "
        "FROM judged SEMI JOIN listed USING (record, game) ORDER BY loss NULLS FIRST, kind"
    )
    for record, game, entry, kind, themes, best, loss, *rollout in rows.fetchall():
        if (
            kind in kinds
            and (not search.themes or set(search.themes) & set(themes.split(", ")))
            and (low is None or (loss is not None and loss >= low))
            and (high is None or (loss is not None and loss <= high))
        ):
            found[record, game, at_of(kind, entry)] = DecisionVerdict(
                DecisionKey(record, game, entry, kind), best, loss, *rollout
            )
    return found


def _hit(
    row: Mapping[str, Any], head: Mapping[str, Any], renamed: Mapping[str, Any] | None, sought: SearchedPosition | None
) -> Hit:
    """A hit, as yet without a verdict; ``renamed`` says where its game stands in a file, where that is not plain."""
    board = _board(row, sought)
    mirrored = bool(row.get("turned", False))
    distance = None if sought is None else 0.0
    where = head if renamed is None or renamed["path"] is None else {**renamed, "number": renamed["place"]}
    return Hit(
        row["record"],
        where["path"],
        where["number"],
        row["game"],
        row["game"] if renamed is None else renamed["number"],
        row["turn"],
        row["row"],
        row["entry"],
        row["player"],
        _position(row, head, board),
        row["action"],
        row["played"],
        row["phase"],
        distance,
        mirrored,
    )


def _board(row: Mapping[str, Any], sought: SearchedPosition | None) -> Board:
    """The board of a row, which has its points or tells that it is the sought one, and perhaps turned round."""
    if "turned" in row and sought is not None:
        return sought.position.board.flipped() if row["turned"] else sought.position.board
    board = from_signed(tuple(row[name] for name in POINTS))
    mine, theirs = ((row[name], *side[1:]) for name, side in (("off", board.mine), ("opponent_off", board.theirs)))
    return replace(board, mine=tuple(mine), theirs=tuple(theirs))


def _position(row: Mapping[str, Any], head: Mapping[str, Any], board: Board) -> Position:
    names = (head["player0"], head["player1"])
    length = head["length"]
    score = (length - row["away"], length - row["opponent_away"]) if length else (0, 0)
    rules = parse_rules(head["rules"], Ruleset())
    state = MatchState(length, score, Cube(row["cube"], row["cube_owner"]), row["crawford"], rules)
    dice = (int(row["dice"][0]), int(row["dice"][1])) if row["dice"] else None
    own = row["player"]
    return Position(
        board, state, dice, "double" if row["action"] == "double" else "", names=(names[own], names[1 - own])
    )
