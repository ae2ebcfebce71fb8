"""The state of a game: board, cube, offer, who is on roll. Everything that follows a game goes on with one of these.

Methods named after what happens (`double`, `take`, `move`) carry it out whatever the rules say. Those that begin with
``why_not`` ask the rules, and change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools.board.board import BAR, OFF, Board, are_shut_out
from bgtools.board.perspective import Player, other
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.rules.cube import Cube, CubeReason, CubeViolation, MatchState, explain_beaver, explain_double
from bgtools.rules.worth import points_won, winning_level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.board.play import HopText
    from bgtools.record.record import Entry
    from bgtools.rules.worth import Level


class Offer(NamedTuple):
    """A double or beaver on the table.

    Attributes:
        by: who offered it.
        stake: what a drop loses.
        value: what the cube shows after a take.
        keeper: who owns it then.
        counters: how often the double has been doubled back.
        annulled: whether it is void, as a double in the Crawford game is.
    """

    by: Player
    stake: int
    value: int
    keeper: Player
    counters: int = 0
    annulled: bool = False


How = Literal["borne off", "drop", "resigned"]
"""How a game ends."""
BY_ITSELF: Final[frozenset[How]] = frozenset({"borne off", "drop"})
"""The ends of which board and cube tell the points; a resignation needs a result for that."""


class Over(NamedTuple):
    """How a game ended, who won it, and the points; None where a resignation does not tell."""

    how: How
    winner: Player
    points: int | None


class GameState:
    """A game at one moment. It changes in place; `copy` is for whoever tries something.

    Attributes:
        match: score, length and options before the game, seen by player 0.
        sides: the checkers of player 0 and of player 1, each in their own numbering.
        cube, owner: the cube.
        offer: what waits for an answer.
        last: who rolled last; None before the first roll and behind a set board.
        rolls: how often each player has rolled.
        tied: how often the cube was turned by tied opening rolls.
        is_set: whether the record has set the board, so that no opening roll follows.
        over: how the game ended.
    """

    __slots__ = (
        "_states",
        "checkers",
        "cube",
        "is_set",
        "last",
        "match",
        "offer",
        "over",
        "owner",
        "rolls",
        "sides",
        "tied",
    )

    def __init__(
        self, match: MatchState, board: Board | None = None, cube: int = 1, owner: Player | None = None
    ) -> None:
        """Begin a game: from a set position, or from the usual start."""
        start = board or match.rules.start
        self.match = match
        self.sides = list(start.mine), list(start.theirs)
        self.checkers = sum(start.mine), sum(start.theirs)
        self.cube, self.owner = cube, owner
        self.offer: Offer | None = None
        self.last: Player | None = None
        self.rolls = [0, 0]
        self.tied = 0
        self.is_set = board is not None
        self.over: Over | None = None
        self._states: list[MatchState | None] = [None, None]

    def copy(self) -> GameState:
        """Another one that is the same."""
        new = object.__new__(GameState)
        new.match, new.checkers, new.cube, new.owner = self.match, self.checkers, self.cube, self.owner
        new.offer, new.last, new.tied, new.is_set, new.over = self.offer, self.last, self.tied, self.is_set, self.over
        new.sides, new.rolls, new._states = (self.sides[0][:], self.sides[1][:]), self.rolls[:], self._states[:]
        return new

    def mirrored(self) -> GameState:
        """The same with the players exchanged; the score is left as it is."""
        new = self.copy()
        new.sides, new.rolls, new._states = new.sides[::-1], new.rolls[::-1], [None, None]
        new.checkers = self.checkers[::-1]
        new.owner = None if self.owner is None else other(self.owner)
        new.last = None if self.last is None else other(self.last)
        if self.offer is not None:
            new.offer = self.offer._replace(by=other(self.offer.by), keeper=other(self.offer.keeper))
        if self.over is not None:
            new.over = self.over._replace(winner=other(self.over.winner))
        return new

    def at(self, match: MatchState) -> GameState:
        """The same game at another score; a game that was borne off is worth other points there."""
        new = self.copy()
        new.match, new._states = match, [None, None]
        if new.over is not None and new.over.how == "borne off":
            new._bear_off(new.over.winner)
        return new

    # --- views ------------------------------------------------------------------------------

    def board(self, player: Player) -> Board:
        """The board as a player sees it."""
        return Board(tuple(self.sides[player]), tuple(self.sides[1 - player]))

    def seen(self, player: Player) -> MatchState:
        """Score and cube as a player sees them."""
        known = self._states[player]
        if known is None:
            match = self.match
            score = match.score if player == 0 else match.score[::-1]
            cube = Cube.of(self.cube, self.owner, player)
            known = self._states[player] = MatchState(match.length, score, cube, match.crawford, match.rules)
        return known

    @property
    def turn(self) -> Player | None:
        """Who is on roll; None before the first roll."""
        return None if self.last is None else other(self.last)

    def key(self) -> tuple[object, ...]:
        """What is the same for two states from which a game goes on alike."""
        one, two = self.sides
        return tuple(one), tuple(two), self.last, self.cube, self.owner, self.offer, *self.rolls, self.tied, self.over

    @property
    def automatic_most(self) -> int:
        """How often tied opening rolls may turn the cube."""
        return (self.match.rules.automatic_doubles or 0) if self.match.is_money else 0

    @property
    def is_opening(self) -> bool:
        """Whether the next roll is one die of each player."""
        return self.last is None and not self.is_set and not self.match.rules.winner_starts

    def may_act(self, player: Player) -> bool:
        """Whether a player may roll or double now: twice running only while the other one is shut out."""
        return self.last != player or are_shut_out(self.sides[1 - player], self.sides[player])

    # --- why not ----------------------------------------------------------------------------

    def why_not(self, entry: Entry) -> CubeViolation | None:
        """What is wrong with a cube action; a dead cube may be turned, and is no fault here. None for other entries."""
        match entry:
            case Double(player=player, value=value):
                if value is None or value <= 2 * self.cube:
                    return self.why_not_double(player, value)
                new = self.copy()
                new.supply_automatic(value)
                return new.why_not_double(player, value)
            case Beaver(player=player, value=value):
                return self.why_not_beaver(player, value)
            case AutomaticDouble(value=value):
                return self.why_not_automatic(value)
            case Take(player=player) | Drop(player=player):
                return self.why_not_answer(player)
            case _:
                return None

    def why_not_double(self, player: Player, claimed: int | None = None) -> CubeViolation | None:
        """What is wrong with a double; a dead cube may be turned, and is no fault here."""
        if self.offer is not None:
            return CubeViolation(CubeReason.UNANSWERED)
        if not self.is_opening and not self.may_act(player):
            return CubeViolation(CubeReason.OUT_OF_TURN)
        rolls = self.rolls[0], self.rolls[1]
        return explain_double(self.seen(player), claimed=claimed, opening=self.is_opening, rolls=rolls)

    def why_not_beaver(self, player: Player, claimed: int | None = None) -> CubeViolation | None:
        """What is wrong with doubling back."""
        if self.offer is None:
            return CubeViolation(CubeReason.NO_OFFER)
        if self.offer.by == player:
            return CubeViolation(CubeReason.OWN_BEAVER)
        count, value = self.offer.counters + 1, 2 * self.offer.value
        return explain_beaver(self.match.rules, money=self.match.is_money, count=count, value=value, claimed=claimed)

    def why_not_answer(self, player: Player) -> CubeViolation | None:
        """What is wrong with a take or a drop."""
        nothing = self.offer is None or self.offer.by == player
        return CubeViolation(CubeReason.NO_OFFER) if nothing else None

    def why_not_automatic(self, claimed: int | None = None, *, opening: bool | None = None) -> CubeViolation | None:
        """What is wrong with an automatic double; ``opening`` tells whether the opening rolls may have tied."""
        opening = self.is_opening if opening is None else opening
        if not opening or self.tied >= self.automatic_most:
            return CubeViolation(CubeReason.NO_AUTOMATIC)
        if claimed not in (None, 2 * self.cube):
            return CubeViolation(CubeReason.WRONG_VALUE, 2 * self.cube, claimed)
        return None

    # --- what happens -----------------------------------------------------------------------

    def _set_cube(self, value: int, owner: Player | None) -> None:
        self.cube, self.owner = value, owner
        self._states = [None, None]

    def rolled(self, player: Player) -> None:
        """Count a roll whose checkers have been moved on `sides`. A player who rolls accepts what is offered."""
        if self.offer is not None:
            self.take()
        self.last = player
        self.rolls[player] += 1
        if self.sides[player][OFF] == self.checkers[player]:
            self._bear_off(player)

    def _bear_off(self, player: Player) -> None:
        level = winning_level(self.board(player), quadruple=self.match.rules.quadruple)
        self.over = Over("borne off", player, None if level is None else points_won(level, self.seen(player)))

    def move(self, player: Player, hops: Iterable[HopText]) -> None:
        """Play hops as they are written, legal or not."""
        mine, theirs = self.sides[player], self.sides[1 - player]
        for hop in hops:
            for start, end in zip(hop.points, hop.points[1:], strict=False):
                mine[start] -= hop.count
                mine[end] += hop.count
                if OFF < end < BAR and theirs[BAR - end] == 1:
                    theirs[BAR - end] = 0
                    theirs[BAR] += 1
        self.rolled(player)

    def put(self, player: Player, board: Board) -> None:
        """Put the checkers on a board, seen by a player."""
        self.sides[player][:], self.sides[1 - player][:] = board.mine, board.theirs

    def land(self, player: Player, after: Board) -> None:
        """Go on from the board that a play leaves, seen by its player."""
        self.put(player, after)
        self.rolled(player)

    @property
    def is_possible(self) -> bool:
        """Whether neither side has too many checkers, and no point holds checkers of both."""
        mine, theirs = self.sides
        return min(*mine, *theirs) >= 0 and not any(mine[point] and theirs[BAR - point] for point in range(1, BAR))

    def set(self, board: Board, cube: int, owner: Player | None, on_roll: Player) -> None:
        """Go on from a set board, seen by player 0. An offer on the table is withdrawn."""
        self.put(0, board)
        self.offer, self.is_set, self.last = None, True, other(on_roll)
        self._set_cube(cube, owner)

    def double(self, player: Player, claimed: int | None = None) -> Offer:
        """Offer a double. A higher value than the next one shows automatic doubles that the record leaves out."""
        if self.offer is not None and self.offer.counters:
            self.take()  # going on accepts a beaver
        self.supply_automatic(claimed)
        self.offer = Offer(player, self.cube, 2 * self.cube, other(player))
        return self.offer

    def supply_automatic(self, claimed: int | None) -> None:
        """Turn the cube for automatic doubles that the record leaves out."""
        most = self.automatic_most
        if claimed is None or self.owner is not None or self.tied >= most or claimed <= 2 * self.cube:
            return
        more = (claimed // 2 // self.cube).bit_length() - 1
        if self.cube << (more + 1) == claimed and self.tied + more <= most:
            self.tied += more
            self._set_cube(claimed // 2, None)

    def beaver(self, player: Player) -> Offer:
        """Double back."""
        offer = self.offer or Offer(other(player), self.cube, 2 * self.cube, player)
        self.offer = Offer(player, offer.value, 2 * offer.value, offer.keeper, offer.counters + 1)
        return self.offer

    def take(self) -> None:
        """Accept what is offered."""
        offer, self.offer = self.offer, None
        if offer is not None and not offer.annulled:
            self._set_cube(offer.value, offer.keeper)

    def drop(self, player: Player) -> None:
        """Refuse what is offered; without an offer, the drop still gives up the game."""
        stake = self.cube if self.offer is None else self.offer.stake
        self.offer, self.over = None, Over("drop", other(player), stake)

    def double_automatically(self) -> None:
        """Turn the cube for tied opening rolls."""
        self.tied += 1
        self._set_cube(2 * self.cube, None)

    def resign(self, player: Player, level: Level | None = None) -> None:
        """Give up the game."""
        self.over = Over("resigned", other(player), None if level is None else level * self.cube)

    def follow(self, entry: Entry) -> None:
        """Carry out an entry as it is written, whatever the rules say."""
        player = entry.player
        match entry:
            case CheckerPlay(text=text):
                self.move(player, text.hops)
            case Double(value=value):
                self.double(player, value)
            case Beaver():
                self.beaver(player)
            case AutomaticDouble():
                self.double_automatically()
            case Take():
                self.take()
            case Drop():
                self.drop(player)
            case Resign(level=level):
                self.resign(player, level)
            case SetBoard(position=board, cube=cube, owner=owner):
                self.set(board, cube, owner, player)
