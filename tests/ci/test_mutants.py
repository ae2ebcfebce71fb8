"""The script that plants faults: what it plants, where, and that a program with each of them is still Python."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from wasm_engine import module_of

ROOT = Path(__file__).parents[2]
mutants = module_of(ROOT / "tests" / "benchmarks" / "mutants.py")
SOURCE = b"""
LIMIT = 3 - 1  # beside functions nothing is planted

def most(values: list[int] | None, least: int = 1 - 2) -> int:
    if not values:
        return -1
    text = f"{values[0] + 1}"
    return max(value + least for value in values[1:] if value <= LIMIT)
"""


def test_a_fault_is_one_change_in_a_function() -> None:
    found = {(each.line, each.sort, each.old, each.new) for each in mutants.mutants_of("bgtools/x.py", SOURCE)}
    assert found == {
        (5, "a branch gone", "not values", "False"),
        (6, "a sign changed", "-1", "1"),
        (8, "a sign changed", "value + least", "value - least"),
        (8, "a bound moved", "1", "2"),
        (8, "a bound moved", "value <= LIMIT", "value < LIMIT"),
        (8, "a comparison turned", "value <= LIMIT", "value > LIMIT"),
    }
    for each in mutants.mutants_of("bgtools/x.py", SOURCE):
        assert ast.dump(ast.parse(each.planted(SOURCE))) != ast.dump(ast.parse(SOURCE))


@pytest.mark.thorough
def test_faults_are_spread_over_rooms_and_sorts_and_are_the_same_for_the_same_seed() -> None:
    chosen = mutants.choose(ROOT, 7, 40)
    assert chosen == mutants.choose(ROOT, 7, 40) != mutants.choose(ROOT, 8, 40)
    rooms = Counter(each.room for each in chosen)
    assert len(rooms) > 20
    assert max(rooms.values()) == 2
    assert {each.sort for each in chosen} == {*mutants.SORTS}
    for each in chosen:
        assert ast.parse(each.planted((ROOT / each.file).read_bytes()))
