"""One run through the entries of a game: board and cube while they go by, and a turn for each.

A run takes the entries as they are written, or in a reading of the whole game that it is given. Where an
entry cannot be, it goes on with the reading that lets most of the rest replay.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from dataclasses import replace
from functools import partial
from itertools import islice
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.perspective import other, view
from bgtools.positions.position import OFFERS
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.record.state import GameState
from bgtools.replayer import recovery
from bgtools.replayer.costs import is_slip
from bgtools.replayer.ending import Arrival
from bgtools.replayer.misread import SUPPOSED
from bgtools.replayer.plays import MadePlay, judge
from bgtools.replayer.turn import OrderViolation, Rival, Turn, TurnFault, Turns
from bgtools.rules.cube import Cube, CubeReason, CubeViolation
from bgtools.rules.worth import points_won, winning_level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.positions.position import Offer as Waiting
    from bgtools.record.record import Entry, Game
    from bgtools.record.state import Offer
    from bgtools.replayer.budget import Budget
    from bgtools.replayer.misread import Misread
    from bgtools.replayer.plays import Doubt
    from bgtools.replayer.recovery import Reading
    from bgtools.replayer.repairs import ReadingEdit
    from bgtools.replayer.turn import AnyViolation, GameReplay
    from bgtools.rules.cube import MatchState

RECOVERIES_AGAIN: Final = 2
"""For how many faults all readings are tried where the whole game is read otherwise than it is written."""

_RECOVERIES: Final = 6
"""For how many faults all readings are tried in a game as it is written. With more faults a game is ruined."""

_REREADINGS: Final = 2
"""How often an entry may change its column. Without a limit it could go to and fro for ever."""

_HORIZON: Final = 400
"""How many entries after a fault are looked at in a ruined game."""

_OTHER_COLUMN: Final[Mapping[Reading, TurnFault]] = MappingProxyType(
    {
        "other column": TurnFault.WRONG_COLUMN,
        "swapped": TurnFault.SWAPPED,
        "swapped on": TurnFault.SWAPPED_ON,
        "moved up": TurnFault.MOVED_UP,
    }
)
"""The readings that change the entries that follow, and the fault that each of them means."""

_READ_ON: Final[Mapping[Reading, TurnFault]] = MappingProxyType(
    {
        **_OTHER_COLUMN,
        "moved": TurnFault.MOVED,
        "rolls exchanged": TurnFault.ROLLS,
        "inserted": TurnFault.FIRST_MISSING,
        "row inserted": TurnFault.ROW_MISSING,
    }
)
"""The same, with the readings that are tried only on a whole game."""

_TURNED: Final = ("swapped on", "moved up")
"""The readings with which all that follows is in the other column. Whether the result does too is open."""


class GameRun:
    """The board and the cube of one game while its entries go by."""

    def __init__(
        self,
        state: MatchState,
        game: Game,
        starter: Player | None,
        budget: Budget,
        *,
        flip: bool = False,
        edit: ReadingEdit | None = None,
        misread: Misread | None = None,
    ) -> None:
        """Set up the board of a game.

        Args:
            state: the match before the game, seen by player 0.
            game: the record.
            starter: who has to start, where a rule says so; else None.
            budget: how many faults may still be looked into in the match.
            flip: whether doubtful cube actions are read the other way: as standing, or as annulled.
            edit: a slip put right, if the game is read with one.
            misread: a cube action read otherwise, if the game is read with one.
        """
        self.budget = budget
        self.rules = state.rules
        self.match = state
        self.game = game
        self.starter = starter
        self.flip = flip
        self.state = GameState(state, game.start, game.start_cube, game.start_owner)
        self.is_doubtful = False  # whether a cube action was against the rules, so that nobody knows if it counted
        self.resigned: Resign | None = None
        self.turns: list[Turn] = []
        # Without a known start no entry can be judged. The result still counts for the score.
        entries = enumerate(game.entries) if misread is None else misread.entries
        self.entries: deque[tuple[int, Entry]] = deque(entries if game.start_known else ())
        self.faults: dict[int, OrderViolation] = {}  # found while an earlier entry was read
        self.rereadings: Counter[int] = Counter()  # of an entry, by its number
        self.number = 0  # of the entry that is read
        self.passed_over: frozenset[int] = frozenset()
        # Another reading of the whole game is worth its cost only if it leaves few faults.
        self.recoveries = _RECOVERIES if edit is None and misread is None and not flip else RECOVERIES_AGAIN
        self.misread = misread
        if misread is not None:
            self.passed_over = misread.passed_over
        self.edit = edit
        self.is_edited = edit is not None
        self.is_as_written = edit is None and misread is None  # whether the entries are still those of the record
        self.is_turned = False  # whether the rest of the entries is in the other column
        if edit is not None and edit.passed_over:
            self.faults[edit.at] = OrderViolation(TurnFault.REPEATED)
            self.passed_over = edit.passed_over

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

    def _is_second_turn(self, player: Player) -> bool:
        """Whether a player acts although they have rolled last and the other one could come in from the bar."""
        return not self.state.may_act(player)

    def _waiting_for(self, player: Player) -> Waiting:
        """What is on the table for a player to answer."""
        offer = self.state.offer
        if offer is None or offer.by == player:
            return ""
        return OFFERS[min(offer.counters, len(OFFERS) - 1)]

    # --- the game ---------------------------------------------------------------------------

    def replay(
        self,
        index: int,
        added_up: tuple[int, int] | None,
        following: tuple[int, int] | None,
        most: int = sys.maxsize,
    ) -> GameReplay | None:
        """Replay all entries; None as soon as more turns than ``most`` cannot be.

        Args:
            index: the game's place in the match.
            added_up: the sum of the results before it.
            following: the score line of the next game, if there is one.
            most: how many turns may be wrong.
        """
        wrong = 0
        while self.entries:
            number, entry = self.entries.popleft()
            edit = self.edit if self.edit is not None and number == self.edit.at else None
            if edit is not None and edit.option.reading in _READ_ON:
                self._read_on(number, edit.option, edit)
                self.edit = None
            else:
                made = len(self.turns)
                self._entry(number, entry)
                wrong += sum(is_slip(turn) for turn in self.turns[made:] if turn.violations)
                if wrong > most:
                    return None
        if self.is_edited and self.faults:
            return None  # the fault of the reading would stand on no turn, and nobody would be told of it
        arrival = Arrival(self.game, self.match, self.state, self.resigned)
        if self.is_turned:
            arrival = arrival.in_other_column(following)
        if arrival.drops_in_silence():
            self._mark_last_double()
        turns = self.turns if self.misread is None else self._in_their_places(self.misread)
        return replace(arrival.result(index, added_up, following, Turns(tuple(turns))), game=self.game)

    def _mark_last_double(self) -> None:
        """Mark the last double as unanswered: the result alone tells that it was dropped."""
        for at, turn in enumerate(self.turns):
            if isinstance(turn.entry, Double) and turn is self.turns[-1]:
                self.turns[at] = turn._replace(violations=(*turn.violations, CubeViolation(CubeReason.UNANSWERED)))

    def _in_their_places(self, misread: Misread) -> list[Turn]:
        """The turns in the order of the record, without those that it does not hold; the misread one is marked."""
        turns = sorted((turn for turn in self.turns if turn.index != SUPPOSED), key=lambda turn: turn.index)
        turn = turns[misread.at]
        entry = turn.entry if misread.reading == "other column" else self.game.entries[misread.at]
        found = (misread.violation, *turn.violations)
        turns[misread.at] = turn._replace(entry=entry, violations=found, reading=misread.reading)
        return turns

    # --- entries ----------------------------------------------------------------------------

    def _entry(self, number: int, entry: Entry) -> None:
        if number in self.passed_over:
            self._note(number, entry, self._noted(number), "left out")
        elif self.is_over:
            self._note(number, entry, (OrderViolation(TurnFault.AFTER_END),))
        elif isinstance(entry, CheckerPlay):
            self._checker_play(number, entry)
        elif isinstance(entry, SetBoard):
            self._set_board(number, entry)
        else:
            state = self.state.seen(entry.player)
            offer = self._waiting_for(entry.player) if isinstance(entry, Take | Drop | Beaver) else ""
            noted = self._noted(number)
            violations, reading = self._act(entry)
            self._note(number, entry, (*noted, *violations), reading, state, offer)

    def _noted(self, number: int) -> tuple[OrderViolation, ...]:
        """What was found wrong with an entry while an earlier one was read."""
        noted = self.faults.pop(number, None)
        return () if noted is None else (noted,)

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
                elif not self.entries:
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
        self.is_doubtful = True
        if violation.reason is CubeReason.WRONG_VALUE:
            return tuple(found), self._at_claimed_value(offer, claimed)
        # By the usual rules of tournaments a double in the Crawford game does not count. Any other illegal double
        # counts once it is answered, and so does one that ended the game.
        is_void = violation.reason is CubeReason.CRAWFORD and not self._ends_with_drop()
        state.offer = offer._replace(annulled=is_void != self.flip)
        return tuple(found), "as written" if self._is_offer_standing else "left out"

    def _at_claimed_value(self, offer: Offer, claimed: int | None) -> Reading:
        """Read an offer at the wrong value that the record claims, if actions are read the other way."""
        if self.flip and claimed:
            self.state.offer = offer._replace(value=claimed)
        return "as written" if self.flip else "left out"

    def _beaver(self, entry: Beaver) -> tuple[tuple[CubeViolation, ...], Reading]:
        state = self.state
        violation = state.why_not_beaver(entry.player, entry.value)
        if violation is None:
            state.beaver(entry.player)
            return (), ""
        if violation.reason in (CubeReason.NO_OFFER, CubeReason.OWN_BEAVER):
            return (violation,), "left out"
        self.is_doubtful = True
        if violation.reason is CubeReason.NO_BEAVERS and not self.flip:
            state.take()  # a beaver in a game without beavers is probably a take
            return (violation,), "left out"
        offer = state.beaver(entry.player)
        if violation.reason is CubeReason.WRONG_VALUE:
            return (violation,), self._at_claimed_value(offer, entry.value)
        return (violation,), "as written"

    @property
    def _is_offer_standing(self) -> bool:
        """Whether a double waits for an answer that will count."""
        return self.state.offer is not None and not self.state.offer.annulled

    def _ends_with_drop(self) -> bool:
        """Whether the offer just made was dropped and nothing was played after it, so that it must have counted."""
        rest = self._rest(whole=True)
        return bool(rest) and isinstance(rest[0], Drop) and not any(isinstance(each, CheckerPlay) for each in rest)

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
        """Carry out a roll and its play, or go on with the likeliest reading of it."""
        self.number = number
        violations: list[AnyViolation] = [*self._noted(number), *self._accept_by_playing_on()]
        missing: recovery.ChosenOption | None = None
        if self._is_second_turn(entry.player):
            missing = self._best("turn", partial(self._missing_turn, entry))
            if missing.option.reading in _OTHER_COLUMN:
                self._read_on(number, missing.option)
                return
            if missing.option.reading != "inserted":
                self._leave_out(number, entry, violations, missing)
                return
            violations.append(OrderViolation(TurnFault.TURN_MISSING, missing.option.play, missing.option.dice))
            self.state.put(0, missing.option.start.board)
        violations += self._wrong_openings(entry)
        before = view(self.board, entry.player)
        edit = self.edit
        violation: AnyViolation
        if edit is not None and edit.at == number and edit.option.reading == "corrected":
            violation = OrderViolation(TurnFault.MISREAD, edit.option.play, edit.option.dice, edit.misplaced)
            choice = recovery.ChosenOption(edit.option, -1, complete=False)
        else:
            made = judge(entry, before, (each for _, each in self.entries))
            if isinstance(made, MadePlay):
                if made.violation is not None:
                    violations.append(made.violation)
                self._append(number, entry, before, made.after, violations, missing, play=made.play)
                return
            violation = made.violation
            choice = self._best("play", partial(self._other_play, entry, made))
        if choice.option.reading in _OTHER_COLUMN:
            self._read_on(number, choice.option)
        else:
            self._go_on_with(choice, number, entry, before, [*violations, violation])

    def _wrong_openings(self, entry: CheckerPlay) -> Iterator[OrderViolation]:
        """What is wrong with the first roll of a game: it is a double, or somebody else should have rolled."""
        dice = entry.dice
        if self.state.last is not None or dice is None or not are_dice(dice):
            return
        if self.state.is_opening and dice[0] == dice[1]:
            yield OrderViolation(TurnFault.OPENING_DOUBLE)
        if self.starter is not None and entry.player != self.starter:
            yield OrderViolation(TurnFault.WRONG_STARTER)

    def _leave_out(
        self, number: int, entry: CheckerPlay, violations: list[AnyViolation], choice: recovery.ChosenOption
    ) -> None:
        """Pass over the second of two turns running."""
        fault = TurnFault.REPEATED if self._is_repeat(entry) else TurnFault.TURN_MISSING
        before = view(self.board, entry.player)
        self._append(number, entry, before, before, [*violations, OrderViolation(fault)], choice)

    def _go_on_with(
        self,
        choice: recovery.ChosenOption,
        number: int,
        entry: CheckerPlay,
        before: Board,
        violations: list[AnyViolation],
    ) -> None:
        """Go on from the board that the likeliest reading of a play leaves."""
        option = choice.option
        if option.reading == "left out" and self._is_repeat(entry):
            violations[-1] = OrderViolation(TurnFault.REPEATED)
        after = view(option.start.board, entry.player)
        self._append(number, entry, before, after, violations, choice, guess=option.play)
        rivals = tuple(
            Rival(number, each.option.play, each.option.dice, each.legal_after, each.complete) for each in choice.rivals
        )
        self.turns[-1] = self.turns[-1]._replace(sure=choice.sure, rivals=rivals)
        self.state.last = option.start.last

    def _append(
        self,
        number: int,
        entry: CheckerPlay,
        before: Board,
        after: Board,
        violations: list[AnyViolation],
        choice: recovery.ChosenOption | None,
        *,
        play: Play | None = None,
        guess: Play | None = None,
    ) -> None:
        """Add the turn of a roll and go on from the board after it; ``choice`` is how it is read, if that was open."""
        player = entry.player
        state, roll = self.state.seen(player), sum(self.state.rolls)
        reading: Reading = "" if choice is None else choice.option.reading
        fits, complete = (-1, False) if choice is None else (choice.legal_after, choice.complete)
        found = tuple(violations)
        self.turns.append(
            Turn(player, before, state, entry, after, play, found, reading, guess, fits, complete, number, roll)
        )
        self.state.land(player, after)

    def _is_repeat(self, entry: CheckerPlay) -> bool:
        """Whether the entry says the same as the one before it of the same player."""
        for turn in reversed(self.turns):
            if isinstance(turn.entry, CheckerPlay) and turn.player == entry.player:
                return turn.entry.dice == entry.dice and str(turn.entry.text) == str(entry.text)
        return False

    # --- readings ---------------------------------------------------------------------------

    def _read_on(self, number: int, option: recovery.ReadingOption, edit: ReadingEdit | None = None) -> None:
        """Go on with the entries of an option in the places of the record's own."""
        self.rereadings[number] += 1
        self.is_as_written = False
        numbers = [number, *(each for each, _ in self.entries)]
        fault = _READ_ON[option.reading]
        if fault is TurnFault.MOVED_UP and not self.turns:
            fault = TurnFault.FIRST_MISSING
        places, reply = ((), (None, None)) if edit is None else (edit.misplaced, edit.reply)
        self.faults[number] = OrderViolation(fault, option.play, option.dice, places, reply)
        self.is_turned = self.is_turned or option.reading in _TURNED
        if option.reading in ("moved up", "inserted", "row inserted"):
            self.state.put(0, option.start.board)
            self.state.last = option.start.last
        self.entries = deque(zip(numbers, option.start.entries, strict=True))

    def _rest(self, *, whole: bool) -> tuple[Entry, ...]:
        """The entries that follow: all, or as many as are looked at in a ruined game."""
        return tuple(map(itemgetter(1), self.entries if whole else islice(self.entries, _HORIZON)))

    def _other_play(self, entry: CheckerPlay, doubt: Doubt, everything: bool) -> recovery.EntryReadings:
        """The readings of a play that cannot be; in a ruined game the plainest."""
        rest = self._rest(whole=everything)
        dice = doubt.dice
        plays = legal_plays(view(self.board, entry.player), dice) if everything and dice is not None else ()
        plain = recovery.for_play(
            self.board,
            entry,
            rest,
            self.state.last,
            written=doubt.written,
            plays=plays,
            plainest=not everything,
        )
        return recovery.EntryReadings(plain, recovery.moved_up(self.board, entry, rest) if everything else None)

    def _missing_turn(self, entry: CheckerPlay, everything: bool) -> recovery.EntryReadings:
        """The readings of a second turn running; in a ruined game the plainest."""
        rest = self._rest(whole=everything)
        plain = recovery.for_missing_turn(self.board, entry, rest, entry.player)
        if not everything:
            return recovery.EntryReadings(islice(plain, 2))
        absent = other(entry.player)
        return recovery.EntryReadings(plain, recovery.Supposed("inserted", self.board, absent, (entry, *rest)))

    def _best(self, what: str, readings: Callable[[bool], recovery.EntryReadings]) -> recovery.ChosenOption:
        """The best reading of a fault.

        Args:
            what: the fault: ``play``, one that cannot be, or ``turn``, one that is missing.
            readings: gives the readings: all of them for the first faults of a game, else the plainest.
        """
        self.recoveries -= 1
        asked = (what, id(self.game), self.number, self.board, self.state.last)
        known = self.budget.known if self.is_as_written and self.recoveries >= 0 else {}
        if asked not in known:
            everything = self.recoveries >= 0 and self.budget.spend()
            tried = recovery.tried(readings(everything))
            if everything:
                known[asked] = self.game, tried
        else:
            tried = known[asked][1]
        if self.rereadings[self.number] >= _REREADINGS:
            tried = tuple((option, fit) for option, fit in tried if option.reading not in _OTHER_COLUMN)
        return recovery.choose(tried, self._agrees)

    def _agrees(self, option: recovery.ReadingOption, final: Board) -> bool:
        """Whether the last board of an option agrees with the stated result: who won, and how many points."""
        claim = next((claim for claim in self.game.results if claim.won), None)
        if not final.is_over:
            return claim is None or any(isinstance(entry, Drop | Resign) for _, entry in self.entries)
        level = winning_level(final, quadruple=self.rules.quadruple)
        if claim is None or level is None:
            return True
        winner: Player = 0 if not any(final.mine[1:]) else 1
        cube = self._last_cube()
        state = replace(self.state.seen(winner), cube=Cube(cube, "mine" if cube > 1 else "centre"))
        points = points_won(level, state)
        # Many programs state only the points that were needed to win the match.
        fits = claim.points is None or claim.points == points or (bool(self.match.length) and claim.match)
        return fits and (claim.player == winner or not claim.column_speaks or option.reading in _TURNED)

    def _last_cube(self) -> int:
        """The value of the cube at the end, if all doubles that follow and are taken count."""
        cube = self.state.cube
        for (_, entry), (_, answer) in zip(self.entries, islice(self.entries, 1, None), strict=False):
            if isinstance(entry, Double) and isinstance(answer, Take):
                cube *= 2
        return cube
