"""Putting an engine's answer into the row of a decision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.analysis.errors import NOTHING, judge_cube
from bgtools.analysis.ratings import gnubg_checker, gnubg_cube, xg_checker, xg_cube
from bgtools.analysis.rows import ChoiceRow, Count

if TYPE_CHECKING:
    from bgtools.analysis.errors import Thresholds
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.turns import OpenDecision
    from bgtools.engines.protocol import (
        Candidate,
        CheckerAnswer,
        CubeAnswer,
        CubeQuestion,
        Engine,
        Probabilities,
        Refused,
    )
    from bgtools.rules import MatchState

SHOWN: Final = 5
"""How many of the best plays a row keeps, besides the one that was made."""


def refuse(item: OpenDecision, answer: Refused | None) -> DecisionRow:
    """The row of a decision that was not judged."""
    note = item.row.note if answer is None else answer.reason
    return replace(
        item.row, note=note or "not rated by any convention", xg=Count(False, note), gnubg=Count(False, note)
    )


def judge_checker(item: OpenDecision, answer: CheckerAnswer, engine: Engine, thresholds: Thresholds) -> DecisionRow:
    """The row of a checker play."""
    played = answer.played
    loss = answer.loss
    if played is None or loss is None or answer.played_index is None:
        return replace(item.row, note="the play is not among the legal ones", best=_name(answer.best))
    shown = list(answer.candidates[:SHOWN])
    if answer.played_index >= SHOWN:
        shown.append(played)
    best = answer.best.equity
    equities = [candidate.equity for candidate in answer.candidates]
    row = replace(
        item.row,
        best=_name(answer.best),
        depth=answer.best.depth,
        error_kind="checker play" if loss > NOTHING else "",
        xg=xg_checker(equities),
        gnubg=gnubg_checker(equities),
        choices=tuple(_choice(_name(one), one.equity, best, one.depth, one.probabilities) for one in shown),
    )
    return _priced(row, item.state, played.equity, best, engine, thresholds)


def judge_cube_decision(
    item: OpenDecision, question: CubeQuestion, answer: CubeAnswer, engine: Engine, thresholds: Thresholds
) -> DecisionRow:
    """The row of a cube decision."""
    kind = item.row.kind
    beavers = question.state.is_money and bool(question.state.rules.beavers)
    judged = judge_cube(kind, answer, beavers=beavers)
    dead = question.state.is_cube_dead
    replies = kind in ("take", "pass", "beaver")
    chances = answer.probabilities.flipped() if replies else answer.probabilities
    choices = _replies(answer, beavers=beavers) if replies else _offers(answer)
    row = replace(
        item.row,
        best=judged.best.capitalize(),
        depth=answer.depth,
        error_kind=judged.kind,
        detail=judged.detail,
        xg=xg_cube(kind, answer, judged.loss, dead=dead),
        gnubg=gnubg_cube(kind, answer, dead=dead),
        choices=tuple(_choice(name, equity, judged.best_equity, answer.depth, chances) for name, equity in choices),
    )
    return _priced(row, item.state, judged.equity, judged.best_equity, engine, thresholds)


def _offers(answer: CubeAnswer) -> tuple[tuple[str, float], ...]:
    """The choices of the player who may double, by what the other replies."""
    return (
        ("No double", answer.no_double),
        ("Double, beaver" if answer.is_beaver else "Double, take", answer.double_take),
        ("Double, pass", answer.double_pass),
    )


def _replies(answer: CubeAnswer, *, beavers: bool) -> tuple[tuple[str, float], ...]:
    """The choices of the player who was doubled, with their equities for him."""
    take = answer.double_take / 2 if answer.is_beaver else answer.double_take
    choices = (("Take", -take), ("Pass", -answer.double_pass))
    return (*choices, ("Beaver", -2 * take)) if beavers else choices


def _priced(
    row: DecisionRow, state: MatchState, equity: float, best: float, engine: Engine, thresholds: Thresholds
) -> DecisionRow:
    """Fill in what the decision cost. The state's cube is the one before the decision, as EMG has it."""
    loss = max(best - equity, 0.0)
    money = state.is_money
    return replace(
        row,
        equity=equity,
        best_equity=best,
        loss=loss,
        loss_mwc=None if money else engine.met.mwc(state, best) - engine.met.mwc(state, best - loss),
        loss_points=loss * state.cube.value if money else None,
        error=thresholds.classify(loss),
    )


def _choice(name: str, equity: float, best: float, depth: str, chances: Probabilities) -> ChoiceRow:
    return ChoiceRow(
        name,
        equity,
        max(best - equity, 0.0),
        depth,
        chances.win,
        chances.win_gammon,
        chances.win_backgammon,
        chances.lose_gammon,
        chances.lose_backgammon,
    )


def _name(candidate: Candidate) -> str:
    return str(candidate.play) or "Cannot Move"
