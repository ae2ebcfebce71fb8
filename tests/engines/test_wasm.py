"""The engine as a WebAssembly module gives the values of bgsage's wheel, and its endings those of NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bgtools.bearoff import kernel
from bgtools.bearoff.endings import BearoffSolver, Ending, is_ending
from bgtools.board.board import Board
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from wasm_engine import TOLERANCE, built_engine, needs_compiler

pytestmark = [needs_compiler, pytest.mark.timeout(600), pytest.mark.xdist_group("wasm")]

START = Ruleset().start
SAMPLES = Path(__file__).parents[2] / "samples"


@cache
def sage() -> Any:
    """The module, open; it is not put in the place of bgsage."""
    import json

    from bgtools.engines.sage.wasm import open_module
    from bgtools.engines.sage.wasmtime_machine import WasmtimeMachine

    folder = built_engine()
    contents = json.loads((folder / "sage.json").read_text(encoding="utf-8"))
    assert (contents["licence"], contents["engine"]) == ("MPL-2.0", "bgsage")
    return open_module(
        WasmtimeMachine((folder / "sage.wasm").read_bytes()), contents, (folder / "sage.bin").read_bytes()
    )


def side(random: Random, furthest: int, most: int) -> tuple[int, ...]:
    counts = [0] * 26
    for _ in range(random.randint(1, most)):
        counts[random.randint(1, furthest)] += 1
    counts[0] = 15 - sum(counts)
    return tuple(counts)


def some_endings(number: int) -> list[tuple[Board, MatchState]]:
    """Races of all kinds: few checkers and many, at home and far off, where a gammon may be lost, at many scores."""
    random = Random(number)
    found: list[tuple[Board, MatchState]] = []
    while len(found) < number:
        furthest = random.choice((3, 6, 6, 9, 12, 18))
        one, two = side(random, furthest, random.choice((4, 15))), side(random, 6, random.choice((4, 15)))
        if random.random() < 0.2:
            one = (0, *side(random, furthest, 1)[1:])
            one = (0, 15 - sum(one[1:]) + one[1], *one[2:])
        board = Board(*((one, two) if random.random() < 0.5 else (two, one)))
        if not is_ending(board):
            continue
        length = random.choice((0, 3, 5, 7))
        value = random.choice((1, 2, 4))
        owner = random.choice(("mine", "theirs")) if value > 1 else "centre"
        score = (random.randrange(length), random.randrange(length)) if length else (0, 0)
        rules = Ruleset(crawford=bool(length), jacoby=not length)
        found.append((board, MatchState(length=length, score=score, cube=Cube(value, owner), rules=rules)))  # type: ignore[arg-type]
    return found


def figures(value: Ending | None) -> list[float]:
    if value is None:
        return []
    return [value.no_double, 9.0 if value.double_take is None else value.double_take, *value.chances, value.is_exact]


def test_endings_have_the_values_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    from bgtools.engines.sage.wasm import WasmKernel

    module = sage()
    plain = BearoffSolver(default())
    monkeypatch.setattr(kernel, "_makers", [lambda: WasmKernel(module)])
    ours = BearoffSolver(default())
    kinds = {"exact": 0, "near": 0, "gammon": 0, "none": 0}
    for board, state in some_endings(400):
        for at_sight in (False, True):
            one, two = (each.value(board, state, at_sight=at_sight) for each in (plain, ours))
            assert figures(two) == pytest.approx(figures(one), abs=1e-7), (board, state)
            kind = "none" if one is None else "exact" if one.is_exact else "gammon" if any(one.chances[3:]) else "near"
            kinds[kind] += 1
    assert min(kinds.values()) > 1, kinds


def test_home_boards_take_as_many_rolls() -> None:
    from bgtools.bearoff.one_sided import course, means

    found = [sage().machine.call("mean_rolls", number) for number in range(0, 54_264, 7)]
    assert found == pytest.approx(means()[::7].tolist(), abs=1e-12)
    from bgtools.engines.sage.wasm import WasmKernel

    wasm = WasmKernel(sage())
    for number in range(5, 54_264, 997):
        assert wasm.chances_of_rolls(number) == pytest.approx(course().chances[number].tolist(), abs=1e-7)


def test_plays_and_cubes_have_the_values_of_the_wheel() -> None:
    cpp = pytest.importorskip("bgbot_cpp", reason="bgsage is not installed")
    from bgsage import weights as models

    from bgtools.board.generation import legal_plays
    from bgtools.engines.sage.frame import board_of
    from bgtools.engines.sage.wasm import bgsage_module

    wasm = bgsage_module(sage(), "")
    model = models.default_weights()
    table = cpp.BearoffDB()
    table.load(models.bearoff_db_path())
    network = cpp.BearoffStrategy(
        cpp.create_strategy(model.strategy_type, model.weight_paths_list, model.hidden_sizes_list), table
    )
    random, board, compared = Random(5), START, 0
    for _ in range(60):
        dice = (random.randint(1, 6), random.randint(1, 6))
        plays = legal_plays(board, dice)
        before = board_of(board)
        moves = cpp.possible_moves(before, *dice)
        assert wasm.possible_moves(before, *dice) == moves
        items = [(each, cpp.CubeOwner.CENTERED, 1, 5, 3, False) for each in moves]
        ours = [(each, wasm.CubeOwner.CENTERED, 1, 5, 3, False) for each in moves]
        theirs = cpp.batch_evaluate_post_move(items, network, 1, jacoby=False) if moves else []
        found = wasm.batch_evaluate_post_move(ours, wasm.create_strategy(), 1, jacoby=False) if moves else []
        for one, two in zip(theirs, found, strict=True):
            assert two["cubeful_equity"] == pytest.approx(one["cubeful_equity"], abs=TOLERANCE)
            assert two["probs"] == pytest.approx(list(one["probs"]), abs=TOLERANCE)
            compared += 1
        (one,) = cpp.batch_evaluate_positions([(before, 1, cpp.CubeOwner.CENTERED)], network, 1)
        (two,) = wasm.batch_evaluate_positions([(before, 1, wasm.CubeOwner.CENTERED)], wasm.create_strategy(), 1)
        for name in ("equity_nd", "equity_dt", "equity_dp"):
            assert two[name] == pytest.approx(one[name], abs=TOLERANCE)
        board = random.choice(plays).result.flipped()
        if board.is_over:
            board = START
    assert compared > 300


@pytest.mark.skipif(TOLERANCE > 1e-4, reason="the wheel for this processor has other values")
def test_the_engine_of_a_folder_stands_in_for_bgsage(tmp_path: Path) -> None:
    """A report by it has the ratings of one by the wheel, to the digit that is printed."""
    pytest.importorskip("bgbot_cpp", reason="bgsage is not installed")
    record = str(SAMPLES / "money.mat")
    command = [sys.executable, "-m", "bgtools", "blunders", record, "--level", "quick", "--top", "40"]
    printed: list[str] = []
    for folder in ("", str(built_engine())):
        environment = {
            **os.environ,
            "BGTOOLS_SAGE_WASM": folder,
            "BGTOOLS_CACHE": str(tmp_path / str(len(printed))),
        }
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        printed.append(done.stdout)
    assert printed[0]
    assert printed[1] == printed[0]


def test_a_folder_without_the_engine_is_refused_in_words(tmp_path: Path) -> None:
    for contents in (None, "{", '{"parts": {}, "planes": 4, "networks": [], "hidden": [], "version": "1"}'):
        if contents is not None:
            (tmp_path / "sage.json").write_text(contents, encoding="utf-8")
            (tmp_path / "sage.bin").write_bytes(b"")
            (tmp_path / "sage.wasm").write_bytes((built_engine() / "sage.wasm").read_bytes())
        done = subprocess.run(
            [sys.executable, "-m", "bgtools", "report", str(SAMPLES / "money.mat"), "-o", "r", "--level", "quick"],
            cwd=tmp_path, env={**os.environ, "BGTOOLS_SAGE_WASM": str(tmp_path)}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert "the engine of BGTOOLS_SAGE_WASM cannot be read" in done.stderr
        assert "Traceback" not in done.stderr


def test_what_the_module_throws_is_an_exception() -> None:
    from bgtools.engines.sage.wasm import EngineFailed

    with pytest.raises(EngineFailed, match="size"):
        sage().run("network", 0, 3)
