"""Finding positions in a library, and how they were played there."""

from __future__ import annotations

import shlex
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis import Blunder, DecisionRow
from bgtools.board import changes, read_play
from bgtools.library.connecting import asking
from bgtools.library.fault import LibraryError
from bgtools.library.judged import decisions_of
from bgtools.library.search import SAME_NAME, Query, Search, at_of, is_judged, kinds_of, query_of, sought_of
from bgtools.library.tables import POINTS
from bgtools.positions import Position, encode_xgid, from_signed, to_signed
from bgtools.rules import Cube, MatchState, Ruleset, parse_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bgtools.board import Board, PlayText
    from bgtools.library.search import Sought


@dataclass(frozen=True, slots=True)
class Hit:
    """A position that was found.

    Attributes:
        record: number of the record in the library.
        path: the file that was added.
        number: which record of its file it is, from 1.
        game: number of the game in the record, from 1.
        called: the number that the record gives the game; None where it gives none.
        turn: number of the turn in the game, from 1.
        entry: number of the entry in the game, from 1.
        player: 0 or 1; player 0 stands in the left column of the first game.
        position: the position, with the names of the player on roll and of the other, and the roll.
        action: ``roll``, or ``double`` where he doubled.
        played: the play, or the action in words.
        phase: part of the game.
        distance: pips to the board that was asked for; 0 where that itself was found, None where none was asked for.
        mirrored: whether the other player is on roll in it than in the position that was asked for.
        decision: what an engine said of it, the costliest where there are several decisions; None where nothing did.
    """

    record: int
    path: str
    number: int
    game: int
    called: int | None
    turn: int
    entry: int
    player: int
    position: Position
    action: str
    played: str
    phase: str
    distance: int | None = None
    mirrored: bool = False
    decision: DecisionRow | None = None

    @property
    def show(self) -> str:
        """The command that shows it in its record; where that has no name for the game, the position alone."""
        if self.called is None:
            return f"bgtools show {self.xgid}"
        which = f"-t {self.turn}" if self.action == "roll" else f"-e {self.entry}"
        number = f" --match {self.number}" if self.number > 1 else ""
        return f"bgtools show {shlex.quote(self.path)} -g {self.called} {which}{number}"

    @property
    def xgid(self) -> str:
        """The position as an XGID."""
        position = self.position
        return encode_xgid(position.board, position.state, position.dice, offer=position.offer)

    @property
    def loss(self) -> float | None:
        """What the decision lost, in EMG; None where it was not analysed."""
        return None if self.decision is None else self.decision.loss

    @property
    def blunder(self) -> Blunder:
        """It as a decision for a sheet; one that was not analysed has no best choice and no loss."""
        name, opponent = self.position.names
        names = (name, opponent) if self.player == 0 else (opponent, name)
        return Blunder(self.path, self.number, names, self.decision or self._undecided(), self.called)

    def _undecided(self) -> DecisionRow:
        state, (pips, opponent_pips) = self.position.state, self.position.pips
        dice = self.position.dice
        return DecisionRow(
            game=self.game,
            turn=self.turn,
            entry=self.entry,
            player=self.player,
            name=self.position.names[0],
            kind="checker play" if self.action == "roll" else "double",
            score=state.score,
            length=state.length,
            crawford=state.crawford,
            cube=state.cube.value,
            cube_owner=state.cube.owner,
            dice="" if dice is None else f"{dice[0]}{dice[1]}",
            xgid=encode_xgid(self.position.board, state, dice),
            pips=pips,
            opponent_pips=opponent_pips,
            pips_after=pips,
            opponent_pips_after=opponent_pips,
            played=self.played,
            legal=True,
            note="not analysed",
        )


@dataclass(frozen=True, slots=True)
class Played:
    """How a position was played, one of the ways.

    Attributes:
        dice: the roll; empty for a cube action.
        played: the play, or ``Double``, ``No double``, ``Take``, ``Pass``.
        times: how often.
        share: which part that is of all with this roll, or of all who could double, or were doubled; 0 to 1.
        judged: how many of them were analysed.
        loss: what those lost on average, in EMG; None where none was.
    """

    dice: str
    played: str
    times: int
    share: float
    judged: int
    loss: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found.

    Attributes:
        positions: how many positions fit; of similar ones, how many were looked at.
        matches: in how many matches.
        mirrored: in how many of the positions the other player is on roll, where such are asked for.
        judged: how many of the decisions were analysed, where only such are asked for; None otherwise.
        loss: what those lost on average, in EMG.
        hits: some of them, as many as were asked for.
        plays: how a board that was asked for was played, by roll, the most frequent first; without those in which the
            other player is on roll.
    """

    positions: int
    matches: int
    mirrored: int
    judged: int | None
    loss: float | None
    hits: tuple[Hit, ...]
    plays: tuple[Played, ...]


def find(connection: Any, search: Search, limit: int | None) -> Found:
    """Find positions.

    Args:
        connection: to the library, which keeps its files closed to everything else.
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
        return _similar(connection, search, query, sought, limit)
    judged = is_judged(search)
    loss = "d.loss" if judged else "NULL::DOUBLE"
    kept = _COLUMNS if sought is not None else ("record", "game", "entry", *(["played"] if search.played else []))
    columns = ", ".join(f"p.{name}" for name in kept)
    _keep(connection, query.select(f"{columns}, {loss} AS lost"), query.parameters)
    if search.played:
        same = _same(search.played, connection.execute("SELECT DISTINCT played FROM hits").fetchall())
        connection.execute(f"DELETE FROM hits WHERE played NOT IN ({', '.join('?' * len(same)) or chr(39) * 2})", same)
    flipped = _flipped(search, sought)
    count = connection.execute(
        "SELECT count(*), count(DISTINCT record), count(lost), avg(lost)"
        f"{f', count(*) FILTER (WHERE {flipped})' if flipped else ', 0'} FROM hits"
    ).fetchall()[0]
    hits = _listed(connection, search, sought, limit)
    plays = () if sought is None else tuple(_plays(connection, sought, flipped))
    return Found(count[0], count[1], count[4], count[2] if judged else None, count[3], tuple(hits), plays)


_ONCE: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS analysed AS SELECT match AS record FROM analyses WHERE chosen",
    (
        "CREATE TEMP TABLE IF NOT EXISTS renamed AS "
        "SELECT record, game, number FROM stored.games WHERE number IS DISTINCT FROM game"
    ),
)
"""What searches ask again and again: the records that were analysed, and the games that records give other numbers."""
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
    """The condition of SQL that the other player is on roll; empty where that is not asked for."""
    if not search.mirrored or sought is None:
        return ""
    board = sought.position.board
    if board == board.flipped():
        return "false"
    return " AND ".join(f"{name} = {value}" for name, value in zip(POINTS, to_signed(board.flipped()), strict=True))


# --- the play that was made -----------------------------------------------------------------


def _same(written: str, spellings: Iterable[tuple[str]]) -> list[str]:
    """Those of some spellings that mean a play.

    Raises:
        LibraryError: it is none.
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

_PLACE: Final = "game::BIGINT << 20 | entry"
_ENTRY: Final = (1 << 20) - 1


def _listed(connection: Any, search: Search, sought: Sought | None, limit: int | None) -> list[Hit]:
    groups = {"position": "record, game, entry", "game": "record, game", "match": "record"}[search.per]
    first = f"min({_PLACE})"
    order = "record, place"
    if search.by == "loss":
        # A row's maximum is the same whichever process comes first, which arg_max would not be.
        first = f"-(max({{'lost': lost, 'place': -({_PLACE})}}).place)"
        order = "max(lost) DESC, record, place"
    some = "" if limit is None else f" LIMIT {int(limit)}"
    rows = connection.execute(
        f"SELECT record, {first} AS place FROM hits GROUP BY {groups} ORDER BY {order}{some}"
    ).fetchall()
    places = [(record, place >> 20, place & _ENTRY) for record, place in rows]
    return _detailed(connection, search, sought, places, "hits" if sought is not None else "positions")


def _detailed(
    connection: Any, search: Search, sought: Sought | None, places: Sequence[tuple[int, int, int]], table: str
) -> list[Hit]:
    """The hits at some places, each a record, a game and an entry, in that order."""
    if not places:
        return []
    records = sorted({record for record, _, _ in places})
    chosen = ", ".join(map(str, records))
    # By the record alone first, which skips most of a file.
    which = f"SEMI JOIN (SELECT unnest([{chosen}]) AS record) USING (record)"
    wanted = set(places)
    at = {
        (row["record"], row["game"], row["entry"]): row
        for row in _rows(connection, f"SELECT {', '.join(_COLUMNS)} FROM {table} {which}")
        if (row["record"], row["game"], row["entry"]) in wanted
    }
    matches = {row["record"]: row for row in _rows(connection, _MATCHES.format(records=chosen))}
    games = connection.execute(f"SELECT record, game, number FROM renamed WHERE record IN ({chosen})").fetchall()
    called = {(record, game): number for record, game, number in games}
    judged = decisions_of(connection, records)
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


def _rows(connection: Any, query: str) -> Iterator[dict[str, Any]]:
    answer = connection.execute(query)
    names = [each[0] for each in answer.description]
    for row in answer.fetchall():
        yield dict(zip(names, row, strict=True))


# --- how it was played ----------------------------------------------------------------------


def _plays(connection: Any, sought: Sought, flipped: str) -> Iterator[Played]:
    """How the positions in ``hits`` were played: cube actions, then plays by roll."""
    own = f"(SELECT * FROM hits WHERE NOT ({flipped}))" if flipped else "hits"
    if sought.answer:
        yield from _shared(_answers(connection, own))
        return
    if not sought.dice_text:
        yield from _shared(_doubles(connection, own))
    judged = _losses(connection, own, ("checker play",))
    rolls = connection.execute(
        f"WITH h AS MATERIALIZED (SELECT * FROM {own} WHERE action = 'roll') "
        "SELECT h.dice, h.played, count(*) AS times, count(j.loss), avg(j.loss) "
        f"FROM h LEFT JOIN {judged} j ON j.record = h.record AND j.game = h.game AND j.entry = h.entry "
        "GROUP BY ALL ORDER BY h.dice, times DESC, h.played"
    ).fetchall()
    by_dice: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rolls:
        by_dice[row[0]].append(row)
    for some in by_dice.values():
        yield from _shared(some)


def _shared(rows: Iterable[tuple[Any, ...]]) -> Iterator[Played]:
    """Rows with the part that each has of all."""
    rows = list(rows)
    whole = sum(row[2] for row in rows)
    for dice, played, times, judged, loss in rows:
        yield Played(dice, played, times, times / whole, judged, loss)


def _losses(connection: Any, own: str, kinds: Sequence[str]) -> str:
    """A table of what was lost at the entries of the records in ``hits``."""
    records = f"(SELECT DISTINCT record FROM {own} SEMI JOIN analysed USING (record))"
    if not connection.execute(f"SELECT count(*) FROM {records}").fetchall()[0][0]:
        return "(SELECT NULL::BIGINT AS record, NULL AS game, NULL AS entry, NULL::DOUBLE AS loss WHERE false)"
    named = ", ".join(repr(each) for each in kinds)
    return (
        f"(SELECT record, game, entry, loss FROM decisions SEMI JOIN {records} USING (record) WHERE kind IN ({named}))"
    )


def _doubles(connection: Any, own: str) -> list[tuple[Any, ...]]:
    judged = _losses(connection, own, ("double", "no double"))
    return [
        *connection.execute(
            "SELECT '', CASE action WHEN 'double' THEN 'Double' ELSE 'No double' END AS done, count(*) AS times, "
            f"count(j.loss), avg(j.loss) FROM {own} h "
            f"LEFT JOIN {judged} j ON j.record = h.record AND j.game = h.game AND j.entry = h.entry "
            "WHERE h.action = 'double' OR can_double(h) "
            "GROUP BY ALL ORDER BY times DESC, done"
        ).fetchall()
    ]


def _answers(connection: Any, own: str) -> list[tuple[Any, ...]]:
    judged = _losses(connection, own, ("take", "pass", "beaver"))
    return [
        *connection.execute(
            "SELECT '', CASE t.action WHEN 'drop' THEN 'Pass' WHEN 'take' THEN 'Take' ELSE 'Beaver' END AS done, "
            "count(*) AS times, count(j.loss), avg(j.loss) "
            f"FROM (SELECT record, game, entry, action FROM turns SEMI JOIN (SELECT DISTINCT record FROM {own}) "
            f"USING (record) WHERE action IN ('take', 'drop', 'beaver')) t "
            f"JOIN {own} h ON h.record = t.record AND h.game = t.game AND h.entry + 1 = t.entry "
            f"LEFT JOIN {judged} j ON j.record = t.record AND j.game = t.game AND j.entry = t.entry "
            "GROUP BY ALL ORDER BY times DESC, done"
        ).fetchall()
    ]


# --- similar boards -------------------------------------------------------------------------

_WIDER: Final = (20, 60, 1000)
"""Pips that boards may differ by, tried one after the other until there are enough."""


def pips_apart(one: Board, two: Board) -> int:
    """The fewest pips that checkers have to be moved so that one board becomes the other, both sides added up.

    That is the earth mover's distance on a line: the sum over all points of the difference in how many checkers stand
    there or farther. A checker on the bar counts 25 pips, one that is borne off 0.
    """
    apart = 0
    for mine, theirs in ((one.mine, two.mine), (one.theirs, two.theirs)):
        carried = 0
        for here, there in zip(mine[:0:-1], theirs[:0:-1], strict=True):
            carried += here - there
            apart += abs(carried)
    return apart


def _similar(connection: Any, search: Search, query: Query, sought: Sought, limit: int | None) -> Found:
    """The nearest boards, of each match one."""
    import numpy as np

    faces = [sought.position.board] + ([sought.position.board.flipped()] if search.mirrored else [])
    reach = [float(search.within)] if search.within is not None else [float(each) for each in _WIDER]
    nearest: list[tuple[Any, ...]] = []
    looked = 0
    for within in reach:
        some = replace(query, conditions=[*query.conditions])
        # Boards are at least as far apart as their pip counts.
        near = " OR ".join(
            f"abs(p.pips - {board.pips[0]}) + abs(p.opponent_pips - {board.pips[1]}) <= {within}" for board in faces
        )
        some.ask(near)
        columns = ", ".join(f"p.{name}" for name in ("record", "game", "entry", *POINTS))
        arrays = connection.execute(some.select(columns), some.parameters).fetchnumpy()
        looked = len(arrays["record"])
        boards = np.stack([np.ma.getdata(arrays[name]) for name in POINTS], axis=1).astype(np.int16)
        sides = np.array([_all_apart(boards, board) for board in faces])
        # Of two that are as near, the one with the same player on roll.
        apart, turned = sides.min(axis=0), sides.argmin(axis=0)
        near_ones = np.flatnonzero(apart <= within)
        keys = [np.ma.getdata(arrays[name]) for name in ("entry", "game", "record")]
        order = near_ones[np.lexsort([key[near_ones] for key in (*keys, turned, apart)])]
        records = np.ma.getdata(arrays["record"])[order]
        _, first = np.unique(records, return_index=True)
        order = order[np.sort(first)]
        nearest = [
            tuple(int(np.ma.getdata(arrays[name])[at]) for name in ("record", "game", "entry")) for at in order[:limit]
        ]
        if limit is not None and len(order) >= limit:
            break
    hits = _detailed(connection, search, sought, nearest, "positions")
    return Found(looked, len(nearest), sum(each.mirrored for each in hits), None, None, tuple(hits), ())


def _all_apart(boards: NDArray[Any], board: Board) -> NDArray[Any]:
    """`pips_apart` of many boards, as the table of positions has them, from one."""
    import numpy as np

    mine, theirs = np.maximum(boards, 0), np.maximum(-boards, 0)[:, ::-1]
    total = np.zeros(len(boards), np.int64)
    for sides, own in ((mine, board.mine), (theirs, board.theirs)):
        apart = (sides - np.array(own, np.int16))[:, :0:-1]
        total += np.abs(np.cumsum(apart, axis=1)).sum(axis=1)
    return total
