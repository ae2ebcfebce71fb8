"""The whole analysis of a match: rows of decisions and turns, totals by player and by game.

`analyse` asks an engine a handful of batches of questions, whatever the length of the match. Without
an engine it gives the same rows less what needs one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from bgtools.analysis.details import with_details
from bgtools.analysis.errors import THRESHOLDS, Thresholds, ThresholdsName, total_errors
from bgtools.analysis.fibs import estimate
from bgtools.analysis.judge import judge_checker, judge_cube_decision, judge_resigning, refuse
from bgtools.analysis.luck import luck_class, total_luck
from bgtools.analysis.notes import left_out, unknown_rules
from bgtools.analysis.pips import pip_course
from bgtools.analysis.ratings import rate
from bgtools.analysis.result import AdjustedResult, adjusted_match, adjusted_money
from bgtools.analysis.totals import Analysis, Conventions, GameTotals, MatchTotals, PlayerTotals
from bgtools.analysis.turns import open_match
from bgtools.engines import (
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckConvention,
    LuckQuestion,
    RecordedEngine,
    Refused,
)
from bgtools.replayer import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bgtools.analysis.rows import DecisionRow, ErrorClass, TurnRow
    from bgtools.analysis.turns import OpenDecision, OpenTurn
    from bgtools.engines import Engine, LuckAnswer
    from bgtools.record import Match
    from bgtools.replayer import GameReplay

    Progress = Callable[[str, int, int], None]
    """Called with what is being valued (``plays``, ``cube``, ``luck``), units done, units in all."""


def analyse(
    match: Match,
    engine: Engine | None = None,
    *,
    progress: Progress | None = None,
    thresholds: Thresholds | ThresholdsName = "xg",
    luck: LuckConvention | None = None,
    games: Sequence[GameReplay] | None = None,
) -> Analysis:
    """Analyse a match.

    Args:
        match: the record.
        engine: what values the positions; None for the figures that need none.
        progress: told how far it is.
        thresholds: from which loss on a decision is an error, and how bad a one: a name of `THRESHOLDS`, or others.
        luck: what opening rolls are compared with; None for ``gnubg30``, or, where the figures stand in
            the record, for what they were compared with there.
        games: the replay of ``match``, where the caller has it.

    Raises:
        ValueError: no thresholds or luck convention of that name.
    """
    _known("thresholds", thresholds, THRESHOLDS)
    _known("luck", luck, get_args(LuckConvention))
    games = replay(match) if games is None else games
    thresholds = THRESHOLDS[thresholds] if isinstance(thresholds, str) else thresholds
    luck = luck or common_luck((engine,))
    names = (match.players[0] or "Player 1", match.players[1] or "Player 2")
    open_turns, open_decisions = open_match(games, names, luck)
    turns = [turn.row for turn in open_turns]
    decisions = [decision.row for decision in open_decisions]
    depth = ""
    if engine is not None:
        decisions = _judged(open_decisions, engine, thresholds, progress)
        turns, depth = _rolled(open_turns, engine, progress)
        turns = _with_losses(turns, open_decisions, decisions, thresholds)
        decisions = [
            replace(row, luck=turns[item.turn].luck) if row.kind == "checker play" else row
            for item, row in zip(open_decisions, decisions, strict=True)
        ]
    length = match.length or 0
    totals = [_totals(player, names, turns, decisions, length, thresholds, engine) for player in (0, 1)]
    adjusted = None if engine is None else _adjusted(games, turns, length, names, engine)
    if adjusted is not None:
        totals = [replace(total, luck_adjusted_result=adjusted[total.player]) for total in totals]
    if length:
        totals = [_with_fibs(total, length) for total in totals]
    final = games[-1].score_after if games else (0, 0)
    winner = next((player for player in (0, 1) if length and final[player] >= length), None)
    stamp = engine.stamp if engine is not None else None
    analysis = Analysis(
        MatchTotals(names, length, len(games), final, winner),
        Conventions(
            stamp.engine if stamp else "",
            stamp.version if stamp else "",
            stamp.level if stamp else "",
            stamp.met if stamp else "",
            luck,
            depth,
            thresholds,
            not length and bool(match.rules.jacoby),
            not length and bool(match.rules.beavers),
            stamp is not None and stamp.is_recorded,
        ),
        (totals[0], totals[1]),
        tuple(_game(game, turns, decisions, names, length, thresholds, engine) for game in games),
        tuple(decisions),
        tuple(turns),
        pip_course(games),
        (*left_out(decisions, turns), *unknown_rules(match.rules, length))
        if engine is not None
        else ("No engine: luck, errors and ratings are left out.",),
    )
    return with_details(analysis, games, match.rules)


def _known(what: str, name: object, names: Iterable[str]) -> None:
    """Refuse a name that there is not, before it stands as a convention beside figures that follow another."""
    if isinstance(name, str) and name not in names:
        raise ValueError(f"{what}: there is no {name!r}; there are: {', '.join(names)}")


def common_luck(engines: Iterable[Engine | None]) -> LuckConvention:
    """What opening rolls are compared with if nobody says: what a program did whose figures stand in the record."""
    recorded = [engine.luck_convention for engine in engines if isinstance(engine, RecordedEngine)]
    return recorded[0] if recorded else "gnubg30"


# --- asking ---------------------------------------------------------------------------------


def _judged(
    decisions: Sequence[OpenDecision], engine: Engine, thresholds: Thresholds, progress: Progress | None
) -> list[DecisionRow]:
    """Ask about all plays in one batch, about all cube decisions in another, and what else resignations need."""
    plays = list(dict.fromkeys(item.question for item in decisions if isinstance(item.question, CheckerQuestion)))
    cubes = list(dict.fromkeys(item.question for item in decisions if isinstance(item.question, CubeQuestion)))
    rolls = list(dict.fromkeys(item.question for item in decisions if isinstance(item.question, LuckQuestion)))
    answers: dict[object, CheckerAnswer | CubeAnswer | LuckAnswer | Refused] = {}
    answers |= zip(plays, engine.checker(plays, _stage("plays", progress)), strict=True)
    answers |= zip(cubes, engine.cube(cubes, _stage("cube", progress)), strict=True)
    if rolls:
        answers |= zip(rolls, engine.luck(rolls), strict=True)
    return [
        _judge(item, None if item.question is None else answers[item.question], engine, thresholds)
        for item in decisions
    ]


def _judge(
    item: OpenDecision,
    answer: CheckerAnswer | CubeAnswer | LuckAnswer | Refused | None,
    engine: Engine,
    thresholds: Thresholds,
) -> DecisionRow:
    if answer is None or isinstance(answer, Refused):
        return refuse(item, answer)
    if item.resignation is not None:
        return judge_resigning(item, answer, engine, thresholds)
    if isinstance(answer, CheckerAnswer):
        return judge_checker(item, answer, engine, thresholds)
    assert isinstance(answer, CubeAnswer)
    assert isinstance(item.question, CubeQuestion)
    return judge_cube_decision(item, item.question, answer, engine, thresholds)


def _rolled(turns: Sequence[OpenTurn], engine: Engine, progress: Progress | None) -> tuple[list[TurnRow], str]:
    """Ask about the luck of all rolls in one batch; also how deep the engine looked."""
    questions = list(dict.fromkeys(turn.question for turn in turns if turn.question is not None))
    answers = dict(zip(questions, engine.luck(questions, _stage("luck", progress)), strict=True))
    rows: list[TurnRow] = []
    depths: set[str] = set()
    for turn in turns:
        if turn.question is None:
            rows.append(turn.row)
            continue
        answer: LuckAnswer | Refused = answers[turn.question]
        if isinstance(answer, Refused):
            rows.append(replace(turn.row, note=answer.reason))
            continue
        depths.add(answer.depth)
        rows.append(
            replace(
                turn.row,
                luck=answer.luck,
                luck_mwc=answer.mwc,
                luck_points=answer.luck * turn.state.cube.value if turn.state.is_money else None,
                luck_class=luck_class(answer.luck),
            )
        )
    return rows, ", ".join(sorted(depths))


def _with_losses(
    turns: Sequence[TurnRow],
    open_decisions: Sequence[OpenDecision],
    decisions: Sequence[DecisionRow],
    thresholds: Thresholds,
) -> list[TurnRow]:
    """Give each turn what its player's decisions lost, the worst class among them, and what would have been best."""
    losses: dict[int, float] = {}
    errors: dict[int, ErrorClass] = {}
    best: dict[int, str] = {}
    for item, row in zip(open_decisions, decisions, strict=True):
        if row.loss is None or row.player != turns[item.turn].player:
            continue
        losses[item.turn] = losses.get(item.turn, 0.0) + row.loss
        errors[item.turn] = thresholds.worst(errors.get(item.turn, ""), row.error)
        # A turn without a double has two decisions; the row shows what was rolled and played.
        if turns[item.turn].action != "roll" or row.kind == "checker play":
            best[item.turn] = row.best
    return [
        replace(turn, loss=losses.get(number), error=errors.get(number, ""), best=best.get(number, ""))
        for number, turn in enumerate(turns)
    ]


def _stage(name: str, progress: Progress | None) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, total: progress(name, done, total)


# --- adding up ------------------------------------------------------------------------------


def _totals(
    player: Literal[0, 1] | int,
    names: tuple[str, str],
    turns: Iterable[TurnRow],
    decisions: Sequence[DecisionRow],
    length: int,
    thresholds: Thresholds,
    engine: Engine | None,
) -> PlayerTotals:
    if engine is None:
        return PlayerTotals(player, names[player], None, None, None, None, None)
    own = [row for row in decisions if row.player == player]
    luck = total_luck((turn for turn in turns if turn.player == player), money=not length)
    errors = total_errors(own, thresholds, money=not length)
    return PlayerTotals(player, names[player], rate(player, decisions, length=length), luck, None, None, errors)


def _with_fibs(total: PlayerTotals, length: int) -> PlayerTotals:
    if total.ratings is None:
        return total
    checker, cube = total.ratings["gnubg_checker_er"], total.ratings["gnubg_cube_er"]
    return replace(total, fibs=estimate(checker, cube, total.luck_adjusted_result, length))


def _game(
    game: GameReplay,
    turns: Sequence[TurnRow],
    decisions: Sequence[DecisionRow],
    names: tuple[str, str],
    length: int,
    thresholds: Thresholds,
    engine: Engine | None,
) -> GameTotals:
    number = game.index + 1
    own_turns = [row for row in turns if row.game == number]
    own_decisions = [row for row in decisions if row.game == number]
    first, second = (_totals(player, names, own_turns, own_decisions, length, thresholds, engine) for player in (0, 1))
    return GameTotals(
        number,
        game.game.number,
        game.score,
        game.crawford,
        sum(row.action == "roll" and row.in_game for row in own_turns),
        game.cube,
        game.ending,
        game.winner,
        game.points,
        (first, second),
    )


def _adjusted(
    games: Sequence[GameReplay], turns: Sequence[TurnRow], length: int, names: tuple[str, str], engine: Engine
) -> tuple[AdjustedResult, AdjustedResult] | None:
    if length:
        luck = [total_luck((turn for turn in turns if turn.player == player), money=False) for player in (0, 1)]
        return adjusted_match(games, length, (luck[0], luck[1]), names, engine.met)
    by_game: list[tuple[float, float] | None] = []
    for game in games:
        own = [turn for turn in turns if turn.game == game.index + 1]
        luck = [total_luck((turn for turn in own if turn.player == player), money=True) for player in (0, 1)]
        known = not luck[0].missing and not luck[1].missing
        by_game.append((luck[0].points or 0.0, luck[1].points or 0.0) if known else None)
    return adjusted_money(games, by_game, names)
