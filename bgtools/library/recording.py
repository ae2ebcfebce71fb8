"""From files to the rows of a library: records read and checked, their boards, and the analyses they hold."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import attrgetter
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools._version import __version__
from bgtools.analysis.dice import is_tested
from bgtools.analysis.match_analysis import analyse, player_names
from bgtools.analysis.turns import turn_rows
from bgtools.board.board import BAR, OFF
from bgtools.checks.account import account_of
from bgtools.checks.checking import check
from bgtools.comparison.fingerprint import STRETCH, Fingerprint, seats_of
from bgtools.engines.protocol import EngineUnavailable
from bgtools.engines.recorded import level_depth
from bgtools.engines.registry import create
from bgtools.findings.finding import Severity
from bgtools.formats.reading import read_source
from bgtools.library.aliases import is_nobody
from bgtools.library.storage import digest
from bgtools.library.tables import DECIDED, TURN_NAMES, arrow_schema, stored_columns
from bgtools.replayer.match import replay
from bgtools.reports.table_kinds import TABLES, header, origin, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bgtools.analysis.rows import DecisionRow, TurnRow
    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Board
    from bgtools.library.tables import StoredName
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.reports.table_kinds import TableName


_SIDE: Final = BAR + 1
_MADE: Final = 2


def figures_of(boards: Iterable[Board]) -> dict[str, NDArray[Any]]:
    """The columns of the table of positions that a board decides, by name, a value per board.

    ``p0`` to ``p25``, ``off``, ``opponent_off``, ``pips``, ``opponent_pips``, ``prime``, ``opponent_prime`` and ``key``
    mean what `bgtools.library.tables` says.
    """
    import numpy as np

    sides = np.frombuffer(b"".join(bytes(each.mine) + bytes(each.theirs) for each in boards), np.int8)
    sides = sides.reshape(-1, 2, _SIDE)
    mine, theirs = sides[:, 0], sides[:, 1]
    signed = np.zeros((len(sides), _SIDE), np.int8)
    signed[:, 1:BAR] = mine[:, 1:BAR] - theirs[:, BAR - 1 : 0 : -1]
    signed[:, 0], signed[:, BAR] = -theirs[:, BAR], mine[:, BAR]
    pips = sides[:, :, 1:].astype(np.int16) @ np.arange(1, _SIDE, dtype=np.int16)
    return {
        **{f"p{point}": np.ascontiguousarray(signed[:, point]) for point in range(_SIDE)},
        "off": mine[:, OFF],
        "opponent_off": theirs[:, OFF],
        "pips": pips[:, 0],
        "opponent_pips": pips[:, 1],
        "prime": _primes(mine),
        "opponent_prime": _primes(theirs),
        "key": _keys(signed, pips),
    }


def key_of(board: Board) -> int:
    """The number by which a board is found, as the player on roll sees it; other boards may have the same."""
    return int(figures_of([board])["key"][0])


def _primes(side: NDArray[Any]) -> NDArray[Any]:
    """The most points in a row that a side holds."""
    import numpy as np

    longest = np.zeros(len(side), np.int8)
    here = np.zeros(len(side), np.int8)
    for point in range(1, BAR):
        here = (here + 1) * (side[:, point] >= _MADE)
        np.maximum(longest, here, out=longest)
    return longest


def _weights() -> tuple[int, ...]:
    """An odd number of 64 bits for each point, the same for ever."""
    return tuple(
        int.from_bytes(blake2b(b"bgtools board %d" % point, digest_size=8).digest(), "big") | 1
        for point in range(_SIDE)
    )


_MIX: Final = 0x9E3779B97F4A7C15


def _keys(signed: NDArray[Any], pips: NDArray[Any]) -> NDArray[Any]:
    """A number for each board: both pip counts in 10 bits each, and a hash in 32 bits.

    The hash is a weighted sum of the points, mixed (Fibonacci hashing, Knuth 6.4).
    """
    import numpy as np

    sums = (signed.astype(np.int64).astype(np.uint64) * np.array(_weights(), np.uint64)).sum(axis=1, dtype=np.uint64)
    sums ^= sums >> np.uint64(32)
    mixed: NDArray[Any] = (sums * np.uint64(_MIX)) >> np.uint64(32)
    counts = pips.astype(np.uint64)
    keys: NDArray[Any] = (counts[:, 0] << np.uint64(42)) | (counts[:, 1] << np.uint64(32)) | mixed
    return keys.astype(np.int64)


FULL: Final = 100_000
"""Rows are written when there are so many turns or decisions, so that memory does not grow with what is added."""

STANDINGS: Final = MappingProxyType({"quick": 22, "standard": 32, "deep": 42})
"""The standing of an analysis that the library has made, by its level: quick stands between the 2-ply and the 3-ply of
eXtreme Gammon, standard and deep behind its 3-ply and its 4-ply (docs/engines.md)."""
_NEARLY_ALL: Final = 0.75
"""An analysis that values fewer of its plays does not stand for the match."""
_TOP: Final = 0.9
PARTS: Final = ("lessons", "counts")
"""The parts of an analysis that are made besides rows and totals."""

_ANALYSIS: Final[tuple[tuple[StoredName, TableName], ...]] = (
    ("decisions", "decisions"),
    ("choices", "choices"),
    ("totals", "players"),
)
"""The tables of an analysis, and what `bgtools table` calls them."""

_DECIDED: Final = ("roll", "double")


def number_of(content: str, number: int = 0) -> int:
    """The number of a file, by the digest of its content; with its place from 1, that of a record in it. 63 bits."""
    named = f"{content}:{number}" if number else content
    return int.from_bytes(hashlib.sha256(named.encode()).digest()[:8], "big") >> 1


def costliest(decisions: Iterable[tuple[Hashable, str, float | None]]) -> list[bool]:
    """For each decision whether it lost most at its position; decisions come as place, kind and loss."""
    told = [*decisions]
    most: dict[Hashable, tuple[float, int]] = {}
    for at, (place, kind, loss) in enumerate(told):
        if kind in DECIDED and loss is not None and (place not in most or loss > most[place][0]):
            most[place] = (loss, at)
    chosen = {at for _, at in most.values()}
    return [at in chosen for at in range(len(told))]


@dataclass(slots=True)
class RecordRows:
    """The rows of some records until they are written: lists of cells by table, and the boards of the positions."""

    cells: dict[StoredName, list[tuple[Any, ...]]] = field(
        default_factory=lambda: {name: [] for name in stored_columns()}
    )
    boards: list[Any] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether it is time to write them."""
        return len(self.cells["turns"]) >= FULL or len(self.cells["decisions"]) >= FULL

    def taken(self) -> Iterator[tuple[StoredName, Any]]:
        """The tables that have rows, as Arrow tables; the rows are then taken out."""
        import pyarrow as pa

        boards, self.boards = self.boards, []
        for name, rows in self.cells.items():
            if rows:
                schema = arrow_schema(name)
                if name == "positions":
                    yield name, _positions(rows, boards)
                else:
                    columns = zip(*rows, strict=True)
                    arrays = [_array(cells, each.type) for cells, each in zip(columns, schema, strict=True)]
                    yield name, pa.table(arrays, schema=schema)
                self.cells[name] = []

    def add_file(self, path: str, data: bytes, day: str = "") -> tuple[int, int]:
        """Add the records of a file, and the file itself; how many records it holds, and how many have errors.

        Args:
            path: where it was found.
            data: its content.
            day: when its matches were played that give no date, such as ``2026-08-31``; "" where that is not known.

        Raises:
            FormatError: it is in no known format. Then nothing is added.
        """
        content = digest(data)
        source = number_of(content)
        before = {name: len(rows) for name, rows in self.cells.items()}, len(self.boards)
        try:
            matches = read_source(data, path)
            wrong = sum(
                self._add_match(match, number_of(content, place), source, place, date_of(match, path, day))
                for place, match in enumerate(matches, 1)
            )
        except BaseException:
            for name, count in before[0].items():
                del self.cells[name][count:]
            del self.boards[before[1] :]
            raise
        self._add_source(path, (content, len(data)), _format_of(matches), len(matches), content=data, day=day)
        return len(matches), wrong

    def add_joined(self, data: bytes, name: str, origins: Sequence[tuple[int, int]]) -> int:
        """Add a match that the library has put together from the games of several records; its number.

        Args:
            data: the match, in a format that holds all of it.
            name: what it is called where others have a path.
            origins: record and number of game, from 1, from which each of its games comes.
        """
        content = digest(data)
        record = number_of(content, 1)
        (match,) = read_source(data, name)
        self._add_match(match, record, number_of(content), 1, (header(match)[1], ""), origins)
        self._add_source(name, (content, len(data)), JOINED, 1, content=data)
        return record

    def add_path(self, path: str, content: str, size: int, data: bytes | None = None) -> None:
        """Add another path of a file whose records are known.

        Args:
            path: where it was found.
            content: the digest of what it holds.
            size: its length in bytes.
            data: what it holds, where that had been lost.
        """
        matches = () if data is None else read_source(data, path)
        self._add_source(path, (content, size), _format_of(matches), len(matches), content=data)

    def add_problem(self, path: str, data: bytes, problem: str) -> None:
        """Add a file that cannot be read."""
        self._add_source(path, (digest(data), len(data)), problem=problem)

    def _add_source(
        self, path: str, held: tuple[str, int], known: str = "", matches: int = 0, *, problem: str = "",
        content: bytes | None = None, day: str = "",
    ) -> None:  # fmt: skip
        name, size = held
        self.cells["sources"].append(
            (number_of(name), name, path, known, size, matches, problem, __version__, content, day)
        )

    def add_analysis(
        self,
        record: int,
        analysis: Analysis,
        standing: int | None = None,
        *,
        parts: int = 0,
        engine: str = "",
        whose: Callable[[DecisionRow], DecisionSource] | None = None,
    ) -> None:
        """Add what an engine says of a record.

        Args:
            record: its number.
            analysis: what it says.
            standing: of all decisions that it values; None for an analysis that a record brings along, whose decisions
                have one each.
            parts: from how many analyses of the match it was put together; 0 for one by itself.
            engine: what valued the positions; "" for what the analysis says.
            whose: whose verdict each decision is, where that is not always this engine's.
        """
        engine = engine or origin("", 0, analysis).engine
        brought = standing is None and not parts

        def own(row: DecisionRow) -> DecisionSource:
            found = standing_of(row.depth, engine) if standing is None else standing
            return DecisionSource(0 if row.loss is None else found, engine, record)

        sources = [*map(whose or own, analysis.decisions)]
        chosen: dict[TableName, list[DecisionSource]] = {
            "decisions": sources,
            "choices": [
                each for each, row in zip(sources, analysis.decisions, strict=True) for _ in row.choices
            ],
        }  # fmt: skip
        overall = _overall(analysis.decisions, sources)
        for name, table in _ANALYSIS:
            rows: Iterable[tuple[Any, ...]] = rows_of(table, analysis, TABLES[table].columns)
            if name == "decisions":
                told = (((each.game, each.entry), each.kind, each.loss) for each in analysis.decisions)
                rows = ((*row, most) for row, most in zip(rows, costliest(told), strict=True))
            if table in chosen:
                self.cells[name] += [
                    (record, engine, by.standing, parts, brought, by.engine, by.record, *row)
                    for by, row in zip(chosen[table], rows, strict=True)
                ]
            else:
                self.cells[name] += [(record, engine, overall, parts, brought, *row) for row in rows]

    def _add_match(
        self,
        match: Match,
        record: int,
        source: int,
        number: int,
        date: tuple[str, str],
        origins: Sequence[tuple[int, int]] = (),
    ) -> bool:
        """Add a record; whether it has errors."""
        games = replay(match)
        found = check(match, games)
        names = player_names(match)
        length = match.length or 0
        entries = 0
        for turn, row in turn_rows(games, names):
            entries += 1
            self.cells["turns"].append((*_turn(record, row), is_tested(games[row.game - 1], turn)))
            if row.in_game and row.action in _DECIDED:
                self.cells["positions"].append(_position(record, row, length))
                self.boards.append(turn.before)
        self.cells["games"] += [
            (*_game(record, game), *(origins[game.index] if origins else (None, None))) for game in games
        ]
        self.cells["findings"] += [
            (
                record,
                each.code.id,
                each.code.name,
                str(each.severity),
                None if match.source is None else match.source.location(each.span.start).line,
                each.game,
                each.entry,
                each.message,
            )
            for each in found
        ]
        analysed = not origins and self._add_own_analysis(match, games, record)
        counts = Counter(each.severity for each in found)
        fingerprint = Fingerprint.of(match)
        account = account_of(match, games, found)
        event, _, place = header(match)
        self.cells["matches"].append(
            (
                record,
                source,
                number,
                *names,
                length,
                event,
                *date,
                place,
                str(match.rules),
                len(games),
                entries,
                *account.score,
                account.winner,
                account.is_whole,
                counts[Severity.ERROR],
                counts[Severity.WARNING],
                counts[Severity.HINT],
                analysed,
                fingerprint.text,
                seats_of(match),
                [] if origins else sorted(fingerprint.keys()),
                [] if origins else _short_games(fingerprint, games, names, length),
                bool(origins),
            )
        )
        return counts[Severity.ERROR] > 0

    def _add_own_analysis(self, match: Match, games: Sequence[GameReplay], record: int) -> bool:
        """Add the analysis that a record contains; whether it brings one."""
        try:
            engine = create("file", match=match, games=games)
        except EngineUnavailable:
            return False
        self.add_analysis(record, analyse(match, engine, games=games, parts=PARTS))
        return True


def _short_games(
    fingerprint: Fingerprint, games: Sequence[GameReplay], names: tuple[str, str], length: int
) -> list[int]:
    """Numbers below 2**63 of the games of too few rolls to be known by these alone; none where nobody is named.

    Each is made of the rolls and plays, the players, the length and the score, whoever is in the first column.
    """
    if any(map(is_nobody, names)) or names[0] == names[1]:
        return []
    found = []
    for game, text in zip(games, fingerprint.text.split("."), strict=False):
        if _FEWEST_ROLLS <= len(text) // 2 < STRETCH:
            sides = sorted(zip(names, game.score, strict=True))
            found.append(number_of(repr((text, sides, length))))
    return sorted(found)


_FEWEST_ROLLS: Final = 2
JOINED: Final = "joined"
"""What stands for the format of a match that the library has put together."""


class DecisionSource(NamedTuple):
    """Whose verdict on a decision is stored: its standing, the engine, and the record whose analysis it is."""

    standing: int
    engine: str
    record: int


def standing_of(depth: str, engine: str) -> int:
    """How deep an analysis of a decision looked that a record brings along, to be compared with others.

    That is `bgtools.engines.recorded.level_depth`, but plies count as those of eXtreme Gammon do: the first ply of GNU
    Backgammon is called 0-ply.
    """
    return max(level_depth(depth), 0) + (_PLY if engine.startswith("GNU") and "ply" in depth else 0) or 1


def _overall(decisions: Iterable[DecisionRow], sources: Iterable[DecisionSource]) -> int:
    """The standing of a whole analysis: that of its deepest decisions, 0 where too many plays were left out.

    Programs look at clear plays less deeply, so what nine in ten do not exceed says how deep they were asked to look.
    """
    found = sorted(
        by.standing
        for row, by in zip(decisions, sources, strict=True)
        if row.kind == "checker play" and not (row.loss is None and row.note.startswith("forced"))
    )
    valued = sum(each > 0 for each in found)
    return found[int(_TOP * (len(found) - 1))] if found and valued >= _NEARLY_ALL * len(found) else 0


_PLY: Final = 10
_YEAR: Final = r"(?<!\d)((?:19|20)\d\d)"
_DAY: Final = r"(0?[1-9]|[12]\d|3[01])(?!\d)"
_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED: Final = rf"({'|'.join(_MONTHS)})[a-z]*"
_DATES: Final = (
    (re.compile(rf"{_YEAR}([-_. ])(0[1-9]|1[0-2]|[1-9])\2{_DAY}"), (1, 3, 4)),
    (re.compile(rf"{_YEAR}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)"), (1, 2, 3)),
    (re.compile(rf"{_YEAR}[-_. ]?{_NAMED}[-_. ]?{_DAY}", re.IGNORECASE), (1, 2, 3)),
    (re.compile(rf"{_YEAR}{_NAMED}(0[1-9]|[12]\d|3[01])(?=(?:[01]\d|2[0-3])[0-5]\d(?!\d))", re.IGNORECASE), (1, 2, 3)),
    (re.compile(rf"(?<!\d){_DAY}[-_. ]?{_NAMED}[-_. ,]*{_YEAR}(?!\d)", re.IGNORECASE), (3, 2, 1)),
)
"""Dates in the names of files that can be read in one way only, and which groups are year, month and day."""


def day_in(name: str) -> str:
    """The day in the name of a file, such as ``2009Jan17`` or ``2009-01-17``, as 2009-01-17; "" without a plain one."""
    found: set[str] = set()
    for pattern, groups in _DATES:
        for each in pattern.finditer(name):
            year, month, day = (each[group] for group in groups)
            number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
            with suppress(ValueError):
                found.add(datetime.date(int(year), number, int(day)).isoformat())
    return found.pop() if len(found) == 1 else ""


def date_of(match: Match, path: str, day: str) -> tuple[str, str]:
    """When a match was played, and who says so."""
    date = header(match)[1]
    if date:
        return date, "header"
    named = day_in(PurePath(path.replace("\\", "/")).name)
    if named:
        return named, "file name"
    return day, "given" if day else ""


def _format_of(matches: Sequence[Match]) -> str:
    return matches[0].source.format if matches and matches[0].source is not None else ""


def _array(cells: Sequence[Any], kind: Any) -> Any:
    """Cells as Arrow holds them."""
    import pyarrow as pa

    try:
        return pa.array(cells, kind)
    except UnicodeEncodeError:
        # Half of a surrogate pair is not a character and cannot be encoded; a file may hold one alone.
        texts = [each.encode("utf-8", "replace").decode() if type(each) is str else each for each in cells]
        return pa.array(texts, kind)


_BEFORE_SCORE, _AFTER_SCORE = (attrgetter(*names.split()) for names in TURN_NAMES.split("score opponent_score"))


def _turn(record: int, row: TurnRow) -> tuple[Any, ...]:
    """What the table of turns says of an entry, less its last column."""
    return (record, *_BEFORE_SCORE(row), *row.score, *_AFTER_SCORE(row))


def _position(record: int, row: TurnRow, length: int) -> tuple[Any, ...]:
    """What the table of positions says besides the board; `_POSITION` names it."""
    away = (length - row.score[0], length - row.score[1]) if length else (0, 0)
    return (
        record, row.game, row.turn, row.row, row.entry, row.player, *away, row.crawford, row.cube, row.cube_owner,
        row.action, row.dice, row.played, row.phase,
    )  # fmt: skip


_POSITION: Final = (
    "record", "game", "turn", "row", "entry", "player", "away", "opponent_away", "crawford", "cube", "cube_owner",
    "action", "dice", "played", "phase",
)  # fmt: skip


def _positions(rows: Sequence[tuple[Any, ...]], boards: Sequence[Any]) -> Any:
    """The table of positions, in the order of `bgtools.library.tables.ORDERED`."""
    import numpy as np
    import pyarrow as pa

    schema = arrow_schema("positions")
    columns: dict[str, Any] = dict(zip(_POSITION, zip(*rows, strict=True), strict=True))
    arrays = {name: pa.array(cells, schema.field(name).type) for name, cells in columns.items()}
    arrays |= {name: pa.array(np.ascontiguousarray(cells)) for name, cells in figures_of(boards).items()}
    table = pa.table([arrays[each.name].cast(each.type) for each in schema], schema=schema)
    return table.sort_by([(name, "ascending") for name in ("key", "record", "game", "entry")])


def _game(record: int, game: GameReplay) -> tuple[Any, ...]:
    return (
        record,
        game.index + 1,
        game.game.number,
        *game.score,
        game.crawford,
        game.ending,
        game.winner,
        game.points,
        game.level,
        game.cube,
        len(game.turns),
    )
