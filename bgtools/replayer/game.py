"""Replaying one game: board and cube while its entries go by."""

from __future__ import annotations

import sys
from collections import Counter, deque
from dataclasses import replace
from functools import partial
from itertools import islice
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board import Play, Violation, are_dice, can_move, forced, legal_plays, other, resolve, view
from bgtools.positions import decode_snowie_dump
from bgtools.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.replayer import recovery
from bgtools.replayer.costs import (
    LONGEST,
    RUINED,
    SLIP,
    cost,
    first_fault,
    has_wrong_winner,
    is_one_slip,
    is_plain,
    is_slip,
    wrong_points,
)
from bgtools.replayer.cube import Doubling
from bgtools.replayer.ending import Arrival
from bgtools.replayer.misread import SUPPOSED, Misread, misreadings
from bgtools.replayer.quick import sound_arrival
from bgtools.replayer.recovery import Budget, is_shut_out
from bgtools.replayer.repairs import Edit, Found, Slips, weighed
from bgtools.replayer.turn import OrderViolation, Rival, Turn, TurnFault, Turns
from bgtools.rules import Cube, CubeReason, CubeViolation, MatchState, points_won, winning_level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bgtools.board import Board, Dice, Player
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
    budget: Budget,
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

    def run(
        *,
        flip: bool = False,
        edit: Edit | None = None,
        misread: Misread | None = None,
        purse: Budget = budget,
        most: int = sys.maxsize,
    ) -> GameReplay | None:
        played = _GameState(state, game, starter, purse, flip=flip, edit=edit, misread=misread)
        return played.run(index, added_up, following, most)

    first = _GameState(state, game, starter, budget)
    result = first.run(index, added_up, following)
    assert result is not None
    best = cost(result, state.length)
    if not best:
        return result
    if first.cube.doubtful:
        # Read illegal cube actions the other way: what counted does not count, and the other way round.
        alternative = run(flip=True)
        assert alternative is not None
        found = cost(alternative, state.length)
        told = found + _is_astray(alternative, following) != best + _is_astray(result, following)
        if found < best:
            best, result = found, alternative
        result = _told_by_the_rest(result, told=told)
    if _is_about_the_cube(result, state.length) and _price(result, best, following) > SLIP and budget.spend():
        best, result = _misread(
            result, best, following, state, budget,
            lambda misread, purse, most: run(misread=misread, purse=purse, most=most),
        )  # fmt: skip
    fault = first_fault(result)
    if is_plain(result, fault, best) or not budget.spend():
        return result
    return _reread(result, fault, best, state, budget, lambda edit, most: run(edit=edit, most=most))


def _price(game: GameReplay, best: int, following: tuple[int, int] | None) -> int:
    """The cost of a reading, the next score line and wrong cubes played with counted in."""
    return best + _is_astray(game, following) + any(map(_is_wrong_in_earnest, game.turns))


def _misread(
    result: GameReplay,
    best: int,
    following: tuple[int, int] | None,
    state: MatchState,
    budget: Budget,
    run: Callable[[Misread, Budget, int], GameReplay | None],
) -> tuple[int, GameReplay]:
    """The game with one cube action read otherwise, where that makes more of it fit, and what it costs.

    Args:
        result: the game as it stands.
        best: what that costs.
        following: the score line of the next game, if there is one.
        state: the match before the game.
        budget: how much may still be tried.
        run: replays the game with another reading; None where more turns than so many cannot be.
    """
    least = _price(result, best, following)
    purse = Budget(_RECOVERIES_AGAIN)
    budget.begin()
    for misread in misreadings(result.game.entries):
        if least <= SLIP or not budget.run(result.game.entries):
            break
        alternative = run(misread, purse, least // SLIP)
        if alternative is None:
            continue
        found = cost(alternative, state.length)
        if len(alternative.turns[misread.at].violations) > 1:
            continue  # what it is read as cannot be either
        if found + _is_astray(alternative, following) < least:
            least, best, result = found + _is_astray(alternative, following), found, alternative
    return best, result


def _reread(
    result: GameReplay,
    fault: int,
    best: int,
    state: MatchState,
    budget: Budget,
    run: Callable[[Edit, int], GameReplay | None],
) -> GameReplay:
    """The game with one slip before the entry where it shows put right, where that makes more of it fit.

    Args:
        result: the game as it stands.
        fault: the number of the first entry that cannot be.
        best: what that costs.
        state: the match before the game.
        budget: how much may still be tried.
        run: replays the game with an edit; None where more turns than so many cannot be.
    """
    entries = result.game.entries
    opens = result.game.start is None and not state.rules.winner_starts
    starts = _starts(result, result.game.start or state.rules.start)
    slips = Slips(entries, starts, fault, budget, opens=opens)
    hold = [_Candidate(best, result, None, is_whole=is_one_slip(result, state.length))]
    budget.begin()

    def take(found: Iterable[Found]) -> None:
        for one in found:
            # What supposes a turn that nobody has written must explain all that follows.
            if one.fit.complete or (best <= RUINED and one.edit.option.reading not in _SUPPOSED):
                most = min(each.cost for each in hold) // SLIP
                # Besides what is put right there is a second mistake where not all that follows fits.
                if most < 2 and not one.fit.complete:
                    continue
                if not budget.run(entries):
                    break
                replayed = run(one.edit, most)
                if replayed is None:
                    continue
                found_cost = cost(replayed, state.length, one.edit.at) + weighed(one, entries)
                hold.append(_Candidate(found_cost, replayed, one, is_whole=is_one_slip(replayed, state.length)))

    asked = (id(result.game), fault, tuple(starts))
    take(_known(budget, ("plain", *asked), result.game, slips.plain))
    hold.sort(key=lambda each: each.cost)
    best_found = hold[0].found
    # What stands in another's place is exchanged without a doubt only if nothing can be gone instead.
    if not any(each.is_whole for each in hold) or (best_found is not None and best_found.edit.is_exchange):
        take(_known(budget, ("far", *asked), result.game, slips.far))
        hold.sort(key=lambda each: each.cost)
    budget.end(found=any(each.is_whole for each in hold))
    result = _with_rivals(hold[0], hold[1:])
    # What follows may prove one reading of all that have been tried, but rolls are tried last of all.
    turns = result.turns
    at = next((place for place, turn in enumerate(turns) if turn.sure and turn.reading == "corrected"), None)
    if at is not None and slips.has_other_roll():
        result = replace(result, turns_held=Turns((*turns[:at], turns[at]._replace(sure=False), *turns[at + 1 :])))
    return result


def _known(budget: Budget, asked: object, game: Game, find: Callable[[], list[Found]]) -> list[Found]:
    """What is found, which is looked for once; the game is held so that nothing else gets its identity."""
    if asked not in budget.known:
        budget.known[asked] = game, find()
    found: list[Found] = budget.known[asked][1]
    return found


class _Candidate(NamedTuple):
    """A reading of a game: its cost, the replay, the edit if there is one, whether it leaves one slip alone."""

    cost: int
    replay: GameReplay
    found: Found | None
    is_whole: bool


def _with_rivals(best: _Candidate, others: Sequence[_Candidate]) -> GameReplay:
    """The best reading of a game; its first fault knows what else could be meant, and whether it is proved."""
    turns = best.replay.turns
    at = next((place for place, turn in enumerate(turns) if not turn.is_legal), None)
    if at is None:
        return best.replay
    turn = turns[at]
    rivals = [
        Rival(each.found.edit.at, each.found.edit.option.play, each.found.edit.option.dice, each.found.fit.count, True)
        for each in others
        if each.is_whole and each.found is not None and each.found.edit.option.reading == "corrected"
    ]
    is_alone = not any(each.is_whole for each in others)
    if best.found is not None:
        fit = best.found.fit
        turn = turn._replace(fits=fit.count, complete=fit.complete, sure=best.is_whole and is_alone)
    turn = turn._replace(sure=turn.sure and is_alone, rivals=(*rivals, *turn.rivals))
    return replace(best.replay, turns_held=Turns((*turns[:at], turn, *turns[at + 1 :])))


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
    if arrival is None or arrival.drops_in_silence():
        return None
    turns = Turns(make=partial(_all_turns, game, state, starter))
    result = arrival.result(index, added_up, following, turns, is_sound=True)
    return None if has_wrong_winner(result) or wrong_points(result, state.length) else result


def _all_turns(game: Game, state: MatchState, starter: Player | None) -> tuple[Turn, ...]:
    """The turns of a game in which nothing is wrong."""
    played = _GameState(state, game, starter, Budget())
    result = played.run(0, None, None)
    assert result is not None
    return result.turns


def _starts(game: GameReplay, board: Board) -> list[tuple[Board, Player | None]]:
    """The board before every entry up to the first fault, seen by player 0, and who rolled last.

    What is supposed before the entry at fault itself is left out: another reading may do without.
    """
    found: list[tuple[Board, Player | None]] = []
    last: Player | None = None
    for turn in game.turns:
        found.append((board, last))
        board = view(turn.after, turn.player)
        if isinstance(turn.entry, CheckerPlay):
            last = turn.player
        elif isinstance(turn.entry, SetBoard):
            last = other(turn.player)
    return found


def _is_wrong_in_earnest(turn: Turn) -> bool:
    """Whether a wrong value of the cube is read as played with. That is less likely than one action misread."""
    return turn.reading == "as written" and any(
        isinstance(each, CubeViolation) and each.reason is CubeReason.WRONG_VALUE for each in turn.violations
    )


def _is_astray(game: GameReplay, following: tuple[int, int] | None) -> int:
    """The cost of a score after the game that the next score line does not have."""
    return 0 if following is None or game.score_after == following else SLIP


def _told_by_the_rest(game: GameReplay, *, told: bool) -> GameReplay:
    """The game with those of its cube actions against the rules marked of which the rest tells if they counted.

    Args:
        game: the game.
        told: whether it makes a difference what they are read as. A double that was dropped has ended the game.
    """
    last = len(game.turns) - 2 if game.ending == "drop" else -1
    turns = tuple(
        turn._replace(sure=True)
        if any(isinstance(each, CubeViolation) and (told or _ended(turn, last, each)) for each in turn.violations)
        else turn
        for turn in game.turns
    )
    return replace(game, turns_held=Turns(turns))


def _ended(turn: Turn, last: int, violation: CubeViolation) -> bool:
    """Whether a double ended the game because it was dropped; its value made no difference then."""
    return turn.index == last and isinstance(turn.entry, Double) and violation.reason is not CubeReason.WRONG_VALUE


def _is_about_the_cube(game: GameReplay, length: int) -> bool:
    """Whether another reading of a cube action may explain what is wrong."""
    entries = game.game.entries
    if (
        len(entries) > LONGEST
        or not 0 < sum(isinstance(each, Double | Take | Drop | Beaver) for each in entries) < _MANY
    ):
        return False
    if has_wrong_winner(game) or wrong_points(game, length):
        return True
    for turn in game.turns:
        for each in turn.violations:
            if isinstance(each, CubeViolation) and each.reason is not CubeReason.DEAD:
                return True
            if isinstance(each, OrderViolation) and each.fault is TurnFault.AFTER_END:
                return game.ending == "drop"
    return False


_RECOVERIES: Final = 6
"""For how many faults of a game all readings are tried. With more of them the game is ruined, not misprinted."""

_RECOVERIES_AGAIN: Final = 2
"""The same, while another reading of the whole game is tried."""

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
"""The same, and those that are looked for in the whole game."""

_SUPPOSED: Final = ("inserted", "row inserted", "moved up")
"""The readings that suppose a turn which the record does not hold."""

_MANY: Final = 60
"""A game with so many cube actions was not played by people, and none of them is taken to be misread."""

_TURNED: Final = ("swapped on", "moved up")
"""The readings with which all that follows stands in the other column. Whether the result does too is open."""


class _GameState:
    """The board and the cube of one game while its entries are replayed."""

    def __init__(
        self,
        state: MatchState,
        game: Game,
        starter: Player | None,
        budget: Budget,
        *,
        flip: bool = False,
        edit: Edit | None = None,
        misread: Misread | None = None,
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
        entries = enumerate(game.entries) if misread is None else misread.entries
        self.entries: deque[tuple[int, Entry]] = deque(entries if game.start_known else ())
        self.faults: dict[int, OrderViolation] = {}  # found while an earlier entry was read
        self.rereadings: Counter[int] = Counter()  # of an entry, by its number
        self.number = 0  # of the entry that is read
        self.passed_over: frozenset[int] = frozenset()
        # Another reading of the whole game is worth its cost only if it leaves few faults.
        self.recoveries = _RECOVERIES if edit is None and misread is None and not flip else _RECOVERIES_AGAIN
        self.misread = misread
        if misread is not None:
            self.passed_over = misread.passed_over
        self.edit = edit
        self.is_edited = edit is not None
        self.is_as_written = edit is None and misread is None  # whether the entries are still those of the record
        self.is_turned = False  # whether the rest of the entries stands in the other column
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
        return self.last_roller is None and not self.is_set and not self.rules.winner_starts

    @property
    def _is_set_at_first(self) -> bool:
        """Whether the game begins from a board of its own and nobody has rolled: the opening rolls may have tied."""
        return sum(self.rolls) == 0 and self.game.start is not None and not self.rules.winner_starts

    # --- entries ----------------------------------------------------------------------------

    def run(
        self,
        index: int,
        added_up: tuple[int, int] | None,
        following: tuple[int, int] | None,
        most: int = sys.maxsize,
    ) -> GameReplay | None:
        """Replay all entries; None as soon as more turns than ``most`` cannot be."""
        wrong = 0
        while self.entries:
            number, entry = self.entries.popleft()
            option = self.edit.option if self.edit is not None and number == self.edit.at else None
            if option is not None and option.reading in _READ_ON:
                assert self.edit is not None
                self._read_on(number, option, self.edit)
                self.edit = None
            else:
                made = len(self.turns)
                self._entry(number, entry)
                wrong += sum(is_slip(turn) for turn in self.turns[made:] if turn.violations)
                if wrong > most:
                    return None
        if self.is_edited and self.faults:
            return None  # what nobody would be told is no reading
        game = self._turned_results(following) if self.is_turned else self.game
        arrival = Arrival(game, self.match, self.board, self.cube, self.resigned)
        if arrival.drops_in_silence():
            self._mark_last_double()
        turns = self.turns if self.misread is None else self._in_their_places(self.misread)
        return replace(arrival.result(index, added_up, following, Turns(tuple(turns))), game=self.game)

    def _turned_results(self, following: tuple[int, int] | None) -> Game:
        """The game with its results in the other column, where board, cube or the next score line give it to the other.

        Whoever got the columns wrong may have put the result right, or not.
        """
        claim = next((claim for claim in self.game.results if claim.won), None)
        winner: Player | None = None
        if self.board.is_over:
            winner = 0 if not any(self.board.mine[1:]) else 1
        elif self.cube.dropped is not None or self.resigned is not None:
            loser = self.cube.dropped if self.resigned is None else self.resigned.player
            winner = None if loser is None else other(loser)
        scorer: Player | None = None
        if following is not None:
            gained = [following[player] - self.match.score[player] for player in (0, 1)]
            scorer = 0 if gained[0] > 0 == gained[1] else 1 if gained[1] > 0 == gained[0] else None
        winner = winner if winner is not None else scorer
        if claim is None or winner in (None, claim.player) or scorer not in (None, winner):
            return self.game
        return replace(self.game, results=tuple(replace(each, player=other(each.player)) for each in self.game.results))

    def _mark_last_double(self) -> None:
        """Nobody answered the last double, and the result is that of a drop."""
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
            noted = self.faults.pop(number, None)
            violations, reading = self._act(entry)
            violations = violations if noted is None else (noted, *violations)
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
                    misread = violation.reason is CubeReason.WRONG_VALUE and not self.flip
                    is_own = violation.reason is CubeReason.OWN_BEAVER
                    reading = "left out" if misread or is_own or self.cube.offer is None else "as written"
            case AutomaticDouble():
                violation = self.cube.double_automatically(entry, opening=self.is_opening or self._is_set_at_first)
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
            choice = self._best("turn", partial(self._missing_turn, entry))
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
        if self.last_roller is None and dice is not None and are_dice(dice):
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
            is_repeat = self._is_repeat(entry) and option.reading == "left out"
            violations.append(OrderViolation(TurnFault.REPEATED) if is_repeat else self._violation)
            after = view(option.start.board, player)
            fits, complete, guess = outcome.fits, outcome.complete, option.play
            self._append(
                number, entry, before, after, violations, option.reading, guess=guess, fits=fits, complete=complete
            )
            rivals = tuple(
                Rival(number, each.option.play, each.option.dice, each.fits, each.complete) for each in outcome.rivals
            )
            self.turns[-1] = self.turns[-1]._replace(sure=outcome.sure, rivals=rivals)
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
        return tuple(map(itemgetter(1), self.entries if whole else islice(self.entries, _HORIZON)))

    def _read_on(self, number: int, option: recovery.Option, edit: Edit | None = None) -> None:
        """Go on with other entries than the record's: those of the option, in their places."""
        self.rereadings[number] += 1
        self.is_as_written = False
        numbers = [number, *(each for each, _ in self.entries)]
        fault = _READ_ON[option.reading]
        if fault is TurnFault.MOVED_UP and not self.turns:
            fault = TurnFault.FIRST_MISSING
        places, reply = ((), (None, None)) if edit is None else (edit.places, edit.reply)
        self.faults[number] = OrderViolation(fault, option.play, option.dice, places, reply)
        self.is_turned = self.is_turned or option.reading in _TURNED
        if option.reading in ("moved up", "inserted", "row inserted"):
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
        if self.edit is not None and self.edit.at == self.number and self.edit.option.reading == "corrected":
            option = self.edit.option
            self._violation: AnyViolation = OrderViolation(
                TurnFault.MISREAD, option.play, option.dice, self.edit.places
            )
            return recovery.Choice(option, -1, complete=False)
        if text.kind == "illegal":
            after = decode_snowie_dump(text.dump, before)
            if after is not None:
                return after, None, OrderViolation(TurnFault.DECLARED_ILLEGAL)
        if dice is None:
            # Without dice the written hops are all that is known.
            written = forced(before, text.hops) if text.hops else None
            return self._choose(entry, OrderViolation(TurnFault.UNKNOWN_PLAY), written=written)
        if not are_dice(dice):
            found = resolve(before, dice, text.hops)
            assert isinstance(found, Violation)
            return self._choose(entry, found)
        if text.kind == "moves" and text.hops:
            found = resolve(before, dice, text.hops)
            if not isinstance(found, Violation):
                return found.result, found, None
            return self._choose(entry, found, dice)
        if text.kind in ("nothing", "moves", "dance") and not can_move(before, dice):
            return before, Play((), before), None
        is_last = not any(isinstance(each, CheckerPlay | Double) for _, each in self.entries)
        if text.kind in ("unknown", "unreadable", "illegal"):
            # The last roll of a game: somebody resigned after it, or the record breaks off.
            if is_last:
                return before, None, None
            return self._choose(entry, OrderViolation(TurnFault.UNKNOWN_PLAY), dice)
        if is_last and text.kind == "nothing":
            return before, None, None
        plays = legal_plays(before, dice)
        if len(plays) == 1 and text.kind == "nothing":
            return plays[0].result, plays[0], OrderViolation(TurnFault.FORCED_PLAY, plays[0])
        return self._choose(entry, OrderViolation(TurnFault.PLAY_EXISTED, plays[0]), dice)

    def _choose(
        self,
        entry: CheckerPlay,
        violation: AnyViolation,
        dice: Dice | None = None,
        *,
        written: Board | None = None,
    ) -> recovery.Choice:
        """The best reading of a play that cannot be; with ``dice`` it may have been another play of them."""
        self._violation = violation
        if isinstance(violation, Violation):
            written = violation.result
        return self._best("play", partial(self._other_play, entry, dice, written))

    def _other_play(
        self, entry: CheckerPlay, dice: Dice | None, written: Board | None, everything: bool
    ) -> recovery.Readings:
        """The readings of a play that cannot be; in a ruined game the plainest."""
        rest = self._rest(whole=everything)
        plays = legal_plays(view(self.board, entry.player), dice) if everything and dice is not None else ()
        plain = recovery.for_play(
            self.board, entry, rest, self.last_roller, written=written, plays=plays, plainest=not everything
        )
        return recovery.Readings(plain, recovery.moved_up(self.board, entry, rest) if everything else None)

    def _missing_turn(self, entry: CheckerPlay, everything: bool) -> recovery.Readings:
        """The readings of a second turn running; in a ruined game the plainest."""
        rest = self._rest(whole=everything)
        plain = recovery.for_missing_turn(self.board, entry, rest, entry.player)
        if not everything:
            return recovery.Readings(islice(plain, 2))
        absent = other(entry.player)
        return recovery.Readings(plain, recovery.Supposed("inserted", self.board, absent, (entry, *rest)))

    def _best(self, what: str, readings: Callable[[bool], recovery.Readings]) -> recovery.Choice:
        """The best reading of a fault.

        Args:
            what: cannot be: ``play`` or ``turn``.
            readings: gives the readings: all of them for the first faults of a game, else the plainest.
        """
        self.recoveries -= 1
        asked = (what, id(self.game), self.number, self.board, self.last_roller)
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

    def _agrees(self, option: recovery.Option, final: Board) -> bool:
        """Whether the last board of an option is what the record says of the result: who won, and how many points."""
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
        return fits and (claim.player == winner or not claim.column_speaks or option.reading in _TURNED)
