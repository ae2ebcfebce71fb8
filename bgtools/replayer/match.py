"""Replaying a record: what its entries mean on the board, turn by turn.

Every entry becomes a `Turn`. What is wrong with an entry is noted on its turn as a violation. After
an entry that cannot be right, the replay continues with the reading that lets most of the game
replay. `bgtools.replayer.recovery` lists the readings.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.board import ascends, mirrored_hop, other
from bgtools.record import CheckerPlay, Double
from bgtools.replayer.game import replay_game
from bgtools.replayer.recovery import Budget
from bgtools.replayer.turn import AnyViolation, Ending, GameReplay, OrderViolation, Turn, TurnFault
from bgtools.rules import Cube, MatchState

if TYPE_CHECKING:
    from bgtools.record import Entry, Game, Match

__all__ = [
    "AnyViolation",
    "Ending",
    "GameReplay",
    "OrderViolation",
    "Turn",
    "TurnFault",
    "is_fixed",
    "other",
    "replay",
]


_last: tuple[Match, tuple[GameReplay, ...]] | None = None


def replay(match: Match) -> tuple[GameReplay, ...]:
    """Replay every game of a match. Never raises on content; each game is judged on its own header."""
    # The parts of a conversion ask for the same replay one after the other.
    global _last
    last = _last
    if last is not None and last[0] is match:
        return last[1]
    found = _replay(match)
    _last = (match, found)
    return found


def _replay(match: Match) -> tuple[GameReplay, ...]:
    if is_fixed(match):
        match = _in_own_numbering(match)
    course = _Course(match)
    if course.leaves_out and any(game.misprint for game in course.replays):
        # One result here leaves points to the score line, so another such result is likelier than a misprint.
        course = _Course(match, leaves_out=True)
    return tuple(course.replays)


class _Course:
    """The score of a match while its games are replayed in order."""

    def __init__(self, match: Match, *, leaves_out: bool = False) -> None:
        self.match = match
        self.leaves_out = leaves_out  # whether a result is known to state fewer points than the score counts
        self.length = match.length or 0
        self.replays: list[GameReplay] = []
        self.budget = Budget()
        self.keeps_score = any(max(game.score or (0, 0)) for game in match.games)
        self.crawford_over = False
        self.too_many = 0
        for index in range(len(match.games)):
            self.game(index)
        self.leaves_out = any(game.scored is not None for game in self.replays)

    def game(self, index: int) -> None:
        """Replay the next game."""
        games = self.match.games
        game, after = games[index], games[index + 1] if index + 1 < len(games) else None
        following = after.score if after is not None and not _is_gap(game, after) else None
        added_up = self._added_up(game)
        previous = self.replays[-1] if self.replays else None
        replayed = self._replay(game, index, game.score or added_up or self._last_score(), added_up, following)
        if game.score is not None and previous is not None and added_up is not None and game.score != added_up:
            # Where the column of a result says nothing, its winner is not found wrong and explains no score line.
            scored = self._points_by_score(game.score)
            told = previous.claim is not None and (
                previous.claim.column_speaks or previous.claim.player == previous.winner
            )
            replayed = replace(replayed, carried=told and game.score == previous.stated_after)
            if not replayed.carried and following is not None and not (scored and self.leaves_out):
                other_way = self._replay(game, index, added_up, added_up, following)
                if other_way.score_after == following != replayed.score_after:
                    replayed = replace(other_way, misprint=True)
            if scored is not None and not replayed.misprint:
                previous = self.replays[-1] = replace(previous, points=scored, scored=scored)
                replayed = replace(replayed, added_up=previous.score_after)
        if self._is_crawford_score(replayed.score):
            self.crawford_over = True
        if self.length and added_up is not None and max(added_up) >= self.length:
            self.too_many += 1
            replayed = replace(replayed, games_too_many=self.too_many)
        if not self.keeps_score:
            replayed = replace(replayed, keeps_score=False)
        self.replays.append(replayed)

    def _points_by_score(self, following: tuple[int, int]) -> int | None:
        """The points that the next score line gives for the last game; None unless they follow from its result.

        In match text of GNU Backgammon the result of a money game ignores automatic doubles (R34) and
        the Jacoby rule (R35). The score counts both.

        Args:
            following: the score after the game, as the record states it.
        """
        game, rules = self.replays[-1], self.match.rules
        winner, points = game.winner, game.points
        if self.length or winner is None or not points or game.claim is None:
            return None
        if following[other(winner)] != game.score[other(winner)] or game.claim.points != points:
            return None
        gained = following[winner] - game.score[winner]
        worth = [points]
        if game.ending != "drop" and game.is_cube_untouched and rules.jacoby is None:
            worth.append(game.cube)
        most = rules.automatic_doubles
        turned = 2 ** (_MANY_DOUBLES if most is None else min(most, _MANY_DOUBLES))
        fits = gained > 0 and any(gained % each == 0 and turned % (gained // each) == 0 for each in worth)
        return gained if fits else None

    def _added_up(self, game: Game) -> tuple[int, int] | None:
        """The score before a game, added up from the results; None where a result or a game is missing."""
        if not self.replays:
            return None
        previous = self.replays[-1]
        if _is_gap(previous.game, game) or previous.winner is None or previous.points is None:
            return None
        return previous.score_after

    def _last_score(self) -> tuple[int, int]:
        return self.replays[-1].score if self.replays else (0, 0)

    def _is_crawford_score(self, score: tuple[int, int]) -> bool:
        return self.length > 1 and self.match.rules.crawford and max(score) == self.length - 1

    def _replay(
        self,
        game: Game,
        index: int,
        score: tuple[int, int],
        added_up: tuple[int, int] | None,
        following: tuple[int, int] | None,
    ) -> GameReplay:
        crawford = self._is_crawford_score(score) and not self.crawford_over
        # Where earlier games are missing, the Crawford game may be one of them; a double tells so (R41).
        if crawford and (index == 0 or added_up is None or added_up != score):
            crawford = not any(isinstance(entry, Double) for entry in game.entries)
        starter = self.replays[-1].winner if self.replays and self.match.rules.winner_starts else None
        state = MatchState(self.length, score, Cube(), crawford, self.match.rules)
        return replay_game(game, index, state, added_up, following, starter, self.budget)


_MANY_DOUBLES = 10
"""More tied opening rolls than this are not believed."""


def _is_gap(before: Game, after: Game) -> bool:
    return before.number is not None and after.number is not None and after.number != before.number + 1


# --- fixed numbering ------------------------------------------------------------------------

_FEW_HOPS, _MANY_HOPS = 6, 40


def is_fixed(match: Match) -> bool:
    """R02: whether player 1's plays are written in the numbering of player 0.

    The rules of the match decide. Where they are silent, the plays do: in the numbering of player 0
    nearly all checkers of player 1 seem to move backwards.
    """
    if match.rules.fixed is not None:
        return match.rules.fixed
    forwards = backwards = 0
    for game in match.games:
        for entry in game.entries:
            if isinstance(entry, CheckerPlay) and entry.player == 1:
                up = sum(map(ascends, entry.text.hops))
                backwards += up
                forwards += len(entry.text.hops) - up
            if forwards + backwards >= _MANY_HOPS:
                return backwards > 3 * forwards
    return backwards >= _FEW_HOPS and backwards > 3 * forwards


def _in_own_numbering(match: Match) -> Match:
    """The match with player 1's plays in his own numbering."""

    def own(entry: Entry) -> Entry:
        if not isinstance(entry, CheckerPlay) or entry.player == 0:
            return entry
        return replace(entry, text=replace(entry.text, hops=tuple(map(mirrored_hop, entry.text.hops))))

    return replace(match, games=tuple(replace(game, entries=tuple(map(own, game.entries))) for game in match.games))
