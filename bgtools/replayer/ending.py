"""How a game ended, who won it, and how many points they got."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bgtools.board.perspective import other
from bgtools.record.points import is_sentinel, wins
from bgtools.replayer.turn import GameReplay
from bgtools.rules.worth import points_won, winning_level

if TYPE_CHECKING:
    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.record.record import Game, Resign, ResultClaim
    from bgtools.record.state import GameState
    from bgtools.replayer.turn import Ending, Turns
    from bgtools.rules.cube import MatchState
    from bgtools.rules.worth import Level


@dataclass(frozen=True, slots=True)
class Arrival:
    """The state of a game after its last entry.

    Attributes:
        game: the record.
        match: the match before the game, seen by player 0.
        state: board and cube at the end.
        resigned: the resignation, where one is written.
        unmarked: how many plays hit more often than they have stars; counted only where a game is known to be sound.
    """

    game: Game
    match: MatchState
    state: GameState
    resigned: Resign | None
    unmarked: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game is decided."""
        return self.state.over is not None or self.board.is_over

    @property
    def board(self) -> Board:
        """The last board, seen by player 0."""
        return self.state.board(0)

    def in_other_column(self, following: tuple[int, int] | None) -> Arrival:
        """The same, with the results in the other column where board, cube or the next score line prove that.

        Called where all entries are read in the other column: the result may stand in the wrong one too, or not.

        Args:
            following: the score line of the next game, if there is one.
        """
        claim = next((claim for claim in self.game.results if claim.won), None)
        scorer = self._scorer(following)
        _, winner, _ = self._ending(None)
        winner = scorer if winner is None else winner
        if claim is None or winner in (None, claim.player) or scorer not in (None, winner):
            return self
        results = tuple(replace(each, player=other(each.player)) for each in self.game.results)
        return replace(self, game=replace(self.game, results=results))

    def _scorer(self, following: tuple[int, int] | None) -> Player | None:
        """The player who alone gains points by the next score line; None where nobody gains any, or both do."""
        if following is None:
            return None
        gained = [following[player] - self.match.score[player] for player in (0, 1)]
        return 0 if gained[0] > 0 == gained[1] else 1 if gained[1] > 0 == gained[0] else None

    def drops_in_silence(self) -> bool:
        """Read a last double that nobody answers as dropped, where the result is that of a drop.

        Returns:
            Whether it is read so.
        """
        offer, claims = self.state.offer, self.game.results
        if offer is None or offer.counters or not claims or self.is_over:
            return False
        claim = self._claim(None)
        if claim is None or claim.points != offer.stake or (claim.player != offer.by and claim.column_speaks):
            return False
        self.state.drop(other(offer.by))
        return True

    def result(
        self,
        index: int,
        added_up: tuple[int, int] | None,
        following: tuple[int, int] | None,
        turns: Turns,
        *,
        is_sound: bool = False,
    ) -> GameReplay:
        """The whole replay of the game.

        Args:
            index: the game's place in the match.
            added_up: the sum of the results before it.
            following: the score line of the next game, if there is one.
            turns: the turns of the game.
            is_sound: whether the turns are known to be without a fault.
        """
        claim = self._claim(following)
        ending, winner, level = self._ending(claim)
        if ending == "resigned":
            self._accept_beaver(claim)
        cube = self.state.cube
        earned: int | None = None
        points: int | None = None
        is_odd = False
        if winner is not None:
            stated = _stated_points(claim, cube)
            earned = self._earned(ending, winner, level, stated)
            if stated is not None and ending == "resigned":
                level = next((wins for wins in (1, 2, 3) if wins * cube == stated), None)
            points = earned if earned is not None else stated
            if points is None:
                points = self._gained(winner, following)
            if points is None:
                level = level or 1
                points = level * cube
            # Where nobody knows the board, nobody knows the cube.
            is_open = earned is None and level is None and self.game.start_known
            is_odd = is_open and self._is_odd(claim, winner)
        return GameReplay(
            self.game,
            index,
            self.match.score,
            added_up,
            self.match.crawford,
            turns,
            ending,
            winner,
            level,
            cube,
            earned,
            points,
            claim,
            self.match.rules,
            self.board,
            is_sound=is_sound,
            unmarked=self.unmarked,
            is_odd=is_odd,
        )

    def _accept_beaver(self, claim: ResultClaim | None) -> None:
        """Accept a beaver right before a resignation, where the points of the result fit the cube that it leaves.

        Records have no word for accepting a beaver.
        """
        offer = self.state.offer
        if offer is not None and offer.counters and claim is not None and claim.points in wins(offer.value):
            self.state.take()

    def _is_odd(self, claim: ResultClaim | None, winner: Player) -> bool:
        """Whether the stated points, which no win with the cube gives, are neither a mark nor what the match needed."""
        if claim is None or claim.points is None or is_sentinel(claim.points, self.state.cube):
            return False
        length = self.match.length
        return not (
            length and (claim.points == length - self.match.score[winner] or (claim.match and claim.points == length))
        )

    def _claim(self, following: tuple[int, int] | None) -> ResultClaim | None:
        """The result that the record states. Where its column does not tell the winner, the next score line does."""
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
            gained = [following[player] - self.match.score[player] for player in (0, 1)]
            if (gained[0] > 0) != (gained[1] > 0):
                return replace(claim, player=0 if gained[0] > 0 else 1, column_speaks=True)
        return claim

    def _ending(self, claim: ResultClaim | None) -> tuple[Ending, Player | None, Level | None]:
        """How the game ended, who won it, and what they won before the cube."""
        board, over = self.board, self.state.over
        if board.is_over:
            level = winning_level(board, quadruple=self.match.rules.quadruple)
            assert level is not None
            return "borne off", 0 if not any(board.mine[1:]) else 1, level
        if over is not None and over.how == "drop":
            return "drop", over.winner, 1
        if self.resigned is not None:
            # The stated winner counts, even where the resignation is in their own column.
            winner = claim.player if claim and claim.column_speaks else other(self.resigned.player)
            return "resigned", winner, self.resigned.level
        if claim is not None:
            return "resigned", claim.player, None
        return "unfinished", None, None

    def _earned(self, ending: Ending, winner: Player, level: Level | None, stated: int | None) -> int | None:
        """The points that board, cube and rules give the winner; None where a resignation does not tell.

        Args:
            ending: how the game ended.
            winner: who won it.
            level: what they won before the cube, if that is known.
            stated: the points that the record states, if it does.
        """
        state = self.state.seen(winner)
        value = state.cube.value
        earned: int | None = None
        if ending == "drop":
            earned = self.state.over.points if self.state.over is not None else None
        elif ending == "borne off" and level is not None:
            earned = points_won(level, state)
        elif state.is_money and state.rules.jacoby and state.cube.owner == "centre":
            earned = value  # no gammon counts, whatever was resigned
        hides_jacoby = state.is_money and state.rules.jacoby is None and state.cube.owner == "centre"
        if hides_jacoby and stated == value and earned is not None:
            return stated  # the record does not say whether the Jacoby rule was in force, but its result implies it
        return earned

    def _gained(self, winner: Player, following: tuple[int, int] | None) -> int | None:
        """The points that the winner gains by the next score line; None where it shows no gain."""
        return None if following is None else max(following[winner] - self.match.score[winner], 0) or None


_THOUSAND = 1000


def _stated_points(claim: ResultClaim | None, cube: int) -> int | None:
    """The points that the record states: of a mark of Studio what it adds to the thousands; None for other marks."""
    if claim is None or claim.points is None:
        return None
    if is_sentinel(claim.points, cube):
        rest = claim.points % _THOUSAND
        return rest if claim.points >= _THOUSAND and 0 < rest <= 3 * cube else None
    return claim.points
