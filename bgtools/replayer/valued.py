"""Analyses on their boards: equities in the unit that a format counts, plays hop by hop, levels in plies.

No file says by which match equity table it was made, so the usual one is taken for all.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Final

from bgtools.board.movement import find_play
from bgtools.board.play import HopText
from bgtools.met.finding import default
from bgtools.record.record import Beaver, CheckerPlay, Drop, Take

if TYPE_CHECKING:
    from bgtools.board.board import Board, Dice
    from bgtools.record.annotation import Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis, Unit
    from bgtools.replayer.turn import Turn
    from bgtools.rules.cube import MatchState

_MOST_PIPS: Final = 6
"""The pips of the largest number of a roll."""
_PLIES: Final = re.compile(r"(\d{1,2})[- ]?ply\b.*", re.IGNORECASE)


# --- units ----------------------------------------------------------------------------------


def in_unit(value: float | None, given: Unit, unit: Unit, state: MatchState, *, is_loss: bool = False) -> float | None:
    """An equity, or a loss of equity, in another unit; None where there is none, or where the match equity table or the
    numbers of this machine end.

    Args:
        value: the equity, seen by the player on roll.
        given: the unit of the value.
        unit: the unit to give it in.
        state: score and cube of the decision, seen by the player on roll.
        is_loss: whether it is a difference of equities.
    """
    if value is None or given == unit:
        return value
    try:
        lose, win = default().anchors(state)
        if is_loss:
            told = value * (win - lose) / 2 if unit == "mwc" else 2 * value / (win - lose)
        else:
            told = default().mwc(state, value) if unit == "mwc" else default().emg(state, value)
    except (ValueError, ZeroDivisionError):
        return None
    return told if isfinite(told) else None


def evaluation_in(evaluation: Evaluation, unit: Unit, state: MatchState) -> Evaluation | None:
    """An evaluation with its equities in a unit; None where they cannot be told in it."""
    if evaluation.unit == unit:
        return evaluation
    given = (evaluation.equity, evaluation.cubeless)
    told = [in_unit(value, evaluation.unit, unit, state) for value in given]
    if any(value is None and before is not None for value, before in zip(told, given, strict=True)):
        return None
    return replace(evaluation, equity=told[0], cubeless=told[1], unit=unit)


def plays_in(plays: PlayAnalysis, unit: Unit, state: MatchState) -> PlayAnalysis | None:
    """The analysis of a roll in a unit; None where it cannot be told in it."""
    figures = [evaluation_in(each.evaluation, unit, state) for each in plays.candidates]
    if all(new is each.evaluation for new, each in zip(figures, plays.candidates, strict=True)):
        return plays
    candidates = tuple(
        replace(each, evaluation=figure)
        for each, figure in zip(plays.candidates, figures, strict=True)
        if figure is not None
    )
    if len(candidates) < len(figures):
        return None
    given = plays.candidates[0].evaluation.unit
    return replace(plays, candidates=candidates, error=in_unit(plays.error, given, unit, state, is_loss=True))


def cube_in(cube: CubeAnalysis, unit: Unit, state: MatchState) -> CubeAnalysis | None:
    """The analysis of a cube decision in a unit; None where it cannot be told in it."""
    given = cube.no_double.unit
    no_double, double_take = (evaluation_in(each, unit, state) for each in (cube.no_double, cube.double_take))
    if no_double is None or double_take is None:
        return None
    return replace(
        cube,
        no_double=no_double,
        double_take=double_take,
        double_drop=in_unit(cube.double_drop, given, unit, state),
        error=in_unit(cube.error, given, unit, state, is_loss=True),
        answer_error=in_unit(cube.answer_error, given, unit, state, is_loss=True),
    )


def cube_state(turn: Turn) -> MatchState:
    """Score and cube seen by the player who could double: they also see the figures of a turn's cube decision."""
    entry = turn.entry
    answers = isinstance(entry, Take | Drop) or (isinstance(entry, Beaver) and not entry.raccoon)
    return turn.state.flipped() if answers else turn.state


# --- plays ----------------------------------------------------------------------------------


def with_every_play(plays: PlayAnalysis, turn: Turn) -> PlayAnalysis:
    """The analysis of a roll with every legal play told hop by hop.

    The board after the turn tells which of them was made. Where that play is not legal, or not known, the file's own
    word counts.
    """
    stated = plays.chosen if plays.chosen is not None and 0 <= plays.chosen < len(plays.candidates) else None
    dice = turn.entry.dice if isinstance(turn.entry, CheckerPlay) else None
    if dice is None:
        return replace(plays, chosen=stated)
    told = [_hop_by_hop(each, turn.before, dice) for each in plays.candidates]
    if turn.play is None:
        return replace(plays, candidates=tuple(told), chosen=stated)
    made = turn.play.result
    results = (find_play(turn.before, dice, each.hops) for each in told)
    chosen = next((number for number, play in enumerate(results) if play is not None and play.result == made), None)
    return replace(plays, candidates=tuple(told), chosen=chosen)


def _hop_by_hop(candidate: Candidate, board: Board, dice: Dice) -> Candidate:
    legs = [leg for hop in candidate.hops for leg in hop.legs]
    if len(legs) == len(candidate.hops) and all(0 < start - end <= _MOST_PIPS for start, end in legs):
        return candidate
    play = find_play(board, dice, candidate.hops)
    if play is None:
        return candidate
    return replace(candidate, hops=tuple(HopText((hop.start, hop.end), (False,)) for hop in play.hops))


def best_of(plays: PlayAnalysis) -> int:
    """The number of the best play among those that were looked at as hard as the first."""
    first = plays.candidates[0].level.name
    equities = [
        (each.evaluation.equity, -number)
        for number, each in enumerate(plays.candidates)
        if each.level.name == first and each.evaluation.equity is not None
    ]
    return -max(equities, default=(0.0, 0))[1]


def with_made(plays: PlayAnalysis, most: int | None) -> PlayAnalysis:
    """The first plays of an analysis, among them the best and the one that was made.

    Args:
        plays: the analysis, as `with_every_play` gives it.
        most: how many there may be, two at least; None for any number.
    """
    if most is None or len(plays.candidates) <= most:
        return plays
    needed = {best_of(plays)} | ({plays.chosen} if plays.chosen is not None else set())
    room = most - len(needed)
    others = [number for number in range(len(plays.candidates)) if number not in needed][:room]
    kept = sorted((*needed, *others))
    chosen = kept.index(plays.chosen) if plays.chosen is not None else None
    return replace(plays, candidates=tuple(plays.candidates[number] for number in kept), chosen=chosen)


# --- levels ---------------------------------------------------------------------------------


def plies(level: Level, program: str) -> int | None:
    """How many plies a level looks ahead, counted from 0 as GNU Backgammon does; None where its name tells none.

    eXtreme Gammon, and most others, count the same from 1.
    """
    found = _PLIES.fullmatch(level.name)
    if not found:
        return None
    return int(found[1]) if "gnu" in program.casefold() else max(int(found[1]) - 1, 0)
