"""One run through the entries of a game: board and cube while they go by, and a turn for each.

A run takes the entries as they are written, or as the decoder reads them. An entry that cannot be, and of which nobody
knows what it was, is carried out as it is written if it can be, and else left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from bgtools.board.hopping import are_dice
from bgtools.board.perspective import other, view
from bgtools.decoder.lane import Stood, SupposedTurn, advance, run
from bgtools.decoder.slips import ROW, says
from bgtools.decoder.table import MARGIN, TIED
from bgtools.positions.position import OFFERS
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.record.state import GameState
from bgtools.replayer.ending import Arrival
from bgtools.replayer.plays import Doubt, MadePlay, judge
from bgtools.replayer.turn import OrderViolation, Turn, TurnFault, Turns
from bgtools.rules.cube import CubeReason, CubeViolation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.decoder.game import GameReading
    from bgtools.decoder.interpretation import Guide
    from bgtools.decoder.slips import Edit, Item
    from bgtools.positions.position import Offer as Waiting
    from bgtools.record.record import Entry, Game
    from bgtools.replayer.turn import AnyViolation, GameReplay, Reading
    from bgtools.rules.cube import MatchState

_REPLACED: Final = frozenset(
    {"play", "unknown", "die", "turn", "copied", "other cell", "stood", "answer", "beaver", "value"}
)
"""Slips of one entry that stands in its place, and is another one."""
_MOVED: Final = {
    "cells": TurnFault.SWAPPED,
    "dice exchanged": TurnFault.ROLLS,
    "plays exchanged": TurnFault.PLAYS,
    "rows": TurnFault.MOVED,
    "order": TurnFault.MOVED,
    "turned": TurnFault.SWAPPED_ON,
    "row missing": TurnFault.ROW_MISSING,
}
"""What is told of entries that stand in another place, by the slip."""
_MEANT: Final = (
    (Take, CubeReason.MEANT_TAKE),
    (Drop, CubeReason.MEANT_DROP),
    (Beaver, CubeReason.MEANT_BEAVER),
)
_ACTIONS: Final = Double | Take | Drop | Beaver


class _EntryStep(NamedTuple):
    """An entry in its turn.

    Attributes:
        number: its number in the game, from 0.
        entry: what is carried out, or judged.
        edit: the slip that is taken back here; None for an entry that stands.
        put: what stands in its place, where it is replaced.
        supposed: what is supposed before it.
        is_first: whether it is the first entry of the slip, where that is told.
        left: how many plays follow up to the next slip; -1 where nobody knows.
    """

    number: int
    entry: Entry
    edit: Edit | None = None
    put: Item | None = None
    supposed: tuple[Item, ...] = ()
    is_first: bool = False
    left: int = -1


def _steps(game: Game, reading: GameReading | None) -> Iterator[_EntryStep]:
    """The entries of a game in the order in which they are carried out."""
    edits = () if reading is None else reading.edits
    number = at = 0
    pending: tuple[Edit, tuple[Item, ...]] | None = None
    for place, edit in enumerate(edits):
        assert reading is not None
        until = edits[place + 1].at if place + 1 < len(edits) else len(reading.items)
        after = reading.items[edit.at + len(edit.put) : until]
        left = sum(isinstance(each, CheckerPlay | SupposedTurn) for each in after)
        for entry in game.entries[number : number + edit.at - at]:
            yield _stands(number, entry, pending)
            pending = None
            number += 1
        olds = game.entries[number : number + edit.gone]
        if not edit.put:
            for offset, entry in enumerate(olds):
                yield _EntryStep(number + offset, entry, edit, is_first=not offset, left=left)
        elif edit.slip in _REPLACED and edit.gone == 1:
            yield _EntryStep(number, olds[0], edit, edit.put[0], is_first=True, left=left)
        else:
            extra = len(edit.put) - edit.gone
            supposed, moved = edit.put[:extra], edit.put[extra:]
            if not moved:
                pending = edit, supposed
            for offset, item in enumerate(moved):
                own = next((each for each, old in enumerate(olds) if old is item), offset)
                is_cube = edit.slip == "order" and any(isinstance(each, _ACTIONS) for each in edit.old)
                place_of = own if is_cube else offset
                yield _EntryStep(number + place_of, cast("Entry", item), edit, None, supposed if not offset else (),
                            not offset, left)  # fmt: skip
        number += edit.gone
        at = edit.at + len(edit.put)
    for entry in game.entries[number:]:
        yield _stands(number, entry, pending)
        pending = None
        number += 1


def _stands(number: int, entry: Entry, pending: tuple[Edit, tuple[Item, ...]] | None) -> _EntryStep:
    if pending is None:
        return _EntryStep(number, entry)
    return _EntryStep(number, entry, pending[0], None, pending[1], is_first=True)


class GameRun:
    """The board and the cube of one game while its entries go by."""

    def __init__(self, state: MatchState, game: Game, starter: Player | None, guide: Guide | None = None) -> None:
        """Set up the board of a game.

        Args:
            state: the match before the game, seen by player 0.
            game: the record.
            starter: who has to start, where a rule says so; else None.
            guide: how the game is read; None for as it is written.
        """
        self.rules, self.match, self.game, self.starter, self.guide = state.rules, state, game, starter, guide
        self.reading = None if guide is None else guide.reading
        self.state = GameState(state, game.start, game.start_cube, game.start_owner)
        self.resigned: Resign | None = None
        self.turns: list[Turn] = []
        self.faults: dict[int, AnyViolation] = {}  # of entries that are still to come, by their number
        # Without a known start no entry can be judged. The result still counts for the score.
        self.steps = [*_steps(game, self.reading)] if game.start_known else []
        self.at = 0  # how many steps are done

    # --- views ------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board, seen by player 0."""
        return self.state.board(0)

    @property
    def is_over(self) -> bool:
        """Whether the game is decided."""
        return self.state.over is not None or self.board.is_over

    @property
    def _is_set_at_first(self) -> bool:
        """Whether the game begins from a board of its own and nobody has rolled: the opening rolls may have tied."""
        return sum(self.state.rolls) == 0 and self.game.start is not None and not self.rules.winner_starts

    def _waiting_for(self, player: Player) -> Waiting:
        """What is on the table for a player to answer."""
        offer = self.state.offer
        if offer is None or offer.by == player:
            return ""
        return OFFERS[min(offer.counters, len(OFFERS) - 1)]

    def _following(self) -> Iterator[Entry]:
        """The entries that are still to come. They are not copied: every play asks, few look further than the next."""
        return (self.steps[at].entry for at in range(self.at, len(self.steps)))

    # --- the game ---------------------------------------------------------------------------

    def replay(self, index: int, added_up: tuple[int, int] | None, following: tuple[int, int] | None) -> GameReplay:
        """Replay all entries.

        Args:
            index: the game's place in the match.
            added_up: the sum of the results before it.
            following: the score line of the next game, if there is one.
        """
        for step in self.steps:
            self.at += 1
            if step.edit is not None:
                self._read(step, step.edit)
            else:
                self._entry(step.number, step.entry)
        self._mark_fits()
        arrival = Arrival(self.game, self.match, self.state, self.resigned)
        edits = () if self.reading is None else self.reading.edits
        if any(each.slip == "turned" or (each.slip == "missing" and each.gone) for each in edits):
            arrival = arrival.in_other_column(following)
        dropped = arrival.drops_in_silence()
        if dropped or (edits and edits[-1].slip == "no answer" and edits[-1].at >= len(self.game.entries)):
            self._mark_last_double(dropped=dropped)
        self.turns.sort(key=lambda turn: turn.index)
        return arrival.result(index, added_up, following, Turns(tuple(self.turns)))

    def _mark_last_double(self, *, dropped: bool) -> None:
        """Mark the last double as unanswered: the result alone tells that it was dropped."""
        last = self.turns[-1]
        if isinstance(last.entry, Double):
            self.turns[-1] = last._replace(violations=(*last.violations, CubeViolation(CubeReason.UNANSWERED)))
            if not dropped and self.state.offer is not None:
                self.state.drop(other(self.state.offer.by))

    def _mark_fits(self) -> None:
        """Note how much fits after what nobody explains: all plays up to the next one, or nothing."""
        if self.reading is None:
            return
        edited = {step.number for step in self.steps if step.edit is not None}
        left = 0
        for at in range(len(self.turns) - 1, -1, -1):
            turn = self.turns[at]
            if turn.violations and turn.index not in edited and self.reading.whole:
                self.turns[at] = turn._replace(legal_after=left, sure=True)
            left = 0 if turn.violations else left + isinstance(turn.entry, CheckerPlay)
        for at, turn in enumerate(self.turns if not self.reading.whole else ()):
            if not turn.is_legal and turn.index not in edited:
                self.turns[at] = turn._replace(legal_after=0)
                return

    # --- what a slip tells of its entries -----------------------------------------------------

    def _read(self, step: _EntryStep, edit: Edit) -> None:
        """An entry as the decoder reads it."""
        entry = step.entry
        if not edit.put:
            self._leave_out(step, edit)
        elif step.put is not None and isinstance(step.put, SupposedTurn):
            self._play_instead(step, edit, step.put)
        elif step.put is not None:
            self._act_instead(step, edit, step.put)
        else:
            reading = self._note_faults(step, edit) if step.is_first else ""
            for item in step.supposed:
                if isinstance(item, SupposedTurn):
                    self.state.land(item.player, item.play.result)
                elif isinstance(item, Double):
                    self.state.double(item.player, item.value)
            noted = self.faults.pop(step.number, None)
            made = len(self.turns)
            self._entry(step.number, entry)
            turn = self.turns[made]
            if noted is not None:
                sure, _ = self._certainty(edit)
                found = (noted, *(each for each in turn.violations if each != noted))
                turn = turn._replace(violations=found, legal_after=step.left, sure=sure)
            self.turns[made] = turn._replace(reading=reading or turn.reading)

    def _note_faults(self, step: _EntryStep, edit: Edit) -> Reading:
        """Note what is wrong with entries that stand in another place, or before which something is missing."""
        slip, number, entry = edit.slip, step.number, step.entry
        reading: Reading = "moved"
        fault: AnyViolation
        if slip in ("missing", "row missing", "passed"):
            one, *two = (_named(each) for each in step.supposed if isinstance(each, SupposedTurn))
            kind = TurnFault.ROW_MISSING if two else TurnFault.FIRST_MISSING if not self.turns else (
                TurnFault.MOVED_UP if edit.gone else TurnFault.TURN_MISSING
            )  # fmt: skip
            fault, reading = OrderViolation(kind, *one, reply=two[0] if two else (None, None)), "inserted"
        elif slip == "no answer":
            return ""  # whoever goes on with an offer on the table is told of it
        elif slip == "no double":
            fault, reading = CubeViolation(CubeReason.NO_OFFER), "inserted"
        elif slip in ("column", "answers") and isinstance(entry, _ACTIONS):
            reason = CubeReason.DOUBLE_COLUMN if isinstance(entry, Double) else CubeReason.ANSWER_COLUMN
            fault, reading = CubeViolation(reason), "other column"
        elif slip == "column":
            last = number + edit.gone == len(self.game.entries)
            kind = TurnFault.WRONG_COLUMN if edit.gone == 1 else TurnFault.SWAPPED_ON if last else TurnFault.SWAPPED
            fault, reading = OrderViolation(kind), "other column"
        else:
            first = min(each.number for each in self.steps if each.edit is edit)
            if slip == "order" and (told := self._order_of_cube(edit)) is not None:
                self.faults[first + told[0]] = told[1]
                return reading
            pairs = enumerate(zip(edit.old, edit.put, strict=False))
            places = tuple(first + each for each, (one, two) in pairs if one is not two)
            are_told = _MOVED[slip] is TurnFault.MOVED or len(edit.put) > ROW
            fault = OrderViolation(_MOVED[slip], misplaced=places if are_told else ())
        self.faults[number] = fault
        return reading

    def _order_of_cube(self, edit: Edit) -> tuple[int, CubeViolation] | None:
        """Of some entries in another order, the cube action that cannot be, and why; None where none is one."""
        assert self.guide is not None
        there, late = self.state.copy(), False
        for at, entry in enumerate(edit.old):
            if isinstance(entry, SupposedTurn):
                continue
            if isinstance(entry, _ACTIONS):
                why = CubeViolation(CubeReason.LATE_ANSWER) if late else there.why_not(entry)
                if why is not None:
                    return at, why
                there.follow(entry)
            else:
                late = there.offer is not None and not there.offer.counters
                if not late and advance(there, entry, self.guide.terms, last=False) is None:
                    there.last = entry.player
        told = next((at for at, entry in enumerate(edit.old) if isinstance(entry, _ACTIONS)), None)
        return None if told is None else (told, CubeViolation(CubeReason.OUT_OF_TURN))

    def _leave_out(self, step: _EntryStep, edit: Edit) -> None:
        """Pass over an entry that is one too many."""
        number, entry = step.number, step.entry
        second = self._is_second_answer(number, entry)
        if self.is_over and not second:
            self._note(number, entry, (OrderViolation(TurnFault.AFTER_END),))
            return
        found: tuple[AnyViolation, ...] = ()
        if second:
            found = (CubeViolation(CubeReason.SECOND_ANSWER),)
        elif step.is_first:
            found = (self._why_surplus(entry, edit),)
        # What is left out with its double answers that all the same, as its analysis does.
        answers = isinstance(entry, Take | Drop) and number > 0 and isinstance(self.game.entries[number - 1], Double)
        reading: Reading = "" if answers and not found else "left out"
        self._note(number, entry, found, reading, offer=OFFERS[0] if answers else "")
        if step.is_first:
            self._note_certainty(step, edit)

    def _is_second_answer(self, number: int, entry: Entry) -> bool:
        """Whether a take or drop stands beside another one of the same player."""
        beside = self.game.entries[max(number - 1, 0) : number + 2]
        answers = [each for each in beside if isinstance(each, Take | Drop) and each.player == entry.player]
        return isinstance(entry, Take | Drop) and len(answers) > 1

    def _why_surplus(self, entry: Entry, edit: Edit) -> AnyViolation:
        if not isinstance(entry, CheckerPlay):
            return self.state.why_not(entry) or CubeViolation(CubeReason.SURPLUS)
        if edit.slip in ("twice", "row twice") or self._is_repeat(entry):
            return OrderViolation(TurnFault.REPEATED)
        if not self.state.may_act(entry.player):
            return OrderViolation(TurnFault.TURN_MISSING)
        made = judge(entry, view(self.board, entry.player), self._following())
        return made.violation if isinstance(made, Doubt) else OrderViolation(TurnFault.SURPLUS)

    def _play_instead(self, step: _EntryStep, edit: Edit, put: SupposedTurn) -> None:
        """Go on with the play that was meant in place of the one that is written."""
        entry, number = step.entry, step.number
        assert isinstance(entry, CheckerPlay)
        noted: list[AnyViolation] = [*self._accept_by_playing_on(), *self._wrong_openings(entry)]
        before = view(self.board, put.player)
        made = judge(entry, before, self._following())
        after, play = put.play.result, put.play
        same_roll = entry.dice is not None and sorted(entry.dice) == sorted(put.dice)
        reading: Reading = "as written" if put.stood else "corrected"
        guess = None if put.stood else play
        found = list(noted)
        if isinstance(made, MadePlay) and put.stood:
            guess = None
        elif isinstance(made, Doubt) and (put.stood or same_roll or noted):
            found.append(made.violation)
            if not play.hops and not (put.stood and entry.text.hops):
                reading, guess = "left out", None
        else:
            places = () if isinstance(made, Doubt) else self._contradicted(number, entry, made.after)
            found.append(
                OrderViolation(TurnFault.MISREAD, play, put.dice, places, like=self._with_other_rolls(edit, put))
            )
        as_written = isinstance(made, Doubt) and not put.stood and self._may_have_stood(entry, edit, made, after)
        self._append(number, entry, before, after, found, reading, guess=guess)
        self._note_certainty(step, edit, as_written=as_written)

    def _may_have_stood(self, entry: CheckerPlay, edit: Edit, made: Doubt, after: Board) -> bool:
        """Whether the rest of the game goes on as well from the board that a play against the rules leaves."""
        assert self.reading is not None
        written = made.written
        if written is None and entry.text.kind in ("nothing", "dance"):
            written = view(self.board, entry.player)
        if written is None:
            return False
        items = self.reading.items[edit.at + 1 :]
        (far, odd), (read_far, read_odd) = (self._run_on(entry.player, board, items) for board in (written, after))
        return (-far, odd) <= (-read_far, read_odd)

    def _run_on(self, player: Player, board: Board, items: Sequence[Item]) -> tuple[int, float]:
        """How many entries can follow a play that leaves a board, and what is odd about them, in bits."""
        assert self.guide is not None
        there = self.state.copy()
        there.land(player, board)
        reached, _, odd = run(there, items, 0, self.guide.terms)
        return reached, odd

    def _contradicted(self, number: int, entry: CheckerPlay, after: Board) -> tuple[int, ...]:
        """The number of the first entry that cannot follow a play as it is written; none where all can."""
        items = self.game.entries[number + 1 :]
        at, _ = self._run_on(entry.player, after, items)
        return (number + 1 + at,) if at < len(items) else ()

    def _act_instead(self, step: _EntryStep, edit: Edit, put: Item) -> None:
        """Go on with the cube action that was meant in place of the one that is written."""
        assert self.guide is not None
        entry, number, state = step.entry, step.number, self.state
        before, offer = state.seen(entry.player), self._waiting_for(entry.player)
        why = state.why_not(entry)
        if isinstance(entry, Double) and why is not None and why.reason is CubeReason.UNANSWERED:
            state.take()
            why = state.why_not(entry)
        assert not isinstance(put, SupposedTurn)
        reading: Reading = "corrected"
        if why is not None:
            reading = "as written" if isinstance(put, Stood) else "left out"
        advance(state, put, self.guide.terms, last=False)
        if isinstance(put, Double) and isinstance(entry, Double):
            found = why or CubeViolation(CubeReason.WRONG_VALUE, put.value, entry.value)
        else:
            found = why or CubeViolation(next(reason for kind, reason in _MEANT if isinstance(put, kind)))
        self._note(number, entry, (found,), reading, before, offer)
        self._note_certainty(step, edit)

    def _note_certainty(self, step: _EntryStep, edit: Edit, *, as_written: bool = False) -> None:
        """Note on the last turn how much fits after it, and what else may stand there."""
        sure, rivals = self._certainty(edit)
        rivals = (None, *rivals) if as_written else rivals
        self.turns[-1] = self.turns[-1]._replace(legal_after=step.left, sure=sure, rivals=rivals)

    def _certainty(self, edit: Edit) -> tuple[bool, tuple[Play | None, ...]]:
        """Whether no other reading comes near that has not this edit; and plays of the same roll that are as likely."""
        assert self.guide is not None
        near = [(bits, each) for bits, each in self.guide.rivals if not any(_is_same(one, edit) for one in each.edits)]
        if any(isinstance(each, _ACTIONS) for each in edit.old):
            # Of an action it is asked whether it counted, not in which place.
            near = [(bits, each) for bits, each in near if any(_counts_otherwise(one, edit) for one in each.edits)]
        plays: list[Play] = []
        for bits, each in near:
            for one in each.edits:
                put, own = (some.put[0] if len(some.put) == 1 else None for some in (one, edit))
                if one.at != edit.at or not isinstance(put, SupposedTurn) or not isinstance(own, SupposedTurn):
                    continue
                if bits < TIED and sorted(put.dice) == sorted(own.dice) and put.play.result != own.play.result:
                    plays.append(put.play)
        return all(bits >= MARGIN for bits, _ in near), tuple(dict.fromkeys(plays))

    def _with_other_rolls(self, edit: Edit, put: SupposedTurn) -> tuple[tuple[Play, Dice], ...]:
        """Other rolls with a play that leaves the same board and is as likely, the play first."""
        assert self.guide is not None
        edits = (one for bits, each in self.guide.rivals if bits < TIED for one in each.edits)
        turns = (one.put[0] for one in edits if (one.slip, one.at) == (edit.slip, edit.at))
        return tuple(dict.fromkeys(
            (each.play, each.dice)
            for each in turns
            if isinstance(each, SupposedTurn) and each.dice != put.dice and each.play.result == put.play.result
        ))  # fmt: skip

    # --- entries ----------------------------------------------------------------------------

    def _entry(self, number: int, entry: Entry) -> None:
        if self.is_over:
            self._note(number, entry, (OrderViolation(TurnFault.AFTER_END),))
        elif isinstance(entry, CheckerPlay):
            self._checker_play(number, entry)
        elif isinstance(entry, SetBoard):
            self._set_board(number, entry)
        else:
            state = self.state.seen(entry.player)
            offer = self._waiting_for(entry.player) if isinstance(entry, Take | Drop | Beaver) else ""
            violations, reading = self._act(entry)
            self._note(number, entry, violations, reading, state, offer)

    def _note(
        self,
        number: int,
        entry: Entry,
        violations: tuple[AnyViolation, ...],
        reading: Reading = "",
        state: MatchState | None = None,
        offer: Waiting = "",
    ) -> None:
        """Add a turn that leaves the board as it is; ``state`` is score and cube before it if it turned the cube."""
        board, roll = view(self.board, entry.player), sum(self.state.rolls)
        state = state or self.state.seen(entry.player)
        turn = Turn(entry.player, board, state, entry, board, None, violations, reading, index=number, roll=roll)
        self.turns.append(turn._replace(offer=offer) if offer else turn)

    def _set_board(self, number: int, entry: SetBoard) -> None:
        """The record goes on from another board, with the entry's player on roll."""
        player = entry.player
        before, state, roll = view(self.board, player), self.state.seen(player), sum(self.state.rolls)
        self.state.follow(entry)
        self.turns.append(Turn(player, before, state, entry, view(self.board, player), index=number, roll=roll))

    # --- cube actions -----------------------------------------------------------------------

    def _act(self, entry: Entry) -> tuple[tuple[AnyViolation, ...], Reading]:
        """Turn or refuse the cube, or give up the game: what is wrong with that, and how it is read then."""
        violation: CubeViolation | None = None
        match entry:
            case Double():
                return self._double(entry)
            case Beaver():
                return self._beaver(entry)
            case AutomaticDouble(value=value):
                opening = self.state.is_opening or self._is_set_at_first
                violation = self.state.why_not_automatic(value, opening=opening)
                self.state.double_automatically()
            case Take():
                violation = self.state.why_not_answer(entry.player)
                if violation is None:
                    self.state.take()
            case Drop():
                violation = self.state.why_not_answer(entry.player)
                if violation is None:
                    self.state.drop(entry.player)
                elif self.at == len(self.steps):
                    # Nothing was offered. As the last entry, the drop still means that the player gave up the game.
                    self.state.offer = None
                    self.state.drop(entry.player)
            case Resign():
                self.resigned = entry
                self.state.resign(entry.player)
        return () if violation is None else (violation,), ""

    def _double(self, entry: Double) -> tuple[tuple[CubeViolation, ...], Reading]:
        state, player, claimed = self.state, entry.player, entry.value
        found = [CubeViolation(CubeReason.UNANSWERED)] if self._is_offer_standing else []
        state.offer = None
        state.supply_automatic(claimed)
        violation = state.why_not_double(player, claimed)
        if violation is None and state.seen(player).is_cube_dead:
            found.append(CubeViolation(CubeReason.DEAD))
        offer = state.double(player)
        if violation is None:
            return tuple(found), ""
        found.append(violation)
        if violation.reason is CubeReason.WRONG_VALUE:
            return tuple(found), "left out"
        # By the usual rules of tournaments a double in the Crawford game does not count. Any other illegal double
        # counts once it is answered, and so does one that ended the game.
        is_void = violation.reason is CubeReason.CRAWFORD and not self._ends_with_drop()
        state.offer = offer._replace(annulled=is_void)
        return tuple(found), "as written" if self._is_offer_standing else "left out"

    def _beaver(self, entry: Beaver) -> tuple[tuple[CubeViolation, ...], Reading]:
        state = self.state
        violation = state.why_not_beaver(entry.player, entry.value)
        if violation is None:
            state.beaver(entry.player)
            return (), ""
        if violation.reason in (CubeReason.NO_OFFER, CubeReason.OWN_BEAVER):
            return (violation,), "left out"
        if violation.reason is CubeReason.NO_BEAVERS:
            state.take()  # a beaver in a game without beavers is probably a take
            return (violation,), "left out"
        state.beaver(entry.player)
        return (violation,), "left out" if violation.reason is CubeReason.WRONG_VALUE else "as written"

    @property
    def _is_offer_standing(self) -> bool:
        """Whether a double waits for an answer that will count."""
        return self.state.offer is not None and not self.state.offer.annulled

    def _ends_with_drop(self) -> bool:
        """Whether the offer just made was dropped and nothing was played after it, so that it must have counted."""
        rest = self._following()
        return isinstance(next(rest, None), Drop) and not any(isinstance(each, CheckerPlay) for each in rest)

    def _accept_by_playing_on(self) -> tuple[CubeViolation, ...]:
        """Accept an offer that still waits for an answer when a player rolls, and say what is wrong with that."""
        offer = self.state.offer
        if offer is None:
            return ()
        self.state.take()
        # A player accepts a beaver or a raccoon by playing on; records have no word for it.
        if offer.counters or offer.annulled:
            return ()
        return (CubeViolation(CubeReason.UNANSWERED),)

    # --- plays ------------------------------------------------------------------------------

    def _checker_play(self, number: int, entry: CheckerPlay) -> None:
        """Carry out a roll and its play as it is written, if that can be."""
        violations: list[AnyViolation] = [*self._accept_by_playing_on()]
        before = view(self.board, entry.player)
        if not self.state.may_act(entry.player):
            if self._is_repeat(entry) or isinstance(judge(entry, before, self._following()), Doubt):
                fault = TurnFault.REPEATED if self._is_repeat(entry) else TurnFault.TURN_MISSING
                self._append(number, entry, before, before, [*violations, OrderViolation(fault)], "left out")
                return
            violations.append(OrderViolation(TurnFault.TURN_MISSING))
        violations += self._wrong_openings(entry)
        made = judge(entry, before, self._following())
        if isinstance(made, MadePlay):
            if made.violation is not None:
                violations.append(made.violation)
            reading: Reading = "inserted" if TurnFault.TURN_MISSING in map(_fault_of, violations) else ""
            self._append(number, entry, before, made.after, violations, reading, play=made.play)
            return
        after = before if made.written is None else made.written
        self._append(number, entry, before, after, [*violations, made.violation],
                     "left out" if made.written is None else "as written")  # fmt: skip

    def _wrong_openings(self, entry: CheckerPlay) -> Iterator[OrderViolation]:
        """What is wrong with the first roll of a game: it is a double, or somebody else should have rolled."""
        dice = entry.dice
        if self.state.last is not None or dice is None or not are_dice(dice):
            return
        if self.state.is_opening and dice[0] == dice[1]:
            yield OrderViolation(TurnFault.OPENING_DOUBLE)
        if self.starter is not None and entry.player != self.starter:
            yield OrderViolation(TurnFault.WRONG_STARTER)

    def _append(
        self,
        number: int,
        entry: CheckerPlay,
        before: Board,
        after: Board,
        violations: list[AnyViolation],
        reading: Reading = "",
        *,
        play: Play | None = None,
        guess: Play | None = None,
    ) -> None:
        """Add the turn of a roll and go on from the board after it."""
        player = entry.player
        state, roll = self.state.seen(player), sum(self.state.rolls)
        found = tuple(violations)
        self.turns.append(
            Turn(player, before, state, entry, after, play, found, reading, guess, index=number, roll=roll)
        )
        self.state.land(player, after)

    def _is_repeat(self, entry: CheckerPlay) -> bool:
        """Whether the entry says the same as the one before it of the same player."""
        for turn in reversed(self.turns):
            if isinstance(turn.entry, CheckerPlay) and turn.player == entry.player:
                return says(turn.entry) == says(entry)
        return False


def _fault_of(violation: AnyViolation) -> TurnFault | None:
    return violation.fault if isinstance(violation, OrderViolation) else None


def _named(turn: SupposedTurn) -> tuple[Play | None, Dice | None]:
    """A turn that is supposed, by its play and roll; nothing of one in which nothing could be played."""
    return (turn.play, turn.dice) if turn.play.hops else (None, None)


def _is_same(one: Edit, two: Edit) -> bool:
    """Whether two edits make the same of the same entries."""
    return (one.slip, one.at, one.gone) == (two.slip, two.at, two.gone) and _content(one.put) == _content(two.put)


def _counts_otherwise(one: Edit, two: Edit) -> bool:
    """Whether an action of the cube counts by one edit and not by the other, or for another value."""
    return one.at == two.at and _COUNTS.get(one.slip, one.slip) != _COUNTS.get(two.slip, two.slip)


_COUNTS: Final = {"stood": "", "order": "", "annulled": "not", "surplus cube": "not"}


def _content(items: Sequence[Item]) -> list[object]:
    return [each.play.result if isinstance(each, SupposedTurn) else each for each in items]
