"""Reading on after an entry that cannot be right: the reading that lets most of the game replay.

One slip makes the board wrong, and then what follows does not fit either. So every reading is tried
that a person would think of, and the one after which the most entries fit is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Literal

from bgtools.board import BAR, are_dice, can_move, find_play, forced, legal_plays, only_play, other, view
from bgtools.record import CheckerPlay, Double

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.board import Board, Dice, Play, Player
    from bgtools.record import Entry

Reading = Literal[
    "", "as written", "left out", "corrected", "inserted", "other column", "swapped", "swapped on", "moved up"
]
"""How an entry is read that cannot be right; empty where nothing had to be decided.

``as written``: the play is carried out as it stands. ``left out``: the entry is passed over.
``corrected``: another play of the same roll is taken. ``inserted``: a turn of the other player is
supposed before it. ``other column``: it is taken to be the other player's. ``swapped``: it and the
next entry are taken to stand in each other's column; ``swapped on``: so do all that follow. ``moved
up``: a turn is missing before it, and all that follows has moved up into its cell.
"""

ROLLS: tuple[Dice, ...] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls."""


class Budget:
    """How often all readings may be tried in a match. More faults than that are no slips of a writer."""

    def __init__(self, left: int = 40) -> None:
        self.left = left

    def spend(self) -> bool:
        """Take one trial; False when none is left."""
        self.left -= 1
        return self.left >= 0


_ENOUGH_TO_TELL = 4
"""With fewer entries left nearly every reading fits, so the far-fetched ones are not tried."""

_LOOK_AHEAD = 200
"""After so many plays that fit, a reading counts as complete; few games are longer."""


@dataclass(frozen=True, slots=True)
class Start:
    """A board to go on from.

    Attributes:
        board: seen by player 0.
        last: who rolled last; None before the first roll.
        entries: the rest of the game.
    """

    board: Board
    last: Player | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One way to read on.

    Attributes:
        reading: its name.
        start: where it goes on.
        play: the play that the reading assumes, if it does.
        dice: the roll that the reading assumes with it, if it does.
        is_far: whether the reading assumes a turn that the record does not hold. There are many such
            options; they count only where no plain one fits.
    """

    reading: Reading
    start: Start
    play: Play | None = None
    dice: Dice | None = None
    is_far: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """The best option, how many plays fit after it, and whether all that follow do.

    ``sure`` tells that no other play of the same roll would do as well.
    """

    option: Option
    fits: int
    complete: bool
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a game goes on.

    Attributes:
        count: plays that are legal, one after the other.
        unsaid: those among them that the record leaves out because they were forced.
        left: entries from the first one on that is not.
        complete: whether there is none such.
        end: the last board, seen by player 0.
    """

    count: int
    left: int
    complete: bool
    end: Board
    unsaid: int = 0


def choose(options: Iterable[Option], agrees: Callable[[Board], bool]) -> Choice:
    """The first option with which everything that follows fits, else the one with which most does.

    Of two with which everything fits, the better one is that whose last board agrees with the stated
    result, then that with fewer forced plays left out.

    Args:
        options: what to choose from.
        agrees: whether a last board, seen by player 0, is what the record says of the result.

    Raises:
        ValueError: no options.
    """
    best: tuple[tuple[bool, bool, int, int], Choice] | None = None
    for option in (coming := iter(options)):
        if option.is_far and best is not None and best[0][0]:
            break
        fit = how_many_fit(option.start)
        choice = Choice(option, fit.count, fit.complete)
        agreed = fit.complete and agrees(fit.end)
        if agreed and fit.count > 0 and not fit.unsaid:
            return replace(choice, sure=_is_alone(option, coming, agrees))
        rank = (fit.complete and fit.count > 0, agreed, -fit.left, -fit.unsaid)
        if best is None or rank > best[0]:
            best = rank, choice
    if best is None:
        raise ValueError("there is nothing to choose from")
    return best[1]


def _is_alone(option: Option, others: Iterable[Option], agrees: Callable[[Board], bool]) -> bool:
    """Whether an option supposes a play with which everything fits, and no other play of its roll does that."""
    if option.play is None or option.is_far:
        return False
    for each in others:
        if each.reading != option.reading:
            break
        fit = how_many_fit(each.start)
        if fit.complete and agrees(fit.end):
            return False
    return True


def how_many_fit(start: Start) -> Fit:
    """How far the rest of a game replays from a board."""
    board, last, count, unsaid = start.board, start.last, 0, 0
    for index, entry in enumerate(start.entries):
        if not isinstance(entry, CheckerPlay):
            continue
        if entry.dice is None:
            after = forced(view(board, entry.player), entry.text.hops) if entry.text.hops else None
            if after is not None:
                board, last = view(after, entry.player), entry.player
            continue
        if not are_dice(entry.dice) or board.is_over:
            return Fit(count, len(start.entries) - index, complete=False, end=board)
        if entry.player == last and not is_shut_out(view(board, other(entry.player))):
            return Fit(count, len(start.entries) - index, complete=False, end=board)
        seen = view(board, entry.player)
        after = _after(entry, seen, is_last=is_last(start.entries, index))
        if after is None:
            unknown = entry.text.kind in ("unknown", "unreadable", "illegal")
            return Fit(count, len(start.entries) - index, complete=unknown, end=board)
        count += 1
        if count == _LOOK_AHEAD:
            break
        unsaid += not entry.text.hops and after != seen
        board, last = view(after, entry.player), entry.player
    return Fit(count, 0, complete=True, end=board, unsaid=unsaid)


def _after(entry: CheckerPlay, seen: Board, *, is_last: bool) -> Board | None:
    """The board after a play, seen by its player; None when the play does not fit."""
    assert entry.dice is not None
    if entry.text.kind == "moves" and entry.text.hops:
        found = find_play(seen, entry.dice, entry.text.hops)
        return None if found is None else found.result
    if entry.text.kind in ("unknown", "unreadable", "illegal"):
        return None
    if is_last or not can_move(seen, entry.dice):
        return seen
    if entry.text.kind != "nothing":
        return None
    play = only_play(seen, entry.dice)
    return None if play is None else play.result


def is_last(entries: Sequence[Entry], index: int) -> bool:
    """Whether no play and no double follows, so that the game ended or broke off with this roll."""
    return not any(isinstance(entry, CheckerPlay | Double) for entry in entries[index + 1 :])


def is_shut_out(seen: Board) -> bool:
    """Whether no roll could bring the player in from the bar; such turns are often not recorded."""
    return seen.mine[BAR] > 0 and all(seen.theirs[point] > 1 for point in range(1, 7))


# --- what a reader would think of -----------------------------------------------------------


def for_play(
    board: Board,
    entry: CheckerPlay,
    rest: tuple[Entry, ...],
    last: Player | None,
    *,
    written: Board | None,
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
    for play in sorted(plays, key=lambda play: _unlike(play, entry, view(board, player))):
        if play.hops:
            yield Option("corrected", Start(view(play.result, player), player, rest), play, entry.dice)
    # The entry may be one too many. Then its player has not rolled.
    yield Option("left out", Start(board, last, rest))
    yield from _moved_up(board, entry, rest)


def _unlike(play: Play, entry: CheckerPlay, seen: Board) -> int:
    """How many checkers stand elsewhere after a play than after the one that is written."""
    meant = list(seen.mine)
    for hop in entry.text.hops:
        for point, change in ((hop.points[0], -hop.count), (hop.points[-1], hop.count)):
            if point <= BAR:  # a record may name points that no board has
                meant[point] += change
    return sum(abs(mine - there) for mine, there in zip(play.result.mine, meant, strict=True))


def for_missing_turn(board: Board, entry: CheckerPlay, rest: tuple[Entry, ...], last: Player) -> Iterator[Option]:
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
    yield Option("other column", Start(board, last, (_turned(entry), *rest)))
    yield from _columns(board, entry, rest, last)
    for play, dice, after in _any_turn(board, absent):
        yield Option("inserted", Start(after, absent, here), play, dice, is_far=True)


def _columns(board: Board, entry: CheckerPlay, rest: tuple[Entry, ...], last: Player | None) -> Iterator[Option]:
    """The entry and the next one stand in each other's column, alone or with all that follow."""
    if rest and isinstance(rest[0], CheckerPlay) and rest[0].player != entry.player and rest[0].row == entry.row:
        yield Option("swapped", Start(board, last, (_turned(rest[0]), _turned(entry), *rest[1:])))
    if len(rest) < _ENOUGH_TO_TELL:
        return
    here = (entry, *rest)
    yield Option("swapped on", Start(board, last, tuple(map(_turned, here))))
    rows: dict[int | None, list[Entry]] = {}
    for each in here:
        rows.setdefault(each.row, []).append(each)
    if None not in rows:
        turned = tuple(_turned(each) for row in rows.values() for each in reversed(row))
        yield Option("swapped on", Start(board, last, turned))


def _turned(entry: Entry) -> Entry:
    """The entry in the other column."""
    return replace(entry, player=other(entry.player))


def _moved_up(board: Board, entry: CheckerPlay, rest: tuple[Entry, ...]) -> Iterator[Option]:
    """A turn of the entry's player is missing, and everything after it stands one cell too early."""
    if len(rest) < _ENOUGH_TO_TELL:
        return
    here = tuple(_turned(each) for each in (entry, *rest))
    for play, dice, after in _any_turn(board, entry.player):
        yield Option("moved up", Start(after, entry.player, here), play, dice, is_far=True)


def _any_turn(board: Board, player: Player) -> Iterator[tuple[Play | None, Dice | None, Board]]:
    """Every play that a player can have made in a turn that is not recorded, and the board after it; a dance first."""
    yield None, None, board
    seen = view(board, player)
    known: set[Board] = set()
    for dice in ROLLS:
        for play in legal_plays(seen, dice):
            if play.hops and play.result not in known:
                known.add(play.result)
                yield play, dice, view(play.result, player)


# --- slips that show only later -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edit:
    """Another reading of a whole game's entries, from one of them on.

    Attributes:
        at: the entry with which it differs first.
        option: how it is read from there on; ``left out`` where a row is written twice.
        passed_over: numbers of those that are left out.
    """

    at: int
    option: Option
    passed_over: frozenset[int] = frozenset()


_EDITS = 6
"""How many edits are replayed in full: those with which most of the game fits."""

_TURNS_BACK = 8
"""How many entries before a fault a missing turn is looked for. More rarely fit in the wrong column by chance."""


def edits(
    entries: Sequence[Entry],
    starts: Sequence[tuple[Board, Player | None]],
    fault: int,
    *,
    all_or_nothing: bool = False,
) -> Iterator[Edit]:
    """Readings in which the slip stands before the entry where it shows, the best of each sort first.

    The slips looked for are a row written twice, two cells in each other's column and, where neither
    makes all that follows fit, a missing turn.

    Args:
        entries: all of the game.
        starts: for each the board before it, seen by player 0, and who rolled last.
        fault: the number of the first entry that cannot be right.
        all_or_nothing: give only those with which all that follows fits.
    """
    plain = _that_fit(chain(_repeats(entries, starts, fault), _swaps(entries, starts, fault)), entries, fault)
    far: Sequence[tuple[bool, Edit]] = ()
    if len(entries) - fault >= _ENOUGH_TO_TELL and not any(complete for complete, _ in plain):
        far = _that_fit(_moves_up(entries, starts, fault), entries, fault)
    yield from (edit for complete, edit in (*plain, *far) if complete or not all_or_nothing)


def _that_fit(found: Iterable[Edit], entries: Sequence[Entry], fault: int) -> list[tuple[bool, Edit]]:
    """The edits that let more entries fit, the best first; each with whether all entries fit."""
    fitting: list[tuple[bool, int, Edit]] = []
    for edit in found:
        fit = how_many_fit(edit.option.start)
        if fit.complete or len(entries) - fit.left > fault + 1:
            fitting.append((fit.complete, fit.left, edit))
    fitting.sort(key=lambda one: (not one[0], one[1]))
    return [(complete, edit) for complete, _, edit in fitting[:_EDITS]]


def _repeats(entries: Sequence[Entry], starts: Sequence[tuple[Board, Player | None]], fault: int) -> Iterator[Edit]:
    for at in range(min(fault, len(entries) - 2), 1, -1):
        pair, before = entries[at : at + 2], entries[at - 2 : at]
        if list(map(says, pair)) == list(map(says, before)) and pair[0].player != pair[1].player:
            start = Start(*starts[at], tuple(entries[at + 2 :]))
            yield Edit(at, Option("left out", start), frozenset((at, at + 1)))


def _swaps(entries: Sequence[Entry], starts: Sequence[tuple[Board, Player | None]], fault: int) -> Iterator[Edit]:
    for at in range(min(fault, len(entries) - 2), -1, -1):
        first, second = entries[at], entries[at + 1]
        if not isinstance(first, CheckerPlay) or not isinstance(second, CheckerPlay):
            continue
        if first.row == second.row and first.player != second.player:
            turned = (_turned(second), _turned(first), *entries[at + 2 :])
            yield Edit(at, Option("swapped", Start(*starts[at], turned)))


def _moves_up(entries: Sequence[Entry], starts: Sequence[tuple[Board, Player | None]], fault: int) -> Iterator[Edit]:
    for at in range(fault - 1, max(fault - 1 - _TURNS_BACK, 0), -1):
        entry, board = entries[at], starts[at][0]
        if isinstance(entry, CheckerPlay) and _might_play(view(board, other(entry.player)), entry):
            yield from (Edit(at, option) for option in _moved_up(board, entry, tuple(entries[at + 1 :])))


def _might_play(seen: Board, entry: CheckerPlay) -> bool:
    """Whether a player could make the hops of an entry after an unknown turn of the other player."""
    reached = {hop.points[-1] for hop in entry.text.hops}
    return all(hop.points[0] == BAR or hop.points[0] in reached or seen.mine[hop.points[0]] for hop in entry.text.hops)


def says(entry: Entry) -> tuple[object, ...]:
    """What an entry says, wherever it stands."""
    if isinstance(entry, CheckerPlay):
        return CheckerPlay, entry.player, entry.dice, str(entry.text)
    return type(entry), entry.player, getattr(entry, "value", None)
