"""Truncated rollouts by bgsage, and the level ``rollout`` of the engine, which ends in one.

A batch is 36 games, each first roll once, of seven half-moves: plays by 2-ply for the first half-move and 1-ply after
it, the cube by 2-ply, the end by a 2-ply look, luck taken out all along. Ten batches are what bgsage calls 2T. Batches
are independent, and their spread tells how sure the mean is. (The standard error that bgsage itself gives is that of
one equity as if its games were drawn at random, several times too large for a difference.)
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from bgtools.engines.protocol import LOOKED_UP, Candidate, CheckerAnswer, CubeAnswer, Refused, Stamp
from bgtools.engines.rollouts import RolloutQuestion
from bgtools.engines.sage.engine import SageEngine, release
from bgtools.engines.sage.frame import board_of, context, refusal
from bgtools.engines.sage.native import Native

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board
    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, Progress
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

GAMES: Final = 36
_SEED: Final = 20260
"""Batch 0 is rolled with this seed, the next with one more."""
_SETTINGS: Final = "36 games, 7 half-moves, 2-ply then 1-ply, cube 2-ply, end 2-ply"


@dataclass(frozen=True, slots=True)
class _RolloutTask:
    """One board of a question, or its cube."""

    question: RolloutQuestion
    index: int | None


class SageRoller:
    """bgsage as a `Roller`.

    Args:
        threads: how many to use, None for one a processor. Answers do not depend on it.
        native: a loaded model, where there is one.
        version: of bgsage, where it is known.

    Raises:
        EngineUnavailable: bgsage is not installed, or does not load.
    """

    def __init__(self, threads: int | None = None, *, native: Native | None = None, version: str = "") -> None:
        self._native = native or Native(threads)
        self._idle: list[Any] = []
        self.stamp = Stamp("sage", version or release(), "rollout", self._native.met.name)

    @property
    def fingerprint(self) -> str:
        """See `Roller.fingerprint`."""
        return f"{self.stamp} {self._native.met.digest} {self._native.has_bearoff_table} {_SETTINGS} {_SEED}"

    @property
    def games(self) -> int:
        """See `Roller.games`."""
        return GAMES

    @property
    def at_once(self) -> int:
        """See `Roller.at_once`."""
        return self._native.threads

    def refusal(self, position: Board, state: MatchState) -> str | None:
        """See `Roller.refusal`."""
        return refusal(position, state)

    def roll(self, questions: Sequence[RolloutQuestion]) -> tuple[tuple[float, ...], ...]:
        """See `Roller.roll`."""
        tasks = [
            _RolloutTask(question, index)
            for question in questions
            for index in (range(len(question.boards)) if question.boards else (None,))
        ]
        pool = ThreadPoolExecutor(self._native.threads)
        try:
            found = dict(zip(tasks, pool.map(self._rolled, tasks), strict=True))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return tuple(
            tuple(value for index in range(len(question.boards)) for value in found[_RolloutTask(question, index)])
            if question.boards
            else found[_RolloutTask(question, None)]
            for question in questions
        )

    def _rolled(self, task: _RolloutTask) -> tuple[float, ...]:
        try:
            strategy = self._idle.pop()
        except IndexError:
            strategy = self._native.rollout(GAMES)
        try:
            return self._rolled_by(strategy, task)
        finally:
            self._idle.append(strategy)

    def _rolled_by(self, strategy: Any, task: _RolloutTask) -> tuple[float, ...]:
        question = task.question
        strategy.set_seed(_SEED + question.batch)
        at = context(question.state)
        before = list(board_of(question.position))
        terms: dict[str, Any] = {
            "cube_value": at.cube,
            "owner": self._native.owner_of(at),
            "away1": at.away[0],
            "away2": at.away[1],
            "is_crawford": at.crawford,
            "jacoby": at.jacoby,
            "beaver": at.beaver,
            "max_cube_value": at.limit,
        }
        if task.index is None:
            found = strategy.cube_decision(before, **terms)
            return float(found["equity_nd"]), float(found["equity_dt"])
        after = list(board_of(question.boards[task.index]))
        return (float(strategy.cubeful_evaluate_board(after, before, **terms)["cubeful_equity"]),)


# --- the level ------------------------------------------------------------------------------

BATCHES: Final = 10
"""Batches of the level: 360 games, as in bgsage's 2T."""
WIDTH: Final = 0.08
LEAST: Final = 2
MOST: Final = 4
"""How far, in equity, a play may be behind the best to be rolled out; how many are at least, and at most."""
_RANK: Final = 1000


class RolloutEngine(SageEngine):
    """bgsage searching as at ``deep``, then rolling out the plays near the best, or the cube.

    For single positions: a decision takes some ten seconds and more.
    """

    def __init__(self, *, threads: int | None = None, met: MatchEquityTable | None = None) -> None:
        super().__init__("deep", threads=threads, met=met)
        self.stamp = replace(self.stamp, level="rollout")
        self._roller = SageRoller(native=self._native, version=self.stamp.version)

    @property
    def fingerprint(self) -> str:
        """See `Reproducible.fingerprint`."""
        return f"{super().fingerprint} {self._roller.fingerprint} {BATCHES} {WIDTH} {LEAST} {MOST}"

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """Value every legal play, and roll out those near the best and the one that was made."""
        answers = super().checker(questions)
        found: list[CheckerAnswer | Refused] = []
        for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1):
            found.append(answer if isinstance(answer, Refused) else self._rolled_out(question, answer))
            if progress is not None:
                progress(number, len(questions))
        return tuple(found)

    def _rolled_out(self, question: CheckerQuestion, answer: CheckerAnswer) -> CheckerAnswer:
        chosen = _to_roll_out(answer)
        if not chosen:
            return answer
        boards = tuple(one.play.result for one in chosen)
        asked = [RolloutQuestion(question.position, question.state, boards, batch) for batch in range(BATCHES)]
        columns = zip(*self._roller.roll(asked), strict=True)
        rolled = [_valued(one, column) for one, column in zip(chosen, columns, strict=True)]
        rest = [one for one in answer.candidates if one not in chosen]
        ordered = (*sorted(rolled, key=lambda one: -one.equity), *rest)
        made = None if answer.played is None else answer.played.play
        at = next((at for at, one in enumerate(ordered) if one.play is made), None)
        return CheckerAnswer(ordered, at, self.stamp, answer.is_decision)

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """Value the cube decisions, and roll them out."""
        answers = super().cube(questions)
        found: list[CubeAnswer | Refused] = []
        for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1):
            known = isinstance(answer, Refused) or answer.depth in LOOKED_UP
            found.append(answer if known else self._cube_rolled_out(question, answer))  # type: ignore[arg-type]
            if progress is not None:
                progress(number, len(questions))
        return tuple(found)

    def _cube_rolled_out(self, question: CubeQuestion, answer: CubeAnswer) -> CubeAnswer:
        asked = [RolloutQuestion(question.position, question.state, (), batch) for batch in range(BATCHES)]
        waits, takes = zip(*self._roller.roll(asked), strict=True)
        take = mean(takes)
        return replace(
            answer,
            no_double=mean(waits),
            double_take=take,
            depth=_depth(max(standard_error(waits), standard_error(takes))),
            is_beaver=answer.is_beaver and take < 0,
        )


def _to_roll_out(answer: CheckerAnswer) -> list[Candidate]:
    """The plays to roll out: those near the best, at least two, and the one made; none where the values are known."""
    if answer.best.depth in LOOKED_UP or answer.best.play.result.is_over:
        return []
    near = [one for one in answer.candidates if answer.best.equity - one.equity <= WIDTH]
    chosen = near[:MOST] if len(near) >= LEAST else list(answer.candidates[:LEAST])
    if answer.played is not None and answer.played not in chosen:
        chosen.append(answer.played)
    return chosen


def _valued(one: Candidate, equities: Sequence[float]) -> Candidate:
    return replace(one, equity=mean(equities), depth=_depth(standard_error(equities)), rank=_RANK)


def _depth(error: float) -> str:
    return f"rollout, {BATCHES * GAMES} games ± {error:.3f}"


def mean(values: Sequence[float]) -> float:
    """The mean of batches."""
    return sum(values) / len(values)


def standard_error(values: Sequence[float]) -> float:
    """The standard error of the mean of independent batches, two or more."""
    middle = mean(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values))
