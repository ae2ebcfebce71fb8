"""The records of one game as eXtreme Gammon saves them: header, decisions, end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other, view
from bgtools.decoder.entries import is_last
from bgtools.formats.content import FormatError
from bgtools.formats.shared.signed import board_of
from bgtools.formats.xg.encode import NO, NOT_ASKED, UNDECIDED, YES, DecisionSeat, cube_record, move_record
from bgtools.formats.xg.kept import CUBE as CUBE_EXTRA, EXTRA, pairs_of, put_kept
from bgtools.formats.xg.layout import GAME, GAME_END, NO_ANALYSIS, RecordKind
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Resign,
    SetBoard,
    Take,
    is_position as is_at_rest,
    places_of_comments,
)
from bgtools.rules.cube import Cube, MatchState

if TYPE_CHECKING:
    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.formats.shared.binary import BinaryRecord
    from bgtools.formats.xg.comments import CommentList
    from bgtools.record.annotation import Annotation
    from bgtools.replayer.turn import GameReplay, Turn

REFUSED, ACCEPTED, BEAVERED = 0, 1, 2
"""The answers in a cube record."""
RESIGNED: Final = 100
"""This is added to the ending of a game that was given up; twice this and more marks a result by agreement."""
WHOLE_MATCH: Final = 4
"""The level of a resignation that gives up the whole match."""
_ANSWERS: Final = ("take", "beaver", "raccoon")


def game_records(
    game: GameReplay, comments: CommentList, *, crawford_follows: bool = False, is_position: bool = False
) -> list[BinaryRecord]:
    """The records of a game.

    Args:
        game: the game on its boards.
        comments: the list to which its comments are added.
        crawford_follows: whether the next game is the Crawford game.
        is_position: whether the file is to hold only a position. A position has no end record.

    Raises:
        FormatError: the game holds what the records have no room for.
    """
    return _XgGameWriter(game, comments, crawford_follows, is_position).records()


@dataclass(slots=True)
class _PendingOffer:
    """A cube record whose double waits for an answer."""

    record: BinaryRecord
    doubler: Player
    answered: int = 0

    @property
    def to_answer(self) -> Player:
        return self.doubler if self.answered % 2 else other(self.doubler)


class _XgGameWriter:
    def __init__(self, game: GameReplay, comments: CommentList, crawford_follows: bool, is_position: bool) -> None:
        self.game = game
        # The replay may read entries in another order. A writer keeps the order of the record.
        self.turns = sorted(game.turns, key=lambda turn: turn.index)
        self.comments = comments
        self.crawford_follows = crawford_follows
        self.is_position = is_position
        self.at_rest = is_at_rest(game.game)
        self.automatic = sum(isinstance(turn.entry, AutomaticDouble) for turn in game.turns)
        self.is_set = game.game.start is not None
        self.made: list[BinaryRecord] = []
        self.homes: dict[int, BinaryRecord] = {}  # by entry, the record that can hold its comment
        self.offer: _PendingOffer | None = None
        self.doubler: Player | None = None  # whose roll the last cube record waits for
        self.edited = False

    def records(self) -> list[BinaryRecord]:
        game = self.game
        header = self._header()
        for turn, following in zip_longest(self.turns, self.turns[1:]):
            self._turn(turn, following)
        if not self.made and self.is_position:
            state = MatchState(rules=game.rules, cube=Cube.of(game.game.start_cube, game.game.start_owner, 0))
            self._add(cube_record(DecisionSeat(1, game.final, state, self.automatic), UNDECIDED, None, None))
        end = None if self.is_position or game.winner is None else self._end()
        extras = [*pairs_of(game.game.extras)]
        header["in_progress"] = end is None or (f"{EXTRA}in-progress", "1") in extras
        if end is not None:
            put_kept(end, RecordKind.GAME_END, extras)
        self._put_comments(header)
        return [header, *self.made, *([] if end is None else [end])]

    def _header(self) -> BinaryRecord:
        game = self.game
        record = GAME.new(kind=RecordKind.GAME, score=game.score, crawford=game.crawford)
        if not self.is_position or self.is_set:
            record["start"] = board_of(game.game.start or game.rules.start)
        record["number"] = game.index + 1 if game.game.number is None else game.game.number
        record["comment_before"] = record["comment_after"] = -1
        record["automatic"] = self.automatic
        return record

    # --- turns ------------------------------------------------------------------------------

    def _turn(self, turn: Turn, following: Turn | None) -> None:
        entry = turn.entry
        match entry:
            case CheckerPlay():
                self._roll(turn, entry)
            case Double():
                note = _of_both(entry.annotation, following)
                self.offer = _PendingOffer(self._decision(turn, YES, note, self._roll_after(turn)), entry.player)
                self.doubler = entry.player
                self.homes[turn.index] = self.offer.record
                return
            case Take() | Drop() | Beaver():
                self._answer(turn)
                return
            case SetBoard():
                self._set(turn, entry, following)
            case AutomaticDouble():
                if self.made or self.is_set:
                    raise FormatError("eXtreme Gammon cannot hold an automatic double after the first roll")
            case Resign():
                last = self.made[-1] if self.made else None
                if last is None or last["kind"] != RecordKind.MOVE or last["played"] or entry.annotation is not None:
                    self._decision(turn, UNDECIDED, entry.annotation, None)
        self.offer = None

    def _add(self, record: BinaryRecord) -> BinaryRecord:
        record["edited"], self.edited = self.edited, False
        self.made.append(record)
        return record

    def _seat(self, turn: Turn) -> DecisionSeat:
        player = turn.entry.player
        board, state = turn.before, turn.state
        if player != turn.player:
            board, state = board.flipped(), state.flipped()
        return DecisionSeat(1 if player == 0 else -1, board, state, self.automatic)

    def _decision(self, turn: Turn, double: int, note: Annotation | None, dice: Dice | None) -> BinaryRecord:
        return self._add(cube_record(self._seat(turn), double, note, dice))

    def _roll_after(self, turn: Turn) -> Dice | None:
        """The roll of the player who has doubled, after the answers; None where none follows."""
        for each in self.turns[turn.index + 1 :]:
            if isinstance(each.entry, CheckerPlay):
                return each.entry.dice if each.player == turn.player else None
            if not isinstance(each.entry, Take | Beaver):
                break
        return None

    def _roll(self, turn: Turn, entry: CheckerPlay) -> None:
        note = entry.annotation
        valued = note is not None and note.cube is not None
        if note is not None and not valued:
            # The cube record before the roll holds the clocks, and what XG has said of the decision.
            note = replace(note, extras=tuple(each for each in note.extras if each[0].startswith(CUBE_EXTRA)))
        if self.doubler != entry.player or self.edited or valued:
            asked = valued or (not self.is_position and self._may_double(turn))
            self._decision(turn, NO if asked else NOT_ASKED, note, entry.dice)
        self.doubler = None
        self.homes[turn.index] = self._add(move_record(self._seat(turn), turn, is_open=self._is_open(turn)))
        self.is_set = True  # no opening roll follows

    def _is_open(self, turn: Turn) -> bool:
        """Whether XG writes only the roll: in a position whose play is open, or where a player then gave up."""
        later = (each.entry for each in self.turns if each.index > turn.index)
        gone = getattr(turn.entry, "text", None)
        given_up = gone is not None and gone.kind == "nothing" and turn.play is None
        return self.at_rest or (given_up and is_last(later))

    def _may_double(self, turn: Turn) -> bool:
        """Whether XG asks for a cube decision: not where a double is against the rules, or the cube is dead."""
        state, rules = turn.state, self.game.rules
        opening = not self.is_set and not rules.winner_starts
        limited = rules.cube_limit is not None and state.cube.value >= rules.cube_limit
        return state.may_double and not opening and not limited and not state.is_cube_dead

    def _answer(self, turn: Turn) -> None:
        entry, offer = turn.entry, self.offer
        answer = ACCEPTED if isinstance(entry, Take) else REFUSED if isinstance(entry, Drop) else BEAVERED
        if offer is None and answer != BEAVERED:
            # An answer without a double gets a cube record of the other player, with the decision left open.
            seat = DecisionSeat(
                -1 if turn.player == 0 else 1, turn.before.flipped(), turn.state.flipped(), self.automatic
            )
            offer = _PendingOffer(self._add(cube_record(seat, UNDECIDED, entry.annotation, None)), other(turn.player))
        at = len(_ANSWERS) if offer is None else offer.answered
        too_many = at >= len(_ANSWERS) or (answer == BEAVERED and at == len(_ANSWERS) - 1)
        raccoon = isinstance(entry, Beaver) and entry.raccoon
        if offer is None or too_many or entry.player != offer.to_answer or raccoon != (at == 1 and answer == BEAVERED):
            raise FormatError("eXtreme Gammon cannot hold this order of doubles, beavers and answers")
        offer.record[_ANSWERS[at]] = answer
        offer.answered += 1
        self.homes[turn.index] = offer.record
        self.offer = offer if answer == BEAVERED else None

    def _set(self, turn: Turn, entry: SetBoard, following: Turn | None) -> None:
        value = entry.cube >> self.automatic
        if (entry.owner is None and value != 1) or value.bit_count() != 1 or value << self.automatic != entry.cube:
            raise FormatError(f"eXtreme Gammon cannot hold a cube that shows {entry.cube} there")
        # In a position file every board is set; only that of the start needs a mark to say so.
        at_start = entry.position == self.game.rules.start and entry.owner is None
        self.edited, self.is_set, self.doubler = not self.is_position or at_start, True, None
        note = entry.annotation
        goes_on = following is not None and isinstance(following.entry, CheckerPlay | Double)
        if goes_on and following is not None and following.player == entry.player and note is None:
            return
        # Nobody acts on this board, or the position itself has an annotation, so it takes a record of its own.
        state = turn.state
        cube = Cube.of(entry.cube, entry.owner, entry.player)
        state = MatchState(state.length, state.score, cube, state.crawford, state.rules)
        seat = DecisionSeat(1 if entry.player == 0 else -1, view(entry.position, entry.player), state, self.automatic)
        decided = note is not None and note.cube is not None and note.cube.error is not None
        self._add(cube_record(seat, NO if decided else UNDECIDED, note, None))

    # --- the end ----------------------------------------------------------------------------

    def _end(self) -> BinaryRecord:
        game = self.game
        record = GAME_END.new(kind=RecordKind.GAME_END, score=final_score(game), crawford=self.crawford_follows)
        stated = game.claim.points if game.claim is not None else None
        record["winner"], record["points"] = 1 if game.winner == 0 else -1, stated or game.points or 0
        resigned = game.ending == "resigned"
        record["resign_error"] = record["accept_error"] = 0 if resigned else NO_ANALYSIS
        if resigned:
            record["ending"] = RESIGNED + (WHOLE_MATCH if _gives_up_match(game) else game.level or 0)
        elif game.ending == "borne off":
            record["ending"] = min(game.level or 1, 3)
        return record

    # --- comments ---------------------------------------------------------------------------

    def _put_comments(self, header: BinaryRecord) -> None:
        record = self.game.game
        texts: dict[tuple[int, str], list[str]] = {}
        homes: dict[int, BinaryRecord] = {id(each): each for each in (header, *self.made)}
        for at, comment in zip(places_of_comments(record), record.comments, strict=True):
            home, field = header, "comment_before"
            before = range(min(at, len(record.entries)) - 1, -1, -1)
            if before and isinstance(record.entries[before[0]], Resign):
                field = "comment_after"
            elif (found := next((self.homes[index] for index in before if index in self.homes), None)) is not None:
                home, field = found, "comment"
            texts.setdefault((id(home), field), []).append(comment.text)
        for (key, field), parts in texts.items():
            homes[key][field] = self.comments.add("\n".join(parts))


def _of_both(note: Annotation | None, following: Turn | None) -> Annotation | None:
    """The annotation of a double, completed by that of its answer: some programs value the double there."""
    answer = following.entry if following is not None else None
    told = answer.annotation if isinstance(answer, Take | Drop | Beaver) else None
    if told is None or told.cube is None:
        return note
    if note is None or note.cube is None:
        return told
    if note.cube.answer_error is not None or note.cube.no_double.unit != told.cube.no_double.unit:
        return note
    return replace(note, cube=replace(note.cube, answer_error=told.cube.answer_error))


def final_score(game: GameReplay) -> tuple[int, int]:
    """The score after a game, by player. If the match was given up, the winner's score is at most its length."""
    first, second = game.score_after
    length = game.turns[0].state.length if game.turns and _gives_up_match(game) else 0
    return (min(first, length), min(second, length)) if length else (first, second)


def _gives_up_match(game: GameReplay) -> bool:
    return any(isinstance(turn.entry, Resign) and turn.entry.match for turn in game.turns)
