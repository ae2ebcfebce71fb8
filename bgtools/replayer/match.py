"""Replaying a record: what its entries mean on the board, turn by turn.

Every entry becomes a `Turn`. What is wrong with an entry is noted on its turn as a violation. Behind an entry that
cannot be right the replay goes on as the decoder reads the record (`bgtools.decoder.interpretation`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bgtools.board.board import OFF
from bgtools.board.perspective import other, view
from bgtools.decoder.entries import in_own_numbering
from bgtools.decoder.order import fits_exchanged, is_gap, repeats, stands_late
from bgtools.record.points import plus, wins
from bgtools.record.producers import is_of_gnubg
from bgtools.record.record import AutomaticDouble, Double, Resign
from bgtools.replayer.game import replay_game
from bgtools.rules.cube import Cube, MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.board.perspective import Player
    from bgtools.decoder.interpretation import Guide, Interpretation
    from bgtools.decoder.memory import Memory
    from bgtools.record.record import Game, Match
    from bgtools.replayer.turn import Exchanged, GameReplay

_KEPT: Final = 4

_lately: deque[tuple[Match, tuple[GameReplay, ...]]] = deque(maxlen=_KEPT)
"""The last few replays: the parts of a conversion ask for the same ones again and again."""


def replay(
    match: Match, memory: Memory | None = None, go_on: Callable[[], None] | None = None, most: int | None = None
) -> tuple[GameReplay, ...]:
    """Replay every game of a match. Never raises on content.

    Each game is judged by the header that is stated; by another variation, where the games are of that one.

    Args:
        match: the record.
        memory, go_on, most: as `bgtools.decoder.interpretation.interpret` takes them.
    """
    known = next((found for other, found in _lately if other is match), None)
    if known is None:
        asked: list[Interpretation] = []

        def read() -> Interpretation:
            if not asked:
                asked.append(_read(match, memory, go_on, most))
            return asked[0]

        known = replay_as_read(match, read)
        if asked and asked[0].slip == "variation":  # by the stated one nothing would be told
            known = replay_as_read(replace(match, rules=asked[0].read.rules), read)
        _lately.append((match, known))
    return known


def _read(match: Match, memory: Memory | None, go_on: Callable[[], None] | None, most: int | None) -> Interpretation:
    from bgtools.decoder.interpretation import interpret  # a sound record needs none of it

    return interpret(match, memory, go_on, most)


def replay_as_read(match: Match, read: Callable[[], Interpretation]) -> tuple[GameReplay, ...]:
    """Replay every game of a match; games that cannot be as they are written as an interpretation reads them.

    Args:
        match: the record, with the header that the interpretation reads, or the one that is stated.
        read: gives the interpretation; called only where a game cannot be as it is written.
    """
    return _replay(match, lambda game: _guide(read(), match, game))


def replay_plainly(match: Match) -> tuple[GameReplay, ...]:
    """Replay every game of a match, each entry as it is written: what else it may mean is not asked."""
    return _replay(match, lambda _: None)


def _guide(interpretation: Interpretation, match: Match, game: int) -> Guide | None:
    """How a game is read with the header that a record has."""
    is_read = (interpretation.read.length, interpretation.read.rules) == (match.length, match.rules)
    own = interpretation if is_read else interpretation.stated
    return None if own is None else own.guide(game)


def _replay(match: Match, guide: Callable[[int], Guide | None]) -> tuple[GameReplay, ...]:
    match = in_own_numbering(match)
    course = _MatchReplayer(match, guide)
    if course.leaves_out and any(game.misprint for game in course.replays):
        # The score line counts points that one result leaves out. Another such result is likelier than a misprint.
        course = _MatchReplayer(match, guide, leaves_out=True)
    return tuple(replace(game, source=match.source) for game in course.replays)


class _MatchReplayer:
    """The score of a match while its games are replayed in order."""

    def __init__(self, match: Match, guide: Callable[[int], Guide | None], *, leaves_out: bool = False) -> None:
        self.match = match
        self.guide = guide  # tells how a game is read
        self.leaves_out = leaves_out  # whether a result is known to state fewer points than the score counts
        self.length = match.length or 0
        self.replays: list[GameReplay] = []
        self.keeps_score = any(max(game.score or (0, 0)) for game in match.games)
        self.crawford_over = False
        self.too_many = 0
        self.late = {index for index in range(1, len(match.games)) if stands_late(match.games, index)}
        self.exchanged = False  # whether each player has the other one's points on the score lines
        for index in range(len(match.games)):
            self.game(index)
        self._last_names()
        self._misplaced_results()
        self.leaves_out = any(game.scored is not None for game in self.replays)

    def game(self, index: int) -> None:
        """Replay the next game."""
        game, added_up, following = self.match.games[index], self._added_up(index), self._following(index)
        exchanged = self._is_exchanged(game, added_up)
        if exchanged and following is not None:
            following = following[::-1]
        score = (added_up if exchanged else game.score) or added_up or self._last_score()
        replayed = self._replay(game, index, score, added_up, following)
        if exchanged:
            replayed = replace(replayed, carried=True)
            self._go_on_exchanged()
        if self.replays and _is_copy(game, self.replays[-1]):
            previous = self.replays[-1]
            replayed = replace(replayed, is_copy=True, after=previous.after or previous.score_after)
        elif not exchanged and game.score is not None and added_up is not None and game.score != added_up:
            replayed = self._off_the_sum(replayed, added_up, following)
        self.crawford_over = self.crawford_over or self._is_crawford_score(replayed.score)
        replayed = self._after_the_end(replayed)
        if not self.keeps_score:
            replayed = replace(replayed, keeps_score=False)
        self.replays.append(self._in_order(replayed))

    def _after_the_end(self, replayed: GameReplay) -> GameReplay:
        """The replay of a game, counted as one too many where the match was over before it."""
        over = self.length and replayed.added_up is not None and max(replayed.added_up) >= self.length
        if not over or replayed.carried or replayed.is_copy:
            return replayed
        self.too_many += 1
        return replace(replayed, games_too_many=self.too_many)

    def _off_the_sum(
        self, replayed: GameReplay, added_up: tuple[int, int], following: tuple[int, int] | None
    ) -> GameReplay:
        """The replay of a game whose score line is not the sum of the results, with what is likeliest wrong.

        Args:
            replayed: the game at the score that is stated.
            added_up: the sum.
            following: the score line of the next game, if there is one.
        """
        previous, stated = self.replays[-1], replayed.score
        # A result whose column says nothing names no wrong winner, so it explains no score line.
        told = previous.claim is not None and (previous.claim.column_speaks or previous.claim.player == previous.winner)
        if told and stated == previous.stated_after:
            return replace(replayed, carried=True)
        scored = self._points_by_score(stated)
        if following is not None and not (scored and (self.leaves_out or is_of_gnubg(self.match))):
            misprint = self._misprint(replayed, added_up, following)
            if misprint is not None:
                return misprint
        # No next score line decides. One result in the wrong column is likelier than every cell in the wrong column.
        turned = _plus(previous.score, previous, swapped=True)
        is_turned = following is None and stated == turned != added_up[::-1]
        goes_on = following is not None and replayed.score_after == following
        if scored is not None:
            self.replays[-1] = replace(previous, points=scored, scored=scored)
        elif (better := _by_score(previous, stated)) is not None and (
            goes_on or previous.is_odd or is_turned or self._has_wrong_points(previous)
        ):
            self.replays[-1] = better
        elif (columns := self._other_columns(replayed, previous, added_up, following)) is not None:
            return columns
        else:
            return replayed
        return replace(replayed, added_up=self.replays[-1].score_after)

    def _has_wrong_points(self, game: GameReplay) -> bool:
        """Whether a game is read as one of other points than its result states."""
        guide = self.guide(game.index)
        return guide is not None and guide.reading.result == "points"

    def _misprint(
        self, replayed: GameReplay, added_up: tuple[int, int], following: tuple[int, int]
    ) -> GameReplay | None:
        """The game at the sum of the results, where its result leads to the next score line only from that score."""
        game, stated = replayed.game, replayed.score
        other_way = self._replay(game, replayed.index, added_up, added_up, following)
        if other_way.score_after != following or replayed.score_after == following:
            return None
        names = game.left != self.replays[0].game.left
        if stated == added_up[::-1] and following[0] == following[1] and not names:
            # A level score is the same either way. Score lines after it tell whether their points are exchanged too.
            self.exchanged = True
            return replace(other_way, exchanged="points")
        return replace(other_way, misprint=True)

    def _go_on_exchanged(self) -> None:
        """Note on the first score line with exchanged points that a later one has them exchanged too."""
        for at, before in enumerate(self.replays):
            if before.exchanged == "points":
                self.replays[at] = replace(before, exchanged="points on")
                return

    def _is_exchanged(self, game: Game, added_up: tuple[int, int] | None) -> bool:
        """Whether a score line has the points of the players exchanged, as an earlier one has."""
        return self.exchanged and added_up is not None and game.score == added_up[::-1] != added_up

    def _other_columns(
        self, replayed: GameReplay, previous: GameReplay, added_up: tuple[int, int], following: tuple[int, int] | None
    ) -> GameReplay | None:
        """The game, where exchanged columns explain its score line; None where they do not.

        The names or the points of a score line may be exchanged, or all cells of the game before it.
        """
        stated, first = replayed.score, self.replays[0]
        names = replayed.game.left != first.game.left
        if stated == added_up[::-1]:
            if names and len(self.replays) == 1 and self._is_usual(replayed.game):
                self.replays[0] = replace(first, exchanged="names")
                return replace(replayed, added_up=stated)
            there = self._replay(replayed.game, replayed.index, added_up, added_up, following)
            is_alone = following is not None and following == _plus(added_up, there, swapped=True)
            # After a level score both readings fit. Then the names of the next game tell.
            goes_on = names and following in (None, replayed.score_after)
            if goes_on and not (is_alone and self.match.games[replayed.index + 1].left != replayed.game.left):
                return replace(replayed, exchanged="names on")
            if names and is_alone:
                return replace(there, exchanged="names", after=following)
            if following is None or following == there.score_after[::-1]:
                self.exchanged = True
                return replace(there, exchanged="points" if following in (None, there.score_after) else "points on")
        if stated == _plus(previous.score, previous, swapped=True) and not previous.exchanged:
            what: Exchanged = "names" if previous.game.left != first.game.left else "cells"
            self.replays[-1] = replace(previous, exchanged=what, after=stated)
            return replace(replayed, added_up=stated)
        return None

    def _last_names(self) -> None:
        """Mark the names of the last game as exchanged where only then it ends the match, as its result says."""
        if len(self.replays) < 2 or not self.length:
            return
        first, last = self.replays[0], self.replays[-1]
        if last.game.left == first.game.left or last.exchanged or last.claim is None or not last.claim.match:
            return
        turned = _plus(last.score, last, swapped=True)
        if max(last.score_after) < self.length and turned is not None and max(turned) >= self.length:
            self.replays[-1] = replace(last, exchanged="names", after=turned)

    def _misplaced_results(self) -> None:
        """Mark the results of two games running that stand in each other's place, or may do so."""
        for at, (one, two) in enumerate(pairwise(tuple(self.replays))):
            first, second = _stated(one), _stated(two)
            if first is None or second is None or first == second or two.game.score is None:
                continue
            following = self._following(at + 1)
            is_scored = two.game.score == plus(one.score, *second) and following in (None, plus(two.game.score, *first))
            if not is_scored:
                continue
            again = self._replay(two.game, two.index, two.game.score, two.game.score, following)
            if not (_may_win(one, second) and _may_win(again, first)):
                continue
            # Behind the last game no score line tells that its result is wrong as well.
            stand = _may_win(one, first), _may_win(again, second)
            if not all(stand) and (following is not None or not stand[1]):
                self.replays[at : at + 2] = (
                    replace(one, winner=second[0], points=second[1], misplaced="next"),
                    replace(again, winner=first[0], points=first[1], misplaced="previous"),
                )
            elif two.misprint:
                self.replays[at + 1] = replace(two, misplaced="perhaps previous")

    def _is_usual(self, game: Game) -> bool:
        """Whether the names stand on the score line of a game as they do on most."""
        return 2 * sum(each.left == game.left for each in self.match.games) > len(self.match.games)

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
        if _forgets(game, gained):
            return gained
        worth = [points]
        if game.ending != "drop" and game.is_cube_untouched and rules.jacoby is None:
            worth.append(game.cube)
        # Automatic doubles count only where the record allows them: else the points may be those of a missing game.
        turned = 2 ** min(rules.automatic_doubles or 0, _MANY_DOUBLES)
        fits = gained > 0 and any(gained % each == 0 and turned % (gained // each) == 0 for each in worth)
        return gained if fits else None

    def _follows(self, index: int) -> bool:
        """Whether a game goes on from the one before it: none is missing between them, and they are not exchanged."""
        games = self.match.games
        return not self._is_moved(index) and not (index and is_gap(games[index - 1], games[index]))

    def _is_moved(self, index: int) -> bool:
        """Whether a game, or the one before it, stands instead of another one."""
        return not self.late.isdisjoint((index - 1, index, index + 1))

    def _in_order(self, replayed: GameReplay) -> GameReplay:
        """The replay of a game, marked where it is exchanged with the next one, or a game before it is missing."""
        index, game = replayed.index, replayed.game
        if self._follows(index):
            return replayed
        replayed = replace(replayed, is_moved=self._is_moved(index))
        if index + 1 in self.late:
            is_told = fits_exchanged(self.match.games, index + 1)
            return replace(replayed, exchanged="games" if is_told else "numbers")
        previous = self.replays[-1]
        if replayed.is_moved or game.score is None or not self.keeps_score or not previous.points:
            return replayed
        after = previous.after or previous.score_after
        if game.score == previous.stated_after:
            after = game.score
        return replace(replayed, missing=(game.score[0] - after[0], game.score[1] - after[1]))

    def _following(self, index: int) -> tuple[int, int] | None:
        """The score line of the next game; None where none goes on from this game."""
        games = self.match.games
        return games[index + 1].score if index + 1 < len(games) and self._follows(index + 1) else None

    def _added_up(self, index: int) -> tuple[int, int] | None:
        """The score before a game, added up from the results; None where a result or a game is missing."""
        if not self.replays:
            return None
        previous = self.replays[-1]
        if not self._follows(index) or previous.winner is None or previous.points is None:
            return None
        return previous.after or previous.score_after

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
        return replay_game(game, index, state, added_up, following, starter, self.guide)


def final_of(games: Sequence[GameReplay], length: int | None) -> tuple[tuple[int, int], Player | None]:
    """The points of both players after the last game, and who won the match; None where nobody has, and for money."""
    score = games[-1].score_after if games else (0, 0)
    if not length or max(score) < length:
        return score, None
    return score, 0 if score[0] >= length else 1


def _plus(score: tuple[int, int], game: GameReplay, *, swapped: bool = False) -> tuple[int, int] | None:
    """A score with the points of a game, or with them given to the other player."""
    if game.winner is None or game.points is None:
        return None
    winner = other(game.winner) if swapped else game.winner
    return plus(score, winner, game.points)


def _stated(game: GameReplay) -> tuple[Player, int] | None:
    """The winner and the points that a result states; None where it does not tell both."""
    claim = game.claim
    if claim is None or claim.points is None or not claim.column_speaks:
        return None
    return claim.player, claim.points


def _may_win(game: GameReplay, result: tuple[Player, int]) -> bool:
    """Whether a result may be that of a game: the one that board and cube give, or one of a resignation."""
    winner, points = result
    if game.ending != "resigned":
        return (game.winner, game.earned) == (winner, points)
    return points == game.cube or (points in wins(game.cube) and not view(game.final, winner).theirs[OFF])


def _is_copy(game: Game, previous: GameReplay) -> bool:
    """Whether a game says the same as the one before it, from its score to its last entry."""
    before = previous.game
    # Where the score line of the game before is wrong, this one may be right.
    return previous.added_up in (None, before.score) and repeats(game, before)


def _by_score(game: GameReplay, following: tuple[int, int]) -> GameReplay | None:
    """A game that was given up, with winner and points by the next score line; None where they cannot be its result."""
    gained = following[0] - game.score[0], following[1] - game.score[1]
    points = max(gained)
    if game.ending != "resigned" or game.claim is None or min(gained) != 0 or points not in wins(game.cube):
        return None
    winner: Player = 0 if gained[0] else 1
    resigned = any(isinstance(entry, Resign) for entry in game.game.entries)
    if winner != game.winner and (resigned or not game.claim.column_speaks or points != game.claim.points):
        return None
    return replace(game, winner=winner, points=points, by_score=True)


def _forgets(game: GameReplay, gained: int) -> bool:
    """Whether a score counts a game without the automatic doubles that are written in it.

    With its display off GNU Backgammon turns the cube by itself, writes that, and forgets it at once.
    """
    turned = sum(isinstance(entry, AutomaticDouble) for entry in game.game.entries)
    points = game.points or 0
    return gained > 0 and turned > 0 and points == gained << turned


_MANY_DOUBLES = 10
"""More tied opening rolls than this are not believed."""
