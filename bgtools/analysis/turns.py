"""From the replay to rows and questions: what was decided at each turn, and what to ask an engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.analysis.pips import Pips, pips_of
from bgtools.analysis.rows import DecisionRow, TurnRow
from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckQuestion
from bgtools.ids import encode_xgid
from bgtools.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.replay import OrderViolation, TurnFault
from bgtools.rules import are_dice, explain_double

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.analysis.rows import DecisionKind
    from bgtools.engines.protocol import LuckConvention
    from bgtools.position import Dice, Position
    from bgtools.replay import GameReplay, Turn
    from bgtools.rules import MatchState


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn's row before the engine has spoken, and the question about its roll.

    Attributes:
        row: without luck and loss.
        state: match state of the turn, seen by the player.
        question: None where there is no roll to value.
    """

    row: TurnRow
    state: MatchState
    question: LuckQuestion | None


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision's row before the engine has spoken, and the question about it.

    Attributes:
        row: without values.
        turn: index of its turn among all turns.
        state: match state of the decision, seen by the player who decides.
        question: None where it cannot be judged; ``row.note`` says why.
    """

    row: DecisionRow
    turn: int
    state: MatchState
    question: CheckerQuestion | CubeQuestion | None


def open_match(
    games: Iterable[GameReplay], names: tuple[str, str], convention: LuckConvention
) -> tuple[tuple[OpenTurn, ...], tuple[OpenDecision, ...]]:
    """List the turns and the decisions of a match in the order in which they happened.

    A player who could double and rolled decided not to double, except before the first roll of a
    game (R03) and with a dead cube (R36).
    """
    turns: list[OpenTurn] = []
    decisions: list[OpenDecision] = []
    for game in games:
        for turn in game.turns:
            opening = _is_opening(game, turn)
            decisions.extend(_decisions(game, turn, names, len(turns), opening=opening))
            turns.append(_open_turn(game, turn, names, convention, opening=opening))
    return tuple(turns), tuple(decisions)


def _is_opening(game: GameReplay, turn: Turn) -> bool:
    """By its index in the game: a board can look like the start again later."""
    return isinstance(turn.entry, CheckerPlay) and turn.roll == 0 and game.game.start is None


def _open_turn(
    game: GameReplay, turn: Turn, names: tuple[str, str], convention: LuckConvention, *, opening: bool
) -> OpenTurn:
    entry, state = turn.entry, turn.state
    dice = _dice(turn)
    question = None
    if dice is not None and not _is_after_end(turn):
        question = LuckQuestion(turn.before, dice, state, opening, convention)
    pips = pips_of(turn)
    row = TurnRow(
        game=game.index + 1,
        turn=turn.index + 1,
        player=turn.player,
        name=names[turn.player],
        action=_action(turn),
        score=state.score,
        length=state.length,
        crawford=state.crawford,
        cube=state.cube.value,
        cube_owner=state.cube.owner,
        dice=_dice_text(dice),
        opening=opening,
        xgid=encode_xgid(*_frame(turn), dice),
        pips=pips.own,
        opponent_pips=pips.other,
        pips_after=pips.own_after,
        opponent_pips_after=pips.other_after,
        played=_played(turn),
        legal=not turn.violations,
        note="" if question is not None or not isinstance(entry, CheckerPlay) else "no valid roll",
    )
    return OpenTurn(row, state, question)


def _decisions(
    game: GameReplay, turn: Turn, names: tuple[str, str], number: int, *, opening: bool
) -> Iterable[OpenDecision]:
    entry = turn.entry
    pips = pips_of(turn)
    if isinstance(entry, CheckerPlay):
        dice = _dice(turn)
        if _is_after_end(turn):
            return
        state = turn.state
        if not opening and dice is not None and not state.is_cube_dead and explain_double(state) is None:
            still = Pips(pips.own, pips.other, pips.own, pips.other)
            row = _row(game, turn, names, "no double", still, None, "No double", legal=True)
            yield OpenDecision(row, number, state, CubeQuestion(turn.before, state))
        if dice is not None and turn.play is None and not turn.violations:
            return  # rolled, and the game was given up
        row = _row(game, turn, names, "checker play", pips, dice, _played(turn), legal=turn.play is not None)
        question = None
        if dice is not None and turn.play is not None:
            question = CheckerQuestion(turn.before, dice, state, turn.play.result)
        yield OpenDecision(row, number, state, question)
    elif not isinstance(entry, Resign | AutomaticDouble):
        kind = _CUBE_KINDS[type(entry)]
        legal = turn.is_legal
        row = _row(game, turn, names, kind, pips, None, _played(turn), legal=legal)
        position, state = _frame(turn)
        # A raccoon is left out: no convention rates it.
        asked = legal and not (isinstance(entry, Beaver) and entry.raccoon)
        yield OpenDecision(row, number, turn.state, CubeQuestion(position, state) if asked else None)


_CUBE_KINDS: dict[type, DecisionKind] = {Double: "double", Take: "take", Drop: "pass", Beaver: "beaver"}


def _row(
    game: GameReplay,
    turn: Turn,
    names: tuple[str, str],
    kind: DecisionKind,
    pips: Pips,
    dice: Dice | None,
    played: str,
    *,
    legal: bool,
) -> DecisionRow:
    state = turn.state
    return DecisionRow(
        game=game.index + 1,
        turn=turn.index + 1,
        player=turn.player,
        name=names[turn.player],
        kind=kind,
        score=state.score,
        length=state.length,
        crawford=state.crawford,
        cube=state.cube.value,
        cube_owner=state.cube.owner,
        dice=_dice_text(dice),
        xgid=encode_xgid(*_frame(turn), dice),
        pips=pips.own,
        opponent_pips=pips.other,
        pips_after=pips.own_after,
        opponent_pips_after=pips.other_after,
        played=played,
        legal=legal,
        note="" if legal else "illegal, or not recorded",
    )


def _frame(turn: Turn) -> tuple[Position, MatchState]:
    """Board and state of a turn's decision: a take or a pass is seen by the player who doubled."""
    if isinstance(turn.entry, (Take, Drop)) or (isinstance(turn.entry, Beaver) and not turn.entry.raccoon):
        return turn.before.flipped(), turn.state.flipped()
    return turn.before, turn.state


def _dice(turn: Turn) -> Dice | None:
    if isinstance(turn.entry, CheckerPlay) and turn.entry.dice is not None and are_dice(turn.entry.dice):
        return turn.entry.dice
    return None


def _dice_text(dice: Dice | None) -> str:
    return f"{max(dice)}{min(dice)}" if dice else ""


def _is_after_end(turn: Turn) -> bool:
    return any(isinstance(found, OrderViolation) and found.fault is TurnFault.AFTER_END for found in turn.violations)


def _action(turn: Turn) -> str:
    match turn.entry:
        case CheckerPlay():
            return "roll"
        case Double():
            return "double"
        case Take():
            return "take"
        case Drop():
            return "drop"
        case Beaver(raccoon=raccoon):
            return "raccoon" if raccoon else "beaver"
        case AutomaticDouble():
            return "automatic double"
        case Resign():
            return "resign"
        case SetBoard():
            return "set position"


def _played(turn: Turn) -> str:
    """What was done, in words."""
    match turn.entry:
        case CheckerPlay() as entry:
            if turn.play is None:
                return str(entry.text)
            return str(turn.play) or "Cannot Move"
        case Double():
            return f"Double to {2 * turn.state.cube.value}"
        case Resign(level=level):
            return "Resigns" + {1: " a single game", 2: " a gammon", 3: " a backgammon"}.get(level or 0, "")
        case Drop():
            return "Pass"
        case _:
            return _action(turn).capitalize()
