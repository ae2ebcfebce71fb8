"""Judging the errors of a library again by rollouts: the costliest first, committed as they come."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.confirmation import confirm_decisions, describe_roller
from bgtools.engines.cache import Store
from bgtools.engines.protocol import LOOKED_UP, EngineUnavailable
from bgtools.engines.sage import roller as sage_roller
from bgtools.formats.searching import trouble
from bgtools.library.compaction import compact_end, compact_some
from bgtools.library.connecting import asking, connect, matches_where
from bgtools.library.manifest import column_of, commit_files, read_state, write_tables
from bgtools.library.results import DecisionKey, decisions_at
from bgtools.library.runners import is_late, run_here
from bgtools.library.storage import open_storage
from bgtools.library.tables import arrow_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.analysis.rows import DecisionRow
    from bgtools.engines.rollouts import Roller
    from bgtools.library.manifest import Files, LibraryState, StoredFile
    from bgtools.library.runners import Runner
    from bgtools.library.storage import Storage

_AHEAD: Final = 256
"""So many decisions are read at once."""
_KEY: Final = (*DecisionKey._fields, "valued_by")


@dataclass(frozen=True, slots=True)
class Rolling:
    """What rolls out.

    Attributes:
        keep: whether batches are kept in the user's cache, so that the same question is not rolled out twice.
    """

    keep: bool = True

    def started(self) -> Roller:
        """The roller, which uses one core: several processes work at once.

        Raises:
            EngineUnavailable: it cannot run here.
        """
        return sage_roller(Store() if self.keep else None, threads=1)


@dataclass(frozen=True, slots=True)
class ConfirmTask:
    """An error to roll out.

    Attributes:
        location: of the library.
        rolling: what rolls out.
        key: where the decision stands.
        valued_by: the engine whose verdict it is.
        row: the decision with its choices.
        until: when it is not to be begun any more, in seconds since 1970; None for any time.
    """

    location: str
    rolling: Rolling
    key: DecisionKey
    valued_by: str
    row: DecisionRow
    until: float | None = None

    @property
    def parts(self) -> tuple[ConfirmTask, ...]:
        """None: it is one decision."""
        return ()


@dataclass(frozen=True, slots=True)
class ConfirmedFiles:
    """The result of a task: the record, files of the library, the verdict ("" without one), and why there is none."""

    record: int
    files: Files = ()
    verdict: str = ""
    problem: str = ""


@dataclass(slots=True)
class ConfirmSummary:
    """What rollouts have brought so far.

    Attributes:
        state: what the library holds.
        missing: errors without a verdict by rollout when it began.
        done: how many of them were looked at since.
        verdicts: how many have each verdict; "" for those that cannot be rolled out.
        problems: decisions that failed, by the number of their record, and why.
        seconds: how long it has taken.
    """

    state: LibraryState
    missing: int = 0
    done: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)
    seconds: float = 0.0


def confirm(
    storage: Storage,
    rolling: Rolling,
    run: Runner = run_here,
    *,
    players: Sequence[str] = (),
    where: str = "",
    min_loss: float = 0.0,
    seconds: float | None = None,
    progress: Callable[[ConfirmSummary], None] = lambda _: None,
) -> ConfirmSummary:
    """Roll out the errors that have no rollout yet, the costliest first.

    What was done and the best choice are rolled out with the same dice, as `bgtools.analysis.confirmation` does it.
    Each verdict is committed when it is there, so the same call goes on where it was stopped. Losses and ratings stay.

    Args:
        storage: where the library lies.
        rolling: what rolls out.
        run: what carries out the tasks.
        players: whose errors, by the names that they go by; everybody's without any.
        where: a condition of SQL on the table of matches.
        min_loss: the least loss, in EMG.
        seconds: how long further ones may be begun; None without end.
        progress: called after each.

    Raises:
        LibraryError: the library is damaged, or the condition is wrong.
        EngineUnavailable: nothing here can roll out.
        OSError: the place refuses.
    """
    rolling.started()
    begun = time.monotonic()
    until = None if seconds is None else time.time() + seconds
    found = ConfirmSummary(read_state(storage))
    with closing(connect(storage, found.state, locked=True)) as connection:
        missing = _missing(connection, players, where, min_loss)
    found.missing = len(missing)
    for done in run(confirm_error, _tasks(storage, found.state, rolling, missing, until), lost_error):
        found.state = commit_files(storage, found.state, done.files, _unknown, is_part=True)
        found.state = compact_some(storage, found.state)
        if done.problem:
            found.problems.append((done.record, done.problem))
        elif done.files:
            found.done += 1
            found.verdicts[done.verdict] = found.verdicts.get(done.verdict, 0) + 1
        found.seconds = time.monotonic() - begun
        progress(found)
    if found.state.is_part:
        found.state = compact_end(storage, found.state)
    return found


def _missing(connection: Any, players: Sequence[str], where: str, min_loss: float) -> list[tuple[DecisionKey, str]]:
    """The errors without a rollout, each with the engine whose verdict it is, the costliest first."""
    chosen = matches_where(connection, where)
    with asking():
        rows = connection.execute(_ERRORS, [[*LOOKED_UP], min_loss, [*players], [*players]]).fetchall()
    keys = [(DecisionKey(*key), by) for *key, by in rows]
    return keys if chosen is None else [each for each in keys if each[0].record in chosen]


_ROLLOUT: Final = 100
"""The standing of decisions that were rolled out when they were analysed."""
_ERRORS: Final = f"""
SELECT d.record, d.game, d.entry, d.kind, d.valued_by
FROM decisions d
JOIN players p ON p.record = d.record AND p.player = d.player
ANTI JOIN stored.rolled r
    ON r.record = d.record AND r.game = d.game AND r.entry = d.entry AND r.kind = d.kind AND r.valued_by = d.valued_by
WHERE d.error <> '' AND d.verdict = '' AND d.standing < {_ROLLOUT} AND NOT list_contains(?, d.depth) AND d.loss >= ?
    AND (len(?) = 0 OR list_contains(?, p.person))
ORDER BY d.loss DESC, d.record, d.game, d.entry, d.kind
"""


def _tasks(
    storage: Storage,
    state: LibraryState,
    rolling: Rolling,
    missing: Sequence[tuple[DecisionKey, str]],
    until: float | None,
) -> Iterator[ConfirmTask]:
    """The work, each decision with its choices."""
    for at in range(0, len(missing), _AHEAD):
        some = missing[at : at + _AHEAD]
        # Others may have merged files since, and removed the old ones.
        state = read_state(storage, state)
        with closing(connect(storage, state, locked=True)) as connection:
            rows = decisions_at(connection, [key for key, _ in some])
        for key, by in some:
            if is_late(until):
                return
            if key in rows:
                yield ConfirmTask(storage.location, rolling, key, by, rows[key], until)


# --- in another process ---------------------------------------------------------------------

_STARTED: dict[Rolling, Roller] = {}


def confirm_error(task: ConfirmTask) -> ConfirmedFiles:
    """Roll out an error, and write what comes of it. Never raises on what is in it.

    Raises:
        OSError: the library cannot be written.
    """
    if is_late(task.until):
        return ConfirmedFiles(task.key.record)
    try:
        if task.rolling not in _STARTED:
            _STARTED[task.rolling] = task.rolling.started()
        roller = _STARTED[task.rolling]
        (row,) = confirm_decisions([task.row], roller)
    except EngineUnavailable as error:
        _STARTED.clear()
        return lost_error(task, str(error))
    except Exception as error:  # a fault of ours must not cost all others
        return lost_error(task, trouble(error))
    files = write_tables(open_storage(task.location), [("rollouts", _rolled(task, row, describe_roller(roller)))])
    return ConfirmedFiles(task.key.record, files, row.verdict)


def _rolled(task: ConfirmTask, row: DecisionRow, roller: str) -> Any:
    """A row of the table of rollouts, as an Arrow table."""
    import pyarrow as pa

    made = next((each for each in row.choices if each.made), None)
    best = next((each for each in row.choices if each.rank == 1), None)
    cells = {
        **task.key._asdict(),
        "valued_by": task.valued_by,
        **{name: getattr(row, name) for name in ("verdict", "rollout_loss", "rollout_error", "rollout_games")},
        "made": None if made is None else made.rollout,
        "made_error": None if made is None else made.rollout_error,
        "best": None if best is None else best.rollout,
        "best_error": None if best is None else best.rollout_error,
        "roller": roller,
    }
    return pa.Table.from_pylist([cells], arrow_schema("rollouts"))


def lost_error(task: ConfirmTask, problem: str) -> ConfirmedFiles:
    """The result of an error that could not be rolled out, or whose process was ended."""
    return ConfirmedFiles(task.key.record, problem=problem)


def _unknown(storage: Storage, files: Files, others: Iterable[StoredFile]) -> Files:
    """The files without decisions that others have rolled out meanwhile."""
    known = set(column_of(storage, (each for each in others if each.table == "rollouts"), *_KEY))
    return tuple(each for each in files if column_of(storage, [each], *_KEY)[0] not in known)
