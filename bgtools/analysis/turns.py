"""From the replay to rows and questions: what was decided at each turn, and what to ask an engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.errors import Resignation
from bgtools.analysis.phases import Pips, opening_name, phase_of_turn, pips_of
from bgtools.analysis.rows import DecisionRow, TurnRow
from bgtools.board.hopping import are_dice
from bgtools.board.perspective import other
from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckQuestion
from bgtools.positions.position import OFFERS, Position
from bgtools.positions.xgid import encode_xgid
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.record.state import GameState
from bgtools.rules.cube import MatchState, explain_double

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.analysis.rows import DecisionKind, Phase
    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.engines.protocol import LuckConvention
    from bgtools.positions.position import Offer
    from bgtools.record.state import Offer as CubeOffer
    from bgtools.replayer.turn import GameReplay, Turn


@dataclass(frozen=True, slots=True)
class PendingTurn:
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
class PendingDecision:
    """A decision's row before the engine has spoken, and the question about it.

    Attributes:
        row: without values.
        turn: index of its turn among all turns.
        state: match state of the decision, seen by the player who decides.
        question: None where it cannot be judged; ``row.note`` says why. About a resignation it asks what
            the position was worth: before the roll with and without access to the cube, or after it.
        position: that of the row's XGID.
        resignation: what was given up, where the decision is to resign or to accept.
    """

    row: DecisionRow
    turn: int
    state: MatchState
    question: CheckerQuestion | CubeQuestion | LuckQuestion | None
    position: Position
    resignation: Resignation | None = None


@dataclass(frozen=True, slots=True)
class _EntryContext:
    """An entry of a game, with what the rows of it have in common.

    Attributes:
        game, turn: the entry.
        row: the row in which it stands.
        offer: the double or beaver that waits for an answer before it; None without one.
        doubled: the turn of that double.
        on_roll: whose turn it is; None before the first roll.
        unplayed: a roll of theirs that has not been played.
        names: of the players.
        pips: the pip counts around it.
        phase: the part of the game, for the player whose entry it is.
        dice: their roll, if it can be one.
        xgid: the position before it, with that roll.
    """

    game: GameReplay
    turn: Turn
    row: int
    offer: CubeOffer | None
    doubled: Turn | None
    on_roll: Player | None
    unplayed: Dice | None
    names: tuple[str, str]
    pips: Pips
    phase: Phase
    dice: Dice | None
    xgid: str


def open_match(
    games: Iterable[GameReplay], names: tuple[str, str], convention: LuckConvention
) -> tuple[tuple[PendingTurn, ...], tuple[PendingDecision, ...]]:
    """List the turns and the decisions of a match in the order in which they happened.

    A player who could double and rolled decided not to double, except before the first roll of a
    game, which is one die of each (R03), and with a dead cube (R36). One who rolled after a beaver
    decided to accept it (R33).
    """
    turns: list[PendingTurn] = []
    decisions: list[PendingDecision] = []
    for moment in _moments(games, names):
        opening = moment.game.is_opening_roll(moment.turn)
        if not moment.turn.is_surplus:
            decisions.extend(_decisions(moment, len(turns), opening=opening))
        turns.append(_open_turn(moment, convention, opening=opening))
    return tuple(turns), tuple(decisions)


def turn_rows(games: Iterable[GameReplay], names: tuple[str, str]) -> Iterator[tuple[Turn, TurnRow]]:
    """The turns of a match with their rows, in the order of the record, without what an engine says of them."""
    for moment in _moments(games, names):
        yield moment.turn, _turn_row(moment)


def _moments(games: Iterable[GameReplay], names: tuple[str, str]) -> Iterator[_EntryContext]:
    """The entries of all games."""
    for game in games:
        state = GameState(MatchState(rules=game.rules))
        doubled: Turn | None = None
        rolled: Turn | None = None  # a roll that has not been played
        for turn in game.turns:
            phase, dice = phase_of_turn(game, turn, turn.player), _dice(turn)
            doubled = None if state.offer is None else doubled
            on_roll = state.turn if rolled is None else rolled.player
            unplayed = None if rolled is None else _dice(rolled)
            answered = state.offer is not None and isinstance(turn.entry, Take | Drop | Beaver)
            offer: Offer = OFFERS[min(state.offer.counters, 2)] if answered and state.offer is not None else ""
            xgid = encode_xgid(*_frame(turn, doubled), dice, offer=offer)
            pips = pips_of(turn)
            row = game.row_of(turn)
            yield _EntryContext(
                game, turn, row, state.offer, doubled, on_roll, unplayed, names, pips, phase, dice, xgid
            )
            if turn.is_surplus:
                continue
            state.follow(turn.entry)
            if isinstance(turn.entry, Double):
                doubled = turn
            elif isinstance(turn.entry, CheckerPlay):
                rolled = turn if turn.play is None and not turn.violations else None
            elif isinstance(turn.entry, SetBoard):
                rolled = None


def _open_turn(moment: _EntryContext, convention: LuckConvention, *, opening: bool) -> PendingTurn:
    turn, dice = moment.turn, moment.dice
    question = None
    if dice is not None and not turn.is_surplus:
        question = LuckQuestion(turn.before, dice, turn.state, opening, convention)
    return PendingTurn(_turn_row(moment), turn.state, question)


def _turn_row(moment: _EntryContext) -> TurnRow:
    game, turn, dice = moment.game, moment.turn, moment.dice
    is_unrolled = isinstance(turn.entry, CheckerPlay) and dice is None and not turn.is_surplus
    return TurnRow(
        **_common_to_rows(moment, turn.state, moment.pips, dice),
        action=_action(turn),
        opening=game.is_first_roll(turn),
        xgid=moment.xgid,
        played=_played(turn),
        legal=not turn.violations,
        in_game=not turn.is_surplus,
        opening_play=opening_name(game, turn),
        note="no valid roll" if is_unrolled else "",
    )


def _common_to_rows(moment: _EntryContext, state: MatchState, pips: Pips, dice: Dice | None) -> dict[str, Any]:
    """What the row of a turn and that of a decision have in common."""
    turn, cube = moment.turn, state.cube
    return {
        "game": moment.game.index + 1, "turn": turn.number, "row": moment.row, "entry": turn.index + 1,
        "player": turn.player, "name": moment.names[turn.player], "score": state.score, "length": state.length,
        "crawford": state.crawford, "cube": cube.value, "cube_owner": cube.owner, "dice": _dice_text(dice),
        "pips": pips.own, "opponent_pips": pips.other, "pips_after": pips.own_after,
        "opponent_pips_after": pips.other_after, "phase": moment.phase,
    }  # fmt: skip


def _decisions(moment: _EntryContext, number: int, *, opening: bool) -> Iterable[PendingDecision]:
    turn, offer = moment.turn, moment.offer
    entry = turn.entry
    if isinstance(entry, CheckerPlay):
        yield from _decisions_of_roll(moment, number, opening=opening)
    elif isinstance(entry, Resign):
        yield from _decisions_of_resignation(moment, number)
    elif isinstance(entry, Double | Take | Drop | Beaver):
        counters = 0 if offer is None else offer.counters
        kind = _cube_kind(turn, counters)
        board, state = _frame(turn, moment.doubled)
        legal = turn.is_legal
        answered: Offer = "" if kind == "double" or offer is None else OFFERS[min(counters, 2)]
        xgid = encode_xgid(board, state, offer=answered)
        # "Double", not "Double to 4": so the best choice is called, and the cube has a column of its own.
        played = "Double" if kind == "double" else _played(turn)
        row = _row(moment, turn.state, kind, moment.pips, xgid, played, legal=legal)
        if counters > (1 if isinstance(entry, Beaver) else 2):
            row = replace(row, note=row.note or "doubled back more often than a raccoon")
        question = None if row.note else CubeQuestion(board, state)
        yield PendingDecision(row, number, turn.state, question, Position(board, state, offer=answered))


def _decisions_of_roll(moment: _EntryContext, number: int, *, opening: bool) -> Iterable[PendingDecision]:
    turn, pips, dice = moment.turn, moment.pips, moment.dice
    still = Pips(pips.own, pips.other, pips.own, pips.other)
    board, state = turn.before, turn.state
    beavered = moment.doubled if moment.offer is not None and moment.offer.counters == 1 else None
    if dice is not None and beavered is not None and beavered.player == turn.player:
        before = beavered.state
        xgid = encode_xgid(board, before, offer="beaver")
        row = _row(moment, before, "take beaver", still, xgid, "Take")
        question = CubeQuestion(board, before)
        yield PendingDecision(row, number, before, question, Position(board, before, offer="beaver"))
    elif not opening and dice is not None and not state.is_cube_dead and explain_double(state) is None:
        row = _row(moment, state, "no double", still, encode_xgid(board, state), "No double")
        yield PendingDecision(row, number, state, CubeQuestion(board, state), Position(board, state))
    position = Position(board, state, dice)
    if dice is not None and turn.play is None and not turn.violations:
        row = _row(moment, state, "unplayed roll", still, moment.xgid, "", dice=dice)
        row = replace(row, note="the game was given up before it was played")
        yield PendingDecision(row, number, state, None, position)
        return
    legal = turn.play is not None
    row = _row(moment, state, "checker play", pips, moment.xgid, _played(turn), dice=dice, legal=legal)
    asked = None
    if dice is not None and turn.play is not None:
        asked = CheckerQuestion(board, dice, state, turn.play.result)
    yield PendingDecision(row, number, state, asked, position)


def _decisions_of_resignation(moment: _EntryContext, number: int) -> Iterable[PendingDecision]:
    """Two decisions: to resign, and to accept that."""
    game, turn, pips, on_roll, dice = moment.game, moment.turn, moment.pips, moment.on_roll, moment.unplayed
    entry = turn.entry
    assert isinstance(entry, Resign)
    note = _why_not_judged(moment, entry)
    asked: CheckerQuestion | CubeQuestion | LuckQuestion | None = None
    board, state = turn.before, turn.state
    if not note:
        board, state = (board, state) if on_roll == turn.player else (board.flipped(), state.flipped())
        asked = _worth(board, state, dice)
    xgid, position = encode_xgid(board, state, dice), Position(board, state, dice)
    words = _played(turn).removeprefix("Resigns")
    both: tuple[tuple[DecisionKind, Player], ...] = (("resign", turn.player), ("accept", other(turn.player)))
    for kind, player in both:
        mine = player == turn.player
        own = turn.state if mine else turn.state.flipped()
        seen = pips if mine else Pips(pips.other, pips.own, pips.other_after, pips.own_after)
        row = _row(moment, own, kind, seen, xgid, ("Resigns" if mine else "Accepts") + words)
        row = replace(row, player=player, name=moment.names[player], note=note, phase=phase_of_turn(game, turn, player))
        given = None if game.points is None else Resignation(game.points, on_roll == player)
        yield PendingDecision(row, number, own, asked, position, given)


def _why_not_judged(moment: _EntryContext, entry: Resign) -> str:
    """Why a resignation cannot be judged; empty where it can."""
    game, turn, state = moment.game, moment.turn, moment.turn.state
    # Where the game is all that the opponent needs, who gives up the match gives up no more than the game.
    if entry.match and (state.is_money or state.away[1] > state.cube.value):
        return "the whole match was given up"
    if game.ending != "resigned" or game.winner == turn.player or turn is not game.turns[-1]:
        return "a resignation that did not end the game"
    if moment.offer is not None:
        return "resigned instead of answering a double"
    if moment.on_roll is None:
        return "resigned before the first roll"
    if entry.level is None and (game.claim is None or game.claim.points is None):
        return "the record does not say what was given up"
    return "" if game.points else "the record does not say what was given up"


def _worth(board: Board, state: MatchState, dice: Dice | None) -> CheckerQuestion | CubeQuestion | LuckQuestion:
    """The question whose answer tells what a position is worth to the player on roll."""
    if dice is not None:
        return CheckerQuestion(board, dice, state)
    if explain_double(state) is None and not state.is_cube_dead:
        return CubeQuestion(board, state)
    # Without access to the cube the worth is the mean over all rolls, so any roll will do in the question.
    return LuckQuestion(board, (2, 1), state, opening=False)


def _cube_kind(turn: Turn, counters: int) -> DecisionKind:
    entry = turn.entry
    if isinstance(entry, Double):
        return "double"
    if isinstance(entry, Beaver):
        return "raccoon" if counters else "beaver"
    return (_TAKES if isinstance(entry, Take) else _PASSES)[min(counters, 2)]


_TAKES: Final[tuple[DecisionKind, ...]] = ("take", "take beaver", "take raccoon")
_PASSES: Final[tuple[DecisionKind, ...]] = ("pass", "pass beaver", "pass raccoon")


def _row(
    moment: _EntryContext,
    state: MatchState,
    kind: DecisionKind,
    pips: Pips,
    xgid: str,
    played: str,
    *,
    dice: Dice | None = None,
    legal: bool = True,
) -> DecisionRow:
    common = _common_to_rows(moment, state, pips, dice)
    note = "" if legal else "illegal, or not recorded"
    return DecisionRow(**common, kind=kind, xgid=xgid, played=played, legal=legal, note=note)


def _frame(turn: Turn, doubled: Turn | None) -> tuple[Board, MatchState]:
    """Board and state of a turn's decision: an answer to a double is seen by the player who doubled."""
    if isinstance(turn.entry, Take | Drop | Beaver):
        if doubled is not None:
            return doubled.before, doubled.state
        return turn.before.flipped(), turn.state.flipped()
    return turn.before, turn.state


def _dice(turn: Turn) -> Dice | None:
    if isinstance(turn.entry, CheckerPlay) and turn.entry.dice is not None and are_dice(turn.entry.dice):
        return turn.entry.dice
    return None


def _dice_text(dice: Dice | None) -> str:
    return f"{max(dice)}{min(dice)}" if dice else ""


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
