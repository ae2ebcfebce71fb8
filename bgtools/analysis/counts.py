"""What can be counted without an engine: rolls, pips, hits, the cube, results.

The pips of a side are an account that must balance, and does in every game::

    end = start - moved + lost to hits + otherwise
    rolled = moved + unused + beyond + not played
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF
from bgtools.board.hopping import are_dice
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Resign, Take

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.board.board import Dice
    from bgtools.board.play import Hop
    from bgtools.replayer.turn import GameReplay, Turn


@dataclass(frozen=True, slots=True)
class Counts:
    """What one player did, in a game or in a match. Entries that the replay leaves out are not counted.

    Attributes:
        games: games played.
        started: games in which they rolled first.
        won: games won.
        gammons: games won as a gammon.
        backgammons: games won as a backgammon.
        points: points won, as far as they are known.
        rolls: rolls with dice.
        doubles_rolled: rolls that were doubles.
        dances: rolls lost with a checker on the bar.
        blocked: rolls lost without one.
        hits: blots hit.
        times_hit: own blots that were hit.
        entries: checkers entered from the bar.
        pips_rolled: pips of all rolls, a double counted as four numbers; the sum of those moved, unused, beyond and not
            played.
        pips_moved: pips moved by legal plays.
        pips_unused: pips of numbers that could not be played, those left over at the end of the game among them.
        pips_beyond: pips by which the numbers that bore checkers off exceeded the points they stood on.
        pips_not_played: pips of rolls whose play is illegal or not recorded, or that came as the game was given up.
        pips_lost: pips lost to hits.
        pips_start: pip counts at the start of the games, added up.
        pips_end: pip counts at the end of the games, added up.
        pips_otherwise: pips added by illegal plays and by boards that the record sets; negative for pips taken away.
        doubles: times they offered the centred cube.
        redoubles: times they offered their own cube.
        takes: doubles they took.
        passes: doubles they passed.
        beavers: doubles they doubled back at once, raccoons among them.
        resignations: games they gave up by an entry of the record that says so.
    """

    games: int = 0
    started: int = 0
    won: int = 0
    gammons: int = 0
    backgammons: int = 0
    points: int = 0
    rolls: int = 0
    doubles_rolled: int = 0
    dances: int = 0
    blocked: int = 0
    hits: int = 0
    times_hit: int = 0
    entries: int = 0
    pips_rolled: int = 0
    pips_moved: int = 0
    pips_unused: int = 0
    pips_beyond: int = 0
    pips_not_played: int = 0
    pips_lost: int = 0
    pips_start: int = 0
    pips_end: int = 0
    pips_otherwise: int = 0
    doubles: int = 0
    redoubles: int = 0
    takes: int = 0
    passes: int = 0
    beavers: int = 0
    resignations: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


def add_up(counts: Iterable[Counts]) -> Counts:
    """The counts of several games together."""
    return sum(counts, Counts())


def is_played(turn: Turn) -> bool:
    """Whether an entry belongs to the game: neither left out by the replay nor after the end."""
    return turn.reading != "left out" and not turn.is_surplus


def dice_of(turn: Turn) -> Dice | None:
    """The roll of an entry that belongs to the game; None for cube actions and impossible dice.

    A roll counts also where its play is illegal and the replay leaves it out.
    """
    entry = turn.entry
    if not isinstance(entry, CheckerPlay) or entry.dice is None or not are_dice(entry.dice) or turn.is_surplus:
        return None
    return entry.dice


def count_game(game: GameReplay) -> tuple[Counts, Counts]:
    """Count one game, by player."""
    tallies = (_CountTally(), _CountTally())
    pips: list[int] | None = None
    for turn in game.turns:
        own, other = tallies[turn.player], tallies[1 - turn.player]
        before, after = turn.before.pips, turn.after.pips
        if pips is None:
            own["pips_start"], other["pips_start"] = before
        else:
            # The replay may have changed the board between two entries, to go on.
            own["pips_otherwise"] += before[0] - pips[turn.player]
            other["pips_otherwise"] += before[1] - pips[1 - turn.player]
        pips = [after[0], after[1]] if turn.player == 0 else [after[1], after[0]]
        moved, taken = _count_turn(turn, own, other)
        own["pips_otherwise"] += after[0] - before[0] + moved
        other["pips_otherwise"] += after[1] - before[1] - taken
    first = next((turn.player for turn in game.turns if dice_of(turn) is not None), None)
    for player, tally in enumerate(tallies):
        tally["games"] = 1
        tally["started"] = int(player == first)
        tally["pips_end"] = pips[player] if pips else 0
        if player == game.winner:
            tally["won"] = 1
            tally["points"] = game.points or 0
            tally["gammons"] = int(game.level == 2)
            tally["backgammons"] = int((game.level or 0) > 2)
    return Counts(**tallies[0]), Counts(**tallies[1])


class _CountTally(dict[str, int]):
    """Counts that begin at nothing."""

    def __missing__(self, name: str) -> int:
        return 0


def _count_turn(turn: Turn, own: _CountTally, other: _CountTally) -> tuple[int, int]:
    """Count one entry. Gives the pips that its player moved, and those that the other player lost by hits."""
    if isinstance(turn.entry, CheckerPlay):
        return _count_roll(turn, own, other)
    if not is_played(turn):
        return 0, 0
    match turn.entry:
        case Double():
            own["doubles" if turn.state.cube.owner == "centre" else "redoubles"] += 1
        case Beaver():
            own["beavers"] += 1
        case Take():
            own["takes"] += 1
        case Drop():
            own["passes"] += 1
        case Resign():
            own["resignations"] += 1
        case _:
            pass
    return 0, 0


def _count_roll(turn: Turn, own: _CountTally, other: _CountTally) -> tuple[int, int]:
    dice = dice_of(turn)
    if dice is None:
        return 0, 0
    rolled = sum(dice) * (2 if dice[0] == dice[1] else 1)
    own["rolls"] += 1
    own["doubles_rolled"] += dice[0] == dice[1]
    own["pips_rolled"] += rolled
    if turn.play is None:
        own["pips_not_played"] += rolled
        return 0, 0
    hops = turn.play.hops
    if not hops:
        own["dances" if turn.before.mine[BAR] else "blocked"] += 1
    moved = sum(hop.start - hop.end for hop in hops)
    spent = pips_spent(dice, hops)
    own["pips_moved"] += moved
    own["pips_beyond"] += spent - moved
    own["pips_unused"] += rolled - spent
    own["entries"] += sum(hop.start == BAR for hop in hops)
    hits = [hop.end for hop in hops if hop.hit and hop.end != OFF]
    own["hits"] += len(hits)
    other["times_hit"] += len(hits)
    # The blot stood on my point p with 25 - p pips to go; from the bar it has 25.
    lost = sum(hits)
    other["pips_lost"] += lost
    return moved, lost


def pips_spent(dice: Dice, hops: Sequence[Hop]) -> int:
    """Pips of the numbers that a legal play used.

    A single hop used the number that is its length. Where neither number is, the hop bore a checker off with the higher
    one: if only one of two numbers can be played, it must be the higher (R10).
    """
    if dice[0] == dice[1]:
        return dice[0] * len(hops)
    if len(hops) == 1:
        length = hops[0].start - hops[0].end
        return length if length in dice else max(dice)
    return sum(dice) if hops else 0
