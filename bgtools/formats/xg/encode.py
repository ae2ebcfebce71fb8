"""From positions, plays and analyses to eXtreme Gammon's records: one cube or move record at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.board.board import OFF
from bgtools.formats.content import FormatError
from bgtools.formats.shared.signed import board_of, swap_sides
from bgtools.formats.xg.decode import FLAGGED, NO_ADVICE, played_out
from bgtools.formats.xg.fields import NO_LEVEL, ROLLOUT, level_numbers
from bgtools.formats.xg.kept import put_kept
from bgtools.formats.xg.layout import CUBE, MOST_CANDIDATES, MOVE, NO_ANALYSIS, RecordKind
from bgtools.record.annotation import is_choice
from bgtools.record.record import CheckerPlay
from bgtools.replayer.valued import cube_in, plays_in, with_every_play, with_made

if TYPE_CHECKING:
    from bgtools.board.board import Board, Dice
    from bgtools.board.play import HopText
    from bgtools.formats.shared.binary import BinaryRecord
    from bgtools.record.annotation import Annotation, CubeAnalysis, Evaluation, PlayAnalysis
    from bgtools.replayer.turn import Turn
    from bgtools.rules.cube import MatchState

NOT_ASKED, UNDECIDED, NO, YES = -2, -1, 0, 1
"""The values of a cube record's double: nobody could decide on one, the decision is open, no double, double."""
DOUBTFUL, ILLEGAL = 1, 2
"""The values of a move record for illegal plays: no play, although there was a legal one; or an illegal play."""
NO_DICE: Final = "77"
"""The dice of a cube record that no roll follows."""
_HOPS: Final = 4
_END: Final = -1
_LARGEST: Final = 999.0
"""No figure is written whose amount is larger: -1000 stands for none."""
_TOO_GOOD, _NO_DOUBLE, _DOUBLE_TAKE, _DOUBLE_DROP, _REDUNDANT = -1, 0, 1, 2, 3
"""The values of XG's advice."""


@dataclass(frozen=True, slots=True)
class DecisionSeat:
    """The situation of a decision.

    Attributes:
        player: who decides: 1 for player 0 of the match, -1 for player 1.
        board: the board, seen by the player who decides.
        state: score and cube, seen by them.
        automatic: how many automatic doubles there were; the cube in the records leaves them out.
    """

    player: int
    board: Board
    state: MatchState
    automatic: int = 0

    @property
    def seen_by_first(self) -> tuple[int, ...]:
        """The board as player 0 sees it."""
        own = board_of(self.board)
        return own if self.player == 1 else swap_sides(own)

    @property
    def cube(self) -> int:
        """The cube as a power of two without automatic doubles, below 0 when player 1 owns it."""
        exponent = max(self.state.cube.value.bit_length() - 1 - self.automatic, 0)
        return exponent * self.state.cube.sign * self.player


# --- figures --------------------------------------------------------------------------------


def says(*figures: float | None) -> bool:
    """Whether a record can state such figures, in points."""
    return all(figure is None or abs(figure) <= _LARGEST for figure in figures)


def _stated_plays(plays: PlayAnalysis, state: MatchState) -> PlayAnalysis | None:
    """The analysis of a roll in points; None where a record cannot state it."""
    told = plays_in(plays, "emg", state)
    if told is None or not says(told.error, *(each.evaluation.equity for each in told.candidates)):
        return None
    return told


def _stated_cube(cube: CubeAnalysis, state: MatchState) -> CubeAnalysis | None:
    """The analysis of a cube decision in points; None where a record cannot state it."""
    told = cube_in(cube, "emg", state)
    if told is None:
        return None
    figures = [figure for each in (told.no_double, told.double_take) for figure in (each.equity, each.cubeless)]
    return told if says(*figures, told.double_drop, told.error, told.answer_error) else None


# --- cube records ---------------------------------------------------------------------------


def cube_record(seat: DecisionSeat, double: int, note: Annotation | None, dice: Dice | None) -> BinaryRecord:
    """A cube record, without answers yet.

    Args:
        seat: the situation of the decision.
        double: one of `NOT_ASKED`, `UNDECIDED`, `NO`, `YES`.
        note: the annotation of the decision; None for none.
        dice: the roll that follows; None for none.
    """
    record = CUBE.new(kind=RecordKind.CUBE)
    record["player"], record["double"], record["cube"] = seat.player, double, seat.cube
    record["take"] = record["beaver"] = record["raccoon"] = -1
    record["board"] = seat.seen_by_first
    roll = f"{dice[0]}{dice[1]}" if dice else NO_DICE
    record["dice"] = [2, *roll[:2].encode()]
    record["rollout"] = record["comment"] = record["tutor_double"] = record["tutor_take"] = -1
    for name in ("error", "take_error", "beaver_error", "raccoon_error", "tutor_error", "tutor_take_error"):
        record[name] = NO_ANALYSIS
    record["level"] = record["level_asked"] = NO_LEVEL
    record["automatic"] = seat.automatic
    record["analysis"]["advice"] = NO_ADVICE
    if note is not None:
        record["flagged"] = (FLAGGED, "1") in note.extras
        if note.clock is not None and None not in note.clock:
            own, others = (round(seconds or 0) for seconds in note.clock)
            record["clock"] = (own, others) if seat.player == 1 else (others, own)
        if note.cube is not None and (cube := _stated_cube(note.cube, seat.state)) is not None:
            put_cube_analysis(record, seat, cube, note.program)
        put_kept(record, RecordKind.CUBE, note.extras)
    return record


def put_cube_analysis(record: BinaryRecord, seat: DecisionSeat, cube: CubeAnalysis, program: str) -> None:
    """Write a program's analysis of a cube decision, in points, into a record."""
    analysis = record["analysis"]
    _situation(analysis, seat)
    reached, asked, _ = level_numbers(cube.level, program)
    analysis["level"], analysis["level_asked"] = reached, asked
    analysis["no_double"], analysis["equity_no_double"] = _with_cubeless(cube.no_double)
    analysis["take"], analysis["equity_take"] = _with_cubeless(cube.double_take)
    analysis["equity_drop"] = NO_ANALYSIS if cube.double_drop is None else cube.double_drop
    analysis["advice"], choice = _advice(cube, record["double"])
    analysis["choice3"] = choice if reached > 1 else -1
    if cube.error is not None or cube.answer_error is not None:
        record["level"], record["level_asked"] = reached, asked
        record["choice"] = choice
        # The error of a double, or of not doubling, is written above 0; that of an answer below 0.
        record["error"] = NO_ANALYSIS if cube.error is None else abs(cube.error)
        record["tutor_error"] = NO_ANALYSIS if cube.error is None else 0
        record["take_error"] = -abs(cube.answer_error) if cube.answer_error else 0
        record["tutor_take_error"] = 0 if record["double"] == YES else NO_ANALYSIS


def _advice(cube: CubeAnalysis, done: int) -> tuple[int, int]:
    """XG's advice by these figures, and its choice: 1 for a double, plus 2 for a take.

    Args:
        cube: the figures.
        done: the double in the record. If it cost nothing it counts as right, even against the figures.
    """
    stay, take, drop = cube.no_double.equity or 0.0, cube.double_take.equity or 0.0, cube.double_drop
    drop = 1.0 if drop is None else drop
    takes = take < drop
    doubles = done == YES if cube.error == 0 and done in (NO, YES) else min(take, drop) > stay
    if doubles:
        return (_DOUBLE_TAKE if takes else _DOUBLE_DROP), 1 + 2 * takes
    if stay == take:
        return _REDUNDANT, 1 + 2 * takes
    return (_TOO_GOOD if stay > drop else _NO_DOUBLE), 2 * takes


def _situation(analysis: BinaryRecord, seat: DecisionSeat) -> None:
    state = seat.state
    analysis["board"] = board_of(seat.board)
    analysis["score"] = (-1, -1) if state.is_money else state.away
    analysis["cube"] = state.cube.value
    analysis["cube_owner"] = state.cube.sign
    analysis["crawford"], analysis["jacoby"] = state.crawford, bool(state.rules.jacoby and state.is_money)


def _figures(evaluation: Evaluation, last: float | None) -> list[float]:
    # Six zeros mean that the chances are not known.
    win, gammon, backgammon, lost_gammon, lost_backgammon = evaluation.probabilities or (0.0,) * 5
    lose = 1 - win if evaluation.probabilities is not None else 0.0
    return [lost_backgammon, lost_gammon, lose, win, gammon, backgammon, NO_ANALYSIS if last is None else last]


def _with_cubeless(evaluation: Evaluation) -> tuple[list[float], float]:
    equity = NO_ANALYSIS if evaluation.equity is None else evaluation.equity
    return _figures(evaluation, evaluation.cubeless), equity


# --- move records ---------------------------------------------------------------------------


def move_record(seat: DecisionSeat, turn: Turn, *, is_open: bool = False) -> BinaryRecord:
    """The move record of a checker play, legal or not.

    Args:
        seat: the situation of the play.
        turn: the play.
        is_open: whether to leave out the play, and write only the roll.
    """
    entry = turn.entry
    assert isinstance(entry, CheckerPlay)
    record = MOVE.new(kind=RecordKind.MOVE)
    record["player"], record["cube"], record["board"] = seat.player, seat.cube, seat.seen_by_first
    record["dice"] = entry.dice or (0, 0)
    record["automatic"] = seat.automatic
    record["choice"], record["comment"], record["tutor"], record["rollouts"] = 1, -1, -1, -1
    for name in ("error", "luck", "equity_before", "tutor_error"):
        record[name] = NO_ANALYSIS
    record["level"] = record["luck_level"] = record["analysis"]["level"] = NO_LEVEL
    _situation(record["analysis"], seat)
    record["analysis"]["dice"] = record["dice"]
    if not is_open:
        _put_play(record, seat, turn, entry)
    if entry.annotation is not None:
        _put_note(record, seat, turn, entry.annotation)
        put_kept(record, RecordKind.MOVE, entry.annotation.extras)
    if record["played"] and not record["count"] and record["moves"][0] != _END:
        _put_unvalued(record)
    return record


def _put_unvalued(record: BinaryRecord) -> None:
    """Put the play among the candidates without figures: gammonview looks for it only there."""
    analysis = record["analysis"]
    record["count"] = analysis["count"] = 1
    analysis["levels"][0]["level"] = NO_LEVEL
    analysis["moves"][0], analysis["boards"][0] = record["moves"], record["board_after"]


def _put_play(record: BinaryRecord, seat: DecisionSeat, turn: Turn, entry: CheckerPlay) -> None:
    text = entry.text
    if text.kind in ("unknown", "unreadable"):
        return
    record["played"] = 1
    after = board_of(turn.after)
    record["board_after"] = after if turn.player == entry.player else swap_sides(after)
    moves = _steps_of(turn, text.hops)
    if len(moves) > _HOPS:
        raise FormatError(f"eXtreme Gammon cannot hold a play of more than {_HOPS} hops: {text}")
    record["moves"] = _coded(moves, 2 * _HOPS, _END)
    if turn.play is None or turn.player != entry.player:
        # The play of the record is illegal; the board after it comes from the replay.
        record["invalid"] = DOUBTFUL if text.kind in ("nothing", "dance") else ILLEGAL


def _steps_of(turn: Turn, hops: tuple[HopText, ...]) -> list[tuple[int, int]]:
    """The single hops of a play, in the order of the record if it writes every hop by itself."""
    if turn.play is None:
        return [leg for hop in hops for leg in hop.legs]
    written = [hop.points for hop in hops for _ in range(hop.count)]
    legal = [(hop.start, hop.end) for hop in turn.play.hops]
    if sorted(written) == sorted(legal):
        return [(points[0], points[1]) for points in written]
    return legal


def _coded(moves: list[tuple[int, int]], room: int, rest: int) -> list[int]:
    """Hops in XG's numbers: points from 0 on, -1 for off and for the end of the play."""
    if any(start == OFF for start, _ in moves):
        raise FormatError("eXtreme Gammon cannot hold a play that brings in a checker from off the board")
    found = [number - 1 for pair in moves[: room // 2] for number in pair]
    if len(found) < room:
        found.append(_END)
    return found + [rest] * (room - len(found))


def _put_note(record: BinaryRecord, seat: DecisionSeat, turn: Turn, note: Annotation) -> None:
    record["flagged"] = (FLAGGED, "1") in note.extras
    luck = note.luck if says(note.luck) else None
    if luck is not None:
        record["luck"], record["luck_level"] = luck, 0
    ranked = _stated_plays(note.plays, turn.state) if note.plays is not None else None
    if ranked is None or not ranked.candidates:
        return
    ranked = with_made(with_every_play(ranked, turn), MOST_CANDIDATES)
    analysis = record["analysis"]
    _put_candidates(analysis, seat, ranked, note.program)
    analysis["irrelevant"] = not (_is_choice(ranked) if ranked.counted is None else ranked.counted)
    record["count"], record["level"] = analysis["count"], analysis["level"]
    if ranked.error is not None:
        record["error"], record["tutor_error"] = ranked.error, 0
    if luck is not None:
        if record["level"] < ROLLOUT:
            record["luck_level"] = record["level"]
        best = ranked.candidates[0].evaluation.equity
        if best is not None:
            record["equity_before"] = best - luck


def _is_choice(ranked: PlayAnalysis) -> bool:
    first = ranked.candidates[0].level.name
    known = [
        (each.level.name != first, -each.evaluation.equity)
        for each in ranked.candidates
        if each.evaluation.equity is not None
    ]
    return is_choice([-equity for _, equity in sorted(known)])


def _put_candidates(analysis: BinaryRecord, seat: DecisionSeat, ranked: PlayAnalysis, program: str) -> None:
    analysis["count"] = len(ranked.candidates)
    analysis["choice0"] = analysis["choice3"] = 1
    before = board_of(seat.board)
    for index, candidate in enumerate(ranked.candidates):
        moves = [(start, max(end, OFF)) for hop in candidate.hops for start, end in hop.legs]
        coded = _coded(moves, 2 * _HOPS, 0)
        analysis["moves"][index] = coded
        analysis["boards"][index] = played_out(before, coded)
        reached, asked, doubled = level_numbers(candidate.level, program)
        analysis["levels"][index]["level"], analysis["levels"][index]["doubled"] = reached, doubled
        analysis["level"] = asked
        analysis["results"][index] = _figures(candidate.evaluation, candidate.evaluation.equity)
