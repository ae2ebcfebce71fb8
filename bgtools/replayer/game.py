"""Replaying one game: board and cube while its entries go by."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bgtools.board import Play, Violation, are_dice, can_move, forced, legal_plays, other, resolve, view
from bgtools.positions import decode_snowie_dump
from bgtools.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.replayer import recovery
from bgtools.replayer.cube import Doubling
from bgtools.replayer.ending import Arrival
from bgtools.replayer.quick import sound_arrival
from bgtools.replayer.recovery import Edit, edits, is_shut_out
from bgtools.replayer.turn import OrderViolation, Turn, TurnFault, Turns
from bgtools.rules import Cube, CubeReason, CubeViolation, MatchState, points_won, winning_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bgtools.board import Board, Player
    from bgtools.positions import Offer
    from bgtools.record import Entry, Game
    from bgtools.replayer.recovery import Reading
    from bgtools.replayer.turn import AnyViolation, GameReplay


def replay_game(
    game: Game,
    index: int,
    state: MatchState,
    added_up: tuple[int, int] | None,
    following: tuple[int, int] | None,
    starter: Player | None,
    budget: recovery.Budget,
) -> GameReplay:
    """Replay one game, in the reading that leaves the fewest contradictions.

    Args:
        game: the record.
        index: its place in the match.
        state: the match before the game, seen by player 0.
        added_up: the sum of the results before it.
        following: the score line of the next game, if there is one.
        starter: who starts by the rules, where one of them says so.
        budget: how many faults may still be looked into in the match.
    """

    quick = _quick(game, index, state, added_up, following, starter)
    if quick is not None:
        return quick

    def run(*, flip: bool = False, edit: Edit | None = None) -> tuple[_GameState, GameReplay]:
        played = _GameState(state, game, starter, budget, flip=flip, edit=edit)
        return played, played.run(index, added_up, following)

    first, result = run()
    best = _cost(result, state.length)
    if not best:
        return result
    if first.cube.doubtful:
        # Read illegal cube actions the other way: what counted does not count, and the other way round.
        _, alternative = run(flip=True)
        if (found := _cost(alternative, state.length)) < best:
            best, result = found, alternative
    if best <= _SLIP or not budget.spend():
        return result
    # The slip may stand before the entry where it shows.
    fault = _first_fault(result)
    for edit in edits(game.entries, _starts(result), fault, all_or_nothing=best > _RUINED):
        _, alternative = run(edit=edit)
        # A missing turn fits in many places and with many plays, so it must explain more than other slips.
        if (found := _cost(alternative, state.length) + (edit.option.reading == "moved up")) < best:
            best, result = found, alternative
            if best <= _SLIP:
                break
    return result


def _quick(
    game: Game,
    index: int,
    state: MatchState,
    added_up: tuple[int, int] | None,
    following: tuple[int, int] | None,
    starter: Player | None,
) -> GameReplay | None:
    """The replay of a game in which nothing is wrong, its turns still to be made; None at the first doubt."""
    arrival = sound_arrival(game, state, starter)
    if arrival is None:
        return None
    turns = Turns(make=partial(_all_turns, game, state, starter))
    result = arrival.result(index, added_up, following, turns, is_sound=True)
    return None if _has_wrong_winner(result) or _wrong_points(result, state.length) else result


def _all_turns(game: Game, state: MatchState, starter: Player | None) -> tuple[Turn, ...]:
    """The turns of a game in which nothing is wrong."""
    played = _GameState(state, game, starter, recovery.Budget(), flip=False, edit=None)
    return played.run(0, None, None).turns


def _starts(game: GameReplay) -> list[tuple[Board, Player | None]]:
    """The board before every entry, seen by player 0, and who rolled last."""
    found: list[tuple[Board, Player | None]] = []
    last: Player | None = None
    for turn in game.turns:
        found.append((view(turn.before, turn.player), last))
        if isinstance(turn.entry, CheckerPlay):
            last = turn.player
    return found


def _first_fault(game: GameReplay) -> int:
    """The first entry that cannot be; the last one where only the result is wrong."""
    return next((turn.index for turn in game.turns if not turn.is_legal), len(game.turns) - 1)


_SLIP: Final = 2
"""The cost of one mistake in the record."""


def _cost(game: GameReplay, length: int) -> int:
    """How many mistakes the record would hold if this replay were right, weighted; the stated result counts too."""
    # `is_legal` is slow, and nearly all turns are without a violation.
    slips = sum(not turn.is_legal for turn in game.turns if turn.violations) + _has_wrong_winner(game)
    return _SLIP * slips + _wrong_points(game, length) + sum(map(_is_unexplained, game.turns))


def _is_unexplained(turn: Turn) -> bool:
    """Whether an illegal play is left out. That explains little: somebody must have written it for a reason."""
    return (
        turn.reading == "left out"
        and isinstance(turn.entry, CheckerPlay)
        and bool(turn.entry.text.hops)
        and any(isinstance(each, Violation) for each in turn.violations)
    )


def _wrong_points(game: GameReplay, length: int) -> int:
    """The cost of a result with wrong points; a lower one for points that the match needed, or its length."""
    claim = game.claim
    if claim is None or game.earned is None or game.winner is None or claim.points in (None, game.earned):
        return 0
    needed = length - game.score[game.winner] if length else 0
    return 1 if claim.match and 0 < needed <= game.earned and claim.points in (needed, length) else _SLIP


def _has_wrong_winner(game: GameReplay) -> bool:
    return game.claim is not None and game.claim.column_speaks and game.claim.player != game.winner


_OTHER_COLUMN: Final[Mapping[Reading, TurnFault]] = MappingProxyType(
    {
        "other column": TurnFault.WRONG_COLUMN,
        "swapped": TurnFault.SWAPPED,
        "swapped on": TurnFault.SWAPPED_ON,
        "moved up": TurnFault.MOVED_UP,
    }
)
"""The readings that change the entries that follow, and the fault that each of them means."""


_RECOVERIES: Final = 6
"""For how many faults of a game all readings are tried. With more of them the game is ruined, not misprinted."""

_RECOVERIES_AGAIN: Final = 2
"""The same, while another reading of the whole game is tried."""

_REREADINGS: Final = 2
"""How often an entry may change its column. Without a limit it could go to and fro for ever."""

_HORIZON: Final = 400
"""How many entries after a fault are looked at in a ruined game."""

_RUINED: Final = 8 * _SLIP
"""Above this cost another reading of the whole game is tried only if everything fits with it."""


class _GameState:
    """The board and the cube of one game while its entries are replayed."""

    def __init__(
        self,
        state: MatchState,
        game: Game,
        starter: Player | None,
        budget: recovery.Budget,
        *,
        flip: bool,
        edit: Edit | None,
    ) -> None:
        self.budget = budget
        self.rules = state.rules
        self.match = state
        self.game = game
        self.starter = starter
        self.flip = flip
        self.board = game.start or self.rules.start  # seen by player 0
        self.is_set = game.start is not None  # the record set the board, so no opening roll follows
        self.cube = Doubling(game, state, flip=flip)
        self.last_roller: Player | None = None
        self.rolls = [0, 0]
        self.resigned: Resign | None = None
        self.turns: list[Turn] = []
        # Without a known start no entry can be judged. The result still counts for the score.
        self.entries: deque[tuple[int, Entry]] = deque(enumerate(game.entries) if game.start_known else ())
        self.faults: dict[int, OrderViolation] = {}  # found while an earlier entry was read
        self.rereadings: Counter[int] = Counter()  # of an entry, by its number
        self.number = 0  # of the entry that is read
        self.passed_over: frozenset[int] = frozenset()
        # Another reading of the whole game is worth its cost only if it leaves few faults.
        self.recoveries = _RECOVERIES if edit is None and not flip else _RECOVERIES_AGAIN
        self.edit = edit
        if edit is not None and edit.passed_over:
            self.faults[edit.at] = OrderViolation(TurnFault.REPEATED)
            self.passed_over = edit.passed_over

    # --- views ------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.cube.dropped is not None or self.resigned is not None or self.board.is_over

    @property
    def is_opening(self) -> bool:
        """Whether the next roll is one die of each player."""
        return sum(self.rolls) == 0 and not self.is_set and not self.rules.winner_starts

    # --- entries ----------------------------------------------------------------------------

    def run(self, index: int, added_up: tuple[int, int] | None, following: tuple[int, int] | None) -> GameReplay:
        while self.entries:
            number, entry = self.entries.popleft()
            if self.edit is not None and number == self.edit.at and not self.passed_over:
                self._read_on(number, self.edit.option)
                self.edit = None
            else:
                self._entry(number, entry)
        arrival = Arrival(self.game, self.match, self.board, self.cube, self.resigned)
        return arrival.result(index, added_up, following, Turns(tuple(self.turns)))

    def _entry(self, number: int, entry: Entry) -> None:
        if number in self.passed_over:
            noted = self.faults.pop(number, None)
            self._note(number, entry, () if noted is None else (noted,), "left out")
        elif self.is_over:
            self._note(number, entry, (OrderViolation(TurnFault.AFTER_END),))
        elif isinstance(entry, CheckerPlay):
            self._checker_play(number, entry)
        elif isinstance(entry, SetBoard):
            self._set_board(number, entry)
        else:
            state = self.cube.state(entry.player)
            offer = self.cube.waiting_for(entry.player) if isinstance(entry, Take | Drop | Beaver) else ""
            violations, reading = self._act(entry)
            self._note(number, entry, violations, reading, state, offer)

    def _act(self, entry: Entry) -> tuple[tuple[AnyViolation, ...], Reading]:
        """Turn or refuse the cube, or give up the game: what is wrong with that, and how it is read then."""
        violation: CubeViolation | None = None
        reading: Reading = ""
        match entry:
            case Double():
                return self._double(entry)
            case Beaver():
                violation = self.cube.beaver(entry)
                if violation is not None:
                    reading = "as written" if self.cube.offer is not None else "left out"
            case AutomaticDouble():
                violation = self.cube.double_automatically(entry, opening=self.is_opening)
            case Take():
                violation = self.cube.take(entry.player)
            case Drop():
                violation = self.cube.drop(entry.player, is_last=not self.entries)
            case Resign():
                self.resigned = entry
        return () if violation is None else (violation,), reading

    def _set_board(self, number: int, entry: SetBoard) -> None:
        """The record goes on from another board, with the entry's player on roll."""
        player = entry.player
        before, state, roll = view(self.board, player), self.cube.state(player), sum(self.rolls)
        self.board, self.is_set = entry.position, True
        self.last_roller = other(player)
        self.cube.set(entry.cube, entry.owner)
        self.turns.append(Turn(player, before, state, entry, view(self.board, player), index=number, roll=roll))

    def _note(
        self,
        number: int,
        entry: Entry,
        violations: tuple[AnyViolation, ...],
        reading: Reading = "",
        state: MatchState | None = None,
        offer: Offer = "",
    ) -> None:
        """A turn that leaves the board as it is; ``state`` is that before it, where it has turned the cube."""
        board, roll = view(self.board, entry.player), sum(self.rolls)
        state = state or self.cube.state(entry.player)
        turn = Turn(entry.player, board, state, entry, board, None, violations, reading, index=number, roll=roll)
        self.turns.append(turn._replace(offer=offer) if offer else turn)

    def _double(self, entry: Double) -> tuple[tuple[CubeViolation, ...], Reading]:
        player = entry.player
        opening = self.is_opening
        out_of_turn = not opening and self.last_roller == player and not is_shut_out(view(self.board, other(player)))
        rolls = (self.rolls[0], self.rolls[1])
        found = [CubeViolation(CubeReason.UNANSWERED)] if self._is_offer_standing else []
        violation = self.cube.double(
            entry, opening=opening, rolls=rolls, out_of_turn=out_of_turn, ends_with_drop=self._ends_with_drop
        )
        if violation is None:
            return tuple(found), ""
        found.append(violation)
        if violation.reason is CubeReason.DEAD:
            return tuple(found), ""
        stands = self.flip if violation.reason is CubeReason.WRONG_VALUE else self._is_offer_standing
        return tuple(found), "as written" if stands else "left out"

    @property
    def _is_offer_standing(self) -> bool:
        """Whether a double waits for an answer that will count."""
        return self.cube.offer is not None and not self.cube.offer.annulled

    def _ends_with_drop(self) -> bool:
        """Whether the offer just made was dropped and nothing was played after it, so that it must have counted."""
        rest = self._rest(whole=True)
        return bool(rest) and isinstance(rest[0], Drop) and not any(isinstance(each, CheckerPlay) for each in rest)

    # --- plays ------------------------------------------------------------------------------

    def _checker_play(self, number: int, entry: CheckerPlay) -> None:
        violations: list[AnyViolation] = []
        self.number = number
        if (noted := self.faults.pop(number, None)) is not None:
            violations.append(noted)
        player, dice = entry.player, entry.dice
        if self.cube.offer is not None:
            offer = self.cube.offer
            self.cube.accept(offer)
            # A player accepts a beaver or a raccoon by playing on; records have no word for it.
            if not offer.counters and not offer.annulled:
                violations.append(CubeViolation(CubeReason.UNANSWERED))
        reading: Reading = ""
        fits, complete = -1, False
        if self.last_roller == player and not is_shut_out(view(self.board, other(player))):
            everything = self._afford()
            options = recovery.for_missing_turn(self.board, entry, self._rest(whole=everything), player)
            choice = self._best(options if everything else islice(options, 2))
            fits, complete, option = choice.fits, choice.complete, choice.option
            if option.reading in _OTHER_COLUMN:
                self._read_on(number, option)
                return
            violations.append(OrderViolation(TurnFault.TURN_MISSING, option.play, option.dice))
            reading = option.reading
            if reading == "inserted":
                self.board = option.start.board
            else:
                before = view(self.board, player)
                violations[-1] = OrderViolation(
                    TurnFault.REPEATED if self._is_repeat(entry) else TurnFault.TURN_MISSING
                )
                self._append(number, entry, before, before, violations, reading, fits=fits, complete=complete)
                return
        if sum(self.rolls) == 0 and dice is not None and are_dice(dice):
            if self.is_opening and dice[0] == dice[1]:
                violations.append(OrderViolation(TurnFault.OPENING_DOUBLE))
            if self.starter is not None and player != self.starter:
                violations.append(OrderViolation(TurnFault.WRONG_STARTER))
        before = view(self.board, player)
        outcome = self._play(entry, before)
        if isinstance(outcome, recovery.Choice):
            option = outcome.option
            if option.reading in _OTHER_COLUMN:
                self._read_on(number, option)
                return
            if self._is_repeat(entry) and option.reading == "left out":
                fault: AnyViolation = OrderViolation(TurnFault.REPEATED)
            else:
                fault = self._violation
            violations.append(fault)
            after = view(option.start.board, player)
            fits, complete, guess = outcome.fits, outcome.complete, option.play
            self._append(
                number, entry, before, after, violations, option.reading, guess=guess, fits=fits, complete=complete
            )
            self.turns[-1] = self.turns[-1]._replace(sure=outcome.sure)
            self.last_roller = option.start.last
            return
        after, play, fault_or_none = outcome
        if fault_or_none is not None:
            violations.append(fault_or_none)
        self._append(number, entry, before, after, violations, reading, play=play, fits=fits, complete=complete)

    def _append(
        self,
        number: int,
        entry: CheckerPlay,
        before: Board,
        after: Board,
        violations: list[AnyViolation],
        reading: Reading,
        *,
        play: Play | None = None,
        guess: Play | None = None,
        fits: int = -1,
        complete: bool = False,
    ) -> None:
        player = entry.player
        state, roll = self.cube.state(player), sum(self.rolls)
        found = tuple(violations)
        self.turns.append(
            Turn(player, before, state, entry, after, play, found, reading, guess, fits, complete, number, roll)
        )
        self.board = view(after, player)
        self.last_roller = player
        self.rolls[player] += 1

    def _rest(self, *, whole: bool) -> tuple[Entry, ...]:
        """What follows, or no more of it than is looked at."""
        return tuple(entry for _, entry in (self.entries if whole else islice(self.entries, _HORIZON)))

    def _read_on(self, number: int, option: recovery.Option) -> None:
        """Go on with other entries than the record's: those of the option, in their places."""
        self.rereadings[number] += 1
        numbers = [number, *(each for each, _ in self.entries)]
        self.faults[number] = OrderViolation(_OTHER_COLUMN[option.reading], option.play, option.dice)
        if option.reading == "moved up":
            self.board, self.last_roller = option.start.board, option.start.last
        self.entries = deque(zip(numbers, option.start.entries, strict=True))

    def _is_repeat(self, entry: CheckerPlay) -> bool:
        """Whether the entry says the same as the one before it of the same player."""
        for turn in reversed(self.turns):
            if isinstance(turn.entry, CheckerPlay) and turn.player == entry.player:
                return turn.entry.dice == entry.dice and str(turn.entry.text) == str(entry.text)
        return False

    def _play(
        self, entry: CheckerPlay, before: Board
    ) -> tuple[Board, Play | None, AnyViolation | None] | recovery.Choice:
        """The board after a play and what is wrong with it; a choice of readings where it cannot be."""
        text, dice = entry.text, entry.dice
        if text.kind == "illegal":
            after = decode_snowie_dump(text.dump, before)
            if after is not None:
                return after, None, OrderViolation(TurnFault.DECLARED_ILLEGAL)
        if dice is None:
            # Without dice the written hops are all that is known.
            written = forced(before, text.hops) if text.hops else None
            return self._choose(entry, OrderViolation(TurnFault.UNKNOWN_PLAY), (), written=written)
        if not are_dice(dice):
            found = resolve(before, dice, text.hops)
            assert isinstance(found, Violation)
            return self._choose(entry, found, ())
        if text.kind == "moves" and text.hops:
            found = resolve(before, dice, text.hops)
            if not isinstance(found, Violation):
                return found.result, found, None
            return self._choose(entry, found, legal_plays(before, dice))
        if text.kind in ("nothing", "moves", "dance") and not can_move(before, dice):
            return before, Play((), before), None
        plays = legal_plays(before, dice)
        is_last = not any(isinstance(each, CheckerPlay | Double) for _, each in self.entries)
        if text.kind in ("unknown", "unreadable", "illegal"):
            # The last roll of a game: somebody resigned after it, or the record breaks off.
            if is_last:
                return before, None, None
            return self._choose(entry, OrderViolation(TurnFault.UNKNOWN_PLAY), plays)
        if is_last and text.kind == "nothing":
            return before, None, None
        if len(plays) == 1 and text.kind == "nothing":
            return plays[0].result, plays[0], OrderViolation(TurnFault.FORCED_PLAY, plays[0])
        return self._choose(entry, OrderViolation(TurnFault.PLAY_EXISTED, plays[0]), plays)

    def _choose(
        self,
        entry: CheckerPlay,
        violation: AnyViolation,
        plays: tuple[Play, ...],
        *,
        written: Board | None = None,
    ) -> recovery.Choice:
        self._violation = violation
        if isinstance(violation, Violation):
            written = violation.result
        everything = self._afford()
        rest = self._rest(whole=everything)
        options = recovery.for_play(self.board, entry, rest, self.last_roller, written=written, plays=plays)
        # In a ruined game only the plainest are tried: as written, if that can be played, and left out.
        plainest = 1 if written is None else 2
        return self._best(options if everything else islice(options, plainest))

    def _best(self, options: Iterable[recovery.Option]) -> recovery.Choice:
        if self.rereadings[self.number] >= _REREADINGS:
            options = (option for option in options if option.reading not in _OTHER_COLUMN)
        return recovery.choose(options, self._agrees)

    def _agrees(self, final: Board) -> bool:
        """Whether a last board is what the record says of the result: who won, and how many points."""
        claim = next((claim for claim in self.game.results if claim.won), None)
        if not final.is_over:
            return claim is None or any(isinstance(entry, Drop | Resign) for _, entry in self.entries)
        level = winning_level(final, quadruple=self.rules.quadruple)
        if claim is None or level is None:
            return True
        winner: Player = 0 if not any(final.mine[1:]) else 1
        cube = self.cube.value
        for (_, entry), (_, answer) in zip(self.entries, islice(self.entries, 1, None), strict=False):
            if isinstance(entry, Double) and isinstance(answer, Take):
                cube *= 2
        state = replace(self.cube.state(winner), cube=Cube(cube, "mine" if cube > 1 else "centre"))
        points = points_won(level, state)
        # Many programs state only the points that were needed to win the match.
        fits = claim.points is None or claim.points == points or (bool(self.match.length) and claim.match)
        return fits and (claim.player == winner or not claim.column_speaks)

    def _afford(self) -> bool:
        """Whether all readings of a fault are tried, as for the first faults of a game."""
        self.recoveries -= 1
        return self.recoveries >= 0 and self.budget.spend()
