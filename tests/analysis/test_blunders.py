"""The worst decisions of many matches: which are taken, and in which order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.analysis.blunders import Blunder, DecisionFilter, expected_loss, worst_of
from bgtools.analysis.rows import ChoiceRow
from lesson_rows import decision

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
REPLY = "XGID=-b----E-C---dE---d-e----B-:0:0:1:64:0:0:0:7:10"
ROW = decision(OPENING, "24/20", "8/5 6/5", loss=0.12, error="blunder", name="Ann", phase="opening")


def blunder(**more: object) -> Blunder:
    return Blunder("a.mat", 1, ("Ann", "Bob"), replace(ROW, **more))  # type: ignore[arg-type]


def choices(*losses: float) -> tuple[ChoiceRow, ...]:
    return tuple(ChoiceRow(rank, False, str(rank), -loss, loss, "1-ply") for rank, loss in enumerate(losses, 1))


@pytest.mark.parametrize(
    ("wanted", "more", "has"),
    [
        (DecisionFilter(), {}, True),
        (DecisionFilter(), {"loss": 0.019}, False),
        (DecisionFilter(min_loss=0), {"loss": 0.0}, False),
        (DecisionFilter(min_loss=0), {"loss": None}, False),
        (DecisionFilter(players=("ann",)), {}, True),
        (DecisionFilter(players=("Bob", "Carl")), {}, False),
        (DecisionFilter(themes=("blitz", "slot")), {"themes": ("slot", "split")}, True),
        (DecisionFilter(themes=("blitz",)), {"themes": ("slot",)}, False),
        (DecisionFilter(phases=("race",)), {}, False),
        (DecisionFilter(phases=("race", "opening")), {}, True),
        (DecisionFilter(cube=True), {}, False),
        (DecisionFilter(cube=True), {"kind": "pass"}, True),
        (DecisionFilter(cube=False), {"kind": "pass"}, False),
        (DecisionFilter(confirmed=True), {}, False),
        (DecisionFilter(confirmed=True), {"verdict": "confirmed", "rollout_loss": 0.1}, True),
        (DecisionFilter(), {"verdict": "overturned", "rollout_loss": -0.01}, False),
    ],
)
def test_what_is_asked_for_is_taken(wanted: DecisionFilter, more: dict[str, object], has: bool) -> None:
    assert wanted.has(blunder(**more)) == has


def test_the_same_board_with_the_same_roll_is_there_once_as_its_costliest() -> None:
    least, most = blunder(), blunder(loss=0.2, played="13/9")
    elsewhere = blunder(xgid=OPENING.replace(":0:0:0:7:", ":3:2:0:7:"), loss=0.15)
    other = blunder(xgid=REPLY, dice="64", loss=0.1)
    assert worst_of([least, other, most, elsewhere]) == [most, other]
    assert worst_of([least, other, most], top=1) == [most]


def test_what_is_avoidable_is_less_where_all_choices_are_close() -> None:
    hard = blunder(loss=0.05, choices=choices(0, 0.03, 0.04, 0.05))
    easy = blunder(loss=0.05, choices=choices(0, 0.05, 0.4))
    assert easy.avoidable > hard.avoidable > 0
    assert hard.loss == easy.loss == 0.05
    assert expected_loss(choices(0, 0)) == 0
    # exp(-1) against 1.
    assert expected_loss(choices(0, 0.025)) == pytest.approx(0.025 * 0.36788 / 1.36788, abs=1e-6)
    assert blunder(loss=0.01, choices=choices(0, 0.01, 5)).avoidable >= 0


def test_a_rollout_says_the_loss_where_there_is_one() -> None:
    assert blunder(rollout_loss=0.07).loss == 0.07
    doubted, sure = blunder(rollout_loss=0.03, loss=0.5), blunder(xgid=REPLY, dice="64", loss=0.1)
    assert worst_of([doubted, sure]) == [sure, doubted]
