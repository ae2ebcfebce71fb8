"""Putting an engine's answer into the row of a decision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.analysis.errors import NOTHING, REPLIES, judge_cube, judge_resignation, replies, value_of_loss
from bgtools.analysis.ratings.registry import count_checker, count_cube, count_none, count_resignation
from bgtools.analysis.rows import ChoiceRow
from bgtools.board.generation import only_play
from bgtools.engines.protocol import CheckerAnswer, CheckerQuestion, CubeAnswer, Refused

if TYPE_CHECKING:
    from bgtools.analysis.errors import Thresholds
    from bgtools.analysis.rows import DecisionKind, DecisionRow
    from bgtools.analysis.turns import PendingDecision
    from bgtools.engines.protocol import Candidate, CubeQuestion, Engine, LuckAnswer, Probabilities
    from bgtools.rules.cube import MatchState

SHOWN: Final = 5
"""How many of the best plays a row keeps, besides the one that was made."""


def refuse(item: PendingDecision, answer: Refused | None) -> DecisionRow:
    """The row of a decision that was not judged."""
    note = item.row.note if answer is None else answer.reason
    asked = item.question
    forced = isinstance(asked, CheckerQuestion) and only_play(asked.position, asked.dice) is not None
    # An engine that only names a choice names that of the player on roll, never the answer to a double.
    best = answer.best if answer is not None and item.row.kind in ("checker play", "no double", "double") else ""
    row = replace(item.row, best=best, note=note)
    return replace(row, counted_by=count_none(note, forced=forced and item.resignation is None))


def judge_checker(item: PendingDecision, answer: CheckerAnswer, engine: Engine, thresholds: Thresholds) -> DecisionRow:
    """The row of a checker play."""
    played = answer.played
    loss = answer.loss
    if played is None or loss is None or answer.played_index is None:
        return replace(item.row, note="the play is not among the legal ones", best=_name(answer.best))
    best = answer.best.equity
    equities = [candidate.equity for candidate in answer.candidates]
    # Where several plays are equally good, the one that was made comes first.
    ranked = sorted(answer.by_worth, key=lambda one: one is not played) if loss == 0 else answer.by_worth
    choices = tuple(
        _choice(rank, _name(one), one.equity, best, one.depth, one.probabilities, made=one is played)
        for rank, one in enumerate(ranked, 1)
        if rank <= SHOWN or one is played
    )
    row = replace(
        item.row,
        best=choices[0].choice,
        depth=ranked[0].depth,
        error_kind="checker play" if loss > NOTHING else "",
        choices=choices,
        counted_by=count_checker(equities, answer.is_decision, loss=loss),
    )
    return _priced(row, item.state, played.equity, best, engine, thresholds)


def judge_cube_decision(
    item: PendingDecision, question: CubeQuestion, answer: CubeAnswer, engine: Engine, thresholds: Thresholds
) -> DecisionRow:
    """The row of a cube decision."""
    kind = item.row.kind
    counters = (question.state.rules.beavers or 0) if question.state.is_money else 0
    judged = judge_cube(kind, answer, counters=counters)
    # The other player answers a double or a raccoon, so the chances are turned to them.
    others = kind in REPLIES and REPLIES[kind][1] % 2 == 0
    chances = answer.probabilities
    if others and chances is not None:
        chances = chances.flipped()
    choices = _replies(kind, answer, counters) if kind in REPLIES else _offers(kind, answer, judged.best)
    row = replace(
        item.row,
        best=judged.best.capitalize(),
        depth=answer.depth,
        error_kind=judged.kind,
        detail=judged.detail,
        choices=tuple(
            _choice(rank, name, equity, judged.best_equity, answer.depth, chances, made=made)
            for rank, (name, equity, made) in enumerate(choices, 1)
        ),
        counted_by=count_cube(kind, answer, judged.loss, dead=question.state.is_cube_dead),
    )
    return _priced(row, item.state, judged.equity, judged.best_equity, engine, thresholds)


def _offers(kind: DecisionKind, answer: CubeAnswer, best: str) -> tuple[tuple[str, float, bool], ...]:
    """The choices of the player who may double, best first: name, equity, and whether it was made."""
    keeps = kind == "no double"
    wait = ("No double", answer.no_double, keeps)
    take = ("Double, beaver" if answer.is_beaver else "Double, take", answer.double_take)
    drop = ("Double, pass", answer.double_pass)
    right, wrong = (take, drop) if answer.should_take else (drop, take)
    double = (*right, not keeps)
    return (*((double, wait) if best == "double" else (wait, double)), (*wrong, False))


def _replies(kind: DecisionKind, answer: CubeAnswer, counters: int) -> tuple[tuple[str, float, bool], ...]:
    """The choices of the player who answers an offer, in the same form."""
    done = REPLIES[kind][0]
    values = replies(kind, answer, counters=counters).items()
    return tuple(
        (name.capitalize(), equity, name == done)
        for name, equity in sorted(values, key=lambda each: (-each[1], each[0] != done))
    )


def judge_resigning(
    item: PendingDecision, answer: CheckerAnswer | CubeAnswer | LuckAnswer, engine: Engine, thresholds: Thresholds
) -> DecisionRow:
    """The row of a resignation, or of its acceptance.

    Args:
        item: the decision.
        answer: the value of the position to the player on roll.
        engine: whose match equity table is used.
        thresholds: the classes of errors.
    """
    given, kind = item.resignation, item.row.kind
    assert given is not None
    worth, depth = _worth(answer)
    if not item.state.is_money and not engine.met.covers(item.state.away):
        over = min(item.state.away) < 1
        ends = f"beyond the match equity table, which ends at {engine.met.size} points away"
        return refuse(item, Refused("the match is over" if over else ends))
    resigner = item.state if kind == "resign" else item.state.flipped()
    value = value_of_loss(given.points, resigner, engine.met)
    settled = value if kind == "resign" else -value
    judged = judge_resignation(kind, settled, worth if given.on_roll else -worth)
    row = replace(
        item.row,
        best="Play on" if judged.kind else item.row.played,
        depth=depth,
        error_kind=judged.kind,
        counted_by=count_resignation(judged.loss),
    )
    best = settled + judged.loss
    # What loses less than `SETTLED` is as good as the best, and then comes first.
    given_rank, played_on_rank = (2, 1) if judged.kind else (1, 2)
    choices = (
        _choice(given_rank, item.row.played, settled, best, depth, None, made=True),
        _choice(played_on_rank, "Play on", judged.played_on, best, depth, None, made=False),
    )
    row = replace(row, choices=tuple(sorted(choices, key=lambda choice: choice.rank)))
    return _priced(row, item.state, settled, best, engine, thresholds)


def _worth(answer: CheckerAnswer | CubeAnswer | LuckAnswer) -> tuple[float, str]:
    """What a position is worth to the player on roll, and how deep the engine looked."""
    if isinstance(answer, CheckerAnswer):
        return answer.best.equity, answer.best.depth
    if isinstance(answer, CubeAnswer):
        return answer.best, answer.depth
    return answer.mean, answer.depth


def _priced(
    row: DecisionRow, state: MatchState, equity: float, best: float, engine: Engine, thresholds: Thresholds
) -> DecisionRow:
    """Fill in what the decision cost. EMG counts by the cube before the decision, which is that of the state."""
    loss = max(best - equity, 0.0)
    money = state.is_money
    # A record can hold equities at scores that the table does not cover, and of games after the match was won.
    known = not money and engine.met.covers(state.away)
    if known:
        best_chance = engine.met.mwc(state, best)
        priced = (replace(choice, chance=engine.met.mwc(state, choice.equity)) for choice in row.choices)
        row = replace(
            row,
            choices=tuple(priced),
            chance=engine.met.mwc(state, equity),
            best_chance=best_chance,
            loss_mwc=best_chance - engine.met.mwc(state, best - loss),
        )
    return replace(
        row,
        equity=equity,
        best_equity=best,
        loss=loss,
        loss_points=loss * state.cube.value if money else None,
        error=thresholds.classify(loss),
    )


def _choice(
    rank: int, name: str, equity: float, best: float, depth: str, chances: Probabilities | None, *, made: bool
) -> ChoiceRow:
    told = (rank, made, name, equity, max(best - equity, 0.0), depth)
    if chances is None:
        return ChoiceRow(*told)
    return ChoiceRow(
        *told, chances.win, chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon
    )


def _name(candidate: Candidate) -> str:
    return str(candidate.play) or "Cannot Move"
