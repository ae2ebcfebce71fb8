"""The order of plies in a game, as OGXM asks for it: who may act next, and what the cube allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.board.perspective import other
from bgtools.formats.bgf.plies import RESIGNATIONS, ROLLS, ActionCode
from bgtools.formats.content import FormatError

if TYPE_CHECKING:
    from bgtools.board.perspective import Player

_ANSWERS = (ActionCode.TAKE, ActionCode.DROP, ActionCode.BEAVER)


class PlyOrder:
    """A game whose plies are written one after the other.

    Attributes:
        cube, owner: the cube as the next ply finds it; an owner of None is nobody.
        limit: the highest value of the cube; None for any.
        beavers: how often a double may be turned by its answer: 0 not, 1 by a beaver, 2 by a raccoon after it.
        doubles: whether anybody may double; nobody may in the Crawford game.
        winner: who wins the game; None for nobody, or where it is not known.
    """

    def __init__(
        self,
        *,
        cube: int,
        owner: Player | None,
        limit: int | None,
        beavers: int,
        doubles: bool,
        winner: Player | None = None,
    ) -> None:
        self.cube, self.owner = cube, owner
        self.limit, self.beavers, self.doubles, self.winner = limit, beavers, doubles, winner
        self.next: Player | None = None
        self.offer: int | None = None
        self.ended = ""
        self.begun = False
        """Whether anybody has rolled, or passed, so that a double may follow."""
        self._check_cube()

    def may_go_on(self, player: Player) -> bool:
        """Whether it is the turn of a player, or of nobody, or a double waits for its answer."""
        return self.next in (None, player) or self.offer == ActionCode.DOUBLE

    def is_refused_by(self, action: int) -> bool:
        """Whether an action ends the game with a double in the air, which only readers of version 2.2 know."""
        return self.offer == ActionCode.DOUBLE and action in RESIGNATIONS

    def put(self, action: int, player: Player, *, cube: int | None = None, owner: Player | None = None) -> None:
        """Put the next ply.

        Raises:
            FormatError: OGXM takes no such ply here; the message says why.
        """
        if why := self._fault(action, player):
            raise FormatError(f"OGXM cannot hold {why}")
        if action < len(ROLLS) or action == ActionCode.PASS:
            self.next, self.offer, self.begun = other(player), None, True
        elif action in RESIGNATIONS:
            self.ended = "a resignation"
        elif action == ActionCode.DROP:
            self.ended = "a drop"
        elif action == ActionCode.SET_POSITION:
            self.next, self.offer = player, None
        elif action == ActionCode.CUBE_SET:
            self.cube, self.owner, self.offer, self.next = cube or 1, owner, None, player
        elif action == ActionCode.TAKE:
            self.cube, self.owner, self.offer, self.next = 2 * self.cube, player, None, other(player)
        elif action == ActionCode.DOUBLE:
            self.offer, self.next = action, other(player)
        elif action in (ActionCode.BEAVER, ActionCode.RACCOON):
            self.cube = 4 * self.cube if action == ActionCode.BEAVER else 2 * self.cube
            self.owner, self.offer = player, action
            self.next = player if action == ActionCode.RACCOON else other(player)
        self._check_cube()

    def _check_cube(self) -> None:
        if self.limit and self.cube > self.limit:
            raise FormatError(f"OGXM cannot hold a cube at {self.cube}, above its limit of {self.limit}")

    def _fault(self, action: int, player: Player) -> str:
        """What is wrong with a ply, in words; "" where nothing is."""
        if self.ended:
            return f"anything behind {self.ended}"
        if action in RESIGNATIONS:
            return "a resignation by the player who wins" if player == self.winner else ""
        if self.offer == ActionCode.DOUBLE and action not in _ANSWERS:
            return "a double without an answer"
        if action in (ActionCode.SET_POSITION, ActionCode.CUBE_SET):
            return ""
        if action in (ActionCode.TAKE, ActionCode.DROP, ActionCode.BEAVER) and self.offer != ActionCode.DOUBLE:
            return "an answer to no double"
        if action == ActionCode.RACCOON and self.offer != ActionCode.BEAVER:
            return "a raccoon without a beaver"
        if self.next not in (None, player):
            return "two turns of one player running"
        if action in (ActionCode.BEAVER, ActionCode.RACCOON) and self.beavers < 1 + (action == ActionCode.RACCOON):
            return "a beaver that the rules do not allow"
        if action == ActionCode.DOUBLE:
            if not self.begun:
                return "a double before the first roll"
            if not self.doubles:
                return "a double in the Crawford game"
            if self.owner == other(player):
                return "a double by the player who does not own the cube"
        return ""
