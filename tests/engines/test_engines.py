"""What every engine's answers promise, and how an engine is chosen."""

from __future__ import annotations

import sys

import pytest

from bgtools import engines
from bgtools.engines.protocol import CubeAnswer, EngineUnavailable, Probabilities, Stamp

STAMP = Stamp("test", "1", "quick", "none")
EVEN = Probabilities(0.6, 0.2, 0.01, 0.1, 0.005)


def test_probabilities_flip_and_keep_their_equity() -> None:
    assert EVEN.equity == pytest.approx(0.2 + 0.1 + 0.005)
    assert EVEN.flipped().equity == pytest.approx(-EVEN.equity)
    assert EVEN.flipped().lose_gammon == EVEN.win_gammon


@pytest.mark.parametrize(
    ("no_double", "double_take", "action"),
    [
        (0.3, 0.1, "No double, take"),
        (0.5, 0.6, "Double, take"),
        (0.9, 1.2, "Double, pass"),
        (1.1, 1.4, "Too good to double, pass"),
    ],
)
def test_the_best_cube_action_is_named(no_double: float, double_take: float, action: str) -> None:
    answer = CubeAnswer(no_double, double_take, 1.0, EVEN, "1-ply", STAMP)
    assert answer.action == action
    assert answer.best == max(no_double, min(double_take, 1.0))


def test_unknown_engines_and_levels_name_those_that_exist() -> None:
    with pytest.raises(ValueError, match="sage"):
        engines.create("fruit")
    with pytest.raises(ValueError, match="quick, standard, deep"):
        engines.create("sage", "slow")  # type: ignore[arg-type]


def test_a_missing_package_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bgbot_cpp", None)
    with pytest.raises(EngineUnavailable, match="needs the package bgsage"):
        engines.create("sage", "quick")
