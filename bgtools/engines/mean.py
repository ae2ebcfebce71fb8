"""The engine `mean`: what several engines say on average.

The losses of a play are averaged: by how much each engine puts it behind its own best play, at one depth. Engines
differ in the value of a position and in how deep they look at each play, so that equities could not be averaged play by
play. An engine that has left another engine's best play behind early is asked for it again.
"""

from __future__ import annotations

from dataclasses import astuple, replace
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, TypeVar

from bgtools.engines.protocol import (
    Candidate,
    CheckerAnswer,
    CubeAnswer,
    EngineUnavailable,
    LuckAnswer,
    Probabilities,
    Refused,
    Stamp,
    Traits,
    forget_match,
    quicker_of,
    traits_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bgtools.board.board import Board
    from bgtools.engines.protocol import (
        CheckerQuestion,
        CubeQuestion,
        Engine,
        LuckQuestion,
        Progress,
    )

A = TypeVar("A")


class MeanEngine:
    """The average of several engines, as an `Engine`.

    Args:
        engines: at least one.

    Raises:
        EngineUnavailable: they play by different match equity tables.
    """

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = tuple(engines)
        stamps = [engine.stamp for engine in engines]
        first = engines[0].met
        if not all(engine.met.agrees_with(first) for engine in engines):
            played = ", ".join(f"{stamp.engine} by {stamp.met}" for stamp in stamps)
            raise EngineUnavailable(f"the engine mean cannot average by different match equity tables: {played}")
        self.stamp = Stamp(
            f"mean of {' and '.join(stamp.engine for stamp in stamps)}",
            " and ".join(stamp.version for stamp in stamps),
            " and ".join(stamp.level for stamp in stamps),
            stamps[0].met,
        )
        self.met = self._engines[0].met

    def forget(self) -> None:
        """See `SageEngine.forget`."""
        for engine in self._engines:
            forget_match(engine)

    @cached_property
    def quicker(self) -> MeanEngine:
        """See `quicker_of`."""
        quicker = tuple(map(quicker_of, self._engines))
        return self if quicker == self._engines else MeanEngine(quicker)

    @property
    def traits(self) -> Traits:
        """What all engines can do; its accounts of luck count as no better than those of the best engine."""
        traits = [traits_of(engine) for engine in self._engines]
        return Traits(
            knows_cube_limit=all(each.knows_cube_limit for each in traits),
            luck_spread=min((each.luck_spread for each in traits), key=lambda spread: spread.errors),
        )

    # --- checker plays ----------------------------------------------------------------------

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """See `Engine.checker`."""
        told = self._asked(lambda engine, part: engine.checker(questions, part), len(questions), progress)
        missing: list[dict[tuple[int, Board], CheckerQuestion]] = [{} for _ in self._engines]
        behind = [self._behind(answers) for answers in told]
        for number, (question, each) in enumerate(zip(questions, behind, strict=True)):
            for result in _contenders(each):
                for lacking, known in zip(missing, each, strict=True):
                    if result not in known:
                        lacking[number, result] = replace(question, played=result)
        for at, (engine, lacking) in enumerate(zip(self._engines, missing, strict=True)):
            for (number, result), answer in zip(lacking, engine.checker([*lacking.values()]), strict=True):
                if isinstance(answer, CheckerAnswer) and answer.loss is not None:
                    behind[number][at][result] = answer.loss
        return tuple(
            self._checker_answer(question, answers, each)
            for question, answers, each in zip(questions, told, behind, strict=True)
        )

    def _behind(self, answers: Sequence[CheckerAnswer | Refused]) -> list[dict[Board, float]]:
        """For each engine the losses of the plays that it has valued as deep as its best; empty if one refuses."""
        if any(isinstance(answer, Refused) for answer in answers):
            return []
        return [
            {
                each.play.result: max(answer.best.equity - each.equity, 0.0)
                for each in answer.candidates
                if each.rank == answer.best.rank
            }
            for answer in answers
            if isinstance(answer, CheckerAnswer)
        ]

    def _checker_answer(
        self,
        question: CheckerQuestion,
        answers: Sequence[CheckerAnswer | Refused],
        behind: Sequence[Mapping[Board, float]],
    ) -> CheckerAnswer | Refused:
        refused = self._refused(answers)
        if refused is not None:
            return refused
        candidates = _averaged([answer for answer in answers if isinstance(answer, CheckerAnswer)], behind)
        if not candidates:
            return Refused("the engines have no play in common")
        candidates.sort(key=lambda each: (-each.rank, -each.equity, each.play.result.mine, each.play.result.theirs))
        made = next((at for at, each in enumerate(candidates) if each.play.result == question.played), None)
        if made is not None and candidates[made].rank < candidates[0].rank:
            return Refused("an engine has not looked at the play that was made as deep as at the best one")
        return CheckerAnswer(tuple(candidates), made, self.stamp)

    # --- cube and luck ----------------------------------------------------------------------

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """See `Engine.cube`."""
        told = self._asked(lambda engine, part: engine.cube(questions, part), len(questions), progress)
        return tuple(self._cube_answer(question, answers) for question, answers in zip(questions, told, strict=True))

    def _cube_answer(self, question: CubeQuestion, answers: Sequence[CubeAnswer | Refused]) -> CubeAnswer | Refused:
        refused = self._refused(answers)
        if refused is not None:
            return refused
        valued = [answer for answer in answers if isinstance(answer, CubeAnswer)]
        # A beaver doubles the value of a take; the average is made of takes.
        take = fmean(each.double_take / 2 if each.is_beaver else each.double_take for each in valued)
        beaver = question.state.is_money and bool(question.state.rules.beavers) and take < 0
        return CubeAnswer(
            fmean(each.no_double for each in valued),
            2 * take if beaver else take,
            fmean(each.double_pass for each in valued),
            _mean_chances([each.probabilities for each in valued]),
            " and ".join(dict.fromkeys(each.depth for each in valued)),
            self.stamp,
            beaver,
        )

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """See `Engine.luck`."""
        told = self._asked(lambda engine, part: engine.luck(questions, part), len(questions), progress)
        return tuple(map(self._luck_answer, told))

    def _luck_answer(self, answers: Sequence[LuckAnswer | Refused]) -> LuckAnswer | Refused:
        refused = self._refused(answers)
        if refused is not None:
            return refused
        valued = [answer for answer in answers if isinstance(answer, LuckAnswer)]
        changes = [answer.mwc for answer in valued if answer.mwc is not None]
        return LuckAnswer(
            fmean(answer.equity for answer in valued),
            fmean(answer.mean for answer in valued),
            fmean(changes) if len(changes) == len(valued) else None,
            " and ".join(dict.fromkeys(answer.depth for answer in valued)),
            self.stamp,
        )

    # --- all of them ------------------------------------------------------------------------

    def _asked(
        self, ask: Callable[[Engine, Progress | None], tuple[A, ...]], count: int, progress: Progress | None
    ) -> list[tuple[A, ...]]:
        """What each engine answers, question by question."""
        answers = [ask(engine, self._part(progress, at, count)) for at, engine in enumerate(self._engines)]
        return list(zip(*answers, strict=True))

    def _part(self, progress: Progress | None, at: int, count: int) -> Progress | None:
        if progress is None:
            return None
        of = len(self._engines)
        return lambda done, total: progress((at * count + done * count // max(total, 1)) // of, count)

    def _refused(self, answers: Iterable[object]) -> Refused | None:
        """The refusal of an engine that has no answer, so that there is no average; None where all have one."""
        for engine, answer in zip(self._engines, answers, strict=True):
            if isinstance(answer, Refused):
                return Refused(f"{engine.stamp.engine}: {answer.reason}")
        return None


def _averaged(answers: Sequence[CheckerAnswer], behind: Sequence[Mapping[Board, float]]) -> list[Candidate]:
    """The plays that all engines list. A play that all have valued as deep as their best has the higher rank."""
    listed = [{each.play.result: each for each in answer.candidates} for answer in answers]
    top = fmean(answer.best.equity for answer in answers)
    candidates: list[Candidate] = []
    for result, first in listed[0].items():
        same = [others[result] for others in listed if result in others]
        if len(same) < len(listed):
            continue
        losses = [
            known.get(result, max(answer.best.equity - each.equity, 0.0))
            for known, answer, each in zip(behind, answers, same, strict=True)
        ]
        depths = " and ".join(dict.fromkeys(each.depth for each in same))
        chances = _mean_chances([each.probabilities for each in same])
        rank = 2 if all(result in known for known in behind) else 1
        candidates.append(Candidate(first.play, top - fmean(losses), chances, depths, rank))
    return candidates


def _contenders(behind: Sequence[Mapping[Board, float]]) -> list[Board]:
    """The best play of every engine, each play once, always in the same order."""
    found = [min(known, key=lambda result: (known[result], result.mine, result.theirs)) for known in behind if known]
    return list(dict.fromkeys(found))


def _mean_chances(chances: Sequence[Probabilities | None]) -> Probabilities | None:
    known = [astuple(each) for each in chances if each is not None]
    if len(known) < len(chances):
        return None
    return Probabilities(*map(fmean, zip(*known, strict=True)))
