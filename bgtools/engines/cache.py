"""What engines have answered, kept between runs in one SQLite file.

An answer is kept under all that it depends on: the question (position, dice, match state, play made), the engine's
`fingerprint` and the version of bgtools. Questions go to the engine in batches, and each batch is kept as soon as it
is answered, so that an interruption costs at most one batch. Where the file cannot be used (a full disk, damage) the
engine is asked without it.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import cached_property
from hashlib import blake2b
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from bgtools._cache import folder
from bgtools._disk import make_folders
from bgtools._version import __version__
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import (
    ROLLS,
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckAnswer,
    LuckQuestion,
    Probabilities,
    Refused,
    Stamp,
    Traits,
    forget_match,
    quicker_of,
    traits_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bgtools.board.board import Checkers
    from bgtools.board.play import Play
    from bgtools.engines.protocol import Engine, Progress, Reproducible

    Question = CheckerQuestion | CubeQuestion | LuckQuestion
    Answer = CheckerAnswer | CubeAnswer | LuckAnswer

Q = TypeVar("Q", bound="CheckerQuestion | CubeQuestion | LuckQuestion")
T = TypeVar("T")
A = TypeVar("A", bound="CheckerAnswer | CubeAnswer | LuckAnswer")

SIZE: Final = 256
"""Megabytes that the file may take by default: some thousand matches."""

_LAYOUT: Final = 1
"""Version of what is kept under a key; part of every key."""
_FILE: Final = f"answers-{_LAYOUT}.sqlite"
_KEPT: Final = 0.75
"""A file that is too large is cut to this share of its limit; the answers longest unused go first."""
_SHORTEN: Final = "PRAGMA incremental_vacuum"
"""Gives back empty pages. As a script it gives back all of them, as a single statement only one."""
_DAY: Final = 86400
_PATIENCE: Final = 1.0
"""Seconds to wait for another process that writes, which takes milliseconds."""
_LONGEST: Final = 1 << 20
"""Bytes of an answer; one to a roll with all its plays has some ten thousand."""
_HIGHEST: Final = 1 << 20
"""No engine has as many ranks of depth."""
_ROUND: Final = 500
"""Keys looked up by one statement; SQLite allows 999 in its oldest builds."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a store holds: its file, its size in bytes, how many answers."""

    path: Path
    size: int
    answers: int


class Store:
    """Bytes under keys in a SQLite file of bounded size. Several processes may use it at once.

    Args:
        path: the file; None for the usual one.
        megabytes: most it may take; the answers longest unused go first.
        on_fault: called with the reason when the file cannot be used any more.
    """

    def __init__(
        self, path: Path | None = None, *, megabytes: float = SIZE, on_fault: Callable[[str], None] | None = None
    ) -> None:
        self._on_fault = on_fault
        self.path = folder() / _FILE if path is None else path
        self.fault = ""
        """Why the file is not used, in words; empty while it is."""
        self._limit = int(megabytes * 1e6)
        self._today = int(time.time() // _DAY)
        self._connection: sqlite3.Connection | None = None
        self._open()

    def _open(self) -> None:
        self.fault = ""
        try:
            make_folders(self.path.parent)
            try:
                self._connection = self._connected()
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._remove()
                self._connection = self._connected()
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer BLOB NOT NULL, used INTEGER NOT NULL)"
            )
            # This fails where another program has made a table of that name.
            connection.execute("SELECT key, answer, used FROM answers LIMIT 0")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def _give_up(self, error: Exception) -> None:
        self.fault = f"{self.path}: {error}"
        self.close()
        if self._on_fault is not None:
            self._on_fault(self.fault)
        if _is_damage(error):
            # All of it can be computed again, and the next run needs a sound file.
            with suppress(OSError):
                self._remove()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept under these keys; a key without an answer is left out."""
        found: dict[bytes, bytes] = {}
        stale: list[bytes] = []
        for start in range(0, len(keys), _ROUND):
            if self._connection is None:
                break
            part = keys[start : start + _ROUND]
            marks = ",".join("?" * len(part))
            try:
                rows = self._connection.execute(
                    f"SELECT key, answer, used FROM answers WHERE key IN ({marks})", part
                ).fetchall()
            except sqlite3.Error as error:
                self._give_up(error)
                return found
            found.update((key, answer) for key, answer, _ in rows if isinstance(answer, bytes))
            stale.extend(key for key, _, used in rows if used != self._today)
        if stale:
            self._write("UPDATE answers SET used = ? WHERE key = ?", [(self._today, key) for key in stale])
        return found

    def put(self, answers: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep answers under their keys: all of them, or none where the disk refuses."""
        rows = [(key, answer, self._today) for key, answer in answers]
        if rows:
            self._write("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            self._shrink()

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if self._connection is None:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(statement, rows)
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)

    def _shrink(self) -> None:
        """Cut a file that has grown too large, the longest unused answers first."""
        if self._connection is None:
            return
        try:
            size = self._size()
            if size <= self._limit:
                return
            (count,) = self._connection.execute("SELECT COUNT(*) FROM answers").fetchone()
            least = max(int(count * (1 - _KEPT * self._limit / size)), 1)
            self._connection.execute(
                "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used, key LIMIT ?)", (least,)
            )
            self._connection.executescript(_SHORTEN)
        except sqlite3.Error as error:
            self._give_up(error)

    def _size(self) -> int:
        assert self._connection is not None
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        (page,) = self._connection.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(page)

    def usage(self) -> Usage:
        """How large the store is; nothing where it cannot be used."""
        if self._connection is not None:
            try:
                (count,) = self._connection.execute("SELECT COUNT(*) FROM answers").fetchone()
                return Usage(self.path, self._size(), int(count))
            except sqlite3.Error as error:
                self._give_up(error)
        return Usage(self.path, 0, 0)

    def clear(self) -> None:
        """Forget everything. The file stays, for another process may be using it."""
        if self._connection is not None:
            try:
                self._connection.execute("DELETE FROM answers")
                self._connection.executescript(f"{_SHORTEN}; PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                self._give_up(error)
        if self._connection is None:
            self._open()

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _is_damage(error: Exception) -> bool:
    """Whether the file is broken or not a database. Errors of a full disk or a lock differ in class."""
    return type(error) is sqlite3.DatabaseError or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


class CachedEngine:
    """An engine that remembers.

    Answers are the engine's own, to the bit, whether they were kept or not.

    Args:
        engine: what is asked.
        store: where answers are kept.
        batch: how many questions are asked, and kept, at a time.
    """

    def __init__(self, engine: Reproducible, store: Store, *, batch: int = 64) -> None:
        self._engine = engine
        self._batch = batch
        self.store = store
        self.stamp, self.met = engine.stamp, engine.met

    def forget(self) -> None:
        """See `SageEngine.forget`; answers that are kept stay."""
        forget_match(self._engine)

    @property
    def traits(self) -> Traits:
        """The traits of the engine that is asked."""
        return traits_of(self._engine)

    @cached_property
    def quicker(self) -> Engine:
        """See `quicker_of`; it remembers in the same store."""
        quicker = quicker_of(self._engine)
        if quicker is self._engine:
            return self
        return CachedEngine(cast("Reproducible", quicker), self.store) if hasattr(quicker, "fingerprint") else quicker

    @property
    def fingerprint(self) -> str:
        """See `Reproducible.fingerprint`."""
        return self._engine.fingerprint

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """See `Engine.checker`."""
        return self._asked(questions, self._engine.checker, _packed_checker, _unpacked_checker, progress)

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """See `Engine.cube`."""
        return self._asked(questions, self._engine.cube, _packed_cube, _unpacked_cube, progress)

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """See `Engine.luck`."""
        return self._asked(questions, self._engine.luck, _packed_luck, _unpacked_luck, progress)

    def _asked(
        self,
        questions: Sequence[Q],
        ask: Callable[[Sequence[Q], Progress | None], tuple[A | Refused, ...]],
        pack: Callable[[A], Any],
        unpack: Callable[[Q, Any, Stamp], A | None],
        progress: Progress | None,
    ) -> tuple[A | Refused, ...]:
        keys = {question: self._key(question) for question in questions}
        kept = self.store.get(list(dict.fromkeys(keys.values())))
        answers: dict[Q, A | Refused] = {}
        for question, key in keys.items():
            if key in kept and (answer := self._read(question, kept[key], unpack)) is not None:
                answers[question] = answer
        missing = [question for question in keys if question not in answers]
        for start in range(0, len(missing), self._batch):
            part = missing[start : start + self._batch]
            found = ask(part, _part(progress, len(answers), len(part), len(keys)))
            answers.update(zip(part, found, strict=True))
            self.store.put(
                [
                    (keys[question], zlib.compress(json.dumps(pack(answer)).encode(), 1))
                    for question, answer in zip(part, found, strict=True)
                    if not isinstance(answer, Refused)
                ]
            )
        return tuple(answers[question] for question in questions)

    def _key(self, question: Question) -> bytes:
        state = question.state
        asked: list[object] = [
            type(question).__name__,
            bytes(question.position.mine),
            bytes(question.position.theirs),
            # The same away scores are the same to an engine, whatever the length of the match.
            (state.away, state.crawford, state.cube.value, state.cube.owner, str(state.rules)),
        ]
        if not isinstance(question, CubeQuestion):
            asked.append(tuple(sorted(question.dice)))
        if isinstance(question, CheckerQuestion) and question.played is not None:
            asked.append((bytes(question.played.mine), bytes(question.played.theirs)))
        if isinstance(question, LuckQuestion):
            asked.append(question.convention if question.opening else "")
        # A newer bgtools may ask differently, or have mended a fault, so its version is part of the key.
        text = f"{_LAYOUT}\n{__version__}\n{self._engine.fingerprint}\n{asked!r}"
        return blake2b(text.encode(), digest_size=16).digest()

    def _read(self, question: Q, data: bytes, unpack: Callable[[Q, Any, Stamp], A | None]) -> A | None:
        """A kept answer; None where it is damaged or foreign, by a fault of the disk or another program."""
        try:
            text = zlib.decompressobj().decompress(data, _LONGEST)
            return unpack(question, json.loads(text), self.stamp)
        except (zlib.error, ValueError, TypeError, IndexError, KeyError, OverflowError, RecursionError):
            return None


def _part(progress: Progress | None, before: int, part: int, total: int) -> Progress | None:
    """Report a batch as its share of all questions."""
    if progress is None:
        return None

    def tick(done: int, of: int) -> None:
        progress(before + (part * done // of if of else part), total)

    return tick


# --- what is kept ---------------------------------------------------------------------------
# Plain lists in JSON: floats come back to the bit. The types of all that comes back are checked: a damaged or foreign
# answer is dropped, and the engine asked again.


def _figure(kept: Any) -> float:
    if not isfinite(_known(kept, float)):
        raise ValueError(kept)
    return cast("float", kept)


def _known(kept: Any, kind: type[T]) -> T:
    if type(kept) is not kind:
        raise TypeError(kept)
    return kept


def _packed_checker(answer: CheckerAnswer) -> Any:
    plays = sorted(range(len(answer.candidates)), key=lambda at: _sort_key(answer.candidates[at].play))
    number = {at: index for index, at in enumerate(plays)}
    rows = [
        [number[at], one.equity, _packed_chances(one.probabilities), one.depth, one.rank]
        for at, one in enumerate(answer.candidates)
    ]
    return [rows, answer.played_index]


def _unpacked_checker(question: CheckerQuestion, kept: Any, stamp: Stamp) -> CheckerAnswer | None:
    rows, played = kept
    plays = sorted(
        legal_plays(question.position, question.dice), key=lambda play: (play.result.mine, play.result.theirs)
    )
    if len(plays) != len(rows):
        return None
    if sorted(_known(number, int) for number, *_ in rows) != [*range(len(rows))]:
        return None
    if any(abs(_known(rank, int)) > _HIGHEST for *_, rank in rows):
        return None
    candidates = tuple(
        Candidate(plays[number], _figure(equity), _unpacked_chances(chances), _known(depth, str), rank)
        for number, equity, chances, depth, rank in rows
    )
    results = [each.play.result for each in candidates]
    if played != (results.index(question.played) if question.played in results else None) or played is True:
        return None
    return CheckerAnswer(candidates, played, stamp)


def _packed_chances(chances: Probabilities | None) -> Any:
    return None if chances is None else list(astuple(chances))


def _unpacked_chances(kept: Any) -> Probabilities | None:
    return None if kept is None else Probabilities(*map(_figure, kept))


def _sort_key(play: Play) -> tuple[Checkers, Checkers]:
    """A sort key of plays, so that their order does not depend on who lists them."""
    return play.result.mine, play.result.theirs


def _packed_cube(answer: CubeAnswer) -> Any:
    equities = [answer.no_double, answer.double_take, answer.double_pass]
    return [equities, _packed_chances(answer.probabilities), answer.depth, answer.is_beaver]


def _unpacked_cube(question: CubeQuestion, kept: Any, stamp: Stamp) -> CubeAnswer | None:
    equities, chances, depth, is_beaver = kept
    no_double, double_take, double_pass = map(_figure, equities)
    return CubeAnswer(
        no_double, double_take, double_pass, _unpacked_chances(chances), _known(depth, str), stamp,
        _known(is_beaver, bool),
    )  # fmt: skip


def _packed_luck(answer: LuckAnswer) -> Any:
    # An answer without the values of the 21 rolls keeps the form that it had before they could be asked for.
    return [answer.equity, answer.mean, answer.mwc, answer.depth, *([list(answer.rolls)] if answer.rolls else [])]


def _unpacked_luck(question: LuckQuestion, kept: Any, stamp: Stamp) -> LuckAnswer | None:
    equity, mean, mwc, depth, *more = kept
    rolls = tuple(map(_figure, more[0])) if more else ()
    if len(rolls) != (len(ROLLS) if more else 0) or len(more) > 1:
        return None
    if question.rolls and not rolls:
        # This answer was kept when the values of the rolls were not asked for.
        return None
    won = None if mwc is None else _figure(mwc)
    told = rolls if question.rolls else ()
    return LuckAnswer(_figure(equity), _figure(mean), won, _known(depth, str), stamp, told)
