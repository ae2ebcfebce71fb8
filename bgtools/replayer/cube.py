"""The cube of one game while it is replayed: who may turn it, what it shows, what a drop costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board.perspective import other
from bgtools.rules.cube import Cube, CubeReason, CubeViolation, MatchState, explain_beaver, explain_double

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.board.perspective import Player
    from bgtools.positions.position import Offer as Waiting
    from bgtools.record.record import AutomaticDouble, Beaver, Double, Game


@dataclass(frozen=True, slots=True)
class Offer:
    """A double or beaver on the table.

    Attributes:
        by: who offered it.
        stake: what dropping it loses.
        value: what the cube shows when it is accepted.
        keeper: who owns the cube then.
        counters: how often the double has been doubled back.
        annulled: whether it is void, as a double in the Crawford game is.
    """

    by: Player
    stake: int
    value: int
    keeper: Player
    counters: int = 0
    annulled: bool = False


_NAMES: Final[tuple[Waiting, ...]] = ("double", "beaver", "raccoon")
"""What an offer is called, by how often the double has been doubled back."""


class Doubling:
    """The cube of a game.

    Attributes:
        value: what it shows.
        owner: who owns it; None while it is centred.
        offer: the double or beaver that waits for an answer.
        dropped: who refused an offer, which ended the game.
        lost_by_drop: the points that they lost by that.
        doubtful: whether an action was against the rules, so that nobody can be sure whether it counted.
    """

    def __init__(self, game: Game, state: MatchState, *, flip: bool) -> None:
        """Put the cube where the game begins.

        Args:
            game: the record.
            state: the match before the game, seen by player 0.
            flip: whether doubtful actions are read the other way: as standing, or as annulled.
        """
        self.match = state
        self.flip = flip
        self.value = game.start_cube
        self.owner: Player | None = game.start_owner
        self.offer: Offer | None = None
        self.dropped: Player | None = None
        self.lost_by_drop = 0
        self.doubtful = False
        self.automatic = 0
        self.automatic_most = state.rules.automatic_doubles or 0 if state.is_money else 0
        self._states: dict[Player, MatchState] = {}  # seen by either player, until the cube turns

    def state(self, player: Player) -> MatchState:
        """Score and cube as ``player`` sees them."""
        known = self._states.get(player)
        if known is None:
            owner: Literal["centre", "mine", "theirs"]
            owner = "centre" if self.owner is None else "mine" if self.owner == player else "theirs"
            match = self.match
            score = match.score if player == 0 else match.score[::-1]
            known = MatchState(match.length, score, Cube(self.value, owner), match.crawford, match.rules)
            self._states[player] = known
        return known

    def waiting_for(self, player: Player) -> Waiting:
        """What is on the table for a player to answer."""
        if self.offer is None or self.offer.by == player:
            return ""
        return _NAMES[min(self.offer.counters, len(_NAMES) - 1)]

    def _turn(self, value: int, owner: Player | None) -> None:
        self.value, self.owner = value, owner
        self._states.clear()

    def set(self, value: int, owner: Player | None) -> None:
        """Set the cube where the record sets board and cube; an offer on the table is withdrawn."""
        self.offer = None
        self._turn(value, owner)

    def double(
        self,
        entry: Double,
        *,
        opening: bool,
        rolls: tuple[int, int],
        out_of_turn: bool,
        ends_with_drop: Callable[[], bool],
    ) -> CubeViolation | None:
        """Offer a double, and say what is wrong with it.

        Args:
            entry: the double.
            opening: whether the game's first roll is still to come, one die of each player.
            rolls: rolls that each player has played.
            out_of_turn: whether the other player is on roll.
            ends_with_drop: tells whether the offer was dropped and nothing was played after it.
        """
        player = entry.player
        claimed = entry.value
        self._supply_automatic_doubles(claimed)
        state = self.state(player)
        violation: CubeViolation | None
        if out_of_turn:
            violation = CubeViolation(CubeReason.OUT_OF_TURN)
        else:
            violation = explain_double(state, claimed=claimed, opening=opening, rolls=rolls)
        value = 2 * self.value
        annulled = False
        if violation is not None:
            self.doubtful = True
            if violation.reason is CubeReason.WRONG_VALUE:
                value = claimed if self.flip and claimed else value
            else:
                # By the usual rules of tournaments a double in the Crawford game does not count. Any
                # other illegal double counts once it is answered, and so does one that ended the game.
                annulled = (violation.reason is CubeReason.CRAWFORD and not ends_with_drop()) != self.flip
        elif state.is_cube_dead:
            violation = CubeViolation(CubeReason.DEAD)
        self.offer = Offer(player, self.value, value, other(player), annulled=annulled)
        return violation

    def _supply_automatic_doubles(self, claimed: int | None) -> None:
        """Turn the cube for automatic doubles that the record leaves out: the value of the first offer implies them."""
        centred = self.owner is None and self.automatic < self.automatic_most
        if centred and claimed is not None and claimed > 2 * self.value:
            turned = (claimed // 2 // self.value).bit_length() - 1
            if self.value << (turned + 1) == claimed and self.automatic + turned <= self.automatic_most:
                self.automatic += turned
                self._turn(claimed // 2, None)

    def beaver(self, entry: Beaver) -> CubeViolation | None:
        """Double back, and say what is wrong with that."""
        offer = self.offer
        if offer is None:
            return CubeViolation(CubeReason.NO_OFFER)
        if offer.by == entry.player:
            return CubeViolation(CubeReason.OWN_BEAVER)
        value = 2 * offer.value
        claimed = entry.value
        violation = explain_beaver(
            self.match.rules, money=self.match.is_money, count=offer.counters + 1, value=value, claimed=claimed
        )
        if violation is not None:
            self.doubtful = True
        # A beaver in a game without beavers is probably a take.
        if violation is not None and violation.reason is CubeReason.NO_BEAVERS and not self.flip:
            self.accept(offer)
            return violation
        if violation is not None and violation.reason is CubeReason.WRONG_VALUE and self.flip and claimed:
            value = claimed
        self.offer = Offer(entry.player, offer.value, value, offer.keeper, offer.counters + 1)
        return violation

    def double_automatically(self, entry: AutomaticDouble, *, opening: bool) -> CubeViolation | None:
        """Turn the cube for tied opening rolls, and say what is wrong with that."""
        doubled = 2 * self.value
        allowed = opening and self.automatic < self.automatic_most
        self.automatic += 1
        self._turn(doubled, None)
        if not allowed:
            return CubeViolation(CubeReason.NO_AUTOMATIC)
        if entry.value is not None and entry.value != doubled:
            return CubeViolation(CubeReason.WRONG_VALUE, doubled, entry.value)
        return None

    def take(self, player: Player) -> CubeViolation | None:
        """Accept the offer, and say what is wrong with that."""
        offer = self.offer
        if offer is None or offer.by == player:
            return CubeViolation(CubeReason.NO_OFFER)
        self.accept(offer)
        return None

    def accept(self, offer: Offer) -> None:
        """Turn the cube as offered, unless the offer was annulled."""
        self.offer = None
        if not offer.annulled:
            self._turn(offer.value, offer.keeper)

    def drop(self, player: Player, *, is_last: bool) -> CubeViolation | None:
        """Refuse the offer, and say what is wrong with that; ``is_last`` when nothing follows in the game."""
        offer = self.offer
        if offer is None or offer.by == player:
            # Nothing was offered. As the last entry, the drop still means that the player gave up the game.
            if is_last:
                self.dropped, self.lost_by_drop = player, self.value
            return CubeViolation(CubeReason.NO_OFFER)
        self.dropped, self.lost_by_drop = player, offer.stake
        self.offer = None
        return None
