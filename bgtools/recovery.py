"""Going on after an entry that cannot be: which reading lets most of the rest of the game replay.

A slip in a record is rarely alone: once the board is wrong, what follows no longer fits either. So
for an entry that cannot be, the readings that a reader of the record would think of are tried, and
the one with which the longest stretch of the rest fits is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Literal

from bgtools.movement import Violation, are_dice, legal_plays, resolve
from bgtools.position import BAR
from bgtools.record import CheckerPlay, Double

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.play import Play
    from bgtools.position import Dice, Position
    from bgtools.record import Entry, Player

Reading = Literal["", "as written", "left out", "corrected", "inserted", "other column", "swapped"]
"""How the record is read where an entry cannot be; empty where nothing had to be decided.

``as written``: the play is carried out as it stands. ``left out``: the entry is passed over.
``corrected``: another play of the same roll is taken. ``inserted``: a turn of the other player is
supposed before it. ``other column``: it is taken to be the other player's. ``swapped``: it and the
next entry are taken to stand in each other's column.
"""

ROLLS: tuple[Dice, ...] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls."""


@dataclass(frozen=True, slots=True)
class Start:
    """A board to go on from.

    Attributes:
        board: seen by player 0.
        last: who rolled last; None before the first roll.
        entries: the rest of the game.
    """

    board: Position
    last: Player | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One way to read on.

    Attributes:
        reading: its name.
        start: where it goes on.
        play: the play that is supposed in its course, if one is.
        dice: the roll of that play, where it is supposed too.
    """

    reading: Reading
    start: Start
    play: Play | None = None
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The best option, how many plays fit after it, and whether all that follow do."""

    option: Option
    fits: int
    complete: bool


def view(board: Position, player: Player) -> Position:
    """A board seen by player 0, seen by ``player``; its own inverse."""
    return board if player == 0 else board.flipped()


def other(player: Player) -> Player:
    """The opponent's index."""
    return 1 if player == 0 else 0


def choose(options: Iterable[Option]) -> Choice:
    """The first option with which everything that follows fits, else the one with which most does.

    Raises:
        ValueError: no options.
    """
    best: Choice | None = None
    for option in options:
        fits, complete = how_many_fit(option.start)
        if complete and fits > 0:
            return Choice(option, fits, complete=True)
        if best is None or fits > best.fits or (complete and not best.complete and fits == best.fits):
            best = Choice(option, fits, complete)
    if best is None:
        raise ValueError("there is nothing to choose from")
    return best


def how_many_fit(start: Start) -> tuple[int, bool]:
    """How many plays are legal, one after the other, and whether they are all there are."""
    board, last, count = start.board, start.last, 0
    for index, entry in enumerate(start.entries):
        if not isinstance(entry, CheckerPlay) or entry.dice is None:
            continue
        if not are_dice(entry.dice) or board.is_over:
            return count, False
        if entry.player == last and not is_shut_out(view(board, other(entry.player))):
            return count, False
        seen = view(board, entry.player)
        after = _after(entry, seen, is_last=is_last(start.entries, index))
        if after is None:
            return count, entry.text.kind in ("unknown", "unreadable", "illegal")
        count += 1
        board, last = view(after, entry.player), entry.player
    return count, True


def _after(entry: CheckerPlay, seen: Position, *, is_last: bool) -> Position | None:
    """The board after a play, seen by its player; None when the play does not fit."""
    assert entry.dice is not None
    if entry.text.kind == "moves" and entry.text.hops:
        found = resolve(seen, entry.dice, entry.text.hops)
        return None if isinstance(found, Violation) else found.result
    if entry.text.kind in ("unknown", "unreadable", "illegal"):
        return None
    if is_last:
        return seen
    plays = legal_plays(seen, entry.dice)
    forced = len(plays) == 1 and (entry.text.kind == "nothing" or not plays[0].hops)
    return plays[0].result if forced else None


def is_last(entries: Sequence[Entry], index: int) -> bool:
    """Whether no play and no double follows, so that the game ended or broke off with this roll."""
    return not any(isinstance(entry, CheckerPlay | Double) for entry in entries[index + 1 :])


def is_shut_out(seen: Position) -> bool:
    """Whether no roll could bring the player in from the bar; such turns are often not recorded."""
    return seen.mine[BAR] > 0 and all(seen.theirs[point] > 1 for point in range(1, 7))


# --- what a reader would think of -----------------------------------------------------------


def for_play(
    board: Position,
    entry: CheckerPlay,
    rest: tuple[Entry, ...],
    last: Player | None,
    *,
    written: Position | None,
    plays: Sequence[Play],
) -> Iterator[Option]:
    """Readings of a play that is not legal.

    Args:
        board: before the play, seen by player 0.
        entry: the play.
        rest: what follows.
        last: who rolled last.
        written: the board that the play as written leaves, seen by its player, if it can be carried out.
        plays: the legal plays of its roll.
    """
    player = entry.player
    if written is not None:
        yield Option("as written", Start(view(written, player), player, rest))
    yield Option("left out", Start(board, player, rest))
    yield from _columns(board, entry, rest, last)
    for play in plays:
        if play.hops:
            yield Option("corrected", Start(view(play.result, player), player, rest), play, entry.dice)
    # The entry may be one too many; then it is its player's turn still, or was not yet.
    yield Option("left out", Start(board, last, rest))


def for_missing_turn(board: Position, entry: CheckerPlay, rest: tuple[Entry, ...], last: Player) -> Iterator[Option]:
    """Readings of a second turn running by one player.

    Args:
        board: before the entry, seen by player 0.
        entry: the second turn.
        rest: what follows it.
        last: who rolled last, the same player.
    """
    here = (entry, *rest)
    absent = other(last)
    yield Option("inserted", Start(board, absent, here))
    yield Option("left out", Start(board, last, rest))
    moved = replace(entry, player=absent)
    yield Option("other column", Start(board, last, (moved, *rest)))
    yield from _columns(board, entry, rest, last)
    seen = view(board, absent)
    known: set[Position] = set()
    for dice in ROLLS:
        for play in legal_plays(seen, dice):
            if play.result not in known and play.hops:
                known.add(play.result)
                yield Option("inserted", Start(view(play.result, absent), absent, here), play, dice)


def _columns(board: Position, entry: CheckerPlay, rest: tuple[Entry, ...], last: Player | None) -> Iterator[Option]:
    """The entry and the next one stand in each other's column."""
    if rest and isinstance(rest[0], CheckerPlay) and rest[0].player != entry.player and rest[0].row == entry.row:
        following = rest[0]
        first = replace(following, player=entry.player)
        second = replace(entry, player=following.player)
        yield Option("swapped", Start(board, last, tuple(chain((first, second), rest[1:]))))
