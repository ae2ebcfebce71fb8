"""The straight way through a game, with no choice anywhere: each entry is carried out on a `GameState`, or refused.

It judges as `bgtools.replayer.quick` does, and counts what is odd. A search can go on from a copy at any entry.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.generation import can_move_on, only_play
from bgtools.board.hopping import are_dice
from bgtools.board.movement import forced, play_on
from bgtools.positions.snowie import decode_snowie_dump
from bgtools.record.record import Beaver, CheckerPlay, Double
from bgtools.record.state import GameState
from bgtools.rules.cube import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.record.record import Entry, Game
    from bgtools.rules.options import Ruleset

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


STOOD_BEAVER: Final = _STOOD[Beaver]
"""The kind of a beaver that was let stand."""


def let_stand(entry: Double | Beaver) -> Double | Beaver:
    """A double or beaver as one that was let stand."""
    return _STOOD[type(entry)](**{each.name: getattr(entry, each.name) for each in fields(entry)})  # type: ignore[no-any-return]


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
        beavers: whether a beaver stands anywhere in the record.
    """

    rules: Ruleset
    length: int
    score: tuple[int, int]
    crawford: bool
    starter: Player | None
    opens: bool
    marks: bool
    beavers: bool = False

    @property
    def match(self) -> MatchState:
        """Score and options before the game, seen by player 0."""
        return MatchState(self.length, self.score, crawford=self.crawford, rules=self.rules)

    def start(self, game: Game) -> GameState:
        """The state before the first entry of a game."""
        return GameState(self.match, game.start, game.start_cube, game.start_owner)


def landed(s: GameState, player: Player, after: Board) -> GameState:
    """The state after a play that leaves a board, seen by its player."""
    new = s.copy()
    new.land(player, after)
    return new


def advance(s: GameState, entry: Entry | SupposedTurn, terms: Terms, *, last: bool) -> float | None:
    """Carry out an entry.

    Args:
        s: the state before it, which becomes the state after it.
        entry: the entry.
        terms: what the game is judged by.
        last: whether no roll and no double follows.

    Returns:
        The bits of what is odd about it; None, with nothing done, where it cannot be.
    """
    if s.over is not None:
        return None
    if isinstance(entry, CheckerPlay | SupposedTurn):
        return _roll(s, entry, terms, last=last)
    if isinstance(entry, Stood):
        return _stand(s, entry)
    can_be = s.why_not(entry) is None
    if can_be:
        s.follow(entry)
    return 0.0 if can_be else None


def _stand(s: GameState, entry: Entry) -> float | None:
    """Carry out a double or beaver against the rules, with the value that it states, where it answers something."""
    offer = s.offer
    if isinstance(entry, Double):
        if offer is not None and not offer.counters:
            return None
        made = s.double(entry.player)
    elif isinstance(entry, Beaver) and offer is not None and offer.by != entry.player:
        made = s.beaver(entry.player)
    else:
        return None
    s.offer = made if entry.value is None else made._replace(value=entry.value)
    return 0.0


def _roll(s: GameState, entry: CheckerPlay | SupposedTurn, terms: Terms, *, last: bool) -> float | None:
    player, dice = entry.player, entry.dice
    if not s.may_act(player) or (s.offer is not None and not s.offer.counters):
        return None
    stood = isinstance(entry, SupposedTurn) and entry.stood
    if s.last is None and not stood and (
        terms.starter not in (None, player) or (terms.opens and dice is not None and dice[0] == dice[1])
    ):  # fmt: skip
        return None
    if isinstance(entry, SupposedTurn):
        return _land(s, player, entry.play.result)
    text = entry.text
    if dice is None:
        after = forced(s.board(player), text.hops) if text.hops else None
        return None if after is None else _land(s, player, after)
    if not are_dice(dice):
        return None
    if text.kind == "moves" and text.hops:
        path = play_on(s.sides[player], s.sides[1 - player], dice, text)
        if not path:
            return None
        s.rolled(player)
        hits = {end for _, end, hit in path if hit} if text.hits or terms.marks else set()
        if not hits.issuperset(text.hits):
            return STAR_FALSE
        return STAR_MISSING if terms.marks and hits and not text.hits else 0.0
    return _without_hops(s, entry, dice, last=last)


def _without_hops(s: GameState, entry: CheckerPlay, dice: Dice, *, last: bool) -> float | None:
    """A roll of which no hop is written: a dance, a forced play that goes without saying, the last roll of a game."""
    player, kind = entry.player, entry.text.kind
    board = s.board(player)
    if kind == "illegal" and (after := decode_snowie_dump(entry.text.dump, board)) is not None:
        return _land(s, player, after)
    if not can_move_on(s.sides[player], s.sides[1 - player], dice):
        return _land(s, player, board) if last or kind in ("nothing", "moves", "dance") else None
    if last and kind != "dance":
        return _land(s, player, board)
    if kind == "nothing" and (only := only_play(board, dice)) is not None:
        return _land(s, player, only.result, UNWRITTEN)
    return None


def _land(s: GameState, player: Player, after: Board, odd: float = 0.0) -> float:
    s.land(player, after)
    return odd


def last_roll(items: Sequence[Entry | SupposedTurn]) -> int:
    """The number of the last roll or double of a game; -1 where there is none."""
    return next(
        (at for at in range(len(items) - 1, -1, -1) if isinstance(items[at], CheckerPlay | SupposedTurn | Double)), -1
    )


def run(
    s: GameState,
    items: Sequence[Entry | SupposedTurn],
    start: int,
    terms: Terms,
    *,
    path: list[GameState] | None = None,
    stop: int | None = None,
) -> tuple[int, GameState, float]:
    """Straight on from an entry: the number of the first one that cannot be or of the end, the state there, odd bits.

    Args:
        s: the state before the entry, which stays as it is.
        items: the game.
        start: the number of the entry.
        terms: what the game is judged by.
        path: is filled with the state before each entry, that at the end included.
        stop: the number of the entry before which to stop; None for the end.
    """
    odd, at, final, s = 0.0, start, last_roll(items), s.copy()
    for entry in islice(items, start, len(items) if stop is None else stop):
        if path is not None:
            path.append(s.copy())
        more = advance(s, entry, terms, last=at >= final)
        if more is None:
            return at, s, odd
        odd += more
        at += 1
    if path is not None:
        path.append(s.copy())
    return at, s, odd
