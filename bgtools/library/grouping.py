"""Which records of a library are of one match, which of them stands for it, and what it takes from the others."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bgtools.comparison.fingerprint import Fingerprint
from bgtools.comparison.grouping import leader_of
from bgtools.comparison.parts import Extent, MatchPart, continuing
from bgtools.library.aliases import is_nobody
from bgtools.library.connecting import asking, connect, keep_numbers, rows_in
from bgtools.library.contents import read_records
from bgtools.library.joining import RecordGames, has_all, join, title
from bgtools.library.manifest import Commit, commit, read_state, write_tables
from bgtools.library.recording import RecordRows, number_of
from bgtools.library.storage import digest
from bgtools.library.tables import arrow_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from bgtools.library.manifest import Files, LibraryState
    from bgtools.library.storage import Storage

_SHARED: Final = 0.1
"""Two records are compared where they share this part of the shorter one's keys, and `_LEAST` keys if it has them."""
_LEAST: Final = 2
_MOST: Final = 200
"""A key that more records have proves nothing: it comes from a lesson that many files repeat."""
_SEVERAL: Final = 2
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Known:
    """What decides whether a record stands for its match, as the table of matches has it; see `tables`."""

    record: int
    fingerprint: str
    seats: str
    complete: bool
    analysed: bool
    errors: int
    turns: int
    player0: str
    player1: str
    event: str
    date: str
    date_from: str
    place: str
    length: int
    score0: int
    score1: int

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """The order of the records of a match; the lowest goes before the others."""
        return not self.complete, not self.analysed, self.errors, -self.turns, self.record

    @property
    def games(self) -> RecordGames:
        """What is known of its games."""
        return RecordGames(tuple(self.fingerprint.split(".")[:-1]), self.errors)

    def part(self, games: Iterable[tuple[int | None, tuple[int, int]]]) -> MatchPart:
        """The record as a part of a match, given the number of each game and the score before it."""
        about = (self.event, self.date if self.date_from == "header" else "", "")
        end = self.score0, self.score1
        extent = Extent((self.player0, self.player1), self.length, about, tuple(games), end)
        return MatchPart(extent, Fingerprint(self.fingerprint))


@dataclass(frozen=True, slots=True)
class Grouped:
    """A record of a match that has several: a row of the file that says so, as `bgtools.library.tables.GROUPS`."""

    record: int
    match: int
    turned: bool
    joined: bool = False
    player0: str | None = None
    player1: str | None = None
    event: str | None = None
    date: str | None = None
    date_from: str | None = None
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The records of one match, the best one first, and which of them have the players the other way round than it."""

    ranked: tuple[Known, ...]
    exchanged: Mapping[int, bool]


def group(storage: Storage, state: LibraryState) -> LibraryState:
    """Group the records of a library by match where that has not been done; what the library holds then.

    Queries see a match once, by the record that stands for it. Complete goes before broken off, analysed before plain,
    then fewer errors, then more entries. Where no record has all of the match, one is put together from the best record
    of each game. Where it lacks names, event, date or place, those of another record are taken.

    Raises:
        LibraryError: a file is missing or damaged.
        OSError: the place refuses.
    """
    while state.ungrouped:
        with closing(connect(storage, state, only=("sources", "matches", "games"))) as connection, asking():
            files, table = _grouped(storage, state, connection)
        (file,) = write_tables(storage, [("groups", table)])
        state = commit(storage, state, Commit(add=files, groups=file)) or read_state(storage, state)
    return state


def _grouped(storage: Storage, state: LibraryState, connection: Any) -> tuple[Files, Any]:
    """The table of groups with what has come, and the files of records that were put together for it."""
    news = rows_in(storage.address(path) for path in state.ungrouped)
    connection.execute(f"CREATE TEMP TABLE news AS SELECT record FROM ({news})")
    earlier = [Grouped(*row) for row in connection.execute("FROM stored.groups ORDER BY match, record").fetchall()]
    if {*state.ungrouped} >= {each.path for each in state.of("matches")}:
        earlier = []
    pairs, short = (connection.execute(query).fetchall() for query in (_PAIRS, _SHORT))
    parted = connection.execute(_PARTED).fetchall()
    concerned = _concerned((*pairs, *short, *parted), earlier)
    known = {each.record: each for each in _known(connection, concerned)}
    links = [*_links([each for each in earlier if each.record in concerned])]
    groups = [*_groups_of(pairs, known, links, short, _parts(connection, known) if pairs or parted else {})]
    rows = RecordRows()
    stands, joined = _standing_for(connection, groups, rows)
    found = [each for some in groups for each in _rows_of(some, stands[some.ranked[0].record], joined)]
    told = {each.record for each in found}
    kept = [each for each in earlier if each.record not in concerned and each.record not in told]
    table = grouped_table(sorted((*kept, *found), key=lambda each: (each.match, each.record)))
    return write_tables(storage, rows.taken()), table


def _concerned(pairs: Iterable[tuple[int, int]], earlier: Iterable[Grouped]) -> set[int]:
    """The records of pairs, and those that were in one group with them before."""
    concerned = {record for pair in pairs for record in pair}
    matches = {each.match for each in earlier if each.record in concerned}
    return concerned | {each.record for each in earlier if each.match in matches and not each.joined}


def _links(earlier: Iterable[Grouped]) -> Iterator[tuple[int, int, bool]]:
    """Records that were found to be of one match before, by two, and whether they have the players exchanged."""
    first: dict[int, Grouped] = {}
    for each in earlier:
        if not each.joined:
            one = first.setdefault(each.match, each)
            if one is not each:
                yield one.record, each.record, one.turned != each.turned


def grouped_table(rows: Iterable[Grouped]) -> Any:
    """Rows as the table that is stored."""
    import pyarrow as pa

    return pa.Table.from_pylist([asdict(each) for each in rows], arrow_schema("groups"))


def _known(connection: Any, records: Collection[int]) -> Iterator[Known]:
    """What is known of some records."""
    keep_numbers(connection, "concerned", "record", records)
    columns = ", ".join(Known.__slots__)
    found = connection.execute(f"SELECT {columns} FROM stored.matches SEMI JOIN concerned USING (record)")
    for row in found.fetchall():
        yield Known(*row)


def _parts(connection: Any, known: Mapping[int, Known]) -> dict[int, MatchPart]:
    """Some records, those that are in the table of concerned ones, as parts of a match."""
    games: dict[int, list[tuple[int | None, tuple[int, int]]]] = defaultdict(list)
    rows = "SELECT record, number, score0, score1 FROM stored.games SEMI JOIN concerned USING (record)"
    for record, number, *score in connection.execute(f"{rows} ORDER BY record, game").fetchall():
        games[record].append((number, (score[0], score[1])))
    return {record: each.part(games[record]) for record, each in known.items()}


def _groups_of(
    pairs: Iterable[tuple[int, int]],
    known: Mapping[int, Known],
    links: Iterable[tuple[int, int, bool]] = (),
    short: Iterable[tuple[int, int]] = (),
    parts: Mapping[int, MatchPart] = MappingProxyType({}),
) -> Iterator[Group]:
    """The records that share their match with others, match by match.

    Records of one match are joined by chains: two parts of a match belong together by a record of the whole. So the
    groups do not depend on the order in which records came.

    Args:
        pairs: records to compare, in ascending order.
        known: what is known of each.
        links: records that are known to be of one match, and whether they have the players exchanged.
        short: records of short games alone, each with a record that has one of them.
        parts: the records as parts of a match.
    """
    prints = {record: Fingerprint(each.fingerprint) for record, each in known.items()}
    leaders: dict[int, int] = {}
    turns: dict[int, list[tuple[int, bool]]] = defaultdict(list)

    def link(one: int, two: int, *, exchanged: bool) -> None:
        first, second = leader_of(leaders, one), leader_of(leaders, two)
        leaders[max(first, second)] = min(first, second)
        turns[one].append((two, exchanged))
        turns[two].append((one, exchanged))

    for one, two, exchanged in links:
        link(one, two, exchanged=exchanged)
    for one, two in pairs:
        if leader_of(leaders, one) != leader_of(leaders, two) and (
            prints[one].is_of(prints[two]) or (parts and parts[one].shares_game(parts[two]))
        ):
            link(one, two, exchanged=prints[one].is_turned(known[one].seats, prints[two], known[two].seats))
    while True:
        matches: dict[int, dict[int, MatchPart]] = defaultdict(dict)
        for record, part in parts.items():
            matches[leader_of(leaders, record)][record] = part
        found_parts = [*continuing({leader: some.values() for leader, some in matches.items()})]
        for one, two in found_parts:
            link(one, two, exchanged=parts[one].extent.is_turned(parts[two].extent))
        if not found_parts:
            break
    wholes: dict[int, list[int]] = defaultdict(list)
    for one, two in short:
        wholes[one].append(two)
    for one, several in wholes.items():
        # A short game that two matches have is of neither for sure.
        if len({leader_of(leaders, two) for two in several}) == 1:
            link(one, several[0], exchanged=known[one].player0 != known[several[0]].player0)
    found: dict[int, list[Known]] = defaultdict(list)
    for record in sorted(turns):
        found[leader_of(leaders, record)].append(known[record])
    for records in found.values():
        ranked = sorted(records, key=lambda each: each.rank)
        yield Group(tuple(ranked), _exchanged(ranked[0].record, turns))


def _exchanged(best: int, turns: Mapping[int, Sequence[tuple[int, bool]]]) -> dict[int, bool]:
    """Which records of a match have the players the other way round than the best one."""
    turned = {best: False}
    waiting = [best]
    while waiting:
        here = waiting.pop()
        for there, otherwise in turns[here]:
            if there not in turned:
                turned[there] = turned[here] != otherwise
                waiting.append(there)
    return turned


def _standing_for(connection: Any, groups: Sequence[Group], rows: RecordRows) -> tuple[dict[int, int], dict[int, int]]:
    """The records that stand for matches, by the best record of each; and joined ones of earlier times.

    Each of the latter comes with a record that it was made of. Records that have to be put together are added to
    ``rows``, unless the library has them.
    """
    joined: dict[int, int] = dict(
        connection.execute(
            "SELECT record, min(origin) FROM stored.games WHERE origin IS NOT NULL GROUP BY record"
        ).fetchall()
    )
    stands = {}
    for some in groups:
        best, *others = some.ranked
        stands[best.record] = best.record
        if has_all(best.games, (each.games for each in others)):
            continue
        matches = read_records(connection, [each.record for each in some.ranked])
        records = [each.record for each in some.ranked if each.record in matches]
        if len(records) < _SEVERAL:
            continue
        found = join([matches[record] for record in records])
        if isinstance(found, int):
            stands[best.record] = records[found]
            continue
        origins = [(records[which], game) for which, game in found.origins]
        number = number_of(digest(found.data), 1)
        if number not in joined:
            files = {record: PurePath(matches[record].source.name).name for record in records}  # type: ignore[union-attr]
            rows.add_joined(found.data, title(files, [record for record, _ in origins]), origins)
        stands[best.record] = number
    return stands, joined


def _rows_of(some: Group, stands: int, earlier: Mapping[int, int]) -> Iterator[Grouped]:
    """The rows for the records of one match, given the record that stands for it."""
    ranked = some.ranked
    is_turned = some.exchanged.get(stands, False)
    turned = {record: own != is_turned for record, own in some.exchanged.items()}
    seats = [(each.player1, each.player0) if turned[each.record] else (each.player0, each.player1) for each in ranked]
    left, right = (_first(names, lambda name: not is_nobody(name)) for names in zip(*seats, strict=True))
    date, date_from = next(
        filter(lambda date: _DAY.fullmatch(date[0]), _by_header(ranked)),
        next(filter(lambda date: date[0], _by_header(ranked)), ("", "")),
    )
    about = (
        left, right, _first(each.event for each in ranked), date, date_from, _first(each.place for each in ranked),
    )  # fmt: skip
    old = {record for record, origin in earlier.items() if origin in some.exchanged}
    for record in sorted({*some.exchanged, *old, stands}):
        is_joined = record not in some.exchanged
        own = about if record == stands else ()
        yield Grouped(record, stands, turned.get(record, False), is_joined, *own)


def _by_header(ranked: Sequence[Known]) -> list[tuple[str, str]]:
    """The dates that records give; what a header says goes before other dates."""
    return sorted(((each.date, each.date_from) for each in ranked), key=lambda date: date[1] != "header")


def _first(values: Iterable[str], tells: Callable[[str], object] = bool) -> str:
    """The first of some values that passes a test, else the first that is not empty, else ""."""
    values = [*values]
    return next(filter(tells, values), next(filter(None, values), ""))


# --- which records are worth comparing ------------------------------------------------------


_PAIRS: Final = f"""
WITH every AS (SELECT record, len(keys) AS size, unnest(keys) AS key FROM stored.matches),
near AS MATERIALIZED (FROM every SEMI JOIN (SELECT key FROM every SEMI JOIN news USING (record)) USING (key)),
several AS (SELECT key FROM near GROUP BY key HAVING count(*) BETWEEN 2 AND {_MOST}),
common AS MATERIALIZED (FROM near SEMI JOIN several USING (key))
SELECT one.record, two.record
FROM common one JOIN common two ON one.key = two.key AND one.record < two.record
WHERE one.record IN (FROM news) OR two.record IN (FROM news)
GROUP BY one.record, two.record, one.size, two.size
HAVING count(*) >= greatest({_SHARED} * least(one.size, two.size), least({_LEAST}, one.size, two.size))
ORDER BY ALL
"""
_PARTED: Final = """
WITH named AS (
    SELECT record, length, lower(trim(player0)) AS player0, lower(trim(player1)) AS player1, score0, score1
    FROM stored.matches WHERE NOT joined AND length > 0 AND player0 <> '' AND player1 <> ''
),
begun AS (
    SELECT n.record, n.length, n.player0, n.player1, g.score0, g.score1
    FROM named n JOIN stored.games g USING (record) WHERE g.game = 1 AND g.score0 + g.score1 > 0
),
reached AS (
    SELECT n.record, n.length, n.player0, n.player1, g.score0, g.score1
    FROM named n JOIN stored.games g USING (record) WHERE g.game > 1
    UNION FROM named
),
seen AS (
    FROM reached UNION ALL SELECT record, length, player1, player0, score1, score0 FROM reached
)
SELECT DISTINCT seen.record, begun.record
FROM begun JOIN seen USING (length, player0, player1, score0, score1)
WHERE seen.record <> begun.record AND (seen.record IN (FROM news) OR begun.record IN (FROM news))
ORDER BY ALL
"""
"""Records of which one begins, not at 0-0, at a score that the other one between the same players comes to."""
_SHORT: Final = f"""
WITH every AS (SELECT record, len(short_games) = games AS alone, unnest(short_games) AS key FROM stored.matches),
near AS MATERIALIZED (FROM every SEMI JOIN (SELECT key FROM every SEMI JOIN news USING (record)) USING (key)),
several AS (SELECT key FROM near GROUP BY key HAVING count(*) BETWEEN 2 AND {_MOST})
SELECT DISTINCT one.record, two.record
FROM near one JOIN near two ON one.key = two.key AND one.record <> two.record
WHERE one.alone AND NOT two.alone AND one.key IN (FROM several)
    AND (one.record IN (FROM news) OR two.record IN (FROM news))
ORDER BY ALL
"""
"""Records of short games alone, each with every record that has one of them, at one score and between the same two."""
