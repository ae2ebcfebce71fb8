"""What cube actions cost, and by what name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.errors import THRESHOLDS, LossClass, Thresholds, judge_cube
from bgtools.engines.protocol import CubeAnswer, Probabilities, Stamp

if TYPE_CHECKING:
    from bgtools.analysis.errors import ThresholdsName

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
    assert judge_cube("beaver", answer, counters=1).loss == 0
    missed = judge_cube("take", answer, counters=1)
    assert missed.kind == "missed beaver"
    assert missed.loss == pytest.approx(0.3)
    wrong = judge_cube("beaver", _answer(0.5, 0.4), counters=1)
    assert wrong.kind == "wrong beaver"
    assert wrong.loss == pytest.approx(0.4)
    assert judge_cube("double", answer, counters=1).loss == pytest.approx(0.5)
    assert judge_cube("take", answer).loss == 0  # no beavers here


@pytest.mark.parametrize(
    ("kind", "taken", "loss", "error", "best"),
    [
        # The doubler after a beaver: 2 T for going on, 4 T for a raccoon, -2 for dropping.
        ("raccoon", 0.3, 0.0, "", "raccoon"),
        ("raccoon", -0.3, 0.6, "wrong raccoon", "take"),
        ("take beaver", 0.3, 0.6, "missed raccoon", "raccoon"),
        ("take beaver", -0.3, 0.0, "", "take"),
        ("take beaver", -1.2, 0.4, "wrong take", "pass"),
        ("pass beaver", -0.3, 1.4, "wrong pass", "take"),
        ("pass beaver", -1.2, 0.0, "", "pass"),
        # The beaverer after a raccoon: -4 T or -4.
        ("take raccoon", 1.2, 0.8, "wrong take", "pass"),
        ("pass raccoon", 0.3, 2.8, "wrong pass", "take"),
    ],
)
def test_raccoons(kind: str, taken: float, loss: float, error: str, best: str) -> None:
    answer = _answer(0.1, 2 * taken, beaver=True) if taken < 0 else _answer(0.1, taken)
    judged = judge_cube(kind, answer, counters=2)  # type: ignore[arg-type]
    assert judged.loss == pytest.approx(loss)
    assert (judged.kind, judged.best) == (error, best)


def test_a_raccoon_is_not_missed_where_none_are_played() -> None:
    assert judge_cube("take beaver", _answer(0.1, 0.3), counters=1).loss == 0


@pytest.mark.parametrize("kind", ["checker play", "resign", "accept"])
def test_what_is_no_cube_decision(kind: str) -> None:
    with pytest.raises(ValueError, match=kind):
        judge_cube(kind, _answer(0, 0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "losses", "classes"),
    [
        ("xg", (0.0199, 0.02, 0.0799, 0.08), ["", "error", "error", "blunder"]),
        ("gnubg", (0.0299, 0.03, 0.06, 0.12), ["", "doubtful", "bad", "very bad"]),
        ("gammonview", (0.0199, 0.02, 0.04, 0.08), ["", "inaccuracy", "error", "blunder"]),
    ],
)
def test_a_loss_on_the_threshold_belongs_to_the_class(
    name: ThresholdsName, losses: tuple[float, ...], classes: list[str]
) -> None:
    assert [THRESHOLDS[name].classify(loss) for loss in losses] == classes


def test_the_worse_of_two_classes() -> None:
    own = Thresholds("own", (LossClass("bad", 0.01), LossClass("awful", 0.03)))
    assert own.classify(0.03) == "awful"
    assert own.worst("awful", "bad") == own.worst("bad", "awful") == "awful"
    assert own.worst("", "bad") == "bad"
