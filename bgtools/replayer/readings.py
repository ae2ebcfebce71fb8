"""The readings of a game in which something is wrong, and which of them leaves the fewest contradictions."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.perspective import other, view
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, SetBoard, Take
from bgtools.replayer.budget import Budget
from bgtools.replayer.costs import (
    LONGEST,
    RUINED,
    SLIP,
    cost,
    first_fault,
    has_wrong_winner,
    is_one_slip,
    is_plain,
    wrong_points,
)
from bgtools.replayer.misread import misreadings
from bgtools.replayer.plausibility import implausibility
from bgtools.replayer.repairs import Slips, weighed
from bgtools.replayer.run import RECOVERIES_AGAIN, GameRun
from bgtools.replayer.turn import OrderViolation, Rival, TurnFault, Turns
from bgtools.rules.cube import CubeReason, CubeViolation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.record.record import Game
    from bgtools.replayer.misread import Misread
    from bgtools.replayer.repairs import FoundEdit, ReadingEdit
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.cube import MatchState


@dataclass(frozen=True, slots=True)
class GameReadings:
    """The readings of one game; `bgtools.replayer.game.replay_game` says what the attributes are."""

    game: Game
    index: int
    state: MatchState
    added_up: tuple[int, int] | None
    following: tuple[int, int] | None
    starter: Player | None
    budget: Budget

    def best(self) -> GameReplay:
        """The game as it is written, or in the reading of all its entries with which more of it fits."""
        run = GameRun(self.state, self.game, self.starter, self.budget)
        result = run.replay(self.index, self.added_up, self.following)
        assert result is not None
        best = self._cost(result)
        if not best:
            return result
        if run.is_doubtful:
            best, result = self._with_doubtful_cube(result, best)
        if (
            _is_about_the_cube(result, self.state.length)
            and self._full_cost(result, best) > SLIP
            and self.budget.spend()
        ):
            best, result = self._with_cube_misread(result, best)
        fault = first_fault(result)
        if is_plain(result, fault, best) or not self.budget.spend():
            return result
        return self._with_slip_put_right(result, best, fault)

    def _run(
        self,
        *,
        flip: bool = False,
        edit: ReadingEdit | None = None,
        misread: Misread | None = None,
        purse: Budget | None = None,
        most: int = sys.maxsize,
    ) -> GameReplay | None:
        """The game in another reading; None where it leaves more than ``most`` turns that cannot be."""
        run = GameRun(self.state, self.game, self.starter, purse or self.budget, flip=flip, edit=edit, misread=misread)
        return run.replay(self.index, self.added_up, self.following, most)

    # --- what a reading costs ---------------------------------------------------------------

    def _cost(self, result: GameReplay, edited: int | None = None) -> int:
        """The cost of a reading; that of the entry ``edited`` is not counted."""
        return cost(result, self.state.length, edited)

    def _full_cost(self, result: GameReplay, best: int) -> int:
        """The cost of a reading, that of missing the next score line and of playing with a wrong cube included."""
        return best + self._misses_score(result) + any(map(_is_played_with, result.turns))

    def _misses_score(self, result: GameReplay) -> int:
        """The cost of missing the next score line; 0 where the game leads to it."""
        return 0 if self.following is None or result.score_after == self.following else SLIP

    # --- the readings -----------------------------------------------------------------------

    def _with_doubtful_cube(self, result: GameReplay, best: int) -> tuple[int, GameReplay]:
        """The cost and the game, with its illegal cube actions read the other way where more of the game fits then.

        An action that counted does not count then, and the other way round.
        """
        alternative = self._run(flip=True)
        assert alternative is not None
        found = self._cost(alternative)
        told = found + self._misses_score(alternative) != best + self._misses_score(result)
        if found < best:
            best, result = found, alternative
        return best, _told_by_the_rest(result, is_known=told)

    def _with_cube_misread(self, result: GameReplay, best: int) -> tuple[int, GameReplay]:
        """The cost and the game, with one of its cube actions read otherwise where more of the game fits then."""
        least = self._full_cost(result, best)
        purse = Budget(RECOVERIES_AGAIN)
        self.budget.begin()
        for misread in misreadings(self.game.entries):
            if least <= SLIP or not self.budget.run(self.game.entries):
                break
            alternative = self._run(misread=misread, purse=purse, most=least // SLIP)
            if alternative is None:
                continue
            if len(alternative.turns[misread.at].violations) > 1:
                continue  # the action cannot be in this reading either
            found = self._cost(alternative)
            if found + self._misses_score(alternative) < least:
                least, best, result = found + self._misses_score(alternative), found, alternative
        return best, result

    def _with_slip_put_right(self, result: GameReplay, best: int, fault: int) -> GameReplay:
        """The game with a slip before its first fault put right, where more of the game fits then.

        Args:
            result: the game as it stands.
            best: the cost of the game as it stands.
            fault: the number of the first entry that cannot be.
        """
        opens = self.game.start is None and not self.state.rules.winner_starts
        starts = _starts(result, self.game.start or self.state.rules.start)
        slips = Slips(self.game.entries, starts, fault, self.budget, opens=opens)
        candidates = [_ScoredReading(best, result, None, is_whole=is_one_slip(result, self.state.length))]
        self.budget.begin()
        asked = (id(self.game), fault, tuple(starts))
        is_ruined = best > RUINED
        self._try(candidates, self._looked_for("plain", asked, slips.plain), is_ruined=is_ruined)
        found = candidates[0].found
        # An exchange is certain only if no missing turn or row explains the game as well.
        if not any(each.is_whole for each in candidates) or (found is not None and found.edit.is_exchange):
            self._try(candidates, self._looked_for("far", asked, slips.far), is_ruined=is_ruined)
        self.budget.end(found=any(each.is_whole for each in candidates))
        candidates = _with_sense(candidates, fault)
        return _without_proof_by_other_roll(_with_rivals(candidates[0], candidates[1:]), slips)

    def _looked_for(
        self, which: str, asked: tuple[object, ...], find: Callable[[], list[FoundEdit]]
    ) -> list[FoundEdit]:
        """The slips of one sort. They are looked for once, and remembered for all readings of the match.

        The game is kept with them, so that no other game can get its ``id``.
        """
        known = self.budget.known
        if (which, *asked) not in known:
            known[which, *asked] = self.game, find()
        found: list[FoundEdit] = known[which, *asked][1]
        return found

    def _try(self, candidates: list[_ScoredReading], slips: Iterable[FoundEdit], *, is_ruined: bool) -> None:
        """Replay the game with each slip put right, and add what comes of it to the candidates, the cheapest first.

        In a ruined game a slip must explain all that follows. An inserted turn must do so in every game.
        """
        entries, length = self.game.entries, self.state.length
        for one in slips:
            if not one.continuation.complete and (is_ruined or one.edit.option.reading in _SUPPOSED):
                continue
            most = min(each.cost for each in candidates) // SLIP
            # Where not all that follows fits, the game holds a second mistake besides the one that is fixed.
            if most < 2 and not one.continuation.complete:
                continue
            if not self.budget.run(entries):
                break
            replayed = self._run(edit=one.edit, most=most)
            if replayed is None:
                continue
            found = self._cost(replayed, one.edit.at) + weighed(one, entries)
            candidates.append(_ScoredReading(found, replayed, one, is_whole=is_one_slip(replayed, length)))
        candidates.sort(key=lambda each: each.cost)


def _starts(game: GameReplay, board: Board) -> list[tuple[Board, Player | None]]:
    """The board before every entry, seen by player 0, and who rolled last.

    A turn that is supposed right before an entry has not changed its board here: another reading may do without it.
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


def _is_played_with(turn: Turn) -> bool:
    """Whether the reading plays on with a cube of a wrong value. One misread cube action is likelier."""
    return turn.reading == "as written" and any(
        isinstance(each, CubeViolation) and each.reason is CubeReason.WRONG_VALUE for each in turn.violations
    )


def _told_by_the_rest(game: GameReplay, *, is_known: bool) -> GameReplay:
    """The game, with each illegal cube action marked as sure where the rest of the record tells whether it counted.

    Args:
        game: the game.
        is_known: whether the rest fits better in one of the two readings. Otherwise only a double is marked whose drop
            ended the game.
    """
    last = len(game.turns) - 2 if game.ending == "drop" else -1
    turns = tuple(
        turn._replace(sure=True)
        if any(isinstance(each, CubeViolation) and (is_known or _ended(turn, last, each)) for each in turn.violations)
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


class _ScoredReading(NamedTuple):
    """A reading of a game: its cost, the replay, the edit if there is one, whether it leaves one slip alone."""

    cost: int
    replay: GameReplay
    found: FoundEdit | None
    is_whole: bool


def _with_sense(candidates: list[_ScoredReading], fault: int) -> list[_ScoredReading]:
    """The candidates, the best first. Where several plays explain the whole game, the sense that each makes counts too.

    Only the turns count in which the candidates may differ: the one at fault, and those that are read otherwise.
    """
    whole = [each for each in candidates if each.is_whole]
    if len(whole) < _PAIR or not candidates[0].is_whole or not all(map(_is_play, whole)):
        return candidates
    places = {fault, *(each.found.edit.at for each in whole if each.found is not None)}
    told = [sum(implausibility(turn) for turn in each.replay.turns if turn.index in places) for each in whole]
    least = min(told)
    weighed = [each._replace(cost=each.cost + more - least) for each, more in zip(whole, told, strict=True)]
    others = [each for each in candidates if not each.is_whole]
    return sorted([*weighed, *others], key=lambda each: each.cost)


def _is_play(candidate: _ScoredReading) -> bool:
    """Whether a reading takes one play for another, and leaves every entry in its place."""
    return candidate.found is None or candidate.found.edit.option.reading == "corrected"


def _with_rivals(best: _ScoredReading, others: Sequence[_ScoredReading]) -> GameReplay:
    """The best reading of a game. The turn of its first fault gets the rivals, and whether the reading is sure."""
    turns = best.replay.turns
    at = next((place for place, turn in enumerate(turns) if not turn.is_legal), None)
    if at is None:
        return best.replay
    turn = turns[at]
    rivals = [
        Rival(
            each.found.edit.at,
            each.found.edit.option.play,
            each.found.edit.option.dice,
            each.found.continuation.count,
            True,
        )
        for each in others
        if each.is_whole and each.found is not None and each.found.edit.option.reading == "corrected"
    ]
    is_alone = not any(each.is_whole for each in others)
    if best.found is not None:
        fit = best.found.continuation
        turn = turn._replace(legal_after=fit.count, complete=fit.complete, sure=best.is_whole and is_alone)
    turn = turn._replace(sure=turn.sure and is_alone, rivals=(*rivals, *turn.rivals))
    return replace(best.replay, turns_held=Turns((*turns[:at], turn, *turns[at + 1 :])))


def _without_proof_by_other_roll(result: GameReplay, slips: Slips) -> GameReplay:
    """The game. Its corrected play is no longer sure where a misread roll explains all that follows as well.

    There are many other rolls, and they are tried last: they are not listed as rivals.
    """
    turns = result.turns
    at = next((place for place, turn in enumerate(turns) if turn.sure and turn.reading == "corrected"), None)
    if at is None or not slips.has_other_roll():
        return result
    return replace(result, turns_held=Turns((*turns[:at], turns[at]._replace(sure=False), *turns[at + 1 :])))


_SUPPOSED: Final = ("inserted", "row inserted", "moved up")
"""The readings that suppose a turn which the record does not hold."""

_PAIR: Final = 2

_MANY: Final = 60
"""A game with so many cube actions was not played by people, and none of them is taken to be misread."""
