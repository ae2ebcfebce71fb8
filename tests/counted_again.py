"""What stands on a board, counted again in the plainest way, for tests of sentences and plans."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

from bgtools.board.board import BAR, OFF, Board
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import Probabilities
from support import board, scatter, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Dice

ALL_ROLLS: tuple[Dice, ...] = tuple(product(range(1, 7), range(1, 7)))
"""The 36 rolls."""


def hitting_rolls(seen: Board) -> int:
    """Rolls of 36 with a legal play that hits, hop by hop."""
    return sum(any(hop.hit for play in legal_plays(seen, roll) for hop in play.hops) for roll in ALL_ROLLS)


def blots_hit(seen: Board) -> int:
    places = {
        hop.end for roll in ALL_ROLLS for play in legal_plays(seen, roll) for hop in play.hops if hop.hit and hop.end
    }
    return len(places)


def dancing_rolls(seen: Board) -> int:
    """Rolls of 36 after which no checker has left the bar."""
    return sum(all(play.result.mine[BAR] == seen.mine[BAR] for play in legal_plays(seen, roll)) for roll in ALL_ROLLS)


def longest_row(seen: Board) -> int:
    """Points in a row with a checker of the other side behind them, trying every row."""
    best = 0
    for low in range(1, BAR):
        for high in range(low, BAR):
            made = all(seen.mine[point] >= 2 for point in range(low, high + 1))
            if made and any(seen.theirs[BAR - point] for point in range(low)):
                best = max(best, high - low + 1)
    return best


def finishing_rolls(seen: Board) -> int:
    return (
        sum(any(play.result.mine[OFF] == 15 for play in legal_plays(seen, roll)) for roll in ALL_ROLLS)
        if seen.mine[OFF] < 15
        else 0
    )


def spare(seen: Board) -> int:
    total = 0
    for point in range(7, 19):
        total += seen.mine[point] * (point - 6)
    for point in range(1, 7):
        total += (seen.mine[point] - 2) * (point - 1) if seen.mine[point] > 2 else 0
    return total


def mean_rolls_by_trying(side: tuple[int, ...]) -> float:
    """Mean rolls to bear off, by trying every play of every roll."""
    known: dict[tuple[int, ...], float] = {}

    def mean(side: tuple[int, ...]) -> float:
        if not any(side[1:]):
            return 0.0
        if side not in known:
            seen = Board(side, (15, *[0] * 25))
            total = 0.0
            for roll in ALL_ROLLS:
                total += min(mean(play.result.mine) for play in legal_plays(seen, roll))
            known[side] = 1 + total / 36
        return known[side]

    return mean(side)


def pairs(seed: int, count: int) -> Iterator[tuple[Board, Dice, Board, Board, str, str]]:
    """Positions with two legal plays of a roll: of games, and of boards that no game need have reached."""
    rng = random.Random(seed)
    boards = [seen for _ in range(3) for seen in walk(rng)] + [scatter(rng) for _ in range(count)]
    boards += [_ending(rng) for _ in range(count // 4)]
    for seen in rng.sample(boards, min(count, len(boards))):
        if any(sum(side) != 15 for side in (seen.mine, seen.theirs)) or seen.is_over:
            continue
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        plays = legal_plays(seen, dice)
        if len(plays) > 1:
            made, best = rng.sample(plays, 2)
            yield seen, dice, made.result, best.result, str(made), str(best)


def _ending(rng: random.Random) -> Board:
    """A few checkers a side without contact, not all of them home."""
    side = {point: rng.randint(1, 2) for point in rng.sample(range(1, 10), 2)}
    return board(side, dict.fromkeys(rng.sample(range(1, 7), 3), 1))


def random_chances(rng: random.Random) -> Probabilities:
    win = rng.uniform(0.4, 0.5)
    return Probabilities(win, rng.uniform(0.1, 0.15), 0.01, rng.uniform(0.1, 0.15), 0.01)
