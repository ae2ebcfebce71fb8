"""Slips of the doubling cube."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Entry, Take
from selfplay import other
from slips.plays import is_shut_out
from slips.sheet import Cell, cell_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.replayer.turn import Turn
    from slips.core import Bench, Slip
    from slips.sheet import Sheet


def _offer(bench: Bench, game: int, turn: Turn, at: int, note: str) -> Iterator[Slip]:
    """A double that may not be, put in as entry ``at``, before or behind the roll of ``turn``.

    Misread: nobody minded it, the rest is as if it had not been offered. Stood: it was taken, or
    dropped, and the cube counts.
    """
    doubler = bench.side
    value = 2 * turn.state.cube.value
    offer: tuple[Entry, ...] = (Double(player=doubler, value=value), Take(player=other(doubler)))
    place = (game, "cell", at)
    if not bench.stood:
        sheet = bench.sheet.copy()
        sheet.games[game].cells[at:at] = [Cell(entry.player, cell_text(entry)) for entry in offer]
        yield bench.slip(sheet, place, note=f"{note}; the rest as if it had not been", reading="misread")
        return
    table = bench.table(game, turn)
    if at > turn.index:
        table.board = turn.after if turn.player == 0 else turn.after.flipped()
        table.on_roll = other(turn.player)
    before = bench.entries(game)[:at]
    if at and bench.rng.random() < 0.25:
        drop = (offer[0], Drop(player=other(doubler)))
        sheet = bench.go_on(game, table, (*before, *drop), ended=(doubler, table.cube))
        yield bench.slip(sheet, place, note=f"{note}; it was dropped", reading="stood")
        return
    table.cube, table.owner = value, other(doubler)
    entries: Sequence[Entry] = (*before, *offer)
    if at == turn.index:
        # The roll that was due is the one of the record; nobody may double before it.
        assert isinstance(turn.entry, CheckerPlay)
        entries = (*entries, turn.entry)
        table.board = turn.after if turn.player == 0 else turn.after.flipped()
        if table.board.is_over:
            return
        table.on_roll = other(turn.player)
    sheet = bench.go_on(game, table, entries)
    yield bench.slip(sheet, place, note=f"{note}; it was taken", reading="stood")


def not_your_cube(bench: Bench) -> Iterator[Slip]:
    """A player doubles who does not own the cube."""
    for game, turn in bench.turns():
        if turn.state.cube.owner == "theirs" and _follows_a_roll(bench, game, turn):
            yield from _offer(bench, game, turn, turn.index, "double by the one who does not own the cube")


def _follows_a_roll(bench: Bench, game: int, turn: Turn) -> bool:
    return turn.index > 0 and isinstance(bench.entries(game)[turn.index - 1], CheckerPlay)


def before_opening(bench: Bench) -> Iterator[Slip]:
    """A double before the first roll."""
    for game, turn in bench.turns(either=True):
        if turn.index == 0 and turn.state.may_double and not bench.source.match.games[game].start:
            yield from _offer(bench, game, turn, 0, "double before the opening roll")


def after_roll(bench: Bench) -> Iterator[Slip]:
    """A player doubles after their own roll."""
    for game, turn in bench.turns():
        rest = bench.entries(game)[turn.index + 1 :]
        if not rest or not isinstance(rest[0], CheckerPlay) or is_shut_out(turn.after.flipped()):
            continue
        if turn.state.may_double and not turn.state.is_cube_dead:
            yield from _offer(bench, game, turn, turn.index + 1, "double after the roll")


def in_crawford(bench: Bench) -> Iterator[Slip]:
    """A double in the Crawford game."""
    for game, turn in bench.turns():
        if turn.state.crawford and game > 0 and _follows_a_roll(bench, game, turn):
            yield from _offer(bench, game, turn, turn.index, "double in the Crawford game")


def take_without_offer(bench: Bench) -> Iterator[Slip]:
    """A take, or a drop that ends nothing, without a double."""
    for game, turn in bench.turns(either=True):
        if not _follows_a_roll(bench, game, turn):
            continue
        word = bench.rng.choice((Take, Drop))
        sheet = bench.sheet.copy()
        sheet.games[game].cells.insert(turn.index, Cell(bench.side, cell_text(word(player=bench.side))))
        yield bench.slip(sheet, (game, "cell", turn.index), note=f"{word.__name__} without an offer")


def _doubles(bench: Bench, *, by: int | None = None) -> list[tuple[int, Turn]]:
    """The doubles of this side that were taken, in random order."""
    found = [
        (at, turn)
        for at, game in enumerate(bench.source.games)
        for turn in game.turns
        if isinstance(turn.entry, Double)
        and turn.player == (bench.side if by is None else by)
        and isinstance(bench.entries(at)[turn.index + 1], Take)
    ]
    bench.rng.shuffle(found)
    return found


def offer_without_answer(bench: Bench) -> Iterator[Slip]:
    """The take is left out."""
    for game, turn in _doubles(bench):
        sheet = bench.sheet.copy()
        sheet.games[game].cells.pop(turn.index + 1)
        places = ((game, "cell", turn.index + 1), (game, "cell", turn.index))
        yield bench.slip(sheet, *places, note="the take left out")


def wrong_value(bench: Bench) -> Iterator[Slip]:
    """The cube is offered at another value than twice the present one."""
    for game, turn in _doubles(bench):
        right = 2 * turn.state.cube.value
        value = bench.rng.choice([one for one in (2, 4, 8, 16, 32, 3) if one != right])
        if not bench.stood:
            yield replace(bench.rewrite(game, turn.index, f" Doubles => {value}"), reading="misread")
            continue
        answers: list[Entry] = [Double(player=turn.player, value=value), Take(player=other(turn.player))]
        if sheet := _as_turned(bench, game, turn, answers, value):
            yield bench.slip(sheet, (game, "cell", turn.index), note=f"the cube went to {value}", reading="stood")


def _as_turned(bench: Bench, game: int, turn: Turn, actions: Sequence[Entry], value: int) -> Sheet | None:
    """The match when these cube actions stood in place of the double and take at ``turn``, and the roll after them."""
    roll = bench.source.games[game].turns[turn.index + 2]
    table = bench.table(game, turn)
    table.cube, table.owner = value, other(turn.player)
    table.board = roll.after if roll.player == 0 else roll.after.flipped()
    table.on_roll = other(roll.player)
    if table.board.is_over:
        return None
    return bench.go_on(game, table, [*bench.entries(game)[: turn.index], *actions, roll.entry])


def _beavered(bench: Bench, game: int, turn: Turn, *, raccoon: bool) -> Iterator[Slip]:
    """A double of a match is answered with a beaver."""
    value = 4 * turn.state.cube.value
    answers: list[Entry] = [Beaver(player=other(turn.player), value=value)]
    if raccoon:
        answers.append(Beaver(player=turn.player, value=2 * value, raccoon=True))
    place = (game, "cell", turn.index + 1)
    note = "beaver and raccoon in a match" if raccoon else "beaver in a match"
    if not bench.stood:
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        cells[turn.index + 1 : turn.index + 2] = [Cell(entry.player, cell_text(entry)) for entry in answers]
        yield bench.slip(sheet, place, note=f"{note}; the rest as after a take", reading="misread")
        return
    if turned := _as_turned(bench, game, turn, [turn.entry, *answers], value * (2 if raccoon else 1)):
        yield bench.slip(turned, place, note=f"{note}; it counted", reading="stood")


def beaver_in_match(bench: Bench) -> Iterator[Slip]:
    """A beaver in a match."""
    if bench.source.match.length:
        for game, turn in _doubles(bench, by=other(bench.side)):
            yield from _beavered(bench, game, turn, raccoon=False)


def raccoon_in_match(bench: Bench) -> Iterator[Slip]:
    """A beaver and a raccoon in a match."""
    if bench.source.match.length:
        for game, turn in _doubles(bench, by=other(bench.side)):
            yield from _beavered(bench, game, turn, raccoon=True)


def beaver_by_doubler(bench: Bench) -> Iterator[Slip]:
    """The one who doubled beavers their own double, before it is taken."""
    if bench.source.match.length or not bench.source.match.rules.beavers:
        return
    for game, turn in _doubles(bench):
        sheet = bench.sheet.copy()
        entry = Beaver(player=bench.side, value=4 * turn.state.cube.value)
        sheet.games[game].cells.insert(turn.index + 1, Cell(bench.side, cell_text(entry)))
        yield bench.slip(sheet, (game, "cell", turn.index + 1), note="beaver by the doubler; then it was taken")


def holland_too_soon(bench: Bench) -> Iterator[Slip]:
    """With the Holland rule, a double after the Crawford game before each side has played two rolls."""
    rules = bench.source.match.rules
    if not getattr(rules, "holland", False):
        return
    crawford = next((at for at, game in enumerate(bench.source.games) if game.crawford), None)
    for game, turn in bench.turns():
        if crawford is not None and game > crawford and 1 <= turn.index <= 3 and turn.state.may_double:
            yield from _offer(bench, game, turn, turn.index, "double before each side played two rolls")
