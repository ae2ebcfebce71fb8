"""Reading on after an entry that cannot be right: the reading that lets most of the game replay.

One slip makes the board wrong, and then what follows does not fit either. So the likely readings are tried, and the
one after which the most entries fit is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools.board.board import BAR, OFF, Board, are_shut_out
from bgtools.board.generation import can_move_on, legal_plays, only_play
from bgtools.board.hopping import are_dice
from bgtools.board.movement import forced, play_on
from bgtools.board.perspective import other, view
from bgtools.record.record import CheckerPlay
from bgtools.replayer.demands import NOTHING, Demands, allows, is_near, may_do
from bgtools.replayer.entries import is_last
from bgtools.replayer.plausibility import unlikeness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import HopText, Play
    from bgtools.record.record import Entry
    from bgtools.replayer.demands import Asked

Reading = Literal[
    "",
    "as written",
    "left out",
    "corrected",
    "inserted",
    "other column",
    "swapped",
    "swapped on",
    "moved up",
    "moved",
    "rolls exchanged",
    "row inserted",
]
"""How an entry is read that cannot be right; empty where nothing had to be decided.

``as written``: the play is carried out as it stands. ``left out``: the entry is skipped.
``corrected``: another play of the same roll is taken, or the other answer to a double. ``inserted``: a turn of
the other player, or their double, is supposed before it. ``other column``: it is taken to be the other player's.
``swapped``: it and the next entry are taken to stand in each other's column; ``swapped on``: so are all that follow.
``moved up``: a turn is missing before it, and all that follows has moved up into its cell. ``moved``: it is taken to
stand in another place, where others after it may stand in its own. ``rolls exchanged``: its roll and that of the next
entry are taken to stand in each other's place. ``row inserted``: a turn of either player is supposed before it.
"""

ROLLS: tuple[Dice, ...] = (
    *((high, low) for high in range(2, 7) for low in range(1, high)),
    *((number, number) for number in range(1, 7)),
)
"""The 21 rolls, the likelier first."""


A_TURN: Final = 600
"""The cost of finding every play of an unknown turn, in plays tried."""

ENOUGH_TO_TELL = 4
"""With fewer entries left nearly every reading fits, so the far-fetched ones are not tried."""

LOOK_AHEAD: Final = 200
"""After so many plays that fit, a reading counts as complete; few games are longer."""


@dataclass(frozen=True, slots=True)
class StartBoard:
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
class ReadingOption:
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
    start: StartBoard
    play: Play | None = None
    dice: Dice | None = None
    is_far: bool = False


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """The best option, how many plays fit after it, and whether all that follow do.

    ``rivals`` are other readings of the entry, the best first. ``sure`` tells that all that follows fits with the
    option, and with none of the rivals.
    """

    option: ReadingOption
    legal_after: int
    complete: bool
    sure: bool = False
    rivals: tuple[ChosenOption, ...] = ()


@dataclass(frozen=True, slots=True)
class Continuation:
    """How well a game goes on.

    Attributes:
        count: plays that are legal, one after the other.
        unsaid: forced plays among them that the record leaves out.
        left: entries from the first play on that does not fit; 0 where all fit.
        complete: whether all fit, or all up to a play that nobody knows.
        end: the last board, seen by player 0.
    """

    count: int
    left: int
    complete: bool
    end: Board
    unsaid: int = 0


Tried = tuple[ReadingOption, Continuation]
"""A way to read on, and how well the game goes on then."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """A turn that the record does not hold, before the rest of a game.

    Attributes:
        reading: how the rest is read then.
        board: before the turn, seen by player 0.
        player: whose turn it is.
        entries: the rest of the game, as it is read then.
    """

    reading: Reading
    board: Board
    player: Player
    entries: tuple[Entry, ...]

    def options(self, asked: Asked = NOTHING) -> Iterator[ReadingOption]:
        """A reading for each play that the turn may have been, after which the board meets what is asked."""
        for play, dice, after in any_turn(self.board, self.player, asked):
            yield ReadingOption(self.reading, StartBoard(after, self.player, self.entries), play, dice, is_far=True)


class EntryReadings(NamedTuple):
    """The ways to read on after an entry that cannot be: the plain ones, and a turn that the record does not hold."""

    plain: Iterable[ReadingOption]
    far: Supposed | None = None


def tried(readings: EntryReadings) -> tuple[Tried, ...]:
    """How well a game goes on after each option; the far-fetched ones are tried only if no plain one fits.

    A far-fetched option is tried only if the game may go on after it at least as long as after a plain one.
    """
    found = [(option, how_many_fit(option.start)) for option in readings.plain]
    far = readings.far
    if far is None or any(fit.complete and fit.count for _, fit in found):
        return tuple(found)
    # An entry may change its column only a few times. Then the best reading is one that leaves it in its column.
    least = min((fit.left for option, fit in found if option.reading in _IN_ITS_COLUMN), default=len(far.entries))
    demands = Demands(far.entries, min(len(far.entries) - least, LOOK_AHEAD))
    for option in far.options(demands.at(0)):
        fit = how_many_fit(option.start)
        found.append((option, fit))
        if fit.complete and fit.count:
            break
    return tuple(found)


_IN_ITS_COLUMN: Final = ("as written", "left out", "corrected", "inserted")


def choose(options: Iterable[Tried], agrees: Callable[[ReadingOption, Board], bool]) -> ChosenOption:
    """The option after which most entries fit; of equal ones the first.

    Of two options with which everything fits, the better one has a last board that agrees with the stated
    result; of two such, fewer unwritten forced plays.

    Args:
        options: what to choose from, the likelier first, and how well the game goes on.
        agrees: whether the last board of an option, seen by player 0, agrees with the stated result.

    Raises:
        ValueError: no options.
    """
    found = [(_ranked(option, fit, agrees), ChosenOption(option, fit.count, fit.complete)) for option, fit in options]
    if not found:
        raise ValueError("there is nothing to choose from")
    found.sort(key=lambda one: one[0], reverse=True)
    rank, best = found[0]
    rivals = [(other, choice) for other, choice in found[1:] if _is_rival(choice.option, best.option)]
    is_alone = not any(other.is_perfect for other, _ in rivals)
    sure = rank.is_perfect and not best.option.is_far and is_alone
    return replace(best, sure=sure, rivals=tuple(choice for _, choice in rivals[:_RIVALS]))


def _ranked(option: ReadingOption, continuation: Continuation, agrees: Callable[[ReadingOption, Board], bool]) -> _Rank:
    agreed = continuation.complete and agrees(option, continuation.end)
    is_whole = continuation.complete and continuation.count > 0
    return _Rank(
        agreed and is_whole and not continuation.unsaid, is_whole, agreed, -continuation.left, -continuation.unsaid
    )


class _Rank(NamedTuple):
    """How well an option does; the greater, the better."""

    is_perfect: bool
    is_whole: bool
    agrees: bool
    reach: int
    written: int


_RIVALS: Final = 8
"""How many readings beside the best are kept: fewer of them are ever shown."""


def _is_rival(option: ReadingOption, best: ReadingOption) -> bool:
    """Whether an option is another play of the same roll, or the play as it stands, and so could be meant instead."""
    return not option.is_far and option != best and option.reading in ("as written", "corrected")


def how_many_fit(start: StartBoard) -> Continuation:
    """How far the rest of a game replays from a board."""
    sides = list(start.board.mine), list(start.board.theirs)
    last, count, unsaid, left = start.last, 0, 0, 0
    complete = True
    for index, entry in enumerate(start.entries):
        if not isinstance(entry, CheckerPlay):
            continue
        player, text = entry.player, entry.text
        mine, theirs = sides if player == 0 else sides[::-1]
        if entry.dice is None:
            after = forced(Board(tuple(mine), tuple(theirs)), text.hops) if text.hops else None
            if after is not None:
                mine[:], theirs[:] = after.mine, after.theirs
                last = player
            continue
        is_over = not any(mine[1:]) or not any(theirs[1:])
        if is_over or not are_dice(entry.dice) or (player == last and not are_shut_out(theirs, mine)):
            left, complete = len(start.entries) - index, False
            break
        moved = _carried_out(entry, mine, theirs, start.entries, index)
        if moved is None:
            left = len(start.entries) - index
            complete = text.kind in ("unknown", "unreadable", "illegal")
            break
        count += 1
        if count == LOOK_AHEAD:
            break
        unsaid += moved and not text.hops
        last = player
    return Continuation(count, left, complete, Board(tuple(sides[0]), tuple(sides[1])), unsaid)


def _carried_out(
    entry: CheckerPlay, mine: list[int], theirs: list[int], entries: Sequence[Entry], index: int
) -> bool | None:
    """Play a roll on two sides, in place: whether a checker moved; None when the play does not fit."""
    text, dice = entry.text, entry.dice
    assert dice is not None
    if text.kind == "moves" and text.hops:
        return True if _can_start(mine, theirs, text.hops) and play_on(mine, theirs, dice, text) else None
    if text.kind in ("unknown", "unreadable", "illegal"):
        return None
    if not can_move_on(mine, theirs, dice) or is_last(entries, index):
        return False
    if text.kind != "nothing":
        return None
    play = only_play(Board(tuple(mine), tuple(theirs)), dice)
    if play is None:
        return None
    mine[:], theirs[:] = play.result.mine, play.result.theirs
    return True


def _can_start(mine: Sequence[int], theirs: Sequence[int], hops: Sequence[HopText]) -> bool:
    """Whether every hop has a checker, or may get one from another hop, and none ends on a point that is held.

    Most plays on a wrong board fail here, before the ways to play them are searched.
    """
    for hop in hops:
        first, end = hop.points[0], hop.points[-1]
        if not OFF <= end < first <= BAR or (end and theirs[BAR - end] > 1):
            return False
        if not mine[first] and not any(other.points[-1] == first for other in hops):
            return False
    return True


# --- what a reader would think of -----------------------------------------------------------


def for_play(
    board: Board,
    entry: CheckerPlay,
    rest: tuple[Entry, ...],
    last: Player | None,
    *,
    written: Board | None,
    plays: Sequence[Play],
    plainest: bool,
) -> Iterator[ReadingOption]:
    """Readings of a play that is not legal.

    Args:
        board: before the play, seen by player 0.
        entry: the play.
        rest: what follows.
        last: who rolled last.
        written: the board that the play as written leaves, seen by its player, if it can be carried out.
        plays: the legal plays of its roll.
        plainest: whether only two are wanted: as written, if it can be played so, and left out.
    """
    player = entry.player
    if written is not None:
        yield ReadingOption("as written", StartBoard(view(written, player), player, rest))
    left_out = ReadingOption("left out", StartBoard(board, player, rest))
    if plainest or not entry.text.hops:
        yield left_out
    if plainest:
        return
    yield from _columns(board, entry, rest, last)
    yield from _corrected(entry, rest, plays)
    if entry.text.hops:
        yield left_out
    # The entry may be one too many. Then its player has not rolled.
    yield ReadingOption("left out", StartBoard(board, last, rest))


def _corrected(entry: CheckerPlay, rest: tuple[Entry, ...], plays: Sequence[Play]) -> Iterator[ReadingOption]:
    """The other plays of a roll; those written most like the entry come first."""
    hops = entry.text.hops
    for play in sorted(plays, key=lambda play: unlikeness(hops, play)) if hops else plays:
        if play.hops:
            yield ReadingOption(
                "corrected", StartBoard(view(play.result, entry.player), entry.player, rest), play, entry.dice
            )


def for_missing_turn(
    board: Board, entry: CheckerPlay, rest: tuple[Entry, ...], last: Player
) -> Iterator[ReadingOption]:
    """Readings of a second turn running by one player.

    Args:
        board: before the entry, seen by player 0.
        entry: the second turn.
        rest: what follows it.
        last: who rolled last, the same player.
    """
    yield ReadingOption("inserted", StartBoard(board, other(last), (entry, *rest)))
    yield ReadingOption("left out", StartBoard(board, last, rest))
    yield ReadingOption("other column", StartBoard(board, last, (in_other_column(entry), *rest)))
    yield from _columns(board, entry, rest, last)


def _columns(board: Board, entry: CheckerPlay, rest: tuple[Entry, ...], last: Player | None) -> Iterator[ReadingOption]:
    """The entry and the next one stand in each other's column, alone or with all that follow."""
    if rest and isinstance(rest[0], CheckerPlay) and rest[0].player != entry.player and rest[0].row == entry.row:
        yield ReadingOption(
            "swapped", StartBoard(board, last, (in_other_column(rest[0]), in_other_column(entry), *rest[1:]))
        )
    if len(rest) < ENOUGH_TO_TELL:
        return
    here = (entry, *rest)
    yield ReadingOption("swapped on", StartBoard(board, last, tuple(map(in_other_column, here))))
    rows: dict[int | None, list[Entry]] = {}
    for each in here:
        rows.setdefault(each.row, []).append(each)
    if None not in rows:
        read = tuple(in_other_column(each) for row in rows.values() for each in reversed(row))
        yield ReadingOption("swapped on", StartBoard(board, last, read))


def in_other_column(entry: Entry) -> Entry:
    """The entry in the other column."""
    return replace(entry, player=other(entry.player))


def moved_up(board: Board, entry: CheckerPlay, rest: tuple[Entry, ...]) -> Supposed | None:
    """A turn of the entry's player is missing, and everything after it stands one cell too early."""
    if len(rest) < ENOUGH_TO_TELL or not tells((entry, *rest)):
        return None
    return Supposed("moved up", board, entry.player, tuple(in_other_column(each) for each in (entry, *rest)))


def tells(entries: Iterable[Entry]) -> bool:
    """Whether some play is written; rolls alone tell nothing of what was played before them."""
    return any(isinstance(entry, CheckerPlay) and entry.text.hops for entry in entries)


def any_turn(
    board: Board, player: Player, asked: Asked = NOTHING, answer: int = 0
) -> Iterator[tuple[Play | None, Dice | None, Board]]:
    """Every play that a player can have made in a turn that is not recorded, and the board after it; a dance first.

    Args:
        board: before the turn, seen by player 0.
        player: whose turn it is.
        asked: what the entries after it ask of the board; plays after which the board cannot fit are left out.
        answer: how many numbers the other player may play before those entries.
    """

    def will_do(after: Board) -> bool:
        return is_near(asked, after, player, 0, answer) if answer else allows(asked, after)

    if will_do(board):
        yield None, None, board
    seen = view(board, player)
    known: set[Board] = set()
    for dice in ROLLS:
        if not may_do(asked, board, player, dice, answer):
            continue
        for play in legal_plays(seen, dice):
            if play.hops and play.result not in known:
                known.add(play.result)
                after = view(play.result, player)
                if will_do(after):
                    yield play, dice, after
