"""Replaying a record: what its entries mean on the board, turn by turn.

Every entry becomes a `Turn`, whatever is wrong with it; the faults ride along as violations. After
an entry that cannot be, the replay goes on from the board with which the rest of the game fits
best: the one that the entry as written leaves, the one without the entry, or the one that a legal
play of the roll leaves, in this order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Literal

from bgtools.ids import decode_snowie_dump
from bgtools.position import BAR, Position
from bgtools.record import Beaver, CheckerPlay, Double, Drop, Entry, Game, Match, Player, Resign, ResultClaim, Take
from bgtools.rules import (
    Cube,
    CubeReason,
    CubeViolation,
    Level,
    MatchState,
    Ruleset,
    Violation,
    are_dice,
    explain_double,
    legal_plays,
    points_won,
    resolve,
    winning_level,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.play import Play


class TurnFault(Enum):
    """What can be wrong with an entry besides its play and the cube."""

    OPENING_DOUBLE = "opening roll is a double"
    TURN_MISSING = "two turns running"
    AFTER_END = "after the end of the game"
    PLAY_EXISTED = "a play existed"
    UNKNOWN_PLAY = "play not recorded"
    FORCED_PLAY = "forced play not written"
    DECLARED_ILLEGAL = "marked as illegal"


@dataclass(frozen=True, slots=True)
class OrderViolation:
    """A fault in the order of turns, or a play that the record does not give.

    ``possible`` is a play that could be made, where that is the proof.
    """

    fault: TurnFault
    possible: Play | None = None


AnyViolation = Violation | CubeViolation | OrderViolation

Reading = Literal["", "as written", "left out", "corrected"]
"""How the board went on after a play that cannot be; empty where nothing had to be decided."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One entry on its board.

    Attributes:
        player: who acts.
        before: the board before the entry, seen by him.
        state: score and cube before the entry, seen by him.
        entry: the entry.
        play: the legal play that was made; None for cube actions and for what is not legal.
        after: the board after the entry, seen by him still.
        violations: what is wrong with the entry.
        reading: how the replay went on, where the play is not legal.
        guess: with a corrected reading, the play that lets most of the rest of the game replay.
        fits: how many of the plays after this one are legal in that reading; -1 where nothing was tried.
        index: the entry's number in the game, from 0.
        roll: the number of the roll in the game, from 0, cube actions sharing the number of the next roll.
    """

    player: Player
    before: Position
    state: MatchState
    entry: Entry
    after: Position
    play: Play | None = None
    violations: tuple[AnyViolation, ...] = ()
    reading: Reading = ""
    guess: Play | None = None
    fits: int = -1
    index: int = 0
    roll: int = 0


Ending = Literal["borne off", "drop", "resigned", "unfinished"]


@dataclass(frozen=True, slots=True)
class GameReplay:
    """One game, replayed.

    Attributes:
        game: the record.
        index: its place in the match, from 0.
        score: points before the game by player: those the record states, else those that add up.
        added_up: the sum of the results before it; None where that cannot be known.
        crawford: whether it is the Crawford game.
        turns: one an entry.
        ending: how it ended.
        winner: who won; None when it is unfinished.
        level: what he won before the cube; None where a resignation does not tell.
        cube: the cube's value at the end.
        earned: points by board, cube and rules; None where only the record can tell.
        points: points the winner is taken to have got: ``earned``, else what the record states.
        claim: the stated result that counts, if there is one.
    """

    game: Game
    index: int
    score: tuple[int, int]
    added_up: tuple[int, int] | None
    crawford: bool
    turns: tuple[Turn, ...]
    ending: Ending
    winner: Player | None
    level: Level | None
    cube: int
    earned: int | None
    points: int | None
    claim: ResultClaim | None

    @property
    def score_after(self) -> tuple[int, int]:
        """Points after the game by player."""
        if self.winner is None or self.points is None:
            return self.score
        return (
            (self.score[0] + self.points, self.score[1])
            if self.winner == 0
            else (
                self.score[0],
                self.score[1] + self.points,
            )
        )


def other(player: Player) -> Player:
    """The opponent's index."""
    return 1 if player == 0 else 0


def replay(match: Match) -> tuple[GameReplay, ...]:
    """Replay every game of a match. Never raises on content; each game is judged on its own header."""
    length = match.length or 0
    replays: list[GameReplay] = []
    score: tuple[int, int] | None = None
    crawford_over = False
    for index, game in enumerate(match.games):
        previous = replays[-1] if replays else None
        added_up = previous.score_after if previous and not _is_gap(previous.game, game) else None
        if previous and (previous.winner is None or previous.points is None):
            added_up = None
        score = game.score or added_up or score or (0, 0)
        crawford = False
        if length > 1 and match.rules.crawford and not crawford_over and max(score) == length - 1:
            crawford_over = True
            # A record that begins here may lack the Crawford game itself: a double tells (R41).
            crawford = index > 0 or not any(isinstance(entry, Double) for entry in game.entries)
        following = match.games[index + 1].score if index + 1 < len(match.games) else None
        state = _GameState(match.rules, length, score, crawford, game)
        replays.append(state.run(index, added_up, following))
    return tuple(replays)


def _is_gap(before: Game, after: Game) -> bool:
    return before.number is not None and after.number is not None and after.number != before.number + 1


class _GameState:
    """The board and the cube of one game while its entries go by."""

    def __init__(self, rules: Ruleset, length: int, score: tuple[int, int], crawford: bool, game: Game) -> None:
        self.rules = rules
        self.length = length
        self.score = score
        self.crawford = crawford
        self.game = game
        self.board = game.start or rules.start  # seen by player 0
        self.cube = game.start_cube
        self.owner: Player | None = game.start_owner
        self.offer: Double | Beaver | None = None  # an offer that waits for its answer
        self.last_roller: Player | None = None
        self.rolls = 0
        self.dropped: Player | None = None
        self.resigned: Resign | None = None
        self.turns: list[Turn] = []
        self.states: dict[Player, MatchState] = {}  # seen by either player, until the cube turns

    # --- views ------------------------------------------------------------------------------

    def view(self, player: Player) -> Position:
        return self.board if player == 0 else self.board.flipped()

    def state(self, player: Player) -> MatchState:
        known = self.states.get(player)
        if known is None:
            known = self.states[player] = self._state(player)
        return known

    def _state(self, player: Player) -> MatchState:
        owner: Literal["centre", "mine", "theirs"]
        owner = "centre" if self.owner is None else "mine" if self.owner == player else "theirs"
        score = self.score if player == 0 else self.score[::-1]
        return MatchState(self.length, score, Cube(self.cube, owner), self.crawford, self.rules)

    @property
    def is_over(self) -> bool:
        return self.dropped is not None or self.resigned is not None or self.board.is_over

    # --- entries ----------------------------------------------------------------------------

    def run(self, index: int, added_up: tuple[int, int] | None, following: tuple[int, int] | None) -> GameReplay:
        for number, entry in enumerate(self.game.entries):
            self._entry(number, entry)
        return self._finish(index, added_up, following)

    def _entry(self, number: int, entry: Entry) -> None:
        player = entry.player
        violations: list[AnyViolation] = []
        if self.is_over:
            violations.append(OrderViolation(TurnFault.AFTER_END))
        elif isinstance(entry, CheckerPlay):
            self._checker_play(number, entry)
            return
        before, state, roll = self.view(player), self.state(player), self.rolls
        if not violations:
            match entry:
                case Double():
                    violations += self._double(entry, state)
                case Beaver():
                    violations += self._beaver(entry)
                case Take() | Drop():
                    if self.offer is None or self.offer.player == player:
                        violations.append(CubeViolation(CubeReason.NO_OFFER))
                    elif isinstance(entry, Take):
                        self._taken(player)
                    else:
                        self.dropped = player
                        self.offer = None
                case Resign():
                    self.resigned = entry
        self.turns.append(
            Turn(player, before, state, entry, before, violations=tuple(violations), index=number, roll=roll)
        )

    def _double(self, entry: Double, state: MatchState) -> list[AnyViolation]:
        violations: list[AnyViolation] = []
        opening = self.rolls == 0 and self.game.start is None
        if self.offer is not None:
            violations.append(CubeViolation(CubeReason.UNANSWERED))
        if not opening and self.last_roller == entry.player and not self._is_shut_out(other(entry.player)):
            violations.append(CubeViolation(CubeReason.OUT_OF_TURN))
        elif found := explain_double(state, claimed=entry.value, opening=opening):
            violations.append(found)
        # The offer stands all the same: whether it was taken is what the record says next.
        self.offer = entry
        return violations

    def _beaver(self, entry: Beaver) -> list[AnyViolation]:
        if self.offer is None or self.offer.player == entry.player:
            return [CubeViolation(CubeReason.NO_OFFER)]
        allowed = not self.length and self.rules.beavers != 0
        keeper = entry.player if not entry.raccoon else other(entry.player)
        self._taken(keeper)
        self.cube *= 2
        self.states.clear()
        return [] if allowed else [CubeViolation(CubeReason.NO_BEAVERS)]

    def _taken(self, taker: Player) -> None:
        self.cube *= 2
        self.owner = taker
        self.states.clear()
        self.offer = None

    def _checker_play(self, number: int, entry: CheckerPlay) -> None:
        player, dice = entry.player, entry.dice
        violations: list[AnyViolation] = []
        if self.offer is not None:
            violations.append(CubeViolation(CubeReason.UNANSWERED))
            # Whoever plays on has accepted that the cube was turned.
            self._taken(other(self.offer.player))
        if self.last_roller == player and not self._is_shut_out(other(player)):
            violations.append(OrderViolation(TurnFault.TURN_MISSING))
        if self.rolls == 0 and self.game.start is None and dice is not None and dice[0] == dice[1] and are_dice(dice):
            violations.append(OrderViolation(TurnFault.OPENING_DOUBLE))
        before, state = self.view(player), self.state(player)
        outcome = self._play(entry, before, number)
        self.turns.append(
            Turn(
                player,
                before,
                state,
                entry,
                outcome.after,
                outcome.play,
                (*violations, *outcome.violations),
                outcome.reading,
                outcome.guess,
                outcome.fits,
                number,
                self.rolls,
            )
        )
        self.board = outcome.after if player == 0 else outcome.after.flipped()
        self.last_roller = player
        self.rolls += 1

    def _is_shut_out(self, player: Player) -> bool:
        """Whether no roll could bring him in from the bar; his turns are often left out then."""
        board = self.view(player)
        return board.mine[BAR] > 0 and all(board.theirs[point] > 1 for point in range(1, 7))

    # --- plays ------------------------------------------------------------------------------

    def _play(self, entry: CheckerPlay, before: Position, number: int) -> _Outcome:
        text, dice = entry.text, entry.dice
        if text.kind == "illegal":
            after = decode_snowie_dump(text.dump, before)
            if after is not None:
                return _Outcome(after, None, (OrderViolation(TurnFault.DECLARED_ILLEGAL),), "as written")
        if dice is None or not are_dice(dice):
            if dice is None:
                return self._best(entry, before, number, OrderViolation(TurnFault.UNKNOWN_PLAY), ())
            found = resolve(before, dice, text.hops)
            assert isinstance(found, Violation)
            return self._best(entry, before, number, found, ())
        if text.kind == "moves" and text.hops:
            found = resolve(before, dice, text.hops)
            if not isinstance(found, Violation):
                return _Outcome(found.result, found)
            return self._best(entry, before, number, found, legal_plays(before, dice))
        plays = legal_plays(before, dice)
        if text.kind in ("unknown", "unreadable", "illegal"):
            if self._is_last(number):
                return _Outcome(before, None)
            return self._best(entry, before, number, OrderViolation(TurnFault.UNKNOWN_PLAY), plays)
        if not plays[0].hops:
            return _Outcome(before, plays[0])
        if self._is_last(number):
            # A roll that nothing follows: somebody resigned after it, or the record breaks off.
            return _Outcome(before, None)
        if len(plays) == 1 and text.kind == "nothing":
            return _Outcome(plays[0].result, plays[0], (OrderViolation(TurnFault.FORCED_PLAY, plays[0]),))
        return self._best(entry, before, number, OrderViolation(TurnFault.PLAY_EXISTED, plays[0]), plays)

    def _is_last(self, number: int) -> bool:
        """Whether no play follows, so that the game ended or broke off with this roll."""
        return not any(isinstance(entry, CheckerPlay | Double) for entry in self.game.entries[number + 1 :])

    def _best(
        self, entry: CheckerPlay, before: Position, number: int, violation: AnyViolation, plays: Sequence[Play]
    ) -> _Outcome:
        """Choose the board with which the rest of the game fits best."""
        readings: list[tuple[Position, Play | None, Reading]] = []
        written = violation.result if isinstance(violation, Violation) else None
        if written is not None:
            readings.append((written, None, "as written"))
        readings.append((before, None, "left out"))
        readings += [(play.result, play, "corrected") for play in plays if play.hops]
        best: _Outcome | None = None
        for after, play, reading in readings:
            fits, complete = self._fits(after, entry.player, number + 1)
            if best is None or fits > best.fits:
                # A play that is only guessed is not the record's: it explains the board, no more.
                best = _Outcome(after, None, (violation,), reading, fits, play)
            if complete:
                break
        assert best is not None
        return best

    def _fits(self, after: Position, player: Player, number: int) -> tuple[int, bool]:
        """How many plays from entry ``number`` on are legal when ``player`` leaves this board."""
        board = after if player == 0 else after.flipped()
        count = 0
        for index in range(number, len(self.game.entries)):
            entry = self.game.entries[index]
            if not isinstance(entry, CheckerPlay) or entry.dice is None or not are_dice(entry.dice):
                continue
            if board.is_over:
                return count, False
            view = board if entry.player == 0 else board.flipped()
            if entry.text.kind == "moves":
                found = resolve(view, entry.dice, entry.text.hops)
                if isinstance(found, Violation):
                    return count, False
                result = found.result
            elif entry.text.kind in ("unknown", "unreadable", "illegal"):
                return count, True
            else:
                plays = legal_plays(view, entry.dice)
                if len(plays) > 1 and not self._is_last(index):
                    return count, False
                result = plays[0].result if not self._is_last(index) else view
            count += 1
            board = result if entry.player == 0 else result.flipped()
        return count, True

    # --- the end ----------------------------------------------------------------------------

    def _finish(self, index: int, added_up: tuple[int, int] | None, following: tuple[int, int] | None) -> GameReplay:
        claim = self._claim(following)
        ending, winner, level = self._ending(claim)
        earned: int | None = None
        points: int | None = None
        if winner is not None:
            state = self.state(winner)
            if ending == "drop":
                earned = self.cube
            elif ending == "borne off" and level is not None:
                earned = points_won(level, state)
            stated = _stated_points(claim, self.cube)
            if earned is None and stated is not None:
                level = next((wins for wins in (1, 2, 3) if wins * self.cube == stated), None)
            points = earned if earned is not None else stated if stated is not None else None
            if points is None and following is not None:
                points = max(following[winner] - self.score[winner], 0) or None
            if points is None:
                points, level = self.cube, 1
        return GameReplay(
            self.game,
            index,
            self.score,
            added_up,
            self.crawford,
            tuple(self.turns),
            ending,
            winner,
            level,
            self.cube,
            earned,
            points,
            claim,
        )

    def _claim(self, following: tuple[int, int] | None) -> ResultClaim | None:
        """The result that the record states, told from the next score line where its column does not tell."""
        claims = self.game.results
        if not claims:
            return None
        claim = next((claim for claim in claims if claim.won), None)
        if claim is None:
            lost = claims[0]
            return replace(lost, player=other(lost.player), won=True)
        if any(not loss.won and loss.player == claim.player for loss in claims):
            return claim
        if not claim.column_speaks and not self.is_over and following is not None:
            gained = [following[player] - self.score[player] for player in (0, 1)]
            if (gained[0] > 0) != (gained[1] > 0):
                return replace(claim, player=0 if gained[0] > 0 else 1, column_speaks=True)
        return claim

    def _ending(self, claim: ResultClaim | None) -> tuple[Ending, Player | None, Level | None]:
        if self.board.is_over:
            level = winning_level(self.board)
            assert level is not None
            return "borne off", 0 if not any(self.board.mine[1:]) else 1, level
        if self.dropped is not None:
            return "drop", other(self.dropped), 1
        if self.resigned is not None:
            # Question marks in one column and a win in the same one: the other player left.
            winner = claim.player if claim and claim.column_speaks else other(self.resigned.player)
            return "resigned", winner, self.resigned.level
        if claim is not None:
            return "resigned", claim.player, None
        return "unfinished", None, None


@dataclass(frozen=True, slots=True)
class _Outcome:
    after: Position
    play: Play | None
    violations: tuple[AnyViolation, ...] = ()
    reading: Reading = ""
    fits: int = -1
    guess: Play | None = None


SENTINEL_THOUSAND = 1000
SENTINEL_HUNDRED = 100


def is_sentinel(points: int) -> bool:
    """Whether stated points are a mark of a broken-off game: 100 (GridGammon), 1004, 2008, … (Studio)."""
    return points == SENTINEL_HUNDRED or points >= SENTINEL_THOUSAND


def _stated_points(claim: ResultClaim | None, cube: int) -> int | None:
    """The points that the record states; what stands behind Studio's thousands, None for other marks."""
    if claim is None or claim.points is None:
        return None
    if is_sentinel(claim.points):
        rest = claim.points % SENTINEL_THOUSAND
        return rest if claim.points >= SENTINEL_THOUSAND and 0 < rest <= 3 * cube else None
    return claim.points
