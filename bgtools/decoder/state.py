"""The straight way through a game: board, cube and offer while its entries go by, with no choice anywhere.

It judges as `bgtools.replayer.quick` does, on values that cannot change, so that a search can go on from any entry.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.board import Board
from bgtools.board.generation import can_move_on, only_play
from bgtools.board.hopping import are_dice
from bgtools.board.movement import forced, play_on
from bgtools.positions.snowie import decode_snowie_dump
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.replayer.entries import are_shut_out
from bgtools.rules.cube import Cube, MatchState, explain_beaver, explain_double
from bgtools.rules.worth import points_won, winning_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Checkers, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.record.record import Entry, Game
    from bgtools.rules.options import Ruleset
    from bgtools.rules.worth import Level

STAR_MISSING: Final = 2.0
STAR_FALSE: Final = 3.0
UNWRITTEN: Final = 2.0
"""Bits for a hit that is not marked in a record that marks hits, a mark without a hit, a forced play not written."""


class SupposedTurn(NamedTuple):
    """A turn that an edit supposes instead of a written one, or where none is written.

    Attributes:
        player: whose turn it is.
        dice: its roll.
        play: what is played.
        of: the entry that it stands for; None where it is inserted.
        stood: whether the entry was carried out as it is written, against the rules. Then the record is not changed.
    """

    player: Player
    dice: Dice
    play: Play
    of: CheckerPlay | None = None
    stood: bool = False


class Stood:
    """Marks an action of the cube that was carried out as it is written, against the rules."""


_STOOD: Final = {kind: type(f"Stood{kind.__name__}", (Stood, kind), {}) for kind in (Double, Beaver)}


def let_stand(entry: Double | Beaver) -> Double | Beaver:
    """A double or beaver as one that was let stand."""
    return _STOOD[type(entry)](**{each.name: getattr(entry, each.name) for each in fields(entry)})  # type: ignore[no-any-return]


class CubeOffer(NamedTuple):
    """A double or beaver on the table: by whom, what a drop loses, the cube after a take, who owns it then, and how
    often it has been doubled back."""

    by: Player
    stake: int
    value: int
    keeper: Player
    counters: int = 0


class Over(NamedTuple):
    """How a game ended: ``off``, ``drop`` or ``resigned``; who won it; the points, None where they are not known."""

    how: str
    winner: Player
    points: int | None


class State(NamedTuple):
    """What an entry meets.

    Attributes:
        sides: the checkers of player 0 and of player 1, each in their own numbering.
        turn: who is on roll; None before the first roll.
        value, owner: the cube.
        offer: what waits for an answer.
        rolls: how often each player has rolled.
        tied: how often the cube was turned by tied opening rolls.
        over: the end of the game, once it is decided.
    """

    sides: tuple[Checkers, Checkers]
    turn: Player | None
    value: int
    owner: Player | None
    offer: CubeOffer | None
    rolls: tuple[int, int]
    tied: int
    over: Over | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game is judged by.

    Attributes:
        rules: the options of the match.
        length: of the match; 0 for a session for money.
        score: points before the game by player.
        crawford: whether it is the Crawford game.
        starter: who has to start, where a rule says so.
        opens: whether the first roll is one die of each player.
        marks: whether the record marks hits.
    """

    rules: Ruleset
    length: int
    score: tuple[int, int]
    crawford: bool
    starter: Player | None
    opens: bool
    marks: bool

    def state(self, s: State, player: Player) -> MatchState:
        """Score and cube as a player sees them."""
        score = self.score if player == 0 else self.score[::-1]
        return MatchState(self.length, score, Cube.of(s.value, s.owner, player), self.crawford, self.rules)


def start_of(game: Game, rules: Ruleset) -> State:
    """The state before the first entry of a game."""
    board = game.start or rules.start
    return State((board.mine, board.theirs), None, game.start_cube, game.start_owner, None, (0, 0), 0, None)


def board_of(s: State, player: Player) -> Board:
    """The board as a player sees it."""
    return Board(s.sides[player], s.sides[1 - player])


def may_act(s: State, player: Player) -> bool:
    """Whether a player may roll or double now; twice running only while the other one is shut out."""
    return s.turn in (None, player) or are_shut_out(s.sides[1 - player], s.sides[player])


def landed(s: State, player: Player, after: Board, terms: Terms) -> State:
    """The state after a play that leaves a board, seen by its player."""
    sides = (after.mine, after.theirs) if player == 0 else (after.theirs, after.mine)
    rolls = (s.rolls[0] + (player == 0), s.rolls[1] + (player == 1))
    value, owner = s.value, s.owner
    if s.offer is not None:  # a beaver is accepted by playing on
        value, owner = s.offer.value, s.offer.keeper
    done = State(sides, 1 if player == 0 else 0, value, owner, None, rolls, s.tied, None)
    if any(after.mine[1:]):
        return done
    return worth_by(done._replace(over=Over("off", player, 0)), terms)


def worth_by(s: State, terms: Terms) -> State:
    """A state whose game, if it was borne off, is worth what it is by some terms."""
    if s.over is None or s.over.how != "off":
        return s
    winner = s.over.winner
    level = winning_level(board_of(s, winner), quadruple=terms.rules.quadruple)
    assert level is not None
    return s._replace(over=Over("off", winner, points_won(level, terms.state(s, winner))))


def step(s: State, entry: Entry | SupposedTurn, terms: Terms, *, last: bool) -> tuple[State, float] | None:
    """The state after an entry and the bits of what is odd about it; None where the entry cannot be.

    Args:
        s: the state before it.
        entry: the entry.
        terms: what the game is judged by.
        last: whether no roll and no double follows.
    """
    if s.over is not None:
        return None
    if isinstance(entry, CheckerPlay | SupposedTurn):
        return _roll(s, entry, terms, last=last)
    if isinstance(entry, SetBoard):
        return State(
            (entry.position.mine, entry.position.theirs),
            entry.player,
            entry.cube,
            entry.owner,
            None,
            s.rolls,
            s.tied,
            None,
        ), 0.0
    if isinstance(entry, Resign):
        level: Level | None = entry.level
        winner: Player = 1 if entry.player == 0 else 0
        points = None if level is None else level * s.value
        return s._replace(over=Over("resigned", winner, points)), 0.0
    after = (
        _forced(s, entry) if isinstance(entry, Stood) and isinstance(entry, Double | Beaver) else _cube(s, entry, terms)
    )
    return None if after is None else (after, 0.0)


def _forced(s: State, entry: Double | Beaver) -> State | None:
    """The state after a double or beaver against the rules that was let stand; None where it answers nothing."""
    player, offer = entry.player, s.offer
    if isinstance(entry, Double):
        if offer is not None or entry.value not in (None, 2 * s.value):
            return None
        return s._replace(offer=CubeOffer(player, s.value, 2 * s.value, 1 if player == 0 else 0))
    if offer is None or offer.by == player or entry.value not in (None, 2 * offer.value):
        return None
    return s._replace(offer=CubeOffer(player, offer.value, 2 * offer.value, offer.keeper, offer.counters + 1))


def _roll(s: State, entry: CheckerPlay | SupposedTurn, terms: Terms, *, last: bool) -> tuple[State, float] | None:
    player, dice = entry.player, entry.dice
    if not may_act(s, player) or (s.offer is not None and not s.offer.counters):
        return None
    if s.turn is None and (
        terms.starter not in (None, player) or (terms.opens and dice is not None and dice[0] == dice[1])
    ):
        return None
    if isinstance(entry, SupposedTurn):
        return landed(s, player, entry.play.result, terms), 0.0
    text = entry.text
    if dice is None:
        after = forced(board_of(s, player), text.hops) if text.hops else None
        return None if after is None else (landed(s, player, after, terms), 0.0)
    if not are_dice(dice):
        return None
    if text.kind == "moves" and text.hops:
        mine, theirs = list(s.sides[player]), list(s.sides[1 - player])
        path = play_on(mine, theirs, dice, text)
        if not path:
            return None
        odd = 0.0
        if text.hits or terms.marks:
            hits = {end for _, end, hit in path if hit}
            if not hits.issuperset(text.hits):
                odd = STAR_FALSE
            elif terms.marks and hits and not text.hits:
                odd = STAR_MISSING
        return landed(s, player, Board(tuple(mine), tuple(theirs)), terms), odd
    return _without_hops(s, entry, dice, terms, last=last)


def _without_hops(s: State, entry: CheckerPlay, dice: Dice, terms: Terms, *, last: bool) -> tuple[State, float] | None:
    """A roll of which no hop is written: a dance, a forced play that goes without saying, the last roll of a game."""
    player, kind = entry.player, entry.text.kind
    board = board_of(s, player)
    if kind == "illegal" and (after := decode_snowie_dump(entry.text.dump, board)) is not None:
        return landed(s, player, after, terms), 0.0
    if not can_move_on(list(board.mine), list(board.theirs), dice):
        return (landed(s, player, board, terms), 0.0) if kind in ("nothing", "moves", "dance") else None
    if last and kind != "dance":
        return landed(s, player, board, terms), 0.0
    if kind == "nothing" and (only := only_play(board, dice)) is not None:
        return landed(s, player, only.result, terms), UNWRITTEN
    return None


def _cube(s: State, entry: Double | Beaver | AutomaticDouble | Take | Drop, terms: Terms) -> State | None:
    player = entry.player
    match entry:
        case Double():
            return _double(s, entry, terms)
        case AutomaticDouble():
            doubled = 2 * s.value
            allowed = not terms.length and s.tied < (terms.rules.automatic_doubles or 0) and s.turn is None
            if not (allowed and terms.opens) or entry.value not in (None, doubled):
                return None
            return s._replace(value=doubled, owner=None, tied=s.tied + 1)
    offer = s.offer
    if offer is None or offer.by == player:
        return None
    if isinstance(entry, Take):
        return s._replace(value=offer.value, owner=offer.keeper, offer=None)
    if isinstance(entry, Drop):
        return s._replace(offer=None, over=Over("drop", offer.by, offer.stake))
    value = 2 * offer.value
    wrong = explain_beaver(
        terms.rules, money=not terms.length, count=offer.counters + 1, value=value, claimed=entry.value
    )
    return None if wrong else s._replace(offer=CubeOffer(player, offer.value, value, offer.keeper, offer.counters + 1))


def _double(s: State, entry: Double, terms: Terms) -> State | None:
    player, claimed, value, tied = entry.player, entry.value, s.value, s.tied
    most = terms.rules.automatic_doubles or 0 if not terms.length else 0
    # Ties of the opening roll that nobody wrote: the value of the first double tells them.
    while claimed is not None and s.owner is None and tied < most and claimed > 2 * value:
        value, tied = 2 * value, tied + 1
    if claimed not in (None, 2 * value):
        value, tied = s.value, s.tied
    s = s._replace(value=value, tied=tied)
    if s.offer is not None or not may_act(s, player) or (s.turn is None and terms.opens):
        return None
    if explain_double(terms.state(s, player), claimed=claimed, rolls=s.rolls) is not None:
        return None
    return s._replace(offer=CubeOffer(player, value, 2 * value, 1 if player == 0 else 0))


def last_roll(items: Sequence[Entry | SupposedTurn]) -> int:
    """The number of the last roll or double of a game; -1 where there is none."""
    return next(
        (at for at in range(len(items) - 1, -1, -1) if isinstance(items[at], CheckerPlay | SupposedTurn | Double)), -1
    )


def run(
    s: State,
    items: Sequence[Entry | SupposedTurn],
    start: int,
    terms: Terms,
    *,
    path: list[State] | None = None,
    stop: int | None = None,
) -> tuple[int, State, float]:
    """Straight on from an entry: the number of the first one that cannot be or of the end, the state there, odd bits.

    Args:
        s: the state before the entry.
        items: the game.
        start: the number of the entry.
        terms: what the game is judged by.
        path: is filled with the state before each entry, that at the end included.
        stop: the number of the entry before which to stop; None for the end.
    """
    odd, at, final = 0.0, start, last_roll(items)
    for entry in islice(items, start, len(items) if stop is None else stop):
        if path is not None:
            path.append(s)
        went = step(s, entry, terms, last=at >= final)
        if went is None:
            return at, s, odd
        s, more = went
        odd += more
        at += 1
    if path is not None:
        path.append(s)
    return at, s, odd
