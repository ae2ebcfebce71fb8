"""Errors judged again by rollouts: how much a decision cost, how sure that is, and what follows.

What was done and what the engine calls best are rolled out side by side in batches with common dice. The differences of
the batches are independent and have one mean: their mean is the loss by rollout, and Student's t gives an interval that
holds it 95 times in 100. The interval covers chance in the dice, but no error that a truncated rollout makes with any
dice.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.analysis.lessons.scene import scene_of
from bgtools.analysis.statistics import student_bound, student_tails
from bgtools.engines.protocol import LOOKED_UP
from bgtools.engines.rollouts import RolloutQuestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.analysis.rows import ChoiceRow, DecisionRow, TurnRow, Verdict
    from bgtools.analysis.totals import Analysis
    from bgtools.board.board import Board
    from bgtools.engines.rollouts import Roller

    Progress = Callable[[float, float], None]
    """Called with what is done and all there is to do: batches, or seconds where there is a limit."""

CONFIDENCE: Final = 0.95
STEP: Final = 4
"""Batches that a decision is given at a time."""
MOST: Final = 36
"""Batches that it is given at most."""
PRECISE: Final = 0.012
"""EMG: half an interval that is as short as this needs no further batches."""
CLEAR: Final = 3.0
"""A decision needs no further batches when its loss is more than so many times half the interval."""
SMALLER: Final = 0.75
"""A loss by rollout is smaller than the stated one when it is at most this share of it."""

_NORMAL: Final = NormalDist()
_SPREAD: Final = (0.02, 0.1)
"""How far an engine's loss is supposed to be off before any batch is rolled: so much EMG and this share of the loss."""


class RolloutJudgement(NamedTuple):
    """What the batches say of a loss.

    Attributes:
        loss: the mean difference, best less made, in EMG; below 0 where what was done came out ahead.
        error: its standard error.
        half: half the interval of 95%.
    """

    loss: float
    error: float
    half: float

    def verdict(self, stated: float) -> Verdict:
        """What follows for a loss that an engine states (EMG).

        * ``overturned``: the whole interval lies below 0: what was done is the better choice.
        * ``too close to call``: the interval holds 0.
        * ``smaller``: it lies above 0 and below the stated loss, of which the loss is three quarters at most.
        * ``confirmed``: it lies above 0, and the loss is not smaller.
        """
        low, high = self.loss - self.half, self.loss + self.half
        if high < 0:
            return "overturned"
        if low <= 0:
            return "too close to call"
        return "smaller" if high < stated and self.loss <= SMALLER * stated else "confirmed"


def judge_differences(differences: Sequence[float]) -> RolloutJudgement:
    """What two or more independent differences say of their mean."""
    count = len(differences)
    mean = sum(differences) / count
    error = sqrt(sum((each - mean) ** 2 for each in differences) / (count - 1) / count)
    return RolloutJudgement(mean, error, student_bound(1 - CONFIDENCE, count - 1) * error)


@dataclass(slots=True)
class _ErrorBatches:
    """An error and its batches so far.

    Attributes:
        row: the decision.
        scene: its boards.
        boards: after the play made and after the best one; none where it is about the cube.
        batches: what was rolled: equities of the two boards, or of no double and double and take.
    """

    row: DecisionRow
    scene: DecisionBoards
    boards: tuple[Board, ...]
    batches: list[tuple[float, ...]] = field(default_factory=list)

    def values(self) -> tuple[list[float], list[float]]:
        """Of every batch the equity of what was done and of the best, for the player who decides."""
        first, second = ([each[at] for each in self.batches] for at in (0, 1))
        if self.boards:
            return first, second
        take = sum(second) / len(second)
        passed = [1.0] * len(second)
        if self.row.kind in ("take", "pass"):
            answers = {"take": [-each for each in second], "pass": [-each for each in passed]}
            other = "pass" if self.row.kind == "take" else "take"
            return answers[self.row.kind], answers[other]
        # A double is worth what its best answer leaves: one answer for all batches, or their means would not add up.
        double = second if take < 1 else passed
        return (first, double) if self.row.kind == "no double" else (double, first)

    @property
    def judgement(self) -> RolloutJudgement | None:
        """What the batches say; None before there are enough."""
        if len(self.batches) < STEP:
            return None
        made, best = self.values()
        return judge_differences([other - own for own, other in zip(made, best, strict=True)])

    @property
    def is_settled(self) -> bool:
        """Whether further batches would tell little."""
        found = self.judgement
        if found is None or len(self.batches) % STEP:
            return False
        return len(self.batches) >= MOST or found.half <= PRECISE or abs(found.loss) > CLEAR * found.half

    @property
    def doubt(self) -> float:
        """The chance, 0 to 1, that the loss has another sign than it seems now.

        It follows from the batches; before there are enough, from how far engines are off at such a loss.
        """
        found = self.judgement
        stated = self.row.loss or 0.0
        if found is None:
            return 1 - _NORMAL.cdf(stated / (_SPREAD[0] + _SPREAD[1] * stated))
        if found.error == 0:
            return 0.0
        tails = student_tails(found.loss / found.error, len(self.batches) - 1)
        return min(tails / 2, 1 - tails / 2)

    def questions(self, at_once: int) -> list[RolloutQuestion]:
        """The next batches, as many as are rolled at a time, at most up to the end of a step."""
        position = self.scene.position
        begun = len(self.batches)
        end = min(begun + max(at_once // max(len(self.boards), 1), 1), begun - begun % STEP + STEP)
        return [RolloutQuestion(position.board, position.state, self.boards, batch) for batch in range(begun, end)]


def confirm(
    analysis: Analysis,
    roller: Roller,
    *,
    seconds: float | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Analysis:
    """An analysis whose errors carry a verdict by rollout.

    The largest doubts go first: of all errors that are not settled, always the one whose loss is likeliest to have the
    other sign.

    Args:
        analysis: the analysis; what is not an error of any class is left as it is.
        roller: what rolls out.
        seconds: how long it may take, to the end of the batches in hand; None for as long as it takes.
        progress: told how far it is.
        clock: seconds since some moment.

    Raises:
        ValueError: a limit that is not positive.
    """
    if seconds is not None and seconds <= 0:
        raise ValueError(f"the time for rollouts has to be positive, not {seconds:g} s")
    rows = confirm_decisions(analysis.decisions, roller, seconds, progress, clock)
    return replace(
        analysis,
        decisions=rows,
        turns=_with_verdicts(analysis.turns, rows),
        conventions=replace(analysis.conventions, rollouts=describe_roller(roller)),
        notes=(*analysis.notes, summary(rows)),
    )


def describe_roller(roller: Roller) -> str:
    """What rolls out, in words."""
    stamp = roller.stamp
    return f"{stamp.engine} {stamp.version}, {stamp.met}, batches of {roller.games} games"


def confirm_decisions(
    decisions: Sequence[DecisionRow],
    roller: Roller,
    seconds: float | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[DecisionRow, ...]:
    """Decisions, of which the errors carry a verdict by rollout; see `confirm`."""
    cases = {number: case for number, row in enumerate(decisions) if (case := _case(row, roller)) is not None}
    start = clock()
    _roll(list(cases.values()), roller, None if seconds is None else start + seconds, start, progress, clock)
    return tuple(
        _with_verdict(row, cases.get(number), roller.games) if row.error else row
        for number, row in enumerate(decisions)
    )


def _case(row: DecisionRow, roller: Roller) -> _ErrorBatches | None:
    """An error that can be rolled out; None for everything else."""
    scene = scene_of(row) if row.error and row.depth not in LOOKED_UP else None
    if scene is None or roller.refusal(scene.position.board, scene.position.state) is not None:
        return None
    if scene.is_play:
        made, best = scene.made, scene.best
        if made is None or best is None or made.is_over or best.is_over:
            return None
        return _ErrorBatches(row, scene, (made, best))
    beaver = any("beaver" in choice.choice.lower() for choice in row.choices)
    about = row.kind in ("no double", "double", "take", "pass")
    return _ErrorBatches(row, scene, ()) if about and not beaver else None


def _roll(
    cases: Sequence[_ErrorBatches],
    roller: Roller,
    end: float | None,
    start: float,
    progress: Progress | None,
    clock: Callable[[], float],
) -> None:
    """Give batches to the largest doubts until all are settled or the time is over."""
    while open_ := [case for case in cases if not case.is_settled]:
        if end is not None and clock() >= end:
            break
        # A case in the middle of a step goes first, then the one with the largest doubt.
        case = max(open_, key=lambda case: (len(case.batches) % STEP > 0, case.doubt))
        case.batches.extend(roller.roll(case.questions(roller.at_once)))
        if progress is None:
            continue
        if end is None:
            done = sum(len(each.batches) for each in cases)
            progress(done, done + sum(STEP - len(each.batches) % STEP for each in cases if not each.is_settled))
        else:
            progress(min(clock(), end) - start, end - start)


def _with_verdict(row: DecisionRow, case: _ErrorBatches | None, games: int) -> DecisionRow:
    """An error with its verdict. An error whose value is looked up needs no rollout."""
    if row.depth in LOOKED_UP:
        return replace(row, verdict="confirmed")
    found = None if case is None else case.judgement
    if case is None or found is None:
        return row
    made, best = case.values()
    choices = tuple(_with_rollout(choice, made, best, row) for choice in row.choices)
    return replace(
        row,
        verdict=found.verdict(row.loss or 0.0),
        rollout_loss=found.loss,
        rollout_error=found.error,
        rollout_games=games * len(case.batches),
        choices=choices,
    )


def _with_verdicts(turns: Sequence[TurnRow], rows: Sequence[DecisionRow]) -> tuple[TurnRow, ...]:
    """Turns with the verdict on the costliest error of their player."""
    found: dict[tuple[int, int, int], Verdict] = {}
    for row in sorted(rows, key=lambda row: row.loss or 0.0):
        if row.error:
            found[row.game, row.entry, row.player] = row.verdict
    return tuple(replace(turn, verdict=found.get((turn.game, turn.entry, turn.player), "")) for turn in turns)


def _with_rollout(choice: ChoiceRow, made: list[float], best: list[float], row: DecisionRow) -> ChoiceRow:
    """The choice that was made and the best one with their equity by rollout."""
    values = made if choice.made else best if choice.rank == 1 else None
    if values is None:
        return choice
    found = judge_differences(values)
    return replace(choice, rollout=found.loss, rollout_error=found.error)


VERDICTS: Final[tuple[Verdict, ...]] = ("confirmed", "smaller", "too close to call", "overturned")


def count_verdicts(rows: Sequence[DecisionRow]) -> Mapping[Verdict, int]:
    """How many errors have each verdict, and "" how many have none."""
    errors = [row for row in rows if row.error]
    return {verdict: sum(row.verdict == verdict for row in errors) for verdict in (*VERDICTS, "")}


def summary(rows: Sequence[DecisionRow]) -> str:
    """What became of the errors, as a sentence."""
    counts = count_verdicts(rows)
    told = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]]
    if counts[""]:
        told.append(f"{counts['']} not rolled out")
    return f"Errors judged again by rollout: {', '.join(told) or 'there is none'}."
