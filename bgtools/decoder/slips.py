"""The edits of a game that would take a slip back, each with its cost in bits; `table` has the sorts of slip."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache, lru_cache, partial
from heapq import nlargest
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.board.board import START
from bgtools.board.generation import can_move, legal_plays
from bgtools.board.hopping import are_dice, numbers
from bgtools.board.movement import find_play, forced
from bgtools.board.notation import ascends, read_play
from bgtools.board.perspective import mirrored, other
from bgtools.board.play import Play
from bgtools.decoder.demands import NOTHING, Demands, allows, is_near, may_do
from bgtools.decoder.lane import (
    STAR_FALSE,
    STAR_MISSING,
    STOOD_BEAVER,
    Stood,
    SupposedTurn,
    advance,
    landed,
    let_stand,
)
from bgtools.decoder.plausibility import edit_distance, unlikeness, worth
from bgtools.decoder.table import BITS
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.rules.cube import CubeReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayText
    from bgtools.decoder.demands import Asked
    from bgtools.decoder.lane import Terms
    from bgtools.record.record import Entry
    from bgtools.record.state import GameState

    Item = Entry | SupposedTurn

SIGN: Final = 2.0
MOVED_UP: Final = 4.0
"""Bits of all that follows a missing turn standing one cell too early."""
UNSEEN: Final = 2.0
"""Bits of a slip in a play that leaves the play legal, so that only a later entry shows it; about one in four does."""
_LIKELY: Final = 2.0
"""Bits more where the play that is written is a good one; what is odd about it takes them off again."""
ROLL: Final = 4.4
"""Which of 21 rolls it was that nobody wrote."""
PLAY: Final = 2.0
"""Which of its sensible plays."""
ROLLS: Final[tuple[Dice, ...]] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
_NEVER: Final = 99.0
_FIXED: Final = SupposedTurn | SetBoard | AutomaticDouble | Resign
"""What stays where it is: what was put in, and what no slip of the pen makes."""
_VOID: Final = 4.0
"""Bits of a double that ended the game and did not count, and of a beaver where the rules have none."""
_ON: Final = 2.0
"""Bits of a raccoon that was let stand behind a beaver that was."""
_NO_DIE: Final = 2.5
"""Bits that are taken off another roll where what is written is none."""
_FEWER: Final = 0.25
"""Bits that are taken off where two cells stand in each other's place, and not two rows: a tie all the same."""
_ANSWERED: Final = 5.0
"""Bits of a raccoon too many, where the beaver before it was a take."""
_BEAVERS: Final = 1.25
"""Bits that are taken off a beaver that was written as a take where another one stands in the record."""
_BACKWARDS, _NONE, _MISCOUNTED = 3.0, 3.5, 6.0
"""Bits of a checker that went backwards, of a play that is written where nothing could be played, and of a double that
was played as another roll, or the other way round."""
_AGREE: Final = 1.5
"""Bits that are taken off another roll with another play where what is written could be one."""
_APART: Final = 1.5
"""Bits more of rolls or plays of one player's turns in each other's place."""
_FOLLY: Final = (0, 2, 2, 3, 5)
_GUESSES: Final = 12
"""So many plays of a turn that nobody wrote are tried."""
_ENOUGH: Final = 4
"""With fewer entries left nearly any two turns would do, unless a number tells that a row is missing."""
_MANY: Final = 40
"""So many plays of an unknown turn are too many to follow each of them by another unknown turn."""


PHASES: Final = (
    0.0,
    BITS["die"],
    BITS["copied"] + ROLL + PLAY,
    BITS["missing"] + ROLL + PLAY,
    BITS["row missing"] + 2 * (ROLL + PLAY),
    BITS["other cell"] + ROLL + PLAY,
)
"""The least bits of the sorts of edits that are tried one after the other."""
_DICE, _TURNS, _MISSING, _ROWS, _CELLS = 1, 2, 3, 4, 5
_AFTER_END: Final = 4
"""More entries than this are no slip of the pen after the end of a game: they were played, and the end is wrong."""
ROW: Final = 2
"""The entries of a row."""
_SOME: Final = 3
"""So many turns running may stand in the other column."""
_FIRST_TURNS: Final = 6
"""The same of the first ones of a game, up to the entry that shows it."""
_NEAR: Final = 3
"""A missing row is looked for this near to the entry that shows it."""


class Edit(NamedTuple):
    """One slip taken back.

    Attributes:
        bits: what it costs at least.
        slip: its name, a key of `bgtools.decoder.table.SLIPS`.
        at: the number of the first entry that it changes.
        gone: how many entries from there on are replaced.
        put: what is there instead.
        after: the state behind ``put``, where that is known already.
        cost: gives the exact bits, where they take long to find.
        old: what stood there.
    """

    bits: float
    slip: str
    at: int
    gone: int
    put: tuple[Item, ...]
    after: GameState | None = None
    cost: Callable[[], float] | None = None
    old: tuple[Item, ...] = ()

    def taken_back(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """A game with the slip taken back."""
        return (*items[: self.at], *self.put, *items[self.at + self.gone :])


def says(item: Item) -> tuple[object, ...]:
    """What an entry says, whoever says it."""
    if isinstance(item, SupposedTurn):
        return (SupposedTurn, item.dice, item.play.result)
    if isinstance(item, CheckerPlay):
        return (CheckerPlay, item.dice and (max(item.dice), min(item.dice)), _moved(item.text))
    return (type(item), getattr(item, "value", None))


@lru_cache(maxsize=1 << 12)
def _moved(text: PlayText) -> tuple[object, ...]:
    """What a play moves, however its hops are spelt: from where and to where, and not where a checker only passes."""
    if not text.hops:
        return (text.kind, text.dump)
    starts, ends = (Counter(leg[at] for leg in text.legs) for at in (0, 1))
    return (*sorted((starts - ends).items()), None, *sorted((ends - starts).items()))


def is_repeated(items: Sequence[Item], at: int) -> bool:
    """Whether an entry and the one after it say the same as the two before them."""
    return at + 1 < len(items) and all(says(items[each - 2]) == says(items[each]) for each in (at, at + 1))


def in_other_column(item: Item) -> Item:
    """The same in the other player's column."""
    player: Player = 1 if item.player == 0 else 0
    if isinstance(item, SupposedTurn):
        return item._replace(player=player)
    return replace(item, player=player)


def _as(item: Item, player: Player) -> Item:
    return item if item.player == player else in_other_column(item)


class Sense:
    """The legal plays of a game and how unlikely each is among those of its roll, remembered while a match is read."""

    def __init__(self) -> None:
        self._plays: dict[tuple[Board, Dice], tuple[Play, ...]] = {}
        self._best: dict[tuple[Board, Dice], float] = {}
        self.spent = 0

    def legal(self, board: Board, dice: Dice) -> tuple[Play, ...]:
        """The legal plays of a roll."""
        key = (board, dice if dice[0] >= dice[1] else (dice[1], dice[0]))
        if key not in self._plays:
            if len(self._plays) > _REMEMBERED:
                self._plays.clear()
                self._best.clear()
            self._plays[key] = legal_plays(*key)
            self.spent += 1
        return self._plays[key]

    def implausibility(self, board: Board, dice: Dice, after: Board) -> float:
        """How unlikely a play is, 0 to 5 bits."""
        if board == START and (usual := _first_plays().get((max(dice), min(dice)))) is not None:
            return 0.0 if after in usual else float(_FOLLY[-1])
        key = (board, dice if dice[0] >= dice[1] else (dice[1], dice[0]))
        if key not in self._best:
            self._best[key] = max(worth(play.result) for play in self.legal(board, dice))
        given = round(self._best[key] - worth(after))
        return _FOLLY[max(0, min(given, len(_FOLLY) - 1))]


_REMEMBERED: Final = 20_000
_FIRST_PLAYS: Final = (
    "21: 13/11 6/5, 21: 24/23 13/11, 31: 8/5 6/5, 41: 24/23 13/9, 41: 13/9 6/5, 51: 24/23 13/8, 51: 13/8 6/5, "
    "61: 13/7 8/7, 32: 24/21 13/11, 32: 13/11 13/10, 42: 8/4 6/4, 52: 13/11 13/8, 52: 24/22 13/8, 62: 24/18 13/11, "
    "62: 24/16, 43: 24/20 13/10, 43: 13/10 13/9, 43: 24/21 13/9, 53: 8/3 6/3, 63: 24/18 13/10, 63: 24/15, "
    "54: 24/20 13/8, 54: 13/8 13/9, 64: 24/14, 64: 24/18 13/9, 64: 8/2 6/2, 65: 24/13"
)
"""The plays of first rolls that nearly all players make."""


@cache
def _first_plays() -> dict[Dice, set[Board]]:
    """The boards that usual plays of first rolls leave."""
    found: dict[Dice, set[Board]] = {}
    for each in _FIRST_PLAYS.split(", "):
        roll, _, hops = each.partition(": ")
        dice = int(roll[0]), int(roll[1])
        play = read_play(hops)
        made = None if play is None else find_play(START, dice, play.hops)
        if made is not None:
            found.setdefault(dice, set()).add(made.result)
    return found


# --- how unlike a play is to what is written --------------------------------------------------

_WORDS: Final = {"bar": "25", "off": "0", "l": "1", "i": "1", "|": "1", "o": "0", "s": "5", "b": "8", "z": "2"}


def distance(entry: CheckerPlay, play: Play) -> float:
    """How many slips of the pen lie between what is written and a play."""
    text = entry.text
    if text.kind == "unreadable" or text.dump:
        return _by_signs(text.dump, play)
    if not text.hops:
        return 3.0 if play.hops else 0.0
    left = Counter((hop.start, hop.end) for hop in play.hops)
    left.subtract(text.legs)
    lacks, extra = +left, -left
    if bool(lacks) != bool(extra):
        return 1.75  # some hops are left out, or too many are written
    if lacks.total() == 1 and extra.total() == 1:
        (right,), (start, end) = lacks, next(iter(extra))
        if right == (end, start):
            return 0.5  # a hop is written backwards
        if right == (mirrored(start), mirrored(end)):
            return 1.0  # or in the other player's numbering
    return unlikeness(text.hops, play)


def _by_signs(dump: str, play: Play) -> float:
    """The same for a text that cannot be read, sign by sign."""
    if not play.hops:
        return 4.0
    text = dump.casefold().replace("bar", "25").replace("off", "0")
    signs = re.sub(r"[^\d/]", "", "".join(_WORDS.get(sign, sign) for sign in text))
    ways = permutations(play.hops) if len(play.hops) < 4 else [play.hops]
    joined = min(edit_distance(signs, "".join(f"{hop.start}/{hop.end}" for hop in order)) for order in ways)
    merged = re.sub(r"[^\d/]", "", str(play).replace("bar", "25").replace("off", "0"))
    return min(joined, edit_distance(signs, merged))


# --- candidates ---------------------------------------------------------------------------------


class Candidates:
    """The edits of a game that fails at an entry, each of them where a slip may stand.

    Attributes:
        items: the game as it is read so far.
        path: the state before each entry, up to the fault.
        fault: the number of the first entry that cannot be; that after the last one where only the end is wrong.
    """

    def __init__(
        self, items: Sequence[Item], path: Sequence[GameState], fault: int, terms: Terms, sense: Sense, since: int
    ) -> None:
        """Look at a game from an entry on."""
        self.items, self.path, self.fault, self.terms, self.sense = items, path, fault, terms, sense
        plain = [item if not isinstance(item, SupposedTurn) else None for item in items]
        entries = [item for item in plain if item is not None]
        self.shift = len(items) - len(entries)  # what is made is before `since`
        until = min(fault + 1, len(items)) - self.shift
        self.demands = Demands(entries, max(until, 0), max(since - self.shift, 0))

    def asked(self, at: int) -> Asked:
        """What the entries from ``at`` to the fault ask of the board before them."""
        return self.demands.at(at - self.shift) if at >= self.shift else NOTHING

    def at(self, at: int, phase: int) -> Iterator[Edit]:
        """The single edits at an entry: of the plain sort, of another roll, of a missing turn, of a missing row.

        Args:
            at: the number of the entry.
            phase: which sort, an index of `PHASES`.
        """
        s, items = self.path[at], self.items
        if s.over is not None:
            gone = len(items) - at
            played = sum(isinstance(each, CheckerPlay) and bool(each.text.hops) for each in items[at:])
            if at == self.fault and not phase and max(played, gone - _AFTER_END) <= _AFTER_END:
                yield Edit(BITS["after the end"] + 6 * max(played - 1, 0), "after the end", at, gone, ())
            return
        if at >= len(items):
            return
        item = items[at]
        if isinstance(item, SupposedTurn):
            return
        if isinstance(item, SetBoard | AutomaticDouble | Resign):
            yield from self._too_many(at, item) if not phase else ()
            return
        if not phase:
            if isinstance(item, CheckerPlay):
                yield from self._plays(at, item)
                if at == self.fault and s.offer is None and s.turn not in (None, item.player):
                    yield self._passed(at, s)
            yield from self._too_many(at, item)
            yield from self._columns(at, item)
            yield from self._orders(at, item)
            yield from self._cube(at, item)
        elif not isinstance(item, CheckerPlay):
            return
        elif phase in (_DICE, _TURNS):
            yield from self._rolls(at, item, same=phase == _DICE)
            if phase == _DICE and s.offer is None and item.player == s.turn and self._is_number_gone(at):
                yield from self._missing(s, at, "row missing", self.asked(at))
            if phase == _TURNS and s.offer is None and item.player == s.turn and self._is_copy(at):
                yield from self.other_turns(at, item, "copied")
        elif phase == _CELLS:
            if s.offer is None and item.player == s.turn:
                yield from self.other_turns(at, item, "other cell")
        elif s.offer is None and s.turn is not None:
            if phase == _ROWS:
                if item.player == s.turn and self.fault - at <= _NEAR and self.fault + _ENOUGH <= len(self.items):
                    yield from self._missing(s, at, "row missing", self.asked(at))
            elif item.player != s.turn:
                yield from self._missing(s, at, "missing", self.asked(at))
            else:
                yield from self._moved_up(s, at)
        elif s.turn is None and self.terms.opens and phase == _MISSING:
            yield from self._first_missing(s, at)

    # --- plays and rolls

    def _plays(self, at: int, entry: CheckerPlay) -> Iterator[Edit]:
        s, terms = self.path[at], self.terms
        player, dice, text = entry.player, entry.dice, entry.text
        if s.offer is not None and not s.offer.counters:
            return
        if s.turn not in (None, player) or dice is None:
            return
        board, asked = s.board(player), self.asked(at + 1)
        opening = s.turn is None and terms.opens
        if not are_dice(dice):
            return
        if not (opening and dice[0] == dice[1]):
            yield from self._other_play(at, entry, board, dice, asked)
        if at != self.fault:
            return
        if text.kind == "moves" and text.hops:
            after = forced(board, text.hops)
            if after is not None and self._allows(asked, after, player):
                yield self._stood(at, entry, after)
            if not can_move(board, dice):
                made = SupposedTurn(player, dice, self.sense.legal(board, dice)[0], entry)
                yield Edit(BITS["play"] + _NONE, "play", at, 1, (made,), landed(s, player, board))
        elif text.kind in ("nothing", "dance") and self._allows(asked, board, player):
            yield self._stood(at, entry, board)

    def _passed(self, at: int, s: GameState) -> Edit:
        """A turn in which nothing was done, against the rules, before an entry."""
        assert s.turn is not None
        made = SupposedTurn(s.turn, (0, 0), Play((), s.board(s.turn)), stood=True)
        return Edit(BITS["passed"], "passed", at, 0, (made,), landed(s, s.turn, s.board(s.turn)))

    def _stood(self, at: int, entry: CheckerPlay, after: Board) -> Edit:
        """A play against the rules that was let stand, by the board that it leaves."""
        assert entry.dice is not None
        made = SupposedTurn(entry.player, entry.dice, Play((), after), entry, stood=True)
        odd = _BACKWARDS * any(map(ascends, entry.text.hops)) + _MISCOUNTED * _is_miscounted(entry)
        bits = BITS["stood"] + odd
        return Edit(bits, "stood", at, 1, (made,), landed(self.path[at], entry.player, after))

    def _rolls(self, at: int, entry: CheckerPlay, *, same: bool) -> Iterator[Edit]:
        """Another roll: with the ``same`` play, or with another one."""
        s, player, dice, text = self.path[at], entry.player, entry.dice, entry.text
        if (s.offer is not None and not s.offer.counters) or s.turn not in (None, player) or dice is None:
            return
        board, asked, opening = s.board(player), self.asked(at + 1), s.turn is None and self.terms.opens
        absolute = self._absolute(board, player)
        legible = text.kind == "moves" and bool(text.hops)
        if legible and not same and not is_near(asked, absolute, player, 4):
            return
        for roll in self._other_rolls(dice):
            if (opening and roll[0] == roll[1]) or not may_do(asked, absolute, player, roll):
                continue
            if legible:
                yield from self._other_roll(at, entry, board, roll, asked, same=same)
            elif same and text.kind in ("nothing", "dance") and not can_move(board, roll):
                play = self.sense.legal(board, roll)[0]
                yield self._made(at, entry, roll, play, BITS["die"], None, "die")

    @staticmethod
    def _other_rolls(dice: Dice) -> list[Dice]:
        """The rolls that share a die with the written one, then, where it is none, all."""
        first, second = dice
        near = {(max(first, die), min(first, die)) for die in range(1, 7)}
        near |= {(max(second, die), min(second, die)) for die in range(1, 7)}
        written = (max(dice), min(dice))
        return sorted(roll for roll in near if roll != written and are_dice(roll)) or [*ROLLS]

    @staticmethod
    def _absolute(board: Board, player: Player) -> Board:
        return board if player == 0 else board.flipped()

    def _allows(self, asked: Asked, after: Board, player: Player) -> bool:
        return asked is NOTHING or allows(asked, self._absolute(after, player))

    def _stars(self, entry: CheckerPlay, play: Play) -> float:
        hit = any(hop.hit for hop in play.hops)
        if entry.text.kind != "moves" or hit == bool(entry.text.hits):
            return 0.0
        return (STAR_MISSING if self.terms.marks else 0.0) if hit else STAR_FALSE

    def _made(
        self,
        at: int,
        entry: CheckerPlay,
        dice: Dice,
        play: Play,
        bits: float,
        cost: Callable[[], float] | None,
        slip: str,
    ) -> Edit:
        after = landed(self.path[at], entry.player, play.result)
        return Edit(bits, slip, at, 1, (SupposedTurn(entry.player, dice, play, entry),), after, cost)

    def _other_play(self, at: int, entry: CheckerPlay, board: Board, dice: Dice, asked: Asked) -> Iterator[Edit]:
        """Another play of the same roll."""
        player, kind = entry.player, entry.text.kind
        if not may_do(asked, self._absolute(board, player), player, dice):
            return
        slip = "unknown" if kind in ("unreadable", "unknown", "illegal") else "play"

        unsaid = self._legal_as_written(at, entry, board)

        def cost(play: Play) -> float:
            unlike = min(distance(entry, play), 5.0)
            odd = self.sense.implausibility(board, dice, play.result)
            return BITS[slip] + SIGN * unlike + odd + unsaid + self._stars(entry, play)

        for play in self.sense.legal(board, dice):
            if self._allows(asked, play.result, player):
                yield self._made(at, entry, dice, play, BITS[slip], partial(cost, play), slip)

    def _legal_as_written(self, at: int, entry: CheckerPlay, board: Board) -> float:
        """The bits of a slip by which an entry became another that can be: few do, and fewer make a good play."""
        if at >= self.fault or entry.dice is None:
            return 0.0
        written = find_play(board, entry.dice, entry.text.hops)
        if written is None:
            return UNSEEN
        return UNSEEN + _LIKELY - self.sense.implausibility(board, entry.dice, written.result)

    def _other_roll(
        self, at: int, entry: CheckerPlay, board: Board, dice: Dice, asked: Asked, *, same: bool
    ) -> Iterator[Edit]:
        """Another roll, with the play that is written or with one like it."""
        player, text = entry.player, entry.text
        written = find_play(board, dice, text.hops) if min(text.lengths, default=0) > 0 else None
        unsaid = self._legal_as_written(at, entry, board)
        if same:
            if written is not None and self._allows(asked, written.result, player):
                assert entry.dice is not None
                bits = BITS["die"] - _NO_DIE * (not are_dice(entry.dice)) + unsaid + self._stars(entry, written)
                yield self._made(at, entry, dice, written, bits, None, "die")
            return

        # Where the hops go with the dice, both may well be those of another turn.
        turn = BITS["turn"] - _AGREE * _goes_with(entry)

        def cost(play: Play) -> float:
            unlike = distance(entry, play)
            return turn + SIGN * unlike + unsaid + self._stars(entry, play) if unlike <= 2 else _NEVER

        for play in self.sense.legal(board, dice):
            if (written is None or play.result != written.result) and self._allows(asked, play.result, player):
                yield self._made(at, entry, dice, play, turn + SIGN, partial(cost, play), "turn")

    def _is_copy(self, at: int) -> bool:
        """Whether an entry says the same as the one above or below it in its column."""
        beside = (each for each in (at - 2, at + 2) if 0 <= each < len(self.items))
        return any(says(self.items[each]) == says(self.items[at]) for each in beside)

    def other_turns(self, at: int, entry: CheckerPlay, slip: str) -> Iterator[Edit]:
        """Any turn in place of one that another cell was written over."""
        board, asked = self.path[at].board(entry.player), self.asked(at + 1)
        absolute = self._absolute(board, entry.player)
        bits = BITS[slip] + ROLL + PLAY + self._legal_as_written(at, entry, board)
        for dice in ROLLS:
            for play in self.sense.legal(board, dice) if may_do(asked, absolute, entry.player, dice) else ():
                if self._allows(asked, play.result, entry.player):
                    yield self._made(at, entry, dice, play, bits, None, slip)

    # --- too much

    def _too_many(self, at: int, item: Entry) -> Iterator[Edit]:
        items = self.items
        play = isinstance(item, CheckerPlay)
        alike = any(at >= back and says(items[at - back]) == says(item) for back in (1, 2))
        slip = "twice" if alike else "surplus play" if play else "surplus cube"
        is_answered = at > 0 and isinstance(item, Beaver) and isinstance(items[at - 1], Take)
        yield Edit(_ANSWERED if is_answered else BITS[slip], slip, at, 1, ())
        if at + 1 >= len(items):
            return
        after = items[at + 1]
        if at >= 2 and is_repeated(items, at):
            yield Edit(BITS["row twice"], "row twice", at, 2, ())
        elif isinstance(item, Double) and isinstance(after, Take | Drop):
            # Where the double can be but for its value, that alone is wrong.
            as_right = advance(self.path[at].copy(), replace(item, value=None), self.terms, last=False)
            ends = isinstance(after, Drop) and at + 2 == len(items)
            yield Edit(BITS["annulled"] + 14 * (as_right is not None) + _VOID * ends, "annulled", at, 2, ())

    # --- columns and order

    def _columns(self, at: int, item: Entry) -> Iterator[Edit]:
        """Entries in the other player's column: one, a few, or all that follow."""
        items, count = self.items, len(self.items)
        yield Edit(BITS["column"], "column", at, 1, (in_other_column(item),))
        sizes = [_SOME]
        if at == 0 and 0 < self.fault <= _FIRST_TURNS and self.fault != _SOME:
            sizes.append(self.fault)
        for size in sizes:
            some = items[at : at + size]
            if at + size < count and not any(isinstance(each, _FIXED) for each in some):
                yield Edit(BITS["column"] + 2, "column", at, size, tuple(map(in_other_column, some)))
        # The first row that stands exchanged may be one that can be so.
        if (at == 0 or self.fault - at <= ROW) and not any(isinstance(each, SetBoard) for each in items[at:]):
            bits = BITS["turned"] + UNSEEN * (0 < at < self.fault)
            yield Edit(bits, "turned", at, count - at, tuple(map(in_other_column, items[at:])))
            if (order := self._cells_reversed(at)) is not None:
                yield Edit(bits, "turned", at, count - at, order)

    def _orders(self, at: int, item: Entry) -> Iterator[Edit]:
        """Entries that stand in each other's place."""
        if at + 1 >= len(self.items) or isinstance(after := self.items[at + 1], _FIXED):
            return
        third = self.items[at + 2] if at + 2 < len(self.items) else None
        if isinstance(item, CheckerPlay) and isinstance(after, CheckerPlay):
            if item.player != after.player:
                yield Edit(BITS["cells"], "cells", at, 2, (_as(after, item.player), _as(item, after.player)))
                yield Edit(BITS["order"] + 0.5, "order", at, 2, (after, item))
                yield from self._halves(at, (item, after))
                yield from self._exchanged(at)
            return
        yield Edit(BITS["order"], "order", at, 2, (after, item))
        if isinstance(item, Double) and isinstance(after, Take | Drop):
            yield Edit(BITS["answers"], "answers", at, 2, (in_other_column(item), in_other_column(after)))
        # a double with its answer a turn too soon or too late
        if isinstance(item, Double) and isinstance(third, CheckerPlay) and not isinstance(after, Double | CheckerPlay):
            yield Edit(BITS["order"], "order", at, 3, (third, item, after))
        elif isinstance(after, Double) and third is not None and not isinstance(third, Double | CheckerPlay):
            yield Edit(BITS["order"], "order", at, 3, (after, third, item))

    @staticmethod
    def _halves(at: int, some: tuple[Item, ...], more: float = 0.0) -> Iterator[Edit]:
        """The rolls, or the plays, of the first and the last of some turns in each other's place."""
        one, *between, two = some
        if isinstance(one, CheckerPlay) and isinstance(two, CheckerPlay) and one.dice != two.dice:
            dice = (replace(one, dice=two.dice), *between, replace(two, dice=one.dice))
            yield Edit(BITS["dice exchanged"] + more, "dice exchanged", at, len(some), dice)
            plays = (replace(one, text=two.text), *between, replace(two, text=one.text))
            yield Edit(BITS["plays exchanged"] + more, "plays exchanged", at, len(some), plays)

    def _exchanged(self, at: int) -> Iterator[Edit]:
        """Cells of a column, or whole rows, in each other's place; the next ones, or with one between them."""
        for size, bits in ((4, BITS["rows"]), (6, BITS["apart"])):
            cells, some = (tuple(self.items[at : at + each]) for each in (size - 1, size))
            if len(cells) < size - 1 or not all(isinstance(each, CheckerPlay) for each in cells):
                break
            yield Edit(bits - _FEWER, "rows", at, size - 1, (cells[-1], *cells[1:-1], cells[0]))
            if size == 2 * ROW:
                yield from self._halves(at, cells, _APART)
            if len(some) < size or not isinstance(some[-1], CheckerPlay):
                break
            orders = [(*some[-2:], *some[2:-2], *some[:2])]
            if size > 4:
                orders += [(*some[-2:], *some[:-2]), (*some[2:], *some[:2])]
            for order in orders:
                yield Edit(_NUMBERED if _ascends(order) and not _ascends(some) else bits, "rows", at, size, order)

    def _cells_reversed(self, at: int) -> tuple[Item, ...] | None:
        """All entries from one on with the cells of each row read from right to left, and in the other columns."""
        rest = self.items[at:]
        if any(isinstance(each, SupposedTurn) or each.row is None for each in rest):
            return None
        rows: dict[int, list[Item]] = {}
        for each in rest:
            assert not isinstance(each, SupposedTurn)
            rows.setdefault(each.row or 0, []).append(each)
        return tuple(in_other_column(each) for row in rows.values() for each in reversed(row))

    # --- the cube

    def _cube(self, at: int, item: Entry) -> Iterator[Edit]:
        s = self.path[at]
        place: dict[str, Any] = {"row": item.row, "span": item.span}
        if at == self.fault and isinstance(item, Double | Beaver) and not isinstance(item, Stood):
            # A double in the Crawford game does not count, whatever is answered, but where a drop ended the game.
            why, ends = s.why_not(item), at + 2 == len(self.items) and isinstance(self.items[at + 1], Drop)
            is_void = why is not None and why.reason is CubeReason.CRAWFORD and not ends
            is_value = why is not None and why.reason is CubeReason.WRONG_VALUE
            if not (is_value and ends):  # where a drop ends the game the value counts for nothing
                is_foreign = why is not None and why.reason is CubeReason.NO_BEAVERS
                bits = BITS["value stood" if is_value else "cube stood"] + is_void + _VOID * is_foreign
                if at and isinstance(self.items[at - 1], STOOD_BEAVER):
                    bits = _ON  # whoever let a beaver stand lets the raccoon stand as well
                yield Edit(bits, "stood", at, 1, (let_stand(item),))
        match item:
            case Take():
                yield Edit(BITS["answer"], "answer", at, 1, (Drop(player=item.player, **place),))
                if not self.terms.length and s.offer is not None:
                    said = self.items[at - 1] if at else None
                    value = 2 * s.offer.value if isinstance(said, Double) and said.value else None
                    bits = BITS["beaver"] - _BEAVERS * self.terms.beavers
                    yield Edit(bits, "beaver", at, 1, (Beaver(player=item.player, value=value, **place),))
            case Drop():
                yield Edit(BITS["answer"], "answer", at, 1, (Take(player=item.player, **place),))
            case Beaver():
                # A take has no value, so one that is written is likelier to be wrong.
                bits = BITS["beaver"] + 2 * (item.value is not None)
                yield Edit(bits, "beaver", at, 1, (Take(player=item.player, **place),))
                if s.offer is not None and item.value not in (None, 2 * s.offer.value):
                    yield Edit(BITS["value"], "value", at, 1, (replace(item, value=2 * s.offer.value),))
            case Double():
                if s.turn is not None and item.value not in (None, 2 * s.cube):
                    yield Edit(BITS["value"], "value", at, 1, (replace(item, value=2 * s.cube),))
        if s.offer is not None and not s.offer.counters and isinstance(item, CheckerPlay | Double):
            taker: Player = 1 if s.offer.by == 0 else 0
            yield Edit(BITS["no answer"], "no answer", at, 0, (Take(player=taker),))
        if s.offer is None and s.turn is not None and isinstance(item, Take | Drop | Beaver):
            yield Edit(BITS["no double"], "no double", at, 0, (Double(player=s.turn, value=2 * s.cube),))

    # --- too little

    def _is_number_gone(self, at: int) -> bool:
        """Whether the number of a row shows that the one before it is missing."""
        here = self.items[at]
        before = self.items[at - 1] if at else None
        if isinstance(here, SupposedTurn) or isinstance(before, SupposedTurn) or here.row is None:
            return False
        return here.row == (0 if before is None else before.row or 0) + 2

    def _first_missing(self, s: GameState, at: int) -> Iterator[Edit]:
        """The first turn of a game, which the other player made."""
        there, here = s.copy(), s.copy()
        there.last, here.last = self.items[at].player, other(self.items[at].player)
        yield from self._missing(there, at, "missing", self.asked(at), first=True)
        yield from self._moved_up(here, at, first=True)

    def _moved_up(self, s: GameState, at: int, *, first: bool = False) -> Iterator[Edit]:
        """A turn is missing, and all that follows is in the other column, one cell too early."""
        if any(isinstance(each, SetBoard) for each in self.items[at:]):
            return
        rest = tuple(map(in_other_column, self.items[at:]))
        one, two = self.asked(at)
        for edit in self._missing(s, at, "missing", (two, one), first=first):
            yield Edit(edit.bits + MOVED_UP, "missing", at, len(rest), (*edit.put, *rest))

    def _missing(self, s: GameState, at: int, slip: str, asked: Asked, *, first: bool = False) -> Iterator[Edit]:
        """A turn of the player on roll, or one of each, before an entry: such as the entries after it ask for."""
        assert s.turn is not None
        player = s.turn
        board = s.board(player)
        absolute = self._absolute(board, player)
        answer = 4 if slip == "row missing" else 0
        if not is_near(asked, absolute, player, 4, answer):
            return
        seen: dict[Board, tuple[Dice, Play]] = {}
        for dice in ROLLS:
            if (first and dice[0] == dice[1]) or not may_do(asked, absolute, player, dice, answer):
                continue
            for play in self.sense.legal(board, dice):
                after = self._absolute(play.result, player)
                if play.result not in seen and (
                    is_near(asked, after, player, 0, answer) if answer else allows(asked, after)
                ):
                    seen[play.result] = dice, play
        if answer and len(seen) > _MANY:
            return
        if len(seen) > _GUESSES and self.fault + 1 >= len(self.items):  # nothing follows that tells them apart
            seen = {result: seen[result] for result in nlargest(_GUESSES, seen, key=worth)}
        lack = _GAP if slip == "row missing" and self._is_number_gone(at) else 0.0
        for result, (dice, play) in seen.items():
            made, after_s = SupposedTurn(player, dice, play), landed(s, player, result)
            bits = BITS[slip] + ROLL + PLAY - lack
            if after_s.over is not None:
                continue
            if not answer:
                yield Edit(bits, slip, at, 0, (made,), after_s)
                continue
            for reply in self._missing(after_s, at, "missing", asked):
                yield Edit(bits + reply.bits - BITS["missing"], slip, at, 0, (made, *reply.put), reply.after)


def _is_miscounted(entry: CheckerPlay) -> bool:
    """Whether the hops are those of a double and the dice are none, or the other way round."""
    lengths = [start - end for start, end in entry.text.legs]
    is_double = entry.dice is not None and entry.dice[0] == entry.dice[1]
    return (len(lengths), len(set(lengths))) == ((2, 2) if is_double else (4, 1))


def _goes_with(entry: CheckerPlay) -> bool:
    """Whether the hops of a play are as long as its dice show, or shorter where they bear off."""
    if entry.dice is None or not are_dice(entry.dice):
        return False
    hops, dice = sorted(entry.text.legs, key=lambda leg: leg[0] - leg[1]), sorted(numbers(entry.dice))
    return len(hops) == len(dice) and all(
        start - end == die or (not end and start < die) for (start, end), die in zip(hops, dice, strict=True)
    )


_GAP: Final = 16.0
"""Bits that a gap in the numbers of rows takes from a missing row: nothing else explains it."""
_NUMBERED: Final = 3.0
"""Bits of rows in another order than that of their numbers."""


def _ascends(items: Sequence[Item]) -> bool:
    """Whether the numbers of rows never fall."""
    rows = [None if isinstance(item, SupposedTurn) else item.row for item in items]
    return all(one is not None and two is not None and one <= two for one, two in pairwise(rows))
