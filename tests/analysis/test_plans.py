"""Plans: what the better play is said to be for is what the boards and the chances show, counted again."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools import read
from bgtools.analysis.lessons.plans import CUBE_PLANS, MOST_WORDS, PLAN, PLANS, plan_of
from bgtools.analysis.lessons.scene import scene_of
from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import BAR, OFF
from bgtools.board.generation import legal_plays
from bgtools.engines.registry import create
from bgtools.positions.position import Position
from counted_again import ALL_ROLLS, hitting_rolls, longest_row, mean_rolls_by_trying, pairs, random_chances
from lesson_rows import decision

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bgtools.analysis.rows import DecisionKind
    from bgtools.board.board import Board

ROOT = Path(__file__).parents[2]


def hit_on(before: Board, after: Board) -> set[int]:
    return {at for at in range(1, BAR) if before.theirs[BAR - at] == 1 and not after.theirs[BAR - at]}


def held(board: Board) -> set[int]:
    return {at for at in range(1, BAR) if board.mine[at] > 1}


def rolls_for(board: Board, point: int) -> int:
    return sum(any(play.result.mine[point] > 1 for play in legal_plays(board, roll)) for roll in ALL_ROLLS)


def shots_after(board: Board) -> int:
    return hitting_rolls(board.flipped())


def back(board: Board) -> int:
    return sum(board.mine[19:])


def bears(plan: str, before: Board, made: Board, best: Board, gains: Mapping[str, float]) -> bool:
    """Whether the boards and the chances, in points of a hundred, show what a plan says."""
    number = int((re.findall(r"\d+", plan) or ["0"])[0])
    mine, theirs = before.pips
    hits, others = hit_on(before, best), hit_on(before, made)
    contact = made.is_contact or best.is_contact
    trades: dict[str, tuple[str, str]] = {
        "risk games to win the gammon": ("win_gammon", "win"),
        "give up gammons to win more games": ("win", "win_gammon"),
        "save the gammon at the cost of games": ("lose_gammon", "win"),
        "win more games at the risk of gammons": ("win", "lose_gammon"),
    }
    if plan in trades:
        gained, given = trades[plan]
        return gains[gained] >= 1.5 and gains[given] <= -1.5
    point = {"is new": number in held(best) - held(made) - held(before), "is kept": number in held(best) - held(made)}
    rules: dict[str, Callable[[], bool]] = {
        "bear off more checkers": lambda: best.mine[OFF] > made.mine[OFF],
        "be off in fewer rolls": lambda: mean_rolls_by_trying(best.mine) < mean_rolls_by_trying(made.mine),
        "bring more checkers home": lambda: not contact and sum(best.mine[7:]) < sum(made.mine[7:]),
        "break contact, N pips ahead": lambda: made.is_contact and not best.is_contact and theirs - mine == number > 7,
        "keep contact, N pips behind": lambda: best.is_contact and not made.is_contact and mine - theirs == number > 7,
        "hit N checkers": lambda: len(hits) == number > len(others),
        "hit on the N-point": lambda: number in hits - others and len(hits) == len(others),
        "point on the blot": lambda: bool(hits & held(best) - held(made)),
        "hit, before the N-point is made": lambda: number in hits and not others and number < 8
        and rolls_for(made.flipped(), BAR - number) >= 8,
        "hit, and gain N pips in the race": lambda: bool(hits) and not others and best.pips[1] - theirs == number > 7,
        "hit": lambda: bool(hits) and not others,
        "leave no shot": lambda: shots_after(best) == 0 and shots_after(made) >= 6,
        "make the N-point anchor": lambda: point["is new"] and 18 < number < 24 and contact,
        "keep the N-point anchor": lambda: point["is kept"] and number in held(before) and number > 18 and contact,
        "make the N-point": lambda: point["is new"] and number < 19 and contact,
        "block with N points in a row": lambda: longest_row(best) == number > longest_row(made),
        "play safe": lambda: shots_after(made) - shots_after(best) >= 6,
        "keep the N-point": lambda: point["is kept"] and number in held(before) and contact,
        "get a checker out from behind": lambda: back(best) < back(made) and contact,
        "hit no checker, and leave fewer shots": lambda: bool(others) and not hits
        and shots_after(best) < shots_after(made),
        "slot the N-point": lambda: best.mine[number] == 1 and not before.mine[number] and not made.mine[number]
        and any(best.theirs[BAR - number + 1 :]),
        "split the back checkers": lambda: (before.mine[24], best.mine[24], made.mine[24]) == (2, 1, 2),
        "leave fewer shots": lambda: shots_after(best) < shots_after(made),
        "bring a checker into the zone": lambda: sum(best.mine[1:13]) > sum(made.mine[1:13]) and contact,
        "unstack the N-point": lambda: before.mine[number] >= 5 and best.mine[number] < made.mine[number],
        "win the gammon more often": lambda: gains["win_gammon"] >= 1.5,
        "lose the gammon less often": lambda: gains["lose_gammon"] >= 1.5,
    }  # fmt: skip
    return rules[re.sub(r"\d+", "N", plan)]()


def count_plans(seed: int, count: int) -> tuple[Counter[str], int]:
    """The plans of made-up errors on boards of games and on others, each held against the figures; and how many errors
    there were."""
    rng = random.Random(1000 + seed)
    told: Counter[str] = Counter()
    errors = 0
    for seen, dice, made, best, played, better in pairs(seed, count):
        chances = {name: random_chances(rng) for name in (played, better)}
        xgid = Position(seen, dice=dice).xgid
        scene = scene_of(decision(xgid, played, better, chances=chances, loss=0.1))
        assert scene is not None
        errors += 1
        plan = plan_of(scene)
        own, other = chances[better], chances[played]
        gains = {name: 100 * (getattr(own, name) - getattr(other, name)) for name in ("win", "win_gammon")}
        gains["lose_gammon"] = 100 * (other.lose_gammon - own.lose_gammon)
        if not plan:
            continue
        if plan == "be off in fewer rolls" and sum(made.mine[1:]) > 4:
            continue  # the plain way takes too long
        assert len(plan.split()) <= MOST_WORDS, plan
        assert max(gains.values()) >= 0.5
        assert bears(plan, seen, made, best, gains), (xgid, played, better, plan)
        told[re.sub(r"\d+", "N", plan)] += 1
    return told, errors


def test_no_plan_is_contradicted_by_the_figures() -> None:
    told, errors = count_plans(1, 130)
    assert sum(told.values()) > 60
    assert len(told) > 10
    assert errors > 100


@pytest.mark.thorough
def test_none_of_two_thousand_plans_is_contradicted() -> None:
    told: Counter[str] = Counter()
    seed = 2
    while sum(told.values()) < 2000:
        told += count_plans(seed, 300)[0]
        seed += 1
    names = {each for plan in PLANS for each in plan.name.split("; ")}
    assert set(told) <= names
    assert len(told) >= 25


@pytest.mark.parametrize(
    ("kind", "equities", "owner", "plan"),
    [
        ("no double", (0.5, 0.8, 1.0), 0, "double while the other player still takes"),
        ("no double", (0.8, 1.1, 1.0), 0, "double, and the other player should pass"),
        ("double", (0.5, 0.3, 1.0), 0, "keep the cube in the middle"),
        ("double", (0.5, 0.3, 1.0), 1, "keep the cube"),
        ("double", (1.2, 1.5, 1.0), 0, "play on for the gammon"),
    ],
)
def test_a_plan_with_the_cube(kind: DecisionKind, equities: tuple[float, ...], owner: int, plan: str) -> None:
    names = ("No double", "Double, take", "Double, pass")
    xgid = f"XGID=-b----E-C---eE---c-e----B-:{owner}:{owner}:1:00:0:0:0:0:10"
    played = "Double" if kind == "double" else "No double"
    best = "No double" if kind == "double" else "Double"
    row = decision(xgid, played, best, kind=kind, equities=dict(zip(names, equities, strict=True)), loss=0.1)
    scene = scene_of(row)
    assert scene is not None
    assert plan_of(scene) == plan
    assert plan in [text for text, _ in CUBE_PLANS]
    other = scene_of(replace(row, loss=0.0))
    assert other is not None
    assert plan_of(other) == ""


@pytest.mark.thorough
def test_the_reason_of_most_errors_begins_with_a_plan() -> None:
    """Of the errors of matches as people play them at least four of five have one; nothing else has."""
    seen = []
    for name in ("seven-point.mat", "money.mat"):
        rows = analyse(read(ROOT / "samples" / name), create("sage", "quick")).decisions
        assert not any(PLAN in row.sentence for row in rows if not row.error)
        seen += [row for row in rows if row.error]
    begun = [row for row in seen if row.sentence.startswith(PLAN)]
    assert len(seen) > 20
    assert len(begun) >= 0.8 * len(seen)
    assert all(len(row.sentence.removeprefix(PLAN).split(";")[0].split()) <= MOST_WORDS for row in begun)


def test_every_plan_has_its_words_and_its_definition() -> None:
    assert all(plan.definition.endswith(".") for plan in PLANS)
    assert all(len(each.split()) <= MOST_WORDS for plan in PLANS for each in plan.name.split("; "))
    assert all(len(text.split()) <= MOST_WORDS and told.endswith(".") for text, told in CUBE_PLANS)
