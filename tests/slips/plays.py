"""Slips in rolls, plays and the order of turns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF, rearmost
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import numbers
from bgtools.board.movement import forced
from bgtools.board.perspective import mirrored
from bgtools.board.play import HopText, PlayText
from bgtools.record.record import CheckerPlay, Take
from selfplay import other, text_of
from slips.core import Bench, Slip, is_illegal
from slips.sheet import Cell, roll_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.replayer.turn import Turn


def hops_of(turn: Turn) -> tuple[HopText, ...]:
    """The hops as written, one a number, hits unmarked."""
    assert isinstance(turn.entry, CheckerPlay)
    return tuple(HopText(hop.points, (False,)) for hop in turn.entry.text.hops)


def dice_of(turn: Turn) -> Dice:
    assert isinstance(turn.entry, CheckerPlay)
    assert turn.entry.dice is not None
    return turn.entry.dice


def hop(start: int, end: int) -> HopText:
    return HopText((start, end), (False,))


def is_blocked(turn: Turn, end: int) -> bool:
    return 0 < end < BAR and turn.before.theirs[mirrored(end)] > 1


def is_shut_out(board: Board) -> bool:
    """Whether the player on roll can enter with no roll, so that their turns may be left out."""
    return board.mine[BAR] > 0 and all(board.theirs[point] > 1 for point in range(1, 7))


def _written(bench: Bench, game: int, turn: Turn, hops: Sequence[HopText], dice: Dice | None = None) -> Iterator[Slip]:
    """The slip of hops written, or played, instead of the true ones; nothing when they are legal."""
    roll = dice or dice_of(turn)
    if not is_illegal(turn, roll, hops):
        return
    result = forced(turn.before, hops)
    text = roll_text(roll, hops)
    if not bench.stood:
        yield bench.rewrite(game, turn.index, text, reading=bench.written_reading(game, turn, result))
    elif result is not None:
        entry = CheckerPlay(player=turn.player, dice=roll, text=PlayText("moves" if hops else "nothing", tuple(hops)))
        yield from bench.stand(game, turn, entry, result, f"{text} was played")


def _changed(hops: Sequence[HopText], at: int, new: HopText) -> tuple[HopText, ...]:
    return (*hops[:at], new, *hops[at + 1 :])


def _left_for(turn: Turn, hops: Sequence[HopText], at: int) -> list[int]:
    """How many checkers stand on each point that the hops but this one leave alone."""
    left = list(turn.before.mine)
    for index, one in enumerate(hops):
        if index != at:
            left[one.points[0]] -= 1
    return left


# --- the roll -------------------------------------------------------------------------------


def wrong_die(bench: Bench) -> Iterator[Slip]:
    """One number of the roll is misread."""
    for game, turn in bench.turns():
        hops, dice = hops_of(turn), dice_of(turn)
        at, new = bench.rng.randrange(2), bench.rng.randint(1, 6)
        roll = (new, dice[1]) if at == 0 else (dice[0], new)
        if not hops or sorted(roll) == sorted(dice) or (turn.roll == 0 and roll[0] == roll[1]):
            continue
        yield from _written(bench, game, turn, hops, roll)


def impossible_die(bench: Bench) -> Iterator[Slip]:
    """A die shows 0, or more than 6."""
    for game, turn in bench.turns():
        hops, dice = hops_of(turn), dice_of(turn)
        new = bench.rng.choice((0, 7, 7, 8, 9))
        roll = (new, dice[1]) if bench.rng.random() < 0.5 else (dice[0], new)
        if hops:
            yield bench.rewrite(game, turn.index, roll_text(roll, hops))


def opening_double(bench: Bench) -> Iterator[Slip]:
    """The first roll of a game is a double."""
    for game, turn in bench.turns():
        if turn.roll or bench.source.match.games[game].start:
            continue
        number = bench.rng.choice(dice_of(turn))
        if not bench.stood:
            yield from _written(bench, game, turn, hops_of(turn), (number, number))
            continue
        play = bench.rng.choice(legal_plays(turn.before, (number, number)))
        entry = CheckerPlay(player=turn.player, dice=(number, number), text=text_of(play))
        for slip in bench.stand(game, turn, entry, play.result, f"opening with {number}{number}"):
            yield replace(slip, reading="")


# --- the play -------------------------------------------------------------------------------


def wrong_number(bench: Bench) -> Iterator[Slip]:
    """A hop goes a number of pips that was not rolled."""
    for game, turn in bench.turns():
        hops, dice = hops_of(turn), dice_of(turn)
        if not hops:
            continue
        first, second = dice
        sums = {first * n for n in range(1, 5)} if first == second else {first, second, first + second}
        at = bench.rng.randrange(len(hops))
        start = hops[at].points[0]
        end = hops[at].points[1] + bench.rng.choice((-2, -1, 1, 2, 10, -10))
        if not 1 <= end < start or start - end in sums or is_blocked(turn, end) or not turn.before.mine[start]:
            continue
        yield from _written(bench, game, turn, _changed(hops, at, hop(start, end)))


def blocked_point(bench: Bench) -> Iterator[Slip]:
    """A hop of the right length lands on a point that the other player holds."""
    for game, turn in bench.turns():
        hops = hops_of(turn)
        if not hops:
            continue
        mine = turn.before.mine
        at = bench.rng.randrange(len(hops))
        die = hops[at].points[0] - hops[at].points[1]
        left = _left_for(turn, hops, at)
        starts = [BAR] if mine[BAR] else [point for point in range(24, 0, -1) if left[point] > 0]
        ends = [(start, start - die) for start in starts if is_blocked(turn, start - die)]
        if ends and (not mine[BAR] or hops[at].points[0] == BAR):
            yield from _written(bench, game, turn, _changed(hops, at, hop(*bench.rng.choice(ends))))


def no_checker(bench: Bench) -> Iterator[Slip]:
    """A hop of the right length starts where the player has no checker."""
    for game, turn in bench.turns():
        hops, mine = hops_of(turn), turn.before.mine
        if not hops or mine[BAR]:
            continue
        at = bench.rng.randrange(len(hops))
        die = hops[at].points[0] - hops[at].points[1]
        reached = {one.points[1] for one in hops}
        starts = [
            start
            for start in range(24, die, -1)
            if not mine[start] and start not in reached and not is_blocked(turn, start - die)
        ]
        if starts and hops[at].points[1] != OFF:
            start = bench.rng.choice(starts)
            yield from _written(bench, game, turn, _changed(hops, at, hop(start, start - die)))


def _walk(bench: Bench, turn: Turn, dice: Sequence[int], points: range) -> tuple[HopText, ...]:
    """Hops of one's other checkers with these numbers, each possible by itself."""
    mine = list(turn.before.mine)
    hops: list[HopText] = []
    for die in dice:
        starts = [at for at in points if mine[at] and at - die >= 1 and not is_blocked(turn, at - die)]
        if not starts:
            break
        start = bench.rng.choice(starts)
        mine[start] -= 1
        mine[start - die] += 1
        hops.append(hop(start, start - die))
    return tuple(hops)


def bar_ignored(bench: Bench) -> Iterator[Slip]:
    """Other checkers move while one is on the bar and could enter."""
    for game, turn in bench.turns():
        if turn.before.mine[BAR] and hops_of(turn):
            dice = numbers(dice_of(turn))
            hops = _walk(bench, turn, dice, range(1, BAR))
            if len(hops) == len(dice):
                yield from _written(bench, game, turn, hops)


def _can_be_made(turn: Turn, hops: Sequence[HopText]) -> bool:
    """Whether hops of rolled numbers can be made one after the other, whatever else the roll asks for."""
    mine = list(turn.before.mine)
    for one in hops:
        start, end = one.points
        if not mine[start] or (mine[BAR] and start != BAR) or is_blocked(turn, end):
            return False
        if end == OFF and (any(mine[7:]) or (start not in dice_of(turn) and any(mine[start + 1 :]))):
            return False
        mine[start] -= 1
        mine[end] += 1
    return True


def die_unplayed(bench: Bench) -> Iterator[Slip]:
    """A number is not played although it could be."""
    for game, turn in bench.turns():
        hops = hops_of(turn)
        if len(hops) < 2:
            continue
        at = bench.rng.randrange(len(hops))
        if _can_be_made(turn, left := hops[:at] + hops[at + 1 :]):
            yield from _written(bench, game, turn, left)


def larger_die(bench: Bench) -> Iterator[Slip]:
    """Of two numbers only one can be played, and it is the smaller that was."""
    for game, turn in bench.turns():
        dice, plays = dice_of(turn), legal_plays(turn.before, dice_of(turn))
        small = min(dice)
        if len(plays[0].hops) != 1 or dice[0] == dice[1] or plays[0].hops[0].start - plays[0].hops[0].end <= small:
            continue
        mine = turn.before.mine
        starts = [BAR] if mine[BAR] else [at for at in range(24, small, -1) if mine[at]]
        for start in starts:
            if not is_blocked(turn, start - small):
                yield from _written(bench, game, turn, (hop(start, start - small),))


def false_dance(bench: Bench) -> Iterator[Slip]:
    """Nothing is played although a play existed."""
    for game, turn in bench.turns():
        hops, dice = hops_of(turn), dice_of(turn)
        rest = bench.entries(game)[turn.index + 1 :]
        # A single possible play may be left to the reader, and a last roll to a resignation.
        if not hops or len(legal_plays(turn.before, dice)) < 2 or not rest:
            continue
        if not bench.stood:
            text = f"{roll_text(dice, ())}{bench.rng.choice(('', ' Cannot Move'))}"
            yield bench.rewrite(game, turn.index, text, reading=bench.written_reading(game, turn, turn.before))
        else:
            entry = CheckerPlay(player=turn.player, dice=dice, text=PlayText("nothing"))
            yield from bench.stand(game, turn, entry, turn.before, f"{roll_text(dice, ())} was passed")


def play_on_dance(bench: Bench) -> Iterator[Slip]:
    """Something is played although nothing can be."""
    for game, turn in bench.turns():
        dice = dice_of(turn)
        if hops_of(turn) or legal_plays(turn.before, dice)[0].hops:
            continue
        enter = tuple(hop(BAR, BAR - die) for die in numbers(dice)[: turn.before.mine[BAR]])
        ways = [_walk(bench, turn, numbers(dice), range(1, BAR))]
        if not bench.stood:
            ways.append(enter)
        if hops := bench.rng.choice(ways):
            yield from _written(bench, game, turn, hops)


def too_early(bench: Bench) -> Iterator[Slip]:
    """A checker is borne off while another is not home."""
    for game, turn in bench.turns():
        hops, mine = hops_of(turn), turn.before.mine
        if not hops or mine[BAR] or rearmost(mine) <= 6:
            continue
        for at in range(len(hops)):
            die = hops[at].points[0] - hops[at].points[1]
            leaving = sum(one.points[0] == die for one in hops)
            if die <= 6 and mine[die] > leaving and hops[at].points[1] != OFF:
                yield from _written(bench, game, turn, _changed(hops, at, hop(die, OFF)))


def higher_checker(bench: Bench) -> Iterator[Slip]:
    """A checker is borne off with a larger number while one stands higher."""
    for game, turn in bench.turns():
        hops, mine, dice = hops_of(turn), turn.before.mine, dice_of(turn)
        if not hops or rearmost(mine) > 6 or len(hops) != len(numbers(dice)):
            continue
        at = bench.rng.randrange(len(hops))
        die = hops[at].points[0] - hops[at].points[1]
        if die not in dice:
            continue
        left = _left_for(turn, hops, at)
        lower = [point for point in range(1, min(die, rearmost(mine))) if left[point] > 0]
        if lower:
            yield from _written(bench, game, turn, _changed(hops, at, hop(bench.rng.choice(lower), OFF)))


def backwards(bench: Bench) -> Iterator[Slip]:
    """A hop is written, or played, the wrong way round."""
    for game, turn in bench.turns():
        hops = hops_of(turn)
        ways = [at for at, one in enumerate(hops) if one.points[0] != BAR and one.points[1] != OFF]
        if ways:
            at = bench.rng.choice(ways)
            start, end = hops[at].points
            yield from _written(bench, game, turn, _changed(hops, at, hop(end, start)))


def _one_more(bench: Bench, *, doubles: bool) -> Iterator[Slip]:
    for game, turn in bench.turns():
        hops, dice = hops_of(turn), dice_of(turn)
        if (dice[0] == dice[1]) is not doubles or len(hops) != len(numbers(dice)):
            continue
        after = turn.after.mine
        die = bench.rng.choice(dice)
        starts = [at for at in range(24, die, -1) if after[at] and not is_blocked(turn, at - die)]
        if starts and not after[BAR]:
            start = bench.rng.choice(starts)
            yield from _written(bench, game, turn, (*hops, hop(start, start - die)))


def five_hops(bench: Bench) -> Iterator[Slip]:
    """A double is played five times."""
    yield from _one_more(bench, doubles=True)


def three_hops(bench: Bench) -> Iterator[Slip]:
    """Three numbers are played with a roll of two."""
    yield from _one_more(bench, doubles=False)


# --- the order of turns ---------------------------------------------------------------------


def turn_missing(bench: Bench) -> Iterator[Slip]:
    """A turn is left out: its cell is blank, or the next ones move up and change sides."""
    for game, turn in bench.turns():
        entries = bench.entries(game)
        at = turn.index
        if not 0 < at < len(entries) - 1 or is_shut_out(turn.before):
            continue
        after = entries[at + 1]
        if not isinstance(after, CheckerPlay) or not isinstance(entries[at - 1], CheckerPlay | Take):
            continue
        if bench.stood:
            before = entries[at - 1]
            if not isinstance(before, CheckerPlay):
                continue
            # The other player rolls twice, and the game goes on from there.
            table = bench.table(game, turn)
            table.on_roll = other(turn.player)
            dice = bench.rng.choice(((6, 1), (5, 2), (4, 3)))
            play = bench.rng.choice(legal_plays(table.view(table.on_roll), dice))
            table.board = play.result if table.on_roll == 0 else play.result.flipped()
            if table.board.is_over:
                continue
            entry = CheckerPlay(player=table.on_roll, dice=dice, text=text_of(play))
            table.on_roll = turn.player
            sheet = bench.go_on(game, table, [*entries[:at], entry])
            yield bench.slip(sheet, (game, "cell", at), note="one player rolled twice")
            continue
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        gone = cells.pop(at)
        note = f"{gone.text} left out"
        if bench.rng.random() < 0.4:
            note += ", the rest moved up"
            for cell in cells[at:]:
                cell.player = other(cell.player)
        yield bench.slip(sheet, (game, "cell", at), note=note)


def turn_doubled(bench: Bench) -> Iterator[Slip]:
    """A turn, or a whole row, is written twice."""
    for game, turn in bench.turns():
        entries, at = bench.entries(game), turn.index
        if at + 1 >= len(entries) or not isinstance(entries[at + 1], CheckerPlay):
            continue
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        if bench.rng.random() < 0.5:
            if is_shut_out(turn.after.flipped()):
                continue
            cells.insert(at + 1, Cell(turn.player, cells[at].text))
            yield bench.slip(sheet, (game, "cell", at + 1), note=f"{cells[at].text} twice")
        elif at >= 1 and isinstance(entries[at - 1], CheckerPlay) and entries[at - 1].player != turn.player:
            # The two turns just played, once more.
            board = turn.after if turn.player == 0 else turn.after.flipped()
            if bench.replays(board, (*entries[at - 1 : at + 1], *entries[at + 1 :])):
                continue
            again = [Cell(cell.player, cell.text) for cell in cells[at - 1 : at + 1]]
            cells[at + 1 : at + 1] = again
            places = ((game, "cell", at + 1), (game, "cell", at + 2))
            if bench.replays(board, entries[at - 1 : at]):
                places = places[::-1]
            yield bench.slip(
                sheet, *places, note=f"{again[0].text} and {again[1].text} twice",
                codes=("BG202", "BG203", "BG204", "BG209", "BG212", "BG213", "BG221"),
            )  # fmt: skip


def columns_swapped(bench: Bench) -> Iterator[Slip]:
    """The cells of a row stand in each other's column."""
    for game, turn in bench.turns(either=True):
        entries, at = bench.entries(game), turn.index
        if turn.player != 0 or at + 1 >= len(entries) or not isinstance(entries[at + 1], CheckerPlay):
            continue
        first, second = entries[at], entries[at + 1]
        assert isinstance(first, CheckerPlay)
        assert isinstance(second, CheckerPlay)
        if at == 0 or roll_text(first.dice or (1, 1), ()) == roll_text(second.dice or (1, 1), ()):
            continue
        swapped = (replace(second, player=0), replace(first, player=1))
        board = turn.before
        if bench.replays(board, (*swapped, *entries[at + 2 :])):
            continue
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        cells[at].text, cells[at + 1].text = cells[at + 1].text, cells[at].text
        places = ((game, "cell", at), (game, "cell", at + 1))
        yield bench.slip(sheet, *places, note=f"{cells[at + 1].text} and {cells[at].text} exchanged")


def columns_swapped_from_here(bench: Bench) -> Iterator[Slip]:
    """From a row to the end of the game everything is in the other column."""
    for game, turn in bench.turns(either=True):
        entries, at = bench.entries(game), turn.index
        if not 4 <= at < len(entries) - 4 or is_shut_out(turn.before):
            continue
        if not isinstance(entries[at - 1], CheckerPlay) or turn.player == bench.side:
            continue
        sheet = bench.sheet.copy()
        for cell in sheet.games[game].cells[at:]:
            cell.player = other(cell.player)
        yield bench.slip(sheet, (game, "cell", at), note="the other columns from here to the end of the game")


def after_the_end(bench: Bench) -> Iterator[Slip]:
    """A roll follows after the last checker was borne off."""
    for at, game in enumerate(bench.source.games):
        if game.ending != "borne off" or game.winner == bench.side:
            continue
        last = game.turns[-1]
        dice = bench.rng.choice(((6, 1), (5, 2), (4, 3), (6, 5)))
        play = bench.rng.choice(legal_plays(last.after.flipped(), dice))
        entry = CheckerPlay(player=bench.side, dice=dice, text=text_of(play))
        sheet = bench.sheet.copy()
        cells = sheet.games[at].cells
        cells.append(Cell(bench.side, roll_text(dice, entry.text.hops)))
        yield bench.slip(sheet, (at, "cell", len(cells) - 1), note="a roll after fifteen off")
