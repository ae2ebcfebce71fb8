"""What cube actions cost, and by what name."""

from __future__ import annotations

import pytest

from bgtools.analysis.errors import Thresholds, judge_cube
from bgtools.engines.protocol import CubeAnswer, Probabilities, Stamp

STAMP = Stamp("test", "1", "quick", "none")


def _answer(no_double: float, double_take: float, *, beaver: bool = False) -> CubeAnswer:
    return CubeAnswer(no_double, double_take, 1.0, Probabilities(0.5, 0, 0, 0, 0), "1-ply", STAMP, beaver)


@pytest.mark.parametrize(
    ("kind", "no_double", "double_take", "loss", "error", "detail", "best"),
    [
        ("no double", 0.5, 0.7, 0.2, "missed double", "below the cash point", "double"),
        ("no double", 0.8, 1.3, 0.2, "missed double", "above the cash point", "double"),
        ("no double", 0.5, 0.4, 0.0, "", "", "no double"),
        ("double", 0.5, 0.4, 0.1, "wrong double", "below the doubling point", "no double"),
        ("double", 1.2, 1.3, 0.2, "wrong double", "too good to double", "no double"),
        ("double", 0.5, 0.7, 0.0, "", "", "double"),
        ("take", 0.8, 1.3, 0.3, "wrong take", "", "pass"),
        ("take", 0.5, 0.7, 0.0, "", "", "take"),
        ("pass", 0.5, 0.7, 0.3, "wrong pass", "", "take"),
        ("pass", 0.8, 1.3, 0.0, "", "", "pass"),
    ],
)
def test_cube_actions(
    kind: str, no_double: float, double_take: float, loss: float, error: str, detail: str, best: str
) -> None:
    judged = judge_cube(kind, _answer(no_double, double_take))  # type: ignore[arg-type]
    assert judged.loss == pytest.approx(loss)
    assert (judged.kind, judged.detail, judged.best) == (error, detail, best)


def test_beavers() -> None:
    # Worth -0.3 to the doubler after a take, so -0.6 after a beaver.
    answer = _answer(-0.1, -0.6, beaver=True)
    assert judge_cube("beaver", answer, beavers=True).loss == 0
    missed = judge_cube("take", answer, beavers=True)
    assert missed.kind == "missed beaver"
    assert missed.loss == pytest.approx(0.3)
    wrong = judge_cube("beaver", _answer(0.5, 0.4), beavers=True)
    assert wrong.kind == "wrong beaver"
    assert wrong.loss == pytest.approx(0.4)
    assert judge_cube("double", answer, beavers=True).loss == pytest.approx(0.5)


def test_a_checker_play_is_no_cube_decision() -> None:
    with pytest.raises(ValueError, match="checker play"):
        judge_cube("checker play", _answer(0, 0))


def test_a_loss_on_the_threshold_belongs_to_the_class() -> None:
    assert [Thresholds().classify(loss) for loss in (0.0199, 0.02, 0.0799, 0.08)] == ["", "error", "error", "blunder"]
    strict = Thresholds("own", 0.01, 0.03)
    assert strict.classify(0.03) == "blunder"
