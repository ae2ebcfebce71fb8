"""What stands under the values of a position: choices that the engine cannot tell from each other."""

from __future__ import annotations

import pytest

from bgtools.analysis.errors import AS_GOOD
from bgtools.analysis.evaluation import Choice, Evaluation
from bgtools.engines.protocol import EXACT, CubeAnswer, Probabilities, Stamp
from bgtools.positions.notations import decode_id
from bgtools.reports.decision_text import evaluation_lines

START = decode_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10")
EVEN = Probabilities(0.5, 0.1, 0.0, 0.1, 0.0)
STAMP = Stamp("sage", "1", "quick", "Kazaross-XG2")
ALIKE = "as good as each other, as far as the engine can tell: "


def cube(no_double: float, take: float) -> Evaluation:
    answer = CubeAnswer(no_double, take, 1.0, EVEN, "3-ply", STAMP)
    best = max(no_double, min(take, 1.0))
    choices = (
        Choice("No double", no_double, best - no_double, None, EVEN, "3-ply"),
        Choice("Double", min(take, 1.0), best - min(take, 1.0), None, EVEN, "3-ply"),
    )
    return Evaluation(START, STAMP, "Double, take", choices, answer)


def plays(*losses: float, depth: str = "3-ply") -> Evaluation:
    choices = tuple(Choice(f"play {at}", 0.1 - loss, loss, None, EVEN, depth) for at, loss in enumerate(losses))
    return Evaluation(START, STAMP, "play 0", choices)


@pytest.mark.parametrize(
    ("evaluation", "alike"),
    [
        (cube(0.500, 0.503), "doubling and waiting"),
        (cube(0.500, 0.520), ""),
        (cube(0.500, 0.998), "take and pass"),
        (cube(0.998, 1.002), "doubling and waiting, take and pass"),
        (cube(1.200, 1.300), ""),
        (plays(0.0, 0.003, 0.02), "play 0, play 1"),
        (plays(0.0, AS_GOOD, 0.02), ""),
        (plays(0.0, 0.003, depth=EXACT), ""),
        (plays(0.0), ""),
    ],
)
def test_choices_that_the_engine_cannot_tell_apart_are_named(evaluation: Evaluation, alike: str) -> None:
    told = [line for line in evaluation_lines(evaluation) if line.startswith(ALIKE)]
    assert told == ([ALIKE + alike] if alike else [])
