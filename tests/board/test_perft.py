"""Move generation proven: by counts, and against the generator of an engine that shares no code with ours."""

from __future__ import annotations

import os
import random
from concurrent.futures import ProcessPoolExecutor
from operator import sub
from typing import TYPE_CHECKING

import pytest

from bgtools.board.board import BAR, START, Board
from bgtools.board.generation import hits_of, legal_plays, perft
from support import ROLLS, some_or_all, spread

if TYPE_CHECKING:
    from bgtools.board.board import Dice

COUNTS = {1: 447, 2: 202_782, 3: 116_154_993}
"""Distinct results of the 21 rolls, unweighted, so many turns deep from the start."""


def frame(position: Board) -> tuple[int, ...]:
    """The engine's board: the other side's bar, the 24 points of the player on roll, their bar."""
    mine, theirs = position.mine, position.theirs
    return (theirs[BAR], *map(sub, mine[1:BAR], theirs[BAR - 1 : 0 : -1]), mine[BAR])


def test_the_counts_of_one_and_two_turns_are_those_that_two_generators_agree_on() -> None:
    assert [perft(START, depth) for depth in (1, 2)] == [COUNTS[1], COUNTS[2]]


def by_brute_force(position: Board, dice: Dice) -> set[Board]:
    """Every result, found without any shortcut: all sequences of hops, of which the longest count (R09, R10, R14)."""
    orders = [dice, dice[::-1]] if dice[0] != dice[1] else [dice * 2]
    sequences = [found for order in orders for found in _sequences(position, order)]
    finished = {board for _, board in sequences if board.is_over}
    longest = max(len(used) for used, _ in sequences)
    kept = [(used, board) for used, board in sequences if len(used) == longest]
    if longest == 1 and dice[0] != dice[1]:
        largest = max(used for used, _ in kept)
        kept = [(used, board) for used, board in kept if used == largest]
    return finished | {board for _, board in kept}


def _sequences(position: Board, order: tuple[int, ...]) -> list[tuple[tuple[int, ...], Board]]:
    """Every way to play numbers in this order, stopping anywhere, with the numbers used."""
    found: list[tuple[tuple[int, ...], Board]] = [((), position)]
    if not order:
        return found
    die, rest = order[0], order[1:]
    mine, theirs = position.mine, position.theirs
    for start in range(1, 26):
        end = start - die
        if not mine[start] or (mine[BAR] and start != BAR):
            continue
        if end <= 0:
            if any(mine[7:]) or (end < 0 and any(mine[start + 1 :])):
                continue
            end = 0
        elif theirs[BAR - end] >= 2:
            continue
        here, there = list(mine), list(theirs)
        here[start] -= 1
        here[end] += 1
        if end and there[BAR - end]:
            there[BAR] += 1
            there[BAR - end] = 0
        moved = Board(tuple(here), tuple(there))
        found += [((die, *used), board) for used, board in _sequences(moved, rest)]
    return found


@some_or_all(4)
def test_trying_every_sequence_of_hops_finds_the_same_results_R09_R10_R14(step: int) -> None:
    rng = random.Random(3)
    kinds = {"dance": 0, "one number": 0, "bear-off": 0, "bar": 0}
    for position in spread(3, 2_000 // step):
        dice = rng.choice(ROLLS)
        plays = legal_plays(position, dice)
        assert {play.result for play in plays} == by_brute_force(position, dice), (position, dice)
        kinds["dance"] += not plays[0].hops
        kinds["one number"] += len(plays[0].hops) == 1
        kinds["bear-off"] += any(play.result.mine[0] > position.mine[0] for play in plays)
        kinds["bar"] += position.mine[BAR] > 0
    # The positions are worth the trouble only if they hold the hard cases.
    assert min(kinds.values()) > 50 // step, kinds


@some_or_all(4)
def test_the_points_that_are_hit_are_those_of_all_legal_plays_R09_R10(step: int) -> None:
    rng = random.Random(5)
    kinds = {"one point": 0, "several points": 0, "one number": 0, "bar": 0, "doubles": 0}
    for position in spread(5, 4_000 // step):
        dice = rng.choice(ROLLS)
        plays = legal_plays(position, dice)
        blots = [point for point in range(1, BAR) if position.theirs[point] == 1]
        hit = {BAR - point for point in blots if any(not play.result.theirs[point] for play in plays)}
        assert hits_of(position, dice) == hit, (position, dice)
        kinds["one point"] += len(hit) == 1
        kinds["several points"] += len(hit) > 1
        if hit:
            kinds["one number"] += len(plays[0].hops) == 1
            kinds["bar"] += position.mine[BAR] > 0
            kinds["doubles"] += dice[0] == dice[1]
    assert min(kinds.values()) > 20 // step, kinds


@pytest.mark.parametrize("dice", [(0, 3), (7, 1)])
def test_a_die_has_six_sides(dice: Dice) -> None:
    for ask in (legal_plays, hits_of):
        with pytest.raises(ValueError, match="a die shows 1 to 6"):
            ask(START, dice)


def _perft_after(roll: Dice) -> int:
    return sum(perft(play.result.flipped(), 2) for play in legal_plays(START, roll))


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_the_count_of_three_turns() -> None:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        total = sum(pool.map(_perft_after, ROLLS))
    print(f"perft 3: {total:,}")
    assert total == COUNTS[3]


# --- agreement with an engine ---------------------------------------------------------------


def _disagreements(seed: int, count: int, *, rolls: int = 1) -> tuple[int, list[tuple[Board, Dice]]]:
    import bgsage

    rng = random.Random(seed)
    compared, wrong = 0, []
    for position in spread(seed, count):
        here = frame(position)
        for dice in rng.sample(ROLLS, rolls):
            # The engine gives no board for a dance, or the board as it is.
            theirs = set(map(tuple, bgsage.possible_moves(here, *dice))) or {here}
            ours = {frame(play.result) for play in legal_plays(position, dice)}
            compared += 1
            if ours != theirs:
                wrong.append((position, dice))
    return compared, wrong


@pytest.mark.thorough
def test_an_engine_finds_the_same_results_on_5_000_positions() -> None:
    pytest.importorskip("bgsage", reason="the engine bgsage is not installed")
    compared, wrong = _disagreements(5_000, 5_000)
    assert compared == 5_000
    assert wrong == []


@pytest.mark.thorough
def test_an_engine_finds_the_same_results_of_every_roll_on_10_000_positions() -> None:
    pytest.importorskip("bgsage", reason="the engine bgsage is not installed")
    compared, wrong = _disagreements(10_000, 10_000, rolls=len(ROLLS))
    assert compared == 210_000
    assert wrong == []


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("count", [100_000, 1_000_000], ids=["hundred-thousand", "million"])
def test_an_engine_finds_the_same_results_on_many_positions(count: int) -> None:
    pytest.importorskip("bgsage", reason="the engine bgsage is not installed")
    parts = 40
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(_disagreements, range(parts), [count // parts] * parts))
    total = sum(compared for compared, _ in answers)
    wrong = [case for _, cases in answers for case in cases]
    print(f"positions compared: {total:,}, different: {len(wrong)}")
    assert total == count
    assert wrong == []
